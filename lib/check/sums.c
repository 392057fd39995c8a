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

#define PRIME (((uint64_t)1 << 61) - 1)

enum { GOT_COPY = 1, GOT_REDUCE = 2 };

struct cell {
    uint64_t sum;       /* of the weights, below PRIME */
    uint32_t count;     /* of the contributions; UINT32_MAX: that or more */
    uint32_t got;       /* of arrivals: GOT_COPY, GOT_REDUCE; of a cell: how many it got, at most as many as nodes */
};

/* Cells of a page; pages between two polls. */
enum { PAGE = 64, POLL_PAGES = 1 << 16 };

/** Cells of which only those exist that something arrived at, and their neighbours; the others are as at the start. */
struct page {
    struct cell cell[PAGE];
};

struct node_weight {
    uint64_t weight;
    uint32_t node;
};

struct sums {
    struct page **cells;        /* cell rank * blocks + block */
    struct page **arrivals;     /* the partial sums that arrive in this step, read at its start; NULL: none in this page */
    uint64_t pages;
    double bytes;               /* of the pages */
    uint64_t *touched;          /* pages with arrivals */
    size_t touched_count, touched_capacity;
    struct node_weight *weights;   /* of every node that takes part, by weight, so that a difference can be named */
    uint64_t *weight_of;        /* of each rank */
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

/** The cell before the first step. */
static struct cell initial_of(const struct checker *chk, uint64_t index)
{
    return (struct cell){chk->sums->weight_of[index / chk->coll->blocks], 1, 0};
}

static uint64_t index_of(const struct checker *chk, uint32_t rank, uint64_t block)
{
    assert(rank < chk->coll->nodes && block < chk->coll->blocks);
    return rank * chk->coll->blocks + block;
}

static struct cell read_cell(const struct checker *chk, uint64_t index)
{
    const struct page *page = chk->sums->cells[index / PAGE];
    return page ? page->cell[index % PAGE] : initial_of(chk, index);
}

/* ---- the start: every node holds its own contribution to every block ---- */

static int by_weight(const void *a, const void *b)
{
    uint64_t x = ((const struct node_weight *)a)->weight, y = ((const struct node_weight *)b)->weight;
    return x < y ? -1 : x > y;
}

static void contribute(struct checker *chk, uint32_t rank, uint64_t weight)
{
    chk->sums->weights[rank] = (struct node_weight){weight, node_at(chk, rank)};
    chk->sums->total = plus(chk->sums->total, weight);
    chk->sums->weight_of[rank] = weight;
}

static rwa_status sums_open(struct checker *chk)
{
    uint64_t random = 0x52574153756d73;
    uint32_t nodes = chk->coll->nodes;
    uint64_t pages = nodes * chk->coll->blocks / PAGE + 1;
    MUST(limits_fit(&chk->limits, (double)pages * 2 * sizeof(struct page *), "checking this schedule", chk->err));
    if (!arena_new(&chk->memory, chk->sums, 1))
        return RWA_NOMEM;
    chk->sums->pages = pages;
    arena_new(&chk->memory, chk->sums->cells, (size_t)pages);
    arena_new(&chk->memory, chk->sums->arrivals, (size_t)pages);
    arena_new(&chk->memory, chk->sums->weight_of, nodes);
    arena_new(&chk->memory, chk->sums->weights, nodes);
    MUST(arena_status(&chk->memory));
    for (uint32_t rank = 0; rank < nodes; rank++)
        contribute(chk, rank, base_random(&random) % PRIME);
    qsort(chk->sums->weights, nodes, sizeof *chk->sums->weights, by_weight);
    return RWA_OK;
}

/* ---- a step ---- */

static void report_mixed_arrivals(struct checker *chk, const rwa_lightpath *lp, uint32_t got)
{
    report_violation(chk, RWA_VIOLATION_COMPLETENESS, RWA_NO_INDEX, lp->wavelength,
           "step %u: node %u receives block %llu as %s: expected reductions alone or a single copy", chk->step, lp->dst,
           (unsigned long long)lp->block, (got & GOT_REDUCE) || lp->op == RWA_REDUCE ? "a copy and a reduction" : "two copies");
}

/** The page of a cell that something arrives at, and the page of its arrivals. */
static rwa_status open_page(struct checker *chk, uint64_t number)
{
    struct sums *s = chk->sums;
    uint64_t cells = chk->coll->nodes * chk->coll->blocks;
    if (s->arrivals[number])
        return RWA_OK;
    MUST(base_grow((void **)&s->touched, &s->touched_capacity, s->touched_count + 1, sizeof *s->touched, chk->err));
    if (!s->cells[number]) {
        s->bytes += 2 * sizeof(struct page);
        MUST(limits_allow(&chk->limits, s->bytes, "checking this schedule", chk->err));
        struct page *page = s->cells[number] = base_array(1, sizeof *page, chk->err);
        MUST(page ? RWA_OK : RWA_NOMEM);
        for (uint64_t i = 0; i < PAGE && number * PAGE + i < cells; i++)
            page->cell[i] = initial_of(chk, number * PAGE + i);
    }
    MUST(base_new(s->arrivals[number], 1, chk->err));
    s->touched[s->touched_count++] = number;
    return RWA_OK;
}

static rwa_status transfer_block(struct checker *chk, const rwa_lightpath *lp)
{
    struct cell from = read_cell(chk, index_of(chk, rank_of(chk, lp->src), lp->block));
    uint64_t to = index_of(chk, rank_of(chk, lp->dst), lp->block);
    bool add = lp->op == RWA_REDUCE;
    MUST(open_page(chk, to / PAGE));
    struct cell *arrival = &chk->sums->arrivals[to / PAGE]->cell[to % PAGE], *cell = &chk->sums->cells[to / PAGE]->cell[to % PAGE];
    if ((arrival->got & GOT_COPY) || (arrival->got && !add))
        report_mixed_arrivals(chk, lp, arrival->got);
    arrival->sum = add ? plus(arrival->sum, from.sum) : from.sum;
    arrival->count = add ? plus_count(arrival->count, from.count) : from.count;
    chk->gained += cell->got < chk->coll->nodes;
    cell->got += cell->got < chk->coll->nodes;
    arrival->got |= add ? GOT_REDUCE : GOT_COPY;
    return RWA_OK;
}

static rwa_status sums_transfer(struct checker *chk, const rwa_lightpath *lp, const rwa_run *run)
{
    rwa_lightpath one = *lp;
    for (uint32_t k = 0; k < run->count; k++) {
        one.block = run->first + (uint64_t)k * run->stride;
        if (k > 0)
            MUST(spend(chk, 1));
        MUST(transfer_block(chk, &one));
    }
    return RWA_OK;
}

/** A copy replaces the cell, reductions add to it. */
static void settle(struct cell *cell, const struct cell *arrival)
{
    if (arrival->got & GOT_COPY)
        *cell = (struct cell){arrival->sum, arrival->count, cell->got};
    else if (arrival->got)
        *cell = (struct cell){plus(cell->sum, arrival->sum), plus_count(cell->count, arrival->count), cell->got};
}

static rwa_status sums_end_step(struct checker *chk)
{
    struct sums *s = chk->sums;
    for (size_t i = 0; i < s->touched_count; i++) {
        uint64_t number = s->touched[i];
        for (size_t k = 0; k < PAGE; k++)
            settle(&s->cells[number]->cell[k], &s->arrivals[number]->cell[k]);
        free(s->arrivals[number]);
        s->arrivals[number] = NULL;
    }
    s->touched_count = 0;
    return RWA_OK;
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
    if (c->count == chk->coll->nodes)
        report_swap(chk, node, block, excess);
    else if (c->count < chk->coll->nodes)
        report_lost(chk, node, block, minus(0, excess), c->count);
    else
        report_repeat(chk, node, block, excess, c->count);
}

static bool is_right(const struct checker *chk, struct cell c)
{
    return c.count == chk->coll->nodes && c.sum == chk->sums->total;
}

/** Check cells of a rank that share a page; those that nothing arrived at are all wrong. */
static void check_cells(struct checker *chk, uint32_t rank, struct interval blocks)
{
    for (; blocks.first < blocks.end; blocks.first++) {
        uint64_t index = index_of(chk, rank, blocks.first);
        bool named = chk->report->named == RWA_VIOLATIONS_NAMED;
        if (named && !chk->sums->cells[index / PAGE]) {
            report_count(chk, RWA_VIOLATION_COMPLETENESS, length(blocks));
            return;
        }
        struct cell c = read_cell(chk, index);
        if (is_right(chk, c))
            continue;
        if (named)
            report_count(chk, RWA_VIOLATION_COMPLETENESS, 1);
        else
            report_sum(chk, node_at(chk, rank), blocks.first, &c);
    }
}

static rwa_status sums_check_end(struct checker *chk)
{
    uint64_t pages = 0;
    for (uint32_t rank = 0; rank < chk->coll->nodes; rank++) {
        struct interval rest = chk->coll->kind == RWA_ALL_REDUCE ? (struct interval){0, chk->coll->blocks}
                                                                 : owned_blocks(chk->coll, rank);
        while (rest.first < rest.end) {
            uint64_t left = PAGE - index_of(chk, rank, rest.first) % PAGE;
            struct interval part = {rest.first, length(rest) < left ? rest.end : rest.first + left};
            check_cells(chk, rank, part);
            rest.first = part.end;
            if (pages++ % POLL_PAGES == 0 && base_must_stop(&chk->budget, "checking", -1))
                return base_fail(chk->err, RWA_CANCELLED, "the check was stopped at the end of the schedule");
        }
    }
    return RWA_OK;
}

static void sums_close(struct checker *chk)
{
    struct sums *s = chk->sums;
    if (!s)
        return;
    for (uint64_t i = 0; s->cells && i < s->pages; i++)
        free(s->cells[i]);
    for (size_t i = 0; i < s->touched_count; i++)
        free(s->arrivals[s->touched[i]]);
    free(s->touched);
}

const struct holdings holdings_of_sums = {sums_open, sums_transfer, sums_end_step, sums_check_end, sums_close};
