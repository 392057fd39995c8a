/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solvers/rank.h"

#include "base/base.h"

#include <assert.h>

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
