/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Routes for every demand: the shortest ones and those that the linear program of the bound suggests. */
#include "plan/assign.h"

#include <stdlib.h>
#include <string.h>

enum { DEFAULT_PATHS = 10, MOST_ROUTES = 4000000 };

/* Demands between the same nodes share their routes. */
struct sorting {
    uint32_t src, dst, via, demand;
};

struct candidates {
    struct paths paths;
    size_t *first;      /* of kind k: paths first[k] … first[k + 1] - 1 */
    uint32_t *kind_of;  /* of each demand */
    size_t kinds;
    struct sorting *sorted;
};

static void candidates_free(struct candidates *c)
{
    paths_free(&c->paths);
    free(c->first);
    free(c->kind_of);
    free(c->sorted);
}

static int by_dst(const void *a, const void *b)
{
    const struct sorting *x = a, *y = b;
    if (x->dst != y->dst)
        return x->dst < y->dst ? -1 : 1;
    if (x->via != y->via)
        return x->via < y->via ? -1 : 1;
    if (x->src != y->src)
        return x->src < y->src ? -1 : 1;
    return (x->demand > y->demand) - (x->demand < y->demand);
}

static bool same_kind(const struct sorting *a, const struct sorting *b)
{
    return a->src == b->src && a->dst == b->dst && a->via == b->via;
}

static rwa_status sort_demands(struct candidates *c, const struct job *job)
{
    size_t count = rwa_demands_count(job->demands);
    const rwa_demand *list = rwa_demands_list(job->demands);
    c->first = base_array(count + 1, sizeof *c->first, job->err);
    c->kind_of = base_array(count, sizeof *c->kind_of, job->err);
    c->sorted = base_array(count, sizeof *c->sorted, job->err);
    if (!c->first || !c->kind_of || !c->sorted)
        return RWA_NOMEM;
    for (size_t d = 0; d < count; d++)
        c->sorted[d] = (struct sorting){list[d].src, list[d].dst, list[d].via, (uint32_t)d};
    qsort(c->sorted, count, sizeof *c->sorted, by_dst);
    return RWA_OK;
}

static size_t paths_wanted(const struct job *job)
{
    uint64_t units = rwa_demands_lightpaths(job->demands);
    size_t most = job->opts->paths > 0 ? job->opts->paths : DEFAULT_PATHS;
    if (strcmp(job->routing, "shortest") == 0)
        return 1;
    if (most * units > MOST_ROUTES)
        most = units > MOST_ROUTES ? 1 : (size_t)(MOST_ROUTES / units);
    return most;
}

static rwa_status find_shortest(struct candidates *c, struct job *job)
{
    rwa_status st = RWA_OK;
    struct finder *finder = NULL;
    size_t count = rwa_demands_count(job->demands), most = paths_wanted(job);
    TRY(finder_open(&finder, &job->roads, job->err));
    for (size_t i = 0; i < count; i++) {
        const struct sorting *s = &c->sorted[i];
        if (i == 0 || !same_kind(s, s - 1)) {
            if (s->via == RWA_NO_NODE)
                TRY(finder_shortest(finder, &c->paths, s->src, s->dst, most, job->opts->max_hops, job->err));
            else
                TRY(finder_via(finder, &c->paths, s->src, s->via, s->dst, most, job->opts->max_hops, job->err));
            c->first[++c->kinds] = c->paths.count;
        }
        c->kind_of[s->demand] = (uint32_t)(c->kinds - 1);
        if (i % 64 == 0 && base_must_stop(&job->watch, "routes", (double)i / (double)count) && job->watch.cancelled) {
            st = base_fail(job->err, RWA_CANCELLED, "stopped while looking for routes");
            goto done;
        }
    }
done:
    finder_close(finder);
    return st;
}

