/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Star, ron and ocs: shared channels, ports that take time to turn, permutations; and what turning them costs. */
#include "base/base.h"

#include "tests/support/report.h"
#include "tests/support/judged.h"
#include "tests/support/suite.h"

static rwa_schedule *empty(rwa_topology kind, uint32_t nodes, const rwa_network_options *opts, rwa_collective_kind what)
{
    rwa_network *net = NULL;
    rwa_collective coll;
    rwa_schedule *sched = NULL;
    rwa_error err = {0};
    CU_ASSERT_EQUAL_FATAL(rwa_network_create(&net, kind, nodes, opts, &err), RWA_OK);
    CU_ASSERT_EQUAL_FATAL(rwa_collective_init(&coll, what, nodes, 0, 64, 0, &err), RWA_OK);
    CU_ASSERT_EQUAL_FATAL(rwa_schedule_create(&sched, net, &coll, "by hand", &err), RWA_OK);
    rwa_network_free(net);
    return sched;
}

static void put(rwa_schedule *sched, uint32_t step, uint32_t src, uint32_t dst, uint32_t wavelength, uint64_t block)
{
    rwa_lightpath lp = {.step = step, .src = src, .dst = dst, .wavelength = wavelength, .block = block, .orbit = 1};
    rwa_error err = {0};
    if (rwa_schedule_add(sched, &lp, &err) != RWA_OK)
        CU_FAIL_FATAL(err.text);
}

static rwa_check_report verdict_of(rwa_schedule *sched)
{
    rwa_check_report c;
    CU_ASSERT_EQUAL_FATAL(report_schedule(&c, sched, NULL, NULL), RWA_OK);
    CU_ASSERT_TRUE(c.ok);
    if (!c.ok)
        fprintf(stderr, "%s\n", c.first[0].text);
    rwa_schedule_free(sched);
    return c;
}

/* ---- star ---- */

static rwa_network_options ports_and_tuning(uint32_t ports, uint32_t tuning)
{
    rwa_network_options opts;
    rwa_network_options_init(&opts);
    opts.ports = ports;
    opts.tuning = tuning;
    return opts;
}

/* Scatter by the tree TCP1: in stage l every reached node gives a (k+1)-th of what it holds to each of k others, one
 * block a step; node j listens on wavelength j.  Communication (P-1)/k, and P-1 wavelengths are tuned (Section 3.1). */
static void scatter_on_a_star_costs_what_the_paper_says(void)
{
    enum { P = 64, K = 3, D = 5 };
    rwa_network_options opts = ports_and_tuning(K, D);
    rwa_schedule *sched = empty(RWA_STAR, P, &opts, RWA_SCATTER);
    uint32_t step = 1;
    for (uint32_t part = P / (K + 1); part > 0; part /= K + 1) /* node v holds the blocks v … v + (k+1) part - 1 */
        for (uint32_t sent = 0; sent < part; sent++, step++)
            for (uint32_t v = 0; v < P; v += part * (K + 1))
                for (uint32_t son = 1; son <= K; son++)
                    put(sched, step, v, v + son * part, v + son * part, v + son * part + sent);
    rwa_check_report c = verdict_of(sched);
    CU_ASSERT_EQUAL(c.steps, (P - 1) / K);
    CU_ASSERT_EQUAL(c.tunings, P - 1);
    CU_ASSERT_EQUAL(c.tuning_cost, (P - 1) * D);
    CU_ASSERT_EQUAL(c.finish_steps, (P - 1) / K + 3 * D); /* three stages, each tuned at once */
}

/* All-gather by exchanges in cliques, TCP2: every stage tunes P k wavelengths, and there are h = log_{k+1} P
 * (Section 3.3). */
