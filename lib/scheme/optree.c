/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * OpTree (Dai, Chen, Huang, Zhang: Efficient Algorithm for All-gather Operation in Optical Interconnect Systems).
 * Level j splits every group into m children; nodes at equal position in sibling groups exchange all they hold.
 * Sizes may differ by one; what a missing position would have got goes to the child's node that holds least, so that
 * after every level each group holds each block exactly once.
 */
#include "scheme/optree.h"

#include "base/base.h"

#include <stdlib.h>
#include <string.h>

struct tree {
    uint32_t nodes;
    bool ring;
    const uint32_t *radix;
    size_t levels, level;
    uint32_t *border;       /* group g is border[g] … border[g + 1] - 1 */
    size_t groups;
    uint64_t *first;        /* node v holds block[first[v]] … block[first[v + 1] - 1] */
    uint32_t *block;
    uint64_t *before;       /* of what node v holds, the first before[v] blocks it held before the last stage */
};

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

static uint32_t parts_of(uint32_t size, uint32_t radix)
{
    return size < radix ? size : radix;
}

/** The node of [from, to) that holds least, the last of equals. */
static uint32_t least_loaded(const uint64_t *holds, uint32_t from, uint32_t to)
{
    uint32_t best = from;
    for (uint32_t v = from; v < to; v++)
        if (holds[v] <= holds[best])
            best = v;
    return best;
}

/** Everything child [b, b_end) holds goes to child [a, a_end). */
static void send_child(const struct tree *t, struct stage *s, uint64_t *holds, uint32_t a, uint32_t a_end, uint32_t b,
                       uint32_t b_end)
{
    for (uint32_t v = b; v < b_end; v++)
        for (uint64_t i = t->first[v]; i < t->first[v + 1]; i++) {
            uint32_t dst = v - b < a_end - a ? a + (v - b) : least_loaded(holds, a, a_end);
            s->src[s->count] = v;
            s->dst[s->count] = dst;
            s->early[s->count] = i - t->first[v] < t->before[v];
            s->block[s->count++] = t->block[i];
            holds[dst]++;
        }
}

static void split_group(const struct tree *t, struct stage *s, uint64_t *holds, uint32_t from, uint32_t to)
{
    uint32_t size = to - from, parts = parts_of(size, s->radix);
    for (uint32_t a = 0; a < parts; a++)
        for (uint32_t b = 0; b < parts; b++)
            if (a != b)
                send_child(t, s, holds, from + part_start(size, parts, a), from + part_start(size, parts, a + 1),
                           from + part_start(size, parts, b), from + part_start(size, parts, b + 1));
}

/** On a ring the first stage goes all the way round: name each node's place and copy for the closed construction. */
static rwa_status name_places(const struct tree *t, struct stage *s, rwa_error *err)
{
    uint32_t parts = parts_of(t->nodes, s->radix);
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
static rwa_status receive(struct tree *t, const struct stage *s, const uint64_t *holds, rwa_error *err)
{
    uint64_t total = 0;
    rwa_status st = RWA_NOMEM;
    for (uint32_t v = 0; v < t->nodes; v++)
        total += holds[v];
    uint64_t *first = base_array((size_t)t->nodes + 1, sizeof *first, err);
    uint64_t *fill = base_array(t->nodes, sizeof *fill, err);
    uint32_t *block = base_array(total, sizeof *block, err);
    if (!first || !fill || !block)
        goto done;
    for (uint32_t v = 0; v < t->nodes; v++) {
        uint64_t own = t->first[v + 1] - t->first[v];
        first[v + 1] = first[v] + holds[v];
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

static rwa_status split_borders(struct tree *t, uint32_t radix, size_t children, rwa_error *err)
{
    uint32_t *border = base_array(children + 1, sizeof *border, err);
    size_t g = 0;
    if (!border)
        return RWA_NOMEM;
    for (size_t old = 0; old < t->groups; old++) {
        uint32_t size = t->border[old + 1] - t->border[old], parts = parts_of(size, radix);
        for (uint32_t c = 0; c < parts; c++)
            border[++g] = t->border[old] + part_start(size, parts, c + 1);
    }
    free(t->border);
    t->border = border;
    t->groups = children;
    return RWA_OK;
}

static rwa_status tree_next(void *state, struct stage *s, rwa_error *err)
{
    struct tree *t = state;
    uint64_t transfers = 0, *holds = NULL;
    size_t children = 0;
    uint32_t radix = t->level < t->levels ? t->radix[t->level] : 0;
    rwa_status st = RWA_OK;
    if (t->level == t->levels || t->groups == t->nodes)
        return RWA_OK;
    for (size_t g = 0; g < t->groups; g++) {
        uint32_t parts = parts_of(t->border[g + 1] - t->border[g], radix);
        children += parts;
        transfers += (uint64_t)(parts - 1) * t->nodes;
    }
    holds = base_array(t->nodes, sizeof *holds, err);
    TRY(stage_create(s, transfers, err));
    s->radix = radix;
    s->early = base_array(transfers, sizeof *s->early, err);
    if (!s->early || !holds) {
        st = RWA_NOMEM;
        goto done;
    }
    for (uint32_t v = 0; v < t->nodes; v++)
        holds[v] = t->first[v + 1] - t->first[v];
    for (size_t g = 0; g < t->groups; g++)
        split_group(t, s, holds, t->border[g], t->border[g + 1]);
    if (t->level == 0 && t->ring)
        TRY(name_places(t, s, err));
    TRY(split_borders(t, s->radix, children, err));
    if (t->groups < t->nodes)
        TRY(receive(t, s, holds, err));
    t->level++;
done:
    free(holds);
    if (st != RWA_OK)
        stage_free(s);
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
