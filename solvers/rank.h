/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Stable sorts by numbers. */
#pragma once

#include "base/arena.h"

/** Sort the n numbers in `order` by key[number], which is below `keys`; equal keys stay in order (counting sort). */
rwa_status sort_by(uint32_t *order, size_t n, const uint32_t *key, uint32_t keys, rwa_error *err);
/** Write the numbers 0 … n - 1 to `order`, sorted by key[number], which is below `keys`; numbers of equal key are in
 *  ascending order. */
rwa_status sort_all_by(uint32_t *order, size_t n, const uint32_t *key, uint32_t keys, rwa_error *err);
