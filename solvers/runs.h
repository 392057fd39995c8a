/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Runs of set bits, 64 at a time. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/**
 * Keep the bits above which `length` - 1 more are set, `stride` bits apart: the places where so many free slots begin.
 * A run of n begins where two runs of half its length follow each other.  O(words log(length)).
 */
void runs_narrow(uint64_t *bits, uint32_t words, uint32_t length, uint32_t stride);

/** The same of one word, where every run ends in the word above it: (length - 1) * stride < 64. */
static inline uint64_t runs_narrow_word(uint64_t here, uint64_t above, uint32_t length, uint32_t stride)
{
    for (uint32_t have = 1, step; here && have < length; have += step) {
        step = have < length - have ? have : length - have;
        here &= here >> step * stride | above << (64 - step * stride);
        above &= above >> step * stride;
    }
    return here;
}

/** How many bits are set: pairs, fours, eights, then all eights at once.  The plain x86-64 has no instruction for it,
 *  and the compiler calls a function. */
static inline uint32_t runs_count(uint64_t word)
{
    word -= word >> 1 & UINT64_C(0x5555555555555555);
    word = (word & UINT64_C(0x3333333333333333)) + (word >> 2 & UINT64_C(0x3333333333333333));
    word = (word + (word >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    return (uint32_t)(word * UINT64_C(0x0101010101010101) >> 56);
}

/** The first set bit at or above `from`; UINT32_MAX: none.  from UINT32_MAX + 1, that is 0, is the first of all. */
uint32_t runs_next(const uint64_t *bits, uint32_t words, uint32_t from);

/** Whether bit i is set; beyond the words none is. */
static inline bool runs_have(const uint64_t *bits, uint32_t words, uint64_t i)
{
    return i < 64 * (uint64_t)words && (bits[i / 64] >> i % 64 & 1);
}

/** The highest set bit; UINT32_MAX: none. */
uint32_t runs_highest(const uint64_t *bits, uint32_t words);

/** The lowest bit of the shortest run of set bits `stride` apart, the lowest of equals; UINT32_MAX: none is set. */
uint32_t runs_shortest(const uint64_t *bits, uint32_t words, uint32_t stride);

/** One of the set bits, each as likely; one must be set. */
uint32_t runs_random(const uint64_t *bits, uint32_t words, uint64_t *random);
