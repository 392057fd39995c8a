/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Blocking: Erlang B and Kaufman-Roberts against their definitions, simulations against both where they are exact, and
 * what backups, routes and load change elsewhere.  Slots that must be neighbours: chain_test.c; formats: reach_test.c.
 */

#include "tests/support/states.h"

/* ---- the formulas ---- */

/* The definition: (A^N / N!) / sum over k of A^k / k!, in logarithms; the library computes it by recursion. */
static double erlang_b_by_definition(double a, uint32_t servers)
{
    double sum = 0, last = servers * log(a) - lgamma(servers + 1.0);
    for (uint32_t k = 0; k <= servers; k++)
        sum += exp(k * log(a) - lgamma(k + 1.0) - last);
    return 1 / sum;
}

static void erlang_b_is_its_definition(void)
{
    static const double loads[] = {0.01, 0.5, 1, 7.3, 60, 140, 900};
    for (size_t i = 0; i < COUNT(loads); i++)
        for (uint32_t n = 1; n <= 1000; n = n < 20 ? n + 1 : n * 2) {
            double b = rwa_erlang_b(loads[i], n), want = erlang_b_by_definition(loads[i], n);
            CU_ASSERT_TRUE(b >= 0 && b <= 1);
            CU_ASSERT_TRUE(want < 1e-300 || fabs(b - want) <= 1e-9 * want);
        }
    CU_ASSERT_EQUAL(rwa_erlang_b(5, 0), 1);
    CU_ASSERT_EQUAL(rwa_erlang_b(0, 5), 0);
}

/** The product form over all combinations of calls: P(n) ~ product of a_k^n_k / n_k!; class k is lost where fewer than
 *  its width is free.  The library computes it by recursion. */
static void by_definition(double *lost, const uint32_t *widths, const double *erlang, size_t classes, uint32_t servers)
{
    uint32_t calls[4] = {0};
    double all = 0, sums[4] = {0};
    for (;;) {
        double p = 1;
        uint32_t taken = 0;
        for (size_t k = 0; k < classes; k++) {
            p *= exp(calls[k] * log(erlang[k]) - lgamma(calls[k] + 1.0));
            taken += calls[k] * widths[k];
        }
        if (taken <= servers) {
            all += p;
            for (size_t k = 0; k < classes; k++)
                sums[k] += servers - taken < widths[k] ? p : 0;
        }
        size_t k = 0;
        for (; k < classes && ++calls[k] * widths[k] > servers; k++)
            calls[k] = 0;
        if (k == classes)
            break;
    }
    for (size_t k = 0; k < classes; k++)
        lost[k] = sums[k] / all;
}

static void kaufman_roberts_is_its_definition(void)
{
    seed = 3;
    for (int i = 0; i < 200; i++) {
        uint32_t widths[4], servers = 1 + any(24);
        double erlang[4], lost[4], want[4];
        size_t classes = 1 + any(4);
        for (size_t k = 0; k < classes; k++) {
            widths[k] = 1 + any(6);
            erlang[k] = 0.1 + any(1000) / 100;
        }
        OK(rwa_kaufman_roberts(lost, widths, erlang, classes, servers, NULL));
        by_definition(want, widths, erlang, classes, servers);
        for (size_t k = 0; k < classes; k++)
            CU_ASSERT_DOUBLE_EQUAL(lost[k], want[k], 1e-10);
    }
}

/* With one class of width 1 it is Erlang B; with one of width w and w * n servers too; also where 1e200 is passed on
   the way. */
static void kaufman_roberts_holds_erlang_b(void)
{
    for (uint32_t n = 1; n <= 4000; n = n * 3 + 1)
        for (uint32_t width = 1; width <= 5; width += 2) {
            double erlang = 0.9 * n, lost = 0;
            OK(rwa_kaufman_roberts(&lost, &width, &erlang, 1, n * width, NULL));
            CU_ASSERT_DOUBLE_EQUAL(lost, rwa_erlang_b(erlang, n), 1e-9);
        }
    CU_ASSERT_EQUAL(rwa_kaufman_roberts(&(double){0}, &(uint32_t){0}, &(double){1}, 1, 5, NULL), RWA_BADARG);
    CU_ASSERT_EQUAL(rwa_kaufman_roberts(&(double){0}, &(uint32_t){1}, &(double){-1}, 1, 5, NULL), RWA_BADARG);
}

/* ---- simulations ---- */

static rwa_blocking_options options_in(rwa_model model)
{
    rwa_blocking_options o;
    rwa_blocking_options_init(&o);
    o.state.model = model;
    return o;
}

