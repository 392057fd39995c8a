/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Composed collectives: terms come back from their text, steps follow closed forms, and the checker accepts every
 *  plan. */
#include "scheme/compose/phases.h"

#include "tests/support/plans.h"
#include "tests/support/suite.h"

static void terms_come_back_from_their_text(void)
{
    static const char *const terms[][2] = {{"direct"},
                                           {"steps(5)"},
                                           {"leaders(9,direct)"},
                                           {"tree(9,8)"},
                                           {"rotated:tree(2)"},
                                           {"leaders(4,positions(2,steps(3),direct))"},
                                           {"roots(4,3)"},
                                           {"relays(8)"},
                                           {"sums(positions(4,leaders(3,direct),direct))"},
                                           {"windows(5,5,3)"},
                                           {"windows(2,4,sums(4,3))"},
                                           {"sums(4,4,4)"},
                                           {"copies"},
                                           {"trees(12)"},
                                           {"tree"},
                                           {"digits(4,4,4)"},
                                           {"circles"},
                                           {"windows(2,4)+sums(4,3)", "windows(2,4,sums(4,3))"}};
    static const char *const wrong[] = {"",
                                        "near",
                                        "sums()",
                                        "clusters:direct",
                                        "split(4,direct)",
                                        "direct()",
                                        "leaders(9,direct",
                                        "tree(0)",
                                        "direct+",
                                        "direct x",
                                        "tree(2)+tree(2)+tree(2)",
                                        "positions(direct,direct,direct)",
                                        "windows(",
                                        "windows(2",
                                        "windows(chain)",
                                        "windows(2)+sums(2)x",
                                        "windows(0)",
                                        "tree+",
                                        "digits(1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25)"};
    struct composition c;
    char text[TERM_TEXT];
    for (size_t i = 0; i < COUNT(terms); i++) {
        OK(composition_parse(&c, terms[i][0], NULL));
        composition_print(text, &c);
        CU_ASSERT_STRING_EQUAL(text, terms[i][1] ? terms[i][1] : terms[i][0]);
    }
    for (size_t i = 0; i < COUNT(wrong); i++)
        CU_ASSERT_EQUAL(composition_parse(&c, wrong[i], NULL), RWA_BADARG);
}

/* What is d links away comes over ceil(d / h) lightpaths of at most h links; with as many channels no more steps are
 * needed than for the farthest, whichever way round the ring it is, and backwards too. */
static void relays_take_as_many_steps_as_the_farthest_needs(void)
{
    static const struct known cases[] = {{"line:17 hops=4", 4}, {"line:18 hops=4", 5},  {"ring:33 hops=4", 4},
                                         {"ring:18 hops=3", 3}, {"mesh:5x5 hops=2", 4}, {"circulant:40:1,7 hops=3", 2}};
    static const char *const rooted[] = {"scatter", "gather", "broadcast by compose", "reduce by compose"};
    for (size_t i = 0; i < COUNT(cases) * COUNT(rooted); i++) {
        const struct known *known = &cases[i / COUNT(rooted)];
        CU_ASSERT_EQUAL(steps_on("%s w=8 bytes=64 %s", known->line, rooted[i % COUNT(rooted)]), known->steps);
    }
}

