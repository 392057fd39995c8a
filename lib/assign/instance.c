/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Route sets as candidates for the searches: units, segments between converters, reserved channels. */
#include "assign/assign.h"

/* An instance under construction. */
struct building {
    const struct job *job;
    const struct route_sets *c;
    struct instance *instance;
    bool *converts;     /* of each node */
    uint32_t fibers;    /* of the link that has the most */
    size_t taken_count;
    size_t routes, segments, hops;  /* written so far */
};

void instance_free(struct instance *o)
{
    arena_free(&o->arena);
    memset(o, 0, sizeof *o);
}

/* A candidate; with protection its arcs from `cut` on are the backup. */
struct route {
    const uint32_t *arc;
    size_t hops, cut;
};

static struct route route_at(const struct route_sets *c, size_t path)
{
    return (struct route){paths_arcs(&c->paths, path), paths_hops(&c->paths, path), c->paths.working[path]};
}

/* Whether a segment ends after hop k: at a converter inside the route, or at the end of the route. */
static bool ends_segment(const struct building *y, const struct route *route, size_t k)
{
    assert(k < route->hops);
    return k + 1 == route->hops || k + 1 == route->cut || y->converts[y->job->graph.to[route->arc[k]]];
}

static size_t segments_of(const struct building *y, const struct route *route)
{
    size_t n = 0;
    for (size_t k = 0; k < route->hops; k++)
        n += ends_segment(y, route, k);
    return n;
}

struct sizes {
    size_t units, routes, segments, hops;
};

/* The paths of a unit of a demand: all paths of its kind, or the one chosen for it. */
static void paths_of(const struct route_sets *c, size_t demand, size_t unit, size_t *from, size_t *to)
{
    *from = c->first[c->kind_of[demand]];
    *to = c->first[c->kind_of[demand] + 1];
    if (!c->chosen || *from == *to)
        return;
    *from = c->chosen[unit];
    *to = *from + 1;
}

static struct sizes count_candidates(const struct building *y)
{
    struct sizes n = {0};
    const struct route_sets *c = y->c;
    const rwa_demand *list = rwa_demands_list(y->job->demands);
    size_t from = 0, to = 0;
    for (size_t d = 0; d < rwa_demands_count(y->job->demands); d++)
        for (uint32_t copy = 0; copy < list[d].count; copy++) {
            paths_of(c, d, n.units, &from, &to);
            n.units += from < to;
            n.routes += to - from;
            for (size_t p = from; p < to; p++) {
                struct route route = route_at(c, p);
                n.hops += route.hops;
                n.segments += segments_of(y, &route);
            }
        }
    return n;
}

static rwa_status allocate(struct building *y)
{
    struct instance *o = y->instance;
    struct sizes n = count_candidates(y);
    arena_arrays(&o->arena, n.units, o->demand_of, o->copy_of);
    arena_new(&o->arena, o->route, n.units + 1);
    arena_new(&o->arena, o->segment, n.routes + 1);
    arena_new(&o->arena, o->hop, n.segments + 1);
    arena_arrays(&o->arena, n.hops, o->link, o->arc);
    if (y->job->opts->protection)
        arena_new(&o->arena, o->backup, n.routes);
    return arena_status(&o->arena);
}

static void append_route(struct building *y, const struct route *route)
{
    struct instance *o = y->instance;
    for (size_t k = 0; k < route->hops; k++) {
        o->arc[y->hops] = route->arc[k];
        o->link[y->hops++] = y->job->graph.link[route->arc[k]];
        if (ends_segment(y, route, k))
            o->hop[++y->segments] = y->hops;
        if (o->backup && k + 1 == route->cut)
            o->backup[y->routes] = y->segments;
    }
    o->segment[++y->routes] = y->segments;
}

static void write_candidates(struct building *y)
{
    const struct route_sets *c = y->c;
    struct instance *o = y->instance;
    const rwa_demand *list = rwa_demands_list(y->job->demands);
    uint32_t unit = 0;
    size_t from = 0, to = 0;
    for (size_t d = 0; d < rwa_demands_count(y->job->demands); d++)
        for (uint32_t copy = 0; copy < list[d].count; copy++) {
            paths_of(c, d, unit, &from, &to);
            if (from == to)
                break;
            for (size_t p = from; p < to; p++) {
                struct route route = route_at(c, p);
                append_route(y, &route);
            }
            o->demand_of[unit] = (uint32_t)d;
            o->copy_of[unit] = copy;
            o->route[++unit] = y->routes;
        }
    o->cand = (struct candidates){.links = y->job->graph.links,
                                  .fibers = y->fibers,
                                  .fibers_of = o->fibers_of,
                                  .demands = unit,
                                  .route = o->route,
                                  .segment = o->segment,
                                  .hop = o->hop,
                                  .link = o->link,
                                  .taken = o->taken,
                                  .taken_count = y->taken_count};
}

