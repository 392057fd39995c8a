/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "place/clock.h"

enum { SAVE_EVERY = 128 };

void clock_open(struct clock *c, const rwa_tasks *tasks, uint32_t devices, struct arena *memory)
{
    *c = (struct clock){.tasks = tasks, .devices = devices};
    arena_new(memory, c->start, tasks->count);
    arena_new(memory, c->end, tasks->count);
    arena_new(memory, c->free_at, devices);
    arena_new(memory, c->saved, (tasks->count / SAVE_EVERY + 1) * devices);
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
