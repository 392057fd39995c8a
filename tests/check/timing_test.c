/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The time that the checker finds, and that of lib/cost, against a second judge: straight from the definition in
 * docs/reference/formats.md ("Time"), by sets of users of each resource between each pair of steps, on lightpaths
 * written out.  The checker keeps the last users of each resource instead, and times whole orbits by the links of a few
 * nodes.
 */
#include "tests/check/failures.h"
#include "tests/support/judged.h"

/* ---- the checker ---- */

static double checked(const rwa_schedule *sched, const rwa_cost_options *cost)
{
    rwa_check_options opts;
    rwa_check *check = NULL;
    rwa_check_options_init(&opts);
    opts.cost = cost;
    OK(rwa_check_schedule(&check, sched, &opts, NULL));
    const rwa_check_report *report = rwa_check_summary(check);
    if (!report->ok)
        fprintf(stderr, "%s\n", report->first[0].text);
    CU_ASSERT_TRUE_FATAL(report->ok);
    double seconds = report->time_s;
    rwa_check_free(check);
    return seconds;
}

static void agrees(const rwa_schedule *sched, const struct story *s)
{
    rwa_cost_options cost;
    rwa_cost_options_init(&cost);
    cost.alpha_s = (const double[]){1e-7, 1e-6, 40e-6}[any(3)];
    cost.reconfig_s = any(2) ? 25e-6 : 1e-6;
    for (int model = RWA_COST_PAPER; model <= RWA_COST_OVERLAP; model++) {
        cost.model = (rwa_cost_model)model;
        double defined_s = by_definition(s, &cost), cost_s = 0;
        OK(rwa_cost_schedule(&cost_s, sched, &cost, NULL));
        CU_ASSERT_DOUBLE_EQUAL_FATAL(cost_s, defined_s, 1e-12);
        CU_ASSERT_DOUBLE_EQUAL_FATAL(checked(sched, &cost), defined_s, 1e-12);
    }
}

static void random_schedules_take_the_time_of_the_definition(void)
{
    static struct story s;
    seed = 7;
    for (uint32_t trial = 0; trial < 2700; trial++) {
        rwa_network *net = random_network(kinds[trial % KINDS]);
        random_story(&s, net, trial / KINDS % 3 == 1);
        if (any(4) == 0)
            cut(&s);
        agrees(failing_schedule_of(&s), &s);
    }
}

/* ---- orbits ---- */

/* Periods 1 to 6: some divide the cycle, several meet, and on tori paths bend; written out they take as long. */
static void random_orbits_take_the_time_of_their_lightpaths(void)
{
    static struct story s;
    seed = 16;
    for (uint32_t trial = 0; trial < 1680; trial++) {
        const uint32_t *shape = orbit_shapes[trial / 2 % ORBIT_SHAPES];
        rwa_network *net = orbit_network(shape);
        bool broadcast = trial % 2;
        rwa_schedule *sched = random_orbits(net, shape, broadcast ? RWA_BROADCAST : RWA_ALL_GATHER,
                                            broadcast ? 0 : trial / 14 % 3 * 2, false);
        story_of(&s, sched);
        agrees(sched, &s);
        agrees(expanded(sched), &s);
    }
}

/* 32,768 orbits of 1024 lightpaths either way round: the checker must not look at each of 67 million lightpaths.  The
 * times are of the definition: nothing is tuned after the first step, which repeats. */
static void a_large_schedule_of_orbits_takes_little_work(void)
{
    for (int overlap = 0; overlap < 2; overlap++) {
        const rwa_plan_report *s = report_on("ring:1024 w=64 bytes=64000 alpha=1e-6 model=%s by ring-striped",
                                             overlap ? "overlap" : "circuit");
        double seconds = 25e-6 + (512 - overlap) * 1e-6 + 512 * 232e-9;
        CU_ASSERT(fabs(s->time_s - seconds) < 1e-12 && fabs(s->check->time_s - seconds) < 1e-12);
    }
}

TESTS("timing", random_schedules_take_the_time_of_the_definition, random_orbits_take_the_time_of_their_lightpaths,
      a_large_schedule_of_orbits_takes_little_work)
