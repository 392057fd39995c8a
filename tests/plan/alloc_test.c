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
    rwa_network_options_init(&few);
    few.wavelengths = 2;
    rwa_status st = rwa_network_parse(&net, "ring:4", &few, &err);
    if (st == RWA_OK)
        st = rwa_collective_init(&coll, work->kind, 4, 0, 64, 0, &err);
    if (st == RWA_OK)
        st = rwa_plan_make(&plan, net, &coll, &opts, &err);
    if (st == RWA_OK)
        st = rwa_schedule_write(rwa_plan_schedule(plan), path, &err);
    if (st == RWA_OK)
        st = rwa_schedule_read(&read, path, &err);
    if (st == RWA_OK)
        st = report_file(&check, path, NULL, &err);
    rwa_schedule_free(read);
    rwa_plan_free(plan);
    rwa_network_free(net);
    if (st != RWA_OK && err.status != st)
        return RWA_BACKEND; /* a failure that was not told in words */
    return st;
}

/* Auto plans with every scheme that does the collective. */
static void every_failing_allocation_is_a_status(void)
{
    static const rwa_collective_kind kinds[] = {RWA_ALL_GATHER, RWA_ALL_REDUCE, RWA_GATHER};
    char path[] = "/tmp/rwa-alloc-XXXXXX";
    int fd = mkstemp(path);
    CU_ASSERT_FATAL(fd >= 0);
    close(fd);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        expect_every_failure_told(make_and_write, &(struct work){path, kinds[i], 0}, 50);
    expect_every_failure_told(make_and_write, &(struct work){path, RWA_ALL_GATHER, 3}, 50);
    unlink(path);
}

int main(void)
{
    static const struct test tests[] = {TEST(every_failing_allocation_is_a_status), {0}};
    return run_tests("allocation", tests);
}
