/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Spanning trees from a root whose lightpaths are all up at once.  On listed links these are up to as many
 * link-disjoint trees of single links as the least cut has links (Edmonds 1973); on rings and lines also one tree of
 * longer lightpaths and fewer steps. */
#pragma once

#include "base/base.h"
#include "network/network.h"

enum { TREES_MOST = 16, ARC_WIDTH = 64 };

struct disjoint_trees {
    uint32_t nodes, trees;      /* trees 0: a node is out of reach */
    uint32_t width;             /* channels of a link that a tree takes, at most */
    uint32_t depth;             /* lightpaths from the root to the farthest node in any tree */
    uint32_t *parent, *hops;    /* [tree][node]: lightpaths from the root; the root is its own parent */
    uint8_t *ccw;               /* [tree][node]: on rings and lines, the direction of the lightpath to it */
    uint32_t *channel;          /* [tree][node]: of the lightpath to it, below width */
};

/** Allocate the arrays for the trees and nodes of `t`, all zero.  RWA_NOMEM; disjoint_trees_free() in any case. */
rwa_status disjoint_trees_open(struct disjoint_trees *t, rwa_error *err);
/** Find link-disjoint spanning trees on listed links, up to `most` (1 … TREES_MOST).  They grow together, level by
 * level, and a tree takes no link that the others need (Lovász 1976).  A single tree has the fewest steps. out->trees
 * is 0 if a node is out of reach.  RWA_NOMEM; disjoint_trees_free() in any case.  O(trees² * links * nodes) */
rwa_status disjoint_trees_pack(struct disjoint_trees *out, const rwa_network *net, uint32_t root, uint32_t most,
                               rwa_error *err);
/** The parameters of trees on rings and lines. */
struct arc_shape {
    uint32_t width;             /* channels of a tree, 1 … ARC_WIDTH: 0 … width - 1 */
    /* how many of them also carry lightpaths towards the root, which saves steps; 0: all lightpaths lead away */
    uint32_t back;
    bool round;                 /* two trees, each all the way round a ring; else one tree, in both directions */
    uint32_t hops;              /* of a lightpath, at most; 0: no limit */
};
/** Make trees of few steps on a ring or line, with the parameters of `shape`.  RWA_NOMEM; disjoint_trees_free() in any
 * case.  O(steps * width² + nodes) */
rwa_status arc_trees_make(struct disjoint_trees *out, const rwa_network *net, uint32_t root,
                          const struct arc_shape *shape, rwa_error *err);
void disjoint_trees_free(struct disjoint_trees *t);
