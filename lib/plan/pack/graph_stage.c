/* SPDX-License-Identifier: GPL-3.0-or-later */
/** A stage on a network that lists its links: its transfers are demands, and W wavelengths of their assignment make a step. */
#include "plan/pack/pieces.h"

#include "assignment/assignment.h"

/* Of the time of the whole plan; of so many seconds where there is no limit. */
#define ASSIGN_SHARE 0.2
#define ASSIGN_SECONDS 10

/* Reserved channels say nothing of wavelengths past the last one, and a path does not say which of parallel links it takes. */
static bool is_plain(const rwa_network *net)
{
    return !network_has_parallel_links(net) && !network_has_reserved(net) && !network_has_failed_links(net);
}

static rwa_status list_demands(rwa_demands **out, const struct transfers *s, uint32_t nodes, rwa_error *err)
{
    rwa_demand *list = base_array(s->count, sizeof *list, err);
    MUST(list ? RWA_OK : RWA_NOMEM);
    for (size_t i = 0; i < s->count; i++)
        list[i] = (rwa_demand){.src = s->src[i], .dst = s->dst[i], .count = 1, .via = RWA_NO_NODE};
    rwa_status st = rwa_demands_create(out, nodes, list, s->count, err);
    free(list);
    return st;
}

/** Routes and wavelengths, one demand for each transfer. */
static rwa_status assign_transfers(rwa_assign_result **out, const rwa_network *net, const struct transfers *s, const rwa_plan_options *o,
                                   double time_limit_s, rwa_error *err)
{
    rwa_demands *demands = NULL;
    rwa_assign_options opts;
    rwa_assign_options_init(&opts);
    opts.model = RWA_DIRECTED;
    opts.max_hops = o->max_hops;
    opts.seed = o->seed;
    opts.poll = o->poll;
    opts.poll_data = o->poll_data;
    opts.programs = o->programs;
    opts.time_limit_s = time_limit_s;
    rwa_status st = list_demands(&demands, s, rwa_network_nodes(net), err);
    if (st == RWA_OK)
        st = rwa_assign(out, net, demands, &opts, err);
    rwa_demands_free(demands);
    return st;
}

static void take_assigned(struct pieces *c, const rwa_assign_result *found)
{
    for (size_t k = 0; k < c->count; k++) {
        rwa_route route = result_route(found, k);
        assert(route.demand == k && route.hops == c->first[k + 1] - c->first[k]);
        c->colour[k] = route.wavelength;
        for (uint32_t h = 0; h < route.hops; h++)
            c->link[c->first[k] + h] = rwa_assign_result_link(found, k, h);
    }
}

/** Whether all routes are shortest ones, as the pieces have room for. */
static bool are_shortest(const struct pieces *c, const rwa_assign_result *found)
{
    for (size_t k = 0; k < c->count; k++)
        if (result_route(found, k).hops != c->first[k + 1] - c->first[k])
            return false;
    return true;
}

rwa_status assign_pieces(bool *done, struct pieces *c, const struct packing *p)
{
    const rwa_network *net = p->request->net;
    struct transfers pairs = {0};
    rwa_assign_result *found = NULL;
    rwa_status st = RWA_OK;
    *done = false;
    if (!is_plain(net) || rwa_network_fibers(net) > 1)
        return RWA_OK;
    TRY(transfers_create(&pairs, c->count, 0, p->err));
    for (size_t k = 0; k < c->count; k++)
        transfer_add(&pairs, p->routed.e->src[c->transfer[k]], p->routed.e->dst[c->transfer[k]], 0);
    TRY(assign_transfers(&found, net, &pairs, p->request->opts, 1, p->err));
    const rwa_assign_report *sum = rwa_assign_result_summary(found);
    *done = sum->routed == sum->lightpaths && sum->wavelengths <= p->channels && are_shortest(c, found);
    if (*done)
        take_assigned(c, found);
done:
    rwa_assign_result_free(found);
    transfers_free(&pairs);
    return st;
}

rwa_status graph_stage(struct coloured *c, const struct plan_request *request, rwa_error *err)
{
    const rwa_network *net = request->net;
    uint32_t w = rwa_network_wavelengths(net), fibers = rwa_network_fibers(net);
    if (!is_plain(net))
        return scheme_refuse(request, "parallel, failed or reserved links: scheme nearest keeps clear of them");
    const rwa_plan_options *o = request->opts;
    double seconds = ASSIGN_SHARE * (o->time_limit_s > 0 ? o->time_limit_s : ASSIGN_SECONDS);
    MUST(assign_transfers(&c->routes, net, &c->t, o, seconds, err));
    const rwa_assign_report *sum = rwa_assign_result_summary(c->routes);
    if (sum->routed < sum->lightpaths)
        return scheme_refuse(request, "%.400s", sum->why);
    c->wavelengths = sum->wavelengths * fibers;
    c->bound = (uint32_t)sum->bound.value * fibers;
    c->solver = sum->solver;
    MUST(base_new(c->colour, c->t.count, err));
    for (size_t i = 0; i < c->t.count; i++) {
        rwa_route route = result_route(c->routes, i);
        assert(route.demand == i && route.hops > 0 && route.wavelength < sum->wavelengths);
        c->colour[i] = (route.wavelength / w * network_most_fibers(net) + route.fiber) * w + route.wavelength % w;
    }
    return RWA_OK;
}
