/* SPDX-License-Identifier: GPL-3.0-or-later */
/** A broadcast tree on a ring, the same for every owner, with its lightpaths and the wavelengths that they have when
 * all owners use the tree at once. */
#pragma once

#include "delivery/delivery_tree.h"

struct colouring;

/**
 * The tree may belong to a larger ring: its nodes from nodes-1 on then count as one node.  A lightpath between two of
 * them vanishes, and all others stay, so the schedule remains valid.
 */
struct coloured_tree {
    uint32_t nodes;         /* of the ring; 0: no tree was found */
    /* of at least `nodes` nodes; deliveries of one sender in a slot may share a lightpath, which all but the farthest
     * receiver tap */
    struct delivery_tree tree;
    uint32_t *order;        /* offsets 1 … nodes-1 by lightpath */
    uint32_t *lightpath;    /* where the offsets of each lightpath begin in `order`, rising in each, and the end */
    uint32_t *first;        /* the first lightpath of each slot, and the end: slots + 1 entries */
    struct colouring *colouring;    /* of each slot, over its lightpaths; size 0: not found */
};

static inline size_t coloured_tree_slots(const struct coloured_tree *c)
{
    return (size_t)2 * c->tree.steps;
}

/** coloured_tree_end(): return the receiver at the end of a lightpath.  coloured_tree_reader(): return its receiver
 * number i, from 0, the nearest to the sender first.  Receivers are offsets from the owner. */
uint32_t coloured_tree_end(const struct coloured_tree *c, uint32_t lightpath);
uint32_t coloured_tree_reader(const struct coloured_tree *c, uint32_t lightpath, uint32_t i);
static inline uint32_t coloured_tree_readers(const struct coloured_tree *c, uint32_t lightpath)
{
    return c->lightpath[lightpath + 1] - c->lightpath[lightpath];
}

/** Divide the deliveries of c->tree, which the caller has set, into lightpaths of at most `most` deliveries each, and
 * fill c->order, c->lightpath and c->first.  RWA_NOMEM.  O(nodes + slots). */
rwa_status coloured_tree_cut(struct coloured_tree *c, uint32_t most, rwa_error *err);

/** Store in c->colouring wavelengths, of `channels` in all, for the lightpaths of every slot (step and direction).
 * @param load receives, for each slot, the sum of the lengths of its lightpaths, in links
 * @param fits receives whether wavelengths were found for all slots
 * @return RWA_OK; RWA_NOMEM; RWA_CANCELLED */
rwa_status coloured_tree_colour(struct coloured_tree *c, bool *fits, uint64_t *load, uint32_t channels,
                                struct budget *budget, rwa_error *err);

void coloured_tree_free(struct coloured_tree *c);
