/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Places lightpaths one after the other, each by a rule. */
#include "solvers/spectrum.h"

#include "solvers/runs.h"
#include "solvers/crossings.h"

/* ---- orders ---- */

struct weight {
    uint64_t first, second;
    uint32_t unit;
};

COMPARATOR(by_weight, struct weight, DOWN(first) DOWN(second) UP(unit))

void spectrum_order(uint32_t *order, const struct spectrum *sp, bool by_area)
{
    const struct candidates *c = sp->cand;
    struct weight *list = base_array(c->demands, sizeof *list, NULL);
    for (uint32_t u = 0; u < c->demands; u++) {
        size_t r = c->route[u];
        uint64_t hops = route_hops(c, r), span = spectrum_span(sp, r);
        order[u] = u;
        if (list)
            list[u] = (struct weight){by_area ? span * hops : span, by_area ? span : hops, u};
    }
    if (list && c->demands > 0)
        qsort(list, c->demands, sizeof *list, by_weight);
    for (uint32_t u = 0; list && u < c->demands; u++)
        order[u] = list[u].unit;
    free(list); /* without memory the lightpaths stay in the order given */
}

/* ---- the place of a segment, among map->places ---- */

static int64_t blocks_added(const struct channel_map *m, size_t segment, uint32_t channel, uint32_t span)
{
    const struct candidates *c = m->cand;
    int64_t added = 0;
    for (size_t k = c->hop[segment]; k < c->hop[segment + 1]; k++)
        added += (channel >= c->fibers && map_has(m, c->link[k], channel - c->fibers)) +
                 map_has(m, c->link[k], channel + (uint64_t)span * c->fibers) - 1;
    return added;
}

/** Return the number that the rule minimises over the free places of a segment, for the place `channel`.
 *  FIT_FEWEST_BLOCKS: by how many the runs of free slots on the segment's links would increase.  FIT_LEAST_USED: the
 *  links of the network on which the channel is taken.  FIT_MOST_USED: the negative of that. */
static int64_t score(const struct channel_map *m, size_t segment, uint32_t span, enum fit_rule rule, uint32_t channel)
{
    int64_t load = (int64_t)m->load[channel];
    return rule == FIT_FEWEST_BLOCKS ? blocks_added(m, segment, channel, span) : rule == FIT_MOST_USED ? -load : load;
}

static uint32_t best_place(const struct channel_map *m, size_t segment, uint32_t span, enum fit_rule rule)
{
    uint32_t best = UINT32_MAX;
    int64_t least = INT64_MAX;
    for (uint32_t w = 0; w < m->words; w++)
        for (uint64_t bits = m->places[w]; bits; bits &= bits - 1) {
            uint32_t p = 64 * w + (uint32_t)__builtin_ctzll(bits);
            int64_t here = score(m, segment, span, rule, p);
            best = here < least ? p : best;
            LOWER(least, here);
        }
    return best;
}

/** Return the channel at which the rule places a segment: the lowest of its `span` neighbouring slots.  UINT32_MAX: no
 *  `span` neighbouring slots are free. */
static uint32_t choose(struct channel_map *m, size_t segment, uint32_t span, const struct spectrum_fit *fit)
{
    if (fit->rule == FIT_LOWEST || fit->rule == FIT_SHORTEST)
        return map_lowest(m, segment, span);
    if (map_places(m, segment, span) == 0)
        return UINT32_MAX;
    switch (fit->rule) {
    case FIT_HIGHEST: return runs_highest(m->places, m->words);
    case FIT_RANDOM: return runs_random(m->places, m->words, fit->random);
    case FIT_SMALLEST_BLOCK: return runs_shortest(m->places, m->words, m->cand->fibers);
    case FIT_LOWEST:
    case FIT_SHORTEST:
    case FIT_MOST_USED:
    case FIT_LEAST_USED:
    case FIT_FEWEST_BLOCKS: break;
    }
    return best_place(m, segment, span, fit->rule);
}

