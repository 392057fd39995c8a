/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Composed collectives: terms come back from their text, steps follow closed forms, and the checker accepts every plan. */
#include "rwa.h"

#include "scheme/compose/phases.h"

#include "tests/support/plans.h"
#include "tests/support/suite.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static bool thorough;

static rwa_plan *plan_message(const char *spec, uint32_t wavelengths, rwa_collective_kind kind, uint64_t bytes, const char *scheme)
{
    rwa_plan_options opts = options_of(scheme);
    return plan_made_on(network_of(spec, wavelengths), kind, bytes, &opts);
}

static uint32_t steps_of(const char *spec, uint32_t wavelengths, rwa_collective_kind kind, uint64_t bytes, const char *scheme)
{
    rwa_plan *plan = plan_message(spec, wavelengths, kind, bytes, scheme);
    uint32_t steps = plan ? rwa_plan_summary(plan)->steps : 0;
    rwa_plan_free(plan);
    return steps;
}

static void terms_come_back_from_their_text(void)
{
    static const char *const terms[] = {"direct", "steps(5)", "leaders(9,direct)", "tree(9,8)",
                                        "rotated:tree(2)",
                                        "leaders(4,positions(2,steps(3),direct))",
                                        "roots(4,3)", "relays(8)", "sums(positions(4,leaders(3,direct),direct))"};
    static const char *const wrong[] = {"", "near", "sums()", "clusters:direct", "split(4,direct)", "direct()",
                                        "leaders(9,direct", "tree(0)", "direct+",
                                        "direct x", "tree(2)+tree(2)+tree(2)", "positions(direct,direct,direct)"};
    struct composition c;
    char text[TERM_TEXT];
    for (size_t i = 0; i < sizeof terms / sizeof *terms; i++) {
        CU_ASSERT_EQUAL_FATAL(composition_parse(&c, terms[i], NULL), RWA_OK);
        composition_print(text, &c);
        CU_ASSERT_STRING_EQUAL(text, terms[i]);
    }
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        CU_ASSERT_EQUAL(composition_parse(&c, wrong[i], NULL), RWA_BADARG);
}

/* What is d links away comes over ceil(d / h) lightpaths of at most h links; with as many channels no more steps are needed than for the
 * farthest, whichever way round the ring it is, and backwards too. */
static void relays_take_as_many_steps_as_the_farthest_needs(void)
{
    static const struct { const char *spec; uint32_t hops, steps; } cases[] = {
        {"line:17", 4, 4}, {"line:18", 4, 5}, {"ring:33", 4, 4}, {"ring:18", 3, 3}, {"mesh:5x5", 2, 4}, {"circulant:40:1,7", 3, 2}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int gather = 0; gather < 2; gather++) {
            rwa_network *net = network_of(cases[i].spec, 8);
            rwa_collective coll;
            rwa_plan_options o;
            rwa_plan *plan = NULL;
            rwa_collective_kind kind = gather ? RWA_GATHER : RWA_SCATTER;
            rwa_plan_options_init(&o);
            o.max_hops = cases[i].hops;
            CU_ASSERT_EQUAL_FATAL(rwa_collective_init(&coll, kind, rwa_network_nodes(net), 0, 64, 0, NULL), RWA_OK);
            CU_ASSERT_EQUAL_FATAL(rwa_plan_make(&plan, net, &coll, &o, NULL), RWA_OK);
            CU_ASSERT_EQUAL(rwa_plan_summary(plan)->steps, cases[i].steps);
            CU_ASSERT_TRUE(rwa_plan_summary(plan)->longest_hops <= cases[i].hops);
            rwa_plan_free(plan);
            rwa_network_free(net);
        }
}