static void steps_follow_closed_forms(void)
{
    static const struct known rows[] = {
        /* A tree that reaches 2W + 1 times as many nodes in each step needs ceil(log N) of them; the short message asks
           for no more. */
        {"ring:27 w=1 scatter bytes=64 by compose", 3},
        {"ring:27 w=1 gather bytes=64 by compose", 3},
        {"ring:27 w=1 broadcast bytes=64 by compose", 3},
        {"ring:27 w=1 reduce bytes=64 by compose", 3},
        {"ring:81 w=4 scatter bytes=64 by compose", 2},
        {"ring:81 w=4 all-reduce bytes=64 by compose", 4},
        {"ring:9 w=1 all-to-all bytes=64 by compose:leaders(3,leaders(3,direct))", 4},
        /* Everyone sends the whole vector to everyone: N²/8 lightpaths over each link, one step.  Over two digits of 8,
           the sums of 8. */
        {"ring:16 w=32 all-reduce bytes=64 by compose:sums(direct)", 1},
        {"ring:16 w=32 all-reduce bytes=64 by compose", 1},
        {"ring:64 w=64 all-reduce bytes=64 by compose:sums(positions(8,direct,direct))", 2},
        {"ring:81 w=4 all-reduce bytes=64 by compose:sums(leaders(9,leaders(9,direct)))", 4},
        /* Rows of a torus of 8 nodes each: 8 lightpaths over each link in two steps of 4 wavelengths, and the columns
         * again; first-fit of fixed routes took 5 wavelengths for the columns. */
        {"torus:8x8 w=4 all-to-all bytes=64 by compose:positions(8,direct,direct)", 4},
        {"hypercube:6 w=5 all-to-all bytes=64 by compose:positions(8,direct,direct)", 2},
        /* Two digits of 8: 8 · 8 transfers of 8 nodes each way, of which 8 · 8² / 8 cross a link of the ring, then 8² /
           4 of a segment. */
        {"ring:64 w=64 all-to-all bytes=64 by compose:positions(8,direct,direct)", 2},
        {"ring:64 w=16 all-to-all bytes=64 by compose:positions(8,direct,direct)", 4 + 1}};
    static const struct known most[] =
        {/* Trees that wait for free channels take a step more than the two in which one root could reach 64 nodes, 2W +
         * 1 times as many in each step; four at the same time take no more. */
         {"ring:64 w=4 all-reduce bytes=64 by compose:roots(64,2)", 6},
         {"ring:64 w=4 all-reduce bytes=1048576 by compose:roots(16,3)", 6},
         {"ring:64 w=4 bytes=4000 by compose:roots(16,3)", 6},
         /* Without a time for tuning more steps cost nothing, and would be tried without end. */
         {"hypercube:4 w=2 all-reduce bytes=65536 reconfig=0 by compose:positions(4,direct,direct)", 4},
         /* A leader of 1024 nodes sends more blocks on a lightpath than bounds in steps are made for; one of 4096 is
         * found though the work on positions ends before they are done. */
         {"ring:1024 w=4 all-to-all bytes=4000 by compose", 8},
         {"ring:4096 w=16 all-to-all bytes=4000 by compose", 9}};
    take_steps(rows, COUNT(rows), EXACT);
    take_steps(most, COUNT(most) - !thorough, AT_MOST);
}

static void the_printed_term_plans_the_same_again(void)
{
    static const char *const networks[] = {"ring:24", "line:17", "mesh:3x4", "nsfnet14-21"};
    for (size_t i = 0; i < COUNT(networks); i++)
        for (rwa_collective_kind kind = RWA_ALL_GATHER; kind <= RWA_ROOTED_REDUCE; kind++)
            for (uint32_t bytes = 64; bytes < 100000000; bytes *= 1000) {
                struct request r =
                    request_of("%s w=4 bytes=%u %s by compose", networks[i], bytes, rwa_collective_name(kind));
                rwa_plan *plan = plan_for(r), *again;
                strcpy(r.scheme, rwa_schedule_scheme(rwa_plan_schedule(plan)));
                again = plan_for(r);
                CU_ASSERT_EQUAL(rwa_plan_summary(again)->steps, rwa_plan_summary(plan)->steps);
                /* the number of parts is chosen again, and may be another that takes hardly longer */
                CU_ASSERT_TRUE(rwa_plan_summary(again)->time_s <= 1.002 * rwa_plan_summary(plan)->time_s);
            }
}

/* Segments of unequal size, more transfers than channels, nested terms; with many channels an exchange of sums fits one
   step. */
