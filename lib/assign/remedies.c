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
    bool *converts;
    size_t demand;
    size_t begun;           /* index of the first remedy of this demand */
    rwa_remedy *list;
    size_t count, capacity;
};

/* A part of a route within which the channel stays the same. */
struct remedy_segment {
    const uint32_t *arc;
    size_t hops;
};

/* ---- does a route have a free channel? ---- */

/* Whether a channel is free on all hops but hop `but`, which is ignored. */
static bool is_open(const struct remedies *r, const struct remedy_segment *s, size_t but, uint32_t channel)
{
    bool open = true;
    for (size_t k = 0; k < s->hops && open; k++)
        open = k == but || map_has(&r->map, r->job->graph.link[s->arc[k]], channel);
    return open;
}

static bool has_channel(const struct remedies *r, const struct remedy_segment *s, uint32_t channels)
{
    uint32_t channel = 0;
    while (channel < channels && !is_open(r, s, SIZE_MAX, channel))
        channel++;
    return r->given == 0 || channel < channels;
}

/* Whether the lightpath finds a channel if hop k gets one more fibre.  The new fibre has the next number there, and
 * the lightpath has the same fibre number on all hops. */
static bool has_channel_on_new_fiber(const struct remedies *r, const struct remedy_segment *s, size_t k)
{
    assert(k < s->hops && r->given > 0);
    const struct candidates *cand = &r->job->instance.cand;
    uint32_t link = r->job->graph.link[s->arc[k]], number = r->job->graph.fibers[link];
    if (number == cand->fibers)
        return s->hops == 1;
    for (uint32_t channel = number; channel < r->given; channel += cand->fibers)
        if (is_open(r, s, k, channel))
            return true;
    return false;
}

static struct remedy_segment next_segment(const struct remedies *r, const struct route_sets *c, size_t path,
                                          size_t from)
{
    const uint32_t *arc = paths_arcs(&c->paths, path);
    size_t hops = paths_hops(&c->paths, path), cut = c->paths.working[path], to = from + 1;
    while (to < hops && to != cut && !r->converts[r->job->graph.to[arc[to - 1]]])
        to++;
    return (struct remedy_segment){arc + from, to - from};
}

static bool fits(const struct remedies *r, const struct route_sets *c, size_t path, uint32_t channels)
{
    size_t hops = paths_hops(&c->paths, path);
    struct remedy_segment s;
    for (size_t from = 0; from < hops; from += s.hops) {
        s = next_segment(r, c, path, from);
        if (!has_channel(r, &s, channels))
            return false;
    }
    return true;
}

/* ---- the changes ---- */

static rwa_status report(struct remedies *r, rwa_remedy_kind kind, uint32_t where)
{
    for (size_t i = r->begun; i < r->count; i++)
        if (r->list[i].kind == kind && r->list[i].where == where)
            return RWA_OK;
    if (r->count - r->begun == MOST_EACH)
        return RWA_OK;
    return base_append(r->list, r->count, r->capacity, r->job->err,
                       (rwa_remedy){.demand = r->demand, .kind = kind, .where = where});
}

static rwa_status try_wavelength(struct remedies *r, const struct route_sets *c)
{
    for (size_t p = 0; p < c->paths.count; p++)
        if (fits(r, c, p, r->given + r->job->instance.cand.fibers))
            return report(r, RWA_REMEDY_WAVELENGTHS, r->job->opts->wavelengths + 1);
    return RWA_OK;
}

/* If exactly one segment of the path has no free channel, report each hop on which a new fibre would give it one. */
static rwa_status try_fibers(struct remedies *r, const struct route_sets *c, size_t path)
{
    size_t hops = paths_hops(&c->paths, path), without = 0;
    struct remedy_segment s, poor = {0};
    for (size_t from = 0; from < hops; from += s.hops) {
        s = next_segment(r, c, path, from);
        if (has_channel(r, &s, r->given))
            continue;
        poor = s;
        without++;
    }
    for (size_t k = 0; k < poor.hops && without == 1; k++)
        if (has_channel_on_new_fiber(r, &poor, k))
            MUST(report(r, RWA_REMEDY_FIBER, r->job->graph.link[poor.arc[k]]));
    return RWA_OK;
}

