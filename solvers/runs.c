/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solvers/runs.h"

#include <assert.h>

/** bits[w] &= the bits `by` above.  Words from low to high: those above still hold what they held. */
static void keep_followed(uint64_t *bits, uint32_t words, uint64_t by)
{
    uint64_t skip = by / 64, rest = by % 64;
    for (uint32_t w = 0; w < words; w++) {
        uint64_t near = w + skip < words ? bits[w + skip] : 0, far = w + skip + 1 < words ? bits[w + skip + 1] : 0;
        bits[w] &= rest ? near >> rest | far << (64 - rest) : near;
    }
}

void runs_narrow(uint64_t *bits, uint32_t words, uint32_t length, uint32_t stride)
{
    assert(length > 0 && stride > 0);
    for (uint32_t have = 1, step; have < length; have += step) {
        step = have < length - have ? have : length - have;
        keep_followed(bits, words, (uint64_t)step * stride);
    }
}

uint32_t runs_next(const uint64_t *bits, uint32_t words, uint32_t from)
{
    uint32_t w = from / 64;
    for (uint64_t keep = UINT64_MAX << from % 64; w < words; w++, keep = UINT64_MAX)
        if (bits[w] & keep)
            return 64 * w + (uint32_t)__builtin_ctzll(bits[w] & keep);
    return UINT32_MAX;
}

uint32_t runs_highest(const uint64_t *bits, uint32_t words)
{
    for (uint32_t w = words; w-- > 0;)
        if (bits[w])
            return 64 * w + 63 - (uint32_t)__builtin_clzll(bits[w]);
    return UINT32_MAX;
}
