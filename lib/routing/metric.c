/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "routing/flow.h"
#include "routing/disjoint_pair.h"
#include "routing/path_tree.h"

enum { PAIRS_BETWEEN_LOOKS = 64 };

/**
 * Set dist[i] to the distance of pair i of the traffic under these link lengths; if t->twice, to the total length of
 * two paths without a common link.  GRAPH_FAR: there is no path.  The traffic must be sorted by source.
 * @param all     false: the budget ended before all distances were found
 * @param budget  NULL: none
 */
static rwa_status find_distances(uint64_t *dist, bool *all, const uint32_t *link_length, struct budget *budget,
                                 const struct routing_graph *r, const struct traffic *t, rwa_error *err)
{
    rwa_status st = RWA_OK;
    struct path_tree path_tree = {0};
    struct disjoint_pair *pairs = NULL;
    uint64_t *length;
    MUST(base_new(length, r->arcs, err));
    for (uint32_t a = 0; a < r->arcs; a++)
        length[a] = link_length[r->link[a]];
    TRY(path_tree_create(&path_tree, r, err));
    if (t->twice)
        TRY(disjoint_pair_open(&pairs, r, err));
    *all = true;
    for (size_t i = 0; i < t->pairs && *all; i++) {
        *all = !budget || i % PAIRS_BETWEEN_LOOKS > 0 || !base_must_stop(budget, "bounds", -1);
        if (t->twice) {
            dist[i] = disjoint_pair_between(pairs, length, t->src[i], t->dst[i]);
            continue;
        }
        if (i == 0 || t->src[i] != t->src[i - 1])
            path_tree_from(&path_tree, r, length, t->src[i]);
        dist[i] = path_tree.dist[t->dst[i]];
    }
done:
    disjoint_pair_close(pairs);
    path_tree_free(&path_tree);
    free(length);
    return st;
}

/* Set m->used to the sum of lightpaths times distance over all pairs, m->offered to the sum of fibres times length over
 * all links that work, and *farthest to the largest distance.  Return whether every pair has a path. */
static bool reckon(struct metric *m, uint64_t *farthest, const uint64_t *dist, const struct routing_graph *r,
                   const struct traffic *t)
{
    bool all = true;
    m->used = m->offered = *farthest = 0;
    for (uint32_t l = 0; l < r->links; l++)
        m->offered += r->failed[l] ? 0 : (uint64_t)r->fibers[l] * m->length[l];
    for (size_t i = 0; i < t->pairs; i++) {
        all = all && dist[i] != GRAPH_FAR;
        if (dist[i] == GRAPH_FAR)
            continue;
        m->used += t->amount[i] * dist[i];
        RAISE(*farthest, dist[i]);
    }
    return all;
}

/** Comparator of struct served: by cost / value, lowest first. */
static int by_rate(const void *a, const void *b)
{
    const struct served *x = a, *y = b;
    double left = (double)x->cost * (double)y->value, right = (double)y->cost * (double)x->value;
    return (left > right) - (left < right);
}

uint64_t served_most(struct served *list, size_t count, double capacity)
{
    uint64_t value = 0;
    base_sort(list, count, by_rate);
    for (size_t i = 0; i < count; i++) {
        double cost = (double)list[i].cost * (double)list[i].count;
        if (cost > capacity)    /* 1e-12 more, so that rounding keeps it an upper bound */
            return value + (uint64_t)(capacity / (double)list[i].cost * (double)list[i].value * (1 + 1e-12));
        value += list[i].value * list[i].count;
        capacity -= cost;
    }
    return value;
}

static rwa_status most_served(uint64_t *served, const uint64_t *dist, const struct traffic *t, double capacity,
                              rwa_error *err)
{
    assert(t->pairs > 0 || t->total == 0);
    struct served *list;
    size_t count = 0;
    MUST(base_new(list, t->pairs, err));
    for (size_t i = 0; i < t->pairs; i++)
        if (dist[i] != GRAPH_FAR)
            list[count++] = (struct served){dist[i], 1, t->amount[i]};
    *served = served_most(list, count, capacity);
    free(list);
    return RWA_OK;
}

static const char *name_of(const struct metric *m, const struct routing_graph *r, const struct traffic *t,
                           uint64_t farthest)
{
    bool equal = true, small = true;
    farthest = t->twice ? farthest / 2 : farthest;
    for (uint32_t l = 0; l < r->links; l++) {
        equal = equal && m->length[l] == m->length[0];
        small = small && m->length[l] <= 1;
    }
    return equal ? "distance" : small && farthest <= 1 ? "cut" : "metric";
}

rwa_status metric_evaluate(struct metric *m, const struct routing_graph *r, const struct traffic *t,
                           uint32_t wavelengths, rwa_error *err)
{
    rwa_status st = RWA_OK;
    bool all = false;
    uint64_t *dist, farthest;
    MUST(base_new(dist, t->pairs, err));
    m->value = wavelengths > 0 ? t->total : 0;
    TRY(find_distances(dist, &all, m->length, m->budget, r, t, err));
    if (!all)
        goto done;
    all = reckon(m, &farthest, dist, r, t);
    m->name = name_of(m, r, t, farthest);
    if (wavelengths > 0)
        TRY(most_served(&m->value, dist, t, (double)wavelengths * (double)m->offered, err));
    else if (!all)
        m->value = UINT64_MAX;
    else
        m->value = m->offered > 0 ? (m->used + m->offered - 1) / m->offered : 0;
done:
    free(dist);
    return st;
}
