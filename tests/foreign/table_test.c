/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Tables that export writes and import reads, of every scheme: the schedule file of what comes back is, byte for byte,
 *  that of what went. */
#define _XOPEN_SOURCE 700
#include "tests/support/folder.h"
#include "tests/support/plans.h"
#include "tests/support/suite.h"

#include <stdbool.h>

/** The schedule file of a schedule, orbits written out; the caller frees it. */
static char *file_of(const rwa_schedule *sched)
{
    rwa_schedule *all = NULL;
    OK(rwa_schedule_expand(&all, sched, NULL));
    OK(rwa_schedule_write(all, in_dir("file.jsonl"), NULL));
    rwa_schedule_free(all);
    return text_of(in_dir("file.jsonl"));
}

/** Through a table and back, on the network that the table names, or on one that is given. */
static void expect_back(const rwa_schedule *sched, const rwa_network *net)
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

/** false: the scheme cannot. */
static bool plan_and_expect_back(const rwa_network *net, rwa_collective_kind kind, uint32_t nodes,
                                 const rwa_plan_options *opts)
{
    rwa_collective coll;
    rwa_plan *plan = NULL;
    OK(rwa_collective_init(&coll, kind, nodes, 1, 4096, 0, NULL));
    rwa_status st = rwa_plan_make(&plan, net, &coll, opts, NULL);
    const rwa_schedule *sched = st == RWA_OK ? rwa_plan_schedule(plan) : NULL;
    if (sched) {
        expect_back(sched, NULL);
        expect_back(sched, rwa_schedule_network(sched));
    }
    rwa_plan_free(plan);
    return sched != NULL;
}

static void every_scheme_comes_back(void)
{
    static const char *const specs[] = {"ring:8", "ring:5", "line:6",  "torus:3x3",  "mesh:2x3",
                                        "star:5", "ron:6",  "ocs:6x2", "hypercube:3"};
    unsigned fitting = 0, planned = 0;
    for (size_t i = 0; i < COUNT(specs); i++) {
        rwa_network *net = network_of(specs[i], strncmp(specs[i], "star", 4) == 0 ? 8
                                                : strncmp(specs[i], "o", 1) == 0  ? 1
                                                                                  : 2);
        for (size_t s = 0; rwa_scheme_name(s); s++)
            for (rwa_collective_kind kind = RWA_ALL_GATHER; rwa_collective_name(kind);
                 kind = (rwa_collective_kind)(kind + 1)) {
                rwa_plan_options opts;
                rwa_plan_options_init(&opts);
                opts.scheme = rwa_scheme_name(s);
                if (!rwa_scheme_fits(s, net, kind))
                    continue;
                fitting++;
                if (plan_and_expect_back(net, kind, rwa_network_nodes(net), &opts))
                    planned++;
            }
        rwa_network_free(net);
    }
    CU_ASSERT(planned >= 100 && fitting - planned <= fitting / 4); /* some want a power of two, an even number, ... */
}

/* Some of the nodes, blocks in stripes, several on a lightpath, links and channels that are not to be used. */
static void what_is_special_comes_back(void)
{
    static const uint32_t members[] = {0, 2, 3, 5, 6, 9}, lost[] = {4}, reserved[] = {1};
    rwa_faults faults = {.links = lost, .link_count = 1, .channels = reserved, .channel_count = 1};
    rwa_network *net = network_of("ring:12", 4), *faulty = NULL;
    rwa_plan_options plain, opts;
    OK(rwa_network_with_faults(&faulty, net, &faults, NULL));
    rwa_plan_options_init(&plain);
    for (rwa_collective_kind kind = RWA_ALL_GATHER; rwa_collective_name(kind); kind = (rwa_collective_kind)(kind + 1)) {
        opts = plain;
        opts.members = members;
        CU_ASSERT(plan_and_expect_back(net, kind, 6, &opts));
        CU_ASSERT(plan_and_expect_back(faulty, kind, 6, &opts));
        CU_ASSERT(plan_and_expect_back(net, kind, 12, &plain));
        CU_ASSERT(plan_and_expect_back(faulty, kind, 12, &plain));
        opts = plain;
        opts.stripes = 2;
        CU_ASSERT(kind == RWA_ALL_TO_ALL || plan_and_expect_back(net, kind, 12, &opts));
    }
    rwa_network_free(faulty);
    rwa_network_free(net);
}

