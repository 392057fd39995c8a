/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Trees of few steps, grown from every promising lattice. */
#include "delivery/grid/grid_tree.h"

/** Spacings of lattices; steps that keep to them; nodes in all steps of all growths. */
enum { SPACING_MOST = 8, SPACED_MOST = 3, GROWN_NODES = 1 << 21 };

/** Nodes that so many holders can inform along one way: of each the nearest first, at k links the k-th. */
static uint64_t informed_along(uint64_t holders, uint32_t capacity, uint32_t size)
{
    uint64_t informed = 0, left = capacity, hops = 1;
    for (; hops < size && left >= hops * holders; hops++) {
        informed += holders;
        left -= hops * holders;
    }
    return hops < size ? informed + left / hops : informed;
}

uint32_t grid_tree_least_steps(const uint32_t *shape, size_t dimensions, const uint32_t *capacity)
{
    uint32_t steps = 0, entered = 0, nodes = 1;
    uint64_t holders = 1;
    for (size_t d = 0; d < dimensions; d++) {
        nodes *= shape[d];
        entered += shape[d] > 1;
        if (shape[d] > 1 && capacity[2 * d] + capacity[2 * d + 1] == 0)
            return UINT32_MAX;
    }
    for (; holders < nodes; steps++) {
        uint64_t before = holders;
        for (size_t way = 0; way < 2 * dimensions; way++)
            holders += informed_along(before, capacity[way], shape[way / 2]);
    }
    return steps > entered ? steps : entered;
}

/** With one step less each time. */
static rwa_status try_growing(struct delivery_tree *best, struct grid_limits *limits, uint32_t spacing, uint32_t spaced, rwa_error *err)
{
    struct delivery_tree grown = {0};
    bool found = false;
    rwa_status st = grid_tree_grow(&grown, &found, limits, spacing, spaced, err);
    if (found) {
        limits->steps = grown.steps - 1;
        delivery_tree_swap(best, &grown);
    }
    delivery_tree_free(&grown);
    return st;
}

rwa_status grid_tree_grow_best(struct delivery_tree *out, bool *found, const struct grid_limits *limits, uint32_t least, rwa_error *err)
{
    struct grid_limits fewer = *limits;
    uint64_t nodes = 0;
    memset(out, 0, sizeof *out);
    MUST(try_growing(out, &fewer, 1, 0, err));
    for (uint32_t spaced = SPACED_MOST; spaced > 0; spaced--)
        for (uint32_t spacing = SPACING_MOST; spacing > 1 && fewer.steps >= least && nodes < GROWN_NODES; spacing--) {
            MUST(try_growing(out, &fewer, spacing, spaced, err));
            nodes += (uint64_t)fewer.steps * fewer.grid->nodes;
        }
    *found = out->steps > 0;
    return RWA_OK;
}
