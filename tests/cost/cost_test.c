/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rwa/cost.h"

#include "base/base.h"

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

/** A ring of four: steps of whole-ring neighbour hops; step 3 turns the other way, and step 4 does both. */
static void circuit_model(void)
{
    rwa_network *net = NULL;
    rwa_collective coll;
    rwa_schedule *sched = NULL, *plain = NULL;
    rwa_cost_options o;
    double seconds = 0;
    static const int steps[][2] = {{1, 0}, {2, 0}, {3, 1}, {4, 0}, {4, 1}, {5, 1}};
    CU_ASSERT_EQUAL_FATAL(rwa_network_parse(&net, "ring:4", NULL, NULL), RWA_OK);
    CU_ASSERT_EQUAL_FATAL(rwa_collective_init(&coll, RWA_ALL_GATHER, 4, 0, 1000, 0, NULL), RWA_OK);
    CU_ASSERT_EQUAL_FATAL(rwa_schedule_create(&sched, net, &coll, "test", NULL), RWA_OK);
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        rwa_lightpath lp = {.step = (uint32_t)steps[i][0], .dst = steps[i][1] ? 3 : 1, .orbit = 4, .period = 1,
                            .direction = steps[i][1] ? RWA_CCW : RWA_CW};
        CU_ASSERT_EQUAL_FATAL(rwa_schedule_add(sched, &lp, NULL), RWA_OK);
    }
    rwa_cost_options_init(&o);
    CU_ASSERT_EQUAL(rwa_cost_schedule(&seconds, sched, &o, NULL), RWA_OK);
    CU_ASSERT_DOUBLE_EQUAL(seconds, rwa_cost_steps(5, 1000, 40e9, &o), 1e-15);
    o.model = RWA_COST_CIRCUIT;
    o.alpha_s = 1e-6;
    /* the two directions share no link, so one epoch */
    CU_ASSERT_EQUAL(rwa_cost_schedule(&seconds, sched, &o, NULL), RWA_OK);
    CU_ASSERT_DOUBLE_EQUAL(seconds, 5 * (200e-9 + 32e-9 + 1e-6) + 25e-6, 1e-15);
    CU_ASSERT_EQUAL_FATAL(rwa_schedule_expand(&plain, sched, NULL), RWA_OK);
    CU_ASSERT_EQUAL(rwa_cost_schedule(&seconds, plain, &o, NULL), RWA_OK);
    CU_ASSERT_DOUBLE_EQUAL(seconds, 5 * (200e-9 + 32e-9 + 1e-6) + 25e-6, 1e-15);
    o.alpha_s = -1;
    CU_ASSERT_EQUAL(rwa_cost_schedule(&seconds, sched, &o, NULL), RWA_BADARG);
    rwa_schedule_free(plain);
    rwa_schedule_free(sched);
    rwa_network_free(net);
}

/* Node 0 scatters: three blocks to node 1 in step 1, then one to node 2 in step 2.  Each step is as long as its own lightpath. */
static void steps_have_their_own_length(void)
{
    rwa_network *net = NULL;
    rwa_collective coll;
    rwa_schedule *sched = NULL;
    rwa_cost_options o;
    double seconds = 0;
    static const uint32_t three[] = {1, 2, 3};
    rwa_lists lists = {.blocks = three, .block_count = 3};
    rwa_lightpath first = {.step = 1, .dst = 1, .orbit = 1}, second = {.step = 2, .dst = 2, .orbit = 1, .block = 4};
    CU_ASSERT_EQUAL_FATAL(rwa_network_parse(&net, "ring:5", NULL, NULL), RWA_OK);
    CU_ASSERT_EQUAL_FATAL(rwa_collective_init(&coll, RWA_SCATTER, 5, 0, 1000, 0, NULL), RWA_OK);
    CU_ASSERT_EQUAL_FATAL(rwa_schedule_create(&sched, net, &coll, "test", NULL), RWA_OK);
    CU_ASSERT_EQUAL_FATAL(rwa_schedule_add_lists(sched, &first, &lists, NULL), RWA_OK);
    CU_ASSERT_EQUAL_FATAL(rwa_schedule_add(sched, &second, NULL), RWA_OK);
    CU_ASSERT_EQUAL(rwa_schedule_step_blocks(sched, 1), 3);
    CU_ASSERT_EQUAL(rwa_schedule_step_blocks(sched, 2), 1);
    CU_ASSERT_EQUAL(rwa_schedule_block_times(sched), 4);
    rwa_cost_options_init(&o);
    CU_ASSERT_EQUAL(rwa_cost_schedule(&seconds, sched, &o, NULL), RWA_OK);
    CU_ASSERT_DOUBLE_EQUAL(seconds, rwa_cost_steps(1, 3000, 40e9, &o) + rwa_cost_steps(1, 1000, 40e9, &o), 1e-15);
    o.model = RWA_COST_CIRCUIT;
    o.alpha_s = 1e-6;
    CU_ASSERT_EQUAL(rwa_cost_schedule(&seconds, sched, &o, NULL), RWA_OK);
    /* 3000 bytes are 24 packets of 4 flits, 1000 bytes 8: 128 ns in all; both steps need the first link */
    CU_ASSERT_DOUBLE_EQUAL(seconds, 4 * 200e-9 + 128e-9 + 2 * (1e-6 + 25e-6), 1e-15);
    rwa_schedule_free(sched);
    rwa_network_free(net);
}

