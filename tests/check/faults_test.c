/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Reserved channels, failed links, and collectives in which only some nodes take part. */
#include "tests/support/report.h"
#include "tests/support/judged.h"
#include "tests/support/suite.h"

#include "base/base.h"

/* ---- faults ---- */

#define LINE(src, dst, dir, wavelength)                                                                            \
    "{\"step\":1,\"src\":" src ",\"dst\":" dst ",\"dir\":\"" dir "\",\"fiber\":0,\"wavelength\":" wavelength ",\"block\":0}"

/* Wavelength 1 is reserved; link 1 failed both ways, link 4 (node 4 to 5) clockwise, link 5 (node 5 to 0) counter-clockwise. */
static const struct judged ring = {
    .header = "{\"format\":\"rwa-schedule\",\"version\":1,\"network\":{\"kind\":\"ring\",\"nodes\":6,\"wavelengths\":3,"
              "\"reserved\":[1],\"failed\":[\"1\",\"cw:4\",\"ccw:5\"]},\"collective\":\"broadcast\",\"root\":0,\"blocks\":1,"
              "\"block_bytes\":8,\"scheme\":\"by hand\",\"steps\":2}",
    .lines = {LINE("0", "1", "cw", "0"), LINE("5", "3", "ccw", "0"),
              "{\"step\":2,\"src\":0,\"dst\":1,\"dir\":\"cw\",\"fiber\":0,\"wavelength\":2,\"block\":0}"},
    .count = 3,
};

static void expect_fault(const char *line, const char *says)
{
    judged_expect(&ring, 0, line, RWA_VIOLATION_CHANNEL, says);
}

static void faults_are_not_used(void)
{
    rwa_check_report c;
    CU_ASSERT_EQUAL_FATAL(judged_check(&c, &ring), RWA_OK);
    CU_ASSERT_EQUAL(c.by_kind[RWA_VIOLATION_CHANNEL], 0); /* 5 to 3 runs over links 4 and 3, counter-clockwise */
    expect_fault(LINE("0", "1", "cw", "1"), "fiber 0, wavelength 1, which is reserved");
    expect_fault(LINE("0", "2", "cw", "0"), "uses link 1 cw, which failed");
    expect_fault(LINE("2", "1", "ccw", "0"), "uses link 1 ccw, which failed");
    expect_fault(LINE("3", "5", "cw", "0"), "uses link 4 cw, which failed");
    expect_fault(LINE("0", "5", "ccw", "2"), "uses link 5 ccw, which failed");
    /* behind the wrap: 5, 0, then link 0 and the failed link 1 */
    expect_fault(LINE("5", "2", "cw", "0"), "uses link 1 cw, which failed");
    expect_fault(LINE("3", "0", "cw", "0"), "uses link 4 cw, which failed");
}

/* A link that failed from step 2 on was whole in step 1. */
static void links_may_fail_later(void)
{
    struct judged later = ring;
    later.header = "{\"format\":\"rwa-schedule\",\"version\":1,\"network\":{\"kind\":\"ring\",\"nodes\":6,\"wavelengths\":3,"
                   "\"failed\":[\"0\"],\"failed_from\":2},\"collective\":\"broadcast\",\"root\":0,\"blocks\":1,"
                   "\"block_bytes\":8,\"scheme\":\"by hand\",\"steps\":2}";
    later.lines[0] = LINE("0", "3", "cw", "0");
    later.lines[1] = LINE("0", "1", "cw", "1");
    rwa_check_report c;
    CU_ASSERT_EQUAL_FATAL(judged_check(&c, &later), RWA_OK);
    CU_ASSERT_EQUAL(c.by_kind[RWA_VIOLATION_CHANNEL], 1);
    CU_ASSERT_EQUAL(c.first[0].step, 2);
}