/* A tree that reaches 2W + 1 times as many nodes in each step needs ceil(log N) of them; the short message asks for no more. */
static void short_messages_take_logarithmic_steps(void)
{
    CU_ASSERT_EQUAL(steps_of("ring:27", 1, RWA_SCATTER, 64, "compose"), 3);
    CU_ASSERT_EQUAL(steps_of("ring:27", 1, RWA_GATHER, 64, "compose"), 3);
    CU_ASSERT_EQUAL(steps_of("ring:27", 1, RWA_BROADCAST, 64, "compose"), 3);
    CU_ASSERT_EQUAL(steps_of("ring:27", 1, RWA_ROOTED_REDUCE, 64, "compose"), 3);
    CU_ASSERT_EQUAL(steps_of("ring:81", 4, RWA_SCATTER, 64, "compose"), 2);
    CU_ASSERT_EQUAL(steps_of("ring:81", 4, RWA_ALL_REDUCE, 64, "compose"), 4);
    CU_ASSERT_EQUAL(steps_of("ring:9", 1, RWA_ALL_TO_ALL, 64, "compose:leaders(3,leaders(3,direct))"), 4);
}

/* Trees that wait for free channels take a step more than the two in which one root could reach 64 nodes, 2W + 1 times as many in each
 * step; four at the same time take no more. */
static void few_roots_take_few_steps(void)
{
    CU_ASSERT_TRUE(steps_of("ring:64", 4, RWA_ALL_REDUCE, 64, "compose:roots(64,2)") <= 6);
    CU_ASSERT_TRUE(steps_of("ring:64", 4, RWA_ALL_REDUCE, 1 << 20, "compose:roots(16,3)") <= 6);
    CU_ASSERT_TRUE(steps_of("ring:64", 4, RWA_ALL_GATHER, 4000, "compose:roots(16,3)") <= 6);
}

/* Everyone sends the whole vector to everyone: N²/8 lightpaths over each link, one step.  Over two digits of 8, the sums of 8 vectors. */
static void sums_are_exchanged_directly(void)
{
    CU_ASSERT_EQUAL(steps_of("ring:16", 32, RWA_ALL_REDUCE, 64, "compose:sums(direct)"), 1);
    CU_ASSERT_EQUAL(steps_of("ring:64", 64, RWA_ALL_REDUCE, 64, "compose:sums(positions(8,direct,direct))"), 2);
    CU_ASSERT_EQUAL(steps_of("ring:16", 32, RWA_ALL_REDUCE, 64, "compose"), 1);
    CU_ASSERT_EQUAL(steps_of("ring:81", 4, RWA_ALL_REDUCE, 64, "compose:sums(leaders(9,leaders(9,direct)))"), 4);
}

/* Rows of a torus of 8 nodes each: 8 lightpaths over each link in two steps of 4 wavelengths, and the columns again; first-fit of fixed
 * routes took 5 wavelengths for the columns. */
static void exchanges_on_a_torus_fill_all_channels(void)
{
    CU_ASSERT_EQUAL(steps_of("torus:8x8", 4, RWA_ALL_TO_ALL, 64, "compose:positions(8,direct,direct)"), 4);
    CU_ASSERT_EQUAL(steps_of("hypercube:6", 5, RWA_ALL_TO_ALL, 64, "compose:positions(8,direct,direct)"), 2);
}

/* Two digits of 8: 8 · 8 transfers of 8 nodes each way, of which 8 · 8² / 8 cross a link of the ring, then 8² / 4 of a segment. */
static void positions_load_links_as_their_closed_form_says(void)
{
    CU_ASSERT_EQUAL(steps_of("ring:64", 64, RWA_ALL_TO_ALL, 64, "compose:positions(8,direct,direct)"), 2);
    CU_ASSERT_EQUAL(steps_of("ring:64", 16, RWA_ALL_TO_ALL, 64, "compose:positions(8,direct,direct)"), 4 + 1);
}

