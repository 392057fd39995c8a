/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Every scheme on every collective it does: the independent checker accepts it, in the steps its formula says. */
#include "rwa.h"

#include "tests/support/suite.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const uint32_t sizes[] = {2, 3, 4, 5, 8, 15, 16, 17, 31, 64, 100, 128};
static const uint32_t wavelengths[] = {1, 2, 4, 64};
enum { SIZES = sizeof sizes / sizeof *sizes, WAVELENGTHS = sizeof wavelengths / sizeof *wavelengths };

static bool thorough;

struct setting {
    rwa_topology network;
    uint32_t nodes, wavelengths, root, group;
    rwa_last_exchange last;
};

static rwa_network *network(const struct setting *s)
{
    rwa_network_options o;
    rwa_network *net = NULL;
    rwa_network_options_init(&o);
    o.wavelengths = s->wavelengths;
    CU_ASSERT_EQUAL_FATAL(rwa_network_create(&net, s->network ? s->network : RWA_RING, s->nodes, &o, NULL), RWA_OK);
    return net;
}

/* The caller frees; NULL when the scheme does not do this collective. */
static rwa_plan *plan(const char *scheme, rwa_collective_kind kind, const struct setting *s)
{
    rwa_network *net = network(s);
    rwa_collective coll;
    rwa_plan_options o;
    rwa_plan *p = NULL;
    rwa_error err = {0};
    rwa_plan_options_init(&o);
    o.scheme = scheme;
    o.group = s->group;
    if (strcmp(scheme, "wrht") == 0) /* others would refuse it */
        o.last_exchange = s->last;
    CU_ASSERT_EQUAL_FATAL(rwa_collective_init(&coll, kind, s->nodes, s->root, 1 << 20, 0, NULL), RWA_OK);
    rwa_status st = rwa_plan_make(&p, net, &coll, &o, &err);
    if (st != RWA_OK && !strstr(err.text, "does not do this"))
        CU_FAIL("no plan");
    if (st != RWA_OK && !strstr(err.text, "does not do this"))
        fprintf(stderr, "%s, %s, N = %u, w = %u: %s\n", scheme, rwa_collective_name(kind), s->nodes, s->wavelengths,
                err.text);
    rwa_network_free(net);
    return p;
}

/* On long lines line-wavefront searches for seconds.  A reduction is a reversed all-gather, found by the same search: the reductions
 * of up to 31 nodes cover the reversal, and the all-gathers of 64 and 128 nodes the long lines.  logical_test is about that scheme. */
static bool is_covered_elsewhere(const char *scheme, rwa_collective_kind kind, rwa_topology on, uint32_t nodes)
{
    if (strcmp(scheme, "logical-topology") == 0 && nodes > 31)
        return true;
    return on == RWA_LINE && strcmp(scheme, "line-wavefront") == 0 && nodes > 31 && (nodes == 100 || kind != RWA_ALL_GATHER);
}

/* Networks of many nodes have one number of wavelengths each, unless all are asked for. */
static bool is_selected(size_t size, size_t k)
{
    return thorough || sizes[size] <= 17 || k == size % WAVELENGTHS;
}

/* Returns whether the scheme does the collective at all. */
static int try_all(const char *scheme, rwa_collective_kind kind, rwa_topology on)
{
    int done = 0;
    for (size_t i = 0; i < SIZES; i++)
        for (size_t k = 0; k < WAVELENGTHS; k++) {
            struct setting s = {.network = on, .nodes = sizes[i], .wavelengths = wavelengths[k], .root = sizes[i] / 3};
            if (!is_selected(i, k) || is_covered_elsewhere(scheme, kind, on, sizes[i]))
                continue;
            rwa_plan *p = plan(scheme, kind, &s);
            if (!p)
                return done;
            done = 1;
            const rwa_plan_report *sum = rwa_plan_summary(p);
            if (sum->outcome == RWA_INFEASIBLE) {
                bool odd = strcmp(scheme, "neighbor-exchange") == 0 && sizes[i] % 2 == 1 && strstr(sum->why, "odd");
                CU_ASSERT_TRUE(odd || strcmp(scheme, "logical-topology") == 0); /* a node may be on the way of all others */
                CU_ASSERT_PTR_NULL(rwa_plan_schedule(p));
            } else {
                CU_ASSERT_TRUE(sum->check->ok);
                CU_ASSERT_TRUE(sum->steps >= sum->bound.value);
            }
            rwa_plan_free(p);
        }
    return done;
}

