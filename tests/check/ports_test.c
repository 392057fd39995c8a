/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Star, ron and ocs: shared channels, ports that take time to turn, permutations; and what turning them costs. */
#include "base/base.h"

#include "tests/support/judged.h"
#include "tests/support/request.h"

/* Without a limit a node has a port for every channel: a million of them for each of 2000 nodes would fill no machine,
 * and only those in use are looked at.  Every receiver is set once, and the sender with the first of them. */
static void unused_ports_cost_nothing(void)
{
    CU_ASSERT_EQUAL(report_on("star:2000 w=1048576 bytes=8 broadcast by listen")->check->tunings, 1999);
}

static const struct judged star = {
    .header = SCHEDULE("'kind':'star','nodes':6,'wavelengths':4,'ports':2,'tuning':3",
                       "'collective':'broadcast','root':0,'blocks':1,'steps':2"),
    .lines = {"1 0>1 path=0,1 0/0 b0", "1 0>2 path=0,2 0/0 b0", "1 0>3 path=0,3 0/1 b0", "2 1>4 path=1,4 0/0 b0",
              "2 2>5 path=2,5 0/2 b0"},
};

/* Several nodes receive a node's transmission on a channel, all of it or nothing. */
static const struct judged heard = {
    .header = SCHEDULE("'kind':'star','nodes':4,'wavelengths':2",
                       "'collective':'scatter','root':0,'blocks':4,'slots':2,'steps':1"),
    .lines = {"1 0>1 path=0,1 0/0 blocks=1,2", "1 0>2 path=0,2 0/0 blocks=1,2", "1 0>3 path=0,3 0/1 b3"},
};

/* Two nodes, two blocks for each pair: block (src * 2 + dst) * 2 + part. */
static const struct judged pairs = {
    .header =
        SCHEDULE("'kind':'ocs','nodes':2,'wavelengths':2,'fibers':1", "'collective':'all-to-all','blocks':8,'steps':1"),
    .lines = {"1 0>1 path=0,1 0/0 b2", "1 0>1 path=0,1 0/1 b3", "1 1>0 path=1,0 0/0 b4", "1 1>0 path=1,0 0/1 b5"},
};

static void an_all_to_all_may_cut_its_pairs(void)
{
    judged_expect_ok(&pairs);
    judged_expect(&pairs,
                  "1: 1 0>1 path=0,1 0/1 b1: completeness: at the end node 1 lacks block 3",
                  "2: 1 1>0 path=1,0 0/0 b3: causality: node 1 sends block 3");
}

static void several_nodes_hear_several_blocks(void)
{
    judged_expect_ok(&heard);
    judged_expect(&heard,
                  "1: 1 0>2 path=0,2 0/0 blocks=2,1: channel: meets another transmission, of node 0",
                  "1: 1 0>2 path=0,2 0/0 b2: channel: meets another transmission, of node 0",
                  "1: 1 0>2 path=0,2 0/0 blocks=1,3: channel: meets another transmission, of node 0",
                  /* twice to the same node */
                  "3: 1 0>2 path=0,2 0/0 blocks=1,2: channel: meets another transmission, of node 0");
}

static void a_star_is_judged_by_channels_and_ports(void)
{
    rwa_check_report c;
    judged_expect_ok(&star); /* nodes 1 and 2 hear the same transmission: node 0 has two, not three */
    OK(judged_check(&c, &star));
    CU_ASSERT_EQUAL(c.tunings, 5);
    CU_ASSERT_EQUAL(c.tuning_cost, 15);
    CU_ASSERT_EQUAL(c.finish_steps, 2 + 2 * 3);
    CU_ASSERT_EQUAL(c.wavelengths_used, 2);
    judged_expect(&star,
                  "4: 2 2>5 path=2,5 0/0 b0: channel: meets another transmission, of node 1",
                  "5: 2 2>5 path=2,5 0/2 b0: channel: meets another transmission",
                  "1: 1 0>2 path=0,2 0/3 b0: ports: node 0 has more than 2 transmissions");
    struct judged three = star;
    three.lines[5] = "2 0>4 path=0,4 0/1 b0";
    judged_expect_ok(&three);
    judged_expect(&three, "6: 2 3>4 path=3,4 0/3 b0: ports: node 4 has more than 2 receptions");
    judged_expect(&star,
                  "4: 2 2>5 path=2,1,5 0/2 b0: continuity: two different nodes in one hop",
                  "4: 2 5>5 path=5,5 0/2 b0: continuity: two different nodes",
                  "4: 2 5>2 path=5,2 0/2 b0: causality: node 5 sends block 0");
}

