/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Repair without new transfers.  After the failure every block and partial sum moves as planned; lightpaths over
 * failed links get another route and channel in their step, or in an additional step after it.  No contribution is
 * lost, so a sum can be finished wherever the remaining links reach.  Within a step of a reduction, the order of
 * reading and writing is kept.
 */
#include "plan/reroute.h"

#include "delivery/load_map.h"
#include "network/network.h"
#include "plan/plan.h"
#include "routing/graph.h"
#include "routing/path_tree.h"
#include "schedule/schedule.h"

struct moved {
    rwa_lightpath lp;
    rwa_lists lists;        /* of the schedule with orbits written out; the path may be the `path` below */
    uint32_t *path;         /* the new route; NULL: the planned one */
    uint32_t next;          /* index plus 1 of the next lightpath to the same destination; 0: none */
    bool broken;            /* the planned route uses a failed link */
    enum { HELD, PLACED, SENT } state;
};

struct reroute {
    const rwa_network *net; /* with the failed links */
    rwa_schedule *all;      /* as planned, orbits written out */
    rwa_schedule *out;
    bool arcs, sums;
    uint32_t max_hops;
    struct load_map map;    /* load of the step being made */
    bool *shut;             /* links on which the channel is not free */
    struct moved *list;     /* lightpaths of the step being replayed */
    size_t count;
    uint32_t *chain;        /* of each node: index plus 1 of the first lightpath that ends there; 0: none */
    uint32_t *route;        /* links of a path */
    struct routing_graph graph;
    struct path_tree tree;
    rwa_error *err;
};

/* ---- channels ---- */

/** Return the directed link of hop k (from 0) of a lightpath. */
static uint32_t hop_link(const struct reroute *r, const struct moved *m, uint32_t k)
{
    uint32_t nodes = rwa_network_nodes(r->net), ahead = m->lp.direction == RWA_CW ? k : nodes - k;
    return r->arcs ? network_arc_link(r->net, (m->lp.src + ahead) % nodes, m->lp.direction)
                   : rwa_network_find_link(r->net, m->lists.path[k], m->lists.path[k + 1]);
}

static uint32_t hops_of(const struct reroute *r, const struct moved *m)
{
    return r->arcs ? rwa_network_hops(r->net, m->lp.src, m->lp.dst, m->lp.direction) : m->lists.path_nodes - 1;
}

static bool is_free(const struct reroute *r, const struct moved *m, uint32_t channel)
{
    for (uint32_t k = 0, hops = hops_of(r, m); k < hops; k++)
        if (!load_map_has(&r->map, hop_link(r, m, k), channel))
            return false;
    return true;
}

/** If `placed`, take the lightpath's channel on all links of its route; else give it back.  The lightpath's state
 * becomes PLACED or HELD. */
static void occupy(struct reroute *r, struct moved *m, bool placed)
{
    for (uint32_t k = 0, hops = hops_of(r, m); k < hops; k++)
        (placed ? load_map_take : load_map_return)(&r->map, hop_link(r, m, k), lightpath_channel(r->net, &m->lp));
    m->state = placed ? PLACED : HELD;
}

/* ---- another route ---- */

/** Find a shortest route for the lightpath on which `channel` is free, and write its links into r->route.  With a
 * channel past the last one, any route counts.  Return the number of links; 0: there is no route. */
static uint32_t find_path(struct reroute *r, const struct moved *m, uint32_t channel)
{
    for (uint32_t l = 0; l < r->map.links; l++)
        r->shut[l] = channel < r->map.channels && !load_map_has(&r->map, l, channel);
    if (!path_tree_between(&r->tree, &r->graph, r->graph.length, m->lp.src, m->lp.dst, NULL, NULL, r->shut))
        return 0;
    return (uint32_t)tree_path(r->route, &r->graph, r->tree.arc, m->lp.src, m->lp.dst);
}

/** Give the lightpath the route of `hops` links in r->route.  On rings and lines it is just a direction. */
static rwa_status take_path(struct reroute *r, struct moved *m, uint32_t hops)
{
    if (r->arcs) {
        m->lp.direction = r->route[0] < network_links_each_way(r->net) ? RWA_CW : RWA_CCW;
        return RWA_OK;
    }
    free(m->path);
    MUST(base_new(m->path, (size_t)hops + 1, r->err));
    for (uint32_t k = 0; k < hops; k++)
        m->path[k] = r->graph.from[r->route[k]];
    m->path[hops] = m->lp.dst;
    m->lists.path = m->path;
    m->lists.path_nodes = hops + 1;
    assert(m->path[0] == m->lp.src);
    return RWA_OK;
}

