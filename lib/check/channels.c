/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Distinct channels: in one step no two lightpaths share a (directed link, fibre, wavelength). */
#include "check/judge.h"

#include <stdlib.h>
#include <string.h>

rwa_status channels_open(struct judge *j)
{
    rwa_status st = RWA_OK;
    TRY(base_fits_memory((double)j->links * j->channels / 4, "checking this schedule", j->err));
    j->busy_words = (size_t)(((uint64_t)j->links * j->channels * 2 + 63) / 64);
    j->lit_words = ((size_t)j->channels * 2 + 63) / 64;
    j->busy = base_array(j->busy_words, 8, j->err);
    j->lit = base_array(j->lit_words, 8, j->err);
    if (!j->busy || !j->lit)
        return RWA_NOMEM;
done:
    return st;
}

/** Set `count` bits from `at`, a word at a time; how far the first one already set lies from `at` (count: none was). */
static uint32_t claim_run(uint64_t *bits, uint64_t at, uint32_t count)
{
    uint32_t met = count;
    for (uint32_t done = 0; done < count;) {
        uint32_t shift = (uint32_t)((at + done) % 64);
        uint32_t take = 64 - shift < count - done ? 64 - shift : count - done;
        uint64_t mask = (take == 64 ? ~(uint64_t)0 : ((uint64_t)1 << take) - 1) << shift;
        uint64_t *word = &bits[(at + done) / 64];
        if ((*word & mask) != 0 && met == count)
            met = done + (uint32_t)__builtin_ctzll(*word & mask) - shift;
        *word |= mask;
        done += take;
    }
    return met;
}

void channels_claim(struct judge *j, const rwa_lightpath *lp, uint32_t hops)
{
    uint64_t lane = (uint64_t)(lp->direction == RWA_CCW) * j->channels + (uint64_t)lp->fiber *
                    rwa_network_wavelengths(j->net) + lp->wavelength;
    uint64_t row = lane * j->links;
    uint32_t link = lp->direction == RWA_CW ? lp->src : lp->dst;
    uint32_t clash = UINT32_MAX;
    set_bit(j->lit, lane);
    while (hops > 0) { /* at most two runs: up to the last link, and from link 0 */
        uint32_t run = hops < j->links - link ? hops : j->links - link;
        uint32_t met = claim_run(j->busy, row + link, run);
        if (met < run && clash == UINT32_MAX)
            clash = link + met;
        hops -= run;
        link = 0;
    }
    if (clash != UINT32_MAX)
        accuse(j, RWA_VIOLATION_CHANNEL, clash, lp->wavelength,
               "step %u: lightpath %u to %u meets another on link %u %s, fiber %u, wavelength %u", j->step, lp->src,
               lp->dst, clash, lp->direction == RWA_CW ? "cw" : "ccw", lp->fiber, lp->wavelength);
}

void channels_end_step(struct judge *j)
{
    uint32_t used = 0;
    for (uint32_t dir = 0; dir < 2; dir++) {
        uint32_t lit = 0;
        for (uint32_t c = 0; c < j->channels; c++)
            lit += get_bit(j->lit, (uint64_t)dir * j->channels + c);
        used = lit > used ? lit : used;
    }
    if (used > j->verdict->wavelengths_used)
        j->verdict->wavelengths_used = used;
    memset(j->busy, 0, j->busy_words * 8);
    memset(j->lit, 0, j->lit_words * 8);
}

void channels_close(struct judge *j)
{
    free(j->busy);
    free(j->lit);
}
