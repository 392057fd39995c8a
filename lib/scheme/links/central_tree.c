/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Scheme "central-tree": what nodes have for each other goes up a tree to its root, and down again, link by link, in steps of what has
 * come so far.  All lightpaths fit together, so that short messages take hardly longer than one reconfiguration.  A scatter is the second
 * half, a gather the same backwards; a reduce-scatter sends sums up.
 */
#include "base/bins.h"
#include "delivery/exchange_load.h"
#include "scheme/links/links.h"

/** Networks of up to so many nodes, and schedules of up to so many lightpaths, about. */
enum { CENTRAL_NODES = 4096 };
#define LIGHTPATHS_MOST 2097152.0

/** A tree of shortest ways. */
struct central {
    const struct plan_request *request;
    const rwa_network *net;
    uint32_t nodes, channels, depth, root;
    uint16_t *hops;
    uint32_t *parent;
    uint32_t *list;             /* nodes by hops; the root is the first */
    uint32_t *below;            /* [node][hops]: nodes of its branch that are so far below it, itself at 0 */
    uint32_t *most;             /* [hops]: the largest of these of any node but the root */
    struct arena memory;
};

static const char *limit_of(const struct plan_request *request)
{
    return request->coll->nodes > CENTRAL_NODES ? "more than 4096 nodes" : links_limit_unlike(request);
}

static bool goes_up(const struct plan_request *request)
{
    return request->coll->kind != RWA_SCATTER;
}

static rwa_status find_root(uint32_t *root, const struct plan_request *request, rwa_error *err)
{
    struct distances d = {0};
    *root = request->coll->root;
    if (!goes_up(request)) /* the collective has a root */
        return RWA_OK;
    rwa_status st = distances_open(&d, request->net, err);
    *root = st == RWA_OK ? distances_centre(&d, NULL, request->coll->nodes) : 0;
    distances_free(&d);
    return st;
}

/** Each node below that of its nearer neighbours whose branch of the root has the fewest nodes so far. */
static void choose_parents(struct central *c, uint32_t *branch, uint32_t *size)
{
    const rwa_network *net = c->net;
    c->parent[c->root] = branch[c->root] = c->root;
    for (uint32_t i = 1; i < c->nodes; i++) {
        uint32_t v = c->list[i], best = UINT32_MAX, least = UINT32_MAX;
        for (uint32_t k = net->first[v]; k < net->first[v + 1]; k++) {
            uint32_t u = net->links[net->out[k]].to, here = u == c->root ? 0 : size[branch[u]];
            if (c->hops[u] + 1 == c->hops[v] && here < least) {
                best = u;
                least = here;
            }
        }
        assert(best != UINT32_MAX);
        c->parent[v] = best;
        branch[v] = best == c->root ? v : branch[best];
        size[branch[v]]++;
    }
}

static void count_below(struct central *c)
{
    for (uint32_t v = 0; v < c->nodes; v++)
        for (uint32_t u = v, away = 0; u != c->root; u = c->parent[u], away++) {
            uint32_t *below = &c->below[(size_t)u * c->depth + away];
            ++*below;
            c->most[away] = *below > c->most[away] ? *below : c->most[away];
        }
}

/** RWA_NOMEM; depth 0: a node cannot be reached.  central_close() in any case. */
static rwa_status central_open(struct central *c, const struct plan_request *request, rwa_error *err)
{
    uint32_t nodes = rwa_network_nodes(request->net), *branch, *size;
    *c = (struct central){.request = request, .net = request->net, .nodes = nodes, .memory = {.err = err}};
    c->channels = rwa_network_channels(c->net);
    arena_new(&c->memory, c->hops, nodes);
    arena_new(&c->memory, c->parent, nodes);
    arena_new(&c->memory, c->list, nodes);
    arena_new(&c->memory, branch, nodes);
    arena_new(&c->memory, size, nodes);
    MUST(arena_status(&c->memory));
    MUST(find_root(&c->root, request, err));
    distances_from(c->hops, c->net, c->root, c->list); /* the order of the list is not by distance on grids */
    for (uint32_t v = 0; v < nodes; v++)
        if (c->hops[v] == UINT16_MAX)
            return RWA_OK;
    for (uint32_t hops = 0, count = 0; count < nodes; hops++)
        for (uint32_t v = 0; v < nodes; v++)
            if (c->hops[v] == hops)
                c->list[count++] = v;
    c->depth = c->hops[c->list[nodes - 1]];
    arena_new(&c->memory, c->below, (size_t)nodes * c->depth);
    arena_new(&c->memory, c->most, c->depth);
    MUST(arena_status(&c->memory));
    choose_parents(c, branch, size);
    count_below(c);
    return RWA_OK;
}

