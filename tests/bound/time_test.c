/* SPDX-License-Identifier: GPL-3.0-or-later */
/* No plan is faster than the bound on time, nor is any number of steps that the bounds in steps allow. */
#include "tests/support/plans.h"
#include "tests/support/suite.h"

#include <math.h>
#include <stdio.h>

static bool thorough;

static double bound_of(const rwa_network *net, const rwa_collective *coll, const rwa_cost_options *cost, uint32_t hops)
{
    rwa_cost_prices floor;
    rwa_bound_options bo;
    double seconds = NAN;
    rwa_bound_options_init(&bo);
    bo.max_hops = hops;
    CU_ASSERT_EQUAL_FATAL(rwa_cost_floor(&floor, rwa_network_rate_bps(net), cost, NULL), RWA_OK);
    CU_ASSERT_EQUAL_FATAL(rwa_bound_time(&seconds, net, coll, &floor, &bo, NULL), RWA_OK);
    return seconds;
}

/**
 * Every size of blocks, striped or merged: as many steps as are needed at least, each as long as such a block takes.  Not
 * all-reduce, where the bytes say more than the bounds in steps.
 */
static void steps_take_longer(void)
{
    static const char *const nets[] = {"ring:16", "ring:97", "line:12", "torus:4x5", "hypercube:4", "mesh:3x3"};
    static const rwa_collective_kind kinds[] = {RWA_ALL_GATHER, RWA_REDUCE_SCATTER, RWA_BROADCAST,
                                                RWA_SCATTER,    RWA_GATHER,         RWA_ALL_TO_ALL, RWA_ROOTED_REDUCE};
    for (size_t i = 0; i < sizeof nets / sizeof nets[0]; i++)
        for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++)
            for (uint64_t message = 100; message < 100000000; message *= thorough ? 30 : 900)
                for (uint32_t many = 1; many <= 16; many *= 4)
                    for (uint32_t hops = 0; hops <= 2; hops++) {
                        rwa_network *net = network_of(nets[i], 3);
                        rwa_collective coll, striped;
                        rwa_bound_options bo;
                        rwa_cost_options cost;
                        rwa_bound steps;
                        uint32_t n = rwa_network_nodes(net);
                        rwa_cost_options_init(&cost);
                        rwa_bound_options_init(&bo);
                        bo.max_hops = hops;
                        CU_ASSERT_EQUAL_FATAL(rwa_collective_init(&coll, kinds[k], n, 2, message, 0, NULL), RWA_OK);
                        double least = bound_of(net, &coll, &cost, hops), rate = rwa_network_rate_bps(net);
                        bo.lightpath_blocks = many;
                        CU_ASSERT_EQUAL_FATAL(rwa_bound_best(&steps, net, &coll, &bo, NULL), RWA_OK);
                        CU_ASSERT(least <= rwa_cost_steps(steps.value, many * coll.block_bytes, rate, &cost));
                        bo.lightpath_blocks = 1;
                        uint64_t blocks = kinds[k] == RWA_ALL_TO_ALL ? 0 : coll.blocks * many;
                        CU_ASSERT_EQUAL_FATAL(rwa_collective_init(&striped, kinds[k], n, 2, message, blocks, NULL), RWA_OK);
                        CU_ASSERT_EQUAL_FATAL(rwa_bound_best(&steps, net, &striped, &bo, NULL), RWA_OK);
                        CU_ASSERT(least <= rwa_cost_steps(steps.value, striped.block_bytes, rate, &cost));
                        rwa_network_free(net);
                    }
}

/**
 * With D channels out of a node and (1 + D)^S nodes, S steps are enough only if every holder informs D others in each of them, so that
 * every step sends the whole message: a tree of S steps is then the quickest where a step costs more than the message.  Plans
 * reach it on rings, and on a torus of 5 x 5 nodes, where five nodes and their neighbours are all.
 */
