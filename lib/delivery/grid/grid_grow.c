/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Trees of short lightpaths.  A tree is shortest when all ways are in use in every step, and nearly every lightpath has one link.  So
 * each step takes, for each way in turn, a node one link ahead of a holder; of these a node that the fewest ways could reach now, to
 * leave the others a choice.  Capacity that is left goes to nodes that lie two links ahead, and so on.
 *
 * With many channels the holders then form one lump, and soon it has too few neighbours for all channels.  So the first steps may go
 * over longer lightpaths to the points of a lattice, from all of which the others are near.
 */
#include "base/arena.h"
#include "base/bins.h"
#include "delivery/grid/grid_tree.h"

enum { LATTICE, GAPS };

struct growth {
    const struct grid_limits *limits;
    const struct grid *grid;
    struct delivery_tree *tree;
    struct arena memory;        /* of the arrays */
    uint32_t *order, left;      /* nodes not informed, in random order */
    uint32_t *key;              /* of each of them, for one way */
    bool *gap;                  /* of each node: it is no point of the lattice */
    struct bins reached[2 * RWA_SHAPE_MAX];     /* along each way, by key */
    size_t next[2 * RWA_SHAPE_MAX], end[2 * RWA_SHAPE_MAX];     /* those of one distance: not tried yet */
    uint32_t capacity[2 * RWA_SHAPE_MAX];       /* of each way, left in this step */
    uint32_t longest;           /* dimension */
    uint32_t step;
    uint64_t random;
};

/** Whether a node holds the block before this step. */
static bool held(const struct growth *g, uint32_t node)
{
    return node == 0 || (g->tree->at[node].step > 0 && g->tree->at[node].step < g->step);
}

static uint32_t predecessor(const struct growth *g, uint32_t way, uint32_t node)
{
    return g->grid->predecessor[(size_t)way * g->grid->nodes + node];
}

static uint32_t ways_to(const struct growth *g, uint32_t node)
{
    uint32_t count = 0;
    for (uint32_t way = 0; way < g->grid->ways; way++)
        count += held(g, predecessor(g, way, node));
    return count;
}

/** Links to the nearest holder on the way to a node; 0: there is none. */
static uint32_t hops_along(const struct growth *g, uint32_t way, uint32_t node)
{
    uint32_t hops = 1;
    for (uint32_t from = predecessor(g, way, node); from != node; from = predecessor(g, way, from), hops++)
        if (held(g, from))
            return hops;
    return 0;
}

/** Sorted by part, then hops, then the ways that lead there in one hop. */
static size_t key_of(const struct growth *g, uint32_t part, uint32_t hops, uint32_t ways)
{
    return ((size_t)part * g->longest + hops) * (g->grid->ways + 1) + ways;
}

static rwa_status list_reached(struct growth *g, uint32_t way, bool lattice, rwa_error *err)
{
    struct bins *b = &g->reached[way];
    size_t keys = key_of(g, GAPS + 1, 0, 0);
    MUST(bins_open(b, keys, err));
    for (uint32_t i = 0; i < g->left; i++) {
        uint32_t v = g->order[i], hops = hops_along(g, way, v);
        g->key[i] = hops > 0 ? (uint32_t)key_of(g, lattice && g->gap[v] ? GAPS : LATTICE, hops, ways_to(g, v)) : 0;
        bins_count(b, g->key[i]);
    }
    MUST(bins_divide(b, keys, err));
    for (uint32_t i = 0; i < g->left; i++)
        bins_put(b, g->key[i], g->order[i]);
    return RWA_OK;
}

/** The next node to inform along a way; 0: none. */
static uint32_t choose(struct growth *g, uint32_t way)
{
    while (g->next[way] < g->end[way]) {
        uint32_t v = g->reached[way].number[g->next[way]++];
        if (g->tree->at[v].step == 0)
            return v;
    }
    return 0;
}

