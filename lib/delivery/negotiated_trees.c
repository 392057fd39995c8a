/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "delivery/negotiated_trees.h"

#include "collective/needs.h"
#include "delivery/congestion.h"
#include "network/network.h"

#define NO_SLOT UINT32_MAX
#define NO_RANK UINT32_MAX

/** Attempts with other random numbers; trees that stand for all of which the best is given to each owner.  One looks at so many nodes for
 *  each pair of a node and a block, a part of it for one tree that stands for all, channel by channel at so many times as many; then more
 *  links than a few are crowded still, or after some times as many some are.  After so many in all no tree that stands for all begins. */
enum { ATTEMPTS = 3, TEMPLATES = 12, LOOKED_EACH = 256, ONE_SHORTER = 8, CHANNELS_LONGER = 4, NEARLY = 16, NEARLY_LONGER = 4,
       LOOKED_ALL = 10 << 20 };

/** The search for receive steps of a tree that stands for all looks at so many nodes for each pair, and all such searches at so many; for
 *  channels at so many for each node; for a route.  No other tree follows one whose lightpaths lack a part of a step's room; a step without
 *  channels for its lightpaths gets less room by a part of their links. */
enum { STEPS_EACH = 256, STEPS_LOOKED = 1 << 26, CHANNELS_LOOKED = 1 << 21, TEMPLATE_EACH = 512, ROUTE_LOOKED = 1 << 12, FAR = 4,
       LESS = 16 };

/** What a round adds to the history of a link for each lightpath too many, in a step and on a channel, its most, and the part of it that a
 *  link loses that has room. */
enum { STEP_HISTORY = 8, CHANNEL_HISTORY = 32, HISTORY_MOST = 1000, HISTORY_DECAY = 8 };

/** Of so many moves one takes a whole tree, and half of the others some further parts of it, up to so many. */
enum { WHOLE_TREE = 16, FURTHER_PARTS = 3 };

/** The most that a link costs without history that has room, and at all; nodes where each owner goes on by itself. */
enum { FREE_LINK = CONGESTION_PRICE + CONGESTION_NOISE, PRICE_MOST = INT32_MAX / TEMPLATE_HOPS, SMALL_NODES = 64 };

/** One crowded link more is accepted with a chance of exp(-1 / temperature). */
static const double temperature = 1;

/** How a node is informed of a block. */
struct way {
    uint32_t slot;              /* of the lightpath; or NO_SLOT: not informed, or the source */
    uint32_t from, hops;
    uint16_t link[TEMPLATE_HOPS];
};

struct visit {
    uint32_t node, cost;
};

static bool is_cheaper(const struct visit *a, const struct visit *b)
{
    return a->cost < b->cost;
}

HEAP(visits, struct visit, is_cheaper)

struct negotiation {
    const struct negotiated_request *request;
    struct delivery_state state;    /* the network */
    struct folding folding;         /* by all translations; link NULL: none */
    struct receive_steps receive;   /* of the tree that stands for all */
    struct congestion use;          /* a slot is a lane of a step: all its channels, or one of them */
    uint32_t nodes, blocks, trees, lanes;   /* trees: of all blocks, or one that stands for all; lanes of a step */
    uint32_t rows;                  /* links, or ways out of node 0 that stand for those that are alike */
    uint32_t longest;               /* hops of a lightpath */
    uint32_t period;                /* of the channels where one tree stands for all */
    bool *closed;                   /* [slot][row]: it has none of the slot's channels */
    struct arena memory;            /* of the arrays below */
    uint32_t *row;                  /* of each link */
    uint32_t *phase, *rank, *source;    /* of each node; of each node in the collective, or NO_RANK; of each block */
    struct way *way;                /* [tree][node] */
    struct way *kept, *tree, *chosen;   /* of one tree: as it was before a move; that stands for all; the best of these so far */
    uint32_t *cost, *onward, *hops; /* of each node: to the one being informed, the link there, the links */
    struct visit *heap;
    size_t heaped;
    uint32_t *part, parts;          /* the nodes taken from the tree being changed */
    uint32_t *crowded, crowds;      /* tree * nodes + node */
    uint64_t random, looked;
};