static rwa_schedule *schedule(const rwa_network *net)
{
    rwa_collective coll;
    rwa_schedule *sched = NULL;
    CU_ASSERT_EQUAL_FATAL(rwa_collective_init(&coll, RWA_ALL_GATHER, rwa_network_nodes(net), 0, 1000, 0, NULL), RWA_OK);
    CU_ASSERT_EQUAL_FATAL(rwa_schedule_create(&sched, net, &coll, "test", NULL), RWA_OK);
    return sched;
}

/* How many epochs there are: one second each, and nothing else costs a second. */
static long settings(const rwa_schedule *sched)
{
    rwa_cost_options o;
    double seconds = 0;
    rwa_cost_options_init(&o);
    o.model = RWA_COST_CIRCUIT;
    o.reconfig_s = 1;
    CU_ASSERT_EQUAL(rwa_cost_schedule(&seconds, sched, &o, NULL), RWA_OK);
    return lround(seconds);
}

/* On a torus the path is the route: both ways round a square can be up at once, and one that leaves the first on its link cannot. */
static void lightpaths_stay_until_another_needs_their_links(void)
{
    static const uint32_t paths[][3] = {{0, 1, 4}, {0, 3, 4}, {0, 1, 4}, {0, 1, 2}, {0, 1, 4}};
    static const long epochs[] = {1, 1, 1, 2, 3};
    rwa_network *net = NULL;
    CU_ASSERT_EQUAL_FATAL(rwa_network_parse(&net, "torus:3x3", NULL, NULL), RWA_OK);
    rwa_schedule *sched = schedule(net);
    for (uint32_t i = 0; i < 5; i++) {
        rwa_lightpath lp = {.step = i + 1, .src = 0, .dst = paths[i][2], .orbit = 1};
        uint32_t epoch[5] = {0};
        rwa_cost_options o;
        rwa_cost_options_init(&o);
        CU_ASSERT_EQUAL_FATAL(rwa_schedule_add_path(sched, &lp, paths[i], 3, NULL), RWA_OK);
        CU_ASSERT_EQUAL(settings(sched), epochs[i]);
        o.model = RWA_COST_CIRCUIT;
        CU_ASSERT_EQUAL(rwa_cost_epochs(epoch, sched, &o, NULL), RWA_OK);
        CU_ASSERT_EQUAL(epoch[i], epochs[i]);
        o.model = RWA_COST_PAPER; /* every step waits */
        CU_ASSERT_EQUAL(rwa_cost_epochs(epoch, sched, &o, NULL), RWA_OK);
        CU_ASSERT_EQUAL(epoch[i], i + 1);
    }
    rwa_schedule_free(sched);
    rwa_network_free(net);
}

/* A lightpath stays for step 2, another one has a fresh channel in step 3, and a third one its channel in step 4: the first three steps
 * are one epoch; in the model overlap the fourth waits for the end of step 3. */
