/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * A poll that stops the work once, at call k: the answer is RWA_CANCELLED or a checked plan, and the caller is not polled again.
 * k goes on until a call ends before its poll number k.
 * Usage: cancel_test [thorough]: each k up to 500 and powers of two, in three cost models; else few k in one
 */
#include "rwa.h"

#include "tests/support/plans.h"
#include "tests/support/suite.h"

#include <stdbool.h>
#include <string.h>

enum { EACH_UP_TO = 500 };
static bool thorough;

struct stop {
    uint64_t at, calls;
};

static int stop_once(void *data, const char *phase, double fraction)
{
    struct stop *s = data;
    (void)phase;
    (void)fraction;
    return ++s->calls == s->at;
}

static const struct {
    const char *spec;
    uint32_t wavelengths;
    bool links;
} networks[] = {{"ring:12", 2, true}, {"line:9", 2, true}, {"torus:3x4", 2, true},
                {"nsfnet14-21", 4, true}, {"star:8", 4, false}, {"ocs:8x3", 1, false}};
static const rwa_collective_kind kinds[] = {RWA_ALL_GATHER, RWA_ALL_REDUCE, RWA_BROADCAST};

/** The request of a test, and the work that is to be stopped. */
struct request {
    rwa_network *net;
    rwa_collective coll;
    rwa_plan_options opts;
    rwa_schedule *sched;        /* to repair, or NULL */
    rwa_status (*work)(struct request *, rwa_error *);
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

static rwa_status make_plan(struct request *r, rwa_error *err)
{
    rwa_plan *plan = NULL;
    rwa_status st = rwa_plan_make(&plan, r->net, &r->coll, &r->opts, err);
    return expect_plan(st, plan);
}

static rwa_status repair_plan(struct request *r, rwa_error *err)
{
    const uint32_t link = 0;
    rwa_plan *plan = NULL;
    rwa_status st = rwa_plan_repair(&plan, r->sched, &link, 1, 1, &r->opts, err);
    return expect_plan(st, plan);
}

static rwa_status compare_schemes(struct request *r, rwa_error *err)
{
    rwa_comparison line;
    rwa_status st = rwa_compare_scheme(&line, "auto", r->net, &r->coll, &r->opts, err);
    CU_ASSERT(st != RWA_OK || line.outcome != RWA_UNDECIDED);
    return st;
}

/* Every node sends its block to all others in one step, by exact assignments. */
static rwa_status plan_transfers(struct request *r, rwa_error *err)
{
    enum { NODES_MOST = 16 };
    rwa_transfer list[NODES_MOST * NODES_MOST];
    rwa_schedule *sched = NULL;
    size_t count = 0;
    for (uint32_t v = 0; v < r->coll.nodes; v++)
        for (uint32_t u = 0; u < r->coll.nodes; u++)
            if (u != v)
                list[count++] = (rwa_transfer){.step = 1, .src = v, .dst = u, .block = v};
    rwa_status st = rwa_plan_transfers(&sched, r->net, &r->coll, "given", list, count, &r->opts, err);
    CU_ASSERT_EQUAL(sched != NULL, st == RWA_OK);
    if (sched)
        expect_right(sched);
    rwa_schedule_free(sched);
    return st;
}

/** 1, 2 … 500 and powers of two, or few of them. */
static uint64_t next_call(uint64_t k)
{
    uint64_t power = 1;
    while (power <= k)
        power *= 2;
    uint64_t step = k + (thorough ? 1 : k < 4 ? 1 : 37);
    return k < EACH_UP_TO && step < power ? step : power;
}

static void stop_everywhere(struct request *r)
{
    struct stop s = {.at = 0};
    r->opts.poll = stop_once;
    r->opts.poll_data = &s;
    uint64_t cancelled = 0;
    for (uint64_t k = 1;; k = next_call(k)) {
        rwa_error err = {0};
        s = (struct stop){.at = k};
        rwa_status st = r->work(r, &err);
        CU_ASSERT(st == RWA_OK || st == RWA_CANCELLED);
        CU_ASSERT(s.calls <= k);
        if (st != RWA_OK && st != RWA_CANCELLED)
            fprintf(stderr, "stopped at call %llu: %s\n", (unsigned long long)k, err.text);
        cancelled += st == RWA_CANCELLED;
        if (s.calls < k)
            break;
    }
    CU_ASSERT(cancelled > 0);
}

static void stop_request(const char *spec, uint32_t wavelengths, rwa_collective_kind kind, int model,
                         rwa_status (*work)(struct request *, rwa_error *))
{
    struct request r = {.net = network_of(spec, wavelengths), .work = work};
    CU_ASSERT_EQUAL_FATAL(rwa_collective_init(&r.coll, kind, rwa_network_nodes(r.net), 0, 65536, 0, NULL), RWA_OK);
    rwa_plan_options_init(&r.opts);
    r.opts.cost.model = (rwa_cost_model)model;
    if (work == repair_plan) {
        rwa_plan *plan = NULL;
        CU_ASSERT_EQUAL_FATAL(rwa_plan_make(&plan, r.net, &r.coll, &r.opts, NULL), RWA_OK);
        CU_ASSERT_EQUAL_FATAL(rwa_schedule_expand(&r.sched, rwa_plan_schedule(plan), NULL), RWA_OK);
        rwa_plan_free(plan);
        rwa_plan_options_init(&r.opts);
    }
    stop_everywhere(&r);
    rwa_schedule_free(r.sched);
    rwa_network_free(r.net);
}

/** On each network and collective that the work is possible on. */
static void stop_on_all(rwa_status (*work)(struct request *, rwa_error *))
{
    bool links = work == repair_plan || work == plan_transfers;
    for (size_t i = 0; i < sizeof networks / sizeof *networks; i++)
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
            for (int model = RWA_COST_PAPER; model <= RWA_COST_OVERLAP; model++)
                if ((thorough || model == (int)((i + k) % 3)) && (!links || networks[i].links) &&
                    (work != plan_transfers || kinds[k] == RWA_ALL_GATHER))
                    stop_request(networks[i].spec, networks[i].wavelengths, kinds[k], model, work);
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

int main(int argc, char **argv)
{
    static const struct test tests[] = {TEST(a_plan_that_is_stopped_once_is_cancelled), TEST(a_repair_that_is_stopped_once_is_cancelled),
                                        TEST(a_comparison_that_is_stopped_once_is_cancelled),
                                        TEST(transfers_that_are_stopped_once_are_cancelled), {0}};
    thorough = argc > 1 && strcmp(argv[1], "thorough") == 0;
    return run_tests("cancel", tests);
}
