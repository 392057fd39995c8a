/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What is true of a schedule. */
#pragma once

#include "base/base.h"
#include "tests/support/files.h"
#include "tests/support/request.h"

/** What moves, as a sum of a random number for each block of a lightpath: equal for the same moves in any order.  Steps
 *  and blocks count or do not. */
static inline uint64_t moves_of(const rwa_schedule *sched, bool steps, bool blocks)
{
    const rwa_schedule *all = expanded(sched);
    uint64_t sum = 0;
    for (uint64_t i = 0; i < rwa_schedule_records(all); i++) {
        rwa_lightpath lp = lightpath_of(all, i);
        rwa_lists lists = lists_of(all, i);
        rwa_run one;
        const rwa_run *list;
        uint32_t runs = rwa_lists_runs(&list, &one, &lp, &lists);
        for (uint32_t r = 0; r < runs; r++)
            for (uint32_t k = 0; k < list[r].count; k++) {
                uint64_t block = blocks ? list[r].first + (uint64_t)k * list[r].stride : 0;
                uint64_t move = ((lp.src * UINT64_C(4099) + lp.dst) * 65537 + block) * 2 + (uint64_t)lp.op;
                move = move * 65537 + (steps ? lp.step : 0);
                sum += base_random(&move);
            }
    }
    return sum;
}

/** A schedule that the checker accepts. */
static inline void expect_right(const rwa_schedule *sched)
{
    rwa_check *check = NULL;
    CU_ASSERT_PTR_NOT_NULL_FATAL(sched);
    OK(rwa_check_schedule(&check, sched, NULL, NULL));
    CU_ASSERT_TRUE(rwa_check_summary(check)->ok);
    if (!rwa_check_summary(check)->ok)
        fprintf(stderr, "%s\n", rwa_check_summary(check)->first[0].text);
    rwa_check_free(check);
}
