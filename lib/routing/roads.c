/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "routing/roads.h"

#include <stdlib.h>
#include <string.h>

static bool make_room(struct roads *r, rwa_error *err)
{
    r->from = base_array(r->arcs, sizeof *r->from, err);
    r->to = base_array(r->arcs, sizeof *r->to, err);
    r->link = base_array(r->arcs, sizeof *r->link, err);
    r->length = base_array(r->arcs, sizeof *r->length, err);
    r->out_first = base_array((size_t)r->nodes + 1, sizeof *r->out_first, err);
    r->in_first = base_array((size_t)r->nodes + 1, sizeof *r->in_first, err);
    r->out = base_array(r->arcs, sizeof *r->out, err);
    r->in = base_array(r->arcs, sizeof *r->in, err);
    r->fibers = base_array(r->links, sizeof *r->fibers, err);
    r->closed = base_array(r->nodes, sizeof *r->closed, err);
    return r->from && r->to && r->link && r->length && r->out_first && r->in_first && r->out && r->in && r->fibers &&
           r->closed;
}

void roads_free(struct roads *r)
{
    free(r->from);
    free(r->to);
    free(r->link);
    free(r->length);
    free(r->out_first);
    free(r->in_first);
    free(r->out);
    free(r->in);
    free(r->fibers);
    free(r->closed);
    memset(r, 0, sizeof *r);
}

static void take_links(struct roads *r, const rwa_network *net, rwa_model model)
{
    for (uint32_t a = 0; a < r->arcs; a++) {
        rwa_link link = rwa_network_link(net, a);
        double metres = link.length_km * 1000;
        r->from[a] = link.from;
        r->to[a] = link.to;
        r->link[a] = model == RWA_UNDIRECTED ? rwa_network_pair(net, a) : a;
        if (r->fibers[r->link[a]] == 0 || link.fibers < r->fibers[r->link[a]])
            r->fibers[r->link[a]] = link.fibers; /* a pair has as many as its poorer direction */
        r->length[a] = ROADS_HOP + (metres < 4e9 ? (uint64_t)metres : UINT32_MAX);
    }
}

/* A fibre pair with one dead direction is no pair. */
static void mark_failed(const struct roads *r, const rwa_network *net, bool *failed)
{
    rwa_faults faults;
    rwa_network_faults(net, &faults);
    for (size_t i = 0; i < faults.link_count; i++)
        failed[r->link[faults.links[i]]] = true;
}

/* Counting sort of the arcs in use by one of their ends. */
static void index_arcs(const struct roads *r, const bool *failed, const uint32_t *end, uint32_t *first, uint32_t *list)
{
    for (uint32_t a = 0; a < r->arcs; a++)
        first[end[a] + 1] += !failed[r->link[a]];
    for (uint32_t v = 0; v < r->nodes; v++)
        first[v + 1] += first[v];
    for (uint32_t a = 0; a < r->arcs; a++)
        if (!failed[r->link[a]])
            list[first[end[a]]++] = a;
    for (uint32_t v = r->nodes; v > 0; v--) /* each has moved on to where the next begins */
        first[v] = first[v - 1];
    first[0] = 0;
}

rwa_status roads_create(struct roads *r, const rwa_network *net, rwa_model model, rwa_error *err)
{
    r->nodes = rwa_network_nodes(net);
    r->arcs = rwa_network_directed_links(net);
    r->links = model == RWA_UNDIRECTED ? rwa_network_pairs(net) : r->arcs;
    bool *failed = base_array(r->links, sizeof *failed, err);
    if (!failed || !make_room(r, err)) {
        free(failed);
        return RWA_NOMEM;
    }
    take_links(r, net, model);
    mark_failed(r, net, failed);
    index_arcs(r, failed, r->from, r->out_first, r->out);
    index_arcs(r, failed, r->to, r->in_first, r->in);
    free(failed);
    return RWA_OK;
}

