/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The blocks that a node must receive (bound `receive`) or send (`send`), against its links and ports. */
#include "bound/demand.h"
#include "bound/graph.h"

/** Whether the blocks that a node receives or those that it sends are counted. */
enum ports_way { PORTS_IN, PORTS_OUT };

/** Return the blocks that a node must receive from (or send to) each other node, by `way`; 0 if the collective has no
 *  blocks for each pair. */
static uint64_t per_peer(const rwa_collective *coll, enum ports_way way)
{
    bool in = coll->kind == RWA_ALL_GATHER || coll->kind == RWA_GATHER;
    bool out = coll->kind == RWA_REDUCE_SCATTER || coll->kind == RWA_SCATTER;
    if (coll->kind == RWA_ALL_TO_ALL)
        return collective_parts(coll);
    return (way == PORTS_IN ? in : out) ? coll->blocks / coll->nodes : 0;
}

static uint64_t demand(const rwa_collective *coll, const struct demand_side *side, enum ports_way way)
{
    return way == PORTS_IN ? demand_in(coll, side) : demand_out(coll, side);
}

/** Return the most consecutive working links over which a lightpath in direction `dir` can lead to place p (PORTS_IN),
 * or away from it (PORTS_OUT). */
static uint64_t reach(const struct bound_case *c, uint32_t p, rwa_direction dir, enum ports_way way)
{
    bool behind = (way == PORTS_IN) == (dir == RWA_CW); /* links p - 1, p - 2, … lead there; otherwise links p, p +
                                                           1, … */
    uint64_t n = c->nodes, end = behind ? p : n - 1 - p, most = bound_on_path(c) ? end : n - 1;
    for (size_t i = 0; i < c->lost_count; i++) {
        uint64_t link = c->lost[i].link, links = behind ? (p + n - 1 - link) % n : (link + n - p) % n;
        if ((dir == RWA_CW ? c->lost[i].cw : c->lost[i].ccw) && links < most)
            most = links;
    }
    assert(most < n);
    return most;
}

/** How many links a lightpath can have in each direction if it ends at a place, or begins there. */
struct reaches {
    uint64_t cw, ccw;
};

/** Return the number of places that are more than `hops` hops from a place.
 * @param r  how many links lightpaths of that place can have in each direction */
static uint64_t farther(const struct bound_case *c, struct reaches r, uint64_t hops)
{
    uint64_t near = lesser(r.cw, hops) + lesser(r.ccw, hops), others = c->nodes - 1;
    return near < others ? others - near : 0;
}

/** Return the distance, in hops, of the farthest place that can be reached from a place.
 * @param r  how many links lightpaths of that place can have in each direction */
static uint64_t farthest(const struct bound_case *c, struct reaches r)
{
    uint64_t others = c->nodes - 1, least = lesser(r.cw, r.ccw);
    return r.cw + r.ccw < others ? bound_max(r.cw, r.ccw) : bound_max((others + 1) / 2, others - least);
}

/** The node that needs most steps: what it must receive (or send), and for how many steps that cannot arrive yet (or
 *  leave any more). */
struct node_need {
    uint64_t steps, before, blocks, width;
    uint32_t at, here;      /* the place or node with this need, and the one that is being examined */
};

static void add_need(struct node_need *most, uint64_t steps, uint64_t before, uint64_t blocks, uint64_t width)
{
    bool tighter = (double)blocks * (double)most->width > (double)most->blocks * (double)width;
    if (steps > most->steps || (steps == most->steps && before == most->before && tighter))
        *most = (struct node_need){steps, before, blocks, width, most->here, most->here};
}

/** Compute the steps that place p needs for its blocks under the hop limit, and keep them in *most if they are more.
 * @param each   blocks that p receives from (or sends to) each other place
 * @param width  blocks that p receives (or sends) in a step */
static void relayed(struct node_need *most, const struct bound_case *c, uint32_t p, uint64_t each, uint64_t width,
                    enum ports_way way)
{
    struct reaches r = {reach(c, p, RWA_CW, way), reach(c, p, RWA_CCW, way)};
    assert(each > 0 && width > 0 && c->max_hops > 0);
    /* blocks from more than j * max_hops hops away cross j lightpaths first, so they arrive after step j (in reverse:
       leave before the last j steps) */
    uint64_t before = (bound_max(farthest(c, r), 1) - 1) / c->max_hops;
    uint64_t blocks = times_saturated(each, farther(c, r, before * c->max_hops));
    add_need(most, before + ceil_div(blocks, width), before, blocks, width);
}

uint64_t ports_width(const struct bound_case *c, uint64_t width)
{
    return limited(width, times_saturated(c->ports, c->slots));
}

static void need_at(struct node_need *most, const struct bound_case *c, uint32_t p, enum ports_way way)
{
    assert(p < c->nodes);
    struct demand_run run = {p, 1};
    struct demand_side side = demand_of_run(c, run);
    most->here = p;
    uint64_t width = ports_width(c, way == PORTS_IN ? demand_width_in(c, run) : demand_width_out(c, run));
    uint64_t blocks = demand(c->coll, &side, way), each = per_peer(c->coll, way);
    add_need(most, bound_steps_to_pass(c, blocks, width), 0, blocks, width);
    if (blocks > 0 && each > 0)
        relayed(most, c, p, each, width, way);
}

/** Raise *most to the need of each of these places: the ends of a line (on a ring: the owners of the most and the
 * fewest blocks), the root, and both ends of failed links.
 * @param way  PORTS_IN: count the blocks to receive; PORTS_OUT: those to send */
