/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "check/bits.h"

#include <assert.h>

/** The part of a run that lies in the word of its first bit: its mask there, and its number of bits. */
static uint64_t first_word(uint64_t from, uint64_t count, uint64_t *mask)
{
    uint64_t rest = 64 - from % 64, here = count < rest ? count : rest;
    assert(count > 0);
    *mask = (here == 64 ? UINT64_MAX : (UINT64_C(1) << here) - 1) << from % 64;
    return here;
}

uint64_t bit_run_first(const uint64_t *bits, uint64_t from, uint64_t count)
{
    uint64_t mask = 0;
    for (uint64_t done = 0, here = 0; done < count; done += here) {
        uint64_t at = from + done;
        here = first_word(at, count - done, &mask);
        if (bits[at / 64] & mask)
            return done + (uint64_t)__builtin_ctzll(bits[at / 64] & mask) - at % 64;
    }
    return count;
}

void bit_run_set(uint64_t *bits, uint64_t from, uint64_t count)
{
    uint64_t mask = 0;
    for (uint64_t here = 0; count > 0; from += here, count -= here) {
        here = first_word(from, count, &mask);
        bits[from / 64] |= mask;
    }
}
