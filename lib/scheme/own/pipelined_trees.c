/* SPDX-License-Identifier: GPL-3.0-or-later */
/** A long broadcast in chunks that follow each other down several link-disjoint trees at once, or down one tree on all
 * channels.  All lightpaths are up at the same time, so they are tuned once.  An all-reduce goes up a tree and down
 * again: links lead both ways, so sums of later chunks go up while earlier chunks come down. */
#include "scheme/own/disjoint_trees.h"

#include "delivery/exchange_load.h"
#include "network/translations.h"
#include "rwa/cost.h"
#include "scheme/scheme.h"

/** Limits of the search: nodes of the network, work for packing trees, and lightpaths of a schedule in each
 * direction. */
enum { TREE_NODES = 8192 };
#define PACKING_MOST 4e9
#define LIGHTPATHS_MOST 1048576.0

/** Tell whether the collective is an all-reduce, in which sums go up a tree and then down again. */
static bool sums_and_spreads(const struct plan_request *request)
{
    return request->coll->kind == RWA_ALL_REDUCE;
}

static const char *limit_of(const struct plan_request *request)
{
    const char *limit = scheme_limit_of_circuits(request);
    if (rwa_network_ports(request->net) > 0)
        return "a limit of ports";
    if (sums_and_spreads(request) && !rwa_network_is_paired(request->net))
        return "an all-reduce over links that lead one way only";
    if (rwa_network_nodes(request->net) > TREE_NODES || request->coll->nodes != rwa_network_nodes(request->net))
        return "more than 8192 nodes, or members that are not all nodes";
    return limit;
}

/** Return the number of copies of each tree that carry chunks side by side, on different channels. */
static uint32_t lanes_of(const struct plan_request *request, const struct disjoint_trees *t)
{
    return t->trees > 0 ? rwa_network_channels(request->net) / t->width : 0;
}

static uint64_t blocks_of(const struct plan_request *request, const struct disjoint_trees *t, uint64_t chunks)
{
    return chunks * t->trees * lanes_of(request, t);
}

/** Return the number of steps until the last chunk has arrived everywhere. */
static uint64_t steps_of(const struct plan_request *request, const struct disjoint_trees *t, uint64_t chunks)
{
    return chunks + (sums_and_spreads(request) ? 2 : 1) * t->depth - 1;
}

/** A search for the quickest pipeline. */
struct tree_search {
    const struct plan_request *request;
    rwa_cost_prices price;
    struct estimate best;
};

static double time_of(const struct tree_search *s, const struct disjoint_trees *t, uint64_t chunks)
{
    double bytes = scheme_block_bytes(s->request, blocks_of(s->request, t, chunks)),
           steps = (double)steps_of(s->request, t, chunks);
    return isinf(bytes) ? bytes : s->price.once_s + steps * scheme_step_time(s->request, &s->price, (uint64_t)bytes);
}

static uint64_t most_chunks(const struct plan_request *request, const struct disjoint_trees *t)
{
    enum { BLOCK_BYTES = 64 };
    double blocks = (double)blocks_of(request, t, 1), lightpaths = (t->nodes - 1) * blocks;
    double most = fmin((double)request->coll->message_bytes / BLOCK_BYTES / blocks, LIGHTPATHS_MOST / lightpaths);
    return most > 1 ? (uint64_t)most : 1;
}

/** Return the number of chunks with which the plan takes the least time.  c chunks take (c + w) (a + b / c) seconds,
 * where w + 1 is the number of steps of a single chunk, a the time of a step without data, and b that of the whole
 * message on its lightpaths.  This is least for c² = w b / a, or with the same number of packets in
 * each block, all full. */
static uint64_t best_chunks(const struct tree_search *s, const struct disjoint_trees *t)
{
    double waits = (double)steps_of(s->request, t, 1) - 1,
           bytes = scheme_block_bytes(s->request, blocks_of(s->request, t, 1));
    double most = (double)most_chunks(s->request, t),
           chunks = fmax(1, round(fmin(sqrt(waits * s->price.byte_s * bytes / s->price.step_s), most))),
           packets = ceil(bytes / (double)s->request->opts->cost.packet_bytes);
    uint64_t full = (uint64_t)fmin(most, ceil(packets / ceil(packets / chunks)));
    return time_of(s, t, full) < time_of(s, t, (uint64_t)chunks) ? full : (uint64_t)chunks;
}

