/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Trees by negotiated congestion (McMurchie and Ebeling, PathFinder, FPGA 1995), with the acceptance rule of simulated
 * annealing.
 *
 * The search first counts the lightpaths on each link in a step, then those on each channel of a step; a slot is a
 * step in the first phase, a channel of a step in the second.  A link is crowded if in a slot it has more lightpaths
 * than channels.  The search removes a node that receives over a crowded link, and its descendants, from the tree,
 * and informs each of them again, from the holder and on the route of least cost.  The cost of a link rises with
 * every round in which it is crowded.  A move that increases congestion is mostly rolled back.  With a folding, all
 * translations of a link are counted together. */
#include "delivery/delivery_search.h"

#include "base/arithmetic.h"
#include "collective/needs.h"
#include "delivery/congestion.h"
#include "delivery/delivery_state.h"
#include "network/network.h"

/** Largest product of nodes and trees.  Beyond it LOOKED_MOST would allow fewer than 64 visited nodes for each pair of
 * a node and a tree. */
enum { NEGOTIATED_PAIRS = 1 << 12 };

#define NO_SLOT UINT32_MAX
#define NO_RANK UINT32_MAX

/** Limits of the search.  ATTEMPTS: runs with different random numbers.  Each settle() visits at most LOOKED_EACH nodes
 * for each pair of node and block, and LOOKED_MOST in all; CHANNELS_LONGER times as many when it settles single
 * channels.  If at some point at most NEARLY lightpaths were in excess, it goes on for NEARLY_LONGER times as long. */
enum {
    ATTEMPTS = 2,
    LOOKED_EACH = 1 << 10,
    LOOKED_MOST = 1 << 18,
    CHANNELS_LONGER = 4,
    NEARLY = 16,
    NEARLY_LONGER = 4
};

/** History cost of a link.  A round adds STEP_HISTORY or CHANNEL_HISTORY for each lightpath in excess, depending on
 * whether slots are steps or channels.  HISTORY_MOST is the maximum.  A link with free capacity loses 1 / HISTORY_DECAY
 * of its history cost in each round. */
enum { STEP_HISTORY = 8, CHANNEL_HISTORY = 32, HISTORY_MOST = 1000, HISTORY_DECAY = 8 };

/** One in WHOLE_TREE moves removes a whole tree; about half of the other moves remove 1 … FURTHER_PARTS further
 * branches. */
enum { WHOLE_TREE = 16, FURTHER_PARTS = 3 };

/** Largest number of links of a lightpath. */
enum { LONGEST = 32 };

/** FREE_LINK: largest cost of a link with free capacity and no history.  PRICE_MOST: largest cost of any link. */
enum { FREE_LINK = CONGESTION_PRICE + CONGESTION_NOISE, PRICE_MOST = INT32_MAX / LONGEST };

/** A move that adds one lightpath in excess is accepted with probability exp(-1 / temperature). */
static const double temperature = 1;

/** The lightpath by which a node is informed of a block. */
struct way {
    uint32_t slot;              /* of the lightpath; or NO_SLOT: not informed, or the source */
    uint32_t from, hops;
    uint16_t link[LONGEST];
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
    const struct delivery_request *request;
    struct delivery_state state;    /* the network */
    struct congestion use;          /* a slot is a lane of a step: all its channels, or one of them */
    uint32_t nodes, trees, lanes;   /* one tree for each block (folded: each coset); slots of a step */
    uint32_t steps;                 /* of the plan sought */
    uint32_t longest;               /* hops of a lightpath */
    bool *closed;                   /* [slot][row]: the link has none of the slot's channels */
    struct arena memory;            /* of the arrays below */
    uint32_t *rank, *source;        /* rank of each node in the collective, or NO_RANK; source of each block */
    struct way *way;                /* [tree][node] */
    struct way *kept;               /* of one tree: as it was before a move */
    uint32_t *cost, *onward, *hops; /* of each node: its route to the node being informed: cost, first link, hops */
    struct visit *heap;
    size_t heaped;
    uint32_t *part, parts;          /* the nodes removed from the tree being changed */
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
    return node != n->source[tree] && n->rank[node] != NO_RANK &&
           collective_needs(n->request->coll, n->rank[node], tree);
}

