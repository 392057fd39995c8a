/* SPDX-License-Identifier: GPL-3.0-or-later */
/** A tree to the centre and back: plans of every cost model pass the checker, in as many steps as the tree is deep, with one
 *  reconfiguration. */
#include "rwa.h"

#include "tests/support/plans.h"
#include "tests/support/suite.h"

static rwa_plan *plan_through(const rwa_network *net, rwa_collective_kind kind, uint64_t bytes, rwa_cost_model model, double reconfig_s)
{
    return plan_priced(net, kind, "central-tree", bytes, model, reconfig_s);
}

static void plans_pass_the_checker(void)
{
    static const char *const specs[] = {"tree:2x3", "mesh:3x5", "mesh:2x3x3", "nsfnet14-21", "cost239-11-26"};
    static const rwa_collective_kind kinds[] = {RWA_ALL_TO_ALL, RWA_GATHER, RWA_SCATTER, RWA_REDUCE_SCATTER};
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++)
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
            for (uint32_t w = 1; w <= 16; w *= 4)
                for (rwa_cost_model model = RWA_COST_PAPER; model <= RWA_COST_OVERLAP; model++) {
                    rwa_network *net = network_of(specs[i], w);
                    rwa_plan *plan = plan_through(net, kinds[k], 4000, model, 25e-6);
                    const rwa_plan_report *sum = rwa_plan_summary(plan);
                    CU_ASSERT_TRUE(sum->check->ok);
                    CU_ASSERT_TRUE(sum->time_s >= sum->time_bound_s * (1 - 1e-9));
                    rwa_plan_free(plan);
                    rwa_network_free(net);
                }
}

/* All leaves of a tree are as far from its root, node 0, which is its centre: that many steps up, and down again. */
static void steps_are_the_depth_of_the_tree(void)
{
    static const struct {
        const char *spec;
        uint32_t depth;
    } trees[] = {{"tree:2x3", 3}, {"tree:3x3", 3}, {"tree:2x5", 5}};
    for (size_t i = 0; i < sizeof trees / sizeof *trees; i++) {
        static const rwa_collective_kind kinds[] = {RWA_GATHER, RWA_SCATTER, RWA_ALL_TO_ALL, RWA_REDUCE_SCATTER};
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
            rwa_network *net = network_of(trees[i].spec, 2);
            rwa_plan *plan = plan_through(net, kinds[k], 1000, RWA_COST_OVERLAP, 25e-6);
            CU_ASSERT_EQUAL(rwa_plan_summary(plan)->steps, trees[i].depth * (k < 2 ? 1 : 2));
            rwa_plan_free(plan);
            rwa_network_free(net);
        }
    }
}

/* All lightpaths fit together: where a reconfiguration takes a second, one is all. */
static void one_reconfiguration_is_enough(void)
{
    static const char *const specs[] = {"tree:2x4", "mesh:3x5", "nsfnet14-21"};
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++)
        for (uint32_t w = 1; w <= 16; w *= 4) {
            rwa_network *net = network_of(specs[i], w);
            rwa_plan *gather = plan_through(net, RWA_GATHER, 1000, RWA_COST_CIRCUIT, 1);
            rwa_plan *exchange = plan_through(net, RWA_ALL_TO_ALL, 1000, RWA_COST_CIRCUIT, 1);
            rwa_plan *sums = plan_through(net, RWA_REDUCE_SCATTER, 1000, RWA_COST_CIRCUIT, 1);
            CU_ASSERT_EQUAL((uint32_t)rwa_plan_summary(gather)->time_s, 1);
            CU_ASSERT_EQUAL((uint32_t)rwa_plan_summary(exchange)->time_s, 1);
            CU_ASSERT_EQUAL((uint32_t)rwa_plan_summary(sums)->time_s, 1);
            rwa_plan_free(sums);
            rwa_plan_free(gather);
            rwa_plan_free(exchange);
            rwa_network_free(net);
        }
}

int main(void)
{
    static const struct test tests[] = {TEST(plans_pass_the_checker), TEST(steps_are_the_depth_of_the_tree),
                                        TEST(one_reconfiguration_is_enough), {0}};
    return run_tests("central tree", tests);
}
