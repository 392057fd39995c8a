/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Reductions: every contribution exactly once.
 *
 * Node v's contribution to a block is a random weight w(v) below the prime p = 2^61 - 1.  A (node, block) holds the sum
 * modulo p of all that was added into it, and how many contributions that were (a count that stops at its largest value
 * and never wraps).  Say it counts contribution v c(v) times.  It is complete when the count is M, the number of nodes
 * that take part, and the sum is that of all weights.  If some c(v) is not 1 all the same, then c(v) <= M < p because
 * the count is M, so c(v) - 1 is not 0 modulo p, and the sum of (c(v) - 1) w(v) is 0 for one value of w(v) only, for
 * any other weights: with probability at most 2^-60.  A wrong schedule passes only if that happens, for any of its
 * (node, block) pairs; with 4096 nodes and as many blocks that is below 2^-36.  The weights come from a fixed seed: the
 * same verdict every time.
 *
 * While one node stands for all (symmetry.c), the blocks of node 0 are followed alone, and a record moves each of its
 * blocks between two nodes as seen from the block's owner.
 */
#include "check/symmetry.h"

#define PRIME (((uint64_t)1 << 61) - 1)

struct partial {
    uint64_t sum;       /* of the weights, below PRIME */
    uint32_t count;     /* of the contributions; UINT32_MAX: that or more */
};

static uint64_t plus(uint64_t a, uint64_t b)
{
    uint64_t sum = a + b;
    assert(a < PRIME && b < PRIME);
    return sum >= PRIME ? sum - PRIME : sum;
}

static uint64_t minus(uint64_t a, uint64_t b)
{
    return a >= b ? a - b : a + PRIME - b;
}

/* Blocks between two polls; kinds of data that arrive at a node. */
enum { POLL_BLOCKS = 1 << 22, GOT_COPY = 1, GOT_REDUCE = 2 };

/** The partial sum of a block that a participant holds at the start of the step, without its own contribution.  Thus
 *  zeroed memory is the state before the first step, and is not touched until something arrives. */
struct cell {
    uint64_t sum;
    uint32_t count;
    uint32_t arrival;   /* number of the arrival in this step, from 1 on; 0: none */
};

/** The data that arrive at a participant for one block in a step.  At the end of the step they replace its sum, or are
 *  added to it. */
struct sum_arrival {
    struct cell *cell;
    struct partial sum;
    uint32_t rank;
    uint32_t got;       /* GOT_COPY, GOT_REDUCE */
};

struct node_weight {
    uint64_t weight;
    uint32_t node;
};

struct sums {
    struct cell *cells;         /* rank * row + block */
    uint64_t row;               /* blocks that are followed: all, or those of node 0 */
    uint64_t *gains; /* for each rank: its arrivals, at most as many as in a correct schedule, one for each cell and
                        node */
    struct sum_arrival *arrivals;   /* of this step */
    size_t arrival_count;
    struct node_weight *weights;   /* of every node that takes part, sorted by weight, to name the nodes of a
                                      difference */
    uint64_t *weight_of;        /* of each rank */
    uint64_t total;
};

static uint32_t plus_count(uint32_t a, uint32_t b)
{
    return a > UINT32_MAX - b ? UINT32_MAX : a + b;
}

static struct cell *cell_at(const struct checker *chk, uint32_t rank, uint64_t block)
{
    assert(rank < chk->coll->nodes && block < chk->sums->row);
    return &chk->sums->cells[rank * chk->sums->row + block];
}

/** Return the partial sum of a block that a member holds at the start of the step.  The cell leaves out the member's
 *  own contribution, which is added here. */
static struct partial read_cell(const struct checker *chk, uint32_t rank, const struct cell *cell)
{
    return (struct partial){plus(cell->sum, chk->sums->weight_of[rank]), plus_count(cell->count, 1)};
}

/* ---- the start: every node holds its own contribution to every block ---- */

COMPARATOR(by_weight, struct node_weight, UP(weight))

static void contribute(struct checker *chk, uint32_t rank, uint64_t weight)
{
    chk->sums->weights[rank] = (struct node_weight){weight, node_at(chk, rank)};
    chk->sums->total = plus(chk->sums->total, weight);
    chk->sums->weight_of[rank] = weight;
}

static double bytes_of(const struct checker *chk, size_t arrivals)
{
    return (double)chk->coll->nodes * (double)chk->sums->row * sizeof(struct cell) +
           (double)arrivals * sizeof(struct sum_arrival);
}

