/* SPDX-License-Identifier: GPL-3.0-or-later */
/** First-fit and best-fit in one pass over the paths. */
#include "solvers/solver.h"

/**
 * First-fit on arcs.  A binary tree over the links divides an arc into a few segments of 1, 2, 4, … links.  For each
 * segment the tree keeps the colours that some link of it uses, so that an arc examines a few segments and not each of
 * its links.  It also keeps which words of 64 colours are all used on a segment: an arc passes 64 such words at once.
 */
enum { MOST_SEGMENTS = 128 };
enum { PADDING = 8 }; /* of a row: without it, the words of a node would compete for a few cache lines */

struct fit_tree {
    uint32_t leaves;        /* a power of 2, at least the links */
    uint32_t words;
    uint64_t *busy;         /* bit c % 64 of row(t, t->busy, c / 64)[v]: colour c is in use on a link below node v */
    uint64_t *full;         /* bit w % 64 of row(t, t->full, w / 64)[v]: word w of node v is all ones */
    uint32_t segment[MOST_SEGMENTS];   /* tree nodes of the segments that make up the current arc */
    uint32_t segments;
    uint32_t used;
};

static size_t row_length(const struct fit_tree *t)
{
    return 2 * (size_t)t->leaves + PADDING;
}

static uint64_t *row(const struct fit_tree *t, uint64_t *rows, uint32_t i)
{
    return rows + i * row_length(t);
}

static rwa_status add_tree_word(struct fit_tree *t, rwa_error *err)
{
    size_t nodes = row_length(t);
    MUST(base_reserve(t->busy, (t->words + 1) * nodes, err));
    MUST(base_reserve(t->full, (t->words / 64 + 1) * nodes, err));
    memset(row(t, t->busy, t->words), 0, nodes * sizeof *t->busy);
    if (t->words % 64 == 0)
        memset(row(t, t->full, t->words / 64), 0, nodes * sizeof *t->full);
    t->words++;
    return RWA_OK;
}

/* Append to t->segment the tree nodes that together cover exactly the links from … to, both included. */
static void add_stretches(struct fit_tree *t, uint32_t from, uint32_t to)
{
    assert(from <= to && to < t->leaves);
    for (uint32_t l = from + t->leaves, r = to + t->leaves; l <= r; l /= 2, r /= 2) {
        if (l % 2 == 1)
            t->segment[t->segments++] = l++;
        if (r % 2 == 0)
            t->segment[t->segments++] = r--;
    }
}

/* Return the bits that are set in of[v] for some tree node v in t->segment.  of: a row of t->busy or t->full. */
static uint64_t on_some_segment(const struct fit_tree *t, const uint64_t *of)
{
    uint64_t bits = 0;  /* the widest segments, which are the fullest, come last in t->segment */
    for (uint32_t i = t->segments; i-- > 0 && bits != UINT64_MAX;)
        bits |= of[t->segment[i]];
    return bits;
}

static uint32_t lowest_colour(const struct fit_tree *t)
{
    for (uint32_t group = 0; 64 * group < t->words; group++)
        for (uint64_t open = ~on_some_segment(t, row(t, t->full, group)); open; open &= open - 1) {
            uint32_t word = 64 * group + (uint32_t)__builtin_ctzll(open);
            uint64_t taken = word < t->words ? on_some_segment(t, row(t, t->busy, word)) : 0;
            if (taken != UINT64_MAX)
                return 64 * word + (uint32_t)__builtin_ctzll(~taken);
        }
    return 64 * t->words;
}

/* Mark the colour as used on links from … to, both included: at every tree node that covers any of them. */
static void take_stretches(struct fit_tree *t, uint32_t from, uint32_t to, uint32_t colour)
{
    assert(from <= to && to < t->leaves && colour / 64 < t->words);
    uint32_t word = colour / 64;
    uint64_t *busy = row(t, t->busy, word), *full = row(t, t->full, word / 64);
    for (uint32_t l = from + t->leaves, r = to + t->leaves; l > 0; l /= 2, r /= 2)
        for (uint32_t v = l; v <= r; v++) {
            busy[v] |= UINT64_C(1) << colour % 64;
            if (busy[v] == UINT64_MAX)
                full[v] |= UINT64_C(1) << word % 64;
        }
}

static rwa_status place_arc(struct fit_tree *t, const rwa_problem *p, size_t path, uint32_t *colour, rwa_error *err)
{
    uint32_t start = p->start[path], end = p->end[path]; /* it covers start … end - 1, or passes link 0 */
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
    RAISE(t->used, c + 1);
    *colour = c;
    return RWA_OK;
}

