/* SPDX-License-Identifier: GPL-3.0-or-later */
/** 1+1 protection: what is known of it, and what is said where it cannot be given.  brute_test.c has random
 *  instances. */
#include "tests/support/assigning.h"
#include "tests/support/report.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static rwa_assignment_options protecting(double seconds)
{
    rwa_assignment_options opts;
    rwa_assignment_options_init(&opts);
    opts.protection = RWA_PROTECTION_DEDICATED;
    opts.time_limit_s = seconds;
    return opts;
}

static rwa_network *graph(const rwa_link *links, size_t count, uint32_t nodes, const rwa_risk_group *groups,
                          size_t group_count)
{
    rwa_network *net = NULL;
    rwa_network_options opts;
    rwa_network_options_init(&opts);
    opts.both_ways = 1;
    opts.risk_groups = groups;
    opts.risk_group_count = group_count;
    OK(rwa_network_create_graph(&net, nodes, links, count, &opts, NULL));
    return net;
}

static rwa_assignment *protect_one(const rwa_network *net, uint32_t src, uint32_t dst)
{
    rwa_demands *demands = NULL;
    rwa_demand one = {src, dst, 1, RWA_NONE};
    OK(rwa_demands_create(&demands, rwa_network_nodes(net), &one, 1, NULL));
    rwa_assignment_options opts = protecting(2);
    rwa_assignment *r = assign_demands(net, demands, &opts);
    rwa_demands_free(demands);
    return r;
}

/* Undirected round a ring: a lightpath and its backup take the whole ring, so n(n-1)/2 pairs need as many wavelengths,
 * and that is what the lengths of two ways prove. */
static void all_pairs_round_a_ring_take_the_ring_each(void)
{
    for (uint32_t n = 3; n <= 8; n++) {
        char spec[24];
        rwa_assignment_options opts = protecting(10);
        snprintf(spec, sizeof spec, "circulant:%u:1", n);
        rwa_assignment *r = assign_all(spec, RWA_UNDIRECTED, &opts);
        const rwa_assignment_report *s = rwa_assignment_summary(r);
        CU_ASSERT_EQUAL(s->wavelengths, n * (n - 1) / 2);
        CU_ASSERT_EQUAL(s->outcome, RWA_OPTIMAL);
        CU_ASSERT_EQUAL(s->check->bound_verdict, RWA_PASS);
        CU_ASSERT_EQUAL(rwa_assignment_count(r), n * (n - 1));
        rwa_assignment_free(r);
    }
}

/* The shortest route of this one (0-1-2-3) leaves no second one, but two others share nothing (Suurballe 1974). */
static void the_shortest_route_may_have_to_give_way(void)
{
    static const rwa_link trap[] = {{.from = 0, .to = 1, .length_km = 1}, {.from = 1, .to = 2, .length_km = 1},
                                    {.from = 2, .to = 3, .length_km = 1}, {.from = 0, .to = 2, .length_km = 9},
                                    {.from = 1, .to = 3, .length_km = 9}};
    rwa_network *net = graph(trap, 5, 4, NULL, 0);
    rwa_assignment *r = protect_one(net, 0, 3);
    CU_ASSERT_EQUAL(rwa_assignment_summary(r)->routed, 1);
    CU_ASSERT_EQUAL(rwa_assignment_summary(r)->outcome, RWA_OPTIMAL);
    rwa_assignment_free(r);
    rwa_network_free(net);
}

static void what_has_no_backup_says_why(void)
{
    static const rwa_link links[] = {{.from = 0, .to = 1},
                                     {.from = 1, .to = 2},
                                     {.from = 2, .to = 0},
                                     {.from = 2, .to = 3}};
    static const uint32_t duct[] = {0, 1, 2};
    static const rwa_risk_group group = {duct, 3};
    rwa_network *net = graph(links, 4, 4, NULL, 0);
    rwa_assignment *r = protect_one(net, 0, 3);
    CU_ASSERT_EQUAL(rwa_assignment_summary(r)->outcome, RWA_INFEASIBLE);
    expect_part(rwa_assignment_summary(r)->why, "the link from node 2 to node 3");
    rwa_assignment_free(r);
    rwa_network_free(net);
    net = graph(links, 4, 4, &group, 1);
    r = protect_one(net, 0, 2);
    CU_ASSERT_EQUAL(rwa_assignment_summary(r)->outcome, RWA_INFEASIBLE);
    expect_part(rwa_assignment_summary(r)->why, "every route meets risk group 0");
    rwa_assignment_free(r);
    rwa_network_free(net);
}

/* Backups come with the file; what the file says of the bound is proven from it. */
static void files_carry_the_backups(void)
{
    static const char *const names[] = {"nsfnet14-21", "eon19-37"};
    char path[] = "/tmp/rwa-protected-XXXXXX";
    int fd = mkstemp(path);
    CU_ASSERT_FATAL(fd >= 0);
    close(fd);
    for (size_t i = 0; i < 2; i++) {
        rwa_check_report check;
        rwa_assignment_options opts = protecting(0.5);
        rwa_assignment *r = assign_all(names[i], RWA_UNDIRECTED, &opts);
        CU_ASSERT_EQUAL(rwa_assignment_count(r), 2 * rwa_assignment_summary(r)->lightpaths);
        OK(rwa_assignment_write(r, path, NULL));
        OK(report_file(&check, path, NULL, NULL));
        CU_ASSERT(check.ok);
        CU_ASSERT_EQUAL(check.bound_verdict, RWA_PASS);
        CU_ASSERT_EQUAL(check.bound, rwa_assignment_summary(r)->bound.value);
        rwa_assignment_free(r);
    }
    unlink(path);
}

/** Shared backups need a state; numbers outside the enums are no routing and no protection. */
static void what_is_not_offered_is_refused(void)
{
    static const struct {
        int routing, protection;
        const char *words;
    } cases[] = {{RWA_ROUTES_AUTO, RWA_PROTECTION_SHARED, "shared backups belong to states"},
                 {RWA_ROUTES_AUTO, 3, "protection 3"}, {RWA_ROUTES_AUTO, -1, "protection -1"},
                 {RWA_ROUTES_MIN_LOAD + 1, RWA_PROTECTION_NONE, "routing 4"}, {-1, RWA_PROTECTION_NONE, "routing -1"}};
    rwa_network *net = NULL;
    rwa_demands *demands = NULL;
    OK(rwa_network_parse(&net, "mesh:2x3", NULL, NULL));
    OK(rwa_demands_all_to_all(&demands, 6, RWA_UNDIRECTED, NULL));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        rwa_assignment *result = NULL;
        rwa_assignment_options o;
        rwa_error err = {0};
        rwa_assignment_options_init(&o);
        o.routing = (rwa_assignment_routing)cases[i].routing;
        o.protection = (rwa_protection)cases[i].protection;
        CU_ASSERT_EQUAL(rwa_assignment_make(&result, net, demands, &o, &err), RWA_BADARG);
        expect_part(err.text, cases[i].words);
        CU_ASSERT_PTR_NULL(result);
    }
    CU_ASSERT_PTR_NULL(rwa_assignment_routing_name((rwa_assignment_routing)4));
    rwa_demands_free(demands);
    rwa_network_free(net);
}

int main(void)
{
    return RUN_TESTS("protection", all_pairs_round_a_ring_take_the_ring_each, the_shortest_route_may_have_to_give_way,
                     what_has_no_backup_says_why, files_carry_the_backups, what_is_not_offered_is_refused);
}
