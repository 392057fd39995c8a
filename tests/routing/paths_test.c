/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The k shortest simple paths, and paths by way of a node, against all simple paths of random small graphs. */
#include "routing/k_shortest.h"
#include "routing/path_tree.h"

#include "tests/support/random.h"

enum { NODES = 6, PATHS = 4000, HOPS = NODES, GRAPHS = 150 };

/* ---- all simple paths ---- */

struct all {
    const struct routing_graph *graph;
    uint32_t dst, via, most_hops;
    uint32_t now[HOPS];
    uint32_t path[PATHS][HOPS];
    size_t hops[PATHS], count;
};

static uint64_t length_of(const struct routing_graph *graph, const uint32_t *arc, size_t hops)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < hops; i++)
        sum += graph->length[arc[i]];
    return sum;
}

static void keep(struct all *all, size_t hops, unsigned seen)
{
    if (all->via != RWA_NONE && !(seen >> all->via & 1))
        return;
    CU_ASSERT_TRUE_FATAL(all->count < PATHS);
    memcpy(all->path[all->count], all->now, hops * sizeof *all->now);
    all->hops[all->count++] = hops;
}

/** seen: the nodes of the path so far, as bits. */
static void enumerate(struct all *all, uint32_t node, size_t hops, unsigned seen)
{
    const struct routing_graph *r = all->graph;
    if (node == all->dst) {
        keep(all, hops, seen);
        return;
    }
    for (uint32_t i = r->out_first[node]; i < r->out_first[node + 1] && hops < all->most_hops; i++) {
        uint32_t to = r->to[r->out[i]];
        if (seen >> to & 1 || (r->closed[to] && to != all->dst))
            continue;
        all->now[hops] = r->out[i];
        enumerate(all, to, hops + 1, seen | 1u << to);
    }
}

static const struct routing_graph *sorting;

static void lengths_of(uint64_t *lengths, const struct all *all)
{
    for (size_t i = 0; i < all->count; i++)
        lengths[i] = length_of(sorting, all->path[i], all->hops[i]);
    qsort(lengths, all->count, sizeof *lengths, order_uint64);
}

static bool is_among(const struct all *all, const uint32_t *arc, size_t hops)
{
    for (size_t i = 0; i < all->count; i++)
        if (all->hops[i] == hops && memcmp(all->path[i], arc, hops * sizeof *arc) == 0)
            return true;
    return false;
}

/* ---- random graphs ---- */

static rwa_network *random_network(void)
{
    struct request r = request_of("links:");
    uint32_t nodes = 3 + any(NODES - 2), more = any(NODES);
    char *end = r.spec + strlen(r.spec);
    for (uint32_t v = 1; v < nodes + more; v++) {
        uint32_t from = any(v < nodes ? v : nodes), to = v < nodes ? v : any(nodes);
        if (from != to)
            end += sprintf(end, "%u-%ux%u,", from, to, 1 + any(3));
    }
    return request_network(r);
}

/** Each path is one of all, none comes twice, and unless they pass a node, their lengths are the shortest there are, in
 *  order. */
static void compare(const struct routing_graph *graph, const struct paths *paths, const struct all *all)
{
    static uint64_t lengths[PATHS];
    sorting = graph;
    lengths_of(lengths, all);
    for (size_t i = 0; i < paths->count; i++) {
        const uint32_t *arc = paths->arc + paths->first[i];
        size_t hops = paths->first[i + 1] - paths->first[i];
        CU_ASSERT_TRUE(is_among(all, arc, hops));
        CU_ASSERT_TRUE(length_of(graph, arc, hops) == lengths[i] || all->via != RWA_NONE);
        CU_ASSERT_FALSE(paths_hold(paths, i + 1, arc, hops));
    }
}

struct question {
    uint32_t src, dst, via, max_hops;
    size_t most;
};

static void ask(struct k_shortest *k_shortest, const struct routing_graph *graph, const struct question *q)
{
    static struct all all;
    struct paths paths = {0};
    bool complete = true;
    all.graph = graph;
    all.dst = q->dst;
    all.via = q->via;
    all.most_hops = q->max_hops ? q->max_hops : HOPS;
    all.count = 0;
    enumerate(&all, q->src, 0, 1u << q->src);
    rwa_status st = q->via == RWA_NONE ? k_shortest_find(k_shortest, &paths, q->src, q->dst, q->most, q->max_hops, NULL)
                                       : k_shortest_via(k_shortest, &paths, q->src, q->via, q->dst, q->most,
                                                        q->max_hops, &complete, NULL);
    OK(st);
    CU_ASSERT_EQUAL(paths.count, all.count < q->most ? all.count : q->most);
    CU_ASSERT_FALSE(complete && paths.count < q->most && paths.count != all.count);
    compare(graph, &paths, &all);
    paths_free(&paths);
}

static void paths_are_the_shortest_of_all(void)
{
    seed = 11;
    for (int g = 0; g < GRAPHS; g++) {
        rwa_network *net = random_network();
        struct routing_graph graph = {0};
        struct k_shortest *k_shortest = NULL;
        uint32_t nodes = rwa_network_nodes(net);
        OK(routing_graph_create(&graph, net, any(2) ? RWA_DIRECTED : RWA_UNDIRECTED, NULL));
        OK(k_shortest_open(&k_shortest, &graph, NULL));
        for (int i = 0; i < 12; i++) {
            struct question q = {any(nodes), any(nodes), any(2) ? RWA_NONE : any(nodes), any(2) ? 0 : 1 + any(4),
                                 1 + any(30)};
            if (q.src != q.dst && q.via != q.src && q.via != q.dst)
                ask(k_shortest, &graph, &q);
        }
        k_shortest_close(k_shortest);
        routing_graph_free(&graph);
    }
}

/** No route passes a closed node, but it may end there. */
static void closed_nodes_are_gone_around(void)
{
    for (int g = 0; g < GRAPHS; g++) {
        rwa_network *net = random_network();
        struct routing_graph graph = {0};
        struct k_shortest *k_shortest = NULL;
        uint32_t nodes = rwa_network_nodes(net), src = any(nodes), dst = (src + 1 + any(nodes - 1)) % nodes;
        OK(routing_graph_create(&graph, net, RWA_DIRECTED, NULL));
        graph.closed[any(nodes)] = true;
        OK(k_shortest_open(&k_shortest, &graph, NULL));
        ask(k_shortest, &graph, &(struct question){src, dst, RWA_NONE, 0, 10});
        k_shortest_close(k_shortest);
        routing_graph_free(&graph);
    }
}

TESTS("paths", paths_are_the_shortest_of_all, closed_nodes_are_gone_around)
