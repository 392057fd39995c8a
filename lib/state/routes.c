/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The shortest routes of each pair of nodes, searched for when first asked for. */
#include "state/state.h"

#include "network/network.h"

enum { TABLE_BEGIN = 64, MOST_KEPT = 1 << 24 };     /* links of all routes kept: 64 MiB */

void routes_free(struct routes *r)
{
    k_shortest_close(r->k_shortest);
    routing_graph_free(&r->graph);
    paths_free(&r->paths);
    free(r->table);
    free(r->arc);
}

/** The network with these carriers failed, and nothing else. */
static rwa_status without(rwa_network **out, const rwa_network *net, rwa_model model, const bool *failed, rwa_error *err)
{
    uint32_t count = rwa_network_links(net);
    rwa_faults faults = {0};
    uint32_t *links = base_array(count, sizeof *links, err);
    *out = NULL;
    if (!links)
        return RWA_NOMEM;
    for (uint32_t a = 0; a < count; a++)
        if (failed[model == RWA_UNDIRECTED ? rwa_network_pair(net, a) : a])
            links[faults.link_count++] = a;
    faults.links = links;
    rwa_status st = rwa_network_with_faults(out, net, &faults, err);
    free(links);
    return st;
}

static void forget(struct routes *r)
{
    paths_cut(&r->paths, 0);
    if (r->table)
        memset(r->table, 0, r->capacity * sizeof *r->table);
    r->used = 0;
}

rwa_status routes_begin(struct routes *r, rwa_model model, rwa_error *err)
{
    rwa_network *left = NULL;
    struct routing_graph graph = {0};
    rwa_status st = RWA_OK;
    if (!r->arc && !(r->arc = base_array(r->net->nodes, sizeof *r->arc, err)))
        return RWA_NOMEM;
    TRY(without(&left, r->net, model, r->failed, err));
    TRY(routing_graph_create(&graph, left, model, err));
    k_shortest_close(r->k_shortest);    /* it points to the graph to be freed */
    r->k_shortest = NULL;
    routing_graph_free(&r->graph);
    r->graph = graph;
    memset(&graph, 0, sizeof graph);
    TRY(k_shortest_open(&r->k_shortest, &r->graph, err));
    forget(r);
    r->stale = false;
done:
    routing_graph_free(&graph);
    rwa_network_free(left);
    return st;
}

static uint64_t key_of(const struct routes *r, uint32_t src, uint32_t dst)
{
    return (uint64_t)src * r->graph.nodes + dst + 1;
}

/** The entry of a key, or the empty one where it belongs. */
static struct pair *place_of(const struct routes *r, uint64_t key)
{
    assert(key > 0 && r->used < r->capacity);
    size_t i = routes_home(r, key);
    while (r->table[i].key && r->table[i].key != key)
        i = (i + 1) & (r->capacity - 1);
    return &r->table[i];
}

static rwa_status grow_table(struct routes *r, rwa_error *err)
{
    struct routes grown = *r;
    if (2 * (r->used + 1) <= r->capacity)
        return RWA_OK;
    grown.capacity = r->capacity ? 2 * r->capacity : TABLE_BEGIN;
    grown.table = base_array(grown.capacity, sizeof *grown.table, err);
    if (!grown.table)
        return RWA_NOMEM;
    for (size_t i = 0; i < r->capacity; i++)
        if (r->table[i].key)
            *place_of(&grown, r->table[i].key) = r->table[i];
    free(r->table);
    r->table = grown.table;
    r->capacity = grown.capacity;
    return RWA_OK;
}

/** Ring and line: the link that leads from a node onwards in a direction. */
static uint32_t link_from(const rwa_network *net, uint32_t at, rwa_direction direction)
{
    uint32_t before = at == 0 ? net->nodes - 1 : at - 1;
    return direction == RWA_CW ? at : rwa_network_pairs(net) + before;
}

/** Add the arc in this direction, unless there is none, or it is too long, or a link of it has failed. */
static rwa_status add_arc(struct routes *r, uint32_t src, uint32_t dst, rwa_direction direction, rwa_error *err)
{
    uint32_t hops = rwa_network_hops(r->net, src, dst, direction), at = src;
    if (hops == 0 || (r->max_hops > 0 && hops > r->max_hops))
        return RWA_OK;
    for (uint32_t k = 0; k < hops; k++) {
        r->arc[k] = link_from(r->net, at, direction);
        if (r->failed[r->graph.link[r->arc[k]]])
            return RWA_OK;
        at = r->graph.to[r->arc[k]];
    }
    return paths_add(&r->paths, r->arc, hops, err);
}

/** Ring and line: the shorter direction, then the other one; clockwise first where both are equal. */
static rwa_status find_arcs(struct routes *r, uint32_t src, uint32_t dst, uint32_t most, rwa_error *err)
{
    uint32_t cw = rwa_network_hops(r->net, src, dst, RWA_CW), ccw = rwa_network_hops(r->net, src, dst, RWA_CCW);
    rwa_direction shorter = ccw > 0 && (cw == 0 || ccw < cw) ? RWA_CCW : RWA_CW;
    size_t before = r->paths.count;
    rwa_status st = RWA_OK;
    TRY(add_arc(r, src, dst, shorter, err));
    if (r->paths.count - before < most)
        TRY(add_arc(r, src, dst, shorter == RWA_CW ? RWA_CCW : RWA_CW, err));
done:
    return st;
}

/** Search, behind all that is kept. */
static rwa_status search(struct routes *r, uint32_t src, uint32_t dst, uint32_t most, rwa_error *err)
{
    size_t before = r->paths.count;
    rwa_status st = network_has_arcs(r->net) ? find_arcs(r, src, dst, most, err)
                                             : k_shortest_find(r->k_shortest, &r->paths, src, dst, most, r->max_hops, err);
    if (st != RWA_OK)
        paths_cut(&r->paths, before);
    return st;
}

/** Search for the routes of a pair and keep them. */
static rwa_status find_anew(struct routes *r, uint32_t src, uint32_t dst, uint32_t most, struct pair **pair, rwa_error *err)
{
    rwa_status st = RWA_OK;
    if (r->paths.count > 0 && r->paths.first[r->paths.count] > MOST_KEPT)
        forget(r);
    size_t before = r->paths.count;
    TRY(search(r, src, dst, most, err));
    TRY(grow_table(r, err));
    *pair = place_of(r, key_of(r, src, dst));
    r->used += !(*pair)->key;
    **pair = (struct pair){key_of(r, src, dst), (uint32_t)before, 0, 0, (uint32_t)(r->paths.count - before), most};
    if ((*pair)->count > 0) {
        const size_t *first = r->paths.first + before;
        assert(before <= MOST_KEPT && first[0] <= MOST_KEPT);
        (*pair)->start = (uint32_t)first[0];
        (*pair)->hops = (uint32_t)(first[1] - first[0]);
    }
done:
    return st;
}

rwa_status routes_find(struct routes *r, uint32_t src, uint32_t dst, uint32_t most, struct tried *out, rwa_error *err)
{
    assert(!r->stale && most > 0 && src != dst);
    struct pair *pair = r->capacity ? place_of(r, key_of(r, src, dst)) : NULL;
    rwa_status st = RWA_OK;
    if (!pair || !pair->key || (pair->count == pair->sought && pair->sought < most))
        TRY(find_anew(r, src, dst, most, &pair, err));
    *out = (struct tried){pair->first, pair->start, pair->hops, pair->count < most ? pair->count : most};
done:
    return st;
}