/** Every way once, from a random one on; whether a node was informed. */
static bool use_ways(struct growth *g, uint32_t hops)
{
    uint32_t ways = g->grid->ways, first = (uint32_t)base_random_below(&g->random, ways);
    bool informed = false;
    for (uint32_t i = 0; i < ways; i++) {
        uint32_t way = (first + i) % ways, node = g->capacity[way] >= hops ? choose(g, way) : 0;
        if (node == 0)
            continue;
        g->tree->at[node].step = g->step;
        g->tree->at[node].way = (uint8_t)way;
        g->tree->at[node].links = hops;
        g->capacity[way] -= hops;
        informed = true;
    }
    return informed;
}

/** All nodes so many hops ahead, while there is capacity. */
static void inform(struct growth *g, uint32_t part, uint32_t hops)
{
    for (uint32_t way = 0; way < g->grid->ways; way++) {
        g->next[way] = g->reached[way].first[key_of(g, part, hops, 0)];
        g->end[way] = g->reached[way].first[key_of(g, part, hops + 1, 0)];
    }
    while (use_ways(g, hops))
        ;
}

static void forget_informed(struct growth *g)
{
    uint32_t left = 0;
    for (uint32_t i = 0; i < g->left; i++)
        if (g->tree->at[g->order[i]].step == 0)
            g->order[left++] = g->order[i];
    g->left = left;
}

/** Points of the lattice first, or all nodes alike. */
static rwa_status grow_step(struct growth *g, bool lattice, rwa_error *err)
{
    uint32_t ways = g->grid->ways;
    rwa_status st = RWA_OK;
    memcpy(g->capacity, g->limits->capacity + (size_t)(g->step - 1) * ways, ways * sizeof *g->capacity);
    base_shuffle(g->order, g->left, &g->random);
    for (uint32_t way = 0; way < ways; way++)
        TRY(list_reached(g, way, lattice, err));
    for (uint32_t part = LATTICE; part <= GAPS; part++)
        for (uint32_t hops = 1; hops < g->longest; hops++)
            inform(g, part, hops);
    forget_informed(g);
done:
    for (uint32_t way = 0; way < ways; way++)
        bins_free(&g->reached[way]);
    return st;
}

static rwa_status open_growth(struct growth *g, uint32_t spacing, rwa_error *err)
{
    const struct grid *grid = g->grid;
    g->memory.err = err;
    arena_new(&g->memory, g->order, grid->nodes);
    arena_new(&g->memory, g->key, grid->nodes);
    arena_new(&g->memory, g->gap, grid->nodes);
    MUST(arena_status(&g->memory));
    for (size_t d = 0; d < grid->dimensions; d++)
        g->longest = grid->shape[d] > g->longest ? grid->shape[d] : g->longest;
    for (uint32_t v = 1; v < grid->nodes; v++) {
        g->order[g->left++] = v;
        for (uint32_t d = (uint32_t)grid->dimensions, rest = v; d-- > 0; rest /= grid->shape[d])
            g->gap[v] = g->gap[v] || rest % grid->shape[d] % spacing != 0;
    }
    return RWA_OK;
}

rwa_status grid_tree_grow(struct delivery_tree *out, bool *found, const struct grid_limits *limits, uint32_t spacing, uint32_t spaced,
                          rwa_error *err)
{
    struct growth g = {.limits = limits, .grid = limits->grid, .tree = out, .random = limits->seed};
    rwa_status st = delivery_tree_create(out, 1, limits->grid->nodes, 0, err);
    TRY(st);
    TRY(open_growth(&g, spacing, err));
    while (g.left > 0 && g.step < limits->steps) {
        g.step++;
        TRY(grow_step(&g, g.step <= spaced, err));
    }
    out->steps = g.step;
    *found = g.left == 0;
    if (*found)
        grid_tree_name_senders(out, limits->grid);
done:
    arena_free(&g.memory);
    return st;
}
