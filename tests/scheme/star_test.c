/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Collectives on a passive star: the paper's costs, counted by the judge, and any number of nodes. */
#include "rwa.h"

#include "tests/support/suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct setting {
    uint32_t nodes, ports, root, splits;
    uint64_t blocks;        /* 0: the usual number */
    uint32_t wavelengths;   /* 0: enough for all transmissions */
};

struct cost {
    uint64_t steps, tunings, formula_steps, formula_tunings;
    rwa_bound bound;
};

static struct cost cost_of(rwa_collective_kind kind, struct setting s)
{
    struct cost cost = {0};
    rwa_network *net = NULL;
    rwa_network_options o;
    rwa_collective coll;
    rwa_plan_options opts;
    rwa_plan *plan = NULL;
    rwa_error err = {0};
    rwa_network_options_init(&o);
    rwa_plan_options_init(&opts);
    o.ports = s.ports;
    o.tuning = 7;
    o.wavelengths = s.wavelengths ? s.wavelengths : s.nodes * (s.ports ? s.ports : s.nodes);
    opts.scheme = "tcp";
    opts.split_steps = s.splits;
    CU_ASSERT_EQUAL_FATAL(rwa_network_create(&net, RWA_STAR, s.nodes, &o, NULL), RWA_OK);
    CU_ASSERT_EQUAL_FATAL(rwa_collective_init(&coll, kind, s.nodes, s.root, 1 << 20, s.blocks, NULL), RWA_OK);
    if (rwa_plan_make(&plan, net, &coll, &opts, &err) != RWA_OK) {
        CU_FAIL("no plan");
        fprintf(stderr, "%s, P = %u, k = %u: %s\n", rwa_collective_name(kind), s.nodes, s.ports, err.text);
    } else {
        const rwa_plan_report *sum = rwa_plan_summary(plan);
        CU_ASSERT_TRUE(sum->check->ok);
        CU_ASSERT_EQUAL(sum->check->tuning_cost, sum->check->tunings * 7);
        cost = (struct cost){sum->steps, sum->check->tunings, sum->formula.steps, sum->formula.tunings, sum->bound};
    }
    rwa_plan_free(plan);
    rwa_network_free(net);
    return cost;
}

static uint64_t ceil_div(uint64_t a, uint64_t b)
{
    return a / b + (a % b != 0);
}

/* Desprez, Ferreira, Tourancheau, Section 3, at P = 64, k = 3, so h = 3: scatter and gather (P-1)/k = 21 and P-1 tunings,
   all-to-all (P-1)/k and hPk = 576, personalised h P/(k+1) = 48 and hPk; broadcast of m = 128 messages with h' split
   steps (2/k ((k+1)^h' - 1) + h - h') m/(k+1)^h' and P-1 + h'Pk. */
static void the_papers_costs_are_counted(void)
{
    static const struct {
        rwa_collective_kind kind;
        uint32_t splits;
        uint64_t blocks, steps, tunings;
    } cases[] = {
        {RWA_SCATTER, RWA_SPLIT_BEST, 0, 21, 63},         {RWA_GATHER, RWA_SPLIT_BEST, 0, 21, 63},
        {RWA_ALL_GATHER, RWA_SPLIT_BEST, 0, 21, 576},     {RWA_ALL_TO_ALL, RWA_SPLIT_BEST, 0, 48, 576},
        {RWA_BROADCAST, 0, 128, 3 * 128, 63},             {RWA_BROADCAST, 1, 128, (2 + 2) * 128 / 4, 63 + 192},
        {RWA_BROADCAST, 2, 128, (10 + 1) * 128 / 16, 63 + 384}, {RWA_BROADCAST, 3, 128, 42 * 128 / 64, 63 + 576},
        {RWA_ALL_GATHER, RWA_SPLIT_BEST, 64 * 5, 5 * 21, 576}, {RWA_SCATTER, RWA_SPLIT_BEST, 64 * 2, 42, 63},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct cost c = cost_of(cases[i].kind, (struct setting){64, 3, 0, cases[i].splits, cases[i].blocks, 0});
        CU_ASSERT_EQUAL(c.steps, cases[i].steps);
        CU_ASSERT_EQUAL(c.tunings, cases[i].tunings);
        CU_ASSERT_EQUAL(c.formula_steps, cases[i].steps);
        CU_ASSERT_EQUAL(c.formula_tunings, cases[i].tunings);
    }
}

