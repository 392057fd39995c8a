/* SPDX-License-Identifier: GPL-3.0-or-later */
/** All-to-all round a ring, both models; the construction and its proof are in docs/reference/bounds.md. */
#include "assign/torus.h"

#include "routing/exchange.h"
#include "routing/ring_pairs.h"

static bool ring_fits(const struct torus *t, rwa_model model)
{
    (void)model;
    return t->dimensions == 1;
}

static rwa_status prepare_ring(struct torus *t)
{
    uint64_t n = t->size, pairs = ring_pairs_wavelengths(t->size);
    t->colours = (uint32_t)(t->job->model == RWA_UNDIRECTED ? pairs : (n * n / 4 + 1) / 2);
    return RWA_OK;
}

static uint32_t ring_route(const struct torus *t, rwa_route *route, uint32_t from, uint32_t to)
{
    uint32_t colour = 0, hops = 0;
    if (t->job->model == RWA_DIRECTED)
        exchange_assign(t->size, 1, from, to, 0, &route->direction, &colour);
    else
        ring_pairs_assign(t->size, from, to, &route->direction, &colour);
    bool up = route->direction == RWA_CW;
    route->hops = up ? torus_ahead(t, from, to, 0) : torus_ahead(t, to, from, 0);
    if (!network_has_arcs(t->job->net)) /* otherwise the direction names the route */
        torus_go(t, &hops, from, 0, up, route->hops);
    return colour;
}

const struct torus_form ring_form = {.fits = ring_fits, .prepare = prepare_ring, .route = ring_route};
