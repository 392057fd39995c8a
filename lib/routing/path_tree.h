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
/** Find the shortest paths from `root` to all nodes under a length for each arc.  Ties go to the arc examined first.
 *  O(arcs log nodes). */
void path_tree_from(struct path_tree *path_tree, const struct routing_graph *graph, const uint64_t *length,
                    uint32_t root);
/** Find the shortest paths from all nodes to `root`. */
void path_tree_to(struct path_tree *path_tree, const struct routing_graph *graph, const uint64_t *length,
                  uint32_t root);
/**
 * Find a shortest path from src to dst that avoids shut nodes and arcs (NULL: none is shut).
 * @param left  NULL, or the distances to dst under the same lengths when nothing is shut.  They guide the search, and
 *              path_tree->dist then has only the excess over them
 * @return whether there is a path; follow path_tree->arc from dst back to src
 */
bool path_tree_between(struct path_tree *path_tree, const struct routing_graph *graph, const uint64_t *length,
                       uint32_t src, uint32_t dst, const uint64_t *left, const bool *shut_node, const bool *shut_arc);

/** Write the arcs from src to dst to `arc`; returns how many, 0: the tree does not lead to dst.  `tree` has for each
 *  node the arc that enters it, as in path_tree_from(). */
size_t tree_path(uint32_t *arc, const struct routing_graph *graph, const uint32_t *tree, uint32_t src, uint32_t dst);
/** Append the path of tree_path() to the list, unless there is none or the list has it from index `from` on. */
rwa_status tree_add_path(struct paths *paths, size_t from, const struct routing_graph *graph, const uint32_t *tree,
                         uint32_t src, uint32_t dst, rwa_error *err);
