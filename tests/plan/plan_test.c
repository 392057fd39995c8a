/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rwa.h"

#include "base/base.h"
#include "plan/plan.h"

#include "tests/support/plans.h"
#include "tests/support/suite.h"

#include <stdlib.h>
#include <string.h>

static bool thorough;

static rwa_plan *plan(const rwa_network *net, const char *scheme, const uint32_t *radix, size_t count)
{
    rwa_collective coll;
    rwa_plan_options o;
    rwa_plan *p = NULL;
    rwa_error err = {0};
    rwa_plan_options_init(&o);
    o.scheme = scheme;
    o.radix = radix;
    o.radix_count = count;
    o.lightpath_blocks = 1;
    CU_ASSERT_EQUAL_FATAL(rwa_collective_init(&coll, RWA_ALL_GATHER, rwa_network_nodes(net), 0, 4096, 0, NULL), RWA_OK);
    if (rwa_plan_make(&p, net, &coll, &o, &err) != RWA_OK)
        fprintf(stderr, "%s\n", err.text);
    CU_ASSERT_PTR_NOT_NULL_FATAL(p);
    return p;
}

/* All-to-all on a ring needs ceil(floor(N^2/4)/2) wavelengths (total shortest length over the links), on a line
 * floor(N^2/4) (the middle link): the explicit assignment must reach exactly that, N = 5 for instance 3 and not 4. */
static void one_stage_uses_exactly_the_proven_minimum(void)
{
    for (uint32_t n = 2; n <= 200; n += thorough || n < 20 ? 1 : 7)
        for (int kind = RWA_RING; kind <= RWA_LINE; kind++) {
            uint64_t exact = (uint64_t)n * n / 4;
            rwa_network *net = network_sized((rwa_topology)kind, n, 64, 1);
            rwa_plan *p = plan(net, "one-stage", NULL, 0);
            const rwa_plan_report *s = rwa_plan_summary(p);
            CU_ASSERT_EQUAL(rwa_plan_stage(p, 0)->wavelengths, kind == RWA_RING ? (exact + 1) / 2 : exact);
            CU_ASSERT_TRUE(s->check->ok);
            CU_ASSERT_EQUAL(s->lightpaths, (uint64_t)n * (n - 1));
            rwa_plan_free(p);
            rwa_network_free(net);
        }
}

/* OpTree's own example (Section III-C): 12 steps in two 4-ary stages, 16 in stages 2, 3, 3; explicit never more. */
static void the_paper_example_is_met_or_beaten(void)
{
    static const uint32_t four[] = {4, 4}, three[] = {2, 3, 3};
    rwa_network *net = network_sized(RWA_RING, 16, 2, 1);
    rwa_plan *p = plan(net, "optree", four, 2);
    const rwa_plan_report *s = rwa_plan_summary(p);
    CU_ASSERT_EQUAL(s->formula.steps, 12);
    CU_ASSERT_EQUAL(s->formula.stage_wavelengths[0], 8);
    CU_ASSERT_EQUAL(s->formula.stage_wavelengths[1], 16);
    CU_ASSERT_TRUE(s->steps <= 12 && s->check->ok);
    rwa_plan_free(p);
    p = plan(net, "optree", three, 3);
    s = rwa_plan_summary(p);
    CU_ASSERT_EQUAL(s->formula.steps, 16);
    CU_ASSERT_EQUAL(s->formula.stage_wavelengths[1], 12);
    CU_ASSERT_TRUE(s->steps <= 16 && s->check->ok);
    rwa_plan_free(p);
    rwa_network_free(net);
}

/* Every block reaches every node exactly once, whatever N: primes, powers, neither. */
static void optree_is_checked_for_any_number_of_nodes(void)
{
    static const uint32_t nodes[] = {2, 3, 5, 7, 13, 16, 27, 97, 100, 360}, wavelengths[] = {1, 2, 5, 64};
    for (size_t i = 0; i < sizeof nodes / sizeof *nodes; i++)
        for (size_t k = 0; k < sizeof wavelengths / sizeof *wavelengths; k++) {
            rwa_network *net = network_sized(RWA_RING, nodes[i], wavelengths[k], 1);
            rwa_plan *p = plan(net, "optree", NULL, 0);
            const rwa_plan_report *s = rwa_plan_summary(p);
            CU_ASSERT_TRUE(s->check->ok);
            CU_ASSERT_EQUAL(s->lightpaths, (uint64_t)nodes[i] * (nodes[i] - 1));
            CU_ASSERT_TRUE(s->steps >= s->bound.value);
            rwa_plan_free(p);
            rwa_network_free(net);
        }
}

