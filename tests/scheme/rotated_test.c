/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/base.h"
#include "rwa.h"
#include "scheme/own/rotated.h"
#include "lattice/lattice_points.h"

#include "tests/support/plans.h"
#include "tests/support/suite.h"

#include <string.h>

static rwa_plan *plan(const char *scheme, uint32_t nodes, uint32_t wavelengths, uint32_t group, rwa_collective_kind kind, uint64_t message)
{
    rwa_plan_options opts = options_of(scheme);
    opts.group = group;
    rwa_plan *made = plan_made_on(network_sized(RWA_RING, nodes, wavelengths, 1), kind, message, &opts);
    CU_ASSERT_PTR_NOT_NULL_FATAL(made);
    return made;
}

/* Colours come from circuits and places from a rotated tree: that no two lightpaths meet, that every contribution is summed once and
 * that all have the sum is the checker's verdict.  Each stage fits its step, so there are as many steps as stages; without an
 * exchange, half of them inform all nodes of every block, for which the N cheapest points are needed (lattice/lattice_points.h). */
static void check_plan(uint32_t nodes, uint32_t wavelengths, uint32_t group)
{
    rwa_plan *made = plan("rotated-trees", nodes, wavelengths, group, RWA_ALL_REDUCE, 1 << 20);
    const rwa_plan_report *s = rwa_plan_summary(made);
    CU_ASSERT_FATAL(rwa_plan_schedule(made) != NULL);
    uint64_t blocks = rwa_schedule_collective(rwa_plan_schedule(made))->blocks;
    CU_ASSERT(s->check->ok && s->wavelengths_used <= wavelengths);
    CU_ASSERT_EQUAL(s->steps, s->stages);
    CU_ASSERT(s->steps >= s->bound.value && s->time_bound_s <= s->time_s);
    CU_ASSERT(blocks * group >= nodes && blocks <= nodes);
    if (s->steps % 2 == 0)
        CU_ASSERT(lattice_least_steps(nodes, (uint32_t)(((uint64_t)nodes * wavelengths + blocks - 1) / blocks), 1, false) <= s->steps / 2);
    rwa_plan_free(made);
}

static void every_group_is_a_plan(void)
{
    for (uint32_t nodes = 2; nodes <= 17; nodes++)
        for (uint32_t wavelengths = 1; wavelengths <= 5; wavelengths += 2)
            for (uint32_t group = 2; group <= nodes; group++)
                check_plan(nodes, wavelengths, group);
}

static void some_larger_ones_are_plans(void)
{
    check_plan(128, 1, 127); /* the first trees have a step for second places of nodes alone */
    uint64_t seed = 4;
    for (int i = 0; i < 60; i++) {
        uint32_t nodes = 18 + (uint32_t)base_random_below(&seed, 180);
        check_plan(nodes, 1 + (uint32_t)base_random_below(&seed, 70), 2 + (uint32_t)base_random_below(&seed, nodes - 1));
    }
}

/* Parts of W are divisors of b and never more than W; 1 divides all, so that none is left over. */
static void channels_are_shared_out_by_divisors(void)
{
    for (uint32_t blocks = 1; blocks <= 40; blocks++)
        for (uint32_t channels = 1; channels <= 40; channels++) {
            uint32_t round[40], sum = 0, count = rotated_rounds(round, blocks, channels);
            for (uint32_t i = 0; i < count; i++) {
                CU_ASSERT_EQUAL(blocks % round[i], 0);
                sum += round[i];
            }
            CU_ASSERT_EQUAL(sum, channels);
        }
}

/* Hops of length p load all p places once, from whichever place they begin: 4 fit 4 channels, a fifth does not. */
static void as_many_hops_fit_as_channels(void)
{
    struct rotation at = {24, 4, 8, 3, 24};
    for (size_t count = 1; count <= 5; count++) {
        struct rotated_capacity capacity;
        struct rotated_hop hop[5];
        bool fits = false;
        CU_ASSERT_EQUAL_FATAL(rotated_capacity_open(&capacity, &at, NULL), RWA_OK);
        for (uint32_t i = 0; i < count; i++) {
            hop[i] = (struct rotated_hop){3 * i + 3, {.from = 3 * i, .step = 1, .links = 3, .way = RWA_CW, .ends = true}, 0, 0, 0, 0};
            CU_ASSERT_EQUAL(rotated_capacity_take(&capacity, &hop[i]), i < 4);
        }
        CU_ASSERT_EQUAL_FATAL(rotated_colour(&fits, hop, count < 4 ? count : 4, &capacity, NULL), RWA_OK);
        CU_ASSERT(fits);
        rotated_capacity_close(&capacity);
    }
}

