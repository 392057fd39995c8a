/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * One process that goes on and on, as a controller does: operations of a state, plans and repairs, cancelled and
 * failing ones among them.  Memory must not grow: neither the number of blocks held (malloc and free are counted) nor
 * the pages in use.  Usage: soak_test [OPERATIONS PLANS REPAIRS]
 */
#include "tests/support/failing.h"
#include "tests/support/random.h"

#include <unistd.h>

/* Pages that the C library's allocator may keep between its blocks */
static const long slack_bytes = 4 << 20; /* of pages that the largest plan leaves behind */

static long operations = 100000, plans = 150, repairs = 30;

/** Blocks that were not freed; 0 where a sanitizer has its own allocator, and looks for leaks itself. */
static long blocks_held(void)
{
#if SWEEP
    return held;
#else
    return 0;
#endif
}

/** Resident bytes; 0 where the system does not tell, and under a sanitizer, which keeps freed memory for a while. */
static long resident(void)
{
    long pages = 0, total;
    FILE *file = SWEEP ? fopen("/proc/self/statm", "r") : NULL;
    if (file && fscanf(file, "%ld %ld", &total, &pages) != 2)
        pages = 0;
    if (file)
        fclose(file);
    return pages * sysconf(_SC_PAGESIZE);
}

struct memory {
    long held, resident;
};

static struct memory memory_now(void)
{
    return (struct memory){blocks_held(), resident()};
}

/** The same work once more leaves the memory as it was after the first tenth, in which caches fill. */
static void expect_no_growth(const char *what, struct memory early)
{
    struct memory late = memory_now();
    CU_ASSERT_TRUE(late.held <= early.held);
    CU_ASSERT_TRUE(late.resident <= early.resident + slack_bytes);
    printf(" %s: %+ld blocks, %+ld KiB;", what, late.held - early.held, (late.resident - early.resident) / 1024);
}

/* ---- operations of a state ---- */

struct counts {
    long done, refused, cancelled, infeasible;
};

static uint64_t some_lightpath(const rwa_state *state)
{
    uint64_t id = rwa_state_next(state, RWA_NO_LIGHTPATH);
    for (uint64_t i = any(8); i > 0 && id != RWA_NO_LIGHTPATH; i--)
        id = rwa_state_next(state, id);
    return id;
}

static rwa_status operate(rwa_state *state, uint32_t nodes, uint32_t links)
{
    rwa_request request;
    rwa_placed placed;
    rwa_obstacle obstacle;
    /* One node too many: some requests are wrong. */
    rwa_request_init(&request, any(nodes + 1), any(nodes));
    request.routing = (rwa_routing)any(3);
    request.policy = (rwa_policy)any(7);
    request.width = any(4);
    request.guard = any(2);
    switch (any(16)) {
    case 0: return rwa_state_fail(state, RWA_FAILURE_LINK, any(links + 1), NULL);
    case 1: return rwa_state_repair(state, RWA_FAILURE_LINK, any(links), NULL);
    case 2: return rwa_state_undo(state, any(6), NULL);
    case 3: return rwa_state_move(&placed, state, some_lightpath(state), &request, NULL);
    case 4: return rwa_state_try(&placed, state, &request, NULL);
    case 5: return any(64) ? RWA_OK : rwa_state_explain(&obstacle, state, &request, NULL);
    case 6: case 7: case 8: case 9: case 10: return rwa_state_release(state, some_lightpath(state), NULL);
    default: return rwa_state_add(&placed, state, &request, NULL);
    }
}

static void a_state_keeps_its_size(void)
{
    const rwa_network *net = network_on("nsfnet14-21 w=32");
    rwa_state *state = NULL;
    struct memory before = memory_now(), early = before;
    struct counts counts = {0};
    OK(rwa_state_create(&state, net, NULL, NULL));
    for (long i = 0; i < operations; i++) {
        if (i == operations / 10)
            early = memory_now();
        *(operate(state, rwa_network_nodes(net), rwa_network_links(net)) == RWA_OK ? &counts.done : &counts.refused) +=
            1;
    }
    CU_ASSERT_TRUE(counts.done > operations / 2 && counts.refused > operations / 100);
    expect_no_growth("operations", early);
    rwa_state_free(state);
    CU_ASSERT_TRUE(blocks_held() <= before.held);
}

/* ---- plans ---- */

static void count(struct counts *c, rwa_status st, const rwa_plan *plan)
{
    CU_ASSERT_TRUE(st == RWA_OK || st == RWA_BADARG || st == RWA_CANCELLED);
    CU_ASSERT_TRUE(st == RWA_OK || !plan);
    c->cancelled += st == RWA_CANCELLED;
    c->refused += st == RWA_BADARG;
    c->infeasible += st == RWA_OK && !rwa_plan_schedule(plan);
    c->done += st == RWA_OK && rwa_plan_schedule(plan);
}

