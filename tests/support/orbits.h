/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Random schedules of orbits on rings and tori, in which lightpaths meet only if they may (`meets`). */
#pragma once

#include "tests/support/epochs.h"

/* The node next to another along a dimension of a shape of two, or of a ring. */
static inline uint32_t beside(const uint32_t shape[2], uint32_t node, uint32_t dimension, bool up)
{
    uint32_t at[2] = {node / shape[1], node % shape[1]};
    at[dimension] = (at[dimension] + (up ? 1 : shape[dimension] - 1)) % shape[dimension];
    return at[0] * shape[1] + at[1];
}

/* Records that are mostly whole orbits of one period, straight along a dimension; `strange` of ten are of another kind.
 */
static inline void random_record(rwa_lightpath *lp, struct one *o, const rwa_network *net, const uint32_t shape[2],
                                 uint32_t period, uint32_t strange)
{
    uint32_t n = shape[0] * shape[1], channels = rwa_network_channels(net);
    uint32_t dimension = shape[0] > 1 ? any(2) : 1;
    bool odd = any(10) < strange, up = any(2), arcs = has_arcs(net);
    uint32_t turn = odd && !arcs ? 1 + any(2) : HOPS_MOST,
             hops = 1 + any(3);
    *o = (struct one){.node = {any(n)}};
    for (; o->hops < hops && o->hops + 1 < shape[dimension]; o->hops++) {
        dimension = o->hops == turn ? 1 - dimension : dimension;
        o->node[o->hops + 1] = beside(shape, o->node[o->hops], dimension, up);
    }
    for (uint32_t h = 1; h < o->hops; h++)
        if (any(3) == 0)
            o->tap[o->tap_count++] = o->node[h];
    *lp = (rwa_lightpath){
        .src = o->node[0], .dst = o->node[o->hops], .orbit = n, .period = period, .direction = up ? RWA_CW : RWA_CCW};
    if (odd && any(2))
        lp->period = 1 + any(channels);
    if (odd && any(3) == 0)
        lp->orbit = arcs ? 1 + any(n) : 1;
    lp->wavelength = any(channels / lp->period * lp->period);
    lp->block = lp->src;
}

/* Take the channels of all lightpaths of a record in the step; false: some are taken, and none is then. */
static inline bool claim(bool busy[][NODES_MOST][NODES_MOST], const rwa_lightpath *lp, const struct one *o,
                         const rwa_network *net, const rwa_collective *coll)
{
    static bool before[NODES_MOST][NODES_MOST][NODES_MOST];
    memcpy(before, busy, sizeof before);
    for (uint32_t i = 0; i < lp->orbit; i++) {
        rwa_lightpath one;
        rwa_lightpath_of_orbit(&one, lp, i, net, coll);
        for (uint32_t h = 0; h < o->hops; h++) {
            uint32_t from = rwa_node_of_orbit(o->node[h], i, net), to = rwa_node_of_orbit(o->node[h + 1], i, net);
            if (busy[one.wavelength][from][to]) {
                memcpy(busy, before, sizeof before);
                return false;
            }
            busy[one.wavelength][from][to] = true;
        }
    }
    return true;
}

static inline rwa_status add_record(rwa_schedule *sched, const rwa_lightpath *lp, const struct one *o)
{
    rwa_lists lists = {.taps = o->tap, .tap_count = o->tap_count};
    if (!has_arcs(rwa_schedule_network(sched))) {
        lists.path = o->node;
        lists.path_nodes = o->hops + 1;
    }
    return rwa_schedule_add_lists(sched, lp, &lists, NULL);
}

/* An all-gather by whole orbits of period 1 between neighbours, one block a step: first along the rows, then along the
 * columns. */
static inline uint32_t gather(rwa_schedule *sched, const uint32_t shape[2], uint32_t step, uint32_t period)
{
    uint32_t row = shape[1], columns = shape[0];
    for (uint32_t k = 0; k < (row - 1) + (columns - 1) * row; k++, step++) {
        bool first = k + 1 < row;
        uint32_t c = first ? k : k - (row - 1), down = first ? 0 : c / row, dimension = first ? 1 : 0;
        uint32_t owner = first ? (row - c) % row : (columns - down) % columns * row + c % row;
        struct one o = {.node = {0, beside(shape, 0, dimension, true)}, .hops = 1};
        rwa_lightpath lp = {.step = step, .dst = o.node[1], .block = owner, .orbit = shape[0] * row, .period = period};
        OK(add_record(sched, &lp, &o));
    }
    return step - 1;
}

/* The root of a broadcast gives every node its share, one node a step: from then on whole orbits are those of an
 * all-gather. */
