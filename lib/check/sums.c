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

/** The partial sum of a block that a node holds at the start of the step. */
struct cell {
    uint64_t sum;
    uint32_t count;
    uint32_t arrival;   /* number of its arrival in this step, from 1 on; 0: none */
};

/** Data that arrive in a step for a cell, and replace it or add to it at the end of the step. */
struct arrival {
    struct cell *cell;
    uint64_t sum;
    uint32_t count;
    uint32_t got;       /* GOT_COPY, GOT_REDUCE */
};

/* Cells of a group, which is what systems provide of memory at a time, and of a page; groups between two polls; pages that are allocated
 * at once, at least and at most. */
enum { GROUP = 256, PAGE = 16 * GROUP, POLL_GROUPS = 1 << 14, SPARE_LEAST = 4, SPARE_MOST = 1 << 10 };

/** Neighbouring cells.  Their memory stays untouched until something arrives at a cell of their group. */
struct page {
    struct cell *cells; /* NULL: none yet */
    uint64_t gains;     /* arrivals, as far as a right schedule has so many: one for each cell and node */
    uint32_t groups;    /* bit: something arrived at a cell of the group */
};

struct node_weight {
    uint64_t weight;
    uint32_t node;
};

struct sums {
    struct page *pages;         /* of cell rank * blocks + block */
    uint64_t page_count;
    struct cell *spare;         /* the memory of the next pages */
    uint64_t used_count, spare_count;   /* pages with cells; pages at `spare` */
    uint64_t group_count;       /* groups that something arrived at */
    struct arrival *arrivals;   /* of this step */
    size_t arrival_count, arrival_capacity;
    struct node_weight *weights;   /* of every node that takes part, by weight, so that a difference can be named */
    uint64_t *weight_of;        /* of each rank */
    uint64_t total;
};

static uint32_t plus_count(uint32_t a, uint32_t b)
{
    return a > UINT32_MAX - b ? UINT32_MAX : a + b;
}

static uint64_t index_of(const struct checker *chk, uint32_t rank, uint64_t block)
{
    assert(rank < chk->coll->nodes && block < chk->coll->blocks);
    return rank * chk->coll->blocks + block;
}

/** A cell; NULL: nothing arrived at its group so far. */
static struct cell *find_cell(const struct checker *chk, uint64_t index)
{
    const struct page *page = &chk->sums->pages[index / PAGE];
    assert(index / PAGE < chk->sums->page_count);
    return page->groups >> index % PAGE / GROUP & 1 ? &page->cells[index % PAGE] : NULL;
}

/** The content of a rank's cell at the start of the step. */
static inline struct partial read_partial(const struct checker *chk, uint32_t rank, const struct cell *cell)
{
    if (!cell)
        return (struct partial){chk->sums->weight_of[rank], 1};
    return (struct partial){cell->sum, cell->count};
}

/* ---- the start: every node holds its own contribution to every block ---- */

COMPARATOR(by_weight, struct node_weight, UP(weight))

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
    MUST(limits_fit(&chk->limits, (double)pages * sizeof(struct page), "checking this schedule", chk->err));
    if (!arena_new(&chk->memory, chk->sums, 1))
        return RWA_NOMEM;
    chk->sums->page_count = pages;
    arena_new(&chk->memory, chk->sums->pages, (size_t)pages);
    arena_new(&chk->memory, chk->sums->weight_of, nodes);
    arena_new(&chk->memory, chk->sums->weights, nodes);
    MUST(arena_status(&chk->memory));
    for (uint32_t rank = 0; rank < nodes; rank++)
        contribute(chk, rank, base_random(&random) % PRIME);
    qsort(chk->sums->weights, nodes, sizeof *chk->sums->weights, by_weight);
    return RWA_OK;
}

/* ---- a step ---- */

static void report_unequal_arrivals(struct checker *chk, const rwa_lightpath *lp, uint64_t block, uint32_t got)
{
    report_violation(chk, RWA_VIOLATION_COMPLETENESS, RWA_NO_INDEX, lp->wavelength,
           "step %u: node %u receives block %llu as %s: expected reductions alone or a single copy", chk->step, lp->dst,
           (unsigned long long)block, (got & GOT_REDUCE) || lp->op == RWA_REDUCE ? "a copy and a reduction" : "two copies");
}

static double bytes_in_use(const struct sums *s)
{
    return (double)s->group_count * GROUP * sizeof *s->spare + (double)s->arrival_capacity * sizeof *s->arrivals;
}

/** Memory for as many pages more as there are, so that few allocations do. */
static rwa_status add_spare(struct checker *chk)
{
    struct sums *s = chk->sums;
    uint64_t count = s->used_count < SPARE_LEAST ? SPARE_LEAST : s->used_count, left = s->page_count - s->used_count;
    s->spare_count = count < SPARE_MOST ? count : SPARE_MOST;
    s->spare_count = s->spare_count < left ? s->spare_count : left;
    return arena_new(&chk->memory, s->spare, (size_t)s->spare_count * PAGE) ? RWA_OK : RWA_NOMEM;
}

