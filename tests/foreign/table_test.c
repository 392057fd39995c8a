/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Tables that export writes and import reads, of every scheme: the schedule file of what comes back is, byte for byte,
 *  that of what went. */
#include "tests/support/files.h"
#include "tests/support/folder.h"
#include "tests/support/request.h"

/** The schedule file of a schedule, orbits written out; the caller frees it. */
static char *file_of(const rwa_schedule *sched)
{
    OK(rwa_schedule_write(expanded(sched), in_dir("file.jsonl"), NULL));
    return text_of(in_dir("file.jsonl"));
}

/** Through a table and back, on the network that the table names, or on one that is given. */
static void expect_back_on(const rwa_network *net, const rwa_schedule *sched)
{
    rwa_schedule *back = NULL;
    rwa_import found;
    rwa_error err = {0};
    OK(rwa_schedule_export(sched, "csv", in_dir("t.csv"), NULL, NULL));
    OK(rwa_schedule_import(&back, &found, in_dir("t.csv"), net, NULL, &err));
    if (!back) {
        fprintf(stderr, "%s: %s\n", rwa_schedule_scheme(sched), err.text);
        return;
    }
    char *went = file_of(sched), *came = file_of(back);
    CU_ASSERT_STRING_EQUAL(went, came);
    CU_ASSERT(found.steps == rwa_schedule_steps(sched) && !found.routes_assigned && !found.blocks_assigned);
    CU_ASSERT_EQUAL(rwa_schedule_lightpath_blocks(back), rwa_schedule_lightpath_blocks(sched));
    free(went);
    free(came);
    rwa_schedule_free(back);
}

static void expect_back(const rwa_schedule *sched)
{
    expect_back_on(NULL, sched);
    expect_back_on(rwa_schedule_network(sched), sched);
}

/** false: the scheme cannot. */
static bool plan_comes_back(struct request r)
{
    rwa_plan *plan = NULL;
    if (request_plan(&plan, &r, NULL) != RWA_OK || !rwa_plan_schedule(plan))
        return false;
    expect_back(rwa_plan_schedule(plan));
    return true;
}

static void every_scheme_comes_back(void)
{
    static const char *const networks[] = {"ring:8 w=2",   "ring:5 w=2", "line:6 w=2", "torus:3x3 w=2", "mesh:2x3 w=2",
                                           "star:5 w=8", "ron:6 w=2",  "ocs:6x2 w=1",  "hypercube:3 w=2"};
    unsigned fitting = 0, planned = 0;
    for (size_t i = 0; i < COUNT(networks); i++)
        for (size_t s = 0; rwa_scheme_name(s); s++)
            for (rwa_collective_kind kind = RWA_ALL_GATHER; rwa_collective_name(kind); kind++) {
                if (!rwa_scheme_fits(s, network_on("%s", networks[i]), kind))
                    continue;
                fitting++;
                planned += plan_comes_back(request_of("%s root=1 %s by %s", networks[i], rwa_collective_name(kind),
                                                      rwa_scheme_name(s)));
            }
    CU_ASSERT(planned >= 100 && fitting - planned <= fitting / 4); /* some want a power of two, an even number, ... */
}

/* Some of the nodes, blocks in stripes, several on a lightpath, links and channels that are not to be used. */
static void what_is_special_comes_back(void)
{
    static const char *const special[] = {"", "links=4 reserved=1", "members=0,2,3,5,6,9",
                                          "links=4 reserved=1 members=0,2,3,5,6,9", "stripes=2"};
    for (rwa_collective_kind kind = RWA_ALL_GATHER; rwa_collective_name(kind); kind++)
        for (size_t i = 0; i < COUNT(special) - (kind == RWA_ALL_TO_ALL); i++)
            CU_ASSERT(plan_comes_back(request_of("ring:12 w=4 root=1 %s %s", special[i], rwa_collective_name(kind))));
}

/* By hand: a lightpath of three blocks that a node on its way reads too, and one that carries one block. */
static void lists_come_back(void)
{
    rwa_schedule *sched = empty_on("ring:6 w=2 broadcast blocks=3");
    rwa_lightpath lp = {.step = 1, .src = 0, .dst = 2, .direction = RWA_CW, .orbit = 1};
    rwa_lists lists = {
        .blocks = (uint32_t[]){0, 2, 1}, .block_count = 3, .taps = (uint32_t[]){1}, .tap_count = 1};
    OK(rwa_schedule_add_lists(sched, &lp, &lists, NULL));
    lp.dst = 5;
    lp.direction = RWA_CCW;
    OK(rwa_schedule_add(sched, &lp, NULL));
    expect_back(sched);
    CU_ASSERT_EQUAL(rwa_schedule_export(sched, "msccl", in_dir("x"), NULL, NULL), RWA_BADARG);
    CU_ASSERT_EQUAL(rwa_schedule_export(sched, "harvest", in_dir("x"), NULL, NULL), RWA_BADARG);
}

/* Pairs of blocks on a lightpath: of 48 blocks, 44 must reach each node over its 4 lightpaths in 6 steps. */
static void merged_blocks_come_back(void)
{
    static const char *const kinds[] = {"all-gather", "all-reduce"};
    for (int i = 0; i < 2; i++) {
        const rwa_schedule *sched = schedule_on("ring:12 w=2 bytes=4194304 %s by standing", kinds[i]);
        CU_ASSERT_EQUAL(rwa_schedule_lightpath_blocks(sched), 2);
        expect_back(sched);
    }
}

/* A table is read, and not planned: its caller's poll and time end the reading all the same. */
static void the_caller_stops_the_reading(void)
{
    rwa_schedule *back = NULL;
    rwa_plan_options limited;
    rwa_import_options o;
    rwa_error err = {0};
    struct stop second = {.at = 2};
    OK(rwa_schedule_export(schedule_on("ring:64 w=1"), "csv", in_dir("t.csv"), NULL, NULL));
    rwa_plan_options_init(&limited);
    rwa_import_options_init(&o);
    o.plan = &limited;
    limited.poll = stop_once;
    limited.poll_data = &second;
    CU_ASSERT_EQUAL(rwa_schedule_import(&back, NULL, in_dir("t.csv"), NULL, &o, &err), RWA_CANCELLED);
    CU_ASSERT_EQUAL(second.polls, 2);
    limited.poll = NULL;
    limited.time_limit_s = 1e-9;
    CU_ASSERT_EQUAL(rwa_schedule_import(&back, NULL, in_dir("t.csv"), NULL, &o, &err), RWA_CANCELLED);
    CU_ASSERT_PTR_NULL(back);
    limited.time_limit_s = 60;
    OK(rwa_schedule_import(&back, NULL, in_dir("t.csv"), NULL, &o, &err));
    rwa_schedule_free(back);
}

TESTS_IN_FOLDER("table", every_scheme_comes_back, what_is_special_comes_back, lists_come_back, merged_blocks_come_back,
                the_caller_stops_the_reading)
