/* SPDX-License-Identifier: GPL-3.0-or-later */
/** A plan as lightpaths with their paths. */
#pragma once

#include "delivery/schedule_sink.h"
#include "network/translations.h"

/** Lightpaths by step, with the nodes of lightpath i in path[path_first[i]] … path[path_first[i + 1] - 1]. */
struct deliveries {
    rwa_lightpath *list;        /* on ring and line with their directions */
    uint32_t *path;
    size_t *path_first;         /* NULL while count is 0; else count + 1 entries */
    size_t count, list_room, path_room, first_room;
    uint32_t steps;
};

void deliveries_free(struct deliveries *d);

/** Reserve memory for one more lightpath; its nodes belong at path[path_first[count]] …; `count` stays.  RWA_NOMEM. */
rwa_status deliveries_reserve(struct deliveries *d, uint32_t path_nodes, rwa_error *err);
/** Append a lightpath, in the last step so far or a later one.  RWA_NOMEM. */
rwa_status deliveries_add(struct deliveries *d, const rwa_lightpath *lp, const uint32_t *path, uint32_t path_nodes,
                          rwa_error *err);
/** Remove the lightpaths with an orbit of 0, and renumber the remaining steps. */
void deliveries_compact(struct deliveries *d);

/** Push a stage for each step.  RWA_NOMEM; whatever the sink returns.
 *  @param arcs  a ring or a line: directions give the routes, there are no paths
 *  @param by    NULL, or each lightpath stands for its translations by all members */
rwa_status deliveries_push(struct schedule_sink *sink, const struct deliveries *d, bool arcs, const struct folding *by);
