/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Networks of one shape are planned, bounded and repaired alike, whatever kind they came as and whatever numbers nodes have. */
#include "network/network.h"
#include "rwa.h"
#include "tests/support/plans.h"
#include "tests/support/suite.h"

#include "base/base.h"

#include <stdlib.h>

enum { NODES = 24, MEMBERS = 8 };

/** A ring or torus as a graph whose nodes are shuffled: number[v] is the node of v. */
static rwa_network *shuffle(uint32_t *number, const char *spec, uint32_t wavelengths, uint64_t seed)
{
    rwa_network_options opts;
    rwa_network *net = NULL, *out = NULL;
    rwa_link links[128];
    rwa_network_options_init(&opts);
    opts.both_ways = 1;
    opts.wavelengths = wavelengths;
    CU_ASSERT_EQUAL_FATAL(rwa_network_parse(&net, spec, &opts, NULL), RWA_OK);
    uint32_t nodes = rwa_network_nodes(net), pairs = rwa_network_pairs(net);
    for (uint32_t v = 0; v < nodes; v++)
        number[v] = v;
    base_shuffle(number, nodes, &seed);
    for (uint32_t e = 0; e < pairs; e++) {
        rwa_link link = rwa_network_link(net, network_has_arcs(net) ? e : 2 * e);
        links[e] = (rwa_link){.from = number[link.from], .to = number[link.to]};
    }
    CU_ASSERT_EQUAL_FATAL(rwa_network_create_graph(&out, nodes, links, pairs, &opts, NULL), RWA_OK);
    rwa_network_free(net);
    return out;
}

struct setting {
    rwa_collective_kind kind;
    const char *scheme;
    uint32_t stripes, slots, max_drops, max_hops, members, root;
    bool fails;
};

static const struct setting settings[] = {
    {RWA_ALL_GATHER, NULL, 0, 0, 1, 0, 0, 0, false},      {RWA_ALL_GATHER, "wavefront", 1, 1, 1, 0, 0, 0, false},
    {RWA_ALL_GATHER, "wavefront", 2, 1, 1, 0, 0, 0, false}, {RWA_ALL_GATHER, "wavefront", 1, 2, 1, 0, 0, 0, false},
    {RWA_ALL_GATHER, "wavefront", 1, 1, 3, 0, 0, 0, false}, {RWA_ALL_GATHER, NULL, 1, 1, 1, 4, 0, 0, false},
    {RWA_ALL_GATHER, NULL, 1, 1, 1, 0, MEMBERS, 0, false}, {RWA_ALL_GATHER, NULL, 1, 1, 1, 0, 0, 0, true},
    {RWA_ALL_REDUCE, NULL, 1, 1, 1, 0, 0, 0, false},      {RWA_REDUCE_SCATTER, NULL, 1, 1, 1, 0, MEMBERS, 0, false},
    {RWA_BROADCAST, NULL, 1, 1, 1, 0, 0, 5, false},       {RWA_SCATTER, NULL, 1, 1, 1, 0, MEMBERS, 3, false},
    {RWA_GATHER, NULL, 1, 1, 1, 0, 0, 7, false},          {RWA_ALL_TO_ALL, "one-stage", 1, 1, 1, 0, 0, 0, false},
    {RWA_ROOTED_REDUCE, NULL, 1, 1, 1, 0, 0, 5, false},   {RWA_ROOTED_REDUCE, NULL, 1, 1, 1, 0, MEMBERS, 3, true},
};

