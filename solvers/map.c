/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solvers/spectrum.h"

#include "solvers/runs.h"

void map_set(struct map *m, uint32_t link, uint32_t channel, bool open)
{
    uint64_t *words = m->free + (size_t)link * m->words, bit = UINT64_C(1) << channel % 64;
    uint32_t w = channel / 64, *begin = &m->begin[link];
    words[w] = open ? words[w] | bit : words[w] & ~bit;
    if (open && w < *begin)
        *begin = w;
    while (*begin < m->words && words[*begin] == 0)
        ++*begin;
}

bool map_has(const struct map *m, uint32_t link, uint64_t channel)
{
    return channel < m->channels && runs_have(m->free + (size_t)link * m->words, m->words, channel);
}

static void open_all(struct map *m)
{
    const struct candidates *c = m->spectrum->cand;
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

rwa_status map_create(struct map *m, const struct spectrum *spectrum, uint32_t slots, rwa_error *err)
{
    const struct candidates *c = spectrum->cand;
    uint64_t channels = (uint64_t)slots * c->fibers;
    *m = (struct map){.spectrum = spectrum, .slots = slots, .arena = {.err = err}};
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

void map_free(struct map *m)
{
    arena_free(&m->arena);
}

void map_clear(struct map *m, uint32_t slots)
{
    assert(slots * m->spectrum->cand->fibers <= m->most);
    m->slots = slots;
    m->channels = slots * m->spectrum->cand->fibers;
    open_all(m);
}

/** 64 channels: which are free all along a segment; beyond the last none. */
static uint64_t free_word(const struct map *m, size_t segment, uint32_t w)
{
    const struct candidates *c = m->spectrum->cand;
    uint64_t word = 64 * w >= m->channels ? 0 : UINT64_MAX;
    if (word && m->channels - 64 * w < 64)
        word = ~(UINT64_MAX << m->channels % 64);
    for (size_t k = c->hop[segment]; word && k < c->hop[segment + 1]; k++)
        word &= m->free[(size_t)c->link[k] * m->words + w];
    return word;
}

uint32_t map_lowest(struct map *m, size_t segment, uint32_t span)
{
    const struct candidates *c = m->spectrum->cand;
    uint32_t fibers = c->fibers;
    if (span > 64 || (span - 1) * fibers >= 64)
        return map_places(m, segment, span) > 0 ? runs_next(m->places, m->words, 0) : UINT32_MAX;
    uint32_t w = 0, *begin = m->begin;
    for (size_t k = c->hop[segment]; k < c->hop[segment + 1]; k++)
        w = begin[c->link[k]] > w ? begin[c->link[k]] : w;
    uint64_t next = free_word(m, segment, w);
    for (; 64 * w < m->channels; w++) {
        uint64_t here = next;
        next = free_word(m, segment, w + 1);
        here = runs_narrow_word(here, next, span, fibers);
        if (here)
            return 64 * w + (uint32_t)__builtin_ctzll(here);
    }
    return UINT32_MAX;
}

uint32_t map_places(struct map *m, size_t segment, uint32_t span)
{
    const struct candidates *c = m->spectrum->cand;
    uint32_t count = 0;
    for (uint32_t w = 0; w < m->words; w++)
        m->places[w] = free_word(m, segment, w);
    runs_narrow(m->places, m->words, span, c->fibers);
    for (uint32_t w = 0; w < m->words; w++)
        count += runs_count(m->places[w]);
    return count;
}

static void set_span(struct map *m, size_t segment, uint32_t channel, uint32_t span, bool open)
{
    const struct candidates *c = m->spectrum->cand;
    for (size_t k = c->hop[segment]; k < c->hop[segment + 1]; k++)
        for (uint32_t i = 0; i < span; i++)
            map_set(m, c->link[k], channel + i * c->fibers, open);
}

void map_take(struct map *m, size_t segment, uint32_t channel, uint32_t span)
{
    assert(channel + (span - 1) * m->spectrum->cand->fibers < m->channels);
    set_span(m, segment, channel, span, false);
}

void map_give(struct map *m, size_t segment, uint32_t channel, uint32_t span)
{
    assert(channel + (span - 1) * m->spectrum->cand->fibers < m->channels);
    set_span(m, segment, channel, span, true);
}
