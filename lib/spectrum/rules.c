/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Lightpaths one after the other, each where a rule puts it. */
#include "spectrum/spectrum.h"

#include "solvers/runs.h"

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
        uint64_t hops = c->hop[c->segment[r + 1]] - c->hop[c->segment[r]], span = sp->span[r];
        order[u] = u;
        if (list)
            list[u] = (struct weight){by_area ? span * hops : span, by_area ? span : hops, u};
    }
    if (list && c->demands > 0)
        qsort(list, c->demands, sizeof *list, by_weight);
    for (uint32_t u = 0; list && u < c->demands; u++)
        order[u] = list[u].unit;
    free(list); /* without memory the order given is as good as any */
}

/* ---- the place of a segment, among map->places ---- */

static bool is_free(const struct map *m, uint32_t link, uint64_t channel)
{
    return runs_have(m->free + (size_t)link * m->words, m->words, channel);
}

static int64_t blocks_added(const struct map *m, size_t segment, uint32_t channel, uint32_t span)
{
    const struct candidates *c = m->spectrum->cand;
    int64_t added = 0;
    for (size_t k = c->hop[segment]; k < c->hop[segment + 1]; k++)
        added += (channel >= c->fibers && is_free(m, c->link[k], channel - c->fibers)) +
                 is_free(m, c->link[k], channel + (uint64_t)span * c->fibers) - 1;
    return added;
}

static uint32_t least_fragmenting_place(const struct map *m, size_t segment, uint32_t span)
{
    uint32_t best = UINT32_MAX;
    int64_t least = INT64_MAX;
    for (uint32_t p = runs_next(m->places, m->words, 0); p != UINT32_MAX; p = runs_next(m->places, m->words, p + 1)) {
        int64_t added = blocks_added(m, segment, p, span);
        if (added < least) {
            best = p;
            least = added;
        }
    }
    return best;
}

/** UINT32_MAX: no free slots. */
static uint32_t choose(struct map *m, size_t segment, uint32_t span, const struct spectrum_fit *fit)
{
    if (fit->rule == SPECTRUM_LOWEST)
        return map_lowest(m, segment, span);
    if (map_places(m, segment, span) == 0)
        return UINT32_MAX;
    switch (fit->rule) {
    case SPECTRUM_LOWEST: break;    /* done */
    case SPECTRUM_HIGHEST: return runs_highest(m->places, m->words);
    case SPECTRUM_EXACT: return runs_shortest(m->places, m->words, m->spectrum->cand->fibers);
    case SPECTRUM_RANDOM: return runs_random(m->places, m->words, fit->random);
    case SPECTRUM_LEAST_FRAGMENTATION: return least_fragmenting_place(m, segment, span);
    }
    return runs_next(m->places, m->words, 0);
}

/* ---- a lightpath ---- */

/** Channels for all segments of a route, which share no link; *top: the slot above the highest.  false: no free slots. */
static bool try_route(struct placement *at, struct map *m, const struct spectrum_fit *fit, size_t route, uint32_t *top)
{
    const struct spectrum *sp = m->spectrum;
    *top = 0;
    for (size_t s = sp->cand->segment[route]; s < sp->cand->segment[route + 1]; s++) {
        uint32_t channel = choose(m, s, sp->span[route], fit), end = channel / sp->cand->fibers + sp->span[route];
        if (channel == UINT32_MAX)
            return false;
        at->channel[s] = channel;
        *top = end > *top ? end : *top;
    }
    return true;
}

static uint64_t cost_of(const struct spectrum *sp, const struct spectrum_fit *fit, size_t r, uint32_t top)
{
    uint64_t hops = sp->cand->hop[sp->cand->segment[r + 1]] - sp->cand->hop[sp->cand->segment[r]];
    return 16 * (uint64_t)top + fit->hop_cost * sp->span[r] * hops;
}

static void place_unit(struct placement *at, struct map *m, const struct spectrum_fit *fit, uint32_t u)
{
    const struct spectrum *sp = m->spectrum;
    uint64_t least = UINT64_MAX;
    uint32_t top = 0;
    at->route[u] = NO_ROUTE;
    for (size_t r = sp->cand->route[u]; r < sp->cand->route[u + 1] && (fit->best_route || at->route[u] == NO_ROUTE); r++)
        if (try_route(at, m, fit, r, &top) && cost_of(sp, fit, r, top) < least) {
            least = cost_of(sp, fit, r, top);
            at->route[u] = r;
        }
    if (at->route[u] == NO_ROUTE)
        return;
    at->placed++;
    for (size_t s = sp->cand->segment[at->route[u]]; s < sp->cand->segment[at->route[u] + 1]; s++)
        map_take(m, s, at->channel[s], sp->span[at->route[u]]);
}

void spectrum_place(struct placement *at, struct map *m, const struct spectrum_fit *fit)
{
    enum { POLL_EVERY = 1024, POLL_WORDS = 1 << 16 };
    uint32_t i = 0, count = m->spectrum->cand->demands, every = 1 + POLL_WORDS / (m->words + POLL_WORDS / POLL_EVERY);
    at->placed = 0;
    for (; i < count && !(i % every == every - 1 && fit->budget && base_must_stop(fit->budget, "slots", -1)); i++)
        place_unit(at, m, fit, fit->order[i]);
    for (; i < count; i++)
        at->route[fit->order[i]] = NO_ROUTE;
    at->channels = spectrum_slots(at, m->spectrum) * m->spectrum->cand->fibers;
}

uint64_t spectrum_value(const struct placement *at, const struct spectrum *sp)
{
    uint64_t value = 0;
    for (uint32_t u = 0; u < sp->cand->demands; u++)
        if (at->route[u] != NO_ROUTE)
            value += sp->value ? sp->value[u] : 1;
    return value;
}

uint32_t spectrum_slots(const struct placement *at, const struct spectrum *sp)
{
    const struct candidates *c = sp->cand;
    uint32_t most = 0;
    for (uint32_t u = 0; u < c->demands; u++)
        for (size_t r = at->route[u], s = r == NO_ROUTE ? 0 : c->segment[r]; r != NO_ROUTE && s < c->segment[r + 1]; s++) {
            uint32_t end = at->channel[s] / c->fibers + sp->span[r];
            most = end > most ? end : most;
        }
    return most;
}
