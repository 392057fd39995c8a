/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solvers/runs.h"

#include "base/base.h"

/** Clear each bit unless the bit `by` positions above it is set.  The loop goes from low to high words, so the words
 *  above still have their old bits. */
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

uint32_t runs_shortest(const uint64_t *bits, uint32_t words, uint32_t stride)
{
    uint32_t best = UINT32_MAX, fewest = UINT32_MAX;
    for (uint32_t place = runs_next(bits, words, 0); place != UINT32_MAX; place = runs_next(bits, words, place + 1)) {
        uint32_t count = 1;
        if (place >= stride && runs_have(bits, words, place - stride))
            continue;
        while (count < fewest && runs_have(bits, words, place + (uint64_t)count * stride))
            count++;
        if (count < fewest) {
            best = place;
            fewest = count;
        }
    }
    return best;
}

uint32_t runs_random(const uint64_t *bits, uint32_t words, uint64_t *random)
{
    uint32_t count = 0, w = 0;
    for (uint32_t i = 0; i < words; i++)
        count += runs_count(bits[i]);
    assert(count > 0);
    uint32_t skip = (uint32_t)base_random_below(random, count);
    for (uint32_t here; skip >= (here = runs_count(bits[w])); w++)
        skip -= here;
    uint64_t word = bits[w];
    while (skip-- > 0)
        word &= word - 1;
    return 64 * w + (uint32_t)__builtin_ctzll(word);
}