static struct way *way_of(const struct negotiation *n, uint32_t tree, uint32_t node)
{
    assert(tree < n->trees && node < n->nodes);
    return n->way + (size_t)tree * n->nodes + node;
}

static bool is_needed(const struct negotiation *n, uint32_t tree, uint32_t node)
{
    return node != n->source[tree] && n->rank[node] != NO_RANK && collective_needs(n->request->coll, n->rank[node], tree);
}

static bool stands_for_all(const struct negotiation *n)
{
    return n->trees < n->blocks;
}

static uint32_t slots(const struct negotiation *n)
{
    return n->request->steps * n->lanes;
}

/** Channels of receive steps: a node keeps its step. */
static bool keeps_steps(const struct negotiation *n)
{
    return stands_for_all(n) && n->lanes > 1;
}

/** From 1. */
static uint32_t step_of(const struct negotiation *n, uint32_t slot)
{
    return 1 + slot / n->lanes;
}

static bool holds_before(const struct negotiation *n, uint32_t tree, uint32_t node, uint32_t step)
{
    const struct way *w = way_of(n, tree, node);
    return node == n->source[tree] || (w->slot != NO_SLOT && step_of(n, w->slot) < step);
}

/** Channel c moved on by a phase, in its block of a whole period. */
static uint32_t shifted(const struct negotiation *n, uint32_t c, uint32_t phase)
{
    uint32_t first = c - c % n->period;
    return first + n->period > n->state.map.channels ? c : first + (c - first + phase) % n->period;
}

/** The slot in which a lightpath counts on a link. */
static uint32_t slot_on(const struct negotiation *n, uint32_t slot, uint32_t link)
{
    if (n->lanes == 1 || !stands_for_all(n))
        return slot;
    return slot - slot % n->lanes + shifted(n, slot % n->lanes, n->period - n->phase[n->state.from[link]]);
}

/* ---- ways ---- */

static void add(struct negotiation *n, const struct way *w)
{
    for (uint32_t k = 0; k < w->hops; k++)
        congestion_add(&n->use, slot_on(n, w->slot, w->link[k]), n->row[w->link[k]], 1);
}

static void take_away(struct negotiation *n, struct way *w)
{
    for (uint32_t k = 0; k < w->hops; k++)
        congestion_remove(&n->use, slot_on(n, w->slot, w->link[k]), n->row[w->link[k]], 1);
    w->slot = NO_SLOT;
    w->hops = 0;
}

static bool is_crowded(const struct negotiation *n, const struct way *w)
{
    bool crowded = false;
    for (uint32_t k = 0; k < w->hops && !crowded; k++)
        crowded = congestion_is_over(&n->use, slot_on(n, w->slot, w->link[k]), n->row[w->link[k]], 1);
    return crowded;
}

/** There is room: each link leads back to a node once. */
static void push(struct negotiation *n, uint32_t node, uint32_t cost)
{
    n->heap[n->heaped++] = (struct visit){node, cost};
    visits_rise(n->heap, n->heaped);
}

/** Whether the way found from a node has a later hop that counts there, too: its translations meet. */
static bool meets_itself(const struct negotiation *n, uint32_t node, uint32_t slot, uint32_t at, uint32_t row)
{
    bool meets = false;
    for (; n->hops[node] > 0 && !meets && keeps_steps(n); node = n->state.net->links[n->onward[node]].to)
        meets = n->row[n->onward[node]] == row && slot_on(n, slot, n->onward[node]) == at;
    return meets;
}

static void relax(struct negotiation *n, uint32_t node, uint32_t slot, uint32_t limit)
{
    const struct delivery_state *s = &n->state;
    for (uint32_t i = s->in_first[node]; i < s->in_first[node + 1]; i++) {
        uint32_t link = s->in[i], from = s->in_from[i], row = n->row[link], at = slot_on(n, slot, link);
        if (n->closed[(size_t)at * n->rows + row] || meets_itself(n, node, slot, at, row))
            continue;
        uint32_t cost = n->cost[node] + congestion_price(&n->use, at, row, PRICE_MOST, &n->random);
        if (cost >= n->cost[from] || cost >= limit)
            continue;
        n->cost[from] = cost;
        n->onward[from] = link;
        n->hops[from] = n->hops[node] + 1;
        push(n, from, cost);
    }
}

