/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solvers/fit.h"

/* Demands placed between two looks at the clock. */
enum { BETWEEN_LOOKS = 64 };

struct pass {
    const struct fit *fit;
    struct table table;
    uint32_t open;      /* channels that may be taken */
    uint32_t used;      /* the highest taken, plus 1 */
    uint64_t *load;     /* links on which each channel is in use */
};

/* ---- the channel of a segment ---- */

/* Free channels of a word, without those not open yet. */
static uint64_t open_in_word(const struct pass *p, size_t segment, uint32_t word)
{
    assert(64 * word < p->open);
    uint32_t beyond = p->open - 64 * word;
    uint64_t free_ones = table_open(&p->table, segment, word);
    return beyond < 64 ? free_ones & ~(UINT64_MAX << beyond) : free_ones;
}

static uint32_t words_open(const struct pass *p)
{
    return (p->open + 63) / 64;
}

static uint32_t lowest(const struct pass *p, size_t segment)
{
    for (uint32_t word = table_first_word(&p->table, segment); word < words_open(p); word++) {
        uint64_t bits = open_in_word(p, segment, word);
        if (bits)
            return 64 * word + (uint32_t)__builtin_ctzll(bits);
    }
    return UINT32_MAX;
}

static uint32_t highest(const struct pass *p, size_t segment)
{
    for (uint32_t word = words_open(p); word-- > 0;) {
        uint64_t bits = open_in_word(p, segment, word);
        if (bits)
            return 64 * word + 63 - (uint32_t)__builtin_clzll(bits);
    }
    return UINT32_MAX;
}

static uint32_t by_load(const struct pass *p, size_t segment, bool most)
{
    uint32_t best = UINT32_MAX;
    for (uint32_t word = 0; word < words_open(p); word++)
        for (uint64_t bits = open_in_word(p, segment, word); bits; bits &= bits - 1) {
            uint32_t w = 64 * word + (uint32_t)__builtin_ctzll(bits);
            if (best == UINT32_MAX || (most ? p->load[w] > p->load[best] : p->load[w] < p->load[best]))
                best = w;
        }
    return best;
}

static uint32_t any(const struct pass *p, size_t segment)
{
    uint32_t best = UINT32_MAX;
    uint64_t seen = 0;
    for (uint32_t word = 0; word < words_open(p); word++)
        for (uint64_t bits = open_in_word(p, segment, word); bits; bits &= bits - 1)
            if (base_random_below(p->fit->state, ++seen) == 0)
                best = 64 * word + (uint32_t)__builtin_ctzll(bits);
    return best;
}

static uint32_t choose_channel(const struct pass *p, size_t segment)
{
    switch (p->fit->rule) {
    case FIT_HIGHEST: return highest(p, segment);
    case FIT_MOST_USED: return by_load(p, segment, true);
    case FIT_LEAST_USED: return by_load(p, segment, false);
    case FIT_RANDOM: return any(p, segment);
    case FIT_LOWEST:
    case FIT_SHORTEST: break;
    }
    return lowest(p, segment);
}

/* ---- the route of a demand ---- */

/* The cost of a channel by the rule. */
static uint64_t cost_of(const struct pass *p, uint32_t channel)
{
    switch (p->fit->rule) {
    case FIT_LOWEST: return channel;
    case FIT_HIGHEST: return UINT32_MAX - channel;
    case FIT_MOST_USED: return UINT64_MAX / 2 - p->load[channel];
    case FIT_LEAST_USED: return p->load[channel];
    case FIT_RANDOM: return base_random(p->fit->state) >> 1;
    case FIT_SHORTEST: break;
    }
    return 0;
}

/* Every segment takes its channel, noted in the placement; the route costs as much as its worst one. */
static uint64_t rate_route(struct pass *p, size_t route)
{
    const struct candidates *cand = p->fit->cand;
    uint64_t worst = 0;
    for (size_t s = cand->segment[route]; s < cand->segment[route + 1]; s++) {
        uint32_t channel = choose_channel(p, s);
        if (channel == UINT32_MAX)
            return UINT64_MAX;
        p->table.at.channel[s] = channel;
        uint64_t cost = cost_of(p, channel);
        worst = cost > worst ? cost : worst;
    }
    return worst;
}

static size_t choose_route(struct pass *p, uint32_t demand)
{
    const struct candidates *cand = p->fit->cand;
    uint64_t least = UINT64_MAX;
    size_t best = NO_ROUTE;
    size_t end = p->fit->first_only ? cand->route[demand] + 1 : cand->route[demand + 1];
    for (size_t r = cand->route[demand]; r < end && least > 0; r++) {
        uint64_t cost = p->fit->barred && p->fit->barred[r] ? UINT64_MAX : rate_route(p, r);
        if (cost < least) {
            least = cost;
            best = r;
        }
    }
    return best;
}