static void the_checker_accepts_every_scheme_on_rings_and_lines(void)
{
    rwa_network *ring = network(&(struct setting){.nodes = 4, .wavelengths = 1});
    for (size_t i = 0; rwa_scheme_name(i); i++) {
        int collectives = 0, meant = 0;
        for (int kind = RWA_ALL_GATHER; kind <= RWA_ROOTED_REDUCE; kind++) {
            collectives += try_all(rwa_scheme_name(i), (rwa_collective_kind)kind, RWA_RING);
            try_all(rwa_scheme_name(i), (rwa_collective_kind)kind, RWA_LINE);
            meant += rwa_scheme_fits(i, ring, (rwa_collective_kind)kind); /* others are for other networks */
        }
        CU_ASSERT_TRUE(collectives > 0 || meant == 0);
    }
    rwa_network_free(ring);
}

static uint64_t ceil_div(uint64_t a, uint64_t b)
{
    return a / b + (a % b != 0);
}

/* Least k with base^k >= n. */
static uint64_t log_up(uint64_t base, uint64_t n)
{
    uint64_t k = 0;
    for (uint64_t power = 1; power < n; power *= base)
        k++;
    return k;
}

/* Steps of a scheme that must be carried out, and checked. */
static uint64_t steps(const char *scheme, rwa_collective_kind kind, const struct setting *s)
{
    rwa_plan *p = plan(scheme, kind, s);
    CU_ASSERT_PTR_NOT_NULL_FATAL(p);
    const rwa_plan_report *sum = rwa_plan_summary(p);
    uint64_t taken = sum->steps;
    CU_ASSERT_TRUE(sum->outcome != RWA_INFEASIBLE && sum->check->ok);
    rwa_plan_free(p);
    return taken;
}

static void for_all(void (*test)(const struct setting *))
{
    for (size_t i = 0; i < SIZES; i++)
        for (size_t k = 0; k < WAVELENGTHS; k++)
            test(&(struct setting){.nodes = sizes[i], .wavelengths = wavelengths[k]});
}

/* A step of a ring uses every link once, so wavelengths do not matter. */
static void rings(const struct setting *s)
{
    uint64_t n = s->nodes;
    CU_ASSERT_EQUAL(steps("ring", RWA_ALL_GATHER, s), n - 1);
    CU_ASSERT_EQUAL(steps("ring", RWA_REDUCE_SCATTER, s), n - 1);
    CU_ASSERT_EQUAL(steps("ring", RWA_ALL_REDUCE, s), 2 * (n - 1));
    CU_ASSERT_EQUAL(steps("ring-both", RWA_ALL_GATHER, s), n / 2);
    CU_ASSERT_EQUAL(steps("ring-both", RWA_ALL_REDUCE, s), 2 * (n / 2));
    CU_ASSERT_EQUAL(steps("ring-striped", RWA_ALL_GATHER, s), n / 2);
    if (n % 2 == 0) /* two blocks cross a link in every swap but the first */
        CU_ASSERT_EQUAL(steps("neighbor-exchange", RWA_ALL_GATHER, s), s->wavelengths > 1 ? n / 2 : n - 1);
}

static void rings_take_their_formula(void)
{
    for_all(rings);
}

/* ceil(floor(N^2 / 4) / 2) channels are proven the fewest for all-to-all on a ring; and an all-reduce is two. */
static void exchanges(const struct setting *s)
{
    uint64_t n = s->nodes, one = ceil_div(ceil_div(n * n / 4, 2), s->wavelengths);
    CU_ASSERT_EQUAL(steps("one-stage", RWA_ALL_GATHER, s), one);
    CU_ASSERT_EQUAL(steps("one-stage", RWA_ALL_TO_ALL, s), one);
    CU_ASSERT_EQUAL(steps("one-stage", RWA_REDUCE_SCATTER, s), one);
    CU_ASSERT_EQUAL(steps("one-stage", RWA_ALL_REDUCE, s), 2 * one);
}

static void one_stage_takes_its_exact_number(void)
{
    for_all(exchanges);
}

