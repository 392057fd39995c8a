/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Assignments in memory: what goes in comes out, what is wrong does not go in; as schedules. */
#include "tests/support/assigning.h"
#include "tests/support/report.h"

static rwa_assignment *result_on(const char *line)
{
    struct request r = request_of("%s", line);
    const rwa_network *net = request_network(r);
    rwa_assignment *result = NULL;
    OK(rwa_assignment_create(&result, net, request_demands(&r, net), RWA_DIRECTED, NULL));
    return keep_assignment(result);
}

static void routes_come_back_as_given(void)
{
    rwa_assignment *r = result_on("mesh:2x2 pairs=0>3x2,3>0");
    const rwa_network *net = rwa_assignment_network(r);
    uint32_t links[] = {rwa_network_find_link(net, 0, 1), rwa_network_find_link(net, 1, 3)};
    uint32_t fibers[] = {1, 0}, wavelengths[] = {5, 6};
    rwa_route a = {.demand = 0,
                   .hops = 2,
                   .links = links,
                   .fiber = 1,
                   .wavelength = 5,
                   .fibers = fibers,
                   .wavelengths = wavelengths};
    rwa_route b = {.demand = 0, .copy = 1, .hops = 2, .links = links, .wavelength = 9}, got;
    rwa_route c = {.demand = 1, .why = "no free channel"};
    OK(rwa_assignment_add(r, &a, NULL));
    OK(rwa_assignment_add(r, &b, NULL));
    b.role = RWA_BACKUP;
    OK(rwa_assignment_add(r, &b, NULL));
    OK(rwa_assignment_add(r, &c, NULL));
    CU_ASSERT_EQUAL_FATAL(rwa_assignment_count(r), 4);
    rwa_assignment_get(&got, r, 0);
    CU_ASSERT(got.hops == 2 && memcmp(got.links, links, sizeof links) == 0);
    CU_ASSERT(memcmp(got.fibers, fibers, sizeof fibers) == 0 &&
              memcmp(got.wavelengths, wavelengths, sizeof wavelengths) == 0);
    rwa_assignment_get(&got, r, 2);
    CU_ASSERT(got.role == RWA_BACKUP && got.copy == 1 && got.wavelength == 9 && !got.fibers && !got.wavelengths);
    CU_ASSERT_EQUAL(rwa_assignment_link(r, 2, 1), links[1]);
    rwa_assignment_get(&got, r, 3);
    CU_ASSERT(got.hops == 0 && !got.links);
    CU_ASSERT_STRING_EQUAL(got.why, "no free channel");
}

/** An arc's links lead from its source to its destination, one after the other. */
static void arcs_know_their_links(void)
{
    rwa_assignment *r = result_on("ring:7 pairs=5>2x2");
    const rwa_network *net = rwa_assignment_network(r);
    rwa_route cw = {.demand = 0, .hops = 4, .direction = RWA_CW}, ccw = {.copy = 1, .hops = 3, .direction = RWA_CCW};
    OK(rwa_assignment_add(r, &cw, NULL));
    OK(rwa_assignment_add(r, &ccw, NULL));
    for (uint64_t i = 0; i < 2; i++) {
        rwa_route got;
        uint32_t at = 5;
        rwa_assignment_get(&got, r, i);
        CU_ASSERT_PTR_NULL(got.links);
        for (uint32_t k = 0; k < got.hops; k++) {
            rwa_link link = rwa_network_link(net, rwa_assignment_link(r, i, k));
            CU_ASSERT_EQUAL(link.from, at);
            at = link.to;
        }
        CU_ASSERT_EQUAL(at, 2);
    }
}

