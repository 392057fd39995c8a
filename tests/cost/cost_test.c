/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/judged.h"

#include <math.h>

/* 1000 bytes: 8 packets of 4 flits: 32 ns; 8000 bits at 40 Gb/s: 200 ns.  tests/cost/epochs_test.c has the times of
 * steps in all models. */
static void steps_take_what_the_paper_says(void)
{
    rwa_cost_options o;
    rwa_cost_options_init(&o);
    CU_ASSERT_DOUBLE_EQUAL(rwa_cost_steps(19, 1000, 40e9, NULL), 19 * (200e-9 + 25e-6 + 32e-9), 1e-15);
    CU_ASSERT_EQUAL(rwa_cost_steps(0, 1000, 40e9, &o), 0);
    o.flit_bytes = 0;
    CU_ASSERT(isnan(rwa_cost_steps(1, 1000, 40e9, &o)));
    CU_ASSERT_STRING_EQUAL(rwa_cost_model_name(RWA_COST_CIRCUIT), "circuit");
}

/* Node 0 scatters: three blocks to node 1 in step 1, then one to node 2 in step 2.  Each step is as long as its own
 * lightpath. */
static void a_rate_may_be_given(void)
{
    static const struct judged scatter = {SCHEDULE_OF("1000", "'kind':'ring','nodes':5,'wavelengths':64",
                                                      "'collective':'scatter','root':0,'blocks':5,'slots':3,'steps':2"),
                                          {"1 0>1 cw 0/0 blocks=1,2,3", "2 0>2 cw 0/0 b4"}};
    rwa_schedule *sched = judged_schedule(&scatter);
    rwa_cost_options o;
    double end_s[2];
    rwa_cost_options_init(&o);
    CU_ASSERT(rwa_schedule_step_blocks(sched, 1) == 3 && rwa_schedule_step_blocks(sched, 2) == 1 &&
              rwa_schedule_block_times(sched) == 4);
    OK(rwa_cost_step_times(NULL, NULL, end_s, sched, 80e9, &o, NULL));
    CU_ASSERT_DOUBLE_EQUAL(end_s[1], 4 * (100e-9 + 32e-9) + 2 * 25e-6, 1e-15);
    CU_ASSERT_EQUAL(rwa_cost_step_times(NULL, NULL, end_s, sched, -1, &o, NULL), RWA_BADARG);
    o.alpha_s = -1;
    CU_ASSERT_EQUAL(rwa_cost_schedule(end_s, sched, &o, NULL), RWA_BADARG);
    rwa_schedule_free(sched);
}

TESTS("cost", steps_take_what_the_paper_says, a_rate_may_be_given)
