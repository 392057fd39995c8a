/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Cuts of the groups of a tree into children. */
#include "scheme/published/optree_tree.h"

/** The most nodes that the levels after this one can still separate. */
static uint32_t separable(const struct tree *t)
{
    uint64_t most = 1;
    for (size_t level = t->level + 1; level < t->levels && most < t->nodes; level++)
        most *= t->radix[level];
    return most < t->nodes ? (uint32_t)most : t->nodes;
}

/**
 * The lightpaths over the border between child c - 1 and child c of `parts`, in the heavier direction, when the children
 * on its left hold so many blocks: each of these goes to every child on the right, and the other way round.
 */
static uint64_t border_load(const struct tree *t, uint64_t left, uint32_t parts, uint32_t c)
{
    uint64_t there = left * (parts - c), back = (tree_blocks(t) - left) * c;
    return there > back ? there : back;
}

/**
 * Cut a group where its borders carry least: after the first stage of a ring nodes hold what their position got, not
 * equal shares of what comes.  Every child keeps a node, and not more than the later levels can separate.
 */
static void cut_by_load(const struct tree *t, uint32_t from, uint32_t to, uint32_t parts, uint32_t *border)
{
    uint32_t most = separable(t);
    border[0] = from;
    for (uint32_t c = 1; c <= parts; c++) {
        uint32_t last = border[c - 1] + most < to - (parts - c) ? border[c - 1] + most : to - (parts - c);
        uint64_t need = (uint64_t)(parts - c) * most; /* the children to the right take no more than this */
        border[c] = border[c - 1] + 1;
        if (to - from > need && border[c] + need < to)
            border[c] = (uint32_t)(to - need);
        for (uint32_t at = border[c] + 1; at <= last; at++)
            if (border_load(t, t->first[at] - t->first[from], parts, c) < border_load(t, t->first[border[c]] - t->first[from], parts, c))
                border[c] = at;
    }
}

rwa_status tree_cut_groups(const struct tree *t, uint32_t **out, size_t children, rwa_error *err)
{
    uint32_t *border = base_array(children + 1, sizeof *border, err);
    size_t k = 0;
    *out = border;
    MUST(border ? RWA_OK : RWA_NOMEM);
    for (size_t g = 0; g < t->groups; g++) {
        uint32_t from = t->border[g], size = t->border[g + 1] - from, parts = tree_parts(size, t->radix[t->level]);
        for (uint32_t c = 0; c <= parts; c++)
            border[k + c] = from + part_start(size, parts, c);
        if (t->level == 1 && t->cycle && parts > 1)
            cut_by_load(t, from, from + size, parts, border + k);
        k += parts;
    }
    return RWA_OK;
}
