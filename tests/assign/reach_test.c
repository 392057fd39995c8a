/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Routes that modulation formats reach over, beside all simple paths of small networks. */
#include "rwa.h"

#include "base/base.h"

#include "tests/support/fibers.h"
#include "tests/support/suite.h"

#include <stdlib.h>

enum { NODES = 7, EDGES = 10 };

static rwa_transmission *transmission_of(const char *modulations, const char *fiber)
{
    rwa_modulations *table = builtin_modulations(modulations);
    rwa_fiber_profile *profile = fiber ? builtin_profile(fiber) : NULL;
    rwa_transmission *t = NULL;
    CU_ASSERT_EQUAL_FATAL(rwa_transmission_create(&t, table, profile, 0, NULL), RWA_OK);
    rwa_modulations_free(table);
    rwa_fiber_profile_free(profile);
    return t;
}

/* A ring, so that it is connected, with chords; lengths from 50 to 2000 km. */
static rwa_network *random_network(uint64_t *random, double rate_bps)
{
    rwa_link links[EDGES];
    rwa_network *net = NULL;
    rwa_network_options opts;
    rwa_network_options_init(&opts);
    opts.both_ways = 1;
    opts.rate_bps = rate_bps;
    for (uint32_t i = 0; i < EDGES; i++) {
        uint32_t from = i < NODES ? i : (uint32_t)base_random_below(random, NODES);
        uint32_t to = i < NODES ? (i + 1) % NODES : (from + 2 + (uint32_t)base_random_below(random, NODES - 3)) % NODES;
        links[i] = (rwa_link){from, to, 50 + (double)base_random_below(random, 1950), 0};
    }
    CU_ASSERT_EQUAL_FATAL(rwa_network_create_graph(&net, NODES, links, EDGES, &opts, NULL), RWA_OK);
    return net;
}

/* A walk through all simple paths. */
struct walk {
    const rwa_network *net;
    const rwa_transmission *t;
    uint32_t links[NODES];
    bool on[NODES];
};

static bool any_path_reaches(struct walk *w, uint32_t at, uint32_t dst, size_t hops)
{
    rwa_modulation_choice c;
    bool found = false;
    if (at == dst) {
        CU_ASSERT_EQUAL_FATAL(rwa_transmission_choose_route(&c, w->t, w->net, w->links, hops, rwa_network_rate_bps(w->net),
                                                            rwa_transmission_channel_slots(w->t), NULL), RWA_OK);
        return c.modulation != RWA_NO_MODULATION;
    }
    w->on[at] = true;
    for (uint32_t l = 0; l < rwa_network_links(w->net) && !found; l++) {
        rwa_link link = rwa_network_link(w->net, l);
        if (link.from != at || w->on[link.to])
            continue;
        w->links[hops] = l;
        found = any_path_reaches(w, link.to, dst, hops + 1);
    }
    w->on[at] = false;
    return found;
}

static bool route_reaches(const rwa_assign_result *r, uint64_t i, const rwa_route *route, const rwa_transmission *t)
{
    uint32_t links[NODES];
    rwa_modulation_choice c;
    const rwa_network *net = rwa_assign_result_network(r);
    for (uint32_t k = 0; k < route->hops; k++)
        links[k] = rwa_assign_result_link(r, i, k);
    CU_ASSERT_EQUAL_FATAL(rwa_transmission_choose_route(&c, t, net, links, route->hops, rwa_network_rate_bps(net),
                                                        rwa_transmission_channel_slots(t), NULL), RWA_OK);
    return c.modulation != RWA_NO_MODULATION;
}

/* How many demands are served: exactly those that some simple path reaches.  One path alone is tried at first. */
static uint64_t expect_served_are_those_that_reach(const rwa_transmission *t, uint64_t *random, double rate_bps)
{
    rwa_network *net = random_network(random, rate_bps);
    rwa_demands *demands = NULL;
    rwa_assign_result *result = NULL;
    rwa_assign_options opts;
    rwa_assign_options_init(&opts);
    opts.transmission = t;
    opts.paths = 1 + (uint32_t)base_random_below(random, 3);
    opts.time_limit_s = 1;
    CU_ASSERT_EQUAL_FATAL(rwa_demands_open(&demands, "all-to-all", net, RWA_UNDIRECTED, 1, NULL), RWA_OK);
    CU_ASSERT_EQUAL_FATAL(rwa_assign(&result, net, demands, &opts, NULL), RWA_OK);
    CU_ASSERT(rwa_assign_result_summary(result)->check->ok);
    for (uint64_t i = 0; i < rwa_assign_result_routes(result); i++) {
        struct walk walk = {.net = net, .t = t};
        rwa_route route;
        rwa_assign_result_get(&route, result, i);
        const rwa_demand *d = &rwa_demands_list(demands)[route.demand];
        CU_ASSERT_EQUAL(route.hops > 0, any_path_reaches(&walk, d->src, d->dst, 0));
        CU_ASSERT(route.hops == 0 || route_reaches(result, i, &route, t));
    }
    uint64_t routed = rwa_assign_result_summary(result)->routed;
    rwa_outcome outcome = rwa_assign_result_summary(result)->outcome;
    CU_ASSERT(routed == rwa_assign_result_summary(result)->lightpaths || outcome == RWA_INFEASIBLE);
    rwa_assign_result_free(result);
    rwa_demands_free(demands);
    rwa_network_free(net);
    return routed;
}

