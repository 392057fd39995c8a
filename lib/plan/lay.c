/* SPDX-License-Identifier: GPL-3.0-or-later */
/** From a core to the real network: nodes, blocks and channels get their real numbers. */
#include "plan/core.h"

#include "base/base.h"
#include "schedule/schedule.h"

#include <stdlib.h>

struct layer {
    const struct cores *cores;
    const struct core *core;
    const rwa_schedule *from;
    rwa_schedule *to;
    uint64_t blocks;
    uint32_t nodes, wavelengths;
    uint32_t *room;             /* for the lists of one record */
    size_t have;
};

static uint32_t participant(const struct layer *l, uint32_t place)
{
    return (place + l->core->first) % l->nodes;
}

static uint32_t node_of(const struct layer *l, uint32_t place)
{
    return l->cores->members ? l->cores->members[participant(l, place)] : participant(l, place);
}

/** Blocks that have an owner move with it; those of a broadcast or an all-reduce have none to move with. */
static uint64_t block_of(const struct layer *l, uint64_t block)
{
    uint64_t each = l->blocks / l->nodes;
    if (l->core->first == 0)
        return block;
    switch (l->core->coll.kind) {
    case RWA_BROADCAST:
    case RWA_ALL_REDUCE:
        return block;
    case RWA_ALL_TO_ALL:
        return (uint64_t)participant(l, (uint32_t)(block / l->nodes)) * l->nodes +
               participant(l, (uint32_t)(block % l->nodes));
    default:
        return participant(l, (uint32_t)(block / each)) * each + block % each;
    }
}

/** Whether block_of() has an answer for every block. */
static rwa_status check_blocks(const struct layer *l, rwa_error *err)
{
    rwa_collective_kind kind = l->core->coll.kind;
    if (l->core->first == 0 || kind == RWA_BROADCAST || kind == RWA_ALL_REDUCE || l->blocks % l->nodes == 0)
        return RWA_OK;
    return base_fail(err, RWA_BADARG, "%llu blocks on a ring that is cut: expected a multiple of the %u nodes that take part",
                     (unsigned long long)l->blocks, l->nodes);
}

static uint32_t channel_of(const struct layer *l, uint32_t channel)
{
    return l->cores->channel ? l->cores->channel[channel] : channel;
}

static void set_channel(const struct layer *l, rwa_lightpath *lp, uint32_t channel)
{
    lp->fiber = channel / l->wavelengths;
    lp->wavelength = channel % l->wavelengths;
}

/** The next lightpaths of an orbit, from number i on, that follow each other in real channels as well: how many. */
static uint32_t run_of(const struct layer *l, const rwa_lightpath *record, uint32_t channel, uint32_t i)
{
    uint32_t begin = (channel + i) % record->period, length = 1;
    while (i + length < record->orbit && begin + length < record->period &&
           channel_of(l, begin + length) == channel_of(l, begin) + length)
        length++;
    return length;
}

/** A record with an orbit, as it is or (without lists) cut where reserved channels lie between its own. */
static rwa_status lay_orbit(const struct layer *l, const rwa_lightpath *record, uint64_t index, rwa_error *err)
{
    uint32_t channel = record->fiber * rwa_network_wavelengths(l->core->net) + record->wavelength;
    bool whole = channel_of(l, record->period - 1) == record->period - 1; /* none reserved below */
    rwa_lightpath lp = *record;
    rwa_lists lists;
    rwa_status st = RWA_OK;
    set_channel(l, &lp, channel);
    rwa_schedule_lists(l->from, index, &lists);
    if (whole)
        return rwa_schedule_add_lists(l->to, &lp, &lists, err);
    for (uint32_t i = 0, run; i < record->orbit; i += run) {
        run = run_of(l, record, channel, i);
        rwa_lightpath_of_orbit(&lp, record, i, l->core->net, rwa_schedule_collective(l->from));
        set_channel(l, &lp, channel_of(l, (channel + i) % record->period));
        lp.orbit = run;
        lp.period = rwa_network_channels(l->cores->real);
        TRY(rwa_schedule_add(l->to, &lp, err));
    }
done:
    return st;
}