/* By hand: a lightpath of three blocks that a node on its way reads too, and one that carries one block. */
static void lists_come_back(void)
{
    static const uint32_t blocks[] = {0, 2, 1}, taps[] = {1};
    rwa_network *net = network_of("ring:6", 2);
    rwa_collective coll;
    rwa_schedule *sched = NULL;
    rwa_lightpath lp = {.step = 1, .src = 0, .dst = 2, .direction = RWA_CW, .orbit = 1};
    rwa_lists lists = {.blocks = blocks, .block_count = 3, .taps = taps, .tap_count = 1};
    OK(rwa_collective_init(&coll, RWA_BROADCAST, 6, 0, 4096, 3, NULL));
    OK(rwa_schedule_create(&sched, net, &coll, "by hand", NULL));
    OK(rwa_schedule_add_lists(sched, &lp, &lists, NULL));
    lp.dst = 5;
    lp.direction = RWA_CCW;
    OK(rwa_schedule_add(sched, &lp, NULL));
    expect_back(sched, NULL);
    CU_ASSERT_EQUAL(rwa_schedule_export(sched, "msccl", in_dir("x"), NULL, NULL), RWA_BADARG);
    CU_ASSERT_EQUAL(rwa_schedule_export(sched, "harvest", in_dir("x"), NULL, NULL), RWA_BADARG);
    rwa_schedule_free(sched);
    rwa_network_free(net);
}

/* Pairs of blocks on a lightpath of a plan, which 32 nodes have use for with 4 wavelengths. */
static void merged_blocks_come_back(void)
{
    rwa_network *net = network_of("ring:32", 4);
    for (int sums = 0; sums < 2; sums++) {
        rwa_collective coll;
        rwa_plan_options opts;
        rwa_plan *plan = NULL;
        rwa_plan_options_init(&opts);
        opts.scheme = "wavefront";
        opts.lightpath_blocks = 2;
        OK(rwa_collective_init(&coll, sums ? RWA_ALL_REDUCE : RWA_ALL_GATHER, 32, 0, 4096, 0, NULL));
        OK(rwa_plan_make(&plan, net, &coll, &opts, NULL));
        CU_ASSERT_EQUAL(rwa_schedule_lightpath_blocks(rwa_plan_schedule(plan)), 2);
        expect_back(rwa_plan_schedule(plan), NULL);
        rwa_plan_free(plan);
    }
    rwa_network_free(net);
}

static int stop(void *asked, const char *phase, double fraction)
{
    (void)phase;
    (void)fraction;
    return ++*(int *)asked > 1;
}

/* A table is read, and not planned: its caller's poll and time end the reading all the same. */
static void the_caller_stops_the_reading(void)
{
    rwa_network *net = network_of("ring:64", 1);
    rwa_schedule *back = NULL;
    rwa_plan *plan = NULL;
    rwa_collective coll;
    rwa_plan_options limited;
    rwa_import_options o;
    rwa_error err = {0};
    int asked = 0;
    OK(rwa_collective_init(&coll, RWA_ALL_GATHER, 64, 0, 4096, 0, NULL));
    OK(rwa_plan_make(&plan, net, &coll, NULL, NULL));
    OK(rwa_schedule_export(rwa_plan_schedule(plan), "csv", in_dir("t.csv"), NULL, NULL));
    rwa_plan_options_init(&limited);
    rwa_import_options_init(&o);
    o.plan = &limited;
    limited.poll = stop;
    limited.poll_data = &asked;
    CU_ASSERT_EQUAL(rwa_schedule_import(&back, NULL, in_dir("t.csv"), NULL, &o, &err), RWA_CANCELLED);
    CU_ASSERT_EQUAL(asked, 2);
    limited.poll = NULL;
    limited.time_limit_s = 1e-9;
    CU_ASSERT_EQUAL(rwa_schedule_import(&back, NULL, in_dir("t.csv"), NULL, &o, &err), RWA_CANCELLED);
    CU_ASSERT_PTR_NULL(back);
    limited.time_limit_s = 60;
    OK(rwa_schedule_import(&back, NULL, in_dir("t.csv"), NULL, &o, &err));
    rwa_schedule_free(back);
    rwa_plan_free(plan);
    rwa_network_free(net);
}

TESTS_IN_FOLDER("table", every_scheme_comes_back, what_is_special_comes_back, lists_come_back, merged_blocks_come_back,
                the_caller_stops_the_reading)
