/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Requests by rate: each lightpath has the slots of the format that reaches over its route, and its signal arrives. */

#include "tests/support/fibers.h"
#include "tests/support/report.h"
#include "tests/support/states.h"

enum { REQUESTS = 400 };

static rwa_modulation_choice choice_of(const rwa_state *state, const rwa_transmission *t, const rwa_placed *placed,
                                       double rate_bps)
{
    rwa_modulation_choice c;
    bool flexible = rwa_network_slot_hz(rwa_state_network(state)) > 0;
    OK(rwa_transmission_choose_route(&c, t, rwa_state_network(state), placed->links, placed->hops, rate_bps,
                                     flexible ? 0 : rwa_transmission_channel_slots(t), NULL));
    return c;
}

/* Random requests, every third lightpath released again; the formats of those that stay, by id. */
static void run_requests(rwa_state *state, const rwa_transmission *t, rwa_routing routing)
{
    uint32_t placed_count = 0;
    for (int i = 0; i < REQUESTS; i++) {
        rwa_request request = any_request(state);
        rwa_placed placed, tried;
        request.routing = routing;
        request.policy = i % 2 ? RWA_POLICY_LAST_FIT : RWA_POLICY_FIRST_FIT;
        request.transmission = t;
        request.rate_bps = 25e9 * (1 + any(4));
        OK(rwa_state_try(&tried, state, &request, NULL));
        OK(rwa_state_add(&placed, state, &request, NULL));
        CU_ASSERT_EQUAL(tried.hops, placed.hops);
        if (placed.hops == 0)
            continue;
        rwa_modulation_choice c = choice_of(state, t, &placed, request.rate_bps);
        CU_ASSERT_NOT_EQUAL(c.modulation, RWA_NONE);
        CU_ASSERT_EQUAL(placed.width, rwa_network_slot_hz(rwa_state_network(state)) > 0 ? c.width : 1);
        CU_ASSERT_TRUE(tried.width == placed.width && strcmp(tried.modulation, placed.modulation) == 0);
        placed_count++;
        if (i % 3 == 0)
            OK(rwa_state_release(state, placed.id, NULL));
    }
    CU_ASSERT(placed_count > REQUESTS / 4 && placed_count <= REQUESTS);
}

/* The second judge: the state as an assignment, each lightpath in the narrowest format of its width that reaches. */
static void expect_light_arrives(const rwa_state *state, const rwa_transmission *t)
{
    rwa_assignment *result = NULL;
    rwa_check_report report;
    rwa_check_options opts;
    const rwa_modulations *table = rwa_transmission_modulations(t);
    OK(rwa_state_export(&result, state, NULL));
    for (uint64_t i = 0; i < rwa_assignment_count(result); i++) {
        rwa_route route;
        rwa_modulation m, best = {.rate_bps = 0};
        rwa_assignment_get(&route, result, i);
        for (size_t k = 0; k < rwa_modulations_count(table); k++) {
            rwa_modulations_get(&m, table, k);
            rwa_modulation_choice c;
            OK(rwa_transmission_choose_route(&c, t, rwa_state_network(state), route.links, route.hops, m.rate_bps, 0,
                                             NULL));
            if (c.modulation == k && rwa_assignment_width(result, i) % m.slots == 0 &&
                m.rate_bps / m.slots > best.rate_bps)
                best = (rwa_modulation){.name = m.name, .rate_bps = m.rate_bps / m.slots};
        }
        CU_ASSERT_PTR_NOT_NULL_FATAL(best.name);
        OK(rwa_assignment_set_modulation(result, i, best.name, NULL));
    }
    rwa_check_options_init(&opts);
    opts.transmission = t;
    OK(report_assignment(&report, result, &opts, NULL));
    CU_ASSERT(report.ok && report.gsnr_checked > 0);
    rwa_assignment_free(result);
}

static void widths_follow_the_formats_of_the_routes(void)
{
    static const struct { const char *network, *table, *fiber; rwa_routing routing; bool judged; } cases[] = {
        {"german17-24 w=320" FLEXIBLE, "coherent", "ssmf", RWA_ROUTING_SHORTEST, true},
        {"german17-24 w=320" FLEXIBLE, "coherent", "ssmf", RWA_ROUTING_ALTERNATE, true},
        {"german17-24 w=320" FLEXIBLE, "coherent", "ssmf", RWA_ROUTING_LEAST_LOADED, true},
        {"nsfnet14-21 w=320" FLEXIBLE, "reach", NULL, RWA_ROUTING_ALTERNATE, false},
        {"german17-24 w=96", "coherent", "ssmf-roadm", RWA_ROUTING_ALTERNATE, false}};
    seed = 5;
    for (size_t i = 0; i < COUNT(cases); i++) {
        rwa_transmission *t = builtin_transmission(cases[i].table, cases[i].fiber);
        rwa_state *state = state_on("%s", cases[i].network);
        run_requests(state, t, cases[i].routing);
        if (cases[i].judged)
            expect_light_arrives(state, t);
    }
}