static void steps_begin_and_end_by_the_model(void)
{
    static const uint32_t wavelength[] = {0, 0, 1, 1}, dst[] = {1, 1, 1, 2};
    const double alpha = 1e-6, reconfig = 10e-6;
    rwa_cost_options o;
    rwa_network *net = NULL;
    CU_ASSERT_EQUAL_FATAL(rwa_network_parse(&net, "ring:4", NULL, NULL), RWA_OK);
    rwa_schedule *sched = schedule(net);
    for (uint32_t i = 0; i < 4; i++) {
        rwa_lightpath lp = {.step = i + 1, .src = 0, .dst = dst[i], .wavelength = wavelength[i], .orbit = 1};
        CU_ASSERT_EQUAL_FATAL(rwa_schedule_add(sched, &lp, NULL), RWA_OK);
    }
    rwa_cost_options_init(&o);
    o.alpha_s = alpha;
    o.reconfig_s = reconfig;
    for (int model = RWA_COST_PAPER; model <= RWA_COST_OVERLAP; model++) {
        const double wait[][4] = {{reconfig, reconfig, reconfig, reconfig},
                                  {alpha + reconfig, alpha, alpha, alpha + reconfig},
                                  {reconfig, alpha, alpha, reconfig}};
        double begin[4], end[4], seconds = 0, twice[4], twice_end[4];
        o.model = (rwa_cost_model)model;
        CU_ASSERT_EQUAL_FATAL(rwa_cost_step_times(begin, end, sched, 0, &o, NULL), RWA_OK);
        CU_ASSERT_EQUAL(rwa_cost_schedule(&seconds, sched, &o, NULL), RWA_OK);
        CU_ASSERT_DOUBLE_EQUAL(end[3], seconds, 1e-15);
        for (int i = 0; i < 4; i++)
            CU_ASSERT_DOUBLE_EQUAL(begin[i] - (i > 0 ? end[i - 1] : 0), wait[model][i], 1e-15);
        CU_ASSERT_EQUAL(rwa_cost_step_times(twice, twice_end, sched, 2 * rwa_network_rate_bps(net), &o, NULL), RWA_OK);
        CU_ASSERT(twice_end[3] < end[3]);
        CU_ASSERT_EQUAL(rwa_cost_step_times(begin, end, sched, -1, &o, NULL), RWA_BADARG);
    }
    rwa_schedule_free(sched);
    rwa_network_free(net);
}

/* WRHT, Table II: 25 Gb/s, routers of 32 ports and 50 us.  15 neighbours and their exchange stay in one router. */
static void electrical_baselines(void)
{
    rwa_electrical_options o;
    rwa_electrical_options_init(&o);
    double packet = 64 * 8 / 25e9;
    /* 1000 packets over 10 nodes: 18 steps of 100 packets through one router */
    CU_ASSERT_DOUBLE_EQUAL(rwa_cost_electrical(RWA_ELECTRICAL_RING, 10, 64000, NULL), 18 * (101 * packet + 50e-6), 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(rwa_cost_electrical(RWA_ELECTRICAL_RING, 20, 64000, &o), 38 * (53 * packet + 150e-6), 1e-12);
    /* distances 1, 2, 4, 8 inside a router, 16 beyond */
    CU_ASSERT_DOUBLE_EQUAL(rwa_cost_electrical(RWA_ELECTRICAL_DOUBLING, 32, 64000, &o),
                           4 * (1001 * packet + 50e-6) + 1003 * packet + 150e-6, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(rwa_cost_electrical(RWA_ELECTRICAL_DOUBLING, 5, 64000, &o), 4 * (1001 * packet + 50e-6), 1e-12);
    CU_ASSERT(isnan(rwa_cost_electrical(RWA_ELECTRICAL_RING, 1, 64000, &o)));
    CU_ASSERT(isnan(rwa_cost_electrical(RWA_ELECTRICAL_RING, 2, 0, &o)));
    o.rate_bps = 0;
    CU_ASSERT(isnan(rwa_cost_electrical(RWA_ELECTRICAL_RING, 2, 1, &o)));
}

int main(void)
{
    static const struct test tests[] = {
        TEST(paper_model), TEST(circuit_model), TEST(steps_have_their_own_length),
        TEST(lightpaths_stay_until_another_needs_their_links), TEST(steps_begin_and_end_by_the_model),
        TEST(electrical_baselines), {0}};
    return run_tests("cost", tests);
}