static inline uint32_t share_out(rwa_schedule *sched, const uint32_t shape[2])
{
    uint32_t n = shape[0] * shape[1];
    for (uint32_t v = 1; v < n; v++) {
        struct one o = {.hops = 0};
        rwa_lightpath lp = {.step = v, .dst = v, .block = v, .orbit = 1, .direction = v > n / 2 ? RWA_CCW : RWA_CW};
        for (; o.node[o.hops] != v; o.hops++) {
            bool ring = shape[0] == 1, along = ring || o.node[o.hops] / shape[1] == v / shape[1];
            o.node[o.hops + 1] = beside(shape, o.node[o.hops], along, !ring || lp.direction == RWA_CW);
        }
        OK(add_record(sched, &lp, &o));
    }
    return n;
}

/* A record again, as it is seen from another of its lightpaths: a whole orbit whose period divides the cycle is the
 * same orbit. */
static inline void see_from(rwa_lightpath *lp, struct one *o, uint32_t turn, const rwa_network *net,
                            const rwa_collective *coll)
{
    rwa_lightpath first;
    rwa_lightpath_of_orbit(&first, lp, turn, net, coll);
    lp->src = first.src;
    lp->dst = first.dst;
    lp->wavelength = first.wavelength;
    lp->block = lp->src;
    for (uint32_t h = 0; h <= o->hops; h++)
        o->node[h] = rwa_node_of_orbit(o->node[h], turn, net);
    for (uint32_t k = 0; k < o->tap_count; k++)
        o->tap[k] = rwa_node_of_orbit(o->tap[k], turn, net);
}

static inline rwa_schedule *random_orbits(const rwa_network *net, const uint32_t shape[2], rwa_collective_kind kind,
                                          uint32_t strange, bool meets)
{
    static bool busy[NODES_MOST][NODES_MOST][NODES_MOST];
    static const uint32_t divisors[] = {1, 2, 4, 6, 3, 5};
    uint32_t cuts[STEPS_MOST], cut_count = 0;
    rwa_lightpath last = {0}, earlier[STEPS_MOST * 4];
    struct one route = {0}, earlier_route[STEPS_MOST * 4];
    size_t count = 0;
    uint32_t n = shape[0] * shape[1], step = 1, steps = 1 + any(9);
    uint32_t kinds_of_periods = any(2) ? 1 : 3, offset = any(4);
    struct request r = on_network(net, request_of("net %s bytes=%u blocks=%u", rwa_collective_name(kind),
                                                  kind == RWA_BROADCAST ? 1000 * n : 1000, n));
    rwa_schedule *sched = empty_for(r);
    const rwa_collective *coll = rwa_schedule_collective(sched);
    step = kind == RWA_BROADCAST ? share_out(sched, shape) : 1;
    for (steps += step - 1; step <= steps; step++) {
        memset(busy, 0, sizeof busy);
        uint32_t period = divisors[offset + any(kinds_of_periods)];
        for (uint32_t k = 0, tries = 0, most = 1 + any(4);
             k < most && (tries < 20 || k == 0); tries++) {
            size_t at = count > 0 ? any(count) : 0;
            if (count > 0 && (strange > 0 || earlier[at].period == period) &&
                any(2)) { /* the same again */
                last = earlier[at];
                route = earlier_route[at];
            } else if (count == 0 || k > 0 || tries > 3 || any(2))
                random_record(&last, &route, net, shape, period, strange);
            else if (last.orbit == n)
                see_from(&last, &route, any(n), net, coll);
            last.step = step;
            if (meets || claim(busy, &last, &route, net, coll)) {
                OK(add_record(sched, &last, &route));
                earlier[count] = last;
                earlier_route[count++] = route;
                k++;
            }
        }
    }
    gather(sched, shape, step, divisors[offset]);
    for (uint32_t at = 2, cut = any(4) == 0; cut && at <= rwa_schedule_steps(sched); at++)
        if (any(4) == 0)
            cuts[cut_count++] = at;
    OK(rwa_schedule_cut_epochs(sched, cuts, cut_count, NULL));
    return sched;
}

/* Cycles of 3 to 12 nodes. */
static const uint32_t orbit_shapes[][2] = {{1, 12}, {1, 10}, {1, 6}, {2, 6}, {4, 4}, {3, 4}, {4, 3}};
enum { ORBIT_SHAPES = sizeof orbit_shapes / sizeof *orbit_shapes };

static inline rwa_network *orbit_network(const uint32_t shape[2])
{
    return shape[0] == 1 ? network_on("ring:%u w=6", shape[1]) : network_on("torus:%ux%u w=6", shape[0], shape[1]);
}
