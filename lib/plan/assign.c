/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Static assignment: one shortest route for each demand, the longest first, each on the lowest channel that is free all
 * along.  The bound is the unit metric: every lightpath takes at least its distance, a wavelength offers each fibre once.
 */
#include "rwa/assign.h"

#include "base/base.h"
#include "network/network.h"
#include "schedule/assigned.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** A demand's route, and the channel of each of its lightpaths. */
struct way {
    uint64_t first;         /* in links */
    uint32_t hops;          /* 0: there is none */
    uint32_t distance;      /* hops of the shortest route when nothing is forbidden */
    uint64_t lightpath;     /* number of its first */
};

struct work {
    const rwa_network *net;         /* as given */
    rwa_network *graph;             /* the same with its links listed */
    const rwa_demands *demands;
    rwa_assign_options opts;
    struct watch watch;
    bool *forbidden;                /* nodes */
    uint32_t *came_by, *seen, *queue;   /* of a search */
    uint32_t round;
    struct way *ways;
    uint32_t *links;
    size_t link_count, link_room;
    uint32_t carriers, fibers;
    uint64_t *busy;                 /* bit (channel * carriers + carrier) */
    uint32_t channels, channel_room;
    uint32_t *channel;              /* of each lightpath; RWA_NO_LINK: none was free */
    rwa_error *err;
};

void rwa_assign_options_init_sized(rwa_assign_options *opts, size_t size)
{
    rwa_assign_options defaults = {.struct_size = sizeof defaults, .time_limit_s = 10, .seed = 1};
    memcpy(opts, &defaults, size < sizeof defaults ? size : sizeof defaults);
    opts->struct_size = size;
}

static const struct {
    const char *name, *summary;
} solvers[] = {{"first-fit", "shortest routes, the longest first, each on the lowest free channel"}};

const char *rwa_assign_solver_name(size_t i)
{
    return i < sizeof solvers / sizeof *solvers ? solvers[i].name : NULL;
}

const char *rwa_assign_solver_summary(size_t i)
{
    return i < sizeof solvers / sizeof *solvers ? solvers[i].summary : NULL;
}

static bool is_named(const char *name, const char *only)
{
    return !name || strcmp(name, "auto") == 0 || strcmp(name, only) == 0;
}

static rwa_status check_request(struct work *w)
{
    const rwa_assign_options *o = &w->opts;
    if (rwa_demands_nodes(w->demands) != w->net->nodes)
        return base_fail(w->err, RWA_BADARG, "demands between %u nodes do not fit a network of %u",
                         rwa_demands_nodes(w->demands), w->net->nodes);
    if (!is_named(o->solver, "first-fit") || !is_named(o->routing, "shortest"))
        return base_fail(w->err, RWA_BADARG, "expected the solver first-fit and the routing shortest");
    if (o->protection || o->converter_count > 0)
        return base_fail(w->err, RWA_BADARG, "first-fit gives no backups and uses no converters");
    if (o->wavelengths > RWA_CHANNELS_MAX)
        return base_fail(w->err, RWA_BADARG, "%u wavelengths, expected at most %u", o->wavelengths, RWA_CHANNELS_MAX);
    for (size_t i = 0; i < o->forbidden_count; i++)
        if (o->forbidden[i] >= w->net->nodes)
            return base_fail(w->err, RWA_BADARG, "forbidden node %u, expected one below %u", o->forbidden[i], w->net->nodes);
    for (size_t d = 0; d < rwa_demands_count(w->demands); d++)
        if (rwa_demands_list(w->demands)[d].via != RWA_NO_NODE)
            return base_fail(w->err, RWA_BADARG, "demand %zu: first-fit takes no node to pass", d);
    return RWA_OK;
}

static uint32_t carrier_of(const struct work *w, uint32_t link)
{
    return w->opts.model == RWA_UNDIRECTED ? link / 2 : link;
}

