/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Caches the shortest routes of each pair of nodes, which are searched for when first needed. */
#include "state/state.h"

#include "network/network.h"

enum { TABLE_BEGIN = 64 };

void routes_free(struct routes *r)
{
    k_shortest_close(r->k_shortest);
    routing_graph_free(&r->graph);
    paths_free(&r->paths);
    free_all(r->table.list, r->arc);
}

rwa_status routes_network(rwa_network **out, const struct routes *r, rwa_model model, rwa_error *err)
{
    uint32_t count = rwa_network_links(r->net), *links;
    rwa_faults faults = network_faults(r->net);
    MUST(base_new(links, count, err));
    faults.links = links;
    faults.link_count = 0;
    for (uint32_t a = 0; a < count; a++)
        if (r->failed[network_carrier(r->net, a, model)])
            links[faults.link_count++] = a;
    rwa_status st = rwa_network_with_faults(out, r->net, &faults, err);
    free(links);
    return st;
}

rwa_status routes_begin(struct routes *r, rwa_model model, rwa_error *err)
{
    rwa_network *left = NULL;
    struct routing_graph graph = {0};
    rwa_status st = RWA_OK;
    if (!r->arc)
        MUST(base_new(r->arc, r->net->nodes, err));
    TRY(routes_network(&left, r, model, err));
    TRY(routing_graph_create(&graph, left, model, err));
    k_shortest_close(r->k_shortest);    /* it points to the graph that is freed next */
    r->k_shortest = NULL;
    routing_graph_free(&r->graph);
    r->graph = graph;
    memset(&graph, 0, sizeof graph);
    TRY(k_shortest_open(&r->k_shortest, &r->graph, err));
    pairs_forget(&r->table, &r->paths);
    r->stale = false;
done:
    routing_graph_free(&graph);
    rwa_network_free(left);
    return st;
}

void pairs_forget(struct pair_table *t, struct paths *paths)
{
    paths_cut(paths, 0);
    if (t->list)
        memset(t->list, 0, t->capacity * sizeof *t->list);
    t->used = 0;
}

void pairs_limit(struct pair_table *t, struct paths *paths)
{
    if (paths->count > 0 && paths->first[paths->count] > ROUTES_KEPT)
        pairs_forget(t, paths);
}

struct pair *pairs_place(const struct pair_table *t, uint64_t key)
{
    assert(key > 0 && t->used <= t->capacity / 2);
    if (t->capacity == 0)
        return NULL;
    size_t i = pairs_home(t, key);
    while (t->list[i].key && t->list[i].key != key)
        i = (i + 1) & (t->capacity - 1);
    return &t->list[i];
}

/** Make space in the hash table for one more pair of nodes, so that it stays at most half full.  RWA_NOMEM. */
static rwa_status grow_table(struct pair_table *t, rwa_error *err)
{
    struct pair_table grown = {.capacity = t->capacity ? 2 * t->capacity : TABLE_BEGIN, .used = t->used};
    if (2 * (t->used + 1) <= t->capacity)
        return RWA_OK;
    MUST(base_new(grown.list, grown.capacity, err));
    for (size_t i = 0; i < t->capacity; i++)
        if (t->list[i].key) {
            struct pair *place = pairs_place(&grown, t->list[i].key);
            assert(place);
            *place = t->list[i];
        }
    free(t->list);
    *t = grown;
    return RWA_OK;
}

rwa_status pairs_note(struct pair_table *t, struct paths *paths, uint64_t key, size_t before, uint32_t sought,
                      rwa_status st, struct pair **out, rwa_error *err)
{
    if (st == RWA_OK)
        st = grow_table(t, err);
    if (st != RWA_OK) {
        paths_cut(paths, before);
        return st;
    }
    struct pair found = {.key = key, .first = (uint32_t)before, .count = (uint32_t)(paths->count - before),
                         .sought = sought};
    if (found.count > 0) {
        assert(before <= ROUTES_KEPT && paths->first[before] <= ROUTES_KEPT);
        found.start = (uint32_t)paths->first[before];
        found.hops = (uint32_t)paths_hops(paths, before);
    }
    *out = pairs_place(t, key);
    assert(*out);   /* the table always has an empty entry */
    t->used += !(*out)->key;
    **out = found;
    return RWA_OK;
}

/** On a ring or line, append the route from src to dst in this direction to r->paths.  Append nothing if there is none,
 *  if it has more than r->max_hops links (0: no limit), or if one of its links has failed. */
static rwa_status add_arc(struct routes *r, uint32_t src, uint32_t dst, rwa_direction direction, rwa_error *err)
{
    uint32_t hops = rwa_network_hops(r->net, src, dst, direction), at = src;
    if (hops == 0 || (r->max_hops > 0 && hops > r->max_hops))
        return RWA_OK;
    for (uint32_t k = 0; k < hops; k++, at = node_after(r->net->nodes, at, direction)) {
        r->arc[k] = network_arc_link(r->net, at, direction);
        assert(at == r->graph.from[r->arc[k]]);
        if (r->failed[r->graph.link[r->arc[k]]])
            return RWA_OK;
    }
    return paths_add(&r->paths, r->arc, hops, err);
}

/** On a ring or line, append up to `most` routes to r->paths: the shorter direction first (clockwise if both are
 *  equally long), then the other one. */
static rwa_status find_arcs(struct routes *r, uint32_t src, uint32_t dst, uint32_t most, rwa_error *err)
{
    uint32_t cw = rwa_network_hops(r->net, src, dst, RWA_CW), ccw = rwa_network_hops(r->net, src, dst, RWA_CCW);
    rwa_direction shorter = ccw > 0 && (cw == 0 || ccw < cw) ? RWA_CCW : RWA_CW;
    size_t before = r->paths.count;
    MUST(add_arc(r, src, dst, shorter, err));
    if (r->paths.count - before < most)
        MUST(add_arc(r, src, dst, shorter == RWA_CW ? RWA_CCW : RWA_CW, err));
    return RWA_OK;
}

/** Search for the `most` shortest routes from src to dst, and cache them; *pair: their entry. */
static rwa_status find_again(struct routes *r, uint32_t src, uint32_t dst, uint32_t most, struct pair **pair,
                             rwa_error *err)
{
    pairs_limit(&r->table, &r->paths);
    size_t before = r->paths.count;
    rwa_status st = network_has_arcs(r->net)
                        ? find_arcs(r, src, dst, most, err)
                        : k_shortest_find(r->k_shortest, &r->paths, src, dst, most, r->max_hops, err);
    return pairs_note(&r->table, &r->paths, routes_key(r, src, dst), before, most, st, pair, err);
}

rwa_status routes_find(struct routes *r, uint32_t src, uint32_t dst, uint32_t most, struct tried *out, rwa_error *err)
{
    assert(!r->stale && most > 0 && src != dst);
    struct pair *pair = pairs_place(&r->table, routes_key(r, src, dst));
    if (!pair || !pair->key || (pair->count == pair->sought && pair->sought < most))
        MUST(find_again(r, src, dst, most, &pair, err));
    *out = (struct tried){pair->first, pair->start, pair->hops, pair->count < most ? pair->count : most};
    return RWA_OK;
}