/* ---- search ---- */

static void try_trees(struct tree_search *s, const struct disjoint_trees *t, uint32_t kind)
{
    const struct plan_request *request = s->request;
    uint64_t chunks = best_chunks(s, t), blocks = blocks_of(request, t, chunks);
    double time_s = time_of(s, t, chunks);
    if (time_s < s->best.time_s)
        s->best = (struct estimate){.blocks = blocks,
                                    .steps = steps_of(request, t, chunks),
                                    .time_s = time_s,
                                    .set[0].radix = {kind + 1},
                                    .records = (t->nodes - 1.0) * (double)blocks * (sums_and_spreads(request) ? 2 : 1)};
}

/** Tell whether `trees` link-disjoint trees of depth `depth` would take less time than the best plan so far. */
static bool may_win(const struct tree_search *s, uint32_t trees, uint32_t depth)
{
    struct disjoint_trees t = {.nodes = rwa_network_nodes(s->request->net), .trees = trees, .width = 1, .depth = depth};
    return time_of(s, &t, best_chunks(s, &t)) < s->best.time_s;
}

/** Choose the root of the trees: for a broadcast it is given; for an all-reduce it is the node nearest to all
 * others (any node on a transitive network). */
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

/** Make trees of the kind that a number gives.  On listed links `kind` is the number of link-disjoint trees; on rings
 * and lines it is the width (channels) of a single tree, or 0 for two paths round a ring, one in each direction. */
static rwa_status make_trees(struct disjoint_trees *out, const struct plan_request *request, uint32_t kind,
                             rwa_error *err)
{
    uint32_t root;
    MUST(find_root(&root, request, err));
    if (!network_has_arcs(request->net))
        return disjoint_trees_pack(out, request->net, root, kind, err);
    /* sums go up over the links that lightpaths back would take */
    struct arc_shape shape = {kind > 0 ? kind : 1, sums_and_spreads(request) ? 0 : kind, kind == 0,
                              request->opts->max_hops};
    return arc_trees_make(out, request->net, root, &shape, err);
}

/** Estimate the time with the trees that make_trees() makes for `kind`, and keep the estimate if it is the best. *found
 * receives only their number and depth. */
static rwa_status try_kind(struct tree_search *s, struct disjoint_trees *found, uint32_t kind, rwa_error *err)
{
    struct disjoint_trees trees = {0};
    rwa_status st = make_trees(&trees, s->request, kind, err);
    *found = (struct disjoint_trees){.trees = trees.trees, .depth = trees.depth};
    if (st == RWA_OK && trees.trees > 0)
        try_trees(s, &trees, kind);
    disjoint_trees_free(&trees);
    return st;
}

/** Try trees of increasing width (channels) on a ring or line, until one has depth 1. */
static rwa_status try_arcs(struct tree_search *s, rwa_error *err)
{
    uint32_t channels = rwa_network_channels(s->request->net), widest = channels < ARC_WIDTH ? channels : ARC_WIDTH;
    struct disjoint_trees found = {.depth = UINT32_MAX};
    bool round = network_is_cycle(s->request->net) && !sums_and_spreads(s->request);
    for (uint32_t width = round ? 0 : 1; width <= widest && found.depth > 1; width++)
        MUST(try_kind(s, &found, width, err));
    return RWA_OK;
}

/** Return the largest number of trees to try; 1 for an all-reduce, whose sums go up over the links that other trees
 * would need. */
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

/** Try one tree, which has the fewest steps; then the largest number of trees; then fewer trees, which are less
 * deep. */
static rwa_status try_numbers(struct tree_search *s, rwa_error *err)
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
    struct tree_search s = {.request = request, .best.time_s = scheme_time_limit(request)};
    *out = scheme_no_estimate(request);
    if (limit_of(request))
        return RWA_OK;
    MUST(rwa_cost_floor(&s.price, rwa_network_rate_bps(request->net), &request->opts->cost, err));
    MUST((network_has_arcs(request->net) ? try_arcs : try_numbers)(&s, err));
    if (s.best.steps > 0)
        *out = s.best;
    return RWA_OK;
}

