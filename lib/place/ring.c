/* SPDX-License-Identifier: GPL-3.0-or-later */
/** SiP-Ring: chooses the number of lightpaths of each flow, and their wavelengths. */
#include "place/ring.h"

#include "network/network.h"

enum { TRIES = 40, AUTO_COLUMNS_MAX = 300, ILP_COLUMNS_MAX = 100000 };

struct rwa_allocation {
    rwa_allocation_report summary;
    rwa_traffic *traffic;
    uint32_t wavelengths;
    uint32_t *count;
    struct ring_path *path;
};

OPTIONS(rwa_allocation_options, .reconfig_s = 25e-6, .time_limit_s = 10)

void rwa_allocation_free(rwa_allocation *r)
{
    if (!r)
        return;
    rwa_traffic_free(r->traffic);
    free_all(r->count, r->path, r);
}

GETTER_ADDRESS(rwa_allocation_report, rwa_allocation_summary, rwa_allocation, summary)

GETTER_ENTRY(uint32_t, rwa_allocation_count, rwa_allocation, count)

rwa_lightpath rwa_allocation_lightpath(const rwa_allocation *ring, uint64_t i)
{
    const struct ring_path *p = &ring->path[i];
    const rwa_flow *f = &ring->traffic->flow[p->flow];
    return (rwa_lightpath){.step = 1, .src = f->src, .dst = f->dst, .fiber = p->channel / ring->wavelengths,
                           .wavelength = p->channel % ring->wavelengths, .orbit = 1,
                           .direction = p->direction ? RWA_CCW : RWA_CW};
}

static rwa_status check_traffic(const rwa_traffic *t, const rwa_network *net, rwa_error *err)
{
    if (!network_is_cycle(net))
        return base_refuse(err, "a network of kind %s, expected a ring", rwa_topology_name(rwa_network_topology(net)));
    if (rwa_network_nodes(net) != t->nodes)
        return base_refuse(err, "a ring of %u nodes and traffic among %u, expected as many", rwa_network_nodes(net),
                           t->nodes);
    return RWA_OK;
}

/** Set *best to the packing of the least load (bytes on a lightpath) at which greedy packing finds channels for all
 *  lightpaths.  Search by bisection from `bound`, a lower bound on the load.  If one lightpath for each flow is already
 *  too many, serve as many flows as greedy packing can. */
static rwa_status search(struct ring_packing *best, double bound, struct budget *budget, rwa_error *err)
{
    struct ring_packing next = {0};
    double low = isfinite(bound) ? bound : 0, high = most_bytes(best->job->traffic);
    size_t served;
    bool all = false;
    rwa_status st = RWA_OK;
    TRY(packing_try(best, high, &all, err));
    if (!all) { /* some flows found no channel: placing the shortest first serves more */
        packing_reverse(best);
        TRY(packing_try(best, high, &all, err));
        goto done;
    }
    TRY(packing_open(&next, best->job, err));
    double middle = low; /* try the bound itself first, which is often reached */
    for (int i = 0; i < TRIES && middle < high; i++) {
        if (base_must_stop(budget, "lightpaths", (double)i / TRIES))
            TRY(base_fail(err, RWA_CANCELLED, "stopped while choosing lightpaths"));
        TRY(packing_try(&next, middle, &all, err));
        if (all) {
            struct ring_packing better = next;
            next = *best;
            *best = better;
            high = packing_load(best, &served);
        } else {
            low = middle;
        }
        middle = low + (high - low) / 2;
    }
done:
    packing_free(&next);
    return st;
}

COMPARATOR(by_flow, struct ring_path, UP(flow) UP(direction) UP(channel))

static rwa_status say_why(rwa_allocation_report *s, const struct ring_job *job, rwa_error *err)
{
    uint32_t need = 0;
    rwa_status st = packing_need(&need, job, err);
    int used = snprintf(s->why, sizeof s->why, "%zu of %zu pairs have a lightpath: %u wavelength%s in %s %s", s->served,
                        s->pairs, job->channels, plural(job->channels),
                        job->directions == 1 ? "one direction" : "each direction",
                        s->outcome == RWA_INFEASIBLE ? "do not suffice for all" : "did not suffice");
    if (need > 0 && used > 0 && (size_t)used < sizeof s->why)
        snprintf(s->why + used, sizeof s->why - (size_t)used, "; %u do", need);
    return st;
}

