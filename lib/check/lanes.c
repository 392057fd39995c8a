/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Which channels are in use in a step: bits, cleared at its end. */
#include "check/judge.h"

#include <stdlib.h>
#include <string.h>

rwa_status lanes_open(struct judge *j, uint32_t links, uint32_t directions, uint32_t channels)
{
    struct lanes *l = &j->lanes;
    rwa_status st = RWA_OK;
    TRY(base_fits_memory((double)links * channels * directions / 8, "checking this schedule", j->err));
    l->directions = directions;
    l->channels = channels;
    l->busy_words = (size_t)(((uint64_t)links * channels * directions + 63) / 64);
    l->lit_words = ((size_t)channels * directions + 63) / 64;
    l->busy = base_array(l->busy_words, 8, j->err);
    l->lit = base_array(l->lit_words, 8, j->err);
    st = l->busy && l->lit ? RWA_OK : RWA_NOMEM;
done:
    return st;
}

uint64_t channel_of(const struct judge *j, const rwa_lightpath *lp)
{
    return (uint64_t)lp->fiber * rwa_network_wavelengths(j->net) + lp->wavelength;
}

void lanes_end_step(struct judge *j)
{
    struct lanes *l = &j->lanes;
    uint32_t used = 0;
    for (uint32_t dir = 0; dir < l->directions; dir++) {
        uint32_t lit = 0;
        for (uint32_t c = 0; c < l->channels; c++)
            lit += get_bit(l->lit, (uint64_t)dir * l->channels + c);
        used = lit > used ? lit : used;
    }
    if (used > j->verdict->wavelengths_used)
        j->verdict->wavelengths_used = used;
    memset(l->busy, 0, l->busy_words * 8);
    memset(l->lit, 0, l->lit_words * 8);
}

void lanes_close(struct judge *j)
{
    free(j->lanes.busy);
    free(j->lanes.lit);
}