rwa_status ways_create(struct ways *w, const struct roads *roads, rwa_error *err)
{
    w->dist = base_array(roads->nodes, sizeof *w->dist, err);
    w->arc = base_array(roads->nodes, sizeof *w->arc, err);
    w->heap = base_array(roads->nodes, sizeof *w->heap, err);
    w->place = base_array(roads->nodes, sizeof *w->place, err);
    return w->dist && w->arc && w->heap && w->place ? RWA_OK : RWA_NOMEM;
}

void ways_free(struct ways *w)
{
    free(w->dist);
    free(w->arc);
    free(w->heap);
    free(w->place);
    memset(w, 0, sizeof *w);
}

static void set_at(struct ways *w, uint32_t i, uint32_t node)
{
    w->heap[i] = node;
    w->place[node] = i;
}

static void rise(struct ways *w, uint32_t i)
{
    uint32_t node = w->heap[i];
    for (; i > 0 && w->dist[w->heap[(i - 1) / 2]] > w->dist[node]; i = (i - 1) / 2)
        set_at(w, i, w->heap[(i - 1) / 2]);
    set_at(w, i, node);
}

static uint32_t take_nearest(struct ways *w)
{
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

static void reach(struct ways *w, uint32_t node, uint64_t dist, uint32_t arc)
{
    if (dist >= w->dist[node])
        return;
    if (w->dist[node] == ROADS_FAR)
        w->place[node] = w->count++;
    w->dist[node] = dist;
    w->arc[node] = arc;
    w->heap[w->place[node]] = node;
    rise(w, w->place[node]);
}

/* One question: from where, along which lists of arcs to which of their ends, and what is shut. */
struct quest {
    const uint64_t *length, *left; /* left: NULL, or the distance to the target when nothing is shut */
    uint32_t root, target;
    const uint32_t *first, *list, *end;
    const bool *shut_node, *shut_arc;
};

static bool is_shut(const struct quest *q, uint32_t arc)
{
    uint32_t node = q->end[arc];
    return (q->shut_arc && q->shut_arc[arc]) || (q->shut_node && q->shut_node[node]) ||
           (q->left && q->left[node] == ROADS_FAR);
}

static void spread(struct ways *w, const struct roads *r, const struct quest *q)
{
    for (uint32_t v = 0; v < r->nodes; v++) {
        w->dist[v] = ROADS_FAR;
        w->arc[v] = RWA_NO_LINK;
    }
    w->count = 0;
    reach(w, q->root, 0, RWA_NO_LINK);
    while (w->count > 0) {
        uint32_t v = take_nearest(w);
        if (v == q->target)
            return;
        if (v != q->root && r->closed[v])
            continue;
        for (uint32_t k = q->first[v]; k < q->first[v + 1]; k++) {
            uint32_t arc = q->list[k];
            /* with `left` the arcs cost what they lead astray, which is never negative and keeps the order of paths */
            if (!is_shut(q, arc))
                reach(w, q->end[arc], w->dist[v] + q->length[arc] + (q->left ? q->left[q->end[arc]] - q->left[v] : 0), arc);
        }
    }
}

void ways_from(struct ways *w, const struct roads *r, const uint64_t *length, uint32_t root)
{
    struct quest q = {.length = length, .root = root, .target = RWA_NO_NODE, .first = r->out_first, .list = r->out,
                      .end = r->to};
    spread(w, r, &q);
}

void ways_to(struct ways *w, const struct roads *r, const uint64_t *length, uint32_t root)
{
    struct quest q = {.length = length, .root = root, .target = RWA_NO_NODE, .first = r->in_first, .list = r->in,
                      .end = r->from};
    spread(w, r, &q);
}

bool ways_between(struct ways *w, const struct roads *r, const uint64_t *length, uint32_t src, uint32_t dst,
                  const uint64_t *left, const bool *shut_node, const bool *shut_arc)
{
    struct quest q = {.length = length, .left = left, .root = src, .target = dst, .first = r->out_first, .list = r->out,
                      .end = r->to, .shut_node = shut_node, .shut_arc = shut_arc};
    spread(w, r, &q);
    return w->dist[dst] != ROADS_FAR;
}
