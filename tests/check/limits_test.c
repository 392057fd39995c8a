/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The caller's limits hold at their border: what just fits is done, one more is refused with the documented status. */
#include "rwa.h"

#include "tests/support/report.h"
#include "tests/support/suite.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char text[] =
    "{\"format\":\"rwa-schedule\",\"version\":1,\"network\":{\"kind\":\"ring\",\"nodes\":4,\"fibers\":1,\"wavelengths\":1},"
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

int main(void)
{
    static const struct test tests[] = {TEST(a_check_keeps_to_its_limits), TEST(a_network_keeps_to_its_limits),
                                        TEST(a_plan_keeps_to_its_limits), {0}};
    return run_tests("limits", tests);
}
