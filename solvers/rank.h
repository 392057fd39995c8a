/* SPDX-License-Identifier: GPL-3.0-or-later */
/** New orders of colour classes, and stable sorts by numbers. */
#pragma once

#include "base/arena.h"

/** Iterated greedy: a new order of the classes, at random, the highest number first, or the one of most weight. */
enum class_order { CLASSES_BY_CHANCE = 0, CLASSES_REVERSED, CLASSES_BY_WEIGHT };
/**
 * Replace each class number, below `classes`, by its position in a new order.
 * @param random  state of the random numbers; read by chance alone
 */
rwa_status classes_renumber(uint32_t *class_of, size_t items, uint32_t classes, enum class_order order,
                            uint64_t *random, rwa_error *err);

/** Stable counting sort of order[0 … n-1] by key[order[i]] < keys. */
rwa_status sort_by(uint32_t *order, size_t n, const uint32_t *key, uint32_t keys, rwa_error *err);
/** sort_by() of the numbers 0 … n - 1, which it writes to `order` first. */
rwa_status sort_all_by(uint32_t *order, size_t n, const uint32_t *key, uint32_t keys, rwa_error *err);
