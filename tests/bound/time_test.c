/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The bound on time follows closed forms; that no schedule is faster is epoch_test's. */
#include "tests/support/bounds.h"

/**
 * With D channels out of a node and (1 + D)^S nodes, S steps are enough only if every holder informs D others in each
 * of them, so that every step sends the whole message: a tree of S steps is then the quickest where a step costs more
 * than the message.  Plans reach it on rings, and on a torus of 5 x 5 nodes, where five nodes and their neighbours are
 * all.
 */
static void the_fewest_steps_send_all_each_time(void)
{
    static const struct known rows[] = {
        {"ring:9 w=1", 2}, {"ring:27 w=1", 3}, {"ring:25 w=2", 2}, {"ring:49 w=3", 2}, {"torus:5x5 w=1", 2}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct request r = request_of("%s root=1 bytes=1280000 reconfig=1 broadcast", rows[i].line);
        double time_s = rwa_cost_steps(rows[i].steps, r.bytes, 40e9, &r.options.cost);
        CU_ASSERT_DOUBLE_EQUAL(time_bound_for(r), time_s, 1e-9);
        CU_ASSERT_DOUBLE_EQUAL(rwa_plan_summary(plan_for(r))->time_s, time_s, 1e-9);
    }
}

/**
 * One epoch, as a reconfiguration is dear: two channels or two circuits make a
 * binary tree, a port a path.  Backwards in time the same, but for a ron, whose receivers are not tuned.
 */
static void one_epoch_takes_more_steps(void)
{
    static const struct known rows[] = {
        {"ring:7 w=1 %s", 2}, {"ring:8 w=1 %s", 3}, {"ring:13 w=1 %s", 3}, {"ring:61 w=4 %s", 2},
        {"ring:9 w=4 ports=1 %s", 8}, {"ocs:7x2 w=1 %s", 2}, {"ocs:8x2 w=1 %s", 3}, {"ron:5 w=1 ports=1 broadcast", 4},
        {"ron:5 w=1 ports=1 reduce", 3}, {"hypercube:3 w=1 ports=1 %s", 7}, {"mesh:3x3 w=1 ports=2 %s", 3}};
    for (size_t i = 0; i < COUNT(rows); i++)
        for (int overlap = 0; overlap < 2; overlap++)
            for (int back = 0; back < 2; back++) {
                char line[64];
                snprintf(line, sizeof line, rows[i].line, back ? "reduce" : "broadcast");
                double least =
                    time_bound_on("%s bytes=1 alpha=1e-3 reconfig=1 model=%s", line, overlap ? "overlap" : "circuit");
                CU_ASSERT_DOUBLE_EQUAL((least - 1) / 1e-3 + overlap, rows[i].steps, 1e-3);
            }
}

/**
 * Circuits that stay up: when starting a step is cheap, nothing is faster than passing stripes between neighbours over
 * all channels, (N-1)/(2W) d/B + (N/2) alpha after one setting.
 */
static void neighbours_are_best(void)
{
    for (uint32_t n = 4; n <= 64; n += 12)
        for (uint32_t w = 1; w <= 64; w *= 4) {
            double stripes = (n - 1) / (2.0 * w) * 8.0 * (1 << 26) / 40e9 + n / 2 * 1e-9 + 25e-6;
            CU_ASSERT_DOUBLE_EQUAL(time_bound_on("ring:%u w=%u bytes=67108864 model=circuit alpha=1e-9 flit=0", n, w),
                                   stripes, 1e-9 * stripes);
        }
}

/**
 * In the paper model without a payload to speak of, only steps count: those in which lightpaths can join all pairs.
 * Of a line of 4W nodes, W lightpaths over the middle link carry data of W of its 2W nodes in the first of two steps,
 * and inform W of the 2W on the other side in the last: three steps.  With 2W nodes all pairs over the middle are
 * joined in two; a ring has two links.
 */