static void the_fewest_steps_send_all_each_time(void)
{
    static const struct { const char *spec; uint32_t wavelengths, steps; } cases[] = {
        {"ring:9", 1, 2}, {"ring:27", 1, 3}, {"ring:25", 2, 2}, {"ring:49", 3, 2}, {"torus:5x5", 1, 2}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        rwa_network *net = network_of(cases[i].spec, cases[i].wavelengths);
        rwa_collective coll;
        rwa_plan_options o;
        rwa_plan *plan = NULL;
        rwa_plan_options_init(&o);
        o.cost.reconfig_s = 1;
        CU_ASSERT_EQUAL_FATAL(rwa_collective_init(&coll, RWA_BROADCAST, rwa_network_nodes(net), 1, 1280000, 0, NULL), RWA_OK);
        CU_ASSERT_EQUAL_FATAL(rwa_plan_make(&plan, net, &coll, &o, NULL), RWA_OK);
        double least = bound_of(net, &coll, &o.cost, 0), rate = rwa_network_rate_bps(net);
        double time_s = rwa_cost_steps(cases[i].steps, 1280000, rate, &o.cost);
        CU_ASSERT_DOUBLE_EQUAL(least, time_s, 1e-9);
        CU_ASSERT_DOUBLE_EQUAL(rwa_plan_summary(plan)->time_s, time_s, 1e-9);
        rwa_plan_free(plan);
        rwa_network_free(net);
    }
}

/**
 * One epoch, as a reconfiguration is dear: two channels or two circuits make a
 * binary tree, a port a path.  Backwards in time the same, but for a ron, whose receivers are not tuned.
 */
static void one_epoch_takes_more_steps(void)
{
    static const struct { const char *spec; uint32_t wavelengths, ports, steps, back; } cases[] = {
        {"ring:7", 1, 0, 2, 2}, {"ring:8", 1, 0, 3, 3}, {"ring:13", 1, 0, 3, 3}, {"ring:61", 4, 0, 2, 2},
        {"ring:9", 4, 1, 8, 8}, {"ocs:7x2", 1, 0, 2, 2}, {"ocs:8x2", 1, 0, 3, 3}, {"ron:5", 1, 1, 4, 3},
        {"hypercube:3", 1, 1, 7, 7}, {"mesh:3x3", 1, 2, 3, 3}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int model = RWA_COST_CIRCUIT; model <= RWA_COST_OVERLAP; model++)
            for (int back = 0; back < 2; back++) {
                rwa_network_options no;
                rwa_network *net = NULL;
                rwa_cost_options cost;
                rwa_collective coll;
                rwa_network_options_init(&no);
                rwa_cost_options_init(&cost);
                no.wavelengths = cases[i].wavelengths;
                no.ports = cases[i].ports;
                cost.model = (rwa_cost_model)model;
                cost.alpha_s = 1e-3;
                cost.reconfig_s = 1;
                CU_ASSERT_EQUAL_FATAL(rwa_network_parse(&net, cases[i].spec, &no, NULL), RWA_OK);
                rwa_collective_kind kind = back ? RWA_ROOTED_REDUCE : RWA_BROADCAST;
                CU_ASSERT_EQUAL_FATAL(rwa_collective_init(&coll, kind, rwa_network_nodes(net), 0, 1, 0, NULL), RWA_OK);
                double alphas = (bound_of(net, &coll, &cost, 0) - 1) / 1e-3 + (model == RWA_COST_OVERLAP);
                CU_ASSERT_DOUBLE_EQUAL(alphas, back ? cases[i].back : cases[i].steps, 1e-3);
                rwa_network_free(net);
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
            char spec[32];
            rwa_cost_options cost;
            rwa_collective coll;
            snprintf(spec, sizeof spec, "ring:%u", n);
            rwa_network *net = network_of(spec, w);
            rwa_cost_options_init(&cost);
            cost.model = RWA_COST_CIRCUIT;
            cost.alpha_s = 1e-9;
            cost.cycles_per_flit = 0;
            CU_ASSERT_EQUAL_FATAL(rwa_collective_init(&coll, RWA_ALL_GATHER, n, 0, 1 << 26, 0, NULL), RWA_OK);
            double stripes = (n - 1) / (2.0 * w) * 8.0 * (1 << 26) / 40e9 + n / 2 * 1e-9 + 25e-6;
            CU_ASSERT_DOUBLE_EQUAL(bound_of(net, &coll, &cost, 0), stripes, 1e-9 * stripes);
            rwa_network_free(net);
        }
}

