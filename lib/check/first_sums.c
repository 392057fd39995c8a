/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Reductions of full orbits: which contributions node 0 counts.
 *
 * Node 0 holds a set of contributions to a block, each node's once.  A node that holds the set S of contributors, counted from
 * itself, stands for every node.  A lightpath from src moves its set to dst moved by src - dst: rows to rows, each of them rotated.
 * A set that would count a contributor twice, or a copy that meets something else, is left to sums.c, which counts all contributions
 * of all nodes.
 */
#include "check/symmetry.h"

/* The sets of all blocks take no more memory than this. */
enum { SETS_MOST = 1 << 28 };

/** The contributions to a block that arrive at node 0 in a step: the set of this number among `coming`. */
struct first_arrival {
    uint64_t block;
    uint32_t got;               /* GOT_COPY or GOT_REDUCE; 0: a record that came to nothing */
};

struct first_sums {
    size_t words;               /* of a set */
    uint32_t row, rows;         /* nodes of a row, along the last dimension; each row begins with a word of its own */
    size_t row_words;
    uint32_t by, *from_row;     /* the last move, and of each row the one that it moves there */
    uint64_t *held;             /* sets by block, at the start of the step: bit o of a row stands for its node o */
    uint32_t *arrival_of;       /* by block: the number of its arrival from 1 on; 0: none */
    struct first_arrival *arrivals;
    uint64_t *coming;           /* the set of each arrival */
    size_t arrival_count, arrival_capacity, coming_capacity;
    uint64_t gains;             /* contributions that arrived, of all nodes, as far as all blocks of all nodes have so many */
};

/** A pair of nodes and a block that a record moves between them. */
struct move {
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

static bool sets_fit(const struct checker *chk)
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
    arena_new(&t->memory, t->sums->arrival_of, (size_t)blocks);
    MUST(arena_status(&t->memory));
    for (uint64_t b = 0; b < blocks; b++)
        set_bit(held_of(chk, b), 0);
    for (uint32_t r = 0; r < t->sums->rows; r++)
        t->sums->from_row[r] = r;
    return RWA_OK;
}

/* ---- a record ---- */

/** 64 nodes of a row from node `at` on, round its cycle; bits past the nodes may be anything in a row of fewer than 64. */
static uint64_t bits_from(const uint64_t *set, uint32_t at, uint32_t nodes)
{
    uint32_t here = nodes - at;
    uint64_t bits = set[at / 64] >> at % 64;
    if (at % 64 > 0 && here > 64 - at % 64)
        bits |= set[at / 64 + 1] << (64 - at % 64);
    return here < 64 ? bits | set[0] << here : bits;
}

/** Word k of a set after the move. */
static uint64_t moved_word(const struct first_sums *t, const uint64_t *set, size_t k)
{
    size_t row = t->rows > 1 ? k / t->row_words : 0;
    uint32_t by = t->rows > 1 ? t->by % t->row : t->by, first = (uint32_t)(k - row * t->row_words) * 64, rest = t->row - first;
    uint64_t bits = bits_from(set + t->from_row[row] * t->row_words, first >= by ? first - by : first + t->row - by, t->row);
    return rest < 64 ? bits & (((uint64_t)1 << rest) - 1) : bits;
}

/** The translation of the next moves, from dst to src. */
static void set_move(const struct checker *chk, const struct move *m)
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
        MUST(base_grow((void **)&t->arrivals, &t->arrival_capacity, count, sizeof *t->arrivals, chk->err));
        MUST(base_grow((void **)&t->coming, &t->coming_capacity, count * t->words, sizeof *t->coming, chk->err));
        memset(t->coming + t->arrival_count * t->words, 0, t->words * sizeof *t->coming);
        t->arrivals[t->arrival_count] = (struct first_arrival){.block = block};
        t->arrival_of[block] = (uint32_t)count;
        t->arrival_count = count;
    }
    *out = t->arrival_of[block];
    return RWA_OK;
}

/** The set that a move carries, as seen by its receiver: add it to what comes, or take it away from there. */
static void toggle(struct checker *chk, const struct move *m, uint32_t arrival)
{
    const uint64_t *from = held_of(chk, seen_from_first(chk, m->src, m->block));
    uint64_t *coming = coming_of(chk, arrival);
    set_move(chk, m);
    for (size_t k = 0; k < chk->symmetry->sums->words; k++)
        coming[k] ^= moved_word(chk->symmetry->sums, from, k);
}