static rwa_status try_converters(struct remedies *r, const struct route_sets *c, size_t path)
{
    rwa_status st = RWA_OK;
    for (size_t k = c->paths.first[path]; k + 1 < c->paths.first[path + 1] && st == RWA_OK; k++) {
        uint32_t node = r->job->graph.to[c->paths.arc[k]];
        if (r->converts[node])
            continue;
        r->converts[node] = true;
        if (fits(r, c, path, r->given))
            st = report(r, RWA_REMEDY_CONVERTER, node);
        r->converts[node] = false;
    }
    return st;
}

static uint32_t longer_of(const struct route_sets *c, size_t path)
{
    size_t hops = paths_hops(&c->paths, path), cut = c->paths.working[path];
    return (uint32_t)(cut > hops - cut ? cut : hops - cut);
}

/* Route the demand without the hop limit (RWA_REMEDY_HOPS) or through `node`, which is forbidden otherwise, and
 * report this change if one of the routes has a free channel. */
static rwa_status try_limits(struct remedies *r, rwa_remedy_kind kind, uint32_t node)
{
    rwa_status st = RWA_OK;
    struct route_sets c = {0};
    struct job other = *r->job;
    rwa_assignment_options opts = *r->job->opts;
    size_t p = 0;
    bool *closed;
    MUST(base_new(closed, other.graph.nodes, other.err));
    memcpy(closed, other.graph.closed, other.graph.nodes * sizeof *closed);
    other.graph.closed = closed;
    other.opts = &opts;
    if (kind == RWA_REMEDY_HOPS)
        opts.max_hops = 0;
    else
        closed[node] = false;
    TRY(route_sets_of(&c, &other, r->demand));
    while (p < c.paths.count && !fits(r, &c, p, r->given))
        p++;
    if (p < c.paths.count)
        st = report(r, kind, kind == RWA_REMEDY_HOPS ? longer_of(&c, p) : node);
done:
    route_sets_free(&c);
    free(closed);
    return st;
}

static rwa_status try_all(struct remedies *r)
{
    rwa_status st = RWA_OK;
    const rwa_assignment_options *o = r->job->opts;
    struct route_sets c = {0};
    TRY(route_sets_of(&c, r->job, r->demand));
    if (r->given > 0)
        TRY(try_wavelength(r, &c));
    for (size_t p = 0; p < c.paths.count && r->given > 0; p++) {
        TRY(try_fibers(r, &c, p));
        TRY(try_converters(r, &c, p));
    }
    if (o->max_hops > 0)
        TRY(try_limits(r, RWA_REMEDY_HOPS, 0));
    for (size_t i = 0; i < o->forbidden_count; i++)
        TRY(try_limits(r, RWA_REMEDY_NODE, o->forbidden[i]));
done:
    route_sets_free(&c);
    return st;
}

/* ---- the demands ---- */

static rwa_status remedies_open(struct remedies *r, const struct job *job)
{
    const struct candidates *cand = &job->instance.cand;
    r->job = job;
    r->given = job->opts->wavelengths * cand->fibers;
    MUST(base_new(r->converts, job->graph.nodes, job->err));
    for (size_t i = 0; i < job->opts->converter_count; i++)
        r->converts[job->opts->converters[i]] = true;
    if (r->given > 0)
        MUST(map_create(&r->map, &job->instance.spectrum, job->opts->wavelengths + 1, job->err));
    for (uint32_t u = 0; u < cand->demands && r->given > 0; u++)
        for (size_t s = first_segment(cand, job->best.route[u]); s < end_segment(cand, job->best.route[u]); s++)
            map_take(&r->map, s, job->best.channel[s], 1);
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
    free_all(served, r.list, r.converts);
    map_free(&r.map);
    return st;
}
