/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "delivery/negotiated_trees.h"

#include "delivery/congestion.h"
#include "network/network.h"

#define NO_SLOT UINT32_MAX

/** Attempts with other random numbers.  One looks at so many nodes, on networks of NEGOTIATED_NODES; then more links than a few are crowded
 *  still, or in the end some are; channel by channel at so many times as many, for one tree that stands for all at such a part; so many
 *  such trees are compared.  After so many nodes in all no other attempt begins. */
enum { ATTEMPTS = 3, LOOKED_FIRST = 1 << 20, NEARLY = 16, LOOKED_MOST = 1 << 22, CHANNELS_LONGER = 4, ONE_SHORTER = 8, TEMPLATES = 12,
       LOOKED_ALL = 10 << 20 };

/** What a round adds to the history of a link for each lightpath too many, in a step and on a channel, its most, and the part of it that a
 *  link loses that has room. */
enum { STEP_HISTORY = 8, CHANNEL_HISTORY = 32, HISTORY_MOST = 1000, HISTORY_DECAY = 8 };

/** Of so many moves one takes a whole tree, and half of the others some further parts of it, up to so many. */
enum { WHOLE_TREE = 16, FURTHER_PARTS = 3 };

/** The most that a link costs without history that has room. */
enum { FREE_LINK = CONGESTION_PRICE + CONGESTION_NOISE };

/** One crowded link more is accepted with a chance of exp(-1 / temperature). */
static const double temperature = 1;

/** How a node is informed of a block. */
struct way {
    uint32_t slot;              /* of the lightpath; or NO_SLOT: not informed, or the owner */
    uint32_t from, hops;
    uint16_t link[NEGOTIATED_NODES - 1];
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
    struct delivery_state state;    /* the network, and at last the plan */
    struct congestion use;          /* a slot is a lane of a step: all its channels, or one of them */
    uint32_t nodes, owners, lanes;  /* owners: all nodes, or one that stands for all; lanes of a step */
    uint32_t rows;                  /* links, or ways that stand for those that are alike */
    bool *closed;                   /* [slot][row]: it has none of the slot's channels */
    struct arena memory;            /* of the arrays below */
    uint32_t *row;                  /* of each link */
    struct way *way;                /* [owner][node] */
    struct way *kept;               /* of the tree being changed, as it was */
    struct way *chosen;             /* of the best tree for all owners so far */
    uint32_t *cost, *onward;        /* of each node: to the one being informed, and the link there */
    struct visit *heap;
    size_t heaped;
    uint32_t *part, parts;          /* the nodes taken from the tree being changed */
    uint32_t *crowded, crowds;      /* owner * nodes + node */
    uint64_t random, looked;
    bool hopeless;              /* no tree that stands for all was found */
};

static struct way *way_of(const struct negotiation *n, uint32_t owner, uint32_t node)
{
    assert(owner < n->owners && node < n->nodes);
    return n->way + (size_t)owner * n->nodes + node;
}

/** From 1. */
static uint32_t step_of(const struct negotiation *n, uint32_t slot)
{
    return 1 + slot / n->lanes;
}

static bool holds_before(const struct negotiation *n, uint32_t owner, uint32_t node, uint32_t step)
{
    const struct way *w = way_of(n, owner, node);
    return node == owner || (w->slot != NO_SLOT && step_of(n, w->slot) < step);
}

/* ---- ways ---- */

static void add(struct negotiation *n, const struct way *w)
{
    for (uint32_t k = 0; k < w->hops; k++)
        congestion_add(&n->use, w->slot, n->row[w->link[k]], 1);
}

static void take_away(struct negotiation *n, struct way *w)
{
    for (uint32_t k = 0; k < w->hops; k++)
        congestion_remove(&n->use, w->slot, n->row[w->link[k]], 1);
    w->slot = NO_SLOT;
    w->hops = 0;
}

