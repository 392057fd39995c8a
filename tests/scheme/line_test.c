/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rwa.h"

#include "scheme/line_front.h"
#include "scheme/line_gap.h"

#include <CUnit/Basic.h>
#include <stdlib.h>
#include <string.h>

enum { LINKS = 40, STEPS = 5, FAR = 1 << 20 };

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

/** What a split costs in all, when the rest is filled as cheaply as can be. */
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
    CU_ASSERT_EQUAL_FATAL(gap_table_create(&table, LINKS + 1, STEPS, NULL), RWA_OK);
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

/* Where links upwards are dear, a gap is filled from above rather than from below. */
static void dear_links_are_spared(void)
{
    uint32_t up[LINKS], down[LINKS];
    struct gap_split split = {.up = up, .down = down};
    struct gap_table table;
    CU_ASSERT_EQUAL_FATAL(gap_table_create(&table, LINKS + 1, STEPS, NULL), RWA_OK);
    for (uint32_t t = 1; t <= STEPS; t++)
        for (uint32_t g = 6; g <= LINKS; g++) {
            uint32_t ups = 0, downs = 0;
            gap_split(&split, &table, g, t, GAP_LEANS - 1, 0);
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
    CU_ASSERT_EQUAL_FATAL(rwa_network_parse(&net, spec, &no, NULL), RWA_OK);
    CU_ASSERT_EQUAL_FATAL(rwa_collective_init(&coll, kind, nodes, 0, 4096, 0, NULL), RWA_OK);
    CU_ASSERT_EQUAL_FATAL(rwa_plan_make(&plan, net, &coll, &po, NULL), RWA_OK);
    rwa_network_free(net);
    CU_ASSERT_TRUE(rwa_plan_get_summary(plan)->check.ok);
    return plan;
}

/* Nothing beats the bound, and up to 16 nodes and 4 channels all plans are proven the shortest. */
static void small_lines_are_at_the_bound(void)
{
    for (uint32_t nodes = 2; nodes <= 16; nodes++)
        for (uint32_t wavelengths = 1; wavelengths <= 4; wavelengths++) {
            rwa_plan *plan = plan_of(nodes, wavelengths, 1, RWA_ALL_GATHER, 0);
            const rwa_plan_summary *s = rwa_plan_get_summary(plan);
            CU_ASSERT_EQUAL(s->steps, s->bound.value);
            rwa_plan_free(plan);
        }
}

static void steps_at_most(uint32_t nodes, uint32_t wavelengths, uint32_t fibers, rwa_collective_kind kind,
                          uint32_t max_hops, uint32_t most)
{
    rwa_plan *plan = plan_of(nodes, wavelengths, fibers, kind, max_hops);
    const rwa_plan_summary *s = rwa_plan_get_summary(plan);
    if (s->steps > most)
        fprintf(stderr, "line:%u, %u x %u: %u steps\n", nodes, fibers, wavelengths, s->steps);
    CU_ASSERT_TRUE(s->steps <= most);
    CU_ASSERT_TRUE(s->steps >= s->bound.value);
    CU_ASSERT_TRUE(max_hops == 0 || s->longest_hops <= max_hops);
    rwa_plan_free(plan);
}

/* W of about N²/4 channels carry everything at once; with one, the two directions of a chain of N nodes take N-1 steps;
 * two fibres are twice the channels; what is gathered is reduced backwards. */
static void plans_pass_the_checker(void)
{
    steps_at_most(7, 12, 1, RWA_ALL_GATHER, 0, 1);
    steps_at_most(40, 1, 1, RWA_ALL_GATHER, 0, 39);
    steps_at_most(64, 8, 1, RWA_ALL_GATHER, 0, 11);
    steps_at_most(64, 4, 2, RWA_ALL_GATHER, 0, 11);
    steps_at_most(64, 8, 1, RWA_REDUCE_SCATTER, 0, 11);
    steps_at_most(64, 8, 1, RWA_ALL_REDUCE, 0, 22);
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
    struct line_limits limits = {.nodes = 30, .channels = 4};
    struct line_front front;
    int polls = 0;
    struct watch watch = base_watch(0, NULL, NULL), stopped = base_watch(0, stop, &polls), late = base_watch(1e-9, NULL, NULL);
    rwa_status st = line_front_find(&front, &limits, &stopped, NULL);
    CU_ASSERT_TRUE(st == RWA_CANCELLED || front.steps == line_fewest_steps(&limits));
    line_front_free(&front);
    CU_ASSERT_EQUAL(line_front_find(&front, &limits, &late, NULL), RWA_OK);
    uint32_t first = front.steps;
    line_front_free(&front);
    CU_ASSERT_EQUAL(line_front_find(&front, &limits, &watch, NULL), RWA_OK);
    CU_ASSERT_TRUE(front.steps <= first);
    CU_ASSERT_EQUAL(front.first[front.steps], 30 * 29);
    line_front_free(&front);
}

int main(void)
{
    if (CU_initialize_registry() != CUE_SUCCESS)
        return 2;
    CU_pSuite suite = CU_add_suite("line", NULL, NULL);
    CU_add_test(suite, "splits are cheapest", splits_are_cheapest);
    CU_add_test(suite, "dear links are spared", dear_links_are_spared);
    CU_add_test(suite, "small lines are at the bound", small_lines_are_at_the_bound);
    CU_add_test(suite, "plans pass the checker", plans_pass_the_checker);
    CU_add_test(suite, "the caller may stop", the_caller_may_stop);
    CU_basic_set_mode(CU_BRM_VERBOSE);
    CU_basic_run_tests();
    unsigned failed = CU_get_number_of_failures();
    CU_cleanup_registry();
    return failed > 0;
}
