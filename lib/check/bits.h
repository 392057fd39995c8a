/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Sets of bits in 64-bit words. */
#ifndef CHECK_BITS_H
#define CHECK_BITS_H

#include <stdbool.h>
#include <stdint.h>

static inline bool get_bit(const uint64_t *bits, uint64_t i)
{
    return bits[i / 64] >> (i % 64) & 1;
}

static inline void set_bit(uint64_t *bits, uint64_t i)
{
    bits[i / 64] |= (uint64_t)1 << (i % 64);
}

/** The offset of the first set bit among bits from … from + count - 1, or count.  O(count / 64). */
uint64_t bit_run_first(const uint64_t *bits, uint64_t from, uint64_t count);
/** Set bits from … from + count - 1. */
void bit_run_set(uint64_t *bits, uint64_t from, uint64_t count);

#endif
