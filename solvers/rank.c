/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solvers/rank.h"

#include <assert.h>

static int by_rank(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

void turns_by_rank(uint32_t *turn, uint64_t *rank, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        assert(rank[i] <= UINT32_MAX);
        rank[i] = rank[i] << 32 | i;
    }
    qsort(rank, count, sizeof *rank, by_rank);
    for (uint32_t i = 0; i < count; i++)
        turn[rank[i] & UINT32_MAX] = i;
}
