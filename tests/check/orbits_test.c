/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Orbits on rings, tori and hypercubes are judged as their lightpaths written out: the checker expands them with code
 * of its own, the schedule with the library's, and random spoilt records must have the same verdict from both. */
#include "tests/support/orbits.h"
#include "tests/support/same_verdict.h"
#include "tests/support/spoilt.h"

/* ---- verdicts ---- */

struct tally {
    size_t good, bad;
};

/** A right schedule, and what becomes of it when records are spoilt one after the other. */
static void judge_spoilt(struct tally *t, const rwa_schedule *sched, uint32_t times)
{
    rwa_schedule *last = NULL;
    CU_ASSERT(same_verdict(sched));
    for (uint32_t i = 0; i < times; i++) {
        const rwa_schedule *from = last && i % 4 > 0 && rwa_schedule_records(last) > 0 ? last : sched;
        rwa_schedule *changed = spoilt(from, any(rwa_schedule_records(from)));
        *(same_verdict(changed) ? &t->good : &t->bad) += 1;
        rwa_schedule_free(last);
        last = changed;
    }
    rwa_schedule_free(last);
}

/* Plans of standing are orbits, but where two dimensions of 2 are planned as a cycle of 4; those of nearest and compose
 * hardly ever are. */
static void plans_are_judged_as_their_lightpaths(void)
{
    static const char *const rings[] = {
        "ring:24 w=4 by wavefront", "ring:32 w=8 by wavefront", "ring:30 w=5 by wavefront", "ring:25 w=4 by wavefront",
        "ring:12 w=3 by ring-striped", "ring:10 w=4 by ring-striped", "ring:9 w=2 by ring-both",
        "ring:24 w=4 reduce-scatter by wavefront", "ring:30 w=5 all-reduce by wavefront",
        "ring:12 w=3 reduce-scatter by ring-striped", "ring:10 w=4 all-reduce by ring-striped",
        "ring:24 w=4 load=3 by wavefront", "ring:24 w=4 load=3 all-reduce by wavefront",
        "ring:20 w=4 drops=3 by wavefront", "ring:64 w=16 all-reduce by wavefront",
        "ring:70 w=14 reduce-scatter by wavefront", "ring:130 w=26 all-reduce by wavefront",
        "ring:16 w=4 all-to-all by standing", "ring:18 w=3 all-to-all by standing",
        "ring:65 w=5 all-to-all by standing"};
    static const char *const tori[] = {
        "torus:4x4 w=8", "torus:5x3 w=7", "torus:3x2 w=6", "torus:6x4 w=4 f=3", "torus:8 w=5 f=2", "torus:2x2x3 w=4",
        "torus:4x2x2 w=9 f=2", "hypercube:3 w=4", "torus:3x3x3 w=6", "torus:6x4 w=10"};
    static const char *const kinds_of_plans[] = {
        "bytes=1048576 by standing", "bytes=1048576 reduce-scatter by standing", "bytes=1048576 all-reduce by standing",
        "bytes=64 all-to-all by standing", "bytes=1048576 by nearest", "bytes=1048576 by compose"};
    struct tally t = {0, 0};
    size_t small = 0;
    seed = 11;
    for (size_t i = 0; i < COUNT(rings); i++) {
        const rwa_schedule *sched = schedule_on("%s", rings[i]);
        judge_spoilt(&t, sched, rwa_network_nodes(rwa_schedule_network(sched)) < 64 ? 120 : 25);
    }
    for (size_t i = 0; i < COUNT(tori) * COUNT(kinds_of_plans); i++) {
        const rwa_schedule *sched = schedule_on("%s model=circuit %s", tori[i / COUNT(kinds_of_plans)],
                                                kinds_of_plans[i % COUNT(kinds_of_plans)]);
        small += rwa_schedule_records(sched) * rwa_network_nodes(rwa_schedule_network(sched)) ==
                 rwa_schedule_lightpaths(sched);
        judge_spoilt(&t, sched, 12);
    }
    CU_ASSERT(t.bad > 1000 && t.good > 40 && small > 15); /* both verdicts were really tried */
}