/** No contribution is counted twice, and a copy comes alone. */
static bool may_add(const struct checker *chk, const struct move *m, uint32_t arrival)
{
    uint64_t seen = seen_from_first(chk, m->dst, m->block), met = 0;
    const uint64_t *from = held_of(chk, seen_from_first(chk, m->src, m->block)), *held = held_of(chk, seen);
    uint64_t *coming = coming_of(chk, arrival);
    uint32_t got = chk->symmetry->sums->arrivals[arrival - 1].got;
    if (got != 0 && (got | m->got) != GOT_REDUCE)
        return false;
    set_move(chk, m);
    for (size_t k = 0; k < chk->symmetry->sums->words && m->got == GOT_REDUCE; k++)
        met |= moved_word(chk->symmetry->sums, from, k) & (held[k] | coming[k]);
    return met == 0;
}

static void gain_everywhere(struct checker *chk)
{
    struct first_sums *t = chk->symmetry->sums;
    bool gains = t->gains < (uint64_t)chk->nodes * chk->nodes * chk->coll->blocks;
    t->gains += gains ? chk->nodes : 0;
    chk->gained += gains ? chk->nodes : 0;
}

static rwa_status add_move(bool *added, struct checker *chk, const struct move *m)
{
    struct first_sums *t = chk->symmetry->sums;
    uint32_t arrival = 0;
    MUST(spend(chk, t->words));
    MUST(find_first_arrival(&arrival, chk, seen_from_first(chk, m->dst, m->block)));
    *added = may_add(chk, m, arrival);
    if (!*added)
        return RWA_OK;
    toggle(chk, m, arrival);
    t->arrivals[arrival - 1].got = m->got;
    gain_everywhere(chk);
    return RWA_OK;
}

/** Take back a move of this record; only then may a set come to nothing. */
static void withdraw(struct checker *chk, const struct move *m)
{
    struct first_sums *t = chk->symmetry->sums;
    uint32_t arrival = t->arrival_of[seen_from_first(chk, m->dst, m->block)];
    toggle(chk, m, arrival);
    if (bit_run_count(coming_of(chk, arrival), 0, t->words * 64) == 0)
        t->arrivals[arrival - 1].got = 0;
}

/** The moves of a record one after the other: i counts them from 0 on; false after the last. */
static bool next_move(struct move *m, struct blocks_of *b, const rwa_lightpath *lp, const rwa_lists *lists, uint64_t i)
{
    uint64_t receiver = i % (lists->tap_count + UINT64_C(1));
    m->src = lp->src;
    m->dst = receiver < lists->tap_count ? lists->taps[receiver] : lp->dst;
    m->got = lp->op == RWA_REDUCE ? GOT_REDUCE : GOT_COPY;
    return receiver > 0 || next_block(b, &m->block);
}

