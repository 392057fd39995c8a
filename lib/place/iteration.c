/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Computes the traffic of a placement, and the time of one training iteration over its circuits. */
#include "place/tasks.h"

/** Set *bytes to an array with the gradient bytes of each device, the sum over its tasks; the caller frees it. */
static rwa_status gradients(double **bytes, const rwa_placement *p, rwa_error *err)
{
    MUST(base_new(*bytes, p->summary.devices, err));
    for (size_t i = 0; i < p->tasks->count; i++)
        (*bytes)[p->device[i]] += p->tasks->task[i].gradient_bytes;
    return RWA_OK;
}

/** Return how many times a ring all-reduce among `replicas` nodes sends the whole vector over each link: (replicas -
 *  1) / replicas times in its reduce-scatter, and as often in its all-gather. */
static double ring_share(uint32_t replicas)
{
    return 2.0 * (replicas - 1) / replicas;
}

static size_t list_flows(rwa_flow *flow, const rwa_placement *p, const double *gradient)
{
    const rwa_placement_report *s = &p->summary;
    size_t count = 0;
    for (uint32_t r = 0; r < s->replicas; r++) {
        for (size_t e = 0; e < p->tasks->edge_count; e++) {
            const rwa_task_edge *edge = &p->tasks->edge[e];
            uint32_t from = p->device[edge->from], to = p->device[edge->to];
            if (from != to)
                flow[count++] = (rwa_flow){r * s->devices + from, r * s->devices + to, edge->bytes};
        }
        for (uint32_t d = 0; d < s->devices && s->replicas > 1; d++)
            flow[count++] = (rwa_flow){r * s->devices + d, (r + 1) % s->replicas * s->devices + d,
                                       ring_share(s->replicas) * gradient[d]};
    }
    return count;
}

rwa_status rwa_placement_traffic(rwa_traffic **out, const rwa_placement *placement, rwa_error *err)
{
    BEGIN_NEW(out, err, placement);
    const rwa_placement_report *s = &placement->summary;
    rwa_status st = RWA_OK;
    double most = (double)s->replicas * ((double)placement->tasks->edge_count + s->devices);
    double *gradient = NULL;
    rwa_flow *flow = NULL;
    if (s->why[0] != '\0')
        return base_refuse(err, "there is no placement: %s", s->why);
    MUST(base_fits_memory(most * sizeof *flow, "the traffic of all replicas", err));
    TRY(gradients(&gradient, placement, err));
    TRY(base_new(flow, (size_t)most, err));
    st = rwa_traffic_create(out, s->devices * s->replicas, flow, list_flows(flow, placement, gradient), err);
done:
    free_all(flow, gradient);
    return st;
}

/* ---- time ---- */

struct task_run {
    const rwa_placement *placement;
    const rwa_circuits *circuits;
    double rate_bps;
    uint32_t replica;
    double *end;        /* of tasks */
    double *free_at;    /* of devices */
    double *pair_free;  /* [device * devices + ahead]: when the circuits from a device to the device `ahead` of it
                           are free */
    rwa_error *err;
};

static rwa_status no_circuit(rwa_error *err, uint32_t from, uint32_t to)
{
    return base_refuse(err,
                       "no circuit from node %u to node %u, which have traffic; expected circuits made for "
                       "this placement",
                       from, to);
}

/** Send the data of an edge from its producer's device to its consumer's, and set *arrival to the time at which the
 *  last byte arrives.  Until then the circuits between the two devices are busy (r->pair_free). */
static rwa_status transfer(double *arrival, struct task_run *r, const rwa_task_edge *edge)
{
    const rwa_placement_report *s = &r->placement->summary;
    uint32_t from = r->placement->device[edge->from], to = r->placement->device[edge->to];
    uint32_t base = r->replica * s->devices;
    *arrival = r->end[edge->from];
    if (from == to || edge->bytes <= 0)
        return RWA_OK;
    uint32_t count = rwa_circuits_count(r->circuits, base + from, base + to);
    if (count == 0)
        return no_circuit(r->err, base + from, base + to);
    uint32_t ahead = (to + s->devices - from) % s->devices;
    double *pair = &r->pair_free[(size_t)from * (s->distance + 1) + ahead];
    *pair = fmax(*pair, *arrival) + edge->bytes * 8 / (count * r->rate_bps);
    *arrival = *pair;
    return RWA_OK;
}

