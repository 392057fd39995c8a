/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The judge must be able to say no: one right schedule, broken in as many ways as there are rules. */
#include "tests/support/judged.h"
#include "tests/support/suite.h"

/* ring of 4, 2 wavelengths; step 1: everyone to the right and to the left; step 2: everyone passes on what came from
 * the left */
static const struct judged right = {
    SCHEDULE("'kind':'ring','nodes':4,'fibers':1,'wavelengths':2", "'collective':'all-gather','blocks':4,'steps':2"),
    {"1 0>1 cw 0/0 b0", "1 1>2 cw 0/0 b1", "1 2>3 cw 0/0 b2", "1 3>0 cw 0/0 b3", "1 0>3 ccw 0/0 b0", "1 1>0 ccw 0/0 b1",
     "1 2>1 ccw 0/0 b2", "1 3>2 ccw 0/0 b3", "2 0>1 cw 0/0 b3", "2 1>2 cw 0/0 b0", "2 2>3 cw 0/0 b1",
     "2 3>0 cw 0/0 b2"},
    12};

static void a_right_schedule_passes(void)
{
    rwa_check_report c;
    OK(judged_check(&c, &right));
    CU_ASSERT(c.ok && c.lightpaths == 12 && c.steps == 2 && c.longest_hops == 1);
}

static void each_corruption_is_named_for_what_it_is(void)
{
    judged_expect(&right,
                  "3: 1 0>1 cw 0/0 b0: channel: ", /* the same channel twice: a second lightpath over link 0 */
                  "3: 1 3>1 cw 0/0 b3: channel: ", /* over node 0, and meets 0 -> 1 behind the wrap */
                  "0: 1 0>1 ccw 0/0 b0: channel: ", /* the long way round, over the channels of others */
                  "0: 1 0>1 cw 0/2 b0: range: ",
                  "0: 1 0>1 cw 1/0 b0: range: ",
                  "0: 1 0>4 cw 0/0 b0: range: ",
                  "0: 1 0>1 cw 0/0 b9: range: ",
                  "8: 2 0>1 cw 0/0 b2: causality: ", /* node 0 never had block 2 before step 2 */
                  "7: 1 1>2 cw 0/1 b0: causality: ", /* sent in the very step it arrives */
                  "8: 2 0>1 cw 0/0 b0: completeness: ", /* one block less: node 1 lacks block 3 */
                  "11: 1 3>0 cw 0/0 b2: order: ",
                  "11: 3 3>0 cw 0/0 b2: header: ",
                  "0: 1 0>1 cw 0/0 b0 orbit=5: orbit: ",
                  "0: 1 0>1 cw 0/0 b0 orbit=2 period=3: orbit: ",
                  "0: 1 0>0 cw 0/0 b0: continuity: ",
                  "0: 0 0>1 cw 0/0 b0: range: ",
                  "0: 1 0>1 cw 0/0 b0 op=reduce: range: "); /* nothing is added up in an all-gather */
}

static void a_file_that_is_no_schedule_is_a_format_error(void)
{
    static const char *const headers[] = {"", "\x01\x02\xff"};
    struct judged cut = right;
    rwa_check_report c;
    cut.lines[11] = "{\"step\":2,\"src\":3,\"dst\"";
    CU_ASSERT_EQUAL(judged_check(&c, &cut), RWA_FORMAT);
    for (size_t i = 0; i < 2; i++)
        CU_ASSERT_EQUAL(judged_check(&c, &(struct judged){.header = headers[i]}), RWA_FORMAT);
}

TESTS("check", a_right_schedule_passes, each_corruption_is_named_for_what_it_is,
      a_file_that_is_no_schedule_is_a_format_error)