static void terms_of_all_kinds_are_right(void)
{
    static const char *const requests[] =
        {"ring:23 w=%u by compose:roots(5,3)",
         "ring:24 w=%u all-reduce by compose:roots(4,2)",
         "line:13 w=%u reduce-scatter by compose:roots(3,4)",
         "ring:13 w=%u broadcast by compose:tree(4)",
         "ring:23 w=%u by compose:leaders(5,direct)",
         "ring:23 w=%u all-reduce by compose:leaders(7,direct)",
         "ring:24 w=%u reduce-scatter by compose:positions(4,steps(2),direct)",
         "line:13 w=%u reduce-scatter by compose:leaders(4,leaders(2,direct))",
         "ring:24 w=%u all-reduce by compose:leaders(3,positions(2,steps(2),direct))",
         "line:13 w=%u all-to-all by compose:leaders(3,leaders(2,direct))",
         "torus:4x6 w=%u by compose:rotated:positions(4,direct,steps(2))",
         "torus:4x6 w=%u broadcast by compose:rotated:tree(5)",
         "ring:13 w=%u reduce by compose:tree(4)",
         "hypercube:4 w=%u all-reduce by compose:rotated:leaders(4,direct)",
         "nsfnet14-21 w=%u all-to-all by compose:positions(2,direct,direct)",
         "ring:30 w=%u all-to-all by compose:positions(6,direct,positions(2,direct,direct))",
         "mesh:4x3 w=%u reduce by compose:rotated:tree(3)",
         "mesh:3x4 w=%u all-reduce by compose:positions(4,direct,direct)"};
    static const char *const sums[] = {"ring:24 w=32 all-reduce by compose:sums(positions(4,direct,direct))",
                                       "mesh:3x4 w=32 all-reduce by compose:sums(positions(4,direct,direct))",
                                       "line:13 w=32 all-reduce by compose:sums(leaders(4,leaders(2,direct)))",
                                       "mesh:4x4 w=32 all-reduce by compose:rotated:positions(4,sums(direct),direct)",
                                       "ring:24 w=1 all-reduce by compose"};
    for (size_t i = 0; i < COUNT(requests); i++)
        for (uint32_t w = 1; w <= 8; w *= 2)
            CU_ASSERT(steps_on(requests[i], w) > 0);
    for (size_t i = 0; i < COUNT(sums); i++)
        CU_ASSERT(steps_on("%s", sums[i]) > 0);
}

static void terms_that_do_not_fit_are_refused(void)
{
    static const char *const requests[] = {"ring:10 by compose:positions(3,direct,direct)",
                                           "line:10 by compose:steps(11)", "line:10 by compose:rotated:direct",
                                           "nsfnet14-21 by compose:rotated:direct",
                                           "mesh:3x3 by compose:leaders(3,steps(4))",
                                           "ring:10 all-to-all by compose:positions(4,direct,direct)",
                                           "ring:10 by compose:leaders(5)", "ring:10 by compose:positions(5,direct)",
                                           "ring:10 all-to-all by compose:digits(10)",
                                           "ring:10 broadcast by compose:tree(2)+direct",
                                           "ring:10 broadcast by compose:direct", "ring:10 broadcast by compose:far",
                                           "ring:10 by compose:sums(direct)",
                                           /* its exchanges forwards move less */
                                           "ring:10 w=32 reduce-scatter by compose:sums(direct)",
                                           /* what was exchanged before is no contribution */
                                           "ring:10 w=32 all-reduce by compose:positions(5,direct,sums(direct))",
                                           "ring:10 w=32 all-reduce by compose:leaders(5,sums(direct))",
                                           "ring:10 all-reduce by compose:sums(steps(2))",
                                           /* what some receive in one step would change what they send in the next */
                                           "ring:24 w=1 all-reduce by compose:sums(positions(4,direct,direct))"};
    for (size_t i = 0; i < COUNT(requests); i++)
        CU_ASSERT_PTR_NOT_NULL(refusal_on("%s", requests[i]));
}