/** The holder from which a slot leads to the node for less than the limit, and least; or the number of nodes. */
static uint32_t find_holder(struct negotiation *n, uint32_t tree, uint32_t node, uint32_t slot, uint32_t limit)
{
    uint32_t step = step_of(n, slot), longest = keeps_steps(n) ? n->receive.hops[node] : n->longest;
    memset(n->cost, 0xff, n->nodes * sizeof *n->cost);
    n->cost[node] = n->hops[node] = 0;
    n->heaped = 0;
    push(n, node, 0);
    while (n->heaped > 0) {
        struct visit at = visits_pop(n->heap, &n->heaped);
        if (at.cost > n->cost[at.node])
            continue;
        n->looked++;
        if (at.node != node && holds_before(n, tree, at.node, step))
            return at.node;
        if (n->hops[at.node] < longest)
            relax(n, at.node, slot, limit);
    }
    return n->nodes;
}

/** Inform a node in one of `count` slots from `first` on, by the way of the least price; a free link is as good as any.  @return whether
 *  there is a way */
static bool inform(struct negotiation *n, uint32_t tree, uint32_t node, uint32_t first, uint32_t count)
{
    struct way *w = way_of(n, tree, node);
    uint32_t least = UINT32_MAX, start = (uint32_t)base_random_below(&n->random, count);
    for (uint32_t i = 0; i < count && least > FREE_LINK; i++) {
        uint32_t slot = first + (start + i) % count, holder = find_holder(n, tree, node, slot, least);
        if (holder == n->nodes)
            continue;
        least = n->cost[holder];
        *w = (struct way){.slot = slot, .from = holder};
        for (uint32_t v = holder; v != node; v = n->state.net->links[n->onward[v]].to)
            w->link[w->hops++] = (uint16_t)n->onward[v];
    }
    if (least == UINT32_MAX)
        return false;
    add(n, w);
    return true;
}

/* ---- moves ---- */

static void take(struct negotiation *n, uint32_t tree, uint32_t node)
{
    take_away(n, way_of(n, tree, node));
    n->part[n->parts++] = node;
}

/** Take away all whose holders were taken. */
static void take_orphans(struct negotiation *n, uint32_t tree)
{
    for (bool more = true; more;) {
        more = false;
        for (uint32_t v = 0; v < n->nodes; v++) {
            const struct way *w = way_of(n, tree, v);
            if (w->slot == NO_SLOT || holds_before(n, tree, w->from, UINT32_MAX))
                continue;
            take(n, tree, v);
            more = true;
        }
    }
}

/** The node and what it informs, themselves or by others; sometimes more, or the whole tree. */
static void take_parts(struct negotiation *n, uint32_t tree, uint32_t node)
{
    uint32_t kind = (uint32_t)base_random_below(&n->random, WHOLE_TREE);
    uint32_t further = kind > 0 && kind < WHOLE_TREE / 2 ? 1 + (uint32_t)base_random_below(&n->random, FURTHER_PARTS) : 0;
    n->parts = 0;
    for (uint32_t v = 0; v < n->nodes; v++)
        if (v == node || (kind == 0 && way_of(n, tree, v)->slot != NO_SLOT))
            take(n, tree, v);
    for (; further > 0; further--) {
        uint32_t v = (uint32_t)base_random_below(&n->random, n->nodes);
        if (way_of(n, tree, v)->slot != NO_SLOT)
            take(n, tree, v);
    }
    take_orphans(n, tree);
}

/** Another tree in place of that of a block. */
static void replace(struct negotiation *n, uint32_t tree, const struct way *by)
{
    for (uint32_t v = 0; v < n->nodes; v++) {
        take_away(n, way_of(n, tree, v));
        *way_of(n, tree, v) = by[v];
        add(n, &by[v]);
    }
}

