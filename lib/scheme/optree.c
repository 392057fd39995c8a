/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * OpTree (Dai, Chen, Huang, Zhang: Efficient Algorithm for All-gather Operation in Optical Interconnect Systems).
 * Level j splits every group into m children; nodes at equal position in sibling groups exchange all they hold.
 * Sizes may differ by one; what a missing position would have got goes to the child's node that holds least, so that
 * after every level each group holds each block exactly once.  One-stage is the tree with the single radix N.
 */
#include "scheme/scheme.h"

#include "base/base.h"

#include <math.h>
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

void stage_free(struct stage *stage)
{
    free(stage->src);
    free(stage->dst);
    free(stage->block);
    free(stage->early);
    free(stage->rank_of);
    free(stage->copy_of);
    memset(stage, 0, sizeof *stage);
}

rwa_status tree_create(struct tree **out, const rwa_network *net, const uint32_t *radix, size_t levels, rwa_error *err)
{
    uint32_t n = rwa_network_nodes(net);
    struct tree *t = base_array(1, sizeof *t, err);
    *out = NULL;
    if (!t)
        return RWA_NOMEM;
    *t = (struct tree){.nodes = n, .ring = rwa_network_get_kind(net) == RWA_RING, .radix = radix, .levels = levels};
    t->border = base_array(2, sizeof *t->border, err);
    t->first = base_array((size_t)n + 1, sizeof *t->first, err);
    t->block = base_array(n, sizeof *t->block, err);
    t->before = base_array(n, sizeof *t->before, err);
    if (!t->border || !t->first || !t->block || !t->before) {
        tree_free(t);
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

void tree_free(struct tree *t)
{
    if (!t)
        return;
    free(t->border);
    free(t->first);
    free(t->block);
    free(t->before);
    free(t);
}

/** Where child c of a group of `size` nodes cut into `parts` begins: sizes differ by at most one, larger ones first. */
static uint32_t child_start(uint32_t size, uint32_t parts, uint32_t c)
{
    uint32_t extra = size % parts;
    return c * (size / parts) + (c < extra ? c : extra);
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
                send_child(t, s, holds, from + child_start(size, parts, a), from + child_start(size, parts, a + 1),
                           from + child_start(size, parts, b), from + child_start(size, parts, b + 1));
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
    s->copies = child_start(t->nodes, parts, 1);
    for (uint32_t c = 0; c < parts; c++)
        for (uint32_t v = child_start(t->nodes, parts, c); v < child_start(t->nodes, parts, c + 1); v++) {
            s->rank_of[v] = c;
            s->copy_of[v] = v - child_start(t->nodes, parts, c);
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
            border[++g] = t->border[old] + child_start(size, parts, c + 1);
    }
    free(t->border);
    t->border = border;
    t->groups = children;
    return RWA_OK;
}

rwa_status tree_next(struct tree *t, struct stage *s, rwa_error *err)
{
    uint64_t transfers = 0, *holds = NULL;
    size_t children = 0;
    rwa_status st = RWA_NOMEM;
    memset(s, 0, sizeof *s);
    if (t->level == t->levels || t->groups == t->nodes)
        return RWA_OK;
    s->radix = t->radix[t->level];
    for (size_t g = 0; g < t->groups; g++) {
        uint32_t parts = parts_of(t->border[g + 1] - t->border[g], s->radix);
        children += parts;
        transfers += (uint64_t)(parts - 1) * t->nodes;
    }
    holds = base_array(t->nodes, sizeof *holds, err);
    s->src = base_array(transfers, sizeof *s->src, err);
    s->dst = base_array(transfers, sizeof *s->dst, err);
    s->block = base_array(transfers, sizeof *s->block, err);
    s->early = base_array(transfers, sizeof *s->early, err);
    if (!holds || !s->src || !s->dst || !s->block || !s->early)
        goto done;
    for (uint32_t v = 0; v < t->nodes; v++)
        holds[v] = t->first[v + 1] - t->first[v];
    for (size_t g = 0; g < t->groups; g++)
        split_group(t, s, holds, t->border[g], t->border[g + 1]);
    st = RWA_OK;
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

static uint64_t ceil_div(uint64_t a, uint64_t b)
{
    return a / b + (a % b != 0);
}

uint64_t optree_theorem1(uint32_t nodes, uint32_t channels, uint32_t k)
{
    double n = nodes, steps = 0;
    if (k < 2)
        return ceil_div((uint64_t)nodes * nodes, (uint64_t)8 * channels);
    steps = (2.0 * k - 1) * pow(n, 1 + 1.0 / k) / (8.0 * channels);
    return (uint64_t)ceil(steps - 1e-9 * steps); /* exact powers must not be pushed up by rounding */
}

uint32_t optree_lemma3(uint32_t nodes)
{
    double l = log((double)nodes);
    return l < 2 ? 1 : (uint32_t)ceil((l + sqrt(l * (l - 2))) / 2);
}

void optree_stage_wavelengths(uint64_t *out, const rwa_network *net, const uint32_t *radix, size_t levels)
{
    uint64_t n = rwa_network_nodes(net), held = 1, product = 1;
    bool ring = rwa_network_get_kind(net) == RWA_RING;
    for (size_t j = 0; j < levels; j++) {
        uint64_t m = radix[j];
        product = product > n ? product : product * m;
        out[j] = held * ceil_div(n, product) * (j == 0 && ring ? ceil_div(m * m, 8) : m * m / 4);
        held = held > n ? held : held * m;
    }
}
