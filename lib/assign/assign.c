/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Static routing and wavelength assignment on any network whose links can be listed. */
#include "assign/assign.h"

#include "assign/counted.h"

/** Least memory of a lightpath: its demand, route, channel and answer. */
enum { LIGHTPATH_BYTES = 128 };

static const struct method methods[] = {
    {"auto", "greedy, then search over routes and wavelengths until a bound is met", METHOD_SEARCH,
     FIT_LOWEST, FIT_AS_GIVEN},
    {"exact", "as auto, and on small demand sets a search through everything, until it is proven or out of time",
     METHOD_EXACT, FIT_LOWEST, FIT_AS_GIVEN},
    {"first-fit", "demands as they come, each on the lowest channel free on one of its routes", METHOD_GREEDY,
     FIT_LOWEST, FIT_AS_GIVEN},
    {"best-fit", "as they come, each on the shortest route that is free on a channel in use", METHOD_GREEDY,
     FIT_SHORTEST, FIT_AS_GIVEN},
    {"last-fit", "as they come, each on the highest channel given or in use", METHOD_GREEDY, FIT_HIGHEST, FIT_AS_GIVEN},
    {"most-used", "as they come, each on the channel in use on most links", METHOD_GREEDY, FIT_MOST_USED, FIT_AS_GIVEN},
    {"least-used", "as they come, each on the channel given or in use that is on fewest links", METHOD_GREEDY,
     FIT_LEAST_USED, FIT_AS_GIVEN},
    {"random", "as they come, each on any channel given or in use (--seed)", METHOD_GREEDY, FIT_RANDOM, FIT_AS_GIVEN},
    {"longest-first", "the longest shortest routes first, each on the lowest free channel", METHOD_GREEDY, FIT_LOWEST,
     FIT_LONGEST},
    {"largest-degree-first", "routes that meet most others first, each on the lowest free channel", METHOD_GREEDY,
     FIT_LOWEST, FIT_DEGREE},
    {"dsatur", "always the route that has lost most channels, on the lowest one free", METHOD_GREEDY, FIT_LOWEST,
     FIT_SATURATION},
    {"least-fragmentation",
     "as they come, each where it leaves the links of its route with the fewest blocks of free slots", METHOD_SLOTS,
     FIT_FEWEST_BLOCKS, FIT_AS_GIVEN},
    {"ilp", "the link-path integer program through GLPK, for comparison: small cases, only the routes offered",
     METHOD_ILP, FIT_LOWEST, FIT_AS_GIVEN},
};

LISTED(rwa_assignment_solver_name, methods, .name)
LISTED(rwa_assignment_solver_summary, methods, .summary)

#define ROUTINGS(X) X(, RWA_ROUTES_AUTO, "auto") X(, RWA_ROUTES_SHORTEST, "shortest") \
    X(, RWA_ROUTES_K_SHORTEST, "k-shortest") X(, RWA_ROUTES_MIN_LOAD, "min-load")
NAMED(rwa_assignment_routing_name, rwa_assignment_routing, ROUTINGS, NULL)

OPTIONS(rwa_assignment_options, .time_limit_s = 10, .seed = 1)

void job_free(struct job *job)
{
    routing_graph_free(&job->graph);
    risks_free(&job->risks);
    traffic_free(&job->traffic);
    flow_close(job->flow);
    route_sets_free(&job->sets);
    odd_cuts_free(&job->odd);
    odd_cuts_free(&job->parity);
    placement_free(&job->best);
    paths_free(&job->symmetric);
    free(job->symmetric_channel);
    free(job->symmetric_length);
    instance_free(&job->instance);
    free_all(job->has_no_route, job->unroutable, job->fewest, job->witness, job->cut);
}

static rwa_status check_nodes(const char *what, const uint32_t *list, size_t count, uint32_t nodes, rwa_error *err)
{
    for (size_t i = 0; i < count; i++)
        if (list[i] >= nodes)
            return base_refuse(err, "%s node %u: the network has %u nodes", what, list[i], nodes);
    return RWA_OK;
}

void job_first_fit(struct job *job)
{
    traffic_free(&job->traffic);
    job->method = &methods[base_find_name(rwa_assignment_solver_name, "first-fit")];
    job->routing = RWA_ROUTES_SHORTEST;
}

bool job_searches(const struct job *job)
{
    assert(job->method);
    return job->method->kind == METHOD_SEARCH || job->method->kind == METHOD_EXACT;
}

bool job_searches_freely(const struct job *job)
{
    return job_searches(job) && job->routing == RWA_ROUTES_AUTO;
}

bool job_is_plain(const struct job *job)
{
    const rwa_assignment_options *o = job->opts;
    bool plain = !job_is_wide(job) && !o->transmission && !o->protection && o->forbidden_count == 0 &&
                 o->converter_count == 0 && o->max_hops == 0 && !network_has_reserved(job->net) &&
                 !network_has_failed_links(job->net) && o->objective == RWA_FEWEST_WAVELENGTHS;
    for (size_t d = 0; d < job->count && plain; d++)
        plain = job->list[d].via == RWA_NONE;
    return plain;
}