/* ---- ron ---- */

static const struct judged ron = {
    .header = SCHEDULE("'kind':'ron','nodes':6,'wavelengths':4,'ports':2,'tuning':2",
                       "'collective':'broadcast','root':0,'blocks':1,'steps':4"),
    .lines = {"1 0>1 path=0,1 0/0 b0", "1 0>2 path=0,2 0/0 b0", "2 1>3 path=1,3 0/0 b0", "4 0>4 path=0,4 0/0 b0",
              "4 0>5 path=0,5 0/0 b0"},
};

static void a_ron_gives_its_ports_time_to_turn(void)
{
    rwa_check_report c;
    judged_expect_ok(&ron);
    OK(judged_check(&c, &ron));
    CU_ASSERT_EQUAL(c.tunings, 2); /* the root's; a first setting is there when the schedule starts */
    CU_ASSERT_EQUAL(c.finish_steps, 4);
    /* step 3 is one too early for a port used in step 1 */
    judged_expect(&ron,
                  "3: 3 0>4 path=0,4 0/0 b0: ports: retunes a port to node 4 that was in use in step 1: expected 2 "
                  "steps between");
    /* node 1 has a second port, which has never been used */
    struct judged more = ron;
    more.lines[3] = "3 1>4 path=1,4 0/0 b0";
    judged_expect_ok(&more);
    /* what is turned to a receiver stays so */
    more = ron;
    more.lines[2] = "2 0>1 path=0,1 0/0 b0";
    judged_expect(&more, "3: 3 0>1 path=0,1 0/0 b0: completeness: node 3 lacks block 0");
    judged_expect(&ron,
                  "5: 4 0>3 path=0,3 0/0 b0: ports: node 0 has more than 2 transmissions",
                  "5: 4 0>5 path=0,5 0/0 b0: channel: meets another of the same ends");
    struct judged many = ron;
    many.lines[5] = "4 1>5 path=1,5 0/0 b0";
    judged_expect(&many, "6: 4 2>5 path=2,5 0/0 b0: ports: node 5 has more than 2 receptions");
    judged_expect(&ron, "4: 3 0>5 path=0,5 0/0 b0: order: step 3 follows step 4");
}

/* ---- ocs ---- */

static const struct judged ocs = {
    .header = SCHEDULE("'kind':'ocs','nodes':4,'fibers':2,'wavelengths':2,'tuning':10",
                       "'collective':'broadcast','root':0,'blocks':2,'steps':3"),
    .lines = {"1 0>1 path=0,1 0/0 b0", "1 0>1 path=0,1 0/1 b1", "1 0>2 path=0,2 1/0 b0", "2 0>2 path=0,2 1/0 b1",
              "3 2>3 path=2,3 0/0 b0", "3 2>3 path=2,3 0/1 b1"},
};

