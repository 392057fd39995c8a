/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bound/demand.h"
#include "bound/graph.h"

/** A spread: one node informs all others, or, time-reversed, all others inform one node.  In reversed time only one
 *  receiver of a lightpath counts. */
struct spread {
    const struct bound_case *c;
    bool against;       /* time-reversed */
    uint32_t drops;     /* receivers of a lightpath */
    char *list;         /* bound_list() of the nodes informed after each step */
};

static void list(const struct spread *s, uint64_t informed, uint64_t all)
{
    bound_list(s->list, (double)(informed < all ? informed : all));
}

/** Tell whether participant r can be the node that informs all others (in reversed time: that all others inform). */
static bool is_source(const struct spread *s, uint32_t r)
{
    const rwa_collective *coll = s->c->coll;
    switch (coll->kind) {
    case RWA_BROADCAST:
    case RWA_ROOTED_REDUCE:
    case RWA_SCATTER:
    case RWA_GATHER:
        return r == coll->root;
    case RWA_ALL_GATHER: /* a node informs others only if it owns blocks, but is always informed */
        return s->against || demand_owns(coll, r);
    case RWA_REDUCE_SCATTER:
        return demand_owns(coll, r);
    default:
        return true;
    }
}

/** Tell whether the collective makes some node inform all others (s->against: makes all others inform some node). */
static bool applies(const struct spread *s)
{
    const rwa_collective *coll = s->c->coll;
    bool all_own = coll->blocks >= coll->nodes;
    switch (coll->kind) {
    case RWA_BROADCAST:
        return !s->against;
    case RWA_ROOTED_REDUCE:
        return s->against;
    case RWA_SCATTER:
        return !s->against && all_own;
    case RWA_GATHER:
        return s->against && all_own;
    case RWA_ALL_GATHER:
        return !s->against || all_own;
    case RWA_REDUCE_SCATTER: /* several owners may receive from one lightpath, so only the reverse direction gives a
                                bound */
        return s->against;
    case RWA_ALL_REDUCE:
        return true;
    case RWA_ALL_TO_ALL:
        return demand_is_personal(coll);
    }
    return false;
}

/** Return the largest number of places on one side of a source on a line; a source is a node that must inform all
 *  others. */
static uint64_t longest_side(const struct spread *s)
{
    uint64_t n = s->c->nodes, longest = 1;
    for (uint32_t r = 0; r < n && longest < n - 1; r++) {
        uint64_t place = (r + n - s->c->first) % n;
        if (is_source(s, r))
            longest = bound_max(longest, bound_max(place, n - 1 - place));
    }
    return longest;
}

/** Return the least number of steps in which a spread on a ring or line can reach all nodes. */
static uint64_t steps_along(const struct spread *s)
{
    const struct bound_case *c = s->c;
    /* the longest gap between two holders, and the longest side beyond the last one, that the steps can fill: a
       further step lengthens the side by the distance that a holder reaches, and the gap at both ends */
    uint64_t gap = 1, side = 0, steps = 0, longest = longest_side(s);
    while (bound_on_cycle(c) ? gap < c->nodes : side < longest) {
        uint64_t reach = times_saturated(times_saturated(c->lightpaths, s->drops), gap);
        LOWER(reach, c->max_hops);
        side += reach;
        gap += 2 * reach;
        steps++;
        list(s, bound_on_cycle(c) ? gap : side + 1, bound_on_cycle(c) ? c->nodes : longest + 1);
    }
    return steps;
}

/** Return the least number of steps in which `node` can inform all others; 0: it cannot.
 * @param widest  the most lightpaths out of a node in a step; in the first step those of `node` count */
static uint64_t steps_from(const struct spread *s, uint32_t node, uint64_t widest)
{
    const struct bound_case *c = s->c;
    struct bound_graph *g = c->graph;
    uint64_t steps = 0, holders = 1, near = 1, own = (s->against ? &g->in : &g->out)->width[node] / c->slots;
    uint32_t found = bound_graph_walk(g, node, s->against), left = c->nodes, last = 0;
    for (uint32_t i = 0; i < found; i++)
        if (g->rank[g->order[i]] != BOUND_NO_RANK && left-- > 0)
            last = i;
    if (left > 0) /* some node cannot be reached */
        return 0;
    while (near <= last || holders < c->nodes) {
        steps++;
        while (near < found && g->hops[g->order[near]] <= times_saturated(steps, c->max_hops))
            near++;
        /* at most the holders before and all receivers of their lightpaths, and at most the nodes within reach */
        holders = times_saturated(holders, plus_saturated(times_saturated(steps == 1 ? own : widest, s->drops), 1));
        LOWER(holders, near);
        list(s, holders, found);
    }
    return steps;
}

static uint64_t steps_in_graph(const struct spread *s)
{
    const struct bound_case *c = s->c;
    const struct bound_graph *g = c->graph;
    uint64_t widest = bound_graph_widest(g, s->against) / c->slots, most = 0;
    char longest[RWA_ERROR_TEXT] = "";
    bool one = g->alike || bound_graph_is_large(g), tried = false;
    for (uint32_t r = 0; r < c->nodes && !(one && tried); r++)
        if (is_source(s, r)) {
            char each[RWA_ERROR_TEXT] = "";
            struct spread from = *s;
            from.list = s->list ? each : NULL;
            uint64_t steps = steps_from(&from, g->member[r], widest);
            if (steps > most)
                memcpy(longest, each, sizeof longest);
            RAISE(most, steps);
            tried = true;
        }
    text_append(s->list, "%s", longest);
    return most;
}

