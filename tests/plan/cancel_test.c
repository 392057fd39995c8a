/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * A poll that stops the work once, at call k: the answer is RWA_CANCELLED or a checked plan, and the caller is not
 * polled again. k goes on until a call ends before its poll number k. Usage: cancel_test [thorough]: each k up to 500
 * and powers of two, in three cost models; else few k in one
 */
#include "tests/support/plans.h"
#include "tests/support/request.h"
#include "tests/support/suite.h"

#include <time.h>

enum { EACH_UP_TO = 500 };
/** A request, and the work that is to be stopped. */
struct work {
    struct request request;
    const rwa_network *net;
    rwa_collective coll;
    const rwa_schedule *sched;      /* to repair, or NULL */
    rwa_status (*run)(struct work *);
};

/** The plan, or no plan with a reason, of a call that was not cancelled; none of one that was. */
static rwa_status expect_plan(rwa_status st, rwa_plan *plan)
{
    CU_ASSERT_EQUAL(plan != NULL, st == RWA_OK);
    if (plan && rwa_plan_schedule(plan))
        expect_right(rwa_plan_schedule(plan));
    else if (plan)
        CU_ASSERT(rwa_plan_summary(plan)->why[0] != '\0');
    rwa_plan_free(plan);
    return st;
}

static rwa_status make_plan(struct work *w)
{
    rwa_plan *plan = NULL;
    rwa_status st = rwa_plan_make(&plan, w->net, &w->coll, &w->request.options, NULL);
    return expect_plan(st, plan);
}

static rwa_status repair_plan(struct work *w)
{
    const uint32_t link = 0;
    rwa_plan *plan = NULL;
    rwa_status st = rwa_plan_repair(&plan, w->sched, &link, 1, 1, &w->request.options, NULL);
    return expect_plan(st, plan);
}

static rwa_status compare_schemes(struct work *w)
{
    rwa_comparison line;
    rwa_status st = rwa_compare_scheme(&line, "auto", w->net, &w->coll, &w->request.options, NULL);
    CU_ASSERT(st != RWA_OK || line.outcome != RWA_UNDECIDED);
    return st;
}

/* Every node sends its block to all others in one step, by exact assignments. */
static rwa_status plan_transfers(struct work *w)
{
    enum { NODES_MOST = 16 };
    rwa_transfer list[NODES_MOST * NODES_MOST];
    rwa_schedule *sched = NULL;
    size_t count = 0;
    for (uint32_t v = 0; v < w->coll.nodes; v++)
        for (uint32_t u = 0; u < w->coll.nodes; u++)
            if (u != v)
                list[count++] = (rwa_transfer){.step = 1, .src = v, .dst = u, .block = v};
    rwa_status st = rwa_plan_transfers(&sched, w->net, &w->coll, "given", list, count, &w->request.options, NULL);
    CU_ASSERT_EQUAL(sched != NULL, st == RWA_OK);
    if (sched)
        expect_right(sched);
    rwa_schedule_free(sched);
    return st;
}

/** 1, 2 … 500 and powers of two, or few of them. */
static unsigned next_call(unsigned k)
{
    unsigned power = 1;
    while (power <= k)
        power *= 2;
    unsigned step = k + (thorough ? 1 : k < 4 ? 1 : 37);
    return k < EACH_UP_TO && step < power ? step : power;
}

static void stop_everywhere(struct work *w)
{
    struct stop s = {.at = 0};
    uint64_t cancelled = 0;
    w->request.options.poll = stop_once;
    w->request.options.poll_data = &s;
    for (unsigned k = 1; s.polls >= s.at; k = next_call(k)) {
        s = (struct stop){.at = k};
        rwa_status st = w->run(w);
        CU_ASSERT(st == RWA_OK || st == RWA_CANCELLED);
        CU_ASSERT(s.polls <= k);
        cancelled += st == RWA_CANCELLED;
    }
    CU_ASSERT(cancelled > 0);
}

/** On each network and collective that the work is possible on; only networks of links are repaired, or carry all at
 * once. */
static void stop_on_all(rwa_status (*run)(struct work *))
{
    static const char *const nets[] = {
        "ring:12 w=2", "line:9 w=2", "torus:3x4 w=2", "nsfnet14-21 w=4", "star:8 w=4", "ocs:8x3 w=1"};
    static const char *const kinds[] = {
        "all-gather", "all-reduce", "broadcast"}, *const models[] = {"paper", "circuit", "overlap"};
    bool repairs = run == repair_plan, transfers = run == plan_transfers;
    for (size_t i = 0; i < (repairs || transfers ? 4 : COUNT(nets)); i++)
        for (size_t k = 0; k < (transfers ? 1 : COUNT(kinds)); k++)
            for (size_t m = 0; m < COUNT(models); m++) {
                struct work w = {.request = request_of("%s bytes=65536 model=%s %s", nets[i], models[m], kinds[k]),
                                 .run = run};
                if (!thorough && m != (i + k) % 3)
                    continue;
                w.net = request_network(w.request);
                w.coll = request_collective(&w.request, w.net);
                w.sched = repairs ? rwa_plan_schedule(plan_for(w.request)) : NULL;
                if (repairs)
                    rwa_plan_options_init(&w.request.options);
                stop_everywhere(&w);
            }
}

static void a_plan_that_is_stopped_once_is_cancelled(void)
{
    stop_on_all(make_plan);
}

static void a_repair_that_is_stopped_once_is_cancelled(void)
{
    stop_on_all(repair_plan);
}

static void a_comparison_that_is_stopped_once_is_cancelled(void)
{
    stop_on_all(compare_schemes);
}

static void transfers_that_are_stopped_once_are_cancelled(void)
{
    stop_on_all(plan_transfers);
}

static double now_s(void)
{
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/** The quickest plan is of a million lightpaths, its time is known at once, and it alone is built in the end; or the
 * quickest to rate is of a million, and a search finds a smaller one before that is built. */
static void a_smaller_plan_comes_first(void)
{
    static const char *const lines[] = {"circulant:64:1,8 w=64 bytes=256000000 model=circuit broadcast",
                                        "torus:32x32 w=64 bytes=64000 reduce-scatter"};
    for (size_t i = 0; i < COUNT(lines); i++) {
        const double begin_s = now_s();
        const rwa_plan *plan = plan_for(request_of("%s", lines[i]));
        const double first_s = rwa_plan_summary(plan)->first_plan_s, all_s = now_s() - begin_s;
        CU_ASSERT(i > 0 || rwa_schedule_lightpaths(rwa_plan_schedule(plan)) > 1000000);
        CU_ASSERT(first_s > 0 && 4 * first_s < all_s);
    }
}

TESTS("cancel", a_plan_that_is_stopped_once_is_cancelled, a_repair_that_is_stopped_once_is_cancelled,
      a_comparison_that_is_stopped_once_is_cancelled, transfers_that_are_stopped_once_are_cancelled,
      a_smaller_plan_comes_first)