/* Theorem 1 at the stages that Tables 1 to 3 of OpTree rest on.  Equal shares instead of equal positions, and spare
 * channels lent to the next stage, beat them all. */
static void optree_takes_fewer_steps_than_printed(void)
{
    static const uint32_t cases[][3] = {{512, 64, 32}, {1024, 64, 70}, {1024, 4, 1118}, {1024, 16, 280}, {1024, 128, 35}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        rwa_network *net = network_sized(RWA_RING, cases[i][0], cases[i][1], 1);
        rwa_plan *p = plan(net, "optree", NULL, 0);
        CU_ASSERT_TRUE(rwa_plan_summary(p)->check->ok);
        CU_ASSERT_TRUE(rwa_plan_summary(p)->steps < cases[i][2]);
        rwa_plan_free(p);
        rwa_network_free(net);
    }
}

/* A stage whose children hold equal shares of N blocks crosses the middle of its group floor(m^2 / 4) ceil(N / m) times at
 * most, give or take the rounding of shares.  The second stage of a ring is left out: it starts from positions. */
static void later_stages_need_what_equal_shares_say(void)
{
    static const uint32_t radix[] = {5, 3, 3, 3, 3, 3};
    for (uint32_t n = 300; n <= 1024; n += 181) {
        rwa_network *net = network_sized(RWA_RING, n, 64, 1);
        rwa_plan *p = plan(net, "optree", radix, 6);
        const rwa_plan_report *s = rwa_plan_summary(p);
        CU_ASSERT_TRUE(s->check->ok);
        for (size_t j = 2; j < s->stages; j++)
            CU_ASSERT_TRUE(rwa_plan_stage(p, j)->wavelengths <= 2 * ((n + 2) / 3) + 2);
        rwa_plan_free(p);
        rwa_network_free(net);
    }
}

/* Any radices whose product reaches N: no node is left in company, no block lost. */
static void any_radices_are_carried_out(void)
{
    uint64_t state = 11;
    for (int round = 0; round < 400; round++) {
        uint32_t radix[16], n = 2 + (uint32_t)base_random_below(&state, 90);
        size_t count = 0;
        for (uint64_t product = 1; product < n; product *= radix[count - 1])
            radix[count++] = 2 + (uint32_t)base_random_below(&state, 6);
        rwa_network *net = network_sized(round % 3 ? RWA_RING : RWA_LINE, n, 1 + (uint32_t)base_random_below(&state, 5), 1);
        rwa_plan *p = plan(net, "optree", radix, count);
        CU_ASSERT_TRUE(rwa_plan_summary(p)->check->ok);
        CU_ASSERT_EQUAL(rwa_plan_summary(p)->lightpaths, (uint64_t)n * (n - 1));
        rwa_plan_free(p);
        rwa_network_free(net);
    }
}

static void radices_that_do_not_fit_are_refused(void)
{
    static const uint32_t small[] = {3, 5}, unit[] = {1, 16};
    const uint32_t *bad[] = {small, unit};
    rwa_network *net = network_sized(RWA_RING, 16, 2, 1);
    rwa_collective coll;
    CU_ASSERT_EQUAL(rwa_collective_init(&coll, RWA_ALL_GATHER, 16, 0, 1, 0, NULL), RWA_OK);
    for (size_t i = 0; i < 2; i++) {
        rwa_plan_options o;
        rwa_plan *p = NULL;
        rwa_plan_options_init(&o);
        o.scheme = "optree";
        o.radix = bad[i];
        o.radix_count = 2;
        CU_ASSERT_EQUAL(rwa_plan_make(&p, net, &coll, &o, NULL), RWA_BADARG);
        CU_ASSERT_PTR_NULL(p);
    }
    rwa_network_free(net);
}

