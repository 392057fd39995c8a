/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Which channels are in use in a step: bits, cleared at its end. */
#include "check/checker.h"

#include <assert.h>
#include <string.h>

rwa_status channels_open(struct checker *chk, uint32_t links, uint32_t directions, uint32_t channels)
{
    struct channels_in_use *l = &chk->channels;
    rwa_status st = RWA_OK;
    TRY(base_fits_memory((double)links * channels * directions / 8, "checking this schedule", chk->err));
    l->directions = directions;
    l->count = channels;
    l->busy_words = (size_t)(((uint64_t)links * channels * directions + 63) / 64);
    l->lit_words = ((size_t)channels * directions + 63) / 64;
    arena_new(&chk->memory, l->busy, l->busy_words);
    arena_new(&chk->memory, l->lit, l->lit_words);
    st = arena_status(&chk->memory);
done:
    return st;
}

uint64_t channel_of(const struct checker *chk, const rwa_lightpath *lp)
{
    assert(lp->wavelength < rwa_network_wavelengths(chk->net));
    return (uint64_t)lp->fiber * rwa_network_wavelengths(chk->net) + lp->wavelength;
}

void channels_end_step(struct checker *chk)
{
    struct channels_in_use *l = &chk->channels;
    uint32_t used = 0;
    for (uint32_t dir = 0; dir < l->directions; dir++) {
        uint32_t lit = 0;
        for (uint32_t c = 0; c < l->count; c++)
            lit += get_bit(l->lit, (uint64_t)dir * l->count + c);
        used = lit > used ? lit : used;
    }
    if (used > chk->report->wavelengths_used)
        chk->report->wavelengths_used = used;
    memset(l->busy, 0, l->busy_words * 8);
    memset(l->lit, 0, l->lit_words * 8);
}

