/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The order of channels in which a greedy pass takes them again. */
#pragma once

#include <stdint.h>

/** turn[i] = the place of item i by ascending rank, equal ranks by number.  Ranks are below 2^32 and are overwritten.
 *  O(n log n) */
void turns_by_rank(uint32_t *turn, uint64_t *rank, uint32_t count);
