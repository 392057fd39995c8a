/* SPDX-License-Identifier: GPL-3.0-or-later */
/** States of a request (request.h): "nsfnet14-21 w=8 undirected paths=3"; the last few of them are kept. */
#pragma once

#include "tests/support/random.h"

KEEPER(state)

/** Slots of a flexible grid, in a request. */
#define FLEXIBLE " slot=12.5e9"

/** paths: 0: as many as usual. */
static inline rwa_state *state_of(const rwa_network *net, rwa_model model, uint32_t paths)
{
    rwa_state *state = NULL;
    rwa_state_options o;
    rwa_state_options_init(&o);
    o.model = model;
    o.paths = paths > 0 ? paths : o.paths;
    OK(rwa_state_create(&state, net, &o, NULL));
    return keep_state(state);
}

static inline rwa_state *state_for(struct request r)
{
    return state_of(request_network(r), r.assign.model, r.assign.paths);
}

#define state_on(...) state_for(request_of(__VA_ARGS__))

/** Between two nodes at random. */
static inline rwa_request any_request(const rwa_state *state)
{
    rwa_request q;
    uint32_t nodes = rwa_network_nodes(rwa_state_network(state)), src = any(nodes);
    rwa_request_init(&q, src, (src + 1 + any(nodes - 1)) % nodes);
    return q;
}

static inline rwa_placed add_lightpath(rwa_state *state, uint32_t src, uint32_t dst, rwa_protection protection)
{
    rwa_request q;
    rwa_placed placed;
    rwa_request_init(&q, src, dst);
    q.protection = protection;
    q.routing = protection ? RWA_ROUTING_ALTERNATE : RWA_ROUTING_SHORTEST;
    OK(rwa_state_add(&placed, state, &q, NULL));
    return placed;
}

/** A release, a repair or a move that an explanation names. */
static inline void apply_remedy(rwa_state *state, const rwa_obstacle *why)
{
    rwa_request q;
    rwa_placed placed;
    uint32_t links[16];
    if (why->remedy == RWA_REMEDY_REPAIR)
        OK(rwa_state_repair(state, why->repair_kind, why->repair, NULL));
    if (why->remedy == RWA_REMEDY_RELEASE)
        OK(rwa_state_release(state, why->id, NULL));
    if (why->remedy != RWA_REMEDY_MOVE)
        return;
    CU_ASSERT_TRUE_FATAL(rwa_state_get(&placed, state, why->id) && placed.hops <= COUNT(links));
    memcpy(links, placed.links, placed.hops * sizeof *links);
    rwa_request_init(&q, placed.src, placed.dst);
    q.links = links;
    q.hops = placed.hops;
    q.fiber = why->fiber;
    q.wavelength = why->wavelength;
    OK(rwa_state_move(&placed, state, why->id, &q, NULL));
    CU_ASSERT_TRUE(placed.hops > 0);
}
