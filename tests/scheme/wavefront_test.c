/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rwa.h"

#include "base/base.h"
#include "delivery/ring/broadcast_tree.h"
#include "delivery/ring/per_owner_trees.h"
#include "delivery/ring/periodic_colouring.h"

#include "tests/support/suite.h"

#include <stdlib.h>
#include <string.h>

static rwa_plan *plan(rwa_collective_kind kind, uint32_t nodes, uint32_t fibers, uint32_t wavelengths, uint32_t max_hops)
{
    rwa_network_options o;
    rwa_plan_options p;
    rwa_collective coll;
    rwa_network *net = NULL;
    rwa_plan *out = NULL;
    rwa_error err = {0};
    rwa_network_options_init(&o);
    o.fibers = fibers;
    o.wavelengths = wavelengths;
    rwa_plan_options_init(&p);
    p.scheme = "wavefront";
    p.max_hops = max_hops;
    p.time_limit_s = 0;     /* the answer is not to hang on how fast the machine is */
    CU_ASSERT_EQUAL_FATAL(rwa_network_create(&net, RWA_RING, nodes, &o, NULL), RWA_OK);
    CU_ASSERT_EQUAL_FATAL(rwa_collective_init(&coll, kind, nodes, 0, 4096, 0, NULL), RWA_OK);
    if (rwa_plan_make(&out, net, &coll, &p, &err) != RWA_OK)
        fprintf(stderr, "ring:%u, %u x %u: %s\n", nodes, fibers, wavelengths, err.text);
    CU_ASSERT_PTR_NOT_NULL_FATAL(out);
    rwa_network_free(net);
    return out;
}

/* Steps that equal the broadcast-tree bound are the fewest possible; the bound is computed by another room. */
static void the_bound_is_met(void)
{
    static const uint32_t cases[][2] = {{16, 1}, {16, 2}, {64, 8}, {128, 16}, {256, 16}, {256, 64}, {512, 64},
                                        {1024, 4}, {1024, 16}, {1024, 64}, {1024, 128}, {1024, 256}, {2048, 64},
                                        {2, 1}, {4, 2}, {9, 10}, {31, 3}, {991, 64}, {1000, 64}, {360, 24},
                                        {100, 8}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        rwa_plan *p = plan(RWA_ALL_GATHER, cases[i][0], 1, cases[i][1], 0);
        const rwa_plan_report *s = rwa_plan_summary(p);
        CU_ASSERT_TRUE(s->check->ok);
        CU_ASSERT_EQUAL(s->outcome, RWA_OPTIMAL);
        CU_ASSERT_EQUAL(s->steps, s->bound.value);
        rwa_plan_free(p);
    }
}

/* Where no tree repeated at every node is enough, as at 7 and 13 nodes with 2 wavelengths, the owners' trees differ. */
static void small_rings_are_all_solved(void)
{
    for (uint32_t nodes = 2; nodes <= 16; nodes++)
        for (uint32_t wavelengths = 1; wavelengths <= 4; wavelengths++) {
            rwa_plan *p = plan(RWA_ALL_GATHER, nodes, 1, wavelengths, 0);
            CU_ASSERT_TRUE(rwa_plan_summary(p)->check->ok);
            CU_ASSERT_EQUAL(rwa_plan_summary(p)->outcome, RWA_OPTIMAL);
            rwa_plan_free(p);
        }
}

/* Arcs of a ring whose load is 2 and that need 3 colours: three that overlap in pairs; on 2 of them 2 are enough. */
static void arcs_get_channels_exactly(void)
{
    static const uint32_t start[] = {0, 2, 4}, length[] = {3, 3, 3};
    uint32_t channel[3], order[3];
    CU_ASSERT_FALSE(arcs_colour(channel, start, length, 3, 6, 2, order));
    CU_ASSERT_TRUE(arcs_colour(channel, start, length, 3, 6, 3, order));
    CU_ASSERT_TRUE(channel[0] != channel[1] && channel[1] != channel[2] && channel[2] != channel[0]);
    CU_ASSERT_TRUE(arcs_colour(channel, start, length, 2, 6, 2, order));
    CU_ASSERT_NOT_EQUAL(channel[0], channel[1]);
}

