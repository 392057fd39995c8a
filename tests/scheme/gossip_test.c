/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Gossip between neighbours: plans of every cost model pass the checker, and a leaf takes something new in nearly every step. */
#include "rwa.h"

#include "tests/support/plans.h"
#include "tests/support/suite.h"

static const char *const specs[] = {"tree:2x3", "mesh:3x5", "torus:3x4", "hypercube:3", "nsfnet14-21", "circulant:13:1,5", "fat-tree:4"};

/** NULL: the scheme refuses. */
static rwa_plan *gossip(const rwa_network *net, rwa_collective_kind kind, uint64_t bytes, rwa_cost_model model)
{
    rwa_collective coll;
    rwa_plan_options o;
    rwa_plan *plan = NULL;
    rwa_plan_options_init(&o);
    o.scheme = "gossip";
    o.cost.model = model;
    o.cost.alpha_s = 1e-6;
    CU_ASSERT_EQUAL_FATAL(rwa_collective_init(&coll, kind, rwa_network_nodes(net), 0, bytes, 0, NULL), RWA_OK);
    CU_ASSERT_EQUAL_FATAL(rwa_plan_make(&plan, net, &coll, &o, NULL), RWA_OK);
    return plan;
}

static void plans_pass_the_checker(void)
{
    static const rwa_collective_kind kinds[] = {RWA_ALL_GATHER, RWA_REDUCE_SCATTER, RWA_ALL_REDUCE};
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++)
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
            for (uint64_t bytes = 1000; bytes <= 10000000; bytes *= 100)
                for (rwa_cost_model model = RWA_COST_PAPER; model <= RWA_COST_OVERLAP; model++) {
                    rwa_network *net = network_of(specs[i], 2);
                    rwa_plan *plan = gossip(net, kinds[k], bytes, model);
                    const rwa_plan_report *sum = rwa_plan_summary(plan);
                    CU_ASSERT_PTR_NOT_NULL_FATAL(rwa_plan_schedule(plan));
                    CU_ASSERT_TRUE(sum->check->ok);
                    CU_ASSERT_TRUE(sum->time_s >= sum->time_bound_s * (1 - 1e-9));
                    rwa_plan_free(plan);
                    rwa_network_free(net);
                }
}

/* A leaf of tree:3x4 has one link of w channels, which 120 blocks take; its first steps bring what has come so far, from nodes of up to
 * eight links away.  A large message makes that no more than a tenth of the time. */
static void a_leaf_takes_something_new_in_nearly_every_step(void)
{
    for (uint32_t w = 1; w <= 8; w *= 2) {
        rwa_network *net = network_of("tree:3x4", w);
        rwa_plan *plan = gossip(net, RWA_ALL_GATHER, 100000000, RWA_COST_OVERLAP);
        const rwa_plan_report *sum = rwa_plan_summary(plan);
        CU_ASSERT_PTR_NOT_NULL_FATAL(rwa_plan_schedule(plan));
        CU_ASSERT_TRUE(sum->time_s <= 1.1 * sum->time_bound_s);
        rwa_plan_free(plan);
        rwa_network_free(net);
    }
}

/* A node that may send one lightpath cannot serve all its neighbours. */
static void few_ports_are_refused(void)
{
    rwa_network_options o;
    rwa_network *net = NULL;
    rwa_network_options_init(&o);
    o.wavelengths = 2;
    o.ports = 1;
    CU_ASSERT_EQUAL_FATAL(rwa_network_open(&net, "mesh:3x5", &o, NULL), RWA_OK);
    rwa_plan *plan = gossip(net, RWA_ALL_GATHER, 1000, RWA_COST_PAPER);
    CU_ASSERT_PTR_NULL(rwa_plan_schedule(plan));
    rwa_plan_free(plan);
    rwa_network_free(net);
}

int main(void)
{
    static const struct test tests[] = {TEST(plans_pass_the_checker), TEST(a_leaf_takes_something_new_in_nearly_every_step),
                                        TEST(few_ports_are_refused), {0}};
    return run_tests("gossip", tests);
}