static void demands_are_served_when_some_route_reaches(void)
{
    uint64_t random = 3, served = 0, rounds = 20, pairs = NODES * (NODES - 1) / 2;
    rwa_transmission *by_gsnr = transmission_of("coherent", "ssmf-roadm"), *by_reach = transmission_of("reach", NULL);
    for (uint64_t i = 0; i < rounds; i++) {
        served += expect_served_are_those_that_reach(by_gsnr, &random, i % 2 ? 100e9 : 200e9);
        served += expect_served_are_those_that_reach(by_reach, &random, i % 2 ? 100e9 : 200e9);
    }
    CU_ASSERT(served > rounds * pairs / 4 && served < rounds * pairs * 7 / 4);   /* both answers occur */
    rwa_transmission_free(by_gsnr);
    rwa_transmission_free(by_reach);
}

/* BPSK reaches everywhere: a table that asks for little changes nothing. */
static void formats_that_reach_everywhere_change_nothing(void)
{
    rwa_network *net = NULL;
    rwa_demands *demands = NULL;
    rwa_assign_result *with = NULL, *without = NULL;
    rwa_transmission *t = transmission_of("reach", NULL);
    rwa_assign_options opts;
    rwa_assign_options_init(&opts);
    CU_ASSERT_EQUAL_FATAL(rwa_network_open(&net, "nsfnet14-21", NULL, NULL), RWA_OK);
    CU_ASSERT_EQUAL_FATAL(rwa_demands_open(&demands, "all-to-all", net, RWA_UNDIRECTED, 1, NULL), RWA_OK);
    CU_ASSERT_EQUAL_FATAL(rwa_assign(&without, net, demands, &opts, NULL), RWA_OK);
    opts.transmission = t;
    CU_ASSERT_EQUAL_FATAL(rwa_assign(&with, net, demands, &opts, NULL), RWA_OK);
    CU_ASSERT_EQUAL(rwa_assign_result_summary(with)->wavelengths, rwa_assign_result_summary(without)->wavelengths);
    CU_ASSERT_EQUAL(rwa_assign_result_summary(with)->routed, 91);
    CU_ASSERT_EQUAL(rwa_assign_result_summary(with)->outcome, RWA_OPTIMAL);
    rwa_assign_result_free(with);
    rwa_assign_result_free(without);
    rwa_transmission_free(t);
    rwa_demands_free(demands);
    rwa_network_free(net);
}

/* 96 channels of 50 GHz fill 4.8 THz: 100 lightpaths over one link are too many. */
static void the_band_limits_the_wavelengths(void)
{
    rwa_link link = {0, 1, 80, 1};
    rwa_demand demand = {.src = 0, .dst = 1, .count = 100, .via = RWA_NO_NODE};
    rwa_network *net = NULL;
    rwa_demands *demands = NULL;
    rwa_assign_result *result = NULL;
    rwa_transmission *t = transmission_of("coherent", "ssmf");
    rwa_network_options graph;
    rwa_assign_options opts;
    rwa_error err = {0};
    rwa_network_options_init(&graph);
    rwa_assign_options_init(&opts);
    graph.both_ways = 1;
    opts.transmission = t;
    CU_ASSERT_EQUAL_FATAL(rwa_network_create_graph(&net, 2, &link, 1, &graph, NULL), RWA_OK);
    CU_ASSERT_EQUAL_FATAL(rwa_demands_create(&demands, 2, &demand, 1, NULL), RWA_OK);
    CU_ASSERT_EQUAL_FATAL(rwa_assign(&result, net, demands, &opts, NULL), RWA_OK);
    CU_ASSERT_EQUAL(rwa_assign_result_summary(result)->routed, 96);
    CU_ASSERT_EQUAL(rwa_assign_result_summary(result)->outcome, RWA_INFEASIBLE);
    rwa_assign_result_free(result);
    opts.wavelengths = 97;
    CU_ASSERT_EQUAL(rwa_assign(&result, net, demands, &opts, &err), RWA_BADARG);
    CU_ASSERT_STRING_EQUAL(err.text, "assign: 97 wavelengths, the band of the fibre profile holds 96 channels");
    rwa_transmission_free(t);
    rwa_demands_free(demands);
    rwa_network_free(net);
}

int main(void)
{
    static const struct test tests[] = {
        TEST(demands_are_served_when_some_route_reaches), TEST(formats_that_reach_everywhere_change_nothing),
        TEST(the_band_limits_the_wavelengths), {NULL, NULL}};
    return run_tests("assign with formats", tests);
}
