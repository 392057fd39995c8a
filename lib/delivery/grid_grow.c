/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Waves of short hops, node by node.  With few channels nearly every hop has length 1, and a wave is shortest when all
 * ways are in use in every step.  So each step takes, for each way in turn, a node that lies one hop ahead of one that
 * knew before; of these one that the fewest ways could tell now, to leave the others a choice.  Room for which there is
 * none goes to nodes that lie two hops ahead, and so on.
 */
#include "delivery/grid_tree.h"

#include <string.h>

enum { HOPS_MOST = 8 };

struct growth {
    const struct grid *grid;
    struct grid_wave *wave;
    uint32_t room[2 * RWA_SHAPE_MAX];   /* of each way, left in this step */
    uint32_t step;
    uint64_t random;
};

/** Whether a node knew before this step. */
static bool knew(const struct growth *g, uint32_t node)
{
    return node == 0 || (g->wave->step[node] > 0 && g->wave->step[node] < g->step);
}

static uint32_t behind(const struct growth *g, uint32_t way, uint32_t node)
{
    return g->grid->behind[(size_t)way * g->grid->nodes + node];
}

static uint32_t ways_to(const struct growth *g, uint32_t node)
{
    uint32_t count = 0;
    for (uint32_t way = 0; way < g->grid->ways; way++)
        count += knew(g, behind(g, way, node));
    return count;
}

/** Whether the nearest that knew on the way to a node is so many hops behind it. */
static bool lies_ahead(const struct growth *g, uint32_t way, uint32_t node, uint32_t hops)
{
    uint32_t from = node;
    for (uint32_t i = 1; i <= hops; i++) {
        from = behind(g, way, from);
        if (knew(g, from))
            return i == hops;
    }
    return false;
}

/** The node to tell along a way, at random among those that few ways reach; 0: none. */
static uint32_t choose(struct growth *g, uint32_t way, uint32_t hops)
{
    uint32_t chosen = 0, equal = 0, least = UINT32_MAX;
    for (uint32_t v = 1; v < g->grid->nodes; v++) {
        if (g->wave->step[v] > 0 || !lies_ahead(g, way, v, hops))
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

/** Every way once, from a random one on; how many nodes were told. */
static uint32_t use_ways(struct growth *g, uint32_t hops)
{
    uint32_t ways = g->grid->ways, told = 0, first = (uint32_t)base_random_below(&g->random, ways);
    for (uint32_t i = 0; i < ways; i++) {
        uint32_t way = (first + i) % ways, node = g->room[way] >= hops ? choose(g, way, hops) : 0;
        if (node == 0)
            continue;
        g->wave->step[node] = g->step;
        g->wave->way[node] = (uint8_t)way;
        g->wave->hops[node] = hops;
        g->room[way] -= hops;
        told++;
    }
    return told;
}

rwa_status grid_wave_grow(struct grid_wave *out, const struct grid *grid, const uint32_t *room, uint64_t seed, rwa_error *err)
{
    struct growth g = {.grid = grid, .wave = out, .random = seed};
    rwa_status st = grid_wave_create(out, grid->nodes, 0, err);
    for (uint32_t left = grid->nodes - 1, told; st == RWA_OK && left > 0;) {
        g.step++;
        memcpy(g.room, room, grid->ways * sizeof *room);
        for (uint32_t hops = 1; hops <= HOPS_MOST; hops += told == 0) {
            told = use_ways(&g, hops);
            left -= told;
        }
    }
    out->steps = g.step;
    return st;
}