static int ascending(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

/** The setting with node v as number[v]; NULL: as it is. */
static rwa_plan *plan_on(const rwa_network *whole, const struct setting *s, const uint32_t *number)
{
    uint32_t members[MEMBERS], root = s->root, failed;
    rwa_network *net = NULL;
    rwa_plan_options o;
    rwa_collective coll;
    rwa_plan *plan = NULL;
    rwa_error err = {0};
    rwa_plan_options_init(&o);
    o.scheme = s->scheme;
    o.stripes = s->stripes;
    o.lightpath_blocks = s->slots;
    o.max_drops = s->max_drops;
    o.max_hops = s->max_hops;
    o.time_limit_s = 60;
    for (uint32_t i = 0; i < MEMBERS; i++)
        members[i] = number ? number[2 * i] : 2 * i;
    uint32_t root_node = s->members ? members[root] : number ? number[root] : root;
    qsort(members, MEMBERS, sizeof *members, ascending);
    root = root_node;
    for (uint32_t i = 0; s->members && i < MEMBERS; i++)
        root = members[i] == root_node ? i : root;
    o.members = s->members ? members : NULL;
    bool rooted = rwa_collective_has_root(s->kind);
    failed = rwa_network_find_link(whole, number ? number[3] : 3, number ? number[4] : 4);
    rwa_faults faults = {.links = &failed, .link_count = s->fails};
    CU_ASSERT_EQUAL_FATAL(rwa_network_with_faults(&net, whole, &faults, NULL), RWA_OK);
    uint32_t nodes = s->members ? MEMBERS : rwa_network_nodes(net);
    CU_ASSERT_EQUAL_FATAL(rwa_collective_init(&coll, s->kind, nodes, rooted ? root : 0, 1 << 20, 0, NULL), RWA_OK);
    if (rwa_plan_make(&plan, net, &coll, &o, &err) != RWA_OK)
        printf("%s\n", err.text);
    CU_ASSERT_PTR_NOT_NULL_FATAL(plan);
    rwa_network_free(net);
    return plan;
}

/** On listed links "auto" also has the schemes for these: a plan there may be quicker, never slower. */
static bool is_quicker(const rwa_plan *listed, const rwa_plan *canonical)
{
    double time_s = rwa_plan_summary(listed)->time_s, other_s = rwa_plan_summary(canonical)->time_s;
    CU_ASSERT(time_s <= other_s + 1e-12);
    return time_s < other_s - 1e-12;
}

static void assert_alike(const rwa_plan *a, const rwa_plan *b)
{
    const rwa_plan_report *x = rwa_plan_summary(a), *y = rwa_plan_summary(b);
    if (is_quicker(b, a))
        return;
    CU_ASSERT_STRING_EQUAL(x->scheme, y->scheme);
    CU_ASSERT_EQUAL(x->steps, y->steps);
    CU_ASSERT_EQUAL(x->outcome, y->outcome);
    CU_ASSERT_EQUAL(x->bound.value, y->bound.value);
    CU_ASSERT_EQUAL(x->lightpaths, y->lightpaths);
    CU_ASSERT_DOUBLE_EQUAL(x->time_s, y->time_s, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(x->time_bound_s, y->time_bound_s, 1e-12);
}

/** The schedule is one of the network asked for, and the independent checker accepts it there. */
static void assert_valid(const rwa_plan *plan, const rwa_network *net)
{
    rwa_check *check = NULL;
    const rwa_schedule *sched = rwa_plan_schedule(plan);
    CU_ASSERT_PTR_NOT_NULL_FATAL(sched);
    CU_ASSERT_EQUAL(rwa_network_topology(rwa_schedule_network(sched)), rwa_network_topology(net));
    CU_ASSERT_EQUAL_FATAL(rwa_check_schedule(&check, sched, NULL, NULL), RWA_OK);
    CU_ASSERT_EQUAL(rwa_check_summary(check)->violations, 0);
    rwa_check_free(check);
}

static void compare_with(const char *spec, const rwa_network *net, const uint32_t *number)
{
    rwa_network *canonical = network_of(spec, 4);
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        rwa_plan *there = plan_on(canonical, &settings[i], NULL), *here = plan_on(net, &settings[i], number);
        assert_alike(there, here);
        assert_valid(here, net);
        rwa_plan_free(there);
        rwa_plan_free(here);
    }
    rwa_network_free(canonical);
}

static void cycles_are_planned_as_rings(void)
{
    static const char *const specs[] = {"torus:24", "torus:24x1", "circulant:24:1"};
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        rwa_network *net = network_of(specs[i], 4);
        compare_with("ring:24", net, NULL);
        rwa_network_free(net);
    }
}

