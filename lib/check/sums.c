/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Reductions: every contribution exactly once.
 *
 * Node v's contribution to a block is a random weight w(v) below the prime p = 2^61 - 1.  A (node, block) holds the sum
 * modulo p of all that was added into it, and how many contributions that were (a count that stops at its largest value
 * and never wraps).  Say it counts contribution v c(v) times.  It is complete when the count is M, the number of nodes that
 * take part, and the sum is that of all weights.  Is some c(v) not 1 all the same, then c(v) <= M < p because the count is
 * M, so c(v) - 1 is not 0 modulo p, and the sum of (c(v) - 1) w(v) is 0 for one value of w(v), whatever the other weights
 * are: with probability at most 2^-60.  A wrong schedule passes only if that happens, for any of its (node, block) pairs;
 * with 4096 nodes and as many blocks that is below 2^-36.  The weights come from a fixed seed: the same verdict every time.
 */
#include "check/judge.h"

#include <stdlib.h>

#define PRIME (((uint64_t)1 << 61) - 1)

enum { GOT_COPY = 1, GOT_REDUCE = 2 };

struct cell {
    uint64_t sum;       /* of the weights, below PRIME */
    uint32_t count;     /* of the contributions; UINT32_MAX: that or more */
    uint32_t got;       /* in the current step */
};

/** What a lightpath brings, read at the start of the step. */
struct parcel {
    uint64_t sum;
    uint32_t count;
    uint32_t rank;      /* of the receiver */
    uint32_t block;
    uint32_t op;
};

struct named_weight {
    uint64_t weight;
    uint32_t node;
};

struct sums {
    struct cell *cells;         /* rank * blocks + block */
    struct parcel *parcels;
    size_t parcel_count, parcel_room;
    struct named_weight *weights;   /* of every node that takes part, by weight, so that a difference can be named */
    uint64_t total;
};