static bool is_crowded(const struct negotiation *n, const struct way *w)
{
    bool crowded = false;
    for (uint32_t k = 0; k < w->hops && !crowded; k++)
        crowded = congestion_is_over(&n->use, w->slot, n->row[w->link[k]], 1);
    return crowded;
}

/** There is room: each link leads back to a node once. */
static void push(struct negotiation *n, uint32_t node, uint32_t cost)
{
    n->heap[n->heaped++] = (struct visit){node, cost};
    visits_rise(n->heap, n->heaped);
}

static void relax(struct negotiation *n, uint32_t node, uint32_t slot, uint32_t limit)
{
    const struct delivery_state *s = &n->state;
    for (uint32_t i = s->in_first[node]; i < s->in_first[node + 1]; i++) {
        uint32_t link = s->in[i], from = s->in_from[i], row = n->row[link];
        if (n->closed[(size_t)slot * n->rows + row])
            continue;
        uint32_t cost = n->cost[node] + congestion_price(&n->use, slot, row, UINT32_MAX / (2 * NEGOTIATED_NODES), &n->random);
        if (cost >= n->cost[from] || cost >= limit)
            continue;
        n->cost[from] = cost;
        n->onward[from] = link;
        push(n, from, cost);
    }
}

/** The holder from which a slot leads to the node for less than the limit, and least; or the number of nodes. */
static uint32_t find_holder(struct negotiation *n, uint32_t owner, uint32_t node, uint32_t slot, uint32_t limit)
{
    uint32_t step = step_of(n, slot);
    memset(n->cost, 0xff, n->nodes * sizeof *n->cost);
    n->cost[node] = 0;
    n->heaped = 0;
    push(n, node, 0);
    while (n->heaped > 0) {
        struct visit at = visits_pop(n->heap, &n->heaped);
        uint32_t next = at.node;
        if (at.cost > n->cost[next])
            continue;
        n->looked++;
        if (next != node && holds_before(n, owner, next, step))
            return next;
        relax(n, next, slot, limit);
    }
    return n->nodes;
}

/** Inform a node in one of `count` slots from `first` on, by the way of the least price; a free link is as good as any.  @return whether
 *  there is a way */
static bool inform(struct negotiation *n, uint32_t owner, uint32_t node, uint32_t first, uint32_t count)
{
    struct way *w = way_of(n, owner, node);
    uint32_t least = UINT32_MAX, start = (uint32_t)base_random_below(&n->random, count);
    for (uint32_t i = 0; i < count && least > FREE_LINK; i++) {
        uint32_t slot = first + (start + i) % count, holder = find_holder(n, owner, node, slot, least);
        if (holder == n->nodes)
            continue;
        least = n->cost[holder];
        *w = (struct way){.slot = slot, .from = holder};
        for (uint32_t v = holder; v != node; v = n->state.net->links[n->onward[v]].to)
            w->link[w->hops++] = (uint16_t)n->onward[v];
    }
    if (w->slot != NO_SLOT)
        add(n, w);
    return w->slot != NO_SLOT;
}

static uint32_t slots(const struct negotiation *n)
{
    return n->request->steps * n->lanes;
}

/* ---- moves ---- */

/** Take away the node and all that it informs, themselves or by others. */
static void take_part(struct negotiation *n, uint32_t owner, uint32_t node)
{
    uint32_t first = n->parts;
    n->part[n->parts++] = node;
    for (uint32_t i = first; i < n->parts; i++)
        for (uint32_t v = 0; v < n->nodes; v++)
            if (v != owner && way_of(n, owner, v)->slot != NO_SLOT && way_of(n, owner, v)->from == n->part[i])
                n->part[n->parts++] = v;
    for (uint32_t i = first; i < n->parts; i++)
        take_away(n, way_of(n, owner, n->part[i]));
}

