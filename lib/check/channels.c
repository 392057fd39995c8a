/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Which channels are in use in a step: bits, cleared at its end. */
#include "check/checker.h"

rwa_status channels_open(struct checker *chk, uint32_t links, uint32_t directions, uint32_t channels)
{
    struct channels_in_use *l = &chk->channels;
    MUST(limits_fit(&chk->limits, (double)links * channels * directions / 8, "checking this schedule", chk->err));
    l->directions = directions;
    l->count = channels;
    l->busy_words = (size_t)(((uint64_t)links * channels * directions + 63) / 64);
    l->lit_words = ((size_t)channels * directions + 63) / 64;
    arena_new(&chk->memory, l->busy, l->busy_words);
    arena_new(&chk->memory, l->lit, l->lit_words);
    return arena_status(&chk->memory);
}

uint64_t channel_of(const struct checker *chk, const rwa_lightpath *lp)
{
    assert(lp->wavelength < rwa_network_wavelengths(chk->net));
    return (uint64_t)lp->fiber * rwa_network_wavelengths(chk->net) + lp->wavelength;
}

/** Remember bits to clear at the end of the step, unless there are so many that clearing all is as quick. */
static rwa_status remember(struct checker *chk, uint64_t from, uint32_t count)
{
    struct channels_in_use *l = &chk->channels;
    if (l->span_count > l->busy_words / 16)
        return RWA_OK;
    rwa_status st = base_grow((void **)&l->spans, &l->span_capacity, l->span_count + 1, sizeof *l->spans, chk->err);
    if (st == RWA_OK)
        l->spans[l->span_count++] = (struct span){from, count};
    return st;
}

rwa_status channels_claim(struct checker *chk, uint64_t from, uint32_t count, uint32_t *met)
{
    struct channels_in_use *l = &chk->channels;
    *met = (uint32_t)bit_run_first(l->busy, from, count);
    chk->gained += *met;
    bit_run_set(l->busy, from, count);
    return remember(chk, from, count);
}

void channels_light(struct checker *chk, uint32_t direction, uint64_t channel)
{
    struct channels_in_use *l = &chk->channels;
    uint64_t bit = (uint64_t)direction * l->count + channel;
    assert(direction < l->directions && channel < l->count);
    l->used[direction] += !get_bit(l->lit, bit);
    set_bit(l->lit, bit);
    l->top = channel >= l->top ? (uint32_t)channel + 1 : l->top;
}

static void clear_busy(struct channels_in_use *l)
{
    if (l->span_count > l->busy_words / 16)
        memset(l->busy, 0, l->busy_words * 8);
    else
        for (size_t i = 0; i < l->span_count; i++)
            bit_run_clear(l->busy, l->spans[i].from, l->spans[i].count);
    l->span_count = 0;
}

void channels_end_step(struct checker *chk)
{
    struct channels_in_use *l = &chk->channels;
    clear_busy(l);
    for (uint32_t dir = 0; dir < l->directions; dir++) {
        if (l->used[dir] > chk->report->wavelengths_used)
            chk->report->wavelengths_used = l->used[dir];
        if (l->top > 0)
            bit_run_clear(l->lit, (uint64_t)dir * l->count, l->top);
        l->used[dir] = 0;
    }
    l->top = 0;
}

