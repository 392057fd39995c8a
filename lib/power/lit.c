/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The power of a step of a schedule: its lightpaths one after the other, and their taps. */
#include "power/power.h"

#include "base/arena.h"
#include "schedule/schedule.h"

struct lit {
    struct arena memory;    /* of the arrays below */
    rwa_lightpath *list;
    uint32_t *tap;
    size_t *first, count;
};

static rwa_status allocate_step(struct lit *l, const rwa_schedule *sched, uint32_t step, rwa_error *err)
{
    size_t most = 0, taps = 1;
    for (uint64_t i = rwa_schedule_first(sched, step); i < rwa_schedule_first(sched, step + 1); i++) {
        rwa_lightpath record = schedule_lightpath(sched, i);
        rwa_lists lists = schedule_lists(sched, i);
        most += record.orbit;
        taps += (size_t)record.orbit * lists.tap_count;
    }
    l->memory.err = err;
    arena_new(&l->memory, l->list, most);
    arena_new(&l->memory, l->tap, taps);
    arena_new(&l->memory, l->first, most + 1);
    return arena_status(&l->memory);
}

static void list_step(struct lit *l, const rwa_schedule *sched, uint32_t step)
{
    for (struct walk w = walk_step(sched, step); walk_next(&w); l->count++) {
        size_t end = l->first[l->count];
        rwa_lists lists = schedule_lists(sched, w.record);
        for (uint32_t k = 0; k < lists.tap_count; k++)
            l->tap[end++] = walk_node(&w, lists.taps[k]);
        l->list[l->count] = w.lp;
        l->first[l->count + 1] = end;
    }
}

rwa_status power_of_step(rwa_power **out, size_t *count, const rwa_device *device, rwa_power_model model,
                         const rwa_schedule *sched, uint32_t step, struct budget *budget, rwa_error *err)
{
    struct lit lit = {.count = 0};
    rwa_status st = RWA_OK;
    *out = NULL;
    TRY(allocate_step(&lit, sched, step, err));
    list_step(&lit, sched, step);
    *count = lit.count;
    *out = base_array(lit.count, sizeof **out, err);
    st = *out ? RWA_OK : RWA_NOMEM;
    TRY(st);
    const struct power_taps taps = {lit.tap, lit.first};
    st = power_step(*out, NULL, device, model, rwa_schedule_network(sched), lit.list, &taps, lit.count, lit.count, budget, err);
done:
    arena_free(&lit.memory);
    return st;
}
