/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Every allocation of the planner and the reader is made to fail in turn: a status each time, and no leak. */
#include "tests/support/report.h"
#include "tests/support/failing.h"
#include "tests/support/suite.h"

#include <unistd.h>

struct work {
    const char *path;
    rwa_collective_kind kind;
    uint32_t drops;
    const char *spec, *scheme;
    rwa_cost_model model;
};

static rwa_status make_and_write(void *data)
{
    const struct work *work = data;
    const char *path = work->path;
    rwa_network *net = NULL;
    rwa_collective coll;
    rwa_plan *plan = NULL;
    rwa_schedule *read = NULL;
    rwa_check_report check;
    rwa_error err = {0};
    rwa_plan_options opts;
    rwa_network_options few; /* channels, so that few numbers of stripes are tried */
    rwa_plan_options_init(&opts);
    opts.max_drops = work->drops;
    opts.scheme = work->scheme;
    opts.cost.model = work->model;
    rwa_network_options_init(&few);
    few.wavelengths = 2;
    rwa_status st = rwa_network_open(&net, work->spec, &few, &err);
    if (st == RWA_OK)
        st = rwa_collective_init(&coll, work->kind, rwa_network_nodes(net), 0, 64, 0, &err);
    if (st == RWA_OK)
        st = rwa_plan_make(&plan, net, &coll, &opts, &err);
    if (st == RWA_OK)
        st = rwa_schedule_write(rwa_plan_schedule(plan), path, &err);
    if (st == RWA_OK)
        st = rwa_schedule_read(&read, path, NULL, &err);
    if (st == RWA_OK)
        st = report_file(&check, path, NULL, &err);
    rwa_schedule_free(read);
    rwa_plan_free(plan);
    rwa_network_free(net);
    if (st != RWA_OK && err.status != st)
        return RWA_BACKEND; /* a failure that was not told in words */
    return st;
}

static void sweep(struct work *work)
{
    char path[] = "/tmp/rwa-alloc-XXXXXX";
    int fd = mkstemp(path);
    CU_ASSERT_FATAL(fd >= 0);
    close(fd);
    work->path = path;
    expect_every_failure_told(make_and_write, work, 50);
    unlink(path);
}

/* Auto plans with every scheme that does the collective. */
static void every_failing_allocation_is_a_status(void)
{
    static const rwa_collective_kind kinds[] = {RWA_ALL_GATHER, RWA_ALL_REDUCE, RWA_GATHER};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        sweep(&(struct work){.kind = kinds[i], .spec = "ring:4"});
    sweep(&(struct work){.kind = RWA_ALL_GATHER, .drops = 3, .spec = "ring:4"});
}

/* Schemes that plan nothing on rings, or nothing on so small a one. */
static void also_on_listed_links(void)
{
    static const struct work cases[] = {
        {.kind = RWA_ALL_REDUCE, .scheme = "logical-topology", .model = RWA_COST_PAPER},
        {.kind = RWA_ALL_GATHER, .scheme = "logical-topology", .model = RWA_COST_CIRCUIT},
        {.kind = RWA_REDUCE_SCATTER, .scheme = "logical-topology", .model = RWA_COST_OVERLAP},
        {.kind = RWA_GATHER, .scheme = "logical-topology", .model = RWA_COST_PAPER},
        {.kind = RWA_ALL_TO_ALL, .scheme = "logical-topology", .model = RWA_COST_CIRCUIT},
        {.kind = RWA_ALL_TO_ALL, .scheme = "logical-topology", .model = RWA_COST_OVERLAP},
        {.kind = RWA_REDUCE_SCATTER, .scheme = "logical-topology", .model = RWA_COST_OVERLAP},
        {.kind = RWA_ALL_REDUCE, .scheme = "pipelined-trees", .model = RWA_COST_OVERLAP},
        {.kind = RWA_ALL_REDUCE, .scheme = "optree", .spec = "torus:3x4"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct work work = cases[i];
        work.spec = work.spec ? work.spec : "tree:2x2";
        sweep(&work);
    }
}

int main(void)
{
    return RUN_TESTS("allocation", every_failing_allocation_is_a_status, also_on_listed_links);
}