/** On a network of so many wavelengths, or slots. */
static rwa_blocking simulate(const char *spec, uint32_t wavelengths, int flexible, double erlang,
                             const rwa_blocking_options *o)
{
    const rwa_network *net = network_on("%s w=%u%s", spec, wavelengths, flexible ? FLEXIBLE : "");
    rwa_blocking b;
    OK(rwa_blocking_simulate(&b, net, erlang, o, NULL));
    return b;
}

/* Two nodes: every free channel will do, so a link of W channels is the M/M/W/W queue of Erlang.  Of 30 intervals of 95
 * % fewer than 25 hold the truth once in 500 tries (binomial), and none misses it by more than twice its width. */
static void two_nodes_are_the_formula(void)
{
    static const struct {
        const char *spec;
        rwa_model model;
        uint32_t wavelengths;
        double erlang;
        rwa_routing routing;
    } cases[] = {
        {"line:2", RWA_UNDIRECTED, 1, 1, RWA_ROUTING_SHORTEST},
        {"line:2", RWA_UNDIRECTED, 8, 6, RWA_ROUTING_SHORTEST},
        {"line:2", RWA_UNDIRECTED, 40, 42, RWA_ROUTING_SHORTEST},
        {"line:2", RWA_DIRECTED, 8, 12, RWA_ROUTING_SHORTEST},
        {"line:2", RWA_DIRECTED, 70, 130, RWA_ROUTING_SHORTEST},
        {"ring:2", RWA_DIRECTED, 8, 30, RWA_ROUTING_ALTERNATE},
        {"ring:2", RWA_DIRECTED, 8, 12, RWA_ROUTING_SHORTEST},
        {"ring:2", RWA_UNDIRECTED, 10, 18, RWA_ROUTING_LEAST_LOADED},
        {"line:2", RWA_UNDIRECTED, 3, 0.5, RWA_ROUTING_ALTERNATE},
        {"line:2", RWA_UNDIRECTED, 20, 50, RWA_ROUTING_SHORTEST},
    };
    int held = 0;
    for (size_t i = 0; i < COUNT(cases); i++)
        for (uint64_t run = 1; run <= 3; run++) {
            rwa_blocking_options o = options_in(cases[i].model);
            o.state.seed = run;
            o.requests = 100000;
            o.routing = cases[i].routing;
            o.policy = (rwa_policy)(i % 5);
            rwa_blocking b = simulate(cases[i].spec, cases[i].wavelengths, 0, cases[i].erlang, &o);
            bool both = cases[i].routing != RWA_ROUTING_SHORTEST && cases[i].spec[0] == 'r';
            bool directed = cases[i].model == RWA_DIRECTED;
            double exact =
                erlang_b_by_definition(cases[i].erlang / (directed ? 2 : 1), cases[i].wavelengths * (both ? 2 : 1));
            CU_ASSERT_DOUBLE_EQUAL(b.exact, exact, 1e-9);
            CU_ASSERT_TRUE(b.half_width > 0 && b.half_width < 0.25 * exact + 0.002);
            held += fabs(b.probability - exact) <= b.half_width;
            CU_ASSERT_TRUE(fabs(b.probability - exact) <= 3 * b.half_width);
            /* Little's law: what is carried is what is offered and not lost, each for a mean time of 1. */
            CU_ASSERT_DOUBLE_EQUAL(b.carried, cases[i].erlang * (1 - exact), 0.03 * cases[i].erlang);
            CU_ASSERT_EQUAL(b.mean_hops, 1);
        }
    CU_ASSERT_TRUE(held >= 25);
}

/* Beyond two nodes the formula is not exact, and not claimed to be. */
static void more_nodes_have_no_formula(void)
{
    rwa_blocking_options o = options_in(RWA_UNDIRECTED);
    o.requests = 5000;
    o.warm_up = 0;
    rwa_blocking b = simulate("ring:3", 4, 0, 3, &o);
    CU_ASSERT_TRUE(isnan(b.exact));
    b = simulate("ring:3", 4, 0, 0.01, &o); /* nothing is ever blocked: the rule of three */
    CU_ASSERT_TRUE(b.blocked == 0 && b.half_width == 3.0 / 5000);
}

/* The same seed is the same traffic: the same answer again, and a policy cannot change what is offered. */
static void the_seed_decides(void)
{
    rwa_blocking_options o = options_in(RWA_UNDIRECTED);
    o.requests = 20000;
    o.warm_up = 1000;
    rwa_blocking a = simulate("nsfnet14-21", 8, 0, 60, &o), b = simulate("nsfnet14-21", 8, 0, 60, &o);
    CU_ASSERT_TRUE(a.blocked == b.blocked && a.carried == b.carried && a.half_width == b.half_width);
    CU_ASSERT_TRUE(a.blocked > 0);
    o.state.seed = 2;
    b = simulate("nsfnet14-21", 8, 0, 60, &o);
    CU_ASSERT_NOT_EQUAL(a.carried, b.carried);
}