/** On channels half of the moves change the way to one node alone, in its step. */
static void move(struct negotiation *n, uint32_t tree, uint32_t node)
{
    uint64_t before = n->use.over;
    struct way *w = way_of(n, tree, node);
    bool informed = true;
    memcpy(n->kept, way_of(n, tree, 0), n->nodes * sizeof *n->kept);
    if (keeps_steps(n) || (n->lanes > 1 && base_random_below(&n->random, 2) == 0)) {
        uint32_t first = w->slot - w->slot % n->lanes;
        take_away(n, w);
        informed = inform(n, tree, node, first, n->lanes);
    } else {
        take_parts(n, tree, node);
        base_shuffle(n->part, n->parts, &n->random);
        for (uint32_t i = 0; i < n->parts && informed; i++)
            informed = inform(n, tree, n->part[i], 0, slots(n));
    }
    double worse = (double)n->use.over - (double)before, chance = (double)base_random_below(&n->random, 1 << 24) / (1 << 24);
    if (!informed || (worse > 0 && chance >= exp(-worse / temperature)))
        replace(n, tree, n->kept);
}

static void list_crowded(struct negotiation *n)
{
    n->crowds = 0;
    for (uint32_t i = 0; i < n->trees * n->nodes; i++)
        if (is_crowded(n, &n->way[i]))
            n->crowded[n->crowds++] = i;
    base_shuffle(n->crowded, n->crowds, &n->random);
}

/** Whether so few links are crowded that soon none may be.  Fewer pairs settle sooner, or not at all; trees that begin as one vary more. */
static bool has_hope(const struct negotiation *n, uint64_t looked, uint64_t least)
{
    uint64_t pairs = n->request->group ? NEGOTIATED_PAIRS : n->nodes * n->blocks;
    uint64_t most = LOOKED_EACH * pairs * (n->lanes > 1 ? CHANNELS_LONGER : 1) / (stands_for_all(n) ? ONE_SHORTER : 1);
    if (keeps_steps(n))
        return looked < TEMPLATE_EACH * n->nodes;
    return looked < most || (least <= NEARLY && looked < NEARLY_LONGER * most);
}

/** Until no link is crowded. */
static rwa_status settle(struct negotiation *n, bool *settled, rwa_error *err)
{
    uint64_t start = n->looked, least = n->use.over;
    struct budget *budget = n->request->budget;
    while (n->use.over > 0 && has_hope(n, n->looked - start, least) && !base_must_stop(budget, "trees of all owners", -1)) {
        list_crowded(n);
        congestion_remember(&n->use, n->lanes > 1 ? CHANNEL_HISTORY : STEP_HISTORY, HISTORY_MOST, HISTORY_DECAY);
        for (uint32_t i = 0; i < n->crowds && n->use.over > 0; i++)
            if (is_crowded(n, &n->way[n->crowded[i]]))
                move(n, n->crowded[i] / n->nodes, n->crowded[i] % n->nodes);
        least = n->use.over < least ? n->use.over : least;
    }
    *settled = n->use.over == 0;
    return budget->cancelled ? base_fail(err, RWA_CANCELLED, "planning was stopped at the trees of all owners") : RWA_OK;
}

/* ---- first all channels of a step together, then each ---- */

/** Nothing is used.  What a link lacks of a slot's channels counts as used. */
static rwa_status open_slots(struct negotiation *n, uint32_t lanes, rwa_error *err)
{
    const struct load_map *map = &n->state.map;
    uint32_t channels = map->channels / lanes;
    congestion_free(&n->use);
    free(n->closed);
    n->lanes = lanes;
    n->closed = base_array((size_t)slots(n) * n->rows, sizeof *n->closed, err);
    if (!n->closed)
        return RWA_NOMEM;
    MUST(congestion_create(&n->use, slots(n), n->rows, channels, true, err));
    for (uint32_t slot = 0; slot < slots(n); slot++)
        for (uint32_t link = 0; link < map->links; link++) {
            uint32_t open = lanes > 1 ? load_map_has(map, link, slot % lanes) : load_map_free_channels(map, link);
            n->closed[(size_t)slot * n->rows + n->row[link]] = open == 0;
            congestion_row(&n->use, slot)[n->row[link]] = channels - open;
        }
    return RWA_OK;
}

