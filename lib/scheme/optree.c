/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * OpTree (Dai, Chen, Huang, Zhang: Efficient Algorithm for All-gather Operation in Optical Interconnect Systems).
 * Level j splits every group into m children; nodes at equal position in sibling groups exchange all they hold.
 * Sizes may differ by one, and then positions do not match: what counts is that after every level each group holds each
 * block exactly once, in equal shares for the parts it will be cut into next.
 */
#include "scheme/optree_tree.h"

#include "base/base.h"

#include <stdlib.h>
#include <string.h>

static void tree_close(void *state)
{
    struct tree *t = state;
    if (!t)
        return;
    free(t->border);
    free(t->first);
    free(t->block);
    free(t->before);
    free(t);
}

static rwa_status tree_open(void **out, const struct scheme_request *request, rwa_error *err)
{
    uint32_t n = rwa_network_nodes(request->net);
    struct tree *t = base_array(1, sizeof *t, err);
    *out = NULL;
    if (!t)
        return RWA_NOMEM;
    *t = (struct tree){.nodes = n, .ring = rwa_network_get_kind(request->net) == RWA_RING,
                       .radix = request->tuning->radix, .levels = optree_levels(request->tuning)};
    t->border = base_array(2, sizeof *t->border, err);
    t->first = base_array((size_t)n + 1, sizeof *t->first, err);
    t->block = base_array(n, sizeof *t->block, err);
    t->before = base_array(n, sizeof *t->before, err);
    if (!t->border || !t->first || !t->block || !t->before) {
        tree_close(t);
        return RWA_NOMEM;
    }
    t->border[1] = n;
    t->groups = 1;
    for (uint32_t v = 0; v < n; v++) {
        t->first[v + 1] = v + 1u;
        t->block[v] = v;
    }
    *out = t;
    return RWA_OK;
}

/** The first stage of a ring, where every node has one block; a missing position is played by the node before it. */
static void exchange_places(const struct tree *t, struct stage *s, uint32_t parts)
{
    for (uint32_t a = 0; a < parts; a++)
        for (uint32_t b = 0; b < parts; b++) {
            uint32_t to = part_start(t->nodes, parts, a), last = part_start(t->nodes, parts, a + 1) - 1;
            uint32_t from = part_start(t->nodes, parts, b), end = part_start(t->nodes, parts, b + 1);
            for (uint32_t v = from; v < end && a != b; v++)
                tree_send(t, s, v, v, to + (v - from) <= last ? to + (v - from) : last);
        }
}

/** On a ring the first stage goes all the way round: name each node's place and copy for the closed construction. */
static rwa_status name_places(const struct tree *t, struct stage *s, rwa_error *err)
{
    uint32_t parts = tree_parts(t->nodes, s->radix);
    s->rank_of = base_array(t->nodes, sizeof *s->rank_of, err);
    s->copy_of = base_array(t->nodes, sizeof *s->copy_of, err);
    if (!s->rank_of || !s->copy_of)
        return RWA_NOMEM;
    s->ranks = parts;
    s->copies = part_start(t->nodes, parts, 1);
    for (uint32_t c = 0; c < parts; c++)
        for (uint32_t v = part_start(t->nodes, parts, c); v < part_start(t->nodes, parts, c + 1); v++) {
            s->rank_of[v] = c;
            s->copy_of[v] = v - part_start(t->nodes, parts, c);
        }
    return RWA_OK;
}

/** Who holds what after the stage. */
static rwa_status receive(struct tree *t, const struct stage *s, rwa_error *err)
{
    rwa_status st = RWA_NOMEM;
    uint64_t *first = base_array((size_t)t->nodes + 1, sizeof *first, err);
    uint64_t *fill = base_array(t->nodes, sizeof *fill, err);
    uint32_t *block = base_array(t->first[t->nodes] + s->count, sizeof *block, err);
    if (!first || !fill || !block)
        goto done;
    for (size_t i = 0; i < s->count; i++)
        first[s->dst[i] + 1]++;
    for (uint32_t v = 0; v < t->nodes; v++) {
        uint64_t own = t->first[v + 1] - t->first[v];
        first[v + 1] += first[v] + own;
        memcpy(block + first[v], t->block + t->first[v], own * sizeof *block);
        fill[v] = first[v] + own;
        t->before[v] = own;
    }
    for (size_t i = 0; i < s->count; i++)
        block[fill[s->dst[i]]++] = s->block[i];
    free(t->first);
    free(t->block);
    t->first = first;
    t->block = block;
    first = NULL;
    block = NULL;
    st = RWA_OK;
done:
    free(first);
    free(fill);
    free(block);
    return st;
}

/** Room for the transfers of the stage; how many groups there will be. */
static rwa_status stage_open(const struct tree *t, struct stage *s, size_t *children, rwa_error *err)
{
    uint64_t transfers = 0;
    rwa_status st = RWA_OK;
    *children = 0;
    for (size_t g = 0; g < t->groups; g++) {
        uint32_t parts = tree_parts(t->border[g + 1] - t->border[g], t->radix[t->level]);
        *children += parts;
        transfers += (uint64_t)(parts - 1) * t->nodes;
    }
    TRY(stage_create(s, transfers, err));
    s->radix = t->radix[t->level];
    s->early = base_array(transfers, sizeof *s->early, err);
    if (!s->early)
        st = RWA_NOMEM;
done:
    return st;
}

static rwa_status tree_next(void *state, struct stage *s, rwa_error *err)
{
    struct tree *t = state;
    size_t children = 0;
    uint32_t *border = NULL;
    rwa_status st = RWA_OK;
    if (t->level == t->levels || t->groups == t->nodes)
        return RWA_OK;
    TRY(stage_open(t, s, &children, err));
    TRY(tree_cut_groups(t, &border, children, err));
    if (t->level == 0 && t->ring) {
        TRY(name_places(t, s, err));
        exchange_places(t, s, s->ranks);
    } else {
        TRY(tree_fill_groups(t, s, border, err));
    }
    free(t->border);
    t->border = border;
    t->groups = children;
    border = NULL;
    if (t->groups < t->nodes)
        TRY(receive(t, s, err));
    t->level++;
done:
    free(border);
    return st;
}

const struct scheme scheme_optree = {
    .name = "optree",
    .summary = "m-ary tree: nodes at equal position in sibling groups exchange all they hold",
    .source = "OpTree, Section IV",
    .collectives = 1u << RWA_ALL_GATHER,
    .networks = 1u << RWA_RING | 1u << RWA_LINE,
    .reversible = true,
    .validate = optree_validate,
    .tunings = optree_tunings,
    .open = tree_open,
    .next = tree_next,
    .close = tree_close,
    .formula = optree_formula,
};
