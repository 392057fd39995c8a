/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "delivery/schedule_sink.h"

rwa_status transfers_create(struct transfers *t, size_t most, unsigned with, rwa_error *err)
{
    *t = (struct transfers){.memory.err = err, .capacity = most};
    arena_arrays(&t->memory, most, t->src, t->dst, t->block);
    if (with & WITH_DIRECTION)
        arena_new(&t->memory, t->direction, most);
    if (with & WITH_COLOUR)
        arena_new(&t->memory, t->colour, most);
    if (with & WITH_EARLY)
        arena_new(&t->memory, t->early, most);
    if (with & WITH_COPY)
        arena_new(&t->memory, t->copy, most);
    rwa_status st = arena_status(&t->memory);
    if (st != RWA_OK)
        transfers_free(t);
    return st;
}

void transfers_free(struct transfers *t)
{
    arena_free(&t->memory);
    *t = (struct transfers){0};
}

rwa_status sink_transfers(struct schedule_sink *sink, struct transfers *stage)
{
    rwa_status st = stage->count > 0 ? sink->transfers(sink, stage) : RWA_OK;
    transfers_free(stage);
    return st;
}