/* ---- plan ---- */

/** Push a chunk over one branch of a tree: from the parent of a node to the node or, if `up`, from the node to its
 * parent, which adds it to its own.  `at` is tree * nodes + node. */
static rwa_status push_chunk(struct schedule_sink *sink, const struct plan_request *request,
                             const struct disjoint_trees *t, size_t at, uint64_t chunk, bool up)
{
    const rwa_network *net = request->net;
    uint32_t node = (uint32_t)(at % t->nodes), lanes = lanes_of(request, t);
    uint32_t path[] = {up ? node : t->parent[at], up ? t->parent[at] : node};
    rwa_lists lists = {.path = network_has_arcs(net) ? NULL : path, .path_nodes = network_has_arcs(net) ? 0 : 2};
    for (uint32_t lane = 0; lane < lanes; lane++) {
        rwa_lightpath lp = {.step = 1,
                            .src = path[0],
                            .dst = path[1],
                            .wavelength = lane * t->width + t->channel[at],
                            .orbit = 1,
                            .block = (chunk * t->trees + at / t->nodes) * lanes + lane,
                            .op = up ? RWA_REDUCE : RWA_COPY,
                            .direction = t->ccw[at] != up ? RWA_CCW : RWA_CW};
        MUST(sink_lightpath(sink, &lp, &lists));
    }
    return RWA_OK;
}

/** Push one step of the pipeline.  Each chunk leaves the root one step after the chunk before it; in an all-reduce the
 * first chunk leaves once the sums from the farthest nodes have arrived. */
static rwa_status push_step(struct schedule_sink *sink, const struct plan_request *request,
                            const struct disjoint_trees *t, uint64_t chunks, uint64_t step)
{
    uint64_t rise = sums_and_spreads(request) ? t->depth : 0;
    for (size_t at = 0; at < (size_t)t->trees * t->nodes; at++) {
        uint64_t up = rise + 1 - t->hops[at], down = rise + t->hops[at];
        if (t->hops[at] == 0)
            continue;
        if (rise > 0 && step >= up && step - up < chunks)
            MUST(push_chunk(sink, request, t, at, step - up, true));
        if (step >= down && step - down < chunks)
            MUST(push_chunk(sink, request, t, at, step - down, false));
    }
    return sink_end_stage(sink);
}

static rwa_status plan_pipelined(struct schedule_sink *sink, const struct plan_request *request)
{
    struct disjoint_trees trees = {0};
    rwa_status st = RWA_OK;
    uint32_t kind = request->parameters->radix[0]; /* plus 1; 0: estimate() found none */
    if (limit_of(request))
        return scheme_refuse(request, "scheme pipelined-trees does not support %s", limit_of(request));
    if (kind > 0)
        TRY(make_trees(&trees, request, kind - 1, sink->err));
    uint64_t one = blocks_of(request, &trees, 1),
             chunks = one > 0 && request->coll->blocks % one == 0 ? request->coll->blocks / one : 0;
    if (chunks == 0)
        st = scheme_refuse(request,
                           "scheme pipelined-trees cuts the message otherwise, or is not quicker than other schemes");
    for (uint64_t step = 1; chunks > 0 && step <= steps_of(request, &trees, chunks); step++)
        TRY(push_step(sink, request, &trees, chunks, step));
done:
    disjoint_trees_free(&trees);
    return st;
}

const struct scheme scheme_pipelined_trees = {
    .name = "pipelined-trees",
    .summary = "chunks of the message follow each other down trees that share no link",
    .source = "Edmonds 1973 on the trees; rwa's own, unpublished",
    .collectives = 1u << RWA_BROADCAST | 1u << RWA_ALL_REDUCE,
    .needs = NETWORK_ARCS | NETWORK_LISTED,
    .traits = SEARCHES | KEEPS_LIGHTPATHS | SHORTENS | REVERSIBLE,
    .estimate = estimate_pipelined,
    .plan = plan_pipelined,
};