static rwa_status run_tasks(double *seconds, struct task_run *r)
{
    const rwa_tasks *t = r->placement->tasks;
    for (size_t i = 0; i < t->count; i++) {
        uint32_t task = t->order[i], device = r->placement->device[task];
        double ready = r->free_at[device], arrival = 0;
        for (size_t e = t->in[task]; e < t->in[task + 1]; e++) {
            MUST(transfer(&arrival, r, &t->edge[e]));
            ready = fmax(ready, arrival);
        }
        r->end[task] = r->free_at[device] = ready + t->task[task].duration_s;
        *seconds = fmax(*seconds, r->end[task]);
    }
    return RWA_OK;
}

static rwa_status run_replica(double *seconds, const rwa_placement *p, const rwa_circuits *circuits, double rate_bps,
                              uint32_t replica, rwa_error *err)
{
    struct task_run r = {.placement = p, .circuits = circuits, .rate_bps = rate_bps, .replica = replica, .err = err};
    struct arena memory = {.err = err};
    rwa_status st = RWA_OK;
    arena_new(&memory, r.end, p->tasks->count);
    arena_new(&memory, r.free_at, p->summary.devices);
    TRY(arena_arrays(&memory, p->summary.devices * (p->summary.distance + (size_t)1), r.pair_free));
    st = run_tasks(seconds, &r);
done:
    arena_free(&memory);
    return st;
}

static rwa_status run_reduce(double *seconds, const rwa_placement *p, const rwa_circuits *circuits, double rate_bps,
                             rwa_error *err)
{
    const rwa_placement_report *s = &p->summary;
    rwa_status st = RWA_OK;
    double *gradient;
    MUST(gradients(&gradient, p, err));
    for (uint32_t v = 0; v < s->devices * s->replicas && s->replicas > 1; v++) {
        uint32_t to = (v + s->devices) % (s->devices * s->replicas);
        double bytes = ring_share(s->replicas) * gradient[v % s->devices];
        uint32_t count = rwa_circuits_count(circuits, v, to);
        if (bytes <= 0)
            continue;
        if (count == 0)
            TRY(no_circuit(err, v, to));
        *seconds = fmax(*seconds, bytes * 8 / (count * rate_bps));
    }
done:
    free(gradient);
    return st;
}

rwa_status rwa_placement_time(rwa_iteration *out, const rwa_placement *placement, const rwa_circuits *circuits,
                              double rate_bps, rwa_error *err)
{
    BEGIN(err, out, placement, circuits);
    const rwa_circuits_report *c = rwa_circuits_summary(circuits);
    rwa_iteration it = {0};
    if (placement->summary.why[0] != '\0')
        return base_refuse(err, "there is no placement: %s", placement->summary.why);
    if (c->nodes != placement->summary.devices * placement->summary.replicas || c->episodes != 1)
        return base_refuse(err, "circuits of %u nodes in %u episodes, expected %u nodes in one episode", c->nodes,
                           c->episodes, placement->summary.devices * placement->summary.replicas);
    if (!(rate_bps > 0) || !isfinite(rate_bps))
        return base_refuse(err, "rate %g bit/s, expected a number above 0", rate_bps);
    for (uint32_t r = 0; r < placement->summary.replicas; r++)
        MUST(run_replica(&it.compute_s, placement, circuits, rate_bps, r, err));
    MUST(run_reduce(&it.reduce_s, placement, circuits, rate_bps, err));
    it.time_s = it.compute_s + it.reduce_s;
    *out = it;
    return RWA_OK;
}
