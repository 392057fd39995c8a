/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rwa.h"

#include "delivery/line/line_schedule.h"
#include "delivery/line/one_sided_dp.h"

#include "tests/support/suite.h"

#include <stdlib.h>
#include <string.h>

static bool thorough;

enum { SIDE = 6 };

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

/** The cost of a lightpath that these nodes read, from the best of all holders that has them on one side; nodes count from the
 *  owner. */
static uint32_t light(const struct one_sided_dp *s, uint32_t links, uint32_t step, uint32_t holders, uint32_t readers)
{
    uint32_t least = DP_INFEASIBLE, low = 0, high = links;
    while (!(readers >> low & 1))
        low++;
    while (!(readers >> high & 1))
        high--;
    for (uint32_t u = 0; u <= links; u++) {
        uint32_t cost = 0, from = u < low ? u : low, to = u < low ? high : u;
        for (uint32_t e = from; e < to; e++)
            cost += (u < low ? s->out : s->back)[step * links + e];
        if (holders >> u & 1 && (u < low || u > high) && to - from <= s->longest && cost < least)
            least = cost;
    }
    return least;
}

static uint32_t size_of(uint32_t set)
{
    return set == 0 ? 0 : 1 + size_of(set & (set - 1));
}

/** The least cost of informing a set in a step, by all ways to share lightpaths. */
static uint32_t inform_all(const struct one_sided_dp *s, uint32_t links, uint32_t step, uint32_t holders, uint32_t set)
{
    uint32_t least = DP_INFEASIBLE, one = set & (~set + 1), others = set & ~one;
    if (set == 0)
        return 0;
    for (uint32_t more = others;; more = (more - 1) & others) {
        if (size_of(more) < s->drops) {
            uint32_t cost = light(s, links, step, holders, one | more);
            if (cost < DP_INFEASIBLE)
                cost += inform_all(s, links, step, holders, others & ~more);
            least = cost < least ? cost : least;
        }
        if (more == 0)
            return least;
    }
}

/** The least cost of any way from the owner, by all sets of holders and all larger ones after each step. */
static uint32_t plain_cost(const struct one_sided_dp *s, uint32_t links)
{
    static uint32_t now[1 << (SIDE + 1)], next[1 << (SIDE + 1)];
    uint32_t all = (2u << links) - 1;
    for (uint32_t set = 0; set <= all; set++)
        now[set] = set == all ? 0 : DP_INFEASIBLE;
    for (uint32_t step = s->steps; step-- > 0; memcpy(now, next, sizeof now))
        for (uint32_t set = 1; set <= all; set++) {
            next[set] = DP_INFEASIBLE;
            for (uint32_t new = all & ~set;; new = (new - 1) & ~set) {
                uint32_t cost = now[set | new];
                if (cost < DP_INFEASIBLE)
                    cost += inform_all(s, links, step, set, new);
                next[set] = cost < next[set] ? cost : next[set];
                if (new == 0)
                    break;
            }
        }
    return now[1];
}

/** Carry out a way; every node must receive once, from one that holds the block since an earlier step, on a lightpath that goes as far
 *  at least and that no more than `drops` read.  Returns its cost. */
static uint32_t cost_of(const struct one_sided_dp *s, uint32_t links, const struct delivery *row)
{
    uint32_t holders = 1, informed = 0, cost = 0;
    for (uint32_t step = 1; step <= s->steps; step++, holders |= informed)
        for (uint32_t v = 1; v <= links; v++) {
            const struct delivery *d = &row[v];
            uint32_t beyond = 0, ends = 0;
            if (d->step != step)
                continue;
            CU_ASSERT_TRUE(holders >> d->from & 1 && !((holders | informed) >> v & 1));
            CU_ASSERT_EQUAL(d->links, d->from < v ? v - d->from : d->from - v);
            CU_ASSERT_TRUE(d->links <= s->longest && d->way == (d->from > v));
            informed |= 1u << v;
            cost += d->ends ? light(s, links, step - 1, 1u << d->from, 1u << v) : 0;
            for (uint32_t k = 1; k <= links; k++)
                if (row[k].step == step && row[k].from == d->from && (d->from < v ? k >= v : k <= v)) {
                    beyond++;
                    ends += row[k].ends;
                }
            CU_ASSERT_TRUE(ends * s->drops >= beyond);
        }
    CU_ASSERT_EQUAL(holders, (2u << links) - 1);
    return cost;
}

