/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Repair without new transfers: after the failure every block and partial sum moves as planned, and lightpaths over failed links
 * get another route and channel in their step, or in a further step behind it.  No contribution is lost, so sums can be finished
 * wherever the links that are left reach; the order of reading and writing within a step of a reduction is kept.
 */
#include "plan/residual/reroute.h"

#include "network/network.h"
#include "routing/graph.h"
#include "routing/path_tree.h"
#include "schedule/schedule.h"

/** The state of a lightpath of the step. */
enum { WAITING, PLACED, HELD, SENT };

struct moved {
    rwa_lightpath lp;
    rwa_lists lists;        /* of the schedule with orbits written out; the path may be `path` */
    uint32_t *path;         /* the new route; NULL: as planned */
    uint32_t next;          /* behind it in the chain of its destination, plus 1 */
    uint32_t planned;       /* step */
    uint8_t state;
    bool broken;            /* planned over a failed link */
    bool waits;             /* its sender has yet to get a block of it */
};

struct reroute {
    const rwa_network *net; /* with the failed links */
    rwa_schedule *all;      /* as planned, orbits written out */
    rwa_schedule *out;
    bool arcs, sums;
    uint32_t links, channels, wavelengths, max_hops;
    uint8_t *busy;          /* [channel][directed link] in the step that is made */
    struct moved *list;     /* of the step that is replayed */
    size_t count;
    uint32_t *chain;        /* of each node: the first lightpath that ends there, plus 1 */
    struct routing_graph graph;
    struct path_tree tree;
    uint32_t step;          /* made last */
    const struct reroute_limits *limits;
    rwa_error *err;
};

/* ---- channels ---- */

static uint8_t *busy_at(const struct reroute *r, uint32_t channel, uint32_t link)
{
    assert(channel < r->channels && link < r->links);
    return &r->busy[(size_t)channel * r->links + link];
}

/** Directed link of hop k. */
static uint32_t hop_link(const struct reroute *r, const struct moved *m, uint32_t k)
{
    uint32_t nodes = rwa_network_nodes(r->net), each_way = network_links_each_way(r->net);
    if (!r->arcs)
        return rwa_network_find_link(r->net, m->lists.path[k], m->lists.path[k + 1]);
    return m->lp.direction == RWA_CW ? (m->lp.src + k) % nodes : each_way + (m->lp.src + nodes - 1 - k) % nodes;
}

static uint32_t hops_of(const struct reroute *r, const struct moved *m)
{
    return r->arcs ? rwa_network_hops(r->net, m->lp.src, m->lp.dst, m->lp.direction) : m->lists.path_nodes - 1;
}

static bool crosses_failure(const struct reroute *r, const struct moved *m)
{
    for (uint32_t k = 0; k < hops_of(r, m); k++)
        if (rwa_network_is_failed(r->net, hop_link(r, m, k)))
            return true;
    return false;
}

static bool is_free(const struct reroute *r, uint32_t channel, uint32_t link)
{
    return !*busy_at(r, channel, link) &&
           !rwa_network_is_reserved(r->net, link, channel / r->wavelengths, channel % r->wavelengths) &&
           channel / r->wavelengths < rwa_network_link(r->net, link).fibers;
}

static bool is_route_free(const struct reroute *r, const struct moved *m, uint32_t channel)
{
    for (uint32_t k = 0; k < hops_of(r, m); k++)
        if (!is_free(r, channel, hop_link(r, m, k)))
            return false;
    return true;
}

static void occupy(struct reroute *r, struct moved *m, uint8_t busy)
{
    uint32_t channel = m->lp.fiber * r->wavelengths + m->lp.wavelength;
    for (uint32_t k = 0; k < hops_of(r, m); k++)
        *busy_at(r, channel, hop_link(r, m, k)) = busy;
    m->state = busy ? PLACED : HELD;
}

static void take_channel(struct reroute *r, struct moved *m, uint32_t channel)
{
    m->lp.fiber = channel / r->wavelengths;
    m->lp.wavelength = channel % r->wavelengths;
    occupy(r, m, 1);
}

/* ---- another route ---- */