/* The bound concerns the demands that can be routed at all. */
static rwa_status note_dead(const struct candidates *c, struct job *job)
{
    size_t count = rwa_demands_count(job->demands);
    bool *dead = base_array(count, sizeof *dead, job->err);
    rwa_status st = RWA_NOMEM;
    job->dead = base_array(count, sizeof *job->dead, job->err);
    if (!dead || !job->dead)
        goto done;
    for (size_t d = 0; d < count; d++)
        if (c->first[c->kind_of[d]] == c->first[c->kind_of[d] + 1]) {
            dead[d] = true;
            job->dead[job->dead_count++] = (uint32_t)d;
        }
    st = traffic_create(&job->traffic, job->demands, dead, true, job->model, job->err);
done:
    free(dead);
    return st;
}

/*
 * What the lengths prove to somebody who knows network and demands, but not which nodes and links are forbidden, failed
 * or to be passed: 0 when that is nothing.
 */
static rwa_status plain_value(uint64_t *value, const struct job *job)
{
    rwa_status st = RWA_OK;
    rwa_network *sound = NULL;
    struct roads roads = {0};
    struct metric metric = {.length = flow_bound(job->flow)->length};
    struct traffic direct = {0};
    TRY(rwa_network_with_faults(&sound, job->net, &(rwa_faults){0}, job->err));
    TRY(roads_create(&roads, sound, job->model, job->err));
    TRY(traffic_create(&direct, job->demands, NULL, false, job->model, job->err));
    TRY(metric_evaluate(&metric, &roads, &direct, 0, job->err));
    *value = metric.value == UINT64_MAX ? 0 : metric.value;
done:
    traffic_free(&direct);
    roads_free(&roads);
    rwa_network_free(sound);
    return st;
}

static bool has_limits(const struct job *job)
{
    rwa_faults faults;
    bool via = false;
    rwa_network_faults(job->net, &faults);
    for (size_t d = 0; d < rwa_demands_count(job->demands); d++)
        via = via || rwa_demands_list(job->demands)[d].via != RWA_NO_NODE;
    return via || faults.link_count > 0 || job->opts->forbidden_count > 0;
}

rwa_certificate job_certificate(const struct job *job, const struct metric *metric)
{
    return (rwa_certificate){.name = metric->name, .value = metric->value, .kind = RWA_WITNESS_LENGTHS,
                             .lengths = metric->length, .length_count = job->roads.links,
                             .source = "every lightpath is at least as long as the shortest way under any lengths of the "
                                       "links, and a wavelength offers each link once per fibre"};
}

static rwa_status find_bound(struct job *job)
{
    bool most = job->opts->objective == RWA_MOST_DEMANDS;
    uint64_t plain = UINT64_MAX;
    rwa_status st = RWA_OK;
    TRY(flow_solve(&job->flow, &job->roads, &job->traffic, most ? job->opts->wavelengths : 0, &job->watch, job->err));
    const struct metric *metric = flow_bound(job->flow);
    if (!metric->name || (!most && metric->value <= job->bound.value))
        goto done;
    if (!most && has_limits(job))
        TRY(plain_value(&plain, job));
    job->bound = job_certificate(job, metric);
    job->bound.most_served = most;
    if (plain < metric->value)
        job->bound.kind = RWA_WITNESS_NONE;
done:
    return st;
}

/* ---- the menu ---- */

/* What is known goes first.  All-to-all: each demand is a kind of its own. */
static rwa_status put_known_first(struct candidates *c, const struct job *job)
{
    rwa_status st = RWA_OK;
    struct paths all = {0};
    size_t *first = base_array(c->kinds + 1, sizeof *first, job->err);
    if (!first)
        return RWA_NOMEM;
    for (size_t k = 0; k < c->kinds; k++) {
        const size_t *known = job->known.first + c->sorted[k].demand;
        TRY(paths_add(&all, job->known.arc + known[0], known[1] - known[0], job->err));
        for (size_t p = c->first[k]; p < c->first[k + 1]; p++)
            TRY(paths_add(&all, c->paths.arc + c->paths.first[p], c->paths.first[p + 1] - c->paths.first[p], job->err));
        first[k + 1] = all.count;
    }
    paths_free(&c->paths);
    free(c->first);
    c->paths = all;
    c->first = first;
    return RWA_OK;
done:
    paths_free(&all);
    free(first);
    return st;
}