static rwa_status work_open(struct work *w)
{
    uint32_t nodes = w->net->nodes;
    rwa_status st = RWA_OK;
    TRY(network_list_links(&w->graph, w->net, w->err));
    if (w->opts.model == (rwa_model)0)
        w->opts.model = rwa_network_model(w->net);
    w->carriers = w->opts.model == RWA_UNDIRECTED ? w->graph->link_count / 2 : w->graph->link_count;
    for (uint32_t i = 0; i < w->graph->link_count; i++)
        w->fibers = w->graph->links[i].fibers > w->fibers ? w->graph->links[i].fibers : w->fibers;
    w->forbidden = base_array(nodes, sizeof *w->forbidden, w->err);
    w->came_by = base_array(nodes, sizeof *w->came_by, w->err);
    w->seen = base_array(nodes, sizeof *w->seen, w->err);
    w->queue = base_array(nodes, sizeof *w->queue, w->err);
    w->ways = base_array(rwa_demands_count(w->demands), sizeof *w->ways, w->err);
    w->channel = base_array((size_t)rwa_demands_lightpaths(w->demands), sizeof *w->channel, w->err);
    if (!w->forbidden || !w->came_by || !w->seen || !w->queue || !w->ways || !w->channel)
        return RWA_NOMEM;
    for (size_t i = 0; i < w->opts.forbidden_count; i++)
        w->forbidden[w->opts.forbidden[i]] = true;
done:
    return st;
}

static void work_close(struct work *w)
{
    rwa_network_free(w->graph);
    free(w->forbidden);
    free(w->came_by);
    free(w->seen);
    free(w->queue);
    free(w->ways);
    free(w->links);
    free(w->busy);
    free(w->channel);
}

/* ---- routes ---- */

/** Breadth first from src until dst is met: its hops, 0 when there is no way. */
static uint32_t search(struct work *w, uint32_t src, uint32_t dst, bool mind_forbidden)
{
    const rwa_network *g = w->graph;
    uint32_t head = 0, tail = 0, hops = 0;
    w->seen[src] = ++w->round;
    w->queue[tail++] = src;
    while (head < tail && w->seen[dst] != w->round) {
        uint32_t at = w->queue[head++];
        if (mind_forbidden && at != src && w->forbidden[at])
            continue;
        for (uint32_t k = g->first[at]; k < g->first[at + 1]; k++) {
            uint32_t to = g->links[g->out[k]].to;
            if (w->seen[to] == w->round)
                continue;
            w->seen[to] = w->round;
            w->came_by[to] = g->out[k];
            w->queue[tail++] = to;
        }
    }
    if (w->seen[dst] != w->round)
        return 0;
    for (uint32_t at = dst; at != src; at = g->links[w->came_by[at]].from)
        hops++;
    return hops;
}

static rwa_status route_one(struct work *w, size_t d)
{
    const rwa_demand *demand = &rwa_demands_list(w->demands)[d];
    struct way *way = &w->ways[d];
    uint32_t hops = search(w, demand->src, demand->dst, true), at = demand->dst;
    rwa_status st = RWA_OK;
    way->distance = hops;
    way->first = w->link_count;
    way->hops = w->opts.max_hops > 0 && hops > w->opts.max_hops ? 0 : hops;
    TRY(base_grow((void **)&w->links, &w->link_room, w->link_count + way->hops + 1, sizeof *w->links, w->err));
    for (uint32_t k = way->hops; k-- > 0; at = w->graph->links[w->came_by[at]].from)
        w->links[way->first + k] = w->came_by[at];
    w->link_count += way->hops;
    if (w->opts.forbidden_count > 0)
        way->distance = search(w, demand->src, demand->dst, false);
done:
    return st;
}

static rwa_status route_all(struct work *w)
{
    size_t count = rwa_demands_count(w->demands);
    uint64_t lightpath = 0;
    rwa_status st = RWA_OK;
    for (size_t d = 0; d < count; d++) {
        if (base_must_stop(&w->watch, "routing", (double)d / (double)count) && w->watch.cancelled)
            return base_fail(w->err, RWA_CANCELLED, "stopped before there was an answer");
        w->ways[d].lightpath = lightpath;
        lightpath += rwa_demands_list(w->demands)[d].count;
        TRY(route_one(w, d));
    }
done:
    return st;
}

/* ---- channels ---- */

static bool is_free(const struct work *w, const struct way *way, uint32_t channel)
{
    uint32_t fiber = channel % w->fibers, wavelength = channel / w->fibers;
    for (uint32_t k = 0; k < way->hops; k++) {
        uint32_t link = w->links[way->first + k];
        uint64_t bit = (uint64_t)channel * w->carriers + carrier_of(w, link);
        if (fiber >= w->graph->links[link].fibers || rwa_network_is_reserved(w->graph, link, fiber, wavelength) ||
            (channel < w->channels && w->busy[bit / 64] >> (bit % 64) & 1))
            return false;
    }
    return true;
}