/* The lower bounds of Table 1: m/k, (P-1)/k, (P-1)/k, (P-1)/k. */
static void the_bounds_are_the_papers(void)
{
    struct setting s = {64, 3, 0, RWA_SPLIT_BEST, 0, 0}, m = {64, 3, 0, 3, 128, 0};
    CU_ASSERT_EQUAL(cost_of(RWA_BROADCAST, m).bound.value, ceil_div(128, 3));
    CU_ASSERT_EQUAL(cost_of(RWA_SCATTER, s).bound.value, 21);
    CU_ASSERT_EQUAL(cost_of(RWA_GATHER, s).bound.value, 21);
    CU_ASSERT_EQUAL(cost_of(RWA_ALL_GATHER, s).bound.value, 21);
    CU_ASSERT_EQUAL(cost_of(RWA_ALL_TO_ALL, s).bound.value, 21);
}

/* h' with the least total: against all h' one by one, the judge's counts. */
static void the_best_split_is_the_best(void)
{
    for (uint64_t m = 16; m <= 4096; m *= 4) {
        struct setting s = {64, 3, 0, RWA_SPLIT_BEST, m, 0};
        struct cost best = cost_of(RWA_BROADCAST, s);
        for (s.splits = 0; s.splits <= 3; s.splits++) {
            struct cost c = cost_of(RWA_BROADCAST, s);
            CU_ASSERT_TRUE(best.steps + 7 * best.tunings <= c.steps + 7 * c.tunings);
        }
    }
}

/** Never more than the paper says for the next power of k + 1; all-gather reaches ceil((P-1)/k) for any P. */
static void judge_size(uint32_t n, uint32_t k, int all)
{
    struct setting s = {n, k, n / 3, RWA_SPLIT_BEST, 0, 0};
    uint64_t classes = 1;
    struct cost c = cost_of(RWA_SCATTER, s);
    CU_ASSERT_TRUE(c.steps <= c.formula_steps && c.tunings == n - 1);
    c = cost_of(RWA_GATHER, s);
    CU_ASSERT_TRUE(c.steps <= c.formula_steps && c.tunings == n - 1);
    c = cost_of(RWA_ALL_GATHER, s);
    CU_ASSERT_EQUAL(c.steps, ceil_div(n - 1, k < n ? k : n - 1));
    CU_ASSERT_TRUE(c.tunings <= c.formula_tunings);
    for (s.splits = 0; s.splits == 0 || classes < n; s.splits++) {
        classes = 1;
        for (uint32_t i = 0; i < s.splits; i++)
            classes *= k + 1;
        s.blocks = classes * 2; /* parts of two blocks; more parts than nodes: then one part a node */
        c = cost_of(RWA_BROADCAST, s);
        CU_ASSERT_TRUE(c.tunings <= c.formula_tunings);
        CU_ASSERT_TRUE(classes > n || c.steps <= c.formula_steps);
    }
    s.splits = RWA_SPLIT_BEST;
    s.blocks = 0;
    if (!all)
        return;
    c = cost_of(RWA_ALL_TO_ALL, s);
    CU_ASSERT_TRUE(c.steps <= c.formula_steps && c.tunings <= c.formula_tunings);
}

static void any_number_of_nodes_costs_no_more_than_the_next_power(void)
{
    const char *full = getenv("RWA_TEST_FULL"); /* every P up to 200 */
    for (uint32_t n = 2; n <= 200; n += full ? 1 : 1 + n / 9)
        for (uint32_t k = 1; k <= 7; k++)
            judge_size(n, k, full || n <= 70);
    judge_size(200, 3, 1);
}