/** What a record carries besides; a path has kept its nodes, since only rings and lines move. */
static rwa_status lay_lists(struct layer *l, rwa_lists *lists, rwa_error *err)
{
    rwa_status st = RWA_OK;
    TRY(base_grow((void **)&l->room, &l->have, (size_t)lists->block_count + lists->tap_count, sizeof *l->room, err));
    uint32_t *to = l->room;
    for (uint32_t r = 0; r < lists->run_count; r++)
        for (uint32_t k = 0; k < lists->runs[r].count; k++)
            *to++ = (uint32_t)block_of(l, lists->runs[r].first + k * lists->runs[r].stride);
    for (uint32_t k = 0; k < lists->tap_count; k++)
        *to++ = node_of(l, lists->taps[k]);
    lists->blocks = l->room;
    lists->runs = NULL;
    lists->run_count = 0;
    lists->taps = l->room + lists->block_count;
done:
    return st;
}

static rwa_status lay_one(struct layer *l, rwa_lightpath *lp, uint64_t record, rwa_error *err)
{
    rwa_lists lists;
    rwa_status st = RWA_OK;
    set_channel(l, lp, channel_of(l, lp->fiber * rwa_network_wavelengths(l->core->net) + lp->wavelength));
    lp->src = node_of(l, lp->src);
    lp->dst = node_of(l, lp->dst);
    lp->block = block_of(l, lp->block);
    rwa_schedule_lists(l->from, record, &lists);
    TRY(lay_lists(l, &lists, err));
    TRY(rwa_schedule_add_lists(l->to, lp, &lists, err));
done:
    return st;
}

static rwa_status lay_all(struct layer *l, rwa_error *err)
{
    rwa_status st = RWA_OK;
    TRY(schedule_reserve(l->to, (size_t)rwa_schedule_records(l->from), err));
    for (uint64_t i = 0; i < rwa_schedule_records(l->from); i++) {
        rwa_lightpath lp;
        rwa_schedule_get(l->from, i, &lp);
        TRY(lp.orbit > 1 ? lay_orbit(l, &lp, i, err) : lay_one(l, &lp, i, err));
    }
done:
    return st;
}

/** Orbits go round all nodes of a ring; among some of them, or with lists that each move differently, they are written out. */
static rwa_status expand(rwa_schedule **out, const struct layer *l, rwa_error *err)
{
    rwa_status st = RWA_OK;
    if (!l->core->scattered && !(l->cores->channel && schedule_version(l->from) > 1))
        return RWA_OK;
    TRY(base_fits_memory((double)rwa_schedule_lightpaths(l->from) * 40, "this plan, without orbits,", err));
    TRY(rwa_schedule_expand(out, l->from, err));
done:
    return st;
}

rwa_status core_lay(rwa_schedule **out, const rwa_schedule *sched, const struct cores *cores, const struct core *core,
                    rwa_error *err)
{
    const rwa_collective *coll = cores->coll;
    struct layer l = {.cores = cores, .core = core, .from = sched, .blocks = rwa_schedule_collective(sched)->blocks,
                      .nodes = coll->nodes, .wavelengths = rwa_network_wavelengths(cores->real)};
    rwa_schedule *expanded = NULL;
    rwa_collective cut;
    rwa_status st = RWA_OK;
    *out = NULL;
    TRY(check_blocks(&l, err));
    TRY(expand(&expanded, &l, err));
    l.from = expanded ? expanded : sched;
    TRY(rwa_collective_init(&cut, coll->kind, coll->nodes, coll->root, coll->message_bytes, l.blocks, err));
    TRY(rwa_schedule_create_among(&l.to, cores->real, &cut, cores->members, rwa_schedule_scheme(sched), err));
    TRY(lay_all(&l, err));
    *out = l.to;
    l.to = NULL;
done:
    rwa_schedule_free(l.to);
    rwa_schedule_free(expanded);
    free(l.room);
    return st;
}
