/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solvers/rank.h"

void turns_by_rank(uint32_t *turn, uint64_t *rank, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        assert(rank[i] <= UINT32_MAX);
        rank[i] = rank[i] << 32 | i;
    }
    qsort(rank, count, sizeof *rank, order_uint64);
    for (uint32_t i = 0; i < count; i++)
        turn[rank[i] & UINT32_MAX] = i;
}

rwa_status sort_by(uint32_t *order, size_t n, const uint32_t *key, uint32_t keys, rwa_error *err)
{
    rwa_status st = RWA_OK;
    uint32_t *sorted = base_array(n, sizeof *sorted, err);
    size_t *at = base_array((size_t)keys + 1, sizeof *at, err);
    TRY(sorted && at ? RWA_OK : RWA_NOMEM);
    for (size_t i = 0; i < n; i++)
        at[(size_t)key[i] + 1]++;
    for (size_t k = 0; k < keys; k++)
        at[k + 1] += at[k];
    for (size_t i = 0; i < n; i++)
        sorted[at[key[order[i]]]++] = order[i];
    memcpy(order, sorted, n * sizeof *order);
done:
    free_all(at, sorted);
    return st;
}

rwa_status sort_all_by(uint32_t *order, size_t n, const uint32_t *key, uint32_t keys, rwa_error *err)
{
    for (size_t i = 0; i < n; i++)
        order[i] = (uint32_t)i;
    return sort_by(order, n, key, keys, err);
}
