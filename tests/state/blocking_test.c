/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Simulated blocking against Erlang B, and Erlang B against its own definition. */
#include "rwa.h"

#include "tests/support/states.h"
#include "tests/support/suite.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

/* The definition: (A^N / N!) / sum over k of A^k / k!, in logarithms; the library computes it by recursion. */
static double erlang_b_by_definition(double a, uint32_t servers)
{
    double sum = 0, last = servers * log(a) - lgamma(servers + 1.0);
    for (uint32_t k = 0; k <= servers; k++)
        sum += exp(k * log(a) - lgamma(k + 1.0) - last);
    return 1 / sum;
}

static void erlang_b_is_its_definition_and_its_recursion(void)
{
    static const double loads[] = {0.01, 0.5, 1, 7.3, 60, 140, 900};
    for (size_t i = 0; i < sizeof loads / sizeof *loads; i++)
        for (uint32_t n = 1; n <= 1000; n = n < 20 ? n + 1 : n * 2) {
            double a = loads[i], b = rwa_erlang_b(a, n), before = rwa_erlang_b(a, n - 1);
            double want = erlang_b_by_definition(a, n);
            CU_ASSERT_TRUE(b >= 0 && b <= 1);
            CU_ASSERT_TRUE(want < 1e-300 || fabs(b - want) <= 1e-9 * want);
            CU_ASSERT_DOUBLE_EQUAL(b * (n + a * before), a * before, 1e-12 * (n + a));
        }
    CU_ASSERT_EQUAL(rwa_erlang_b(5, 0), 1);
    CU_ASSERT_EQUAL(rwa_erlang_b(0, 5), 0);
    CU_ASSERT_DOUBLE_EQUAL(rwa_erlang_b(1, 1), 0.5, 1e-15);
    CU_ASSERT_DOUBLE_EQUAL(rwa_erlang_b(2, 2), 0.4, 1e-15); /* 2 / (1 + 2 + 2) */
}

static rwa_blocking simulate(const char *spec, rwa_model model, uint32_t wavelengths, double erlang,
                             rwa_blocking_options *o)
{
    rwa_network *net = network_of(spec, wavelengths, 1, 0);
    rwa_blocking b;
    o->state.model = model;
    OK(rwa_blocking_simulate(&b, net, erlang, o, NULL));
    rwa_network_free(net);
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
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (uint64_t seed = 1; seed <= 3; seed++) {
            rwa_blocking_options o;
            rwa_blocking_options_init(&o);
            o.state.seed = seed;
            o.requests = 100000;
            o.routing = cases[i].routing;
            o.policy = (rwa_policy)(i % 5);
            rwa_blocking b = simulate(cases[i].spec, cases[i].model, cases[i].wavelengths, cases[i].erlang, &o);
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
    rwa_blocking_options o;
    rwa_blocking_options_init(&o);
    o.requests = 5000;
    o.warm_up = 0;
    rwa_blocking b = simulate("ring:3", RWA_DIRECTED, 4, 3, &o);
    CU_ASSERT_TRUE(isnan(b.exact));
    b = simulate("ring:3", RWA_DIRECTED, 4, 0.01, &o); /* nothing is ever blocked: the rule of three */
    CU_ASSERT_TRUE(b.blocked == 0 && b.half_width == 3.0 / 5000);
}

/* The same seed is the same traffic: the same answer again, and a policy cannot change what is offered. */
static void the_seed_decides(void)
{
    rwa_blocking_options o;
    rwa_blocking_options_init(&o);
    o.requests = 20000;
    o.warm_up = 1000;
    rwa_blocking a = simulate("nsfnet14-21", RWA_DIRECTED, 8, 60, &o),
                 b = simulate("nsfnet14-21", RWA_DIRECTED, 8, 60, &o);
    CU_ASSERT_TRUE(a.blocked == b.blocked && a.carried == b.carried && a.half_width == b.half_width);
    CU_ASSERT_TRUE(a.blocked > 0);
    o.state.seed = 2;
    b = simulate("nsfnet14-21", RWA_DIRECTED, 8, 60, &o);
    CU_ASSERT_NOT_EQUAL(a.carried, b.carried);
}

/* With more load more is blocked, and with routes to choose from less. */
static void blocking_behaves(void)
{
    rwa_blocking_options o;
    double last = 0;
    rwa_blocking_options_init(&o);
    o.requests = 60000;
    for (double load = 40; load <= 120; load += 40) {
        o.routing = RWA_ROUTING_SHORTEST;
        rwa_blocking one = simulate("nsfnet14-21", RWA_DIRECTED, 8, load, &o);
        o.routing = RWA_ROUTING_ALTERNATE;
        rwa_blocking three = simulate("nsfnet14-21", RWA_DIRECTED, 8, load, &o);
        CU_ASSERT_TRUE(one.probability > last && three.probability < one.probability);
        CU_ASSERT_TRUE(one.utilization > 0 && one.utilization < 1);
        /* Channels are taken by the lightpaths up, times their hops. */
        CU_ASSERT_DOUBLE_EQUAL(one.utilization * 42 * 8, one.carried * one.mean_hops,
                               0.05 * one.carried * one.mean_hops);
        last = one.probability;
    }
}

static int at_once(void *data, const char *phase, double fraction)
{
    (void)data;
    (void)phase;
    (void)fraction;
    return 1;
}

static void bad_settings_are_told(void)
{
    rwa_network *net = NULL;
    rwa_blocking_options o;
    rwa_blocking b;
    OK(rwa_network_open(&net, "ring:4", NULL, NULL));
    CU_ASSERT_EQUAL(rwa_blocking_simulate(&b, net, 0, NULL, NULL), RWA_BADARG);
    CU_ASSERT_EQUAL(rwa_blocking_simulate(&b, net, NAN, NULL, NULL), RWA_BADARG);
    rwa_blocking_options_init(&o);
    o.batches = 1;
    CU_ASSERT_EQUAL(rwa_blocking_simulate(&b, net, 1, &o, NULL), RWA_BADARG);
    rwa_blocking_options_init(&o);
    o.requests = 0;
    CU_ASSERT_EQUAL(rwa_blocking_simulate(&b, net, 1, &o, NULL), RWA_BADARG);
    rwa_blocking_options_init(&o);
    o.poll = at_once;
    CU_ASSERT_EQUAL(rwa_blocking_simulate(&b, net, 1, &o, NULL), RWA_CANCELLED);
    rwa_network_free(net);
}

int main(void)
{
    return RUN_TESTS("blocking", erlang_b_is_its_definition_and_its_recursion, two_nodes_are_the_formula,
                     more_nodes_have_no_formula, the_seed_decides, blocking_behaves, bad_settings_are_told);
}
