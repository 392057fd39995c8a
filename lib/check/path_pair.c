/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "check/bound_claim.h"

#include "base/arena.h"
#include "network/network.h"

/*
 * The search of Bellman and Ford with a queue of nodes.  The second path may cancel a link of the first: it crosses the
 * link backwards and gets its length back.  No other use of that carrier is allowed.
 */
struct path_pair {
    const rwa_network *graph;
    bool paired;            /* links 2 i and 2 i + 1 are one carrier */
    bool *used;             /* of each link: the first path has it */
    int64_t *distance;
    uint32_t *by;           /* the link that gave a node its distance */
    uint32_t src;           /* first paths are from here; RWA_NO_NODE: none yet */
    int64_t *first_distance;
    uint32_t *first_by;
    uint32_t *entered;      /* the link by which the first path enters a node; RWA_NO_LINK: it does not */
    uint32_t *queue;        /* a ring of nodes to look at */
    uint32_t head, count;
    bool *waits;
    struct arena memory;
};

#define FAR INT64_MAX

void path_pair_close(struct path_pair *w)
{
    if (!w)
        return;
    arena_free(&w->memory);
    free(w);
}

rwa_status path_pair_open(struct path_pair **out, const rwa_network *graph, bool paired, rwa_error *err)
{
    struct path_pair *w = NULL;
    MUST(base_new(*out, 1, err));
    w = *out;
    w->graph = graph;
    w->paired = paired;
    w->src = RWA_NO_NODE;
    w->memory.err = err;
    arena_new(&w->memory, w->used, graph->link_count);
    arena_new(&w->memory, w->distance, graph->nodes);
    arena_new(&w->memory, w->by, graph->nodes);
    arena_new(&w->memory, w->first_distance, graph->nodes);
    arena_new(&w->memory, w->first_by, graph->nodes);
    arena_new(&w->memory, w->entered, graph->nodes);
    arena_new(&w->memory, w->queue, graph->nodes);
    arena_new(&w->memory, w->waits, graph->nodes);
    MUST(arena_status(&w->memory));
    for (uint32_t v = 0; v < graph->nodes; v++)
        w->entered[v] = RWA_NO_LINK;
    return RWA_OK;
}

static void improve(struct path_pair *w, uint32_t to, int64_t distance, uint32_t link)
{
    if (distance >= w->distance[to])
        return;
    w->distance[to] = distance;
    w->by[to] = link;
    if (w->waits[to])
        return;
    w->waits[to] = true;
    uint32_t end = w->head + w->count++;
    w->queue[end < w->graph->nodes ? end : end - w->graph->nodes] = to;
}

static void look_around(struct path_pair *w, const uint64_t *length, uint32_t v)
{
    const rwa_network *g = w->graph;
    uint32_t entered = w->entered[v];
    for (uint32_t k = g->first[v]; k < g->first[v + 1]; k++) {
        uint32_t link = g->out[k];
        if (!w->used[link] && !(w->paired && w->used[link ^ 1]))
            improve(w, g->links[link].to, w->distance[v] + (int64_t)length[link], link);
    }
    if (entered != RWA_NO_LINK)
        improve(w, g->links[entered].from, w->distance[v] - (int64_t)length[entered], entered);
}

static void search(struct path_pair *w, const uint64_t *length, uint32_t src)
{
    for (uint32_t v = 0; v < w->graph->nodes; v++)
        w->distance[v] = FAR;
    improve(w, src, 0, RWA_NO_LINK);
    while (w->count > 0) {
        uint32_t v = w->queue[w->head];
        w->head = w->head + 1 < w->graph->nodes ? w->head + 1 : 0;
        w->count--;
        w->waits[v] = false;
        look_around(w, length, v);
    }
}

/* The first paths from src to all nodes. */
static void search_first(struct path_pair *w, const uint64_t *length, uint32_t src)
{
    size_t nodes = w->graph->nodes;
    search(w, length, src);
    memcpy(w->first_distance, w->distance, nodes * sizeof *w->distance);
    memcpy(w->first_by, w->by, nodes * sizeof *w->by);
    w->src = src;
}

/* The first path takes its links, or gives them back. */
static void use(struct path_pair *w, uint32_t dst, bool used)
{
    for (uint32_t v = dst; v != w->src; v = w->graph->links[w->first_by[v]].from) {
        w->used[w->first_by[v]] = used;
        w->entered[v] = used ? w->first_by[v] : RWA_NO_LINK;
    }
}

uint64_t path_pair_length(struct path_pair *w, const uint64_t *length, uint32_t src, uint32_t dst)
{
    if (w->src != src)
        search_first(w, length, src);
    if (w->first_distance[dst] == FAR)
        return UINT64_MAX;
    use(w, dst, true);
    search(w, length, src);
    use(w, dst, false);
    return w->distance[dst] == FAR ? UINT64_MAX : (uint64_t)(w->first_distance[dst] + w->distance[dst]);
}
