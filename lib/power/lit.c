/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The power of one step of a schedule: the list of its lightpaths and their taps. */
#include "power/rotation.h"

#include "schedule/schedule.h"

/** The taps of lightpath i are tap[first[i]] … tap[first[i + 1] - 1]. */
struct lit {
    rwa_lightpath *list;
    uint32_t *tap;
    size_t *first;
    size_t count, tap_count, first_count;
    rwa_error *err;
};

/** Tell whether the lightpaths of record i, which belongs to another step, are held in this one (hold[i]): they carry
 *  nothing, but their rings stay on resonance. */
static bool is_held(const rwa_schedule *sched, uint32_t step, const rwa_hold *hold, uint64_t i)
{
    bool own = i >= rwa_schedule_first(sched, step) && i < rwa_schedule_first(sched, step + 1);
    return hold && !own && hold[i].from <= step && step <= hold[i].to;
}

static rwa_status list_lightpath(struct lit *l, const struct walk *w)
{
    for (uint32_t k = 0; k < w->lists.tap_count; k++)
        MUST(base_append(l->tap, l->tap_count, l->err, walk_node(w, w->lists.taps[k])));
    MUST(base_append(l->first, l->first_count, l->err, l->tap_count));
    return base_append(l->list, l->count, l->err, w->lp);
}

/** Append to the list `l` the lightpaths of other steps that are held in this step (is_held()), each of them once. */
static rwa_status list_held(struct lit *l, const rwa_schedule *sched, uint32_t step, const rwa_hold *hold)
{
    const rwa_network *net = rwa_schedule_network(sched);
    bool *begins;
    rwa_status st = RWA_OK;
    MUST(base_new(begins, (size_t)2 * rwa_network_nodes(net) * sched->fibers * rwa_network_wavelengths(net), l->err));
    for (size_t i = 0; i < l->count; i++)
        begins[beginning_of(net, &l->list[i], l->list[i].src)] = true;
    for (uint32_t s = 1; s <= rwa_schedule_steps(sched); s++)
        for (struct walk w = walk_step(sched, s); s != step && walk_next(&w);) {
            bool held = is_held(sched, step, hold, w.record), *known = &begins[beginning_of(net, &w.lp, w.lp.src)];
            if (held && !*known)
                TRY(list_lightpath(l, &w));
            *known = *known || held;
            w.turn = held ? w.turn : w.whole.orbit - 1;     /* on to the next record */
        }
done:
    free(begins);
    return st;
}

rwa_status power_of_step(rwa_power **out, size_t *count, const rwa_device *device, rwa_power_model model,
                         const rwa_schedule *sched, uint32_t step, const rwa_hold *hold, struct budget *budget,
                         rwa_error *err)
{
    struct lit lit = {.err = err};
    rwa_status st = RWA_OK;
    *out = NULL;
    TRY(base_reserve(lit.tap, 1, err));
    TRY(base_append(lit.first, lit.first_count, err, 0));
    for (struct walk w = walk_step(sched, step); walk_next(&w);)
        TRY(list_lightpath(&lit, &w));
    *count = lit.count;
    if (hold)
        TRY(list_held(&lit, sched, step, hold));
    TRY(base_new(*out, lit.count, err));
    const struct power_taps taps = {lit.tap, lit.first};
    st = power_step(*out, NULL, device, model, rwa_schedule_network(sched), lit.list, &taps, lit.count, *count, budget,
                    err);
done:
    free_all(lit.list, lit.tap, lit.first);
    return st;
}
