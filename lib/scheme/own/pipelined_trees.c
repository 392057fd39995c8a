/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * A long broadcast in chunks that follow each other down several trees at once, which share no link, or down one tree on all channels.
 * Every lightpath stays up while chunks pass.
 */
#include "scheme/own/disjoint_trees.h"

#include "network/translations.h"
#include "rwa/cost.h"
#include "scheme/scheme.h"

/** Searched are trees of networks of up to so many nodes, and of rings and lines; schedules of up to so many lightpaths. */
enum { TREE_NODES = 1024, RING_NODES = 8192 };
#define LIGHTPATHS_MOST 1048576.0

/** Reserved channels and links that are not alike would have to be counted one by one. */
static const char *limit_of(const struct plan_request *request)
{
    rwa_faults faults;
    rwa_network_faults(&faults, request->net);
    if (rwa_network_ports(request->net) > 0)
        return "a limit of ports";
    if (faults.channel_count + faults.link_count > 0 || !network_is_uniform(request->net))
        return "links that are not alike, reserved channels or failed links";
    if (!network_has_arcs(request->net) && network_has_parallel_links(request->net))
        return "parallel links";
    uint32_t nodes = rwa_network_nodes(request->net);
    if (nodes > (network_has_arcs(request->net) ? RING_NODES : TREE_NODES) || request->coll->nodes != nodes)
        return "more than 1024 nodes, 8192 on rings and lines, or some of them";
    return request->opts->stripes > 1 ? "stripes, since it cuts blocks by itself" : NULL;
}

/** Each tree is there so many times, side by side. */
static uint32_t lanes_of(const struct plan_request *request, const struct disjoint_trees *t)
{
    return rwa_network_channels(request->net) / t->width;
}

static uint64_t blocks_of(const struct plan_request *request, const struct disjoint_trees *t, uint64_t chunks)
{
    return chunks * t->trees * lanes_of(request, t);
}

/** Until the last chunk has gone all the way. */
static uint64_t steps_of(const struct disjoint_trees *t, uint64_t chunks)
{
    return chunks + t->depth - 1;
}

/** The lightpaths of depth d come up in step d.  In the model `overlap` they are tuned from the beginning on. */
static double time_of(const struct plan_request *request, const struct disjoint_trees *t, uint64_t chunks)
{
    const rwa_cost_options *cost = &request->opts->cost;
    rwa_collective cut;
    double steps = (double)steps_of(t, chunks), sent_s;
    if (rwa_collective_init(&cut, RWA_BROADCAST, request->coll->nodes, request->coll->root, request->coll->message_bytes,
                            blocks_of(request, t, chunks), NULL) != RWA_OK)
        return INFINITY;
    sent_s = steps * (rwa_cost_steps(1, cut.block_bytes, rwa_network_rate_bps(request->net), cost) - cost->reconfig_s);
    switch (cost->model) {
    case RWA_COST_CIRCUIT:
        return sent_s + steps * cost->alpha_s + t->depth * cost->reconfig_s;
    case RWA_COST_OVERLAP:
        return sent_s + fmax(cost->alpha_s, cost->reconfig_s) + (steps - 1) * cost->alpha_s;
    default:
        return sent_s + steps * cost->reconfig_s;
    }
}

static uint64_t most_chunks(const struct plan_request *request, const struct disjoint_trees *t)
{
    enum { BLOCK_BYTES = 64 };
    double lightpaths = (double)(t->nodes - 1) * (double)blocks_of(request, t, 1);
    double most = fmin((double)request->coll->message_bytes / BLOCK_BYTES / (double)blocks_of(request, t, 1), LIGHTPATHS_MOST / lightpaths);
    return most > 1 ? (uint64_t)most : 1;
}

