/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Spanning trees from a root of which no two share a directed link: as many as the least cut has links (Edmonds 1973). */
#ifndef SCHEME_OWN_DISJOINT_TREES_H
#define SCHEME_OWN_DISJOINT_TREES_H

#include "base/base.h"
#include "network/network.h"

enum { TREES_MOST = 16 };

struct disjoint_trees {
    uint32_t nodes, trees;      /* trees 0: a node is out of reach */
    uint32_t depth;             /* links from the root to the farthest node in any tree */
    uint32_t *parent, *hops;    /* [tree][node]: links from the root; the root is its own parent */
    uint8_t *ccw;               /* [tree][node]: on rings and lines, the direction of the link to it */
};

/** Each tree grows from the nearest nodes on, and leaves the links that the others need (Lovász 1976).  RWA_NOMEM; disjoint_trees_free()
 *  in any case.  O(trees² * links * nodes) */
rwa_status disjoint_trees_pack(struct disjoint_trees *out, const rwa_network *net, uint32_t root, rwa_error *err);
void disjoint_trees_free(struct disjoint_trees *t);

#endif