/** With members and roots in their real numbers; which members come first in number may change the owners of what is shared
 *  out, but not the steps. */
static void shuffled_cycles_are_planned_as_rings(void)
{
    uint32_t number[NODES];
    for (uint64_t seed = 1; seed <= 3; seed++) {
        rwa_network *net = shuffle(number, "ring:24", 4, seed);
        for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
            rwa_network *ring = network_of("ring:24", 4);
            rwa_plan *there = plan_on(ring, &settings[i], NULL), *here = plan_on(net, &settings[i], number);
            if (!is_quicker(here, there)) {
                CU_ASSERT_EQUAL(rwa_plan_summary(there)->outcome, rwa_plan_summary(here)->outcome);
                CU_ASSERT_EQUAL(rwa_plan_summary(there)->steps, rwa_plan_summary(here)->steps);
                CU_ASSERT_EQUAL(rwa_plan_summary(there)->bound.value, rwa_plan_summary(here)->bound.value);
            }
            assert_valid(here, net);
            rwa_plan_free(there);
            rwa_plan_free(here);
            rwa_network_free(ring);
        }
        rwa_network_free(net);
    }
}

static void shuffled_grids_are_planned_as_grids(void)
{
    static const char *const specs[] = {"torus:4x5", "mesh:4x5", "line:20"};
    static const struct setting plain[] = {{RWA_ALL_GATHER, NULL, 1, 1, 1, 0, 0, 0, false},
                                           {RWA_ALL_REDUCE, NULL, 1, 1, 1, 0, 0, 0, false},
                                           {RWA_BROADCAST, NULL, 1, 1, 1, 0, 0, 0, false}};
    uint32_t number[NODES];
    for (size_t k = 0; k < sizeof specs / sizeof *specs; k++)
        for (size_t i = 0; i < sizeof plain / sizeof *plain; i++) {
            rwa_network *net = shuffle(number, specs[k], 2, k + 7), *grid = network_of(specs[k], 2);
            rwa_plan *here = plan_on(net, &plain[i], number), *there = plan_on(grid, &plain[i], NULL);
            assert_valid(here, net);
            if (!is_quicker(here, there)) {
                CU_ASSERT_STRING_EQUAL(rwa_plan_summary(here)->scheme, rwa_plan_summary(there)->scheme);
                CU_ASSERT(rwa_plan_summary(here)->steps <= rwa_plan_summary(there)->steps + 1);
            }
            rwa_plan_free(here);
            rwa_plan_free(there);
            rwa_network_free(net);
            rwa_network_free(grid);
        }
}

/** Schemes for listed links can still be asked for; "auto" tries them too on a small cycle. */
static void schemes_for_listed_links_are_there_by_name(void)
{
    static const struct setting named = {RWA_ALL_GATHER, "nearest", 0, 0, 1, 0, 0, 0, false};
    rwa_network *net = network_of("torus:24", 4);
    rwa_plan *plan = plan_on(net, &named, NULL);
    CU_ASSERT_STRING_EQUAL(rwa_plan_summary(plan)->scheme, "nearest");
    assert_valid(plan, net);
    rwa_plan_free(plan);
    rwa_network_free(net);
}

static void repair(const char *spec, const rwa_network *given)
{
    static const struct setting gather = {RWA_ALL_GATHER, NULL, 1, 1, 1, 0, 0, 0, false};
    rwa_network *own = given ? NULL : network_of(spec, 4);
    const rwa_network *net = given ? given : own;
    rwa_plan *plan = plan_on(net, &gather, NULL), *repaired = NULL;
    uint32_t links[] = {rwa_network_link(net, 0).from == 0 ? 0 : 1};
    CU_ASSERT_EQUAL_FATAL(rwa_plan_repair(&repaired, rwa_plan_schedule(plan), links, 1, 2, NULL, NULL), RWA_OK);
    assert_valid(repaired, net);
    CU_ASSERT(rwa_plan_summary(repaired)->time_s >= rwa_plan_summary(plan)->time_bound_s); /* of the network with all links */
    CU_ASSERT(rwa_network_is_failed(rwa_schedule_network(rwa_plan_schedule(repaired)), links[0]));
    rwa_plan_free(repaired);
    rwa_plan_free(plan);
    rwa_network_free(own);
}