static void take(struct pass *p, uint32_t demand, size_t route)
{
    assert(route != NO_ROUTE);
    const struct candidates *cand = p->fit->cand;
    table_put(&p->table, demand, route);
    for (size_t s = cand->segment[route]; s < cand->segment[route + 1]; s++) {
        uint32_t channel = p->table.at.channel[s];
        p->load[channel] += cand->hop[s + 1] - cand->hop[s];
        p->used = channel >= p->used ? channel + 1 : p->used;
    }
}

static bool place(struct pass *p, uint32_t demand)
{
    const struct fit *fit = p->fit;
    size_t route = choose_route(p, demand);
    while (route == NO_ROUTE && p->open < fit->channels) {
        p->open = fit->channels - p->open < fit->cand->fibers ? fit->channels : p->open + fit->cand->fibers;
        route = choose_route(p, demand);
    }
    if (route != NO_ROUTE)
        take(p, demand, route);
    return route != NO_ROUTE;
}

/* ---- the order of the demands ---- */

static size_t first_hops(const struct candidates *cand, uint32_t demand)
{
    size_t route = cand->route[demand];
    return cand->hop[cand->segment[route + 1]] - cand->hop[cand->segment[route]];
}

rwa_status fit_longest_first(uint32_t **order, const struct candidates *cand, rwa_error *err)
{
    size_t most = 0;
    struct bins shorter = {0};     /* by how much a first route is shorter than the longest */
    rwa_status st = RWA_OK;
    for (uint32_t d = 0; d < cand->demands; d++)
        most = first_hops(cand, d) > most ? first_hops(cand, d) : most;
    TRY(bins_open(&shorter, most + 1, err));
    for (uint32_t d = 0; d < cand->demands; d++)
        bins_count(&shorter, most - first_hops(cand, d));
    TRY(bins_divide(&shorter, most + 1, err));
    for (uint32_t d = 0; d < cand->demands; d++)
        bins_put(&shorter, most - first_hops(cand, d), d);
    *order = shorter.number;
    shorter.number = NULL;
done:
    bins_free(&shorter);
    return st;
}

static rwa_status largest_degree_first(uint32_t **order, const struct candidates *cand, rwa_error *err)
{
    rwa_status st = RWA_OK;
    struct crossings c = {0};
    TRY(crossings_create(&c, cand, err));
    TRY(crossings_order(order, &c, err));
done:
    crossings_free(&c);
    return st;
}

static bool may_place(const struct fit *fit, uint32_t index)
{
    return index < FIT_ALWAYS_PLACED || index % BETWEEN_LOOKS != 0 || !fit->budget || !base_is_late(fit->budget);
}

static void place_list(struct pass *p, const uint32_t *list)
{
    for (uint32_t i = 0; i < p->fit->cand->demands && may_place(p->fit, i); i++)
        (void)place(p, list ? list[i] : i);
}

static rwa_status place_sorted(struct pass *p, rwa_error *err)
{
    rwa_status st = RWA_OK;
    uint32_t *order = NULL;
    st = p->fit->order == FIT_LONGEST ? fit_longest_first(&order, p->fit->cand, err) : largest_degree_first(&order, p->fit->cand, err);
    if (st == RWA_OK)
        place_list(p, order);
    free(order);
    return st;
}

static rwa_status place_saturated(struct pass *p, rwa_error *err)
{
    rwa_status st = RWA_NOMEM;
    struct saturation s = {0};
    uint32_t demands = p->fit->cand->demands;
    bool *placed = base_array(demands, sizeof *placed, err);
    if (!placed)
        return st;
    TRY(saturation_create(&s, p->fit->cand, p->fit->channels, err));
    for (uint32_t i = 0; i < demands && !(p->fit->budget && base_must_stop(p->fit->budget, "demands by saturation", -1)); i++) {
        uint32_t next = saturation_next(&s, placed);
        placed[next] = true;
        if (place(p, next))
            saturation_note(&s, &p->table.at, next);
    }
    for (uint32_t d = 0; d < demands; d++)
        if (!placed[d])
            (void)place(p, d);
done:
    saturation_free(&s);
    free(placed);
    return st;
}

rwa_status fit_run(const struct fit *fit, struct placement *out, rwa_error *err)
{
    assert(fit->open <= fit->channels);
    rwa_status st = RWA_OK;
    struct pass p = {.fit = fit, .open = fit->open};
    TRY(table_create(&p.table, fit->cand, fit->channels, err));
    TRY(base_new(p.load, fit->channels, err));
    if (fit->list || fit->order == FIT_AS_GIVEN)
        place_list(&p, fit->list);
    else if (fit->order == FIT_SATURATION)
        TRY(place_saturated(&p, err));
    else
        TRY(place_sorted(&p, err));
    table_check(&p.table);
    placement_copy(out, &p.table.at, fit->cand);
    out->channels = p.used;
done:
    table_free(&p.table);
    free(p.load);
    return st;
}