static void a_switch_is_a_permutation(void)
{
    rwa_check_report c;
    judged_expect_ok(&ocs);
    OK(judged_check(&c, &ocs));
    CU_ASSERT_EQUAL(c.tunings, 3); /* 0-1, 0-2, 2-3; both wavelengths share a circuit, and 0-2 stays */
    CU_ASSERT_EQUAL(c.finish_steps, 3 + 2 * 10);
    judged_expect(&ocs,
                  "2: 1 0>2 path=0,2 0/0 b0: ports: switch 0 connects node 0 to a second node, 2",
                  "6: 3 1>3 path=1,3 0/0 b1: ports: switch 0 connects a second node, 1, to node 3",
                  "1: 1 0>1 path=0,1 0/0 b1: channel: meets another on switch 0, wavelength 0",
                  "2: 1 0>2 path=0,2 2/0 b0: range: fiber 2, expected below 2");
}

/* ---- any kind ---- */

/* Ports count on fibres too, where the header limits them; a tap is a reception. */
static void ports_count_on_any_network(void)
{
    struct judged ring = {
        .header = SCHEDULE("'kind':'ring','nodes':4,'wavelengths':2,'ports':1",
                           "'collective':'broadcast','root':0,'blocks':1,'steps':1"),
        .lines = {"1 0>3 cw 0/0 b0 taps=1,2"},
    };
    judged_expect_ok(&ring);
    judged_expect(&ring,
                  "1: 1 0>3 ccw 0/0 b0: ports: node 0 has more than 1 transmissions",
                  "1: 1 3>2 ccw 0/0 b0: ports: node 2 has more than 1 receptions");
}

/* The report of random lightpaths, the lines of each step in the order that `order` shuffles.  With k ports a node has
 * k channels, and sends and receives once on each. */
static rwa_check_report report_in_order(const char *spec, uint64_t draw, uint64_t order)
{
    enum { CHANNELS = 6, STEPS = 6 };
    rwa_schedule *sched = NULL;
    struct request r = request_of("%s w=6 ports=2 tuning=1", spec);
    const rwa_network *net = request_network(r);
    rwa_collective coll = request_collective(&r, net);
    rwa_check_report c;
    OK(rwa_schedule_create(&sched, net, &coll, "by hand", NULL));
    for (uint32_t step = 1; step <= STEPS; step++) {
        uint32_t line[CHANNELS];
        rwa_lightpath lp[CHANNELS];
        for (uint32_t i = 0; i < CHANNELS; i++) {
            line[i] = i;
            lp[i] = (rwa_lightpath){.step = step, .src = (uint32_t)base_random_below(&draw, 5),
                                    .dst = (uint32_t)base_random_below(&draw, 5), .wavelength = i, .orbit = 1};
            lp[i].block = lp[i].src;
        }
        base_shuffle(line, CHANNELS, &order);
        for (uint32_t i = 0; i < CHANNELS; i++)
            if (lp[line[i]].src != lp[line[i]].dst)
                OK(rwa_schedule_add(sched, &lp[line[i]], NULL));
    }
    OK(report_schedule(&c, keep_schedule(sched), NULL, NULL));
    return c;
}

/* A step has no order: whether a port is retuned depends on its setting at the start of the step. */
static void order_of_lines_does_not_matter(void)
{
    static const char *const specs[] = {"star:5", "ron:5"};
    for (size_t k = 0; k < COUNT(specs); k++)
        for (uint64_t draw = 1; draw <= 100; draw++) {
            rwa_check_report first = report_in_order(specs[k], draw, 1);
            for (uint64_t order = 2; order <= 6; order++) {
                rwa_check_report again = report_in_order(specs[k], draw, order);
                CU_ASSERT(again.tunings == first.tunings && again.finish_steps == first.finish_steps &&
                          again.by_kind[RWA_VIOLATION_PORTS] == first.by_kind[RWA_VIOLATION_PORTS]);
            }
        }
}

TESTS("ports", unused_ports_cost_nothing, an_all_to_all_may_cut_its_pairs, several_nodes_hear_several_blocks,
      a_star_is_judged_by_channels_and_ports, a_ron_gives_its_ports_time_to_turn, a_switch_is_a_permutation,
      ports_count_on_any_network, order_of_lines_does_not_matter)
