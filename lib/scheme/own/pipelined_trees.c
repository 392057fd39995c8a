/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * A long broadcast in chunks that follow each other down several trees at once, which share no link, or down one tree on all channels.
 * All lightpaths fit together, so that they are tuned once.  An all-reduce goes up a tree and down again: links lead both ways, so sums of
 * later chunks rise while earlier ones come down.
 */
#include "scheme/own/disjoint_trees.h"

#include "delivery/exchange_load.h"
#include "network/translations.h"
#include "rwa/cost.h"
#include "scheme/scheme.h"

/** Searched are trees of networks of up to so many nodes, and as many at once as take about so much work; schedules of up to so many
 *  lightpaths each way. */
enum { TREE_NODES = 8192 };
#define PACKING_MOST 4e9
#define LIGHTPATHS_MOST 1048576.0

/** Whether sums go up a tree and down again. */
static bool sums_and_spreads(const struct plan_request *request)
{
    return request->coll->kind == RWA_ALL_REDUCE;
}

/** Reserved channels and links that are not alike would have to be counted one by one. */
static const char *limit_of(const struct plan_request *request)
{
    if (rwa_network_ports(request->net) > 0)
        return "a limit of ports";
    if (network_has_reserved(request->net) || !network_is_uniform(request->net))
        return "links that are not alike, reserved channels or failed links";
    if (!network_has_arcs(request->net) && network_has_parallel_links(request->net))
        return "parallel links";
    if (sums_and_spreads(request) && !rwa_network_is_paired(request->net))
        return "an all-reduce over links that lead one way only";
    if (rwa_network_nodes(request->net) > TREE_NODES || request->coll->nodes != rwa_network_nodes(request->net))
        return "more than 8192 nodes, or members that are not all nodes";
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
static uint64_t steps_of(const struct plan_request *request, const struct disjoint_trees *t, uint64_t chunks)
{
    return chunks + (sums_and_spreads(request) ? 2 : 1) * t->depth - 1;
}

static double time_of(const struct plan_request *request, const struct disjoint_trees *t, uint64_t chunks)
{
    const rwa_cost_options *cost = &request->opts->cost;
    const rwa_collective *coll = request->coll;
    rwa_collective cut;
    if (rwa_collective_init(&cut, coll->kind, coll->nodes, coll->root, coll->message_bytes, blocks_of(request, t, chunks), NULL) != RWA_OK)
        return INFINITY;
    double send_s = rwa_cost_steps(1, cut.block_bytes, rwa_network_rate_bps(request->net), cost) - cost->reconfig_s;
    double steps = (double)steps_of(request, t, chunks);
    switch (cost->model) {
    case RWA_COST_PAPER: return steps * (send_s + cost->reconfig_s);
    case RWA_COST_CIRCUIT: return steps * (send_s + cost->alpha_s) + cost->reconfig_s;
    case RWA_COST_OVERLAP: break;
    }
    return steps * (send_s + cost->alpha_s) + fmax(cost->reconfig_s - cost->alpha_s, 0);
}

static uint64_t most_chunks(const struct plan_request *request, const struct disjoint_trees *t)
{
    enum { BLOCK_BYTES = 64 };
    double directions = sums_and_spreads(request) ? 2 : 1, blocks = (double)blocks_of(request, t, 1);
    double lightpaths = directions * (t->nodes - 1) * blocks;
    double most = fmin((double)request->coll->message_bytes / BLOCK_BYTES / blocks, directions * LIGHTPATHS_MOST / lightpaths);
    return most > 1 ? (uint64_t)most : 1;
}

/** The time is convex in the number of chunks, but for rounding. */
static uint64_t best_chunks(const struct plan_request *p, const struct disjoint_trees *t)
{
    uint64_t low = 1, high = most_chunks(p, t);
    while (high - low > 2) {
        uint64_t left = low + (high - low) / 3, right = high - (high - low) / 3;
        if (time_of(p, t, left) <= time_of(p, t, right))
            high = right;
        else
            low = left;
    }
    for (uint64_t chunks = low; chunks <= high; chunks++)
        low = time_of(p, t, chunks) < time_of(p, t, low) ? chunks : low;
    return low;
}

/* ---- search ---- */

/** What estimate() found. */
struct pipelined_draft {
    struct draft draft;         /* first: a draft is one */
    const rwa_network *net;     /* borrowed */
    struct disjoint_trees trees;
};

static void release_draft(struct draft *draft)
{
    struct pipelined_draft *d = (struct pipelined_draft *)draft;
    disjoint_trees_free(&d->trees);
    free(d);
}

/** The request's, if it is for its network; else NULL. */
static const struct pipelined_draft *draft_of(const struct plan_request *request)
{
    const struct pipelined_draft *draft = (const struct pipelined_draft *)request->draft;
    return draft && draft->net == request->net ? draft : NULL;
}

/** A search for the quickest pipeline. */
struct search {
    const struct plan_request *request;
    struct estimate best;
    struct pipelined_draft *draft;  /* its trees */
};

static void try_trees(struct search *s, const struct disjoint_trees *t, uint32_t kind)
{
    const struct plan_request *request = s->request;
    uint64_t chunks = best_chunks(request, t);
    double time_s = time_of(request, t, chunks);
    if (time_s < s->best.time_s)
        s->best = (struct estimate){.blocks = blocks_of(request, t, chunks), .steps = steps_of(request, t, chunks), .time_s = time_s,
                                    .reconfigurations = 1, .set[0].radix = {kind + 1},
                                    .records = (double)(t->nodes - 1) * (double)blocks_of(request, t, chunks) *
                                               (sums_and_spreads(request) ? 2 : 1)};
}

/** Whether so many trees may take less than the best so far if they have `depth` steps. */
static bool may_win(const struct search *s, uint32_t trees, uint32_t depth)
{
    struct disjoint_trees t = {.nodes = rwa_network_nodes(s->request->net), .trees = trees, .width = 1, .depth = depth};
    return time_of(s->request, &t, best_chunks(s->request, &t)) < s->best.time_s;
}

/** An all-reduce has its own: from where a broadcast to all is shortest; where all nodes are alike, any. */
static rwa_status find_root(uint32_t *root, const struct plan_request *request, rwa_error *err)
{
    struct distances d = {0};
    *root = request->coll->root;
    if (!sums_and_spreads(request) || network_is_transitive(request->net))
        return RWA_OK;
    rwa_status st = distances_open(&d, request->net, err);
    *root = st == RWA_OK ? distances_centre(&d, NULL, request->coll->nodes) : 0;
    distances_free(&d);
    return st;
}

/** So many trees that share no link; on rings and lines one of this width; on rings, 0: a path each way round. */
static rwa_status make_trees(struct disjoint_trees *out, const struct plan_request *request, uint32_t kind, rwa_error *err)
{
    uint32_t root;
    MUST(find_root(&root, request, err));
    if (!network_has_arcs(request->net))
        return disjoint_trees_pack(out, request->net, root, kind, err);
    /* sums go up over the links that lightpaths back would take */
    struct arc_shape shape = {kind > 0 ? kind : 1, sums_and_spreads(request) ? 0 : kind, kind == 0};
    return arc_trees_make(out, request->net, root, &shape, err);
}

/** *found: the number of trees and their depth; nothing else of them. */
static rwa_status try_kind(struct search *s, struct disjoint_trees *found, uint32_t kind, rwa_error *err)
{
    struct disjoint_trees trees = {0}, *best = &s->draft->trees;
    double before_s = s->best.time_s;
    rwa_status st = make_trees(&trees, s->request, kind, err);
    *found = (struct disjoint_trees){.trees = trees.trees, .depth = trees.depth};
    if (st == RWA_OK && trees.trees > 0)
        try_trees(s, &trees, kind);
    if (s->best.time_s < before_s) {
        struct disjoint_trees slower = *best;
        *best = trees;
        trees = slower;
    }
    disjoint_trees_free(&trees);
    return st;
}

/** A wider tree is worth a try as long as the last one had more than one step. */
static rwa_status try_arcs(struct search *s, rwa_error *err)
{
    uint32_t channels = rwa_network_channels(s->request->net), widest = channels < ARC_WIDTH ? channels : ARC_WIDTH;
    struct disjoint_trees found = {.depth = UINT32_MAX};
    if (sums_and_spreads(s->request))
        return try_kind(s, &found, 1, err);
    for (uint32_t width = network_is_cycle(s->request->net) ? 0 : 1; width <= widest && found.depth > 1; width++)
        MUST(try_kind(s, &found, width, err));
    return RWA_OK;
}

/** Trees, at most: one where sums go up over the links that the others would need. */
static uint32_t most_trees(const struct plan_request *request)
{
    const rwa_network *net = request->net;
    uint32_t root = request->coll->root, out = 0;
    for (uint32_t l = 0; l < net->link_count; l++)
        out += net->links[l].from == root;
    double work = sqrt(PACKING_MOST / net->link_count / net->nodes);
    uint32_t most = sums_and_spreads(request) || work < 2 ? 1 : work < TREES_MOST ? (uint32_t)work : TREES_MOST;
    return out < most ? out : most;
}

/** One tree, which has as few steps as any, and then as many as there are and fewer: the fewer, the less deep. */
static rwa_status try_numbers(struct search *s, rwa_error *err)
{
    uint32_t trees = most_trees(s->request);
    struct disjoint_trees one, found;
    if (!may_win(s, trees, 1))
        return RWA_OK;
    MUST(try_kind(s, &one, 1, err));
    for (; trees > 1 && may_win(s, trees, one.depth); trees--) {
        MUST(try_kind(s, &found, trees, err));
        trees = found.trees;
    }
    return RWA_OK;
}

static rwa_status estimate_pipelined(struct estimate *out, const struct plan_request *request, rwa_error *err)
{
    struct search s = {.request = request, .best.time_s = scheme_time_limit(request)};
    rwa_status st = RWA_OK;
    *out = scheme_no_estimate(request);
    if (limit_of(request))
        return RWA_OK;
    TRY(base_new(s.draft, 1, err));
    s.draft->draft.release = release_draft;
    s.draft->net = request->net;
    TRY((network_has_arcs(request->net) ? try_arcs : try_numbers)(&s, err));
    if (s.best.steps > 0) {
        *out = s.best;
        out->draft = &s.draft->draft;
        s.draft = NULL;
    }
done:
    if (s.draft)
        release_draft(&s.draft->draft);
    return st;
}

/* ---- plan ---- */

/** A chunk goes over the lightpaths of a tree to a node, or up from it to be added. */
static rwa_status push_chunk(struct schedule_sink *sink, const struct plan_request *request, const struct disjoint_trees *t, size_t at,
                             uint64_t chunk, bool up, rwa_error *err)
{
    const rwa_network *net = request->net;
    uint32_t node = (uint32_t)(at % t->nodes), w = rwa_network_wavelengths(net), lanes = lanes_of(request, t);
    uint32_t path[] = {up ? node : t->parent[at], up ? t->parent[at] : node};
    rwa_lists lists = {.path = network_has_arcs(net) ? NULL : path, .path_nodes = network_has_arcs(net) ? 0 : 2};
    for (uint32_t lane = 0; lane < lanes; lane++) {
        uint32_t channel = lane * t->width + t->channel[at];
        rwa_lightpath lp = {.step = 1, .src = path[0], .dst = path[1], .fiber = channel / w, .wavelength = channel % w, .orbit = 1,
                            .block = (chunk * t->trees + at / t->nodes) * lanes + lane, .op = up ? RWA_REDUCE : RWA_COPY,
                            .direction = t->ccw[at] != up ? RWA_CCW : RWA_CW};
        MUST(sink_lightpath(sink, &lp, &lists, err));
    }
    return RWA_OK;
}

/** A chunk leaves the root a step after the one before, of an all-reduce once it has come from the farthest nodes and been summed. */
static rwa_status push_step(struct schedule_sink *sink, const struct plan_request *request, const struct disjoint_trees *t, uint64_t chunks,
                            uint64_t step, rwa_error *err)
{
    uint64_t rise = sums_and_spreads(request) ? t->depth : 0;
    for (size_t at = 0; at < (size_t)t->trees * t->nodes; at++) {
        uint64_t up = rise + 1 - t->hops[at], down = rise + t->hops[at];
        if (t->hops[at] == 0)
            continue;
        if (rise > 0 && step >= up && step - up < chunks)
            MUST(push_chunk(sink, request, t, at, step - up, true, err));
        if (step >= down && step - down < chunks)
            MUST(push_chunk(sink, request, t, at, step - down, false, err));
    }
    return sink_end_stage(sink, err);
}

static rwa_status plan_pipelined(struct schedule_sink *sink, const struct plan_request *request, rwa_error *err)
{
    const struct pipelined_draft *draft = draft_of(request);
    struct disjoint_trees own = {0};
    const struct disjoint_trees *trees = draft ? &draft->trees : &own;
    rwa_status st = RWA_OK;
    uint32_t kind = request->parameters->radix[0]; /* plus 1; 0: estimate() found none */
    if (limit_of(request))
        return scheme_refuse(request, "scheme pipelined-trees does not support %s", limit_of(request));
    if (kind == 0)
        return scheme_refuse(request, "scheme pipelined-trees cuts the message otherwise, or is not quicker than other schemes");
    if (trees == &own)
        TRY(make_trees(&own, request, kind - 1, err));
    if (trees->trees == 0) {
        st = scheme_refuse(request, "a node cannot be reached from the root");
        goto done;
    }
    uint64_t chunks = request->coll->blocks / blocks_of(request, trees, 1);
    if (chunks == 0 || blocks_of(request, trees, chunks) != request->coll->blocks) {
        st = scheme_refuse(request, "scheme pipelined-trees cuts the message otherwise, or is not quicker than other schemes");
        goto done;
    }
    for (uint64_t step = 1; step <= steps_of(request, trees, chunks); step++)
        TRY(push_step(sink, request, trees, chunks, step, err));
done:
    disjoint_trees_free(&own);
    return st;
}

const struct scheme scheme_pipelined_trees = {
    .name = "pipelined-trees",
    .summary = "chunks of the message follow each other down trees that share no link",
    .source = "Edmonds 1973 on the trees; this work",
    .collectives = 1u << RWA_BROADCAST | 1u << RWA_ALL_REDUCE,
    .needs = NETWORK_ARCS | NETWORK_LISTED,
    .traits = SEARCHES | KEEPS_LIGHTPATHS | SHORTENS | REVERSIBLE,
    .estimate = estimate_pipelined,
    .plan = plan_pipelined,
};