static void take_parts(struct negotiation *n, uint32_t owner, uint32_t node)
{
    uint32_t kind = (uint32_t)base_random_below(&n->random, WHOLE_TREE), further;
    n->parts = 0;
    take_part(n, owner, kind == 0 ? owner : node);
    if (kind == 0) {
        assert(n->parts == n->nodes && n->part[0] == owner);
        n->part[0] = n->part[--n->parts];
    }
    further = kind > 0 && kind < WHOLE_TREE / 2 ? 1 + (uint32_t)base_random_below(&n->random, FURTHER_PARTS) : 0;
    for (; further > 0; further--) {
        uint32_t v = (uint32_t)base_random_below(&n->random, n->nodes);
        if (v != owner && way_of(n, owner, v)->slot != NO_SLOT)
            take_part(n, owner, v);
    }
}

static void restore(struct negotiation *n, uint32_t owner)
{
    for (uint32_t v = 0; v < n->nodes; v++)
        take_away(n, way_of(n, owner, v));
    memcpy(way_of(n, owner, 0), n->kept, n->nodes * sizeof *n->kept);
    for (uint32_t v = 0; v < n->nodes; v++)
        add(n, way_of(n, owner, v));
}

/** On channels half of the moves change the way to one node alone, in its step. */
static void move(struct negotiation *n, uint32_t owner, uint32_t node)
{
    uint64_t before = n->use.over;
    struct way *w = way_of(n, owner, node);
    bool informed = true;
    memcpy(n->kept, way_of(n, owner, 0), n->nodes * sizeof *n->kept);
    if (n->lanes > 1 && base_random_below(&n->random, 2) == 0) {
        uint32_t first = w->slot - w->slot % n->lanes;
        take_away(n, w);
        informed = inform(n, owner, node, first, n->lanes);
    } else {
        take_parts(n, owner, node);
        base_shuffle(n->part, n->parts, &n->random);
        for (uint32_t i = 0; i < n->parts && informed; i++)
            informed = inform(n, owner, n->part[i], 0, slots(n));
    }
    double worse = (double)n->use.over - (double)before, chance = (double)base_random_below(&n->random, 1 << 24) / (1 << 24);
    if (!informed || (worse > 0 && chance >= exp(-worse / temperature)))
        restore(n, owner);
}

static void list_crowded(struct negotiation *n)
{
    n->crowds = 0;
    for (uint32_t i = 0; i < n->owners * n->nodes; i++)
        if (is_crowded(n, &n->way[i]))
            n->crowded[n->crowds++] = i;
    base_shuffle(n->crowded, n->crowds, &n->random);
}

/** Nodes looked at, as if there were NEGOTIATED_NODES: fewer pairs settle sooner, or not at all.  Trees that begin as one vary more. */
static uint64_t as_on_most_nodes(const struct negotiation *n, uint64_t looked)
{
    return n->request->group ? looked : looked * NEGOTIATED_NODES * NEGOTIATED_NODES / ((uint64_t)n->nodes * n->nodes);
}

