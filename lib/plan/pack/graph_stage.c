/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Plan a stage on a network that lists its links: its transfers become demands, whose routes and wavelengths a solver
 * assigns; each W wavelengths of the assignment become a step. */
#include "plan/pack/pack.h"

#include "assign/counted.h"
#include "assignment/assignment.h"

/* ASSIGN_SHARE: the share of the caller's time limit for searches.  ASSIGN_WORK: the number of steps of a search if
 * there is no time limit. */
#define ASSIGN_SHARE 0.2
#define ASSIGN_WORK 32000000

static rwa_status list_demands(rwa_demands **out, const struct transfers *s, uint32_t nodes, rwa_error *err)
{
    rwa_demand *list;
    MUST(base_new(list, s->count, err));
    for (size_t i = 0; i < s->count; i++)
        list[i] = (rwa_demand){.src = s->src[i], .dst = s->dst[i], .count = 1, .via = RWA_NONE};
    rwa_status st = rwa_demands_create(out, nodes, list, s->count, err);
    free(list);
    return st;
}

/** Assign routes and wavelengths to the transfers of a stage, one demand for each transfer, and keep them in
 * c->routes. */
static rwa_status assign_transfers(struct coloured *c, const rwa_network *net, const rwa_plan_options *o,
                                   rwa_error *err)
{
    rwa_demands *demands = NULL;
    rwa_assignment_options opts;
    rwa_assignment_options_init(&opts);
    opts.model = RWA_DIRECTED;
    opts.max_hops = o->max_hops;
    opts.seed = o->seed;
    opts.poll = o->poll;
    opts.poll_data = o->poll_data;
    opts.programs = o->programs;
    opts.time_limit_s = ASSIGN_SHARE * o->time_limit_s;
    rwa_status st = list_demands(&demands, &c->t, rwa_network_nodes(net), err);
    if (st == RWA_OK)
        st = o->time_limit_s > 0 ? rwa_assignment_make(&c->routes, net, demands, &opts, err)
                                  : assign_counted(&c->routes, net, demands, &opts, ASSIGN_WORK, err);
    rwa_demands_free(demands);
    return st;
}

rwa_status graph_stage(struct coloured *c, const struct plan_request *request, rwa_error *err)
{
    const rwa_network *net = request->net;
    uint32_t w = rwa_network_wavelengths(net), fibers = rwa_network_fibers(net), most = network_most_fibers(net);
    /* reserved channels do not tell which wavelengths past the last one are usable, nor paths which of parallel links
     * they take */
    if (network_has_parallel_links(net) || network_has_reserved(net) || network_has_failed_links(net))
        return scheme_refuse(request, "parallel, failed or reserved links: scheme nearest keeps clear of them");
    MUST(assign_transfers(c, net, request->opts, err));
    const rwa_assignment_report *sum = rwa_assignment_summary(c->routes);
    if (sum->routed < sum->lightpaths)
        return scheme_refuse(request, "%.400s", sum->why);
    c->wavelengths = sum->wavelengths * fibers;
    c->bound = (uint32_t)sum->bound.value * fibers;
    c->solver = sum->solver;
    MUST(arena_arrays(&c->t.memory, c->t.count, c->colour));
    for (size_t i = 0; i < c->t.count; i++) {
        rwa_route route = result_route(c->routes, i);
        assert(route.demand == i && route.hops > 0 && route.wavelength < sum->wavelengths);
        c->colour[i] = (route.wavelength / w * most + route.fiber) * w + route.wavelength % w;
    }
    return RWA_OK;
}
