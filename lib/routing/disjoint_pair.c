/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "routing/disjoint_pair.h"

/* No arc of a link carries a unit of flow. */
#define NO_ARC UINT32_MAX

struct disjoint_pair {
    const struct routing_graph *graph;
    uint32_t src, dst;
    uint32_t *carries;      /* of each link: the arc that is in use, or NO_ARC */
    int64_t *dist;          /* of each node; INT64_MAX: not reached */
    uint32_t *came_by;      /* the arc that entered the node, or that was taken back to reach it */
    bool *took_back;        /* whether that arc was taken back */
    uint32_t *queue, head, count;   /* circular queue of nodes to look at */
    bool *waits;
    struct arena arena;
};

void disjoint_pair_close(struct disjoint_pair *p)
{
    if (!p)
        return;
    arena_free(&p->arena);
    free(p);
}

rwa_status disjoint_pair_open(struct disjoint_pair **out, const struct routing_graph *graph, rwa_error *err)
{
    MUST(base_new(*out, 1, err));
    struct disjoint_pair *p = *out;
    p->graph = graph;
    p->arena.err = err;
    arena_new(&p->arena, p->carries, graph->links);
    return arena_arrays(&p->arena, graph->nodes, p->dist, p->came_by, p->took_back, p->queue, p->waits);
}

static void reach(struct disjoint_pair *p, uint32_t node, int64_t dist, uint32_t arc, bool back)
{
    if (dist >= p->dist[node])
        return;
    p->dist[node] = dist;
    p->came_by[node] = arc;
    p->took_back[node] = back;
    if (p->waits[node])
        return;
    p->waits[node] = true;
    uint32_t room = p->graph->nodes - p->head;
    p->queue[p->count < room ? p->head + p->count : p->count - room] = node;
    p->count++;
}

static void look_around(struct disjoint_pair *p, const uint64_t *length, uint32_t v)
{
    const struct routing_graph *r = p->graph;
    for (uint32_t k = r->out_first[v]; k < r->out_first[v + 1]; k++)
        if (p->carries[r->link[r->out[k]]] == NO_ARC)
            reach(p, r->to[r->out[k]], p->dist[v] + (int64_t)length[r->out[k]], r->out[k], false);
    for (uint32_t k = r->in_first[v]; k < r->in_first[v + 1]; k++)
        if (p->carries[r->link[r->in[k]]] == r->in[k])
            reach(p, r->from[r->in[k]], p->dist[v] - (int64_t)length[r->in[k]], r->in[k], true);
}

/* Whether the search goes on from node v: not from dst and not from a closed node, unless that is src.  In the first
 * search (first) it does not go on from a node at least as far as dst either. */
static bool leads_on(const struct disjoint_pair *p, uint32_t v, bool first)
{
    /* in the first search no length is negative, so nodes as far as dst cannot shorten the path */
    return (v == p->src || (v != p->dst && !p->graph->closed[v])) && !(first && p->dist[v] >= p->dist[p->dst]);
}

/* Send one more unit of flow from src to dst along the path that is cheapest by the lengths of the arcs (Bellman and
 * Ford).  Return false if there is no path.  first: there is no flow yet. */
static bool augment(struct disjoint_pair *p, const uint64_t *length, bool first)
{
    const struct routing_graph *r = p->graph;
    p->head = p->count = 0;
    for (uint32_t v = 0; v < r->nodes; v++)
        p->dist[v] = INT64_MAX;
    reach(p, p->src, 0, NO_ARC, false);
    while (p->count > 0) {
        uint32_t v = p->queue[p->head];
        p->head = p->head + 1 < r->nodes ? p->head + 1 : 0;
        p->count--;
        p->waits[v] = false;
        if (leads_on(p, v, first))
            look_around(p, length, v);
    }
    if (p->dist[p->dst] == INT64_MAX)
        return false;
    for (uint32_t v = p->dst; v != p->src;) {
        uint32_t arc = p->came_by[v];
        p->carries[r->link[arc]] = p->took_back[v] ? NO_ARC : arc;
        v = p->took_back[v] ? r->to[arc] : r->from[arc];
    }
    return true;
}

uint64_t disjoint_pair_between(struct disjoint_pair *p, const uint64_t *length, uint32_t src, uint32_t dst)
{
    assert(src != dst && src < p->graph->nodes && dst < p->graph->nodes);
    uint64_t total = 0;
    p->src = src;
    p->dst = dst;
    for (uint32_t l = 0; l < p->graph->links; l++)
        p->carries[l] = NO_ARC;
    for (int unit = 0; unit < 2; unit++) {
        if (!augment(p, length, unit == 0))
            return GRAPH_FAR;
        total += (uint64_t)p->dist[dst];
    }
    return total;
}

void disjoint_pair_load(const struct disjoint_pair *p, uint64_t *load, uint64_t amount)
{
    for (uint32_t l = 0; l < p->graph->links; l++)
        load[l] += p->carries[l] != NO_ARC ? amount : 0;
}

/* Write to `arc` the arcs of one path of the flow from src to dst, take them out of the flow, and return the hops. */
static size_t walk(struct disjoint_pair *p, uint32_t *arc)
{
    const struct routing_graph *r = p->graph;
    size_t hops = 0;
    for (uint32_t v = p->src; v != p->dst; v = r->to[arc[hops - 1]])
        for (uint32_t k = r->out_first[v]; k < r->out_first[v + 1]; k++)
            if (p->carries[r->link[r->out[k]]] == r->out[k]) {
                p->carries[r->link[r->out[k]]] = NO_ARC;
                arc[hops++] = r->out[k];
                break;
            }
    return hops;
}

void disjoint_pair_read(struct disjoint_pair *p, uint32_t *arc, size_t hops[2])
{
    size_t a = walk(p, arc), b = walk(p, arc + a);
    hops[0] = a < b ? a : b;
    hops[1] = a < b ? b : a;
    if (a <= b)
        return;
    memcpy(p->queue, arc, a * sizeof *arc);
    memmove(arc, arc + a, b * sizeof *arc);
    memcpy(arc + b, p->queue, a * sizeof *arc);
}