/** Whether so few links are crowded that soon none may be. */
static bool has_hope(const struct negotiation *n, uint64_t looked, uint64_t least)
{
    looked = as_on_most_nodes(n, looked);
    if (n->lanes > 1)
        looked /= CHANNELS_LONGER;
    if (n->owners == 1)
        looked *= ONE_SHORTER;
    return looked < LOOKED_FIRST || (least <= NEARLY && looked < LOOKED_MOST);
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

/** All pairs by chance.  @return whether all were informed */
static bool inform_all(struct negotiation *n)
{
    uint32_t pairs = n->owners * n->nodes;
    bool informed = true;
    for (uint32_t i = 0; i < pairs; i++) {
        n->way[i] = (struct way){.slot = NO_SLOT};
        n->crowded[i] = i;
    }
    base_shuffle(n->crowded, pairs, &n->random);
    for (uint32_t i = 0; i < pairs && informed; i++) {
        uint32_t owner = n->crowded[i] / n->nodes, node = n->crowded[i] % n->nodes;
        informed = owner == node || inform(n, owner, node, 0, slots(n));
    }
    return informed;
}

/** Links of the way that are used in a slot, or closed. */
static uint32_t links_used(const struct negotiation *n, const struct way *w, uint32_t slot)
{
    uint32_t used = 0;
    for (uint32_t k = 0; k < w->hops; k++)
        used += congestion_row(&n->use, slot)[n->row[w->link[k]]] > 0;
    return used;
}

/** The ways of the steps get channels: the longest first, each one where the fewest of its links are used. */
static rwa_status choose_channels(struct negotiation *n, rwa_error *err)
{
    uint32_t channels = n->state.map.channels;
    MUST(open_slots(n, channels, err));
    for (uint32_t hops = n->nodes - 1; hops > 0; hops--)
        for (uint32_t i = 0; i < n->nodes * n->nodes; i++) {
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

static rwa_status send(struct negotiation *n, uint32_t owner, uint32_t node)
{
    const struct way *w = way_of(n, owner, node);
    uint32_t path[NEGOTIATED_NODES], channel = w->slot % n->lanes;
    bool sent;
    path[0] = w->from;
    for (uint32_t k = 0; k < w->hops; k++)
        path[k + 1] = n->state.net->links[w->link[k]].to;
    rwa_lightpath lp = {.src = w->from, .dst = node, .block = owner, .fiber = channel / n->state.wavelengths,
                        .wavelength = channel % n->state.wavelengths};
    MUST(delivery_send(&n->state, &lp, path, w->hops + 1, &sent));
    assert(sent);
    return RWA_OK;
}

static rwa_status send_all(struct negotiation *n)
{
    delivery_reset(&n->state);
    for (uint32_t owner = 0; owner < n->nodes; owner++)
        delivery_hold(&n->state, owner, owner);
    for (uint32_t t = 1; t <= n->request->steps; t++) {
        delivery_begin_step(&n->state);
        for (uint32_t i = 0; i < n->nodes * n->nodes; i++)
            if (n->way[i].slot != NO_SLOT && step_of(n, n->way[i].slot) == t)
                MUST(send(n, i / n->nodes, i % n->nodes));
        delivery_end_step(&n->state);
    }
    return RWA_OK;
}

/* ---- one tree that stands for all ---- */

/** Links that translations take to each other have a row in common: they lead the same way. */
static void fold(struct negotiation *n)
{
    const struct delivery_state *s = &n->state;
    n->owners = 1;
    n->rows = 0;
    for (uint32_t link = 0; link < s->links; link++)
        if (s->from[link] == 0)
            n->row[link] = n->rows++;
    for (uint32_t link = 0; link < s->links; link++)
        for (uint32_t way = 0; way < s->links; way++)
            if (s->from[way] == 0 && translations_add(n->request->group, s->from[link], s->net->links[way].to) == s->net->links[link].to)
                n->row[link] = n->row[way];
}

/** Every owner gets the tree of owner 0, translated; or keeps its own. */
static void unfold(struct negotiation *n)
{
    const struct translations *group = n->request->group;
    const rwa_network *net = n->state.net;
    n->rows = n->state.links;
    for (uint32_t link = 0; link < n->rows; link++)
        n->row[link] = link;
    for (uint32_t owner = n->owners; owner < n->nodes; owner++) {
        n->owners = owner + 1;
        for (uint32_t v = 0; v < n->nodes; v++) {
            const struct way *w = way_of(n, 0, v);
            struct way *same = way_of(n, owner, translations_add(group, v, owner));
            *same = (struct way){.slot = w->slot, .from = translations_add(group, w->from, owner), .hops = w->hops};
            for (uint32_t k = 0; k < w->hops; k++)
                same->link[k] = (uint16_t)rwa_network_find_link(net, translations_add(group, n->state.from[w->link[k]], owner),
                                                                translations_add(group, net->links[w->link[k]].to, owner));
        }
    }
}

/** The links that are crowded where each owner has the tree in n->kept and its own channels. */
static rwa_status give_to_all(struct negotiation *n, rwa_error *err)
{
    n->owners = 1;
    memcpy(n->way, n->kept, n->nodes * sizeof *n->way);
    unfold(n);
    return choose_channels(n, err);
}

/** Of several trees the one whose translations leave the fewest links crowded. */
static rwa_status settle_steps_folded(struct negotiation *n, bool *found, rwa_error *err)
{
    uint64_t least = UINT64_MAX;
    *found = false;
    for (int i = 0; i < TEMPLATES && least > 0 && (i < TEMPLATES / 3 || least < UINT64_MAX); i++) {
        bool settled = false;
        fold(n);
        MUST(open_slots(n, 1, err));
        if (inform_all(n))
            MUST(settle(n, &settled, err));
        if (!settled)
            continue;
        memcpy(n->kept, n->way, n->nodes * sizeof *n->way);
        MUST(give_to_all(n, err));
        if (n->use.over < least) {
            least = n->use.over;
            memcpy(n->chosen, n->kept, n->nodes * sizeof *n->way);
        }
    }
    *found = least < UINT64_MAX;
    n->hopeless = !*found;
    if (!*found)
        return RWA_OK;
    memcpy(n->kept, n->chosen, n->nodes * sizeof *n->way);
    return give_to_all(n, err);
}

static rwa_status settle_steps(struct negotiation *n, bool *found, rwa_error *err)
{
    *found = false;
    MUST(open_slots(n, 1, err));
    if (inform_all(n))
        MUST(settle(n, found, err));
    return *found ? choose_channels(n, err) : RWA_OK;
}

static rwa_status attempt(struct negotiation *n, bool *found, rwa_error *err)
{
    MUST((n->request->group ? settle_steps_folded : settle_steps)(n, found, err));
    return *found ? settle(n, found, err) : RWA_OK;
}

static rwa_status negotiation_open(struct negotiation *n, rwa_error *err)
{
    uint32_t nodes = rwa_network_nodes(n->request->net);
    size_t pairs = (size_t)nodes * nodes;
    assert(nodes <= NEGOTIATED_NODES);
    n->nodes = nodes;
    n->owners = nodes;
    n->random = n->request->seed;
    n->memory.err = err;
    MUST(delivery_open(&n->state, n->request->net, nodes, NULL, err));
    arena_new(&n->memory, n->way, pairs);
    arena_new(&n->memory, n->kept, nodes);
    arena_new(&n->memory, n->chosen, nodes);
    arena_new(&n->memory, n->cost, nodes);
    arena_new(&n->memory, n->onward, nodes);
    arena_new(&n->memory, n->heap, (size_t)n->state.links + 1);
    arena_new(&n->memory, n->part, nodes);
    arena_new(&n->memory, n->crowded, pairs);
    arena_new(&n->memory, n->row, n->state.links);
    MUST(arena_status(&n->memory));
    unfold(n);
    delivery_reset(&n->state);
    delivery_begin_step(&n->state);
    return RWA_OK;
}

static void negotiation_close(struct negotiation *n)
{
    congestion_free(&n->use);
    free(n->closed);
    arena_free(&n->memory);
    delivery_close(&n->state);
}

rwa_status negotiated_trees_find(struct deliveries *out, const struct negotiated_request *request, rwa_error *err)
{
    struct negotiation n = {.request = request};
    bool found = false;
    rwa_status st = RWA_OK;
    *out = (struct deliveries){.count = 0};
    TRY(negotiation_open(&n, err));
    for (int i = 0; i < ATTEMPTS && as_on_most_nodes(&n, n.looked) < LOOKED_ALL && !found && !n.hopeless; i++)
        TRY(attempt(&n, &found, err));
    if (found) {
        TRY(send_all(&n));
        *out = n.state.sent;
        n.state.sent = (struct deliveries){.count = 0};
    }
done:
    negotiation_close(&n);
    return st;
}
