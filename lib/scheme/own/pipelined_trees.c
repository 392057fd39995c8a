/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * A long broadcast in chunks that follow each other down several trees at once, which share no link, or down one tree on all channels.
 * Every lightpath stays up while chunks pass.  Where each step with new lightpaths pays for them, a lightpath comes up as soon as its
 * source has anything to send, and one block may go to many nodes first, so that theirs come up together.  A reduce goes up the trees, and
 * all lightpaths come up at once where that pays.  An all-reduce goes up a tree and down again: links lead both ways, so sums of later
 * chunks rise while earlier ones come down.
 */
#include "scheme/own/rising_sums.h"

#include "delivery/exchange_load.h"
#include "network/translations.h"
#include "rwa/cost.h"
#include "scheme/seed.h"

/** Searched are trees of networks of up to so many nodes, and as many at once as take about so much work; schedules of up to so many
 *  lightpaths each way. */
enum { TREE_NODES = 8192 };
#define PACKING_MOST 4e9
/** Seeds for a number of trees each, on networks of up to so many. */
enum { PASSING_NODES = 128 };
#define LIGHTPATHS_MOST 1048576.0
#define NO_BLOCK UINT64_MAX

/** Whether sums go up a tree and down again. */
static bool sums_and_spreads(const struct plan_request *request)
{
    return request->coll->kind == RWA_ALL_REDUCE;
}

