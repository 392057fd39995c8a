/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Computes start times of placed tasks: each task, in the order of placing, starts when its producers have ended and
 *  its device is free. */
#pragma once

#include "place/tasks.h"

struct clock {
    const rwa_tasks *tasks;
    uint32_t devices;
    double *start, *end;    /* of tasks */
    double *free_at;        /* of devices */
    double *saved;          /* free_at before every SAVE_EVERY-th task of the order, to rewind to */
};

/** Prepare the start times of tasks on `devices` devices.  The arrays belong to the arena, whose status tells whether
 *  there was memory for them. */
void clock_open(struct clock *c, const rwa_tasks *tasks, uint32_t devices, struct arena *memory);
/** Return the time at which all producers of a task have ended. */
double clock_ready(const struct clock *c, uint32_t task);
/** Set the start and the end of task number `index` of the order, which runs on this device. */
void clock_run(struct clock *c, size_t index, uint32_t device);
/** Forget the times of task number `index` of the order, of all later tasks, and perhaps of some earlier ones.  Return
 *  the number in the order from which clock_run() must run the tasks again. */
size_t clock_rewind(struct clock *c, size_t index);
