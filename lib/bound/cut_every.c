/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The tightest of all cuts through a small network.  The data that must pass between a set of nodes and the others depend on how many
 *  of its nodes take part, how many blocks they own, and whether the root is one: of the sets alike in that the narrowest counts.  It is
 *  the same for every collective among these nodes, so the network keeps it. */
#include "bound/demand.h"
#include "bound/graph.h"

enum { HALF = EVERY_CUT / 2 };

/** The fewest channels out of, and into, one of the sets that are alike; UINT64_MAX: all have none. */
struct narrowest {
    uint64_t out, in;
};

/** A set of nodes in one half of the network, by itself. */
struct half_set {
    uint64_t out, in;
    uint32_t alike;
};

struct all_cuts {
    const struct bound_case *c;
    uint32_t more;              /* owners of a block more than the others; 0: these say nothing */
    size_t kinds;               /* of sets: kind_of() */
    struct narrowest *least;
};

/** Channels between two nodes, both ways together. */
typedef uint64_t joined[EVERY_CUT][EVERY_CUT];

static void join_all(joined j, const struct bound_graph *g)
{
    for (uint32_t v = 0; v < g->nodes; v++)
        for (uint64_t k = g->out.first[v]; k < g->out.first[v + 1]; k++) {
            j[v][g->out.node[k]] += g->out.channels[k];
            j[g->out.node[k]][v] += g->out.channels[k];
        }
}

/** Between a node and a set of nodes from `first` on. */
static uint64_t joined_to(joined j, uint32_t v, uint32_t set, uint32_t first)
{
    uint64_t sum = 0;
    for (uint32_t rest = set; rest; rest &= rest - 1)
        sum += j[v][first + (uint32_t)__builtin_ctz(rest)];
    return sum;
}

/** The kind of a set is the sum over its nodes: those that take part, those of them that own a block more, the root. */
static uint32_t kind_of(const struct all_cuts *a, uint32_t v)
{
    const rwa_collective *coll = a->c->coll;
    struct demand_side one = {0};
    if (a->c->graph->rank[v] == BOUND_NO_RANK)
        return 0;
    demand_add(&one, coll, a->c->graph->rank[v]);
    return 2 * (a->more + 1 + (a->more > 0 && one.blocks > coll->blocks / coll->nodes)) + one.root;
}

static struct demand_side side_of(const struct all_cuts *a, size_t kind)
{
    const rwa_collective *coll = a->c->coll;
    size_t owners = kind / 2;
    uint64_t members = owners / (a->more + 1);
    return (struct demand_side){(uint32_t)members, members * (coll->blocks / coll->nodes) + owners % (a->more + 1), kind % 2};
}

/** All sets of `count` nodes from `first` on, each from one with a node less. */
static void list_half(struct half_set *list, const struct all_cuts *a, joined j, uint32_t first, uint32_t count)
{
    const struct bound_graph *g = a->c->graph;
    list[0] = (struct half_set){0};
    for (uint32_t set = 1; set < UINT32_C(1) << count; set++) {
        uint32_t v = first + (uint32_t)__builtin_ctz(set);
        const struct half_set *less = &list[set & (set - 1)];
        uint64_t inner = joined_to(j, v, set & (set - 1), first);
        list[set] = (struct half_set){less->out + g->out.width[v] - inner, less->in + g->in.width[v] - inner, less->alike + kind_of(a, v)};
    }
}

/** Channels by which one is less than another; none count as most. */
static inline void narrow(uint64_t *least, uint64_t channels)
{
    *least = channels - 1 < *least - 1 ? channels : *least;
}

/** Every set of one half with one set of the other. */
static void join_halves(struct all_cuts *a, const struct half_set *low, uint32_t sets, const struct half_set *high, const uint64_t *across)
{
    uint64_t between[1 << HALF];
    between[0] = 0;
    for (uint32_t set = 1; set < sets; set++)
        between[set] = between[set & (set - 1)] + across[__builtin_ctz(set)];
    for (uint32_t set = 0; set < sets; set++) {
        struct narrowest *least = &a->least[low[set].alike + high->alike];
        narrow(&least->out, low[set].out + high->out - between[set]);
        narrow(&least->in, low[set].in + high->in - between[set]);
    }
}

/** Every set without the last node; the complements are the same cuts. */
static void find_narrowest(struct all_cuts *a)
{
    uint32_t others = a->c->graph->nodes - 1, few = others < HALF ? others : HALF;
    struct half_set low[1 << HALF], high[1 << HALF];
    joined j = {0};
    memset(a->least, 0xff, a->kinds * sizeof *a->least);
    join_all(j, a->c->graph);
    list_half(low, a, j, 0, few);
    list_half(high, a, j, few, others - few);
    for (uint32_t set = 0; set < UINT32_C(1) << (others - few); set++) {
        uint64_t across[HALF];
        for (uint32_t v = 0; v < few; v++)
            across[v] = joined_to(j, v, set, few);
        join_halves(a, low, UINT32_C(1) << few, &high[set], across);
    }
}

/** The narrowest sets follow from these and the network. */
struct cuts_key {
    uint32_t note, members, root, slots, more, reversed, wavelengths;
};

static struct cuts_key key_of(const struct all_cuts *a)
{
    const struct bound_case *c = a->c;
    struct cuts_key key = {NOTE_CUTS, 0, c->graph->member[c->coll->root], c->slots, a->more, c->reversed,
                           rwa_network_wavelengths(c->net)};
    for (uint32_t r = 0; r < c->nodes; r++)
        key.members |= UINT32_C(1) << c->graph->member[r];
    return key;
}

static uint64_t fewest(uint64_t channels)
{
    return channels == UINT64_MAX ? 0 : channels; /* which say nothing */
}

static void add_loads(struct bound_load loads[CUT_MEASURES], const struct all_cuts *a, const struct narrowest *least)
{
    const struct bound_case *c = a->c;
    for (size_t kind = 0; kind < a->kinds; kind++) {
        struct demand_side side = side_of(a, kind);
        for (enum cut_measure m = 0; m < CUT_MEASURES; m++) {
            bound_load_add(&loads[m], c, demand_measures[m](c->coll, &side), fewest(least[kind].out));
            bound_load_add(&loads[m], c, demand_of_others(demand_measures[m], c->coll, &side), fewest(least[kind].in));
        }
    }
}

rwa_status cut_every_load(struct bound_load loads[CUT_MEASURES], const struct bound_case *c, rwa_error *err)
{
    struct all_cuts a = {.c = c, .more = demand_owners_differ(c->coll) ? (uint32_t)(c->coll->blocks % c->nodes) : 0};
    a.kinds = 2 * ((size_t)c->nodes + 1) * (a.more + 1);
    struct cuts_key key = key_of(&a);
    const struct narrowest *known = network_note(c->net, &key, sizeof key);
    assert(c->graph->nodes <= EVERY_CUT && c->graph->nodes > 1);
    memset(loads, 0, CUT_MEASURES * sizeof *loads);
    if (!known) {
        MUST(base_new(a.least, a.kinds, err));
        find_narrowest(&a);
        network_keep_note(c->net, &key, sizeof key, a.least, a.kinds * sizeof *a.least);
    }
    add_loads(loads, &a, known ? known : a.least);
    free(a.least);
    return RWA_OK;
}
