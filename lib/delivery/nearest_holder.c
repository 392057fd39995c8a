/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Near holders serve first, as long as channels and ports last.  Sending blocks far in the first steps may give every node a
 * holder nearby later: tries differ in how many steps do so, and in the random order of the nodes that wait.
 */
#include "delivery/nearest_holder.h"

#include "collective/needs.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_TRIES = 64, FAR_STEPS = 4 };

/** The key of a receiver that no holder can serve in this step any more. */
static const uint32_t cut_off = UINT32_MAX;

/** A node that needs a block and lacks it. */
struct receiver {
    uint32_t node;
    uint32_t key;       /* by which a step sorts; or cut_off */
    uint64_t block;
};

struct greedy {
    const struct nearest_request *request;
    struct delivery_state state;
    struct deliveries best;
    uint64_t blocks;
    struct receiver *wait, *sorted;
    size_t waits, room, sorted_room;
    uint32_t *holders;          /* of each block */
    bool private;               /* each block is for one node: others need not hold it */
    size_t *fill;               /* of the counting sort */
    uint32_t keys;              /* below which all keys are */
    uint64_t random;
    uint32_t below;             /* a try ends that comes to so many steps; 0: none does */
    bool in_order;              /* the current try serves nodes and blocks by number */
    bool given_up;              /* the current try, by the budget */
    bool passed_on;             /* some node got a block that it does not need */
};

static void greedy_close(struct greedy *g)
{
    delivery_close(&g->state);
    deliveries_free(&g->best);
    free(g->wait);
    free(g->sorted);
    free(g->holders);
    free(g->fill);
}

/* ---- the receivers ---- */

/* The collective counts its members, the network its nodes. */
static uint32_t node_of(const struct greedy *g, uint32_t rank)
{
    return g->request->members ? g->request->members[rank] : rank;
}

static uint32_t source_of(const struct greedy *g, uint64_t block)
{
    if (g->request->folding)
        return (uint32_t)block;
    return node_of(g, collective_source(g->request->coll, block));
}

static rwa_status begin(struct greedy *g, rwa_error *err)
{
    const rwa_collective *coll = g->request->coll;
    rwa_status st = RWA_OK;
    delivery_reset(&g->state);
    g->waits = 0;
    g->passed_on = false;
    for (uint64_t b = 0; b < g->blocks; b++) {
        delivery_hold(&g->state, source_of(g, b), b);
        g->holders[b] = 1;
    }
    for (uint32_t v = 0; v < coll->nodes; v++)
        for (uint64_t b = 0; b < g->blocks; b++) {
            if (node_of(g, v) == source_of(g, b) || !collective_needs(coll, v, b))
                continue;
            TRY(base_grow((void **)&g->wait, &g->room, g->waits + 1, sizeof *g->wait, err));
            g->wait[g->waits++] = (struct receiver){.node = node_of(g, v), .block = b};
        }
    TRY(base_grow((void **)&g->sorted, &g->sorted_room, g->waits, sizeof *g->sorted, err));
done:
    return st;
}

static uint32_t key_of(const struct greedy *g, const struct receiver *w)
{
    if (!g->private)
        return g->holders[w->block];
    return NODE_FAR - delivery_at(&g->state, w->node, w->block);
}

static void shuffle(struct greedy *g)
{
    for (size_t i = g->waits; i > 1; i--) {
        size_t k = (size_t)base_random_below(&g->random, i);
        struct receiver kept = g->wait[i - 1];
        g->wait[i - 1] = g->wait[k];
        g->wait[k] = kept;
    }
}

/* Rare blocks first; blocks for one node only by distance, far ones first.  Equals keep their order. */
static void sort_receivers(struct greedy *g)
{
    memset(g->fill, 0, ((size_t)g->keys + 1) * sizeof *g->fill);
    for (size_t i = 0; i < g->waits; i++) {
        g->wait[i].key = key_of(g, &g->wait[i]);
        assert(g->wait[i].key < g->keys);
        g->fill[g->wait[i].key + 1]++;
    }
    for (uint32_t h = 0; h < g->keys; h++)
        g->fill[h + 1] += g->fill[h];
    for (size_t i = 0; i < g->waits; i++)
        g->sorted[g->fill[g->wait[i].key]++] = g->wait[i];
    memcpy(g->wait, g->sorted, g->waits * sizeof *g->wait);
}

static void reset_keys(struct greedy *g)
{
    for (size_t i = 0; i < g->waits; i++)
        g->wait[i].key = 0;
}

/* ---- one try ---- */

