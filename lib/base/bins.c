/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/bins.h"

rwa_status bins_open(struct bins *b, size_t keys, rwa_error *err)
{
    return base_new(b->first, keys + 2, err);
}

rwa_status bins_divide(struct bins *b, size_t keys, rwa_error *err)
{
    for (size_t k = 0; k < keys; k++)
        b->first[k + 2] += b->first[k + 1];
    return base_new(b->number, b->first[keys + 1], err);
}

void bins_free(struct bins *b)
{
    free_all(b->first, b->number);
    memset(b, 0, sizeof *b);
}

rwa_status bins_index(struct bins *b, size_t keys, size_t items, const size_t *first, const uint32_t *key,
                      const uint32_t *map, rwa_error *err)
{
    size_t begin = first && items > 0 ? first[0] : 0, end = first && items > 0 ? first[items] : items;
    MUST(bins_open(b, keys, err));
    for (size_t k = begin; k < end; k++)
        bins_count(b, map ? map[key[k]] : key[k]);
    MUST(bins_divide(b, keys, err));
    for (size_t i = 0, k = begin; i < items; i++)
        for (end = first ? first[i + 1] : i + 1; k < end; k++)
            bins_put(b, map ? map[key[k]] : key[k], (uint32_t)i);
    return RWA_OK;
}