/** Links of the way that are used in a slot, or closed. */
static uint32_t links_used(const struct negotiation *n, const struct way *w, uint32_t slot)
{
    uint32_t used = 0;
    for (uint32_t k = 0; k < w->hops; k++)
        used += congestion_row(&n->use, slot_on(n, slot, w->link[k]))[n->row[w->link[k]]] > 0;
    return used;
}

/** The ways of the steps get channels: the longest first, each one where the fewest of its links are used. */
static rwa_status choose_channels(struct negotiation *n, rwa_error *err)
{
    uint32_t channels = n->state.map.channels;
    MUST(open_slots(n, channels, err));
    for (uint32_t hops = TEMPLATE_HOPS; hops > 0; hops--)
        for (uint32_t i = 0; i < n->trees * n->nodes; i++) {
            struct way *w = &n->way[i];
            if (w->hops != hops)
                continue;
            uint32_t first = w->slot * channels, best = first, least = links_used(n, w, first);
            for (uint32_t slot = first + 1; slot < first + channels && least > 0; slot++) {
                uint32_t used = links_used(n, w, slot);
                best = used < least ? slot : best;
                least = used < least ? used : least;
            }
            w->slot = best;
            add(n, w);
        }
    return RWA_OK;
}

/** All pairs by chance, whatever their channels, until no link is crowded. */
static rwa_status settle_steps(struct negotiation *n, bool *settled, rwa_error *err)
{
    uint32_t count = 0;
    bool informed = true;
    MUST(open_slots(n, 1, err));
    for (uint32_t i = 0; i < n->trees * n->nodes; i++) {
        n->way[i] = (struct way){.slot = NO_SLOT};
        if (is_needed(n, i / n->nodes, i % n->nodes))
            n->crowded[count++] = i;
    }
    base_shuffle(n->crowded, count, &n->random);
    for (uint32_t i = 0; i < count && informed; i++)
        informed = inform(n, n->crowded[i] / n->nodes, n->crowded[i] % n->nodes, 0, slots(n));
    *settled = false;
    return informed ? settle(n, settled, err) : RWA_OK;
}

/* ---- one tree that stands for all ---- */

/** The way of owner 0, as another owner has it. */
static struct way translated(const struct negotiation *n, const struct way *w, uint32_t owner)
{
    const struct translations *group = n->request->group;
    struct way same = {.slot = w->slot, .from = owner > 0 ? translations_add(group, w->from, owner) : w->from, .hops = w->hops};
    for (uint32_t k = 0; k < w->hops; k++) {
        rwa_link link = n->state.net->links[w->link[k]];
        same.link[k] = owner == 0 ? w->link[k] : (uint16_t)rwa_network_find_link(n->state.net, translations_add(group, link.from, owner),
                                                                                 translations_add(group, link.to, owner));
    }
    return same;
}

/** Links that translations take to each other have a row in common: they lead the same way. */
static void fold(struct negotiation *n)
{
    const rwa_network *net = n->state.net;
    n->trees = 1;
    n->rows = net->first[1] - net->first[0];
    for (uint32_t link = 0; link < net->link_count; link++)
        for (uint32_t way = 0; way < n->rows; way++)
            if (n->folding.link[link] == net->out[net->first[0] + way])
                n->row[link] = way;
}

/** Every block has a tree of its own, and every link a row. */
static void unfold(struct negotiation *n)
{
    n->trees = n->blocks;
    n->rows = n->state.links;
    for (uint32_t link = 0; link < n->rows; link++)
        n->row[link] = link;
}