/* Count fibres: the link with the most determines how channels are numbered. */
static rwa_status count_fibers(struct building *y)
{
    const struct routing_graph *r = &y->job->graph;
    struct instance *o = y->instance;
    uint32_t least = UINT32_MAX;
    y->fibers = 1;
    for (uint32_t l = 0; l < r->links; l++) {
        y->fibers = r->fibers[l] > y->fibers ? r->fibers[l] : y->fibers;
        least = r->fibers[l] < least ? r->fibers[l] : least;
    }
    if (least >= y->fibers)
        return RWA_OK;
    if (!arena_new(&o->arena, o->fibers_of, r->links))
        return RWA_NOMEM;
    memcpy(o->fibers_of, r->fibers, r->links * sizeof *o->fibers_of);
    return RWA_OK;
}

/* List the reserved channels, each on one link or on all. */
static rwa_status list_taken(struct building *y)
{
    const struct job *job = y->job;
    const rwa_reserved *list = NULL;
    size_t count = rwa_network_reserved(&list, job->net), links = job->graph.links;
    uint32_t w = rwa_network_wavelengths(job->net);
    rwa_faults faults = network_faults(job->net);
    struct channel *taken = arena_new(&y->instance->arena, y->instance->taken, count + faults.channel_count * links);
    MUST(taken ? RWA_OK : RWA_NOMEM);
    for (size_t i = 0; i < count; i++)
        taken[y->taken_count++] =
            (struct channel){job->graph.link[list[i].link], list[i].wavelength * y->fibers + list[i].fiber};
    for (size_t i = 0; i < faults.channel_count; i++)
        for (uint32_t l = 0; l < links; l++)
            taken[y->taken_count++] = (struct channel){l, faults.channels[i] % w * y->fibers + faults.channels[i] / w};
    return RWA_OK;
}

/* The slots that a demand takes on a candidate; with formats, the larger of those of the working route and of the
 * backup. */
static rwa_status span_of(uint32_t *span, const struct building *y, size_t demand, size_t r)
{
    const struct instance *o = y->instance;
    size_t from = o->segment[r], to = o->segment[r + 1], cut = o->backup ? o->backup[r] : to;
    uint32_t width = 0, backup = 0;
    MUST(route_width(&width, y->job, demand, o->arc + o->hop[from], o->hop[cut] - o->hop[from]));
    if (cut < to)
        MUST(route_width(&backup, y->job, demand, o->arc + o->hop[cut], o->hop[to] - o->hop[cut]));
    *span = (width > backup ? width : backup) + y->job->opts->guard;
    return RWA_OK;
}

static rwa_status measure_spans(struct building *y)
{
    struct instance *o = y->instance;
    bool traffic = y->job->opts->objective == RWA_MOST_TRAFFIC;
    arena_new(&o->arena, o->span, y->routes);
    MUST(arena_arrays(&o->arena, o->cand.demands, o->value));
    for (uint32_t u = 0; u < o->cand.demands; u++) {
        for (size_t r = o->route[u]; r < o->route[u + 1]; r++)
            MUST(span_of(&o->span[r], y, o->demand_of[u], r));
        o->value[u] = traffic ? job_width(y->job, o->demand_of[u]) : 1;
    }
    return RWA_OK;
}

rwa_status instance_create(struct instance *instance, const struct job *job, const struct route_sets *c)
{
    rwa_status st = RWA_NOMEM;
    struct building y = {.job = job, .c = c, .instance = instance};
    instance->arena.err = job->err;
    y.converts = base_array(job->graph.nodes, sizeof *y.converts, job->err);
    if (!y.converts)
        return st;
    for (size_t i = 0; i < job->opts->converter_count; i++)
        y.converts[job->opts->converters[i]] = true;
    TRY(allocate(&y));
    TRY(count_fibers(&y));
    TRY(list_taken(&y));
    write_candidates(&y);
    if (job_is_wide(job))
        TRY(measure_spans(&y));
    instance->spectrum = (struct spectrum){.cand = &instance->cand, .span = instance->span, .value = instance->value};
done:
    free(y.converts);
    return st;
}