/* Fewer channels than transmissions: they take turns, and the judge is content all the same. */
static void few_channels_take_turns(void)
{
    for (uint32_t w = 1; w <= 16; w *= 2)
        for (int kind = RWA_ALL_GATHER; kind <= RWA_ALL_TO_ALL; kind++) {
            struct setting s = {20, 3, 1, RWA_SPLIT_BEST, 0, w};
            if (rwa_collective_is_reduction(kind))
                continue;
            struct cost c = cost_of((rwa_collective_kind)kind, s);
            CU_ASSERT_TRUE(c.steps >= c.bound.value);
        }
}

static void a_split_that_does_not_fit_is_a_bad_argument(void)
{
    rwa_network *net = NULL;
    rwa_collective coll;
    rwa_plan_options opts;
    rwa_plan *plan = NULL;
    rwa_network_options o;
    rwa_network_options_init(&o);
    o.ports = 3;
    rwa_plan_options_init(&opts);
    CU_ASSERT_EQUAL_FATAL(rwa_network_create(&net, RWA_STAR, 64, &o, NULL), RWA_OK);
    CU_ASSERT_EQUAL_FATAL(rwa_collective_init(&coll, RWA_BROADCAST, 64, 0, 64, 64, NULL), RWA_OK);
    opts.split_steps = 4;
    CU_ASSERT_EQUAL(rwa_plan_make(&plan, net, &coll, &opts, NULL), RWA_BADARG);
    CU_ASSERT_EQUAL_FATAL(rwa_collective_init(&coll, RWA_SCATTER, 64, 0, 64, 0, NULL), RWA_OK);
    opts.split_steps = 1;
    CU_ASSERT_EQUAL(rwa_plan_make(&plan, net, &coll, &opts, NULL), RWA_BADARG);
    rwa_network_free(net);
}

/* The same patterns as matchings of switches; every collective, any size, one wavelength and several. */
static void switches_carry_the_patterns_too(void)
{
    for (uint32_t n = 2; n <= 60; n += 1 + n / 8)
        for (uint32_t q = 1; q <= 6; q++)
            for (int kind = RWA_ALL_GATHER; kind <= RWA_ALL_TO_ALL; kind++) {
                rwa_network *net = NULL;
                rwa_network_options o;
                rwa_collective coll;
                rwa_plan_options opts;
                rwa_plan *plan = NULL;
                rwa_error err = {0};
                if (rwa_collective_is_reduction(kind))
                    continue;
                rwa_network_options_init(&o);
                rwa_plan_options_init(&opts);
                o.fibers = q;
                o.wavelengths = 1 + n % 3;
                o.ports = q % 4;
                opts.scheme = "tcp";
                CU_ASSERT_EQUAL_FATAL(rwa_network_create(&net, RWA_OCS, n, &o, NULL), RWA_OK);
                CU_ASSERT_EQUAL_FATAL(rwa_collective_init(&coll, (rwa_collective_kind)kind, n, kind == RWA_ALL_TO_ALL ? 0 : n / 2,
                                                          1 << 16, kind == RWA_BROADCAST ? 30 : 0, NULL), RWA_OK);
                if (rwa_plan_make(&plan, net, &coll, &opts, &err) != RWA_OK) {
                    CU_FAIL("no plan");
                    fprintf(stderr, "%s, N = %u, Q = %u: %s\n", rwa_collective_name(coll.kind), n, q, err.text);
                } else {
                    CU_ASSERT_TRUE(rwa_plan_summary(plan)->check->ok);
                    CU_ASSERT_TRUE(rwa_plan_summary(plan)->steps >= rwa_plan_summary(plan)->bound.value);
                    CU_ASSERT_FALSE(rwa_plan_summary(plan)->formula.known);
                }
                rwa_plan_free(plan);
                rwa_network_free(net);
            }
}

int main(void)
{
    static const struct test tests[] = {
        TEST(the_papers_costs_are_counted), TEST(the_bounds_are_the_papers), TEST(the_best_split_is_the_best),
        TEST(any_number_of_nodes_costs_no_more_than_the_next_power), TEST(few_channels_take_turns),
        TEST(a_split_that_does_not_fit_is_a_bad_argument), TEST(switches_carry_the_patterns_too), {0}};
    return run_tests("star", tests);
}
