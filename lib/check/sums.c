/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Reductions: every contribution exactly once.
 *
 * Node v's contribution to a block is a random weight w(v) below the prime p = 2^61 - 1.  A (node, block) holds the sum
 * modulo p of all that was added into it, and how many contributions that were (a count that stops at its largest value
 * and never wraps).  Say it counts contribution v c(v) times.  It is complete when the count is M, the number of nodes that
 * take part, and the sum is that of all weights.  If some c(v) is not 1 all the same, then c(v) <= M < p because the count is
 * M, so c(v) - 1 is not 0 modulo p, and the sum of (c(v) - 1) w(v) is 0 for one value of w(v) only, for any other
 * weights: with probability at most 2^-60.  A wrong schedule passes only if that happens, for any of its (node, block) pairs;
 * with 4096 nodes and as many blocks that is below 2^-36.  The weights come from a fixed seed: the same verdict every time.
 */
#include "check/checker.h"

#include <assert.h>
#include <stdlib.h>

#define PRIME (((uint64_t)1 << 61) - 1)

enum { GOT_COPY = 1, GOT_REDUCE = 2 };

struct cell {
    uint64_t sum;       /* of the weights, below PRIME */
    uint32_t count;     /* of the contributions; UINT32_MAX: that or more */
    uint32_t got;       /* in the current step */
};

/** A partial sum on its way to a receiver, read at the start of the step. */
struct arrival {
    uint64_t sum;
    uint32_t count;
    uint32_t rank;      /* of the receiver */
    uint32_t block;
    uint32_t op;
};

struct node_weight {
    uint64_t weight;
    uint32_t node;
};