/** Each owner has the same tree, and its own channels. */
static rwa_status give_to_all(struct negotiation *n, const struct way *tree, rwa_error *err)
{
    unfold(n);
    for (uint32_t owner = 0; owner < n->blocks; owner++)
        for (uint32_t v = 0; v < n->nodes; v++)
            *way_of(n, owner, translations_add(n->request->group, v, owner)) = translated(n, &tree[v], owner);
    return choose_channels(n, err);
}

/** Whether a shortest route goes on to node 0, without two hops that lead the same way in one phase; its first `hops` links are known. */
static bool goes_on(struct negotiation *n, const uint8_t *distance, uint32_t *route, uint32_t hops, uint32_t at)
{
    const rwa_network *net = n->state.net;
    bool found = distance[at] == 0;
    for (uint32_t k = net->first[at]; k < net->first[at + 1] && !found && n->looked < ROUTE_LOOKED; k++) {
        uint32_t link = net->out[k];
        bool nearer = distance[net->links[link].to] + 1u == distance[at];
        for (uint32_t i = 0; i < hops && nearer; i++)
            nearer = n->row[route[i]] != n->row[link] || n->phase[net->links[route[i]].from] != n->phase[at];
        route[hops] = link;
        n->looked++;
        found = nearer && goes_on(n, distance, route, hops + 1, net->links[link].to);
    }
    return found;
}

/** By the hops, breadth first, of lightpaths that all owners can have on channels that follow the phase. */
static rwa_status open_receive_steps(struct negotiation *n, rwa_error *err)
{
    const struct delivery_state *s = &n->state;
    uint8_t from_0[TEMPLATE_NODES], to_0[TEMPLATE_NODES];
    uint32_t end = 1, *list = n->part, route[TEMPLATE_HOPS];
    memset(to_0, TEMPLATE_FAR, n->nodes);
    list[0] = to_0[0] = 0;
    for (uint32_t i = 0; i < end; i++)
        for (uint32_t k = s->in_first[list[i]]; k < s->in_first[list[i] + 1] && to_0[list[i]] < n->longest; k++)
            if (to_0[s->in_from[k]] == TEMPLATE_FAR) {
                to_0[s->in_from[k]] = to_0[list[i]] + 1;
                list[end++] = s->in_from[k];
            }
    for (uint32_t v = 0; v < n->nodes; v++) {
        n->looked = 0;
        from_0[translations_move(n->request->group, 0, v, 0)] = goes_on(n, to_0, route, 0, v) ? to_0[v] : TEMPLATE_FAR;
    }
    receive_steps_close(&n->receive);
    return receive_steps_open(&n->receive, n->request->group, from_0, n->request->steps, n->request->seed, err);
}

/** Every node is informed in its receive step, the farthest ones first.  @return whether there are ways to all */
static bool inform_folded(struct negotiation *n)
{
    const struct receive_steps *r = &n->receive;
    bool informed = true;
    for (uint32_t v = 0; v < n->nodes; v++)
        n->way[v] = (struct way){.slot = v > 0 ? (r->step[v] - 1) * n->lanes : NO_SLOT};
    for (uint32_t hops = TEMPLATE_HOPS; hops > 0; hops--)
        for (uint32_t v = 1; v < n->nodes && informed; v++)
            if (r->hops[v] == hops)
                informed = inform(n, 0, v, (r->step[v] - 1) * n->lanes, n->lanes);
    return informed;
}

/** A step whose lightpaths found no channels gets less room. */
static void lessen_room(struct negotiation *n)
{
    for (uint32_t v = 1; v < n->nodes; v++) {
        uint32_t t = n->receive.step[v];
        uint32_t cost = n->receive.cost[t];
        if (is_crowded(n, &n->way[v]))
            n->receive.room[t] = cost - 1 - cost / LESS;
    }
}