static bool is_solved(const struct job *job)
{
    uint64_t fibers = rwa_network_fibers(job->net), given = job->opts->wavelengths * fibers;
    return job->known_waves > 0 && job->known_waves == job->bound.value * fibers && (given == 0 || job->known_waves <= given);
}

/* No routes are needed but those known. */
static void name_kinds(struct candidates *c, size_t count)
{
    for (; c->kinds < count; c->kinds++)
        c->kind_of[c->sorted[c->kinds].demand] = (uint32_t)c->kinds;
}

static void place_known(struct job *job)
{
    struct placement *best = &job->best;
    for (uint32_t u = 0; u < job->menu.demands; u++) {
        best->route[u] = job->route[u];
        best->wave[job->segment[job->route[u]]] = job->known_wave[job->demand_of[u]];
    }
    best->waves = job->known_waves;
    best->placed = job->menu.demands;
}

/* A route ends a segment where a converter stands on its way. */
static size_t segments_of(const struct job *job, const bool *converts, const uint32_t *arc, size_t hops)
{
    size_t n = 1;
    for (size_t k = 0; k + 1 < hops; k++)
        n += converts[job->roads.to[arc[k]]];
    return n;
}

struct sizes {
    size_t units, routes, segments, hops;
};

static struct sizes count_menu(const struct job *job, const struct candidates *c, const bool *converts)
{
    struct sizes n = {0};
    const rwa_demand *list = rwa_demands_list(job->demands);
    for (size_t d = 0; d < rwa_demands_count(job->demands); d++) {
        size_t from = c->first[c->kind_of[d]], to = c->first[c->kind_of[d] + 1], copies = list[d].count;
        if (from == to)
            continue;
        n.units += copies;
        n.routes += (to - from) * copies;
        n.hops += (c->paths.first[to] - c->paths.first[from]) * copies;
        for (size_t p = from; p < to; p++)
            n.segments += copies * segments_of(job, converts, c->paths.arc + c->paths.first[p],
                                               c->paths.first[p + 1] - c->paths.first[p]);
    }
    return n;
}

static rwa_status menu_room(struct job *job, const struct sizes *n)
{
    rwa_error *err = job->err;
    job->demand_of = base_array(n->units, sizeof *job->demand_of, err);
    job->copy_of = base_array(n->units, sizeof *job->copy_of, err);
    job->route = base_array(n->units + 1, sizeof *job->route, err);
    job->segment = base_array(n->routes + 1, sizeof *job->segment, err);
    job->hop = base_array(n->segments + 1, sizeof *job->hop, err);
    job->link = base_array(n->hops, sizeof *job->link, err);
    job->arc = base_array(n->hops, sizeof *job->arc, err);
    return job->demand_of && job->copy_of && job->route && job->segment && job->hop && job->link && job->arc ? RWA_OK
                                                                                                             : RWA_NOMEM;
}

struct cursor {
    size_t routes, segments, hops;
};

static void lay_route(struct job *job, struct cursor *at, const bool *converts, const uint32_t *arc, size_t hops)
{
    for (size_t k = 0; k < hops; k++) {
        job->arc[at->hops] = arc[k];
        job->link[at->hops++] = job->roads.link[arc[k]];
        if (k + 1 == hops || converts[job->roads.to[arc[k]]])
            job->hop[++at->segments] = at->hops;
    }
    job->segment[++at->routes] = at->segments;
}