/* With more load more is blocked, and with routes to choose from less. */
static void blocking_behaves(void)
{
    rwa_blocking_options o = options_in(RWA_DIRECTED);
    double last = 0;
    o.requests = 60000;
    for (double load = 40; load <= 120; load += 40) {
        o.routing = RWA_ROUTING_SHORTEST;
        rwa_blocking one = simulate("nsfnet14-21", 8, 0, load, &o);
        o.routing = RWA_ROUTING_ALTERNATE;
        rwa_blocking three = simulate("nsfnet14-21", 8, 0, load, &o);
        CU_ASSERT_TRUE(one.probability > last && three.probability < one.probability);
        CU_ASSERT_TRUE(one.utilization > 0 && one.utilization < 1);
        /* Channels are taken by the lightpaths up, times their hops. */
        CU_ASSERT_DOUBLE_EQUAL(one.utilization * 42 * 8, one.carried * one.mean_hops,
                               0.05 * one.carried * one.mean_hops);
        last = one.probability;
    }
}

enum { CLASSES = 4 };
static const rwa_traffic_class mix[CLASSES] = {{1, 4, 0}, {2, 3, 0}, {3, 2, 0}, {4, 1, 0}};

/* Scattered slots make the link the model of Kaufman and Roberts.  Of the 4 * 12 intervals of 95 % fewer than 40 hold
 * the truth less than once in a thousand tries. */
static void scattered_slots_are_the_formula(void)
{
    static const struct { uint32_t slots; double erlang; } cases[] = {{20, 6}, {40, 16}, {100, 45}, {12, 8}};
    int held = 0;
    for (size_t i = 0; i < 4; i++)
        for (uint64_t run = 1; run <= 3; run++) {
            rwa_blocking_options o = options_in(RWA_UNDIRECTED);
            rwa_class_blocking answers[CLASSES];
            double lost[CLASSES], loads[CLASSES], lost_slots = 0, slots = 0;
            uint32_t widths[CLASSES];
            o.classes = mix;
            o.class_count = CLASSES;
            o.scattered = 1;
            o.class_answers = answers;
            o.state.seed = run;
            o.requests = 100000;
            o.policy = (rwa_policy)(i % 5);
            rwa_blocking b = simulate("line:2", cases[i].slots, 1, cases[i].erlang, &o);
            for (size_t k = 0; k < CLASSES; k++) {
                loads[k] = cases[i].erlang * mix[k].share / 10;
                widths[k] = mix[k].width;
            }
            OK(rwa_kaufman_roberts(lost, widths, loads, CLASSES, cases[i].slots, NULL));
            for (size_t k = 0; k < CLASSES; k++) {
                CU_ASSERT_DOUBLE_EQUAL(answers[k].exact, lost[k], 1e-12);
                held += fabs(answers[k].probability - lost[k]) <= answers[k].half_width;
                CU_ASSERT_TRUE(fabs(answers[k].probability - lost[k]) <= 3 * answers[k].half_width);
                lost_slots += loads[k] * widths[k] * lost[k];
                slots += loads[k] * widths[k];
            }
            CU_ASSERT_TRUE(fabs(b.bandwidth - lost_slots / slots) <= 3 * b.bandwidth_half_width);
            CU_ASSERT_TRUE(fabs(b.probability - b.exact) <= 3 * b.half_width);
            /* Little's law: the slots in use are those offered and not lost. */
            CU_ASSERT_DOUBLE_EQUAL(b.utilization * cases[i].slots, slots - lost_slots, 0.03 * slots);
        }
    CU_ASSERT_TRUE(held >= 40);
}

/* Where all requests have one span, first-fit keeps them on a grid of that span: Erlang B on floor(slots / span)
   servers. */
static void one_span_is_erlang_b(void)
{
    for (uint32_t width = 1; width <= 5; width++)
        for (uint32_t guard = 0; guard <= 2; guard++) {
            rwa_blocking_options o = options_in(RWA_UNDIRECTED);
            rwa_traffic_class one = {width, 1, 0};
            o.classes = &one;
            o.class_count = 1;
            o.guard = guard;
            rwa_blocking b = simulate("line:2", 65, 1, 8, &o);
            double exact = rwa_erlang_b(8, 65 / (width + guard));
            if (b.blocked > 0)
                CU_ASSERT_TRUE(fabs(b.probability - exact) <= 2.5 * b.half_width);
            if (b.blocked == 0)
                CU_ASSERT_TRUE(exact < 1e-3);
        }
}

