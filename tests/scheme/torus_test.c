/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rwa.h"

#include "tests/support/suite.h"

#include <stdio.h>

/* A node of an a x b torus takes in at most 4W blocks a step; plans stay near that, and the checker accepts them. */
static void plans_pass_the_checker(void)
{
    static const struct {
        const char *spec;
        uint32_t wavelengths, nodes, most;
        rwa_collective_kind kind;
    } cases[] = {
        {"torus:4x4", 2, 16, 4, RWA_ALL_GATHER},
        {"torus:2x5", 1, 10, 8, RWA_ALL_GATHER},
        {"torus:3x5x2", 4, 30, 6, RWA_ALL_GATHER},
        {"torus:8x8", 16, 64, 4, RWA_REDUCE_SCATTER},
        {"torus:6x7", 8, 42, 8, RWA_ALL_REDUCE},
        {"torus:8x8", 16, 64, 2, RWA_ALL_GATHER},       /* two steps, the fewest that join all pairs */
        {"hypercube:5", 4, 32, 3, RWA_ALL_GATHER},      /* in two steps a node can take in 40, 96 and 224 blocks at most: one step more */
        {"hypercube:6", 8, 64, 2, RWA_ALL_GATHER},
        {"hypercube:6", 8, 64, 2, RWA_REDUCE_SCATTER},
        {"torus:4x4x4", 8, 64, 2, RWA_ALL_GATHER},      /* the same links under other numbers */
        {"torus:2x4x4", 4, 32, 3, RWA_ALL_GATHER},
        {"hypercube:7", 16, 128, 2, RWA_ALL_GATHER},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        rwa_network_options no;
        rwa_plan_options po;
        rwa_collective coll;
        rwa_network *net = NULL;
        rwa_plan *plan = NULL;
        rwa_error err = {0};
        rwa_network_options_init(&no);
        rwa_plan_options_init(&po);
        no.wavelengths = cases[i].wavelengths;
        CU_ASSERT_EQUAL_FATAL(rwa_network_parse(&net, cases[i].spec, &no, NULL), RWA_OK);
        CU_ASSERT_EQUAL_FATAL(rwa_collective_init(&coll, cases[i].kind, cases[i].nodes, 0, 4096, 0, NULL), RWA_OK);
        if (rwa_plan_make(&plan, net, &coll, &po, &err) != RWA_OK)
            fprintf(stderr, "%s: %s\n", cases[i].spec, err.text);
        CU_ASSERT_PTR_NOT_NULL_FATAL(plan);
        CU_ASSERT_TRUE(rwa_plan_summary(plan)->check->ok);
        CU_ASSERT_TRUE(rwa_plan_summary(plan)->steps <= cases[i].most);
        CU_ASSERT_TRUE(rwa_plan_summary(plan)->steps >= rwa_plan_summary(plan)->bound.value);
        rwa_plan_free(plan);
        rwa_network_free(net);
    }
}

int main(void)
{
    static const struct test tests[] = {
        TEST(plans_pass_the_checker), {0}};
    return run_tests("torus", tests);
}
