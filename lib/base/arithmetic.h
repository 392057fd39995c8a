/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Whole numbers: division rounded up, and sizes shared out evenly. */
#ifndef BASE_ARITHMETIC_H
#define BASE_ARITHMETIC_H

#include <assert.h>
#include <stdint.h>

/** a / b, rounded up; b > 0. */
static inline uint64_t ceil_div(uint64_t a, uint64_t b)
{
    assert(b > 0);
    return a / b + (a % b != 0);
}

/** First of part c of `size` things cut into `parts`: sizes differ by at most one, larger ones first. */
static inline uint32_t part_start(uint32_t size, uint32_t parts, uint32_t c)
{
    uint32_t extra = size % parts;
    assert(c <= parts);
    return c * (size / parts) + (c < extra ? c : extra);
}

#endif