/** Receive steps whose lightpaths fit all links together, until they find channels, too.  *near: the first ones did fit, or nearly. */
static rwa_status try_template(struct negotiation *n, bool *near, bool *settled, rwa_error *err)
{
    uint64_t work = STEPS_EACH * (uint64_t)n->nodes * n->nodes;
    uint32_t room = n->rows * n->state.map.channels;
    bool found = true;
    *near = false;
    for (receive_steps_begin(&n->receive, room); found && !*settled;) {
        MUST(receive_steps_find(&n->receive, &found, work, n->request->budget, err));
        *near = *near || receive_steps_excess(&n->receive) <= room / FAR;
        MUST(open_slots(n, n->state.map.channels, err));
        found = found && inform_folded(n);
        if (found)
            MUST(settle(n, settled, err));
        if (found && !*settled)
            lessen_room(n);
    }
    return RWA_OK;
}

/** Channels follow the phase. */
static rwa_status settle_folded(struct negotiation *n, bool *settled, rwa_error *err)
{
    uint64_t looked = 0;
    bool near = true;
    fold(n);
    MUST(open_receive_steps(n, err));
    for (; near && !*settled && looked < STEPS_LOOKED && n->looked < CHANNELS_LOOKED; looked += n->receive.looked)
        MUST(try_template(n, &near, settled, err));
    return RWA_OK;
}

/** Each owner begins with the same tree, of several the one that leaves the fewest links crowded, and channels of its own. */
static rwa_status settle_unfolded(struct negotiation *n, bool *settled, rwa_error *err)
{
    uint64_t least = UINT64_MAX;
    size_t size = n->nodes * sizeof *n->way;
    for (int i = 0; i < TEMPLATES && least > 0 && (i < TEMPLATES / 3 || least < UINT64_MAX); i++) {
        bool fits;
        fold(n);
        MUST(settle_steps(n, &fits, err));
        if (!fits)
            continue;
        memcpy(n->tree, n->way, size);
        MUST(give_to_all(n, n->tree, err));
        if (n->use.over < least)
            memcpy(n->chosen, n->tree, size);
        least = n->use.over < least ? n->use.over : least;
    }
    if (least == UINT64_MAX)
        return RWA_OK;
    MUST(give_to_all(n, n->chosen, err));
    return settle(n, settled, err);
}

/** A tree for each block. */
static rwa_status settle_all(struct negotiation *n, bool *settled, rwa_error *err)
{
    for (int i = 0; i < ATTEMPTS && !*settled; i++) {
        MUST(settle_steps(n, settled, err));
        if (!*settled)
            continue;
        MUST(choose_channels(n, err));
        MUST(settle(n, settled, err));
    }
    return RWA_OK;
}

static rwa_status find(struct negotiation *n, bool *settled, rwa_error *err)
{
    if (!n->request->group)
        return settle_all(n, settled, err);
    MUST(settle_folded(n, settled, err));
    n->looked = 0;
    for (int i = 0; i < ATTEMPTS && !*settled && n->nodes <= SMALL_NODES && n->looked < LOOKED_ALL; i++)
        MUST(settle_unfolded(n, settled, err));
    return RWA_OK;
}

/* ---- set up, and the plan ---- */

static bool has_period(const struct translations *group, uint32_t period)
{
    bool has = period == 1;
    for (size_t d = 0; d < group->digits; d++)
        has = has || group->radix[d] % period == 0;
    return has;
}

/** The most phases that there are and the channels suffice for. */
static rwa_status open_folding(struct negotiation *n, rwa_error *err)
{
    const struct translations *group = n->request->group;
    n->period = n->state.map.channels;
    while (!has_period(group, n->period))
        n->period--;
    for (uint32_t v = 0; v < n->nodes; v++) {
        for (size_t d = 0; d < group->digits; d++)
            n->phase[v] += group->radix[d] % n->period == 0 ? translations_digit(group, v, d) : 0;
        n->phase[v] %= n->period;
    }
    return folding_create(&n->folding, group, n->state.net, 1, err);
}

