/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Matchings on switches and reconfigurable networks: steps and times follow closed forms, and the checker accepts every plan. */
#include "rwa.h"

#include "scheme/compose/matchings.h"

#include "tests/support/suite.h"

#include <stdio.h>
#include <string.h>

struct setting {
    const char *spec;
    uint32_t wavelengths, ports, tuning;
    rwa_cost_model model;
    uint32_t load;              /* blocks on a lightpath; 0: any number */
};

static rwa_plan *plan_message(const struct setting *s, rwa_collective_kind kind, uint32_t root, uint64_t bytes, const char *scheme)
{
    rwa_network_options options;
    rwa_network *net = NULL;
    rwa_collective coll;
    rwa_plan_options opts;
    rwa_plan *plan = NULL;
    rwa_network_options_init(&options);
    options.wavelengths = s->wavelengths;
    options.ports = s->ports;
    options.tuning = s->tuning;
    CU_ASSERT_EQUAL_FATAL(rwa_network_open(&net, s->spec, &options, NULL), RWA_OK);
    CU_ASSERT_EQUAL_FATAL(rwa_collective_init(&coll, kind, rwa_network_nodes(net), root, bytes, 0, NULL), RWA_OK);
    rwa_plan_options_init(&opts);
    opts.scheme = scheme;
    opts.cost.model = s->model;
    opts.stripes = opts.lightpath_blocks = s->load;
    rwa_plan_make(&plan, net, &coll, &opts, NULL);
    rwa_network_free(net);
    return plan;
}

static uint32_t steps_of(const char *spec, rwa_collective_kind kind, uint64_t bytes, const char *scheme)
{
    struct setting s = {.spec = spec, .wavelengths = 4};
    rwa_plan *plan = plan_message(&s, kind, 0, bytes, scheme);
    uint32_t steps = plan ? rwa_plan_summary(plan)->steps : 0;
    rwa_plan_free(plan);
    return steps;
}

static void terms_come_back_from_their_text(void)
{
    static const char *const terms[] = {"windows(5,5,3)", "windows(2,4,sums(4,3))", "sums(4,4,4)", "copies",
                                        "trees(12)", "tree", "digits(4,4,4)", "circles"};
    static const char *const former[][2] = {{"windows(2,4)+sums(4,3)", "windows(2,4,sums(4,3))"}};
    static const char *const wrong[] = {"", "near", "windows(", "windows(2", "windows(chain)", "windows(2)+sums(2)x", "windows(0)", "tree+",
                                        "digits(1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25)"};
    struct composition t;
    char text[TERM_TEXT];
    for (size_t i = 0; i < sizeof terms / sizeof *terms; i++) {
        CU_ASSERT_EQUAL_FATAL(composition_parse(&t, terms[i], NULL), RWA_OK);
        composition_print(text, &t);
        CU_ASSERT_STRING_EQUAL(text, terms[i]);
    }
    for (size_t i = 0; i < sizeof former / sizeof *former; i++) {
        CU_ASSERT_EQUAL_FATAL(composition_parse(&t, former[i][0], NULL), RWA_OK);
        composition_print(text, &t);
        CU_ASSERT_STRING_EQUAL(text, former[i][1]);
    }
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        CU_ASSERT_EQUAL(composition_parse(&t, wrong[i], NULL), RWA_BADARG);
}

/* N - 1 other nodes, one circuit for each, as many a step as switches. */
static void rotations_meet_the_bound(void)
{
    CU_ASSERT_EQUAL(steps_of("ocs:64x4", RWA_ALL_TO_ALL, 64, "matchings:digits(64)"), 16);
    CU_ASSERT_EQUAL(steps_of("ocs:64x8", RWA_ALL_TO_ALL, 64, "matchings:digits(64)"), 8);
    CU_ASSERT_EQUAL(steps_of("ocs:128x6", RWA_ALL_TO_ALL, 128, "matchings:digits(128)"), 22);
    CU_ASSERT_EQUAL(steps_of("ocs:256x8", RWA_ALL_TO_ALL, 256, "matchings:digits(256)"), 32);
}