/* With one port and one block on a lightpath a node of 8 sends one block a step: 7 steps at least.  one-stage sends more at a time. */
static void schedules_that_crowd_the_ports_are_refused(void)
{
    rwa_network_options o;
    rwa_network *net = NULL;
    rwa_network_options_init(&o);
    o.ports = 1;
    CU_ASSERT_EQUAL_FATAL(rwa_network_create(&net, RWA_RING, 8, &o, NULL), RWA_OK);
    rwa_plan *crowded = plan(net, "one-stage", NULL, 0), *best = plan(net, "auto", NULL, 0);
    CU_ASSERT_EQUAL(rwa_plan_summary(crowded)->outcome, RWA_INFEASIBLE);
    CU_ASSERT_PTR_NOT_NULL(strstr(rwa_plan_summary(crowded)->why, "1 ports"));
    CU_ASSERT_PTR_NULL(rwa_plan_schedule(crowded));
    CU_ASSERT_TRUE(rwa_plan_summary(best)->check->ok);
    CU_ASSERT_EQUAL(rwa_plan_summary(best)->steps, 7);
    rwa_plan_free(crowded);
    rwa_plan_free(best);
    rwa_network_free(net);
}

/* Where it searched the plans of all of them, or their checks went through all lightpaths, these took minutes and more. */
static void giant_networks_are_planned_or_refused_at_once(void)
{
    static const struct { const char *spec; rwa_collective_kind kind; rwa_cost_model model; rwa_status expected; } cases[] = {
        {"ring:65536", RWA_ALL_GATHER, RWA_COST_PAPER, RWA_OK}, {"ring:65536", RWA_ALL_GATHER, RWA_COST_OVERLAP, RWA_OK},
        {"ring:65536", RWA_ALL_REDUCE, RWA_COST_PAPER, RWA_OK}, {"ring:65536", RWA_BROADCAST, RWA_COST_PAPER, RWA_OK},
        {"ring:1048576", RWA_REDUCE_SCATTER, RWA_COST_PAPER, RWA_BADARG}, {"line:1048576", RWA_ALL_GATHER, RWA_COST_PAPER, RWA_BADARG},
        {"torus:256x256", RWA_ALL_GATHER, RWA_COST_PAPER, RWA_BADARG}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        rwa_network *net = NULL;
        rwa_collective coll;
        rwa_plan_options o;
        rwa_plan *p = NULL;
        rwa_plan_options_init(&o);
        o.cost.model = cases[i].model;
        CU_ASSERT_EQUAL_FATAL(rwa_network_parse(&net, cases[i].spec, NULL, NULL), RWA_OK);
        CU_ASSERT_EQUAL_FATAL(rwa_collective_init(&coll, cases[i].kind, rwa_network_nodes(net), 0, 1 << 22, 0, NULL), RWA_OK);
        CU_ASSERT_EQUAL(rwa_plan_make(&p, net, &coll, &o, NULL), cases[i].expected);
        rwa_plan_free(p);
        rwa_network_free(net);
    }
}

static int answer(void *data, const char *phase, double fraction)
{
    (void)phase;
    (void)fraction;
    return *(int *)data;
}

/* A limit that ends the work on one scheme leaves others; a caller who stops the planning, or a failure, ends it. */
static void a_limit_of_one_scheme_ends_no_planning(void)
{
    rwa_plan_options o;
    int stops = 0;
    rwa_plan_options_init(&o);
    CU_ASSERT(work_was_limited(&o, RWA_CANCELLED));
    CU_ASSERT(!work_was_limited(&o, RWA_NOMEM));
    o.poll = answer;
    o.poll_data = &stops;
    CU_ASSERT(work_was_limited(&o, RWA_CANCELLED));
    stops = 1;
    CU_ASSERT(!work_was_limited(&o, RWA_CANCELLED));
}

/** What auto makes of a message in so many blocks (0: as many as it likes) on 64 wavelengths; a plan is checked as it is made. */
static rwa_plan *plan_blocks(const char *spec, rwa_collective_kind kind, uint64_t bytes, uint64_t blocks, uint32_t stripes, rwa_error *err)
{
    rwa_network *net = network_of(spec, 64);
    rwa_collective coll;
    rwa_plan_options o;
    rwa_plan *p = NULL;
    rwa_plan_options_init(&o);
    o.stripes = stripes;
    CU_ASSERT_EQUAL_FATAL(rwa_collective_init(&coll, kind, rwa_network_nodes(net), 0, bytes, blocks, NULL), RWA_OK);
    (void)rwa_plan_make(&p, net, &coll, &o, err);
    rwa_network_free(net);
    return p;
}

/* Stripe j of block b belongs to the owner of b only if all nodes own equally many blocks: with 2 blocks for 7 nodes, stripes 0 and 1 of 4
 * are node 0's and 1's, but of 2 blocks nodes 0 and 3 have one each.  A block in no stripes then, or no plan. */