static void long_messages_fill_what_there_is(void)
{
    static const struct near_bound rows[] = {
        /* One block for each pair fills one channel of many; cut into parts, all of them: the time comes near to the
           receive bound. */
        {"nsfnet14-21 w=64 all-to-all bytes=256000000 by compose", 1.3},
        /* An end of all dimensions gets what it lacks over all its links. */
        {"mesh:18x18 w=8 bytes=64000000 by compose", 1.15}, {"mesh:36x12 w=8 bytes=64000000 by compose", 1.15},
        {"mesh:7x7x7 w=8 bytes=64000000 by compose", 1.15},
        /* Found although a cycle through all nodes has a plan; its one block a step takes 2.6 times the bound. */
        {"mesh:46x46 w=1 bytes=64000", 1.2}};
    static const char *const nets[] = {"torus:4x4", "torus:6x6", "mesh:4x4"};
    stay_near_bound(rows, COUNT(rows));
    CU_ASSERT(rwa_schedule_collective(schedule_on("%s", rows[0].line))->blocks > 14 * 14);
    /* Rows first and columns first at the same time: each dimension carries half of what it does when they come one
       after the other. */
    for (size_t i = 0; i < COUNT(nets); i++)
        CU_ASSERT(time_on("%s w=8 all-to-all bytes=64000000 by compose:rotated:positions(%d,direct,direct)", nets[i],
                          i == 1 ? 6 : 4) <
                  0.6 * time_on("%s w=8 all-to-all bytes=64000000 by compose:positions(%d,direct,direct)", nets[i],
                                i == 1 ? 6 : 4));
}

/* Round a ring of n, one channel each way: after n / 2 steps to the next node each block has come as far as it may have
 * to.  Where lightpaths are short, leaders do so: two levels of 3 nodes, 3 steps among the 6 leaders and back is less
 * than 24 from node to node. */
static void pairs_go_round_circles(void)
{
    for (uint32_t n = 4; n <= 13; n++)
        CU_ASSERT_EQUAL(steps_on("ring:%u w=1 all-to-all bytes=64 by compose:steps(%u)", n, n / 2), n / 2);
    CU_ASSERT_TRUE(steps_on("mesh:4x6 w=4 all-to-all bytes=64 by compose:positions(6,steps(2),steps(3))") > 0);
    CU_ASSERT_TRUE(steps_on("ring:48 w=1 hops=9 all-to-all bytes=4000") <= 7);
}

/* By their loads sums of 2 blocks on a lightpath fit one step of a hypercube, but have no colouring; 3 blocks of 250
   bytes have. */
static void sums_take_the_least_load_that_fits(void)
{
    CU_ASSERT_DOUBLE_EQUAL(time_on("hypercube:4 bytes=4000 all-reduce"), 25e-6 + 3 * 250 * 8 / 40e9, 0.1e-6);
}

/* Where every participant of an exchange is moved to the next by one translation of the network, a record stands for
 * the lightpaths of all nodes.  Single ones where exchanges go across rows, and where lightpaths halfway round a cycle
 * fill channels better alone: with 8 wavelengths each way 1 + 2 + 3 links, and 4 either way, take one step in place of
 * two. */
static void alike_nodes_are_planned_once(void)
{
    static const struct known orbits[] = {
        {"torus:8x8 w=8 bytes=100000 by compose:rotated:positions(8,steps(2),steps(2))", 64},
        {"torus:6x4 w=8 reduce-scatter bytes=100000 by compose:positions(4,direct,steps(2))", 24},
        {"torus:4x3x2 w=12 all-reduce bytes=100000 by compose:positions(6,direct,positions(2,direct,direct))", 24},
        {"torus:6x6 w=12 all-to-all bytes=64000000 by compose:rotated:positions(6,direct,direct)", 36},
        {"torus:8x8 w=8 all-to-all bytes=64 by compose:positions(8,direct,direct)", 1},
        {"torus:6x4 w=8 bytes=100000 by compose:positions(3,direct,direct)", 1},
        {"torus:6x4 w=8 bytes=100000 by compose:leaders(4,direct)", 1}};
    for (size_t i = 0; i < COUNT(orbits); i++) {
        const rwa_schedule *sched = schedule_on("%s", orbits[i].line);
        CU_ASSERT_EQUAL(rwa_schedule_records(sched) * orbits[i].steps, rwa_schedule_lightpaths(sched));
        expect_right(expanded(sched));
    }
    /* Each of n nodes in a row sends to all others, 1 + … + n / 2 links one way and n / 2 - 1 the other, n * n / 8 on
     * average: 4 steps of 32 lightpaths for rows and 4 for columns, both at once.  A record stands for those of all
     * nodes. */
    const rwa_schedule *large =
        schedule_on("torus:32x32 all-to-all bytes=256000000 by compose:rotated:positions(32,direct,direct)");
    CU_ASSERT_EQUAL(rwa_schedule_steps(large), 8);
    CU_ASSERT_EQUAL(rwa_schedule_records(large) * 1024, rwa_schedule_lightpaths(large));
}

