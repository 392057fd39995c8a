/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Reductions: every contribution exactly once, and each way to miss that called by its name.  Plans of reductions are
 *  right elsewhere (tests/plan), and broken at random (property_test.c). */
#include "tests/support/judged.h"
#include "tests/support/request.h"

/* In step t every second node that is left adds its sum to that of the one before; only the root must have the sum. */
static const struct judged tree = {
    SCHEDULE("'kind':'ring','nodes':8,'wavelengths':2", "'collective':'reduce','root':0,'blocks':1,'steps':3"),
    {"1 1>0 ccw 0/0 b0 op=reduce", "1 3>2 ccw 0/0 b0 op=reduce", "1 5>4 ccw 0/0 b0 op=reduce",
     "1 7>6 ccw 0/0 b0 op=reduce", "2 2>0 ccw 0/0 b0 op=reduce", "2 6>4 ccw 0/0 b0 op=reduce",
     "3 4>0 ccw 0/0 b0 op=reduce"}};

static void what_the_root_misses_is_named(void)
{
    struct judged round = tree;
    judged_expect_ok(&tree);
    judged_expect(&tree,
                  "2: : completeness: at the end node 0 lacks the contribution of node 5 to block 0",
                  "7: 3 5>0 cw 0/0 b0 op=reduce: completeness: at the end node 0 counts the contribution of node 5 to "
                  "block 0 twice",
                  "7: 3 2>0 ccw 0/1 b0 op=reduce: completeness: counts contributions to block 0 more than once: 10 in "
                  "place of 8",
                  /* right in number, wrong in kind: a count alone would not see it */
                  "3: 1 4>6 cw 0/0 b0 op=reduce: completeness: at the end node 0 counts the contribution of node 4 to "
                  "block 0 twice and lacks that of node 7",
                  /* a copy where a reduction belongs wipes out what the receiver had added */
                  "0: 1 1>0 ccw 0/0 b0: completeness: at the end node 0 lacks the contribution of node 0 to block 0",
                  "6: 3 4>0 ccw 0/0 b0: completeness: at the end node 0 lacks contributions to block 0: it counts 4 of "
                  "8",
                  /* node 2 sends in step 1 what reaches it in step 1: it can only send what it had before */
                  "4: 1 2>0 ccw 0/1 b0 op=reduce: completeness: at the end node 0 lacks the contribution of node 3 to "
                  "block 0");
    round.lines[2] = "1 5>6 cw 0/0 b0 op=reduce"; /* another way to the root */
    judged_expect_ok(&round);
}

/* In to node 1, and out again by copies. */
static const struct judged all = {
    SCHEDULE("'kind':'line','nodes':3,'wavelengths':2", "'collective':'all-reduce','blocks':1,'steps':2"),
    {"1 0>1 cw 0/0 b0 op=reduce", "1 2>1 ccw 0/0 b0 op=reduce", "2 1>0 ccw 0/0 b0", "2 1>2 cw 0/0 b0"}};

static void every_node_that_lacks_a_part_is_counted(void)
{
    struct judged lost = all;
    rwa_check_report c;
    judged_expect_ok(&all);
    lost.lines[0] = ""; /* and every node copies the mistake */
    OK(judged_check(&c, &lost));
    CU_ASSERT(c.violations == 3 && c.by_kind[RWA_VIOLATION_COMPLETENESS] == 3);
    judged_expect(&all,
                  "0: : completeness: at the end node 2 lacks the contribution of node 0 to block 0",
                  "3: : completeness: at the end node 2 lacks contributions to block 0: it counts 1 of 3",
                  "3: 2 1>2 cw 0/0 b0 op=reduce: completeness: at the end node 2 counts the contribution of node 2 to "
                  "block 0 twice",
                  "0: 1 0>1 cw 0/0 b0: completeness: step 1: node 1 receives block 0 as a copy and a reduction",
                  "1: 1 2>1 ccw 0/0 b0: completeness: step 1: node 1 receives block 0 as a copy and a reduction",
                  "4: 2 0>2 cw 0/1 b0 op=reduce: completeness: step 2: node 2 receives block 0 as a copy and a "
                  "reduction",
                  "4: 2 0>2 cw 0/1 b0: completeness: step 2: node 2 receives block 0 as two copies");
}

/*
 * Two nodes adding their sums to each other 62 times count each contribution 2^61 times, which is 1 modulo 2^61 - 1:
 * the sum of the weights is right, and only the count, which does not wrap, gives it away.  A gather adds nothing up:
 * it does not take such a lightpath in the first place.
 */
static void doubling_does_not_wrap(void)
{
    static const char *const kinds[] = {"all-reduce blocks=1", "all-gather"};
    rwa_schedule *made[2];
    for (size_t i = 0; i < COUNT(made); i++) {
        struct request r = request_of("ring:2 bytes=64 %s", kinds[i]);
        const rwa_network *net = request_network(r);
        rwa_collective coll = request_collective(&r, net);
        OK(rwa_schedule_create(&made[i], net, &coll, "by hand", NULL));
        keep_schedule(made[i]);
    }
    for (uint32_t step = 1; step <= 130; step++) {
        rwa_check_report c;
        for (uint32_t v = 0; v < 2; v++) {
            rwa_lightpath lp = {.step = step, .src = v, .dst = 1 - v, .orbit = 1, .op = RWA_REDUCE};
            OK(rwa_schedule_add(made[0], &lp, NULL));
            CU_ASSERT_EQUAL(rwa_schedule_add(made[1], &lp, NULL), RWA_BADARG);
        }
        OK(report_schedule(&c, made[0], NULL, NULL));
        CU_ASSERT_EQUAL(c.ok, step == 1);
    }
}

TESTS("reductions", what_the_root_misses_is_named, every_node_that_lacks_a_part_is_counted, doubling_does_not_wrap)
