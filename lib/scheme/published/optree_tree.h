/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The tree of OpTree under construction: which blocks each node holds, and the groups of the level reached. */
#pragma once

#include "scheme/published/optree.h"

struct tree {
    uint32_t nodes;
    uint32_t held;          /* blocks of every node at the start */
    bool cycle;
    const uint32_t *radix;
    size_t levels, level;
    uint32_t *border;       /* group g is border[g] … border[g + 1] - 1 */
    size_t groups;
    uint64_t *first;        /* node v holds block[first[v]] … block[first[v + 1] - 1] */
    uint32_t *block;
    uint64_t *before;       /* of what node v holds, the first before[v] blocks it held before the last stage */
};

/** Zero a tree of n nodes and let node v hold blocks v * held … v * held + held - 1; tree_close() in any case. */
rwa_status tree_open(struct tree *t, uint32_t n, uint32_t held, rwa_error *err);
void tree_close(struct tree *t);
/** Every node has all blocks, or the radices are used up. */
static inline bool tree_is_done(const struct tree *t)
{
    return t->level == t->levels || t->groups == t->nodes;
}

/** The transfers of the next level, not when the tree is done; the caller frees them.  RWA_NOMEM */
rwa_status tree_next(struct tree *t, struct transfers *s, rwa_error *err);

static inline uint32_t tree_blocks(const struct tree *t)
{
    return t->nodes * t->held;
}

static inline uint32_t tree_parts(uint32_t size, uint32_t radix)
{
    return size < radix ? size : radix;
}

/** Node v sends block number i of those listed to dst. */
static inline void tree_send(const struct tree *t, struct transfers *s, uint32_t v, uint64_t i, uint32_t dst)
{
    s->early[s->count] = i - t->first[v] < t->before[v];
    transfer_add(s, v, dst, t->block[i]);
}

/** optree_cut.c: the borders of the groups that every group is cut into at this level; children + 1 of them, the caller
 *  frees. */
rwa_status tree_cut_groups(const struct tree *t, uint32_t **out, size_t children, rwa_error *err);

/** optree_share.c: all groups fill their children, whose borders are given. */
rwa_status tree_fill_groups(const struct tree *t, struct transfers *s, const uint32_t *border, rwa_error *err);
