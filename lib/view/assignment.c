/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Converts an assignment to a schedule of one step, so that the drawings of schedules can show it. */
#include "assignment/assignment.h"
#include "network/network.h"
#include "rwa/schedule.h"

struct steps {
    const rwa_assignment *r;
    rwa_schedule *sched;
    uint32_t *node;     /* along a lightpath: hops + 1 of them */
    rwa_error *err;
};

/** Set s->sched to a new schedule whose network has only the wavelengths in use, so that idle ones are not drawn. */
static rwa_status open_schedule(struct steps *s)
{
    rwa_collective coll;
    rwa_status st = RWA_OK;
    rwa_network *net = network_copy(s->r->net, s->err);
    MUST(net ? RWA_OK : RWA_NOMEM);
    if (s->r->summary.wavelengths > 0)
        net->wavelengths = s->r->summary.wavelengths;
    TRY(rwa_collective_init(&coll, RWA_ALL_TO_ALL, net->nodes, 0, (uint64_t)net->nodes * net->nodes, 0, s->err));
    TRY(rwa_schedule_create(&s->sched, net, &coll, "", s->err));
done:
    rwa_network_free(net);
    return st;
}

/** Add to s->sched hops from … to - 1 of route i, which have one channel, as a lightpath.  In the undirected model add
 *  a second lightpath in the opposite direction. */
static rwa_status add_run(struct steps *s, uint64_t i, const rwa_route *route, uint32_t from, uint32_t to)
{
    const rwa_demand *d = &rwa_demands_list(s->r->demands)[route->demand];
    uint64_t nodes = rwa_network_nodes(s->r->net);
    uint32_t hops = to - from;
    for (int back = 0; back <= (s->r->model == RWA_UNDIRECTED); back++) {
        for (uint32_t k = 0; k < hops; k++) {
            rwa_link link = rwa_network_link(s->r->net, rwa_assignment_link(s->r, i, from + k));
            s->node[back ? hops - k : k] = link.from;
            s->node[back ? hops - k - 1 : k + 1] = link.to;
        }
        rwa_lightpath lp = {.step = 1,
                            .src = s->node[0],
                            .dst = s->node[hops],
                            .orbit = 1,
                            .direction = back == (route->direction == RWA_CW) ? RWA_CCW : RWA_CW,
                            .fiber = route_fiber(route, from),
                            .wavelength = route_channel(route, from),
                            .block = back ? d->dst * nodes + d->src : d->src * nodes + d->dst};
        MUST(network_has_arcs(s->r->net) ? rwa_schedule_add(s->sched, &lp, s->err)
                                         : rwa_schedule_add_path(s->sched, &lp, s->node, hops + 1, s->err));
    }
    return RWA_OK;
}

/** Add route number i to s->sched as lightpaths: where a converter changes the channel, one lightpath ends and the next
 *  begins. */
static rwa_status add_route(struct steps *s, uint64_t i)
{
    uint32_t from = 0;
    rwa_route route = result_route(s->r, i);
    for (uint32_t k = 1; k <= route.hops; k++) {
        bool same = k < route.hops && route_fiber(&route, k) == route_fiber(&route, from) &&
                    route_channel(&route, k) == route_channel(&route, from);
        if (same)
            continue;
        MUST(add_run(s, i, &route, from, k));
        from = k;
    }
    return RWA_OK;
}

static uint32_t longest(const rwa_assignment *r)
{
    uint32_t hops = 0;
    for (size_t i = 0; i < r->count; i++)
        RAISE(hops, r->routes[i].hops);
    return hops;
}

rwa_status rwa_assignment_schedule(rwa_schedule **out, const rwa_assignment *result, rwa_error *err)
{
    BEGIN_NEW(out, err, result);
    struct steps s = {.r = result, .err = err};
    rwa_status st = RWA_OK;
    TRY(base_new(s.node, (size_t)longest(result) + 1, err));
    TRY(open_schedule(&s));
    for (uint64_t i = 0; i < result->count; i++)
        if (result->routes[i].hops > 0 && result->routes[i].role != RWA_SHARED_BACKUP)
            TRY(add_route(&s, i));
    *out = s.sched;
    s.sched = NULL;
done:
    rwa_schedule_free(s.sched);
    free(s.node);
    return st;
}