/** The time is convex in the number of chunks, but for rounding. */
static uint64_t best_chunks(const struct plan_request *request, const struct disjoint_trees *t)
{
    uint64_t low = 1, high = most_chunks(request, t);
    while (high - low > 2) {
        uint64_t left = low + (high - low) / 3, right = high - (high - low) / 3;
        if (time_of(request, t, left) <= time_of(request, t, right))
            high = right;
        else
            low = left;
    }
    for (uint64_t chunks = low; chunks <= high; chunks++)
        low = time_of(request, t, chunks) < time_of(request, t, low) ? chunks : low;
    return low;
}

static double best_time(const struct plan_request *request, const struct disjoint_trees *t)
{
    return time_of(request, t, best_chunks(request, t));
}

/** Whether so many trees may take less than that if they have `depth` steps. */
static bool may_win(const struct plan_request *request, uint32_t trees, uint32_t depth, double below_s)
{
    struct disjoint_trees t = {.nodes = rwa_network_nodes(request->net), .trees = trees, .width = 1, .depth = depth};
    return best_time(request, &t) < below_s;
}

/** So many trees that share no link; on rings and lines one of this width; on rings, 0: a path each way round. */
static rwa_status make_trees(struct disjoint_trees *out, const struct plan_request *request, uint32_t kind, rwa_error *err)
{
    uint32_t root = request->coll->root, number = kind > 0 ? kind : 1;
    if (network_is_cycle(request->net) && kind == 0)
        return arc_paths_make(out, request->net, root, err);
    return (network_has_arcs(request->net) ? arc_tree_make : disjoint_trees_pack)(out, request->net, root, number, err);
}

/** *found: the number of trees and their depth; nothing else of them. */
static rwa_status try_kind(struct estimate *best, struct disjoint_trees *found, const struct plan_request *request, uint32_t kind,
                           rwa_error *err)
{
    struct disjoint_trees trees = {0};
    rwa_status st = make_trees(&trees, request, kind, err);
    *found = (struct disjoint_trees){.trees = trees.trees, .depth = trees.depth};
    if (st == RWA_OK && trees.trees > 0 && best_time(request, &trees) < best->time_s) {
        uint64_t chunks = best_chunks(request, &trees);
        *best = (struct estimate){.blocks = blocks_of(request, &trees, chunks), .steps = steps_of(&trees, chunks),
                                  .time_s = time_of(request, &trees, chunks), .reconfigurations = trees.depth, .set[0].radix[0] = kind,
                                  .records = (double)blocks_of(request, &trees, chunks) * (trees.nodes - 1)};
    }
    disjoint_trees_free(&trees);
    return st;
}

/** A wider tree is worth a try as long as the last one had more than one step. */
static rwa_status try_arcs(struct estimate *best, const struct plan_request *request, rwa_error *err)
{
    uint32_t channels = rwa_network_channels(request->net), widest = channels < ARC_WIDTH ? channels : ARC_WIDTH;
    struct disjoint_trees found = {.depth = UINT32_MAX};
    for (uint32_t width = network_is_cycle(request->net) ? 0 : 1; width <= widest && found.depth > 1; width++)
        MUST(try_kind(best, &found, request, width, err));
    return RWA_OK;
}

/** One tree, which has as few steps as any, and then as many as there are and fewer: the fewer, the less deep. */
static rwa_status try_numbers(struct estimate *best, const struct plan_request *request, rwa_error *err)
{
    const rwa_network *net = request->net;
    uint32_t root = request->coll->root, trees = net->first[root + 1] - net->first[root];
    struct disjoint_trees one, found;
    if (!may_win(request, trees, 1, best->time_s))
        return RWA_OK;
    MUST(try_kind(best, &one, request, 1, err));
    for (trees = trees < TREES_MOST ? trees : TREES_MOST; trees > 1 && may_win(request, trees, one.depth, best->time_s); trees--) {
        MUST(try_kind(best, &found, request, trees, err));
        trees = found.trees;
    }
    return RWA_OK;
}

