/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solvers/single.h"

double single_hops(const struct solve *run)
{
    double hops = 0;
    for (uint32_t l = 0; l < run->problem->links; l++)
        hops += run->load[l];
    return hops;
}

void single_free(struct single *s)
{
    placement_free(&s->best);
    arena_free(&s->arena);
}

static void take_colours(struct single *s, const struct solve *run)
{
    s->best.channels = run->found.wavelengths;
    s->best.placed = s->cand.demands;
    for (uint32_t i = 0; i < s->cand.demands; i++) {
        s->best.route[i] = i;
        s->best.channel[i] = run->colour[i];
    }
}

rwa_status single_create(struct single *s, const struct solve *run)
{
    assert(!s->index);
    const rwa_problem *p = run->problem;
    s->arena.err = run->err;
    arena_arrays(&s->arena, p->paths + 1, s->index, s->hop);
    MUST(arena_arrays(&s->arena, (size_t)single_hops(run), s->link));
    for (size_t i = 0; i < p->paths; i++) {
        s->index[i + 1] = i + 1;
        s->hop[i + 1] = s->hop[i] + path_length(p, i);
        for (size_t k = s->hop[i]; k < s->hop[i + 1]; k++)
            s->link[k] = path_link(p, i, (uint32_t)(k - s->hop[i]));
    }
    s->cand = (struct candidates){.links = p->links,
                                  .fibers = 1,
                                  .demands = (uint32_t)p->paths,
                                  .route = s->index,
                                  .segment = s->index,
                                  .hop = s->hop,
                                  .link = s->link};
    s->spectrum.cand = &s->cand;
    MUST(placement_create(&s->best, &s->cand, run->err));
    if (run->have)
        take_colours(s, run);
    return RWA_OK;
}
