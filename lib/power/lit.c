/* SPDX-License-Identifier: GPL-3.0-or-later */
/** A step of a schedule lit: its lightpaths one after the other, and their taps. */
#include "power/power.h"

#include "base/base.h"
#include "schedule/schedule.h"

#include <stdlib.h>

struct lit {
    rwa_lightpath *list;
    uint32_t *tap;
    size_t *first, count;
};

static void lit_free(struct lit *l)
{
    free(l->list);
    free(l->tap);
    free(l->first);
}

static rwa_status make_room(struct lit *l, const rwa_schedule *sched, uint32_t step, rwa_error *err)
{
    size_t most = 0, taps = 1;
    for (uint64_t i = rwa_schedule_first(sched, step); i < rwa_schedule_first(sched, step + 1); i++) {
        rwa_lightpath record;
        rwa_lists lists;
        rwa_schedule_get(&record, sched, i);
        rwa_schedule_lists(&lists, sched, i);
        most += record.orbit;
        taps += (size_t)record.orbit * lists.tap_count;
    }
    l->list = base_array(most, sizeof *l->list, err);
    l->tap = base_array(taps, sizeof *l->tap, err);
    l->first = base_array(most + 1, sizeof *l->first, err);
    return l->list && l->tap && l->first ? RWA_OK : RWA_NOMEM;
}

static void list_step(struct lit *l, const rwa_schedule *sched, uint32_t step)
{
    uint32_t nodes = rwa_network_nodes(rwa_schedule_network(sched));
    for (struct walk w = walk_step(sched, step); walk_next(&w); l->count++) {
        rwa_lists lists;
        size_t end = l->first[l->count];
        rwa_schedule_lists(&lists, sched, w.record);
        for (uint32_t k = 0; k < lists.tap_count; k++)
            l->tap[end++] = (uint32_t)(((uint64_t)lists.taps[k] + w.turn) % nodes);
        l->list[l->count] = w.lp;
        l->first[l->count + 1] = end;
    }
}

rwa_status power_of_step(rwa_power **out, size_t *count, const rwa_device *device, rwa_power_model model,
                         const rwa_schedule *sched, uint32_t step, rwa_error *err)
{
    struct lit lit = {.count = 0};
    rwa_status st = RWA_OK;
    *out = NULL;
    TRY(make_room(&lit, sched, step, err));
    list_step(&lit, sched, step);
    *count = lit.count;
    *out = base_array(lit.count, sizeof **out, err);
    st = *out ? RWA_OK : RWA_NOMEM;
    TRY(st);
    const struct power_taps taps = {lit.tap, lit.first};
    st = power_step(*out, NULL, device, model, rwa_schedule_network(sched), lit.list, &taps, lit.count, err);
done:
    lit_free(&lit);
    return st;
}