/* Link 0 clockwise failed before the first step, link 2 both ways from step 2 on, link 4 clockwise from step 3 on. */
static void links_may_fail_one_after_the_other(void)
{
    struct judged later = ring;
    rwa_check_report c;
    later.header = "{\"format\":\"rwa-schedule\",\"version\":1,\"network\":{\"kind\":\"ring\",\"nodes\":6,\"wavelengths\":3,"
                   "\"failed\":[\"cw:0\",\"2\",\"cw:4\"],\"failed_from\":[0,2,3]},\"collective\":\"broadcast\",\"root\":0,"
                   "\"blocks\":1,\"block_bytes\":8,\"scheme\":\"by hand\",\"steps\":2}";
    later.lines[0] = LINE("2", "5", "cw", "0");
    later.lines[1] = LINE("3", "1", "ccw", "0");
    later.lines[2] = "{\"step\":2,\"src\":4,\"dst\":5,\"dir\":\"cw\",\"fiber\":0,\"wavelength\":2,\"block\":0}";
    CU_ASSERT_EQUAL_FATAL(judged_check(&c, &later), RWA_OK);
    CU_ASSERT_EQUAL(c.by_kind[RWA_VIOLATION_CHANNEL], 0);
    judged_expect(&later, 0, LINE("0", "1", "cw", "0"), RWA_VIOLATION_CHANNEL, "step 1: lightpath 0 to 1 uses link 0 cw, which failed");
    judged_expect(&later, 0, LINE("5", "3", "cw", "0"), RWA_VIOLATION_CHANNEL, "uses link 0 cw, which failed");
    judged_expect(&later, 2, "{\"step\":2,\"src\":3,\"dst\":2,\"dir\":\"ccw\",\"fiber\":0,\"wavelength\":2,\"block\":0}",
                  RWA_VIOLATION_CHANNEL, "uses link 2 ccw, which failed");
    struct judged graph = {
        .header = "{\"format\":\"rwa-schedule\",\"version\":1,\"network\":{\"kind\":\"graph\",\"nodes\":3,\"wavelengths\":2,"
                  "\"links\":[[0,1],[1,0],[1,2],[2,1]],\"failed\":[\"3\",\"0\"],\"failed_from\":[0,2]},\"collective\":\"broadcast\","
                  "\"root\":0,\"blocks\":1,\"block_bytes\":8,\"scheme\":\"by hand\",\"steps\":1}",
        .lines = {"{\"step\":1,\"src\":0,\"dst\":2,\"path\":[0,1,2],\"fiber\":0,\"wavelength\":0,\"block\":0}",
                  "{\"step\":1,\"src\":0,\"dst\":1,\"path\":[0,1],\"fiber\":0,\"wavelength\":1,\"block\":0}"},
        .count = 2,
    };
    judged_expect_ok(&graph);
    judged_expect(&graph, 1, "{\"step\":1,\"src\":2,\"dst\":1,\"path\":[2,1],\"fiber\":0,\"wavelength\":1,\"block\":0}",
                  RWA_VIOLATION_CHANNEL, "uses link 3, which failed");
    judged_expect(&graph, 1, "{\"step\":2,\"src\":0,\"dst\":1,\"path\":[0,1],\"fiber\":0,\"wavelength\":1,\"block\":0}",
                  RWA_VIOLATION_CHANNEL, "uses link 0, which failed");
}

static void wrong_steps_of_failures_are_refused(void)
{
    static const char *const bad[] = {"[1]", "[1,2,3]", "[1,-2]", "[1,\"2\"]", "\"1\"", "-1", "[]", "null"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct judged file = ring;
        char header[512];
        rwa_check_report c;
        snprintf(header, sizeof header,
                 "{\"format\":\"rwa-schedule\",\"version\":1,\"network\":{\"kind\":\"ring\",\"nodes\":6,\"wavelengths\":3,"
                 "\"failed\":[\"cw:0\",\"2\"],\"failed_from\":%s},\"collective\":\"broadcast\",\"root\":0,\"blocks\":1,"
                 "\"block_bytes\":8,\"scheme\":\"by hand\",\"steps\":2}", bad[i]);
        file.header = header;
        CU_ASSERT_EQUAL(judged_check(&c, &file), RWA_FORMAT);
    }
}

/** By looking at every link of the arc. */
static bool crosses(const rwa_network *net, const rwa_lightpath *lp)
{
    uint32_t n = rwa_network_pairs(net), nodes = rwa_network_nodes(net);
    uint32_t hops = rwa_network_hops(net, lp->src, lp->dst, lp->direction);
    for (uint32_t h = 0; h < hops; h++) {
        uint32_t link = lp->direction == RWA_CW ? (lp->src + h) % nodes : (lp->dst + h) % nodes;
        if (rwa_network_is_failed(net, lp->direction == RWA_CW ? link : n + link))
            return true;
    }
    return false;
}

