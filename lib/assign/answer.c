/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The placement in the public form, with its proof and the checker's verdict. */
#include "assign/why.h"
#include "check/check.h"

struct answer_writing {
    const struct job *job;
    rwa_assignment *result;
    uint32_t *fibers, *wavelengths; /* of each hop of one route */
    char why[192];          /* why a demand has no route */
};

static rwa_direction direction_of(const struct job *job, uint32_t arc)
{
    return arc < rwa_network_pairs(job->net) ? RWA_CW : RWA_CCW;
}

/* Add a route of lightpath number `unit` to w->result: its working route or its backup (`role`).  The route consists of
 * the segments from … to - 1, which are its parts between converters. */
static rwa_status add_route(struct answer_writing *w, uint32_t unit, rwa_role role, size_t from, size_t to)
{
    assert(from < to);
    const struct job *job = w->job;
    const size_t *hop = job->instance.hop;
    uint32_t hops = 0;
    bool changes = false;
    for (size_t s = from; s < to; s++) {
        uint32_t channel = job->best.channel[s], wavelength = channel / job->instance.cand.fibers;
        changes = changes || channel != job->best.channel[from];
        for (size_t k = hop[s]; k < hop[s + 1]; k++) {
            w->fibers[hops] = channel % job->instance.cand.fibers;
            w->wavelengths[hops++] = wavelength;
        }
    }
    rwa_route route = {.demand = job->instance.demand_of[unit],
                       .copy = job->instance.copy_of[unit],
                       .role = role,
                       .hops = hops,
                       .direction = direction_of(job, job->instance.arc[hop[from]]),
                       .links = job->instance.arc + hop[from],
                       .fiber = w->fibers[0],
                       .wavelength = w->wavelengths[0],
                       .fibers = changes ? w->fibers : NULL,
                       .wavelengths = changes ? w->wavelengths : NULL};
    uint32_t width = 1;
    MUST(route_width(&width, job, route.demand, route.links, hops));
    MUST(rwa_assignment_add_wide(w->result, &route, width, job->opts->guard, job->err));
    return route_name_format(w->result, job, route.demand, route.links, hops);
}

static rwa_status add_unplaced(struct answer_writing *w, uint32_t demand, uint32_t copy, const char *why)
{
    rwa_route route = {.demand = demand, .copy = copy, .why = why};
    return rwa_assignment_add_wide(w->result, &route, job_width(w->job, demand), w->job->opts->guard, w->job->err);
}

static rwa_status add_unit(struct answer_writing *w, uint32_t unit)
{
    const struct job *job = w->job;
    size_t r = job->best.route[unit];
    if (r == NO_ROUTE)
        return add_unplaced(w, job->instance.demand_of[unit], job->instance.copy_of[unit],
                            job_is_wide(job) ? "no slots are left for it" : "no wavelength is left for it");
    size_t from = job->instance.segment[r], to = job->instance.segment[r + 1],
           cut = job->instance.backup ? job->instance.backup[r] : to;
    MUST(add_route(w, unit, RWA_WORKING, from, cut));
    if (cut < to)
        MUST(add_route(w, unit, RWA_BACKUP, cut, to));
    return RWA_OK;
}

static rwa_status add_unroutable(struct answer_writing *w, uint32_t demand)
{
    const rwa_demand *list = w->job->list;
    MUST(why_unroutable(w->why, sizeof w->why, w->job, demand));
    for (uint32_t copy = 0; copy < list[demand].count; copy++)
        MUST(add_unplaced(w, demand, copy, w->why));
    return RWA_OK;
}

/* Add every demand to the result, in ascending order: the routes of its lightpaths or, if no route exists, the
 * reason. */
static rwa_status add_all(struct answer_writing *w)
{
    const struct job *job = w->job;
    const struct instance *in = &job->instance;
    size_t next = 0;
    uint32_t unit = 0;
    while (unit < in->cand.demands || next < job->unroutable_count) {
        bool without =
            next < job->unroutable_count && (unit == in->cand.demands || job->unroutable[next] < in->demand_of[unit]);
        MUST(without ? add_unroutable(w, job->unroutable[next++]) : add_unit(w, unit++));
    }
    return RWA_OK;
}

static rwa_outcome outcome_of(const rwa_assignment_report *sum, const struct job *job)
{
    bool all = sum->routed == sum->lightpaths;
    if (job->opts->objective != RWA_FEWEST_WAVELENGTHS)
        return all || (job->bound.name && !job->bound.fixed_routes &&
                       spectrum_value(&job->best, &job->instance.spectrum) == job->bound.value)
                   ? RWA_OPTIMAL
                   : RWA_FEASIBLE;
    if (all)
        return !job->bound.fixed_routes && sum->wavelengths == job->bound.value ? RWA_OPTIMAL : RWA_FEASIBLE;
    return (job->unroutable_count > 0 && !job->unroutable_unsure) ||
                   (!job->bound.fixed_routes && job->bound.value > job->opts->wavelengths)
               ? RWA_INFEASIBLE
               : RWA_UNDECIDED;
}

