/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "check/certificate.h"

#include "network/network.h"

/*
 * Rounds of Bellman and Ford over all links.  The second path may cancel a link of the first: it crosses the link backwards
 * and gets its length back.  No other use of that carrier is allowed.
 */
struct path_pair {
    const rwa_network *graph;
    bool paired;            /* links 2 i and 2 i + 1 are one carrier */
    bool *used;             /* of each link: the first path has it */
    int64_t *distance;
    uint32_t *by;           /* the link that gave a node its distance */
};

#define FAR INT64_MAX

void path_pair_close(struct path_pair *w)
{
    if (!w)
        return;
    free(w->used);
    free(w->distance);
    free(w->by);
    free(w);
}

rwa_status path_pair_open(struct path_pair **out, const rwa_network *graph, bool paired, rwa_error *err)
{
    struct path_pair *w = base_array(1, sizeof *w, err);
    *out = w;
    MUST(w ? RWA_OK : RWA_NOMEM);
    w->graph = graph;
    w->paired = paired;
    w->used = base_array(graph->link_count, sizeof *w->used, err);
    w->distance = base_array(graph->nodes, sizeof *w->distance, err);
    w->by = base_array(graph->nodes, sizeof *w->by, err);
    return w->used && w->distance && w->by ? RWA_OK : RWA_NOMEM;
}

static bool improve(struct path_pair *w, uint32_t from, uint32_t to, int64_t length, uint32_t link)
{
    if (w->distance[from] == FAR || w->distance[from] + length >= w->distance[to])
        return false;
    w->distance[to] = w->distance[from] + length;
    w->by[to] = link;
    return true;
}

static bool search(struct path_pair *w, const uint64_t *length, uint32_t src, uint32_t dst)
{
    bool again = true;
    for (uint32_t v = 0; v < w->graph->nodes; v++)
        w->distance[v] = FAR;
    w->distance[src] = 0;
    while (again) {
        again = false;
        for (uint32_t i = 0; i < w->graph->link_count; i++) {
            const rwa_link *link = &w->graph->links[i];
            if (w->used[i])
                again = improve(w, link->to, link->from, -(int64_t)length[i], i) || again;
            else if (!w->paired || !w->used[i ^ 1])
                again = improve(w, link->from, link->to, (int64_t)length[i], i) || again;
        }
    }
    return w->distance[dst] != FAR;
}

static void use(struct path_pair *w, uint32_t src, uint32_t dst)
{
    for (uint32_t v = dst; v != src; v = w->graph->links[w->by[v]].from)
        w->used[w->by[v]] = true;
}

uint64_t path_pair_length(struct path_pair *w, const uint64_t *length, uint32_t src, uint32_t dst)
{
    for (uint32_t i = 0; i < w->graph->link_count; i++)
        w->used[i] = false;
    if (!search(w, length, src, dst))
        return UINT64_MAX;
    uint64_t first = (uint64_t)w->distance[dst];
    use(w, src, dst);
    return search(w, length, src, dst) ? first + (uint64_t)w->distance[dst] : UINT64_MAX;
}
