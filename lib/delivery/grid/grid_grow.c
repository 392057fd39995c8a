/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Trees of short lightpaths, node by node.  With few channels nearly every lightpath has one link, and a tree is shortest when all
 * ways are in use in every step.  So each step takes, for each way in turn, a node one link ahead of a holder; of these a
 * node that the fewest ways could reach now, to leave the others a choice.  Capacity that is left goes to nodes that lie two
 * links ahead, and so on.
 */
#include "delivery/grid/grid_tree.h"

enum { HOPS_MOST = 8 };

struct growth {
    const struct grid *grid;
    struct delivery_tree *tree;
    uint32_t capacity[2 * RWA_SHAPE_MAX];   /* of each way, left in this step */
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

/** Whether the nearest that knew on the way to a node is so many hops predecessor it. */
static bool lies_ahead(const struct growth *g, uint32_t way, uint32_t node, uint32_t hops)
{
    uint32_t from = node;
    for (uint32_t i = 1; i <= hops; i++) {
        from = predecessor(g, way, from);
        if (held(g, from))
            return i == hops;
    }
    return false;
}

/** The node to inform along a way, at random among those that few ways reach; 0: none. */
static uint32_t choose(struct growth *g, uint32_t way, uint32_t hops)
{
    uint32_t chosen = 0, equal = 0, least = UINT32_MAX;
    for (uint32_t v = 1; v < g->grid->nodes; v++) {
        if (g->tree->at[v].step > 0 || !lies_ahead(g, way, v, hops))
            continue;
        uint32_t ways = ways_to(g, v);
        if (ways < least) {
            least = ways;
            equal = 0;
        }
        if (ways == least && base_random_below(&g->random, ++equal) == 0)
            chosen = v;
    }
    return chosen;
}

/** Every way once, from a random one on; how many nodes were informed. */
static uint32_t use_ways(struct growth *g, uint32_t hops)
{
    uint32_t ways = g->grid->ways, informed = 0, first = (uint32_t)base_random_below(&g->random, ways);
    for (uint32_t i = 0; i < ways; i++) {
        uint32_t way = (first + i) % ways, node = g->capacity[way] >= hops ? choose(g, way, hops) : 0;
        if (node == 0)
            continue;
        g->tree->at[node].step = g->step;
        g->tree->at[node].way = (uint8_t)way;
        g->tree->at[node].links = hops;
        g->capacity[way] -= hops;
        informed++;
    }
    return informed;
}

rwa_status grid_tree_grow(struct delivery_tree *out, const struct grid *grid, const uint32_t *capacity, uint64_t seed, rwa_error *err)
{
    struct growth g = {.grid = grid, .tree = out, .random = seed};
    rwa_status st = delivery_tree_create(out, 1, grid->nodes, 0, err);
    for (uint32_t left = grid->nodes - 1, informed; st == RWA_OK && left > 0;) {
        g.step++;
        memcpy(g.capacity, capacity, grid->ways * sizeof *capacity);
        for (uint32_t hops = 1; hops <= HOPS_MOST; hops += informed == 0) {
            informed = use_ways(&g, hops);
            left -= informed;
        }
    }
    out->steps = g.step;
    if (st == RWA_OK)
        grid_tree_name_senders(out, grid);
    return st;
}
