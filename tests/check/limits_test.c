/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The caller's limits hold at their border: what just fits is done, one more is refused with the documented status. */
#include "rwa.h"

#include "tests/support/judged.h"
#include "tests/support/report.h"
#include "tests/support/suite.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const char text[] =
    "{\"format\":\"rwa-schedule\",\"version\":1,\"network\":{\"kind\":\"ring\",\"nodes\":4,\"fibers\":1,"
    "\"wavelengths\":1},"
    "\"collective\":\"broadcast\",\"root\":0,\"blocks\":1,\"block_bytes\":8,\"scheme\":\"x\",\"steps\":2}\n"
    "{\"step\":1,\"src\":0,\"dst\":1,\"dir\":\"cw\",\"fiber\":0,\"wavelength\":0,\"block\":0}\n"
    "{\"step\":1,\"src\":0,\"dst\":3,\"dir\":\"ccw\",\"fiber\":0,\"wavelength\":0,\"block\":0}\n"
    "{\"step\":2,\"src\":1,\"dst\":2,\"dir\":\"cw\",\"fiber\":0,\"wavelength\":0,\"block\":0}\n";

static char path[64];

static void write_file(void)
{
    snprintf(path, sizeof path, "/tmp/rwa-limits-%d.jsonl", (int)getpid());
    FILE *file = fopen(path, "w");
    fputs(text, file);
    fclose(file);
}

static rwa_status check_within(const rwa_limits *limits)
{
    rwa_check *check = NULL;
    rwa_check_options opts;
    rwa_error err = {0};
    rwa_check_options_init(&opts);
    opts.limits = limits;
    rwa_status status = rwa_check_file(&check, path, &opts, &err);
    CU_ASSERT_TRUE(status != RWA_OK || rwa_check_summary(check)->ok);
    CU_ASSERT_TRUE(status == RWA_OK || err.text[0] != '\0');
    rwa_check_free(check);
    return status;
}

static void a_check_keeps_to_its_limits(void)
{
    rwa_limits limits;
    rwa_limits_init(&limits);
    write_file();
    CU_ASSERT_EQUAL(check_within(NULL), RWA_OK);
    CU_ASSERT_EQUAL(check_within(&limits), RWA_OK);
    limits = (rwa_limits){.struct_size = sizeof limits, .nodes = 4, .lightpaths = 3,
                          .file_bytes = sizeof text - 1, .memory_bytes = 1 << 20};
    CU_ASSERT_EQUAL(check_within(&limits), RWA_OK);
    limits.nodes = 3;
    CU_ASSERT_EQUAL(check_within(&limits), RWA_FORMAT);
    limits.nodes = 4;
    limits.lightpaths = 2;
    CU_ASSERT_EQUAL(check_within(&limits), RWA_BADARG);
    limits.lightpaths = 3;
    limits.file_bytes--;
    CU_ASSERT_EQUAL(check_within(&limits), RWA_FORMAT);
    limits.file_bytes++;
    limits.memory_bytes = 4;
    CU_ASSERT_EQUAL(check_within(&limits), RWA_NOMEM);
    limits.memory_bytes = 0;
    limits.time_limit_s = 1e-9;
    CU_ASSERT_EQUAL(check_within(&limits), RWA_CANCELLED);
    limits.time_limit_s = -1;
    CU_ASSERT_EQUAL(check_within(&limits), RWA_BADARG);
    unlink(path);
}

static void a_network_keeps_to_its_limits(void)
{
    rwa_network *net = NULL;
    rwa_network_options opts;
    rwa_limits limits;
    rwa_limits_init(&limits);
    rwa_network_options_init(&opts);
    opts.limits = &limits;
    limits.nodes = 64;
    CU_ASSERT_EQUAL(rwa_network_parse(&net, "torus:8x8", &opts, NULL), RWA_OK);
    rwa_network_free(net);
    limits.nodes = 63;
    CU_ASSERT_EQUAL(rwa_network_parse(&net, "torus:8x8", &opts, NULL), RWA_BADARG);
    CU_ASSERT_EQUAL(rwa_network_parse(&net, "fat-tree:244", &opts, NULL), RWA_BADARG);
    limits.nodes = 0;
    limits.memory_bytes = 1000;
    CU_ASSERT_EQUAL(rwa_network_parse(&net, "torus:8x8", &opts, NULL), RWA_NOMEM);
    CU_ASSERT_PTR_NULL(net);
}

static rwa_status plan_within(const rwa_limits *limits)
{
    rwa_network *net = NULL;
    rwa_collective coll;
    rwa_plan_options opts;
    rwa_plan *plan = NULL;
    rwa_plan_options_init(&opts);
    opts.limits = limits;
    CU_ASSERT_EQUAL_FATAL(rwa_network_parse(&net, "ring:16", NULL, NULL), RWA_OK);
    CU_ASSERT_EQUAL_FATAL(rwa_collective_init(&coll, RWA_ALL_GATHER, 16, 0, 1024, 0, NULL), RWA_OK);
    opts.scheme = "ring";
    rwa_status st = rwa_plan_make(&plan, net, &coll, &opts, NULL);
    rwa_plan_free(plan);
    rwa_network_free(net);
    return st;
}

