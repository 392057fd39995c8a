/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * First-fit on arcs in any order.  A tree over the links keeps for each segment of 1, 2, 4, … links the colours in use
 * somewhere on it, so that an arc examines a few segments, not each of its links; and for each segment the colours below which
 * none is free on all of it, so that an arc skips those.
 */
#include "solvers/solver.h"

enum { MOST_SEGMENTS = 128 };

struct tree {
    uint32_t leaves;        /* a power of 2, at least the links */
    uint32_t words;
    uint64_t *busy;         /* bit c % 64 of busy[(c / 64) * 2 * leaves + v]: colour c is in use on a link below node v */
    size_t capacity;
    uint32_t *first;        /* of each node: words before this one are full */
    uint32_t segment[MOST_SEGMENTS];   /* that make up the arc at hand */
    uint32_t segments;
    uint32_t used;
};

static uint64_t *word_of(struct tree *t, uint32_t word)
{
    return t->busy + (size_t)word * 2 * t->leaves;
}

static rwa_status add_tree_word(struct tree *t, rwa_error *err)
{
    size_t nodes = 2 * (size_t)t->leaves;
    MUST(base_grow((void **)&t->busy, &t->capacity, (t->words + 1) * nodes, sizeof *t->busy, err));
    t->words++;
    for (size_t v = 0; v < nodes; v++)
        word_of(t, t->words - 1)[v] = 0;
    return RWA_OK;
}

/* Links from … to, inclusive, as segments. */
static void add_stretches(struct tree *t, uint32_t from, uint32_t to)
{
    assert(from <= to && to < t->leaves);
    for (uint32_t l = from + t->leaves, r = to + t->leaves; l <= r; l /= 2, r /= 2) {
        if (l % 2 == 1)
            t->segment[t->segments++] = l++;
        if (r % 2 == 0)
            t->segment[t->segments++] = r--;
    }
}

static uint32_t lowest_colour(struct tree *t)
{
    uint32_t word = 0;
    for (uint32_t i = 0; i < t->segments; i++)
        word = t->first[t->segment[i]] > word ? t->first[t->segment[i]] : word;
    for (; word < t->words; word++) {
        const uint64_t *busy = word_of(t, word);
        uint64_t taken = 0;
        for (uint32_t i = t->segments; i-- > 0 && taken != UINT64_MAX;) /* the widest ones, which are fullest, come last */
            taken |= busy[t->segment[i]];
        if (taken != UINT64_MAX)
            return 64 * word + (uint32_t)__builtin_ctzll(~taken);
    }
    return 64 * t->words;
}

static void pass_full_words(struct tree *t, uint32_t node)
{
    while (t->first[node] < t->words && word_of(t, t->first[node])[node] == UINT64_MAX)
        t->first[node]++;
}

/* All segments with a link of from … to. */
static void take_stretches(struct tree *t, uint32_t from, uint32_t to, uint32_t colour)
{
    assert(from <= to && to < t->leaves && colour / 64 < t->words);
    uint64_t *busy = word_of(t, colour / 64), bit = UINT64_C(1) << colour % 64;
    for (uint32_t l = from + t->leaves, r = to + t->leaves; l > 0; l /= 2, r /= 2)
        for (uint32_t v = l; v <= r; v++) {
            busy[v] |= bit;
            if (busy[v] == UINT64_MAX)
                pass_full_words(t, v);
        }
}

static rwa_status place_arc(struct tree *t, const rwa_problem *p, size_t path, uint32_t *colour, rwa_error *err)
{
    uint32_t start = p->start[path], end = p->end[path]; /* it covers start … end - 1, or round past link 0 */
    bool wraps = end < start;
    t->segments = 0;
    add_stretches(t, start, wraps ? p->links - 1 : end - 1);
    if (wraps && end > 0)
        add_stretches(t, 0, end - 1);
    uint32_t c = lowest_colour(t);
    if (c / 64 == t->words)
        MUST(add_tree_word(t, err));
    take_stretches(t, start, wraps ? p->links - 1 : end - 1, c);
    if (wraps && end > 0)
        take_stretches(t, 0, end - 1, c);
    t->used = c >= t->used ? c + 1 : t->used;
    *colour = c;
    return RWA_OK;
}

rwa_status arc_fit_run(struct solve *run, const uint32_t *order, uint32_t *colour, uint32_t *used)
{
    const rwa_problem *p = run->problem;
    rwa_status st = RWA_OK;
    struct tree t = {.leaves = 1};
    while (t.leaves < p->links)
        t.leaves *= 2;
    MUST(base_new(t.first, 2 * (size_t)t.leaves, run->err));
    *used = 0;
    for (size_t i = 0; i < p->paths; i++) {
        /* the clock does not stop the first pass: a late answer is better than none */
        if (i % 1024 == 0 && base_must_stop(&run->budget, "first-fit", (double)i / (double)p->paths) &&
            (run->have || run->budget.cancelled)) {
            st = run->have ? RWA_OK : base_fail(run->err, RWA_CANCELLED, "first-fit: cancelled");
            goto done;
        }
        TRY(place_arc(&t, p, order[i], &colour[order[i]], run->err));
    }
    *used = t.used;
done:
    free_all(t.busy, t.first);
    return st;
}