static rwa_status estimate_pipelined(struct estimate *out, const struct plan_request *request, rwa_error *err)
{
    struct estimate best = {.time_s = request->below_s > 0 ? request->below_s : INFINITY};
    out->least_s = request->below_s > 0 ? 1e299 : 0; /* longer than anything takes that can be done */
    if (limit_of(request))
        return RWA_OK;
    MUST((network_has_arcs(request->net) ? try_arcs : try_numbers)(&best, request, err));
    if (best.steps > 0)
        *out = best;
    return RWA_OK;
}

/** The chunk of a tree on its lightpaths to a node: a block for each lane. */
static rwa_status push_chunk(struct schedule_sink *sink, const struct plan_request *request, const struct disjoint_trees *t, uint32_t tree,
                             uint32_t node, uint64_t chunk, rwa_error *err)
{
    size_t at = (size_t)tree * t->nodes + node;
    uint32_t path[] = {t->parent[at], node}, lanes = lanes_of(request, t), w = rwa_network_wavelengths(request->net);
    rwa_lists lists = {.path = network_has_arcs(request->net) ? NULL : path, .path_nodes = network_has_arcs(request->net) ? 0 : 2};
    for (uint32_t lane = 0; lane < lanes; lane++) {
        uint32_t channel = lane * t->width + t->channel[at];
        rwa_lightpath lp = {.step = 1, .src = path[0], .dst = node, .fiber = channel / w, .wavelength = channel % w, .orbit = 1,
                            .block = (chunk * t->trees + tree) * lanes + lane, .direction = t->ccw[at] ? RWA_CCW : RWA_CW};
        MUST(sink_lightpath(sink, &lp, &lists, err));
    }
    return RWA_OK;
}

static rwa_status push_steps(struct schedule_sink *sink, const struct plan_request *request, const struct disjoint_trees *t,
                             uint64_t chunks, rwa_error *err)
{
    for (uint64_t step = 1; step <= steps_of(t, chunks); step++) {
        for (uint32_t tree = 0; tree < t->trees; tree++)
            for (uint32_t v = 0; v < t->nodes; v++) {
                uint32_t hops = t->hops[(size_t)tree * t->nodes + v];
                if (hops > 0 && step >= hops && step - hops < chunks)
                    MUST(push_chunk(sink, request, t, tree, v, step - hops, err));
            }
        MUST(sink_end_stage(sink, err));
    }
    return RWA_OK;
}

static rwa_status plan_pipelined(struct schedule_sink *sink, const struct plan_request *request, rwa_error *err)
{
    struct disjoint_trees trees = {0};
    rwa_status st = RWA_OK;
    if (limit_of(request))
        return scheme_refuse(request, "scheme pipelined-trees does not keep to %s", limit_of(request));
    TRY(make_trees(&trees, request, request->parameters->radix[0], err));
    if (trees.trees == 0) {
        st = scheme_refuse(request, "a node cannot be reached from the root");
        goto done;
    }
    uint64_t chunks = request->coll->blocks / blocks_of(request, &trees, 1);
    if (blocks_of(request, &trees, chunks) != request->coll->blocks) {
        st = scheme_refuse(request, "scheme pipelined-trees cuts the message otherwise, or is not quicker than other schemes");
        goto done;
    }
    TRY(push_steps(sink, request, &trees, chunks, err));
done:
    disjoint_trees_free(&trees);
    return st;
}

const struct scheme scheme_pipelined_trees = {
    .name = "pipelined-trees",
    .summary = "chunks of the message follow each other down trees that share no link",
    .source = "Edmonds 1973 on the trees; this work",
    .collectives = 1u << RWA_BROADCAST,
    .needs = NETWORK_ARCS | NETWORK_LISTED,
    .traits = REVERSIBLE | SEARCHES | KEEPS_LIGHTPATHS | SHORTENS,
    .estimate = estimate_pipelined,
    .plan = plan_pipelined,
};