static void random_arcs_agree_with_walking(void)
{
    uint64_t seed = 11;
    for (int round = 0; round < 300; round++) {
        rwa_network *plain = NULL, *net = NULL;
        rwa_collective coll;
        rwa_schedule *sched = NULL;
        rwa_check_report c;
        uint32_t nodes = 2 + (uint32_t)base_random_below(&seed, 9), failed[4];
        uint64_t expected = 0;
        CU_ASSERT_EQUAL_FATAL(rwa_network_create(&plain, round % 2 ? RWA_LINE : RWA_RING, nodes, NULL, NULL), RWA_OK);
        for (int i = 0; i < 4; i++)
            failed[i] = (uint32_t)base_random_below(&seed, rwa_network_links(plain));
        rwa_faults faults = {.links = failed, .link_count = base_random_below(&seed, 5)};
        CU_ASSERT_EQUAL_FATAL(rwa_network_with_faults(&net, plain, &faults, NULL), RWA_OK);
        CU_ASSERT_EQUAL_FATAL(rwa_collective_init(&coll, RWA_ALL_REDUCE, nodes, 0, 8, 0, NULL), RWA_OK);
        CU_ASSERT_EQUAL_FATAL(rwa_schedule_create(&sched, net, &coll, NULL, NULL), RWA_OK);
        for (uint32_t i = 0; i < 20; i++) {
            rwa_lightpath lp = {.step = 1, .src = (uint32_t)base_random_below(&seed, nodes), .wavelength = i, .orbit = 1,
                                .dst = (uint32_t)base_random_below(&seed, nodes),
                                .direction = base_random(&seed) & 1 ? RWA_CCW : RWA_CW};
            if (rwa_schedule_add(sched, &lp, NULL) == RWA_OK)
                expected += crosses(net, &lp);
        }
        CU_ASSERT_EQUAL_FATAL(report_schedule(&c, sched, NULL, NULL), RWA_OK);
        CU_ASSERT_EQUAL(c.by_kind[RWA_VIOLATION_CHANNEL], expected);
        rwa_schedule_free(sched);
        rwa_network_free(plain);
        rwa_network_free(net);
    }
}

/* On listed links "2" is directed link 2 alone. */
static void listed_links_fail_too(void)
{
    struct judged graph = {
        .header = "{\"format\":\"rwa-schedule\",\"version\":1,\"network\":{\"kind\":\"graph\",\"nodes\":3,\"wavelengths\":2,"
                  "\"links\":[[0,1],[1,0],[1,2],[2,1]],\"failed\":[\"3\"]},\"collective\":\"broadcast\",\"root\":0,"
                  "\"blocks\":1,\"block_bytes\":8,\"scheme\":\"by hand\",\"steps\":2}",
        .lines = {"{\"step\":1,\"src\":0,\"dst\":2,\"path\":[0,1,2],\"fiber\":0,\"wavelength\":0,\"block\":0}",
                  "{\"step\":2,\"src\":0,\"dst\":1,\"path\":[0,1],\"fiber\":0,\"wavelength\":0,\"block\":0}"},
        .count = 2,
    };
    judged_expect_ok(&graph);
    judged_expect(&graph, 1, "{\"step\":2,\"src\":2,\"dst\":1,\"path\":[2,1],\"fiber\":0,\"wavelength\":0,\"block\":0}",
                  RWA_VIOLATION_CHANNEL, "uses link 3, which failed");
}

