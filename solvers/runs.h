/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Runs of set bits, 64 at a time. */
#pragma once

#include "base/base.h"

#include <stdbool.h>
#include <stdint.h>

/** Clear all bits except those at which a run begins: `length` set bits, each `stride` positions above the one before.
 *  If set bits are free slots, these are the places for a lightpath of `length` slots.  A run of n bits begins where a
 *  run of n / 2 is followed by another, hence O(words log(length)). */
void runs_narrow(uint64_t *bits, uint32_t words, uint32_t length, uint32_t stride);

/** Return the bits of the word `here` at which a run begins: `length` set bits, each `stride` positions above the one
 *  before.  Runs may end in the next word, `above`, but not later: (length - 1) * stride < 64. */
static inline uint64_t runs_narrow_word(uint64_t here, uint64_t above, uint32_t length, uint32_t stride)
{
    for (uint32_t have = 1, step; here && have < length; have += step) {
        step = have < length - have ? have : length - have;
        here &= here >> step * stride | above << (64 - step * stride);
        above &= above >> step * stride;
    }
    return here;
}

/** Return the number of set bits.  Plain x86-64 has no instruction for this, so the compiler's builtin would be a
 *  function call. */
static inline uint32_t runs_count(uint64_t word)
{
    word -= word >> 1 & UINT64_C(0x5555555555555555);
    word = (word & UINT64_C(0x3333333333333333)) + (word >> 2 & UINT64_C(0x3333333333333333));
    word = (word + (word >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    return (uint32_t)(word * UINT64_C(0x0101010101010101) >> 56);
}

/** Return the position of the first set bit at or above `from`; UINT32_MAX: none.  `from` may be UINT32_MAX + 1, which
 *  wraps to 0 and starts at the first bit. */
uint32_t runs_next(const uint64_t *bits, uint32_t words, uint32_t from);

/** Whether bit i is set; bits beyond the words are not. */
static inline bool runs_have(const uint64_t *bits, uint32_t words, uint64_t i)
{
    return i < 64 * (uint64_t)words && get_bit(bits, i);
}

/** Return the position of the highest set bit; UINT32_MAX: none. */
uint32_t runs_highest(const uint64_t *bits, uint32_t words);

/** Return the position at which the shortest complete run begins: set bits, each `stride` above the one before.  If
 *  several runs are that short, take the lowest.  UINT32_MAX: no bit is set. */
uint32_t runs_shortest(const uint64_t *bits, uint32_t words, uint32_t stride);

/** Return the position of a random set bit, each with the same probability.  At least one must be set.  random: the
 *  state of the random numbers. */
uint32_t runs_random(const uint64_t *bits, uint32_t words, uint64_t *random);
