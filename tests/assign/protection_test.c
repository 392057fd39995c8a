/* SPDX-License-Identifier: GPL-3.0-or-later */
/** 1+1 protection: what is known of it, and what is said where it cannot be given.  brute_test.c has random
 *  instances. */
#include "tests/support/assigning.h"
#include "tests/support/files.h"
#include "tests/support/report.h"

/* Undirected round a ring: a lightpath and its backup take the whole ring, so n(n-1)/2 pairs need as many wavelengths,
 * and that is what the lengths of two ways prove. */
static void all_pairs_round_a_ring_take_the_ring_each(void)
{
    for (uint32_t n = 3; n <= 8; n++) {
        const rwa_assignment *a = assignment_on("circulant:%u:1 undirected protected", n);
        const rwa_assignment_report *s = expect_fewest(rwa_assignment_summary(a), n * (n - 1) / 2);
        CU_ASSERT_EQUAL(s->check->bound_verdict, RWA_PASS);
        CU_ASSERT_EQUAL(rwa_assignment_count(a), n * (n - 1));
    }
}

/* The shortest route of this one (0-1-2-3) leaves no second one, but two others share nothing (Suurballe 1974). */
static void the_shortest_route_may_have_to_give_way(void)
{
    const rwa_assignment_report *s = assigned_on("links:0-1@1,1-2@1,2-3@1,0-2@9,1-3@9 pairs=0>3 protected seconds=2");
    CU_ASSERT(s->routed == 1 && s->outcome == RWA_OPTIMAL);
}

static void what_has_no_backup_says_why(void)
{
    const rwa_risk_group group = {(const uint32_t[]){0, 1, 2}, 3};
    static const char *const cases[][2] = {{"0>3", "the link from node 2 to node 3"},
                                           {"0>2", "every route meets risk group 0"}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct request r = request_of("links:0-1,1-2,2-0,2-3 pairs=%s protected seconds=2", cases[i][0]);
        r.network.risk_groups = &group;
        r.network.risk_group_count = i;
        const rwa_assignment_report *s = rwa_assignment_summary(assignment_for(r));
        CU_ASSERT_EQUAL(s->outcome, RWA_INFEASIBLE);
        expect_part(s->why, cases[i][1]);
    }
}

/* Backups come with the file; what the file says of the bound is proven from it. */
static void files_carry_the_backups(void)
{
    static const char *const names[] = {"nsfnet14-21", "eon19-37"};
    struct file file = file_make("protected.jsonl", "", 0);
    for (size_t i = 0; i < COUNT(names); i++) {
        rwa_check_report check;
        const rwa_assignment *a = assignment_on("%s protected seconds=0.5", names[i]);
        CU_ASSERT_EQUAL(rwa_assignment_count(a), 2 * rwa_assignment_summary(a)->lightpaths);
        OK(rwa_assignment_write(a, file.path, NULL));
        OK(report_file(&check, file.path, NULL, NULL));
        CU_ASSERT(check.ok && check.bound_verdict == RWA_PASS &&
                  check.bound == rwa_assignment_summary(a)->bound.value);
    }
    file_drop(&file);
}

/** Shared backups need a state; numbers outside the enums are no routing and no protection. */
static void what_is_not_offered_is_refused(void)
{
    static const struct {
        int routing, protection;
        const char *words;
    } cases[] = {{RWA_ROUTES_AUTO, RWA_PROTECTION_SHARED, "shared backups belong to states"},
                 {RWA_ROUTES_AUTO, 3, "protection is 3"}, {RWA_ROUTES_AUTO, -1, "protection is -1"},
                 {RWA_ROUTES_MIN_LOAD + 1, RWA_PROTECTION_NONE, "routing is 4"},
                 {-1, RWA_PROTECTION_NONE, "routing is -1"}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct request r = request_of("mesh:2x3 undirected");
        rwa_assignment *a = NULL;
        rwa_error err = {0};
        r.assign.routing = (rwa_assignment_routing)cases[i].routing;
        r.assign.protection = (rwa_protection)cases[i].protection;
        CU_ASSERT_EQUAL(request_assignment(&a, &r, &err), RWA_BADARG);
        expect_part(err.text, cases[i].words);
        CU_ASSERT_PTR_NULL(a);
    }
    CU_ASSERT_PTR_NULL(rwa_assignment_routing_name((rwa_assignment_routing)4));
}

TESTS("protection", all_pairs_round_a_ring_take_the_ring_each, the_shortest_route_may_have_to_give_way,
      what_has_no_backup_says_why, files_carry_the_backups, what_is_not_offered_is_refused)
