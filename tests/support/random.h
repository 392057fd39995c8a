/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Random requests: the same ones for the same seed. */
#pragma once

#include "base/base.h"

#include "tests/support/request.h"

static uint64_t seed = 1;

static inline uint32_t any(uint64_t below)
{
    return (uint32_t)base_random_below(&seed, below);
}

/** So many different numbers below `below`, ascending. */
static inline void random_numbers(struct numbers *list, uint32_t count, uint32_t below)
{
    list->count = 0;
    for (uint32_t number = 0; list->count < count; number++)
        if (any(below - number) < count - list->count)
            list->at[list->count++] = number;
}

/** How many nodes take part. */
static inline uint32_t places_of(const struct request *r)
{
    return r->members.count > 0 ? (uint32_t)r->members.count : rwa_network_nodes(request_network(*r));
}

/** Channels that are reserved, links that failed, and only some nodes that take part, each in a fourth of all requests;
 *  a root among them. */
static inline void random_faults(struct request *r)
{
    const rwa_network *net = request_network(*r);
    uint32_t nodes = rwa_network_nodes(net), channels = rwa_network_channels(net);
    if (channels > 1 && any(4) == 0 && strncmp(r->spec, "ocs", 3) != 0)
        random_numbers(&r->reserved, 1 + any(channels - 1), channels);
    if (any(4) == 0 && !is_one_hop(r))
        random_numbers(&r->links, 1 + any(2), rwa_network_links(net));
    if (nodes > 2 && nodes < NUMBERS_MOST && any(4) == 0)
        random_numbers(&r->members, 2 + any(nodes - 2), nodes);
    r->root = rwa_collective_has_root(r->kind) ? any(places_of(r)) : 0;
}
