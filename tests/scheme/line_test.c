/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rwa.h"

#include "delivery/line/line_schedule.h"

#include "tests/support/suite.h"

#include <stdlib.h>
#include <string.h>

static bool thorough;

static rwa_plan *plan_of(uint32_t nodes, uint32_t wavelengths, uint32_t fibers, rwa_collective_kind kind, uint32_t max_hops)
{
    rwa_network_options no;
    rwa_plan_options po;
    rwa_collective coll;
    rwa_network *net = NULL;
    rwa_plan *plan = NULL;
    char spec[32];
    snprintf(spec, sizeof spec, "line:%u", nodes);
    rwa_network_options_init(&no);
    rwa_plan_options_init(&po);
    no.wavelengths = wavelengths;
    no.fibers = fibers;
    po.scheme = "line-wavefront";
    po.max_hops = max_hops;
    po.time_limit_s = 0;
    CU_ASSERT_EQUAL_FATAL(rwa_network_parse(&net, spec, &no, NULL), RWA_OK);
    CU_ASSERT_EQUAL_FATAL(rwa_collective_init(&coll, kind, nodes, 0, 4096, 0, NULL), RWA_OK);
    CU_ASSERT_EQUAL_FATAL(rwa_plan_make(&plan, net, &coll, &po, NULL), RWA_OK);
    rwa_network_free(net);
    CU_ASSERT_TRUE(rwa_plan_summary(plan)->check->ok);
    return plan;
}

/* Nothing beats the bound, and up to 16 nodes and 4 channels all plans are proven the shortest. */
static void small_lines_are_at_the_bound(void)
{
    for (uint32_t nodes = 2; nodes <= 16; nodes++)
        for (uint32_t wavelengths = 1; wavelengths <= 4; wavelengths++) {
            rwa_plan *plan = plan_of(nodes, wavelengths, 1, RWA_ALL_GATHER, 0);
            const rwa_plan_report *s = rwa_plan_summary(plan);
            CU_ASSERT_EQUAL(s->steps, s->bound.value);
            rwa_plan_free(plan);
        }
}

static void steps_at_most(uint32_t nodes, uint32_t wavelengths, uint32_t fibers, rwa_collective_kind kind,
                          uint32_t max_hops, uint32_t most)
{
    rwa_plan *plan = plan_of(nodes, wavelengths, fibers, kind, max_hops);
    const rwa_plan_report *s = rwa_plan_summary(plan);
    if (s->steps > most)
        fprintf(stderr, "line:%u, %u x %u: %u steps\n", nodes, fibers, wavelengths, s->steps);
    CU_ASSERT_TRUE(s->steps <= most);
    CU_ASSERT_TRUE(s->steps >= s->bound.value);
    CU_ASSERT_TRUE(max_hops == 0 || s->longest_hops <= max_hops);
    rwa_plan_free(plan);
}

/* W of about N²/4 channels carry everything at once; with one, the two directions of a chain of N nodes take N-1 steps;
 * two fibres are twice the channels, and 64 nodes take no less than 9 steps (link-capacity); what is gathered is reduced backwards. */
static void plans_pass_the_checker(void)
{
    steps_at_most(7, 12, 1, RWA_ALL_GATHER, 0, 1);
    steps_at_most(40, 1, 1, RWA_ALL_GATHER, 0, 39);
    steps_at_most(64, 8, 1, RWA_ALL_GATHER, 0, 10);
    steps_at_most(64, 4, 2, RWA_ALL_GATHER, 0, 10);
    steps_at_most(29, 5, 1, RWA_REDUCE_SCATTER, 0, 7);
    steps_at_most(29, 5, 1, RWA_ALL_REDUCE, 0, 14);
    if (thorough) {
        steps_at_most(100, 8, 1, RWA_ALL_GATHER, 0, 14);
        steps_at_most(80, 12, 1, RWA_ALL_GATHER, 0, 8);
    }
    steps_at_most(65, 3, 1, RWA_ALL_GATHER, 2, 40);
    steps_at_most(20, 4, 1, RWA_ALL_GATHER, 1, 19);
}

static int stop(void *data, const char *phase, double fraction)
{
    (void)phase;
    (void)fraction;
    return ++*(int *)data > 2;
}

/* The first attempt is always finished; after that the caller may stop. */
static void the_caller_may_stop(void)
{
    struct spread_limits limits = {.nodes = 30, .channels = 4, .drops = 1};
    struct delivery_tree found;
    struct bins steps;
    int polls = 0;
    struct budget budget = base_budget(0, NULL, NULL), stopped = base_budget(0, stop, &polls), late = base_budget(1e-9, NULL, NULL);
    rwa_status st = line_schedule_find(&found, &limits, &stopped, NULL);
    CU_ASSERT_TRUE(st == RWA_CANCELLED || found.steps == line_fewest_steps(&limits));
    delivery_tree_free(&found);
    CU_ASSERT_EQUAL(line_schedule_find(&found, &limits, &late, NULL), RWA_OK);
    uint32_t first = found.steps;
    delivery_tree_free(&found);
    CU_ASSERT_EQUAL(line_schedule_find(&found, &limits, &budget, NULL), RWA_OK);
    CU_ASSERT_TRUE(found.steps <= first);
    CU_ASSERT_EQUAL_FATAL(delivery_tree_list(&steps, &found, false, NULL), RWA_OK);
    CU_ASSERT_EQUAL(steps.first[found.steps], 30 * 29);
    bins_free(&steps);
    delivery_tree_free(&found);
}

int main(int argc, char **argv)
{
    static const struct test tests[] = {
        TEST(small_lines_are_at_the_bound), TEST(plans_pass_the_checker), TEST(the_caller_may_stop), {0}};
    thorough = is_thorough(argc, argv);
    return run_tests("line", tests);
}
