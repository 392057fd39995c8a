/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/report.h"
#include "tests/support/plans.h"
#include "tests/support/suite.h"

#include <stdio.h>
#include <string.h>

static uint64_t lightpaths_of(const rwa_schedule *sched, uint32_t steps)
{
    uint64_t count = 0;
    for (uint64_t i = 0; i < rwa_schedule_first(sched, steps + 1); i++) {
        rwa_lightpath lp;
        rwa_schedule_get(&lp, sched, i);
        count += lp.orbit;
    }
    return count;
}

/** Whether a lightpath of the step crosses one of the links: found by walking it, as no other code does. */
static int crosses(const rwa_schedule *sched, uint32_t step, const uint32_t *links, size_t count)
{
    const rwa_network *net = rwa_schedule_network(sched);
    uint32_t all = rwa_network_pairs(net), nodes = rwa_network_nodes(net);
    for (uint64_t i = rwa_schedule_first(sched, step); i < rwa_schedule_first(sched, step + 1); i++) {
        rwa_lightpath lp;
        rwa_schedule_get(&lp, sched, i);
        for (uint32_t v = lp.src; v != lp.dst;) {
            uint32_t next = lp.direction == RWA_CW ? (v + 1) % nodes : (v + nodes - 1) % nodes;
            uint32_t link = lp.direction == RWA_CW ? v : all + next;
            for (size_t k = 0; k < count; k++)
                if (links[k] == link)
                    return 1;
            v = next;
        }
    }
    return 0;
}

static void repair_everywhere(const char *spec, uint32_t wavelengths, rwa_collective_kind kind, const char *scheme,
                              uint32_t stride)
{
    rwa_plan *plan = plan_of(spec, wavelengths, kind, scheme);
    const rwa_schedule *before = rwa_plan_schedule(plan);
    uint32_t all = rwa_network_pairs(rwa_schedule_network(before));
    for (uint32_t link = 0; link < all; link += stride)
        for (uint32_t step = 1; step <= rwa_schedule_steps(before) + 1; step++) {
            uint32_t links[2] = {link, all + link};
            rwa_plan *repaired = NULL;
            rwa_check_report verdict;
            CU_ASSERT_EQUAL_FATAL(rwa_plan_repair(&repaired, before, links, 2, step, NULL, NULL), RWA_OK);
            const rwa_schedule *after = rwa_plan_schedule(repaired);
            CU_ASSERT_PTR_NOT_NULL_FATAL(after);
            CU_ASSERT_EQUAL_FATAL(report_schedule(&verdict, after, NULL, NULL), RWA_OK);
            CU_ASSERT(verdict.ok);
            CU_ASSERT_EQUAL(lightpaths_of(after, step - 1), lightpaths_of(before, step - 1));
            for (uint32_t s = step; s <= rwa_schedule_steps(after); s++)
                CU_ASSERT_FALSE(crosses(after, s, links, 2));
            rwa_plan_free(repaired);
        }
    rwa_plan_free(plan);
}

/* A ring without one link is still connected, so whatever fails when, the collective can be finished. */
static void any_link_may_fail_in_any_step(void)
{
    repair_everywhere("ring:16", 2, RWA_ALL_GATHER, "wavefront", 5);
    repair_everywhere("ring:16", 2, RWA_ALL_GATHER, "optree", 7);
    repair_everywhere("ring:64", 8, RWA_ALL_GATHER, "wavefront", 47);
    repair_everywhere("ring:9", 1, RWA_BROADCAST, "tree", 2);
    repair_everywhere("ring:8", 2, RWA_ALL_TO_ALL, "one-stage", 3);
    repair_everywhere("ring:8", 2, RWA_SCATTER, "tree", 3);
    repair_everywhere("ring:8", 2, RWA_GATHER, "tree", 3);
}

static void without_a_failure_nothing_is_longer(void)
{
    rwa_plan *plan = plan_of("ring:24", 4, RWA_ALL_GATHER, "wavefront"), *same = NULL;
    CU_ASSERT_EQUAL_FATAL(rwa_plan_repair(&same, rwa_plan_schedule(plan), NULL, 0, 2, NULL, NULL), RWA_OK);
    CU_ASSERT(rwa_plan_summary(same)->steps <= rwa_plan_summary(plan)->steps);
    rwa_plan_free(same);
    rwa_plan_free(plan);
}