/* One orbit an offset then describes everything: N-1 records for N(N-1) lightpaths. */
static void orbits_keep_the_schedule_small(void)
{
    rwa_plan *p = plan(RWA_ALL_GATHER, 1024, 1, 64, 0);
    CU_ASSERT_EQUAL(rwa_schedule_records(rwa_plan_schedule(p)), 1023);
    CU_ASSERT_EQUAL(rwa_schedule_lightpaths(rwa_plan_schedule(p)), 1024 * 1023);
    rwa_plan_free(p);
}

/* Any ring, any channels: the checker accepts, and one step above the bound is the most. */
static void any_ring_is_planned_near_the_bound(void)
{
    uint64_t seed = 7;
    for (int i = 0; i < 300; i++) {
        uint32_t nodes = 2 + (uint32_t)base_random_below(&seed, i % 10 == 0 ? 600 : 150);
        uint32_t fibers = 1 + (uint32_t)base_random_below(&seed, 3), wavelengths = 1 + (uint32_t)base_random_below(&seed, 40);
        rwa_plan *p = plan(RWA_ALL_GATHER, nodes, fibers, wavelengths, 0);
        const rwa_plan_report *s = rwa_plan_summary(p);
        CU_ASSERT_TRUE(s->check->ok);
        CU_ASSERT_TRUE(s->steps <= s->bound.value + 1);
        rwa_plan_free(p);
    }
}

/* Reduce-scatter is the all-gather backwards, all-reduce one after the other. */
static void reductions_take_as_many_steps(void)
{
    static const uint32_t cases[][2] = {{2, 1}, {5, 3}, {16, 2}, {31, 3}, {64, 8}, {97, 7}, {100, 8}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        rwa_plan *gather = plan(RWA_ALL_GATHER, cases[i][0], 1, cases[i][1], 0);
        rwa_plan *scatter = plan(RWA_REDUCE_SCATTER, cases[i][0], 1, cases[i][1], 0);
        rwa_plan *reduce = plan(RWA_ALL_REDUCE, cases[i][0], 1, cases[i][1], 0);
        uint32_t steps = rwa_plan_summary(gather)->steps;
        CU_ASSERT_TRUE(rwa_plan_summary(scatter)->check->ok && rwa_plan_summary(reduce)->check->ok);
        CU_ASSERT_EQUAL(rwa_plan_summary(scatter)->steps, steps);
        CU_ASSERT_EQUAL(rwa_plan_summary(reduce)->steps, 2 * steps);
        rwa_plan_free(gather);
        rwa_plan_free(scatter);
        rwa_plan_free(reduce);
    }
}

/* Prices of the channels of each step show 20 steps to be the fewest at 32 hops, 33 at 16 and 64 at 8. */
static void hop_limits_cost_few_steps(void)
{
    static const uint32_t limit[] = {32, 16, 8}, fewest[] = {20, 33, 64};
    for (size_t i = 0; i < 3; i++) {
        rwa_plan *p = plan(RWA_ALL_GATHER, 1024, 1, 64, limit[i]);
        CU_ASSERT_TRUE(rwa_plan_summary(p)->check->ok);
        CU_ASSERT_TRUE(rwa_plan_summary(p)->longest_hops <= limit[i]);
        CU_ASSERT_EQUAL(rwa_plan_summary(p)->steps, fewest[i]);
        rwa_plan_free(p);
    }
}

static void no_lightpath_is_longer_than_allowed(void)
{
    for (uint32_t hops = 1; hops <= 16; hops++) {
        rwa_plan *p = plan(RWA_ALL_GATHER, 100, 1, 8, hops);
        CU_ASSERT_TRUE(rwa_plan_summary(p)->check->ok);
        CU_ASSERT_TRUE(rwa_plan_summary(p)->longest_hops <= hops);
        CU_ASSERT_NOT_EQUAL(rwa_plan_summary(p)->outcome, RWA_INFEASIBLE);
        rwa_plan_free(p);
    }
}

