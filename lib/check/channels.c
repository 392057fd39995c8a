/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The channels in use in a step, as a set of bits that is cleared when the step ends. */
#include "check/checker.h"

/** Return the capacity of l->spans, the list of runs of used bits to clear at the end of a step.  If it is full, the
 *  whole set is cleared, which is then as quick. */
static size_t spans_most(const struct channels_in_use *l)
{
    return l->busy_words / 128 + 1;
}

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
    return arena_arrays(&chk->memory, spans_most(l), l->spans);
}

/** Add the `count` bits from bit `from` on to l->spans, the list of bits to clear at the end of the step, unless the
 *  list is full. */
static void remember(struct channels_in_use *l, uint64_t from, uint32_t count)
{
    if (l->span_count < spans_most(l))
        l->spans[l->span_count++] = (struct span){from, count};
}

uint32_t channels_claim(struct checker *chk, const rwa_lightpath *lp, uint64_t from, uint32_t count)
{
    if (chk->named)
        meet_others(chk, lp, from, count);
    uint32_t met = (uint32_t)bit_run_take(chk->channels.busy, from, count);
    chk->gained += met;
    remember(&chk->channels, from, count);
    return met;
}

static void clear_busy(struct channels_in_use *l)
{
    if (l->span_count == spans_most(l))
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
        uint32_t used = (uint32_t)bit_run_count(l->lit, (uint64_t)dir * l->count, l->top);
        RAISE(chk->report->wavelengths_used, used);
        bit_run_clear(l->lit, (uint64_t)dir * l->count, l->top);
    }
    l->top = 0;
}

