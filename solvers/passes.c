/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Greedy passes on few slots.  A lightpath that found no free slots in a pass moves towards the front of the order of
 * the next pass (D. E. Joslin and D. P. Clements, Squeaky Wheel Optimization, Journal of Artificial Intelligence
 * Research 10, 1999).
 */
#include "solvers/spectrum.h"

enum { PASSES = 20000, PATIENCE = 4000, WORSE = 32 };   /* WORSE: one in this many orders is kept although it is
                                                           worse */
enum { FIRST_WORDS = 1 << 24 };     /* words of all lightpaths, up to which a pass takes a fraction of a second */

/* The cost of a hop relative to the height of a place; every pass uses one of these values. */
#define FIRST_ROUTE UINT32_MAX     /* take the first route with free slots: routes of the bound's linear program come
                                      first */
static const uint32_t hop_costs[] = {0, 1, 2, 4, 8, 16, 64, FIRST_ROUTE};
enum { HOP_COSTS = sizeof hop_costs / sizeof *hop_costs };

struct pass_search {
    const struct spectrum *spectrum;
    const struct spectrum_goal *goal;
    struct placement *best;
    struct placement at;
    struct channel_map map;
    uint32_t *order, *kept;     /* kept: the order that left out least so far */
    uint64_t kept_missed;       /* spans times hops of the lightpaths that `kept` left out */
    uint64_t best_value;
    uint32_t best_slots;
};

static uint32_t units(const struct pass_search *s)
{
    return s->spectrum->cand->demands;
}

/** Whether the current placement is better than the best one: it serves more value, or the same value on fewer slots.
 *  If so, copy it to the best one. */
static bool keep_better(struct pass_search *s)
{
    uint64_t value = spectrum_value(&s->at, s->spectrum);
    uint32_t slots = spectrum_slots(&s->at, s->spectrum);
    if (value < s->best_value || (value == s->best_value && slots >= s->best_slots))
        return false;
    s->best_value = value;
    s->best_slots = slots;
    placement_copy(s->best, &s->at, s->spectrum->cand);
    return true;
}

/** Whether the budget must not cut off the next pass: no placement exists yet, and the pass is short. */
static bool is_short_first(const struct pass_search *s)
{
    return s->goal->slots > 0 && s->best->placed == 0 && (uint64_t)units(s) * s->map.words <= FIRST_WORDS;
}

static void pass(struct pass_search *s, uint32_t slots, uint32_t hop_cost)
{
    bool first = hop_cost == FIRST_ROUTE;
    const struct spectrum_fit fit = {.rule = first ? FIT_SHORTEST : FIT_LOWEST,
                                     .list = s->order,
                                     .hop_cost = first ? 0 : hop_cost,
                                     .budget = is_short_first(s) ? NULL : s->goal->budget};
    map_clear(&s->map, slots);
    spectrum_place(&s->at, &s->map, &fit);
}

/** Make greedy passes in two orders, by span and by area, each with all of hop_costs, until the budget ends.  Keep the
 *  best placement. */
static void first_passes(struct pass_search *s)
{
    for (int by_area = 0; by_area < 2; by_area++) {
        spectrum_order(s->order, s->spectrum, by_area);
        for (size_t i = 0; i < HOP_COSTS; i++) {
            pass(s, s->map.slots, hop_costs[i]);
            keep_better(s);
            if (base_must_stop(s->goal->budget, "slots", -1))
                return;
        }
    }
}

/** Change the order for the next pass.  Move each lightpath without slots to a random place in the front half of those
 *  before it.  Then exchange two random lightpaths, three times if all were placed. */
static void reorder(struct pass_search *s)
{
    uint32_t n = units(s), count = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t u = s->order[i];
        if (s->at.route[u] != NO_ROUTE)
            continue;
        uint32_t to = (uint32_t)base_random_below(s->goal->random, i / 2 + 1);
        memmove(s->order + to + 1, s->order + to, (i - to) * sizeof *s->order);
        s->order[to] = u;
        count++;
    }
    for (uint32_t i = 0; n > 1 && (i == 0 || (count == 0 && i < 3)); i++) {
        uint32_t a = (uint32_t)base_random_below(s->goal->random, n),
                 b = (uint32_t)base_random_below(s->goal->random, n);
        uint32_t kept = s->order[a];
        s->order[a] = s->order[b];
        s->order[b] = kept;
    }
}

/** Return the slots of the next pass: one fewer than the best placement needs, if all lightpaths must be served and it
 *  serves them all; otherwise as many as before. */
static uint32_t target(const struct pass_search *s)
{
    return s->goal->most || s->best->placed < units(s) ? s->map.slots : s->best_slots - 1;
}

static uint64_t missed(const struct pass_search *s)
{
    const struct candidates *c = s->spectrum->cand;
    uint64_t sum = 0;
    for (uint32_t u = 0; u < c->demands; u++)
        if (s->at.route[u] == NO_ROUTE)
            sum += spectrum_span(s->spectrum, c->route[u]) * (uint64_t)route_hops(c, c->route[u]);
    return sum;
}

/** Copy s->order to s->kept if the last pass improved the best placement (better) or left out no more than the kept
 *  order, and with a small probability also if not.  Otherwise copy s->kept back to s->order. */
static void choose_order(struct pass_search *s, bool better)
{
    uint64_t here = missed(s);
    if (better || here <= s->kept_missed || base_random_below(s->goal->random, WORSE) == 0) {
        memcpy(s->kept, s->order, units(s) * sizeof *s->kept);
        s->kept_missed = better && !s->goal->most ? UINT64_MAX : here;  /* the next passes have fewer slots, so that
                                                                           this number cannot be compared */
    } else {
        memcpy(s->order, s->kept, units(s) * sizeof *s->order);
    }
}

static void improve(struct pass_search *s)
{
    uint32_t idle = 0;
    s->kept_missed = UINT64_MAX;
    for (uint32_t i = 0; i < PASSES && idle < PATIENCE && !spectrum_met(s->best, s->spectrum, s->goal); i++, idle++) {
        if (base_must_stop(s->goal->budget, "slots", (double)i / PASSES))
            return;
        pass(s, target(s), hop_costs[base_random_below(s->goal->random, HOP_COSTS)]);
        bool better = keep_better(s);
        idle = better ? 0 : idle;
        choose_order(s, better);
        reorder(s);
    }
}

rwa_status spectrum_search(struct placement *best, const struct spectrum *spectrum, const struct spectrum_goal *goal)
{
    struct pass_search s = {.spectrum = spectrum, .goal = goal, .best = best};
    rwa_status st = RWA_OK;
    if (units(&s) == 0)
        return RWA_OK;
    TRY(base_new(s.order, spectrum->cand->demands, goal->err));
    TRY(base_new(s.kept, spectrum->cand->demands, goal->err));
    TRY(placement_create(&s.at, spectrum->cand, goal->err));
    s.best_value = spectrum_value(best, spectrum);
    s.best_slots = best->placed > 0 ? spectrum_slots(best, spectrum) : UINT32_MAX;
    TRY(map_create(&s.map, spectrum, goal->slots ? goal->slots : s.best_slots, goal->err));
    first_passes(&s);
    improve(&s);
done:
    map_free(&s.map);
    placement_free(&s.at);
    free_all(s.order, s.kept);
    return st;
}
