/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solvers/table.h"

rwa_status table_create(struct table *t, const struct candidates *cand, uint32_t channels, rwa_error *err)
{
    assert(cand->fibers > 0 && !t->owner);
    t->cand = t->spectrum.cand = cand;
    t->channels = t->at.channels = channels;
    MUST(base_fits_memory(4.0 * channels * cand->links, "the table of channels", err));
    MUST(base_new(t->owner, (size_t)channels * cand->links, err));
    MUST(placement_create(&t->at, cand, err));
    MUST(map_create(&t->map, &t->spectrum, (channels + cand->fibers - 1) / cand->fibers, err));
    t->map.channels = channels;
    for (uint32_t w = 0; w < channels; w++)
        for (uint32_t l = 0; l < cand->links; l++)
            t->owner[(size_t)w * cand->links + l] = map_has(&t->map, l, w) ? TABLE_FREE : TABLE_TAKEN;
    return RWA_OK;
}

void table_free(struct table *t)
{
    placement_free(&t->at);
    map_free(&t->map);
    free(t->owner);
    memset(t, 0, sizeof *t);
}

static void own(struct table *t, uint32_t channel, uint32_t link, uint32_t owner)
{
    t->owner[(size_t)channel * t->cand->links + link] = owner;
    map_set(&t->map, link, channel, owner == TABLE_FREE);
}

static void give(struct table *t, size_t route, uint32_t owner)
{
    const struct candidates *cand = t->cand;
    for (size_t s = cand->segment[route]; s < cand->segment[route + 1]; s++)
        for (size_t k = cand->hop[s]; k < cand->hop[s + 1]; k++)
            own(t, t->at.channel[s], cand->link[k], owner);
}

void table_put(struct table *t, uint32_t demand, size_t route)
{
    assert(t->at.route[demand] == NO_ROUTE);
    assert(route >= t->cand->route[demand] && route < t->cand->route[demand + 1]);
    give(t, route, demand);
    t->at.route[demand] = route;
    t->at.placed++;
}

void table_lift(struct table *t, uint32_t demand)
{
    assert(t->at.route[demand] != NO_ROUTE && t->at.placed > 0);
    give(t, t->at.route[demand], TABLE_FREE);
    t->at.route[demand] = NO_ROUTE;
    t->at.placed--;
}

void table_shrink(struct table *t)
{
    assert(t->channels > 0);
    uint32_t last = t->channels - 1;
    for (uint32_t l = 0; l < t->cand->links; l++) {
        assert(t->owner[(size_t)last * t->cand->links + l] >= TABLE_TAKEN);
        own(t, last, l, TABLE_TAKEN);
    }
    t->channels = t->at.channels = t->map.channels = last;
}

void table_load(struct table *t, const struct placement *from)
{
    assert(t->at.placed == 0);
    const struct candidates *cand = t->cand;
    for (uint32_t d = 0; d < cand->demands; d++) {
        size_t route = from->route[d];
        bool inside = route != NO_ROUTE;
        for (size_t s = inside ? cand->segment[route] : 0; inside && s < cand->segment[route + 1]; s++) {
            t->at.channel[s] = from->channel[s];
            inside = from->channel[s] < t->channels;
        }
        if (inside)
            table_put(t, d, route);
    }
    table_check(t);
}

#ifndef NDEBUG
static size_t check_placed(const struct table *t, uint32_t demand)
{
    const struct candidates *cand = t->cand;
    size_t route = t->at.route[demand], hops = 0;
    assert(route >= cand->route[demand] && route < cand->route[demand + 1]);
    for (size_t s = cand->segment[route]; s < cand->segment[route + 1]; s++) {
        assert(t->at.channel[s] < t->channels);
        for (size_t k = cand->hop[s]; k < cand->hop[s + 1]; k++, hops++)
            assert(t->owner[(size_t)t->at.channel[s] * cand->links + cand->link[k]] == demand);
    }
    return hops;
}

void table_check(const struct table *t)
{
    const struct candidates *cand = t->cand;
    size_t placed = 0, hops = 0, owned = 0;
    for (uint32_t d = 0; d < cand->demands; d++)
        if (t->at.route[d] != NO_ROUTE) {
            hops += check_placed(t, d);
            placed++;
        }
    for (uint32_t w = 0; w < t->channels; w++)
        for (uint32_t l = 0; l < cand->links; l++) {
            uint32_t owner = t->owner[(size_t)w * cand->links + l];
            assert(map_has(&t->map, l, w) == (owner == TABLE_FREE));
            owned += owner < cand->demands;
        }
    assert(placed == t->at.placed && hops == owned);
}
#endif
