/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * All-gather by rotated trees: the nodes nearest to each tree's root send it their blocks, and each tree brings its root's blocks to all
 * nodes.  As few steps as trees of so many blocks take, and as many owners as there are nodes.
 */
#include "scheme/own/rotated.h"

/** The nodes that send a root their blocks: so many before it and behind it, half of the way to the next root. */
struct window {
    uint32_t root, before, after;
};

struct rotated_gather {
    const struct rotated_tree *tree;
    const struct rotation *at;
    struct window *window;      /* of each tree */
    uint32_t top;               /* the place of the root; where there are several, it informs the others first */
    uint32_t side, largest;     /* the most nodes on a side of a root, and in a window */
    uint32_t bundle;            /* so many neighbours bring their blocks together first, in one step; odd; 1: none do */
};

/* ---- windows ---- */

static uint32_t nodes_in(const struct window *w)
{
    return w->before + 1 + w->after;
}

static void place_windows(struct rotated_gather *g)
{
    const struct rotation *at = g->at;
    while (g->tree->tree.at[g->top].step > 0)
        g->top++;
    for (uint32_t j = 0; j < at->blocks; j++)
        g->window[j].root = rotated_node(at, j, g->top);
    for (uint32_t j = 0; j < at->blocks; j++) {
        struct window *w = &g->window[j], *last = &g->window[(j + at->blocks - 1) % at->blocks];
        uint32_t between = (w->root + at->nodes - last->root - 1) % at->nodes;
        w->before = between / 2;
        last->after = between - w->before;
        g->side = last->after > g->side ? last->after : g->side;
    }
    for (uint32_t j = 0; j < at->blocks; j++)
        g->largest = nodes_in(&g->window[j]) > g->largest ? nodes_in(&g->window[j]) : g->largest;
}

/* ---- bundles: number 0 is around the root, 1, 2 … follow on one side ---- */

static uint32_t bundles_on(uint32_t side, uint32_t bundle)
{
    return side > bundle / 2 ? (uint32_t)ceil_div(side - bundle / 2, bundle) : 0;
}

/** The first and last distance from the root of a bundle from number 1 on. */
static uint32_t bundle_begin(uint32_t k, uint32_t bundle)
{
    return k * bundle - bundle / 2;
}

static uint32_t bundle_end(uint32_t k, uint32_t bundle, uint32_t side)
{
    uint32_t end = k * bundle + bundle / 2;
    return end < side ? end : side;
}

/** The distance of the node where the blocks of a bundle come together. */
static uint32_t bundle_centre(uint32_t k, uint32_t bundle, uint32_t side)
{
    return k * bundle < side ? k * bundle : side;
}

/* ---- time ---- */

static uint32_t steps_to_root(const struct rotated_gather *g)
{
    return (uint32_t)ceil_div(bundles_on(g->side, g->bundle), g->at->channels);
}

/** The most blocks on a lightpath of a step to the root, from 0: full bundles, but for the last one on its own. */
static uint32_t load_to_root(const struct rotated_gather *g, uint32_t step)
{
    uint32_t k = step * g->at->channels + 1;
    return bundle_end(k, g->bundle, g->side) - bundle_begin(k, g->bundle) + 1;
}

/** The node at a distance from the root, behind it or before it. */
static uint32_t node_at(const struct rotated_gather *g, const struct window *w, uint32_t distance, bool behind)
{
    return (w->root + (behind ? distance : g->at->nodes - distance)) % g->at->nodes;
}

/** Nodes that follow each other round the ring. */
struct range {
    uint32_t first, count;
};

/** The owners of the blocks that a node has when its tree brings it all blocks of the window: itself, or those gathered there. */
static struct range held_by(const struct rotated_gather *g, const struct window *w, uint32_t node)
{
    uint32_t nodes = g->at->nodes, after = (node + nodes - w->root) % nodes, before = nodes - after;
    bool behind = after <= w->after;
    uint32_t distance = behind ? after : before, side = behind ? w->after : w->before, k = (distance + g->bundle / 2) / g->bundle;
    if (distance > side)
        return (struct range){node, 0};
    if (k == 0 || bundle_centre(k, g->bundle, side) != distance)
        return (struct range){node, 1};
    uint32_t begin = bundle_begin(k, g->bundle), end = bundle_end(k, g->bundle, side);
    return (struct range){node_at(g, w, behind ? begin : end, behind), end - begin + 1};
}

/** Whether tree j makes the hop: it informs a node, and in the exchange between several roots the one at the top sends. */
static bool is_needed(const struct rotated_gather *g, size_t hop, uint32_t j)
{
    const struct rotated_hop *h = &g->tree->hop[hop];
    return (h->d.step <= g->tree->levels || h->d.from == g->top) && !rotated_is_received(g->tree, g->at, h, j);
}