static void exchange_on_a_star_costs_what_the_paper_says(void)
{
    enum { P = 16, K = 3, H = 2 };
    rwa_network_options opts = ports_and_tuning(K, 1);
    rwa_schedule *sched = empty(RWA_STAR, P, &opts, RWA_ALL_GATHER);
    uint32_t step = 1;
    for (uint32_t held = 1; held < P; held *= K + 1) /* node v holds the `held` blocks of its group */
        for (uint32_t sent = 0; sent < held; sent++, step++)
            for (uint32_t v = 0; v < P; v++)
                for (uint32_t i = 1; i <= K; i++) {
                    uint32_t digit = v / held % (K + 1), to = v - digit * held + (digit + i) % (K + 1) * held;
                    put(sched, step, v, to, v * K + i - 1, v / held * held + sent);
                }
    rwa_check_report c = verdict_of(sched);
    CU_ASSERT_EQUAL(c.steps, (P - 1) / K);
    CU_ASSERT_EQUAL(c.tunings, H * P * K);
}

/* Without a limit a node has a port for every channel: a million of them for each of 2000 nodes would fill no machine,
 * and only those in use are looked at.  Every receiver is set once, and the sender with the first of them. */
static void unused_ports_cost_nothing(void)
{
    enum { NODES = 2000 };
    rwa_network_options opts;
    rwa_network_options_init(&opts);
    opts.wavelengths = 1 << 20;
    rwa_schedule *sched = empty(RWA_STAR, NODES, &opts, RWA_BROADCAST);
    for (uint32_t v = 1; v < NODES; v++)
        put(sched, 1, 0, v, (1 << 20) - 1, 0);
    CU_ASSERT_EQUAL(verdict_of(sched).tunings, NODES - 1);
}

static const struct judged star = {
    .header = SCHEDULE("'kind':'star','nodes':6,'wavelengths':4,'ports':2,'tuning':3",
                       "'collective':'broadcast','root':0,'blocks':1,'steps':2"),
    .lines = {"1 0>1 path=0,1 0/0 b0", "1 0>2 path=0,2 0/0 b0", "1 0>3 path=0,3 0/1 b0", "2 1>4 path=1,4 0/0 b0",
              "2 2>5 path=2,5 0/2 b0"},
    .count = 5,
};

/* Several nodes receive a node's transmission on a channel, all of it or nothing. */
static const struct judged heard = {
    .header = SCHEDULE("'kind':'star','nodes':4,'wavelengths':2",
                       "'collective':'scatter','root':0,'blocks':4,'slots':2,'steps':1"),
    .lines = {"1 0>1 path=0,1 0/0 blocks=1,2", "1 0>2 path=0,2 0/0 blocks=1,2", "1 0>3 path=0,3 0/1 b3"},
    .count = 3,
};

/* Two nodes, two blocks for each pair: block (src * 2 + dst) * 2 + part. */
static const struct judged pairs = {
    .header =
        SCHEDULE("'kind':'ocs','nodes':2,'wavelengths':2,'fibers':1", "'collective':'all-to-all','blocks':8,'steps':1"),
    .lines = {"1 0>1 path=0,1 0/0 b2", "1 0>1 path=0,1 0/1 b3", "1 1>0 path=1,0 0/0 b4", "1 1>0 path=1,0 0/1 b5"},
    .count = 4,
};

static void an_all_to_all_may_cut_its_pairs(void)
{
    judged_expect_ok(&pairs);
    judged_expect(&pairs, 1, "1 0>1 path=0,1 0/1 b1",
                  RWA_VIOLATION_COMPLETENESS, "at the end node 1 lacks block 3");
    judged_expect(&pairs, 2, "1 1>0 path=1,0 0/0 b3",
                  RWA_VIOLATION_CAUSALITY, "node 1 sends block 3");
}

static void several_nodes_hear_several_blocks(void)
{
    judged_expect_ok(&heard);
    judged_expect(&heard, 1, "1 0>2 path=0,2 0/0 blocks=2,1",
                  RWA_VIOLATION_CHANNEL, "meets another transmission, of node 0");
    judged_expect(&heard, 1, "1 0>2 path=0,2 0/0 b2",
                  RWA_VIOLATION_CHANNEL, "meets another transmission, of node 0");
    judged_expect(&heard, 1, "1 0>2 path=0,2 0/0 blocks=1,3",
                  RWA_VIOLATION_CHANNEL, "meets another transmission, of node 0");
    judged_expect(&heard, 3, "1 0>2 path=0,2 0/0 blocks=1,2",
                  RWA_VIOLATION_CHANNEL, "meets another transmission, of node 0"); /* twice to the same node */
}