/* Sort the paths in `order` by length, longest first.  The sort is stable.  key: workspace, an entry for each path. */
static rwa_status sort_by_length(uint32_t *order, uint32_t *key, const rwa_problem *p, rwa_error *err)
{
    for (size_t i = 0; i < p->paths; i++)
        key[i] = p->links - path_length(p, i);
    return sort_by(order, p->paths, key, p->links, err);
}

/* List the paths in the order `how`: as given; by first link, then longest first; or longest first, then by first link.
 * Other ties go by number.  In the order by first link, links are counted from the one behind an idle link, if there is
 * one. */
static rwa_status sort_paths(uint32_t *order, const struct solve *run, rwa_order how)
{
    const rwa_problem *p = run->problem;
    rwa_error *err = run->err;
    /* behind an idle link the arcs are intervals, for which first-fit from left to right needs no more colours than the
     * load */
    uint32_t origin = how == RWA_ORDER_START && run->idle_link < p->links ? run->idle_link + 1 : 0;
    assert(how == RWA_ORDER_GIVEN || how == RWA_ORDER_START || how == RWA_ORDER_LONGEST);
    rwa_status st = RWA_OK;
    uint32_t *key = NULL;
    for (size_t i = 0; i < p->paths; i++)
        order[i] = (uint32_t)i;
    if (how == RWA_ORDER_GIVEN)
        return st;
    MUST(base_new(key, p->paths, err));
    if (how == RWA_ORDER_START)
        TRY(sort_by_length(order, key, p, err));
    for (size_t i = 0; i < p->paths; i++)
        key[i] = (uint32_t)(((uint64_t)path_link(p, i, 0) + p->links - origin) % p->links);
    TRY(sort_by(order, p->paths, key, p->links, err));
    if (how == RWA_ORDER_LONGEST)
        TRY(sort_by_length(order, key, p, err));
done:
    free(key);
    return st;
}

/* Whether to stop the pass called `name`, in which `done` paths have colours: when the user cancels or, if an older
 * colouring exists, when the time is over.  A late answer is better than none. */
static bool is_over(struct solve *run, const char *name, size_t done)
{
    return done % 1024 == 0 && base_must_stop(&run->budget, name, (double)done / (double)run->problem->paths) &&
           (run->have || run->budget.cancelled);
}

static rwa_status place_arcs(struct solve *run, const uint32_t *order, bool reversed)
{
    const rwa_problem *p = run->problem;
    rwa_status st = RWA_OK;
    struct fit_tree t = {.leaves = 1};
    uint32_t *colour = NULL;
    while (t.leaves < p->links)
        t.leaves *= 2;
    TRY(base_new(colour, p->paths, run->err));
    for (size_t i = 0; i < p->paths; i++) {
        if (is_over(run, "first-fit", i)) {
            st = run->have ? RWA_OK : base_fail(run->err, RWA_CANCELLED, "first-fit: cancelled");
            goto done;
        }
        size_t path = order[reversed ? p->paths - 1 - i : i];
        TRY(place_arc(&t, p, path, &colour[path], run->err));
    }
    solve_keep(run, colour, t.used, "first-fit");
done:
    free_all(t.busy, t.full, colour);
    return st;
}

/* Colour all paths in one greedy pass in the order `how`: best-fit if most_used, else first-fit.  reversed: in the
 * opposite order, for first-fit on arcs only. */
static rwa_status greedy_pass(struct solve *run, rwa_order how, bool reversed, bool most_used)
{
    rwa_status st = RWA_OK;
    uint32_t *order = NULL;
    TRY(base_new(order, run->problem->paths, run->err));
    TRY(sort_paths(order, run, how));
    st = run->problem->start && !most_used ? place_arcs(run, order, reversed) : fit_lists(run, order, most_used);
done:
    free(order);
    return st;
}

rwa_status greedy_run(struct solve *run, rwa_order how, bool most_used)
{
    return greedy_pass(run, how, false, most_used);
}

rwa_status greedy_all(struct solve *run)
{
    static const rwa_order orders[] = {RWA_ORDER_LONGEST, RWA_ORDER_START, RWA_ORDER_GIVEN};
    rwa_status st = RWA_OK;
    for (size_t i = 0; i < 6 && !solve_done(run) && st == RWA_OK; i++)
        st = greedy_run(run, orders[i / 2], i % 2 == 1);
    return st;
}

static rwa_status shortest_first(struct solve *run)
{
    return greedy_pass(run, RWA_ORDER_LONGEST, true, false);
}

static rwa_status first_fit(struct solve *run)
{
    return greedy_run(run, run->opts->order, false);
}

static rwa_status best_fit(struct solve *run)
{
    return greedy_run(run, run->opts->order, true);
}

const struct solver solver_first_fit = {"first-fit", first_fit};
const struct solver solver_best_fit = {"best-fit", best_fit};
const struct solver solver_shortest = {"first-fit, shortest first", shortest_first};