static rwa_status sums_open(struct checker *chk)
{
    uint64_t random = 0x52574153756d73;
    uint32_t nodes = chk->coll->nodes;
    if (!arena_new(&chk->memory, chk->sums, 1))
        return RWA_NOMEM;
    chk->sums->row = chk->symmetry ? chk->symmetry->share : chk->coll->blocks;
    MUST(limits_fit(&chk->limits, bytes_of(chk, 0), "checking this schedule", chk->err));
    arena_new(&chk->memory, chk->sums->cells, (size_t)(nodes * chk->sums->row));
    MUST(arena_arrays(&chk->memory, nodes, chk->sums->gains, chk->sums->weight_of, chk->sums->weights));
    for (uint32_t rank = 0; rank < nodes; rank++)
        contribute(chk, rank, base_random(&random) % PRIME);
    qsort(chk->sums->weights, nodes, sizeof *chk->sums->weights, by_weight);
    return RWA_OK;
}

/* ---- a step ---- */

static void report_unequal_arrivals(struct checker *chk, const rwa_lightpath *lp, uint32_t to, uint64_t block,
                                    uint32_t got)
{
    report_violation(chk, RWA_VIOLATION_COMPLETENESS, RWA_NO_INDEX, lp->wavelength,
                     "step %u: node %u receives block %" PRIu64 " as %s: expected reductions alone or a single copy",
                     chk->step, to, block,
                     (got & GOT_REDUCE) || lp->op == RWA_REDUCE ? "a copy and a reduction" : "two copies");
}

/** Reserve space for one more arrival.  RWA_NOMEM. */
static rwa_status reserve_arrival(struct checker *chk)
{
    struct sums *s = chk->sums;
    if (s->arrival_count < base_capacity(s->arrivals))
        return RWA_OK;
    MUST(base_reserve(s->arrivals, s->arrival_count + 1, chk->err));
    return limits_allow(&chk->limits, bytes_of(chk, base_capacity(s->arrivals)), "checking this schedule", chk->err);
}

/** Return the record of what a member receives for a block (`cell`) in this step; create it if there is none.
 *  reserve_arrival() must have been called before. */
static inline struct sum_arrival *find_arrival(struct sums *s, uint32_t rank, struct cell *cell)
{
    if (cell->arrival == 0) {
        assert(s->arrival_count < base_capacity(s->arrivals) && s->arrival_count < UINT32_MAX);
        s->arrivals[s->arrival_count++] = (struct sum_arrival){.cell = cell, .rank = rank};
        cell->arrival = (uint32_t)s->arrival_count;
    }
    return &s->arrivals[cell->arrival - 1];
}

/** Return the partial sum that results when `new` arrives: a copy replaces `there`, a reduction adds to it. */
static inline struct partial with(struct partial there, struct partial new, bool copied)
{
    return copied ? new : (struct partial){plus(there.sum, new.sum), plus_count(there.count, new.count)};
}

static rwa_status transfer_block(struct checker *chk, const rwa_lightpath *lp, uint32_t to, uint64_t block)
{
    uint32_t src = rank_of(chk, lp->src), dst = rank_of(chk, to),
             got = lp->op == RWA_REDUCE ? GOT_REDUCE : GOT_COPY;
    MUST(reserve_arrival(chk));
    uint64_t from = chk->symmetry ? seen_from_owner(chk, &src, block) : block,
             at = chk->symmetry ? seen_from_owner(chk, &dst, block) : block;
    struct sum_arrival *arrival = find_arrival(chk->sums, dst, cell_at(chk, dst, at));
    if ((arrival->got & GOT_COPY) || (arrival->got && got == GOT_COPY))
        report_unequal_arrivals(chk, lp, to, block, arrival->got);
    arrival->sum = with(arrival->sum, read_cell(chk, src, cell_at(chk, src, from)), got == GOT_COPY);
    arrival->got |= got;
    return RWA_OK;
}

/** Add `count` blocks that arrived at a member to chk->gained, so that the file earns work by them (spend()).  Of each
 *  member at most as many arrivals count as a correct schedule has. */
static void count_gains(struct checker *chk, uint32_t rank, uint32_t count)
{
    uint64_t left = chk->coll->blocks * chk->coll->nodes - chk->sums->gains[rank], gains = count < left ? count : left;
    chk->sums->gains[rank] += gains;
    chk->gained += gains;
}

static rwa_status sums_transfer(struct checker *chk, const rwa_lightpath *lp, uint32_t to, const rwa_run *run)
{
    for (uint32_t k = 0; k < run->count; k++) {
        MUST(spend(chk, 1));
        MUST(transfer_block(chk, lp, to, run->first + (uint64_t)k * run->stride));
    }
    count_gains(chk, rank_of(chk, to), run->count);
    return RWA_OK;
}

static void settle(const struct checker *chk, const struct sum_arrival *a)
{
    struct partial now = with(read_cell(chk, a->rank, a->cell), a->sum, a->got & GOT_COPY);
    *a->cell = (struct cell){.sum = minus(now.sum, chk->sums->weight_of[a->rank]), .count = now.count - 1};
}