static uint64_t plus(uint64_t a, uint64_t b)
{
    uint64_t sum = a + b;
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

static struct cell *cell_of(struct judge *j, uint32_t rank, uint64_t block)
{
    return &j->sums->cells[rank * j->coll->blocks + block];
}

/* ---- the start: every node holds its own contribution to every block ---- */

static int by_weight(const void *a, const void *b)
{
    uint64_t x = ((const struct named_weight *)a)->weight, y = ((const struct named_weight *)b)->weight;
    return x < y ? -1 : x > y;
}

static void contribute(struct judge *j, uint32_t rank, uint64_t weight)
{
    struct cell *row = cell_of(j, rank, 0);
    j->sums->weights[rank] = (struct named_weight){weight, node_at(j, rank)};
    j->sums->total = plus(j->sums->total, weight);
    for (uint64_t b = 0; b < j->coll->blocks; b++)
        row[b] = (struct cell){weight, 1, 0};
}

static rwa_status sums_open(struct judge *j)
{
    uint64_t random = 0x52574153756d73;
    uint32_t nodes = j->coll->nodes;
    double cells = (double)nodes * (double)j->coll->blocks;
    rwa_status st = RWA_OK;
    TRY(base_fits_memory(cells * sizeof(struct cell), "checking this schedule", j->err));
    st = RWA_NOMEM;
    j->sums = base_array(1, sizeof *j->sums, j->err);
    if (!j->sums)
        goto done;
    j->sums->cells = base_array((size_t)(nodes * j->coll->blocks), sizeof *j->sums->cells, j->err);
    j->sums->weights = base_array(nodes, sizeof *j->sums->weights, j->err);
    if (!j->sums->cells || !j->sums->weights)
        goto done;
    for (uint32_t rank = 0; rank < nodes; rank++)
        contribute(j, rank, base_random(&random) % PRIME);
    qsort(j->sums->weights, nodes, sizeof *j->sums->weights, by_weight);
    st = RWA_OK;
done:
    return st;
}

/* ---- a step ---- */

static void accuse_clash(struct judge *j, const rwa_lightpath *lp, uint32_t got)
{
    accuse(j, RWA_VIOLATION_COMPLETENESS, RWA_NO_INDEX, lp->wavelength,
           "step %u: node %u receives block %llu as %s: expected reductions alone or a single copy", j->step, lp->dst,
           (unsigned long long)lp->block, (got & GOT_REDUCE) || lp->op == RWA_REDUCE ? "a copy and a reduction" : "two copies");
}

static rwa_status sums_carry(struct judge *j, const rwa_lightpath *lp)
{
    struct sums *s = j->sums;
    const struct cell *from = cell_of(j, rank_of(j, lp->src), lp->block);
    struct cell *to = cell_of(j, rank_of(j, lp->dst), lp->block);
    rwa_status st = RWA_OK;
    TRY(base_grow((void **)&s->parcels, &s->parcel_room, s->parcel_count + 1, sizeof *s->parcels, j->err));
    if ((to->got & GOT_COPY) || (to->got && lp->op == RWA_COPY))
        accuse_clash(j, lp, to->got);
    to->got |= lp->op == RWA_REDUCE ? GOT_REDUCE : GOT_COPY;
    s->parcels[s->parcel_count++] = (struct parcel){from->sum, from->count, rank_of(j, lp->dst), (uint32_t)lp->block, lp->op};
done:
    return st;
}

static void sums_end_step(struct judge *j)
{
    for (size_t i = 0; i < j->sums->parcel_count; i++) {
        const struct parcel *p = &j->sums->parcels[i];
        struct cell *to = cell_of(j, p->rank, p->block);
        bool add = p->op == RWA_REDUCE;
        to->sum = add ? plus(to->sum, p->sum) : p->sum;
        to->count = add ? plus_count(to->count, p->count) : p->count;
        to->got = 0;
    }
    j->sums->parcel_count = 0;
}

/* ---- the end ---- */

/** The node with this weight, or -1. */
static int64_t node_of(const struct judge *j, uint64_t weight)
{
    struct named_weight key = {weight, 0};
    const struct named_weight *found = bsearch(&key, j->sums->weights, j->coll->nodes, sizeof key, by_weight);
    return found ? (int64_t)found->node : -1;
}

/** A sum that is wrong by one contribution too many and one too few: which two. */
static bool find_swap(const struct judge *j, uint64_t excess, uint32_t *twice, uint32_t *never)
{
    for (uint32_t i = 0; i < j->coll->nodes; i++) {
        int64_t node = node_of(j, plus(excess, j->sums->weights[i].weight));
        if (node >= 0) {
            *twice = (uint32_t)node;
            *never = j->sums->weights[i].node;
            return true;
        }
    }
    return false;
}

/** The right number of contributions, and not the right ones. */
static void accuse_swap(struct judge *j, uint32_t node, uint64_t block, uint64_t excess)
{
    uint32_t twice = 0, never = 0;
    if (find_swap(j, excess, &twice, &never))
        ACCUSE(j, RWA_VIOLATION_COMPLETENESS,
               "at the end node %u counts the contribution of node %u to block %llu twice and lacks that of node %u", node,
               twice, (unsigned long long)block, never);
    else
        ACCUSE(j, RWA_VIOLATION_COMPLETENESS,
               "at the end node %u counts some contributions to block %llu twice and lacks others", node,
               (unsigned long long)block);
}

static void accuse_lost(struct judge *j, uint32_t node, uint64_t block, uint64_t missing, uint32_t count)
{
    int64_t lost = node_of(j, missing);
    if (lost >= 0)
        ACCUSE(j, RWA_VIOLATION_COMPLETENESS, "at the end node %u lacks the contribution of node %u to block %llu", node,
               (uint32_t)lost, (unsigned long long)block);
    else
        ACCUSE(j, RWA_VIOLATION_COMPLETENESS, "at the end node %u lacks contributions to block %llu: it counts %u of %u",
               node, (unsigned long long)block, count, j->coll->nodes);
}

static void accuse_repeat(struct judge *j, uint32_t node, uint64_t block, uint64_t excess, uint32_t count)
{
    int64_t twice = node_of(j, excess);
    if (twice >= 0)
        ACCUSE(j, RWA_VIOLATION_COMPLETENESS, "at the end node %u counts the contribution of node %u to block %llu twice",
               node, (uint32_t)twice, (unsigned long long)block);
    else
        ACCUSE(j, RWA_VIOLATION_COMPLETENESS,
               "at the end node %u counts contributions to block %llu more than once: %u in place of %u", node,
               (unsigned long long)block, count, j->coll->nodes);
}

static void accuse_sum(struct judge *j, uint32_t node, uint64_t block, const struct cell *c)
{
    uint64_t excess = minus(c->sum, j->sums->total);
    if (j->verdict->named == RWA_VIOLATIONS_NAMED) /* counted only: no need to find out who */
        ACCUSE(j, RWA_VIOLATION_COMPLETENESS, "node %u", node);
    else if (c->count == j->coll->nodes)
        accuse_swap(j, node, block, excess);
    else if (c->count < j->coll->nodes)
        accuse_lost(j, node, block, minus(0, excess), c->count);
    else
        accuse_repeat(j, node, block, excess, c->count);
}

static rwa_status sums_judge_end(struct judge *j)
{
    bool everywhere = j->coll->kind == RWA_ALL_REDUCE;
    for (uint32_t rank = 0; rank < j->coll->nodes; rank++) {
        if (base_must_stop(&j->budget, "checking", -1))
            return base_fail(j->err, RWA_CANCELLED, "the check was stopped at the end of the schedule");
        for (uint64_t b = 0; b < j->coll->blocks; b++) {
            const struct cell *c = cell_of(j, rank, b);
            bool right = c->count == j->coll->nodes && c->sum == j->sums->total;
            if (!right && (everywhere || rwa_collective_owner(j->coll, b) == rank))
                accuse_sum(j, node_at(j, rank), b, c);
        }
    }
    return RWA_OK;
}

static void sums_close(struct judge *j)
{
    if (!j->sums)
        return;
    free(j->sums->cells);
    free(j->sums->parcels);
    free(j->sums->weights);
    free(j->sums);
}

const struct book book_of_sums = {sums_open, sums_carry, sums_end_step, sums_judge_end, sums_close};