/** The most blocks on a lightpath of a step of the tree. */
static uint32_t load_of_tree(const struct rotated_gather *g, uint32_t step)
{
    uint32_t most = 0;
    for (size_t i = g->tree->first[2 * (step - 1)]; i < g->tree->first[2 * step] && most < g->largest; i++)
        for (uint32_t j = 0; j < g->at->blocks; j++) {
            const struct window *w = &g->window[j];
            uint32_t load = nodes_in(w) - held_by(g, w, rotated_node(g->at, j, g->tree->hop[i].to)).count;
            if (load > most && is_needed(g, i, j))
                most = load;
        }
    return most;
}

struct total {
    uint64_t steps;
    uint32_t load;              /* the most blocks on a lightpath */
    double time_s;              /* if every step is set up */
    double floor_s;             /* no schedule takes less */
};

static void add_step(struct total *t, const struct plan_request *request, const rwa_cost_prices *floor, uint32_t blocks)
{
    const rwa_cost_options *cost = &request->opts->cost;
    uint64_t bytes = blocks * request->coll->block_bytes;
    t->steps++;
    t->load = blocks > t->load ? blocks : t->load;
    t->time_s += rwa_cost_steps(1, bytes, rwa_network_rate_bps(request->net), cost) +
                 (cost->model == RWA_COST_PAPER ? 0 : cost->alpha_s);
    t->floor_s += floor->step_s + floor->byte_s * (double)bytes;
}

static struct total total_to_root(const struct rotated_gather *g, const struct plan_request *request, const rwa_cost_prices *floor)
{
    struct total t = {.steps = 0};
    if (g->bundle > 1)
        add_step(&t, request, floor, 1);
    for (uint32_t step = 0; step < steps_to_root(g); step++)
        add_step(&t, request, floor, load_to_root(g, step));
    return t;
}

static void choose_bundle(struct rotated_gather *g, const struct plan_request *request, const rwa_cost_prices *floor)
{
    uint32_t best = 1;
    double best_s = INFINITY;
    for (g->bundle = 1; g->bundle / 2 <= g->side && g->bundle / 2 <= g->at->channels; g->bundle += 2) {
        double time_s = total_to_root(g, request, floor).time_s;
        if (time_s < best_s) {
            best = g->bundle;
            best_s = time_s;
        }
    }
    g->bundle = best;
}

static rwa_status open_gather(struct rotated_gather *g, const struct rotated_tree *tree, const struct rotation *at,
                              const struct plan_request *request, rwa_error *err)
{
    *g = (struct rotated_gather){.tree = tree, .at = at};
    MUST(base_new(g->window, at->blocks, err));
    place_windows(g);
    choose_bundle(g, request, &request->price);
    return RWA_OK;
}

/** All that is known of the trees of one group size, unless their lightpaths carry more blocks than they may. */
static rwa_status add_times(struct estimate *e, const struct rotated_tree *tree, const struct rotation *at,
                            const struct plan_request *request, rwa_error *err)
{
    struct rotated_gather g;
    rwa_cost_prices floor;
    struct total t;
    MUST(rwa_cost_floor(&floor, rwa_network_rate_bps(request->net), &request->opts->cost, err));
    MUST(open_gather(&g, tree, at, request, err));
    t = total_to_root(&g, request, &floor);
    if (tree->roots > 1)
        add_step(&t, request, &floor, load_of_tree(&g, tree->levels + 1));
    for (uint32_t step = 1; step <= tree->levels; step++)
        add_step(&t, request, &floor, load_of_tree(&g, step));
    free(g.window);
    if (request->opts->lightpath_blocks > 0 && t.load > request->opts->lightpath_blocks)
        return RWA_OK;
    e->steps = t.steps;
    e->time_s = t.time_s;
    e->least_s = floor.once_s + t.floor_s;
    e->records = (double)at->blocks * at->nodes;
    return RWA_OK;
}

static rwa_status estimate_group(struct estimate *e, const struct plan_request *request, uint32_t group, rwa_error *err)
{
    uint32_t nodes = request->coll->nodes;
    struct rotation at;
    struct rotated_tree tree;
    *e = (struct estimate){.time_s = INFINITY, .sets = 1, .set = {{.group = group < nodes ? group : nodes}}};
    rwa_status st = rotated_choose(&tree, &at, request, e->set[0].group, err);
    if (st == RWA_OK && tree.count > 0)
        st = add_times(e, &tree, &at, request, err);
    rotated_tree_free(&tree);
    return st;
}

