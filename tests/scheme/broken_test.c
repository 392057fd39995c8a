/* SPDX-License-Identifier: GPL-3.0-or-later */
/** All-gather on rings that lost links in one direction: every plan passes the checker, and few have many steps too
 *  many. */
#include "base/base.h"

#include "tests/support/random.h"
#include "tests/support/suite.h"

/* One channel: a node behind a failed link takes in N - 1 blocks one by one, and passing all on at once is enough. */
static void one_channel(void)
{
    for (uint32_t n = 4; n < 30; n += 3) {
        CU_ASSERT_EQUAL(steps_on("ring:%u w=1 links=0 limit=0 by broken-wavefront", n), n - 1);
        CU_ASSERT_EQUAL(steps_on("ring:%u w=1 links=0,%u limit=0 by broken-wavefront", n, n / 2), n - 1);
        CU_ASSERT_EQUAL(steps_on("ring:%u w=1 links=0,%u,%u limit=0 by broken-wavefront", n, n / 2, n - 1), n - 1);
    }
}

/*
 * As many steps as a node behind a failed link needs to take all in, and what it takes at least, by experience, for the
 * last blocks to get round: far fewer than when all goes one way only.  Of 8 links all failed one way, every node is
 * one behind a failed link.
 */
static void far_fewer_than_one_way(void)
{
    static const struct known rings[] = {{"ring:64 w=8 links=5,30 limit=0", 62 / 8 + 1},
                                         {"ring:128 w=16 links=17,50 limit=0", 126 / 16 + 1},
                                         {"ring:100 w=3 links=101,107,150,160,161 limit=0", 98 / 3 + 1}};
    for (size_t i = 0; i < COUNT(rings); i++) {
        uint32_t steps = steps_on("%s by broken-wavefront", rings[i].line);
        CU_ASSERT(steps >= rings[i].steps && steps * 10 <= steps_on("%s by wavefront", rings[i].line) * 9);
        CU_ASSERT(steps_on("%s", rings[i].line) <= steps);
    }
    CU_ASSERT(steps_on("ring:8 w=2 links=0,1,2,3,4,5,6,7 limit=0 by broken-wavefront") < 7);
    CU_ASSERT(steps_on("ring:8 w=2 links=0,1,2,3,4,5,6,7 limit=0") < 7);
}

/* Reversed in time, and both: the way there takes links that failed the other way. */
static void reductions(void)
{
    static const char *const failed[] = {"2,9,10", "22,29,30"};
    for (size_t i = 0; i < 2; i++) {
        uint32_t steps = steps_on("ring:20 w=3 links=%s limit=0 by broken-wavefront", failed[i]);
        CU_ASSERT(steps_on("ring:20 w=3 links=%s limit=0 reduce-scatter by broken-wavefront", failed[i]) <= 2 * steps);
        CU_ASSERT(steps_on("ring:20 w=3 links=%s limit=0 all-reduce by broken-wavefront", failed[i]) <= 3 * steps);
    }
}

static void at_random(void)
{
    seed = 3;
    for (int i = 0; i < (thorough ? 300 : 100); i++) {
        uint32_t n = 3 + any(40), w = 1 + any(9);
        struct request r =
            request_of("ring:%u w=%u %s by broken-wavefront", n, w, i % 4 ? "all-gather" : "all-reduce");
        uint32_t ccw = any(2) * n;
        for (uint64_t k = 1 + any(8); k > 0; k--)
            r.links.at[r.links.count++] = ccw + any(n);
        r.options.max_hops = i % 3 ? 0 : 1 + any(6);
        plan_for(r);
    }
}

TESTS("broken", one_channel, far_fewer_than_one_way, reductions, at_random)
