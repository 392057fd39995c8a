/* SPDX-License-Identifier: GPL-3.0-or-later */
/** A plan as a list of lightpaths with the nodes of their paths. */
#pragma once

#include "delivery/schedule_sink.h"
#include "network/translations.h"

/** Lightpaths, ordered by step.  The nodes of lightpath i are path[path_first[i]] … path[path_first[i + 1] - 1]. */
struct deliveries {
    rwa_lightpath *list;        /* on ring and line with their directions */
    uint32_t *path;
    size_t *path_first;         /* NULL while count is 0; else count + 1 entries */
    size_t count;
    uint32_t steps;
};

void deliveries_free(struct deliveries *d);

/** Reserve memory for one more lightpath with `path_nodes` nodes, without adding it.  The caller writes the nodes to
 * path[path_first[count]] … and the lightpath to list[count], and then raises `count`.  RWA_NOMEM. */
rwa_status deliveries_reserve(struct deliveries *d, uint32_t path_nodes, rwa_error *err);
/** Append lightpath lp and its path.  lp->step must be the last step so far or a later one.  RWA_NOMEM. */
rwa_status deliveries_add(struct deliveries *d, const rwa_lightpath *lp, const uint32_t *path, uint32_t path_nodes,
                          rwa_error *err);
/** Remove the lightpaths whose `orbit` the caller has set to 0, and the steps that become empty.  Then number the steps
 * that are left from 1 again. */
void deliveries_compact(struct deliveries *d);

/** Push the lightpaths into the sink, one stage for each step.  RWA_NOMEM; whatever the sink returns.
 * @param arcs true on a ring or a line, where the direction of a lightpath gives its route, so that no path is pushed
 * @param by NULL, or a folding of the network: each lightpath is then pushed with its translations by all members of
 * the folding */
rwa_status deliveries_push(struct schedule_sink *sink, const struct deliveries *d, bool arcs, const struct folding *by);