/* The shortest way to another node is one link longer than that from the nearest of its neighbours, which no other
   table says. */
static void distances_are_of_shortest_ways(void)
{
    static const char *const nets[] = {"torus:3x4",  "torus:2x3x5", "mesh:3x5",
                                       "mesh:2x3x4", "hypercube:4", "circulant:16:1,3"};
    for (size_t i = 0; i < COUNT(nets); i++) {
        rwa_network *net = network_on("%s w=4", nets[i]);
        struct distances d = {0};
        uint32_t n = rwa_network_nodes(net), wrong = 0;
        OK(distances_open(&d, net, NULL));
        for (uint32_t dst = 0; dst < n; dst++)
            for (uint32_t src = 0; src < n; src++) {
                uint32_t nearest = UINT32_MAX;
                for (uint32_t l = 0; l < rwa_network_links(net); l++)
                    if (rwa_network_link(net, l).from == src &&
                        distances_hops(&d, rwa_network_link(net, l).to, dst) < nearest)
                        nearest = distances_hops(&d, rwa_network_link(net, l).to, dst);
                wrong += distances_hops(&d, src, dst) != (src == dst ? 0 : 1 + nearest);
            }
        CU_ASSERT_EQUAL(wrong, 0);
        distances_free(&d);
    }
}

/* A search gives a term up once it takes too long: with hardly more than its own time as the limit it is timed to the
   end. */
static double term_time(const struct distances *d, uint32_t nodes, const struct composition *c, enum payload payload,
                        double limit_s)
{
    rwa_cost_options cost;
    rwa_cost_options_init(&cost);
    struct program p = {.timed = true, .distances = d, .kept_s = 1,
                        .routed = {.step_s = 1, .block_bytes = 50000000, .model = &cost},
                        .work_most = INFINITY, .limit_s = limit_s};
    struct parties parties;
    OK(parties_create(&parties, NULL, nodes, 1, NULL));
    parties.payload = payload;
    for (uint32_t v = 0; v < nodes; v++) {
        struct party *one = parties_add(&parties, v);
        one->holds.count = payload == PAYLOAD_SPLIT ? 1 : 6;
        one->needs.count = payload == PAYLOAD_SPLIT ? 6 : 0;
    }
    parties_end_group(&parties);
    OK(phase_write(&p, &parties, c, 0));
    double time_s = p.time_s;
    parties_free(&parties);
    program_free(&p);
    return time_s;
}

static void no_term_is_given_up_that_fits_its_limit(void)
{
    static const char *const nets[] = {"torus:4x6", "torus:24x1", "torus:2x3x4",     "mesh:3x8",
                                       "ring:24",   "line:24",    "circulant:24:1,5"};
    static const char *const terms[] = {"positions(12,direct,positions(4,direct,direct))",
                                        "positions(6,direct,direct)",
                                        "positions(4,direct,direct)",
                                        "leaders(6,direct)",
                                        "leaders(4,direct)",
                                        "leaders(24,direct)",
                                        "leaders(2,leaders(3,direct))",
                                        "positions(8,leaders(2,direct),direct)"};
    for (size_t i = 0; i < COUNT(nets); i++)
        for (uint32_t w = 1; w <= 64; w *= 8) {
            rwa_network *net = network_on("%s w=%u", nets[i], w);
            struct distances d;
            uint32_t nodes = rwa_network_nodes(net);
            OK(distances_open(&d, net, NULL));
            for (size_t t = 0; t < 2 * COUNT(terms); t++) {
                enum payload payload = t % 2 == 0 ? PAYLOAD_SPLIT : PAYLOAD_COPY;
                struct composition c;
                OK(composition_parse(&c, terms[t / 2], NULL));
                double time_s = term_time(&d, nodes, &c, payload, INFINITY);
                CU_ASSERT_DOUBLE_EQUAL(term_time(&d, nodes, &c, payload, time_s * (1 + 1e-9)), time_s, 1e-9);
                CU_ASSERT_TRUE(isinf(term_time(&d, nodes, &c, payload, time_s / 2)));
            }
            distances_free(&d);
            }
}

