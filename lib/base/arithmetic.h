/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Whole numbers: division rounded up, common divisors, sums and products that saturate, sizes shared out evenly. */
#pragma once

#include <assert.h>
#include <stdint.h>

/** a / b, rounded up; b > 0. */
static inline uint64_t ceil_div(uint64_t a, uint64_t b)
{
    assert(b > 0);
    return a / b + (a % b != 0);
}

/** The lesser of two numbers, one of 32 bits. */
static inline uint32_t lesser(uint64_t a, uint64_t b)
{
    return (uint32_t)(a < b ? a : b);
}

/** a * b; UINT64_MAX stands for anything as large. */
static inline uint64_t times_saturated(uint64_t a, uint64_t b)
{
    return b > 0 && a > UINT64_MAX / b ? UINT64_MAX : a * b;
}

/** a + b; UINT64_MAX stands for anything as large. */
static inline uint64_t plus_saturated(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

/** Greatest common divisor; of 0 and b it is b. */
static inline uint64_t common_divisor(uint64_t a, uint64_t b)
{
    while (b > 0) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/** First of part c of `size` things cut into `parts`: sizes differ by at most one, larger ones first. */
static inline uint32_t part_start(uint32_t size, uint32_t parts, uint32_t c)
{
    assert(parts > 0 && c <= parts);
    uint32_t extra = size % parts;
    return c * (size / parts) + (c < extra ? c : extra);
}

/** How many of 0 … n - 1 have this digit at the place worth `unit`, in numbers whose places from there on have `radix`
 *  digits. */
static inline uint64_t count_with_digit(uint64_t n, uint64_t unit, uint64_t radix, uint64_t digit)
{
    uint64_t period = unit * radix, rest = n % period > digit * unit ? n % period - digit * unit : 0;
    return n / period * unit + (rest < unit ? rest : unit);
}
