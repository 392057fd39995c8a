/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Backfill: move transfers of a stage into the free channels of the step before it. */
#include "plan/pack/pack.h"

#include "schedule/schedule.h"

/** Copy to `part` the early transfers of a stage (their senders held the blocks before the schedule's last step), or,
 * if `early` is false, all others. */
static rwa_status part_of(struct coloured *part, const struct coloured *c, bool early, rwa_error *err)
{
    MUST(transfers_create(&part->t, c->t.count, 0, err));
    part->t.op = c->t.op;
    part->t.rows = c->t.rows;
    for (size_t i = 0; i < c->t.count; i++)
        if ((c->t.early[i] != 0) == early) {
            transfer_add(&part->t, c->t.src[i], c->t.dst[i], c->t.block[i]);
            part->clockwise += i < c->clockwise;
        }
    return RWA_OK;
}

rwa_status backfill_spare(rwa_schedule *sched, struct coloured *c, uint32_t used, const rwa_network *net,
                          const rwa_plan_options *o, struct budget *budget, uint64_t *backfilled, rwa_error *err)
{
    struct coloured early = {0}, rest = {0};
    rwa_status st = RWA_OK;
    *backfilled = 0;
    assert(used < rwa_network_channels(net));
    if (!c->t.early || used == 0)
        return RWA_OK;
    TRY(part_of(&early, c, true, err));
    TRY(colour_stage(&early, net, o, err));
    for (size_t i = 0, at = 0; i < c->t.count; i++)
        if (c->t.early[i])
            c->t.early[i] = early.colour[at++] < rwa_network_channels(net) - used;
    TRY(part_of(&rest, c, false, err));
    TRY(colour_stage(&rest, net, o, err));
    if (rest.wavelengths >= c->wavelengths)
        goto done; /* the early transfers do not cross the heaviest links */
    *backfilled = c->t.count - rest.t.count;
    TRY(pack_stage(sched, &early, used, net, budget, err));
    coloured_free(c);
    *c = rest;
    rest = (struct coloured){0};
done:
    coloured_free(&early);
    coloured_free(&rest);
    return st;
}
