/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "place/clock.h"

enum { SAVE_EVERY = 128 };

rwa_status clock_open(struct clock *c, const rwa_tasks *tasks, uint32_t devices, rwa_error *err)
{
    *c = (struct clock){.tasks = tasks, .devices = devices};
    c->start = base_array(tasks->count, sizeof *c->start, err);
    c->end = base_array(tasks->count, sizeof *c->end, err);
    c->free_at = base_array(devices, sizeof *c->free_at, err);
    c->saved = base_array(tasks->count / SAVE_EVERY + 1, devices * sizeof *c->saved, err);
    return c->start && c->end && c->free_at && c->saved ? RWA_OK : RWA_NOMEM;
}

void clock_free(struct clock *c)
{
    free_all(c->start, c->end, c->free_at, c->saved);
}

double clock_ready(const struct clock *c, uint32_t task)
{
    double ready = 0;
    for (size_t i = c->tasks->in[task]; i < c->tasks->in[task + 1]; i++)
        ready = fmax(ready, c->end[c->tasks->edge[i].from]);
    return ready;
}

void clock_run(struct clock *c, size_t index, uint32_t device)
{
    uint32_t task = c->tasks->order[index];
    if (index % SAVE_EVERY == 0)
        memcpy(c->saved + index / SAVE_EVERY * c->devices, c->free_at, c->devices * sizeof *c->free_at);
    c->start[task] = fmax(clock_ready(c, task), c->free_at[device]);
    c->end[task] = c->free_at[device] = c->start[task] + c->tasks->task[task].duration_s;
}

size_t clock_rewind(struct clock *c, size_t index)
{
    memcpy(c->free_at, c->saved + index / SAVE_EVERY * c->devices, c->devices * sizeof *c->free_at);
    return index / SAVE_EVERY * SAVE_EVERY;
}