/* To begin again on the line that is left is one way to finish; OpTree's plan of it is longer than the one tried here. */
static void no_repair_is_worse_than_to_begin_again(void)
{
    rwa_plan *plan = plan_of("ring:64", 8, RWA_ALL_GATHER, "wavefront"), *afresh = plan_of("line:64", 8, RWA_ALL_GATHER, "optree");
    for (uint32_t step = 1; step <= rwa_plan_summary(plan)->steps; step++) {
        uint32_t links[] = {20, 84};
        rwa_plan *repaired = NULL;
        CU_ASSERT_EQUAL_FATAL(rwa_plan_repair(&repaired, rwa_plan_schedule(plan), links, 2, step, NULL, NULL), RWA_OK);
        CU_ASSERT(rwa_plan_summary(repaired)->steps <= step - 1 + rwa_plan_summary(afresh)->steps);
        rwa_plan_free(repaired);
    }
    rwa_plan_free(afresh);
    rwa_plan_free(plan);
}

/* Both links at node 3 gone in both directions: it is out of reach; with one direction of one left, a node reaches it, but it
 * cannot be heard. */
static void a_node_cut_off_is_said(void)
{
    rwa_plan *plan = plan_of("ring:6", 2, RWA_ALL_GATHER, "wavefront"), *none = NULL;
    const uint32_t links[4] = {2, 3, 6 + 2, 6 + 3};
    for (size_t count = 3; count <= 4; count++) {
        CU_ASSERT_EQUAL_FATAL(rwa_plan_repair(&none, rwa_plan_schedule(plan), links, count, 1, NULL, NULL), RWA_OK);
        /* cw links 2 and 3 and ccw link 2 fail: ccw link 3 still leads from node 4 into node 3, and none out of it */
        CU_ASSERT_EQUAL(rwa_plan_summary(none)->outcome, RWA_INFEASIBLE);
        CU_ASSERT_PTR_NULL(rwa_plan_schedule(none));
        const char *gap = count == 3 ? "leave no way from node 3 to node 4, which all-gather" : "leave no way from node 2 to node 3, which";
        CU_ASSERT_PTR_NOT_NULL(strstr(rwa_plan_summary(none)->why, gap));
        rwa_plan_free(none);
    }
    rwa_plan_free(plan);
}

static void what_cannot_be_repaired_is_refused(void)
{
    rwa_plan *plan = plan_of("ring:6", 2, RWA_ALL_GATHER, "wavefront");
    rwa_plan *out = NULL;
    uint32_t link = 0, far = 12;
    CU_ASSERT_EQUAL(rwa_plan_repair(&out, rwa_plan_schedule(plan), &link, 1, 0, NULL, NULL), RWA_BADARG);
    CU_ASSERT_EQUAL(rwa_plan_repair(&out, rwa_plan_schedule(plan), &link, 1, 99, NULL, NULL), RWA_BADARG);
    CU_ASSERT_EQUAL(rwa_plan_repair(&out, rwa_plan_schedule(plan), &far, 1, 1, NULL, NULL), RWA_BADARG);
    CU_ASSERT_PTR_NULL(out);
    rwa_plan_free(plan);
}

/** An all-reduce without its first reduction ends with wrong sums, however it goes on. */
static void a_wrong_schedule_is_refused(void)
{
    rwa_plan *plan = plan_of("torus:3x3", 2, RWA_ALL_REDUCE, "nearest"), *out = NULL;
    const rwa_schedule *whole = rwa_plan_schedule(plan);
    rwa_schedule *wrong = NULL;
    rwa_error err = {0};
    uint32_t link = 0;
    CU_ASSERT_EQUAL_FATAL(rwa_schedule_create(&wrong, rwa_schedule_network(whole), rwa_schedule_collective(whole), "wrong", NULL), RWA_OK);
    for (uint64_t i = 1; i < rwa_schedule_records(whole); i++) {
        rwa_lightpath lp;
        rwa_lists lists;
        rwa_schedule_get(&lp, whole, i);
        rwa_schedule_lists(&lists, whole, i);
        CU_ASSERT_EQUAL_FATAL(rwa_schedule_add_lists(wrong, &lp, &lists, NULL), RWA_OK);
    }
    CU_ASSERT_EQUAL(rwa_plan_repair(&out, wrong, &link, 1, 1, NULL, &err), RWA_BADARG);
    CU_ASSERT_PTR_NULL(out);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "the schedule to repair is wrong"));
    rwa_schedule_free(wrong);
    rwa_plan_free(plan);
}

/** Any two links of a pair, from every step on: the checker, which adds up the sums itself, accepts every repaired schedule, and
 *  steps before the failure are as they were.  A network without bridges reaches every node over the other links. */