static rwa_status take_sets(bool *taken, struct checker *chk, const rwa_lightpath *lp, const rwa_lists *lists)
{
    struct blocks_of b = blocks_of(lp, lists);
    struct move m = {0};
    uint64_t added = 0;
    for (*taken = true; next_move(&m, &b, lp, lists, added); added++) {
        MUST(add_move(taken, chk, &m));
        if (!*taken)
            break;
    }
    b = blocks_of(lp, lists);
    for (uint64_t i = 0; i < added && !*taken && next_move(&m, &b, lp, lists, i); i++)
        withdraw(chk, &m);
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

static void settle_sets(struct checker *chk)
{
    struct first_sums *t = chk->symmetry->sums;
    for (uint32_t i = 1; i <= t->arrival_count; i++) {
        settle_set(chk, i);
        t->arrival_of[t->arrivals[i - 1].block] = 0;
    }
    t->arrival_count = 0;
}

/** Node 0 counts all nodes in its own blocks, or in all of them. */
static bool all_counted(const struct checker *chk)
{
    uint64_t wanted = chk->coll->kind == RWA_ALL_REDUCE ? chk->coll->blocks : chk->symmetry->share;
    for (uint64_t b = 0; b < wanted; b++)
        if (bit_run_count(held_of(chk, b), 0, chk->symmetry->sums->words * 64) < chk->nodes)
            return false;
    return true;
}

/* ---- expansion ---- */

/** Neighbouring nodes of a row: first … end - 1. */
struct run {
    uint32_t row, first, end;
};

struct expansion {
    uint64_t *before;       /* of each row: before[i] are the weights of its nodes 0 … i - 1, modulo its length, so that a run needs
                             * one difference */
    struct run *runs;       /* of the set at hand */
};

static uint64_t *weights_of_row(const struct checker *chk, uint64_t *before, uint32_t row)
{
    return before + row * (2 * (size_t)chk->symmetry->sums->row + 1);
}

static void add_weights(const struct checker *chk, uint64_t *before)
{
    const struct first_sums *t = chk->symmetry->sums;
    for (uint32_t r = 0; r < t->rows; r++) {
        uint64_t *row = weights_of_row(chk, before, r);
        for (uint32_t i = 0; i < 2 * t->row; i++)
            row[i + 1] = plus(row[i], sums_weight(chk, r * t->row + i % t->row));
    }
}

/** The runs of a set. @return how many */
static uint32_t list_runs(struct run *runs, const struct first_sums *t, const uint64_t *set)
{
    uint32_t count = 0, nodes = t->row;
    for (uint32_t r = 0; r < t->rows; r++, set += t->row_words)
        for (uint32_t at = (uint32_t)bit_run_first(set, 0, nodes); at < nodes; at += (uint32_t)bit_run_first(set, at, nodes - at)) {
            uint32_t first = at;
            while (at < nodes && get_bit(set, at))
                at++;
            runs[count++] = (struct run){r, first, at};
        }
    return count;
}

/** The sum of a set as node v holds it. */
static struct partial sum_at(const struct checker *chk, const struct expansion *e, uint32_t count, uint32_t v)
{
    struct partial sum = {0, 0};
    uint32_t length = chk->symmetry->sums->row, on = v % length;
    for (const struct run *run = e->runs; run < e->runs + count; run++) {
        const uint64_t *row = weights_of_row(chk, e->before, node_plus(&chk->group, run->row * length, v) / length);
        sum.sum = plus(sum.sum, minus(row[on + run->end], row[on + run->first]));
        sum.count += run->end - run->first;
    }
    return sum;
}

/** Give every node what the set says of it, at the start of the step or, by `got`, in its course. */
static rwa_status expand_set(struct checker *chk, const struct expansion *e, uint64_t block, const uint64_t *set, uint32_t got)
{
    uint32_t count = list_runs(e->runs, chk->symmetry->sums, set);
    for (uint32_t v = 0; v < chk->nodes; v++) {
        struct partial sum = sum_at(chk, e, count, v);
        uint64_t at = moved_on(chk, v, block);
        MUST(spend(chk, count));
        MUST(got ? sums_arrive(chk, v, at, sum, got) : sums_hold(chk, v, at, sum));
    }
    return RWA_OK;
}

static bool is_own_alone(const struct checker *chk, const uint64_t *set)
{
    return get_bit(set, 0) && bit_run_count(set, 0, chk->symmetry->sums->words * 64) == 1;
}

static rwa_status expand_all(struct checker *chk, const struct expansion *e)
{
    const struct first_sums *t = chk->symmetry->sums;
    for (uint64_t b = 0; b < chk->coll->blocks; b++)
        if (!is_own_alone(chk, held_of(chk, b)))
            MUST(expand_set(chk, e, b, held_of(chk, b), 0));
    for (uint32_t i = 1; i <= t->arrival_count; i++)
        if (t->arrivals[i - 1].got)
            MUST(expand_set(chk, e, t->arrivals[i - 1].block, coming_of(chk, i), t->arrivals[i - 1].got));
    return RWA_OK;
}

static rwa_status expand_sets(struct checker *chk)
{
    struct expansion e;
    struct arena memory = {.err = chk->err};
    arena_new(&memory, e.before, 2 * (size_t)chk->nodes + chk->symmetry->sums->rows);
    arena_new(&memory, e.runs, (size_t)chk->nodes / 2 + chk->symmetry->sums->rows);
    rwa_status st = arena_status(&memory);
    if (st == RWA_OK) {
        add_weights(chk, e.before);
        st = expand_all(chk, &e);
    }
    arena_free(&memory);
    return st;
}

static void close_sets(struct checker *chk)
{
    struct first_sums *t = chk->symmetry->sums;
    if (!t)
        return;
    free_all(t->arrivals, t->coming);
}

const struct first_holdings first_holdings_of_sums = {sets_fit, open_sets, take_sets, settle_sets, all_counted, expand_sets, close_sets};
