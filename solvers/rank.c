/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solvers/rank.h"

#include "base/bins.h"

rwa_status sort_by(uint32_t *order, size_t n, const uint32_t *key, uint32_t keys, rwa_error *err)
{
    rwa_status st = RWA_OK;
    struct bins sorted = {0};
    while (bins_pass(&sorted, keys, &st, err))
        for (size_t i = 0; i < n; i++)
            bins_add(&sorted, key[order[i]], order[i]);
    if (st == RWA_OK)
        memcpy(order, sorted.number, n * sizeof *order);
    bins_free(&sorted);
    return st;
}

rwa_status sort_all_by(uint32_t *order, size_t n, const uint32_t *key, uint32_t keys, rwa_error *err)
{
    for (size_t i = 0; i < n; i++)
        order[i] = (uint32_t)i;
    return sort_by(order, n, key, keys, err);
}