static rwa_status fill_report(rwa_allocation *r, const struct ring_packing *p, double bound, double rate_bps,
                              const rwa_allocation_options *o, rwa_error *err)
{
    rwa_allocation_report *s = &r->summary;
    s->pairs = r->traffic->count;
    s->lightpaths = p->paths;
    s->load_bytes = packing_load(p, &s->served);
    s->bound_bytes = bound;
    s->transfer_s = s->load_bytes * 8 / rate_bps;
    s->duty = s->transfer_s > 0 ? s->transfer_s / (s->transfer_s + o->reconfig_s) : 0;
    for (size_t i = 0; i < s->pairs; i++)
        if (p->count[i] > 0 && r->traffic->flow[i].bytes / p->count[i] == s->load_bytes) {
            s->slowest_src = r->traffic->flow[i].src;
            s->slowest_dst = r->traffic->flow[i].dst;
        }
    if (s->served < s->pairs) {
        s->outcome = isinf(bound) ? RWA_INFEASIBLE : RWA_UNDECIDED;
        return say_why(s, p->job, err);
    }
    s->outcome = s->load_bytes <= bound * (1 + 1e-8) ? RWA_OPTIMAL : RWA_FEASIBLE;
    return RWA_OK;
}

static rwa_status allocate(rwa_allocation *r, struct ring_packing *best, const struct ring_job *job, double *bound,
                           const rwa_allocation_options *o, rwa_error *err)
{
    struct budget budget = base_budget(o->time_limit_s, o->poll, o->poll_data);
    struct budget work = base_budget(0, o->poll, o->poll_data);
    size_t served;
    budget.programs = o->programs;
    MUST(packing_open(best, job, err));
    MUST(search(best, *bound, &work, err));
    MUST(packing_fill(best, err));
    double load = packing_load(best, &served);
    bool proven = served == job->traffic->count && load <= *bound * (1 + 1e-8);
    bool small = ring_ilp_size(job) <= AUTO_COLUMNS_MAX;
    r->summary.method = "flow";
    if (o->method == RWA_RING_FLOW || (o->method == RWA_RING_AUTO && (proven || !small)) || job->traffic->count == 0)
        return RWA_OK;
    MUST(ring_ilp(best, bound, &budget, err));
    size_t now = 0;
    if (packing_load(best, &now) < load || now > served)
        r->summary.method = "ilp";
    return RWA_OK;
}

rwa_status rwa_allocation_make(rwa_allocation **out, const rwa_traffic *traffic, const rwa_network *net,
                             const rwa_allocation_options *opts, rwa_error *err)
{
    BEGIN_NEW(out, err, traffic, net);
    rwa_allocation *r = NULL;
    rwa_allocation_options o;
    struct ring_job job = {.traffic = traffic, .nodes = traffic->nodes, .channels = rwa_network_channels(net)};
    struct ring_packing best = {0};
    double bound = 0;
    rwa_status st = RWA_OK;
    TRY(base_options(rwa_allocation_options, &o, opts, err));
    TRY(check_traffic(traffic, net, err));
    job.directions = o.one_way ? 1 : 2;
    if (o.method == RWA_RING_ILP && ring_ilp_size(&job) > ILP_COLUMNS_MAX)
        TRY(base_refuse(err, "an integer program of %.0f columns, expected at most %d; choose flow",
                        ring_ilp_size(&job), ILP_COLUMNS_MAX));
    MUST(base_new(r, 1, err));
    r->wavelengths = rwa_network_wavelengths(net);
    TRY(rwa_traffic_create(&r->traffic, traffic->nodes, traffic->flow, traffic->count, err));
    TRY(base_new(job.share, traffic->count, err));
    TRY(ring_balance(&job, &bound, err));
    TRY(allocate(r, &best, &job, &bound, &o, err));
    TRY(fill_report(r, &best, bound, rwa_network_rate_bps(net), &o, err));
    base_sort(best.path, best.paths, by_flow);
    r->path = best.path;
    r->count = best.count;
    best.path = NULL;
    best.count = NULL;
    *out = r;
    r = NULL;
done:
    packing_free(&best);
    free(job.share);
    rwa_allocation_free(r);
    return st;
}