/** Whether sums go up trees, and no further. */
static bool only_sums(const struct plan_request *request)
{
    return request->coll->kind == RWA_ROOTED_REDUCE;
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

/** How the chunks go: a chunk of a lane is of so many blocks, so many steps of a seed come first, and lightpaths come up in so many steps
 *  after it. */
struct pipeline {
    const struct plan_request *request;
    uint32_t parts, seed, rises;
    bool early;                 /* of a reduce: all lightpaths come up at once */
    uint64_t chunks;            /* there must be at least */
};

static uint64_t blocks_of(const struct pipeline *p, const struct disjoint_trees *t, uint64_t chunks)
{
    return chunks * t->trees * lanes_of(p->request, t) * p->parts;
}

/** Until the last chunk has gone all the way. */
static uint64_t steps_of(const struct pipeline *p, const struct disjoint_trees *t, uint64_t chunks)
{
    return p->seed + chunks + (sums_and_spreads(p->request) ? 2 : 1) * t->depth - 1;
}

/** Steps with new lightpaths. */
static uint32_t settings_of(const struct pipeline *p)
{
    return (p->seed + p->rises) * (sums_and_spreads(p->request) ? 2 : 1);
}

/** Seconds of a step beside tuning. */
static double step_s(const struct pipeline *p, uint64_t bytes)
{
    const rwa_cost_options *cost = &p->request->opts->cost;
    double start_s = cost->model == RWA_COST_PAPER ? 0 : cost->alpha_s;
    return start_s + rwa_cost_steps(1, bytes, rwa_network_rate_bps(p->request->net), cost) - cost->reconfig_s;
}

/** In the model `overlap` lightpaths are tuned from the beginning on. */
static double time_of(const struct pipeline *p, const struct disjoint_trees *t, uint64_t chunks)
{
    const rwa_cost_options *cost = &p->request->opts->cost;
    const rwa_collective *coll = p->request->coll;
    rwa_collective cut;
    double steps = (double)steps_of(p, t, chunks), sent_s;
    if (rwa_collective_init(&cut, coll->kind, coll->nodes, coll->root, coll->message_bytes, blocks_of(p, t, chunks), NULL) != RWA_OK)
        return INFINITY;
    sent_s = (steps - p->seed) * step_s(p, cut.block_bytes * p->parts) + p->seed * step_s(p, cut.block_bytes);
    switch (cost->model) {
    case RWA_COST_CIRCUIT: return sent_s + settings_of(p) * cost->reconfig_s;
    case RWA_COST_OVERLAP: return sent_s + fmax(cost->alpha_s, cost->reconfig_s) - cost->alpha_s;
    default: return sent_s + steps * cost->reconfig_s;
    }
}

static uint64_t most_chunks(const struct pipeline *p, const struct disjoint_trees *t)
{
    enum { BLOCK_BYTES = 64 };
    double ways = sums_and_spreads(p->request) ? 2 : 1;
    double blocks = (double)blocks_of(p, t, 1), lightpaths = ways * (t->nodes - 1) * blocks / p->parts;
    double most = fmin((double)p->request->coll->message_bytes / BLOCK_BYTES / blocks, ways * LIGHTPATHS_MOST / lightpaths);
    return most > (double)p->chunks ? (uint64_t)most : p->chunks;
}

/** The time is convex in the number of chunks, but for rounding. */
static uint64_t best_chunks(const struct pipeline *p, const struct disjoint_trees *t)
{
    uint64_t low = p->chunks, high = most_chunks(p, t);
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

/* ---- when lightpaths come up ---- */

/** Whether lightpaths that carry nothing new are kept up, by a block that their source has: a node receives it once more, which is in the
 *  way when the plan is run backwards. */
static bool fills(const struct plan_request *request)
{
    const rwa_cost_options *cost = &request->opts->cost;
    return cost->model == RWA_COST_CIRCUIT && cost->reconfig_s > 0 && !request->sums && !request->once;
}

/** The step of the pipeline in which each lightpath comes up, and a block to keep it up with. */
struct rise {
    uint32_t *since;            /* [tree][node], from 1; 0: the root's, or not known yet */
    uint64_t *first;            /* by node: what it has first */
    uint32_t steps;             /* the last of `since` */
};

static void rise_free(struct rise *r)
{
    free_all(r->since, r->first);
}

/** In a step of the pipeline: the lightpaths of all nodes that have something before it.  `has`: by node, the step after which it does. */
static void raise(struct rise *r, const struct pipeline *p, const struct disjoint_trees *t, uint32_t *has, uint32_t step)
{
    for (uint32_t tree = 0; tree < t->trees; tree++)
        for (uint32_t v = 0; v < t->nodes; v++) {
            size_t at = (size_t)tree * t->nodes + v;
            uint32_t parent = t->parent[at];
            if (t->hops[at] == 0 || r->since[at] > 0 || has[parent] >= step)
                continue;
            r->since[at] = r->steps = step;
            if (has[v] != UINT32_MAX)
                continue;
            has[v] = step;
            r->first[v] = step < t->hops[at] ? r->first[parent] : (uint64_t)tree * lanes_of(p->request, t) * p->parts;
        }
}

/** With a seed's first p->seed steps done.  Without blocks that fill, those of depth d come up in step d.  RWA_NOMEM; rise_free() in any
 *  case. */
static rwa_status rise_find(struct rise *r, const struct pipeline *p, const struct seed *seed, const struct disjoint_trees *t,
                            rwa_error *err)
{
    size_t entries = (size_t)t->trees * t->nodes;
    uint32_t *has = base_array(t->nodes, sizeof *has, err);
    rwa_status st = has ? RWA_OK : RWA_NOMEM;
    *r = (struct rise){.steps = t->depth};
    TRY(st);
    TRY(base_new(r->since, entries, err));
    TRY(base_new(r->first, t->nodes, err));
    if (!fills(p->request)) {
        memcpy(r->since, t->hops, entries * sizeof *r->since);
        goto done;
    }
    for (uint32_t v = 0; v < t->nodes; v++)
        has[v] = v == p->request->coll->root || (p->seed > 0 && seed->informed[v] > 0 && seed->informed[v] <= p->seed) ? 0 : UINT32_MAX;
    for (uint32_t step = 1; step == 1 || r->steps == step - 1; step++)
        raise(r, p, t, has, step);
done:
    free(has);
    return st;
}

/* ---- search ---- */

/** What estimate() found. */
struct pipelined_draft {
    struct draft draft;         /* first: a draft is one */
    const rwa_network *net;     /* borrowed */
    struct disjoint_trees trees;
    struct seed seed;           /* to all nodes; steps 0: none */
};

static void release_draft(struct draft *draft)
{
    struct pipelined_draft *d = (struct pipelined_draft *)draft;
    disjoint_trees_free(&d->trees);
    seed_free(&d->seed);
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
    struct pipelined_draft *draft;  /* its trees, and the seed */
};

/** A block of a seed is a small part of a chunk. */
static struct pipeline pipeline_of(const struct plan_request *request, uint32_t seed)
{
    enum { PARTS = 16 };
    return (struct pipeline){.request = request, .parts = seed > 0 ? PARTS : 1, .seed = seed, .chunks = 1};
}

static void try_pipeline(struct search *s, const struct pipeline *p, const struct disjoint_trees *t, uint32_t kind)
{
    uint64_t chunks = best_chunks(p, t);
    double time_s = time_of(p, t, chunks);
    if (time_s < s->best.time_s)
        s->best = (struct estimate){.blocks = blocks_of(p, t, chunks), .steps = steps_of(p, t, chunks), .time_s = time_s,
                                    .reconfigurations = settings_of(p), .set[0].radix = {kind, p->parts, p->seed, p->early},
                                    .records = (double)(t->nodes - 1) * (double)blocks_of(p, t, chunks) / p->parts *
                                               (sums_and_spreads(p->request) ? 2 : 1)};
}

/** The nodes from which trees lead on; NULL: on larger networks a seed for each number of trees takes too long. */
static rwa_status list_passing(bool **passing, const struct disjoint_trees *t, rwa_error *err)
{
    *passing = NULL;
    if (t->nodes > PASSING_NODES)
        return RWA_OK;
    MUST(base_new(*passing, t->nodes, err));
    for (size_t at = 0; at < (size_t)t->trees * t->nodes; at++)
        if (t->hops[at] > 0)
            (*passing)[t->parent[at]] = true;
    return RWA_OK;
}

static rwa_status try_seed(struct search *s, const struct disjoint_trees *t, uint32_t kind, const struct seed *seed, uint32_t steps,
                           rwa_error *err)
{
    struct pipeline p = pipeline_of(s->request, steps);
    struct rise rise;
    rwa_status st = rise_find(&rise, &p, seed, t, err);
    p.rises = rise.steps;
    rise_free(&rise);
    if (st == RWA_OK)
        try_pipeline(s, &p, t, kind);
    return st;
}

/** Whether lightpaths that come up before sums do pay: else they come up in as many steps as sums take. */
static bool may_rise_early(const struct plan_request *request)
{
    return only_sums(request) && request->opts->cost.model == RWA_COST_CIRCUIT && request->opts->cost.reconfig_s > 0;
}

static rwa_status try_reduce(struct search *s, const struct disjoint_trees *t, uint32_t kind, rwa_error *err)
{
    for (int early = 0; early <= may_rise_early(s->request); early++) {
        struct pipeline p = pipeline_of(s->request, 0);
        struct disjoint_trees up = *t;
        struct rising r = {0};
        rwa_status st = rising_find(&r, t, early, err);
        up.depth = r.steps;
        p.early = early;
        p.rises = early ? 1 : r.steps;
        p.chunks = r.chunks;
        if (st == RWA_OK)
            try_pipeline(s, &p, &up, kind);
        rising_free(&r);
        MUST(st);
    }
    return RWA_OK;
}

/** With the first steps of a seed, none to all. */
static rwa_status try_seeds(struct search *s, const struct disjoint_trees *t, uint32_t kind, rwa_error *err)
{
    bool *passing = NULL;
    struct seed fewer = {0}, *seed = &s->draft->seed;
    rwa_status st = RWA_OK;
    if (s->draft->seed.steps > 1)
        TRY(list_passing(&passing, t, err));
    if (passing) {
        seed = &fewer;
        TRY(seed_find(seed, s->request, passing, err));
    }
    for (uint32_t steps = 0; steps <= seed->steps; steps++)
        TRY(try_seed(s, t, kind, seed, steps, err));
done:
    free(passing);
    seed_free(&fewer);
    return st;
}

/** Whether so many trees may take less than the best so far if they have `depth` steps. */
static bool may_win(const struct search *s, uint32_t trees, uint32_t depth)
{
    struct disjoint_trees t = {.nodes = rwa_network_nodes(s->request->net), .trees = trees, .width = 1, .depth = depth};
    bool may = false;
    for (uint32_t seed = 0; seed <= s->draft->seed.steps && !may; seed++) {
        struct pipeline p = pipeline_of(s->request, seed);
        bool each = seed == 0 && !may_rise_early(s->request); /* in a step of its own */
        p.rises = each ? depth : seed > 0 && seed < s->draft->seed.steps && t.nodes > PASSING_NODES ? 2 : 1; /* each spreads by a link */
        may = time_of(&p, &t, best_chunks(&p, &t)) < s->best.time_s;
    }
    return may;
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
    uint32_t root, number = kind > 0 ? kind : 1;
    MUST(find_root(&root, request, err));
    if (only_sums(request) && !rwa_network_is_paired(request->net)) {
        rwa_network *reversed = network_reversed(request->net, err);
        rwa_status st = reversed ? disjoint_trees_pack(out, reversed, root, number, err) : RWA_NOMEM;
        rwa_network_free(reversed);
        return st;
    }
    if (network_is_cycle(request->net) && kind == 0)
        return arc_paths_make(out, request->net, root, err);
    if (network_has_arcs(request->net) && sums_and_spreads(request))
        return arc_chains_make(out, request->net, root, err);
    return (network_has_arcs(request->net) ? arc_tree_make : disjoint_trees_pack)(out, request->net, root, number, err);
}

/** *found: the number of trees and their depth; nothing else of them. */
static rwa_status try_kind(struct search *s, struct disjoint_trees *found, uint32_t kind, rwa_error *err)
{
    struct disjoint_trees trees = {0}, *best = &s->draft->trees;
    double before_s = s->best.time_s;
    rwa_status st = make_trees(&trees, s->request, kind, err);
    *found = (struct disjoint_trees){.trees = trees.trees, .depth = trees.depth};
    if (st == RWA_OK && trees.trees > 0)
        st = (only_sums(s->request) ? try_reduce : try_seeds)(s, &trees, kind, err);
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
    if (sums_and_spreads(s->request)) /* longer lightpaths lead back over links that sums go up */
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
        out += (only_sums(request) ? net->links[l].to : net->links[l].from) == root;
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
    if (fills(request))
        TRY(seed_find(&s.draft->seed, request, NULL, err));
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

/** What goes over the lightpaths of a tree to a node, or up from it. */
struct move {
    uint32_t tree, node;
    uint64_t chunk, lone;       /* one block that keeps them up, in place of the chunk; NO_BLOCK: none */
    bool up;
    rwa_op op;
};

static rwa_status push_move(struct schedule_sink *sink, const struct pipeline *p, const struct disjoint_trees *t, const struct move *m,
                            rwa_error *err)
{
    const rwa_network *net = p->request->net;
    uint32_t node = m->node, tree = m->tree;
    uint64_t lone = m->lone, chunk = m->chunk;
    bool up = m->up;
    size_t at = (size_t)tree * t->nodes + node;
    uint32_t path[] = {up ? node : t->parent[at], up ? t->parent[at] : node}, lanes = lanes_of(p->request, t);
    uint32_t w = rwa_network_wavelengths(net);
    rwa_run run = {0, p->parts, 1};
    rwa_lists lists = {.path = network_has_arcs(net) ? NULL : path, .path_nodes = network_has_arcs(net) ? 0 : 2};
    if (lone == NO_BLOCK && p->parts > 1)
        lists.runs = &run, lists.run_count = 1, lists.block_count = p->parts;
    for (uint32_t lane = 0; lane < lanes; lane++) {
        uint32_t channel = lane * t->width + t->channel[at];
        uint64_t block = lone != NO_BLOCK ? lone : ((chunk * t->trees + tree) * lanes + lane) * p->parts;
        rwa_lightpath lp = {.step = 1, .src = path[0], .dst = path[1], .fiber = channel / w, .wavelength = channel % w, .orbit = 1,
                            .block = block, .direction = t->ccw[at] != up ? RWA_CCW : RWA_CW, .op = m->op};
        run.first = (uint32_t)block;
        MUST(sink_lightpath(sink, &lp, &lists, err));
    }
    return RWA_OK;
}

/** A step after the seed's. */
static rwa_status push_step(struct schedule_sink *sink, const struct pipeline *p, const struct disjoint_trees *t, const struct rise *rise,
                            uint64_t chunks, uint64_t step, rwa_error *err)
{
    for (uint32_t tree = 0; tree < t->trees; tree++)
        for (uint32_t v = 0; v < t->nodes; v++) {
            size_t at = (size_t)tree * t->nodes + v;
            uint32_t hops = t->hops[at];
            bool early = step < hops;
            if (hops > 0 && (early ? step >= rise->since[at] : step - hops < chunks))
                MUST(push_move(sink, p, t, &(struct move){tree, v, early ? 0 : step - hops, early ? rise->first[t->parent[at]] : NO_BLOCK,
                                                          false, RWA_COPY}, err));
        }
    return sink_end_stage(sink, err);
}

/** A step of an all-reduce: a chunk leaves a node for its parent when it has come from the farthest ones, and comes down once the root has
 *  its sum. */
static rwa_status push_both(struct schedule_sink *sink, const struct pipeline *p, const struct disjoint_trees *t, uint64_t chunks,
                            uint64_t step, rwa_error *err)
{
    for (uint32_t v = 0; v < t->nodes; v++) {
        uint64_t up = t->depth + 1 - t->hops[v], down = t->depth + t->hops[v];
        if (t->hops[v] > 0 && step >= up && step - up < chunks)
            MUST(push_move(sink, p, t, &(struct move){0, v, step - up, NO_BLOCK, true, RWA_REDUCE}, err));
        if (t->hops[v] > 0 && step >= down && step - down < chunks)
            MUST(push_move(sink, p, t, &(struct move){0, v, step - down, NO_BLOCK, false, RWA_COPY}, err));
    }
    return sink_end_stage(sink, err);
}

static rwa_status push_sums(struct schedule_sink *sink, const struct pipeline *p, const struct disjoint_trees *t, const struct rising *r,
                            uint64_t chunks, uint64_t step, rwa_error *err)
{
    for (uint32_t tree = 0; tree < t->trees; tree++)
        for (uint32_t v = 0; v < t->nodes; v++) {
            uint64_t chunk = rising_chunk(r, tree, v, step, chunks);
            if (chunk != UINT64_MAX)
                MUST(push_move(sink, p, t, &(struct move){tree, v, chunk, NO_BLOCK, true, rising_op(r, t, tree, v, step, chunk)}, err));
        }
    return sink_end_stage(sink, err);
}

static rwa_status push_reduce(struct schedule_sink *sink, const struct pipeline *p, const struct disjoint_trees *t, uint64_t chunks,
                              rwa_error *err)
{
    struct rising r = {0};
    rwa_status st = rising_find(&r, t, p->early, err);
    TRY(st);
    for (uint64_t step = 1; step < chunks + r.steps; step++)
        TRY(push_sums(sink, p, t, &r, chunks, step, err));
done:
    rising_free(&r);
    return st;
}

static rwa_status push_all(struct schedule_sink *sink, const struct pipeline *p, const struct disjoint_trees *t, uint64_t chunks,
                           rwa_error *err)
{
    const struct pipelined_draft *draft = draft_of(p->request);
    struct seed seed = {0};
    struct rise rise = {0};
    bool *passing = NULL, known = false;
    rwa_status st = RWA_OK;
    if (p->seed > 0) {
        TRY(list_passing(&passing, t, err));
        known = draft && !passing;
        if (!known)
            TRY(seed_find(&seed, p->request, passing, err));
        TRY(seed_push(sink, p->request, passing, p->seed, err));
    }
    TRY(rise_find(&rise, p, known ? &draft->seed : &seed, t, err));
    bool both = sums_and_spreads(p->request);
    for (uint64_t step = 1; step <= steps_of(p, t, chunks) - p->seed; step++)
        TRY(both ? push_both(sink, p, t, chunks, step, err) : push_step(sink, p, t, &rise, chunks, step, err));
done:
    free(passing);
    seed_free(&seed);
    rise_free(&rise);
    return st;
}

static rwa_status plan_pipelined(struct schedule_sink *sink, const struct plan_request *request, rwa_error *err)
{
    const uint32_t *radix = request->parameters->radix;
    const struct pipelined_draft *draft = draft_of(request);
    struct pipeline p = {.request = request, .parts = radix[1], .seed = radix[2], .early = radix[3]};
    struct disjoint_trees own = {0};
    const struct disjoint_trees *trees = draft ? &draft->trees : &own;
    rwa_status st = RWA_OK;
    if (limit_of(request))
        return scheme_refuse(request, "scheme pipelined-trees does not support %s", limit_of(request));
    if (trees == &own)
        TRY(make_trees(&own, request, radix[0], err));
    if (trees->trees == 0) {
        st = scheme_refuse(request, "a node cannot be reached from the root");
        goto done;
    }
    uint64_t chunks = p.parts > 0 ? request->coll->blocks / blocks_of(&p, trees, 1) : 0;
    if (chunks == 0 || blocks_of(&p, trees, chunks) != request->coll->blocks) {
        st = scheme_refuse(request, "scheme pipelined-trees cuts the message otherwise, or is not quicker than other schemes");
        goto done;
    }
    st = (only_sums(request) ? push_reduce : push_all)(sink, &p, trees, chunks, err);
done:
    disjoint_trees_free(&own);
    return st;
}

const struct scheme scheme_pipelined_trees = {
    .name = "pipelined-trees",
    .summary = "chunks of the message follow each other down trees that share no link",
    .source = "Edmonds 1973 on the trees; this work",
    .collectives = 1u << RWA_BROADCAST | 1u << RWA_ALL_REDUCE | 1u << RWA_ROOTED_REDUCE,
    .needs = NETWORK_ARCS | NETWORK_LISTED,
    .traits = SEARCHES | KEEPS_LIGHTPATHS | SHORTENS,
    .estimate = estimate_pipelined,
    .plan = plan_pipelined,
};
