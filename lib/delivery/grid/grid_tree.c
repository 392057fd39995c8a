/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "delivery/grid/grid_tree.h"

rwa_status grid_create(struct grid *g, const uint32_t *shape, size_t dimensions, rwa_error *err)
{
    uint32_t stride = 1;
    *g = (struct grid){.shape = shape, .dimensions = dimensions, .nodes = 1, .ways = (uint32_t)(2 * dimensions)};
    for (size_t d = 0; d < dimensions; d++)
        g->nodes *= shape[d];
    MUST(base_new(g->predecessor, (size_t)g->ways * g->nodes, err));
    for (size_t d = dimensions; d-- > 0; stride *= shape[d])
        for (uint32_t v = 0; v < g->nodes; v++) {
            uint32_t at = v / stride % shape[d], row = v - at * stride;
            g->predecessor[2 * d * g->nodes + v] = row + (at + shape[d] - 1) % shape[d] * stride;
            g->predecessor[(2 * d + 1) * g->nodes + v] = row + (at + 1) % shape[d] * stride;
        }
    return RWA_OK;
}

void grid_free(struct grid *g)
{
    free(g->predecessor);
    memset(g, 0, sizeof *g);
}

void grid_tree_name_senders(struct delivery_tree *tree, const struct grid *g)
{
    for (uint32_t v = 1; v < g->nodes; v++) {
        struct delivery *d = &tree->at[v];
        d->ends = true;
        d->from = v;
        for (uint32_t i = 0; i < d->links; i++)
            d->from = g->predecessor[(size_t)d->way * g->nodes + d->from];
    }
    delivery_tree_check(tree);
}

/** How far node v lies up or down the ring of a dimension: the shorter way. */
static uint32_t distance(uint32_t at, uint32_t size)
{
    return at <= size / 2 ? at : size - at;
}

/** Nodes whose offset in later dimensions is 0 receive first; of one distance, `channels` lines at a time. */
rwa_status grid_tree_plain(struct delivery_tree *out, const struct grid *g, uint32_t channels, rwa_error *err)
{
    uint32_t stride = 1, before = 0; /* nodes and steps so far */
    rwa_status st = delivery_tree_create(out, 1, g->nodes, 0, err);
    assert(channels > 0);
    for (size_t d = g->dimensions; d-- > 0 && st == RWA_OK; stride *= g->shape[d]) {
        uint32_t rounds = stride / channels + (stride % channels != 0), size = g->shape[d];
        for (uint32_t v = stride; v < stride * size; v++) {
            uint32_t at = v / stride, line = v % stride;
            out->at[v].step = before + (distance(at, size) - 1) * rounds + line / channels + 1;
            out->at[v].way = (uint8_t)(2 * d + (at > size / 2));
            out->at[v].links = 1;
        }
        before += size / 2 * rounds;
    }
    out->steps = before;
    if (st == RWA_OK)
        grid_tree_name_senders(out, g);
    return st;
}
