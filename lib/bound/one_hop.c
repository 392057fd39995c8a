/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Star, ron and ocs: every pair of nodes is one hop apart, so only ports, channels and time to turn limit. */
#include "bound/bound.h"
#include "bound/demand.h"

#include <stdlib.h>

/** Blocks that a node can take in, or give out, in a step; the same block sent to several counts once. */
static uint64_t width(const struct bound_case *c)
{
    uint64_t ports = bound_times(c->ports, c->slots);
    if (c->capabilities & NETWORK_PORTS)
        return ports > 0 ? ports : bound_times(c->nodes - 1, c->channels);
    if (c->capabilities & NETWORK_SWITCHES) /* a port is a circuit, which carries all wavelengths of one switch */
        ports = bound_times(ports, rwa_network_wavelengths(c->net));
    return ports > 0 && ports < c->channels ? ports : c->channels;
}

typedef uint64_t demand_of(const rwa_collective *coll, const struct demand_side *side);

static uint64_t demand_at(const struct bound_case *c, uint32_t node, demand_of *demand)
{
    struct demand_side side = demand_of_run(c, (struct demand_run){node, 1});
    return demand(c->coll, &side);
}

/** The root, and the nodes that own the most and the fewest blocks. */
static uint64_t most(const struct bound_case *c, demand_of *demand)
{
    uint64_t ends = bound_max(demand_at(c, 0, demand), demand_at(c, c->nodes - 1, demand));
    return bound_max(ends, demand_at(c, c->root, demand));
}

static rwa_status compute_receive(rwa_bound *b, const struct bound_case *c, rwa_error *err)
{
    (void)err;
    b->value = bound_divide_up(most(c, demand_in), width(c));
    return RWA_OK;
}

static rwa_status compute_send(rwa_bound *b, const struct bound_case *c, rwa_error *err)
{
    (void)err;
    b->value = bound_divide_up(most(c, demand_out), width(c));
    return RWA_OK;
}

/** Blocks that some node sends, each node's counted by itself. */
static uint64_t sent_once(const struct bound_case *c)
{
    uint64_t sum = 0;
    for (uint32_t v = 0; v < c->nodes; v++)
        sum = bound_plus(sum, demand_at(c, v, demand_out));
    return sum;
}

uint64_t one_hop_turns(const struct bound_case *c)
{
    uint64_t senders = 0;
    if (!(c->capabilities & NETWORK_STAR))
        return 0;
    for (uint32_t v = 0; v < c->nodes; v++)
        senders += demand_at(c, v, demand_out) > 0;
    return bound_divide_up(senders, c->lightpaths);
}

static rwa_status compute_air(rwa_bound *b, const struct bound_case *c, rwa_error *err)
{
    (void)err;
    if (c->capabilities & NETWORK_STAR)
        b->value = bound_max(bound_divide_up(sent_once(c), c->channels), one_hop_turns(c));
    return RWA_OK;
}

void one_hop_load(struct bound_load *l, const struct bound_case *c)
{
    bound_load_add(l, c, most(c, demand_in), width(c));
    bound_load_add(l, c, most(c, demand_out), width(c));
    if (c->capabilities & NETWORK_STAR)
        bound_load_add(l, c, sent_once(c), c->channels);
}

/**
 * Nodes that can know a block after so many steps: N(S) = k N(S-1) + N(S-d-1).  On a ron only the port that turns rests;
 * on switches nothing is said of the steps between two settings.
 */
static rwa_status compute_growth(rwa_bound *b, const struct bound_case *c, rwa_error *err)
{
    bool spreads = c->coll->kind == RWA_BROADCAST || c->coll->kind == RWA_ALL_GATHER;
    uint64_t ports = c->capabilities & NETWORK_SWITCHES ? (c->ports > 0 && c->ports < c->fibers ? c->ports : c->fibers) : c->ports;
    uint64_t delay = c->capabilities & NETWORK_SWITCHES ? 0 : c->tuning, steps = 0, least = 1;
    if (c->capabilities & NETWORK_STAR || !spreads || ports == 0)
        return RWA_OK;
    while (bound_times(ports, steps) + 1 < c->nodes && steps < delay) /* a table long enough: N(S) > k S */
        steps++;
    uint64_t *informed = base_array((size_t)steps + 1, sizeof *informed, err); /* the last d + 1 numbers, in a circle */
    if (!informed)
        return RWA_NOMEM;
    uint64_t now = informed[0] = 1, size = steps + 1;
    for (steps = 0; now < c->nodes; informed[steps % size] = now) {
        steps++;
        uint64_t before = steps > delay ? informed[(steps - delay - 1) % size] : 1;
        now = bound_plus(bound_times(ports, now), before);
    }
    free(informed);
    if (c->coll->kind == RWA_BROADCAST) /* the last block leaves the root no sooner */
        least = bound_divide_up(c->coll->blocks, width(c));
    b->value = bound_plus(steps, least - 1);
    return RWA_OK;
}

const struct bound_entry bound_one_hop_receive = {
    "receive", "steps", "a node takes in one block a step on each of its ports, and must receive all it does not own",
    "docs/bounds.md: one hop", compute_receive};

const struct bound_entry bound_one_hop_send = {
    "send", "steps", "a node gives out one block a step on each of its ports, and must send each that others need at least once",
    "docs/bounds.md: one hop", compute_send};

const struct bound_entry bound_one_hop_air = {
    "air", "steps", "a channel of a star carries one block of one node a step, and every block is sent at least once",
    "docs/bounds.md: one hop", compute_air};

const struct bound_entry bound_one_hop_growth = {
    "growth", "steps", "a node that knows a block informs k others in a step, and rests while its ports retune",
    "Afsahi and Dimopoulos, eq. (1); docs/bounds.md: one hop", compute_growth};