/** Channels count wavelengths first: those of wavelength 0 on every fibre, then those of wavelength 1. */
static rwa_status widen(struct work *w, uint32_t channels)
{
    size_t have = ((size_t)w->channel_room * w->carriers + 63) / 64, need = 0;
    if (channels <= w->channels)
        return RWA_OK;
    w->channels = channels;
    if (channels <= w->channel_room)
        return RWA_OK;
    w->channel_room = channels < 32 ? 64 : channels * 2;
    need = ((size_t)w->channel_room * w->carriers + 63) / 64;
    uint64_t *grown = base_array(need, sizeof *grown, w->err);
    if (!grown)
        return RWA_NOMEM;
    if (have > 0 && w->busy)
        memcpy(grown, w->busy, have * sizeof *grown);
    free(w->busy);
    w->busy = grown;
    return RWA_OK;
}

/** The lowest free channel, or none when the given wavelengths are used up. */
static rwa_status fit(struct work *w, const struct way *way, uint32_t *channel)
{
    uint64_t limit = (uint64_t)(w->opts.wavelengths ? w->opts.wavelengths : RWA_CHANNELS_MAX) * w->fibers;
    rwa_status st = RWA_OK;
    *channel = RWA_NO_LINK;
    for (uint32_t c = 0; c < limit; c++)
        if (is_free(w, way, c)) {
            TRY(widen(w, c + 1));
            for (uint32_t k = 0; k < way->hops; k++) {
                uint64_t bit = (uint64_t)c * w->carriers + carrier_of(w, w->links[way->first + k]);
                w->busy[bit / 64] |= (uint64_t)1 << (bit % 64);
            }
            *channel = c;
            break;
        }
done:
    return st;
}

/** Longest first, by a counting sort over hops; with a choice of whom to serve, shortest first. */
static rwa_status order_demands(const struct work *w, size_t *order)
{
    size_t count = rwa_demands_count(w->demands), buckets = (size_t)w->net->nodes + 1;
    size_t *at = base_array(buckets + 1, sizeof *at, w->err);
    bool shortest = w->opts.objective == RWA_MOST_DEMANDS;
    if (!at)
        return RWA_NOMEM;
    for (size_t d = 0; d < count; d++)
        at[1 + (shortest ? w->ways[d].hops : w->net->nodes - w->ways[d].hops)]++;
    for (size_t b = 1; b <= buckets; b++)
        at[b] += at[b - 1];
    for (size_t d = 0; d < count; d++)
        order[at[shortest ? w->ways[d].hops : w->net->nodes - w->ways[d].hops]++] = d;
    free(at);
    return RWA_OK;
}

static rwa_status fit_all(struct work *w)
{
    size_t count = rwa_demands_count(w->demands), *order = base_array(count, sizeof *order, w->err);
    rwa_status st = RWA_NOMEM;
    if (!order)
        goto done;
    TRY(order_demands(w, order));
    for (size_t i = 0; i < count; i++) {
        const struct way *way = &w->ways[order[i]];
        if (base_must_stop(&w->watch, "first-fit", (double)i / (double)count) && w->watch.cancelled)
            TRY(base_fail(w->err, RWA_CANCELLED, "stopped before there was an answer"));
        for (uint32_t c = 0; c < rwa_demands_list(w->demands)[order[i]].count; c++) {
            w->channel[way->lightpath + c] = RWA_NO_LINK;
            if (way->hops > 0)
                TRY(fit(w, way, &w->channel[way->lightpath + c]));
        }
    }
done:
    free(order);
    return st;
}

/* ---- the answer ---- */

static rwa_status add_lightpath(rwa_assign_result *r, const struct work *w, size_t d, uint32_t copy)
{
    const struct way *way = &w->ways[d];
    uint32_t channel = w->channel[way->lightpath + copy];
    rwa_route route = {.demand = d, .copy = copy, .why = way->hops ? "no channel is free all along its route" : "no route"};
    if (channel != RWA_NO_LINK)
        route = (rwa_route){.demand = d, .copy = copy, .hops = way->hops, .links = w->links + way->first,
                            .direction = w->links[way->first] % 2 ? RWA_CCW : RWA_CW, .fiber = channel % w->fibers,
                            .wavelength = channel / w->fibers};
    return rwa_assign_result_add(r, &route, w->err);
}

