/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The distances that all blocks must travel, added up, against the channels of all links. */
#include "bound/demand.h"
#include "bound/graph.h"

/** Return the blocks from each node to each other node (in a scatter or gather: between the root and each node); 0: the
 *  collective has no such pairs. */
static uint64_t per_pair(const struct bound_case *c)
{
    if (c->coll->kind == RWA_ALL_TO_ALL)
        return demand_is_personal(c->coll) ? collective_parts(c->coll) : 0;
    return c->coll->kind == RWA_SCATTER || c->coll->kind == RWA_GATHER ? c->coll->blocks / c->nodes : 0;
}

/** Set count[d] to the number of blocks that must travel d links of a ring or line. */
static void count_along(uint64_t *count, const struct bound_case *c)
{
    uint64_t n = c->nodes, below = c->root, above = n - 1 - c->root;
    bool all = c->coll->kind == RWA_ALL_TO_ALL;
    for (uint64_t d = 1; d < n; d++) {
        uint64_t along = all ? 2 * (n - d) : (uint64_t)(d <= below) + (d <= above), round = 2 * d < n ? 2 : 2 * d == n;
        count[d] = per_pair(c) * (bound_on_cycle(c) ? (all ? n : 1) * round : along);
    }
}

/** Add to count[d] the number of blocks that must travel d links of a network of listed links. */
static void count_in_graph(uint64_t *count, const struct bound_case *c)
{
    struct bound_graph *g = c->graph;
    bool all = c->coll->kind == RWA_ALL_TO_ALL;
    for (uint32_t r = 0; r < c->nodes; r++) {
        if (!all && r != c->coll->root)
            continue;
        for (uint32_t i = bound_graph_walk(g, g->member[r], c->coll->kind == RWA_GATHER); i-- > 1;)
            if (g->rank[g->order[i]] != BOUND_NO_RANK)
                count[g->hops[g->order[i]]] += (all && g->alike ? c->nodes : 1) * per_pair(c);
        if (all && g->alike)
            break;
    }
}

static uint64_t length_beyond(const uint64_t *count, uint32_t nodes, uint64_t hops)
{
    uint64_t sum = 0;
    assert(count[0] == 0); /* no node needs to send blocks to itself */
    for (uint64_t d = hops + 1; d < nodes; d++)
        sum = plus_saturated(sum, times_saturated(count[d], d - hops));
    return sum;
}

rwa_status distance_load(struct bound_load *l, const struct bound_case *c, rwa_error *err)
{
    uint32_t nodes = c->graph ? c->graph->nodes : c->nodes, farthest = nodes - 1;
    uint64_t width = c->arcs ? bound_links(c) * c->channels : c->graph ? c->graph->channels : 0, *count;
    if (per_pair(c) == 0 || width == 0 || (c->graph && bound_graph_is_large(c->graph)))
        return RWA_OK;
    MUST(base_new(count, nodes, err));
    (c->arcs ? count_along : count_in_graph)(count, c);
    while (farthest > 1 && count[farthest] == 0)
        farthest--;
    /* after j steps each block is nearer by at most j * max_hops links, and the channels of the later steps must carry
       the rest; the steps that this takes are convex in j, so the smallest and the largest j are enough */
    uint64_t last = (farthest - 1) / c->max_hops;
    bound_load_add(l, c, length_beyond(count, nodes, 0), width);
    uint64_t left = length_beyond(count, nodes, last * c->max_hops), limited = last + ceil_div(left, width);
    bound_say(c, "the blocks have %" PRIu64 " links to go in all, and the network offers %" PRIu64 " a step: %s",
              l->blocks, l->width, QUOTIENT(l->blocks, l->width));
    if (limited > l->steps)
        bound_say(c, "after %" PRIu64 " step%s of at most %u links the blocks still have %" PRIu64 " links to go in "
                  "all, and the network offers %" PRIu64 " a step: %" PRIu64 " + %s", last, plural(last), c->max_hops,
                  left, width, last, QUOTIENT(left, width));
    RAISE(l->steps, limited);
    free(count);
    return RWA_OK;
}

static rwa_status compute(rwa_bound *b, const struct bound_case *c, rwa_error *err)
{
    struct bound_load l = {0};
    rwa_status st = distance_load(&l, c, err);
    b->value = l.steps;
    return st;
}

const struct bound_entry bound_distance = {"distance", "steps",
                                           "the distances that all blocks have to go, added up, need that many "
                                           "channels of links; a block gets nearer by at most "
                                           "the hop limit in a step",
                                           "docs/reference/bounds.md: counting", .compute = compute};
