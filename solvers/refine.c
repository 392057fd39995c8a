/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The searches on demands with a choice of routes, for paths that have none. */
#include "solvers/improve.h"
#include "solvers/solver.h"

#include <stdlib.h>

enum { MOST_HOPS = 10000000, MOST_MARKS = 1 << 24 };

struct single {
    size_t *index;      /* 0, 1, 2, …: a route per demand, a segment per route */
    size_t *hop;
    uint32_t *link;
    struct candidates cand;
    struct placement best;
    struct arena arena;
};

static void single_free(struct single *s)
{
    placement_free(&s->best);
    arena_free(&s->arena);
}

static rwa_status single_create(struct single *s, const struct solve *run, size_t hops)
{
    const rwa_problem *p = run->problem;
    arena_new(&s->arena, s->index, p->paths + 1);
    arena_new(&s->arena, s->hop, p->paths + 1);
    arena_new(&s->arena, s->link, hops);
    if (s->arena.failed)
        return RWA_NOMEM;
    for (size_t i = 0; i < p->paths; i++) {
        s->index[i + 1] = i + 1;
        s->hop[i + 1] = s->hop[i] + path_length(p, i);
        for (size_t k = s->hop[i]; k < s->hop[i + 1]; k++)
            s->link[k] = path_link(p, i, (uint32_t)(k - s->hop[i]));
    }
    s->cand = (struct candidates){.links = p->links, .fibers = 1, .demands = (uint32_t)p->paths, .route = s->index, .segment = s->index,
                            .hop = s->hop, .link = s->link};
    return placement_create(&s->best, &s->cand, run->err);
}

static void take_colours(struct single *s, const struct solve *run)
{
    s->best.waves = run->found.wavelengths;
    s->best.placed = s->cand.demands;
    for (uint32_t i = 0; i < s->cand.demands; i++) {
        s->best.route[i] = i;
        s->best.wave[i] = run->colour[i];
    }
}

rwa_status refine_try(struct solve *run, uint64_t work)
{
    rwa_status st = RWA_OK;
    struct single s = {.arena = {.err = run->err}};
    struct improve search = {.cand = &s.cand, .target = run->found.bound, .work = work, .state = &run->random,
                             .budget = &run->budget, .best = &s.best};
    double hops = 0;
    for (uint32_t l = 0; l < run->problem->links; l++)
        hops += run->load[l];
    if (!run->have || hops > MOST_HOPS || (double)run->problem->paths * run->found.wavelengths > MOST_MARKS)
        return RWA_OK;
    TRY(single_create(&s, run, (size_t)hops));
    take_colours(&s, run);
    TRY(improve_tabu(&search, run->err));
    TRY(improve_greedy(&search, run->err));
    solve_keep(run, s.best.wave, s.best.waves, "exact");
done:
    single_free(&s);
    return st;
}
