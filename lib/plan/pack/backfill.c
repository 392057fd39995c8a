/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Transfers of a stage in the spare channels of the step before it. */
#include "plan/pack/pack.h"

#include "schedule/schedule.h"

/** Those of a stage that go early, or the others; early: NULL, or colours of all that may, of which only those below `spare` do. */
static rwa_status part_of(struct coloured *part, const struct coloured *c, const struct coloured *early, uint32_t spare, bool wanted,
                          rwa_error *err)
{
    size_t at = 0;
    MUST(transfers_create(&part->t, c->t.count, 0, err));
    part->t.op = c->t.op;
    part->t.rows = c->t.rows;
    for (size_t i = 0; i < c->t.count; i++) {
        bool goes = c->t.early[i] && (!early || early->colour[at] < spare);
        at += c->t.early[i];
        if (goes != wanted)
            continue;
        transfer_add(&part->t, c->t.src[i], c->t.dst[i], c->t.block[i]);
        part->clockwise += i < c->clockwise;
    }
    return RWA_OK;
}

/** Keep the lightpaths of the colours below `spare`, on channels behind the first `used`. */
static void keep_spare(struct coloured *early, uint32_t used, uint32_t spare)
{
    size_t kept = 0, clockwise = 0;
    for (size_t i = 0; i < early->t.count; i++) {
        if (early->colour[i] >= spare)
            continue;
        early->t.src[kept] = early->t.src[i];
        early->t.dst[kept] = early->t.dst[i];
        early->t.block[kept] = early->t.block[i];
        early->colour[kept++] = used + early->colour[i];
        clockwise += i < early->clockwise;
    }
    early->t.count = kept;
    early->clockwise = clockwise;
}

/** Every block that an early sender holds arrived in a step before the last one, so causality is kept. */
rwa_status backfill_spare(rwa_schedule *sched, struct coloured *c, uint32_t used, const rwa_network *net,
                          const rwa_plan_options *o, struct budget *budget, uint64_t *backfilled, rwa_error *err)
{
    uint32_t spare = rwa_network_channels(net) - used;
    struct coloured early = {0}, rest = {0};
    rwa_status st = RWA_OK;
    *backfilled = 0;
    assert(used < rwa_network_channels(net));
    if (!c->t.early || used == 0)
        return RWA_OK;
    TRY(part_of(&early, c, NULL, 0, true, err));
    TRY(colour_stage(&early, net, o, err));
    TRY(part_of(&rest, c, &early, spare, false, err));
    TRY(colour_stage(&rest, net, o, err));
    if (rest.wavelengths >= c->wavelengths)
        goto done; /* the early ones do not cross the heaviest links */
    *backfilled = c->t.count - rest.t.count;
    keep_spare(&early, used, spare);
    assert(early.t.count == *backfilled);
    TRY(pack_stage(sched, &early, rwa_schedule_steps(sched), net, budget, err));
    coloured_free(c);
    *c = rest;
    rest = (struct coloured){0};
done:
    coloured_free(&early);
    coloured_free(&rest);
    return st;
}