/** Return the most nodes that a node's ports let it send to in a step (s->against: receive from); 0: no limit.  On a
 * star, any number of nodes may listen to one channel. */
static uint64_t partners(const struct spread *s)
{
    const struct bound_case *c = s->c;
    uint64_t ports = times_saturated(c->ports, s->drops);
    if (c->capabilities & NETWORK_STAR)
        return s->against ? limited(c->lightpaths, c->ports) : 0;
    if (c->capabilities & NETWORK_SWITCHES)
        return limited(c->fibers, ports);
    return ports;
}

static uint64_t steps_of_ports(const struct spread *s)
{
    uint64_t each = partners(s), steps = 0;
    for (uint64_t holders = 1; each > 0 && holders < s->c->nodes; steps++)
        list(s, holders = times_saturated(holders, plus_saturated(each, 1)), s->c->nodes);
    return steps;
}

static uint64_t steps_of(const struct spread *s)
{
    char by_ports[RWA_ERROR_TEXT] = "";
    struct spread ports = *s;
    if (!applies(s))
        return 0;
    ports.list = s->list ? by_ports : NULL;
    uint64_t steps = s->c->arcs ? steps_along(s) : s->c->graph ? steps_in_graph(s) : 0;
    uint64_t of_ports = steps_of_ports(&ports);
    if (s->list && of_ports > steps)
        memcpy(s->list, by_ports, sizeof by_ports);
    return bound_max(steps, of_ports);
}

/** Return the most nodes that a node can send to (s->against: receive from) in a step, or in an epoch, in which its
 * lightpaths stay up; 0: no limit. */
static double degree(const struct spread *s)
{
    const struct bound_case *c = s->c;
    bool receives_by_turns = s->against && (c->capabilities & NETWORK_PORTS); /* a ron does not tune its receivers */
    double ports = receives_by_turns ? 0 : (double)partners(s), most = c->arcs ? 2.0 * c->lightpaths * s->drops : 0;
    if (c->graph)
        most = (double)bound_graph_widest(c->graph, s->against) * s->drops / c->slots;
    return ports > 0 && (most == 0 || ports < most) ? ports : most;
}

void bound_say_spread(const struct bound_case *c, bool forwards, double others, const char *limit, const char *list)
{
    bound_say(c, "a node %s at most %g other%s in a step%s, so %s at most 1, %s nodes after 0, 1, ... steps",
              forwards ? "sends to" : "hears from", others, others == 1 ? "" : "s", limit,
              forwards ? "its data can have reached" : "can have heard from", list);
}

uint64_t spread_steps(const struct bound_case *c)
{
    char informed[RWA_ERROR_TEXT] = "", heard[RWA_ERROR_TEXT] = "";
    struct spread out = {c, false, c->drops, c->proof ? informed : NULL}, in = {c, true, 1, c->proof ? heard : NULL};
    assert(c->drops > 0 && c->lightpaths > 0);
    uint64_t steps_out = steps_of(&out), steps_in = steps_of(&in);
    bool forwards = steps_out >= steps_in;
    double others = degree(forwards ? &out : &in);
    bound_say_spread(c, forwards, bound_on_path(c) ? others / 2 : others,
                     c->max_hops < bound_farthest(c) ? ", no farther than the hop limit"
                     : bound_on_path(c) ? " towards one end" : "", forwards ? informed : heard);
    return bound_max(steps_out, steps_in);
}

/* ---- epochs ---- */

double spread_degree(const struct bound_case *c)
{
    return degree(&(struct spread){c, false, c->drops, NULL});
}

/** Return how many nodes one node can have informed after `steps` steps over lightpaths that stay up, if each node
 *  sends to `each` others: 1 + each + … + each^steps. */
static double reached_in_epoch(double each, uint64_t steps)
{
    return each == 1 ? 1.0 + (double)steps : (pow(each, (double)steps + 1) - 1) / (each - 1);
}

/** Return the most nodes that one node can have informed after `steps` steps in `epochs` epochs (spans of steps
 * without reconfiguration).
 * @param each  the most other nodes that a node sends to in an epoch */
static double reached_in_epochs(double each, uint64_t epochs, uint64_t steps)
{
    /* the product of what each epoch multiplies is greatest if all are equally long */
    uint64_t length = steps / epochs, longer = steps % epochs;
    return pow(reached_in_epoch(each, length), (double)(epochs - longer)) *
           pow(reached_in_epoch(each, length + 1), (double)longer);
}

static uint64_t steps_in_epochs(const struct spread *s, uint64_t epochs)
{
    const double least = 1 - 1e-9;
    double each = degree(s);
    uint64_t steps = epochs;
    if (!applies(s))
        return 0;
    while (each > 0 && reached_in_epochs(each, epochs, steps) < s->c->nodes * least)
        steps++;
    return steps;
}

uint64_t spread_steps_in_epochs(const struct bound_case *c, uint64_t epochs)
{
    struct spread out = {c, false, c->drops, NULL}, in = {c, true, 1, NULL};
    assert(epochs > 0);
    return bound_max(steps_in_epochs(&out, epochs), steps_in_epochs(&in, epochs));
}

const struct bound_entry bound_spread = {"spread", "steps",
                                         "the holders of a block multiply no faster than their lightpaths: one per "
                                         "outgoing channel and step; likewise the nodes that a node has heard from",
                                         "docs/reference/bounds.md: gaps between holders", .formula = spread_steps};
