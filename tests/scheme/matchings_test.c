/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Matchings on switches and reconfigurable networks: steps and times follow closed forms, and the checker accepts
 *  every plan. */
#include "tests/support/request.h"
#include "tests/support/suite.h"

/* N - 1 other nodes, one circuit for each, as many a step as switches.  With one block on a lightpath a node takes in
 * as many blocks a step as it has circuits, and all of the others in no fewer steps. */
static void rotations_meet_the_bound(void)
{
    static const struct {
        uint32_t nodes, switches, steps;
    } cases[] = {{64, 4, 16}, {64, 8, 8}, {128, 6, 22}, {256, 8, 32}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        uint32_t n = cases[i].nodes, k = cases[i].switches;
        CU_ASSERT_EQUAL(steps_on("ocs:%ux%u w=4 bytes=%u all-to-all by matchings:digits(%u)", n, k, n, n),
                        cases[i].steps);
        for (uint32_t bytes = 4000; bytes < 300000000; bytes *= 50) {
            const rwa_plan *plan = plan_on("ocs:%ux%u w=1 load=1 stripes=1 bytes=%u all-to-all", n, k, bytes);
            CU_ASSERT(rwa_plan_summary(plan)->steps == cases[i].steps &&
                      rwa_plan_summary(plan)->outcome == RWA_OPTIMAL);
            CU_ASSERT_EQUAL(rwa_schedule_lightpath_blocks(rwa_plan_schedule(plan)), 1);
        }
    }
}

/* With k circuits a node, what it knows of, or who knows of it, grows k + 1 times a step: no fewer steps are
   possible. */
static void short_messages_take_as_many_steps_as_a_block_needs_to_spread(void)
{
    for (uint32_t n = 2; n < 40; n += 1 + n / 5)
        for (uint32_t k = 1; k <= 4; k++) {
            uint32_t steps = 0;
            for (uint32_t reached = 1; reached < n; reached *= (k < n ? k : n - 1) + 1)
                steps++;
            for (rwa_collective_kind kind = RWA_ALL_GATHER; kind <= RWA_ROOTED_REDUCE; kind++)
                if (kind != RWA_ALL_REDUCE)
                    CU_ASSERT_EQUAL(steps_on("ocs:%ux%u w=4 bytes=64 %s by matchings", n, k, rwa_collective_name(kind)),
                                    steps);
        }
    CU_ASSERT_EQUAL(steps_on("ocs:64x4 w=4 bytes=64 all-reduce by matchings"), 3); /* 4 * 4 * 4 */
    CU_ASSERT_EQUAL(steps_on("ocs:12x2 w=3 bytes=1 model=overlap gather by matchings"), 3); /* those that join were
                                                                                               idle, and are tuned */
    CU_ASSERT_EQUAL(steps_on("ocs:12x2 w=3 bytes=1 model=overlap scatter by matchings"), 3);
}

/* Seconds for a byte on a wavelength of 40 Gbit/s, with its flits. */
static const double byte_s = 8 / 40e9 + 4e-9 / 128;

static void expect_time(double time_s, double least_s, double most)
{
    CU_ASSERT(time_s >= least_s && time_s <= most * least_s);
}

static void large_messages_fill_all_circuits(void)
{
    /* Every node must take in (N - 1) / N of all bytes on its k circuits of w wavelengths, and three steps are the
       fewest. */
    expect_time(time_on("ocs:64x4 w=4 bytes=1048576 by matchings"), 63 * 1048576 / 16.0 * byte_s + 3 * 25e-6, 1.02);
    /* Circuits that lead the same way round stay, backwards and forwards: one setting in all. */
    expect_time(time_on("ocs:17x2 w=4 model=circuit bytes=1048576 all-reduce by matchings:circles"),
                25e-6 + 2 * 16 / 17.0 * 1048576 / 8 * byte_s, 1.2);
    /* All-to-all in parts: with one block for each pair, a lightpath would carry all of it while others idle. */
    static const struct near_bound rows[] =
        {{"ocs:64x4 w=64 bytes=268435456 all-to-all by matchings", 1.25},
         {"ocs:64x4 w=64 model=circuit bytes=4096 all-to-all by matchings:circles", 1.5},
         {"ocs:64x4 w=64 model=circuit bytes=65536 all-to-all by matchings:circles", 1.5},
         {"ocs:64x4 w=64 model=circuit bytes=1048576 all-to-all by matchings:circles", 1.5}};
    stay_near_bound(rows, COUNT(rows));
    uint64_t blocks = rwa_schedule_collective(schedule_on("%s", rows[0].line))->blocks;
    CU_ASSERT(blocks > 64 * 64 && blocks % (64 * 64) == 0);
}

