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
    const uint32_t *fibers_of;  /* NULL, or of each link */
    size_t taken_count;
    bool writes;        /* candidates are written, not only counted */
    uint32_t units;
    size_t routes, segments, hops;
};

void instance_free(struct instance *o)
{
    arena_free(&o->arena);
    memset(o, 0, sizeof *o);
}

/* Set *from … *to - 1 to the paths that a lightpath may take: the one chosen for it (c->chosen) or, where none are
 * chosen, all paths of its demand.  unit: its number among the lightpaths that have a route. */
static void paths_of(const struct route_sets *c, size_t demand, size_t unit, size_t *from, size_t *to)
{
    *from = c->first[c->kind_of[demand]];
    *to = c->first[c->kind_of[demand] + 1];
    if (!c->chosen || *from == *to)
        return;
    *from = c->chosen[unit];
    *to = *from + 1;
}

/* Append path number `path` to the candidate routes of y->instance, divided into segments.  A segment ends at a
 * converter, where a backup begins, and at the end of the path.  If y->writes is false, only count routes, segments and
 * hops. */
static void append_route(struct building *y, size_t path)
{
    struct instance *o = y->instance;
    const uint32_t *arc = paths_arcs(&y->c->paths, path);
    size_t hops = paths_hops(&y->c->paths, path), cut = y->c->paths.working[path];
    for (size_t k = 0; k < hops; k++, y->hops++) {
        if (y->writes) {
            o->arc[y->hops] = arc[k];
            o->link[y->hops] = y->job->graph.link[arc[k]];
        }
        if (k + 1 < hops && k + 1 != cut && !y->converts[y->job->graph.to[arc[k]]])
            continue;
        y->segments++;
        if (y->writes)
            o->hop[y->segments] = y->hops + 1;
        if (o->backup && k + 1 == cut)
            o->backup[y->routes] = y->segments;
    }
    y->routes++;
    if (y->writes)
        o->segment[y->routes] = y->segments;
}

static void append_unit(struct building *y, uint32_t demand, uint32_t copy)
{
    struct instance *o = y->instance;
    size_t from = 0, to = 0;
    paths_of(y->c, demand, y->units, &from, &to);
    if (from == to)
        return;
    if (y->writes) {
        o->demand_of[y->units] = demand;
        o->copy_of[y->units] = copy;
    }
    for (size_t p = from; p < to; p++)
        append_route(y, p);
    y->units++;
    if (y->writes)
        o->route[y->units] = y->routes;
}

static void append_all(struct building *y)
{
    y->units = 0;
    y->routes = y->segments = y->hops = 0;
    for (uint32_t d = 0; d < y->job->count; d++)
        for (uint32_t copy = 0; copy < y->job->list[d].count; copy++)
            append_unit(y, d, copy);
}

static rwa_status allocate(struct building *y)
{
    struct instance *o = y->instance;
    append_all(y);
    y->writes = true;
    arena_arrays(&o->arena, y->units, o->demand_of, o->copy_of);
    arena_new(&o->arena, o->route, (size_t)y->units + 1);
    arena_new(&o->arena, o->segment, y->routes + 1);
    arena_new(&o->arena, o->hop, y->segments + 1);
    arena_arrays(&o->arena, y->hops, o->link, o->arc);
    if (y->job->opts->protection)
        arena_new(&o->arena, o->backup, y->routes);
    return arena_status(&o->arena);
}

static void write_candidates(struct building *y)
{
    struct instance *o = y->instance;
    append_all(y);
    o->cand = (struct candidates){.links = y->job->graph.links,
                                  .fibers = y->fibers,
                                  .fibers_of = y->fibers_of,
                                  .demands = y->units,
                                  .route = o->route,
                                  .segment = o->segment,
                                  .hop = o->hop,
                                  .link = o->link,
                                  .taken = o->taken,
                                  .taken_count = y->taken_count};
}

/* Set y->fibers to the most fibres of any link, by which channels are numbered.  If some link has fewer, set
 * y->fibers_of to the fibres of each link. */
static void count_fibers(struct building *y)
{
    const struct routing_graph *r = &y->job->graph;
    y->fibers = 1;
    for (uint32_t l = 0; l < r->links; l++)
        RAISE(y->fibers, r->fibers[l]);
    for (uint32_t l = 0; l < r->links; l++)
        y->fibers_of = r->fibers[l] < y->fibers ? r->fibers : y->fibers_of;
}

/* List the reserved channels in y->instance->taken, as pairs of a link and a channel.  A channel reserved on all links
 * becomes a pair for each link. */
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

/* Set *span to the slots, with the guard, that a lightpath of the demand takes on candidate route r.  If working route
 * and backup need different numbers, the larger one counts. */
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
    rwa_status st = RWA_OK;
    struct building y = {.job = job, .c = c, .instance = instance};
    instance->arena.err = job->err;
    MUST(base_new(y.converts, job->graph.nodes, job->err));
    for (size_t i = 0; i < job->opts->converter_count; i++)
        y.converts[job->opts->converters[i]] = true;
    TRY(allocate(&y));
    count_fibers(&y);
    TRY(list_taken(&y));
    write_candidates(&y);
    if (job_is_wide(job))
        TRY(measure_spans(&y));
    instance->spectrum = (struct spectrum){.cand = &instance->cand, .span = instance->span, .value = instance->value};
done:
    free(y.converts);
    return st;
}
