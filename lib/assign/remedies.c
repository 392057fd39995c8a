/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Single changes that would each let a demand in: a wavelength, a fibre, a converter, more hops, or permission to
 *  pass a forbidden node. */
#include "assign/why.h"

#include "solvers/spectrum.h"

/* Limits: demands examined, and changes listed for each demand. */
enum { MOST_DEMANDS = 32, MOST_EACH = 16 };

struct remedies {
    const struct job *job;
    struct channel_map map;         /* the free channels, with one wavelength more */
    uint32_t given;         /* channels given; 0: as many as needed, so that every route has a free one */
    size_t demand;
    struct instance routes; /* of the demand, cut into segments between converters */
    size_t begun;           /* index of the first remedy of this demand */
    rwa_remedy *list;
    size_t count;
};

/* ---- does a route have a free channel? ---- */

/* Whether a channel below `channels` is free on hops from … to - 1 of r->routes, where the hops of all routes are
 * numbered together.  If r->given is 0, always true. */
static bool has_channel(const struct remedies *r, size_t from, size_t to, uint32_t channels)
{
    return r->given == 0 || map_lowest_on(&r->map, r->routes.link + from, to - from) < channels;
}

/* Whether the segment has a free channel if the link of hop k gets one more fibre.  The new fibre gets the next fibre
 * number of that link; a lightpath has the same fibre number on all hops of a segment. */
static bool has_channel_on_new_fiber(const struct remedies *r, size_t segment, size_t k)
{
    const uint32_t *link = r->routes.link;
    size_t from = r->routes.hop[segment], to = r->routes.hop[segment + 1];
    uint32_t fibers = r->job->instance.cand.fibers, number = r->job->graph.fibers[link[k]];
    if (number == fibers)
        return to - from == 1;
    for (uint32_t channel = number; channel < r->given; channel += fibers)
        if (map_has_all(&r->map, link + from, k - from, channel) &&
            map_has_all(&r->map, link + k + 1, to - k - 1, channel))
            return true;
    return false;
}

/* Return how many segments of a route have no free channel below `channels`, and set *poor to the last of them. */
static size_t count_poor(const struct remedies *r, size_t route, uint32_t channels, size_t *poor)
{
    size_t count = 0;
    for (size_t s = r->routes.segment[route]; s < r->routes.segment[route + 1]; s++) {
        if (has_channel(r, r->routes.hop[s], r->routes.hop[s + 1], channels))
            continue;
        *poor = s;
        count++;
    }
    return count;
}

/* ---- the changes ---- */

static rwa_status report(struct remedies *r, rwa_remedy_kind kind, uint32_t where)
{
    for (size_t i = r->begun; i < r->count; i++)
        if (r->list[i].kind == kind && r->list[i].where == where)
            return RWA_OK;
    if (r->count - r->begun == MOST_EACH)
        return RWA_OK;
    return base_append(r->list, r->count, r->job->err,
                       (rwa_remedy){.demand = r->demand, .kind = kind, .where = where});
}

/* Return the first candidate route of the demand with a free channel below `channels` on each segment; NO_ROUTE:
 * none. */
static size_t open_route(const struct remedies *r, uint32_t channels)
{
    size_t poor;
    for (size_t route = 0; route < r->routes.cand.route[r->routes.cand.demands]; route++)
        if (count_poor(r, route, channels, &poor) == 0)
            return route;
    return NO_ROUTE;
}

/* If exactly one segment of the route has no free channel, add to r->list each change that gives it one: a new fibre on
 * one of its links, or a converter at one of its inner nodes. */
static rwa_status try_segment(struct remedies *r, size_t route)
{
    size_t s = 0;
    if (count_poor(r, route, r->given, &s) != 1)
        return RWA_OK;
    size_t from = r->routes.hop[s], to = r->routes.hop[s + 1];
    for (size_t k = from; k < to; k++)
        if (has_channel_on_new_fiber(r, s, k))
            MUST(report(r, RWA_REMEDY_FIBER, r->routes.link[k]));
    for (size_t k = from + 1; k < to; k++)
        if (has_channel(r, from, k, r->given) && has_channel(r, k, to, r->given))
            MUST(report(r, RWA_REMEDY_CONVERTER, r->job->graph.from[r->routes.arc[k]]));
    return RWA_OK;
}

/* Return the hops of the working route or the backup, whichever has more. */
static uint32_t longer_of(const struct instance *o, size_t route)
{
    size_t hops = route_hops(&o->cand, route),
           cut = o->backup ? o->hop[o->backup[route]] - first_hop(&o->cand, route) : hops;
    return (uint32_t)(cut > hops - cut ? cut : hops - cut);
}

