/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Networks, fixed or flexible, and states of them. */
#ifndef SUPPORT_STATES_H
#define SUPPORT_STATES_H

#include "rwa.h"

#include <CUnit/CUnit.h>

static inline rwa_network_options grid_of(uint32_t wavelengths, uint32_t fibers, int flexible)
{
    rwa_network_options o;
    rwa_network_options_init(&o);
    o.wavelengths = wavelengths;
    o.fibers = fibers;
    o.slot_hz = flexible ? RWA_SLOT_HZ : 0;
    return o;
}

static inline rwa_network *network_of(const char *spec, uint32_t wavelengths, uint32_t fibers, int flexible)
{
    rwa_network *net = NULL;
    rwa_network_options o = grid_of(wavelengths, fibers, flexible);
    CU_ASSERT_EQUAL_FATAL(rwa_network_open(&net, spec, &o, NULL), RWA_OK);
    return net;
}

/** Of links both ways. */
static inline rwa_network *graph_of(const rwa_link *links, size_t count, uint32_t nodes, uint32_t wavelengths,
                                    int flexible)
{
    rwa_network *net = NULL;
    rwa_network_options o = grid_of(wavelengths, 1, flexible);
    o.both_ways = 1;
    CU_ASSERT_EQUAL_FATAL(rwa_network_create_graph(&net, nodes, links, count, &o, NULL), RWA_OK);
    return net;
}

static inline rwa_state *state_on(const rwa_network *net, rwa_model model, uint32_t paths)
{
    rwa_state *state = NULL;
    rwa_state_options o;
    rwa_state_options_init(&o);
    o.model = model;
    o.paths = paths;
    CU_ASSERT_EQUAL_FATAL(rwa_state_create(&state, net, &o, NULL), RWA_OK);
    return state;
}

/** A state of the network's model. */
static inline rwa_state *state_of(const char *spec, uint32_t wavelengths, int flexible, uint32_t paths)
{
    rwa_network *net = network_of(spec, wavelengths, 1, flexible);
    rwa_state *state = state_on(net, 0, paths);
    rwa_network_free(net);
    return state;
}

static inline rwa_placed add_lightpath(rwa_state *state, uint32_t src, uint32_t dst, rwa_protection protection)
{
    rwa_request q;
    rwa_placed placed;
    rwa_request_init(&q, src, dst);
    q.protection = protection;
    q.routing = protection ? RWA_ROUTING_ALTERNATE : RWA_ROUTING_SHORTEST;
    CU_ASSERT_EQUAL_FATAL(rwa_state_add(&placed, state, &q, NULL), RWA_OK);
    return placed;
}

#endif
