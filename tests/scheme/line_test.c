/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rwa.h"

#include "delivery/line/line_schedule.h"
#include "lattice/gap_split.h"
#include "delivery/line/one_sided_dp.h"

#include "tests/support/suite.h"

#include <stdlib.h>
#include <string.h>

static bool thorough;

enum { LINKS = 40, STEPS = 5, FAR = 1 << 20, SIDE = 6 };

/** C[t][g]: the least links passed to fill a gap of g links in t steps, by going through all first nodes from either end:
 *  the recurrence of docs/bounds.md, by brute force. */
static void fill_costs(uint32_t cost[STEPS + 1][LINKS + 1])
{
    for (uint32_t t = 0; t <= STEPS; t++)
        for (uint32_t g = 0; g <= LINKS; g++) {
            uint32_t side[LINKS + 1];
            cost[t][g] = g < 2 ? 0 : FAR;
            if (g < 2 || t == 0)
                continue;
            /* side[x]: hops from one end, the last of them to x, and the gaps between them */
            for (uint32_t x = 0; x < g; x++) {
                side[x] = x == 0 ? 0 : FAR;
                for (uint32_t y = 0; y < x; y++)
                    if (side[y] + x + cost[t - 1][x - y] < side[x])
                        side[x] = side[y] + x + cost[t - 1][x - y];
            }
            for (uint32_t x = 0; x < g; x++)
                for (uint32_t y = 0; x + y < g; y++)
                    if (side[x] + side[y] + cost[t - 1][g - x - y] < cost[t][g])
                        cost[t][g] = side[x] + side[y] + cost[t - 1][g - x - y];
        }
}

/** The total cost of a split when the rest is filled at the least cost. */
static uint32_t split_cost(const struct gap_split *s, uint32_t links, const uint32_t *after)
{
    uint32_t sum = 0, low = 0, high = links;
    for (size_t i = 0; i < s->ups; low = s->up[i++])
        sum += s->up[i] + after[s->up[i] - low];
    for (size_t i = 0; i < s->downs; high = links - s->down[i++])
        sum += s->down[i] + after[high - (links - s->down[i])];
    return sum + after[high - low];
}

/* Counting points gives the cheapest split; what rounding adds is at most one link, and nothing for most fractions. */
static void splits_are_cheapest(void)
{
    static uint32_t cost[STEPS + 1][LINKS + 1];
    uint32_t up[LINKS], down[LINKS], wrong = 0;
    struct gap_split split = {.up = up, .down = down};
    struct gap_table table;
    fill_costs(cost);
    CU_ASSERT_EQUAL_FATAL(gap_table_create(&table, LINKS + 1, STEPS, 1, NULL), RWA_OK);
    for (uint32_t t = 1; t <= STEPS; t++)
        for (uint32_t g = 2; g <= LINKS; g++)
            for (uint32_t carry = 0; carry < 65536; carry += 8192) {
                gap_split(&split, &table, g, t, GAP_EVEN, carry);
                uint32_t found = split_cost(&split, g, cost[t - 1]);
                CU_ASSERT_TRUE(found >= cost[t][g]);
                CU_ASSERT_TRUE(found <= cost[t][g] + 1);
                wrong += found != cost[t][g];
            }
    CU_ASSERT_TRUE(wrong * 20 < STEPS * (LINKS - 1) * 8);
    gap_table_free(&table);
}

/* With taps a link that x hops cross costs ceil(|x|/drops) in each of the steps: as many points as there are by adding up one
   coordinate after the other. */
static void taps_make_points_cheaper(void)
{
    for (uint32_t drops = 1; drops <= 4; drops++) {
        uint32_t points[LINKS] = {1}, next[LINKS];
        struct gap_table table;
        CU_ASSERT_EQUAL_FATAL(gap_table_create(&table, LINKS + 1, STEPS, drops, NULL), RWA_OK);
        for (uint32_t t = 1; t <= STEPS; t++) {
            const struct gap_counts *c = &table.counts[GAP_EVEN * (STEPS + 1) + t];
            for (uint32_t v = 0; v < LINKS; v++) {
                next[v] = 0;
                for (uint32_t x = 0; (x + drops - 1) / drops <= v; x++)
                    next[v] += (x ? 2 : 1) * points[v - (x + drops - 1) / drops];
            }
            memcpy(points, next, sizeof points);
            uint32_t sum = 0;
            for (uint32_t v = 0; 4 * v < c->top; v++) {
                sum += points[v];
                CU_ASSERT_EQUAL(c->most[4 * v], sum);   /* GAP_EVEN prices a link at 4 */
            }
        }
        gap_table_free(&table);
    }
}

/* Where links upwards cost more, a gap is filled from above rather than from below. */
static void costly_links_are_spared(void)
{
    uint32_t up[LINKS], down[LINKS];
    struct gap_split split = {.up = up, .down = down};
    struct gap_table table;
    CU_ASSERT_EQUAL_FATAL(gap_table_create(&table, LINKS + 1, STEPS, 1, NULL), RWA_OK);
    for (uint32_t t = 1; t <= STEPS; t++)
        for (uint32_t g = 6; g <= LINKS; g++) {
            uint32_t ups = 0, downs = 0;
            gap_split(&split, &table, g, t, GAP_BIASES - 1, 0);
            for (size_t i = 0; i < split.ups; i++)
                ups += up[i];
            for (size_t i = 0; i < split.downs; i++)
                downs += down[i];
            CU_ASSERT_TRUE(ups < downs);
        }
    gap_table_free(&table);
}

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
        TEST(splits_are_cheapest), TEST(taps_make_points_cheaper), TEST(costly_links_are_spared), TEST(ways_are_cheapest),
        TEST(small_lines_are_at_the_bound), TEST(plans_pass_the_checker), TEST(the_caller_may_stop), {0}};
    thorough = is_thorough(argc, argv);
    return run_tests("line", tests);
}
