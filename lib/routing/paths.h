/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Lists of paths. */
#pragma once

#include "base/base.h"

/** A list of paths: path i is arc[first[i]] … arc[first[i + 1] - 1]; first is NULL while the list is empty.  A route
 *  with a backup is one path: its first working[i] arcs are the working route, the others the backup. */
struct paths {
    size_t count;
    size_t *first, *working;
    uint32_t *arc;
};

void paths_free(struct paths *paths);
/** Append a path.  `arc` may point into the part of the list that paths_cut() removed. */
rwa_status paths_add(struct paths *paths, const uint32_t *arc, size_t hops, rwa_error *err);
/** Append a working route and its backup as one path of `hops` arcs, the first `working` of which are the working
 *  route. */
rwa_status paths_add_pair(struct paths *paths, const uint32_t *arc, size_t working, size_t hops, rwa_error *err);
/** Append path i of another list. */
rwa_status paths_copy(struct paths *paths, const struct paths *from, size_t i, rwa_error *err);
/** Remove all paths but the first `count`. */
void paths_cut(struct paths *paths, size_t count);
/** Whether the list has this path at index `from` or later. */
bool paths_hold(const struct paths *paths, size_t from, const uint32_t *arc, size_t hops);

static inline const uint32_t *paths_arcs(const struct paths *paths, size_t i)
{
    assert(i < paths->count);
    return paths->arc + paths->first[i];
}

static inline size_t paths_hops(const struct paths *paths, size_t i)
{
    assert(i < paths->count);
    return paths->first[i + 1] - paths->first[i];
}