/* A channel of one link: of the square's three ways to node 2, only the one over link 2 on wavelength 1 is closed. */
static void a_channel_of_one_link_is_reserved(void)
{
    struct judged graph = {
        .header = "{\"format\":\"rwa-schedule\",\"version\":1,\"network\":{\"kind\":\"graph\",\"nodes\":3,\"wavelengths\":2,"
                  "\"links\":[[0,1],[1,0],[1,2],[2,1]],\"reserved\":[[2,0,1]]},\"collective\":\"broadcast\",\"root\":0,"
                  "\"blocks\":1,\"block_bytes\":8,\"scheme\":\"by hand\",\"steps\":2}",
        .lines = {"{\"step\":1,\"src\":0,\"dst\":2,\"path\":[0,1,2],\"fiber\":0,\"wavelength\":0,\"block\":0}",
                  "{\"step\":2,\"src\":0,\"dst\":1,\"path\":[0,1],\"fiber\":0,\"wavelength\":1,\"block\":0}"},
        .count = 2,
    };
    judged_expect_ok(&graph);
    judged_expect(&graph, 0, "{\"step\":1,\"src\":0,\"dst\":2,\"path\":[0,1,2],\"fiber\":0,\"wavelength\":1,\"block\":0}",
                  RWA_VIOLATION_CHANNEL, "fiber 0, wavelength 1 of link 2, which is reserved");
}

/* Orbits carry faults along: one of the four lightpaths of a neighbour shift meets the failed link. */
static void every_lightpath_of_an_orbit_is_judged(void)
{
    struct judged shift = {
        .header = "{\"format\":\"rwa-schedule\",\"version\":1,\"network\":{\"kind\":\"ring\",\"nodes\":4,\"wavelengths\":2,"
                  "\"failed\":[\"cw:2\"],\"reserved\":[1]},\"collective\":\"all-gather\",\"blocks\":4,\"block_bytes\":8,"
                  "\"scheme\":\"shift\",\"steps\":1}",
        .lines = {"{\"step\":1,\"src\":0,\"dst\":1,\"dir\":\"cw\",\"fiber\":0,\"wavelength\":0,\"block\":0,\"orbit\":4,"
                  "\"period\":2}"},
        .count = 1,
    };
    rwa_check_report c;
    CU_ASSERT_EQUAL_FATAL(judged_check(&c, &shift), RWA_OK);
    CU_ASSERT_EQUAL(c.by_kind[RWA_VIOLATION_CHANNEL], 1 + 2); /* the link once, every second one on wavelength 1 */
}

