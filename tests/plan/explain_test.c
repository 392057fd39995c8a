/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/plans.h"

#include <CUnit/Basic.h>
#include <stdio.h>
#include <string.h>

static char *explanation(const char *spec, uint32_t wavelengths, const char *scheme, size_t stage)
{
    rwa_plan *plan = plan_of(spec, wavelengths, RWA_ALL_GATHER, scheme);
    char *text = NULL;
    rwa_status st = rwa_plan_explain(&text, plan, NULL, stage, NULL);
    CU_ASSERT_EQUAL(st == RWA_OK, text != NULL);
    rwa_plan_free(plan);
    return text;
}

/* In an all-gather every node but the owner gets block 0 once: the '+' of the drawings are N - 1 in all, apart from those
 * that name places. */
static void every_node_gets_the_block_once(void)
{
    for (uint32_t nodes = 3; nodes <= 33; nodes += 5) {
        char spec[16], *text;
        snprintf(spec, sizeof spec, "ring:%u", nodes);
        text = explanation(spec, 2, "wavefront", 0);
        CU_ASSERT_PTR_NOT_NULL_FATAL(text);
        size_t drawn = 0;
        for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
            if (strncmp(line, "    ", 4) == 0 && strspn(line + 4, ".#+") == nodes)
                drawn += count_of(line, "+");
        CU_ASSERT_EQUAL(drawn, nodes - 1);
        rwa_text_free(text);
    }
}

static void a_proof_is_claimed_only_where_there_is_one(void)
{
    char *best = explanation("ring:16", 2, "wavefront", 0), *tree = explanation("ring:16", 2, "optree", 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(best, "proven to be the best"));
    CU_ASSERT_PTR_NULL(strstr(tree, "proven to be the best"));
    rwa_text_free(best);
    rwa_text_free(tree);
}

static void one_stage_alone(void)
{
    char *text = explanation("ring:16", 2, "optree", 2), *none = explanation("ring:16", 2, "optree", 99);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "Stage 2"));
    CU_ASSERT_PTR_NULL(strstr(text, "Stage 1"));
    CU_ASSERT_PTR_NULL(none);
    rwa_text_free(text);
}

int main(void)
{
    CU_initialize_registry();
    CU_pSuite suite = CU_add_suite("explain", NULL, NULL);
    CU_ADD_TEST(suite, every_node_gets_the_block_once);
    CU_ADD_TEST(suite, a_proof_is_claimed_only_where_there_is_one);
    CU_ADD_TEST(suite, one_stage_alone);
    CU_basic_run_tests();
    unsigned failures = CU_get_number_of_failures();
    CU_cleanup_registry();
    return failures != 0;
}
