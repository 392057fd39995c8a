/* SPDX-License-Identifier: GPL-3.0-or-later */
/** One node, or one block, followed through the steps. */
#include "view/view.h"

#include "base/base.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/** Transfers named a step before the rest is only counted. */
enum { NAMED = 12, STEP_COLUMNS = 8 };

static const char *direction_name(rwa_direction dir)
{
    return dir == RWA_CW ? "cw" : "ccw";
}

/** Calls `see` for every lightpath of a step. */
static void each_lightpath(const rwa_schedule *sched, uint32_t step, void (*see)(void *, const rwa_lightpath *), void *data)
{
    for (uint64_t i = rwa_schedule_first(sched, step); i < rwa_schedule_first(sched, step + 1); i++) {
        rwa_lightpath record, lp;
        rwa_schedule_get(sched, i, &record);
        for (uint32_t k = 0; k < record.orbit; k++) {
            rwa_lightpath_of_orbit(&lp, &record, k, rwa_schedule_network(sched), rwa_schedule_collective(sched));
            see(data, &lp);
        }
    }
}

/* ---- a node ---- */

struct node_step {
    struct text *t;
    const rwa_network *net;
    uint32_t node;
    uint64_t sent, received, passed, named;
};

static void name_transfer(struct node_step *n, const rwa_lightpath *lp)
{
    bool sends = lp->src == n->node;
    if (n->named++ >= NAMED)
        return;
    text_add(n->t, "         %s block %" PRIu64 " %s %" PRIu32 "  (%s, %" PRIu32 " hop%s, ", sends ? "sends   " : "receives",
             lp->block, sends ? "to  " : "from", sends ? lp->dst : lp->src, direction_name(lp->direction),
             rwa_network_hops(n->net, lp->src, lp->dst, lp->direction),
             rwa_network_hops(n->net, lp->src, lp->dst, lp->direction) == 1 ? "" : "s");
    if (rwa_network_fibers(n->net) > 1)
        text_add(n->t, "fibre %" PRIu32 ", ", lp->fiber);
    text_add(n->t, "wavelength %" PRIu32 ")\n", lp->wavelength);
}

static void see_at_node(void *data, const rwa_lightpath *lp)
{
    struct node_step *n = data;
    uint32_t nodes = rwa_network_nodes(n->net), hops = rwa_network_hops(n->net, lp->src, lp->dst, lp->direction);
    uint32_t from = lp->direction == RWA_CW ? lp->src : lp->dst, at = n->node >= from ? n->node - from : n->node + nodes - from;
    n->sent += lp->src == n->node;
    n->received += lp->dst == n->node;
    if (lp->src == n->node || lp->dst == n->node)
        name_transfer(n, lp);
    else
        n->passed += at > 0 && at < hops;
}

rwa_status view_follow_node(struct text *t, const rwa_schedule *sched, const rwa_view_options *o, rwa_error *err)
{
    uint32_t from = o->step ? o->step : 1, to = o->step ? o->step : rwa_schedule_steps(sched);
    (void)err;
    text_add(t, "\nnode %" PRIu64 ":\n", o->node);
    for (uint32_t s = from; s <= to; s++) {
        struct text body = {.err = t->err};
        struct node_step n = {.t = &body, .net = rwa_schedule_network(sched), .node = (uint32_t)o->node};
        each_lightpath(sched, s, see_at_node, &n);
        text_add(t, "step %-3" PRIu32 " sends %" PRIu64 ", receives %" PRIu64 ", lets %" PRIu64 " pass\n", s, n.sent,
                 n.received, n.passed);
        if (body.used > 0)
            text_add_bytes(t, body.data, body.used);
        if (n.named > NAMED)
            text_add(t, "         ... and %" PRIu64 " more\n", n.named - NAMED);
        if (body.status != RWA_OK)
            t->status = body.status;
        free(body.data);
    }
    return t->status;
}

/* ---- a block ---- */

enum { WITHOUT, HOLDS, GETS };

struct block_step {
    struct text *t;
    uint64_t block, sends, named;
    uint8_t *state;     /* of each node */
};

static void see_block(void *data, const rwa_lightpath *lp)
{
    struct block_step *b = data;
    if (lp->block != b->block)
        return;
    b->sends++;
    if (b->state[lp->dst] != HOLDS)
        b->state[lp->dst] = GETS;
    if (b->named++ < NAMED)
        text_add(b->t, "%s%" PRIu32 ">%" PRIu32, b->named > 1 ? ", " : "", lp->src, lp->dst);
}

/** One character a node where they fit; several nodes share one where they do not. */
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
    bool reduction = coll->kind == RWA_ALL_REDUCE || coll->kind == RWA_REDUCE_SCATTER;
    uint32_t owner = coll->kind == RWA_SCATTER ? coll->root : rwa_collective_owner(coll, block);
    if (!reduction)
        state[owner] = HOLDS;
    return owner;
}

rwa_status view_follow_block(struct text *t, const rwa_schedule *sched, const rwa_view_options *o, rwa_error *err)
{
    uint32_t nodes = rwa_network_nodes(rwa_schedule_network(sched));
    uint8_t *state = base_array(nodes, 1, err);
    if (!state)
        return RWA_NOMEM;
    text_add(t, "\nblock %" PRIu64 " of node %" PRIu32 ": %s held, %s arriving, %s not yet\n", o->block,
             start_holding(state, sched, o->block), o->ascii ? "#" : "█", o->ascii ? "+" : "▒", o->ascii ? "." : "·");
    text_add(t, "%-*s", STEP_COLUMNS, "start");
    add_holders(t, state, nodes, o);
    text_add(t, "\n");
    for (uint32_t s = 1; s <= rwa_schedule_steps(sched); s++) {
        struct text body = {.err = t->err};
        struct block_step b = {.t = &body, .block = o->block, .state = state};
        each_lightpath(sched, s, see_block, &b);
        text_add(t, "step %-*" PRIu32, STEP_COLUMNS - 5, s);
        add_holders(t, state, nodes, o);
        text_add(t, "\n%*s%" PRIu64 " lightpath%s%s", STEP_COLUMNS, "", b.sends, b.sends == 1 ? "" : "s", b.sends ? ": " : "");
        if (body.used > 0)
            text_add_bytes(t, body.data, body.used);
        text_add(t, "%s\n", b.named > NAMED ? ", ..." : "");
        if (body.status != RWA_OK)
            t->status = body.status;
        free(body.data);
        for (uint32_t v = 0; v < nodes; v++)
            if (state[v] == GETS)
                state[v] = HOLDS;
    }
    free(state);
    return t->status;
}
