/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The k shortest simple paths between two nodes. */
#pragma once

#include "routing/graph.h"
#include "routing/paths.h"

/** Workspace to find several paths between two nodes. */
struct k_shortest;
rwa_status k_shortest_open(struct k_shortest **out, const struct routing_graph *graph, rwa_error *err);
void k_shortest_close(struct k_shortest *k_shortest);

/**
 * Append the `most` shortest simple paths from src to dst by graph->length, shortest first, none of more than max_hops
 * (0: no limit); fewer when there are no more (Yen: Finding the k shortest loopless paths in a network, Management
 * Science 17, 1971, each subspace searched once as Lawler proposed).  Ask for equal dst in a row: the distances to it
 * are kept.  O(paths * hops) searches that are led by those distances
 */
rwa_status k_shortest_find(struct k_shortest *k_shortest, struct paths *paths, uint32_t src, uint32_t dst, size_t most,
                           uint32_t max_hops, rwa_error *err);

/**
 * Simple paths through a node: joined from the shortest to it and from it, at most about a thousand on either
 * side, so that in large networks a path may be missed, even the only one.  By the sum of their ranks on either side,
 * so that short ones come early, but not strictly by length, and of too many not always the shortest.
 * @param[out] all  whether there are no others
 */
rwa_status k_shortest_via(struct k_shortest *k_shortest, struct paths *paths, uint32_t src, uint32_t via, uint32_t dst,
                          size_t most, uint32_t max_hops, bool *all, rwa_error *err);
