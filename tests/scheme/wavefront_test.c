/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/base.h"
#include "base/memory.h"
#include "delivery/ring/broadcast_tree.h"
#include "delivery/ring/periodic_colouring.h"
#include "lattice/spheres.h"

#include "tests/support/random.h"
#include "tests/support/suite.h"

/* Steps that equal the broadcast-tree bound are the fewest possible; the bound is computed by another module.  On small
 * rings where no tree repeated at every node is enough, as at 7 and 13 nodes with 2 wavelengths, the owners' trees
 * differ. */
static void the_bound_is_met(void)
{
    static const uint32_t cases[][2] = {
        {64, 8}, {128, 16}, {256, 16}, {256, 64}, {512, 64}, {1024, 4}, {1024, 16}, {1024, 64}, {1024, 128},
        {1024, 256}, {2048, 64}, {9, 10}, {31, 3}, {991, 64}, {1000, 64}, {360, 24}, {100, 8}};
    for (size_t i = 0; i < COUNT(cases); i++)
        CU_ASSERT_EQUAL(report_on("ring:%u w=%u limit=0 by wavefront", cases[i][0], cases[i][1])->outcome, RWA_OPTIMAL);
    for (uint32_t nodes = 2; nodes <= 16; nodes++)
        for (uint32_t wavelengths = 1; wavelengths <= 4; wavelengths++)
            CU_ASSERT_EQUAL(report_on("ring:%u w=%u limit=0 by wavefront", nodes, wavelengths)->outcome, RWA_OPTIMAL);
}

/* One orbit an offset then describes everything: N-1 records for N(N-1) lightpaths. */
static void orbits_keep_the_schedule_small(void)
{
    const rwa_schedule *sched = schedule_on("ring:1024 w=64 limit=0 by wavefront");
    CU_ASSERT_EQUAL(rwa_schedule_records(sched), 1023);
    CU_ASSERT_EQUAL(rwa_schedule_lightpaths(sched), 1024 * 1023);
}

/* Any ring, any channels: one step above the bound is the most. */
static void any_ring_is_planned_near_the_bound(void)
{
    seed = 7;
    for (int i = 0; i < 300; i++) {
        uint32_t nodes = 2 + any(i % 10 == 0 ? 600 : 150);
        uint32_t fibers = 1 + any(3),
                 wavelengths = 1 + any(40);
        const rwa_plan_report *s = report_on("ring:%u f=%u w=%u limit=0 by wavefront", nodes, fibers, wavelengths);
        CU_ASSERT(s->steps <= s->bound.value + 1);
    }
}

/* Reduce-scatter is the all-gather backwards, all-reduce one after the other. */
static void reductions_take_as_many_steps(void)
{
    static const uint32_t cases[][2] = {{2, 1}, {5, 3}, {16, 2}, {31, 3}, {64, 8}, {97, 7}, {100, 8}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        uint32_t n = cases[i][0], w = cases[i][1], steps = steps_on("ring:%u w=%u limit=0 by wavefront", n, w);
        CU_ASSERT_EQUAL(steps_on("ring:%u w=%u limit=0 reduce-scatter by wavefront", n, w), steps);
        CU_ASSERT_EQUAL(steps_on("ring:%u w=%u limit=0 all-reduce by wavefront", n, w), 2 * steps);
    }
}

/* Prices of the channels of each step show 20 steps to be the fewest at 32 hops, 33 at 16 and 64 at 8. */
static void hop_limits_cost_few_steps(void)
{
    static const struct known rows[] = {
        {"ring:1024 w=64 hops=32 limit=0 by wavefront", 20}, {"ring:1024 w=64 hops=16 limit=0 by wavefront", 33},
        {"ring:1024 w=64 hops=8 limit=0 by wavefront", 64}};
    take_steps(rows, COUNT(rows), EXACT);
    for (uint32_t hops = 1; hops <= 16; hops++)
        plan_on("ring:100 w=8 hops=%u limit=0 by wavefront", hops);
}

/* Light alone gets one link far on the conservative profile, so no schedule is faster than its own steps: N/2. */
static void a_device_shortens_the_lightpaths(void)
{
    static const struct known row = {"ring:64 w=8 device=conservative by wavefront", 32};
    CU_ASSERT_EQUAL(rwa_device_reach(device_named("conservative"), RWA_POWER_RINGS, 64, 8), 1);
    take_steps(&row, 1, OPTIMAL);
}

