/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Reductions of full orbits: the contributions that node 0 counts.
 *
 * For each block, node 0 holds a set of contributions, each node's at most once.  Every other node holds the same
 * set S of contributors, counted from itself.  A lightpath from src to dst moves its set, translated by src - dst:
 * rows are moved to rows, and rotated.  If a contributor would be counted twice, or a copy meets something else,
 * the checker begins again with sums.c, which counts all contributions at all nodes.
 */
#include "check/symmetry.h"

/* Most memory for the sets of all blocks, in bytes. */
enum { SETS_MOST = 1 << 28 };

/** The contributions to a block that arrive at node 0 in a step.  Arrival number n has set number n in `coming`. */
struct first_arrival {
    uint64_t block;
    uint32_t got;               /* GOT_COPY or GOT_REDUCE */
};

struct first_sums {
    size_t words;               /* words of a set */
    uint32_t row, rows;         /* nodes of a row (along the last dimension), number of rows; each row begins with a
                                   new word */
    size_t row_words;
    uint32_t by, *from_row;     /* the last translation; for each row the one that it moves there */
    uint64_t *held;             /* sets by block, at the start of the step: bit o of a row stands for its node o */
    uint32_t *arrival_of;       /* by block: the number of its arrival from 1 on; 0: none */
    struct first_arrival *arrivals;
    uint64_t *coming;           /* the set of each arrival */
    size_t arrival_count, arrival_capacity, coming_capacity;
    uint64_t gains; /* contributions that arrived at all nodes, at most as many as all blocks at all nodes can have */
};

/** A block that a record moves between two nodes. */
struct sum_move {
    uint32_t src, dst, got;
    uint64_t block;
};

static uint64_t *held_of(const struct checker *chk, uint64_t block)
{
    return chk->symmetry->sums->held + block * chk->symmetry->sums->words;
}

static uint64_t *coming_of(const struct checker *chk, uint32_t arrival)
{
    assert(arrival >= 1 && arrival <= chk->symmetry->sums->arrival_count);
    return chk->symmetry->sums->coming + (arrival - 1) * chk->symmetry->sums->words;
}

bool first_sums_fit(const struct checker *chk)
{
    uint32_t row = chk->group.size[chk->group.count - 1];
    double bytes = (double)chk->coll->blocks * (2.0 * (double)(chk->nodes / row) * ((double)row + 63) / 8 + 4);
    return bytes <= SETS_MOST && limits_fit(&chk->limits, bytes, "", NULL) == RWA_OK;
}

static rwa_status open_sets(struct checker *chk)
{
    struct symmetry *t = chk->symmetry;
    uint64_t blocks = chk->coll->blocks;
    if (!arena_new(&t->memory, t->sums, 1))
        return RWA_NOMEM;
    t->sums->row = chk->group.size[chk->group.count - 1];
    t->sums->rows = chk->nodes / t->sums->row;
    t->sums->row_words = ((size_t)t->sums->row + 63) / 64;
    t->sums->words = t->sums->rows * t->sums->row_words;
    arena_new(&t->memory, t->sums->from_row, t->sums->rows);
    arena_new(&t->memory, t->sums->held, (size_t)blocks * t->sums->words);
    MUST(arena_arrays(&t->memory, (size_t)blocks, t->sums->arrival_of));
    for (uint64_t b = 0; b < blocks; b++)
        set_bit(held_of(chk, b), 0);
    for (uint32_t r = 0; r < t->sums->rows; r++)
        t->sums->from_row[r] = r;
    return RWA_OK;
}

/* ---- a record ---- */

/** Return 64 bits of a row of nodes, from node `at` on, continuing at its first node after the last one.  In a row of
 *  fewer than 64 nodes the bits past its nodes are arbitrary. */
static uint64_t bits_from(const uint64_t *set, uint32_t at, uint32_t nodes)
{
    uint32_t here = nodes - at;
    uint64_t bits = set[at / 64] >> at % 64;
    if (at % 64 > 0 && here > 64 - at % 64)
        bits |= set[at / 64 + 1] << (64 - at % 64);
    return here < 64 ? bits | set[0] << here : bits;
}

/** Return word k of a set of nodes after the translation that set_move() set. */
static uint64_t moved_word(const struct first_sums *t, const uint64_t *set, size_t k)
{
    size_t row = t->rows > 1 ? k / t->row_words : 0;
    uint32_t by = t->rows > 1 ? t->by % t->row : t->by, first = (uint32_t)(k - row * t->row_words) * 64,
             rest = t->row - first;
    uint64_t bits =
        bits_from(set + t->from_row[row] * t->row_words, first >= by ? first - by : first + t->row - by, t->row);
    return rest < 64 ? bits & (((uint64_t)1 << rest) - 1) : bits;
}