static void stripes_stay_with_the_owner_of_their_block(void)
{
    static const rwa_collective_kind owned[] = {RWA_SCATTER, RWA_GATHER, RWA_ALL_GATHER, RWA_REDUCE_SCATTER};
    for (size_t k = 0; k < sizeof owned / sizeof *owned; k++)
        for (uint64_t blocks = 2; blocks < 7; blocks++) {
            rwa_error err = {0};
            rwa_plan *p = plan_blocks("tree:2x2", owned[k], 1 << 30, blocks, 0, &err);
            CU_ASSERT_PTR_NOT_NULL_FATAL(p);
            CU_ASSERT_PTR_NOT_NULL_FATAL(rwa_plan_schedule(p));
            CU_ASSERT_EQUAL(rwa_plan_summary(p)->stripes, 1);
            CU_ASSERT_EQUAL(rwa_schedule_collective(rwa_plan_schedule(p))->blocks, blocks);
            rwa_plan_free(p);
            CU_ASSERT_PTR_NULL(plan_blocks("tree:2x2", owned[k], 1 << 30, blocks, 2, &err));
            CU_ASSERT_EQUAL(err.status, RWA_BADARG);
        }
}

/* The one block of a scatter is node 0's, which is the root. */
static void a_collective_that_sends_nothing_has_no_plan(void)
{
    rwa_error err = {0};
    rwa_plan *p = plan_blocks("tree:2x2", RWA_SCATTER, 4096, 1, 0, &err);
    CU_ASSERT_PTR_NOT_NULL_FATAL(p);
    CU_ASSERT_PTR_NULL(rwa_plan_schedule(p));
    CU_ASSERT_PTR_NOT_NULL(strstr(rwa_plan_summary(p)->why, "nothing is to be sent"));
    rwa_plan_free(p);
}

/* Four steps of 1e308 s are longer than a number can say, for planner and checker alike: no reason to doubt the plan. */
static void a_time_may_be_infinite(void)
{
    rwa_network *net = network_of("ring:8", 1);
    rwa_plan_options o;
    rwa_plan_options_init(&o);
    o.cost.reconfig_s = 1e308;
    rwa_plan *p = plan_made_on(net, RWA_ALL_GATHER, 4096, &o);
    CU_ASSERT_PTR_NOT_NULL_FATAL(p);
    CU_ASSERT_TRUE(rwa_plan_summary(p)->check->ok && isinf(rwa_plan_summary(p)->time_s));
    rwa_plan_free(p);
}

/* A size of 1 adds nothing: a search that goes dimension by dimension must not come back to it for ever. */
static void dimensions_of_one_node_are_planned(void)
{
    static const char *const specs[] = {"torus:4x1", "torus:2x1", "mesh:5x1", "torus:4x1x5", "mesh:2x1x3"};
    static const rwa_collective_kind kinds[] = {RWA_ALL_GATHER, RWA_REDUCE_SCATTER, RWA_ALL_REDUCE, RWA_BROADCAST};
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++)
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
            if (!thorough && k != i % 4) /* every network, and every collective */
                continue;
            rwa_plan *p = plan_blocks(specs[i], kinds[k], 1000000000000, 0, 0, NULL);
            CU_ASSERT_PTR_NOT_NULL_FATAL(p);
            CU_ASSERT_PTR_NOT_NULL(rwa_plan_schedule(p));
            rwa_plan_free(p);
        }
}

int main(int argc, char **argv)
{
    static const struct test tests[] = {
        TEST(one_stage_uses_exactly_the_proven_minimum), TEST(the_paper_example_is_met_or_beaten),
        TEST(optree_is_checked_for_any_number_of_nodes), TEST(optree_takes_fewer_steps_than_printed),
        TEST(later_stages_need_what_equal_shares_say), TEST(any_radices_are_carried_out),
        TEST(schedules_that_crowd_the_ports_are_refused), TEST(radices_that_do_not_fit_are_refused),
        TEST(giant_networks_are_planned_or_refused_at_once), TEST(a_limit_of_one_scheme_ends_no_planning),
        TEST(stripes_stay_with_the_owner_of_their_block), TEST(a_collective_that_sends_nothing_has_no_plan),
        TEST(dimensions_of_one_node_are_planned), TEST(a_time_may_be_infinite), {0}};
    thorough = is_thorough(argc, argv);
    return run_tests("plan", tests);
}