/* In the model `circuit` neighbours keep their lightpaths: after one setting each of N/2 steps costs alpha and a block
 * on W channels, which for short messages is a fraction of what fewer steps with new lightpaths take. */
static void lightpaths_stay_where_that_is_quicker(void)
{
    for (uint32_t nodes = 16; nodes <= 64; nodes *= 2) {
        struct request r = request_of("ring:%u w=4 bytes=8192 model=circuit alpha=1e-6 by compose", nodes);
        rwa_cost_prices price;
        OK(rwa_cost_floor(&price, 40e9, &r.options.cost, NULL));
        CU_ASSERT(rwa_plan_summary(plan_for(r))->time_s <=
                  1.01 * (25e-6 + nodes / 2 * (1e-6 + price.byte_s * 8192 / 4)));
    }
}

/* Among the leaves of a binary tree: over each link of the root 4 leaves of one half send to 4 of the other, so that 16
 * wavelengths are enough for all pairs in one step, and what passes that link is the bound. */
static void members_exchange_past_the_other_nodes(void)
{
    static const char tree[] = "tree:2x3 w=%u root=3 members=7,8,9,10,11,12,13,14 bytes=100000000 %s by compose";
    for (uint32_t w = 1; w <= 16; w *= 4)
        for (rwa_collective_kind kind = RWA_ALL_GATHER; kind <= RWA_ROOTED_REDUCE; kind++)
            CU_ASSERT(steps_on(tree, w, rwa_collective_name(kind)) > 0);
    const rwa_plan_report *s = report_on(tree, 16, "all-to-all");
    CU_ASSERT(s->steps == 1 && s->time_s < 1.001 * s->time_bound_s);
}

/* Segments around the roots need not be of one size: a ring whose number of nodes is prime takes at most a fifth
   more. */
static void rings_of_primes_have_roots(void)
{
    static const uint32_t primes[] = {31, 41, 53, 61}, near[] = {32, 42, 54, 64};
    for (size_t i = 0; i < COUNT(primes); i++)
        CU_ASSERT(time_on("ring:%u w=8 bytes=1000000 all-reduce", primes[i]) <=
                  1.2 * time_on("ring:%u w=8 bytes=1000000 all-reduce", near[i]));
}

/* 16 roots are 64 nodes apart, 15 are 68 or 69: on places that are equally far apart they take hardly longer. */
static void roots_need_not_divide_the_ring(void)
{
    static const char line[] = "ring:1024 w=8 bytes=1000000 all-reduce";
    CU_ASSERT(time_on("%s", line) <= time_on("%s by compose:roots(128,4)", line));
    CU_ASSERT(time_on("%s by compose:roots(69,5)", line) < 1.1 * time_on("%s by compose:roots(64,5)", line));
}

TESTS("compose", terms_come_back_from_their_text, relays_take_as_many_steps_as_the_farthest_needs,
      steps_follow_closed_forms, the_printed_term_plans_the_same_again, terms_of_all_kinds_are_right,
      terms_that_do_not_fit_are_refused, long_messages_fill_what_there_is, sums_take_the_least_load_that_fits,
      pairs_go_round_circles, alike_nodes_are_planned_once, distances_are_of_shortest_ways,
      no_term_is_given_up_that_fits_its_limit, lightpaths_stay_where_that_is_quicker,
      members_exchange_past_the_other_nodes, rings_of_primes_have_roots, roots_need_not_divide_the_ring)