/* One block on a lightpath: a node takes in as many blocks a step as it has circuits, and all of the others in no fewer steps. */
static void one_block_on_a_lightpath_meets_the_bound(void)
{
    static const struct {
        const char *spec;
        uint32_t steps;
    } cases[] = {{"ocs:64x4", 16}, {"ocs:64x8", 8}, {"ocs:128x6", 22}, {"ocs:256x8", 32}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (uint64_t bytes = 4000; bytes < 300000000; bytes *= 50) {
            struct setting s = {.spec = cases[i].spec, .wavelengths = 1, .load = 1};
            rwa_plan *plan = plan_message(&s, RWA_ALL_TO_ALL, 0, bytes, "auto");
            CU_ASSERT_PTR_NOT_NULL_FATAL(plan);
            CU_ASSERT_EQUAL(rwa_plan_summary(plan)->steps, cases[i].steps);
            CU_ASSERT_EQUAL(rwa_plan_summary(plan)->outcome, RWA_OPTIMAL);
            CU_ASSERT_EQUAL(rwa_schedule_lightpath_blocks(rwa_plan_schedule(plan)), 1);
            rwa_plan_free(plan);
        }
}

/* With k circuits a node, what it knows of, or who knows of it, grows k + 1 times a step: no fewer steps are possible. */
static void short_messages_take_as_many_steps_as_a_block_needs_to_spread(void)
{
    static const rwa_collective_kind kinds[] = {RWA_ALL_GATHER, RWA_REDUCE_SCATTER, RWA_BROADCAST,    RWA_SCATTER,
                                                RWA_GATHER,     RWA_ALL_TO_ALL,     RWA_ROOTED_REDUCE};
    char spec[32];
    for (uint32_t n = 2; n < 40; n += 1 + n / 5)
        for (uint32_t k = 1; k <= 4; k++) {
            uint32_t steps = 0;
            for (uint32_t reached = 1; reached < n; reached *= (k < n ? k : n - 1) + 1)
                steps++;
            snprintf(spec, sizeof spec, "ocs:%ux%u", n, k);
            for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
                CU_ASSERT_EQUAL(steps_of(spec, kinds[i], 64, "matchings"), steps);
        }
    CU_ASSERT_EQUAL(steps_of("ocs:64x4", RWA_ALL_REDUCE, 64, "matchings"), 3); /* 4 * 4 * 4 */
}

/* Every node must take in (N - 1) / N of all bytes on its k circuits of w wavelengths, and three steps are the fewest. */
static void windows_fill_all_circuits(void)
{
    struct setting s = {.spec = "ocs:64x4", .wavelengths = 4};
    rwa_plan *plan = plan_message(&s, RWA_ALL_GATHER, 0, 1 << 20, "matchings");
    CU_ASSERT_PTR_NOT_NULL_FATAL(plan);
    double time_s = rwa_plan_summary(plan)->time_s, byte_s = 8 / 40e9 + 4e-9 / 128;
    CU_ASSERT_TRUE(time_s >= 63 * 1048576 / 16.0 * byte_s + 3 * 25e-6);
    CU_ASSERT_TRUE(time_s <= 1.02 * (63 * 1048576 / 16.0 * byte_s + 3 * 25e-6));
    rwa_plan_free(plan);
}

/* All-to-all in parts: with one block for each pair, a lightpath would carry all of it while others idle. */
static void pairs_are_cut_over_all_lightpaths(void)
{
    struct setting s = {.spec = "ocs:64x4", .wavelengths = 64};
    rwa_plan *plan = plan_message(&s, RWA_ALL_TO_ALL, 0, 1 << 28, "matchings");
    CU_ASSERT_PTR_NOT_NULL_FATAL(plan);
    uint64_t blocks = rwa_schedule_collective(rwa_plan_schedule(plan))->blocks;
    CU_ASSERT_TRUE(blocks > 64 * 64 && blocks % (64 * 64) == 0);
    CU_ASSERT_TRUE(rwa_plan_summary(plan)->time_s <= 1.25 * rwa_plan_summary(plan)->time_bound_s);
    rwa_plan_free(plan);
}

/* Circuits that lead the same way round stay, backwards and forwards: one setting in all. */
static void circles_set_circuits_once(void)
{
    struct setting s = {.spec = "ocs:17x2", .wavelengths = 4, .model = RWA_COST_CIRCUIT};
    rwa_plan *plan = plan_message(&s, RWA_ALL_REDUCE, 0, 1 << 20, "matchings:circles");
    CU_ASSERT_PTR_NOT_NULL_FATAL(plan);
    double byte_s = 8 / 40e9 + 4e-9 / 128, least = 25e-6 + 2 * 16 / 17.0 * 1048576 / 8 * byte_s;
    CU_ASSERT_TRUE(rwa_plan_summary(plan)->time_s >= least);
    CU_ASSERT_TRUE(rwa_plan_summary(plan)->time_s <= 1.2 * least);
    rwa_plan_free(plan);
}

/* Circuits that lead the same way round stay: one setting, whatever the size. */
static void circuits_that_stay_are_set_once(void)
{
    struct setting s = {.spec = "ocs:64x4", .wavelengths = 64, .model = RWA_COST_CIRCUIT};
    for (uint64_t bytes = 4096; bytes <= 1 << 20; bytes *= 16) {
        rwa_plan *exchange = plan_message(&s, RWA_ALL_TO_ALL, 0, bytes, "matchings:circles");
        CU_ASSERT_PTR_NOT_NULL_FATAL(exchange);
        CU_ASSERT_TRUE(rwa_plan_summary(exchange)->time_s < 1.5 * rwa_plan_summary(exchange)->time_bound_s);
        rwa_plan_free(exchange);
    }
}

/* Lightpaths that join a circuit later were idle, and are tuned from the beginning on: fewer steps with more of them are quicker. */
static void lightpaths_that_join_are_tuned_before(void)
{
    struct setting s = {.spec = "ocs:12x2", .wavelengths = 3, .model = RWA_COST_OVERLAP};
    for (int scatter = 0; scatter <= 1; scatter++) {
        rwa_collective_kind kind = scatter ? RWA_SCATTER : RWA_GATHER;
        rwa_plan *chosen = plan_message(&s, kind, 0, 1, "matchings");
        CU_ASSERT_PTR_NOT_NULL_FATAL(chosen);
        CU_ASSERT_EQUAL(rwa_plan_summary(chosen)->steps, 3);
        rwa_plan_free(chosen);
    }
}

/* The time that chose the term is the time of the schedule; every plan is checked inside rwa_plan_make(). */
static void check_plans_of(const struct setting *s, rwa_collective_kind kind, uint32_t root)
{
    for (uint64_t bytes = 64; bytes < 100000000; bytes *= 1000) {
        rwa_plan *plan = plan_message(s, kind, root, bytes, "matchings"), *again = NULL;
        CU_ASSERT_PTR_NOT_NULL_FATAL(plan);
        CU_ASSERT_PTR_NOT_NULL_FATAL(rwa_plan_schedule(plan));
        CU_ASSERT_EQUAL(rwa_plan_summary(plan)->check->violations, 0);
        again = plan_message(s, kind, root, bytes, rwa_schedule_scheme(rwa_plan_schedule(plan)));
        CU_ASSERT_PTR_NOT_NULL_FATAL(again);
        CU_ASSERT_DOUBLE_EQUAL(rwa_plan_summary(again)->time_s, rwa_plan_summary(plan)->time_s, 1e-12);
        rwa_plan_free(plan);
        rwa_plan_free(again);
    }
}

static void every_collective_is_planned(void)
{
    static const struct setting settings[] = {
        {"ocs:2x1", 1, 0, 0, RWA_COST_PAPER, 0},  {"ocs:13x3", 4, 2, 0, RWA_COST_CIRCUIT, 0}, {"ocs:5x9", 3, 0, 0, RWA_COST_PAPER, 0},
        {"ron:12", 4, 3, 2, RWA_COST_PAPER, 0},   {"ron:9", 2, 0, 1, RWA_COST_CIRCUIT, 0},    {"ron:8", 1, 4, 0, RWA_COST_PAPER, 0},
        {"star:7", 16, 2, 0, RWA_COST_PAPER, 0},  {"star:9", 9, 0, 0, RWA_COST_CIRCUIT, 0},
        {"ron:11", 64, 1, 3, RWA_COST_CIRCUIT, 0}, {"ocs:24x2", 2, 0, 0, RWA_COST_CIRCUIT, 0},
    };
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        for (rwa_collective_kind kind = RWA_ALL_GATHER; rwa_collective_name(kind); kind = (rwa_collective_kind)(kind + 1)) {
            check_plans_of(&settings[i], kind, 0);
            if (rwa_collective_has_root(kind))
                check_plans_of(&settings[i], kind, 1);
        }
}

/* A pair of nodes has each channel once, and lightpaths of several trees may join the same two nodes: as many trees as channels do
 * not fit where every pair has all channels.  A plan there is made of other terms, and passes the check. */
static void trees_need_a_circuit_each_between_the_same_nodes(void)
{
    static const rwa_cost_model models[] = {RWA_COST_PAPER, RWA_COST_CIRCUIT, RWA_COST_OVERLAP};
    char spec[32];
    for (uint32_t n = 3; n <= 17; n += 7)
        for (uint32_t w = n - 2; w <= n + 1; w++)
            for (int m = 0; m < 3; m++)
                for (uint64_t bytes = 4096; bytes <= 1 << 24; bytes *= 64) {
                    snprintf(spec, sizeof spec, "ron:%u", n);
                    struct setting s = {.spec = spec, .wavelengths = w, .model = models[m]};
                    rwa_plan *plan = plan_message(&s, RWA_BROADCAST, 0, bytes, "auto");
                    CU_ASSERT_PTR_NOT_NULL_FATAL(plan);
                    CU_ASSERT_PTR_NOT_NULL(rwa_plan_schedule(plan));
                    rwa_plan_free(plan);
                }
}

/* More ports than channels: circuits of two ports that lead the same way would share a channel. */
static void circles_of_many_ports_lead_apart(void)
{
    static const rwa_collective_kind kinds[] = {RWA_ALL_TO_ALL, RWA_ALL_GATHER, RWA_ALL_REDUCE};
    struct setting s = {.spec = "ron:100", .wavelengths = 4, .ports = 30, .model = RWA_COST_CIRCUIT};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        rwa_plan *plan = plan_message(&s, kinds[i], 0, 4096, "matchings:circles");
        CU_ASSERT_PTR_NOT_NULL_FATAL(plan);
        CU_ASSERT_PTR_NOT_NULL(rwa_plan_schedule(plan));
        rwa_plan_free(plan);
    }
}