/* Every node of the ring starts a route of each length; no two may meet on a link and channel. */
static bool is_conflict_free(const struct colouring *t, const uint32_t *length, uint32_t channels)
{
    uint8_t *busy = base_array((size_t)t->nodes * channels, 1, NULL);
    bool free_of = busy != NULL;
    for (size_t hop = 0; hop < t->hops; hop++)
        for (uint32_t node = 0; node < t->nodes; node++) {
            uint32_t run, period, channel = colouring_channel(t, hop, node, &run, &period);
            free_of = free_of && run > 0 && (channel / period + 1) * period <= channels;
            for (uint32_t l = 0; l < length[hop] && free_of; l++)
                free_of = busy[(size_t)channel * t->nodes + (node + l) % t->nodes]++ == 0;
        }
    free(busy);
    return free_of;
}

static void colourings_never_conflict(void)
{
    seed = 11;
    size_t found = 0;
    for (int i = 0; i < 3000; i++) {
        uint32_t nodes = 2 + any(80),
                 channels = 1 + any(20);
        uint32_t length[20], left = channels < nodes ? channels : nodes - 1;
        size_t count = 0;
        struct colouring t;
        while (left > 0 && count < 20) {
            length[count] = 1 + any(left);
            left -= length[count++];
        }
        OK(colouring_find(&t, length, count, nodes, channels, NULL));
        found += t.size > 0;
        CU_ASSERT_TRUE(t.size == 0 || is_conflict_free(&t, length, channels));
        CU_ASSERT_TRUE(t.size > 0 || nodes % channels != 0); /* there a single piece always does */
        colouring_free(&t);
    }
    CU_ASSERT_TRUE(found > 1000);
}

/* Lengths 7 and 1 go 8 + ... + 8 and 7 + ... + 7 times round 100 = 2*8 + 12*7 links; 2 alone never tiles an odd ring.
 */
static void colourings_of_known_cases(void)
{
    static const struct { uint32_t length[2], count, nodes, channels, size; } cases[] = {
        {{7, 1}, 2, 100, 8, 8}, {{2, 1}, 2, 31, 3, 3}, {{2}, 1, 31, 2, 0}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct colouring t;
        OK(colouring_find(&t, cases[i].length, cases[i].count, cases[i].nodes, cases[i].channels, NULL));
        CU_ASSERT_EQUAL(t.size, cases[i].size);
        colouring_free(&t);
    }
}

/* A million points take half a second: whoever limits the time is asked meanwhile, and what was refused is not
 * finished. */
static void points_are_chosen_until_stopped(void)
{
    struct stop first = {.at = 1};
    struct budget budget = base_budget(0, stop_once, &first);
    struct lattice_points points;
    CU_ASSERT_EQUAL(lattice_points_choose(&points, 1 << 20, 32, &budget, NULL), RWA_CANCELLED);
    CU_ASSERT_EQUAL(first.polls, 1);
    CU_ASSERT_TRUE(points.count < 1 << 20);
    free(points.coordinate);
}

/* The links of a template tree add up to the least total length of any tree, which lattice/spread_test finds over all
 * sets of nodes and bound/bound_test by its recurrence. */
static void templates_are_the_cheapest_trees(void)
{
    for (uint32_t nodes = 2; nodes <= 64; nodes++)
        for (uint32_t steps = 1; steps <= 8; steps++) {
            struct lattice_points points;
            struct delivery_tree tree;
            uint64_t sum = 0;
            OK(lattice_points_choose(&points, nodes, steps, NULL, NULL));
            OK(broadcast_tree_place(&tree, &points, steps, NULL));
            for (uint32_t v = 1; v < nodes; v++)
                sum += tree.at[tree.at[v].from].step < tree.at[v].step ? tree.at[v].links : nodes * nodes;
            CU_ASSERT_EQUAL(sum, spheres_cost(spheres_of(steps, 1), nodes));
            delivery_tree_free(&tree);
            free(points.coordinate);
        }
}

TESTS("wavefront", templates_are_the_cheapest_trees, points_are_chosen_until_stopped, the_bound_is_met,
      orbits_keep_the_schedule_small, any_ring_is_planned_near_the_bound,
      reductions_take_as_many_steps, hop_limits_cost_few_steps, a_device_shortens_the_lightpaths,
      colourings_never_conflict, colourings_of_known_cases)
