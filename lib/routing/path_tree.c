/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "routing/path_tree.h"

rwa_status path_tree_create(struct path_tree *w, const struct routing_graph *graph, rwa_error *err)
{
    w->arena.err = err;
    return arena_arrays(&w->arena, graph->nodes, w->dist, w->arc, w->order, w->heap, w->place);
}

void path_tree_free(struct path_tree *w)
{
    arena_free(&w->arena);
    memset(w, 0, sizeof *w);
}

static void set_at(struct path_tree *w, uint32_t i, uint32_t node)
{
    w->heap[i] = node;
    w->place[node] = i;
}

static void sift_up(struct path_tree *w, uint32_t i)
{
    assert(i < w->count);
    uint32_t node = w->heap[i];
    for (; i > 0 && w->dist[w->heap[(i - 1) / 2]] > w->dist[node]; i = (i - 1) / 2)
        set_at(w, i, w->heap[(i - 1) / 2]);
    set_at(w, i, node);
}

static uint32_t pop_nearest(struct path_tree *w)
{
    assert(w->count > 0);
    uint32_t nearest = w->heap[0], node = w->heap[--w->count], i = 0;
    for (uint32_t next = 1; next < w->count; next = 2 * i + 1) {
        if (next + 1 < w->count && w->dist[w->heap[next + 1]] < w->dist[w->heap[next]])
            next++;
        if (w->dist[w->heap[next]] >= w->dist[node])
            break;
        set_at(w, i, w->heap[next]);
        i = next;
    }
    if (w->count > 0)
        set_at(w, i, node);
    return nearest;
}

static void relax(struct path_tree *w, uint32_t node, uint64_t dist, uint32_t arc)
{
    if (dist >= w->dist[node])
        return;
    if (w->dist[node] == GRAPH_FAR)
        w->place[node] = w->count++;
    assert(w->place[node] < w->count);
    w->dist[node] = dist;
    w->arc[node] = arc;
    w->heap[w->place[node]] = node;
    sift_up(w, w->place[node]);
}

/* One search: its root, the lists of arcs and the nodes that they lead to, and the nodes and arcs that are shut. */
struct query {
    const uint64_t *length, *left; /* left: NULL, or the distance to the target when nothing is shut */
    uint32_t root, target;
    const uint32_t *first, *list, *end;
    const bool *shut_node, *shut_arc;
};

/* Whether an arc must not be taken: it is shut, or the node that it leads to is shut.  If q->left gives the distances
 * to the target, nodes without a path to the target and closed nodes other than the target count as shut. */
static bool is_shut(const struct query *q, const struct routing_graph *r, uint32_t arc)
{
    uint32_t node = q->end[arc];
    return (q->shut_arc && q->shut_arc[arc]) || (q->shut_node && q->shut_node[node]) ||
           (q->left && (q->left[node] == GRAPH_FAR || (r->closed[node] && node != q->target)));
}

static void dijkstra(struct path_tree *w, const struct routing_graph *r, const struct query *q)
{
    assert(q->root < r->nodes);
    for (uint32_t v = 0; v < r->nodes; v++) {
        w->dist[v] = GRAPH_FAR;
        w->arc[v] = RWA_NONE;
    }
    w->count = w->settled = 0;
    relax(w, q->root, 0, RWA_NONE);
    while (w->count > 0) {
        uint32_t v = w->order[w->settled++] = pop_nearest(w);
        if (v == q->target)
            return;
        if (v != q->root && r->closed[v])
            continue;
        for (uint32_t k = q->first[v]; k < q->first[v + 1]; k++) {
            uint32_t arc = q->list[k];
            /* with `left`, an arc costs its detour from the shortest path to the target: never negative, and it
             * keeps the order of paths */
            if (!is_shut(q, r, arc))
                relax(w, q->end[arc], w->dist[v] + q->length[arc] + (q->left ? q->left[q->end[arc]] - q->left[v] : 0),
                      arc);
        }
    }
}

void path_tree_from(struct path_tree *w, const struct routing_graph *r, const uint64_t *length, uint32_t root)
{
    dijkstra(w, r, &(struct query){length, NULL, root, RWA_NONE, r->out_first, r->out, r->to, NULL, NULL});
}

void path_tree_to(struct path_tree *w, const struct routing_graph *r, const uint64_t *length, uint32_t root)
{
    dijkstra(w, r, &(struct query){length, NULL, root, RWA_NONE, r->in_first, r->in, r->from, NULL, NULL});
}

/* Whether every arc from the root is shut.  Most searches without a path end here, before all nodes are initialised. */
static bool is_cut_off(const struct query *q, const struct routing_graph *r)
{
    uint32_t k = q->first[q->root];
    while (k < q->first[q->root + 1] && is_shut(q, r, q->list[k]))
        k++;
    return k == q->first[q->root + 1];
}

bool path_tree_between(struct path_tree *w, const struct routing_graph *r, const uint64_t *length, uint32_t src,
                       uint32_t dst, const uint64_t *left, const bool *shut_node, const bool *shut_arc)
{
    assert(src < r->nodes && dst < r->nodes && src != dst);
    const struct query q = {length, left, src, dst, r->out_first, r->out, r->to, shut_node, shut_arc};
    if (is_cut_off(&q, r))
        return false;
    dijkstra(w, r, &q);
    return w->dist[dst] != GRAPH_FAR;
}

size_t tree_path(uint32_t *arc, const struct routing_graph *r, const uint32_t *tree, uint32_t src, uint32_t dst)
{
    size_t hops = 0;
    assert(src != dst);
    for (uint32_t v = dst; v != src; v = r->from[tree[v]], hops++)
        if (tree[v] == RWA_NONE)
            return 0;
    for (uint32_t v = dst, k = (uint32_t)hops; k > 0; v = r->from[tree[v]])
        arc[--k] = tree[v];
    return hops;
}

rwa_status tree_add_path(struct paths *paths, size_t from, const struct routing_graph *r, const uint32_t *tree,
                         uint32_t src, uint32_t dst, rwa_error *err)
{
    rwa_status st = RWA_OK;
    uint32_t *arc;
    MUST(base_new(arc, r->nodes, err));
    size_t hops = tree_path(arc, r, tree, src, dst);
    if (hops > 0 && !paths_hold(paths, from, arc, hops))
        st = paths_add(paths, arc, hops, err);
    free(arc);
    return st;
}
