/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Shortest-path trees over a routing graph (Dijkstra). */
#pragma once

#include "routing/graph.h"
#include "routing/paths.h"

/** Shortest paths from one node, or to one. */
struct path_tree {
    uint64_t *dist;     /* of each node; GRAPH_FAR: no path */
    uint32_t *arc;      /* the arc towards the root; RWA_NONE at the root and where there is no path */
    uint32_t *order;    /* the nodes reached, nearest first: settled of them */
    uint32_t *heap, *place;
    uint32_t count, settled;
    struct arena arena;
};

rwa_status path_tree_create(struct path_tree *path_tree, const struct routing_graph *graph, rwa_error *err);
void path_tree_free(struct path_tree *path_tree);
/** Find the shortest paths from `root` to all nodes under a length for each arc; path_tree->arc[v] is the arc that
 *  enters node v.  Ties go to the arc examined first.  O(arcs log nodes). */
void path_tree_from(struct path_tree *path_tree, const struct routing_graph *graph, const uint64_t *length,
                    uint32_t root);
/** Find the shortest paths from all nodes to `root` under a length for each arc; path_tree->arc[v] is the arc that
 *  leaves node v.  O(arcs log nodes). */
void path_tree_to(struct path_tree *path_tree, const struct routing_graph *graph, const uint64_t *length,
                  uint32_t root);
/**
 * Find a shortest path from src to dst that avoids shut nodes and arcs (NULL: none is shut).
 * @param left  NULL, or each node's distance to dst under these lengths when nothing is shut.  It guides the search;
 *              path_tree->dist[dst] is then the length of the path less left[src]
 * @return whether there is a path; follow path_tree->arc from dst back to src
 */
bool path_tree_between(struct path_tree *path_tree, const struct routing_graph *graph, const uint64_t *length,
                       uint32_t src, uint32_t dst, const uint64_t *left, const bool *shut_node, const bool *shut_arc);

/** Write the arcs from src to dst in a tree to `arc`, and return the hops; 0: the tree does not lead to dst. tree[v] is
 *  the arc that enters node v, as path_tree_from() finds it. */
size_t tree_path(uint32_t *arc, const struct routing_graph *graph, const uint32_t *tree, uint32_t src, uint32_t dst);
/** Append the path from src to dst in a tree, as tree_path() finds it.  Do nothing if there is no path, or if the list
 *  has it at index `from` or later. */
rwa_status tree_add_path(struct paths *paths, size_t from, const struct routing_graph *graph, const uint32_t *tree,
                         uint32_t src, uint32_t dst, rwa_error *err);