/** In the paper model without a payload to speak of, only steps count: those in which lightpaths can join all pairs. */
static void short_messages(void)
{
    rwa_network *net = network_of("ring:1024", 1);
    rwa_cost_options cost;
    rwa_collective coll;
    rwa_cost_options_init(&cost);
    cost.cycles_per_flit = 0;
    CU_ASSERT_EQUAL_FATAL(rwa_collective_init(&coll, RWA_ALL_REDUCE, 1024, 0, 1, 0, NULL), RWA_OK);
    double seconds = bound_of(net, &coll, &cost, 0);
    CU_ASSERT(seconds >= 11 * 25e-6 && seconds < 11 * 25e-6 + 1e-6);
    rwa_network_free(net);
}

/**
 * Of a line of 4W nodes, W lightpaths over the middle link carry data of W of its 2W nodes in the first of two steps, and inform W of
 * the 2W on the other side in the last: three steps.  With 2W nodes all pairs over the middle are joined in two; a ring has two links.
 */
static void halves_take_three_steps(void)
{
    static const rwa_collective_kind kinds[] = {RWA_ALL_GATHER, RWA_REDUCE_SCATTER, RWA_ALL_REDUCE, RWA_ALL_TO_ALL};
    static const struct { const char *shape; uint32_t nodes_by_w; double steps; } cases[] = {
        {"line", 4, 3}, {"line", 2, 2}, {"ring", 4, 2}, {"ring", 8, 3}};
    rwa_cost_options cost;
    rwa_cost_options_init(&cost);
    cost.cycles_per_flit = 0;
    for (uint32_t w = 1; w <= 16; w++)
        for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
            for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
                char spec[32];
                rwa_collective coll;
                uint32_t n = cases[i].nodes_by_w * w;
                if (n < 4)
                    continue;
                snprintf(spec, sizeof spec, "%s:%u", cases[i].shape, n);
                rwa_network *net = network_of(spec, w);
                CU_ASSERT_EQUAL_FATAL(rwa_collective_init(&coll, kinds[k], n, 0, 1, 0, NULL), RWA_OK);
                double steps = bound_of(net, &coll, &cost, 0) / 25e-6;
                CU_ASSERT(steps >= cases[i].steps - 1e-9 && steps < cases[i].steps + 0.1);
                rwa_network_free(net);
            }
}

static void plans_take_longer(void)
{
    static const char *const nets[] = {"ring:16", "ring:30", "line:9"};
    const char *scheme;
    unsigned planned = 0;
    for (size_t i = 0; i < sizeof nets / sizeof nets[0]; i++)
        for (size_t j = 0; (scheme = rwa_scheme_name(j)) != NULL; j++)
            for (int kind = RWA_ALL_GATHER; kind <= RWA_ROOTED_REDUCE; kind++)
                for (int model = RWA_COST_PAPER; model <= RWA_COST_CIRCUIT; model++) {
                    rwa_network *net = network_of(nets[i], 4);
                    rwa_collective coll;
                    rwa_plan_options po;
                    rwa_plan *plan = NULL;
                    rwa_plan_options_init(&po);
                    po.scheme = scheme;
                    po.cost.model = (rwa_cost_model)model;
                    CU_ASSERT_EQUAL_FATAL(rwa_collective_init(&coll, (rwa_collective_kind)kind, rwa_network_nodes(net), 0,
                                                              50000, 0, NULL), RWA_OK);
                    if (rwa_plan_make(&plan, net, &coll, &po, NULL) == RWA_OK && rwa_plan_schedule(plan)) {
                        CU_ASSERT(bound_of(net, &coll, &po.cost, 0) <= rwa_plan_summary(plan)->time_s);
                        CU_ASSERT(rwa_plan_summary(plan)->bound.value <= rwa_plan_summary(plan)->steps);
                        planned++;
                    }
                    rwa_plan_free(plan);
                    rwa_network_free(net);
                }
    CU_ASSERT(planned > 60);
}

struct setting {
    const char *net;
    rwa_collective_kind kind;
    uint32_t wavelengths, ports, hops;
    uint64_t message;
};

static double bound_in(struct setting s)
{
    rwa_network_options no;
    rwa_network *net = NULL;
    rwa_cost_options cost;
    rwa_collective coll;
    rwa_network_options_init(&no);
    rwa_cost_options_init(&cost);
    no.ports = s.ports;
    no.wavelengths = s.wavelengths;
    CU_ASSERT_EQUAL_FATAL(rwa_network_parse(&net, s.net, &no, NULL), RWA_OK);
    CU_ASSERT_EQUAL_FATAL(rwa_collective_init(&coll, s.kind, rwa_network_nodes(net), 0, s.message, 0, NULL), RWA_OK);
    double seconds = bound_of(net, &coll, &cost, s.hops);
    rwa_network_free(net);
    return seconds;
}