static void halves_take_three_steps(void)
{
    static const char *const kinds[] = {"all-gather", "reduce-scatter", "all-reduce", "all-to-all"};
    static const struct { const char *shape; uint32_t nodes_by_w; double steps; } cases[] = {
        {"line", 2, 2}, {"line", 4, 3}, {"ring", 4, 2}, {"ring", 8, 3}};
    for (uint32_t w = 1; w <= 16; w++)
        for (size_t i = w < 2; i < COUNT(cases); i++)
            for (size_t k = 0; k < COUNT(kinds); k++) {
                double steps = time_bound_on("%s:%u w=%u bytes=1 flit=0 %s", cases[i].shape, cases[i].nodes_by_w * w, w,
                                             kinds[k]) /
                               25e-6;
                CU_ASSERT(steps >= cases[i].steps - 1e-9 && steps < cases[i].steps + 0.1);
            }
    double seconds = time_bound_on("ring:1024 w=1 bytes=1 flit=0 all-reduce");
    CU_ASSERT(seconds >= 11 * 25e-6 && seconds < 11 * 25e-6 + 1e-6);
}

/* Each byte of an all-reduce takes 2 (N - 1) lightpaths, and N nodes send on so many ports. */
static void sums_leave_ports_twice(void)
{
    static const struct known nets[] = {{"ring:9", 9}, {"line:7", 7}, {"mesh:3x4", 12}, {"hypercube:3", 8}};
    for (size_t i = 0; i < COUNT(nets); i++)
        for (uint32_t ports = 1; ports <= 3; ports++)
            CU_ASSERT(time_bound_on("%s w=8 ports=%u bytes=64000000 all-reduce", nets[i].line, ports) >=
                      2 * (nets[i].steps - 1.0) * 64000000 / nets[i].steps / ports * 8 / 40e9);
}

/** No more than schedules take that are told here.  One reconfiguration informs all, level by level: over two circuits
 * of half the message each in three steps, or over four channels each way in two; in the model `overlap` the first
 * start is hidden.  Any number of nodes listen to a channel of a star: one step informs them all, however few ports
 * they have.  Three blocks are owned by the root and two others: two leave the root, one over each of its links, both
 * in one step. */
static void no_more_than_what_is_enough(void)
{
    static const double byte_s = 8 / 40e9 + 4e-9 / 128;
    static const struct { const char *line; double fixed_s, bytes; } rows[] = {
        {"ocs:8x2 w=2 alpha=1e-6 bytes=4000 model=circuit broadcast", 28e-6, 3 * 2000},
        {"ocs:8x2 w=2 alpha=1e-6 bytes=4000 model=overlap broadcast", 27e-6, 3 * 2000},
        {"ring:16 w=4 alpha=1e-6 bytes=4000 model=circuit broadcast", 27e-6, 2 * 4000},
        {"ring:16 w=4 alpha=1e-6 bytes=4000 model=overlap broadcast", 26e-6, 2 * 4000},
        {"star:64 ports=1 bytes=4000 broadcast", 25e-6, 4096},
        {"ring:64 w=1 bytes=1000000 blocks=3 scatter", 25e-6, 64e6 / 3 + 128}};
    for (size_t i = 0; i < COUNT(rows); i++)
        CU_ASSERT(time_bound_on("%s", rows[i].line) <= rows[i].fixed_s + rows[i].bytes * byte_s);
}

static void refused(void)
{
    rwa_cost_prices floor;
    rwa_cost_options cost;
    rwa_cost_options_init(&cost);
    CU_ASSERT_EQUAL(rwa_cost_floor(&floor, 0, &cost, NULL), RWA_BADARG);
    cost.reconfig_s = -1;
    CU_ASSERT_EQUAL(rwa_cost_floor(&floor, 1, &cost, NULL), RWA_BADARG);
}

TESTS("time", neighbours_are_best, halves_take_three_steps, sums_leave_ports_twice, no_more_than_what_is_enough,
      the_fewest_steps_send_all_each_time, one_epoch_takes_more_steps, refused)
