/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Follows one node, or one block, through the steps of a schedule. */
#include "schedule/raster.h"
#include "schedule/schedule.h"
#include "view/view.h"

#include "collective/needs.h"
#include "network/network.h"

/** NAMED: the most transfers that are named in a step; further ones are only counted. */
enum { NAMED = 12, STEP_COLUMNS = 8 };

/* ---- a node ---- */

struct node_step {
    struct text *t;
    const rwa_network *net;
    uint32_t node, columns;
    uint64_t sent, received, tapped, passed, named;
};

/** Describe a lightpath that the node sends, receives or taps (receives in passing, `tapped`): its blocks, the other
 *  node and its route, on one line if these fit.  After NAMED lightpaths of a step only count it. */
static void name_transfer(struct node_step *n, const struct walk *at, bool tapped)
{
    const rwa_lightpath *lp = &at->lp;
    bool sends = lp->src == n->node, arcs = network_has_arcs(n->net);
    uint32_t hops = walk_hops(at);
    struct text how = {.err = n->t->err};
    if (n->named++ >= NAMED)
        return;
    size_t start = n->t->used;
    char other[NODE_TEXT];
    network_node_text(other, n->net, sends ? lp->dst : lp->src);
    text_add(n->t, "         %s ", sends ? "sends   " : tapped ? "taps    " : "receives");
    view_name_blocks(n->t, at);
    text_add(n->t, " %s %s", sends ? "to  " : "from", other);
    text_add(&how, "(%s%u hop%s, ", arcs ? lp->direction == RWA_CW ? "cw, " : "ccw, " : "", hops, plural(hops));
    if (network_most_fibers(n->net) > 1)
        text_add(&how, "fibre %u, ", lp->fiber);
    text_add(&how, "wavelength %u)", lp->wavelength);
    if (tapped)
        text_add(&how, ", on to %s", network_node_text(other, n->net, lp->dst));
    text_add(n->t, n->t->used - start + 2 + how.used > n->columns ? "\n                  " : "  ");
    text_add_part(n->t, &how);
    text_add(n->t, "\n");
}

/** Tell whether a lightpath that neither starts nor ends at the node passes through it. */
static bool passes(const struct node_step *n, const struct walk *at)
{
    for (uint32_t k = 1; k < walk_hops(at); k++)
        if (walk_hop_node(at, k) == n->node)
            return true;
    return false;
}

static void follow_node(struct node_step *n, const struct walk *at)
{
    bool tapped = walk_is_tap(at, n->node), ends = at->lp.dst == n->node, begins = at->lp.src == n->node;
    n->sent += begins;
    n->received += ends || tapped;
    n->tapped += tapped;
    if (begins || ends || tapped)
        name_transfer(n, at, tapped);
    else
        n->passed += passes(n, at);
}

rwa_status view_follow_node(struct text *t, const rwa_schedule *sched, const rwa_view_options *o,
                            const struct view_times *times)
{
    const rwa_network *net = rwa_schedule_network(sched);
    uint32_t from = o->step ? o->step : 1, to = o->step ? o->step : rwa_schedule_steps(sched);
    char name[NODE_TEXT];
    text_add(t, "\nnode %s:\n", network_node_text(name, net, (uint32_t)o->node));
    for (uint32_t s = from; s <= to; s++) {
        struct text body = {.err = t->err};
        struct node_step n = {.t = &body, .net = net, .node = (uint32_t)o->node, .columns = o->columns};
        for (struct walk w = walk_step(sched, s); walk_next(&w);)
            follow_node(&n, &w);
        text_add(t, "step %-3u sends %" PRIu64 ", receives %" PRIu64, s, n.sent, n.received);
        if (n.tapped > 0)
            text_add(t, " (%" PRIu64 " by a tap)", n.tapped);
        text_add(t, ", lets %" PRIu64 " pass", n.passed);
        view_add_times(t, s, times);
        text_add(t, "\n");
        text_add_part(t, &body);
        if (n.named > NAMED)
            text_add(t, "         ... and %" PRIu64 " more\n", n.named - NAMED);
    }
    return t->status;
}

/* ---- a block ---- */

enum { WITHOUT, HOLDS, GETS };

struct block_step {
    struct text *t;
    const rwa_network *net;
    uint64_t block, sends, named;
    uint8_t *state;     /* of each node */
    bool by_name;       /* nodes have names, which take a line for each route */
};
#define NEXT_LINE "\n          "

static void mark_arrival(struct block_step *b, uint32_t node)
{
    assert(node < rwa_network_nodes(b->net));
    if (b->state[node] != HOLDS)
        b->state[node] = GETS;
}

/** Add a node of a route, by name or number, after a mark such as ">". */
static void name_stop(struct block_step *b, const char *mark, uint32_t node)
{
    char name[NODE_TEXT];
    network_name_node(name, sizeof name, b->net, node);
    text_add(b->t, "%s%s", mark, name);
}

