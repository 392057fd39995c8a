/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bound/ports.h"
#include "bound/demand.h"

static uint64_t beyond(uint64_t nodes, uint64_t hops)
{
    return nodes > hops ? nodes - hops : 0;
}

/** Nodes more than `hops` away from v. */
static uint64_t farther(const struct bound_case *c, uint32_t v, uint64_t hops)
{
    if (c->kind == RWA_RING)
        return beyond(c->nodes - 1, 2 * hops);
    return beyond(v, hops) + beyond(c->nodes - 1 - v, hops);
}

/** Blocks between v and each other node, when every other node has some of its own for (or from) v. */
static uint64_t per_peer(const rwa_collective *coll, enum ports_way way)
{
    bool in = coll->kind == RWA_ALL_GATHER || coll->kind == RWA_GATHER;
    bool out = coll->kind == RWA_REDUCE_SCATTER || coll->kind == RWA_SCATTER;
    if (coll->kind == RWA_ALL_TO_ALL)
        return 1;
    return (way == PORTS_IN ? in : out) ? coll->blocks / coll->nodes : 0;
}

/** Blocks from more than j * max_hops away need j lightpaths before the one that brings them in, or after it. */
static uint64_t relayed(const struct bound_case *c, uint32_t v, uint64_t each, uint64_t width)
{
    uint64_t farthest = c->kind == RWA_RING ? c->nodes / 2 : v > c->nodes - 1 - v ? v : c->nodes - 1 - v;
    uint64_t before = (farthest - 1) / c->max_hops;
    return before + bound_divide_up(bound_times(each, farther(c, v, before * c->max_hops)), width);
}

static uint64_t steps_at(const struct bound_case *c, uint32_t v, enum ports_way way)
{
    struct node_run run = {v, 1};
    bool end = c->kind == RWA_LINE && (v == 0 || v == c->nodes - 1);
    uint64_t width = (end ? 1 : 2) * (uint64_t)c->channels;
    uint64_t blocks = way == PORTS_IN ? demand_in(c->coll, run) : demand_out(c->coll, run);
    uint64_t steps = bound_divide_up(blocks, width), each = per_peer(c->coll, way);
    if (blocks > 0 && each > 0) {
        uint64_t with_relays = relayed(c, v, each, width);
        if (with_relays > steps)
            steps = with_relays;
    }
    return steps;
}

/** The root, and the nodes that own the most and the fewest blocks, which on a line are its ends. */
uint64_t ports_steps(const struct bound_case *c, enum ports_way way)
{
    uint32_t nodes[] = {0, c->nodes - 1, c->coll->root};
    uint64_t most = 0;
    for (size_t i = 0; i < sizeof nodes / sizeof nodes[0]; i++) {
        uint64_t steps = steps_at(c, nodes[i], way);
        if (steps > most)
            most = steps;
    }
    return most;
}