static void a_star_is_judged_by_channels_and_ports(void)
{
    rwa_check_report c;
    judged_expect_ok(&star); /* nodes 1 and 2 hear the same transmission: node 0 has two, not three */
    CU_ASSERT_EQUAL(judged_check(&c, &star), RWA_OK);
    CU_ASSERT_EQUAL(c.tunings, 5);
    CU_ASSERT_EQUAL(c.tuning_cost, 15);
    CU_ASSERT_EQUAL(c.finish_steps, 2 + 2 * 3);
    CU_ASSERT_EQUAL(c.wavelengths_used, 2);
    judged_expect(&star, 4, "2 2>5 path=2,5 0/0 b0",
                  RWA_VIOLATION_CHANNEL, "meets another transmission, of node 1");
    judged_expect(&star, 5, "2 2>5 path=2,5 0/2 b0",
                  RWA_VIOLATION_CHANNEL, "meets another transmission");
    judged_expect(&star, 1, "1 0>2 path=0,2 0/3 b0",
                  RWA_VIOLATION_PORTS, "node 0 has more than 2 transmissions");
    struct judged three = star;
    three.lines[5] = "2 0>4 path=0,4 0/1 b0";
    three.count = 6;
    judged_expect_ok(&three);
    judged_expect(&three, 6, "2 3>4 path=3,4 0/3 b0",
                  RWA_VIOLATION_PORTS, "node 4 has more than 2 receptions");
    judged_expect(&star, 4, "2 2>5 path=2,1,5 0/2 b0",
                  RWA_VIOLATION_CONTINUITY, "two different nodes in one hop");
    judged_expect(&star, 4, "2 5>5 path=5,5 0/2 b0",
                  RWA_VIOLATION_CONTINUITY, "two different nodes");
    judged_expect(&star, 4, "2 5>2 path=5,2 0/2 b0",
                  RWA_VIOLATION_CAUSALITY, "node 5 sends block 0");
}

/* ---- ron ---- */

/** The broadcast that hides latency: who holds the message sends it to k more whenever its ports have turned.  Nodes
 * after S steps, counted by doing it. */
static uint64_t greedy_broadcast(uint32_t k, uint32_t d, uint32_t steps, rwa_check_report *c)
{
    enum { ROOM = 1 << 17 };
    static uint32_t ready[ROOM]; /* the step from which a node can send */
    rwa_network_options opts = ports_and_tuning(k, d);
    rwa_schedule *sched = empty(RWA_RON, 100000, &opts, RWA_BROADCAST);
    uint32_t informed = 1;
    ready[0] = 1;
    for (uint32_t step = 1; step <= steps; step++)
        for (uint32_t v = 0, holders = informed; v < holders; v++)
            if (ready[v] <= step) {
                ready[v] = step + d + 1;
                for (uint32_t i = 0; i < k; i++, informed++) {
                    put(sched, step, v, informed, 0, 0);
                    ready[informed] = step + 1;
                }
            }
    CU_ASSERT_EQUAL_FATAL(report_schedule(c, sched, NULL, NULL), RWA_OK);
    rwa_schedule_free(sched);
    return informed;
}

/* Its node counts are N(S) = k N(S-1) + 1 up to S = d, then k N(S-1) + N(S-d-1) (eq. 1; 41 nodes in 4 steps for k = 2,
 * d = 1, Figure 2), and every port has the time it needs: only completeness is missing in a larger network. */
static void greedy_broadcast_on_a_ron_keeps_its_ports(void)
{
    static const uint32_t cases[][3] = {{2, 1, 4}, {2, 3, 10}, {1, 3, 20}, {3, 0, 6}, {5, 2, 5}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint32_t k = cases[i][0], d = cases[i][1], steps = cases[i][2];
        uint64_t n[32] = {1};
        rwa_check_report c;
        for (uint32_t s = 1; s <= steps; s++)
            n[s] = k * n[s - 1] + (s < d + 1 ? 1 : n[s - d - 1]);
        CU_ASSERT_EQUAL(greedy_broadcast(k, d, steps, &c), n[steps]);
        CU_ASSERT_EQUAL(c.violations, 100000 - n[steps]);
        CU_ASSERT_EQUAL(c.by_kind[RWA_VIOLATION_COMPLETENESS], c.violations);
        CU_ASSERT_EQUAL(c.finish_steps, steps);
    }
}

