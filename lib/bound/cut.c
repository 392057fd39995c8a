/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bound/cut_graph.h"
#include "bound/demand.h"

static uint64_t steps_over(const struct bound_case *c, struct demand_run run)
{
    struct demand_side side = demand_of_run(c, run);
    uint64_t out = bound_divide_up(demand_out(c->coll, &side), demand_width_out(c, run));
    return bound_max(out, bound_divide_up(demand_in(c->coll, &side), demand_width_in(c, run)));
}

/** Runs from place `first` on: to the ends, half of all, and on both sides of the root is where most must pass. */
static uint64_t steps_from(const struct bound_case *c, uint32_t first)
{
    uint32_t to_root = (c->root + c->nodes - first) % c->nodes;
    uint32_t counts[] = {1, c->nodes / 2, c->nodes - 1, to_root, to_root + 1};
    uint64_t most = 0;
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
        if (counts[i] >= 1 && counts[i] < c->nodes)
            most = bound_max(most, steps_over(c, (struct demand_run){first, counts[i]}));
    return most;
}

static uint64_t steps_along(const struct bound_case *c)
{
    uint64_t most = bound_max(steps_from(c, 0), c->kind == RWA_RING ? steps_from(c, c->root) : 0);
    for (size_t i = 0; i < c->lost_count; i++)
        most = bound_max(most, steps_from(c, (c->lost[i].link + 1) % c->nodes));
    return most;
}

static rwa_status compute(rwa_bound *b, const struct bound_case *c, rwa_error *err)
{
    if (bound_has_arcs(c))
        b->value = steps_along(c);
    return c->graph ? cut_graph_steps(&b->value, c, err) : RWA_OK;
}

const struct bound_entry bound_cut = {
    "cut", "steps",
    "what must pass from one side of a cut through the network to the other needs the channels of the links between "
    "them",
    "docs/bounds.md: counting over a cut", compute, false};
