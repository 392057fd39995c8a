/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The internal data of a task graph and of a placement of its tasks on devices. */
#pragma once

#include "base/arena.h"
#include "place/place.h"

/** A graph of tasks whose edges are sorted by `to`.  The edges into task t are edge[in[t]] … edge[in[t + 1] - 1]; those
 *  out of it are edge[out_edge[i]] for i = out[t] … out[t + 1] - 1. */
struct rwa_tasks {
    struct arena memory;        /* of all arrays and names */
    size_t count, edge_count;
    rwa_task *task;
    char **name;            /* NULL, or one for each task */
    rwa_task_edge *edge;
    size_t *in, *out;
    size_t *out_edge;
    uint32_t *order;        /* topological: breadth first, ties by number */
};

struct rwa_placement {
    rwa_placement_report summary;
    rwa_tasks *tasks;
    uint32_t *device;
    double *start;
};

