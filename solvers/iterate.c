/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solvers/improve.h"

#include "solvers/rank.h"

/* The ways to order the wavelengths anew: by number of lightpaths, or (the first of the two) by their links. */
static const enum class_order orders[] = {CLASSES_BY_CHANCE, CLASSES_BY_WEIGHT, CLASSES_REVERSED, CLASSES_BY_WEIGHT};
enum { BY_LENGTH = 1, ORDERS = sizeof orders / sizeof *orders };

struct iterate {
    const struct improve *run;
    const struct candidates *cand;
    struct channel_map map;
    struct placement at;
    uint32_t *key, *order;  /* of the demands: the new position of their wavelength; and the demands in that order */
    uint64_t spent;
    struct arena arena;
};

/* Return the wavelengths of the best placement: its channels divided by the fibres of a link, rounded up. */
static uint32_t slots_of(const struct iterate *it)
{
    return (it->run->best->channels + it->cand->fibers - 1) / it->cand->fibers;
}

static rwa_status iterate_create(struct iterate *it, rwa_error *err)
{
    MUST(map_create(&it->map, it->run->spectrum, slots_of(it), err));
    MUST(placement_create(&it->at, it->cand, err));
    return arena_arrays(&it->arena, it->cand->demands, it->key, it->order);
}

/* The class of a demand is the wavelength of its first segment. */
static rwa_status order_demands(struct iterate *it, uint64_t way)
{
    const struct improve *run = it->run;
    const struct candidates *cand = it->cand;
    for (uint32_t d = 0; d < cand->demands; d++) {
        size_t s = cand->segment[run->best->route[d]];
        it->key[d] = run->best->channel[s];
        it->order[d] = way == BY_LENGTH ? (uint32_t)(cand->hop[s + 1] - cand->hop[s]) : 1;
    }
    MUST(classes_renumber(it->key, cand->demands, run->best->channels, orders[way], it->order, run->goal.random,
                          run->goal.err));
    return sort_all_by(it->order, cand->demands, it->key, run->best->channels, run->goal.err);
}

/* Place all classes again in a new order.  Each class always fits its own new wavelength, because its present routes
 * win ties.  Converters, taken channels and the end of the budget can break this; then the old placement stays. */
static rwa_status round_once(struct iterate *it)
{
    const struct improve *run = it->run;
    const struct spectrum_fit fit = {.list = it->order, .present = run->best->route, .budget = run->goal.budget};
    MUST(order_demands(it, base_random_below(run->goal.random, 10) < 5 ? 0
                                                                       : base_random_below(run->goal.random, ORDERS)));
    map_clear(&it->map, slots_of(it));
    spectrum_place(&it->at, &it->map, &fit);
    it->spent += it->cand->route[it->cand->demands] * (128 + it->map.channels) / 128;
    if (it->at.placed == it->cand->demands && it->at.channels <= run->best->channels)
        placement_copy(run->best, &it->at, it->cand);
    return RWA_OK;
}

rwa_status improve_greedy(const struct improve *run)
{
    assert(run->goal.most || run->best->placed == run->spectrum->cand->demands);
    rwa_status st = RWA_OK;
    struct iterate it = {.run = run, .cand = run->spectrum->cand, .arena = {.err = run->goal.err}};
    if (run->goal.most || improve_done(run))
        return RWA_OK;
    TRY(iterate_create(&it, run->goal.err));
    while (!improve_done(run) && !(run->work > 0 && it.spent > run->work) &&
           !base_must_stop(run->goal.budget, "iterated greedy", -1))
        TRY(round_once(&it));
done:
    map_free(&it.map);
    placement_free(&it.at);
    arena_free(&it.arena);
    return st;
}
