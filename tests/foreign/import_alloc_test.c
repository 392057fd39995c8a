/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Every allocation of an import is made to fail in turn. */
#define _XOPEN_SOURCE 700
#include "tests/support/failing.h"
#include "tests/support/plans.h"
#include "tests/support/suite.h"

#include <unistd.h>

static char folder[] = "/tmp/rwa-import-alloc-XXXXXX";

struct read_back {
    const char *path;
    const rwa_network *net;
};

static rwa_status read_back(void *data)
{
    const struct read_back *given = data;
    rwa_schedule *sched = NULL;
    rwa_import_options o;
    rwa_plan_options plan;
    rwa_plan_options_init(&plan);
    rwa_import_options_init(&o);
    plan.solver = "first-fit";
    o.plan = &plan;
    rwa_status st = rwa_schedule_import(&sched, NULL, given->path, given->net, &o, NULL);
    CU_ASSERT_EQUAL(st == RWA_OK, sched != NULL);
    rwa_schedule_free(sched);
    return st;
}

static void sweep(const char *format, const char *spec, long least)
{
    char path[64];
    rwa_network *net = NULL;
    rwa_plan *plan = plan_of("ring:4", 2, RWA_ALL_GATHER, "optree");
    struct read_back given = {.path = path};
    snprintf(path, sizeof path, "%s/a.%s", folder, format);
    OK(rwa_schedule_export(rwa_plan_schedule(plan), format, path, NULL, NULL));
    OK(rwa_network_parse(&net, spec, NULL, NULL));
    given.net = net;
    expect_every_failure_told(read_back, &given, least);
    unlink(path);
    rwa_network_free(net);
    rwa_plan_free(plan);
}

/** A table, steps, a program, and a program whose transfers are routed over links. */
static void every_failure_is_told(void)
{
    sweep("csv", "ring:4", 10);
    sweep("harvest", "ring:4", 20);
    sweep("msccl", "ring:4", 20);
    sweep("msccl", "torus:2x2", 20);
}

int main(void)
{
    if (!mkdtemp(folder))
        return EXIT_FAILURE;
    int failed = RUN_TESTS("import, out of memory", every_failure_is_told);
    rmdir(folder);
    return failed;
}
