/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The caller's limits hold at their border: what just fits is done, one more is refused with the documented status. */
#include "tests/support/judged.h"
#include "tests/support/request.h"

#include <time.h>

enum { BYTES = 400 };    /* of the file */

static const struct judged broadcast = {
    SCHEDULE("'kind':'ring','nodes':4,'wavelengths':1", "'collective':'broadcast','root':0,'blocks':1,'steps':2"),
    {"1 0>1 cw 0/0 b0", "1 0>3 ccw 0/0 b0", "2 1>2 cw 0/0 b0"}};

static rwa_status check_within(const rwa_limits *limits)
{
    rwa_check_report verdict;
    rwa_check_options opts;
    rwa_error err = {0};
    rwa_check_options_init(&opts);
    opts.limits = limits;
    rwa_status status = judged_check_with(&verdict, &broadcast, &opts, &err);
    CU_ASSERT_TRUE(status == RWA_OK ? verdict.ok : err.text[0] != '\0');
    return status;
}

static rwa_status open_within(const rwa_limits *limits)
{
    struct request r = request_of("torus:8x8");
    rwa_network *net = NULL;
    r.network.limits = limits;
    rwa_status status = rwa_network_parse(&net, r.spec, &r.network, NULL);
    CU_ASSERT_EQUAL(keep_network(net) != NULL, status == RWA_OK);
    return status;
}

static rwa_status plan_within(const rwa_limits *limits)
{
    struct request r = request_of("ring:16 bytes=1024 by ring");
    rwa_plan *plan = NULL;
    r.options.limits = limits;
    return request_plan(&plan, &r, NULL);
}

/** What just fits is done: 16 nodes get 15 blocks each: 240 lightpaths. */
static void work_keeps_to_its_limits(void)
{
    static const struct {
        rwa_status (*work)(const rwa_limits *limits);
        uint32_t nodes;
        uint64_t lightpaths, file_bytes, memory_bytes;
        double time_limit_s;
        rwa_status status;
    } rows[] = {{check_within, 0, 0, 0, 0, 0, RWA_OK},
                {check_within, 4, 3, BYTES, 1 << 20, 0, RWA_OK},
                {check_within, 3, 3, BYTES, 1 << 20, 0, RWA_FORMAT},
                {check_within, 4, 2, BYTES, 1 << 20, 0, RWA_BADARG},
                {check_within, 4, 3, BYTES - 1, 1 << 20, 0, RWA_FORMAT},
                {check_within, 4, 3, BYTES, 4, 0, RWA_NOMEM},
                {check_within, 4, 3, BYTES, 0, 1e-9, RWA_CANCELLED},
                {check_within, 4, 3, BYTES, 0, -1, RWA_BADARG},
                {open_within, 64, 0, 0, 0, 0, RWA_OK},
                {open_within, 63, 0, 0, 0, 0, RWA_BADARG},
                {open_within, 0, 0, 0, 1000, 0, RWA_NOMEM},
                {plan_within, 0, 0, 0, 0, 0, RWA_OK},
                {plan_within, 0, 240, 0, 0, 0, RWA_OK},
                {plan_within, 0, 239, 0, 0, 0, RWA_BADARG},
                {plan_within, 0, 0, 0, 100, 0, RWA_NOMEM},
                {plan_within, 0, 0, 0, 0, -1, RWA_BADARG}};
    OK(check_within(NULL));
    for (size_t i = 0; i < COUNT(rows); i++) {
        rwa_limits limits;
        rwa_limits_init(&limits);
        OK(rows[i].work(&limits));
        limits = (rwa_limits){.struct_size = sizeof limits, .nodes = rows[i].nodes, .lightpaths = rows[i].lightpaths,
                              .file_bytes = rows[i].file_bytes, .memory_bytes = rows[i].memory_bytes,
                              .time_limit_s = rows[i].time_limit_s};
        CU_ASSERT_EQUAL(rows[i].work(&limits), rows[i].status);
    }
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
                                       {"1073741824 0>1 path=0,1 0/0 b0"}};
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
        OK(judged_check_with(&verdict, &file, &opts, NULL));
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
        {"d70 0>2 path=0,1,2 0/0"}};
    rwa_check_report verdict;
    clock_t begun = clock();
    OK(judged_check(&verdict, &file));
    CU_ASSERT_TRUE((double)(clock() - begun) / CLOCKS_PER_SEC < 2);
    CU_ASSERT_EQUAL(verdict.violations, (UINT64_C(1) << 31) - 1);
    CU_ASSERT_EQUAL(verdict.by_kind[RWA_VIOLATION_COMPLETENESS], verdict.violations);
    CU_ASSERT_EQUAL(verdict.named, RWA_VIOLATIONS_NAMED - 4);   /* four places are for other kinds */
    CU_ASSERT_STRING_EQUAL(verdict.first[15].text, "demand 15 has no line");
}

TESTS("limits", work_keeps_to_its_limits, a_late_step_costs_nothing, missing_demands_are_counted)
