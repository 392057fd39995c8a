/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * OpTree (Dai, Chen, Huang, Zhang: Efficient Algorithm for All-gather Operation in Optical Interconnect Systems).
 * Level j splits every group into m children; nodes at equal position in sibling groups exchange all they hold.
 * Sizes may differ by one, and then positions do not match: what counts is that after every level each group holds each
 * block exactly once, in equal shares for the parts it will be cut into next.
 */
#include "scheme/published/optree_tree.h"

void tree_close(struct tree *t)
{
    free_all(t->border, t->first, t->block, t->before);
    memset(t, 0, sizeof *t);
}

rwa_status tree_open(struct tree *t, uint32_t n, uint32_t held, rwa_error *err)
{
    *t = (struct tree){.nodes = n, .held = held, .groups = 1};
    MUST(base_new(t->border, 2, err));
    MUST(base_new(t->first, (size_t)n + 1, err));
    MUST(base_new(t->block, (size_t)n * held, err));
    MUST(base_new(t->before, n, err));
    t->border[1] = n;
    for (uint32_t v = 0; v < n; v++)
        t->first[v + 1] = (v + (uint64_t)1) * held;
    for (uint32_t b = 0; b < n * held; b++)
        t->block[b] = b;
    return RWA_OK;
}

/** The first stage of a ring: everyone sends what is its own; a missing position is played by the node before it. */
static void exchange_places(const struct tree *t, struct transfers *s, uint32_t parts)
{
    for (uint32_t a = 0; a < parts; a++)
        for (uint32_t b = 0; b < parts; b++) {
            uint32_t to = part_start(t->nodes, parts, a), last = part_start(t->nodes, parts, a + 1) - 1;
            uint32_t from = part_start(t->nodes, parts, b), end = part_start(t->nodes, parts, b + 1);
            for (uint32_t v = from; v < end && a != b; v++)
                for (uint32_t k = 0; k < t->held; k++) {
                    s->copy[s->count] = (v - from) * t->held + k;
                    tree_send(t, s, v, t->first[v] + k, to + (v - from) <= last ? to + (v - from) : last);
                }
        }
}

/** On a ring the first stage goes all the way round: name each node's place and copies for the closed construction. */
static rwa_status name_nodes(const struct tree *t, struct transfers *s, rwa_error *err)
{
    uint32_t parts = tree_parts(t->nodes, s->radix);
    MUST(base_new(s->rank_of, t->nodes, err));
    s->ranks = parts;
    s->copies = part_start(t->nodes, parts, 1) * t->held;
    for (uint32_t c = 0; c < parts; c++)
        for (uint32_t v = part_start(t->nodes, parts, c); v < part_start(t->nodes, parts, c + 1); v++)
            s->rank_of[v] = c;
    return RWA_OK;
}

/** The blocks of each node after the stage. */
static rwa_status receive(struct tree *t, const struct transfers *s, rwa_error *err)
{
    rwa_status st = RWA_OK;
    uint64_t *first = base_array((size_t)t->nodes + 1, sizeof *first, err);
    uint64_t *fill = base_array(t->nodes, sizeof *fill, err);
    uint32_t *block = base_array(t->first[t->nodes] + s->count, sizeof *block, err);
    TRY(first && fill && block ? RWA_OK : RWA_NOMEM);
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
    free_all(t->first, t->block);
    t->first = first;
    t->block = block;
    first = NULL;
    block = NULL;
done:
    free_all(first, fill, block);
    return st;
}

/** How many groups there will be, and transfers. */
static uint64_t count_transfers(const struct tree *t, size_t *children)
{
    uint64_t transfers = 0;
    *children = 0;
    for (size_t g = 0; g < t->groups; g++) {
        uint32_t parts = tree_parts(t->border[g + 1] - t->border[g], t->radix[t->level]);
        *children += parts;
        transfers += (uint64_t)(parts - 1) * tree_blocks(t);
    }
    return transfers;
}

rwa_status tree_next(struct tree *t, struct transfers *s, rwa_error *err)
{
    size_t children = 0;
    uint32_t *border = NULL;
    rwa_status st = RWA_OK;
    assert(!tree_is_done(t));
    uint64_t transfers = count_transfers(t, &children);
    bool closed = t->level == 0 && t->cycle;
    TRY(transfers_create(s, transfers, WITH_EARLY | (closed ? WITH_COPY : 0), err));
    s->radix = t->radix[t->level];
    TRY(tree_cut_groups(t, &border, children, err));
    if (closed) {
        TRY(name_nodes(t, s, err));
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

/** All levels of the tree along one dimension; *level counts the radices used. */
static rwa_status push_tree(struct schedule_sink *sink, const struct plan_request *request, size_t dimension, size_t *level, rwa_error *err)
{
    const struct parameters *p = request->parameters;
    struct optree_row row = optree_row(request->net, dimension);
    size_t left = optree_levels(p) - *level;
    struct transfers s = {0};
    struct tree t;
    rwa_status st = RWA_OK;
    TRY(tree_open(&t, row.nodes, row.stride, err));
    t.cycle = row.cycle;
    t.radix = p->radix + *level;
    t.levels = dimension > 0 ? optree_needed(t.radix, left, row.nodes) : left;
    *level += t.levels;
    assert(*level <= RADIX_LEVELS);
    while (!tree_is_done(&t)) {
        TRY(tree_next(&t, &s, err));
        if (optree_dimensions(request->net) > 1)
            s.rows = (struct stage_rows){row.nodes, row.stride};
        TRY(sink_transfers(sink, &s, err));
    }
done:
    transfers_free(&s);
    tree_close(&t);
    return st;
}

/** One tree after the other: one on a ring or line, on a torus or mesh one along each dimension, the last first. */
static rwa_status plan_optree(struct schedule_sink *sink, const struct plan_request *request, rwa_error *err)
{
    size_t level = 0;
    for (size_t d = optree_dimensions(request->net); d-- > 0;)
        MUST(push_tree(sink, request, d, &level, err));
    return RWA_OK;
}

const struct scheme scheme_optree = {
    .name = "optree",
    .summary = "m-ary tree: nodes at equal position in sibling groups exchange all they hold",
    .source = "OpTree, Section IV",
    .collectives = 1u << RWA_ALL_GATHER,
    .needs = NETWORK_ARCS | NETWORK_TORUS | NETWORK_MESH,
    .reads = READS_RADIX | READS_STAGES,
    .solver_needs = NETWORK_ARCS | NETWORK_TORUS | NETWORK_MESH,
    .traits = REVERSIBLE,
    .validate = optree_validate,
    .estimate = optree_estimate,
    .plan = plan_optree,
    .formula = optree_formula,
};