/* Light alone gets one link far on the conservative profile, so no schedule is faster than its own steps: N/2. */
static void a_device_shortens_the_lightpaths(void)
{
    rwa_network_options o;
    rwa_plan_options p;
    rwa_collective coll;
    rwa_network *net = NULL;
    rwa_plan *out = NULL;
    rwa_device *device = NULL;
    rwa_network_options_init(&o);
    o.wavelengths = 8;
    rwa_plan_options_init(&p);
    p.scheme = "wavefront";
    CU_ASSERT_EQUAL_FATAL(rwa_device_open(&device, "conservative", NULL), RWA_OK);
    CU_ASSERT_EQUAL_FATAL(rwa_device_reach(device, RWA_POWER_RINGS, 64, 8), 1);
    p.device = device;
    CU_ASSERT_EQUAL_FATAL(rwa_network_create(&net, RWA_RING, 64, &o, NULL), RWA_OK);
    CU_ASSERT_EQUAL_FATAL(rwa_collective_init(&coll, RWA_ALL_GATHER, 64, 0, 4096, 0, NULL), RWA_OK);
    CU_ASSERT_EQUAL_FATAL(rwa_plan_make(&out, net, &coll, &p, NULL), RWA_OK);
    CU_ASSERT_TRUE(rwa_plan_summary(out)->check->ok);
    CU_ASSERT_EQUAL(rwa_plan_summary(out)->steps, 32);
    CU_ASSERT_EQUAL(rwa_plan_summary(out)->outcome, RWA_OPTIMAL);
    rwa_plan_free(out);
    rwa_network_free(net);
    rwa_device_free(device);
}

/* Every node of the ring starts a route of each length; no two may meet on a link and channel. */
static bool is_conflict_free(const struct colouring *t, const uint32_t *length, uint32_t channels)
{
    uint8_t *busy = calloc((size_t)t->nodes * channels, 1);
    bool free_of = busy != NULL;
    for (size_t hop = 0; hop < t->hops; hop++)
        for (uint32_t node = 0; node < t->nodes; node++) {
            uint32_t run, period, channel = colouring_channel(t, hop, node, &run, &period);
            free_of = free_of && run > 0 && channel < period && period <= channels;
            for (uint32_t l = 0; l < length[hop] && free_of; l++)
                free_of = busy[(size_t)channel * t->nodes + (node + l) % t->nodes]++ == 0;
        }
    free(busy);
    return free_of;
}

static void colourings_never_conflict(void)
{
    uint64_t seed = 11;
    size_t found = 0;
    for (int i = 0; i < 3000; i++) {
        uint32_t nodes = 2 + (uint32_t)base_random_below(&seed, 80), channels = 1 + (uint32_t)base_random_below(&seed, 20);
        uint32_t length[20], left = channels < nodes ? channels : nodes - 1;
        size_t count = 0;
        struct colouring t;
        while (left > 0 && count < 20) {
            length[count] = 1 + (uint32_t)base_random_below(&seed, left);
            left -= length[count++];
        }
        CU_ASSERT_EQUAL_FATAL(colouring_find(&t, length, count, nodes, channels, NULL), RWA_OK);
        found += t.size > 0;
        CU_ASSERT_TRUE(t.size == 0 || is_conflict_free(&t, length, channels));
        CU_ASSERT_TRUE(t.size > 0 || nodes % channels != 0); /* there a single piece always does */
        colouring_free(&t);
    }
    CU_ASSERT_TRUE(found > 1000);
}

/* Lengths 7 and 1 go 8 + ... + 8 and 7 + ... + 7 times round 100 = 2*8 + 12*7 links; 2 alone never tiles an odd ring. */
static void colourings_of_known_cases(void)
{
    struct colouring t;
    CU_ASSERT_EQUAL(colouring_find(&t, (const uint32_t[]){7, 1}, 2, 100, 8, NULL), RWA_OK);
    CU_ASSERT_EQUAL(t.size, 8);
    colouring_free(&t);
    CU_ASSERT_EQUAL(colouring_find(&t, (const uint32_t[]){2, 1}, 2, 31, 3, NULL), RWA_OK);
    CU_ASSERT_EQUAL(t.size, 3);
    colouring_free(&t);
    CU_ASSERT_EQUAL(colouring_find(&t, (const uint32_t[]){2}, 1, 31, 2, NULL), RWA_OK);
    CU_ASSERT_EQUAL(t.size, 0);
    colouring_free(&t);
}