/** Add the source, the taps and the destination of a lightpath, as 3>4>7.  Where nodes have names, which take more
 *  space, each lightpath gets a line. */
static void name_route(struct block_step *b, const struct walk *at)
{
    const char *mark = b->by_name ? " > " : ">";
    name_stop(b, b->by_name ? NEXT_LINE : b->named > 1 ? ", " : " ", at->lp.src);
    for (uint32_t i = 0; i < at->lists.tap_count; i++)
        name_stop(b, mark, walk_node(at, at->lists.taps[i]));
    name_stop(b, mark, at->lp.dst);
}

static void follow_block(struct block_step *b, const struct walk *at)
{
    if (!walk_carries(at, b->block))
        return;
    b->sends++;
    mark_arrival(b, at->lp.dst);
    for (uint32_t i = 0; i < at->lists.tap_count; i++)
        mark_arrival(b, walk_node(at, at->lists.taps[i]));
    if (b->named++ < NAMED)
        name_route(b, at);
}

/** Add one character for each node v that shows whether it holds the block, gets it in this step, or neither
 *  (state[v]).  If the characters do not fit, several nodes share one. */
static void add_holders(struct text *t, const uint8_t *state, uint32_t nodes, const rwa_view_options *o)
{
    static const char *const plain[] = {".", "#", "+"}, *const blocks[] = {"·", "█", "▒"};
    uint32_t width = o->columns - STEP_COLUMNS - 1, columns = nodes < width ? nodes : width;
    for (uint32_t i = 0; i < columns; i++) {
        uint8_t seen = WITHOUT;
        for (uint64_t v = (uint64_t)i * nodes / columns; v < (uint64_t)(i + 1) * nodes / columns; v++)
            seen = state[v] == GETS || seen == GETS ? GETS : state[v] == HOLDS ? HOLDS : seen;
        text_add(t, "%s", o->ascii ? plain[seen] : blocks[seen]);
    }
}

static uint32_t start_holding(uint8_t *state, const rwa_schedule *sched, uint64_t block)
{
    const rwa_collective *coll = rwa_schedule_collective(sched);
    uint32_t owner = base_mapped(rwa_schedule_members(sched), collective_source(coll, block));
    if (!rwa_collective_is_reduction(coll->kind))
        state[owner] = HOLDS;
    return owner;
}

/** If the collective is an all-to-all, add the destination of the block, as " for node 3". */
static void add_receiver(struct text *t, const rwa_schedule *sched, uint64_t block)
{
    const rwa_collective *coll = rwa_schedule_collective(sched);
    uint32_t receiver = base_mapped(rwa_schedule_members(sched), collective_destination(coll, block));
    char name[NODE_TEXT];
    if (coll->kind == RWA_ALL_TO_ALL)
        text_add(t, " for node %s", network_node_text(name, rwa_schedule_network(sched), receiver));
}

rwa_status view_follow_block(struct text *t, const rwa_schedule *sched, const rwa_view_options *o)
{
    const rwa_network *net = rwa_schedule_network(sched);
    uint32_t nodes = rwa_network_nodes(net);
    uint8_t *state;
    MUST(base_new(state, nodes, t->err));
    char owner[NODE_TEXT];
    text_add(t, "\nblock %" PRIu64 " of node %s", o->block,
             network_node_text(owner, net, start_holding(state, sched, o->block)));
    add_receiver(t, sched, o->block);
    text_add(t, ": %s held, %s arriving, %s not yet\n", o->ascii ? "#" : "█", o->ascii ? "+" : "▒",
             o->ascii ? "." : "·");
    text_add(t, "%-*s", STEP_COLUMNS, "start");
    add_holders(t, state, nodes, o);
    text_add(t, "\n");
    for (uint32_t s = 1; s <= rwa_schedule_steps(sched); s++) {
        struct text body = {.err = t->err};
        struct block_step b = {.t = &body, .net = net, .block = o->block, .state = state,
                               .by_name = rwa_network_node_name(net, 0) != NULL};
        for (struct walk w = walk_step(sched, s); walk_next(&w);)
            follow_block(&b, &w);
        text_add(t, "step %-*u", STEP_COLUMNS - 5, s);
        add_holders(t, state, nodes, o);
        text_add(t, "\n%*s%" PRIu64 " lightpath%s%s", STEP_COLUMNS, "", b.sends, plural(b.sends),
                 b.sends ? ":" : "");
        text_add_part(t, &body);
        text_add(t, "%s\n", b.named <= NAMED ? "" : b.by_name ? NEXT_LINE "..." : ", ...");
        for (uint32_t v = 0; v < nodes; v++)
            if (state[v] == GETS)
                state[v] = HOLDS;
    }
    free(state);
    return t->status;
}