static rwa_network *some_network(void)
{
    static const char *const networks[] = {"ring:8",   "ring:13", "line:7",  "torus:3x3", "mesh:3x4",   "hypercube:3",
                                           "tree:2x3", "star:6",  "ocs:5x2", "ron:6",     "nsfnet14-21"};
    rwa_network *net = NULL;
    rwa_network_options o;
    rwa_network_options_init(&o);
    o.wavelengths = 1 + any(8);
    o.ports = any(4) ? 0 : 1 + any(3);
    OK(rwa_network_open(&net, networks[any(COUNT(networks))], &o, NULL));
    return net;
}

/** Mostly one that plans such collectives on such networks; NULL: all of them. */
static const char *some_scheme(const rwa_network *net, rwa_collective_kind kind)
{
    size_t schemes = 0, i;
    while (rwa_scheme_name(schemes))
        schemes++;
    if (any(3) == 0)
        return NULL;
    do
        i = any(schemes);
    while (!rwa_scheme_fits(i, net, kind) && any(16) > 0);
    return rwa_scheme_name(i);
}

static void plan_once(struct counts *counts)
{
    struct stop patience = {.at = any(5) ? 0 : 1 + any(6)};
    rwa_network *net = some_network();
    rwa_collective coll;
    rwa_plan_options p;
    rwa_plan *plan = NULL;
    OK(rwa_collective_init(&coll, (rwa_collective_kind)(RWA_ALL_GATHER + any(7)), rwa_network_nodes(net), 0,
                           any(2) ? 4096 : 1 << 20, 0, NULL));
    rwa_plan_options_init(&p);
    p.scheme = some_scheme(net, coll.kind);
    p.max_hops = any(8) ? 0 : 1 + any(3);
    p.stripes = any(12) ? 0 : 2;
    p.time_limit_s = 0.01;
    p.poll = stop_once;
    p.poll_data = &patience;
    rwa_status st = rwa_plan_make(&plan, net, &coll, &p, NULL);
    count(counts, st, plan);
    rwa_plan_free(plan);
    rwa_network_free(net);
}

static void plans_leave_nothing(void)
{
    struct memory early = {0};
    struct counts counts = {0};
    for (long i = 0; i < plans; i++) {
        if (i == plans / 10)
            early = memory_now();
        plan_once(&counts);
    }
    expect_no_growth("plans", early);
    printf(" %ld made, %ld infeasible, %ld refused, %ld cancelled;", counts.done, counts.infeasible, counts.refused,
           counts.cancelled);
    CU_ASSERT_TRUE(counts.done > plans / 10 && counts.refused > plans / 20 && counts.cancelled > plans / 50);
}

/* ---- repairs ---- */

/** A step too late and a link too many are refused. */
static void repair_once(struct counts *counts, const rwa_schedule *sched, const rwa_network *net)
{
    struct stop patience = {.at = any(4) ? 0 : 1 + any(3)};
    uint32_t links[3] = {0, 0, 0};
    size_t link_count = 1 + any(3);
    rwa_plan_options p;
    rwa_plan *plan = NULL;
    for (size_t i = 0; i < link_count; i++)
        links[i] = any(rwa_network_links(net) + (any(8) == 0));
    rwa_plan_options_init(&p);
    p.time_limit_s = 0.01;
    p.poll = stop_once;
    p.poll_data = &patience;
    uint32_t at_step = 1 + any(rwa_schedule_steps(sched) + 2);
    rwa_status st = rwa_plan_repair(&plan, sched, links, link_count, at_step, &p, NULL);
    count(counts, st, plan);
    rwa_plan_free(plan);
}

/* A network keeps results that its bounds need again, a bounded number of them, until it is freed. */
static void repairs_leave_nothing(void)
{
    static const char *const networks[] = {"ring:12", "torus:4x4", "nsfnet14-21"};
    struct counts counts = {0};
    for (size_t k = 0; k < 3; k++) {
        struct memory before = memory_now();
        rwa_network *net = NULL;
        rwa_network_options o;
        rwa_collective coll;
        rwa_plan *plan = NULL;
        rwa_network_options_init(&o);
        o.wavelengths = 4;
        OK(rwa_network_open(&net, networks[k], &o, NULL));
        OK(rwa_collective_init(&coll, RWA_ALL_GATHER, rwa_network_nodes(net), 0, 4096, 0, NULL));
        OK(rwa_plan_make(&plan, net, &coll, NULL, NULL));
        for (long i = 0; i < repairs / 3; i++) {
            repair_once(&counts, rwa_plan_schedule(plan), net);
            if (i == repairs / 30)
                before.resident = memory_now().resident;
        }
        rwa_plan_free(plan);
        rwa_network_free(net);
        expect_no_growth(networks[k], before);
    }
    printf(" %ld repaired, %ld infeasible, %ld refused, %ld cancelled ", counts.done, counts.infeasible, counts.refused,
           counts.cancelled);
    CU_ASSERT_TRUE(counts.done > repairs / 10 && counts.refused > 0 && counts.cancelled > 0);
}

int main(int argc, char **argv)
{
    seed = 5;
    if (argc > 3) {
        operations = atol(argv[1]);
        plans = atol(argv[2]);
        repairs = atol(argv[3]);
    }
    return RUN_TESTS("one long process", a_state_keeps_its_size, plans_leave_nothing, repairs_leave_nothing);
}