/** Cells from this index on as they are before the first step: every rank counts its own contribution once. */
static void fill_group(const struct checker *chk, struct cell *cells, uint64_t index)
{
    uint64_t blocks = chk->coll->blocks, rank = index / blocks, left = (rank + 1) * blocks - index;
    for (uint64_t i = 0; i < GROUP && rank < chk->coll->nodes; i++) {
        cells[i] = (struct cell){.sum = chk->sums->weight_of[rank], .count = 1};
        if (--left == 0) {
            rank++;
            left = blocks;
        }
    }
}

/** The first arrival at a cell of this group. */
static rwa_status open_group(struct checker *chk, uint64_t index)
{
    struct sums *s = chk->sums;
    struct page *page = &s->pages[index / PAGE];
    s->group_count++;
    MUST(limits_allow(&chk->limits, bytes_in_use(s), "checking this schedule", chk->err));
    if (!page->cells) {
        if (s->spare_count == 0)
            MUST(add_spare(chk));
        page->cells = s->spare;
        s->spare += PAGE;
        s->spare_count--;
        s->used_count++;
    }
    page->groups |= UINT32_C(1) << index % PAGE / GROUP;
    fill_group(chk, &page->cells[index % PAGE - index % GROUP], index - index % GROUP);
    return RWA_OK;
}

/** Space for so many arrivals more. */
static rwa_status reserve_arrivals(struct checker *chk, size_t more)
{
    struct sums *s = chk->sums;
    if (s->arrival_count + more <= s->arrival_capacity)
        return RWA_OK;
    MUST(base_grow((void **)&s->arrivals, &s->arrival_capacity, s->arrival_count + more, sizeof *s->arrivals, chk->err));
    return limits_allow(&chk->limits, bytes_in_use(s), "checking this schedule", chk->err);
}

/** Arrivals earn work, see spend(). */
static void count_gains(struct checker *chk, struct page *page, uint32_t count)
{
    uint64_t left = (uint64_t)PAGE * chk->coll->nodes - page->gains, gains = count < left ? count : left;
    page->gains += gains;
    chk->gained += gains;
}

/** The arrival of this step for a cell; there is space for one more. */
static inline struct arrival *find_arrival(struct sums *s, struct cell *cell)
{
    if (cell->arrival == 0) {
        assert(s->arrival_count < s->arrival_capacity && s->arrival_count < UINT32_MAX);
        s->arrivals[s->arrival_count++] = (struct arrival){.cell = cell};
        cell->arrival = (uint32_t)s->arrival_count;
    }
    return &s->arrivals[cell->arrival - 1];
}

/** A reduction adds to what arrives in this step, a copy replaces it. */
static inline void arrive_sum(struct arrival *to, struct partial from, uint32_t got)
{
    bool add = got & GOT_REDUCE;
    to->sum = add ? plus(to->sum, from.sum) : from.sum;
    to->count = add ? plus_count(to->count, from.count) : from.count;
    to->got |= got;
}

/** Neighbouring blocks, whose cells at the source and at the destination are each in one group. */
static rwa_status transfer_cells(struct checker *chk, const rwa_lightpath *lp, uint64_t block, uint32_t count)
{
    uint32_t src = rank_of(chk, lp->src), got = lp->op == RWA_REDUCE ? GOT_REDUCE : GOT_COPY;
    uint64_t from_index = index_of(chk, src, block), to_index = index_of(chk, rank_of(chk, lp->dst), block);
    if (!find_cell(chk, to_index))
        MUST(open_group(chk, to_index));
    struct cell *to = find_cell(chk, to_index);
    const struct cell *from = find_cell(chk, from_index);
    MUST(reserve_arrivals(chk, count));
    for (uint32_t i = 0; i < count; i++) {
        struct arrival *arrival = find_arrival(chk->sums, &to[i]);
        if ((arrival->got & GOT_COPY) || (arrival->got && got == GOT_COPY))
            report_unequal_arrivals(chk, lp, block + i, arrival->got);
        arrive_sum(arrival, read_partial(chk, src, from ? &from[i] : NULL), got);
    }
    count_gains(chk, &chk->sums->pages[to_index / PAGE], count);
    return RWA_OK;
}

/** So many neighbouring blocks from this one on have their cells in one group of this rank. */
static uint64_t left_in_group(const struct checker *chk, uint32_t rank, uint64_t block)
{
    return GROUP - index_of(chk, rank, block) % GROUP;
}

/** Where the cell of a block is, if it has memory. */
static const struct cell *place_of(const struct checker *chk, uint32_t rank, uint64_t block)
{
    uint64_t index = index_of(chk, rank, block);
    const struct page *page = &chk->sums->pages[index / PAGE];
    return page->cells ? &page->cells[index % PAGE] : NULL;
}

