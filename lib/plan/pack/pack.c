/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Turn a stage into steps: W colours become a step, or the steps are as the scheme has already laid them out. */
#include "plan/pack/pack.h"

#include "assignment/assignment.h"
#include "schedule/schedule.h"

rwa_status order_by_step(uint32_t **order, const uint32_t *colour, size_t count, uint32_t channels, rwa_error *err)
{
    uint32_t most = 0;
    for (size_t i = 0; i < count; i++)
        RAISE(most, colour[i]);
    size_t *fill;
    MUST(base_new(*order, count, err));
    MUST(base_new(fill, (size_t)most / channels + 2, err));
    for (size_t i = 0; i < count; i++)
        fill[colour[i] / channels + 1]++;
    for (size_t t = 0; t <= most / channels; t++)
        fill[t + 1] += fill[t];
    assert(fill[most / channels + 1] == count);
    for (size_t i = 0; i < count; i++)
        (*order)[fill[colour[i] / channels]++] = (uint32_t)i;
    free(fill);
    return RWA_OK;
}

/** Append `lp`, the lightpath of transfer i, to the schedule, on the route that the solver assigned.
 * @param path  memory for the nodes of the route */
static rwa_status add_routed(rwa_schedule *sched, const struct coloured *c, size_t i, const rwa_lightpath *lp,
                             uint32_t *path, rwa_error *err)
{
    uint32_t hops = result_route(c->routes, i).hops;
    rwa_lists lists = {.path = path, .path_nodes = hops + 1};
    path[0] = lp->src;
    for (uint32_t h = 0; h < hops; h++)
        path[h + 1] = rwa_network_link(rwa_schedule_network(sched), rwa_assignment_link(c->routes, i, h)).to;
    assert(path[hops] == lp->dst);
    return rwa_schedule_add_lists(sched, lp, &lists, err);
}

rwa_status pack_stage(rwa_schedule *sched, const struct coloured *c, uint32_t used, const rwa_network *net,
                      struct budget *budget, rwa_error *err)
{
    enum { POLL_EVERY = 1 << 16 };
    uint32_t w = rwa_network_wavelengths(net), channels = network_most_fibers(net) * w, *order = NULL, *path = NULL;
    uint32_t first = rwa_schedule_steps(sched) + (used == 0),
             most = used > 0 ? rwa_network_channels(net) - used : UINT32_MAX;
    rwa_status st = RWA_OK;
    TRY(order_by_step(&order, c->colour, c->t.count, channels, err));
    TRY(base_new(path, rwa_network_nodes(net), err));
    TRY(schedule_reserve(sched, (uint64_t)c->t.count * row_count(&c->t.rows, rwa_schedule_network(sched)), err));
    for (size_t k = 0; k < c->t.count; k++) {
        size_t i = order[k];
        uint32_t channel = used + c->colour[i] % channels;
        if (c->colour[i] >= most)
            continue;
        if (k % POLL_EVERY == 0 && base_must_stop(budget, "writing a stage", -1))
            TRY(base_fail(err, RWA_CANCELLED, "planning was stopped in a stage of %zu lightpaths", c->t.count));
        rwa_lightpath lp = {.step = first + c->colour[i] / channels,
                            .src = c->t.src[i],
                            .dst = c->t.dst[i],
                            .fiber = channel / w,
                            .wavelength = channel % w,
                            .orbit = 1,
                            .block = c->t.block[i],
                            .op = c->t.op,
                            .direction = c->routes || i < c->clockwise ? RWA_CW : RWA_CCW};
        TRY(c->routes ? add_routed(sched, c, i, &lp, path, err) : row_add(sched, &c->t.rows, &lp, err));
    }
done:
    free_all(order, path);
    return st;
}