/** Every route of a demand is at least as long as its distance, and a wavelength offers each carrier's fibres once. */
static rwa_status certify(rwa_assign_result *r, const struct work *w)
{
    uint64_t length = 0, offered = 0;
    uint32_t *ones = base_array(w->carriers, sizeof *ones, w->err);
    if (!ones)
        return RWA_NOMEM;
    for (uint32_t c = 0; c < w->carriers; c++) {
        ones[c] = 1;
        offered += w->graph->links[w->opts.model == RWA_UNDIRECTED ? 2 * c : c].fibers;
    }
    for (size_t d = 0; d < rwa_demands_count(w->demands); d++)
        length += (uint64_t)w->ways[d].distance * rwa_demands_list(w->demands)[d].count;
    rwa_certificate c = {.name = "distance", .value = offered ? (length + offered - 1) / offered : 0,
                         .kind = RWA_WITNESS_LENGTHS, .lengths = ones, .length_count = w->carriers,
                         .source = "every lightpath takes at least its distance; total hops over fibres"};
    rwa_status st = assigned_certify(r, &c, w->err);
    free(ones);
    return st;
}

/** Serving all is proven impossible where a demand has no route at all, or the bound says so. */
static void conclude(rwa_assign_result *r, const struct work *w)
{
    rwa_assign_summary *s = &r->summary;
    unsigned long long unrouted = 0, blocked = s->lightpaths - s->routed;
    for (size_t d = 0; d < rwa_demands_count(w->demands); d++)
        unrouted += w->ways[d].hops == 0 ? rwa_demands_list(w->demands)[d].count : 0;
    if (unrouted > 0)
        snprintf(s->why, sizeof s->why, "%llu lightpaths have no route within the limits", unrouted);
    else if (blocked > 0)
        snprintf(s->why, sizeof s->why, "%llu lightpaths found no free channel in %u wavelengths", blocked,
                 w->opts.wavelengths);
    if (blocked == 0)
        s->outcome = s->bound.name && s->wavelengths == s->bound.value ? RWA_OPTIMAL : RWA_FEASIBLE;
    else if (w->opts.objective == RWA_MOST_DEMANDS)
        s->outcome = RWA_FEASIBLE;
    else if (unrouted > 0 || w->opts.wavelengths < s->bound.value)
        s->outcome = RWA_INFEASIBLE;
    else
        s->outcome = RWA_UNDECIDED;
}

static rwa_status assemble(rwa_assign_result **out, const struct work *w)
{
    rwa_assign_result *r = NULL;
    rwa_check_options check;
    rwa_status st = RWA_OK;
    TRY(rwa_assign_result_create(&r, w->net, w->demands, w->opts.model, w->err));
    for (size_t d = 0; d < rwa_demands_count(w->demands); d++)
        for (uint32_t c = 0; c < rwa_demands_list(w->demands)[d].count; c++)
            TRY(add_lightpath(r, w, d, c));
    if (w->opts.objective == RWA_FEWEST_WAVELENGTHS)
        TRY(certify(r, w));
    conclude(r, w);
    r->summary.solver = "first-fit";
    r->summary.routing = "shortest";
    rwa_check_options_init(&check);
    check.poll = w->opts.poll;
    check.poll_data = w->opts.poll_data;
    TRY(rwa_check_assignment(&r->summary.check, r, &check, w->err));
    *out = r;
    r = NULL;
done:
    rwa_assign_result_free(r);
    return st;
}

rwa_status rwa_assign(rwa_assign_result **out, const rwa_network *net, const rwa_demands *demands,
                      const rwa_assign_options *opts, rwa_error *err)
{
    struct work w = {.net = net, .demands = demands, .err = err};
    double begin = base_now_s();
    rwa_status st = RWA_OK;
    *out = NULL;
    rwa_assign_options_init(&w.opts);
    TRY(base_take_options(&w.opts, sizeof w.opts, opts, "assign options", err));
    w.watch = base_watch(w.opts.time_limit_s, w.opts.poll, w.opts.poll_data);
    TRY(check_request(&w));
    TRY(work_open(&w));
    if (w.opts.model == RWA_UNDIRECTED && !w.graph->paired)
        TRY(base_fail(err, RWA_BADARG, "the undirected model needs links in pairs, this network has single ones"));
    TRY(route_all(&w));
    TRY(fit_all(&w));
    double seconds = base_now_s() - begin;
    TRY(assemble(out, &w));
    (*out)->summary.seconds = seconds;
done:
    work_close(&w);
    return st;
}