static void reroute_everywhere(const rwa_schedule *before, uint32_t stride)
{
    const rwa_network *net = rwa_schedule_network(before);
    uint32_t pairs = rwa_network_pairs(net);
    int arcs = rwa_network_topology(net) == RWA_RING;
    for (uint32_t pair = 0; pair < pairs; pair += stride)
        for (uint32_t step = 1; step <= rwa_schedule_steps(before) + 1; step++) {
            uint32_t links[2] = {arcs ? pair : 2 * pair, arcs ? pairs + pair : 2 * pair + 1};
            rwa_plan *repaired = NULL;
            rwa_check_report verdict;
            rwa_error err = {0};
            CU_ASSERT_EQUAL_FATAL(rwa_plan_repair(&repaired, before, links, 2, step, NULL, &err), RWA_OK);
            const rwa_schedule *after = rwa_plan_schedule(repaired);
            CU_ASSERT_PTR_NOT_NULL_FATAL(after);
            CU_ASSERT_EQUAL_FATAL(report_schedule(&verdict, after, NULL, NULL), RWA_OK);
            CU_ASSERT(verdict.ok);
            CU_ASSERT_EQUAL(lightpaths_of(after, step - 1), lightpaths_of(before, step - 1));
            CU_ASSERT(rwa_schedule_steps(after) >= rwa_schedule_steps(before));
            rwa_plan_free(repaired);
        }
}

static void sums_are_finished_over_other_routes(void)
{
    static const struct { const char *spec; uint32_t wavelengths; rwa_collective_kind kind; } cases[] = {
        {"ring:9", 4, RWA_ALL_REDUCE}, {"ring:16", 8, RWA_REDUCE_SCATTER}, {"torus:4x4", 2, RWA_REDUCE_SCATTER},
        {"mesh:3x3", 4, RWA_ALL_REDUCE}, {"hypercube:4", 2, RWA_ALL_REDUCE}, {"ring:9", 4, RWA_ROOTED_REDUCE},
        {"mesh:3x3", 4, RWA_ROOTED_REDUCE}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        rwa_plan *plan = plan_of(cases[i].spec, cases[i].wavelengths, cases[i].kind, NULL);
        reroute_everywhere(rwa_plan_schedule(plan), 3);
        rwa_plan_free(plan);
    }
}

/** 6 of 12 nodes take part, a channel is reserved, and link 8 has failed before: the next failure leaves the line of the rest. */
static void members_finish_around_two_failures(void)
{
    static const uint32_t members[] = {0, 1, 2, 5, 6, 7}, channel = 1, failed[] = {8, 12 + 8};
    rwa_network *whole = network_of("ring:12", 4), *net = NULL;
    rwa_faults faults = {.channels = &channel, .channel_count = 1};
    for (int before = 0; before < 2; before++) {
        rwa_plan_options opts;
        rwa_collective coll;
        rwa_plan *plan = NULL, *repaired = NULL;
        uint32_t next[2] = {before ? 9 : 3, 12 + (before ? 9 : 3)};     /* members 7 … 0 go round by the other side */
        faults.links = failed;
        faults.link_count = before ? 2 : 0;
        CU_ASSERT_EQUAL_FATAL(rwa_network_with_faults(&net, whole, &faults, NULL), RWA_OK);
        CU_ASSERT_EQUAL_FATAL(rwa_collective_init(&coll, RWA_ALL_REDUCE, 6, 0, 4096, 0, NULL), RWA_OK);
        rwa_plan_options_init(&opts);
        opts.members = members;
        CU_ASSERT_EQUAL_FATAL(rwa_plan_make(&plan, net, &coll, &opts, NULL), RWA_OK);
        CU_ASSERT_PTR_NOT_NULL_FATAL(rwa_plan_schedule(plan));
        CU_ASSERT_EQUAL_FATAL(rwa_plan_repair(&repaired, rwa_plan_schedule(plan), next, 2, 2, NULL, NULL), RWA_OK);
        CU_ASSERT_EQUAL(rwa_plan_schedule(repaired) != NULL, 1);
        CU_ASSERT(rwa_plan_summary(repaired)->check->ok);
        rwa_plan_free(repaired);
        rwa_plan_free(plan);
        rwa_network_free(net);
    }
    rwa_network_free(whole);
}

/** A line cut in two cannot finish a sum. */
static void sums_on_a_cut_line_are_impossible(void)
{
    rwa_plan *plan = plan_of("line:6", 2, RWA_ALL_REDUCE, NULL), *none = NULL;
    uint32_t links[2] = {2, 5 + 2};
    CU_ASSERT_EQUAL_FATAL(rwa_plan_repair(&none, rwa_plan_schedule(plan), links, 2, 1, NULL, NULL), RWA_OK);
    CU_ASSERT_EQUAL(rwa_plan_summary(none)->outcome, RWA_INFEASIBLE);
    CU_ASSERT_PTR_NOT_NULL(strstr(rwa_plan_summary(none)->why, "leave no way from node 2 to node 3, which all-reduce needs"));
    rwa_plan_free(none);
    rwa_plan_free(plan);
}