/* ---- the route of a lightpath ---- */

static uint64_t cost_of(const struct channel_map *m, const struct spectrum_fit *fit, uint32_t channel, uint32_t span)
{
    switch (fit->rule) {
    case FIT_LOWEST: return 16 * (channel + (span - 1) * (uint64_t)m->cand->fibers);
    case FIT_HIGHEST: return UINT32_MAX - channel;
    case FIT_MOST_USED: return UINT64_MAX / 2 - m->load[channel];
    case FIT_LEAST_USED: return m->load[channel];
    case FIT_RANDOM: return base_random(fit->random) >> 1;
    case FIT_SHORTEST:
    case FIT_SMALLEST_BLOCK:
    case FIT_FEWEST_BLOCKS: break;
    }
    return 0;
}

/** Choose a channel for each segment of route r, write them to at->channel, and return the cost of the route: the
 *  largest cost of a segment plus the cost of the hops.  UINT64_MAX: a segment has no free channel.  Segments share no
 *  link, so each is chosen on its own. */
static uint64_t rate_route(struct placement *at, struct channel_map *m, const struct spectrum_fit *fit, size_t r)
{
    const struct candidates *c = m->cand;
    uint32_t span = spectrum_span(m->spectrum, r);
    uint64_t worst = 0, hops = route_hops(c, r);
    for (size_t s = c->segment[r]; s < c->segment[r + 1]; s++) {
        at->channel[s] = choose(m, s, span, fit);
        if (at->channel[s] == UINT32_MAX)
            return UINT64_MAX;
        uint64_t cost = cost_of(m, fit, at->channel[s], span);
        RAISE(worst, cost);
    }
    return worst + fit->hop_cost * hops * span * c->fibers;
}

static size_t choose_route(struct placement *at, struct channel_map *m, const struct spectrum_fit *fit, uint32_t u)
{
    const size_t *first = m->cand->route + u;
    size_t best = NO_ROUTE;
    uint64_t least = UINT64_MAX;
    for (size_t r = first[0]; r < first[1] && least > 0; r++) {
        uint64_t cost = rate_route(at, m, fit, r);
        best = cost < least ? r : best;
        LOWER(least, cost);
    }
    return best;
}

static void place_unit(struct placement *at, struct channel_map *m, const struct spectrum_fit *fit, uint32_t u)
{
    const struct candidates *c = m->cand;
    size_t route = choose_route(at, m, fit, u);
    while (route == NO_ROUTE && fit->grows && m->channels < m->most) {
        m->channels += c->fibers;
        route = choose_route(at, m, fit, u);
    }
    at->route[u] = route;
    if (route == NO_ROUTE)
        return;
    at->placed++;
    for (size_t s = c->segment[route]; s < c->segment[route + 1]; s++) {
        map_set_span(m, s, at->channel[s], spectrum_span(m->spectrum, route), false);
        m->load[at->channel[s]] += c->hop[s + 1] - c->hop[s];
    }
}

/* ---- the order of the lightpaths ---- */

static bool is_over(const struct spectrum_fit *fit, const struct channel_map *m, uint32_t i)
{
    enum { POLL_EVERY = 1024, POLL_WORDS = 1 << 16, LOOK_EVERY = 64 };
    uint32_t every = 1 + POLL_WORDS / (m->words + POLL_WORDS / POLL_EVERY);
    if (!fit->budget)
        return false;
    if (fit->patient)
        return i >= FIT_ALWAYS_PLACED && i % LOOK_EVERY == 0 && base_is_late(fit->budget);
    return i % every == every - 1 && base_must_stop(fit->budget, "slots", -1);
}

void spectrum_place(struct placement *at, struct channel_map *m, const struct spectrum_fit *fit)
{
    placement_clear(at, m->cand);
    for (uint32_t i = 0; i < m->cand->demands && !is_over(fit, m, i); i++)
        place_unit(at, m, fit, base_mapped(fit->list, i));
    at->channels = spectrum_channels(at, m->spectrum);
}

