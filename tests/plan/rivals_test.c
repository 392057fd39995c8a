/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rwa.h"

#include <CUnit/Basic.h>
#include <math.h>
#include <string.h>

static rwa_plan *quickest(const char *spec, uint32_t wavelengths, rwa_collective_kind kind, uint64_t message)
{
    rwa_network *net = NULL;
    rwa_network_options nopts;
    rwa_collective coll;
    rwa_plan *plan = NULL;
    rwa_network_options_init(&nopts);
    nopts.wavelengths = wavelengths;
    CU_ASSERT_EQUAL_FATAL(rwa_network_parse(&net, spec, &nopts, NULL), RWA_OK);
    CU_ASSERT_EQUAL_FATAL(rwa_collective_init(&coll, kind, rwa_network_nodes(net), 0, message, 0, NULL), RWA_OK);
    CU_ASSERT_EQUAL_FATAL(rwa_plan_make(&plan, net, &coll, NULL, NULL), RWA_OK);
    rwa_network_free(net);
    return plan;
}

/* "auto" itself, asked size by size, must choose what the crossovers of one plan say; within a packet of a crossover rounding
 * may decide otherwise, so nearly equal times are let pass. */
static void crossovers_say_what_auto_chooses(void)
{
    static const struct { const char *spec; uint32_t wavelengths; rwa_collective_kind kind; } cases[] = {
        {"ring:16", 2, RWA_ALL_GATHER}, {"ring:24", 4, RWA_ALL_REDUCE}, {"ring:9", 3, RWA_ALL_REDUCE}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        rwa_plan *once = quickest(cases[i].spec, cases[i].wavelengths, cases[i].kind, 1 << 20);
        const rwa_plan_summary *s = rwa_plan_get_summary(once);
        CU_ASSERT_FATAL(s->crossovers > 0);
        CU_ASSERT_EQUAL(s->crossover[0].from_bytes, 1);
        for (uint64_t message = 1000; message < (uint64_t)1 << 34; message *= 5) {
            rwa_plan *plan = quickest(cases[i].spec, cases[i].wavelengths, cases[i].kind, message);
            const rwa_plan_summary *here = rwa_plan_get_summary(plan);
            size_t at = 0;
            while (at + 1 < s->crossovers && s->crossover[at + 1].from_bytes <= message)
                at++;
            int same = strcmp(s->crossover[at].scheme, here->scheme) == 0;
            int close = here->rivals > 0 && here->rival[0].time_s < here->time_s * 1.001;
            CU_ASSERT(same || close);
            CU_ASSERT(here->time_bound_s > 0 && here->time_bound_s <= here->time_s);
            rwa_plan_free(plan);
        }
        rwa_plan_free(once);
    }
}

static void rivals_are_slower_and_in_order(void)
{
    rwa_plan *plan = quickest("ring:16", 2, RWA_ALL_GATHER, 1000);
    const rwa_plan_summary *s = rwa_plan_get_summary(plan);
    double last = s->time_s;
    CU_ASSERT(s->rivals >= 3);
    for (size_t i = 0; i < s->rivals; i++) {
        CU_ASSERT(s->rival[i].time_s >= last);
        last = s->rival[i].time_s;
    }
    rwa_plan_free(plan);
}

int main(void)
{
    CU_initialize_registry();
    CU_pSuite suite = CU_add_suite("rivals", NULL, NULL);
    CU_ADD_TEST(suite, crossovers_say_what_auto_chooses);
    CU_ADD_TEST(suite, rivals_are_slower_and_in_order);
    CU_basic_run_tests();
    unsigned failures = CU_get_number_of_failures();
    CU_cleanup_registry();
    return failures != 0;
}
