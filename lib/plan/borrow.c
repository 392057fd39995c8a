/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Spare channels of a stage's last step, lent to the next stage. */
#include "plan/plan.h"

#include <stdlib.h>
#include <string.h>

/** Room for a part of a stage. */
static rwa_status part_create(struct coloured *part, const struct stage *whole, rwa_error *err)
{
    rwa_status st = stage_create(&part->stage, whole->count, err);
    part->stage.op = whole->op;
    part->stage.rows = whole->rows;
    return st;
}

static void part_add(struct coloured *part, const struct coloured *c, size_t i)
{
    size_t k = part->stage.count++;
    part->stage.src[k] = c->stage.src[i];
    part->stage.dst[k] = c->stage.dst[i];
    part->stage.block[k] = c->stage.block[i];
    part->clockwise += i < c->clockwise;
}

/** Every block that an early sender holds arrived in a step before the last one, so causality is kept. */
rwa_status borrow_spare(rwa_schedule *sched, struct coloured *c, uint32_t used, const rwa_network *net,
                        const rwa_plan_options *o, uint64_t *borrowed, rwa_error *err)
{
    uint32_t channels = rwa_network_channels(net), spare = channels - used;
    struct coloured early = {0}, rest = {0};
    size_t early_at = 0, count = c->stage.count;
    rwa_status st = RWA_OK;
    *borrowed = 0;
    if (!c->stage.early || used == 0)
        return RWA_OK;
    TRY(part_create(&early, &c->stage, err));
    TRY(part_create(&rest, &c->stage, err));
    for (size_t i = 0; i < count; i++)
        if (c->stage.early[i])
            part_add(&early, c, i);
    TRY(colour_stage(&early, net, o, err));
    for (size_t i = 0; i < count; i++)
        if (!c->stage.early[i] || early.colour[early_at++] >= spare)
            part_add(&rest, c, i);
    TRY(colour_stage(&rest, net, o, err));
    if (rest.wavelengths >= c->wavelengths)
        goto done; /* the early ones do not cross the heaviest links */
    *borrowed = count - rest.stage.count;
    TRY(pack_spare(sched, &early, used, spare, net, err));
    coloured_free(c);
    *c = rest;
    rest = (struct coloured){0};
done:
    coloured_free(&early);
    coloured_free(&rest);
    return st;
}
