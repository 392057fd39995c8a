/* SPDX-License-Identifier: GPL-3.0-or-later */
/** All-to-alls over single links: plans of every cost model pass the checker, blocks arrive as soon as they can, links share the load. */
#include "rwa.h"

#include "tests/support/plans.h"
#include "tests/support/suite.h"

static rwa_plan *plan_over_links(const rwa_network *net, uint64_t bytes, rwa_cost_model model, double reconfig_s)
{
    return plan_priced(net, RWA_ALL_TO_ALL, "link-exchange", bytes, model, reconfig_s);
}

static void plans_pass_the_checker(void)
{
    static const char *const specs[] = {"tree:2x3", "mesh:3x5", "mesh:2x3x3", "nsfnet14-21", "cost239-11-26", "geometric:60:3",
                                       "fat-tree:4", "mesh:2x18"};
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++)
        for (uint32_t w = 1; w <= 16; w *= 4)
            for (uint64_t bytes = 1000; bytes <= 100000000; bytes *= 100000)
                for (rwa_cost_model model = RWA_COST_PAPER; model <= RWA_COST_OVERLAP; model++) {
                    rwa_network *net = network_of(specs[i], w);
                    rwa_plan *plan = plan_over_links(net, bytes, model, 25e-6);
                    const rwa_plan_report *sum = rwa_plan_summary(plan);
                    CU_ASSERT_TRUE(sum->check->ok);
                    CU_ASSERT_TRUE(sum->time_s >= sum->time_bound_s * (1 - 1e-9));
                    rwa_plan_free(plan);
                    rwa_network_free(net);
                }
}

/* Where a step costs a second, no block waits: as many steps as the farthest nodes are links apart, after one setting. */
static void short_messages_take_the_farthest_distance(void)
{
    static const struct {
        const char *spec;
        uint32_t farthest;
    } nets[] = {{"tree:2x4", 8}, {"mesh:3x5", 6}, {"nsfnet14-21", 3}, {"fat-tree:4", 6}};
    for (size_t i = 0; i < sizeof nets / sizeof *nets; i++) {
        rwa_network *net = network_of(nets[i].spec, 4);
        rwa_plan *paper = plan_over_links(net, 1000, RWA_COST_PAPER, 1), *circuit = plan_over_links(net, 1000, RWA_COST_CIRCUIT, 1);
        CU_ASSERT_EQUAL(rwa_plan_summary(paper)->steps, nets[i].farthest);
        CU_ASSERT_EQUAL((uint32_t)rwa_plan_summary(circuit)->time_s, 1);
        rwa_plan_free(paper);
        rwa_plan_free(circuit);
        rwa_network_free(net);
    }
}

/* The host of a fat tree has one link for all that it receives; the links above it carry hardly more. */
static void long_messages_come_near_the_bound(void)
{
    static const char *const specs[] = {"fat-tree:8", "tree:3x4"};
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        rwa_network *net = network_of(specs[i], 4);
        rwa_plan *plan = plan_over_links(net, 1000000000, RWA_COST_CIRCUIT, 25e-6);
        CU_ASSERT_TRUE(rwa_plan_summary(plan)->time_s < 1.6 * rwa_plan_summary(plan)->time_bound_s);
        rwa_plan_free(plan);
        rwa_network_free(net);
    }
}

int main(void)
{
    static const struct test tests[] = {TEST(plans_pass_the_checker), TEST(short_messages_take_the_farthest_distance),
                                        TEST(long_messages_come_near_the_bound), {0}};
    return run_tests("exchanges over links", tests);
}
