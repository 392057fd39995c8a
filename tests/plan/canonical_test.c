/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Networks of one shape are planned, bounded and repaired alike, whatever kind they came as and whatever numbers nodes
 * have. */
#include "network/network.h"

#include "tests/support/shuffled.h"

enum { NODES = 24, MEMBERS = 8 };

/* Members, where there are any, are the even nodes below 16; the failed link leads from node 3 to node 4. */
static const char *const settings[] = {
    "all-gather", "all-gather stripes=1 load=1 by wavefront", "all-gather stripes=2 load=1 by wavefront",
    "all-gather stripes=1 load=2 by wavefront", "all-gather stripes=1 load=1 drops=3 by wavefront",
    "all-gather stripes=1 load=1 hops=4", "all-gather stripes=1 load=1 members=0",
    "all-gather stripes=1 load=1 failed=3>4", "all-reduce stripes=1 load=1",
    "reduce-scatter stripes=1 load=1 members=0", "broadcast stripes=1 load=1 root=5",
    "scatter stripes=1 load=1 root=3 members=0", "gather stripes=1 load=1 root=7",
    "all-to-all stripes=1 load=1 by one-stage", "reduce stripes=1 load=1 root=5",
    "reduce stripes=1 load=1 root=3 members=0 failed=3>4"};