/* On a ring 1+1 takes a channel of all links: it is a system of W servers, and Erlang B is exact. */
static void a_ring_with_1_plus_1_is_erlang_b(void)
{
    rwa_blocking_options o = options_in(RWA_UNDIRECTED);
    o.protection = RWA_PROTECTION_DEDICATED;
    for (double erlang = 5; erlang <= 20; erlang += 5) {
        rwa_blocking b = simulate("ring:5", 10, 0, erlang, &o);
        CU_ASSERT_DOUBLE_EQUAL(b.probability, rwa_erlang_b(erlang, 10), 3 * b.half_width);
        CU_ASSERT_DOUBLE_EQUAL(b.utilization * 10, b.carried, 1e-6 * b.carried);
    }
}

/* The same traffic: backups that share channels leave more for others, and no backup at all leaves most. */
static void shared_backups_block_less(void)
{
    static const rwa_traffic_class classes[] = {{2, 1, 25e9}, {4, 1, 50e9}, {8, 1, 100e9}};
    static const struct { int flexible; uint32_t slots; double erlang; rwa_routing routing; } cases[] = {
        {1, 100, 60, RWA_ROUTING_LEAST_LOADED},
        {1, 160, 90, RWA_ROUTING_SHORTEST},
        {0, 40, 120, RWA_ROUTING_ALTERNATE}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        rwa_blocking b[3];
        for (int p = 0; p < 3; p++) {
            rwa_blocking_options o = options_in(RWA_UNDIRECTED);
            o.requests = 30000;
            o.warm_up = 3000;
            o.routing = cases[i].routing;
            o.protection = (rwa_protection)p;
            o.classes = classes;
            o.class_count = cases[i].flexible ? 3 : 0;
            b[p] = simulate("nsfnet14-21", cases[i].slots, cases[i].flexible, cases[i].erlang, &o);
        }
        const rwa_blocking *none = &b[RWA_PROTECTION_NONE], *own = &b[RWA_PROTECTION_DEDICATED],
                           *shared = &b[RWA_PROTECTION_SHARED];
        CU_ASSERT_TRUE(shared->probability + shared->half_width < own->probability - own->half_width);
        CU_ASSERT_TRUE(none->probability + none->half_width < shared->probability - shared->half_width);
        CU_ASSERT_TRUE(shared->carried > own->carried && none->carried > shared->carried);
        CU_ASSERT_TRUE(own->utilization <= 1 && shared->utilization <= 1 && isnan(own->exact));
    }
}

static void bad_settings_are_told(void)
{
    static const rwa_traffic_class bad[] = {{0, 1, 0},  {1, 0, 0}, {1, -1, 0}, {1, 1, -1}, {RWA_CHANNELS_MAX + 1, 1, 0},
                                            {1, NAN, 0}};
    const rwa_network *net = network_on("ring:4");
    rwa_blocking_options o;
    rwa_blocking b;
    CU_ASSERT_EQUAL(rwa_blocking_simulate(&b, net, 0, NULL, NULL), RWA_BADARG);
    CU_ASSERT_EQUAL(rwa_blocking_simulate(&b, net, NAN, NULL, NULL), RWA_BADARG);
    rwa_blocking_options_init(&o);
    o.batches = 1;
    CU_ASSERT_EQUAL(rwa_blocking_simulate(&b, net, 1, &o, NULL), RWA_BADARG);
    rwa_blocking_options_init(&o);
    o.requests = 0;
    CU_ASSERT_EQUAL(rwa_blocking_simulate(&b, net, 1, &o, NULL), RWA_BADARG);
    rwa_blocking_options_init(&o);
    o.poll = stop_once;
    o.poll_data = &(struct stop){.at = 1};
    CU_ASSERT_EQUAL(rwa_blocking_simulate(&b, net, 1, &o, NULL), RWA_CANCELLED);
    for (size_t i = 0; i < COUNT(bad); i++) {
        rwa_error err = {0};
        rwa_blocking_options_init(&o);
        o.classes = &bad[i];
        o.class_count = 1;
        CU_ASSERT_EQUAL(rwa_blocking_simulate(&b, net, 5, &o, &err), RWA_BADARG);
        expect_part(err.text, "class 0");
    }
    rwa_blocking_options_init(&o);
    o.scattered = 1;
    o.guard = 1;
    CU_ASSERT_EQUAL(rwa_blocking_simulate(&b, net, 5, &o, NULL), RWA_BADARG);
}

TESTS("blocking", erlang_b_is_its_definition, kaufman_roberts_is_its_definition,
      kaufman_roberts_holds_erlang_b, two_nodes_are_the_formula, more_nodes_have_no_formula, the_seed_decides,
      blocking_behaves, scattered_slots_are_the_formula, one_span_is_erlang_b, a_ring_with_1_plus_1_is_erlang_b,
      shared_backups_block_less, bad_settings_are_told)
