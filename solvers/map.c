/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solvers/spectrum.h"

#include "solvers/runs.h"

void map_set(struct channel_map *m, uint32_t link, uint32_t channel, bool open)
{
    uint64_t *words = m->free + (size_t)link * m->words, bit = UINT64_C(1) << channel % 64;
    uint32_t w = channel / 64, *begin = &m->begin[link];
    words[w] = open ? words[w] | bit : words[w] & ~bit;
    if (open && w < *begin)
        *begin = w;
    while (*begin < m->words && words[*begin] == 0)
        ++*begin;
}

bool map_has(const struct channel_map *m, uint32_t link, uint64_t channel)
{
    return channel < m->channels && runs_have(m->free + (size_t)link * m->words, m->words, channel);
}

static void open_all(struct channel_map *m)
{
    const struct candidates *c = m->cand;
    memset(m->free, 0xff, (size_t)c->links * m->words * sizeof *m->free);
    memset(m->begin, 0, c->links * sizeof *m->begin);
    memset(m->load, 0, m->most * sizeof *m->load);
    for (uint32_t l = 0; l < c->links; l++) {
        if (m->most % 64 > 0)
            m->free[(size_t)(l + 1) * m->words - 1] = ~(UINT64_MAX << m->most % 64);
        for (uint32_t channel = 0; channel < m->most && c->fibers_of; channel++)
            if (channel % c->fibers >= c->fibers_of[l])
                map_set(m, l, channel, false);
    }
    for (size_t i = 0; i < c->taken_count; i++)
        if (c->taken[i].channel < m->most)
            map_set(m, c->taken[i].link, c->taken[i].channel, false);
}

rwa_status map_create(struct channel_map *m, const struct spectrum *spectrum, uint32_t slots, rwa_error *err)
{
    const struct candidates *c = spectrum->cand;
    uint64_t channels = (uint64_t)slots * c->fibers;
    *m = (struct channel_map){.spectrum = spectrum, .cand = c, .slots = slots, .arena = {.err = err}};
    if (channels > UINT32_MAX / 2)
        return base_fail(err, RWA_NOMEM, "%u slots on %u fibres are too many", slots, c->fibers);
    m->most = m->channels = (uint32_t)channels;
    m->words = (m->channels + 63) / 64;
    MUST(base_fits_memory(8.0 * c->links * m->words, "the slots of all links", err));
    arena_new(&m->arena, m->free, (size_t)c->links * m->words);
    arena_new(&m->arena, m->begin, c->links);
    arena_new(&m->arena, m->places, m->words);
    arena_new(&m->arena, m->load, m->channels);
    rwa_status st = arena_status(&m->arena);
    if (st == RWA_OK)
        open_all(m);
    return st;
}

void map_free(struct channel_map *m)
{
    arena_free(&m->arena);
}

void map_clear(struct channel_map *m, uint32_t slots)
{
    assert(slots * m->cand->fibers <= m->most);
    m->slots = slots;
    m->channels = slots * m->cand->fibers;
    open_all(m);
}

rwa_status map_grow(struct channel_map *m, rwa_error *err)
{
    struct channel_map wide;
    rwa_status st = RWA_OK;
    TRY(map_create(&wide, m->spectrum, 2 * m->slots, err));
    for (uint32_t l = 0; l < m->cand->links; l++)
        for (uint32_t w = 0; w < m->most; w++)
            map_set(&wide, l, w, map_has(m, l, w));
    struct channel_map narrow = *m;
    *m = wide;
    wide = narrow;
done:
    map_free(&wide);
    return st;
}

/** Return which of the channels 64 w … 64 w + 63 are free on all these links, one bit each.  Channels not in use are
 *  not free. */
static uint64_t free_word(const struct channel_map *m, const uint32_t *link, size_t hops, uint32_t w)
{
    uint64_t word = 64 * w >= m->channels ? 0 : UINT64_MAX;
    if (word && m->channels - 64 * w < 64)
        word = ~(UINT64_MAX << m->channels % 64);
    for (size_t k = 0; word && k < hops; k++)
        word &= m->free[(size_t)link[k] * m->words + w];
    return word;
}

/** Return the index of the word of 64 channels at which to begin a search: no word before it has a channel that is free
 *  on all these links. */
static uint32_t first_word(const struct channel_map *m, const uint32_t *link, size_t hops)
{
    uint32_t w = 0;
    for (size_t k = 0; k < hops; k++)
        RAISE(w, m->begin[link[k]]);
    return w;
}

uint32_t map_lowest_on(const struct channel_map *m, const uint32_t *link, size_t hops)
{
    for (uint32_t w = first_word(m, link, hops); 64 * w < m->channels; w++) {
        uint64_t here = free_word(m, link, hops, w);
        if (here)
            return 64 * w + (uint32_t)__builtin_ctzll(here);
    }
    return UINT32_MAX;
}

bool map_has_all(const struct channel_map *m, const uint32_t *link, size_t hops, uint32_t channel)
{
    size_t k = 0;
    while (k < hops && map_has(m, link[k], channel))
        k++;
    return k == hops;
}

uint32_t map_lowest(struct channel_map *m, size_t segment, uint32_t span)
{
    const struct candidates *c = m->cand;
    const uint32_t *link = c->link + c->hop[segment];
    size_t hops = c->hop[segment + 1] - c->hop[segment];
    if (span == 1)
        return map_lowest_on(m, link, hops);
    if (span > 64 || (span - 1) * c->fibers >= 64)
        return map_places(m, segment, span) > 0 ? runs_next(m->places, m->words, 0) : UINT32_MAX;
    uint32_t w = first_word(m, link, hops);
    uint64_t next = free_word(m, link, hops, w);
    for (; 64 * w < m->channels; w++) {
        uint64_t here = next;
        next = free_word(m, link, hops, w + 1);
        here = runs_narrow_word(here, next, span, c->fibers);
        if (here)
            return 64 * w + (uint32_t)__builtin_ctzll(here);
    }
    return UINT32_MAX;
}

uint32_t map_places(struct channel_map *m, size_t segment, uint32_t span)
{
    const struct candidates *c = m->cand;
    uint32_t count = 0;
    for (uint32_t w = 0; w < m->words; w++)
        m->places[w] = free_word(m, c->link + c->hop[segment], c->hop[segment + 1] - c->hop[segment], w);
    runs_narrow(m->places, m->words, span, c->fibers);
    for (uint32_t w = 0; w < m->words; w++)
        count += runs_count(m->places[w]);
    return count;
}

void map_set_span(struct channel_map *m, size_t segment, uint32_t channel, uint32_t span, bool open)
{
    assert(channel + (span - 1) * m->cand->fibers < m->channels);
    const struct candidates *c = m->cand;
    for (size_t k = c->hop[segment]; k < c->hop[segment + 1]; k++)
        for (uint32_t i = 0; i < span; i++)
            map_set(m, c->link[k], channel + i * c->fibers, open);
}