/* The channels that the first route of each demand has lost while the map fills. */
struct losses {
    struct crossings crossings;
    uint32_t *lost, *counted, stamp;    /* counted: equal to `stamp` once the current segment is counted */
    bool *done;
    struct arena arena;
};

/* Return the demand to place next: among those not `done`, the one whose first route has lost the most channels to
 * placed demands; of equals the one of largest degree. */
static uint32_t most_saturated(const struct losses *l, uint32_t demands)
{
    const uint32_t *degree = l->crossings.degree;
    uint32_t best = UINT32_MAX;
    for (uint32_t d = 0; d < demands; d++)
        if (!l->done[d] && (best == UINT32_MAX || l->lost[d] > l->lost[best] ||
                            (l->lost[d] == l->lost[best] && degree[d] > degree[best])))
            best = d;
    return best;
}

/* A segment has taken a channel.  For each demand d whose first route shares a link with the segment, add 1 to
 * l->lost[d] if the channel was free on that whole route before. */
static void lose(struct losses *l, struct channel_map *m, size_t segment, uint32_t channel)
{
    const struct candidates *c = m->cand;
    l->stamp++;
    map_set_span(m, segment, channel, 1, true);
    for (size_t k = c->hop[segment]; k < c->hop[segment + 1]; k++)
        for (size_t i = l->crossings.demands.first[c->link[k]]; i < l->crossings.demands.first[c->link[k] + 1]; i++) {
            uint32_t d = l->crossings.demands.number[i];
            size_t route = c->route[d];
            if (l->counted[d] != l->stamp)
                l->lost[d] += map_has_all(m, c->link + first_hop(c, route), route_hops(c, route), channel);
            l->counted[d] = l->stamp;
        }
    map_set_span(m, segment, channel, 1, false);
}

static rwa_status place_saturated(struct placement *at, struct channel_map *m, const struct spectrum_fit *fit,
                                  rwa_error *err)
{
    rwa_status st = RWA_OK;
    const struct candidates *c = m->cand;
    struct losses l = {.arena = {.err = err}};
    placement_clear(at, c);
    TRY(arena_arrays(&l.arena, c->demands, l.done, l.lost, l.counted));
    TRY(crossings_create(&l.crossings, c, err));
    for (uint32_t i = 0; i < c->demands && !(fit->budget && base_must_stop(fit->budget, "demands by saturation", -1));
         i++) {
        uint32_t next = most_saturated(&l, c->demands);
        l.done[next] = true;
        place_unit(at, m, fit, next);
        for (size_t s = first_segment(c, at->route[next]); s < end_segment(c, at->route[next]); s++)
            lose(&l, m, s, at->channel[s]);
    }
    for (uint32_t u = 0; u < c->demands; u++)  /* once the time is over, the rest follows in the order given */
        if (!l.done[u])
            place_unit(at, m, fit, u);
    at->channels = spectrum_channels(at, m->spectrum);
done:
    crossings_free(&l.crossings);
    arena_free(&l.arena);
    return st;
}

static rwa_status place_sorted(struct placement *at, struct channel_map *m, const struct spectrum_fit *fit,
                               rwa_error *err)
{
    rwa_status st = RWA_OK;
    struct spectrum_fit sorted = *fit;
    struct crossings crossings = {0};
    uint32_t *order = NULL;
    if (fit->order == FIT_DEGREE) {
        TRY(crossings_create(&crossings, m->cand, err));
        TRY(crossings_order(&order, &crossings, err));
    } else {
        TRY(base_new(order, m->cand->demands, err));
        spectrum_order(order, m->spectrum, true);
    }
    sorted.list = order;
    spectrum_place(at, m, &sorted);
done:
    crossings_free(&crossings);
    free(order);
    return st;
}

