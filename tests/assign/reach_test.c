/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Routes that modulation formats reach over, beside all simple paths of small networks. */
#include "rwa.h"

#include "base/base.h"

#include "tests/support/fibers.h"
#include "tests/support/assigning.h"
#include "tests/support/suite.h"

#include <stdlib.h>
#include <string.h>

static bool thorough;

enum { NODES = 7, EDGES = 10 };

static rwa_transmission *transmission_of(const char *modulations, const char *fiber)
{
    rwa_modulations *table = builtin_modulations(modulations);
    rwa_fiber_profile *profile = fiber ? builtin_profile(fiber) : NULL;
    rwa_transmission *t = NULL;
    OK(rwa_transmission_create(&t, table, profile, 0, NULL));
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
    OK(rwa_network_create_graph(&net, NODES, links, EDGES, &opts, NULL));
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
        OK(rwa_transmission_choose_route(&c, w->t, w->net, w->links, hops, rwa_network_rate_bps(w->net),
                                         rwa_transmission_channel_slots(w->t), NULL));
        return c.modulation != RWA_NONE;
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

static bool route_reaches(const rwa_assignment *r, uint64_t i, const rwa_route *route, const rwa_transmission *t)
{
    uint32_t links[NODES];
    rwa_modulation_choice c;
    const rwa_network *net = rwa_assignment_network(r);
    for (uint32_t k = 0; k < route->hops; k++)
        links[k] = rwa_assignment_link(r, i, k);
    OK(rwa_transmission_choose_route(&c, t, net, links, route->hops, rwa_network_rate_bps(net),
                                     rwa_transmission_channel_slots(t), NULL));
    return c.modulation != RWA_NONE;
}

/* How many demands are served: exactly those that some simple path reaches.  One path alone is tried at first. */
static uint64_t expect_served_are_those_that_reach(const rwa_transmission *t, uint64_t *random, double rate_bps)
{
    rwa_network *net = random_network(random, rate_bps);
    rwa_demands *demands = NULL;
    rwa_assignment *result = NULL;
    rwa_assignment_options opts;
    rwa_assignment_options_init(&opts);
    opts.transmission = t;
    opts.paths = 1 + (uint32_t)base_random_below(random, 3);
    opts.time_limit_s = 1;
    OK(rwa_demands_open(&demands, "all-to-all", net, RWA_UNDIRECTED, 1, NULL));
    OK(rwa_assignment_make(&result, net, demands, &opts, NULL));
    CU_ASSERT(rwa_assignment_summary(result)->check->ok);
    for (uint64_t i = 0; i < rwa_assignment_count(result); i++) {
        struct walk walk = {.net = net, .t = t};
        rwa_route route;
        rwa_assignment_get(&route, result, i);
        const rwa_demand *d = &rwa_demands_list(demands)[route.demand];
        CU_ASSERT_EQUAL(route.hops > 0, any_path_reaches(&walk, d->src, d->dst, 0));
        CU_ASSERT(route.hops == 0 || route_reaches(result, i, &route, t));
    }
    uint64_t routed = rwa_assignment_summary(result)->routed;
    rwa_outcome outcome = rwa_assignment_summary(result)->outcome;
    CU_ASSERT(routed == rwa_assignment_summary(result)->lightpaths || outcome == RWA_INFEASIBLE);
    rwa_assignment_free(result);
    rwa_demands_free(demands);
    rwa_network_free(net);
    return routed;
}

static void demands_are_served_when_some_route_reaches(void)
{
    uint64_t random = 3, served = 0, rounds = thorough ? 20 : 6, pairs = NODES * (NODES - 1) / 2;
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
    rwa_transmission *t = transmission_of("reach", NULL);
    rwa_assignment_options opts;
    rwa_assignment_options_init(&opts);
    rwa_assignment *without = assign_all("nsfnet14-21", RWA_UNDIRECTED, &opts);
    opts.transmission = t;
    rwa_assignment *with = assign_all("nsfnet14-21", RWA_UNDIRECTED, &opts);
    CU_ASSERT_EQUAL(rwa_assignment_summary(with)->wavelengths, rwa_assignment_summary(without)->wavelengths);
    CU_ASSERT_EQUAL(rwa_assignment_summary(with)->routed, 91);
    CU_ASSERT_EQUAL(rwa_assignment_summary(with)->outcome, RWA_OPTIMAL);
    rwa_assignment_free(with);
    rwa_assignment_free(without);
    rwa_transmission_free(t);
}

/* 96 channels of 50 GHz fill 4.8 THz: 100 lightpaths over one link are too many. */
static void the_band_limits_the_wavelengths(void)
{
    rwa_link link = {0, 1, 80, 1};
    rwa_demand demand = {.src = 0, .dst = 1, .count = 100, .via = RWA_NONE};
    rwa_network *net = NULL;
    rwa_demands *demands = NULL;
    rwa_assignment *result = NULL;
    rwa_transmission *t = transmission_of("coherent", "ssmf");
    rwa_network_options graph;
    rwa_assignment_options opts;
    rwa_error err = {0};
    rwa_network_options_init(&graph);
    rwa_assignment_options_init(&opts);
    graph.both_ways = 1;
    opts.transmission = t;
    OK(rwa_network_create_graph(&net, 2, &link, 1, &graph, NULL));
    OK(rwa_demands_create(&demands, 2, &demand, 1, NULL));
    OK(rwa_assignment_make(&result, net, demands, &opts, NULL));
    CU_ASSERT_EQUAL(rwa_assignment_summary(result)->routed, 96);
    CU_ASSERT_EQUAL(rwa_assignment_summary(result)->outcome, RWA_INFEASIBLE);
    rwa_assignment_free(result);
    opts.wavelengths = 97;
    CU_ASSERT_EQUAL(rwa_assignment_make(&result, net, demands, &opts, &err), RWA_BADARG);
    CU_ASSERT_STRING_EQUAL(err.text, "assign: 97 wavelengths, the band of the fibre profile holds 96 channels");
    rwa_transmission_free(t);
    rwa_demands_free(demands);
    rwa_network_free(net);
}

/* ---- flexible grids: all simple paths and all places ---- */

enum { FEW = 5, FEW_EDGES = 6, FEW_DEMANDS = 4, HIGHEST = 64 };

struct exhaustive {
    const rwa_network *net;
    const rwa_transmission *t;
    const rwa_demand *demands;
    const double *rates;
    uint64_t taken[2 * FEW_EDGES];      /* slots of each fibre pair */
    uint32_t best;                      /* slots of the best so far */
    uint32_t links[FEW];
    bool on[FEW];
};

static void place_demand(struct exhaustive *e, size_t d, uint32_t used);

static void try_places(struct exhaustive *e, size_t d, uint32_t used, size_t hops)
{
    rwa_modulation_choice c;
    uint64_t taken = 0;
    uint32_t links[FEW];
    bool on[FEW];
    OK(rwa_transmission_choose_route(&c, e->t, e->net, e->links, hops, e->rates[d], 0, NULL));
    for (size_t k = 0; k < hops; k++)
        taken |= e->taken[e->links[k] / 2];
    memcpy(links, e->links, sizeof links);
    memcpy(on, e->on, sizeof on);
    for (uint32_t at = 0; c.width > 0 && at + c.width < e->best; at++) {
        uint64_t here = ((UINT64_C(1) << c.width) - 1) << at;
        if (taken & here)
            continue;
        for (size_t k = 0; k < hops; k++)
            e->taken[links[k] / 2] |= here;
        memset(e->on, 0, sizeof e->on);
        place_demand(e, d + 1, at + c.width > used ? at + c.width : used);
        memcpy(e->links, links, sizeof links);
        memcpy(e->on, on, sizeof on);
        for (size_t k = 0; k < hops; k++)
            e->taken[links[k] / 2] &= ~here;
    }
}

static void extend_path(struct exhaustive *e, size_t d, uint32_t used, uint32_t at, size_t hops)
{
    if (at == e->demands[d].dst) {
        try_places(e, d, used, hops);
        return;
    }
    e->on[at] = true;
    for (uint32_t l = 0; l < rwa_network_links(e->net); l++) {
        rwa_link link = rwa_network_link(e->net, l);
        if (link.from != at || e->on[link.to])
            continue;
        e->links[hops] = l;
        extend_path(e, d, used, link.to, hops + 1);
    }
    e->on[at] = false;
}

static void place_demand(struct exhaustive *e, size_t d, uint32_t used)
{
    if (used >= e->best)
        return;
    if (d == FEW_DEMANDS)
        e->best = used;
    else
        extend_path(e, d, used, e->demands[d].src, 0);
}

/* A ring with a chord, four demands of random rates. */
static bool expect_fewest_slots(const rwa_transmission *t, uint64_t *random)
{
    rwa_link links[FEW_EDGES];
    rwa_demand list[FEW_DEMANDS];
    double rates[FEW_DEMANDS];
    rwa_network *net = NULL;
    rwa_demands *plain = NULL, *demands = NULL;
    rwa_assignment *result = NULL;
    rwa_network_options graph;
    rwa_assignment_options opts;
    rwa_network_options_init(&graph);
    rwa_assignment_options_init(&opts);
    graph.both_ways = 1;
    graph.slot_hz = RWA_SLOT_HZ;
    graph.wavelengths = HIGHEST;
    for (uint32_t i = 0; i < FEW_EDGES; i++)
        links[i] =
            (rwa_link){i < FEW ? i : 0, i < FEW ? (i + 1) % FEW : 2, 100 + (double)base_random_below(random, 900), 1};
    for (int d = 0; d < FEW_DEMANDS; d++) {
        uint32_t src = (uint32_t)base_random_below(random, FEW);
        list[d] = (rwa_demand){src, (src + 1 + (uint32_t)base_random_below(random, FEW - 1)) % FEW, 1, RWA_NONE};
        rates[d] = 25e9 * (double)(1 + base_random_below(random, 3));
    }
    OK(rwa_network_create_graph(&net, FEW, links, FEW_EDGES, &graph, NULL));
    OK(rwa_demands_create(&plain, FEW, list, FEW_DEMANDS, NULL));
    OK(rwa_demands_with_rates(&demands, plain, rates, NULL));
    opts.model = RWA_UNDIRECTED;
    opts.transmission = t;
    OK(rwa_assignment_make(&result, net, demands, &opts, NULL));
    const rwa_assignment_report *sum = rwa_assignment_summary(result);
    struct exhaustive e = {.net = net, .t = t, .demands = list, .rates = rates, .best = sum->wavelengths + 1};
    place_demand(&e, 0, 0);
    CU_ASSERT(sum->check->ok && sum->routed == FEW_DEMANDS);
    CU_ASSERT(e.best <= sum->wavelengths && sum->bound.value <= e.best);
    bool optimal = sum->outcome == RWA_OPTIMAL;
    CU_ASSERT(!optimal || e.best == sum->wavelengths);
    for (uint64_t i = 0; i < FEW_DEMANDS; i++) {
        rwa_modulation_choice c;
        rwa_route route;
        rwa_assignment_get(&route, result, i);
        OK(rwa_transmission_choose_route(&c, t, net, route.links, route.hops, rates[i], 0, NULL));
        CU_ASSERT_EQUAL(rwa_assignment_width(result, i), c.width);
    }
    rwa_assignment_free(result);
    rwa_demands_free(demands);
    rwa_demands_free(plain);
    rwa_network_free(net);
    return optimal;
}

static void fewest_slots_agree_with_exhaustive_search(void)
{
    uint64_t random = 17;
    int optimal = 0, rounds = 60;
    rwa_transmission *t = transmission_of("reach", NULL);
    for (int i = 0; i < rounds; i++)
        optimal += expect_fewest_slots(t, &random);
    CU_ASSERT(optimal > rounds / 2);
    rwa_transmission_free(t);
}

/* Widths and formats together contradict each other; a rate that no band holds is named. */
static void refuses_widths_and_rates_without_format(void)
{
    rwa_network *net = NULL;
    rwa_demands *plain = NULL, *wide = NULL, *fast = NULL;
    rwa_assignment *result = NULL;
    rwa_transmission *t = transmission_of("coherent", "ssmf");
    rwa_demand demand = {0, 1, 1, RWA_NONE};
    rwa_network_options graph;
    rwa_assignment_options opts;
    rwa_error err = {0};
    rwa_network_options_init(&graph);
    rwa_assignment_options_init(&opts);
    graph.slot_hz = RWA_SLOT_HZ;
    opts.transmission = t;
    OK(rwa_network_open(&net, "nsfnet14-21", &graph, NULL));
    OK(rwa_demands_create(&plain, 14, &demand, 1, NULL));
    OK(rwa_demands_with_widths(&wide, plain, (const uint32_t[]){3}, NULL));
    OK(rwa_demands_with_rates(&fast, plain, (const double[]){1e15}, NULL));
    CU_ASSERT_EQUAL(rwa_assignment_make(&result, net, wide, &opts, &err), RWA_BADARG);
    CU_ASSERT_STRING_EQUAL(err.text,
                           "assign: demands with widths and a transmission: expected rates, from which widths follow");
    CU_ASSERT_EQUAL(rwa_assignment_make(&result, net, fast, &opts, &err), RWA_BADARG);
    CU_ASSERT_STRING_EQUAL(err.text, "assign: demand 0: no format carries 1e+06 Gbit/s within the band");
    rwa_transmission_free(t);
    rwa_demands_free(plain);
    rwa_demands_free(wide);
    rwa_demands_free(fast);
    rwa_network_free(net);
}

int main(int argc, char **argv)
{
    thorough = is_thorough(argc, argv);
    return RUN_TESTS("assign with formats", demands_are_served_when_some_route_reaches,
                     formats_that_reach_everywhere_change_nothing, the_band_limits_the_wavelengths,
                     fewest_slots_agree_with_exhaustive_search, refuses_widths_and_rates_without_format);
}