bool job_has_equal_fibers(const struct job *job)
{
    const struct routing_graph *g = &job->graph;
    uint32_t same = 0;
    while (same < g->links && g->fibers[same] == g->fibers[0])
        same++;
    return same > 0 && same == g->links;
}

/* Refuse a request for lightpaths of several slots if the solver does not support them, or if the guard or the slots of
 * a demand exceed their limits. */
static rwa_status check_slots(const struct job *job)
{
    const rwa_assignment_options *o = job->opts;
    const struct method *m = job->method;
    const rwa_demand *list = job->list;
    if (o->guard > RWA_CHANNELS_MAX)
        return base_refuse(job->err, "assign: guard %u, expected at most %u slots", o->guard, RWA_CHANNELS_MAX);
    if (m->rule == FIT_MOST_USED || m->rule == FIT_LEAST_USED || m->order == FIT_DEGREE || m->order == FIT_SATURATION)
        return base_refuse(job->err, "assign: solver %s is for lightpaths of one slot without a guard", m->name);
    for (size_t d = 0; d < job->count; d++) {
        if (o->wavelengths > 0 && job_span(job, d) > o->wavelengths && o->objective == RWA_FEWEST_WAVELENGTHS)
            return RWA_OK;  /* the answer names it */
        if ((uint64_t)list[d].count * job_span(job, d) > UINT32_MAX)
            return base_refuse(job->err, "assign: demand %zu: %u lightpaths of %u slots are too many", d, list[d].count,
                               job_span(job, d));
    }
    return RWA_OK;
}

static rwa_status check_request(const struct job *job)
{
    const rwa_assignment_options *o = job->opts;
    rwa_error *err = job->err;
    uint32_t nodes = rwa_network_nodes(job->net);
    if (network_is_one_hop(job->net))
        return base_refuse(err, "assign: a %s network has no links to route over",
                           rwa_topology_name(rwa_network_topology(job->net)));
    if (rwa_demands_nodes(job->demands) != nodes)
        return base_refuse(err, "assign: demands between %u nodes, the network has %u", rwa_demands_nodes(job->demands),
                           nodes);
    if (job->model == RWA_UNDIRECTED && !rwa_network_is_paired(job->net))
        return base_refuse(err, "assign: the undirected model needs links in pairs, this network has single ones");
    if (o->protection == RWA_PROTECTION_SHARED)
        return base_refuse(err, "assign: protection shared, expected none or 1+1: shared backups belong to states");
    if (!job->method)
        return base_refuse(err, "assign: unknown solver '%s'", o->solver);
    if (o->wavelengths > RWA_CHANNELS_MAX)
        return base_refuse(err, "assign: %u wavelengths, expected at most %u", o->wavelengths, RWA_CHANNELS_MAX);
    if (o->objective != RWA_FEWEST_WAVELENGTHS && o->wavelengths == 0)
        return base_refuse(err, "assign: to serve as many demands as possible, give the wavelengths");
    if (job_is_wide(job))
        MUST(check_slots(job));
    if (o->transmission && o->wavelengths > transmission_band(job->net, o->transmission))
        return base_refuse(err, "assign: %u wavelengths, the band of the fibre profile holds %u channels",
                           o->wavelengths, transmission_band(job->net, o->transmission));
    MUST(check_nodes("forbidden", o->forbidden, o->forbidden_count, nodes, err));
    return check_nodes("converter", o->converters, o->converter_count, nodes, err);
}

static rwa_status job_open(struct job *job)
{
    const rwa_assignment_options *o = job->opts;
    job->list = rwa_demands_list(job->demands);
    job->count = rwa_demands_count(job->demands);
    job->model = o->model ? o->model : rwa_network_model(job->net);
    size_t method = o->solver ? base_find_name(rwa_assignment_solver_name, o->solver) : 0;
    job->routing = o->routing;
    job->method = method == SIZE_MAX ? NULL : &methods[method];
    if (job->routing == RWA_ROUTES_AUTO && job->method && !job_searches(job))
        job->routing =
            o->paths > 1 || job->method->rule == FIT_SHORTEST ? RWA_ROUTES_K_SHORTEST : RWA_ROUTES_SHORTEST;
    job->random = o->seed;
    job->began_s = base_now_s();
    job->budget = base_budget(o->time_limit_s, o->poll, o->poll_data);
    job->budget.programs = o->programs;
    if (job->method)
        MUST(job_fewest_slots(job));
    MUST(check_request(job));
    MUST(base_fits_memory((double)rwa_demands_lightpaths(job->demands) * LIGHTPATH_BYTES,
                          "assigning so many lightpaths", job->err));
    MUST(routing_graph_create(&job->graph, job->net, job->model, job->err));
    MUST(risks_create(&job->risks, job->net, &job->graph, job->err));
    for (size_t i = 0; i < o->forbidden_count; i++)
        job->graph.closed[o->forbidden[i]] = true;
    return RWA_OK;
}