/** Without any plan yet only a cancellation ends a try. */
static bool must_give_up(struct greedy *g)
{
    struct budget *budget = g->request->budget;
    g->given_up = base_must_stop(budget, "serving from the nearest", -1) && (budget->cancelled || g->below > 0);
    return g->given_up;
}

static rwa_status serve_within(struct greedy *g, uint32_t reach)
{
    enum { POLL_EVERY = 256 };
    rwa_status st = RWA_OK;
    size_t left = 0;
    for (size_t i = 0; i < g->waits; i++) {
        struct receiver w = g->wait[i];
        enum delivery_answer answer = DELIVERY_CUT_OFF;
        if (i % POLL_EVERY == POLL_EVERY - 1 && must_give_up(g))
            return RWA_OK;
        if (w.key != cut_off)
            TRY(delivery_serve(&g->state, w.node, w.block, reach, &answer));
        if (answer == DELIVERY_CUT_OFF)
            w.key = cut_off;
        if (answer == DELIVERY_SENT)
            g->holders[w.block]++;
        else
            g->wait[left++] = w;
    }
    g->waits = left;
done:
    return st;
}

/* The nodes that need not hold a block, too: they may pass it on. */
static rwa_status serve_others_within(struct greedy *g, uint32_t reach)
{
    const rwa_collective *coll = g->request->coll;
    enum delivery_answer answer = DELIVERY_CUT_OFF;
    rwa_status st = RWA_OK;
    for (uint32_t v = 0; v < coll->nodes && !must_give_up(g); v++)
        for (uint64_t b = 0; b < g->blocks; b++) {
            if (collective_needs(coll, v, b) || !delivery_lacks(&g->state, node_of(g, v), b))
                continue;
            TRY(delivery_serve(&g->state, node_of(g, v), b, reach, &answer));
            g->passed_on = g->passed_on || answer == DELIVERY_SENT;
        }
done:
    return st;
}

static uint32_t longest_reach(const struct greedy *g)
{
    uint32_t limit = g->request->max_hops, most = g->state.nodes - 1;
    return limit > 0 && limit < most ? limit : most;
}

static rwa_status one_step(struct greedy *g, bool far)
{
    uint32_t most = longest_reach(g);
    rwa_status st = RWA_OK;
    delivery_begin_step(&g->state, false);
    if (g->in_order) {
        reset_keys(g);
    } else {
        shuffle(g);
        sort_receivers(g);
    }
    for (uint32_t reach = far ? most : 1; st == RWA_OK && !g->given_up; reach += (reach + 1) / 2) {
        st = serve_within(g, reach < most ? reach : most);
        if (reach >= most)
            break;
    }
    if (st == RWA_OK && delivery_step_is_empty(&g->state))
        st = serve_others_within(g, most);
    delivery_end_step(&g->state);
    return st;
}

/* Mark the nodes that need a block or pass it on; the plan is complete, so its state serves for the marks: [block][node]. */
static const uint8_t *mark_useful(struct greedy *g)
{
    const rwa_collective *coll = g->request->coll;
    const struct deliveries *d = &g->state.sent;
    size_t nodes = g->state.nodes;
    uint8_t *useful = g->state.near;
    memset(useful, 0, (size_t)(nodes * coll->blocks));
    for (uint64_t b = 0; b < coll->blocks; b++)
        for (uint32_t v = 0; v < coll->nodes; v++)
            useful[b * nodes + node_of(g, v)] = collective_needs(coll, v, b);
    for (size_t i = d->count; i-- > 0;)
        useful[d->list[i].block * nodes + d->list[i].src] |= useful[d->list[i].block * nodes + d->list[i].dst];
    return useful;
}

/* Leave out the lightpaths to nodes that neither need the block nor pass it on, and the steps without any other. */
static void prune(struct greedy *g)
{
    const uint8_t *useful = mark_useful(g);
    struct deliveries *d = &g->state.sent;
    size_t kept = 0;
    uint32_t before = 0, steps = 0;
    for (size_t i = 0; i < d->count; i++) {
        const rwa_lightpath lp = d->list[i];
        size_t place = d->path_first[kept], nodes = d->path_first[i + 1] - d->path_first[i];
        if (!useful[lp.block * g->state.nodes + lp.dst])
            continue;
        memmove(d->path + place, d->path + d->path_first[i], nodes * sizeof *d->path);
        steps += lp.step != before;
        before = lp.step;
        d->list[kept] = lp;
        d->list[kept].step = steps;
        d->path_first[++kept] = place + nodes;
    }
    assert(steps <= d->steps);
    d->count = kept;
    d->steps = steps;
}