/* Set r->routes to the candidate routes of one lightpath of demand number r->demand.  `job`: r->job, or a copy of it
 * with one limit lifted. */
static rwa_status route_demand(struct remedies *r, const struct job *job)
{
    struct route_sets c = {0};
    struct job one = *job;
    rwa_demand alone = job->list[r->demand];
    alone.count = 1;
    one.list = &alone;
    one.count = 1;
    one.budget = (struct budget){0};    /* the time of the search is over */
    instance_free(&r->routes);
    rwa_status st = route_sets_find(&c, &one, 0, false);
    if (st == RWA_OK)
        st = instance_create(&r->routes, &one, &c);
    route_sets_free(&c);
    return st;
}

/* Search routes for demand number r->demand without the hop limit (kind RWA_REMEDY_HOPS) or, for another kind, with the
 * forbidden node `node` allowed.  If one of these routes has a free channel, add the change to r->list. */
static rwa_status try_limits(struct remedies *r, rwa_remedy_kind kind, uint32_t node)
{
    rwa_status st = RWA_OK;
    struct job other = *r->job;
    rwa_assignment_options opts = *r->job->opts;
    bool *closed;
    MUST(base_new(closed, other.graph.nodes, other.err));
    memcpy(closed, other.graph.closed, other.graph.nodes * sizeof *closed);
    other.graph.closed = closed;
    other.opts = &opts;
    if (kind == RWA_REMEDY_HOPS)
        opts.max_hops = 0;
    else
        closed[node] = false;
    TRY(route_demand(r, &other));
    size_t route = open_route(r, r->given);
    if (route != NO_ROUTE)
        st = report(r, kind, kind == RWA_REMEDY_HOPS ? longer_of(&r->routes, route) : node);
done:
    free(closed);
    return st;
}

static rwa_status try_all(struct remedies *r)
{
    const rwa_assignment_options *o = r->job->opts;
    MUST(route_demand(r, r->job));
    if (r->given > 0 && open_route(r, r->given + r->job->instance.cand.fibers) != NO_ROUTE)
        MUST(report(r, RWA_REMEDY_WAVELENGTHS, o->wavelengths + 1));
    for (size_t route = 0; route < r->routes.cand.route[r->routes.cand.demands] && r->given > 0; route++)
        MUST(try_segment(r, route));
    if (o->max_hops > 0)
        MUST(try_limits(r, RWA_REMEDY_HOPS, 0));
    for (size_t i = 0; i < o->forbidden_count; i++)
        MUST(try_limits(r, RWA_REMEDY_NODE, o->forbidden[i]));
    return RWA_OK;
}

/* ---- the demands ---- */

static rwa_status remedies_open(struct remedies *r, const struct job *job)
{
    const struct candidates *cand = &job->instance.cand;
    r->job = job;
    r->given = job->opts->wavelengths * cand->fibers;
    if (r->given > 0)
        MUST(map_create(&r->map, &job->instance.spectrum, job->opts->wavelengths + 1, job->err));
    for (uint32_t u = 0; u < cand->demands && r->given > 0; u++)
        for (size_t s = first_segment(cand, job->best.route[u]); s < end_segment(cand, job->best.route[u]); s++)
            map_set_span(&r->map, s, job->best.channel[s], 1, false);
    return RWA_OK;
}

static rwa_status mark_served(bool **served, const struct job *job)
{
    const struct instance *o = &job->instance;
    size_t count = job->count;
    MUST(base_new(*served, count, job->err));
    memset(*served, 1, count * sizeof **served);
    for (uint32_t u = 0; u < o->cand.demands; u++)
        if (job->best.route[u] == NO_ROUTE)
            (*served)[o->demand_of[u]] = false;
    for (size_t i = 0; i < job->unroutable_count; i++)
        (*served)[job->unroutable[i]] = false;
    return RWA_OK;
}

rwa_status remedies_find(rwa_assignment *result, const struct job *job)
{
    rwa_status st = RWA_OK;
    struct remedies r = {0};
    bool *served = NULL;
    uint32_t looked = 0;
    TRY(mark_served(&served, job));
    TRY(remedies_open(&r, job));
    for (size_t d = 0; d < job->count && looked < MOST_DEMANDS; d++) {
        if (served[d])
            continue;
        r.demand = d;
        r.begun = r.count;
        looked++;
        TRY(try_all(&r));
    }
    TRY(assignment_keep(result, remedies, remedy_count, r.list, r.count, job->err));
done:
    free_all(served, r.list);
    instance_free(&r.routes);
    map_free(&r.map);
    return st;
}
