/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Groups that lie alike in parallel rows, planes … of a grid load disjoint links equally, since shortest routes between two nodes
 * change no coordinate in which these agree.  So a timed program needs those of one row only.
 */
#include "scheme/compose/parties.h"

static const uint16_t *place_of(const struct distances *d, uint32_t node)
{
    return d->place + node * d->ways;
}

/** The dimensions in which two nodes differ. */
static uint32_t differing(const struct distances *d, uint32_t a, uint32_t b)
{
    uint32_t found = 0;
    for (size_t w = 0; w < d->ways; w++)
        found |= (uint32_t)(place_of(d, a)[w] != place_of(d, b)[w]) << w;
    return found;
}

/** Dimensions that vary together in some group go together in all: plane[w] has all that go with w, and w. */
static void join_dimensions(uint32_t plane[WAYS_MOST], const struct parties *parties, const struct distances *d)
{
    for (size_t w = 0; w < d->ways; w++)
        plane[w] = 1u << w;
    for (size_t g = 0; g < parties->groups; g++) {
        uint32_t joined = 0;
        for (size_t i = parties->first[g]; i < parties->first[g + 1]; i++)
            joined |= differing(d, parties->party[parties->first[g]].node, parties->party[i].node);
        for (size_t w = 0; w < d->ways; w++)
            joined |= joined & plane[w] ? plane[w] : 0;
        for (size_t w = 0; w < d->ways; w++)
            plane[w] = joined >> w & 1 ? joined : plane[w];
    }
}

/** The first dimension of the plane in which a group lies; d->ways: it is a single node. */
static size_t first_dimension(const uint32_t plane[WAYS_MOST], const struct parties *parties, const struct distances *d, size_t g)
{
    const struct party *first = &parties->party[parties->first[g]];
    uint32_t differ = parties_of(parties, g) > 1 ? differing(d, first[0].node, first[1].node) : 0;
    size_t w = 0;
    while (w < d->ways && !(plane[w] & differ))
        w++;
    return w;
}

/** Parallel planes of a kind. */
static size_t planes_beside(uint32_t plane, const struct distances *d)
{
    size_t count = 1;
    for (size_t w = 0; w < d->ways; w++)
        count *= plane >> w & 1 ? 1 : d->net->shape[w];
    return count;
}

/** Keep those in the first plane of each kind.  Returns for how many each stands at least; 0: they do not stand for all. */
static size_t choose_groups(bool *kept, const struct parties *parties, const struct distances *d)
{
    uint32_t plane[WAYS_MOST], home[WAYS_MOST];
    size_t stand_for = 0, least = SIZE_MAX;
    join_dimensions(plane, parties, d);
    memset(home, 0xff, sizeof home);
    for (size_t g = 0; g < parties->groups; g++) {
        uint32_t node = parties->party[parties->first[g]].node;
        size_t w = first_dimension(plane, parties, d, g);
        if (w == d->ways)
            return 0;
        home[w] = home[w] == UINT32_MAX ? node : home[w];
        kept[g] = !(differing(d, home[w], node) & ~plane[w]);
        size_t planes = kept[g] ? planes_beside(plane[w], d) : 0;
        stand_for += planes;
        least = kept[g] && planes < least ? planes : least;
    }
    return stand_for == parties->groups ? least : 0;
}

static void drop_groups(struct parties *parties, const bool *kept, size_t least)
{
    size_t count = 0, groups = 0, before = parties->count;
    for (size_t g = 0, from = 0; g < parties->groups; g++) {
        size_t to = parties->first[g + 1];
        for (size_t i = from; i < to; i++) {
            struct party *one = &parties->party[i];
            if (kept[g]) {
                parties->party[count++] = *one;
                continue;
            }
            block_set_free(&one->holds);
            block_set_free(&one->needs);
        }
        from = to;
        if (kept[g])
            parties->first[++groups] = count;
    }
    parties->count = count;
    parties->groups = groups;
    parties->times.mean *= (double)before / (double)count;
    parties->times.least *= (double)least;
}

rwa_status parties_fold(struct parties *parties, const struct program *p)
{
    const struct distances *d = p->distances;
    if (!p->timed || p->members || parties->groups < 2 || !d->place || !d->even)
        return RWA_OK;
    bool *kept = base_array(parties->groups, sizeof *kept, p->err);
    MUST(kept ? RWA_OK : RWA_NOMEM);
    size_t least = choose_groups(kept, parties, d);
    if (least > 1)
        drop_groups(parties, kept, least);
    free(kept);
    return RWA_OK;
}