/* The recurrence C(g,t) of the broadcast-tree bound, by trying everything. */
static uint64_t least_length(uint32_t g, uint32_t t, uint64_t memo[65][9])
{
    uint64_t reach[65] = {0}, best = UINT64_MAX / 4;
    if (g <= 1)
        return 0;
    if (t == 0)
        return UINT64_MAX / 4;
    if (memo[g][t] > 0)
        return memo[g][t];
    for (uint32_t x = 1; x < g; x++) {
        reach[x] = UINT64_MAX / 4;
        for (uint32_t y = 0; y < x; y++)
            if (reach[y] + least_length(x - y, t - 1, memo) + x < reach[x])
                reach[x] = reach[y] + least_length(x - y, t - 1, memo) + x;
    }
    for (uint32_t y = 0; y < g; y++)
        for (uint32_t z = 0; y + z < g; z++) {
            if (y + z == 0)
                continue; /* no node informed at first: as with one step fewer */
            uint64_t sum = reach[y] + reach[z] + least_length(g - y - z, t - 1, memo);
            best = sum < best ? sum : best;
        }
    uint64_t later = least_length(g, t - 1, memo);
    return memo[g][t] = later < best ? later : best;
}

static int stop_at_once(void *asked, const char *phase, double fraction)
{
    (void)phase;
    (void)fraction;
    ++*(int *)asked;
    return 1;
}

/* A million points take half a second: whoever limits the time is asked meanwhile, and what was refused is not finished. */
static void points_are_chosen_until_stopped(void)
{
    int asked = 0;
    struct budget budget = base_budget(0, stop_at_once, &asked);
    struct lattice_points points;
    CU_ASSERT_EQUAL(lattice_points_choose(&points, 1 << 20, 32, &budget, NULL), RWA_CANCELLED);
    CU_ASSERT_EQUAL(asked, 1);
    CU_ASSERT_TRUE(points.count < 1 << 20);
    free(points.coordinate);
}

/* The links of a template tree add up to the least total length of any tree: that is why its points are the cheapest. */
static void templates_are_the_cheapest_trees(void)
{
    static uint64_t memo[65][9];
    for (uint32_t nodes = 2; nodes <= 64; nodes++)
        for (uint32_t steps = 1; steps <= 8; steps++) {
            struct lattice_points points;
            struct delivery_tree tree;
            uint64_t sum = 0;
            CU_ASSERT_EQUAL_FATAL(lattice_points_choose(&points, nodes, steps, NULL, NULL), RWA_OK);
            CU_ASSERT_EQUAL_FATAL(broadcast_tree_place(&tree, &points, steps, NULL), RWA_OK);
            for (uint32_t v = 1; v < nodes; v++) {
                CU_ASSERT_TRUE(tree.at[tree.at[v].from].step < tree.at[v].step);
                sum += tree.at[v].links;
            }
            CU_ASSERT_EQUAL(sum, least_length(nodes, steps, memo));
            delivery_tree_free(&tree);
            free(points.coordinate);
        }
}

int main(void)
{
    static const struct test tests[] = {
        TEST(templates_are_the_cheapest_trees), TEST(points_are_chosen_until_stopped), TEST(the_bound_is_met),
        TEST(small_rings_are_all_solved),
        TEST(arcs_get_channels_exactly), TEST(orbits_keep_the_schedule_small),
        TEST(any_ring_is_planned_near_the_bound), TEST(reductions_take_as_many_steps),
        TEST(no_lightpath_is_longer_than_allowed), TEST(hop_limits_cost_few_steps),
        TEST(a_device_shortens_the_lightpaths), TEST(colourings_never_conflict), TEST(colourings_of_known_cases), {0}};
    return run_tests("wavefront", tests);
}