static void central_close(struct central *c)
{
    arena_free(&c->memory);
}

/* ---- time ---- */

static bool is_exchange(const struct plan_request *request)
{
    return request->coll->kind == RWA_ALL_TO_ALL;
}

/** Blocks on the fullest lightpath of a link that carries what `count` nodes have, or are sent: of an exchange one block for each node. */
static uint64_t load_of(const struct central *c, uint32_t count)
{
    return is_exchange(c->request) ? count * ceil_div(c->nodes, c->channels) : ceil_div(count, c->channels);
}

/** Seconds of a step beside tuning. */
static double step_time(const struct central *c, const rwa_cost_prices *price, uint64_t load)
{
    return scheme_step_time(c->request, price, load * c->request->coll->block_bytes);
}

static bool sums(const struct plan_request *request)
{
    return request->coll->kind == RWA_REDUCE_SCATTER;
}

static double time_of(const struct central *c, const rwa_cost_prices *price)
{
    double time_s = price->once_s;
    for (uint32_t away = 0; away < c->depth; away++) {
        double moved_s = step_time(c, price, load_of(c, c->most[away]));
        double up_s = sums(c->request) ? step_time(c, price, ceil_div(c->nodes, c->channels)) : moved_s;
        time_s += moved_s + (goes_up(c->request) ? up_s : 0);
    }
    return time_s;
}

static uint32_t steps_of(const struct central *c)
{
    return c->depth * (goes_up(c->request) ? 2 : 1);
}

static rwa_status estimate_central(struct estimate *out, const struct plan_request *request, rwa_error *err)
{
    struct central c;
    rwa_cost_prices price;
    *out = scheme_no_estimate(request);
    if (limit_of(request))
        return RWA_OK;
    rwa_status st = central_open(&c, request, err);
    TRY(st);
    TRY(rwa_cost_floor(&price, rwa_network_rate_bps(request->net), &request->opts->cost, err));
    double time_s = c.depth > 0 ? time_of(&c, &price) : INFINITY, lightpaths = (double)steps_of(&c) * c.nodes * c.channels;
    if (lightpaths <= LIGHTPATHS_MOST && (request->below_s > 0 ? time_s < request->below_s : isfinite(time_s)))
        *out = (struct estimate){.steps = steps_of(&c), .time_s = time_s, .records = lightpaths};
done:
    central_close(&c);
    return st;
}

/* ---- plan ---- */

struct writer {
    struct schedule_sink *sink;
    const struct central *c;
    struct bins from;           /* by the node of each link up and the distance below it: nodes of its branch */
    rwa_run *run;
};

/** Nodes by the links that they pass, and how far below each they are. */
static rwa_status list_branches(struct writer *w, rwa_error *err)
{
    const struct central *c = w->c;
    size_t keys = (size_t)c->nodes * c->depth;
    MUST(bins_open(&w->from, keys, err));
    for (uint32_t v = 0; v < c->nodes; v++)
        for (uint32_t u = v, away = 0; u != c->root; u = c->parent[u], away++)
            bins_count(&w->from, (size_t)u * c->depth + away);
    MUST(bins_divide(&w->from, keys, err));
    for (uint32_t v = 0; v < c->nodes; v++)
        for (uint32_t u = v, away = 0; u != c->root; u = c->parent[u], away++)
            bins_put(&w->from, (size_t)u * c->depth + away, v);
    return RWA_OK;
}

/** Runs begin … end - 1 of what comes from, or goes to, `count` listed nodes: of an exchange these blocks of each, from it going up and for
 *  it coming down, of sums the blocks themselves, else those of the nodes with these places in the list.  Returns how many. */