/* Each byte of an all-reduce takes 2 (N - 1) lightpaths, and N nodes send on so many ports. */
static void sums_leave_ports_twice(void)
{
    static const struct { const char *net; uint32_t nodes; } cases[] = {{"ring:9", 9}, {"line:7", 7}, {"mesh:3x4", 12}, {"hypercube:3", 8}};
    const uint64_t message = 64000000;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (uint32_t ports = 1; ports <= 3; ports++) {
            double sent = 2 * (cases[i].nodes - 1.0) * (double)message / cases[i].nodes / ports * 8 / 40e9;
            CU_ASSERT_TRUE(bound_in((struct setting){cases[i].net, RWA_ALL_REDUCE, 8, ports, 0, message}) >= sent);
        }
}

/** More wavelengths, ports or hops never raise the bound, more bytes never lower it. */
static void more_is_no_slower(void)
{
    static const char *const nets[] = {"ring:33", "line:20", "torus:5x4", "mesh:4x5", "hypercube:4", "tree:2x3", "star:9", "ocs:8x3"};
    const double slack = 1 + 1e-9;
    for (size_t i = 0; i < sizeof nets / sizeof nets[0]; i++)
        for (int kind = RWA_ALL_GATHER; kind <= RWA_ROOTED_REDUCE; kind++)
            for (uint32_t size = 1; size <= 8; size *= 2)
                for (uint64_t message = 500; message < 50000000; message *= 400) {
                    struct setting s = {nets[i], (rwa_collective_kind)kind, size, size, size, message}, more = s;
                    double least = bound_in(s);
                    more.wavelengths++;
                    CU_ASSERT(bound_in(more) <= least * slack);
                    more = s;
                    more.ports++;
                    CU_ASSERT(bound_in(more) <= least * slack);
                    more = s;
                    more.hops++;
                    CU_ASSERT(bound_in(more) <= least * slack);
                    more = s;
                    more.message += message / 10;
                    CU_ASSERT(bound_in(more) * slack >= least);
                }
}

/** Any number of nodes listen to a channel of a star: one step informs them all, however few ports they have. */
static void listeners(void)
{
    rwa_network_options no;
    rwa_network *net = NULL;
    rwa_cost_options cost;
    rwa_collective coll;
    rwa_network_options_init(&no);
    rwa_cost_options_init(&cost);
    no.ports = 1;
    CU_ASSERT_EQUAL_FATAL(rwa_network_parse(&net, "star:64", &no, NULL), RWA_OK);
    CU_ASSERT_EQUAL_FATAL(rwa_collective_init(&coll, RWA_BROADCAST, 64, 0, 4000, 0, NULL), RWA_OK);
    CU_ASSERT(bound_of(net, &coll, &cost, 0) <= rwa_cost_steps(1, 4000, rwa_network_rate_bps(net), &cost));
    rwa_network_free(net);
}

/** Three blocks are owned by the root and two others: two leave the root, one over each of its links, both in one step. */
static void fewer_blocks_than_owners(void)
{
    rwa_network *net = network_of("ring:64", 1);
    rwa_cost_options cost;
    rwa_collective coll;
    rwa_cost_options_init(&cost);
    CU_ASSERT_EQUAL_FATAL(rwa_collective_init(&coll, RWA_SCATTER, 64, 0, 1000000, 3, NULL), RWA_OK);
    double one_step = rwa_cost_steps(1, coll.block_bytes, rwa_network_rate_bps(net), &cost);
    CU_ASSERT(bound_of(net, &coll, &cost, 0) <= one_step && bound_of(net, &coll, &cost, 0) > 0.99 * one_step);
    rwa_network_free(net);
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

int main(int argc, char **argv)
{
    static const struct test tests[] = {
        TEST(steps_take_longer), TEST(neighbours_are_best), TEST(short_messages), TEST(halves_take_three_steps), TEST(plans_take_longer),
        TEST(sums_leave_ports_twice), TEST(more_is_no_slower), TEST(listeners), TEST(fewer_blocks_than_owners),
        TEST(the_fewest_steps_send_all_each_time), TEST(one_epoch_takes_more_steps), TEST(refused), {0}};
    thorough = is_thorough(argc, argv);
    return run_tests("time", tests);
}