rwa_status spectrum_fit_run(struct placement *at, const struct spectrum *spectrum, uint32_t slots, uint32_t open,
                            const struct spectrum_fit *fit, rwa_error *err)
{
    assert(open <= slots);
    rwa_status st = RWA_OK;
    struct channel_map map = {0};
    TRY(map_create(&map, spectrum, slots, err));
    map.channels = open * spectrum->cand->fibers;
    if (fit->list || fit->order == FIT_AS_GIVEN)
        spectrum_place(at, &map, fit);
    else if (fit->order == FIT_SATURATION)
        TRY(place_saturated(at, &map, fit, err));
    else
        TRY(place_sorted(at, &map, fit, err));
done:
    map_free(&map);
    return st;
}

rwa_status spectrum_shorten(struct placement *at, const struct spectrum *spectrum, rwa_error *err)
{
    const struct spectrum_fit first = {.rule = FIT_SHORTEST};
    const struct candidates *c = spectrum->cand;
    struct channel_map map = {0};
    rwa_status st = map_create(&map, spectrum, spectrum_slots(at, spectrum), err);
    for (int pass = 0; st == RWA_OK && pass < 4; pass++)    /* take all places, then move one lightpath at a time */
        for (uint32_t u = 0; u < c->demands; u++) {
            size_t route = at->route[u];
            for (size_t s = first_segment(c, route); s < end_segment(c, route); s++)
                map_set_span(&map, s, at->channel[s], 1, pass > 0);
            if (pass == 0 || route == NO_ROUTE)
                continue;
            at->placed--;
            place_unit(at, &map, &first, u);
            assert(at->route[u] != NO_ROUTE);
        }
    map_free(&map);
    return st;
}

static bool ends_passes(const struct spectrum_fit *fit, const struct placement *at)
{
    return fit->patient ? at->placed >= FIT_ALWAYS_PLACED && base_is_late(fit->budget)
                        : base_must_stop(fit->budget, "slots", -1);
}

rwa_status spectrum_fit_all(struct placement *at, const struct spectrum *spectrum, uint64_t slots, uint32_t open,
                            const struct spectrum_fit *fit, rwa_error *err)
{
    bool over = false;
    for (; !over; slots *= 2) {
        MUST(spectrum_fit_run(at, spectrum, slots > UINT32_MAX ? UINT32_MAX : (uint32_t)slots, open, fit, err));
        over = at->placed == spectrum->cand->demands || (fit->budget && ends_passes(fit, at));
    }
    return RWA_OK;
}

/* ---- what a placement comes to ---- */

uint64_t spectrum_total(const struct spectrum *sp)
{
    uint64_t all = 0;
    for (uint32_t u = 0; u < sp->cand->demands; u++)
        all += spectrum_value_of(sp, u);
    return all;
}

uint64_t spectrum_value(const struct placement *at, const struct spectrum *sp)
{
    uint64_t value = sp->value ? 0 : at->placed;
    for (uint32_t u = 0; u < sp->cand->demands && sp->value; u++)
        value += at->route[u] != NO_ROUTE ? sp->value[u] : 0;
    return value;
}

uint32_t spectrum_channels(const struct placement *at, const struct spectrum *sp)
{
    const struct candidates *c = sp->cand;
    uint32_t most = 0;
    for (uint32_t u = 0; u < c->demands; u++)
        for (size_t s = first_segment(c, at->route[u]); s < end_segment(c, at->route[u]); s++) {
            uint32_t end = at->channel[s] + 1 + (spectrum_span(sp, at->route[u]) - 1) * c->fibers;
            RAISE(most, end);
        }
    return most;
}

uint32_t spectrum_slots(const struct placement *at, const struct spectrum *sp)
{
    return (spectrum_channels(at, sp) + sp->cand->fibers - 1) / sp->cand->fibers;
}

bool spectrum_met(const struct placement *at, const struct spectrum *sp, const struct spectrum_goal *goal)
{
    bool all = at->placed == sp->cand->demands;
    return goal->most ? all || spectrum_value(at, sp) >= goal->bound
                      : all && at->channels <= goal->bound * sp->cand->fibers;
}