/** Give the lightpath the shortest route that has a free channel all along, and that channel.  *found becomes true if
 * there is one. */
static rwa_status route_path(bool *found, struct reroute *r, struct moved *m)
{
    uint32_t shortest = find_path(r, m, r->map.channels), best = r->max_hops > 0 ? r->max_hops + 1 : UINT32_MAX;
    for (uint32_t c = 0; c < r->map.channels && shortest > 0 && best > shortest; c++) {
        uint32_t hops = find_path(r, m, c);
        if (hops == 0 || hops >= best)
            continue;
        best = hops;
        *found = true;
        lightpath_set_channel(&m->lp, r->net, c);
        MUST(take_path(r, m, hops));
    }
    return RWA_OK;
}

/* ---- one step, or several in its place ---- */

static bool share_block(const struct moved *a, const struct moved *b)
{
    for (struct carried c = {0}; record_next_block(&c, &a->lp, &a->lists);)
        if (record_carries(&b->lp, &b->lists, c.block))
            return true;
    return false;
}

/** In reductions, a lightpath that is held back for a later step must still read its blocks at its source.  Take
 * lightpaths that would overwrite such a block out of the current step.  Repeat until nothing changes. */
static void hold_writers(struct reroute *r)
{
    for (bool again = r->sums; again;) {
        again = false;
        for (size_t i = 0; i < r->count; i++) {
            const struct moved *held = &r->list[i];
            for (uint32_t at = held->state == HELD ? r->chain[held->lp.src] : 0; at > 0; at = r->list[at - 1].next) {
                struct moved *writer = &r->list[at - 1];
                if (writer->state != PLACED || !share_block(held, writer))
                    continue;
                occupy(r, writer, false);
                again = true;
            }
        }
    }
}

/** Place lightpaths in the current step: those whose planned routes are `broken`, or (false) those whose planned
 * routes work.  A working route keeps its channel, if that is free; a broken one is replaced by another route on any
 * free channel. */
static rwa_status place(struct reroute *r, bool broken)
{
    for (size_t i = 0; i < r->count; i++) {
        struct moved *m = &r->list[i];
        bool found = false;
        if (m->state == SENT || m->broken != broken)
            continue;
        if (!broken)
            found = is_free(r, m, lightpath_channel(r->net, &m->lp));
        else
            MUST(route_path(&found, r, m));
        if (found)
            occupy(r, m, true);
    }
    return RWA_OK;
}

/** Append a step with the lightpaths that can be placed: those with working routes first or, if `broken_first`, those
 * with broken routes first.
 * @param[out] sent  the number of lightpaths in the step */
static rwa_status make_step(struct reroute *r, bool broken_first, size_t *sent)
{
    uint32_t step = rwa_schedule_steps(r->out) + 1;
    *sent = 0;
    load_map_begin_step(&r->map);
    MUST(place(r, broken_first));
    MUST(place(r, !broken_first));
    hold_writers(r);
    for (size_t i = 0; i < r->count; i++) {
        struct moved *m = &r->list[i];
        if (m->state != PLACED)
            continue;
        m->lp.step = step;
        MUST(rwa_schedule_add_lists(r->out, &m->lp, &m->lists, r->err));
        m->state = SENT;
        ++*sent;
    }
    return RWA_OK;
}

static void release_step(struct reroute *r)
{
    for (size_t i = 0; i < r->count; i++)
        free(r->list[i].path);
    free(r->list);
    r->list = NULL;
    r->count = 0;
}

