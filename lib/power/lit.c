/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The power of one step of a schedule: the list of its lightpaths and their taps. */
#include "power/rotation.h"

#include "schedule/schedule.h"

struct lit {
    struct arena memory;    /* of the arrays below */
    rwa_lightpath *list;
    uint32_t *tap;
    size_t *first, count;
};

/** Tell whether record i belongs to another step but is held in this one: its rings stay on resonance. */
static bool is_held(const rwa_schedule *sched, uint32_t step, const rwa_hold *hold, uint64_t i)
{
    bool own = i >= rwa_schedule_first(sched, step) && i < rwa_schedule_first(sched, step + 1);
    return hold && !own && hold[i].from <= step && step <= hold[i].to;
}

static void add_size(size_t *lightpaths, size_t *taps, const rwa_schedule *sched, uint64_t i)
{
    rwa_lightpath record = schedule_lightpath(sched, i);
    rwa_lists lists = schedule_lists(sched, i);
    *lightpaths += record.orbit;
    *taps += (size_t)record.orbit * lists.tap_count;
}

static rwa_status allocate_step(struct lit *l, const rwa_schedule *sched, uint32_t step, const rwa_hold *hold,
                                rwa_error *err)
{
    size_t most = 0, taps = 1;
    for (uint64_t i = rwa_schedule_first(sched, step); i < rwa_schedule_first(sched, step + 1); i++)
        add_size(&most, &taps, sched, i);
    for (uint64_t i = 0; hold && i < rwa_schedule_records(sched); i++)
        if (is_held(sched, step, hold, i))
            add_size(&most, &taps, sched, i);
    l->memory.err = err;
    arena_new(&l->memory, l->list, most);
    arena_new(&l->memory, l->tap, taps);
    return arena_arrays(&l->memory, most + 1, l->first);
}

static void list_lightpath(struct lit *l, const struct walk *w)
{
    size_t end = l->first[l->count];
    for (uint32_t k = 0; k < w->lists.tap_count; k++)
        l->tap[end++] = walk_node(w, w->lists.taps[k]);
    l->list[l->count] = w->lp;
    l->first[++l->count] = end;
}

/** List the lightpaths of other steps that are held in this step, each of them once. */
static rwa_status list_held(struct lit *l, const rwa_schedule *sched, uint32_t step, const rwa_hold *hold,
                            rwa_error *err)
{
    const rwa_network *net = rwa_schedule_network(sched);
    bool *begins = base_array((size_t)2 * rwa_network_nodes(net) * sched->fibers * rwa_network_wavelengths(net),
                              sizeof *begins, err);
    MUST(begins ? RWA_OK : RWA_NOMEM);
    for (size_t i = 0; i < l->count; i++)
        begins[beginning_of(net, &l->list[i], l->list[i].src)] = true;
    for (uint32_t s = 1; s <= rwa_schedule_steps(sched); s++)
        for (struct walk w = walk_step(sched, s); s != step && walk_next(&w);) {
            bool held = is_held(sched, step, hold, w.record), *known = &begins[beginning_of(net, &w.lp, w.lp.src)];
            if (held && !*known)
                list_lightpath(l, &w);
            *known = *known || held;
            w.turn = held ? w.turn : w.whole.orbit - 1;     /* on to the next record */
        }
    free(begins);
    return RWA_OK;
}

rwa_status power_of_step(rwa_power **out, size_t *count, const rwa_device *device, rwa_power_model model,
                         const rwa_schedule *sched, uint32_t step, const rwa_hold *hold, struct budget *budget,
                         rwa_error *err)
{
    struct lit lit = {.count = 0};
    rwa_status st = RWA_OK;
    *out = NULL;
    TRY(allocate_step(&lit, sched, step, hold, err));
    for (struct walk w = walk_step(sched, step); walk_next(&w);)
        list_lightpath(&lit, &w);
    *count = lit.count;
    if (hold)
        TRY(list_held(&lit, sched, step, hold, err));
    *out = base_array(lit.count, sizeof **out, err);
    st = *out ? RWA_OK : RWA_NOMEM;
    TRY(st);
    const struct power_taps taps = {lit.tap, lit.first};
    st = power_step(*out, NULL, device, model, rwa_schedule_network(sched), lit.list, &taps, lit.count, *count, budget,
                    err);
done:
    arena_free(&lit.memory);
    return st;
}
