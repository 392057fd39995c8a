/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Reserved channels, failed links, and collectives in which only some nodes take part. */
#include "tests/support/judged.h"
#include "tests/support/request.h"

/* ---- faults ---- */

/* Wavelength 1 is reserved; link 1 failed both ways, link 4 (node 4 to 5) clockwise, link 5 (node 5 to 0)
 * counter-clockwise. */
static const struct judged ring = {
    .header = SCHEDULE("'kind':'ring','nodes':6,'wavelengths':3,'reserved':[1],'failed':['1','cw:4','ccw:5']",
                       "'collective':'broadcast','root':0,'blocks':1,'steps':2"),
    .lines = {"1 0>1 cw 0/0 b0", "1 5>3 ccw 0/0 b0", "2 0>1 cw 0/2 b0"},
};

static void faults_are_not_used(void)
{
    rwa_check_report c;
    OK(judged_check(&c, &ring));
    CU_ASSERT_EQUAL(c.by_kind[RWA_VIOLATION_CHANNEL], 0); /* 5 to 3 runs over links 4 and 3, counter-clockwise */
    judged_expect(&ring,
                  "0: 1 0>1 cw 0/1 b0: channel: fibre 0, wavelength 1, which is reserved",
                  "0: 1 0>2 cw 0/0 b0: channel: uses link 1 cw (1 to 2), which failed",
                  "0: 1 2>1 ccw 0/0 b0: channel: uses link 1 ccw (2 to 1), which failed",
                  "0: 1 3>5 cw 0/0 b0: channel: uses link 4 cw (4 to 5), which failed",
                  "0: 1 0>5 ccw 0/2 b0: channel: uses link 5 ccw (0 to 5), which failed");
    /* behind the wrap: 5, 0, then link 0 and the failed link 1 */
    judged_expect(&ring,
                  "0: 1 5>2 cw 0/0 b0: channel: uses link 1 cw (1 to 2), which failed",
                  "0: 1 3>0 cw 0/0 b0: channel: uses link 4 cw (4 to 5), which failed");
}

/* Link 0 clockwise failed before the first step, link 2 both ways from step 2 on, link 4 clockwise from step 3 on. */
static void links_may_fail_one_after_the_other(void)
{
    struct judged later = ring;
    rwa_check_report c;
    later.header =
        SCHEDULE("'kind':'ring','nodes':6,'wavelengths':3,'failed':['cw:0','2','cw:4'],'failed_from':[0,2,3]",
                 "'collective':'broadcast','root':0,'blocks':1,'steps':2");
    later.lines[0] = "1 2>5 cw 0/0 b0";
    later.lines[1] = "1 3>1 ccw 0/0 b0";
    later.lines[2] = "2 4>5 cw 0/2 b0";
    OK(judged_check(&c, &later));
    CU_ASSERT_EQUAL(c.by_kind[RWA_VIOLATION_CHANNEL], 0);
    judged_expect(&later,
                  "0: 1 0>1 cw 0/0 b0: channel: step 1: lightpath 0 to 1 uses link 0 cw (0 to 1), which failed",
                  "0: 1 5>3 cw 0/0 b0: channel: uses link 0 cw (0 to 1), which failed",
                  "2: 2 3>2 ccw 0/2 b0: channel: uses link 2 ccw (3 to 2), which failed");
    struct judged graph = {
        .header = SCHEDULE("'kind':'graph','nodes':3,'wavelengths':2,'links':[[0,1],[1,0],[1,2],[2,1]],'failed':['3','"
                           "0'],'failed_from':[0,2]",
                           "'collective':'broadcast','root':0,'blocks':1,'steps':1"),
        .lines = {"1 0>2 path=0,1,2 0/0 b0", "1 0>1 path=0,1 0/1 b0"},
    };
    judged_expect_ok(&graph);
    judged_expect(&graph,
                  "1: 1 2>1 path=2,1 0/1 b0: channel: uses link 3 (2 to 1), which failed",
                  "1: 2 0>1 path=0,1 0/1 b0: channel: uses link 0 (0 to 1), which failed");
}

/* A channel of one link: of the square's three ways to node 2, only the one over link 2 on wavelength 1 is closed. */
static void a_channel_of_one_link_is_reserved(void)
{
    struct judged graph = {
        .header =
            SCHEDULE("'kind':'graph','nodes':3,'wavelengths':2,'links':[[0,1],[1,0],[1,2],[2,1]],'reserved':[[2,0,1]]",
                     "'collective':'broadcast','root':0,'blocks':1,'steps':2"),
        .lines = {"1 0>2 path=0,1,2 0/0 b0", "2 0>1 path=0,1 0/1 b0"},
    };
    judged_expect_ok(&graph);
    judged_expect(&graph,
                  "0: 1 0>2 path=0,1,2 0/1 b0: channel: fibre 0, wavelength 1 of link 2 (1 to 2), which is reserved");
}