static void sums_expect(const struct checker *chk, const rwa_lightpath *lp, const rwa_run *runs, uint32_t count)
{
    for (uint32_t k = 0; k < count; k++) {
        __builtin_prefetch(place_of(chk, rank_of(chk, lp->src), runs[k].first));
        __builtin_prefetch(place_of(chk, rank_of(chk, lp->dst), runs[k].first));
    }
}

static rwa_status sums_transfer(struct checker *chk, const rwa_lightpath *lp, const rwa_run *run)
{
    for (uint32_t k = 0, count = 1; k < run->count; k += count) {
        uint64_t block = run->first + (uint64_t)k * run->stride, most = run->stride == 1 ? run->count - k : 1;
        uint64_t src = left_in_group(chk, rank_of(chk, lp->src), block), dst = left_in_group(chk, rank_of(chk, lp->dst), block);
        most = src < most ? src : most;
        count = (uint32_t)(dst < most ? dst : most);
        MUST(spend(chk, count));
        MUST(transfer_cells(chk, lp, block, count));
    }
    return RWA_OK;
}

/** A copy replaces the cell, reductions add to it. */
static void settle(const struct arrival *a)
{
    bool copied = a->got & GOT_COPY;
    uint64_t sum = copied ? a->sum : plus(a->cell->sum, a->sum);
    uint32_t count = copied ? a->count : plus_count(a->cell->count, a->count);
    *a->cell = (struct cell){.sum = sum, .count = count};
}

static rwa_status sums_end_step(struct checker *chk)
{
    enum { AHEAD = 16 };
    struct sums *s = chk->sums;
    for (size_t i = 0; i < s->arrival_count; i++) {
        if (i + AHEAD < s->arrival_count)
            __builtin_prefetch(s->arrivals[i + AHEAD].cell, 1);
        settle(&s->arrivals[i]);
    }
    s->arrival_count = 0;
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

static void report_sum(struct checker *chk, uint32_t node, uint64_t block, const struct partial *c)
{
    uint64_t excess = minus(c->sum, chk->sums->total);
    if (c->count == chk->coll->nodes)
        report_swap(chk, node, block, excess);
    else if (c->count < chk->coll->nodes)
        report_lost(chk, node, block, minus(0, excess), c->count);
    else
        report_repeat(chk, node, block, excess, c->count);
}

static bool is_right(const struct checker *chk, struct partial c)
{
    return c.count == chk->coll->nodes && c.sum == chk->sums->total;
}

/** Name a wrong cell while there is room, else count it. */
static void report_cell(struct checker *chk, uint32_t rank, uint64_t block, const struct partial *c)
{
    if (chk->report->named == RWA_VIOLATIONS_NAMED)
        report_count(chk, RWA_VIOLATION_COMPLETENESS, 1);
    else
        report_sum(chk, node_at(chk, rank), block, c);
}

/** Check cells of a rank that share a group; those that nothing arrived at are all wrong. */
static void check_cells(struct checker *chk, uint32_t rank, struct interval blocks)
{
    const struct cell *cell = find_cell(chk, index_of(chk, rank, blocks.first));
    if (!cell && chk->report->named == RWA_VIOLATIONS_NAMED) {
        report_count(chk, RWA_VIOLATION_COMPLETENESS, length(blocks));
        return;
    }
    for (uint64_t k = 0; k < length(blocks); k++) {
        struct partial c = read_partial(chk, rank, cell ? cell + k : NULL);
        if (!is_right(chk, c))
            report_cell(chk, rank, blocks.first + k, &c);
    }
}

/** The blocks of which a rank must have the sum. */
static struct interval wanted_of(const rwa_collective *c, uint32_t rank)
{
    if (c->kind == RWA_ROOTED_REDUCE)
        return (struct interval){0, rank == c->root ? c->blocks : 0};
    return c->kind == RWA_ALL_REDUCE ? (struct interval){0, c->blocks} : owned_blocks(c, rank);
}

static rwa_status sums_check_end(struct checker *chk)
{
    uint64_t groups = 0;
    for (uint32_t rank = 0; rank < chk->coll->nodes; rank++) {
        struct interval rest = wanted_of(chk->coll, rank);
        while (rest.first < rest.end) {
            uint64_t left = GROUP - index_of(chk, rank, rest.first) % GROUP;
            struct interval part = {rest.first, length(rest) < left ? rest.end : rest.first + left};
            check_cells(chk, rank, part);
            rest.first = part.end;
            if (groups++ % POLL_GROUPS == 0 && base_must_stop(&chk->budget, "checking", -1))
                return base_fail(chk->err, RWA_CANCELLED, "the check was stopped at the end of the schedule");
        }
    }
    return RWA_OK;
}

static void sums_close(struct checker *chk)
{
    if (chk->sums)
        free(chk->sums->arrivals);
}

const struct holdings holdings_of_sums = {sums_open, sums_expect, sums_transfer, sums_end_step, sums_check_end, sums_close};
