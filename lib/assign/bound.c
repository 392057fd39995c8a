/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Lower bounds for every assignment, with a witness. */
#include "assign/assign.h"

rwa_status job_traffic(struct traffic *traffic, const struct job *job, const bool *skip)
{
    size_t count = job->count;
    rwa_demand *list = NULL;
    if (!job_is_wide(job))
        return traffic_create(traffic, job->list, count, skip, job->model, job->err);
    MUST(base_new(list, count, job->err));
    for (size_t d = 0; d < count; d++) {    /* a lightpath of several slots loads a link like that many of one slot */
        list[d] = job->list[d];
        list[d].count *= job_span(job, d);
    }
    rwa_status st = traffic_create(traffic, list, count, skip, job->model, job->err);
    free(list);
    return st;
}

bool job_has_limits(const struct job *job)
{
    return network_has_failed_links(job->net) || job->opts->forbidden_count > 0 || job->unroutable_count > 0;
}

rwa_certificate job_certificate(const struct job *job, const struct metric *metric)
{
    assert(metric->name && metric->length);
    return (rwa_certificate){.name = metric->name,
                             .value = metric->value,
                             .kind = RWA_WITNESS_LENGTHS,
                             .lengths = metric->length,
                             .length_count = job->graph.links,
                             .source =
                                 "every lightpath is at least as long as the shortest way under any lengths of the "
                                 "links, and a wavelength offers each link once per fibre"};
}

rwa_status job_bound(struct job *job)
{
    enum { FLOW_LOOKS = 24 };   /* checks of the budget by its linear programs, where the work is counted: some
                                   10,000 simplex iterations */
    bool most = job->opts->objective != RWA_FEWEST_WAVELENGTHS;
    uint32_t wavelengths = most ? job->opts->wavelengths : 0;
    rwa_status st = RWA_OK;
    struct budget part = job->budget;
    part.looks = job->work > 0 ? FLOW_LOOKS : 0;
    st = flow_solve(&job->flow, &job->graph, &job->traffic, wavelengths, &part, job->err);
    job->budget.cancelled = part.cancelled;
    TRY(st);
    const struct metric *metric = flow_bound(job->flow);
    if (most && job_is_wide(job))
        return metric->name ? job_bound_served(job, metric) : RWA_OK;
    if (!metric->name || (!most && metric->value <= job->bound.value))
        goto done;
    job->bound = job_certificate(job, metric);
    job->bound.most_served = most;
    job->bound.wavelengths = wavelengths;
    if (!most)
        TRY(job_parity(job, &job->traffic));
done:
    if (st == RWA_OK && !most && job_is_wide(job))
        st = job_bound_slots(job);
    return st;
}

rwa_status job_settle_lengths(struct job *job)
{
    rwa_status st = RWA_OK;
    struct routing_graph graph = {0};
    struct traffic all = {0};
    bool most = job->bound.most_served;
    if (job->bound.kind != RWA_WITNESS_LENGTHS || job->bound.lengths == job->cut || !job_has_limits(job))
        return RWA_OK;
    struct metric metric = {.length = flow_bound(job->flow)->length};
    TRY(routing_graph_create(&graph, job->net, job->model, job->err));
    /* Of the demands without a route leave out those by way of a node: the checker counts the two parts of such a route
     * only if there are both. */
    for (size_t d = 0; d < job->count; d++)
        job->has_no_route[d] = job->has_no_route[d] && job->list[d].via != RWA_NONE;
    TRY(job_traffic(&all, job, job->has_no_route));
    all.twice = job->opts->protection != 0;
    TRY(metric_evaluate(&metric, &graph, &all, job->bound.wavelengths, job->err));
    uint64_t proven = most ? metric.value : (metric.used + metric.offered - 1) / metric.offered;
    if (most ? proven > job->bound.value : proven < job->bound.value)
        job->bound.kind = RWA_WITNESS_NONE;
    else if (!most)
        job->bound.value = proven;
done:
    traffic_free(&all);
    routing_graph_free(&graph);
    return st;
}

/* ---- parity, and odd cuts ---- */

/* Networks with more nodes have too many pairs. */
enum { MOST_ODD_NODES = 400 };
#define ODD_SHARE 0.3

/* Whether odd cuts can prove a bound: in the undirected model, for the fewest wavelengths, if lightpaths take one slot
 * and keep their wavelength.  There must be no backups, failed links, forbidden nodes or demands without a route. */
static bool may_have_sets(const struct job *job)
{
    const rwa_assignment_options *o = job->opts;
    return job->model == RWA_UNDIRECTED && o->objective == RWA_FEWEST_WAVELENGTHS && !job_is_wide(job) &&
           !o->protection && o->converter_count == 0 && !job_has_limits(job);
}

/* Set job->bound to the bound of `cuts`: sets of nodes at which, on some wavelengths, a fibre stays dark.  source: the
 * proof in words. */
static void claim_dark(struct job *job, const struct odd_cuts *cuts, const char *source)
{
    job->bound.kind = RWA_WITNESS_ODD_CUTS;
    job->bound.name = "odd-cuts";
    job->bound.value = cuts->value;
    job->bound.lengths = cuts->length;
    job->bound.source = source;
}

rwa_status job_parity(struct job *job, const struct traffic *traffic)
{
    if (!may_have_sets(job) || job->bound.kind != RWA_WITNESS_LENGTHS || job->bound.value == 0 || job->parity.length)
        return RWA_OK;
    MUST(odd_cuts_at_nodes(&job->parity, &job->graph, traffic, job->bound.lengths, job->bound.value, job->err));
    if (job->parity.value == 0)
        return RWA_OK;
    claim_dark(job, &job->parity,
               "lightpaths take an even number of the channels at a node, or an odd number; where the number of all is "
               "of the other kind, one stays dark (docs/reference/bounds.md)");
    return RWA_OK;
}

/* Set job->bound to the bound by odd cuts in job->odd.  If that has no sets of nodes, its link lengths are the whole
 * witness. */
static rwa_status certify_odd_cuts(struct job *job)
{
    struct metric metric = {.length = job->odd.length};
    MUST(metric_evaluate(&metric, &job->graph, &job->traffic, 0, job->err));
    job->bound = job_certificate(job, &metric);
    if (job->odd.set_count == 0)
        return RWA_OK;
    claim_dark(job, &job->odd,
               "a wavelength without a lightpath that has one end in a set of nodes leaves a fibre dark where an odd "
               "number of fibres leaves the set (docs/reference/bounds.md)");
    return RWA_OK;
}

rwa_status job_odd_cuts(struct job *job)
{
    uint64_t enough = wavelengths_of(job, job->best.channels), before = job->bound.value;
    if (!job->flow || !may_have_sets(job) || job->graph.nodes > MOST_ODD_NODES || job->odd.value > 0)
        return RWA_OK;
    struct budget part = base_budget_part(&job->budget, ODD_SHARE);
    MUST(odd_cuts_solve(&job->odd, job->flow, enough, &part, job->err));
    job->budget.cancelled = part.cancelled;
    if (job->odd.value > before)
        MUST(certify_odd_cuts(job));
    return job->bound.value < enough ? job_more_routes(job) : RWA_OK;
}
