/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The wavefront: all nodes spread their blocks alike, along the cheapest trees that the ring's channels allow. */
#include "delivery/aggregated.h"
#include "delivery/ring_records.h"

#include <stdlib.h>

struct wavefront {
    bool direct;                /* one step is enough */
    struct ring_schedule front;
    struct owner_trees mixed;         /* instead of the front where waves of different owners differ */
    struct aggregated merged;       /* instead of both where fuller lightpaths save steps */
    struct ring_limits limits;
    const struct scheme_request *request;
    struct budget budget;
    bool done;
};

/** A node reads no lightpath twice, and its two links bring no more of them than they have channels; 0: its ports suffice. */
static uint32_t ports_that_bind(const rwa_network *net)
{
    uint32_t ports = rwa_network_ports(net);
    return ports < 2 * (uint64_t)rwa_network_channels(net) ? ports : 0;
}

/** One wave for all, or, where that costs a step more than the cheapest trees do, one for each. */
static rwa_status find_waves(struct wavefront *w, rwa_error *err)
{
    const struct ring_limits *l = &w->limits;
    uint32_t fewest = ring_schedule_fewest_steps(l);
    rwa_status st = RWA_OK;
    TRY(ring_schedule_find(&w->front, l, 0, &w->budget, err));
    if (w->front.wave.steps > fewest && l->nodes <= OWNER_TREES_NODES && l->max_hops == 0 && l->ports == 0 && !l->one_way)
        TRY(owner_trees_find(&w->mixed, l->nodes, l->channels, fewest, l->seed, &w->budget, err));
done:
    return st;
}

/** With up to opts->slots blocks on a lightpath, as far as that saves steps.  Fewer, if they save as many: more room for bundles
 *  that do not fit in the end is no help. */
static rwa_status merge(struct wavefront *w, rwa_error *err)
{
    const struct ring_limits *l = &w->limits;
    uint32_t most = w->mixed.wave ? 1 : w->request->opts->slots;
    struct aggregated_limits m = {l->nodes, l->channels, 1, l->max_hops, w->front.wave.steps, l->seed};
    struct aggregated found = {.bundles = 0};
    rwa_status st = RWA_OK;
    while (m.slots < most) {
        m.slots = 2 * m.slots < most ? 2 * m.slots : most;
        TRY(aggregated_find(&found, &m, &w->budget, err));
        if (found.bundles == 0)
            continue;
        aggregated_free(&w->merged);
        w->merged = found;
        m.fewer_than = found.wave.steps;
        found = (struct aggregated){.bundles = 0};
    }
done:
    aggregated_free(&found);
    return st;
}

/** With up to opts->max_drops readers of a lightpath, where that saves steps; not together with merging. */
static rwa_status tap(struct wavefront *w, rwa_error *err)
{
    struct ring_limits limits = w->limits;
    struct ring_schedule tapped = {.nodes = 0};
    uint32_t steps = w->mixed.wave ? w->mixed.steps : w->front.wave.steps;
    rwa_status st = RWA_OK;
    limits.drops = w->request->opts->max_drops;
    if (limits.drops <= 1 || w->request->opts->slots > 1)
        return RWA_OK;
    limits.drops = limits.drops < limits.nodes ? limits.drops : limits.nodes;
    TRY(ring_schedule_find(&tapped, &limits, steps, &w->budget, err));
    if (tapped.colouring) {
        owner_trees_free(&w->mixed);
        ring_schedule_free(&w->front);
        w->front = tapped;
        tapped = (struct ring_schedule){.nodes = 0};
    }
done:
    ring_schedule_free(&tapped);
    return st;
}

/** Where links failed in one direction all goes in the other one, which is whole: or some node would not be reached. */
static void find_way(struct ring_limits *limits, const rwa_network *net)
{
    rwa_faults faults;
    rwa_network_faults(&faults, net);
    limits->one_way = faults.link_count > 0;
    limits->way = limits->one_way && faults.links[0] < rwa_network_pairs(net) ? RWA_CCW : RWA_CW;
}

