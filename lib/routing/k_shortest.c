/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "routing/k_shortest.h"

#include "routing/path_tree.h"

enum { MOST_TRIED = 1024 }; /* most paths tried on either side of a node to pass */

/* A candidate, besides its arcs. */
struct branch {
    uint64_t length;
    uint32_t from;  /* the hop at which it leaves the accepted path that it was derived from */
    bool accepted;
};

struct k_shortest {
    const struct routing_graph *graph;
    struct path_tree towards;    /* to `dst` */
    struct path_tree spur;
    uint32_t dst;           /* RWA_NONE: none yet */
    bool *shut_node, *shut_arc;
    uint32_t *arcs;         /* the path under construction */
    struct paths found;     /* candidates and accepted paths */
    struct branch *branch;
    struct arena arena;
};

void k_shortest_close(struct k_shortest *f)
{
    if (!f)
        return;
    path_tree_free(&f->towards);
    path_tree_free(&f->spur);
    arena_free(&f->arena);
    paths_free(&f->found);
    free_all(f->branch, f);
}

rwa_status k_shortest_open(struct k_shortest **out, const struct routing_graph *graph, rwa_error *err)
{
    MUST(base_new(*out, 1, err));
    struct k_shortest *f = *out;
    f->graph = graph;
    f->dst = RWA_NONE;
    f->arena.err = err;
    arena_arrays(&f->arena, graph->nodes, f->shut_node, f->arcs);
    MUST(arena_arrays(&f->arena, graph->arcs, f->shut_arc));
    MUST(path_tree_create(&f->towards, graph, err));
    return path_tree_create(&f->spur, graph, err);
}

/* Add a candidate path of this total length: the first `prefix` arcs of f->arcs, then the path in f->spur from node
 * `spur` to the destination. */
static rwa_status add_candidate(struct k_shortest *f, uint32_t prefix, uint32_t spur, uint64_t length, rwa_error *err)
{
    assert(prefix < f->graph->nodes && f->dst != RWA_NONE);
    size_t hops = prefix + tree_path(f->arcs + prefix, f->graph, f->spur.arc, spur, f->dst);
    MUST(base_reserve(f->branch, f->found.count + 1, err));
    f->branch[f->found.count] = (struct branch){.length = length, .from = prefix};
    return paths_add(&f->found, f->arcs, hops, err);
}

/* In each accepted path that begins with the first `prefix` arcs of f->arcs, shut the arc after these, or open it (shut
 * = false).  Only the first `known` paths of f->found are examined. */
static void shut_known(struct k_shortest *f, size_t known, uint32_t prefix, bool shut)
{
    const struct paths *p = &f->found;
    for (size_t i = 0; i < known; i++)
        if (f->branch[i].accepted && paths_hops(p, i) > prefix &&
            memcmp(paths_arcs(p, i), f->arcs, prefix * sizeof *f->arcs) == 0)
            f->shut_arc[p->arc[p->first[i] + prefix]] = shut;
}

/* Add the candidates that an accepted path gives: for each of its hops, the shortest path that leaves it there.  Skip
 * the hops before the one at which the path itself left an earlier path, since their candidates exist already. */
static rwa_status branch_off(struct k_shortest *f, size_t path, uint32_t src, rwa_error *err)
{
    assert(path < f->found.count && f->branch[path].accepted);
    const struct routing_graph *r = f->graph;
    rwa_status st = RWA_OK;
    uint32_t hops = (uint32_t)paths_hops(&f->found, path), node = src;
    uint64_t before = 0;
    size_t known = f->found.count;
    for (uint32_t k = 0; k < hops && st == RWA_OK; k++) {
        uint32_t arc = f->found.arc[f->found.first[path] + k];
        if (k >= f->branch[path].from && (k == 0 || !r->closed[node])) {
            shut_known(f, known, k, true);
            f->arcs[k] = arc;
            if (path_tree_between(&f->spur, r, r->length, node, f->dst, f->towards.dist, f->shut_node, f->shut_arc))
                st = add_candidate(f, k, node, before + f->spur.dist[f->dst] + f->towards.dist[node], err);
            shut_known(f, known, k, false);
        }
        f->arcs[k] = arc;
        f->shut_node[node] = true;
        before += r->length[arc];
        node = r->to[arc];
    }
    for (uint32_t k = 0; k < hops; k++)
        f->shut_node[r->from[f->found.arc[f->found.first[path] + k]]] = false;
    return st;
}

/* Return the index of the shortest candidate that is not yet accepted, the first among equals, or f->found.count if
 * there is none. */