static uint32_t share_runs(struct writer *w, const uint32_t *list, uint32_t count, uint32_t begin, uint32_t end, bool up)
{
    uint32_t nodes = w->c->nodes, runs = 0;
    if (up && sums(w->c->request)) {
        w->run[0] = (rwa_run){begin, end - begin, 1};
        return 1;
    }
    if (!is_exchange(w->c->request)) {
        for (uint32_t i = begin; i < end; i++)
            runs = run_append(w->run, runs, (rwa_run){list[i], 1, 1});
        return runs;
    }
    for (uint32_t i = 0; i < count; i++)
        runs = run_append(w->run, runs, up ? (rwa_run){list[i] * nodes + begin, end - begin, 1}
                                           : (rwa_run){begin * nodes + list[i], end - begin, nodes});
    return runs;
}

/** The blocks that go over the link between a node and its parent from, or to, the nodes at one distance below it: sums of all, from nodes
 *  whose children have sent theirs. */
static rwa_status push_away(struct writer *w, uint32_t node, uint32_t away, bool up, rwa_error *err)
{
    const struct central *c = w->c;
    size_t key = (size_t)node * c->depth + away;
    const uint32_t *list = w->from.number + w->from.first[key];
    uint32_t count = (uint32_t)(w->from.first[key + 1] - w->from.first[key]), wavelengths = rwa_network_wavelengths(c->net);
    bool adds = up && sums(c->request), any = adds ? c->hops[node] == c->depth - away : count > 0;
    uint32_t all = !any ? 0 : adds || is_exchange(c->request) ? c->nodes : count, lanes = all < c->channels ? all : c->channels;
    uint32_t path[] = {up ? node : c->parent[node], up ? c->parent[node] : node};
    for (uint32_t lane = 0; lane < lanes; lane++) {
        uint32_t begin = part_start(all, lanes, lane), end = part_start(all, lanes, lane + 1);
        uint32_t runs = share_runs(w, list, count, begin, end, up), blocks = 0;
        for (uint32_t r = 0; r < runs; r++)
            blocks += w->run[r].count;
        rwa_lightpath lp = {.step = 1, .src = path[0], .dst = path[1], .fiber = lane / wavelengths, .wavelength = lane % wavelengths,
                            .orbit = 1, .block = w->run[0].first, .op = adds ? RWA_REDUCE : RWA_COPY};
        rwa_lists lists = {.runs = w->run, .run_count = runs, .block_count = blocks, .path = path, .path_nodes = 2};
        MUST(sink_lightpath(w->sink, &lp, &lists, err));
    }
    return RWA_OK;
}

static rwa_status push_step(struct writer *w, uint32_t away, bool up, rwa_error *err)
{
    for (uint32_t v = 0; v < w->c->nodes; v++)
        if (v != w->c->root)
            MUST(push_away(w, v, away, up, err));
    return sink_end_stage(w->sink, err);
}

static rwa_status plan_central(struct schedule_sink *sink, const struct plan_request *request, rwa_error *err)
{
    struct central c = {0};
    struct writer w = {.sink = sink, .c = &c};
    rwa_status st = RWA_OK;
    if (limit_of(request))
        return scheme_refuse(request, "scheme central-tree does not support %s", limit_of(request));
    TRY(central_open(&c, request, err));
    if (c.depth == 0) {
        st = scheme_refuse(request, "a node cannot be reached from the root");
        goto done;
    }
    TRY(base_new(w.run, c.nodes, err));
    TRY(list_branches(&w, err));
    for (uint32_t away = 0; away < c.depth && goes_up(request); away++)
        TRY(push_step(&w, away, true, err));
    for (uint32_t away = c.depth; away-- > 0;)
        TRY(push_step(&w, away, false, err));
done:
    free(w.run);
    bins_free(&w.from);
    central_close(&c);
    return st;
}

const struct scheme scheme_central_tree = {
    .name = "central-tree",
    .summary = "what nodes have for each other goes up a tree and down again, link by link",
    .source = "this work",
    .collectives = 1u << RWA_ALL_TO_ALL | 1u << RWA_SCATTER | 1u << RWA_REDUCE_SCATTER,
    .needs = NETWORK_LISTED,
    .traits = REVERSIBLE | SEARCHES | KEEPS_LIGHTPATHS | SHORTENS,
    .estimate = estimate_central,
    .plan = plan_central,
};
