/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solvers/candidates.h"

static size_t segments(const struct candidates *cand)
{
    return cand->segment[cand->route[cand->demands]];
}

rwa_status placement_create(struct placement *p, const struct candidates *cand, rwa_error *err)
{
    assert(cand->fibers > 0);
    MUST(base_new(p->route, cand->demands, err));
    MUST(base_new(p->channel, segments(cand), err));
    for (uint32_t d = 0; d < cand->demands; d++)
        p->route[d] = NO_ROUTE;
    return RWA_OK;
}

void placement_free(struct placement *p)
{
    free_all(p->route, p->channel);
    p->route = NULL;
    p->channel = NULL;
}

void placement_copy(struct placement *to, const struct placement *from, const struct candidates *cand)
{
    assert(from->placed <= cand->demands && to->route && from->route);
    to->channels = from->channels;
    to->placed = from->placed;
    memcpy(to->route, from->route, cand->demands * sizeof *to->route);
    memcpy(to->channel, from->channel, segments(cand) * sizeof *to->channel);
}

const char *candidates_channel_text(char text[CHANNEL_TEXT], const struct candidates *cand, uint32_t channel)
{
    if (cand->fibers > 1)
        snprintf(text, CHANNEL_TEXT, "f%" PRIu32 "_w%" PRIu32, channel % cand->fibers, channel / cand->fibers);
    else
        snprintf(text, CHANNEL_TEXT, "w%" PRIu32, channel);
    return text;
}

static size_t words(uint32_t channels)
{
    return ((size_t)channels + 63) / 64;
}

rwa_status table_create(struct table *t, const struct candidates *cand, uint32_t channels, rwa_error *err)
{
    assert(cand->fibers > 0 && !t->owner);
    t->cand = cand;
    MUST(base_fits_memory(4.0 * channels * cand->links, "the table of channels", err));
    MUST(base_new(t->owner, (size_t)channels * cand->links, err));
    MUST(base_new(t->full, words(channels) * cand->links, err));
    MUST(base_new(t->begin, cand->links, err));
    MUST(placement_create(&t->at, cand, err));
    table_clear(t, channels);
    return RWA_OK;
}

void table_free(struct table *t)
{
    placement_free(&t->at);
    free_all(t->owner, t->full, t->begin);
    memset(t, 0, sizeof *t);
}

/* begin[] is the first word of a link that is not full. */
static void skip_full(struct table *t, uint32_t link)
{
    uint32_t *begin = &t->begin[link];
    while (*begin < words(t->channels) && t->full[*begin * (size_t)t->cand->links + link] == UINT64_MAX)
        ++*begin;
}

static void own(struct table *t, uint32_t channel, uint32_t link, uint32_t owner)
{
    uint64_t *full = &t->full[channel / 64 * (size_t)t->cand->links + link];
    uint64_t bit = UINT64_C(1) << channel % 64;
    t->owner[(size_t)channel * t->cand->links + link] = owner;
    *full = owner == TABLE_FREE ? *full & ~bit : *full | bit;
    if (owner == TABLE_FREE && channel / 64 < t->begin[link])
        t->begin[link] = channel / 64;
    else if (*full == UINT64_MAX)
        skip_full(t, link);
}

/* Fibres that a link lacks, and channels that are taken. */
static void mark_taken(struct table *t)
{
    const struct candidates *cand = t->cand;
    for (uint32_t l = 0; l < cand->links && cand->fibers_of; l++)
        for (uint32_t w = 0; w < t->channels; w++)
            if (w % cand->fibers >= cand->fibers_of[l])
                own(t, w, l, TABLE_TAKEN);
    for (size_t i = 0; i < cand->taken_count; i++)
        if (cand->taken[i].channel < t->channels)
            own(t, cand->taken[i].channel, cand->taken[i].link, TABLE_TAKEN);
}

void table_clear(struct table *t, uint32_t channels)
{
    assert(channels == 0 || t->owner);
    const struct candidates *cand = t->cand;
    size_t cells = (size_t)channels * cand->links;
    t->channels = t->at.channels = channels;
    t->at.placed = 0;
    for (uint32_t d = 0; d < cand->demands; d++)
        t->at.route[d] = NO_ROUTE;
    for (size_t i = 0; i < cells; i++)
        t->owner[i] = TABLE_FREE;
    memset(t->begin, 0, cand->links * sizeof *t->begin);
    memset(t->full, 0, words(channels) * cand->links * sizeof *t->full);
    for (uint32_t l = 0; l < cand->links && channels % 64 > 0; l++)
        t->full[channels / 64 * (size_t)cand->links + l] = UINT64_MAX << channels % 64; /* beyond the last channel */
    mark_taken(t);
}

uint64_t table_open(const struct table *t, size_t segment, uint32_t word)
{
    const struct candidates *cand = t->cand;
    const uint64_t *full = t->full + (size_t)word * cand->links;
    uint64_t shut = 0;
    for (size_t k = cand->hop[segment]; k < cand->hop[segment + 1] && shut != UINT64_MAX; k++)
        shut |= full[cand->link[k]];
    return ~shut;
}

uint32_t table_first_word(const struct table *t, size_t segment)
{
    uint32_t first = 0;
    for (size_t k = t->cand->hop[segment]; k < t->cand->hop[segment + 1]; k++)
        first = t->begin[t->cand->link[k]] > first ? t->begin[t->cand->link[k]] : first;
    return first;
}

uint32_t table_lowest(const struct table *t, size_t segment)
{
    for (uint32_t word = table_first_word(t, segment); word < words(t->channels); word++) {
        uint64_t open = table_open(t, segment, word);
        if (open)
            return 64 * word + (uint32_t)__builtin_ctzll(open);
    }
    return t->channels;
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
    t->channels = t->at.channels = last;
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
            assert((t->full[w / 64 * (size_t)cand->links + l] >> w % 64 & 1) == (owner != TABLE_FREE));
            owned += owner < cand->demands;
            assert(t->begin[l] <= w / 64 || owner != TABLE_FREE);
        }
    assert(placed == t->at.placed && hops == owned);
}
#endif
