/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/judged.h"
#include "tests/support/suite.h"

#include <math.h>

static void paper_model(void)
{
    rwa_cost_options o;
    rwa_cost_options_init(&o);
    /* 1000 bytes: 8 packets of 4 flits: 32 ns; 8000 bits at 40 Gb/s: 200 ns */
    CU_ASSERT_DOUBLE_EQUAL(rwa_cost_steps(19, 1000, 40e9, NULL), 19 * (200e-9 + 25e-6 + 32e-9), 1e-15);
    CU_ASSERT_EQUAL(rwa_cost_steps(0, 1000, 40e9, &o), 0);
    o.flit_bytes = 0;
    CU_ASSERT(isnan(rwa_cost_steps(1, 1000, 40e9, &o)));
    CU_ASSERT_STRING_EQUAL(rwa_cost_model_name(RWA_COST_CIRCUIT), "circuit");
}

/* 1000 bytes: 200 ns on a wavelength and 32 ns of conversion. */
static const double block_s = 200e-9 + 32e-9;

static double seconds_of(const rwa_schedule *sched, rwa_cost_model model)
{
    rwa_cost_options o;
    double seconds = 0;
    rwa_cost_options_init(&o);
    o.model = model;
    o.alpha_s = 1e-6;
    OK(rwa_cost_schedule(&seconds, sched, &o, NULL));
    return seconds;
}

/** A ring of four: steps of whole-ring neighbour hops; step 3 turns the other way, and step 4 does both.  The two
 * directions share no link, so that all is one epoch. */
static void circuit_model(void)
{
    static const struct judged ring = {SCHEDULE_OF("1000", "'kind':'ring','nodes':4,'wavelengths':64",
                                                   "'collective':'all-gather','blocks':4,'steps':5"),
                                       {"1 0>1 cw 0/0 b0 orbit=4 period=1", "2 0>1 cw 0/0 b0 orbit=4 period=1",
                                        "3 0>3 ccw 0/0 b0 orbit=4 period=1", "4 0>1 cw 0/0 b0 orbit=4 period=1",
                                        "4 0>3 ccw 0/0 b0 orbit=4 period=1", "5 0>3 ccw 0/0 b0 orbit=4 period=1"},
                                       6};
    rwa_schedule *sched = judged_schedule(&ring), *plain = NULL;
    rwa_cost_options o;
    double seconds;
    rwa_cost_options_init(&o);
    OK(rwa_schedule_expand(&plain, sched, NULL));
    CU_ASSERT_DOUBLE_EQUAL(seconds_of(sched, RWA_COST_PAPER), rwa_cost_steps(5, 1000, 40e9, &o), 1e-15);
    CU_ASSERT_DOUBLE_EQUAL(seconds_of(sched, RWA_COST_CIRCUIT), 5 * (block_s + 1e-6) + 25e-6, 1e-15);
    CU_ASSERT_DOUBLE_EQUAL(seconds_of(plain, RWA_COST_CIRCUIT), 5 * (block_s + 1e-6) + 25e-6, 1e-15);
    o.model = RWA_COST_CIRCUIT;
    o.alpha_s = -1;
    CU_ASSERT_EQUAL(rwa_cost_schedule(&seconds, sched, &o, NULL), RWA_BADARG);
    rwa_schedule_free(plain);
    rwa_schedule_free(sched);
}

/* Node 0 scatters: three blocks to node 1 in step 1, then one to node 2 in step 2.  Each step is as long as its own
 * lightpath; both need the first link. */
static void steps_have_their_own_length(void)
{
    static const struct judged scatter = {SCHEDULE_OF("1000", "'kind':'ring','nodes':5,'wavelengths':64",
                                                      "'collective':'scatter','root':0,'blocks':5,'slots':3,'steps':2"),
                                          {"1 0>1 cw 0/0 blocks=1,2,3", "2 0>2 cw 0/0 b4"},
                                          2};
    rwa_schedule *sched = judged_schedule(&scatter);
    CU_ASSERT(rwa_schedule_step_blocks(sched, 1) == 3 && rwa_schedule_step_blocks(sched, 2) == 1 &&
              rwa_schedule_block_times(sched) == 4);
    CU_ASSERT_DOUBLE_EQUAL(seconds_of(sched, RWA_COST_PAPER), 4 * block_s + 2 * 25e-6, 1e-15);
    CU_ASSERT_DOUBLE_EQUAL(seconds_of(sched, RWA_COST_CIRCUIT), 4 * block_s + 2 * (1e-6 + 25e-6), 1e-15);
    rwa_schedule_free(sched);
}

static void expect_epochs(const rwa_schedule *sched, rwa_cost_model model, const uint32_t expected[5])
{
    uint32_t epoch[5] = {0};
    rwa_cost_options o;
    rwa_cost_options_init(&o);
    o.model = model;
    OK(rwa_cost_epochs(epoch, sched, &o, NULL));
    CU_ASSERT_EQUAL(memcmp(epoch, expected, sizeof epoch), 0);
}

/* The path is the route: both ways round a square can be up at once, and one that leaves the first on its
 * link cannot.  In the model `paper` every step waits. */
