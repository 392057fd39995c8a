/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solvers/table.h"

static void own(struct table *t, uint32_t link, uint32_t channel, uint32_t owner, float cost)
{
    size_t cell = (size_t)link * t->stride + channel;
    t->owner[cell] = owner;
    t->cost[cell] = cost;
    if (channel < t->map.most)
        map_set(&t->map, link, channel, owner == TABLE_FREE);
}

rwa_status table_create(struct table *t, const struct spectrum *spectrum, uint32_t channels, rwa_error *err)
{
    const struct candidates *cand = t->cand = spectrum->cand;
    assert(cand->fibers > 0 && !t->owner);
    t->channels = t->at.channels = channels;
    /* Whole blocks, and an odd number of cache lines: otherwise the rows of a route compete for the same few cache
     * sets. */
    t->stride = ((channels + 15) / 16 | 1) * 16;
    t->arena.err = err;
    MUST(base_fits_memory(8.0 * cand->links * t->stride, "the table of channels", err));
    arena_arrays(&t->arena, (size_t)cand->links * t->stride, t->owner, t->cost);
    MUST(arena_arrays(&t->arena, t->stride, t->sum));
    MUST(placement_create(&t->at, cand, err));
    MUST(map_create(&t->map, spectrum, (channels + cand->fibers - 1) / cand->fibers, err));
    t->map.channels = channels;
    for (uint32_t l = 0; l < cand->links; l++)
        for (uint32_t w = 0; w < t->stride; w++) {
            bool open = map_has(&t->map, l, w);
            own(t, l, w, open ? TABLE_FREE : TABLE_TAKEN, open ? 0 : INFINITY);
        }
    return RWA_OK;
}

void table_free(struct table *t)
{
    placement_free(&t->at);
    map_free(&t->map);
    arena_free(&t->arena);
    memset(t, 0, sizeof *t);
}

static void give(struct table *t, size_t route, uint32_t owner, float cost)
{
    const struct candidates *cand = t->cand;
    for (size_t s = cand->segment[route]; s < cand->segment[route + 1]; s++)
        for (size_t k = cand->hop[s]; k < cand->hop[s + 1]; k++)
            own(t, cand->link[k], t->at.channel[s], owner, cost);
}

void table_put(struct table *t, uint32_t demand, size_t route, float cost)
{
    assert(t->at.route[demand] == NO_ROUTE);
    assert(route >= t->cand->route[demand] && route < t->cand->route[demand + 1]);
    give(t, route, demand, cost);
    t->at.route[demand] = route;
    t->at.placed++;
}

void table_lift(struct table *t, uint32_t demand)
{
    assert(t->at.route[demand] != NO_ROUTE && t->at.placed > 0);
    give(t, t->at.route[demand], TABLE_FREE, 0);
    t->at.route[demand] = NO_ROUTE;
    t->at.placed--;
}

void table_shrink(struct table *t)
{
    assert(t->channels > 0);
    uint32_t last = t->channels - 1;
    for (uint32_t l = 0; l < t->cand->links; l++) {
        assert(t->owner[(size_t)l * t->stride + last] >= TABLE_TAKEN);
        own(t, l, last, TABLE_TAKEN, INFINITY);
    }
    t->channels = t->at.channels = t->map.channels = last;
}

/* Begin the sums of a block of channels with the costs of the owners on the first link of a segment; INFINITY where
 * `until` bars the channel. */
static void begin_block(float *restrict sum, const float *restrict cost, const int32_t *restrict until, int32_t now)
{
    for (int i = 0; i < TABLE_BLOCK; i++) {
        float first = cost[i];
        sum[i] = until[i] > now ? INFINITY : first;
    }
}

static void add_block(float *restrict sum, const float *restrict cost, const uint32_t *restrict owner,
                      const uint32_t *restrict before)
{
    for (int i = 0; i < TABLE_BLOCK; i++) {
        float more = cost[i];
        sum[i] += owner[i] != before[i] ? more : 0;
    }
}

static void least_block(float *restrict least, const float *restrict sum)
{
    for (int i = 0; i < TABLE_BLOCK; i++)
        LOWER(least[i], sum[i]);
}

float table_sum(struct table *t, size_t segment, const int32_t *until, int32_t now)
{
    const struct candidates *cand = t->cand;
    const uint32_t *link = cand->link + cand->hop[segment], *end = cand->link + cand->hop[segment + 1];
    size_t stride = t->stride;
    float least[TABLE_BLOCK];
    assert(link < end && stride % TABLE_BLOCK == 0);
    for (int i = 0; i < TABLE_BLOCK; i++)
        least[i] = INFINITY;
    for (size_t w = 0; w < t->channels; w += TABLE_BLOCK) {
        begin_block(t->sum + w, t->cost + *link * stride + w, until + w, now);
        for (const uint32_t *l = link + 1; l < end; l++)
            add_block(t->sum + w, t->cost + *l * stride + w, t->owner + *l * stride + w, t->owner + l[-1] * stride + w);
        least_block(least, t->sum + w);
    }
    for (int i = 1; i < TABLE_BLOCK; i++)
        LOWER(least[0], least[i]);
    return least[0];
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
            assert(t->owner[(size_t)cand->link[k] * t->stride + t->at.channel[s]] == demand);
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
            uint32_t owner = t->owner[(size_t)l * t->stride + w];
            assert(map_has(&t->map, l, w) == (owner == TABLE_FREE));
            owned += owner < cand->demands;
        }
    assert(placed == t->at.placed && hops == owned);
}
#endif