/* If all lightpaths are served, but on more wavelengths than job->bound, replace that bound by job->fixed, the bound
 * for fixed routes, unless job->fixed is lower.  Also remove a witness that the checker cannot verify. */
static void settle_bound(struct job *job)
{
    bool all = job->best.placed == job->instance.cand.demands;
    uint32_t used = wavelengths_of(job, job->best.channels), given = job->opts->wavelengths;
    if (all && (given == 0 || used <= given) && job->fixed.name && used > job->bound.value &&
        job->fixed.value >= job->bound.value)
        job->bound = job->fixed;
    /* The checker knows the widths only on these routes. */
    bool by_formats = job_has_formats(job) && job->bound.kind != RWA_WITNESS_SEARCH;
    if ((!all && job->bound.route_count > 0) || by_formats)
        job->bound.kind = RWA_WITNESS_NONE;
}

/* Fail with RWA_CANCELLED if finding the first answer would take longer than the time limit: the clock does not stop
 * that search. */
static rwa_status fits_time(const struct job *job)
{
    static const double lightpath_s = 1e-6;
    double needed_s = lightpath_s * (double)rwa_demands_lightpaths(job->demands), limit_s = job->opts->time_limit_s;
    if (limit_s <= 0 || needed_s <= limit_s)
        return RWA_OK;
    return base_fail(job->err, RWA_CANCELLED,
                     "%llu lightpaths take about %.2g s, the time limit is %g s: expected a longer time_limit_s",
                     (unsigned long long)rwa_demands_lightpaths(job->demands), needed_s, limit_s);
}

/* Move the deadline of the searches earlier, so that time is left to write and check the answer.  That time is
 * proportional to the hops of the answer. */
static void reserve_answer(struct job *job)
{
    static const double hop_s = 5e-8;
    const struct candidates *c = &job->instance.cand;
    size_t hops = 0;
    for (uint32_t u = 0; u < c->demands; u++)
        hops += route_hops(c, c->route[u]);
    if (job->budget.deadline_s > 0)
        job->budget.deadline_s = fmax(1e-9, job->budget.deadline_s - hop_s * (double)hops);
}

static rwa_status job_run(rwa_assignment **out, const rwa_network *net, const rwa_demands *demands,
                          const rwa_assignment_options *opts, uint64_t work, rwa_error *err)
{
    rwa_status st = RWA_OK;
    struct job job = {.net = net, .demands = demands, .opts = opts, .work = work, .err = err};
    TRY(job_open(&job));
    TRY(job_closed_form(out, &job));
    if (*out)
        goto done;
    TRY(job_arcs(out, &job));
    if (*out)
        goto done;
    TRY(fits_time(&job));
    TRY(job_large(out, &job));
    if (*out)
        goto done;
    TRY(job_routes(&job));
    reserve_answer(&job);
    TRY(job_fixed(&job));
    job.search_s = -base_now_s();
    TRY(job_search(&job));
    job.search_s += base_now_s();
    TRY(job_settle_lengths(&job));
    settle_bound(&job);
    TRY(job_answer(out, &job));
done:
    job_free(&job);
    return st;
}

/* Whether the assignment uses more wavelengths than the band of the fibre profile holds. */
static bool exceeds_band(const rwa_assignment *result, const rwa_network *net, const rwa_assignment_options *opts)
{
    return opts->transmission &&
           rwa_assignment_summary(result)->wavelengths > transmission_band(net, opts->transmission);
}

rwa_status assign_counted(rwa_assignment **out, const rwa_network *net, const rwa_demands *demands,
                          const rwa_assignment_options *opts, uint64_t work, rwa_error *err)
{
    rwa_assignment_options ours = *opts;
    ours.time_limit_s = 0;
    assert(work > 0);
    return job_run(out, net, demands, &ours, work, err);
}

rwa_status rwa_assignment_make(rwa_assignment **out, const rwa_network *net, const rwa_demands *demands,
                      const rwa_assignment_options *opts, rwa_error *err)
{
    BEGIN_NEW(out, err, net, demands);
    rwa_assignment_options ours;
    MUST(base_options(rwa_assignment_options, &ours, opts, err));
    MUST(job_run(out, net, demands, &ours, 0, err));
    if (exceeds_band(*out, net, &ours)) {
        rwa_assignment_free(*out);
        *out = NULL;
        ours.wavelengths = transmission_band(net, ours.transmission);
        return job_run(out, net, demands, &ours, 0, err);
    }
    return RWA_OK;
}
