/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/bins.h"

bool bins_pass(struct bins *b, size_t keys, rwa_status *st, rwa_error *err)
{
    if (b->number)
        return false;
    for (size_t k = 0; b->first && k < keys; k++)
        b->first[k + 2] += b->first[k + 1];
    *st = b->first ? base_new(b->number, b->first[keys + 1], err) : base_new(b->first, keys + 2, err);
    return *st == RWA_OK;
}

void bins_free(struct bins *b)
{
    free_all(b->first, b->number);
    memset(b, 0, sizeof *b);
}

rwa_status bins_index(struct bins *b, size_t keys, size_t items, const size_t *first, const uint32_t *key,
                      const uint32_t *map, rwa_error *err)
{
    rwa_status st = RWA_OK;
    while (bins_pass(b, keys, &st, err))
        for (size_t i = 0, k = first && items > 0 ? first[0] : 0; i < items; i++)
            for (size_t end = first ? first[i + 1] : i + 1; k < end; k++)
                bins_add(b, base_mapped(map, key[k]), (uint32_t)i);
    return st;
}
