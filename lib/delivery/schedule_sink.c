/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "delivery/schedule_sink.h"

rwa_status transfers_create(struct transfers *t, size_t most, unsigned with, rwa_error *err)
{
    *t = (struct transfers){.capacity = most};
    t->src = base_array(most, sizeof *t->src, err);
    t->dst = base_array(most, sizeof *t->dst, err);
    t->block = base_array(most, sizeof *t->block, err);
    t->direction = with & WITH_DIRECTION ? base_array(most, sizeof *t->direction, err) : NULL;
    t->colour = with & WITH_COLOUR ? base_array(most, sizeof *t->colour, err) : NULL;
    t->early = with & WITH_EARLY ? base_array(most, sizeof *t->early, err) : NULL;
    t->copy = with & WITH_COPY ? base_array(most, sizeof *t->copy, err) : NULL;
    bool made = t->src && t->dst && t->block && (t->direction || !(with & WITH_DIRECTION)) &&
                (t->colour || !(with & WITH_COLOUR)) && (t->early || !(with & WITH_EARLY)) &&
                (t->copy || !(with & WITH_COPY));
    if (!made)
        transfers_free(t);
    return made ? RWA_OK : RWA_NOMEM;
}

void transfers_free(struct transfers *t)
{
    free_all(t->src, t->dst, t->block, t->direction, t->colour, t->early, t->copy, t->rank_of);
    *t = (struct transfers){0};
}

rwa_status sink_transfers(struct schedule_sink *sink, struct transfers *stage)
{
    rwa_status st = stage->count > 0 ? sink->transfers(sink, stage) : RWA_OK;
    transfers_free(stage);
    return st;
}
