/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "check/certificate.h"

#include "base/base.h"
#include "network/network.h"

#include <stdlib.h>

/** The search of Dijkstra (1959) over a binary heap; nodes may stand in it more than once, the first to leave counts. */
struct entry {
    uint64_t distance;
    uint32_t node;
};

struct search {
    const rwa_network *graph;       /* links listed */
    const rwa_network *net;         /* as given: its links number the lengths */
    rwa_model model;
    const uint32_t *lengths;
    uint64_t *distance;             /* UINT64_MAX: not reached */
    struct entry *heap;
    size_t count, room;
    rwa_error *err;
};

/** The length of a listed link: ring and line list their link i as 2i and 2i + 1, but number clockwise ones first. */
static uint32_t length_of(const struct search *s, uint32_t link)
{
    if (s->model == RWA_UNDIRECTED)
        return s->lengths[link / 2];
    return s->lengths[network_has_arcs(s->net) ? link / 2 + (link % 2) * rwa_network_links(s->net) : link];
}

static void swap(struct entry *a, struct entry *b)
{
    struct entry kept = *a;
    *a = *b;
    *b = kept;
}

static rwa_status push(struct search *s, uint32_t node, uint64_t distance)
{
    rwa_status st = RWA_OK;
    TRY(base_grow((void **)&s->heap, &s->room, s->count + 1, sizeof *s->heap, s->err));
    size_t at = s->count++;
    s->heap[at] = (struct entry){distance, node};
    for (; at > 0 && s->heap[(at - 1) / 2].distance > s->heap[at].distance; at = (at - 1) / 2)
        swap(&s->heap[at], &s->heap[(at - 1) / 2]);
done:
    return st;
}

static struct entry pop(struct search *s)
{
    struct entry least = s->heap[0];
    s->heap[0] = s->heap[--s->count];
    for (size_t at = 0;;) {
        size_t child = 2 * at + 1;
        if (child + 1 < s->count && s->heap[child + 1].distance < s->heap[child].distance)
            child++;
        if (child >= s->count || s->heap[at].distance <= s->heap[child].distance)
            return least;
        swap(&s->heap[at], &s->heap[child]);
        at = child;
    }
}

/** Distances from one node to all.  At most 2^24 hops of 2^32 each: no overflow. */
static rwa_status measure(struct search *s, uint32_t src)
{
    const rwa_network *g = s->graph;
    rwa_status st = RWA_OK;
    for (uint32_t v = 0; v < g->nodes; v++)
        s->distance[v] = UINT64_MAX;
    s->distance[src] = 0;
    s->count = 0;
    TRY(push(s, src, 0));
    while (s->count > 0) {
        struct entry e = pop(s);
        if (e.distance > s->distance[e.node])
            continue;
        for (uint32_t k = g->first[e.node]; k < g->first[e.node + 1]; k++) {
            uint32_t to = g->links[g->out[k]].to;
            uint64_t through = e.distance + length_of(s, g->out[k]);
            if (through < s->distance[to]) {
                s->distance[to] = through;
                TRY(push(s, to, through));
            }
        }
    }
done:
    return st;
}

static int by_source(const void *a, const void *b)
{
    uint32_t x = ((const struct ends *)a)->src, y = ((const struct ends *)b)->src;
    return x < y ? -1 : x > y;
}

/** Adds up; false when 64 bits are not enough. */
static bool add(uint64_t *sum, uint64_t more)
{
    if (more > UINT64_MAX - *sum)
        return false;
    *sum += more;
    return true;
}

/** What all demands take at least. */
static rwa_status sum_distances(uint64_t *taken, struct search *s, struct ends *demands, size_t count)
{
    rwa_status st = RWA_OK;
    if (count > 0)
        qsort(demands, count, sizeof *demands, by_source);
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || demands[i].src != demands[i - 1].src)
            TRY(measure(s, demands[i].src));
        uint64_t distance = s->distance[demands[i].dst];
        if (distance != UINT64_MAX && !add(taken, distance))
            TRY(base_fail(s->err, RWA_BADARG, "the lengths of a bound are too large to add up"));
    }
done:
    return st;
}

/** What one wavelength offers: a pair's two links are one carrier. */
static uint64_t sum_lengths(const struct search *s)
{
    uint64_t offered = 0;
    for (uint32_t i = 0; i < s->graph->link_count; i += s->model == RWA_UNDIRECTED ? 2 : 1)
        offered += (uint64_t)length_of(s, i) * s->graph->links[i].fibers;
    return offered;
}

rwa_status certificate_of_lengths(uint64_t *value, const rwa_network *net, rwa_model model, const uint32_t *lengths,
                                  struct ends *demands, size_t count, rwa_error *err)
{
    struct search s = {.net = net, .model = model, .lengths = lengths, .err = err};
    rwa_network *graph = NULL;
    uint64_t taken = 0;
    rwa_status st = RWA_OK;
    *value = 0;
    TRY(network_list_links(&graph, net, err));
    s.graph = graph;
    s.distance = base_array(graph->nodes, sizeof *s.distance, err);
    if (!s.distance)
        st = RWA_NOMEM;
    TRY(st);
    TRY(sum_distances(&taken, &s, demands, count));
    uint64_t offered = sum_lengths(&s);
    if (offered > 0)
        *value = taken / offered + (taken % offered != 0);
done:
    rwa_network_free(graph);
    free(s.distance);
    free(s.heap);
    return st;
}
