/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Transfers of a stage in the spare channels of the step before it. */
#include "plan/pack/pack.h"

/** Room for a part of a stage. */
static rwa_status part_create(struct coloured *part, const struct transfers *whole, rwa_error *err)
{
    rwa_status st = transfers_create(&part->t, whole->count, 0, err);
    part->t.op = whole->op;
    part->t.rows = whole->rows;
    return st;
}

static void part_add(struct coloured *part, const struct coloured *c, size_t i)
{
    transfer_add(&part->t, c->t.src[i], c->t.dst[i], c->t.block[i]);
    part->clockwise += i < c->clockwise;
}

/** Every block that an early sender holds arrived in a step before the last one, so causality is kept. */
rwa_status backfill_spare(rwa_schedule *sched, struct coloured *c, uint32_t used, const rwa_network *net,
                        const rwa_plan_options *o, uint64_t *backfilled, rwa_error *err)
{
    uint32_t channels = rwa_network_channels(net), spare = channels - used;
    struct coloured early = {0}, rest = {0};
    size_t early_at = 0, count = c->t.count;
    rwa_status st = RWA_OK;
    *backfilled = 0;
    assert(used < channels);
    if (!c->t.early || used == 0)
        return RWA_OK;
    TRY(part_create(&early, &c->t, err));
    TRY(part_create(&rest, &c->t, err));
    for (size_t i = 0; i < count; i++)
        if (c->t.early[i])
            part_add(&early, c, i);
    TRY(colour_stage(&early, net, o, err));
    for (size_t i = 0; i < count; i++)
        if (!c->t.early[i] || early.colour[early_at++] >= spare)
            part_add(&rest, c, i);
    TRY(colour_stage(&rest, net, o, err));
    if (rest.wavelengths >= c->wavelengths)
        goto done; /* the early ones do not cross the heaviest links */
    assert(early_at == early.t.count && rest.t.count <= count && rest.wavelengths < c->wavelengths);
    *backfilled = count - rest.t.count;
    TRY(pack_spare(sched, &early, used, spare, net, err));
    coloured_free(c);
    *c = rest;
    rest = (struct coloured){0};
done:
    coloured_free(&early);
    coloured_free(&rest);
    return st;
}
