/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "check/runs.h"

/* The part of a run that lies in the word of its first bit; how many bits that are. */
static uint64_t first_word(uint64_t from, uint64_t count, uint64_t *mask)
{
    uint64_t room = 64 - from % 64, here = count < room ? count : room;
    *mask = (here == 64 ? UINT64_MAX : (UINT64_C(1) << here) - 1) << from % 64;
    return here;
}

bool run_has(const uint64_t *bits, uint64_t from, uint64_t count)
{
    uint64_t mask = 0;
    for (uint64_t here = 0; count > 0; from += here, count -= here) {
        here = first_word(from, count, &mask);
        if (bits[from / 64] & mask)
            return true;
    }
    return false;
}

void run_set(uint64_t *bits, uint64_t from, uint64_t count)
{
    uint64_t mask = 0;
    for (uint64_t here = 0; count > 0; from += here, count -= here) {
        here = first_word(from, count, &mask);
        bits[from / 64] |= mask;
    }
}