static size_t nearest_candidate(const struct k_shortest *f)
{
    size_t best = f->found.count;
    for (size_t i = 0; i < f->found.count; i++)
        if (!f->branch[i].accepted && (best == f->found.count || f->branch[i].length < f->branch[best].length))
            best = i;
    return best;
}

rwa_status k_shortest_find(struct k_shortest *f, struct paths *paths, uint32_t src, uint32_t dst, size_t most,
                           uint32_t max_hops, rwa_error *err)
{
    assert(src < f->graph->nodes && dst < f->graph->nodes);
    const struct routing_graph *r = f->graph;
    if (f->dst != dst)
        path_tree_to(&f->towards, r, r->length, dst);
    f->dst = dst;
    f->found.count = 0;
    if (src == dst || f->towards.dist[src] == GRAPH_FAR ||
        !path_tree_between(&f->spur, r, r->length, src, dst, f->towards.dist, NULL, NULL))
        return RWA_OK;
    MUST(add_candidate(f, 0, src, f->towards.dist[src], err));
    for (size_t n = 0; n < most; n++) {
        size_t best = nearest_candidate(f);
        if (best == f->found.count || (max_hops > 0 && f->branch[best].length / GRAPH_HOP > max_hops))
            break;
        f->branch[best].accepted = true;
        MUST(paths_copy(paths, &f->found, best, err));
        if (n + 1 < most)
            MUST(branch_off(f, best, src, err));
    }
    return RWA_OK;
}

static bool is_simple(struct k_shortest *f, const uint32_t *arc, size_t hops)
{
    assert(hops > 0);
    const struct routing_graph *r = f->graph;
    bool simple = true;
    for (size_t k = 0; k < hops; k++) {
        simple = simple && !f->shut_node[r->to[arc[k]]] && r->to[arc[k]] != r->from[arc[0]];
        f->shut_node[r->to[arc[k]]] = true;
    }
    for (size_t k = 0; k < hops; k++)
        f->shut_node[r->to[arc[k]]] = false;
    return simple;
}

/* Append paths that join a path of `there` (to a node) and a path of `on` (from it), by the sum of their ranks,
 * until `most` are appended.  Leave out a joined path that has more than max_hops hops (0: no limit) or passes a
 * node twice. */
static rwa_status join(struct k_shortest *f, struct paths *paths, const struct paths *there, const struct paths *on,
                       size_t most, uint32_t max_hops, rwa_error *err)
{
    size_t added = 0;
    for (size_t sum = 0; sum + 1 < there->count + on->count && added < most; sum++)
        for (size_t i = sum < on->count ? 0 : sum - on->count + 1; i <= sum && i < there->count && added < most; i++) {
            size_t j = sum - i, a = paths_hops(there, i), b = paths_hops(on, j);
            if (a + b > f->graph->nodes || (max_hops > 0 && a + b > max_hops))
                continue;
            memcpy(f->arcs, paths_arcs(there, i), a * sizeof *f->arcs);
            memcpy(f->arcs + a, paths_arcs(on, j), b * sizeof *f->arcs);
            if (!is_simple(f, f->arcs, a + b))
                continue;
            MUST(paths_add(paths, f->arcs, a + b, err));
            added++;
        }
    return RWA_OK;
}

rwa_status k_shortest_via(struct k_shortest *f, struct paths *paths, uint32_t src, uint32_t via, uint32_t dst,
                          size_t most, uint32_t max_hops, bool *all, rwa_error *err)
{
    rwa_status st = RWA_OK;
    struct paths there = {0}, on = {0};
    size_t before = paths->count;
    if (via == RWA_NONE) {
        st = k_shortest_find(f, paths, src, dst, most, max_hops, err);
        *all = paths->count < before + most;
        return st;
    }
    assert(via < f->graph->nodes && via != src && via != dst);
    *all = f->graph->closed[via];
    for (size_t tried = most, had = 0; paths->count == before && tried <= most + MOST_TRIED && !f->graph->closed[via];
         tried *= 4) {
        paths_cut(&there, 0);
        paths_cut(&on, 0);
        TRY(k_shortest_find(f, &there, src, via, tried, max_hops, err));
        TRY(k_shortest_find(f, &on, via, dst, tried, max_hops, err));
        *all = there.count < tried && on.count < tried;
        if (there.count + on.count == had) /* the last searches found no more paths */
            break;
        had = there.count + on.count;
        TRY(join(f, paths, &there, &on, most, max_hops, err));
        *all = *all && paths->count < before + most;
    }
done:
    paths_free(&there);
    paths_free(&on);
    return st;
}
