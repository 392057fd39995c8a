/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plans in which several nodes read a lightpath: they pass the checker, and take as few steps as the bound with
   taps. */
#include "base/base.h"

#include "tests/support/random.h"
#include "tests/support/suite.h"

/** An optimal plan with taps, in fewer steps than without any: `fewer`.  limit=0: what is found may not depend on the
 *  machine's speed. */
static void expect_taps(const char *line, uint32_t drops, const char *scheme, bool fewer)
{
    rwa_plan *plan = plan_on("%s drops=%u bytes=65536 limit=0 by %s", line, drops, scheme);
    const rwa_plan_report *s = rwa_plan_summary(plan);
    uint32_t without = steps_on("%s bytes=65536 limit=0 by %s", line, scheme);
    CU_ASSERT(s->outcome == RWA_OPTIMAL && rwa_schedule_receivers(rwa_plan_schedule(plan)) == s->receivers);
    CU_ASSERT(fewer ? s->receivers > 1 && s->steps < without : s->steps <= without);
}

/* The bound is another module's, and says nothing of how plans are made. */
static void the_bound_is_met(void)
{
    static const struct { const char *line; uint32_t drops;
    } rings[] = {{"ring:1024 w=64", 2}, {"ring:1024 w=64", 5}, {"ring:512 w=64", 2},  {"ring:1024 w=16", 5},
                 {"ring:64 w=8", 3},    {"ring:64 w=8", 5},    {"ring:16 w=2", 2},    {"ring:100 w=8", 5},
                 {"ring:97 w=7", 4},    {"ring:33 w=3", 2},    {"ring:4096 w=64", 8}, {"ring:16 w=4", 4},
                 {"ring:193 w=8", 3},   {"ring:53 w=16", 3},   {"ring:102 w=16", 5},  {"ring:81 w=8", 4},
                 {"ring:25 w=8", 5}};
    for (size_t i = 0; i < COUNT(rings); i++)
        expect_taps(rings[i].line, rings[i].drops, "wavefront", true);
}

/** No more steps than without taps, and never more readers than allowed; where blocks are added up nothing is
 *  tapped. */
static void no_more_steps_with_taps(struct request r)
{
    if (r.kind == RWA_REDUCE_SCATTER) {
        expect_part(refusal_for(r), "BADARG");
        return;
    }
    rwa_plan *with = plan_if_any(r);
    r.options.max_drops = 1;
    rwa_plan *without = plan_if_any(r);
    CU_ASSERT_EQUAL_FATAL(!with, !without);
    CU_ASSERT(!with || rwa_plan_summary(with)->steps <= rwa_plan_summary(without)->steps);
}

/* Rings, and lines by themselves and as what is left of rings: with hop limits, few ports, members, stripes and
   reserved channels. */
static void at_random(void)
{
    static const char *const kinds[] = {"all-gather", "all-reduce", "reduce-scatter"};
    seed = 3;
    for (unsigned i = 0; i < 210; i++) {
        bool line = i % 7 > 4, cut = i % 4 == 1;
        uint32_t n = line ? 4 + any(14) : 6 + any(30);
        uint32_t w = 2 + any(5), drops = 2 + any(4);
        struct request r =
            request_of("%s:%u w=%u drops=%u bytes=65536 limit=0 %s by %s", line && !cut ? "line" : "ring", n, w, drops,
                       kinds[i % 3], line ? "line-wavefront" : "wavefront");
        r.options.max_hops = any(2) ? 0 : 3 + any(5);
        r.network.ports = line && i % 5 == 4 ? 1 + any(2 * w) : 0;
        r.options.stripes = !line && i % 8 == 4 ? 2 : 0;
        if (cut)
            r.links = (struct numbers){{2}, 1};
        if (i % 4 == 2)
            r.reserved = (struct numbers){{1}, 1};
        for (uint32_t v = 0; v < n && i % 4 == 3; v++)
            if (v % 3 != 1)
                r.members.at[r.members.count++] = v;
        no_more_steps_with_taps(r);
    }
}

/* Auto takes what is quickest, which here is the tapped wavefront; a scheme that taps nothing is not asked to in
   vain. */
static void auto_lets_it_win(void)
{
    const rwa_plan_report *s = report_on("ring:64 w=8 drops=5 bytes=65536 limit=0");
    CU_ASSERT(s->outcome == RWA_OPTIMAL && s->receivers > 1);
    expect_part(refusal_on("ring:64 w=8 drops=5 bytes=65536 by ring"), "BADARG");
}