/** The quickest group size for the message, if every step is set up, as in the paper model. */
static rwa_status best_group(struct estimate *best, const struct plan_request *request, rwa_error *err)
{
    struct rotated_candidate hull[ROTATED_CANDIDATES] = {{.group = request->opts->group}};
    size_t count = 1;
    if (hull[0].group == 0)
        MUST(rotated_candidates(hull, &count, request, err));
    for (size_t i = 0; i < count; i++) {
        struct estimate next;
        MUST(estimate_group(&next, request, hull[i].group, err));
        *best = next.time_s < best->time_s ? next : *best;
    }
    return RWA_OK;
}

/** Option or size that the scheme does not support; NULL: none. */
static const char *limit_of(const struct plan_request *request)
{
    enum { NODES_MOST = 8192 }; /* the search for trees takes long on larger rings */
    if (request->opts->stripes > 1)
        return "stripes, since its lightpaths carry blocks of several nodes";
    return request->coll->nodes > NODES_MOST ? "more than 8192 nodes" : NULL;
}

/** Where some steps may cost no setting, only a floor of the time is known. */
static rwa_status gather_estimate(struct estimate *e, const struct plan_request *request, rwa_error *err)
{
    struct estimate best = {.time_s = INFINITY};
    e->sets = 1;
    e->set[0].group = request->opts->group > 0 && request->opts->group < request->coll->nodes ? request->opts->group : request->coll->nodes;
    if (!limit_of(request))
        MUST(best_group(&best, request, err));
    if (!isfinite(best.time_s))
        return RWA_OK;
    *e = best;
    if (request->opts->cost.model == RWA_COST_PAPER) {
        e->least_s = 0;
    } else {
        e->least_steps = e->steps;
        e->steps = 0, e->time_s = 0;
    }
    return RWA_OK;
}

/* ---- lightpaths ---- */

/** Append the blocks of so many nodes that follow each other round the ring. */
static void add_nodes(rwa_lists *lists, rwa_run *run, const struct rotation *at, uint32_t first, uint32_t count)
{
    uint32_t here = first + count > at->nodes ? at->nodes - first : count;
    lists->block_count += count;
    if (here > 0)
        run[lists->run_count++] = (rwa_run){first, here, 1};
    if (count > here)
        run[lists->run_count++] = (rwa_run){0, count - here, 1};
}

static rwa_status push(struct schedule_sink *sink, const struct plan_request *request, rwa_lightpath lp, uint32_t channel, rwa_lists lists,
                       rwa_error *err)
{
    uint32_t w = rwa_network_wavelengths(request->net);
    lp.fiber = channel / w;
    lp.wavelength = channel % w;
    lp.orbit = 1;
    lp.block = lists.runs[0].first;
    assert(lists.block_count > 0);
    return sink_lightpath(sink, &lp, &lists, err);
}

/** From one distance to another on one side, with the blocks of the nodes between two distances. */
static rwa_status push_inwards(struct schedule_sink *sink, const struct plan_request *request, const struct rotated_gather *g,
                               const struct window *w, bool behind, rwa_lightpath lp, uint32_t channel, uint32_t begin, uint32_t end,
                               rwa_error *err)
{
    rwa_run run[2];
    rwa_lists lists = {.runs = run};
    lp.direction = (lp.src > lp.dst) == behind ? RWA_CCW : RWA_CW;
    lp.src = node_at(g, w, lp.src, behind);
    lp.dst = node_at(g, w, lp.dst, behind);
    add_nodes(&lists, run, g->at, node_at(g, w, behind ? begin : end, behind), end - begin + 1);
    return push(sink, request, lp, channel, lists, err);
}

/** The first step, of bundles that come together; each node has a channel for its distance from the centre. */
static rwa_status push_bundles(struct schedule_sink *sink, const struct plan_request *request, const struct rotated_gather *g,
                               const struct window *w, bool behind, rwa_error *err)
{
    uint32_t side = behind ? w->after : w->before;
    for (uint32_t d = 1; d <= side; d++) {
        uint32_t centre = bundle_centre((d + g->bundle / 2) / g->bundle, g->bundle, side), apart = d > centre ? d - centre : centre - d;
        if (apart > 0)
            MUST(push_inwards(sink, request, g, w, behind, (rwa_lightpath){.step = 1, .src = d, .dst = centre}, apart - 1, d, d, err));
    }
    return RWA_OK;
}