/* Return the number of candidate routes of all lightpaths together; 0 if none were listed, as for answers in closed
 * form. */
static uint64_t count_offered(const struct job *job)
{
    const struct candidates *c = &job->instance.cand;
    return c->route                              ? c->route[c->demands]
           : job->routing == RWA_ROUTES_SHORTEST ? rwa_demands_lightpaths(job->demands)
                                                 : 0;
}

static rwa_status conclude(rwa_assignment *r, const struct job *job)
{
    rwa_assignment_report *sum = &r->summary;
    rwa_check_options checking;
    assignment_check(r);
    sum->extra_wavelengths = job->extra;
    sum->routing = job->routing;
    sum->solver = job->method->name;
    sum->routes_offered = count_offered(job);
    sum->program = job->program || job->method->kind != METHOD_ILP ? job->program : "not needed";
    sum->outcome = outcome_of(sum, job);
    if (sum->routed < sum->lightpaths)
        MUST(why_not_all(r, job));
    sum->seconds = base_now_s() - job->began_s;
    sum->solver_seconds = job->search_s > 0 ? job->search_s : sum->seconds;
    rwa_check_options_init(&checking);
    checking.transmission = job->opts->transmission;
    if (!job->budget.cancelled) { /* a cancelled search still returns its answer, checked */
        checking.poll = job->opts->poll;
        checking.poll_data = job->opts->poll_data;
    }
    return check_assignment(&r->check, r, &checking, job->err);
}

/* Create a result without routes.  If modulation formats determine the slots, store the rate of each demand too, since
 * the assignment file must state what each lightpath carries. */
static rwa_status create_result(rwa_assignment **out, const struct job *job)
{
    size_t count = job->count;
    rwa_demands *rated = NULL;
    rwa_status st = RWA_OK;
    if (!job_has_formats(job))
        return rwa_assignment_create(out, job->net, job->demands, job->model, job->err);
    double *rates;
    MUST(base_new(rates, count, job->err));
    for (size_t d = 0; d < count; d++)
        rates[d] = job_rate_bps(job, d);
    TRY(rwa_demands_with_rates(&rated, job->demands, rates, job->err));
    TRY(rwa_assignment_create(out, job->net, rated, job->model, job->err));
done:
    rwa_demands_free(rated);
    free(rates);
    return st;
}

/* Add to the result the proof of the bound, changes that would let blocked demands in, the summary and the checker's
 * verdict. */
static rwa_status explain(rwa_assignment *r, const struct job *job)
{
    const struct odd_cuts *cuts = job->bound.lengths == job->parity.length ? &job->parity : &job->odd;
    MUST(assignment_certify(r, &job->bound, job->err));
    if (job->bound.kind == RWA_WITNESS_ODD_CUTS)
        MUST(assignment_odd_sets(r, cuts->sets, cuts->set_count, job->err));
    if (job->instance.cand.route && r->summary.routed < r->summary.lightpaths && !job_is_wide(job))
        MUST(remedies_find(r, job));
    return conclude(r, job);
}

rwa_status job_write(rwa_assignment **out, const struct job *job, rwa_status (*add)(rwa_assignment *result, void *data),
                     void *data)
{
    rwa_status st = RWA_OK;
    rwa_assignment *r = NULL;
    TRY(create_result(&r, job));
    TRY(add(r, data));
    TRY(explain(r, job));
    *out = r;
    r = NULL;
done:
    rwa_assignment_free(r);
    return st;
}

static rwa_status add_placement(rwa_assignment *r, void *data)
{
    struct answer_writing *w = data;
    const rwa_assignment_options *o = w->job->opts;
    w->result = r;
    r->protection = o->protection != 0;
    MUST(assignment_keep(r, converters, converter_count, o->converters, o->converter_count, w->job->err));
    return add_all(w);
}

rwa_status job_answer(rwa_assignment **out, const struct job *job)
{
    assert(job->best.placed <= job->instance.cand.demands);
    rwa_status st = RWA_OK;
    struct answer_writing w = {.job = job};
    TRY(base_new(w.fibers, 2 * (size_t)job->graph.nodes, job->err));
    TRY(base_new(w.wavelengths, 2 * (size_t)job->graph.nodes, job->err));
    TRY(job_write(out, job, add_placement, &w));
done:
    free_all(w.fibers, w.wavelengths);
    return st;
}