/* The all-gather's schedule behind a scatter, step by step, from node 0, both ways; every third node gets another share
 * besides. */
static rwa_schedule *broadcast_of(const rwa_schedule *gather)
{
    const rwa_collective *all = rwa_schedule_collective(gather);
    uint32_t nodes = all->nodes, share = (uint32_t)(all->blocks / nodes);
    rwa_collective coll;
    rwa_schedule *out = NULL;
    OK(rwa_collective_init(&coll, RWA_BROADCAST, nodes, 0, all->blocks * 64, all->blocks, NULL));
    OK(rwa_schedule_create(&out, rwa_schedule_network(gather), &coll, "joined", NULL));
    for (uint32_t v = 1; v < nodes; v++) {
        uint32_t shares = v % 3 == 0 ? 2 : 1;
        rwa_run runs[2] = {{v * share, share, 1}, {v * 7 % nodes * share, share, 1}};
        rwa_lists lists = {.runs = runs, .run_count = shares, .block_count = share * shares};
        rwa_lightpath lp = {.step = v, .src = 0, .dst = v, .block = v * share, .orbit = 1};
        OK(rwa_schedule_add_lists(out, &lp, &lists, NULL));
        lp.direction = RWA_CCW;
        OK(rwa_schedule_add_lists(out, &lp, &lists, NULL));
    }
    for (uint64_t i = 0; i < rwa_schedule_records(gather); i++) {
        rwa_lightpath lp = lightpath_of(gather, i);
        rwa_lists lists = lists_of(gather, i);
        lp.step += nodes - 1;
        OK(rwa_schedule_add_lists(out, &lp, &lists, NULL));
    }
    return keep_schedule(out);
}

/* Behind the scatter one node stands for all: what it and the root hold besides does not count until a record needs it.
 */
static void broadcasts_go_on_like_all_gathers(void)
{
    static const char *const lines[] = {
        "ring:24 w=4 by wavefront", "ring:24 w=4 load=3 by wavefront", "ring:20 w=4 drops=3 by wavefront",
        "ring:9 w=2 by ring-both", "ring:12 w=3 by ring-striped"};
    struct tally t = {0, 0};
    for (size_t i = 0; i < COUNT(lines); i++)
        judge_spoilt(&t, broadcast_of(schedule_on("%s", lines[i])), 150);
    CU_ASSERT(t.bad > 200 && t.good > 100);
}

/* Several periods in a step, bends and taps. */
static void random_orbits_are_judged_as_their_lightpaths(void)
{
    struct tally t = {0, 0};
    for (uint32_t i = 0; i < 30 * ORBIT_SHAPES; i++) {
        const uint32_t *shape = orbit_shapes[i % ORBIT_SHAPES];
        rwa_network *net = orbit_network(shape);
        rwa_schedule *sched = random_orbits(net, shape, RWA_ALL_GATHER, i / ORBIT_SHAPES % 3 * 2, false);
        judge_spoilt(&t, sched, 8);
        for (uint32_t k = 0; k < 4; k++) {
            sched = random_orbits(net, shape, RWA_ALL_GATHER, i / ORBIT_SHAPES % 3 * 2, true);
            *(same_verdict(sched) ? &t.good : &t.bad) += 1;
        }
    }
    CU_ASSERT(t.bad > 1000 && t.good > 50);
}

/* N (N - 1) blocks in 64 stripes each: thousands of millions of lightpaths, of which one node's are looked at. */
static void large_rings_take_little(void)
{
    CU_ASSERT_EQUAL(report_on("ring:4096 w=64 by ring-striped")->check->lightpaths, UINT64_C(4096) * 4095 * 64);
    CU_ASSERT_EQUAL(report_on("ring:1024 w=64 reduce-scatter by ring-striped")->check->lightpaths,
                    UINT64_C(1024) * 1023 * 64);
}

TESTS("orbits", plans_are_judged_as_their_lightpaths, broadcasts_go_on_like_all_gathers,
      random_orbits_are_judged_as_their_lightpaths, large_rings_take_little)