/** Rings and lines: the shorter way first. */
static bool route_arc(struct reroute *r, struct moved *m)
{
    uint32_t ahead = rwa_network_hops(r->net, m->lp.src, m->lp.dst, RWA_CW);
    uint32_t back = rwa_network_hops(r->net, m->lp.src, m->lp.dst, RWA_CCW);
    rwa_direction first = back > 0 && (ahead == 0 || back < ahead) ? RWA_CCW : RWA_CW;
    for (int i = 0; i < 2; i++) {
        m->lp.direction = (first == RWA_CW) == (i == 0) ? RWA_CW : RWA_CCW;
        uint32_t hops = hops_of(r, m);
        if (hops == 0 || (r->max_hops > 0 && hops > r->max_hops) || crosses_failure(r, m))
            continue;
        for (uint32_t c = 0; c < r->channels; c++)
            if (is_route_free(r, m, c)) {
                take_channel(r, m, c);
                return true;
            }
    }
    return false;
}

/** Read a path back from its end; 0 hops: the caller's limit or memory refuse it. */
static rwa_status take_path(struct reroute *r, struct moved *m, uint32_t hops)
{
    uint32_t v = m->lp.dst;
    free(m->path);
    MUST(base_new(m->path, (size_t)hops + 1, r->err));
    for (uint32_t k = hops + 1; k-- > 0;) {
        m->path[k] = v;
        if (k > 0)
            v = r->graph.from[r->tree.arc[v]];
    }
    assert(m->path[0] == m->lp.src);
    m->lists.path = m->path;
    m->lists.path_nodes = hops + 1;
    return RWA_OK;
}

static uint32_t hops_in_tree(const struct reroute *r, const struct moved *m)
{
    uint32_t hops = 0;
    for (uint32_t v = m->lp.dst; v != m->lp.src; v = r->graph.from[r->tree.arc[v]])
        hops++;
    return hops;
}

/** The shortest of the free paths on one channel, over all channels. */
static rwa_status route_path(struct reroute *r, struct moved *m, bool *found, bool *shut)
{
    uint32_t best = UINT32_MAX, channel = 0, least = 0;
    *found = false;
    if (!path_tree_between(&r->tree, &r->graph, r->graph.length, m->lp.src, m->lp.dst, NULL, NULL, NULL))
        return RWA_OK;
    least = hops_in_tree(r, m);
    for (uint32_t c = 0; c < r->channels && best > least; c++) {
        for (uint32_t l = 0; l < r->links; l++)
            shut[l] = !is_free(r, c, l);
        if (!path_tree_between(&r->tree, &r->graph, r->graph.length, m->lp.src, m->lp.dst, NULL, NULL, shut))
            continue;
        uint32_t hops = hops_in_tree(r, m);
        if (hops >= best || (r->max_hops > 0 && hops > r->max_hops))
            continue;
        best = hops;
        channel = c;
        MUST(take_path(r, m, hops));
    }
    *found = best < UINT32_MAX;
    if (*found)
        take_channel(r, m, channel);
    return RWA_OK;
}

/* ---- one step, or several in its place ---- */

static bool share_block(const struct moved *a, const struct moved *b)
{
    rwa_run one;
    uint32_t runs;
    const rwa_run *run = rwa_lists_runs(&runs, &one, &a->lp, &a->lists);
    for (uint32_t i = 0; i < runs; i++)
        for (uint32_t k = 0; k < run[i].count; k++)
            if (record_carries(&b->lp, &b->lists, run[i].first + (uint64_t)k * run[i].stride))
                return true;
    return false;
}

/** Hold lightpaths that would write what a held one has yet to read, until there are no more. */
static void hold_writers(struct reroute *r)
{
    for (bool again = r->sums; again;) {
        again = false;
        for (size_t i = 0; i < r->count; i++) {
            const struct moved *held = &r->list[i];
            if (held->state != HELD)
                continue;
            for (uint32_t at = r->chain[held->lp.src]; at > 0; at = r->list[at - 1].next) {
                struct moved *writer = &r->list[at - 1];
                if (writer->state != PLACED || !share_block(held, writer))
                    continue;
                occupy(r, writer, 0);
                again = true;
            }
        }
    }
}

static rwa_status place_broken(struct reroute *r, bool *shut)
{
    for (size_t i = 0; i < r->count; i++) {
        struct moved *m = &r->list[i];
        bool found = false;
        if (m->state == SENT || !m->broken)
            continue;
        if (!m->waits && r->arcs)
            found = route_arc(r, m);
        else if (!m->waits)
            MUST(route_path(r, m, &found, shut));
        m->state = found ? PLACED : HELD;
    }
    return RWA_OK;
}

