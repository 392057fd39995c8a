/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Stable sorts by numbers. */
#pragma once

#include "base/base.h"

/** Set turn[i] to the position of item i by ascending rank, equal ranks by number.  Ranks are below 2^32 and are
 *  overwritten. O(n log n) */
void turns_by_rank(uint32_t *turn, uint64_t *rank, uint32_t count);

/** Stable counting sort of order[0 … n-1] by key[order[i]] < keys. */
rwa_status sort_by(uint32_t *order, size_t n, const uint32_t *key, uint32_t keys, rwa_error *err);
/** sort_by() of the numbers 0 … n - 1, which it writes to `order` first. */
rwa_status sort_all_by(uint32_t *order, size_t n, const uint32_t *key, uint32_t keys, rwa_error *err);