static void routes_that_do_not_exist_are_refused(void)
{
    static const uint32_t links[] = {0, 99};
    rwa_route bad[] = {{.demand = 2}, {.demand = 0, .copy = 2}, {.demand = 0, .hops = 2, .links = links},
                       {.demand = 0, .hops = 1}, {.demand = 0, .role = (rwa_role)(RWA_SHARED_BACKUP + 1)}};
    rwa_assignment *r = result_on("mesh:2x2 pairs=0>3x2,1>2");
    for (size_t i = 0; i < COUNT(bad); i++)
        CU_ASSERT_EQUAL(rwa_assignment_add(r, &bad[i], NULL), RWA_BADARG);
    CU_ASSERT_EQUAL(rwa_assignment_count(r), 0);
    rwa_route good = {.demand = 1}, early = {.demand = 0};
    OK(rwa_assignment_add(r, &good, NULL));
    CU_ASSERT_EQUAL(rwa_assignment_add(r, &good, NULL), RWA_BADARG);
    CU_ASSERT_EQUAL(rwa_assignment_add(r, &early, NULL), RWA_BADARG);
    r = result_on("line:4 pairs=0>3x2");
    rwa_route back = {.demand = 0, .hops = 3, .direction = RWA_CCW};
    CU_ASSERT_EQUAL(rwa_assignment_add(r, &back, NULL), RWA_BADARG);
}

/** Busy channels of links: what a drawing must show, counted from the routes. */
static uint64_t busy_of_routes(const rwa_assignment *result)
{
    uint64_t busy = 0;
    for (uint64_t i = 0; i < rwa_assignment_count(result); i++) {
        rwa_route route;
        rwa_assignment_get(&route, result, i);
        busy += (uint64_t)route.hops * (rwa_assignment_model(result) == RWA_UNDIRECTED ? 2 : 1);
    }
    return busy;
}

static uint64_t busy_of_schedule(const rwa_schedule *sched)
{
    uint64_t busy = 0;
    for (uint64_t i = 0; i < rwa_schedule_records(sched); i++) {
        uint32_t nodes = 0;
        rwa_lightpath lp = lightpath_of(sched, i);
        busy += rwa_schedule_path(&nodes, sched, i)
                    ? nodes - 1
                    : rwa_network_hops(rwa_schedule_network(sched), lp.src, lp.dst, lp.direction);
    }
    return busy;
}

/* As a schedule an assignment of all-to-all is an all-to-all in one step: complete, and without a clash, says the
   checker, who knows nothing of assignments. */
static void an_assignment_is_a_schedule_of_one_step(void)
{
    static const char *const lines[] = {"ring:7 directed", "ring:8 undirected", "mesh:3x3 directed",
                                        "nsfnet14-21 undirected"};
    for (size_t i = 0; i < COUNT(lines); i++) {
        const rwa_assignment *result = assignment_on("%s", lines[i]);
        rwa_schedule *sched = NULL;
        rwa_check_report check;
        OK(rwa_assignment_schedule(&sched, result, NULL));
        OK(report_schedule(&check, keep_schedule(sched), NULL, NULL));
        CU_ASSERT_EQUAL(check.violations, 0);
        CU_ASSERT_EQUAL(rwa_schedule_steps(sched), 1);
        CU_ASSERT_EQUAL(rwa_network_wavelengths(rwa_schedule_network(sched)),
                        rwa_assignment_summary(result)->wavelengths);
        CU_ASSERT_EQUAL(busy_of_schedule(sched), busy_of_routes(result));
    }
}

/* A converter in the middle ends one lightpath and begins another. */
static void a_converter_cuts_a_lightpath(void)
{
    rwa_assignment *result = result_on("links:0>1,1>2,2>3 pairs=0>3");
    rwa_schedule *sched = NULL;
    uint32_t links[3] = {0, 1, 2}, wavelengths[3] = {5, 5, 2};
    rwa_route route = {.hops = 3, .links = links, .wavelengths = wavelengths, .wavelength = 5};
    OK(rwa_assignment_add(result, &route, NULL));
    OK(rwa_assignment_schedule(&sched, result, NULL));
    CU_ASSERT_EQUAL_FATAL(rwa_schedule_records(keep_schedule(sched)), 2);
    rwa_lightpath lp = lightpath_of(sched, 0), next = lightpath_of(sched, 1);
    CU_ASSERT(lp.src == 0 && lp.dst == 2 && lp.wavelength == 5 && lp.block == 3);
    CU_ASSERT(next.src == 2 && next.dst == 3 && next.wavelength == 2 && next.block == 3);
}

TESTS("assigned", routes_come_back_as_given, arcs_know_their_links, routes_that_do_not_exist_are_refused,
      an_assignment_is_a_schedule_of_one_step, a_converter_cuts_a_lightpath)
