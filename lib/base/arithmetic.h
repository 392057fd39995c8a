/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Integer arithmetic: division rounded up, common divisors, saturating sums and products, even partitions. */
#pragma once

#include <assert.h>
#include <stdint.h>

/** Return a / b rounded up; b > 0. */
static inline uint64_t ceil_div(uint64_t a, uint64_t b)
{
    assert(b > 0);
    return a / b + (a % b != 0);
}

/** Return the smaller of two numbers, at least one of which must fit into 32 bits. */
static inline uint32_t lesser(uint64_t a, uint64_t b)
{
    return (uint32_t)(a < b ? a : b);
}

/** Return a number, or `limit` if that is smaller; limit 0: no limit. */
static inline uint64_t limited(uint64_t number, uint64_t limit)
{
    return limit > 0 && limit < number ? limit : number;
}

/** Return the largest power of two that is at most `number` > 0. */
static inline uint32_t power_within(uint32_t number)
{
    assert(number > 0);
    return UINT32_C(1) << (31 - __builtin_clz(number));
}

/** Return a * b, or UINT64_MAX if the product is larger. */
static inline uint64_t times_saturated(uint64_t a, uint64_t b)
{
    return b > 0 && a > UINT64_MAX / b ? UINT64_MAX : a * b;
}

/** Return a + b, or UINT64_MAX if the sum is larger. */
static inline uint64_t plus_saturated(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

/** Return the greatest common divisor of two numbers; for a = 0 it is b. */
static inline uint64_t common_divisor(uint64_t a, uint64_t b)
{
    while (b > 0) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/** Return the index, from 0, of the first item of part c (0 … parts), if `size` items are divided into `parts` parts:
 *  larger parts first, sizes that differ by at most one.  For c = parts it is `size`. */
static inline uint32_t part_start(uint32_t size, uint32_t parts, uint32_t c)
{
    assert(parts > 0 && c <= parts);
    uint32_t extra = size % parts;
    return c * (size / parts) + (c < extra ? c : extra);
}

/** Return how many of the numbers 0 … n - 1, written with base `radix`, have the digit `digit` at the place whose
 *  weight is `unit`, a power of the base. */
static inline uint64_t count_with_digit(uint64_t n, uint64_t unit, uint64_t radix, uint64_t digit)
{
    uint64_t period = unit * radix, rest = n % period > digit * unit ? n % period - digit * unit : 0;
    return n / period * unit + (rest < unit ? rest : unit);
}
