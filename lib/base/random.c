/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/base.h"

uint64_t base_random(uint64_t *state)
{
    /* splitmix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, OOPSLA 2014) */
    uint64_t z = (*state += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

uint64_t base_random_below(uint64_t *state, uint64_t below)
{
    uint64_t value = base_random(state);
    /* From UINT64_MAX - UINT64_MAX % below on values are refused, so that all remainders are equally likely; hardly any
     * value is so large that this division is needed. */
    while (value > UINT64_MAX - below && value >= UINT64_MAX - UINT64_MAX % below)
        value = base_random(state);
    return value % below;
}

void base_shuffle(uint32_t *list, uint32_t count, uint64_t *state)
{
    for (uint32_t i = count; i > 1; i--) {
        uint32_t other = (uint32_t)base_random_below(state, i), kept = list[i - 1];
        list[i - 1] = list[other];
        list[other] = kept;
    }
}
