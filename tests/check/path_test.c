/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Schedules whose lightpaths name their nodes, take several blocks or are tapped: right ones, then each way to break
 * them. */
#include "tests/support/judged.h"
#include "tests/support/request.h"

/* Four nodes in a ring, as a graph: links 0-3 run up, links 4-7 run down.  Link 0 has two fibres. */
static const struct judged broadcast = {
    .header = SCHEDULE("'kind':'graph','nodes':4,'fibers':1,'wavelengths':2,'links':[[0,1],[1,2],[2,3],[3,0],[1,0],[2,"
                       "1],[3,2],[0,3]],'link_fibers':[2,1,1,1,1,1,1,1]",
                       "'collective':'broadcast','root':0,'blocks':1,'steps':2"),
    .lines = {"1 0>2 path=0,1,2 0/0 b0", "1 0>3 path=0,3 0/0 b0", "2 2>1 path=2,1 0/1 b0"},
};

static void paths_over_links_are_right(void)
{
    rwa_check_report c;
    judged_expect_ok(&broadcast);
    OK(judged_check(&c, &broadcast));
    CU_ASSERT_EQUAL(c.longest_hops, 2);
    CU_ASSERT_EQUAL(c.lightpaths, 3);
    CU_ASSERT_EQUAL(c.wavelengths_used, 1);
    /* the second fibre of link 0 is another channel */
    struct judged two = broadcast;
    two.lines[3] = "2 0>1 path=0,1 1/0 b0";
    judged_expect_ok(&two);
}

static void what_is_no_path_is_named(void)
{
    judged_expect(&broadcast,
                  "0: 1 0>2 path=0,2 0/0 b0: continuity: from node 0 to node 2 has no link to node 2",
                  "0: 1 0>2 path=0,1 0/0 b0: continuity: ends at 1",
                  "0: 1 0>2 path=1,2 0/0 b0: continuity: starts at 1",
                  "0: 1 0>2 path=0 0/0 b0: continuity: missing",
                  "0: 1 0>2 path=0,9,2 0/0 b0: continuity: names no node of the network: 9");
    /* every step over a link, and yet no path */
    judged_expect(&broadcast,
                  "0: 1 0>2 path=0,3,0,1,2 0/1 b0: continuity: visits node twice: 0",
                  "2: 2 2>2 path=2,2 0/0 b0: continuity: visits node twice: 2");
}

static void what_breaks_the_other_rules_is_named(void)
{
    judged_expect(&broadcast,
                  "3: 2 2>0 path=2,1,0 0/1 b0: channel: step 2: lightpath 2 to 0 meets lightpath 2 to 1 of line 4 on "
                  "link 5 (2 to 1), fibre 0, wavelength 1",
                  "2: 2 2>1 path=2,1 1/0 b0: range: fibre 1, which link 5 (2 to 1) does not have",
                  "2: 2 2>1 path=2,1 2/0 b0: range: fiber 2, expected below 2",
                  "1: 1 1>0 path=1,0 0/0 b0: causality: node 1 sends block 0",
                  "2: 2 2>3 path=2,3 0/1 b0: completeness: node 1 lacks block 0",
                  "2: 2 2>1 path=2,1 0/1 b0 orbit=2: orbit: orbit 2");
}

/* A broadcast in one step: the light passes everyone, and everyone takes a little of it. */
static const struct judged tapped = {
    .header = SCHEDULE("'kind':'ring','nodes':6,'wavelengths':1",
                       "'collective':'broadcast','root':0,'blocks':2,'slots':2,'steps':1"),
    .lines = {"1 0>3 cw 0/0 blocks=0,1 taps=1,2", "1 0>4 ccw 0/0 blocks=0,1 taps=5"},
};

static void taps_and_blocks_are_received(void)
{
    judged_expect_ok(&tapped);
    judged_expect(&tapped,
                  "0: 1 0>3 cw 0/0 blocks=0,1 taps=1: completeness: node 2 lacks block 0",
                  "0: 1 0>3 cw 0/0 b0 taps=1,2: completeness: node 1 lacks block 1",
                  "0: 1 0>3 cw 0/0 blocks=0,1 taps=2,1: continuity: tap 1 is not on the route",
                  "0: 1 0>3 cw 0/0 blocks=0,1 taps=1,4: continuity: tap 4 is not on the route",
                  "0: 1 0>3 cw 0/0 blocks=0,1 taps=3: continuity: tap 3 is not on the route",
                  "0: 1 0>3 cw 0/0 blocks=0,1 taps=6: range: tap 6, expected below 6",
                  "0: 1 0>3 cw 0/0 blocks=0,2 taps=1,2: range: block 2, expected below 2",
                  "0: 1 0>3 cw 0/0 blocks=0,1,0: range: 3 blocks on one lightpath, expected at most the header's 2 "
                  "slots",
                  "0: 1 1>3 cw 0/0 blocks=0,1 taps=2: causality: node 1 sends block 1");
}