static rwa_status negotiation_open(struct negotiation *n, rwa_error *err)
{
    const struct negotiated_request *r = n->request;
    uint32_t nodes = rwa_network_nodes(r->net), listed = r->group && nodes > SMALL_NODES ? 1 : (uint32_t)r->coll->blocks;
    size_t pairs = (size_t)nodes * listed;
    assert(r->group ? nodes <= TEMPLATE_NODES : pairs <= NEGOTIATED_PAIRS);
    n->nodes = nodes;
    n->blocks = (uint32_t)r->coll->blocks;
    n->longest = r->max_hops > 0 && r->max_hops < TEMPLATE_HOPS ? r->max_hops : TEMPLATE_HOPS;
    n->random = r->seed;
    n->memory.err = err;
    MUST(delivery_open(&n->state, r->net, 1, NULL, err));
    arena_new(&n->memory, n->way, pairs);
    arena_new(&n->memory, n->kept, nodes);
    arena_new(&n->memory, n->tree, nodes);
    arena_new(&n->memory, n->chosen, nodes);
    arena_new(&n->memory, n->cost, nodes);
    arena_new(&n->memory, n->onward, nodes);
    arena_new(&n->memory, n->hops, nodes);
    arena_new(&n->memory, n->heap, (size_t)n->state.links + 1);
    arena_new(&n->memory, n->part, nodes);
    arena_new(&n->memory, n->crowded, pairs);
    arena_new(&n->memory, n->row, n->state.links);
    arena_new(&n->memory, n->phase, nodes);
    arena_new(&n->memory, n->rank, nodes);
    arena_new(&n->memory, n->source, n->blocks);
    MUST(arena_status(&n->memory));
    memset(n->rank, 0xff, nodes * sizeof *n->rank);
    for (uint32_t i = 0; i < r->coll->nodes; i++)
        n->rank[r->members ? r->members[i] : i] = i;
    for (uint32_t b = 0; b < n->blocks; b++) {
        uint32_t source = collective_source(r->coll, b);
        n->source[b] = r->members ? r->members[source] : source;
    }
    unfold(n);
    return r->group ? open_folding(n, err) : RWA_OK;
}

static void negotiation_close(struct negotiation *n)
{
    congestion_free(&n->use);
    receive_steps_close(&n->receive);
    free(n->closed);
    folding_free(&n->folding);
    arena_free(&n->memory);
    delivery_close(&n->state);
}

/** The lightpath to a node, as the owner has it by whom the tree of node 0 is moved. */
static rwa_status write_way(struct deliveries *out, const struct negotiation *n, uint32_t tree, uint32_t node, uint32_t owner,
                            rwa_error *err)
{
    const struct way w = translated(n, way_of(n, tree, node), owner);
    uint32_t path[TEMPLATE_HOPS + 1] = {w.from}, channel = w.slot % n->lanes;
    if (stands_for_all(n))
        channel = shifted(n, channel, n->phase[owner]);
    for (uint32_t k = 0; k < w.hops; k++)
        path[k + 1] = n->state.net->links[w.link[k]].to;
    rwa_lightpath lp = {.src = w.from, .dst = path[w.hops], .block = stands_for_all(n) ? owner : tree, .step = step_of(n, w.slot),
                        .orbit = 1, .fiber = channel / n->state.wavelengths, .wavelength = channel % n->state.wavelengths};
    return deliveries_add(out, &lp, path, w.hops + 1, err);
}

static rwa_status write_all(struct deliveries *out, const struct negotiation *n, rwa_error *err)
{
    uint32_t owners = stands_for_all(n) ? n->nodes : 1;
    for (uint32_t t = 1; t <= n->request->steps; t++)
        for (uint32_t i = 0; i < n->trees * n->nodes; i++)
            for (uint32_t owner = 0; n->way[i].slot != NO_SLOT && step_of(n, n->way[i].slot) == t && owner < owners; owner++)
                MUST(write_way(out, n, i / n->nodes, i % n->nodes, owner, err));
    return RWA_OK;
}

rwa_status negotiated_trees_find(struct deliveries *out, const struct negotiated_request *request, rwa_error *err)
{
    struct negotiation n = {.request = request};
    bool settled = false;
    rwa_status st = RWA_OK;
    *out = (struct deliveries){.count = 0};
    TRY(negotiation_open(&n, err));
    TRY(find(&n, &settled, err));
    if (settled)
        TRY(write_all(out, &n, err));
done:
    negotiation_close(&n);
    return st;
}