static uint32_t slots(const struct negotiation *n)
{
    return n->steps * n->lanes;
}

/** Return the step of a slot, from 1. */
static uint32_t step_of(const struct negotiation *n, uint32_t slot)
{
    return 1 + slot / n->lanes;
}

static bool holds_before(const struct negotiation *n, uint32_t tree, uint32_t node, uint32_t step)
{
    const struct way *w = way_of(n, tree, node);
    return node == n->source[tree] || (w->slot != NO_SLOT && step_of(n, w->slot) < step);
}

/* ---- ways ---- */

/** Return the number of the link, in a slot of n->use, under which link k of lightpath w is counted.  With a folding,
 * one link stands for all its translations. */
static uint32_t row_of(const struct negotiation *n, const struct way *w, uint32_t k)
{
    return delivery_link(&n->state, w->link[k]);
}

static void add(struct negotiation *n, const struct way *w)
{
    for (uint32_t k = 0; k < w->hops; k++)
        congestion_add(&n->use, w->slot, row_of(n, w, k), 1);
}

static void take_away(struct negotiation *n, struct way *w)
{
    for (uint32_t k = 0; k < w->hops; k++)
        congestion_remove(&n->use, w->slot, row_of(n, w, k), 1);
    w->slot = NO_SLOT;
    w->hops = 0;
}

static bool is_crowded(const struct negotiation *n, const struct way *w)
{
    bool crowded = false;
    for (uint32_t k = 0; k < w->hops && !crowded; k++)
        crowded = congestion_is_over(&n->use, w->slot, row_of(n, w, k), 1);
    return crowded;
}

static void push(struct negotiation *n, uint32_t node, uint32_t cost)
{
    n->heap[n->heaped++] = (struct visit){node, cost};
    visits_rise(n->heap, n->heaped);
}

static void relax(struct negotiation *n, uint32_t node, uint32_t slot, uint32_t limit)
{
    const struct delivery_state *s = &n->state;
    for (uint32_t i = s->in_first[node]; i < s->in_first[node + 1]; i++) {
        uint32_t link = s->in[i], from = s->in_from[i], row = delivery_link(s, link);
        if (n->closed[(size_t)slot * s->links + row])
            continue;
        uint32_t cost = n->cost[node] + congestion_price(&n->use, slot, row, PRICE_MOST, &n->random);
        if (cost >= n->cost[from] || cost >= limit)
            continue;
        n->cost[from] = cost;
        n->onward[from] = link;
        n->hops[from] = n->hops[node] + 1;
        push(n, from, cost);
    }
}

/** Return the holder of the block of `tree` from which the cheapest route leads to `node` in this slot; n->nodes: no
 * route costs less than `limit`. */
static uint32_t find_holder(struct negotiation *n, uint32_t tree, uint32_t node, uint32_t slot, uint32_t limit)
{
    uint32_t step = step_of(n, slot);
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
        if (n->hops[at.node] < n->longest)
            relax(n, at.node, slot, limit);
    }
    return n->nodes;
}

/** Inform a node of the block of `tree` by the cheapest route in the slots first … first + count - 1.  The search over
 * the slots ends early at a route that costs no more than one free link.
 * @return whether there is a route */
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

/** Remove from a tree all nodes whose senders are no longer in it, and repeat this until every node left is connected
 * to the source.  Append the nodes removed to n->part. */
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

/** Remove from a tree `node` and its descendants; at random also further nodes with their descendants, or the whole
 * tree.  Afterwards n->part lists the nodes removed. */
