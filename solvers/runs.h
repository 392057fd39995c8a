/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Runs of set bits, 64 at a time. */
#ifndef SOLVERS_RUNS_H
#define SOLVERS_RUNS_H

#include <stdint.h>

/**
 * Keep the bits above which `length` - 1 more are set, `stride` bits apart: the places where so many free slots begin.  A run of n begins
 * where two runs of half its length follow each other.  O(words log(length)).
 */
void runs_narrow(uint64_t *bits, uint32_t words, uint32_t length, uint32_t stride);

/** The first set bit at or above `from`; UINT32_MAX: none.  from UINT32_MAX + 1, that is 0, is the first of all. */
uint32_t runs_next(const uint64_t *bits, uint32_t words, uint32_t from);

/** The highest set bit; UINT32_MAX: none. */
uint32_t runs_highest(const uint64_t *bits, uint32_t words);

#endif
