/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "delivery/line/line_schedule.h"

#include "tests/support/request.h"
#include "tests/support/suite.h"

/* Nothing beats the bound, and up to 16 nodes and 4 channels all plans are proven the shortest. */
static void small_lines_are_at_the_bound(void)
{
    for (uint32_t nodes = 2; nodes <= 16; nodes++)
        for (uint32_t wavelengths = 1; wavelengths <= 4; wavelengths++)
            CU_ASSERT_EQUAL(report_on("line:%u w=%u limit=0 by line-wavefront", nodes, wavelengths)->outcome,
                            RWA_OPTIMAL);
}

/* W of about N²/4 channels carry everything at once; with one, the two directions of a chain of N nodes take N-1 steps;
 * two fibres are twice the channels, and 64 nodes take no less than 9 steps (link-capacity); what is gathered is
 * reduced backwards. */
static void steps_are_few(void)
{
    static const struct known most[] = {{"line:7 w=12", 1},
                                        {"line:40 w=1", 39},
                                        {"line:64 w=8", 10},
                                        {"line:64 w=4 f=2", 10},
                                        {"line:29 w=5 reduce-scatter", 7},
                                        {"line:29 w=5 all-reduce", 14},
                                        {"line:65 w=3 hops=2", 40},
                                        {"line:20 w=4 hops=1", 19},
                                        {"line:100 w=8", 14},
                                        {"line:80 w=12", 8}};
    for (size_t i = 0; i < COUNT(most) - (thorough ? 0 : 2); i++)
        CU_ASSERT(steps_on("%s limit=0 by line-wavefront", most[i].line) <= most[i].steps);
}

/* The first attempt is always finished; after that the caller may stop. */
static void the_caller_may_stop(void)
{
    struct spread_limits limits = {.nodes = 30, .channels = 4, .drops = 1};
    struct delivery_tree found;
    struct bins steps;
    struct stop third = {.at = 3};
    struct budget budget = base_budget(0, NULL, NULL), stopped = base_budget(0, stop_once, &third),
                  late = base_budget(1e-9, NULL, NULL);
    rwa_status st = line_schedule_find(&found, &limits, &stopped, NULL);
    CU_ASSERT_TRUE(st == RWA_CANCELLED || found.steps == line_fewest_steps(&limits));
    delivery_tree_free(&found);
    OK(line_schedule_find(&found, &limits, &late, NULL));
    uint32_t first = found.steps;
    delivery_tree_free(&found);
    OK(line_schedule_find(&found, &limits, &budget, NULL));
    CU_ASSERT_TRUE(found.steps <= first);
    OK(delivery_tree_list(&steps, &found, false, NULL));
    CU_ASSERT_EQUAL(steps.first[found.steps], 30 * 29);
    bins_free(&steps);
    delivery_tree_free(&found);
}

TESTS("line", small_lines_are_at_the_bound, steps_are_few, the_caller_may_stop)
