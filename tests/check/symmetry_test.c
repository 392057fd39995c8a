/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whole orbits are judged at one node; the verdict must be that on the same lightpaths written out one by one. */
#include "rwa.h"

#include "base/base.h"

#include "tests/support/report.h"
#include "tests/support/plans.h"
#include "tests/support/same_verdict.h"
#include "tests/support/spoilt.h"
#include "tests/support/suite.h"

#include <string.h>

struct setting {
    uint32_t nodes, wavelengths;
    const char *scheme;
    rwa_collective_kind kind;
    uint32_t lightpath_blocks, drops;
};

static rwa_plan *plan_setting(const struct setting *s)
{
    rwa_plan_options opts = options_of(s->scheme);
    opts.lightpath_blocks = s->lightpath_blocks;
    opts.max_drops = s->drops;
    rwa_plan *plan = plan_made_on(network_sized(RWA_RING, s->nodes, s->wavelengths, 1), s->kind, s->nodes * 64, &opts);
    CU_ASSERT_PTR_NOT_NULL_FATAL(plan);
    return plan;
}

static void orbits_are_judged_as_their_lightpaths(void)
{
    static const struct setting cases[] = {
        {24, 4, "wavefront", RWA_ALL_GATHER, 0, 0}, {32, 8, "wavefront", RWA_ALL_GATHER, 0, 0},
        {30, 5, "wavefront", RWA_ALL_GATHER, 0, 0}, {25, 4, "wavefront", RWA_ALL_GATHER, 0, 0},
        {12, 3, "ring-striped", RWA_ALL_GATHER, 0, 0}, {10, 4, "ring-striped", RWA_ALL_GATHER, 0, 0},
        {9, 2, "ring-both", RWA_ALL_GATHER, 0, 0}, {24, 4, "wavefront", RWA_REDUCE_SCATTER, 0, 0},
        {30, 5, "wavefront", RWA_ALL_REDUCE, 0, 0}, {12, 3, "ring-striped", RWA_REDUCE_SCATTER, 0, 0},
        {10, 4, "ring-striped", RWA_ALL_REDUCE, 0, 0}, {24, 4, "wavefront", RWA_ALL_GATHER, 3, 0},
        {24, 4, "wavefront", RWA_ALL_REDUCE, 3, 0}, {20, 4, "wavefront", RWA_ALL_GATHER, 0, 3},
        {64, 16, "wavefront", RWA_ALL_REDUCE, 0, 0}, {70, 14, "wavefront", RWA_REDUCE_SCATTER, 0, 0},
        {130, 26, "wavefront", RWA_ALL_REDUCE, 0, 0}, {16, 4, "standing", RWA_ALL_TO_ALL, 0, 0},
        {18, 3, "standing", RWA_ALL_TO_ALL, 0, 0},    {65, 5, "standing", RWA_ALL_TO_ALL, 0, 0}};
    uint64_t random = 11;
    size_t good = 0, bad = 0;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        rwa_plan *plan = plan_setting(&cases[c]);
        const rwa_schedule *sched = rwa_plan_schedule(plan);
        CU_ASSERT(same_verdict(sched));
        for (uint32_t i = 0; i < (cases[c].nodes < 64 ? 120 : 25); i++) {
            rwa_schedule *changed = spoilt(sched, base_random_below(&random, rwa_schedule_records(sched)), &random);
            *(same_verdict(changed) ? &good : &bad) += 1;
            rwa_schedule_free(changed);
        }
        rwa_plan_free(plan);
    }
    CU_ASSERT(bad > 900 && good > 15); /* both verdicts were really tried */
}

/* The all-gather's schedule behind a scatter, step by step, from node 0, both ways; every third node gets another share besides. */
static rwa_schedule *broadcast_of(const rwa_schedule *gather)
{
    const rwa_collective *all = rwa_schedule_collective(gather);
    uint32_t nodes = all->nodes, share = (uint32_t)(all->blocks / nodes);
    rwa_collective coll;
    rwa_schedule *out = NULL;
    CU_ASSERT_EQUAL_FATAL(rwa_collective_init(&coll, RWA_BROADCAST, nodes, 0, all->blocks * 64, all->blocks, NULL), RWA_OK);
    CU_ASSERT_EQUAL_FATAL(rwa_schedule_create(&out, rwa_schedule_network(gather), &coll, "joined", NULL), RWA_OK);
    for (uint32_t v = 1; v < nodes; v++) {
        uint32_t shares = v % 3 == 0 ? 2 : 1;
        rwa_run runs[2] = {{v * share, share, 1}, {v * 7 % nodes * share, share, 1}};
        rwa_lists lists = {.runs = runs, .run_count = shares, .block_count = share * shares};
        rwa_lightpath lp = {.step = v, .src = 0, .dst = v, .block = v * share, .orbit = 1};
        CU_ASSERT_EQUAL_FATAL(rwa_schedule_add_lists(out, &lp, &lists, NULL), RWA_OK);
        lp.direction = RWA_CCW;
        CU_ASSERT_EQUAL_FATAL(rwa_schedule_add_lists(out, &lp, &lists, NULL), RWA_OK);
    }
    for (uint64_t i = 0; i < rwa_schedule_records(gather); i++) {
        rwa_lightpath lp;
        rwa_lists lists;
        rwa_schedule_get(&lp, gather, i);
        rwa_schedule_lists(&lists, gather, i);
        lp.step += nodes - 1;
        CU_ASSERT_EQUAL_FATAL(rwa_schedule_add_lists(out, &lp, &lists, NULL), RWA_OK);
    }
    return out;
}