/* In the file, the links fail from their step on: read again it is as right as before, and wrong when they fail a step earlier. */
static void a_repaired_file_says_from_when(void)
{
    static const char path[] = "/tmp/rwa-repair-test.jsonl";
    rwa_plan *plan = plan_of("ring:16", 2, RWA_ALL_GATHER, "wavefront"), *repaired = NULL;
    uint32_t links[2] = {5, 21};
    rwa_check_report verdict;
    rwa_schedule *read = NULL;
    rwa_faults faults;
    CU_ASSERT_EQUAL_FATAL(rwa_plan_repair(&repaired, rwa_plan_schedule(plan), links, 2, 3, NULL, NULL), RWA_OK);
    CU_ASSERT_EQUAL_FATAL(rwa_schedule_write(rwa_plan_schedule(repaired), path, NULL), RWA_OK);
    CU_ASSERT_EQUAL_FATAL(report_file(&verdict, path, NULL, NULL), RWA_OK);
    CU_ASSERT(verdict.ok);
    CU_ASSERT_EQUAL_FATAL(rwa_schedule_read(&read, path, NULL), RWA_OK);
    rwa_network_faults(&faults, rwa_schedule_network(read));
    CU_ASSERT_EQUAL(faults.links_from, 3);
    CU_ASSERT_EQUAL(faults.link_count, 2);
    CU_ASSERT(crosses(read, 2, links, 2));
    remove(path);
    rwa_schedule_free(read);
    rwa_plan_free(repaired);
    rwa_plan_free(plan);
}

static void expect_same_settings(const rwa_schedule *one, const rwa_schedule *other, uint32_t step)
{
    rwa_settings *a = NULL, *b = NULL;
    const rwa_setting *of_a, *of_b;
    CU_ASSERT_EQUAL_FATAL(rwa_settings_create(&a, one, step, RWA_NO_NODE, NULL, NULL), RWA_OK);
    CU_ASSERT_EQUAL_FATAL(rwa_settings_create(&b, other, step, RWA_NO_NODE, NULL, NULL), RWA_OK);
    size_t count = rwa_settings_list(&of_a, a), different = 0;
    CU_ASSERT_EQUAL_FATAL(rwa_settings_list(&of_b, b), count);
    for (size_t i = 0; i < count; i++)
        different += of_a[i].node != of_b[i].node || of_a[i].in_link != of_b[i].in_link || of_a[i].out_link != of_b[i].out_link ||
                     of_a[i].wavelength != of_b[i].wavelength || of_a[i].use != of_b[i].use || of_a[i].change != of_b[i].change;
    CU_ASSERT_EQUAL(different, 0);
    rwa_settings_free(a);
    rwa_settings_free(b);
}

/* A controller pushes changes alone: nodes hold the settings of the running schedule when the repaired one takes over. */
static void settings_before_the_failure_stay(void)
{
    static const struct { const char *spec; rwa_collective_kind kind; } cases[] = {
        {"ring:16", RWA_ALL_GATHER}, {"ring:16", RWA_ALL_REDUCE}, {"line:12", RWA_BROADCAST}, {"torus:4x4", RWA_ALL_GATHER},
        {"mesh:3x4", RWA_ALL_REDUCE}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        rwa_plan *plan = plan_of(cases[i].spec, 2, cases[i].kind, NULL);
        const rwa_schedule *before = rwa_plan_schedule(plan);
        for (uint32_t at = 2; at <= rwa_schedule_steps(before); at++) {
            rwa_plan *repaired = NULL;
            CU_ASSERT_EQUAL_FATAL(rwa_plan_repair(&repaired, before, (uint32_t[]){5}, 1, at, NULL, NULL), RWA_OK);
            for (uint32_t step = 1; step < at && rwa_plan_schedule(repaired); step++)
                expect_same_settings(before, rwa_plan_schedule(repaired), step);
            rwa_plan_free(repaired);
        }
        rwa_plan_free(plan);
    }
}

int main(void)
{
    static const struct test tests[] = {
        TEST(any_link_may_fail_in_any_step), TEST(without_a_failure_nothing_is_longer),
        TEST(no_repair_is_worse_than_to_begin_again), TEST(a_node_cut_off_is_said),
        TEST(what_cannot_be_repaired_is_refused),
        TEST(a_wrong_schedule_is_refused),
        TEST(sums_are_finished_over_other_routes), TEST(members_finish_around_two_failures),
        TEST(sums_on_a_cut_line_are_impossible), TEST(a_repaired_file_says_from_when),
        TEST(settings_before_the_failure_stay), {0}};
    return run_tests("repair", tests);
}