/** Send what is placed in one more step; *sent: how many. */
static rwa_status send_placed(struct reroute *r, size_t *sent)
{
    *sent = 0;
    for (size_t i = 0; i < r->count; i++) {
        struct moved *m = &r->list[i];
        if (m->state != PLACED)
            continue;
        m->lp.step = r->step + 1;
        MUST(rwa_schedule_add_lists(r->out, &m->lp, &m->lists, r->err));
        m->state = SENT;
        ++*sent;
    }
    r->step += *sent > 0;
    return RWA_OK;
}

/** Lightpaths whose route works keep it where its channel is free. */
static void place_whole(struct reroute *r)
{
    for (size_t i = 0; i < r->count; i++) {
        struct moved *m = &r->list[i];
        if (m->state == SENT || m->broken)
            continue;
        m->state = HELD;
        if (!m->waits && is_route_free(r, m, m->lp.fiber * r->wavelengths + m->lp.wavelength))
            occupy(r, m, 1);
    }
}

/** What is late from earlier steps of the plan, which comes first in each chain, is not there to be passed on. */
static void find_waiting(struct reroute *r)
{
    for (size_t i = 0; i < r->count; i++) {
        struct moved *m = &r->list[i];
        uint32_t at = r->chain[m->lp.src];
        m->waits = false;
        for (; at > 0 && r->list[at - 1].planned < m->planned && !m->waits; at = r->list[at - 1].next)
            m->waits = r->list[at - 1].state != SENT && share_block(&r->list[at - 1], m);
    }
}

/** Those that keep their route go first, or those without one: exchanges of sums may need both in one step. */
static rwa_status make_step(struct reroute *r, bool broken_first, bool *shut, size_t *sent)
{
    memset(r->busy, 0, (size_t)r->channels * r->links);
    find_waiting(r);
    if (!broken_first)
        place_whole(r);
    MUST(place_broken(r, shut));
    if (broken_first)
        place_whole(r);
    hold_writers(r);
    return send_placed(r, sent);
}

static void release_step(struct reroute *r)
{
    for (size_t i = 0; i < r->count; i++)
        free(r->list[i].path);
    free(r->list);
    r->list = NULL;
    r->count = 0;
}

/** What was not sent, in its order, with room for so many more behind it. */
static rwa_status keep_late(struct reroute *r, size_t more)
{
    struct moved *list = NULL;
    size_t kept = 0;
    for (size_t i = 0; i < r->count; i++)
        kept += r->list[i].state != SENT;
    MUST(base_new(list, kept + more, r->err));
    kept = 0;
    for (size_t i = 0; i < r->count; i++)
        if (r->list[i].state != SENT) {
            list[kept++] = r->list[i];
            r->list[i].path = NULL;
        }
    release_step(r);
    r->list = list;
    r->count = kept;
    return RWA_OK;
}

/** The lightpaths of a step of the plan, behind those that are late; RWA_BADARG when one that many nodes read lost its route. */
static rwa_status load_step(struct reroute *r, uint32_t step)
{
    uint64_t first = rwa_schedule_first(r->all, step), end = rwa_schedule_first(r->all, step + 1);
    MUST(keep_late(r, (size_t)(end - first)));
    for (uint64_t k = first; k < end; k++) {
        struct moved *m = &r->list[r->count++];
        rwa_schedule_get(&m->lp, r->all, k);
        rwa_schedule_lists(&m->lists, r->all, k);
        m->planned = step;
        m->broken = crosses_failure(r, m);
        if (m->broken && m->lists.tap_count > 0)
            return base_fail(r->err, RWA_BADARG, "a lightpath that several nodes read crosses a failed link in step %u, expected a plan "
                             "made without max_drops", step);
    }
    memset(r->chain, 0, rwa_network_nodes(r->net) * sizeof *r->chain);
    for (size_t i = r->count; i-- > 0;) {
        r->list[i].next = r->chain[r->list[i].lp.dst];
        r->chain[r->list[i].lp.dst] = (uint32_t)i + 1;
    }
    return RWA_OK;
}

/** true: every lightpath of the step is sent. */
static bool is_step_done(const struct reroute *r)
{
    for (size_t i = 0; i < r->count; i++)
        if (r->list[i].state != SENT)
            return false;
    return true;
}

