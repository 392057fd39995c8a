/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What no assignment beats, with a witness. */
#include "plan/assign.h"

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

rwa_status job_bound(struct job *job)
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