/* Behind the scatter one node stands for all: what it and the root hold besides does not count until a record needs it. */
static void broadcasts_go_on_like_all_gathers(void)
{
    static const struct setting cases[] = {{24, 4, "wavefront", RWA_ALL_GATHER, 0, 0}, {24, 4, "wavefront", RWA_ALL_GATHER, 3, 0},
                                           {20, 4, "wavefront", RWA_ALL_GATHER, 0, 3}, {9, 2, "ring-both", RWA_ALL_GATHER, 0, 0},
                                           {12, 3, "ring-striped", RWA_ALL_GATHER, 0, 0}};
    uint64_t random = 23;
    size_t good = 0, bad = 0;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        rwa_plan *plan = plan_setting(&cases[c]);
        rwa_schedule *whole = broadcast_of(rwa_plan_schedule(plan));
        CU_ASSERT(same_verdict(whole));
        for (uint32_t i = 0; i < 150; i++) {
            rwa_schedule *changed = spoilt(whole, base_random_below(&random, rwa_schedule_records(whole)), &random);
            *(same_verdict(changed) ? &good : &bad) += 1;
            rwa_schedule_free(changed);
        }
        rwa_schedule_free(whole);
        rwa_plan_free(plan);
    }
    CU_ASSERT(bad > 200 && good > 200);
}

/* Full orbits at random on many wavelengths: they rarely make a collective, and break in every order. */
static rwa_schedule *random_orbits(uint32_t nodes, rwa_collective_kind kind, uint64_t *random)
{
    rwa_network *net = NULL;
    rwa_network_options o;
    rwa_collective coll;
    rwa_schedule *out = NULL;
    rwa_network_options_init(&o);
    o.wavelengths = nodes;
    CU_ASSERT_EQUAL_FATAL(rwa_network_create(&net, RWA_RING, nodes, &o, NULL), RWA_OK);
    CU_ASSERT_EQUAL_FATAL(rwa_collective_init(&coll, kind, nodes, 0, nodes * 2, 0, NULL), RWA_OK);
    CU_ASSERT_EQUAL_FATAL(rwa_schedule_create(&out, net, &coll, "random", NULL), RWA_OK);
    for (uint32_t i = 0; i < 8; i++) {
        rwa_run runs[3];
        uint32_t count = 1 + (uint32_t)base_random_below(random, 3), src = (uint32_t)base_random_below(random, nodes);
        for (uint32_t k = 0; k < count; k++)
            runs[k] = (rwa_run){(uint32_t)base_random_below(random, coll.blocks), 1, 1};
        rwa_lightpath lp = {.step = 1 + i / 3, .src = src, .dst = (src + 1) % nodes, .wavelength = i, .period = nodes, .orbit = nodes,
                            .op = rwa_collective_is_reduction(kind) && base_random_below(random, 4) ? RWA_REDUCE : RWA_COPY};
        CU_ASSERT_EQUAL_FATAL(rwa_schedule_add_lists(out, &lp, &(rwa_lists){.runs = runs, .run_count = count, .block_count = count}, NULL),
                              RWA_OK);
    }
    rwa_network_free(net);
    return out;
}

static void random_orbits_are_judged_as_their_lightpaths(void)
{
    static const rwa_collective_kind kinds[] = {RWA_ALL_GATHER, RWA_REDUCE_SCATTER, RWA_ALL_REDUCE, RWA_ALL_TO_ALL};
    uint64_t random = 5;
    for (uint32_t i = 0; i < 800; i++) {
        rwa_schedule *sched = random_orbits(i % 21 == 0 ? 60 + i / 20 : 8 + i % 5, kinds[i % 4], &random);
        same_verdict(sched);
        rwa_schedule_free(sched);
    }
}

/* N (N - 1) blocks in 64 stripes each: thousands of millions of lightpaths, of which one node's are looked at. */
static void large_rings_take_little(void)
{
    static const struct setting cases[] = {
        {4096, 64, "ring-striped", RWA_ALL_GATHER, 0, 0}, {1024, 64, "ring-striped", RWA_REDUCE_SCATTER, 0, 0}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        const struct setting *s = &cases[c];
        rwa_plan *plan = plan_setting(s);
        rwa_check_report check;
        CU_ASSERT_EQUAL_FATAL(report_schedule(&check, rwa_plan_schedule(plan), NULL, NULL), RWA_OK);
        CU_ASSERT(check.ok);
        CU_ASSERT_EQUAL(check.lightpaths, (uint64_t)s->nodes * (s->nodes - 1) * s->wavelengths);
        CU_ASSERT_EQUAL(check.wavelengths_used, s->wavelengths);
        rwa_plan_free(plan);
    }
}

int main(void)
{
    static const struct test tests[] = {
        TEST(orbits_are_judged_as_their_lightpaths), TEST(broadcasts_go_on_like_all_gathers),
        TEST(random_orbits_are_judged_as_their_lightpaths),
        TEST(large_rings_take_little), {0}};
    return run_tests("turns", tests);
}