static void take_parts(struct negotiation *n, uint32_t tree, uint32_t node)
{
    uint32_t kind = (uint32_t)base_random_below(&n->random, WHOLE_TREE);
    uint32_t further =
        kind > 0 && kind < WHOLE_TREE / 2 ? 1 + (uint32_t)base_random_below(&n->random, FURTHER_PARTS) : 0;
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

/** Replace the lightpath of each node v of a tree by by[v], and update the loads. */
static void replace(struct negotiation *n, uint32_t tree, const struct way *by)
{
    for (uint32_t v = 0; v < n->nodes; v++) {
        take_away(n, way_of(n, tree, v));
        *way_of(n, tree, v) = by[v];
        add(n, &by[v]);
    }
}

/** Remove from a tree a node that receives over a crowded link, with other nodes (take_parts()), and inform all of them
 * again.  If slots are single channels, half of the moves only look for another route and channel for this node, in the
 * same step.  A move that increases congestion is mostly rolled back. */
static void move(struct negotiation *n, uint32_t tree, uint32_t node)
{
    uint64_t before = n->use.over;
    struct way *w = way_of(n, tree, node);
    bool informed = true;
    memcpy(n->kept, way_of(n, tree, 0), n->nodes * sizeof *n->kept);
    if (n->lanes > 1 && base_random_below(&n->random, 2) == 0) {
        uint32_t first = w->slot - w->slot % n->lanes;
        take_away(n, w);
        informed = inform(n, tree, node, first, n->lanes);
    } else {
        take_parts(n, tree, node);
        base_shuffle(n->part, n->parts, &n->random);
        for (uint32_t i = 0; i < n->parts && informed; i++)
            informed = inform(n, tree, n->part[i], 0, slots(n));
    }
    enum { CHANCES = 1 << 24 };     /* much finer than any exp(-worse) that decides */
    double worse = (double)n->use.over - (double)before,
           chance = (double)base_random_below(&n->random, CHANCES) / CHANCES;
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

/** Tell whether settle() goes on after it has visited `looked` nodes.  It does so if `looked` is below a limit, which
 * is higher if `least`, the fewest lightpaths in excess so far, is small. */
static bool has_hope(const struct negotiation *n, uint64_t looked, uint64_t least)
{
    uint64_t most =
        lesser((uint64_t)LOOKED_EACH * n->nodes * n->trees, LOOKED_MOST) * (n->lanes > 1 ? CHANNELS_LONGER : 1);
    return looked < most || (least <= NEARLY && looked < NEARLY_LONGER * most);
}

static bool goes_on(const struct negotiation *n, uint64_t start, uint64_t least)
{
    return has_hope(n, n->looked - start, least) && !base_must_stop(n->request->budget, "trees of all owners", -1);
}

/** Take each node that receives over a crowded link out of its tree and inform it again (move()), until no link is
 * crowded or the effort or the budget is spent.  *settled tells whether no link is crowded. */
static rwa_status settle(struct negotiation *n, bool *settled, rwa_error *err)
{
    uint64_t start = n->looked, least = n->use.over;
    while (n->use.over > 0 && goes_on(n, start, least)) {
        list_crowded(n);
        congestion_remember(&n->use, n->lanes > 1 ? CHANNEL_HISTORY : STEP_HISTORY, HISTORY_MOST, HISTORY_DECAY);
        for (uint32_t i = 0; i < n->crowds && n->use.over > 0 && goes_on(n, start, least); i++)
            if (is_crowded(n, &n->way[n->crowded[i]]))
                move(n, n->crowded[i] / n->nodes, n->crowded[i] % n->nodes);
        LOWER(least, n->use.over);
    }
    *settled = n->use.over == 0;
    bool cancelled = n->request->budget->cancelled;
    return cancelled ? base_fail(err, RWA_CANCELLED, "planning was stopped at the trees of all owners") : RWA_OK;
}

/* ---- first all channels of a step together, then each ---- */

/** Begin anew, without lightpaths.  Each step gets `lanes` slots: 1 for all its channels together, or one for each
 * channel.  Channels that a link lacks count as used. */
static rwa_status open_slots(struct negotiation *n, uint32_t lanes, rwa_error *err)
{
    const struct load_map *map = &n->state.map;
    uint32_t channels = map->channels / lanes;
    congestion_free(&n->use);
    free(n->closed);
    n->lanes = lanes;
    MUST(base_new(n->closed, (size_t)slots(n) * map->links, err));
    MUST(congestion_create(&n->use, slots(n), map->links, channels, err));
    for (uint32_t slot = 0; slot < slots(n); slot++)
        for (uint32_t link = 0; link < map->links; link++) {
            uint32_t open = lanes > 1 ? load_map_has(map, link, slot % lanes) : load_map_free_channels(map, link);
            n->closed[(size_t)slot * map->links + link] = open == 0;
            congestion_row(&n->use, slot)[link] = channels - open;
        }
    return RWA_OK;
}

/** Return the number of links of a lightpath on which the slot, a single channel, is already used or reserved. */
static uint32_t links_used(const struct negotiation *n, const struct way *w, uint32_t slot)
{
    uint32_t used = 0;
    for (uint32_t k = 0; k < w->hops; k++)
        used += congestion_row(&n->use, slot)[row_of(n, w, k)] > 0;
    return used;
}

/** Return the number by which lightpaths are sorted, ascending, before they get channels.  On rings and lines it is the
 * lowest link of the lightpath; elsewhere it puts the longest lightpaths first. */
static uint32_t place_of(const struct negotiation *n, const struct way *w)
{
    uint32_t first = w->link[0], last = w->link[w->hops - 1];
    return !n->state.arcs ? LONGEST - w->hops : first < last ? first : last;
}

/** Give each lightpath in n->way a slot that is a channel of its step: the one on which the fewest of its links are
 * used already.  On rings and lines the lightpaths are served in the order of their lowest links, elsewhere the longest
 * first. */
static rwa_status choose_channels(struct negotiation *n, rwa_error *err)
{
    uint32_t channels = n->state.map.channels, places = n->state.arcs ? n->state.links : LONGEST;
    MUST(open_slots(n, channels, err));
    for (uint32_t place = 0; place < places; place++)
        for (uint32_t i = 0; i < n->trees * n->nodes; i++) {
            struct way *w = &n->way[i];
            if (w->hops == 0 || place_of(n, w) != place)
                continue;
            uint32_t first = w->slot * channels, best = first, least = links_used(n, w, first);
            for (uint32_t slot = first + 1; slot < first + channels && least > 0; slot++) {
                uint32_t used = links_used(n, w, slot);
                best = used < least ? slot : best;
                LOWER(least, used);
            }
            w->slot = best;
            add(n, w);
        }
    return RWA_OK;
}

/** Inform all nodes in random order, counting all channels of a step as one slot.  Then remove the crowding (settle());
 * *settled tells whether this succeeded. */
static rwa_status settle_steps(struct negotiation *n, bool *settled, rwa_error *err)
{
    uint32_t count = 0;
    uint64_t start = n->looked;
    bool informed = true;
    MUST(open_slots(n, 1, err));
    for (uint32_t i = 0; i < n->trees * n->nodes; i++) {
        n->way[i] = (struct way){.slot = NO_SLOT};
        if (is_needed(n, i / n->nodes, i % n->nodes))
            n->crowded[count++] = i;
    }
    base_shuffle(n->crowded, count, &n->random);
    for (uint32_t i = 0; i < count && informed; i++)
        informed =
            inform(n, n->crowded[i] / n->nodes, n->crowded[i] % n->nodes, 0, slots(n)) && goes_on(n, start, UINT64_MAX);
    *settled = false;
    return informed ? settle(n, settled, err) : RWA_OK;
}

static rwa_status find(struct negotiation *n, bool *settled, rwa_error *err)
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

/* ---- set up, and the plan ---- */

static rwa_status negotiation_open(struct negotiation *n, rwa_error *err)
{
    const struct delivery_request *r = n->request;
    uint32_t nodes = rwa_network_nodes(r->net);
    size_t pairs = n->trees * (size_t)nodes;
    n->nodes = nodes;
    n->longest = (uint32_t)limited(LONGEST, r->max_hops);
    n->random = r->seed;
    n->memory.err = err;
    MUST(delivery_open(&n->state, r->net, 1, r->folding, err));
    arena_arrays(&n->memory, pairs, n->way, n->crowded);
    arena_arrays(&n->memory, nodes, n->kept, n->cost, n->onward, n->hops, n->part, n->rank);
    arena_new(&n->memory, n->heap, (size_t)n->state.links + 1); /* a search goes over each link at most once */
    MUST(arena_arrays(&n->memory, n->trees, n->source));
    memset(n->rank, 0xff, nodes * sizeof *n->rank);
    for (uint32_t i = 0; i < r->coll->nodes; i++)
        n->rank[base_mapped(r->members, i)] = i;
    for (uint32_t b = 0; b < n->trees; b++) {
        uint32_t source = collective_source(r->coll, b);
        n->source[b] = base_mapped(r->members, source);
    }
    return RWA_OK;
}

static void negotiation_close(struct negotiation *n)
{
    congestion_free(&n->use);
    free(n->closed);
    arena_free(&n->memory);
    delivery_close(&n->state);
}

static rwa_status write_way(struct deliveries *out, const struct negotiation *n, uint32_t tree, const struct way *w,
                            rwa_error *err)
{
    uint32_t path[LONGEST + 1] = {w->from};
    for (uint32_t k = 0; k < w->hops; k++)
        path[k + 1] = n->state.net->links[w->link[k]].to;
    rwa_lightpath lp = {.src = w->from, .dst = path[w->hops], .block = tree, .step = step_of(n, w->slot), .orbit = 1,
                        .direction = n->state.arcs && w->link[0] % 2 == 1 ? RWA_CCW : RWA_CW,
                        .wavelength = w->slot % n->lanes};
    return deliveries_add(out, &lp, path, w->hops + 1, err);
}

static rwa_status write_all(struct deliveries *out, const struct negotiation *n, rwa_error *err)
{
    deliveries_free(out);
    for (uint32_t t = 1; t <= n->steps; t++)
        for (uint32_t i = 0; i < n->trees * n->nodes; i++)
            if (n->way[i].slot != NO_SLOT && step_of(n, n->way[i].slot) == t)
                MUST(write_way(out, n, i / n->nodes, &n->way[i], err));
    return RWA_OK;
}

rwa_status negotiated_trees_find(struct delivery_found *out, const struct delivery_request *r, rwa_error *err)
{
    struct negotiation n = {.request = r};
    uint64_t trees = r->folding ? r->folding->by.index : r->coll->blocks;
    bool settled = true;
    rwa_status st = RWA_OK;
    *out = (struct delivery_found){.cut_off = false};
    if (r->below < 2 || r->least >= r->below || rwa_network_ports(r->net) > 0 ||
        trees * rwa_network_nodes(r->net) > NEGOTIATED_PAIRS)
        return RWA_OK;
    n.trees = (uint32_t)trees;
    TRY(negotiation_open(&n, err));
    for (n.steps = r->below - 1; settled && n.steps > 1 && n.steps >= r->least; n.steps--) {
        settled = false;
        TRY(find(&n, &settled, err));
        if (settled)
            TRY(write_all(&out->plan, &n, err));
    }
    out->shortest = out->plan.steps > 0 && out->plan.steps <= r->least;
done:
    negotiation_close(&n);
    return st;
}