static rwa_status sums_end_step(struct checker *chk)
{
    enum { AHEAD = 16 };
    struct sums *s = chk->sums;
    for (size_t i = 0; i < s->arrival_count; i++) {
        if (i + AHEAD < s->arrival_count)
            __builtin_prefetch(s->arrivals[i + AHEAD].cell, 1);
        settle(chk, &s->arrivals[i]);
    }
    s->arrival_count = 0;
    return RWA_OK;
}

/* ---- the end ---- */

/** Return the node whose contribution has this weight, or -1. */
static int64_t node_of(const struct checker *chk, uint64_t weight)
{
    struct node_weight key = {weight, 0};
    const struct node_weight *found = bsearch(&key, chk->sums->weights, chk->coll->nodes, sizeof key, by_weight);
    return found ? (int64_t)found->node : -1;
}

/** Set *twice and *never to two nodes that explain a sum of the right number of contributions but a wrong value.  The
 *  contribution of *twice is counted twice, that of *never is missing; both are -1 if no two nodes explain it.
 *  `excess`: the sum less the right one, modulo the prime. */
static void find_swap(const struct checker *chk, uint64_t excess, int64_t *twice, int64_t *never)
{
    *twice = -1;
    for (uint32_t i = 0; i < chk->coll->nodes && *twice < 0; i++) {
        *twice = node_of(chk, plus(excess, chk->sums->weights[i].weight));
        *never = *twice < 0 ? -1 : (int64_t)chk->sums->weights[i].node;
    }
}

static void report_sum(struct checker *chk, uint32_t node, uint64_t block, const struct partial *c)
{
    uint32_t nodes = chk->coll->nodes;
    uint64_t excess = minus(c->sum, chk->sums->total);
    int64_t twice = c->count > nodes ? node_of(chk, excess) : -1,
            never = c->count < nodes ? node_of(chk, minus(0, excess)) : -1;
    if (c->count == nodes)
        find_swap(chk, excess, &twice, &never);
    if (twice >= 0 && never >= 0)
        REPORT(chk, RWA_VIOLATION_COMPLETENESS,
               "at the end node %u counts the contribution of node %u to block %" PRIu64
               " twice and lacks that of node %u",
               node, (uint32_t)twice, block, (uint32_t)never);
    else if (c->count == nodes)
        REPORT(chk, RWA_VIOLATION_COMPLETENESS,
               "at the end node %u counts some contributions to block %" PRIu64 " twice and lacks others", node,
               block);
    else if (never >= 0)
        REPORT(chk, RWA_VIOLATION_COMPLETENESS,
               "at the end node %u lacks the contribution of node %u to block %" PRIu64, node, (uint32_t)never, block);
    else if (twice >= 0)
        REPORT(chk, RWA_VIOLATION_COMPLETENESS,
               "at the end node %u counts the contribution of node %u to block %" PRIu64 " twice", node,
               (uint32_t)twice, block);
    else if (c->count < nodes)
        REPORT(chk, RWA_VIOLATION_COMPLETENESS,
               "at the end node %u lacks contributions to block %" PRIu64 ": it counts %u of %u", node, block, c->count,
               nodes);
    else
        REPORT(chk, RWA_VIOLATION_COMPLETENESS,
               "at the end node %u counts contributions to block %" PRIu64 " more than once: %u in place of %u", node,
               block, c->count, nodes);
}

/** Check that a member holds the complete sum of a block at the end.  If not, report the block; once the report is
 *  full, only count it. */
static void check_block(struct checker *chk, uint32_t rank, uint64_t block)
{
    struct partial c = read_cell(chk, rank, cell_at(chk, rank, block));
    if (c.count == chk->coll->nodes && c.sum == chk->sums->total)
        return;
    if (report_is_full(chk->report, RWA_VIOLATION_COMPLETENESS))
        report_count(chk->report, RWA_VIOLATION_COMPLETENESS, 1);
    else
        report_sum(chk, node_at(chk, rank), block, &c);
}

static rwa_status sums_check_end(struct checker *chk)
{
    uint64_t checked = 0;
    for (uint32_t rank = 0; rank < chk->coll->nodes; rank++) {
        struct interval wanted = wanted_blocks(chk, rank, (struct interval){0, chk->sums->row});
        for (uint64_t block = wanted.first; block < wanted.end; block++) {
            check_block(chk, rank, block);
            if (checked++ % POLL_BLOCKS == 0)
                MUST(poll_check(chk));
        }
    }
    return RWA_OK;
}

static void sums_close(struct checker *chk)
{
    if (chk->sums)
        free(chk->sums->arrivals);
}

const struct holdings holdings_of_sums = {sums_open, sums_transfer, sums_end_step, sums_check_end, sums_close};