static void the_printed_term_plans_the_same_again(void)
{
    static const char *const networks[] = {"ring:24", "line:17", "mesh:3x4", "nsfnet14-21"};
    for (size_t i = 0; i < sizeof networks / sizeof *networks; i++)
        for (rwa_collective_kind kind = RWA_ALL_GATHER; rwa_collective_name(kind); kind = (rwa_collective_kind)(kind + 1))
            for (uint64_t bytes = 64; bytes < 100000000; bytes *= 1000) {
                rwa_plan *plan = plan_message(networks[i], 4, kind, bytes, "compose"), *again = NULL;
                CU_ASSERT_PTR_NOT_NULL_FATAL(plan);
                CU_ASSERT_PTR_NOT_NULL_FATAL(rwa_plan_schedule(plan));
                again = plan_message(networks[i], 4, kind, bytes, rwa_schedule_scheme(rwa_plan_schedule(plan)));
                CU_ASSERT_PTR_NOT_NULL_FATAL(again);
                CU_ASSERT_EQUAL(rwa_plan_summary(again)->steps, rwa_plan_summary(plan)->steps);
                /* the number of parts is chosen again, and may be another that takes hardly longer */
                CU_ASSERT_TRUE(rwa_plan_summary(again)->time_s <= 1.002 * rwa_plan_summary(plan)->time_s);
                rwa_plan_free(plan);
                rwa_plan_free(again);
            }
}