/* 16 nodes get 15 blocks each: 240 lightpaths. */
static void a_plan_keeps_to_its_limits(void)
{
    rwa_limits limits;
    rwa_limits_init(&limits);
    CU_ASSERT_EQUAL(plan_within(&limits), RWA_OK);
    limits.lightpaths = 240;
    CU_ASSERT_EQUAL(plan_within(&limits), RWA_OK);
    limits.lightpaths = 239;
    CU_ASSERT_EQUAL(plan_within(&limits), RWA_BADARG);
    limits.lightpaths = 0;
    limits.memory_bytes = 100;
    CU_ASSERT_EQUAL(plan_within(&limits), RWA_NOMEM);
    limits.memory_bytes = 0;
    limits.time_limit_s = -1;
    CU_ASSERT_EQUAL(plan_within(&limits), RWA_BADARG);
}

/** A ron may pause: node 0 sends to node 1 in a step so late that its number must cost neither time nor memory.  The
 * time is a step of alpha and a block for each step, and the first one retunes. */
static void a_late_step_costs_nothing(void)
{
    enum { LAST = 1 << 30 };
    static const struct judged file = {"{\"format\":\"rwa-schedule\",\"version\":1,\"network\":{\"kind\":\"ron\","
                                       "\"nodes\":2,\"fibers\":1,\"wavelengths\":1},"
                                       "\"collective\":\"broadcast\",\"root\":0,\"blocks\":1,\"block_bytes\":5000,"
                                       "\"scheme\":\"x\",\"steps\":1073741824}",
                                       {"1073741824 0>1 path=0,1 0/0 b0"},
                                       1};
    static const rwa_cost_model models[] = {RWA_COST_PAPER, RWA_COST_CIRCUIT, RWA_COST_OVERLAP};
    for (size_t i = 0; i < 3; i++) {
        rwa_check_report verdict;
        rwa_check_options opts;
        rwa_cost_options cost;
        rwa_limits limits = {.struct_size = sizeof limits, .memory_bytes = 1 << 20};
        rwa_cost_options_init(&cost);
        cost.model = models[i];
        cost.alpha_s = 1e-6;
        cost.reconfig_s = 3e-6;
        cost.cycles_per_flit = 0;
        rwa_check_options_init(&opts);
        opts.cost = &cost;
        opts.rate_bps = 40e9;
        opts.limits = &limits;
        clock_t begun = clock();
        CU_ASSERT_EQUAL_FATAL(judged_check_with(&verdict, &file, &opts, NULL), RWA_OK);
        CU_ASSERT_TRUE((double)(clock() - begun) / CLOCKS_PER_SEC < 1);
        double pause = models[i] == RWA_COST_PAPER ? 3e-6 : 1e-6, block = 5000 * 8 / 40e9;
        /* The steps without a lightpath belong to the epoch of the last step, so that only the first step waits for a
         * reconfiguration, which in overlap covers its start-up. */
        double more = models[i] == RWA_COST_CIRCUIT ? 3e-6 : models[i] == RWA_COST_OVERLAP ? 2e-6 : 0;
        CU_ASSERT_TRUE(verdict.ok);
        CU_ASSERT_DOUBLE_EQUAL(verdict.time_s, LAST * (pause + block) + more, 1e-7);
    }
}

/** One line of 2^31 demands: the others are counted, 20 are named. */
static void missing_demands_are_counted(void)
{
    static const struct judged file = {
        "{\"format\":\"rwa-assignment\",\"version\":1,\"model\":\"directed\",\"network\":{\"kind\":\"graph\",\"nodes\":"
        "3,"
        "\"links\":[[0,1],[1,2]],\"fibers\":1},\"demands\":2147483648,\"wavelengths\":4}",
        {"d70 0>2 path=0,1,2 0/0"},
        1};
    rwa_check_report verdict;
    clock_t begun = clock();
    CU_ASSERT_EQUAL_FATAL(judged_check(&verdict, &file), RWA_OK);
    CU_ASSERT_TRUE((double)(clock() - begun) / CLOCKS_PER_SEC < 2);
    CU_ASSERT_EQUAL(verdict.violations, (UINT64_C(1) << 31) - 1);
    CU_ASSERT_EQUAL(verdict.by_kind[RWA_VIOLATION_COMPLETENESS], verdict.violations);
    CU_ASSERT_EQUAL(verdict.named, RWA_VIOLATIONS_NAMED);
    CU_ASSERT_STRING_EQUAL(verdict.first[19].text, "demand 19 has no line");
}

int main(void)
{
    static const struct test tests[] = {
        TEST(a_check_keeps_to_its_limits), TEST(a_network_keeps_to_its_limits), TEST(a_plan_keeps_to_its_limits),
        TEST(a_late_step_costs_nothing), TEST(missing_demands_are_counted), {0}};
    return run_tests("limits", tests);
}
