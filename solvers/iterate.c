/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solvers/improve.h"

#include "solvers/rank.h"

enum { BY_CHANCE = 0, BY_LENGTH, REVERSED, BY_SIZE, WAYS };

struct iterate {
    const struct improve *run;
    const struct candidates *cand;
    struct channel_map map;
    struct placement at;
    uint64_t *rank;     /* of each wavelength: the sort key in the upper half, its number in the lower */
    uint32_t *turn;     /* of each wavelength: its position in the new order */
    uint32_t *key, *order;  /* of the demands: their position in the new order; and themselves in it */
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
    size_t channels = it->run->best->channels;
    MUST(map_create(&it->map, it->run->spectrum, slots_of(it), err));
    MUST(placement_create(&it->at, it->cand, err));
    arena_arrays(&it->arena, channels, it->rank, it->turn);
    return arena_arrays(&it->arena, it->cand->demands, it->key, it->order);
}

/* The class of a demand: the wavelength of its first segment. */
static uint32_t class_of(const struct iterate *it, uint32_t demand)
{
    const struct placement *best = it->run->best;
    assert(best->route[demand] != NO_ROUTE);
    return best->channel[it->cand->segment[best->route[demand]]];
}

static void rank_classes(struct iterate *it, unsigned way)
{
    assert(way < WAYS);
    const struct improve *run = it->run;
    uint32_t channels = run->best->channels;
    for (uint32_t w = 0; w < channels; w++)
        it->rank[w] = way == BY_CHANCE  ? base_random(run->goal.random) >> 32
                      : way == REVERSED ? channels - w
                                        : UINT32_MAX / 2;
    for (uint32_t d = 0; d < it->cand->demands && (way == BY_LENGTH || way == BY_SIZE); d++) {
        size_t s = it->cand->segment[run->best->route[d]];
        it->rank[class_of(it, d)] -= way == BY_SIZE ? 1 : it->cand->hop[s + 1] - it->cand->hop[s];
    }
    turns_by_rank(it->turn, it->rank, channels);
}

static rwa_status order_demands(struct iterate *it)
{
    for (uint32_t d = 0; d < it->cand->demands; d++)
        it->key[d] = it->turn[class_of(it, d)];
    return sort_all_by(it->order, it->cand->demands, it->key, it->run->best->channels, it->run->goal.err);
}

/* Place all classes again in a new order.  Each class always fits its own new wavelength, because its present routes
 * win ties.  Converters, taken channels and the end of the budget can break this; then the old placement stays. */
static rwa_status round_once(struct iterate *it)
{
    const struct improve *run = it->run;
    const struct spectrum_fit fit = {.list = it->order, .present = run->best->route, .budget = run->goal.budget};
    rank_classes(it, base_random_below(run->goal.random, 10) < 5 ? BY_CHANCE
                                                                 : (unsigned)base_random_below(run->goal.random, WAYS));
    MUST(order_demands(it));
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