static int ascending(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

/** The setting with node v as number[v]; NULL: as it is.  The checker accepts it on the network asked for. */
static rwa_plan *plan_numbered(const rwa_network *whole, const char *setting, const uint32_t *number)
{
    struct request r = request_of("ring:24 bytes=1048576 limit=60 %s", setting);
    uint32_t failed = rwa_network_find_link(whole, number ? number[3] : 3, number ? number[4] : 4);
    rwa_faults faults = {.links = &failed, .link_count = r.failed[0] != 0};
    rwa_network *net = NULL;
    for (uint32_t i = 0; i < MEMBERS && r.members.count > 0; i++)
        r.members.at[i] = number ? number[2 * i] : 2 * i;
    uint32_t root = r.members.count ? r.members.at[r.root] : number ? number[r.root] : r.root;
    r.members.count = r.members.count > 0 ? MEMBERS : 0;
    qsort(r.members.at, r.members.count, sizeof *r.members.at, ascending);
    for (r.root = 0; r.root < r.members.count && r.members.at[r.root] != root;)
        r.root++;
    r.root = !rwa_collective_has_root(r.kind) ? 0 : r.members.count ? r.root : root;
    OK(rwa_network_with_faults(&net, whole, &faults, NULL));
    rwa_plan *plan = plan_for(on_network(keep_network(net), r));
    CU_ASSERT_EQUAL(rwa_network_topology(rwa_schedule_network(rwa_plan_schedule(plan))), rwa_network_topology(net));
    return plan;
}

/** On listed links "auto" also has the schemes for these: a plan there may be quicker, never slower.  Which members
 * come first in number may change the owners of what is shared out, but not the steps. */
static void compare_with(const char *spec, const rwa_network *net, const uint32_t *number)
{
    rwa_network *canonical = network_on("%s w=4", spec);
    for (size_t i = 0; i < COUNT(settings); i++) {
        const rwa_plan_report *x = rwa_plan_summary(plan_numbered(canonical, settings[i], NULL));
        const rwa_plan_report *y = rwa_plan_summary(plan_numbered(net, settings[i], number));
        bool alike = x->steps == y->steps && x->outcome == y->outcome && x->bound.value == y->bound.value;
        if (!number)
            alike = alike && strcmp(x->scheme, y->scheme) == 0 && x->lightpaths == y->lightpaths &&
                    fabs(x->time_s - y->time_s) <= 1e-12 && fabs(x->time_bound_s - y->time_bound_s) <= 1e-12;
        CU_ASSERT(alike || y->time_s < x->time_s - 1e-12);
        CU_ASSERT(number || y->time_s <= x->time_s + 1e-12);
    }
}

static void cycles_are_planned_as_rings(void)
{
    static const char *const specs[] = {"torus:24", "torus:24x1", "circulant:24:1"};
    uint32_t number[NODES];
    for (size_t i = 0; i < COUNT(specs); i++)
        compare_with("ring:24", network_on("%s w=4", specs[i]), NULL);
    for (uint64_t by = 1; by <= 3; by++)
        compare_with("ring:24", shuffled(number, network_on("ring:24 w=4"), by), number);
}

static void shuffled_grids_are_planned_as_grids(void)
{
    static const char *const specs[] = {
        "torus:4x5", "mesh:4x5", "line:20"}, *const kinds[] = {"all-gather", "all-reduce", "broadcast"};
    uint32_t number[NODES];
    char setting[64];
    for (size_t k = 0; k < COUNT(specs); k++)
        for (size_t i = 0; i < COUNT(kinds); i++) {
            snprintf(setting, sizeof setting, "%s stripes=1 load=1", kinds[i]);
            const rwa_network *net = network_on("%s w=2", specs[k]), *other = shuffled(number, net, k + 7);
            const rwa_plan_report *y = rwa_plan_summary(plan_numbered(other, setting, number));
            const rwa_plan_report *x = rwa_plan_summary(plan_numbered(net, setting, NULL));
            CU_ASSERT(y->time_s < x->time_s - 1e-12 || (strcmp(x->scheme, y->scheme) == 0 && y->steps <= x->steps + 1));
        }
}

static void repair(const rwa_network *net)
{
    rwa_plan *plan = plan_numbered(net, "all-gather stripes=1 load=1", NULL), *repaired = NULL;
    uint32_t link = rwa_network_link(net, 0).from == 0 ? 0 : 1;
    OK(rwa_plan_repair(&repaired, rwa_plan_schedule(plan), &link, 1, 2, NULL, NULL));
    keep_plan(repaired);
    CU_ASSERT_FATAL(rwa_plan_schedule(repaired) && rwa_plan_summary(repaired)->check->ok);
    CU_ASSERT(rwa_plan_summary(repaired)->time_s >=
              rwa_plan_summary(plan)->time_bound_s); /* of the network with all links */
    CU_ASSERT(rwa_network_is_failed(rwa_schedule_network(rwa_plan_schedule(repaired)), link));
}

static void schedules_on_all_networks_of_links_are_repaired(void)
{
    static const char *const specs[] = {
        "ring:16", "torus:16", "torus:4x4", "mesh:3x4", "hypercube:4", "circulant:12:1,3"};
    uint32_t number[NODES];
    for (size_t i = 0; i < COUNT(specs); i++)
        repair(network_on("%s w=4", specs[i]));
    repair(shuffled(number, network_on("ring:16 w=4"), 3));
}

/** Lightpaths of one link reach every node of a connected network, so that a plan exists under any limit of hops,
 * whichever way a cycle of four is written; the farthest node, two links away, takes two steps. */
static void one_hop_is_enough_on_every_cycle(void)
{
    static const char *const cycles[] = {"ring:4", "torus:4", "torus:2x2", "hypercube:2"};
    for (size_t i = 0; i < COUNT(cycles); i++)
        for (rwa_collective_kind kind = RWA_ALL_GATHER; kind <= RWA_ROOTED_REDUCE; kind++) {
            const rwa_plan_report *s =
                report_on("%s w=1 hops=1 stripes=1 load=1 %s", cycles[i], rwa_collective_name(kind));
            CU_ASSERT(s->steps >= 2 && s->longest_hops == 1);
        }
    /* Radices 2 x 2 on a grid of 2 x 2 exchange along links; on the same nodes as a ring some of these exchanges are
     * two links long. */
    CU_ASSERT(steps_on("torus:2x2 w=2 hops=1 stripes=1 load=1 by optree") > 0);
    /* Schemes for listed links can still be asked for. */
    CU_ASSERT_STRING_EQUAL(report_on("torus:24 w=4 bytes=1048576 by nearest")->scheme, "nearest");
}

/* A hypercube's canonical network is a torus of rings of four nodes, whose translations are others: on many nodes its
 * own keep one record for a lightpath of each node, unless the torus has a quicker plan. */
static void hypercubes_of_many_nodes_keep_their_orbits(void)
{
    static const char *const kinds[] = {"all-gather", "all-reduce", "all-to-all", "scatter"};
    uint32_t kept = 0;
    for (size_t k = 0; k < COUNT(kinds); k++) {
        struct request r = request_of("hypercube:%d w=1 bytes=4000 model=circuit alpha=1e-6 %s",
                                      strcmp(kinds[k], "all-to-all") ? 9 : 8, kinds[k]); /* that of 512 takes 20 s */
        const rwa_plan *plan = plan_for(r), *torus = plan_for(on_network(network_canonical(request_network(r)), r));
        CU_ASSERT(rwa_plan_summary(plan)->time_bound_s > 0);
        CU_ASSERT(rwa_plan_summary(plan)->time_s <= rwa_plan_summary(torus)->time_s * (1 + 1e-9));
        const rwa_schedule *sched = rwa_plan_schedule(plan);
        kept += rwa_schedule_records(sched) * rwa_network_nodes(rwa_schedule_network(sched)) ==
                rwa_schedule_lightpaths(sched);
    }
    CU_ASSERT_TRUE(kept >= 1);
}

/* One network, whichever of its dimensions comes first. */
static void the_order_of_dimensions_is_no_matter(void)
{
    static const char *const specs[][2] = {
        {"torus:5x6", "torus:6x5"}, {"mesh:3x4", "mesh:4x3"}, {"torus:2x3x4", "torus:4x2x3"}};
    static const char *const models[] = {"paper", "circuit"};
    for (size_t i = 0; i < COUNT(specs); i++)
        for (size_t m = 0; m < COUNT(models); m++)
            for (rwa_collective_kind kind = RWA_ALL_GATHER; kind <= RWA_ALL_TO_ALL; kind++)
                if (!rwa_collective_has_root(kind))
                    CU_ASSERT_DOUBLE_EQUAL(
                        time_on("%s w=3 bytes=64000 model=%s %s", specs[i][0], models[m], rwa_collective_name(kind)),
                        time_on("%s w=3 bytes=64000 model=%s %s", specs[i][1], models[m], rwa_collective_name(kind)),
                        1e-12);
}

/* A line looks the same from its other end, a grid from each of its corners. */
static void mirrored_roots_have_the_same_time(void)
{
    static const struct { const char *spec; uint32_t root, other;
    } mirrored[] = {{"line:16 model=circuit", 0, 15},
                    {"line:16 model=circuit", 1, 14},
                    {"line:16 model=circuit", 2, 13},
                    {"line:16 model=circuit", 3, 12},
                    {"line:16 model=circuit", 4, 11},
                    {"line:16 model=circuit", 5, 10},
                    {"line:16 model=circuit", 6, 9},
                    {"line:16 model=circuit", 7, 8},
                    {"mesh:5x3", 1, 13},
                    {"torus:5x3", 0, 7}};
    static const char *const kinds[] = {"broadcast", "scatter", "gather", "reduce"};
    for (size_t i = 0; i < COUNT(mirrored); i++)
        for (size_t k = 0; k < COUNT(kinds); k++)
            CU_ASSERT_DOUBLE_EQUAL(
                time_on("%s w=3 bytes=64000 root=%u %s", mirrored[i].spec, mirrored[i].root, kinds[k]),
                time_on("%s w=3 bytes=64000 root=%u %s", mirrored[i].spec, mirrored[i].other, kinds[k]), 1e-12);
}

TESTS("canonical", cycles_are_planned_as_rings, shuffled_grids_are_planned_as_grids,
      schedules_on_all_networks_of_links_are_repaired, one_hop_is_enough_on_every_cycle,
      hypercubes_of_many_nodes_keep_their_orbits, the_order_of_dimensions_is_no_matter,
      mirrored_roots_have_the_same_time)