/* The checker finds every block at every node, and every contribution counted once when the plan runs backwards, which it only is
 * if no node gets a block twice.  All nodes but the owner get each block, so N - 1 arrivals a block. */
static void every_group_gathers(void)
{
    static const rwa_collective_kind kinds[] = {RWA_ALL_GATHER, RWA_REDUCE_SCATTER};
    for (uint32_t nodes = 2; nodes <= 40; nodes += nodes < 12 ? 1 : 7)
        for (uint32_t wavelengths = 1; wavelengths <= 7; wavelengths += 2)
            for (uint32_t group = 2; group <= nodes; group++)
                for (size_t k = 0; k < 2; k++) {
                    rwa_plan *made = plan("rotated-gather", nodes, wavelengths, group, kinds[k], 4000);
                    const rwa_plan_report *s = rwa_plan_summary(made);
                    const rwa_schedule *sched = rwa_plan_schedule(made);
                    uint64_t arrivals = 0;
                    CU_ASSERT_FATAL(sched != NULL);
                    CU_ASSERT(s->check->ok && s->time_bound_s <= s->time_s);
                    for (uint64_t i = 0; i < rwa_schedule_records(sched); i++) {
                        rwa_lists lists;
                        rwa_schedule_lists(&lists, sched, i);
                        arrivals += lists.block_count > 0 ? lists.block_count : 1;
                    }
                    CU_ASSERT_EQUAL(arrivals, (uint64_t)nodes * (nodes - 1));
                    rwa_plan_free(made);
                }
}

/* The group size of least time in closed form: none that is asked for is quicker by much more than a step of the search leaves out. */
static void the_group_chosen_is_quick(void)
{
    rwa_plan *chosen = plan("rotated-gather", 96, 4, 0, RWA_ALL_GATHER, 4000);
    for (uint32_t group = 2; group <= 96; group++) {
        rwa_plan *asked = plan("rotated-gather", 96, 4, group, RWA_ALL_GATHER, 4000);
        CU_ASSERT(rwa_plan_summary(chosen)->time_s <= 1.05 * rwa_plan_summary(asked)->time_s);
        rwa_plan_free(asked);
    }
    rwa_plan_free(chosen);
}

static double seconds(const char *scheme, uint32_t nodes, uint32_t wavelengths, uint64_t message)
{
    rwa_plan *made = plan(scheme, nodes, wavelengths, 0, RWA_ALL_REDUCE, message);
    double s = rwa_plan_summary(made)->time_s;
    rwa_plan_free(made);
    return s;
}

/* Between the messages at which a tree of whole vectors and a wavefront of N blocks win lie some at which neither is near; the
 * scheme alone chooses the group that auto chooses. */
static void middle_messages_are_quicker(void)
{
    double whole = seconds("wrht", 256, 64, 1 << 20), fine = seconds("wavefront", 256, 64, 1 << 20);
    double rotated = seconds("rotated-trees", 256, 64, 1 << 20), best = seconds(NULL, 256, 64, 1 << 20);
    CU_ASSERT(rotated < whole / 1.5 && rotated < fine / 1.5);
    CU_ASSERT_DOUBLE_EQUAL(rotated, best, 1e-12);
}

int main(void)
{
    static const struct test tests[] = {
        TEST(every_group_is_a_plan), TEST(some_larger_ones_are_plans), TEST(channels_are_shared_out_by_divisors),
        TEST(as_many_hops_fit_as_channels), TEST(every_group_gathers), TEST(the_group_chosen_is_quick),
        TEST(middle_messages_are_quicker), {0}};
    return run_tests("rotated trees", tests);
}