static void lay_menu(struct job *job, const struct candidates *c, const bool *converts)
{
    const rwa_demand *list = rwa_demands_list(job->demands);
    struct cursor at = {0};
    uint32_t unit = 0;
    for (size_t d = 0; d < rwa_demands_count(job->demands); d++) {
        size_t from = c->first[c->kind_of[d]], to = c->first[c->kind_of[d] + 1];
        for (uint32_t copy = 0; copy < list[d].count && from < to; copy++) {
            for (size_t p = from; p < to; p++)
                lay_route(job, &at, converts, c->paths.arc + c->paths.first[p],
                          c->paths.first[p + 1] - c->paths.first[p]);
            job->demand_of[unit] = (uint32_t)d;
            job->copy_of[unit] = copy;
            job->route[++unit] = at.routes;
        }
    }
    job->menu = (struct menu){.links = job->roads.links, .fibers = job->menu.fibers, .fibers_of = job->fibers_of,
                              .demands = unit, .route = job->route, .segment = job->segment, .hop = job->hop,
                              .link = job->link, .taken = job->taken, .taken_count = job->menu.taken_count};
}

/* Fibres: the link that has most sets the numbering of waves. */
static rwa_status count_fibers(struct job *job)
{
    const struct roads *r = &job->roads;
    uint32_t most = 1, least = UINT32_MAX;
    for (uint32_t l = 0; l < r->links; l++) {
        most = r->fibers[l] > most ? r->fibers[l] : most;
        least = r->fibers[l] < least ? r->fibers[l] : least;
    }
    job->menu.fibers = most;
    if (least >= most)
        return RWA_OK;
    job->fibers_of = base_array(r->links, sizeof *job->fibers_of, job->err);
    if (!job->fibers_of)
        return RWA_NOMEM;
    memcpy(job->fibers_of, r->fibers, r->links * sizeof *job->fibers_of);
    return RWA_OK;
}

/* Reserved channels: on one link, or on all. */
static rwa_status list_taken(struct job *job)
{
    const rwa_reserved *list = NULL;
    rwa_faults faults;
    size_t count = rwa_network_reserved(job->net, &list), n = 0, links = job->roads.links;
    uint32_t fibers = job->menu.fibers, w = rwa_network_wavelengths(job->net);
    rwa_network_faults(job->net, &faults);
    job->taken = base_array(count + faults.channel_count * links, sizeof *job->taken, job->err);
    if (!job->taken)
        return RWA_NOMEM;
    for (size_t i = 0; i < count; i++)
        job->taken[n++] = (struct channel){job->roads.link[list[i].link], list[i].wavelength * fibers + list[i].fiber};
    for (size_t i = 0; i < faults.channel_count; i++)
        for (uint32_t l = 0; l < links; l++)
            job->taken[n++] = (struct channel){l, faults.channels[i] % w * fibers + faults.channels[i] / w};
    job->menu.taken_count = n;
    return RWA_OK;
}

static rwa_status build_menu(struct job *job, struct candidates *c)
{
    rwa_status st = RWA_NOMEM;
    struct sizes n = {0};
    bool *converts = base_array(job->roads.nodes, sizeof *converts, job->err);
    if (!converts)
        return st;
    for (size_t i = 0; i < job->opts->converter_count; i++)
        converts[job->opts->converters[i]] = true;
    TRY(count_fibers(job));
    TRY(list_taken(job));
    if (job->known_waves > 0)
        TRY(put_known_first(c, job));
    n = count_menu(job, c, converts);
    TRY(menu_room(job, &n));
    lay_menu(job, c, converts);
    TRY(placement_create(&job->best, &job->menu, job->err));
    if (job->known_waves > 0)
        place_known(job);
done:
    free(converts);
    return st;
}

rwa_status job_routes(struct job *job)
{
    rwa_status st = RWA_OK;
    struct candidates c = {0};
    TRY(sort_demands(&c, job));
    TRY(job_shifts(job));
    if (is_solved(job)) {
        name_kinds(&c, rwa_demands_count(job->demands));
    } else {
        TRY(find_shortest(&c, job));
        TRY(note_dead(&c, job));
        TRY(find_bound(job));
    }
    TRY(build_menu(job, &c));
done:
    candidates_free(&c);
    return st;
}
