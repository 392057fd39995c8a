/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Numbers listed by key, by counting sort.  It takes two passes over the same (key, number) pairs, the first to count
 * them, the second to store them; both call bins_add():
 *     while (bins_pass(&b, keys, &st, err))
 *         for (each pair)
 *             bins_add(&b, key, number);
 * Then the numbers of key k are number[first[k]] … number[first[k + 1] - 1], in the order in which they were added.
 */
#pragma once

#include "base/base.h"

struct bins {
    size_t *first;      /* keys + 2 entries */
    uint32_t *number;
};

/** Begin the next pass over the (key, number) pairs, whose keys are below `keys`.  Return true twice; false after the
 *  second pass (*st is then RWA_OK), or if memory is out (RWA_NOMEM).  The bins must be {0} at first; call bins_free()
 *  also after a failure. */
bool bins_pass(struct bins *b, size_t keys, rwa_status *st, rwa_error *err);
void bins_free(struct bins *b);

/** List items by key: put item i under each of its keys, key[first[i]] … key[first[i + 1] - 1].  The items of key k are
 *  then b->number[b->first[k]] … b->number[b->first[k + 1] - 1].  first NULL: item i has the one key key[i].  map not
 *  NULL: an entry k of `key` stands for the key map[k]. */
rwa_status bins_index(struct bins *b, size_t keys, size_t items, const size_t *first, const uint32_t *key,
                      const uint32_t *map, rwa_error *err);

static inline void bins_add(struct bins *b, size_t key, uint32_t number)
{
    if (b->number)
        b->number[b->first[key + 1]++] = number;
    else
        b->first[key + 2]++;
}