/** Set the translation of the next moves: by the difference between sender and receiver. */
static void set_move(const struct checker *chk, const struct sum_move *m)
{
    struct first_sums *t = chk->symmetry->sums;
    uint32_t by = node_minus(&chk->group, m->src, m->dst);
    for (uint32_t r = 0; r < t->rows && by / t->row != t->by / t->row; r++)
        t->from_row[r] = node_minus(&chk->group, r * t->row, by) / t->row;
    t->by = by;
}

static rwa_status find_first_arrival(uint32_t *out, struct checker *chk, uint64_t block)
{
    struct first_sums *t = chk->symmetry->sums;
    if (t->arrival_of[block] == 0) {
        size_t count = t->arrival_count + 1;
        MUST(base_reserve(t->arrivals, count, t->arrival_capacity, chk->err));
        MUST(base_reserve(t->coming, count * t->words, t->coming_capacity, chk->err));
        memset(t->coming + t->arrival_count * t->words, 0, t->words * sizeof *t->coming);
        t->arrivals[t->arrival_count] = (struct first_arrival){.block = block};
        t->arrival_of[block] = (uint32_t)count;
        t->arrival_count = count;
    }
    *out = t->arrival_of[block];
    return RWA_OK;
}

/** Add the contributions that a move carries, translated to its receiver, to those that arrive there.  Return false if
 *  a contribution is counted twice, or if a copy does not arrive alone. */
static bool add_set(struct checker *chk, const struct sum_move *m, uint32_t number)
{
    struct first_sums *t = chk->symmetry->sums;
    struct first_arrival *arrival = &t->arrivals[number - 1];
    const uint64_t *from = held_of(chk, seen_from_first(chk, m->src, m->block)), *held = held_of(chk, arrival->block);
    uint64_t *coming = coming_of(chk, number), met = 0;
    if (arrival->got != 0 && (arrival->got | m->got) != GOT_REDUCE)
        return false;
    arrival->got = m->got;
    set_move(chk, m);
    for (size_t k = 0; k < t->words; k++) {
        uint64_t moved = moved_word(t, from, k);
        met |= m->got == GOT_REDUCE ? moved & (held[k] | coming[k]) : 0;
        coming[k] |= moved;
    }
    return met == 0;
}

static void gain_everywhere(struct checker *chk)
{
    struct first_sums *t = chk->symmetry->sums;
    bool gains = t->gains < (uint64_t)chk->nodes * chk->nodes * chk->coll->blocks;
    t->gains += gains ? chk->nodes : 0;
    chk->gained += gains ? chk->nodes : 0;
}

static rwa_status transfer_set(struct checker *chk, const rwa_lightpath *lp, const rwa_run *run)
{
    struct sum_move m = {.src = lp->src, .dst = lp->dst, .got = lp->op == RWA_REDUCE ? GOT_REDUCE : GOT_COPY};
    for (uint32_t k = 0, arrival = 0; k < run->count && !chk->asymmetric; k++) {
        m.block = run->first + (uint64_t)k * run->stride;
        MUST(spend(chk, chk->symmetry->sums->words));
        MUST(find_first_arrival(&arrival, chk, seen_from_first(chk, m.dst, m.block)));
        chk->asymmetric = !add_set(chk, &m, arrival);
        gain_everywhere(chk);
    }
    return RWA_OK;
}

/* ---- between records ---- */

static void settle_set(struct checker *chk, uint32_t arrival)
{
    const struct first_arrival *a = &chk->symmetry->sums->arrivals[arrival - 1];
    uint64_t *held = held_of(chk, a->block);
    const uint64_t *coming = coming_of(chk, arrival);
    for (size_t k = 0; k < chk->symmetry->sums->words; k++)
        held[k] = a->got == GOT_COPY ? coming[k] : held[k] | coming[k];
}

static rwa_status settle_sets(struct checker *chk)
{
    struct first_sums *t = chk->symmetry->sums;
    for (uint32_t i = 1; i <= t->arrival_count; i++) {
        settle_set(chk, i);
        t->arrival_of[t->arrivals[i - 1].block] = 0;
    }
    t->arrival_count = 0;
    return RWA_OK;
}

/** Check that node 0's own blocks (in an all-reduce: all) have the contributions of all nodes; else set
 *  chk->asymmetric. */
static rwa_status check_counted(struct checker *chk)
{
    uint64_t wanted = chk->coll->kind == RWA_ALL_REDUCE ? chk->coll->blocks : chk->symmetry->share;
    for (uint64_t b = 0; b < wanted && !chk->asymmetric; b++)
        chk->asymmetric = bit_run_count(held_of(chk, b), 0, chk->symmetry->sums->words * 64) < chk->nodes;
    return RWA_OK;
}

static void close_sets(struct checker *chk)
{
    struct first_sums *t = chk->symmetry ? chk->symmetry->sums : NULL;
    if (t)
        free_all(t->arrivals, t->coming);
}

const struct holdings holdings_of_first_sums = {open_sets, NULL, transfer_set, settle_sets, check_counted, close_sets};
