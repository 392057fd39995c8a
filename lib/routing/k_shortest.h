/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The k shortest simple paths between two nodes. */
#pragma once

#include "routing/graph.h"
#include "routing/paths.h"

/** Workspace to find several paths between two nodes. */
struct k_shortest;
rwa_status k_shortest_open(struct k_shortest **out, const struct routing_graph *graph, rwa_error *err);
void k_shortest_close(struct k_shortest *k_shortest);

/** Append the `most` shortest simple paths from src to dst that have at most max_hops hops (0: no limit), by
 *  graph->length, shortest first; all such paths if there are fewer.  The algorithm is Yen's (Finding the k shortest
 *  loopless paths in a network, Management Science 17, 1971); each subspace is searched once, as Lawler proposed.  The
 *  distances to dst are kept for the next call, so calls with the same dst should follow each other.  O(paths * hops)
 *  searches guided by these distances */
rwa_status k_shortest_find(struct k_shortest *k_shortest, struct paths *paths, uint32_t src, uint32_t dst, size_t most,
                           uint32_t max_hops, rwa_error *err);

/**
 * Append short simple paths from src to dst that pass node `via` (RWA_NONE: any path), at most `most` and none of more
 * than max_hops hops (0: no limit).  A path through `via` joins a simple path to it and one from it.  Only about a
 * thousand paths are tried on either side, so that in large networks a path may be missed, even the only one.  These
 * paths come by the sum of their ranks on the two sides: short ones early, but not strictly by length.
 * @param[out] all  true: there are no other such paths
 */
rwa_status k_shortest_via(struct k_shortest *k_shortest, struct paths *paths, uint32_t src, uint32_t via, uint32_t dst,
                          size_t most, uint32_t max_hops, bool *all, rwa_error *err);
