/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Start times of placed tasks: each task, in the order of placing, starts when its producers have ended and its
 *  device is free. */
#pragma once

#include "place/tasks.h"

struct clock {
    const rwa_tasks *tasks;
    uint32_t devices;
    double *start, *end;    /* of tasks */
    double *free_at;        /* of devices */
    double *saved;          /* free_at before every SAVE_EVERY-th task of the order, to rewind to */
};

/** The arrays belong to the arena, whose status says whether there was memory for them. */
void clock_open(struct clock *c, const rwa_tasks *tasks, uint32_t devices, struct arena *memory);
/** When all producers of a task have ended. */
double clock_ready(const struct clock *c, uint32_t task);
/** Run task number `index` of the order on a device: sets its start and end. */
void clock_run(struct clock *c, size_t index, uint32_t device);
/** Forget the times from task number `index` of the order on, or from somewhat before; returns the number from which
 *  to run tasks again. */
size_t clock_rewind(struct clock *c, size_t index);
