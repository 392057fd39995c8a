/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rwa/cost.h"

#include <CUnit/Basic.h>
#include <math.h>

static void paper_model(void)
{
    rwa_cost_options o;
    rwa_cost_options_init(&o);
    /* 1000 bytes: 8 packets of 4 flits: 32 ns; 8000 bits at 40 Gb/s: 200 ns */
    CU_ASSERT_DOUBLE_EQUAL(rwa_cost_steps(19, 1000, 40e9, NULL), 19 * (200e-9 + 25e-6 + 32e-9), 1e-15);
    CU_ASSERT_EQUAL(rwa_cost_steps(0, 1000, 40e9, &o), 0);
    o.flit_bytes = 0;
    CU_ASSERT(isnan(rwa_cost_steps(1, 1000, 40e9, &o)));
    CU_ASSERT_STRING_EQUAL(rwa_cost_model_name(RWA_COST_CIRCUIT), "circuit");
}

/** A ring of four: steps of whole-ring neighbour hops; step 3 turns the other way, and step 4 does both. */
static void circuit_model(void)
{
    rwa_network *net = NULL;
    rwa_collective coll;
    rwa_schedule *sched = NULL, *plain = NULL;
    rwa_cost_options o;
    double seconds = 0;
    static const int steps[][2] = {{1, 0}, {2, 0}, {3, 1}, {4, 0}, {4, 1}, {5, 1}};
    CU_ASSERT_EQUAL_FATAL(rwa_network_parse(&net, "ring:4", NULL, NULL), RWA_OK);
    CU_ASSERT_EQUAL_FATAL(rwa_collective_init(&coll, RWA_ALL_GATHER, 4, 0, 1000, 0, NULL), RWA_OK);
    CU_ASSERT_EQUAL_FATAL(rwa_schedule_create(&sched, net, &coll, "test", NULL), RWA_OK);
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        rwa_lightpath lp = {.step = (uint32_t)steps[i][0], .dst = steps[i][1] ? 3 : 1, .orbit = 4, .period = 1,
                            .direction = steps[i][1] ? RWA_CCW : RWA_CW};
        CU_ASSERT_EQUAL_FATAL(rwa_schedule_add(sched, &lp, NULL), RWA_OK);
    }
    rwa_cost_options_init(&o);
    CU_ASSERT_EQUAL(rwa_cost_schedule(&seconds, sched, &o, NULL), RWA_OK);
    CU_ASSERT_DOUBLE_EQUAL(seconds, rwa_cost_steps(5, 1000, 40e9, &o), 1e-15);
    o.model = RWA_COST_CIRCUIT;
    o.alpha_s = 1e-6;
    /* settings in steps 1, 3 and 4 */
    CU_ASSERT_EQUAL(rwa_cost_schedule(&seconds, sched, &o, NULL), RWA_OK);
    CU_ASSERT_DOUBLE_EQUAL(seconds, 5 * (200e-9 + 32e-9 + 1e-6) + 3 * 25e-6, 1e-15);
    CU_ASSERT_EQUAL_FATAL(rwa_schedule_expand(&plain, sched, NULL), RWA_OK);
    CU_ASSERT_EQUAL(rwa_cost_schedule(&seconds, plain, &o, NULL), RWA_OK);
    CU_ASSERT_DOUBLE_EQUAL(seconds, 5 * (200e-9 + 32e-9 + 1e-6) + 3 * 25e-6, 1e-15);
    o.alpha_s = -1;
    CU_ASSERT_EQUAL(rwa_cost_schedule(&seconds, sched, &o, NULL), RWA_BADARG);
    rwa_schedule_free(plain);
    rwa_schedule_free(sched);
    rwa_network_free(net);
}

int main(void)
{
    unsigned failures = 1;
    if (CU_initialize_registry() != CUE_SUCCESS)
        return 1;
    CU_pSuite suite = CU_add_suite("cost", NULL, NULL);
    if (suite && CU_add_test(suite, "paper model", paper_model) && CU_add_test(suite, "circuit model", circuit_model)) {
        CU_basic_run_tests();
        failures = CU_get_number_of_failures();
    }
    CU_cleanup_registry();
    return failures != 0;
}
