/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Positions of placed tasks on an endless line, whose points modulo k are the devices.  For every edge between placed
 * tasks
 *     0 <= position(to) - position(from) <= distance.
 * Tasks that no chain of edges joins are in different components, each of which may move along the line by multiples of
 * k.
 */
#pragma once

#include "base/arena.h"
#include "place/tasks.h"

struct positions {
    const rwa_tasks *tasks;
    int64_t devices, distance;
    int64_t *at;
    bool *placed;
    uint32_t *component;        /* of each task */
    uint32_t *next, *size;      /* the members of a component as a circular list; their number */
    uint32_t *moved;            /* tasks that the last repair moved, each once */
    size_t moved_count;
    bool *is_moved;
    struct step *step;          /* work list of a repair */
    size_t steps;
};

/** Prepare the positions of tasks, none of which is placed yet.  The arrays are allocated in the arena `memory`, whose
 *  status tells whether that succeeded. */
void positions_open(struct positions *p, const rwa_tasks *tasks, uint32_t devices, uint32_t distance,
                    struct arena *memory);
void positions_free(struct positions *p);

/** Return the device of a point of the line: the point modulo the number of devices. */
uint32_t positions_device_at(const struct positions *p, int64_t at);
/** Return the device of a placed task. */
uint32_t positions_device(const struct positions *p, uint32_t task);

/** Move the producers of a task, if necessary, into one interval of length `distance`.  Set *from … *to to the points
 *  where the task may then be placed. p->moved lists the tasks that had to move, none if the producers were near
 *  enough. */
rwa_status positions_gather(struct positions *p, uint32_t task, int64_t *from, int64_t *to, rwa_error *err);
/** Place a task at a point of the line.  If the task has producers that it must be near, the point is one of those that
 *  positions_gather() returned. */
void positions_place(struct positions *p, uint32_t task, int64_t at);