/* The recurrence looks only at hops from neighbouring holders; no way from any holders is cheaper. */
static void ways_are_cheapest(void)
{
    uint64_t random = 3;
    struct delivery row[SIDE + 1] = {{0}}, mirrored[SIDE + 1] = {{0}};
    for (uint32_t round = 0; round < 180; round++) {
        uint32_t drops = 1 + round / 60, links = 1 + round % SIDE, steps = 1 + round / 6 % 3;
        uint32_t longest = (links + steps - 1) / steps + round % 3;
        struct one_sided_dp s;
        CU_ASSERT_EQUAL_FATAL(one_sided_dp_create(&s, links, steps, longest < links ? longest : links, drops, NULL), RWA_OK);
        for (uint32_t i = 0; i < steps * links; i++) {
            s.out[i] = (uint32_t)base_random_below(&random, 1 + round % 9);
            s.back[i] = (uint32_t)base_random_below(&random, 1 + round % 5);
        }
        one_sided_dp_find(&s, links, &(struct dp_target){row, 0, 0, false});
        one_sided_dp_find(&s, links, &(struct dp_target){mirrored, links, 3, true});
        for (uint32_t v = 1; v <= links; v++)
            CU_ASSERT_TRUE(mirrored[links - v].step == row[v].step + 3 && mirrored[links - v].from == links - row[v].from &&
                           mirrored[links - v].way != row[v].way);
        /* longer gaps than hops are not looked at; they never pay where a hop could be as long */
        if (s.longest == links)
            CU_ASSERT_EQUAL(cost_of(&s, links, row), plain_cost(&s, links));
        CU_ASSERT_TRUE(cost_of(&s, links, row) >= plain_cost(&s, links));
        one_sided_dp_free(&s);
    }
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
    steps_at_most(64, 8, 1, RWA_ALL_GATHER, 0, 9);
    steps_at_most(64, 4, 2, RWA_ALL_GATHER, 0, 9);
    steps_at_most(29, 5, 1, RWA_REDUCE_SCATTER, 0, 6);
    steps_at_most(29, 5, 1, RWA_ALL_REDUCE, 0, 12);
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
    struct line_limits limits = {.nodes = 30, .channels = 4, .drops = 1};
    struct line_schedule found;
    int polls = 0;
    struct budget budget = base_budget(0, NULL, NULL), stopped = base_budget(0, stop, &polls), late = base_budget(1e-9, NULL, NULL);
    rwa_status st = line_schedule_find(&found, &limits, &stopped, NULL);
    CU_ASSERT_TRUE(st == RWA_CANCELLED || found.trees.steps == line_fewest_steps(&limits));
    line_schedule_free(&found);
    CU_ASSERT_EQUAL(line_schedule_find(&found, &limits, &late, NULL), RWA_OK);
    uint32_t first = found.trees.steps;
    line_schedule_free(&found);
    CU_ASSERT_EQUAL(line_schedule_find(&found, &limits, &budget, NULL), RWA_OK);
    CU_ASSERT_TRUE(found.trees.steps <= first);
    CU_ASSERT_EQUAL(found.steps.first[found.trees.steps], 30 * 29);
    line_schedule_free(&found);
}

int main(int argc, char **argv)
{
    static const struct test tests[] = {
        TEST(ways_are_cheapest),
        TEST(small_lines_are_at_the_bound), TEST(plans_pass_the_checker), TEST(the_caller_may_stop), {0}};
    thorough = is_thorough(argc, argv);
    return run_tests("line", tests);
}