static void schedules_on_all_networks_of_links_are_repaired(void)
{
    static const char *const specs[] = {"ring:16", "torus:16", "torus:4x4", "mesh:3x4", "hypercube:4", "circulant:12:1,3"};
    uint32_t number[NODES];
    rwa_network *net = shuffle(number, "ring:16", 4, 3);
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++)
        repair(specs[i], NULL);
    repair(NULL, net);
    rwa_network_free(net);
}

/** Lightpaths of one link reach every node of a connected network, so that a plan exists under any limit of hops, whichever way a
 *  cycle of four is written; the farthest node, two links away, takes two steps. */
static void one_hop_is_enough_on_every_cycle(void)
{
    static const char *const cycles[] = {"ring:4", "torus:4", "torus:2x2", "hypercube:2"};
    static const rwa_collective_kind kinds[] = {RWA_BROADCAST, RWA_SCATTER,    RWA_GATHER,
                                                RWA_ALL_GATHER, RWA_ALL_TO_ALL, RWA_ROOTED_REDUCE};
    for (size_t i = 0; i < sizeof cycles / sizeof *cycles; i++)
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
            struct setting s = {kinds[k], NULL, 1, 1, 1, 1, 0, 0, false};
            rwa_network *net = network_of(cycles[i], 1);
            rwa_plan *plan = plan_on(net, &s, NULL);
            CU_ASSERT_PTR_NOT_NULL_FATAL(rwa_plan_schedule(plan));
            CU_ASSERT(rwa_plan_summary(plan)->steps >= 2);
            CU_ASSERT_EQUAL(rwa_plan_summary(plan)->longest_hops, 1);
            rwa_plan_free(plan);
            rwa_network_free(net);
        }
}

/** Radices 2 x 2 on a grid of 2 x 2 exchange along links; on the same nodes as a ring some of these exchanges are two links long. */
static void a_scheme_by_name_is_tried_on_the_links_as_given(void)
{
    struct setting s = {RWA_ALL_GATHER, "optree", 1, 1, 1, 1, 0, 0, false};
    rwa_network *net = network_of("torus:2x2", 2);
    rwa_plan *plan = plan_on(net, &s, NULL);
    CU_ASSERT_PTR_NOT_NULL(rwa_plan_schedule(plan));
    rwa_plan_free(plan);
    rwa_network_free(net);
}

/* A hypercube's canonical network is a torus of rings of four nodes, whose translations are others: on many nodes its own keep one record
 * for a lightpath of each node, unless the torus has a quicker plan. */
static void hypercubes_of_many_nodes_keep_their_orbits(void)
{
    static const rwa_collective_kind kinds[] = {RWA_ALL_GATHER, RWA_ALL_REDUCE, RWA_ALL_TO_ALL, RWA_SCATTER};
    uint32_t kept = 0;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        rwa_network *net = network_of("hypercube:9", 1);
        rwa_collective coll;
        rwa_plan_options o;
        rwa_plan *plan = NULL, *torus = NULL;
        CU_ASSERT_EQUAL_FATAL(rwa_collective_init(&coll, kinds[k], 512, 0, 4000, 0, NULL), RWA_OK);
        rwa_plan_options_init(&o);
        o.cost.model = RWA_COST_CIRCUIT;
        o.cost.alpha_s = 1e-6;
        CU_ASSERT_EQUAL_FATAL(rwa_plan_make(&plan, net, &coll, &o, NULL), RWA_OK);
        CU_ASSERT_EQUAL_FATAL(rwa_plan_make(&torus, network_canonical(net), &coll, &o, NULL), RWA_OK);
        const rwa_schedule *s = rwa_plan_schedule(plan);
        CU_ASSERT_PTR_NOT_NULL_FATAL(s);
        CU_ASSERT_TRUE(rwa_plan_summary(plan)->check->ok && rwa_plan_summary(plan)->time_bound_s > 0);
        CU_ASSERT_TRUE(rwa_plan_summary(plan)->time_s <= rwa_plan_summary(torus)->time_s * (1 + 1e-9));
        kept += rwa_schedule_records(s) * 512 == rwa_schedule_lightpaths(s);
        rwa_plan_free(plan);
        rwa_plan_free(torus);
        rwa_network_free(net);
    }
    CU_ASSERT_TRUE(kept >= 1);
}

