/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Template trees on hypercubes, where a lightpath may lead along several dimensions, once along each. */
#pragma once

#include "delivery/grid/grid_tree.h"

/**
 * How a vertex receives the block of vertex 0; its other copies are moved by "exclusive or".  The lightpath from `from` changes the bits
 * in which they differ, the lowest first.  On a channel no two deliveries of a step change the same bit, so that no two copies meet.
 */
struct cube_delivery {
    uint32_t from, step, channel;
};

struct cube_tree {
    uint32_t dimensions, vertices, steps;
    uint32_t *node;             /* of each vertex: its number on the torus */
    struct cube_delivery *at;   /* of each vertex; steps from 1, that of vertex 0 is 0 */
};

/** Whether all dimensions are of 2 or 4 nodes (a cycle of 4 is a square), and not too many. */
bool cube_tree_suits(const struct grid *grid);

/**
 * A tree of so many steps on a torus that suits.  The first step is looked for at
 * random, lightpaths of several links; in the others all lightpaths have one link, and as many nodes receive as can.
 * @param[out] found  false: there is none among those that were tried
 * @return RWA_OK; RWA_NOMEM; RWA_CANCELLED.  cube_tree_free() in any case
 */
rwa_status cube_tree_find(struct cube_tree *out, bool *found, const struct grid *grid, uint32_t channels, uint32_t steps, uint64_t seed,
                          struct budget *budget, rwa_error *err);
void cube_tree_free(struct cube_tree *tree);