/* Orbits carry faults along: one of the four lightpaths of a neighbour shift meets the failed link. */
static void every_lightpath_of_an_orbit_is_judged(void)
{
    struct judged shift = {
        .header = SCHEDULE("'kind':'ring','nodes':4,'wavelengths':2,'failed':['cw:2'],'reserved':[1]",
                           "'collective':'all-gather','blocks':4,'steps':1"),
        .lines = {"1 0>1 cw 0/0 b0 orbit=4 period=2"},
    };
    rwa_check_report c;
    OK(judged_check(&c, &shift));
    CU_ASSERT_EQUAL(c.by_kind[RWA_VIOLATION_CHANNEL], 1 + 2); /* the link once, every second one on wavelength 1 */
}

/* On a ring by number, both ways or one; on every network by its nodes: "A-B" is the pair, "A>B" one direction. */
static void names_of_links(void)
{
    static const struct { const char *spec, *name; size_t count; uint32_t links[2];
    } named[] = {{"ring:8", "cw:7", 1, {7, 0}},    {"ring:8", "ccw:7", 1, {15, 0}}, {"ring:8", "0", 2, {0, 8}},
                 {"torus:3x3", "35", 1, {35, 0}},  {"ring:8", "7-0", 2, {7, 15}},   {"ring:8", "0-7", 2, {15, 7}},
                 {"ring:8", "3>2", 1, {8 + 2, 0}}, {"torus:3x3", "36", 0, {0}},     {"torus:3x3", "cw:3", 0, {0}}};
    static const char *const bad[] = {
        "", "cw:", "8", "cw:8", "-1", "1 ", "0x1", "up:1", "99999999999999999999", "2-4", "0-8", "1-", "-", ">1",
        "1>1"};
    const rwa_network *torus = network_on("torus:3x3");
    uint32_t links[2];
    for (size_t i = 0; i < COUNT(named); i++) {
        CU_ASSERT_EQUAL(rwa_network_find_links(links, network_on("%s", named[i].spec), named[i].name), named[i].count);
        CU_ASSERT_EQUAL(memcmp(links, named[i].links, named[i].count * sizeof *links), 0);
    }
    CU_ASSERT(rwa_network_find_links(links, torus, "0-1") == 2 && links[0] == rwa_network_find_link(torus, 0, 1) &&
              links[1] == rwa_network_find_link(torus, 1, 0));
    CU_ASSERT(rwa_network_find_links(links, torus, "4>1") == 1 && links[0] == rwa_network_find_link(torus, 4, 1));
    for (size_t i = 0; i < COUNT(bad); i++)
        CU_ASSERT_EQUAL(rwa_network_find_links(links, network_on("ring:8"), bad[i]), 0);
}

static void faults_that_cannot_be_are_refused(void)
{
    const uint32_t channel = 64, link = 16;
    const rwa_faults beyond = {.channels = &channel, .channel_count = 1}, failed = {.links = &link, .link_count = 1};
    rwa_network *faulty = NULL;
    CU_ASSERT_EQUAL(rwa_network_with_faults(&faulty, network_on("ring:8"), &beyond, NULL), RWA_BADARG);
    CU_ASSERT_EQUAL(rwa_network_with_faults(&faulty, network_on("ring:8"), &failed, NULL), RWA_BADARG);
    CU_ASSERT_EQUAL(rwa_network_with_faults(&faulty, network_on("star:8"), &failed, NULL), RWA_BADARG);
    CU_ASSERT_PTR_NULL(faulty);
}

/* ---- members ---- */

/* Nodes 1, 3 and 4 of a line of 6; block b belongs to members[b]. */
#define MEMBERS(collective, blocks)                                                                                    \
    SCHEDULE("'kind':'line','nodes':6,'wavelengths':3",                                                                \
             "'collective':'" collective "','members':[1,3,4],'blocks':" blocks ",'steps':1")

static const struct judged gather = {
    .header = MEMBERS("all-gather", "3"),
    .lines = {"1 1>3 cw 0/0 b0", "1 1>4 cw 0/1 b0", "1 3>1 ccw 0/0 b1",
              "1 3>4 cw 0/0 b1", "1 4>1 ccw 0/1 b2", "1 4>3 ccw 0/2 b2"},
};