static double time_of(const char *spec, rwa_collective_kind kind, uint32_t root, rwa_cost_model model)
{
    rwa_network *net = network_of(spec, 3);
    rwa_collective coll;
    rwa_plan_options o;
    rwa_plan *plan = NULL;
    CU_ASSERT_EQUAL_FATAL(rwa_collective_init(&coll, kind, rwa_network_nodes(net), root, 64000, 0, NULL), RWA_OK);
    rwa_plan_options_init(&o);
    o.cost.model = model;
    CU_ASSERT_EQUAL_FATAL(rwa_plan_make(&plan, net, &coll, &o, NULL), RWA_OK);
    double time_s = rwa_plan_summary(plan)->time_s;
    rwa_plan_free(plan);
    rwa_network_free(net);
    return time_s;
}

/* One network, whichever of its dimensions comes first. */
static void the_order_of_dimensions_is_no_matter(void)
{
    static const char *const specs[][2] = {{"torus:5x6", "torus:6x5"}, {"mesh:3x4", "mesh:4x3"}, {"torus:2x3x4", "torus:4x2x3"}};
    static const rwa_cost_model models[] = {RWA_COST_PAPER, RWA_COST_CIRCUIT};
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++)
        for (size_t m = 0; m < sizeof models / sizeof *models; m++)
            for (int kind = RWA_ALL_GATHER; kind <= RWA_ALL_TO_ALL; kind++)
                if (!rwa_collective_has_root((rwa_collective_kind)kind))
                    CU_ASSERT_DOUBLE_EQUAL(time_of(specs[i][0], (rwa_collective_kind)kind, 0, models[m]),
                                           time_of(specs[i][1], (rwa_collective_kind)kind, 0, models[m]), 1e-12);
}

/* A line looks the same from its other end, a grid from each of its corners. */
static void mirrored_roots_have_the_same_time(void)
{
    static const rwa_collective_kind kinds[] = {RWA_BROADCAST, RWA_SCATTER, RWA_GATHER, RWA_ROOTED_REDUCE};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        for (uint32_t root = 0; root < 8; root++)
            CU_ASSERT_DOUBLE_EQUAL(time_of("line:16", kinds[k], root, RWA_COST_CIRCUIT),
                                   time_of("line:16", kinds[k], 15 - root, RWA_COST_CIRCUIT), 1e-12);
        CU_ASSERT_DOUBLE_EQUAL(time_of("mesh:5x3", kinds[k], 1, RWA_COST_PAPER), time_of("mesh:5x3", kinds[k], 13, RWA_COST_PAPER), 1e-12);
        CU_ASSERT_DOUBLE_EQUAL(time_of("torus:5x3", kinds[k], 0, RWA_COST_PAPER), time_of("torus:5x3", kinds[k], 7, RWA_COST_PAPER), 1e-12);
    }
}

int main(void)
{
    static const struct test tests[] = {
        TEST(cycles_are_planned_as_rings), TEST(shuffled_cycles_are_planned_as_rings), TEST(shuffled_grids_are_planned_as_grids),
        TEST(schemes_for_listed_links_are_there_by_name), TEST(schedules_on_all_networks_of_links_are_repaired),
        TEST(one_hop_is_enough_on_every_cycle), TEST(a_scheme_by_name_is_tried_on_the_links_as_given),
        TEST(hypercubes_of_many_nodes_keep_their_orbits), TEST(the_order_of_dimensions_is_no_matter),
        TEST(mirrored_roots_have_the_same_time), {0}};
    return run_tests("canonical", tests);
}