/* 200 Gbit/s in 50 GHz need 16QAM, which does not reach over 1100 km of the lossy plant: refused, and the reason is
   named. */
static void what_does_not_reach_is_refused(void)
{
    rwa_transmission *t = builtin_transmission("coherent", "ssmf-roadm");
    rwa_state *state = state_on("nsfnet14-21 w=96"), *wide = state_on("nsfnet14-21 w=97"),
              *ring = state_on("ring:4 w=8");
    rwa_request request;
    rwa_placed placed;
    rwa_obstacle obstacle;
    rwa_error err = {0};
    rwa_request_init(&request, 0, 1);
    request.routing = RWA_ROUTING_ALTERNATE;
    request.transmission = t;
    request.rate_bps = 200e9;
    OK(rwa_state_add(&placed, state, &request, NULL));
    CU_ASSERT_EQUAL(placed.hops, 0);
    OK(rwa_state_explain(&obstacle, state, &request, NULL));
    CU_ASSERT_EQUAL(obstacle.kind, RWA_OBSTACLE_NO_FORMAT);
    expect_part(obstacle.text, "no modulation format carries the rate over any route tried");
    request.rate_bps = 100e9;
    OK(rwa_state_add(&placed, state, &request, NULL));
    CU_ASSERT_EQUAL(placed.hops, 1);
    CU_ASSERT_EQUAL(rwa_state_add(&placed, wide, &request, &err), RWA_BADARG);
    expect_part(err.text, "the band of the fibre profile holds 96");
    CU_ASSERT_EQUAL(rwa_state_add(&placed, ring, &request, &err), RWA_BADARG);
    expect_part(err.text, "has no length");
    request.rate_bps = -1;
    CU_ASSERT_EQUAL(rwa_state_add(&placed, state, &request, &err), RWA_BADARG);
}

/* ---- blocking ---- */

static rwa_blocking simulate(const rwa_network *net, const rwa_traffic_class *classes, size_t count,
                             const rwa_transmission *t)
{
    rwa_blocking seen;
    rwa_blocking_options opts;
    rwa_blocking_options_init(&opts);
    opts.classes = classes;
    opts.class_count = count;
    opts.requests = 20000;
    opts.warm_up = 1000;
    opts.routing = RWA_ROUTING_ALTERNATE;
    opts.transmission = t;
    OK(rwa_blocking_simulate(&seen, net, 60, &opts, NULL));
    return seen;
}

/* All routes of this ring are shorter than 625 km: 16QAM everywhere, 50 Gbit/s a slot.  So the same traffic by rates is
 * blocked as with the widths of 16QAM; where routes are long, it takes more slots and more of it is blocked. */
static void traffic_by_rate_is_traffic_by_width_on_short_routes(void)
{
    static const rwa_traffic_class by_rate[] = {{1, 2, 25e9}, {1, 1, 100e9}, {1, 1, 210e9}};
    static const rwa_traffic_class by_width[] = {{1, 2, 25e9}, {2, 1, 100e9}, {5, 1, 210e9}};
    rwa_transmission *t = builtin_transmission("reach", NULL);
    rwa_blocking rates[2], widths[2];
    for (int i = 0; i < 2; i++) {
        const char *km = i == 0 ? "100" : "1000";
        rwa_network *net = network_on("links:0-1@%s,1-2@%s,2-3@%s,3-4@%s,4-5@%s,5-0@%s w=64" FLEXIBLE, km, km, km, km,
                                      km, km);
        rates[i] = simulate(net, by_rate, 3, t);
        widths[i] = simulate(net, by_width, 3, NULL);
    }
    CU_ASSERT(widths[0].blocked > 100);
    CU_ASSERT_EQUAL(rates[0].blocked, widths[0].blocked);
    CU_ASSERT_DOUBLE_EQUAL(rates[0].bandwidth, widths[0].bandwidth, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(rates[0].utilization, widths[0].utilization, 1e-12);
    CU_ASSERT_EQUAL(widths[1].blocked, widths[0].blocked);
    CU_ASSERT(rates[1].blocked > rates[0].blocked);
}

TESTS("states with formats", widths_follow_the_formats_of_the_routes, what_does_not_reach_is_refused,
      traffic_by_rate_is_traffic_by_width_on_short_routes)
