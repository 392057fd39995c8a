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
    const struct plan_request *request;
    struct budget budget;
};

/** Return the number of ports of a node; 0 if it has a port for each channel of its two links, so that ports are no
 * limit. */
static uint32_t ports_that_bind(const rwa_network *net)
{
    uint32_t ports = rwa_network_ports(net);
    return ports < 2 * (uint64_t)rwa_network_channels(net) ? ports : 0;
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

/** Search for a schedule of fewer steps within `limits`; if there is one, replace the schedule in `w` by it. */
static rwa_status improve(struct wavefront *w, const struct spread_limits *limits, rwa_error *err)
{
    struct coloured_tree found, *kept = &w->tree;
    uint32_t steps = w->owner_trees.at ? w->owner_trees.steps : kept->tree.steps;
    rwa_status st = ring_schedule_find(&found, limits, steps, &w->budget, err);
    if (st != RWA_OK || found.nodes == 0) {
        coloured_tree_free(&found);
        return st;
    }
    delivery_tree_free(&w->owner_trees);
    coloured_tree_free(kept);
    *kept = found;
    return RWA_OK;
}

/** Let several nodes receive from a lightpath, as many as the request allows (its option max_drops), if that saves
 * steps. */
static rwa_status tap(struct wavefront *w, rwa_error *err)
{
    struct spread_limits limits = w->limits;
    limits.drops = lesser(w->request->opts->max_drops, limits.nodes);
    return limits.drops <= 1 ? RWA_OK : improve(w, &limits, err);
}

/** If links failed, let all lightpaths go in the direction in which no link failed. */
static void find_way(struct spread_limits *limits, const rwa_network *net)
{
    rwa_faults faults = network_faults(net);
    /* the other direction is whole: otherwise some node could not be reached */
    limits->one_way = faults.link_count > 0;
    limits->way = limits->one_way && faults.links[0] < rwa_network_pairs(net) ? RWA_CCW : RWA_CW;
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

static rwa_status push_trees(struct schedule_sink *sink, struct wavefront *w)
{
    MUST(find_trees(w, sink->err));
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
    struct wavefront w = {.request = request, .budget = base_budget(o->time_limit_s, o->poll, o->poll_data)};
    rwa_status st;
    w.limits = (struct spread_limits){.nodes = request->coll->nodes, .channels = rwa_network_channels(request->net),
                                     .max_hops = o->max_hops, .drops = 1, .seed = o->seed};
    find_way(&w.limits, request->net);
    w.limits.ports = ports_that_bind(request->net);
    if (!w.limits.one_way && ring_schedule_fewest_steps(&w.limits) == 1)
        return push_direct(sink, w.limits.nodes);
    st = push_trees(sink, &w);
    coloured_tree_free(&w.tree);
    delivery_tree_free(&w.owner_trees);
    return st;
}

/** Estimate the number of records: one for each offset if the channels repeat evenly round the ring; otherwise the
 * copies of a lightpath at all nodes need several records (PIECES on average). */
static rwa_status estimate_wavefront(struct estimate *e, const struct plan_request *request, rwa_error *err)
{
    enum { PIECES = 8 };
    double n = request->coll->nodes, w = rwa_network_channels(request->net);
    bool direct = w >= n * n / 8;   /* ceil(N²/8) wavelengths for one step (OpTree, Lemma 1) */
    (void)err;
    e->periodic = w < n && request->coll->nodes % rwa_network_channels(request->net) == 0;
    e->records = direct ? n * (n - 1) : e->periodic ? n : n * PIECES;
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