static rwa_status replay_step(struct reroute *r, uint32_t step, bool *shut, char *why)
{
    bool all = !r->limits->late || step == rwa_schedule_steps(r->all);
    MUST(load_step(r, step));
    while (!is_step_done(r)) {
        size_t sent;
        if (base_must_stop(r->limits->budget, "repairing", -1) && r->limits->budget->cancelled)
            MUST(base_fail(r->err, RWA_CANCELLED, "repairing was stopped at step %u", step));
        MUST(make_step(r, false, shut, &sent));
        if (!all)
            break;
        if (sent == 0)
            MUST(make_step(r, true, shut, &sent));
        if (sent > 0)
            continue;
        snprintf(why, RWA_ERROR_TEXT, "over the links that are left, some lightpaths of step %u have no route and channel together; "
                 "more working links or wavelengths would help, or, if the rest still joins the nodes, a new start without the failed "
                 "links", step);
        break;
    }
    return RWA_OK;
}

/** Before the failure nothing changes: the records as they are. */
static rwa_status copy_steps(struct reroute *r, const rwa_schedule *sched, uint32_t at_step)
{
    uint64_t end = rwa_schedule_first(sched, at_step);
    rwa_status st = RWA_OK;
    for (uint64_t i = 0; i < end && st == RWA_OK; i++) {
        rwa_lightpath lp = schedule_lightpath(sched, i);
        rwa_lists lists = schedule_lists(sched, i);
        st = rwa_schedule_add_lists(r->out, &lp, &lists, r->err);
    }
    r->step = at_step - 1;
    return st;
}

static rwa_status reroute_open(struct reroute *r, const rwa_schedule *sched)
{
    const rwa_collective *coll = rwa_schedule_collective(sched);
    const uint32_t *members = rwa_schedule_members(sched);
    r->arcs = network_has_arcs(r->net);
    r->sums = rwa_collective_is_reduction(coll->kind);
    r->links = r->arcs ? 2 * network_links_each_way(r->net) : rwa_network_links(r->net);
    r->wavelengths = rwa_network_wavelengths(r->net);
    r->channels = network_most_fibers(r->net) * r->wavelengths;
    MUST(rwa_schedule_expand(&r->all, sched, r->err));
    MUST(members ? rwa_schedule_create_among(&r->out, r->net, coll, members, rwa_schedule_scheme(sched), r->err)
                 : rwa_schedule_create(&r->out, r->net, coll, rwa_schedule_scheme(sched), r->err));
    if (!r->arcs) {
        MUST(routing_graph_create(&r->graph, r->net, RWA_DIRECTED, r->err));
        MUST(path_tree_create(&r->tree, &r->graph, r->err));
    }
    r->busy = base_array((size_t)r->channels * r->links, 1, r->err);
    r->chain = base_array(rwa_network_nodes(r->net), sizeof *r->chain, r->err);
    return r->busy && r->chain ? RWA_OK : RWA_NOMEM;
}

static void reroute_close(struct reroute *r)
{
    release_step(r);
    rwa_schedule_free(r->all);
    rwa_schedule_free(r->out);
    path_tree_free(&r->tree);
    routing_graph_free(&r->graph);
    free(r->busy);
    free(r->chain);
}

rwa_status reroute_schedule(rwa_schedule **out, char *why, const rwa_schedule *sched, const rwa_network *net,
                            const struct reroute_limits *limits, rwa_error *err)
{
    struct reroute r = {.net = net, .limits = limits, .max_hops = limits->max_hops, .err = err};
    bool *shut = NULL;
    rwa_status st = RWA_OK;
    *out = NULL;
    *why = '\0';
    TRY(reroute_open(&r, sched));
    shut = base_array(r.links, sizeof *shut, err);
    st = shut ? RWA_OK : RWA_NOMEM;
    TRY(st);
    TRY(copy_steps(&r, schedule_version(sched) == 4 ? r.all : sched, limits->at_step)); /* orbits of 4 need a whole network */
    for (uint32_t s = limits->at_step; s <= rwa_schedule_steps(sched) && !*why; s++)
        TRY(replay_step(&r, s, shut, why));
    if (!*why) {
        bool same_steps = rwa_schedule_steps(r.out) == rwa_schedule_steps(sched);
        TRY(schedule_keep_cuts(r.out, sched, same_steps ? UINT32_MAX : limits->at_step, err));
        *out = r.out;
        r.out = NULL;
    }
done:
    free(shut);
    reroute_close(&r);
    return st;
}
