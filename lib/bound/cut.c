/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bound/bound.h"
#include "bound/demand.h"

static void load_over(struct bound_load *l, const struct bound_case *c, demand_measure *demand, struct demand_run run)
{
    struct demand_side side = demand_of_run(c, run);
    bound_load_add(l, c, demand(c->coll, &side), demand_width_out(c, run));
    bound_load_add(l, c, demand_of_others(demand, c->coll, &side), demand_width_in(c, run));
}

/** Runs from place `first` on: to the ends, half of all, and on both sides of the root is where most must pass. */
static void load_from(struct bound_load *l, const struct bound_case *c, demand_measure *demand, uint32_t first)
{
    assert(first < c->nodes && c->root < c->nodes);
    uint32_t to_root = (c->root + c->nodes - first) % c->nodes;
    uint32_t counts[] = {1, c->nodes / 2, c->nodes - 1, to_root, to_root + 1};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
        if (counts[i] >= 1 && counts[i] < c->nodes)
            load_over(l, c, demand, (struct demand_run){first, counts[i]});
}

/** The cuts through the graph, by all measures at once. */
static rwa_status load_in_graph(struct bound_load *l, const struct bound_case *c, enum cut_measure measure, rwa_error *err)
{
    rwa_status st = c->cuts->found ? RWA_OK : cut_graph_loads(c->cuts->load, c, err);
    c->cuts->found = st == RWA_OK;
    *l = c->cuts->load[measure];
    return st;
}

rwa_status cut_load(struct bound_load *l, const struct bound_case *c, enum cut_measure measure, rwa_error *err)
{
    assert(measure < CUT_MEASURES);
    demand_measure *demand = demand_measures[measure];
    if (!c->arcs)
        return c->graph ? load_in_graph(l, c, measure, err) : RWA_OK;
    load_from(l, c, demand, 0);
    if (bound_on_cycle(c))
        load_from(l, c, demand, c->root);
    for (size_t i = 0; i < c->lost_count; i++)
        load_from(l, c, demand, (c->lost[i].link + 1) % c->nodes);
    return RWA_OK;
}

static rwa_status compute(rwa_bound *b, const struct bound_case *c, rwa_error *err)
{
    struct bound_load l = {0};
    rwa_status st = cut_load(&l, c, CUT_BLOCKS, err);
    b->value = l.steps;
    return st;
}

const struct bound_entry bound_cut = {
    "cut", "steps",
    "the blocks that must pass from one side of a cut to the other need the channels of the links between the sides",
    "docs/bounds.md: counting over a cut", compute};