/* The root has 2w channels to send on, or to listen on; a step informs at most 2w nodes for each that is informed. */
static void rooted(const struct setting *s)
{
    uint64_t n = s->nodes, w = s->wavelengths;
    for (uint32_t root = 0; root < n; root += s->nodes - 1) {
        struct setting at = *s;
        at.root = root;
        CU_ASSERT_EQUAL(steps("direct", RWA_SCATTER, &at), ceil_div(n - 1, 2 * w));
        CU_ASSERT_EQUAL(steps("direct", RWA_GATHER, &at), ceil_div(n - 1, 2 * w));
        CU_ASSERT_EQUAL(steps("tree", RWA_BROADCAST, &at), log_up(2 * w + 1, n));
    }
}

static void rooted_collectives_take_the_fewest_steps(void)
{
    for_all(rooted);
}

/* Lightpaths over the heaviest link of a recursive doubling: D over distance D, D / 2 both ways round the ring. */
static uint64_t doubling_steps(uint64_t n, uint64_t w)
{
    uint64_t total = 0, ranks = 1;
    while (2 * ranks <= n)
        ranks *= 2;
    for (uint64_t apart = 1; apart < ranks; apart *= 2)
        total += ceil_div(2 * apart == ranks ? ceil_div(apart, 2) : apart, w);
    return total + (ranks < n ? 2 : 0);
}

static void trees(const struct setting *s)
{
    uint64_t n = s->nodes, w = s->wavelengths;
    CU_ASSERT_EQUAL(steps("binary-tree", RWA_ALL_REDUCE, s), 2 * log_up(2, n));
    CU_ASSERT_EQUAL(steps("recursive-doubling", RWA_ALL_REDUCE, s), doubling_steps(n, w));
}

static void binary_schemes_take_their_formula_where_wavelengths_suffice(void)
{
    for_all(trees);
}

/* 2 ceil(log_m N), or one less with a last exchange (WRHT, Section III-D); the exact need of that exchange is sometimes
 * less than printed, for instance 1 and not 2 wavelengths for three representatives.  H-Ring needs one step less than
 * Table I prints, and no more where groups are uneven. */
static void hierarchies(const struct setting *s)
{
    static const char *const schemes[] = {"wrht", "h-ring"};
    for (size_t i = 0; i < 2; i++) {
        rwa_plan *p = plan(schemes[i], RWA_ALL_REDUCE, s);
        const rwa_plan_report *sum = rwa_plan_summary(p);
        CU_ASSERT_TRUE(sum->check->ok && sum->formula.known && sum->steps <= sum->formula.steps);
        rwa_plan_free(p);
    }
}

static void hierarchical_schemes_never_take_more_than_printed(void)
{
    for_all(hierarchies);
}

/* WRHT, Fig. 2 and Table I. */
static void the_examples_of_wrht(void)
{
    CU_ASSERT_EQUAL(steps("wrht", RWA_ALL_REDUCE, &(struct setting){.nodes = 15, .wavelengths = 2}), 3);
    CU_ASSERT_EQUAL(steps("binary-tree", RWA_ALL_REDUCE, &(struct setting){.nodes = 15, .wavelengths = 2}), 8);
    struct setting large = {.nodes = 1000, .wavelengths = 64, .last = RWA_LAST_ALL_TO_ALL};
    CU_ASSERT_EQUAL(steps("wrht", RWA_ALL_REDUCE, &large), 3);
    large.last = RWA_LAST_TREE;
    CU_ASSERT_EQUAL(steps("wrht", RWA_ALL_REDUCE, &large), 4);
    CU_ASSERT_EQUAL(steps("binary-tree", RWA_ALL_REDUCE, &large), 20);
    CU_ASSERT_EQUAL(steps("ring", RWA_ALL_REDUCE, &large), 1998);
    large.group = 5; /* printed 411; the formula printed beside it gives 407, and its last term is not needed */
    CU_ASSERT_EQUAL(steps("h-ring", RWA_ALL_REDUCE, &large), 406);
}