/* All blocks, in fewer steps than the best so far; *stuck: some node cannot be served at all. */
static rwa_status one_try(struct greedy *g, uint32_t far_steps, bool *stuck, rwa_error *err)
{
    const struct deliveries *sent = &g->state.sent;
    rwa_status st = RWA_OK;
    TRY(begin(g, err));
    while (g->waits > 0 && !*stuck && !g->given_up && (g->below == 0 || sent->steps + 1 < g->below)) {
        TRY(one_step(g, g->private || sent->steps < far_steps));
        *stuck = delivery_step_is_empty(&g->state) && !g->given_up;
    }
    if (g->waits == 0) {
        struct deliveries kept = g->best;
        if (g->passed_on)
            prune(g);
        g->best = g->state.sent;
        g->below = g->best.steps;
        g->state.sent = kept;
    }
done:
    return st;
}

/* ---- all tries ---- */

static uint64_t blocks_needed(const rwa_collective *coll, uint32_t rank)
{
    uint64_t needed = 0;
    for (uint64_t b = 0; b < coll->blocks; b++)
        needed += rank != collective_source(coll, b) && collective_needs(coll, rank, b);
    return needed;
}

/* A lower bound: every node receives as many blocks as channels lead to it, or as it has ports. */
static uint64_t fewest_steps(struct greedy *g)
{
    const rwa_collective *coll = g->request->coll;
    uint64_t most = 1;
    delivery_begin_step(&g->state, false);
    for (uint32_t v = 0; v < coll->nodes; v++) {
        uint32_t in = g->state.in_left[node_of(g, v)], ports = g->state.may_receive[node_of(g, v)];
        uint64_t needed = blocks_needed(coll, v), width = in < ports ? in : ports;
        if (width > 0 && needed > most * width)
            most = (needed + width - 1) / width;
    }
    return most;
}

static rwa_status try_all(struct greedy *g, struct nearest_answer *out, rwa_error *err)
{
    struct budget *budget = g->request->budget;
    uint64_t pairs = g->request->coll->nodes * g->blocks, tries = pairs < g->request->effort ? g->request->effort / pairs : 1;
    uint64_t fewest = fewest_steps(g);
    bool ordered = g->state.arcs && !g->private && !g->request->folding; /* on a ring waves by number meet few others */
    rwa_status st = RWA_OK;
    for (uint32_t i = 0; i < MOST_TRIES && i < tries && !out->cut_off && !out->shortest; i++) {
        g->in_order = ordered && i == 0;
        TRY(one_try(g, g->in_order ? 0 : (i - ordered) % FAR_STEPS, &out->cut_off, err));
        out->shortest = g->best.steps == fewest;
        if (base_must_stop(budget, "serving from the nearest", -1))
            break;
    }
    if (budget->cancelled)
        st = base_fail(err, RWA_CANCELLED, "planning was stopped at step %u of a nearest-holder greedy", g->state.sent.steps);
done:
    return st;
}

static rwa_status greedy_open(struct greedy *g, rwa_error *err)
{
    const struct nearest_request *r = g->request;
    rwa_collective_kind kind = r->coll->kind;
    uint32_t nodes = rwa_network_nodes(r->net);
    assert(!r->folding || (kind == RWA_ALL_GATHER && r->coll->blocks == nodes && !r->members));
    g->random = r->seed;
    g->below = r->below;
    g->blocks = r->folding ? r->folding->by.index : r->coll->blocks;
    g->private = kind == RWA_SCATTER || kind == RWA_ALL_TO_ALL;
    g->keys = (nodes > NODE_FAR ? nodes : NODE_FAR) + 1;
    g->holders = base_array((size_t)g->blocks, sizeof *g->holders, err);
    g->fill = base_array((size_t)g->keys + 1, sizeof *g->fill, err);
    if (!g->holders || !g->fill)
        return RWA_NOMEM;
    return delivery_open(&g->state, r->net, g->blocks, r->folding, err);
}

rwa_status nearest_holder_plan(struct nearest_answer *out, const struct nearest_request *request, rwa_error *err)
{
    struct greedy g = {.request = request};
    rwa_status st = RWA_OK;
    *out = (struct nearest_answer){.cut_off = false};
    TRY(greedy_open(&g, err));
    TRY(try_all(&g, out, err));
    out->hindered = g.state.hindered;
    if (out->cut_off) {
        out->from = source_of(&g, g.wait[0].block);
        out->to = g.wait[0].node;
    } else {
        out->plan = g.best;
        g.best = (struct deliveries){.count = 0};
    }
done:
    greedy_close(&g);
    return st;
}
