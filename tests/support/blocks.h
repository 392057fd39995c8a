/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The blocks of a record's lists, one by one, as a test sees them. */
#pragma once

#include "rwa/schedule.h"

/** Block number k < block_count of the runs. */
static inline uint32_t nth_block(const rwa_lists *lists, uint32_t k)
{
    const rwa_run *run = lists->runs;
    while (k >= run->count)
        k -= run++->count;
    return run->first + k * run->stride;
}

static inline int same_blocks(const rwa_lists *a, const rwa_lists *b)
{
    if (a->block_count != b->block_count)
        return 0;
    for (uint32_t k = 0; k < a->block_count; k++)
        if (nth_block(a, k) != nth_block(b, k))
            return 0;
    return 1;
}
