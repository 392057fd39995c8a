/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Simple paths, many at a time. */
#ifndef ROUTING_PATHS_H
#define ROUTING_PATHS_H

#include "routing/roads.h"

/** Paths in a row: path i is arc[first[i]] … arc[first[i + 1] - 1]; first is NULL while there is none. */
struct paths {
    size_t count;
    size_t *first;
    uint32_t *arc;
    size_t first_room, arc_room;
};

void paths_free(struct paths *paths);
rwa_status paths_add(struct paths *paths, const uint32_t *arc, size_t hops, rwa_error *err);
/** Forget all but the first `count`. */
void paths_cut(struct paths *paths, size_t count);
/** Whether path i is this one. */
bool paths_same(const struct paths *paths, size_t i, const uint32_t *arc, size_t hops);

/** Workspace to find several paths between two nodes. */
struct finder;
rwa_status finder_open(struct finder **out, const struct roads *roads, rwa_error *err);
void finder_close(struct finder *finder);

/**
 * Append the `most` shortest simple paths from src to dst by roads->length, shortest first, none of more than max_hops
 * (0: no limit); fewer when there are no more (Yen: Finding the k shortest loopless paths in a network, Management
 * Science 17, 1971, each subspace searched once as Lawler proposed).  Ask for equal dst in a row: the distances to it are
 * kept.  O(paths * hops) searches that are led by those distances
 */
rwa_status finder_shortest(struct finder *finder, struct paths *paths, uint32_t src, uint32_t dst, size_t most,
                           uint32_t max_hops, rwa_error *err);

/**
 * Simple paths by way of a node: put together from the shortest to it and from it, at most about a thousand on either
 * side, so that in large networks a path may be missed, even the only one.  By the sum of their ranks on either side, so
 * that short ones come early, but not strictly by length, and of too many not always the shortest.
 * @param[out] all  whether there are no others
 */
rwa_status finder_via(struct finder *finder, struct paths *paths, uint32_t src, uint32_t via, uint32_t dst, size_t most,
                      uint32_t max_hops, bool *all, rwa_error *err);

#endif