/* One who reads on the way and one at the end: the reduction reversed has both to feed one lightpath, so it is not
   tapped. */
static void an_all_reduce_taps_its_second_half(void)
{
    const rwa_schedule *sched = schedule_on("ring:64 w=8 drops=5 limit=0 all-reduce by wavefront");
    bool right = true;
    CU_ASSERT_EQUAL(rwa_schedule_steps(sched), steps_on("ring:64 w=8 drops=5 limit=0 by wavefront") +
                                               steps_on("ring:64 w=8 limit=0 reduce-scatter by wavefront"));
    for (uint64_t i = 0; i < rwa_schedule_records(sched); i++)
        right = right && (lightpath_of(sched, i).op == RWA_COPY || lists_of(sched, i).tap_count == 0);
    CU_ASSERT(right);
}

/* Light that is shared is looked at; where it does not suffice fewer share it, at last none, as if nothing had been
   allowed. */
static void no_more_read_than_the_light_allows(void)
{
    const rwa_plan_report *s = report_on("ring:64 w=8 drops=5 device=onoc-typical bytes=65536 limit=0 by wavefront");
    const rwa_plan_report *alone = report_on("ring:128 w=16 device=aggressive bytes=65536 limit=0 by wavefront");
    const rwa_plan_report *many =
        report_on("ring:128 w=16 drops=64 device=aggressive bytes=65536 limit=0 by wavefront");
    CU_ASSERT(s->outcome == RWA_OPTIMAL && s->receivers > 1 && s->check->power.verdict == RWA_PASS &&
              s->check->power_checked);
    CU_ASSERT(alone->check->power.verdict == RWA_PASS && many->check->power.verdict == RWA_PASS);
    CU_ASSERT(many->steps <= alone->steps && many->receivers < 64 && many->bound.value <= alone->bound.value);
}

/* With few ports a node cannot read all that taps would bring: it must do no worse than without them.  Taps as far as
 * ports allow: without them 8, 13 and 20 steps are the fewest that are found, with them none is wasted. */
static void few_ports_are_used(void)
{
    static const char *const lose[] = {"ring:14 w=3 ports=4 drops=2", "ring:52 w=16 ports=20 drops=2",
                                       "ring:56 w=6 ports=9 drops=5", "ring:68 w=2 ports=3 drops=3"};
    static const struct known gain[] = {{"ring:40 w=4 ports=6 drops=3 limit=0 by wavefront", 7},
                                        {"ring:64 w=4 ports=6 drops=3 limit=0 by wavefront", 11},
                                        {"ring:100 w=4 ports=6 drops=4 limit=0 by wavefront", 17}};
    for (size_t i = 0; i < COUNT(lose); i++)
        no_more_steps_with_taps(request_of("%s bytes=65536 limit=0 by wavefront", lose[i]));
    take_steps(gain, COUNT(gain), OPTIMAL);
}

/* On six nodes, the third link: each of three below it needs two lightpaths for the three beyond, when two read each,
   so one step takes 6 channels there; all other links take less.  An end takes in a block for each channel of its link
   in a step, and with taps that is nearly all there is to it.  Both sides meet: brute force and closed forms confirm
   the bound elsewhere. */
static void lines_take_what_their_ends_allow(void)
{
    static const struct known rows[] = {
        {"line:6 w=5 drops=2 limit=0 by line-wavefront", 2}, {"line:6 w=6 drops=2 limit=0 by line-wavefront", 1},
        {"line:5 w=4 drops=2 limit=0 by line-wavefront", 1}, {"line:12 w=3 drops=2 limit=0 by line-wavefront", 4},
        {"line:20 w=3 drops=3 limit=0 by line-wavefront", 7}, {"line:33 w=4 drops=4 limit=0 by line-wavefront", 8},
        {"line:64 w=8 drops=4 limit=0 by line-wavefront", 8}};
    take_steps(rows, COUNT(rows) - !thorough, OPTIMAL);
    for (uint32_t nodes = 3; nodes <= 13; nodes += 2)
        for (uint32_t channels = 2; channels <= 5; channels++)
            for (uint32_t drops = 2; drops <= 4; drops++) {
                char line[32];
                snprintf(line, sizeof line, "line:%u w=%u", nodes, channels);
                expect_taps(line, drops, "line-wavefront", false);
            }
}

TESTS("taps", the_bound_is_met, at_random, auto_lets_it_win, an_all_reduce_taps_its_second_half,
      no_more_read_than_the_light_allows, few_ports_are_used, lines_take_what_their_ends_allow)