/** Load the lightpaths of a planned step into r->list.  RWA_BADARG: a lightpath with taps crosses a failed link */
static rwa_status load_step(struct reroute *r, uint32_t step)
{
    uint64_t first = rwa_schedule_first(r->all, step);
    size_t count = (size_t)(rwa_schedule_first(r->all, step + 1) - first);
    release_step(r);
    MUST(base_new(r->list, count, r->err));
    r->count = count;
    load_map_begin_step(&r->map);
    memset(r->chain, 0, rwa_network_nodes(r->net) * sizeof *r->chain);
    for (size_t i = r->count; i-- > 0;) {
        struct moved *m = &r->list[i];
        m->lp = schedule_lightpath(r->all, first + i);
        m->lists = schedule_lists(r->all, first + i);
        m->broken = !is_free(r, m, lightpath_channel(r->net, &m->lp));
        m->next = r->chain[m->lp.dst];
        r->chain[m->lp.dst] = (uint32_t)i + 1;
        if (m->broken && m->lists.tap_count > 0)
            return base_refuse(r->err,
                               "a lightpath that several nodes read crosses a failed link in step %u, expected a plan "
                               "made without max_drops", step);
    }
    return RWA_OK;
}

static rwa_status replay_step(struct reroute *r, uint32_t step, struct budget *budget, char *why)
{
    MUST(load_step(r, step));
    for (size_t left = r->count, sent; left > 0; left -= sent) {
        if (base_must_stop(budget, "repairing", -1) && budget->cancelled)
            return base_fail(r->err, RWA_CANCELLED, "repairing was stopped at step %u", step);
        MUST(make_step(r, false, &sent));
        /* when nodes exchange sums, one step may need both kinds, and working routes may have taken the channels of
           the others */
        if (sent == 0)
            MUST(make_step(r, true, &sent));
        if (sent > 0)
            continue;
        snprintf(why, RWA_ERROR_TEXT,
                 "over the links that are left, some lightpaths of step %u have no route and channel together; "
                 "more working links or wavelengths would help, or, if the rest still joins the nodes, a new start "
                 "without the failed "
                 "links",
                 step);
        break;
    }
    return RWA_OK;
}

static rwa_status reroute_open(struct reroute *r, const rwa_schedule *sched)
{
    const rwa_collective *coll = rwa_schedule_collective(sched);
    r->arcs = network_has_arcs(r->net);
    r->sums = rwa_collective_is_reduction(coll->kind);
    MUST(rwa_schedule_expand(&r->all, sched, r->err));
    MUST(rwa_schedule_create_among(&r->out, r->net, coll, rwa_schedule_members(sched), rwa_schedule_scheme(sched),
                                   r->err));
    MUST(routing_graph_create(&r->graph, r->net, RWA_DIRECTED, r->err));
    MUST(path_tree_create(&r->tree, &r->graph, r->err));
    MUST(load_map_open(&r->map, r->net, !network_has_arcs(r->net), false, r->err));
    MUST(base_new(r->shut, r->map.links, r->err));
    MUST(base_new(r->chain, rwa_network_nodes(r->net), r->err));
    return base_new(r->route, rwa_network_nodes(r->net), r->err);
}

static void reroute_close(struct reroute *r)
{
    release_step(r);
    rwa_schedule_free(r->all);
    rwa_schedule_free(r->out);
    path_tree_free(&r->tree);
    routing_graph_free(&r->graph);
    load_map_close(&r->map);
    free_all(r->shut, r->chain, r->route);
}

rwa_status reroute_schedule(rwa_schedule **out, char *why, const rwa_schedule *sched, const rwa_network *net,
                            uint32_t at_step, uint32_t max_hops, struct budget *budget, rwa_error *err)
{
    struct reroute r = {.net = net, .max_hops = max_hops, .err = err};
    bool once = schedule_version(sched) == SCHEDULE_ORBITS_OF_PATHS; /* orbits of paths need a network without
                                                                        failures */
    rwa_status st = RWA_OK;
    *out = NULL;
    *why = '\0';
    TRY(reroute_open(&r, sched));
    TRY(schedule_append_steps(r.out, sched, at_step - 1, once, err));
    for (uint32_t s = at_step; s <= rwa_schedule_steps(sched) && !*why; s++)
        TRY(replay_step(&r, s, budget, why));
    if (!*why) {
        bool same_steps = rwa_schedule_steps(r.out) == rwa_schedule_steps(sched);
        TRY(schedule_keep_cuts(r.out, sched, same_steps ? UINT32_MAX : at_step, err));
        *out = r.out;
        r.out = NULL;
    }
done:
    reroute_close(&r);
    return st;
}