/* Groups of any size: sums still count everyone once. */
static void groups_of_any_size_work(void)
{
    for (uint32_t n = 2; n <= 40; n++)
        for (uint32_t g = 3; g <= n + 1; g++)
            for (uint32_t w = 1; w <= 3; w++) {
                struct setting s = {.nodes = n, .wavelengths = w, .group = g};
                steps("h-ring", RWA_ALL_REDUCE, &s);
                steps("wrht", RWA_ALL_REDUCE, &s);
                if (w == 1 && n % 3 == 0)
                    steps("wrht", RWA_ALL_GATHER, &s);
                steps("tree", RWA_SCATTER, &s);
            }
}

/* Two representatives exchange on one wavelength; six nodes in one group leave none to exchange. */
static void an_exchange_that_does_not_fit_is_refused_with_the_reason(void)
{
    struct setting s = {.nodes = 6, .wavelengths = 1, .group = 6, .last = RWA_LAST_ALL_TO_ALL};
    rwa_plan *p = plan("wrht", RWA_ALL_REDUCE, &s);
    CU_ASSERT_EQUAL(rwa_plan_summary(p)->outcome, RWA_INFEASIBLE);
    CU_ASSERT_PTR_NOT_NULL(strstr(rwa_plan_summary(p)->why, "6 representatives need 5 channels"));
    rwa_plan_free(p);
    s.group = 3;
    CU_ASSERT_EQUAL(steps("wrht", RWA_ALL_REDUCE, &s), 3); /* gather, exchange, spread: one node on each side of a middle */
}

static rwa_plan *plan_circuit(const char *scheme, const struct setting *s)
{
    rwa_network *net = network(s);
    rwa_collective coll;
    rwa_plan_options o;
    rwa_plan *p = NULL;
    rwa_plan_options_init(&o);
    o.scheme = scheme;
    o.cost.model = RWA_COST_CIRCUIT;
    CU_ASSERT_EQUAL(rwa_collective_init(&coll, RWA_ALL_GATHER, s->nodes, 0, 1 << 20, 0, NULL), RWA_OK);
    CU_ASSERT_EQUAL_FATAL(rwa_plan_make(&p, net, &coll, &o, NULL), RWA_OK);
    rwa_network_free(net);
    return p;
}

/* In a small network auto plans with every scheme that fits. */
static void auto_takes_the_quickest(void)
{
    struct setting s = {.nodes = 16, .wavelengths = 2};
    rwa_plan *p = plan("auto", RWA_ALL_REDUCE, &s);
    double best = rwa_plan_summary(p)->time_s;
    rwa_plan_free(p);
    for (size_t i = 0; rwa_scheme_name(i); i++) {
        p = plan(rwa_scheme_name(i), RWA_ALL_REDUCE, &s);
        CU_ASSERT_TRUE(!p || rwa_plan_summary(p)->time_s >= best);
        rwa_plan_free(p);
    }
}

/* Where circuits may stay up, the striped ring is set once and then uses all bandwidth there is: (N - 1) d bits come in
 * over 2 W channels of 40 Gb/s.  1 MiB in 4 stripes of 2^18 bytes, each 2^13 flits of 1 ns; 31 nodes: 15 full steps. */
static void what_the_striped_ring_takes_is_found(void)
{
    struct setting s = {.nodes = 31, .wavelengths = 4};
    rwa_plan *p = plan_circuit("auto", &s);
    const rwa_plan_report *sum = rwa_plan_summary(p);
    CU_ASSERT_EQUAL(sum->outcome, RWA_OPTIMAL);
    CU_ASSERT_DOUBLE_EQUAL(sum->circuit_s, 25e-6 + 30.0 / 8 * 8 * (1 << 20) / 40e9 + 15 * 8192e-9, 1e-12);
    rwa_plan_free(p);
}

int main(int argc, char **argv)
{
    static const struct test tests[] = {
        TEST(the_checker_accepts_every_scheme_on_rings_and_lines), TEST(rings_take_their_formula),
        TEST(one_stage_takes_its_exact_number), TEST(rooted_collectives_take_the_fewest_steps),
        TEST(binary_schemes_take_their_formula_where_wavelengths_suffice),
        TEST(hierarchical_schemes_never_take_more_than_printed), TEST(the_examples_of_wrht),
        TEST(groups_of_any_size_work), TEST(an_exchange_that_does_not_fit_is_refused_with_the_reason),
        TEST(auto_takes_the_quickest), TEST(what_the_striped_ring_takes_is_found), {0}};
    thorough = is_thorough(argc, argv);
    return run_tests("schemes", tests);
}
