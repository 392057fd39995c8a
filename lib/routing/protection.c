/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Disjoint pairs of routes: pairs of shortest routes, each shortest route with the shortest one disjoint from it,
 *  and the shortest pair of all. */
#include "routing/protection.h"

#include "network/network.h"
#include "routing/disjoint_pair.h"
#include "routing/k_shortest.h"
#include "routing/path_tree.h"

enum { SHORTEST = 64, AROUND = 16, MOST_ROUTES = 2048, MOST_PAIRS = 1 << 16 };

struct protection {
    const struct routing_graph *graph;
    const struct risks *risks;
    struct k_shortest *k_shortest;
    struct disjoint_pair *pairs;
    struct path_tree path_tree;
    bool *shut;             /* of each arc: it is on a link, or in a risk group, of the current route */
    uint32_t *on_link, *in_group;   /* the number of the last route that uses the link, or the group */
    uint32_t number;
    uint32_t *arc;          /* the pair under construction */
    struct paths routes;
    struct paths found;     /* the pairs found */
    uint64_t *rank;         /* of each pair found: total length */
    struct arena arena;
};

void risks_free(struct risks *risks)
{
    bins_free(&risks->of);
}

rwa_status risks_create(struct risks *risks, const rwa_network *net, const struct routing_graph *graph, rwa_error *err)
{
    risks->groups = net->group_count;
    return bins_index(&risks->of, graph->links, net->group_count, net->group_first, net->group_links, graph->link, err);
}

void protection_close(struct protection *g)
{
    if (!g)
        return;
    k_shortest_close(g->k_shortest);
    disjoint_pair_close(g->pairs);
    path_tree_free(&g->path_tree);
    arena_free(&g->arena);
    paths_free(&g->routes);
    paths_free(&g->found);
    free_all(g->rank, g);
}

rwa_status protection_open(struct protection **out, const struct routing_graph *graph, const struct risks *risks,
                           rwa_error *err)
{
    MUST(base_new(*out, 1, err));
    struct protection *g = *out;
    g->graph = graph;
    g->risks = risks;
    g->arena.err = err;
    arena_new(&g->arena, g->shut, graph->arcs);
    arena_new(&g->arena, g->on_link, graph->links);
    arena_new(&g->arena, g->in_group, risks->groups);
    MUST(arena_arrays(&g->arena, 2 * (size_t)graph->nodes, g->arc));
    MUST(k_shortest_open(&g->k_shortest, graph, err));
    MUST(disjoint_pair_open(&g->pairs, graph, err));
    return path_tree_create(&g->path_tree, graph, err);
}

/* ---- disjointness ---- */

static void mark(struct protection *g, const uint32_t *arc, size_t hops)
{
    const struct bins *groups = &g->risks->of;
    g->number++;
    for (size_t k = 0; k < hops; k++) {
        uint32_t link = g->graph->link[arc[k]];
        g->on_link[link] = g->number;
        for (size_t i = groups->first[link]; i < groups->first[link + 1]; i++)
            g->in_group[groups->number[i]] = g->number;
    }
}

static bool meets_marked(const struct protection *g, uint32_t arc)
{
    const struct bins *groups = &g->risks->of;
    uint32_t link = g->graph->link[arc];
    for (size_t i = groups->first[link]; i < groups->first[link + 1]; i++)
        if (g->in_group[groups->number[i]] == g->number)
            return true;
    return g->on_link[link] == g->number;
}

static bool is_apart(const struct protection *g, const uint32_t *arc, size_t hops)
{
    for (size_t k = 0; k < hops; k++)
        if (meets_marked(g, arc[k]))
            return false;
    return true;
}

/* ---- collecting pairs ---- */

static uint64_t length_of(const struct protection *g, const uint32_t *arc, size_t hops)
{
    uint64_t length = 0;
    for (size_t k = 0; k < hops; k++)
        length += g->graph->length[arc[k]];
    return length;
}

/* Add the pair of routes in g->arc to g->found, unless it is one of the first `known` pairs there, in either order of
 * its routes.  cut: hops of its first route; hops: of both. */
static rwa_status keep(struct protection *g, size_t cut, size_t hops, size_t known, rwa_error *err)
{
    assert(cut > 0 && cut < hops && known <= g->found.count);
    uint64_t total = length_of(g, g->arc, hops);
    for (size_t i = 0; i < known; i++) {
        const uint32_t *had = paths_arcs(&g->found, i);
        size_t back = hops - cut, had_cut = g->found.working[i];
        if (g->rank[i] != total || paths_hops(&g->found, i) != hops)
            continue;
        if (had_cut == cut && memcmp(had, g->arc, hops * sizeof *had) == 0)
            return RWA_OK;
        if (had_cut == back && memcmp(had, g->arc + cut, back * sizeof *had) == 0 &&
            memcmp(had + back, g->arc, cut * sizeof *had) == 0)
            return RWA_OK;
    }
    MUST(base_reserve(g->rank, g->found.count + 1, err));
    g->rank[g->found.count] = total;
    return paths_add_pair(&g->found, g->arc, cut, hops, err);
}

