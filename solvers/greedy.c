/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The greedy pass that first-fit and best-fit share. */
#include "solvers/solver.h"

struct greedy {
    const rwa_problem *problem;
    uint64_t *busy;     /* busy[w * links + l]: wavelengths 64 w … 64 w + 63 in use on link l; word-major, so that more
                           wavelengths are appended and an arc reads memory in a row */
    size_t capacity;        /* entries in busy */
    uint32_t words;
    uint32_t used;      /* wavelengths in use */
    uint64_t *links_of; /* occupied links of each wavelength, 64 per word */
    size_t links_capacity;
};

/* Stable, so that ties keep the order so far. */
static rwa_status sort_by_length(uint32_t *order, uint32_t *key, const rwa_problem *p, rwa_error *err)
{
    for (size_t i = 0; i < p->paths; i++)
        key[i] = p->links - path_length(p, i);
    return sort_by(order, p->paths, key, p->links, err);
}

/* The sorts run from the least significant key to the most; they are stable, so the index breaks the last ties. */
static rwa_status sort_paths(uint32_t *order, const rwa_problem *p, rwa_order how, rwa_error *err)
{
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
        key[i] = path_link(p, i, 0);
    TRY(sort_by(order, p->paths, key, p->links, err));
    if (how == RWA_ORDER_LONGEST)
        TRY(sort_by_length(order, key, p, err));
done:
    free(key);
    return st;
}

/* Wavelengths of one word that are free on the whole path. */
static uint64_t free_in_word(const struct greedy *g, size_t path, uint32_t length, uint32_t word)
{
    const uint64_t *busy = g->busy + (size_t)word * g->problem->links;
    uint64_t taken = 0;
    for (uint32_t k = 0; k < length && taken != UINT64_MAX; k++)
        taken |= busy[path_link(g->problem, path, k)];
    return ~taken;
}

/* The wavelength for a path; == used when it needs a new one. */
static uint32_t choose(const struct greedy *g, size_t path, uint32_t length, bool most_used)
{
    uint32_t best = g->used;
    for (uint32_t w = 0; w < g->words; w++) {
        uint64_t open = free_in_word(g, path, length, w);
        for (; open; open &= open - 1) {
            uint32_t c = 64 * w + (uint32_t)__builtin_ctzll(open);
            if (c >= g->used)
                return best;
            if (!most_used)
                return c;
            if (best == g->used || g->links_of[c] > g->links_of[best])
                best = c;
        }
    }
    return best;
}

static rwa_status add_word(struct greedy *g, rwa_error *err)
{
    size_t links = g->problem->links;
    size_t have = g->words * links;
    MUST(base_grow((void **)&g->busy, &g->capacity, have + links, sizeof *g->busy, err));
    MUST(base_grow((void **)&g->links_of, &g->links_capacity, 64 * ((size_t)g->words + 1), sizeof *g->links_of, err));
    for (size_t i = have; i < have + links; i++)
        g->busy[i] = 0;
    for (size_t i = 64 * (size_t)g->words; i < 64 * ((size_t)g->words + 1); i++)
        g->links_of[i] = 0;
    g->words++;
    return RWA_OK;
}

static rwa_status place_path(struct greedy *g, size_t path, uint32_t *colour, bool most_used, rwa_error *err)
{
    uint32_t length = path_length(g->problem, path);
    uint32_t c = choose(g, path, length, most_used);
    if (c / 64 == g->words)
        MUST(add_word(g, err));
    assert(g->busy && g->links_of);
    for (uint32_t k = 0; k < length; k++)
        g->busy[(size_t)(c / 64) * g->problem->links + path_link(g->problem, path, k)] |= UINT64_C(1) << (c % 64);
    g->links_of[c] += length;
    if (c == g->used)
        g->used++;
    *colour = c;
    return RWA_OK;
}

rwa_status greedy_run(struct solve *run, rwa_order how, bool most_used)
{
    const rwa_problem *p = run->problem;
    const char *name = most_used ? "best-fit" : "first-fit";
    rwa_status st = RWA_NOMEM;
    struct greedy g = {.problem = p};
    uint32_t *order = base_array(p->paths, sizeof *order, run->err);
    uint32_t *colour = base_array(p->paths, sizeof *colour, run->err);
    if (!order || !colour)
        goto done;
    TRY(sort_paths(order, p, how, run->err));
    if (p->start && !most_used) {
        bool by_rounds = how == RWA_ORDER_LONGEST && wavelength_fit_applies(p);
        TRY(by_rounds ? wavelength_fit_run(run, order, colour, &g.used) : arc_fit_run(run, order, colour, &g.used));
        if (g.used > 0 || p->paths == 0)
            solve_keep(run, colour, g.used, name);
        goto done;
    }
    for (size_t i = 0; i < p->paths; i++) {
        /* The clock does not stop the first pass: a late answer is better than none. */
        if (i % 1024 == 0 && base_must_stop(&run->budget, name, (double)i / (double)p->paths) && (run->have || run->budget.cancelled)) {
            st = run->have ? RWA_OK : base_fail(run->err, RWA_CANCELLED, "%s: cancelled", name);
            goto done;
        }
        TRY(place_path(&g, order[i], &colour[order[i]], most_used, run->err));
    }
    solve_keep(run, colour, g.used, name);
done:
    free_all(g.links_of, g.busy, colour, order);
    return st;
}

rwa_status greedy_all(struct solve *run)
{
    static const rwa_order orders[] = {RWA_ORDER_LONGEST, RWA_ORDER_START, RWA_ORDER_GIVEN};
    rwa_status st = RWA_OK;
    for (size_t i = 0; i < 6 && !solve_done(run) && st == RWA_OK; i++)
        st = greedy_run(run, orders[i / 2], i % 2 == 1);
    return st;
}
