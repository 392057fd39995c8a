/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Stable sorts by numbers. */
#pragma once

#include "base/arena.h"

/** Stable counting sort of order[0 … n-1] by key[order[i]] < keys. */
rwa_status sort_by(uint32_t *order, size_t n, const uint32_t *key, uint32_t keys, rwa_error *err);
/** sort_by() of the numbers 0 … n - 1, which it writes to `order` first. */
rwa_status sort_all_by(uint32_t *order, size_t n, const uint32_t *key, uint32_t keys, rwa_error *err);