static void lightpaths_stay_until_another_needs_their_links(void)
{
    static const struct judged square = {
        SCHEDULE_OF("1000", "'kind':'graph','nodes':5,'wavelengths':64,'links':[[0,1],[1,4],[0,3],[3,4],[1,2]]",
                    "'collective':'all-gather','blocks':5,'steps':5"),
        {"1 0>4 path=0,1,4 0/0 b0", "2 0>4 path=0,3,4 0/0 b0", "3 0>4 path=0,1,4 0/0 b0", "4 0>2 path=0,1,2 0/0 b0",
         "5 0>4 path=0,1,4 0/0 b0"},
        5};
    rwa_schedule *sched = judged_schedule(&square);
    expect_epochs(sched, RWA_COST_CIRCUIT, (const uint32_t[]){1, 1, 1, 2, 3});
    expect_epochs(sched, RWA_COST_PAPER, (const uint32_t[]){1, 2, 3, 4, 5});
    CU_ASSERT_DOUBLE_EQUAL(seconds_of(sched, RWA_COST_CIRCUIT), 5 * (block_s + 1e-6) + 3 * 25e-6, 1e-15);
    rwa_schedule_free(sched);
}

/* A lightpath stays for step 2, another one has a fresh channel in step 3, and a third one its channel in step 4: the
 * first three steps are one epoch; in the model overlap the fourth waits for the end of step 3. */
static void steps_begin_and_end_by_the_model(void)
{
    static const struct judged ring = {SCHEDULE_OF("1000", "'kind':'ring','nodes':4,'wavelengths':64",
                                                   "'collective':'all-gather','blocks':4,'steps':4"),
                                       {"1 0>1 cw 0/0 b0", "2 0>1 cw 0/0 b0", "3 0>1 cw 0/1 b0", "4 0>2 cw 0/1 b0"},
                                       4};
    const double alpha = 1e-6, reconfig = 25e-6;
    const double wait[][4] = {
        {reconfig, reconfig, reconfig, reconfig}, {alpha + reconfig, alpha, alpha, alpha + reconfig},
        {reconfig, alpha, alpha, reconfig}};
    rwa_schedule *sched = judged_schedule(&ring);
    rwa_cost_options o;
    rwa_cost_options_init(&o);
    o.alpha_s = alpha;
    for (int model = RWA_COST_PAPER; model <= RWA_COST_OVERLAP; model++) {
        double tune[4], begin[4], end[4], twice_end[4];
        o.model = (rwa_cost_model)model;
        OK(rwa_cost_step_times(tune, begin, end, sched, 0, &o, NULL));
        CU_ASSERT_DOUBLE_EQUAL(end[3], seconds_of(sched, o.model), 1e-15);
        for (int i = 0; i < 4; i++)
            CU_ASSERT_DOUBLE_EQUAL(begin[i] - (i > 0 ? end[i - 1] : 0), wait[model][i], 1e-15);
        for (int i = 0; i < 4; i++)     /* only step 4 takes a channel from another lightpath */
            CU_ASSERT_EQUAL(tune[i], i > 0 && (i == 3 || model == RWA_COST_PAPER) ? end[i - 1] : 0);
        OK(rwa_cost_step_times(NULL, NULL, twice_end, sched, 80e9, &o, NULL));
        CU_ASSERT(twice_end[3] < end[3]);
        CU_ASSERT_EQUAL(rwa_cost_step_times(tune, begin, end, sched, -1, &o, NULL), RWA_BADARG);
    }
    rwa_schedule_free(sched);
}

/* WRHT, Table II: 25 Gb/s, routers of 32 ports and 50 us.  15 neighbours and their exchange stay in one router. */
static void electrical_baselines(void)
{
    rwa_electrical_options o;
    rwa_electrical_options_init(&o);
    double packet = 64 * 8 / 25e9;
    /* 1000 packets over 10 nodes: 18 steps of 100 packets through one router */
    CU_ASSERT_DOUBLE_EQUAL(rwa_cost_electrical(RWA_ELECTRICAL_RING, 10, 64000, NULL), 18 * (101 * packet + 50e-6),
                           1e-12);
    CU_ASSERT_DOUBLE_EQUAL(rwa_cost_electrical(RWA_ELECTRICAL_RING, 20, 64000, &o), 38 * (53 * packet + 150e-6), 1e-12);
    /* distances 1, 2, 4, 8 inside a router, 16 beyond */
    CU_ASSERT_DOUBLE_EQUAL(rwa_cost_electrical(RWA_ELECTRICAL_DOUBLING, 32, 64000, &o),
                           4 * (1001 * packet + 50e-6) + 1003 * packet + 150e-6, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(rwa_cost_electrical(RWA_ELECTRICAL_DOUBLING, 5, 64000, &o), 4 * (1001 * packet + 50e-6),
                           1e-12);
    CU_ASSERT(isnan(rwa_cost_electrical(RWA_ELECTRICAL_RING, 1, 64000, &o)));
    CU_ASSERT(isnan(rwa_cost_electrical(RWA_ELECTRICAL_RING, 2, 0, &o)));
    o.rate_bps = 0;
    CU_ASSERT(isnan(rwa_cost_electrical(RWA_ELECTRICAL_RING, 2, 1, &o)));
}

TESTS("cost", paper_model, circuit_model, steps_have_their_own_length, lightpaths_stay_until_another_needs_their_links,
      steps_begin_and_end_by_the_model, electrical_baselines)