static void need_along(struct node_need *most, const struct bound_case *c, enum ports_way way)
{
    need_at(most, c, 0, way);
    need_at(most, c, c->nodes - 1, way);
    need_at(most, c, c->root, way);
    for (size_t i = 0; i < c->lost_count; i++) {
        need_at(most, c, c->lost[i].link, way);
        need_at(most, c, (c->lost[i].link + 1) % c->nodes, way);
    }
}

/** Compute the steps that a node of a network of listed links needs under the hop limit, and keep them in *most if
 * they are more.
 * @param each   blocks that the node receives from (or sends to) each other participant
 * @param width  blocks that it receives (or sends) in a step */
static void relayed_in_graph(struct node_need *most, const struct bound_case *c, uint32_t node, uint64_t each,
                             uint64_t width, enum ports_way way)
{
    struct bound_graph *g = c->graph;
    uint64_t farther_members = 0;
    assert(each > 0 && width > 0);
    for (uint32_t i = bound_graph_walk(g, node, way == PORTS_IN); i-- > 1;) {
        uint64_t before = (g->hops[g->order[i]] - 1) / c->max_hops;
        farther_members += g->rank[g->order[i]] != BOUND_NO_RANK;
        uint64_t blocks = times_saturated(each, farther_members);
        if (blocks > 0)
            add_need(most, before + ceil_div(blocks, width), before, blocks, width);
    }
}

static void need_in_graph(struct node_need *most, const struct bound_case *c, enum ports_way way)
{
    const struct bound_graph *g = c->graph;
    uint64_t each = per_peer(c->coll, way);
    bool relays = each > 0 && c->max_hops < g->nodes && !bound_graph_is_large(g);
    for (uint32_t r = 0; r < c->nodes; r++) {
        struct demand_side side = {0};
        uint32_t node = most->here = g->member[r];
        uint64_t width = ports_width(c, way == PORTS_IN ? g->in.width[node] : g->out.width[node]);
        demand_put(&side, c->coll, r, true);
        uint64_t blocks = demand(c->coll, &side, way);
        if (blocks == 0 || width == 0)
            continue;
        add_need(most, bound_steps_to_pass(c, blocks, width), 0, blocks, width);
        if (relays && (!g->alike || r == 0 || r == c->coll->root))
            relayed_in_graph(most, c, node, each, width, way);
    }
}

/** Store in c->side the division of the nodes into the node that needs most steps and all others: 1 on the side that
 * the blocks leave, 0 on the other. */
static void keep_node(const struct bound_case *c, const struct node_need *most, enum ports_way way)
{
    uint32_t nodes = rwa_network_nodes(c->net);
    struct demand_run run = {most->at, 1};
    if (c->arcs)
        cut_keep_run(c, SIDES_OF_NODE, &run, way == PORTS_IN);
    for (uint32_t v = 0; c->graph && v < nodes; v++)
        c->side[SIDES_OF_NODE * nodes + v] = (v == most->at) != (way == PORTS_IN);
}

/** Return the steps that the busiest node needs to receive (or send) its blocks under the hop limit; 0 if no node needs
 *  any. */
static uint64_t ports_steps(const struct bound_case *c, enum ports_way way)
{
    struct node_need most = {0};
    if (c->arcs)
        need_along(&most, c, way);
    else if (c->graph)
        need_in_graph(&most, c, way);
    if (c->side)
        keep_node(c, &most, way);
    bound_say_load(c, (way == PORTS_IN) != c->reversed ? "reach one node" : "leave one node", most.blocks,
                   most.width, most.steps - most.before);
    if (c->ports > 0)
        text_append(c->proof, "; a node has %u port%s", c->ports, plural(c->ports));
    uint64_t links = most.before * c->max_hops;
    if (most.before > 0 && most.blocks <= most.width)
        bound_say(c, "some node is more than %" PRIu64 " link%s away, at most %u in a step: %" PRIu64 " steps",
                  links, plural(links), c->max_hops, most.steps);
    else if (most.before > 0)
        text_append(c->proof, "; they have more than %" PRIu64 " link%s to go, which takes %" PRIu64 " step%s more",
                    links, plural(links), most.before, plural(most.before));
    return most.steps;
}

void ports_load(struct bound_load *l, const struct bound_case *c)
{
    for (uint32_t p = 0; p < c->nodes && c->ports > 0; p++) {
        struct demand_side side = {0};
        if (c->arcs)
            side = demand_of_run(c, (struct demand_run){p, 1});
        else
            demand_put(&side, c->coll, p, true);
        bound_load_add(l, c, demand_in(c->coll, &side), c->ports);
        bound_load_add(l, c, demand_out(c->coll, &side), c->ports);
    }
    /* each block needs so many lightpaths: docs/reference/bounds.md, "sums" */
    if (c->coll->kind == RWA_ALL_REDUCE && !c->taps)
        bound_load_add(l, c, times_saturated(2 * (c->nodes - 1), c->coll->blocks), times_saturated(c->nodes, c->ports));
}

static uint64_t compute_receive(const struct bound_case *c)
{
    return ports_steps(c, PORTS_IN);
}

const struct bound_entry bound_receive = {"receive", "steps",
                                          "a node takes in at most one lightpath per incoming channel and step, and "
                                          "must receive all blocks or sums that it lacks",
                                          "docs/reference/bounds.md: counting", .formula = compute_receive,
                                          .sides = 1 + SIDES_OF_NODE};

static uint64_t compute_send(const struct bound_case *c)
{
    return c->coll->kind == RWA_ALL_GATHER ? 0 : ports_steps(c, PORTS_OUT);
}

const struct bound_entry bound_send = {"send", "steps",
                                       "a node sends at most one lightpath per outgoing channel and step, and must "
                                       "send all blocks or terms of sums that others lack",
                                       "docs/reference/bounds.md: counting", .formula = compute_send,
                                       .sides = 1 + SIDES_OF_NODE};
