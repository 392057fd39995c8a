/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Numbers listed by key, by counting sort.  Go over all (key, number) pairs twice, first with bins_count(), then
 * with bins_put().  Then the numbers of key k are number[first[k]] … number[first[k + 1] - 1], in the order in
 * which they were put.  Other items can be sorted by the places that bins_place() returns.
 */
#pragma once

#include "base/base.h"

struct bins {
    size_t *first;      /* keys + 2 entries */
    uint32_t *number;
};

/** Start sorting by `keys` keys, from zeros.  RWA_NOMEM; call bins_free() also after a failure. */
rwa_status bins_open(struct bins *b, size_t keys, rwa_error *err);
/** Compute where the numbers of each key begin.  Call it when all pairs have been counted, before bins_put().
 *  RWA_NOMEM. */
rwa_status bins_divide(struct bins *b, size_t keys, rwa_error *err);
void bins_free(struct bins *b);

/** Sort items by keys, in one call, where each item has a list of keys: item i is put under key[k], or under
 *  map[key[k]] if `map` is given, for k from first[i] to first[i + 1] - 1.  first NULL: each item has one key,
 *  key[i]. */
rwa_status bins_index(struct bins *b, size_t keys, size_t items, const size_t *first, const uint32_t *key,
                      const uint32_t *map, rwa_error *err);

static inline void bins_count(struct bins *b, size_t key)
{
    b->first[key + 2]++;
}

/** Return the place for the next item of a key; each call for the key returns the place after the last one. */
static inline size_t bins_place(struct bins *b, size_t key)
{
    return b->first[key + 1]++;
}

static inline void bins_put(struct bins *b, size_t key, uint32_t number)
{
    b->number[bins_place(b, key)] = number;
}