static const struct judged ron = {
    .header = SCHEDULE("'kind':'ron','nodes':6,'wavelengths':4,'ports':2,'tuning':2",
                       "'collective':'broadcast','root':0,'blocks':1,'steps':4"),
    .lines = {"1 0>1 path=0,1 0/0 b0", "1 0>2 path=0,2 0/0 b0", "2 1>3 path=1,3 0/0 b0", "4 0>4 path=0,4 0/0 b0",
              "4 0>5 path=0,5 0/0 b0"},
    .count = 5,
};

static void a_ron_gives_its_ports_time_to_turn(void)
{
    rwa_check_report c;
    judged_expect_ok(&ron);
    CU_ASSERT_EQUAL(judged_check(&c, &ron), RWA_OK);
    CU_ASSERT_EQUAL(c.tunings, 2); /* the root's; a first setting is there when the schedule starts */
    CU_ASSERT_EQUAL(c.finish_steps, 4);
    /* step 3 is one too early for a port used in step 1 */
    judged_expect(&ron, 3, "3 0>4 path=0,4 0/0 b0",
                  RWA_VIOLATION_PORTS, "retunes a port to node 4 that was in use in step 1: expected 2 steps between");
    /* node 1 has a second port, which has never been used */
    struct judged more = ron;
    more.lines[3] = "3 1>4 path=1,4 0/0 b0";
    judged_expect_ok(&more);
    /* what is turned to a receiver stays so */
    more = ron;
    more.lines[2] = "2 0>1 path=0,1 0/0 b0";
    judged_expect(&more, 3, "3 0>1 path=0,1 0/0 b0",
                  RWA_VIOLATION_COMPLETENESS, "node 3 lacks block 0");
    judged_expect(&ron, 5, "4 0>3 path=0,3 0/0 b0",
                  RWA_VIOLATION_PORTS, "node 0 has more than 2 transmissions");
    judged_expect(&ron, 5, "4 0>5 path=0,5 0/0 b0",
                  RWA_VIOLATION_CHANNEL, "meets another of the same ends");
    struct judged many = ron;
    many.lines[5] = "4 1>5 path=1,5 0/0 b0";
    many.count = 6;
    judged_expect(&many, 6, "4 2>5 path=2,5 0/0 b0",
                  RWA_VIOLATION_PORTS, "node 5 has more than 2 receptions");
    judged_expect(&ron, 4, "3 0>5 path=0,5 0/0 b0",
                  RWA_VIOLATION_ORDER, "step 3 follows step 4");
}

/* ---- ocs ---- */

static const struct judged ocs = {
    .header = SCHEDULE("'kind':'ocs','nodes':4,'fibers':2,'wavelengths':2,'tuning':10",
                       "'collective':'broadcast','root':0,'blocks':2,'steps':3"),
    .lines = {"1 0>1 path=0,1 0/0 b0", "1 0>1 path=0,1 0/1 b1", "1 0>2 path=0,2 1/0 b0", "2 0>2 path=0,2 1/0 b1",
              "3 2>3 path=2,3 0/0 b0", "3 2>3 path=2,3 0/1 b1"},
    .count = 6,
};

static void a_switch_is_a_permutation(void)
{
    rwa_check_report c;
    judged_expect_ok(&ocs);
    CU_ASSERT_EQUAL(judged_check(&c, &ocs), RWA_OK);
    CU_ASSERT_EQUAL(c.tunings, 3); /* 0-1, 0-2, 2-3; both wavelengths share a circuit, and 0-2 stays */
    CU_ASSERT_EQUAL(c.finish_steps, 3 + 2 * 10);
    judged_expect(&ocs, 2, "1 0>2 path=0,2 0/0 b0",
                  RWA_VIOLATION_PORTS, "switch 0 connects node 0 to a second node, 2");
    judged_expect(&ocs, 6, "3 1>3 path=1,3 0/0 b1",
                  RWA_VIOLATION_PORTS, "switch 0 connects a second node, 1, to node 3");
    judged_expect(&ocs, 1, "1 0>1 path=0,1 0/0 b1",
                  RWA_VIOLATION_CHANNEL, "meets another on switch 0, wavelength 0");
    judged_expect(&ocs, 2, "1 0>2 path=0,2 2/0 b0",
                  RWA_VIOLATION_RANGE, "fiber 2, expected below 2");
}