/* Lightpaths that are neighbours on a channel share no link: the other one of a clash is the one on its link. */
static void the_other_lightpath_of_a_clash_is_on_its_link(void)
{
    struct judged file = tapped;
    file.lines[0] = "1 0>1 cw 0/0 b0";
    file.lines[1] = "1 1>3 cw 0/0 b0";
    judged_expect(&file,
                  "2: 1 1>2 cw 0/0 b0: channel: meets lightpath 1 to 3 of line 3 on link 1 cw (1 to 2)",
                  "2: 1 5>1 cw 0/0 b0: channel: meets lightpath 0 to 1 of line 2 on link 0 cw (0 to 1)",
                  "2: 1 2>5 cw 0/0 b0: channel: meets lightpath 1 to 3 of line 3 on link 2 cw (2 to 3)");
    /* of several the first one on the route, however far apart they are */
    file.header = SCHEDULE("'kind':'ring','nodes':200,'wavelengths':1",
                           "'collective':'broadcast','root':0,'blocks':1,'steps':1");
    file.lines[0] = "1 110>120 cw 0/0 b0";
    file.lines[1] = "1 10>20 cw 0/0 b0";
    judged_expect(&file, "2: 1 0>150 cw 0/0 b0: channel: meets lightpath 10 to 20 of line 3 on link 10 cw (10 to 11)");
}

/* On a path the taps are nodes between its ends. */
static void taps_on_paths_are_received(void)
{
    struct judged file = broadcast;
    file.header = SCHEDULE("'kind':'graph','nodes':4,'wavelengths':2,'links':[[0,1],[1,2],[2,3],[3,0]]",
                           "'collective':'broadcast','root':0,'blocks':1,'steps':1");
    file.lines[0] = "1 0>3 path=0,1,2,3 0/0 b0 taps=1,2";
    file.lines[1] = NULL;
    judged_expect_ok(&file);
    judged_expect(&file,
                  "0: 1 0>3 path=0,1,2,3 0/0 b0 taps=2,1: continuity: tap 1",
                  "0: 1 0>3 path=0,1,2,3 0/0 b0 taps=3: continuity: tap 3");
}

/* In reductions a tap adds like any receiver, so what both a tap and a lightpath bring is counted twice. */
static void taps_reduce_too(void)
{
    struct judged file = {
        .header = SCHEDULE("'kind':'line','nodes':3,'wavelengths':2", "'collective':'all-reduce','blocks':1,'steps':1"),
        .lines = {"1 0>2 cw 0/0 b0 taps=1 op=reduce",
                  "1 2>0 ccw 0/0 b0 taps=1 op=reduce",
                  "1 1>2 cw 0/1 b0 op=reduce",
                  "1 1>0 ccw 0/1 b0 op=reduce"},
    };
    judged_expect_ok(&file);
    judged_expect(&file,
                  "4: 1 0>1 cw 0/1 b0 op=reduce: completeness: node 1 counts the contribution of node 0 to block 0 "
                  "twice");
}

/* The physics says nothing about listed links: then power is not called ok. */
static void power_that_is_not_modelled_is_left_open(void)
{
    rwa_check_options opts;
    rwa_check_report c;
    rwa_check_options_init(&opts);
    opts.device = device_named(rwa_device_builtin(0));
    OK(judged_check_with(&c, &broadcast, &opts, NULL));
    CU_ASSERT_EQUAL(c.power.verdict, RWA_UNCHECKED);
}

TESTS("paths, taps and merged blocks", paths_over_links_are_right, what_is_no_path_is_named,
      what_breaks_the_other_rules_is_named, taps_and_blocks_are_received,
      the_other_lightpath_of_a_clash_is_on_its_link, taps_on_paths_are_received, taps_reduce_too,
      power_that_is_not_modelled_is_left_open)