static size_t take_route(const struct protection *g, uint32_t *to, size_t i)
{
    memcpy(to, paths_arcs(&g->routes, i), paths_hops(&g->routes, i) * sizeof *to);
    return paths_hops(&g->routes, i);
}

static rwa_status pair_routes(struct protection *g, rwa_error *err)
{
    size_t known = g->found.count; /* pairs of different routes are different, so these need no comparison with each
                                      other */
    for (size_t i = 0; i < g->routes.count && g->found.count < MOST_PAIRS; i++) {
        size_t cut = take_route(g, g->arc, i);
        mark(g, g->arc, cut);
        for (size_t j = i + 1; j < g->routes.count; j++)
            if (is_apart(g, paths_arcs(&g->routes, j), paths_hops(&g->routes, j)))
                MUST(keep(g, cut, cut + take_route(g, g->arc + cut, j), known, err));
    }
    return RWA_OK;
}

/* Add to g->found a pair made of route i of g->routes and the shortest path that shares no link and no risk group with
 * it. Do nothing if there is no such path within the hop limit. */
static rwa_status go_around(struct protection *g, const struct protection_query *q, size_t i, rwa_error *err)
{
    const struct routing_graph *r = g->graph;
    size_t cut = take_route(g, g->arc, i);
    mark(g, g->arc, cut);
    for (uint32_t a = 0; a < r->arcs; a++)
        g->shut[a] = meets_marked(g, a);
    if (!path_tree_between(&g->path_tree, r, r->length, q->src, q->dst, NULL, NULL, g->shut) ||
        (q->max_hops > 0 && g->path_tree.dist[q->dst] / GRAPH_HOP > q->max_hops))
        return RWA_OK;
    return keep(g, cut, cut + tree_path(g->arc + cut, r, g->path_tree.arc, q->src, q->dst), g->found.count, err);
}

static rwa_status shortest_pair(struct protection *g, const struct protection_query *q, rwa_error *err)
{
    size_t hops[2];
    if (disjoint_pair_between(g->pairs, g->graph->length, q->src, q->dst) == GRAPH_FAR)
        return RWA_OK;
    disjoint_pair_read(g->pairs, g->arc, hops);
    mark(g, g->arc, hops[0]);
    if ((q->max_hops > 0 && hops[1] > q->max_hops) || !is_apart(g, g->arc + hops[0], hops[1]))
        return RWA_OK;
    return keep(g, hops[0], hops[0] + hops[1], g->found.count, err);
}

/* Whether the shortest pair exists whenever any pair does: no risk groups, no hop limits and no nodes to pass. */
static bool is_plain(const struct protection *g, const struct protection_query *q)
{
    return q->via == RWA_NONE && q->max_hops == 0 && g->risks->groups == 0;
}

static rwa_status collect(struct protection *g, const struct protection_query *q, bool *all, rwa_error *err)
{
    size_t done = 0;
    if (q->most == 1 && is_plain(g, q)) {
        MUST(shortest_pair(g, q, err));
        *all = g->found.count == 0;
        return RWA_OK;
    }
    for (size_t most = SHORTEST; most <= MOST_ROUTES; most *= 4) {
        bool first = most == SHORTEST, direct = q->via == RWA_NONE;
        paths_cut(&g->routes, 0);
        MUST(k_shortest_via(g->k_shortest, &g->routes, q->src, q->via, q->dst, most, q->max_hops, all, err));
        if (first && direct)
            MUST(shortest_pair(g, q, err));
        if (first || !direct)
            MUST(pair_routes(g, err));
        *all = *all && g->found.count < MOST_PAIRS;
        for (; direct && done < g->routes.count && (first ? !*all && done < AROUND : g->found.count == 0); done++)
            MUST(go_around(g, q, done, err));
        if (*all || g->found.count > 0 || is_plain(g, q))
            break;
    }
    *all = *all || (g->found.count == 0 && is_plain(g, q));
    return RWA_OK;
}

static size_t shortest_found(const struct protection *g)
{
    size_t best = g->found.count;
    for (size_t i = 0; i < g->found.count; i++)
        if (g->rank[i] != UINT64_MAX && (best == g->found.count || g->rank[i] < g->rank[best]))
            best = i;
    return best;
}

rwa_status protection_find(struct protection *g, struct paths *out, const struct protection_query *q, bool *all,
                           rwa_error *err)
{
    size_t given = 0;
    paths_cut(&g->found, 0);
    MUST(collect(g, q, all, err));
    for (; given < q->most && given < g->found.count; given++) {
        size_t i = shortest_found(g);
        g->rank[i] = UINT64_MAX;
        MUST(paths_copy(out, &g->found, i, err));
    }
    *all = *all && given == g->found.count;
    return RWA_OK;
}
