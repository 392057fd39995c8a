/* SPDX-License-Identifier: GPL-3.0-or-later */
/** When the placed tasks start: in the order of placing, each when its producers have ended and its device is free. */
#pragma once

#include "place/tasks.h"

struct clock {
    const rwa_tasks *tasks;
    uint32_t devices;
    double *start, *end;    /* of tasks */
    double *free_at;        /* of devices */
    double *saved;          /* free_at before every SAVE_EVERY-th task of the order */
};

rwa_status clock_open(struct clock *c, const rwa_tasks *tasks, uint32_t devices, rwa_error *err);
void clock_free(struct clock *c);
/** When all producers of a task have ended. */
double clock_ready(const struct clock *c, uint32_t task);
/** The next task of the order, number `index`, runs on a device. */
void clock_run(struct clock *c, size_t index, uint32_t device);
/** Forget the times from task number `index` of the order on, or somewhat before: returns the number to go on from. */
size_t clock_rewind(struct clock *c, size_t index);
