/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/plans.h"
#include "tests/support/suite.h"

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

/* On networks that list links too, and everywhere a broadcast's one block reaches each node once: N - 1 are drawn as getting it. */
static void steps_are_drawn_on_every_network(void)
{
    static const char *const specs[] = {"torus:3x3", "mesh:2x4", "hypercube:3", "star:6", "ring:7", "line:5"};
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        rwa_plan *plan = plan_of(specs[i], 2, RWA_BROADCAST, NULL);
        char *text = NULL;
        size_t nodes = rwa_network_nodes(rwa_schedule_network(rwa_plan_schedule(plan))), drawn = 0;
        CU_ASSERT_EQUAL_FATAL(rwa_plan_explain(&text, plan, NULL, 0, NULL), RWA_OK);
        for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
            if (strncmp(line, "    ", 4) == 0 && strlen(line) == nodes + 4 && strspn(line + 4, ".#+") == nodes)
                drawn += count_of(line, "+");
        CU_ASSERT_EQUAL(drawn, nodes - 1);
        rwa_text_free(text);
        rwa_plan_free(plan);
    }
}

/* The block that the text follows must move: a gather's root needs no block of its own, and no node's block is for itself. */
static void the_block_that_is_followed_moves(void)
{
    static const rwa_collective_kind kinds[] = {RWA_GATHER, RWA_SCATTER, RWA_ALL_TO_ALL, RWA_REDUCE_SCATTER, RWA_ALL_REDUCE};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        rwa_plan *plan = plan_of("mesh:2x3", 2, kinds[i], NULL);
        char *text = NULL;
        CU_ASSERT_EQUAL_FATAL(rwa_plan_explain(&text, plan, NULL, 0, NULL), RWA_OK);
        size_t steps = count_of(text, ": block ");
        CU_ASSERT_EQUAL(steps, rwa_schedule_steps(rwa_plan_schedule(plan)));
        CU_ASSERT(count_of(text, "goes nowhere") < steps);
        rwa_text_free(text);
        rwa_plan_free(plan);
    }
}

static void a_proof_is_claimed_only_where_there_is_one(void)
{
    char *best = explanation("ring:16", 2, "wavefront", 0), *tree = explanation("ring:16", 2, "optree", 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(best, "no plan has fewer steps"));
    CU_ASSERT_PTR_NULL(strstr(tree, "no plan has fewer steps"));
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
    static const struct test tests[] = {
        TEST(every_node_gets_the_block_once), TEST(steps_are_drawn_on_every_network),
        TEST(the_block_that_is_followed_moves), TEST(a_proof_is_claimed_only_where_there_is_one),
        TEST(one_stage_alone), {0}};
    return run_tests("explain", tests);
}
