/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "routing/odd_sets.h"

/* The most nodes of a set, and the least excess that counts, as a share of the wavelengths. */
enum { LARGEST_SET = 32 };
#define LEAST_EXCESS 1e-4

bool node_sets_have(const struct node_set *list, size_t count, const struct node_set *set, uint32_t nodes)
{
    for (size_t i = 0; i < count; i++)
        if (memcmp(list[i].in, set->in, node_set_words(nodes) * sizeof *set->in) == 0)
            return true;
    return false;
}

static void measure_set(const struct odd_sets *x, struct node_set *s)
{
    const struct routing_graph *g = x->graph;
    double slack = 0;
    s->fibers = 0;
    s->ends = 0;
    for (uint32_t v = 0; v < g->nodes; v++) {
        if (!node_set_has(s, v))
            continue;
        for (uint32_t u = 0; u < g->nodes; u++)
            s->ends += node_set_has(s, u) ? 0 : x->between[(size_t)v * g->nodes + u];
        for (uint32_t k = g->out_first[v]; k < g->out_first[v + 1]; k++)
            if (node_set_leaves(s, g, g->out[k])) {
                s->fibers += g->fibers[g->link[g->out[k]]];
                slack += x->slack[g->link[g->out[k]]];
            }
    }
    s->excess = x->wavelengths - slack - (double)s->ends;
}

static rwa_status list_set(struct odd_sets *x, const struct node_set *s)
{
    uint32_t nodes = x->graph->nodes;
    if (s->fibers % 2 == 0 || s->excess <= LEAST_EXCESS * (1 + x->wavelengths) ||
        node_sets_have(x->list, x->count, s, nodes))
        return RWA_OK;
    assert(x->count < x->capacity);
    x->list[x->count] = *s;
    arena_copy(x->arena, x->list[x->count].in, s->in, node_set_words(nodes));
    x->count++;
    return arena_status(x->arena);
}

static void flip_node(struct node_set *s, uint32_t node)
{
    s->in[node / 64] ^= UINT64_C(1) << node % 64;
}

/* The neighbour that gives the set the largest excess when it joins; RWA_NONE: the set has no neighbour. */
static uint32_t best_neighbour(const struct odd_sets *x, struct node_set *s)
{
    const struct routing_graph *g = x->graph;
    uint32_t best = RWA_NONE;
    double most = -INFINITY;
    for (uint32_t v = 0; v < g->nodes; v++)
        for (uint32_t k = g->out_first[v]; k < g->out_first[v + 1]; k++) {
            uint32_t u = g->to[g->out[k]];
            if (!node_set_leaves(s, g, g->out[k]) || u == best)
                continue;
            flip_node(s, u);
            measure_set(x, s);
            if (s->excess > most) {
                most = s->excess;
                best = u;
            }
            flip_node(s, u);
        }
    return best;
}

/* Grow a set from a node.  Stop when more traffic than wavelengths has one end in the set: then no slightly larger
 * set has an excess. */
static rwa_status grow_from(struct odd_sets *x, struct node_set *s, uint32_t node)
{
    memset(s->in, 0, node_set_words(x->graph->nodes) * sizeof *s->in);
    for (uint32_t size = 1; node != RWA_NONE && size <= LARGEST_SET; size++) {
        flip_node(s, node);
        measure_set(x, s);
        MUST(list_set(x, s));
        node = (double)s->ends < x->wavelengths ? best_neighbour(x, s) : RWA_NONE;
    }
    return RWA_OK;
}

COMPARATOR(by_excess, struct node_set, DOWN(excess) UP(ends))

rwa_status odd_sets_find(struct odd_sets *x)
{
    struct node_set s = {0};
    x->capacity = (size_t)x->graph->nodes * LARGEST_SET;
    arena_new(x->arena, x->list, x->capacity);
    MUST(arena_arrays(x->arena, node_set_words(x->graph->nodes), s.in));
    for (uint32_t v = 0; v < x->graph->nodes; v++)
        MUST(grow_from(x, &s, v));
    base_sort(x->list, x->count, by_excess);
    return RWA_OK;
}