/* ---- any kind ---- */

/* Ports count on fibres too, where the header limits them; a tap is a reception. */
static void ports_count_on_any_network(void)
{
    struct judged ring = {
        .header = SCHEDULE("'kind':'ring','nodes':4,'wavelengths':2,'ports':1",
                           "'collective':'broadcast','root':0,'blocks':1,'steps':1"),
        .lines = {"1 0>3 cw 0/0 b0 taps=1,2"},
        .count = 1,
    };
    judged_expect_ok(&ring);
    judged_expect(&ring, 1, "1 0>3 ccw 0/0 b0",
                  RWA_VIOLATION_PORTS, "node 0 has more than 1 transmissions");
    judged_expect(&ring, 1, "1 3>2 ccw 0/0 b0",
                  RWA_VIOLATION_PORTS, "node 2 has more than 1 receptions");
}

/* The report of random lightpaths, the lines of each step in the order that `order` shuffles.  With k ports a node has
 * k channels, and sends and receives once on each. */
static rwa_check_report report_in_order(rwa_topology kind, uint64_t seed, uint64_t order)
{
    enum { NODES = 5, PORTS = 2, CHANNELS = 6, STEPS = 6 };
    rwa_network_options opts = ports_and_tuning(PORTS, 1);
    opts.wavelengths = CHANNELS;
    rwa_schedule *sched = empty(kind, NODES, &opts, RWA_ALL_GATHER);
    rwa_check_report c;
    for (uint32_t step = 1; step <= STEPS; step++) {
        uint32_t line[CHANNELS], nodes[2 * CHANNELS];
        for (uint32_t i = 0; i < 2 * CHANNELS; i++)
            nodes[i] = (uint32_t)base_random_below(&seed, NODES);
        for (uint32_t i = 0; i < CHANNELS; i++)
            line[i] = i;
        base_shuffle(line, CHANNELS, &order);
        for (uint32_t i = 0; i < CHANNELS; i++)
            if (nodes[2 * line[i]] != nodes[2 * line[i] + 1])
                put(sched, step, nodes[2 * line[i]], nodes[2 * line[i] + 1], line[i], nodes[2 * line[i]]);
    }
    CU_ASSERT_EQUAL_FATAL(report_schedule(&c, sched, NULL, NULL), RWA_OK);
    rwa_schedule_free(sched);
    return c;
}

/* A step has no order: whether a port is retuned depends on its setting at the start of the step. */
static void order_of_lines_does_not_matter(void)
{
    static const rwa_topology kinds[] = {RWA_STAR, RWA_RON};
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++)
        for (uint64_t seed = 1; seed <= 100; seed++) {
            rwa_check_report first = report_in_order(kinds[k], seed, 1);
            for (uint64_t order = 2; order <= 6; order++) {
                rwa_check_report again = report_in_order(kinds[k], seed, order);
                CU_ASSERT_EQUAL(again.tunings, first.tunings);
                CU_ASSERT_EQUAL(again.finish_steps, first.finish_steps);
                CU_ASSERT_EQUAL(again.by_kind[RWA_VIOLATION_PORTS], first.by_kind[RWA_VIOLATION_PORTS]);
            }
        }
}

int main(void)
{
    static const struct test tests[] = {
        TEST(order_of_lines_does_not_matter), TEST(scatter_on_a_star_costs_what_the_paper_says),
        TEST(exchange_on_a_star_costs_what_the_paper_says), TEST(unused_ports_cost_nothing),
        TEST(several_nodes_hear_several_blocks), TEST(an_all_to_all_may_cut_its_pairs),
        TEST(a_star_is_judged_by_channels_and_ports), TEST(greedy_broadcast_on_a_ron_keeps_its_ports),
        TEST(a_ron_gives_its_ports_time_to_turn), TEST(a_switch_is_a_permutation), TEST(ports_count_on_any_network),
        {0}};
    return run_tests("ports", tests);
}
