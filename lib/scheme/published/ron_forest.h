/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Interior-disjoint trees, for networks where every pair of nodes is one hop apart and a node has few ports. */
#pragma once

#include "base/base.h"

/** Trees that each reach all nodes from node 0.  All but a few nodes are inner nodes of one tree only, and no node has
 * more than `ports` children in all trees together. */
struct ron_forest {
    uint32_t nodes, ports, trees;       /* given; trees at most ports */
    uint32_t *node, *parent, *depth;    /* of each branch, [tree][nodes - 1], parents before their children */
    uint32_t deepest;
};

/** Build the trees from f->nodes, f->ports and f->trees.  RWA_NOMEM; ron_forest_free() in any case. */
rwa_status ron_forest_plant(struct ron_forest *f, rwa_error *err);
void ron_forest_free(struct ron_forest *f);