static rwa_status wavefront_open(void **state, const struct scheme_request *request, rwa_error *err)
{
    struct wavefront *w = base_array(1, sizeof *w, err);
    *state = w;
    if (!w)
        return RWA_NOMEM;
    w->request = request;
    w->limits = (struct ring_limits){.nodes = request->coll->nodes, .channels = rwa_network_channels(request->net),
                                      .max_hops = request->opts->max_hops, .drops = 1, .seed = request->opts->seed};
    find_way(&w->limits, request->net);
    w->limits.ports = ports_that_bind(request->net);
    w->budget = base_budget(request->opts->time_limit_s, request->opts->poll, request->opts->poll_data);
    w->direct = !w->limits.one_way && ring_schedule_fewest_steps(&w->limits) == 1;
    rwa_status st = RWA_OK;
    if (!w->direct) {
        TRY(find_waves(w, err));
        TRY(merge(w, err));
        TRY(tap(w, err));
    }
done:
    return st;
}

static void wavefront_close(void *state)
{
    struct wavefront *w = state;
    if (w) {
        ring_schedule_free(&w->front);
        owner_trees_free(&w->mixed);
        aggregated_free(&w->merged);
    }
    free(w);
}

/** One step: everyone to everyone, for which the planner knows the fewest wavelengths. */
static rwa_status emit_direct(struct stage *stage, uint32_t nodes, rwa_error *err)
{
    rwa_status st = RWA_OK;
    TRY(stage_create(stage, (size_t)nodes * (nodes - 1), err));
    stage->ranks = nodes;
    stage->copies = 1;
    stage->rank_of = base_array(nodes, sizeof *stage->rank_of, err);
    stage->copy_of = base_array(nodes, sizeof *stage->copy_of, err);
    if (!stage->rank_of || !stage->copy_of)
        return RWA_NOMEM;
    for (uint32_t owner = 0; owner < nodes; owner++) {
        stage->rank_of[owner] = owner;
        for (uint32_t other = 0; other < nodes; other++)
            if (other != owner)
                stage_add(stage, owner, other, owner);
    }
done:
    return st;
}

static rwa_status wavefront_next(void *state, struct stage *stage, rwa_error *err)
{
    struct wavefront *w = state;
    uint32_t wavelengths = rwa_network_wavelengths(w->request->net);
    if (w->done)
        return RWA_OK;
    w->done = true;
    if (w->direct)
        return emit_direct(stage, w->limits.nodes, err);
    if (w->merged.bundles > 0)
        return records_of_aggregated(stage, &w->merged, wavelengths, err);
    if (w->mixed.wave)
        return records_of_owner_trees(stage, &w->mixed, wavelengths, err);
    return records_of_schedule(stage, &w->front, wavelengths, err);
}

/** One record for each offset where the waves come round with the ring; elsewhere a few pieces of each orbit. */
static void wavefront_extent(struct extent *e, const struct scheme_request *request)
{
    enum { PIECES = 8 };
    double n = request->coll->nodes, w = rwa_network_channels(request->net);
    bool whole = w < n && request->coll->nodes % rwa_network_channels(request->net) == 0, direct = w >= n * n / 8;
    *e = (struct extent){direct ? n * (n - 1) : whole ? n : n * PIECES, whole};
}

const struct scheme scheme_wavefront = {
    .name = "wavefront",
    .summary = "every block spreads along a cheapest tree, all trees alike and turned",
    .source = "own; meets the broadcast-tree bound",
    .collectives = 1u << RWA_ALL_GATHER,
    .networks = 1u << RWA_RING,
    .reversible = true,
    .stripes = true,
    .merges = true,
    .taps = true,
    .shortens = true,
    .mends = true,
    .extent = wavefront_extent,
    .open = wavefront_open,
    .next = wavefront_next,
    .close = wavefront_close,
};