struct sums {
    struct cell *cells;         /* rank * blocks + block */
    struct arrival *arrivals;
    size_t arrival_count, arrival_capacity;
    struct node_weight *weights;   /* of every node that takes part, by weight, so that a difference can be named */
    uint64_t total;
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

static uint32_t plus_count(uint32_t a, uint32_t b)
{
    return a > UINT32_MAX - b ? UINT32_MAX : a + b;
}

static struct cell *cell_of(struct checker *chk, uint32_t rank, uint64_t block)
{
    assert(rank < chk->coll->nodes && block < chk->coll->blocks);
    return &chk->sums->cells[rank * chk->coll->blocks + block];
}

/* ---- the start: every node holds its own contribution to every block ---- */

static int by_weight(const void *a, const void *b)
{
    uint64_t x = ((const struct node_weight *)a)->weight, y = ((const struct node_weight *)b)->weight;
    return x < y ? -1 : x > y;
}

static void contribute(struct checker *chk, uint32_t rank, uint64_t weight)
{
    struct cell *row = cell_of(chk, rank, 0);
    chk->sums->weights[rank] = (struct node_weight){weight, node_at(chk, rank)};
    chk->sums->total = plus(chk->sums->total, weight);
    for (uint64_t b = 0; b < chk->coll->blocks; b++)
        row[b] = (struct cell){weight, 1, 0};
}

static rwa_status sums_open(struct checker *chk)
{
    uint64_t random = 0x52574153756d73;
    uint32_t nodes = chk->coll->nodes;
    double cells = (double)nodes * (double)chk->coll->blocks;
    rwa_status st = RWA_OK;
    TRY(base_fits_memory(cells * sizeof(struct cell), "checking this schedule", chk->err));
    if (!arena_new(&chk->memory, chk->sums, 1))
        return RWA_NOMEM;
    arena_new(&chk->memory, chk->sums->cells, (size_t)(nodes * chk->coll->blocks));
    arena_new(&chk->memory, chk->sums->weights, nodes);
    TRY(arena_status(&chk->memory));
    for (uint32_t rank = 0; rank < nodes; rank++)
        contribute(chk, rank, base_random(&random) % PRIME);
    qsort(chk->sums->weights, nodes, sizeof *chk->sums->weights, by_weight);
done:
    return st;
}

/* ---- a step ---- */

static void report_mixed_arrivals(struct checker *chk, const rwa_lightpath *lp, uint32_t got)
{
    report_violation(chk, RWA_VIOLATION_COMPLETENESS, RWA_NO_INDEX, lp->wavelength,
           "step %u: node %u receives block %llu as %s: expected reductions alone or a single copy", chk->step, lp->dst,
           (unsigned long long)lp->block, (got & GOT_REDUCE) || lp->op == RWA_REDUCE ? "a copy and a reduction" : "two copies");
}

static rwa_status sums_transfer(struct checker *chk, const rwa_lightpath *lp)
{
    struct sums *s = chk->sums;
    const struct cell *from = cell_of(chk, rank_of(chk, lp->src), lp->block);
    struct cell *to = cell_of(chk, rank_of(chk, lp->dst), lp->block);
    rwa_status st = RWA_OK;
    TRY(base_grow((void **)&s->arrivals, &s->arrival_capacity, s->arrival_count + 1, sizeof *s->arrivals, chk->err));
    if ((to->got & GOT_COPY) || (to->got && lp->op == RWA_COPY))
        report_mixed_arrivals(chk, lp, to->got);
    to->got |= lp->op == RWA_REDUCE ? GOT_REDUCE : GOT_COPY;
    s->arrivals[s->arrival_count++] = (struct arrival){from->sum, from->count, rank_of(chk, lp->dst), (uint32_t)lp->block, lp->op};
done:
    return st;
}

static void sums_end_step(struct checker *chk)
{
    for (size_t i = 0; i < chk->sums->arrival_count; i++) {
        const struct arrival *p = &chk->sums->arrivals[i];
        struct cell *to = cell_of(chk, p->rank, p->block);
        bool add = p->op == RWA_REDUCE;
        to->sum = add ? plus(to->sum, p->sum) : p->sum;
        to->count = add ? plus_count(to->count, p->count) : p->count;
        to->got = 0;
    }
    chk->sums->arrival_count = 0;
}

/* ---- the end ---- */

/** The node with this weight, or -1. */
static int64_t node_of(const struct checker *chk, uint64_t weight)
{
    struct node_weight key = {weight, 0};
    const struct node_weight *found = bsearch(&key, chk->sums->weights, chk->coll->nodes, sizeof key, by_weight);
    return found ? (int64_t)found->node : -1;
}

/** Name the contribution that a sum counts twice, and the one it lacks, if one pair explains the excess. */
static bool find_swap(const struct checker *chk, uint64_t excess, uint32_t *twice, uint32_t *never)
{
    for (uint32_t i = 0; i < chk->coll->nodes; i++) {
        int64_t node = node_of(chk, plus(excess, chk->sums->weights[i].weight));
        if (node >= 0) {
            *twice = (uint32_t)node;
            *never = chk->sums->weights[i].node;
            return true;
        }
    }
    return false;
}

/** The number of contributions is right, the contributions are not. */
static void report_swap(struct checker *chk, uint32_t node, uint64_t block, uint64_t excess)
{
    uint32_t twice = 0, never = 0;
    if (find_swap(chk, excess, &twice, &never))
        REPORT(chk, RWA_VIOLATION_COMPLETENESS,
               "at the end node %u counts the contribution of node %u to block %llu twice and lacks that of node %u", node,
               twice, (unsigned long long)block, never);
    else
        REPORT(chk, RWA_VIOLATION_COMPLETENESS,
               "at the end node %u counts some contributions to block %llu twice and lacks others", node,
               (unsigned long long)block);
}

static void report_lost(struct checker *chk, uint32_t node, uint64_t block, uint64_t missing, uint32_t count)
{
    int64_t lost = node_of(chk, missing);
    if (lost >= 0)
        REPORT(chk, RWA_VIOLATION_COMPLETENESS, "at the end node %u lacks the contribution of node %u to block %llu", node,
               (uint32_t)lost, (unsigned long long)block);
    else
        REPORT(chk, RWA_VIOLATION_COMPLETENESS, "at the end node %u lacks contributions to block %llu: it counts %u of %u",
               node, (unsigned long long)block, count, chk->coll->nodes);
}

static void report_repeat(struct checker *chk, uint32_t node, uint64_t block, uint64_t excess, uint32_t count)
{
    int64_t twice = node_of(chk, excess);
    if (twice >= 0)
        REPORT(chk, RWA_VIOLATION_COMPLETENESS, "at the end node %u counts the contribution of node %u to block %llu twice",
               node, (uint32_t)twice, (unsigned long long)block);
    else
        REPORT(chk, RWA_VIOLATION_COMPLETENESS,
               "at the end node %u counts contributions to block %llu more than once: %u in place of %u", node,
               (unsigned long long)block, count, chk->coll->nodes);
}

static void report_sum(struct checker *chk, uint32_t node, uint64_t block, const struct cell *c)
{
    uint64_t excess = minus(c->sum, chk->sums->total);
    if (chk->report->named == RWA_VIOLATIONS_NAMED) /* this violation is counted, not named */
        REPORT(chk, RWA_VIOLATION_COMPLETENESS, "node %u", node);
    else if (c->count == chk->coll->nodes)
        report_swap(chk, node, block, excess);
    else if (c->count < chk->coll->nodes)
        report_lost(chk, node, block, minus(0, excess), c->count);
    else
        report_repeat(chk, node, block, excess, c->count);
}

static rwa_status sums_check_end(struct checker *chk)
{
    bool everywhere = chk->coll->kind == RWA_ALL_REDUCE;
    for (uint32_t rank = 0; rank < chk->coll->nodes; rank++) {
        if (base_must_stop(&chk->budget, "checking", -1))
            return base_fail(chk->err, RWA_CANCELLED, "the check was stopped at the end of the schedule");
        for (uint64_t b = 0; b < chk->coll->blocks; b++) {
            const struct cell *c = cell_of(chk, rank, b);
            bool right = c->count == chk->coll->nodes && c->sum == chk->sums->total;
            if (!right && (everywhere || rwa_collective_owner(chk->coll, b) == rank))
                report_sum(chk, node_at(chk, rank), b, c);
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