static void members_gather_among_themselves(void)
{
    judged_expect_ok(&gather);
    judged_expect(&gather,
                  "4: 1 4>3 ccw 0/1 b2: completeness: node 1 lacks block 2",
                  "0: 1 1>3 cw 0/0 b1: causality: node 1 sends block 1",
                  "0: 1 1>2 cw 0/0 b0: range: node 2 takes no part",
                  "0: 1 5>1 ccw 0/2 b0: range: node 5 takes no part",
                  "0: 1 1>3 cw 0/0 b3: range: block 3, expected below 3",
                  "0: 1 1>3 cw 0/0 b0 orbit=2: orbit: orbit 2");
}

static void members_reduce_and_exchange(void)
{
    static const struct judged reduce = {MEMBERS("all-reduce", "1"),
                                         {"1 1>3 cw 0/0 b0 op=reduce", "1 1>4 cw 0/1 b0 op=reduce",
                                          "1 3>1 ccw 0/0 b0 op=reduce", "1 3>4 cw 0/0 b0 op=reduce",
                                          "1 4>1 ccw 0/1 b0 op=reduce", "1 4>3 ccw 0/2 b0 op=reduce"}};
    /* block src * 3 + dst, both counted among the members */
    static const struct judged exchange = {MEMBERS("all-to-all", "9"),
                                           {"1 1>3 cw 0/0 b1", "1 1>4 cw 0/1 b2", "1 3>1 ccw 0/0 b3", "1 3>4 cw 0/0 b5",
                                            "1 4>1 ccw 0/1 b6", "1 4>3 ccw 0/2 b7"}};
    judged_expect_ok(&reduce);
    judged_expect(&reduce,
                  "5: 1 1>3 cw 0/2 b0 op=reduce: completeness: node 3 counts the contribution of node 1 to block 0 "
                  "twice and lacks that of node 4");
    judged_expect_ok(&exchange);
    judged_expect(&exchange, "5: 1 4>3 ccw 0/2 b6: completeness: node 3 lacks block 7");
}

/* The root is written as a node, and counted among the members. */
static void a_root_is_a_member(void)
{
    struct judged cast = {
        .header = SCHEDULE("'kind':'line','nodes':6,'wavelengths':3",
                           "'collective':'gather','root':4,'members':[1,3,4],'blocks':3,'steps':1"),
        .lines = {"1 1>4 cw 0/0 b0", "1 3>4 cw 0/1 b1"},
    };
    judged_expect_ok(&cast);
    judged_expect(&cast, "1: 1 3>4 cw 0/1 b0: completeness: node 4 lacks block 1");
}

#define FAILED_FROM(steps) \
    SCHEDULE("'kind':'ring','nodes':6,'wavelengths':3,'failed':['cw:0','2'],'failed_from':" steps, \
             "'collective':'broadcast','root':0,'blocks':1,'steps':0")
#define GATHER(root, members)                                                                                          \
    SCHEDULE("'kind':'line','nodes':6,'wavelengths':3",                                                                \
             "'collective':'gather','root':" root ",'members':" members ",'blocks':3,'steps':0")

static void wrong_headers_are_refused(void)
{
    static const char *const bad[] = {
        FAILED_FROM("[1]"), FAILED_FROM("[1,2,3]"), FAILED_FROM("[1,-2]"), FAILED_FROM("[1,'2']"), FAILED_FROM("'1'"),
        FAILED_FROM("-1"), FAILED_FROM("[]"), FAILED_FROM("null"), GATHER("3", "[3,1,4]"), GATHER("3", "[1,3,3]"),
        GATHER("3", "[1,3,6]"), GATHER("3", "[3]"), GATHER("3", "[]"), GATHER("3", "7"), GATHER("2", "[1,3,4]"), "",
        "\x01\x02\xff"};
    rwa_check_report c;
    CU_ASSERT_EQUAL(judged_check(&c, &(struct judged){GATHER("3", "[1,3,4]"), {"{\"step\":2,\"src\":3,\"dst\""}}),
                    RWA_FORMAT);
    for (size_t i = 0; i < COUNT(bad); i++)
        CU_ASSERT_EQUAL(judged_check(&c, &(struct judged){.header = bad[i]}), RWA_FORMAT);
    OK(judged_check(&c, &(struct judged){.header = GATHER("3", "[1,3,4]")}));
    OK(judged_check(&c, &(struct judged){.header = FAILED_FROM("[1,2]")}));
}

TESTS("faults and members", faults_are_not_used, links_may_fail_one_after_the_other,
      a_channel_of_one_link_is_reserved, every_lightpath_of_an_orbit_is_judged, names_of_links,
      faults_that_cannot_be_are_refused, members_gather_among_themselves, members_reduce_and_exchange,
      a_root_is_a_member, wrong_headers_are_refused)
