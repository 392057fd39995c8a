/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Stars where many nodes hear a transmission: steps and times follow closed forms, and the checker accepts every plan. */
#include "rwa.h"

#include "tests/support/suite.h"

#include <stdbool.h>

/** load: blocks on a lightpath, at most, by any scheme; 0: as many as "listen" takes. */
static rwa_plan *plan_loaded(uint32_t nodes, uint32_t wavelengths, uint32_t ports, rwa_collective_kind kind, uint32_t root, uint64_t bytes,
                             uint32_t load)
{
    rwa_network_options options;
    rwa_network *net = NULL;
    rwa_collective coll;
    rwa_plan_options opts;
    rwa_plan *plan = NULL;
    rwa_network_options_init(&options);
    options.wavelengths = wavelengths;
    options.ports = ports;
    CU_ASSERT_EQUAL_FATAL(rwa_network_create(&net, RWA_STAR, nodes, &options, NULL), RWA_OK);
    CU_ASSERT_EQUAL_FATAL(rwa_collective_init(&coll, kind, nodes, root, bytes, 0, NULL), RWA_OK);
    rwa_plan_options_init(&opts);
    opts.scheme = load > 0 ? NULL : "listen";
    opts.lightpath_blocks = load;
    opts.stripes = load > 0;
    CU_ASSERT_EQUAL(rwa_plan_make(&plan, net, &coll, &opts, NULL), RWA_OK);
    CU_ASSERT_PTR_NOT_NULL_FATAL(plan);
    CU_ASSERT_PTR_NOT_NULL_FATAL(rwa_plan_schedule(plan));
    rwa_network_free(net);
    return plan;
}

static rwa_plan *plan_on_star(uint32_t nodes, uint32_t wavelengths, uint32_t ports, rwa_collective_kind kind, uint32_t root, uint64_t bytes)
{
    return plan_loaded(nodes, wavelengths, ports, kind, root, bytes, 0);
}

static uint32_t steps_on_star(uint32_t nodes, uint32_t wavelengths, uint32_t ports, rwa_collective_kind kind)
{
    rwa_plan *plan = plan_on_star(nodes, wavelengths, ports, kind, 0, 64);
    uint32_t steps = rwa_plan_summary(plan)->steps;
    rwa_plan_free(plan);
    return steps;
}

/* A root is heard by all at once.  Every other node must be a transmitter of some channel in some step: ceil(N / W) steps, which copies
 * take, and sums with N channels or with one; chains of sums take one more to exchange what W of them hold, and to tell it. */
static void short_messages_take_a_turn_of_each_node(void)
{
    for (uint32_t n = 2; n <= 40; n += 1 + n / 4)
        for (uint32_t w = 1; w <= 64; w *= 4) {
            uint32_t turns = (n + w - 1) / w;
            CU_ASSERT_EQUAL(steps_on_star(n, w, 0, RWA_BROADCAST), 1);
            CU_ASSERT_EQUAL(steps_on_star(n, w, 0, RWA_SCATTER), 1);
            CU_ASSERT_EQUAL(steps_on_star(n, w, 0, RWA_GATHER), (n - 1 + w - 1) / w);
            CU_ASSERT_EQUAL(steps_on_star(n, w, 0, RWA_ALL_GATHER), turns);
            CU_ASSERT_EQUAL(steps_on_star(n, w, 0, RWA_ALL_TO_ALL), turns);
            CU_ASSERT_EQUAL(steps_on_star(n, w, 0, RWA_ALL_REDUCE), w == 1 || w >= n ? turns : turns + 1);
            CU_ASSERT_EQUAL(steps_on_star(n, w, 0, RWA_ROOTED_REDUCE), (n - 1 + w - 1) / w);
            CU_ASSERT_EQUAL(steps_on_star(n, w, 0, RWA_REDUCE_SCATTER), w == 1 || w >= n ? turns : turns + 1);
        }
    CU_ASSERT_EQUAL(steps_on_star(64, 1, 1, RWA_ALL_GATHER), 64); /* 4032 blocks, each sent once to one node, take as many */
    CU_ASSERT_EQUAL(steps_on_star(64, 1, 1, RWA_ALL_TO_ALL), 64);
}

/* At the bound: what must be sent fills all channels. */
static void large_messages_fill_all_channels(void)
{
    static const rwa_collective_kind kinds[] = {RWA_BROADCAST, RWA_SCATTER, RWA_GATHER, RWA_ALL_GATHER, RWA_ALL_TO_ALL, RWA_ALL_REDUCE,
                                                RWA_REDUCE_SCATTER, RWA_ROOTED_REDUCE};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        for (uint32_t w = 1; w <= 64; w *= 8) {
            rwa_plan *plan = plan_on_star(64, w, 0, kinds[i], 0, 1 << 24);
            CU_ASSERT_TRUE(rwa_plan_summary(plan)->time_s <= 1.15 * rwa_plan_summary(plan)->time_bound_s);
            rwa_plan_free(plan);
        }
}

/* Every plan is checked inside rwa_plan_make(). */
static void any_ports_and_roots_are_planned(void)
{
    for (uint32_t n = 2; n <= 13; n++)
        for (uint32_t w = 1; w <= 6; w++)
            for (uint32_t ports = 0; ports <= 3; ports++)
                for (rwa_collective_kind kind = RWA_ALL_GATHER; rwa_collective_name(kind); kind = (rwa_collective_kind)(kind + 1)) {
                    bool rooted = rwa_collective_has_root(kind);
                    rwa_plan *plan = plan_on_star(n, w, ports, kind, rooted ? (n + w) % n : 0, w % 2 ? 100 : 1000000);
                    CU_ASSERT_TRUE(rwa_plan_summary(plan)->check->ok);
                    rwa_plan_free(plan);
                }
}

/* All that a node has for others can always be sent block by block. */
static void any_load_is_kept(void)
{
    for (uint32_t n = 2; n <= 9; n++)
        for (uint32_t w = 1; w <= 2 * n; w += n - 1)
            for (uint32_t load = 1; load <= 3; load++)
                for (rwa_collective_kind kind = RWA_ALL_GATHER; rwa_collective_name(kind); kind = (rwa_collective_kind)(kind + 1)) {
                    rwa_plan *plan = plan_loaded(n, w, w % 3, kind, rwa_collective_has_root(kind) ? w % n : 0, 100000, load);
                    CU_ASSERT_TRUE(rwa_plan_summary(plan)->check->ok);
                    CU_ASSERT_TRUE(rwa_schedule_lightpath_blocks(rwa_plan_schedule(plan)) <= load);
                    rwa_plan_free(plan);
                }
}

int main(void)
{
    static const struct test tests[] = {TEST(short_messages_take_a_turn_of_each_node), TEST(large_messages_fill_all_channels),
                                        TEST(any_ports_and_roots_are_planned), TEST(any_load_is_kept), {0}};
    return run_tests("listen", tests);
}