static void names_of_links(void)
{
    rwa_network *net = NULL, *torus = NULL;
    uint32_t links[2];
    CU_ASSERT_EQUAL_FATAL(rwa_network_parse(&net, "ring:8", NULL, NULL), RWA_OK);
    CU_ASSERT_EQUAL_FATAL(rwa_network_parse(&torus, "torus:3x3", NULL, NULL), RWA_OK);
    CU_ASSERT(rwa_network_find_links(links, net, "cw:7") == 1 && links[0] == 7);
    CU_ASSERT(rwa_network_find_links(links, net, "ccw:7") == 1 && links[0] == 15);
    CU_ASSERT(rwa_network_find_links(links, net, "0") == 2 && links[0] == 0 && links[1] == 8);
    CU_ASSERT(rwa_network_find_links(links, torus, "35") == 1 && links[0] == 35);
    /* by its nodes, the same on every network: "A-B" is the pair, "A>B" one direction */
    CU_ASSERT(rwa_network_find_links(links, net, "7-0") == 2 && links[0] == 7 && links[1] == 15);
    CU_ASSERT(rwa_network_find_links(links, net, "0-7") == 2 && links[0] == 15 && links[1] == 7);
    CU_ASSERT(rwa_network_find_links(links, net, "3>2") == 1 && links[0] == 8 + 2);
    CU_ASSERT(rwa_network_find_links(links, torus, "0-1") == 2 && links[0] == rwa_network_find_link(torus, 0, 1) &&
              links[1] == rwa_network_find_link(torus, 1, 0));
    CU_ASSERT(rwa_network_find_links(links, torus, "4>1") == 1 && links[0] == rwa_network_find_link(torus, 4, 1));
    static const char *const bad[] = {"", "cw:", "8", "cw:8", "-1", "1 ", "0x1", "up:1", "99999999999999999999",
                                      "2-4", "0-8", "1-", "-", ">1", "1>1"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        CU_ASSERT_EQUAL(rwa_network_find_links(links, net, bad[i]), 0);
    CU_ASSERT_EQUAL(rwa_network_find_links(links, torus, "36"), 0);
    CU_ASSERT_EQUAL(rwa_network_find_links(links, torus, "cw:3"), 0);
    rwa_network_free(net);
    rwa_network_free(torus);
}

static void faults_that_cannot_be_are_refused(void)
{
    rwa_network *ring8 = NULL, *star = NULL, *faulty = NULL;
    uint32_t big = 64, link = 16;
    CU_ASSERT_EQUAL_FATAL(rwa_network_parse(&ring8, "ring:8", NULL, NULL), RWA_OK);
    CU_ASSERT_EQUAL_FATAL(rwa_network_parse(&star, "star:8", NULL, NULL), RWA_OK);
    CU_ASSERT_EQUAL(rwa_network_with_faults(&faulty, ring8, &(rwa_faults){.channels = &big, .channel_count = 1}, NULL),
                    RWA_BADARG);
    CU_ASSERT_EQUAL(rwa_network_with_faults(&faulty, ring8, &(rwa_faults){.links = &link, .link_count = 1}, NULL), RWA_BADARG);
    CU_ASSERT_EQUAL(rwa_network_with_faults(&faulty, star, &(rwa_faults){.links = &link, .link_count = 1}, NULL), RWA_BADARG);
    CU_ASSERT_PTR_NULL(faulty);
    rwa_network_free(ring8);
    rwa_network_free(star);
}

/* ---- members ---- */

/* Nodes 1, 3 and 4 of a line of 6; block b belongs to members[b]. */
#define MEMBERS(collective, blocks)                                                                              \
    "{\"format\":\"rwa-schedule\",\"version\":1,\"network\":{\"kind\":\"line\",\"nodes\":6,\"wavelengths\":3},"   \
    "\"collective\":\"" collective "\",\"members\":[1,3,4],\"blocks\":" blocks ",\"block_bytes\":8,"              \
    "\"scheme\":\"by hand\",\"steps\":1}"
#define SEND(src, dst, dir, wavelength, block, more)                                                                   \
    "{\"step\":1,\"src\":" src ",\"dst\":" dst ",\"dir\":\"" dir "\",\"fiber\":0,\"wavelength\":" wavelength ",\"block\":" \
    block more "}"

static const struct judged gather = {
    .header = MEMBERS("all-gather", "3"),
    .lines = {SEND("1", "3", "cw", "0", "0", ""), SEND("1", "4", "cw", "1", "0", ""), SEND("3", "1", "ccw", "0", "1", ""),
              SEND("3", "4", "cw", "0", "1", ""), SEND("4", "1", "ccw", "1", "2", ""), SEND("4", "3", "ccw", "2", "2", "")},
    .count = 6,
};

static void members_gather_among_themselves(void)
{
    judged_expect_ok(&gather);
    judged_expect(&gather, 4, SEND("4", "3", "ccw", "1", "2", ""), RWA_VIOLATION_COMPLETENESS, "node 1 lacks block 2");
    judged_expect(&gather, 0, SEND("1", "3", "cw", "0", "1", ""), RWA_VIOLATION_CAUSALITY, "node 1 sends block 1");
    judged_expect(&gather, 0, SEND("1", "2", "cw", "0", "0", ""), RWA_VIOLATION_RANGE, "node 2 takes no part");
    judged_expect(&gather, 0, SEND("5", "1", "ccw", "2", "0", ""), RWA_VIOLATION_RANGE, "node 5 takes no part");
    judged_expect(&gather, 0, SEND("1", "3", "cw", "0", "3", ""), RWA_VIOLATION_RANGE, "block 3, expected below 3");
    judged_expect(&gather, 0, SEND("1", "3", "cw", "0", "0", ",\"orbit\":2"), RWA_VIOLATION_ORBIT, "orbit 2");
}

static void members_reduce_and_exchange(void)
{
    struct judged reduce = gather;
    reduce.header = MEMBERS("all-reduce", "1");
    reduce.lines[0] = SEND("1", "3", "cw", "0", "0", ",\"op\":\"reduce\"");
    reduce.lines[1] = SEND("1", "4", "cw", "1", "0", ",\"op\":\"reduce\"");
    reduce.lines[2] = SEND("3", "1", "ccw", "0", "0", ",\"op\":\"reduce\"");
    reduce.lines[3] = SEND("3", "4", "cw", "0", "0", ",\"op\":\"reduce\"");
    reduce.lines[4] = SEND("4", "1", "ccw", "1", "0", ",\"op\":\"reduce\"");
    reduce.lines[5] = SEND("4", "3", "ccw", "2", "0", ",\"op\":\"reduce\"");
    judged_expect_ok(&reduce);
    judged_expect(&reduce, 5, SEND("1", "3", "cw", "2", "0", ",\"op\":\"reduce\""), RWA_VIOLATION_COMPLETENESS,
                  "node 3 counts the contribution of node 1 to block 0 twice and lacks that of node 4");
    /* block src * 3 + dst, both counted among the members */
    struct judged exchange = gather;
    exchange.header = MEMBERS("all-to-all", "9");
    exchange.lines[0] = SEND("1", "3", "cw", "0", "1", "");
    exchange.lines[1] = SEND("1", "4", "cw", "1", "2", "");
    exchange.lines[2] = SEND("3", "1", "ccw", "0", "3", "");
    exchange.lines[3] = SEND("3", "4", "cw", "0", "5", "");
    exchange.lines[4] = SEND("4", "1", "ccw", "1", "6", "");
    exchange.lines[5] = SEND("4", "3", "ccw", "2", "7", "");
    judged_expect_ok(&exchange);
    judged_expect(&exchange, 5, SEND("4", "3", "ccw", "2", "6", ""), RWA_VIOLATION_COMPLETENESS, "node 3 lacks block 7");
}

/* The root is written as a node, and counted among the members. */
static void a_root_is_a_member(void)
{
    struct judged cast = {
        .header = "{\"format\":\"rwa-schedule\",\"version\":1,\"network\":{\"kind\":\"line\",\"nodes\":6,\"wavelengths\":3},"
                  "\"collective\":\"gather\",\"root\":4,\"members\":[1,3,4],\"blocks\":3,\"block_bytes\":8,"
                  "\"scheme\":\"by hand\",\"steps\":1}",
        .lines = {SEND("1", "4", "cw", "0", "0", ""), SEND("3", "4", "cw", "1", "1", "")},
        .count = 2,
    };
    judged_expect_ok(&cast);
    judged_expect(&cast, 1, SEND("3", "4", "cw", "1", "0", ""), RWA_VIOLATION_COMPLETENESS, "node 4 lacks block 1");
}

static void refuse_header(const char *members, const char *root)
{
    struct judged file = {.count = 0};
    char header[512];
    rwa_check_report c;
    snprintf(header, sizeof header,
             "{\"format\":\"rwa-schedule\",\"version\":1,\"network\":{\"kind\":\"line\",\"nodes\":6,\"wavelengths\":3},"
             "\"collective\":\"gather\",\"root\":%s,\"members\":%s,\"blocks\":3,\"block_bytes\":8,\"scheme\":\"x\","
             "\"steps\":0}", root, members);
    file.header = header;
    CU_ASSERT_EQUAL(judged_check(&c, &file), RWA_FORMAT);
}

static void wrong_members_are_refused(void)
{
    refuse_header("[3,1,4]", "3");
    refuse_header("[1,3,3]", "3");
    refuse_header("[1,3,6]", "3");
    refuse_header("[3]", "3");
    refuse_header("[]", "3");
    refuse_header("7", "3");
    refuse_header("[1,3,4]", "2");
}

int main(void)
{
    static const struct test tests[] = {
        TEST(faults_are_not_used), TEST(links_may_fail_later), TEST(links_may_fail_one_after_the_other),
        TEST(wrong_steps_of_failures_are_refused), TEST(random_arcs_agree_with_walking),
        TEST(listed_links_fail_too), TEST(a_channel_of_one_link_is_reserved),
        TEST(every_lightpath_of_an_orbit_is_judged), TEST(names_of_links), TEST(faults_that_cannot_be_are_refused),
        TEST(members_gather_among_themselves), TEST(members_reduce_and_exchange), TEST(a_root_is_a_member),
        TEST(wrong_members_are_refused), {0}};
    return run_tests("faults and members", tests);
}
