/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Scheme "wavefront": all nodes spread their blocks alike, along the cheapest trees that the channels of a ring
 * allow. */
#include "base/arithmetic.h"
#include "delivery/ring/per_owner_trees.h"
#include "delivery/ring/ring_records.h"
#include "delivery/ring/ring_schedule.h"
#include "scheme/scheme.h"

struct wavefront {
    struct coloured_tree tree;
    struct delivery_tree owner_trees;   /* used instead of the common tree if the trees of the owners differ */
    struct spread_limits limits;
    struct budget budget;
};

/** Return the limits on the trees of which the lightpaths have one receiver each. */
static struct spread_limits limits_of(const struct plan_request *request)
{
    const rwa_network *net = request->net;
    uint32_t ports = rwa_network_ports(net), channels = rwa_network_channels(net), nodes = request->coll->nodes;
    rwa_faults faults = network_faults(net);
    bool one_way = faults.link_count > 0;   /* the other direction is whole: otherwise some node could not be reached */
    return (struct spread_limits){
        .nodes = nodes, .channels = channels, .max_hops = request->opts->max_hops, .drops = 1,
        .seed = request->opts->seed,
        /* a node with a port for each channel of its two links has as many as it can use */
        .ports = ports < 2 * (uint64_t)channels ? ports : 0,
        .one_way = one_way, .way = one_way && faults.links[0] < rwa_network_pairs(net) ? RWA_CCW : RWA_CW};
}

/** Let as many nodes receive from a lightpath as the request allows (its option max_drops). */
static void allow_taps(struct spread_limits *limits, const struct plan_request *request)
{
    RAISE(limits->drops, lesser(request->opts->max_drops, limits->nodes));
}

/** Find w->tree, one tree for all owners; if it takes more steps than the cheapest tree, also try w->owner_trees, a
 * tree for each owner. */
static rwa_status find_trees(struct wavefront *w, rwa_error *err)
{
    const struct spread_limits *l = &w->limits;
    uint32_t fewest = ring_schedule_fewest_steps(l);
    MUST(ring_schedule_find(&w->tree, l, 0, &w->budget, err));
    if (w->tree.tree.steps > fewest && l->max_hops == 0 && l->ports == 0 && !l->one_way)
        MUST(owner_trees_find(&w->owner_trees, l->nodes, l->channels, fewest, l->seed, &w->budget, err));
    return RWA_OK;
}

/** Let up to w->limits.drops nodes receive from a lightpath, if that saves steps. */
static rwa_status tap(struct wavefront *w, rwa_error *err)
{
    struct coloured_tree found, *kept = &w->tree;
    uint32_t steps = w->owner_trees.at ? w->owner_trees.steps : kept->tree.steps;
    rwa_status st = ring_schedule_find(&found, &w->limits, steps, &w->budget, err);
    if (st != RWA_OK || found.nodes == 0) {
        coloured_tree_free(&found);
        return st;
    }
    delivery_tree_free(&w->owner_trees);
    coloured_tree_free(kept);
    *kept = found;
    return RWA_OK;
}

/** Push one stage in which each node sends its block to each other node.  The planner has a closed form for the fewest
 * wavelengths of such a stage. */
static rwa_status push_direct(struct schedule_sink *sink, uint32_t nodes)
{
    struct transfers t;
    MUST(transfers_create(&t, (size_t)nodes * (nodes - 1), 0, sink->err));
    t.ranks = nodes;
    t.copies = 1;
    for (uint32_t owner = 0; owner < nodes; owner++)
        for (uint32_t other = 0; other < nodes; other++)
            if (other != owner)
                transfer_add(&t, owner, other, owner);
    return sink_transfers(sink, &t);
}

static rwa_status push_trees(struct schedule_sink *sink, struct wavefront *w, const struct plan_request *request)
{
    MUST(find_trees(w, sink->err));
    allow_taps(&w->limits, request);
    if (w->limits.drops > 1)
        MUST(tap(w, sink->err));
    if (w->owner_trees.at)
        MUST(push_owner_trees(sink, &w->owner_trees));
    else
        MUST(push_coloured_tree(sink, &w->tree));
    return sink_end_stage(sink);
}

static rwa_status plan_wavefront(struct schedule_sink *sink, const struct plan_request *request)
{
    const rwa_plan_options *o = request->opts;
    struct wavefront w = {.limits = limits_of(request), .budget = base_budget(o->time_limit_s, o->poll, o->poll_data)};
    rwa_status st;
    if (!w.limits.one_way && ring_schedule_fewest_steps(&w.limits) == 1)
        return push_direct(sink, w.limits.nodes);
    st = push_trees(sink, &w, request);
    coloured_tree_free(&w.tree);
    delivery_tree_free(&w.owner_trees);
    return st;
}

/** Estimate the number of records: one for each offset if the channels repeat evenly round the ring; otherwise the
 * copies of a lightpath at all nodes need several records (PIECES on average), or stripes one each, and only a plan
 * whose steps may be few enough is worth building. */
static rwa_status estimate_wavefront(struct estimate *e, const struct plan_request *request, rwa_error *err)
{
    enum { PIECES = 8 };
    struct spread_limits l = limits_of(request);
    double n = l.nodes;
    (void)err;
    e->periodic = l.channels < l.nodes && l.nodes % l.channels == 0;
    e->records = ring_schedule_fewest_steps(&l) == 1 ? n * (n - 1) : e->periodic ? n : n * PIECES;
    allow_taps(&l, request);
    if (!e->periodic)
        e->least_steps = ring_schedule_fewest_steps(&l);
    return RWA_OK;
}

const struct scheme scheme_wavefront = {
    .name = "wavefront",
    .summary = "every block spreads along a tree that uses the fewest links, the same for all nodes but rotated",
    .source = "rwa's own, unpublished; meets the broadcast-tree bound",
    .collectives = 1u << RWA_ALL_GATHER,
    .needs = NETWORK_CYCLE,
    .traits = REVERSIBLE | STRIPES | TAPS | SHORTENS | MENDS,
    .estimate = estimate_wavefront,
    .plan = plan_wavefront,
};