static void terms_of_all_kinds_are_right(void)
{
    static const struct {
        const char *spec, *term;
        rwa_collective_kind kind;
    } cases[] = {
        {"ocs:12x3", "matchings:windows(4,3)", RWA_ALL_GATHER},   {"ocs:12x3", "matchings:windows(3,4)", RWA_REDUCE_SCATTER},
        {"ocs:12x3", "matchings:windows(3,sums(4))", RWA_ALL_REDUCE}, {"ocs:12x3", "matchings:sums(3,2,2)", RWA_ALL_REDUCE},
        {"ocs:12x3", "matchings:windows(2)+sums(3,2)", RWA_ALL_REDUCE}, {"ocs:12x3", "matchings:copies", RWA_BROADCAST},
        {"ocs:12x3", "matchings:copies", RWA_ROOTED_REDUCE}, {"ocs:13x2", "matchings:trees(5)", RWA_ROOTED_REDUCE},
        {"ocs:12x3", "matchings:trees(7)", RWA_BROADCAST},              {"ocs:12x3", "matchings:digits(2,3,2)", RWA_ALL_TO_ALL},
        {"ocs:12x3", "matchings:digits(5,3)", RWA_ALL_TO_ALL},          {"ocs:12x3", "matchings:circles", RWA_ALL_TO_ALL},
        {"ocs:13x1", "matchings:circles", RWA_ALL_TO_ALL},              {"ocs:29x2", "matchings:circles", RWA_ALL_TO_ALL},
        {"ocs:12x3", "matchings:circles", RWA_ALL_GATHER},              {"ocs:29x2", "matchings:circles", RWA_REDUCE_SCATTER},
        {"ocs:13x1", "matchings:circles", RWA_ALL_REDUCE},              {"ocs:30x4", "matchings:circles", RWA_ALL_REDUCE},
        {"ocs:12x3", "matchings:tree", RWA_SCATTER},                    {"ocs:13x1", "matchings:tree", RWA_GATHER},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (uint64_t bytes = 10; bytes < 10000000; bytes *= 100)
            CU_ASSERT_TRUE(steps_of(cases[i].spec, cases[i].kind, bytes, cases[i].term) > 0);
}

static void terms_that_do_not_fit_are_refused(void)
{
    CU_ASSERT_EQUAL(steps_of("ocs:12x3", RWA_ALL_GATHER, 64, "matchings:windows(5,3)"), 0); /* four others on three circuits */
    CU_ASSERT_EQUAL(steps_of("ocs:12x3", RWA_ALL_GATHER, 64, "matchings:windows(3,3)"), 0); /* 9 of 12 nodes */
    CU_ASSERT_EQUAL(steps_of("ocs:12x3", RWA_ALL_REDUCE, 64, "matchings:windows(3,sums(3))"), 0);
    CU_ASSERT_EQUAL(steps_of("ocs:12x3", RWA_ALL_GATHER, 64, "matchings:windows(4,3,tree)"), 0);
    CU_ASSERT_EQUAL(steps_of("ocs:12x3", RWA_ALL_TO_ALL, 64, "matchings:digits(3,3)"), 0);
    CU_ASSERT_EQUAL(steps_of("ocs:12x3", RWA_BROADCAST, 64, "matchings:trees"), 0);
    CU_ASSERT_EQUAL(steps_of("ocs:12x3", RWA_SCATTER, 64, "matchings:far"), 0);
    CU_ASSERT_EQUAL(steps_of("star:12", RWA_SCATTER, 64, "matchings"), 0);
}

int main(void)
{
    static const struct test tests[] = {
        TEST(terms_come_back_from_their_text), TEST(rotations_meet_the_bound), TEST(one_block_on_a_lightpath_meets_the_bound),
        TEST(short_messages_take_as_many_steps_as_a_block_needs_to_spread), TEST(windows_fill_all_circuits),
        TEST(pairs_are_cut_over_all_lightpaths),
        TEST(circles_set_circuits_once),
        TEST(circuits_that_stay_are_set_once), TEST(lightpaths_that_join_are_tuned_before),
        TEST(every_collective_is_planned), TEST(terms_of_all_kinds_are_right),
        TEST(trees_need_a_circuit_each_between_the_same_nodes),
        TEST(circles_of_many_ports_lead_apart), TEST(terms_that_do_not_fit_are_refused), {0}};
    return run_tests("matchings", tests);
}