/** One of the steps in which centres send to the root, the nearest first. */
static rwa_status push_centres(struct schedule_sink *sink, const struct plan_request *request, const struct rotated_gather *g,
                               const struct window *w, bool behind, uint32_t step, rwa_error *err)
{
    uint32_t side = behind ? w->after : w->before, channels = g->at->channels, bundles = bundles_on(side, g->bundle);
    for (uint32_t k = step * channels + 1; k <= bundles && k <= (step + 1) * channels; k++) {
        rwa_lightpath lp = {.step = step + 1 + (g->bundle > 1), .src = bundle_centre(k, g->bundle, side), .dst = 0};
        MUST(push_inwards(sink, request, g, w, behind, lp, (k - 1) % channels, bundle_begin(k, g->bundle),
                          bundle_end(k, g->bundle, side), err));
    }
    return RWA_OK;
}

static rwa_status push_gather(struct schedule_sink *sink, const struct plan_request *request, const struct rotated_gather *g,
                              rwa_error *err)
{
    const struct window *end = g->window + g->at->blocks;
    for (const struct window *w = g->window; w < end && g->bundle > 1; w++)
        for (int behind = 0; behind < 2; behind++)
            MUST(push_bundles(sink, request, g, w, behind, err));
    for (uint32_t step = 0; step < steps_to_root(g); step++)
        for (const struct window *w = g->window; w < end; w++)
            for (int behind = 0; behind < 2; behind++)
                MUST(push_centres(sink, request, g, w, behind, step, err));
    return sink_end_stage(sink, err);
}

/** A hop of tree j with all blocks of its window that are new at its end. */
static rwa_status push_hop(struct schedule_sink *sink, const struct plan_request *request, const struct rotated_gather *g,
                           const struct rotated_hop *hop, uint32_t j, rwa_error *err)
{
    const struct window *w = &g->window[j];
    uint32_t nodes = g->at->nodes, first = (w->root + nodes - w->before) % nodes, count = nodes_in(w);
    rwa_lightpath lp = {.step = 1, .src = rotated_node(g->at, j, hop->d.from), .dst = rotated_node(g->at, j, hop->to),
                        .direction = (uint8_t)hop->d.way};
    struct range held = held_by(g, w, lp.dst);
    uint32_t before = held.count > 0 ? (held.first + nodes - first) % nodes : count;
    rwa_run run[4];
    rwa_lists lists = {.runs = run};
    add_nodes(&lists, run, g->at, first, before);
    add_nodes(&lists, run, g->at, (held.first + held.count) % nodes, count - before - held.count);
    return push(sink, request, lp, rotated_channel(hop, j), lists, err);
}

static rwa_status push_tree_step(struct schedule_sink *sink, const struct plan_request *request, const struct rotated_gather *g,
                                 uint32_t step, rwa_error *err)
{
    const struct rotated_tree *tree = g->tree;
    for (size_t i = tree->first[2 * (step - 1)]; i < tree->first[2 * step]; i++)
        for (uint32_t j = 0; j < g->at->blocks; j++)
            if (is_needed(g, i, j))
                MUST(push_hop(sink, request, g, &tree->hop[i], j, err));
    return sink_end_stage(sink, err);
}

static rwa_status push_all(struct schedule_sink *sink, const struct plan_request *request, const struct rotated_gather *g, rwa_error *err)
{
    MUST(push_gather(sink, request, g, err));
    if (g->tree->roots > 1)
        MUST(push_tree_step(sink, request, g, g->tree->levels + 1, err));
    for (uint32_t step = 1; step <= g->tree->levels; step++)
        MUST(push_tree_step(sink, request, g, step, err));
    return RWA_OK;
}

static rwa_status gather_plan(struct schedule_sink *sink, const struct plan_request *request, rwa_error *err)
{
    struct rotation at;
    struct rotated_tree tree = {.count = 0};
    struct rotated_gather g = {.window = NULL};
    rwa_status st = RWA_OK;
    if (limit_of(request))
        return scheme_refuse(request, "scheme rotated-gather does not support %s", limit_of(request));
    TRY(rotated_choose(&tree, &at, request, request->parameters->group, err));
    if (tree.count == 0) {
        st = scheme_refuse(request, "rotated trees of this group size have steps that inform no node");
        goto done;
    }
    TRY(open_gather(&g, &tree, &at, request, err));
    TRY(push_all(sink, request, &g, err));
done:
    free(g.window);
    rotated_tree_free(&tree);
    return st;
}

const struct scheme scheme_rotated_gather = {
    .name = "rotated-gather",
    .summary = "nodes send their blocks to the nearest root, and rotated trees bring those of each root to all",
    .source = "this work",
    .collectives = 1u << RWA_ALL_GATHER,
    .needs = NETWORK_CYCLE,
    .reads = READS_GROUP,
    .traits = REVERSIBLE | SEARCHES | RETUNES | LIMITS_LOAD,
    .validate = rotated_validate,
    .estimate = gather_estimate,
    .plan = gather_plan,
};