/* Segments of unequal size, more transfers than channels, nested terms: each is checked inside rwa_plan_make(). */
static void terms_of_all_kinds_are_right(void)
{
    static const struct {
        const char *spec, *term;
        rwa_collective_kind kind;
    } cases[] = {
        {"ring:23", "compose:roots(5,3)", RWA_ALL_GATHER}, {"ring:24", "compose:roots(4,2)", RWA_ALL_REDUCE},
        {"line:13", "compose:roots(3,4)", RWA_REDUCE_SCATTER}, {"ring:13", "compose:tree(4)", RWA_BROADCAST},
        {"ring:23", "compose:leaders(5,direct)", RWA_ALL_GATHER},      {"ring:23", "compose:leaders(7,direct)", RWA_ALL_REDUCE},
        {"ring:24", "compose:positions(4,steps(2),direct)", RWA_REDUCE_SCATTER},
        {"line:13", "compose:leaders(4,leaders(2,direct))", RWA_REDUCE_SCATTER},
        {"ring:24", "compose:leaders(3,positions(2,steps(2),direct))", RWA_ALL_REDUCE},
        {"line:13", "compose:leaders(3,leaders(2,direct))", RWA_ALL_TO_ALL},
        {"torus:4x6", "compose:rotated:positions(4,direct,steps(2))", RWA_ALL_GATHER},
        {"torus:4x6", "compose:rotated:tree(5)", RWA_BROADCAST}, {"ring:13", "compose:tree(4)", RWA_ROOTED_REDUCE},
        {"hypercube:4", "compose:rotated:leaders(4,direct)", RWA_ALL_REDUCE}, {"nsfnet14-21", "compose:positions(2,direct,direct)",
         RWA_ALL_TO_ALL},
        {"ring:30", "compose:positions(6,direct,positions(2,direct,direct))", RWA_ALL_TO_ALL},
        {"mesh:4x3", "compose:rotated:tree(3)", RWA_ROOTED_REDUCE},    {"mesh:3x4", "compose:positions(4,direct,direct)", RWA_ALL_REDUCE},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (uint32_t wavelengths = 1; wavelengths <= 8; wavelengths *= 2)
            CU_ASSERT_TRUE(steps_of(cases[i].spec, wavelengths, cases[i].kind, 100000, cases[i].term) > 0);
}

/* With many channels an exchange of sums fits one step; with one it does not, and what some receive would change what they send. */
static void sums_need_one_step_for_an_exchange(void)
{
    static const char sums[] = "compose:sums(positions(4,direct,direct))";
    CU_ASSERT_TRUE(steps_of("ring:24", 32, RWA_ALL_REDUCE, 100000, sums) > 0);
    CU_ASSERT_TRUE(steps_of("mesh:3x4", 32, RWA_ALL_REDUCE, 100000, sums) > 0);
    CU_ASSERT_TRUE(steps_of("line:13", 32, RWA_REDUCE_SCATTER, 100000, "compose:sums(leaders(4,leaders(2,direct)))") > 0);
    CU_ASSERT_EQUAL(steps_of("ring:24", 1, RWA_ALL_REDUCE, 100000, sums), 0);
    CU_ASSERT_TRUE(steps_of("ring:24", 1, RWA_ALL_REDUCE, 100000, "compose") > 0);
}

/* By their loads sums of 2 blocks on a lightpath fit one step of a hypercube, but have no colouring; 3 blocks of 250 bytes have. */
static void sums_take_the_least_load_that_fits(void)
{
    rwa_plan *plan = plan_message("hypercube:4", 64, RWA_ALL_REDUCE, 4000, "auto");
    CU_ASSERT_PTR_NOT_NULL_FATAL(plan);
    CU_ASSERT_DOUBLE_EQUAL(rwa_plan_summary(plan)->time_s, 25e-6 + 3 * 250 * 8 / 40e9, 0.1e-6);
    rwa_plan_free(plan);
}

/* One block for each pair fills one channel of many; cut into parts, all of them: the time comes near to the receive bound. */
static void pairs_are_cut_into_blocks_for_all_channels(void)
{
    rwa_plan *plan = plan_message("nsfnet14-21", 64, RWA_ALL_TO_ALL, 256000000, "compose");
    CU_ASSERT_PTR_NOT_NULL_FATAL(plan);
    CU_ASSERT_TRUE(rwa_schedule_collective(rwa_plan_schedule(plan))->blocks > 14 * 14);
    CU_ASSERT_TRUE(rwa_plan_summary(plan)->time_s < 1.3 * rwa_plan_summary(plan)->time_bound_s);
    rwa_plan_free(plan);
}

/* A leader of 1024 nodes sends more blocks on a lightpath than bounds in steps are made for; one of 4096 is found though the work on
 * positions ends before they are done. */
static void many_blocks_on_a_lightpath_are_planned(void)
{
    CU_ASSERT_TRUE(steps_of("ring:1024", 4, RWA_ALL_TO_ALL, 4000, "compose") <= 8);
    CU_ASSERT_TRUE(!thorough || steps_of("ring:4096", 16, RWA_ALL_TO_ALL, 4000, "compose") < 10);
}

/* Without a time for tuning more steps cost nothing, and would be tried without end. */
static void steps_that_cost_nothing_come_to_an_end(void)
{
    rwa_plan_options opts = options_of("compose:positions(4,direct,direct)");
    opts.cost.reconfig_s = 0;
    rwa_plan *plan = plan_made_on(network_of("hypercube:4", 2), RWA_ALL_REDUCE, 65536, &opts);
    CU_ASSERT_PTR_NOT_NULL_FATAL(plan);
    CU_ASSERT_TRUE(rwa_plan_summary(plan)->steps <= 4);
    rwa_plan_free(plan);
}

static void terms_that_do_not_fit_are_refused(void)
{
    CU_ASSERT_PTR_NULL(plan_message("ring:10", 2, RWA_ALL_GATHER, 64, "compose:positions(3,direct,direct)"));
    CU_ASSERT_PTR_NULL(plan_message("line:10", 2, RWA_ALL_GATHER, 64, "compose:steps(11)"));
    CU_ASSERT_PTR_NULL(plan_message("line:10", 2, RWA_ALL_GATHER, 64, "compose:rotated:direct"));
    CU_ASSERT_PTR_NULL(plan_message("nsfnet14-21", 2, RWA_ALL_GATHER, 64, "compose:rotated:direct"));
    CU_ASSERT_PTR_NULL(plan_message("mesh:3x3", 2, RWA_ALL_GATHER, 64, "compose:leaders(3,steps(4))"));
    CU_ASSERT_PTR_NULL(plan_message("ring:10", 2, RWA_ALL_TO_ALL, 64, "compose:positions(4,direct,direct)"));
    CU_ASSERT_PTR_NULL(plan_message("ring:10", 2, RWA_ALL_GATHER, 64, "compose:leaders(5)"));
    CU_ASSERT_PTR_NULL(plan_message("ring:10", 2, RWA_ALL_GATHER, 64, "compose:positions(5,direct)"));
    CU_ASSERT_PTR_NULL(plan_message("ring:10", 2, RWA_ALL_TO_ALL, 64, "compose:digits(10)"));
    CU_ASSERT_PTR_NULL(plan_message("ring:10", 2, RWA_BROADCAST, 64, "compose:tree(2)+direct"));
    CU_ASSERT_PTR_NULL(plan_message("ring:10", 2, RWA_BROADCAST, 64, "compose:direct"));
    CU_ASSERT_PTR_NULL(plan_message("ring:10", 2, RWA_BROADCAST, 64, "compose:far"));
    CU_ASSERT_PTR_NULL(plan_message("ring:10", 2, RWA_ALL_GATHER, 64, "compose:sums(direct)"));
    CU_ASSERT_PTR_NULL(plan_message("ring:10", 2, RWA_ALL_REDUCE, 64, "compose:sums(steps(2))"));
}

/* Rows first and columns first at the same time: each dimension carries half of what it does when they come one after the other. */
static void rotated_positions_fill_both_dimensions(void)
{
    static const char *const nets[] = {"torus:4x4", "torus:6x6", "mesh:4x4"};
    static const char *const terms[][2] = {{"compose:positions(4,direct,direct)", "compose:rotated:positions(4,direct,direct)"},
                                           {"compose:positions(6,direct,direct)", "compose:rotated:positions(6,direct,direct)"},
                                           {"compose:positions(4,direct,direct)", "compose:rotated:positions(4,direct,direct)"}};
    for (size_t i = 0; i < sizeof nets / sizeof *nets; i++) {
        rwa_plan *after = plan_message(nets[i], 8, RWA_ALL_TO_ALL, 64000000, terms[i][0]);
        rwa_plan *at_once = plan_message(nets[i], 8, RWA_ALL_TO_ALL, 64000000, terms[i][1]);
        CU_ASSERT_FATAL(after && at_once);
        CU_ASSERT_TRUE(rwa_plan_summary(at_once)->time_s < 0.6 * rwa_plan_summary(after)->time_s);
        rwa_plan_free(after);
        rwa_plan_free(at_once);
    }
}

/* Where every participant of an exchange is moved to the next by one translation of the network, a record stands for the lightpaths of
 * all nodes.  Single ones where exchanges go across rows, and where lightpaths halfway round a cycle fill channels better alone: with 8
 * wavelengths each way 1 + 2 + 3 links, and 4 either way, take one step in place of two. */
static void alike_nodes_are_planned_once(void)
{
    static const struct {
        const char *net;
        uint32_t wavelengths, nodes;
        rwa_collective_kind kind;
        uint64_t bytes;
        const char *term;
        bool orbits;
    } cases[] = {
        {"torus:8x8", 8, 64, RWA_ALL_GATHER, 100000, "compose:rotated:positions(8,steps(2),steps(2))", true},
        {"torus:6x4", 8, 24, RWA_REDUCE_SCATTER, 100000, "compose:positions(4,direct,steps(2))", true},
        {"torus:4x3x2", 12, 24, RWA_ALL_REDUCE, 100000, "compose:positions(6,direct,positions(2,direct,direct))", true},
        {"torus:6x6", 12, 36, RWA_ALL_TO_ALL, 64000000, "compose:rotated:positions(6,direct,direct)", true},
        {"torus:8x8", 8, 64, RWA_ALL_TO_ALL, 64, "compose:positions(8,direct,direct)", false},
        {"torus:6x4", 8, 24, RWA_ALL_GATHER, 100000, "compose:positions(3,direct,direct)", false},
        {"torus:6x4", 8, 24, RWA_ALL_GATHER, 100000, "compose:leaders(4,direct)", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        rwa_plan *plan = plan_message(cases[i].net, cases[i].wavelengths, cases[i].kind, cases[i].bytes, cases[i].term);
        rwa_schedule *all = NULL;
        rwa_check *check = NULL;
        CU_ASSERT_PTR_NOT_NULL_FATAL(plan);
        const rwa_schedule *sched = rwa_plan_schedule(plan);
        CU_ASSERT_EQUAL(rwa_schedule_records(sched) * (cases[i].orbits ? cases[i].nodes : 1), rwa_schedule_lightpaths(sched));
        CU_ASSERT_EQUAL_FATAL(rwa_schedule_expand(&all, sched, NULL), RWA_OK);
        CU_ASSERT_EQUAL_FATAL(rwa_check_schedule(&check, all, NULL, NULL), RWA_OK);
        CU_ASSERT_EQUAL(rwa_check_summary(check)->violations, 0);
        rwa_check_free(check);
        rwa_schedule_free(all);
        rwa_plan_free(plan);
    }
}

/* Each of n nodes in a row sends to all others, 1 + … + n / 2 links one way and n / 2 - 1 the other, n * n / 8 on average: 4 steps of 32
 * lightpaths for rows and 4 for columns, both at once.  What is written does not grow with the nodes. */
static void orbits_fill_all_channels(void)
{
    rwa_plan *plan = plan_message("torus:32x32", 64, RWA_ALL_TO_ALL, 256000000, "compose:rotated:positions(32,direct,direct)");
    CU_ASSERT_PTR_NOT_NULL_FATAL(plan);
    const rwa_schedule *sched = rwa_plan_schedule(plan);
    CU_ASSERT_EQUAL(rwa_schedule_steps(sched), 8);
    CU_ASSERT_EQUAL(rwa_schedule_records(sched) * 1024, rwa_schedule_lightpaths(sched));
    CU_ASSERT_TRUE(rwa_schedule_bytes(sched) < 1 << 18);
    rwa_plan_free(plan);
}

/* The shortest way to another node is one link longer than that from the nearest of its neighbours, which no other table says. */
static void distances_are_of_shortest_ways(void)
{
    static const char *const nets[] = {"torus:3x4", "torus:2x3x5", "mesh:3x5", "mesh:2x3x4", "hypercube:4", "circulant:16:1,3"};
    for (size_t i = 0; i < sizeof nets / sizeof *nets; i++) {
        rwa_network *net = network_of(nets[i], 4);
        struct distances d = {0};
        uint32_t n = rwa_network_nodes(net), wrong = 0;
        CU_ASSERT_EQUAL_FATAL(distances_open(&d, net, NULL), RWA_OK);
        for (uint32_t dst = 0; dst < n; dst++)
            for (uint32_t src = 0; src < n; src++) {
                uint32_t nearest = UINT32_MAX;
                for (uint32_t l = 0; l < rwa_network_links(net); l++)
                    if (rwa_network_link(net, l).from == src && distances_hops(&d, rwa_network_link(net, l).to, dst) < nearest)
                        nearest = distances_hops(&d, rwa_network_link(net, l).to, dst);
                wrong += distances_hops(&d, src, dst) != (src == dst ? 0 : 1 + nearest);
            }
        CU_ASSERT_EQUAL(wrong, 0);
        distances_free(&d);
        rwa_network_free(net);
    }
}

/* A search gives a term up once it takes too long: with hardly more than its own time as the limit it is timed to the end. */
static double term_time(const struct distances *d, uint32_t nodes, const struct composition *c, enum payload payload, double limit_s)
{
    const double block_s = 0.01;
    struct program p = {.timed = true, .distances = d, .prices = {1, block_s, 1},
                        .work_most = INFINITY, .limit_s = limit_s};
    struct parties parties;
    CU_ASSERT_EQUAL_FATAL(parties_create(&parties, NULL, nodes, 1, NULL), RWA_OK);
    parties.payload = payload;
    for (uint32_t v = 0; v < nodes; v++) {
        struct party *one = parties_add(&parties, v);
        one->holds.count = payload == PAYLOAD_SPLIT ? 1 : 6;
        one->needs.count = payload == PAYLOAD_SPLIT ? 6 : 0;
    }
    parties_end_group(&parties);
    CU_ASSERT_EQUAL(phase_write(&p, &parties, c, 0), RWA_OK);
    double time_s = p.time_s;
    parties_free(&parties);
    program_free(&p);
    return time_s;
}

static void no_term_is_given_up_that_fits_its_limit(void)
{
    static const char *const nets[] = {"torus:4x6", "torus:24x1", "torus:2x3x4", "mesh:3x8", "ring:24", "line:24", "circulant:24:1,5"};
    static const char *const terms[] = {"positions(12,direct,positions(4,direct,direct))", "positions(6,direct,direct)",
                                        "positions(4,direct,direct)", "leaders(6,direct)", "leaders(4,direct)", "leaders(24,direct)",
                                        "leaders(2,leaders(3,direct))", "positions(8,leaders(2,direct),direct)"};
    for (size_t i = 0; i < sizeof nets / sizeof *nets; i++)
        for (uint32_t w = 1; w <= 64; w *= 8) {
            rwa_network *net = network_of(nets[i], w);
            struct distances d;
            uint32_t nodes = rwa_network_nodes(net);
            CU_ASSERT_EQUAL_FATAL(distances_open(&d, net, NULL), RWA_OK);
            for (size_t t = 0; t < 2 * sizeof terms / sizeof *terms; t++) {
                enum payload payload = t % 2 == 0 ? PAYLOAD_SPLIT : PAYLOAD_COPY;
                struct composition c;
                CU_ASSERT_EQUAL_FATAL(composition_parse(&c, terms[t / 2], NULL), RWA_OK);
                double time_s = term_time(&d, nodes, &c, payload, INFINITY);
                CU_ASSERT_DOUBLE_EQUAL(term_time(&d, nodes, &c, payload, time_s * (1 + 1e-9)), time_s, 1e-9);
                CU_ASSERT_TRUE(isinf(term_time(&d, nodes, &c, payload, time_s / 2)));
            }
            distances_free(&d);
            rwa_network_free(net);
        }
}

/* In the model `circuit` neighbours keep their lightpaths: after one setting each of N/2 steps costs alpha and a block on W channels, which
 * for short messages is a fraction of what fewer steps with new lightpaths take. */
static void lightpaths_stay_where_that_is_quicker(void)
{
    for (uint32_t nodes = 16; nodes <= 64; nodes *= 2) {
        const uint32_t wavelengths = 4;
        const uint64_t bytes = 8192;
        rwa_network_options options;
        rwa_network *net = NULL;
        rwa_collective coll;
        rwa_plan_options opts;
        rwa_plan *plan = NULL;
        rwa_cost_prices price;
        char spec[16];
        snprintf(spec, sizeof spec, "ring:%u", nodes);
        rwa_network_options_init(&options);
        options.wavelengths = wavelengths;
        CU_ASSERT_EQUAL_FATAL(rwa_network_open(&net, spec, &options, NULL), RWA_OK);
        CU_ASSERT_EQUAL_FATAL(rwa_collective_init(&coll, RWA_ALL_GATHER, nodes, 0, bytes, 0, NULL), RWA_OK);
        rwa_plan_options_init(&opts);
        opts.scheme = "compose";
        opts.cost.model = RWA_COST_CIRCUIT;
        opts.cost.alpha_s = 1e-6;
        CU_ASSERT_EQUAL_FATAL(rwa_cost_floor(&price, rwa_network_rate_bps(net), &opts.cost, NULL), RWA_OK);
        CU_ASSERT_EQUAL_FATAL(rwa_plan_make(&plan, net, &coll, &opts, NULL), RWA_OK);
        double neighbours_s = opts.cost.reconfig_s + nodes / 2 * (opts.cost.alpha_s + price.byte_s * (double)bytes / wavelengths);
        CU_ASSERT_TRUE(rwa_plan_summary(plan)->time_s <= 1.01 * neighbours_s);
        rwa_plan_free(plan);
        rwa_network_free(net);
    }
}

/* Where blocks are long, an end of all dimensions gets what it lacks over all its links: hardly longer than the bound. */
static void dimensions_share_long_blocks_on_large_meshes(void)
{
    static const char *const meshes[] = {"mesh:18x18", "mesh:36x12", "mesh:7x7x7"};
    for (size_t i = 0; i < sizeof meshes / sizeof *meshes; i++) {
        rwa_plan_options opts = options_of("compose");
        rwa_plan *plan = plan_made_on(network_of(meshes[i], 8), RWA_ALL_GATHER, 64000000, &opts);
        const rwa_plan_report *report = rwa_plan_summary(plan);
        CU_ASSERT_TRUE(report->check->ok && report->time_s < 1.15 * report->time_bound_s);
        rwa_plan_free(plan);
    }
}

/* Among the leaves of a binary tree: over each link of the root 4 leaves of one half send to 4 of the other, so that 16 wavelengths are
 * enough for all pairs in one step, and what passes that link is the bound. */
static void members_exchange_past_the_other_nodes(void)
{
    static const uint32_t leaves[] = {7, 8, 9, 10, 11, 12, 13, 14};
    const uint32_t count = sizeof leaves / sizeof *leaves;
    for (uint32_t w = 1; w <= 16; w *= 4)
        for (int kind = RWA_ALL_GATHER; kind <= RWA_ROOTED_REDUCE; kind++) {
            rwa_network *net = network_of("tree:2x3", w);
            rwa_plan_options opts = options_of("compose");
            rwa_collective coll;
            rwa_plan *plan = NULL;
            opts.members = leaves;
            CU_ASSERT_EQUAL_FATAL(rwa_collective_init(&coll, (rwa_collective_kind)kind, count, 3, 100000000, 0, NULL), RWA_OK);
            CU_ASSERT_EQUAL_FATAL(rwa_plan_make(&plan, net, &coll, &opts, NULL), RWA_OK);
            const rwa_plan_report *report = rwa_plan_summary(plan);
            CU_ASSERT_PTR_NOT_NULL_FATAL(rwa_plan_schedule(plan));
            CU_ASSERT_TRUE(report->check->ok && report->time_s >= report->time_bound_s);
            if (kind == RWA_ALL_TO_ALL && w == 16) {
                CU_ASSERT_EQUAL(report->steps, 1);
                CU_ASSERT_TRUE(report->time_s < 1.001 * report->time_bound_s);
            }
            rwa_plan_free(plan);
            rwa_network_free(net);
        }
}

int main(int argc, char **argv)
{
    static const struct test tests[] = {
        TEST(members_exchange_past_the_other_nodes), TEST(dimensions_share_long_blocks_on_large_meshes),
        TEST(relays_take_as_many_steps_as_the_farthest_needs),
        TEST(terms_come_back_from_their_text), TEST(short_messages_take_logarithmic_steps),
        TEST(few_roots_take_few_steps), TEST(sums_are_exchanged_directly), TEST(sums_need_one_step_for_an_exchange),
        TEST(sums_take_the_least_load_that_fits),
        TEST(exchanges_on_a_torus_fill_all_channels),
        TEST(positions_load_links_as_their_closed_form_says), TEST(the_printed_term_plans_the_same_again),
        TEST(terms_of_all_kinds_are_right),
        TEST(many_blocks_on_a_lightpath_are_planned), TEST(pairs_are_cut_into_blocks_for_all_channels),
        TEST(steps_that_cost_nothing_come_to_an_end), TEST(terms_that_do_not_fit_are_refused), TEST(rotated_positions_fill_both_dimensions),
        TEST(alike_nodes_are_planned_once), TEST(orbits_fill_all_channels), TEST(distances_are_of_shortest_ways),
        TEST(no_term_is_given_up_that_fits_its_limit),
        TEST(lightpaths_stay_where_that_is_quicker), {0}};
    thorough = is_thorough(argc, argv);
    return run_tests("compose", tests);
}