/* The time that chose the term is the time of the schedule. */
static void every_collective_is_planned(void)
{
    static const char *const nets[] = {"ocs:2x1 w=1",
                                       "ocs:13x3 w=4 ports=2 model=circuit",
                                       "ocs:5x9 w=3",
                                       "ron:12 w=4 ports=3 tuning=2",
                                       "ron:9 w=2 tuning=1 model=circuit",
                                       "ron:8 w=1 ports=4",
                                       "star:7 w=16 ports=2",
                                       "star:9 w=9 model=circuit",
                                       "ron:11 w=64 ports=1 tuning=3 model=circuit",
                                       "ocs:24x2 w=2 model=circuit"};
    for (size_t i = 0; i < COUNT(nets); i++)
        for (rwa_collective_kind kind = RWA_ALL_GATHER; kind <= RWA_ROOTED_REDUCE; kind++)
            for (uint32_t root = 0; root <= (uint32_t)rwa_collective_has_root(kind); root++)
                for (uint32_t bytes = 64; bytes < 100000000; bytes *= 1000) {
                    struct request r = request_of("%s root=%u bytes=%u %s by matchings", nets[i], root, bytes,
                                                  rwa_collective_name(kind));
                    rwa_plan *plan = plan_for(r);
                    strcpy(r.scheme, rwa_schedule_scheme(rwa_plan_schedule(plan)));
                    CU_ASSERT_DOUBLE_EQUAL(rwa_plan_summary(plan_for(r))->time_s, rwa_plan_summary(plan)->time_s,
                                           1e-12);
                }
}

/* A pair of nodes has each channel once, and lightpaths of several trees may join the same two nodes: as many trees as
 * channels do not fit where every pair has all channels.  A plan there is made of other terms, and passes the check.
 * With more ports than channels, circuits of two ports that lead the same way would share a channel. */
static void circuits_between_the_same_nodes_share_no_channel(void)
{
    static const char *const models[] = {"paper", "circuit", "overlap"}, *const kinds[] = {"all-to-all", "all-gather",
                                                                                           "all-reduce"};
    for (uint32_t n = 3; n <= 17; n += 7)
        for (uint32_t w = n - 2; w <= n + 1; w++)
            for (int m = 0; m < 3; m++)
                for (uint32_t bytes = 4096; bytes <= 1 << 24; bytes *= 64)
                    plan_on("ron:%u w=%u model=%s bytes=%u broadcast", n, w, models[m], bytes);
    for (size_t i = 0; i < COUNT(kinds); i++)
        CU_ASSERT(time_on("ron:100 w=4 ports=30 model=circuit %s by matchings:circles", kinds[i]) > 0);
}

static void terms_of_all_kinds_are_right(void)
{
    static const char *const requests[] = {"ocs:12x3 w=4 all-gather bytes=%u by matchings:windows(4,3)",
                                           "ocs:12x3 w=4 reduce-scatter bytes=%u by matchings:windows(3,4)",
                                           "ocs:12x3 w=4 all-reduce bytes=%u by matchings:windows(3,sums(4))",
                                           "ocs:12x3 w=4 all-reduce bytes=%u by matchings:sums(3,2,2)",
                                           "ocs:12x3 w=4 all-reduce bytes=%u by matchings:windows(2)+sums(3,2)",
                                           "ocs:12x3 w=4 broadcast bytes=%u by matchings:copies",
                                           "ocs:12x3 w=4 reduce bytes=%u by matchings:copies",
                                           "ocs:13x2 w=4 reduce bytes=%u by matchings:trees(5)",
                                           "ocs:12x3 w=4 broadcast bytes=%u by matchings:trees(7)",
                                           "ocs:12x3 w=4 all-to-all bytes=%u by matchings:digits(2,3,2)",
                                           "ocs:12x3 w=4 all-to-all bytes=%u by matchings:digits(5,3)",
                                           "ocs:12x3 w=4 all-to-all bytes=%u by matchings:circles",
                                           "ocs:13x1 w=4 all-to-all bytes=%u by matchings:circles",
                                           "ocs:29x2 w=4 all-to-all bytes=%u by matchings:circles",
                                           "ocs:12x3 w=4 all-gather bytes=%u by matchings:circles",
                                           "ocs:29x2 w=4 reduce-scatter bytes=%u by matchings:circles",
                                           "ocs:13x1 w=4 all-reduce bytes=%u by matchings:circles",
                                           "ocs:30x4 w=4 all-reduce bytes=%u by matchings:circles",
                                           "ocs:12x3 w=4 scatter bytes=%u by matchings:tree",
                                           "ocs:13x1 w=4 gather bytes=%u by matchings:tree"};
    for (size_t i = 0; i < COUNT(requests); i++)
        for (uint32_t bytes = 10; bytes < 10000000; bytes *= 100)
            CU_ASSERT(steps_on(requests[i], bytes) > 0);
}

static void terms_that_do_not_fit_are_refused(void)
{
    static const char *const requests[] = {
        "ocs:12x3 w=4 by matchings:windows(5,3)", /* four others on three circuits */
        "ocs:12x3 w=4 by matchings:windows(3,3)", /* 9 of 12 nodes */
        "ocs:12x3 w=4 all-reduce by matchings:windows(3,sums(3))", "ocs:12x3 w=4 by matchings:windows(4,3,tree)",
        "ocs:12x3 w=4 all-to-all by matchings:digits(3,3)", "ocs:12x3 w=4 broadcast by matchings:trees",
        "ocs:12x3 w=4 scatter by matchings:far", "star:12 w=4 scatter by matchings"};
    for (size_t i = 0; i < COUNT(requests); i++)
        CU_ASSERT_PTR_NOT_NULL(refusal_on("%s", requests[i]));
}

TESTS("matchings", rotations_meet_the_bound, short_messages_take_as_many_steps_as_a_block_needs_to_spread,
      large_messages_fill_all_circuits, every_collective_is_planned, circuits_between_the_same_nodes_share_no_channel,
      terms_of_all_kinds_are_right, terms_that_do_not_fit_are_refused)
