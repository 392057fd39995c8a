/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Trees without a common link: as many as the least cut, by Edmonds' theorem; and broadcasts in chunks down such trees. */
#include "rwa.h"

#include "scheme/own/disjoint_trees.h"

#include "tests/support/plans.h"
#include "tests/support/suite.h"

#include <stdlib.h>

static bool thorough;

/** Every node hangs below the root, one link below its parent. */
static bool is_spanning(const struct disjoint_trees *t, const rwa_network *net, uint32_t tree, uint32_t root)
{
    const uint32_t *parent = t->parent + (size_t)tree * t->nodes, *hops = t->hops + (size_t)tree * t->nodes;
    bool right = parent[root] == root && hops[root] == 0;
    for (uint32_t v = 0; v < t->nodes && right; v++)
        if (v != root)
            right = parent[v] < t->nodes && hops[v] == hops[parent[v]] + 1 && hops[v] <= t->depth &&
                    (network_has_arcs(net) || rwa_network_find_link(net, parent[v], v) != RWA_NO_LINK);
    return right;
}

static bool are_disjoint(const struct disjoint_trees *t, uint32_t root)
{
    bool right = true;
    for (uint32_t a = 0; a < t->trees; a++)
        for (uint32_t b = 0; b < a; b++)
            for (uint32_t v = 0; v < t->nodes; v++) {
                size_t i = (size_t)a * t->nodes + v, k = (size_t)b * t->nodes + v;
                right = right && (v == root || t->parent[i] != t->parent[k] || t->ccw[i] != t->ccw[k]);
            }
    return right;
}

/* No more trees than links enter a node, and the networks below have no lesser cut: those of all nodes alike have as many trees as links
 * at a node (Mader 1971), trees one, a mesh two into its corners; a random regular graph is as connected in all cases drawn. */
static void trees_are_as_many_as_the_least_cut(void)
{
    static const struct {
        const char *spec;
        uint32_t trees;
    } cases[] = {{"torus:4x5", 4},        {"torus:3x3x3", 6},        {"hypercube:5", 5}, {"mesh:4x6", 2},     {"tree:2x3", 1},
                 {"circulant:20:1,3", 4}, {"circulant:12:1,6", 3},   {"nsfnet14-21", 2}, {"hypercube:1", 1},  {"regular:40:3:7", 3},
                 {"regular:60:4:1", 4}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        rwa_network *net = network_of(cases[i].spec, 1);
        for (uint32_t root = 0; root < rwa_network_nodes(net); root += 3) {
            for (uint32_t most = 1; most <= TREES_MOST; most = most <= cases[i].trees ? most + 1 : TREES_MOST + 1) {
                struct disjoint_trees t;
                CU_ASSERT_EQUAL_FATAL(disjoint_trees_pack(&t, net, root, most, NULL), RWA_OK);
                CU_ASSERT_EQUAL(t.trees, most < cases[i].trees ? most : cases[i].trees);
                for (uint32_t tree = 0; tree < t.trees; tree++)
                    CU_ASSERT_TRUE(is_spanning(&t, net, tree, root));
                CU_ASSERT_TRUE(are_disjoint(&t, root));
                disjoint_trees_free(&t);
            }
        }
        rwa_network_free(net);
    }
}

/* Two links leave the root of a ring, so that two trees begin with one each, and neither reaches a node by the other's. */
static void paths_round_a_ring_share_no_link(void)
{
    for (uint32_t n = 2; n <= 9; n++) {
        char spec[16];
        snprintf(spec, sizeof spec, "ring:%u", n);
        rwa_network *net = network_of(spec, 1);
        for (uint32_t root = 0; root < n; root++) {
            struct disjoint_trees t;
            CU_ASSERT_EQUAL_FATAL(arc_trees_make(&t, net, root, &(struct arc_shape){.width = 1, .round = true}, NULL), RWA_OK);
            CU_ASSERT_EQUAL(t.depth, n - 1);
            for (uint32_t tree = 0; tree < 2; tree++) {
                CU_ASSERT_TRUE(is_spanning(&t, net, tree, root));
                for (uint32_t v = 0; v < n; v++)
                    CU_ASSERT_TRUE(v == root || t.parent[tree * n + v] == (tree ? v + 1 : v + n - 1) % n);
            }
            CU_ASSERT_TRUE(are_disjoint(&t, root));
            disjoint_trees_free(&t);
        }
        rwa_network_free(net);
    }
}

/* A tree that shares links with none is the one of shortest paths: on a torus, half the nodes of each dimension.  Three of four go half as
 * deep again at most, since a third of the links into a node may stay dark. */
static void few_trees_are_shallow(void)
{
    static const struct {
        const char *spec;
        uint32_t most, depth;
    } cases[] = {{"torus:16x16", 1, 16}, {"torus:16x16", 3, 24}, {"torus:9x12", 1, 10}, {"hypercube:6", 1, 6}, {"mesh:5x7", 1, 10}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        rwa_network *net = network_of(cases[i].spec, 1);
        struct disjoint_trees t;
        CU_ASSERT_EQUAL_FATAL(disjoint_trees_pack(&t, net, 0, cases[i].most, NULL), RWA_OK);
        CU_ASSERT_TRUE(cases[i].most == 1 ? t.depth == cases[i].depth : t.depth <= cases[i].depth);
        disjoint_trees_free(&t);
        rwa_network_free(net);
    }
}

/** Mark the channel of the lightpath to a node on all its links; false: another lightpath has it. */
static bool take_channel(uint8_t *used, const struct disjoint_trees *t, uint32_t v)
{
    uint32_t n = t->nodes;
    bool is_free = t->channel[v] < t->width;
    for (uint32_t at = t->parent[v]; at != v && is_free; at = (t->ccw[v] ? at + n - 1 : at + 1) % n) {
        uint8_t *taken = &used[(size_t)(2 * at + t->ccw[v]) * t->width + t->channel[v]];
        is_free = !*taken;
        *taken = 1;
    }
    return is_free;
}

static bool is_tree_of_arcs(const struct disjoint_trees *t, uint32_t root, bool cycle)
{
    uint8_t *used = calloc((size_t)2 * t->nodes * t->width, 1);
    bool right = used && t->parent[root] == root && t->hops[root] == 0;
    for (uint32_t v = 0; v < t->nodes && right; v++) {
        if (v == root)
            continue;
        right = t->hops[v] == t->hops[t->parent[v]] + 1 && t->hops[v] <= t->depth && take_channel(used, t, v);
        right = right && (cycle || t->ccw[v] == (t->parent[v] > v));
    }
    free(used);
    return right;
}

/* From the end of a line, with one channel, step 1 of d reaches d - 1 nodes that the rest of the steps inform backwards, one by one, and
 * so on: d (d + 1) / 2 in all, and on a ring as many on either side.  A node reaches `width` nodes each way in a
 * step, so that one step is enough for no more.  Lightpaths never share a channel of a link, and wider trees have no more steps. */
static void trees_of_arcs_have_few_steps(void)
{
    for (uint32_t n = 3; n <= 70; n += 1 + n / 20)
        for (int cycle = 0; cycle < 2; cycle++)
            for (uint32_t root = 0; root < n; root += 1 + n / 4) {
                char spec[16];
                snprintf(spec, sizeof spec, "%s:%u", cycle ? "ring" : "line", n);
                rwa_network *net = network_of(spec, 1);
                uint32_t depth = UINT32_MAX, longer = cycle ? n - 1 : root > n - 1 - root ? root : n - 1 - root;
                for (uint32_t width = 1; width <= 9; width++) {
                    struct disjoint_trees t;
                    CU_ASSERT_EQUAL_FATAL(arc_trees_make(&t, net, root, &(struct arc_shape){width, width, false}, NULL), RWA_OK);
                    CU_ASSERT_TRUE(is_tree_of_arcs(&t, root, cycle));
                    CU_ASSERT_TRUE(t.depth <= depth);
                    CU_ASSERT_EQUAL(t.depth == 1, (cycle ? 2 : 1) * width >= longer);
                    depth = t.depth;
                    if (width == 1) {
                        CU_ASSERT_TRUE(depth * (depth + 1) / (cycle ? 1 : 2) >= longer);
                        CU_ASSERT_TRUE(depth * (depth - 1) / (cycle ? 1 : 2) < longer);
                    }
                    disjoint_trees_free(&t);
                }
                rwa_network_free(net);
            }
}

/* The last of c chunks leaves the root in step c and goes depth - 1 steps further.  In the model `overlap` lightpaths come up on channels
 * that were idle, so that c + depth - 1 start-ups and one reconfiguration are all; a reduce is the same backwards, and an all-reduce
 * does both, depth steps more. */
static void chunks_take_closed_forms(void)
{
    static const char *const specs[] = {"line:9", "ring:12", "torus:4x4", "mesh:3x5", "nsfnet14-21", "hypercube:4", "tree:2x3"};
    static const rwa_collective_kind kinds[] = {RWA_BROADCAST, RWA_ROOTED_REDUCE, RWA_ALL_REDUCE};
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++)
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
            for (uint64_t bytes = 1000; bytes <= 100000000; bytes *= 10) {
                rwa_network *net = network_of(specs[i], 2);
                rwa_collective coll;
                rwa_plan_options o;
                rwa_plan *plan = NULL;
                rwa_plan_options_init(&o);
                o.scheme = "pipelined-trees";
                o.cost.model = RWA_COST_OVERLAP;
                o.cost.alpha_s = 1e-6;
                CU_ASSERT_EQUAL_FATAL(rwa_collective_init(&coll, kinds[k], rwa_network_nodes(net), 1, bytes, 0, NULL), RWA_OK);
                CU_ASSERT_EQUAL_FATAL(rwa_plan_make(&plan, net, &coll, &o, NULL), RWA_OK);
                CU_ASSERT_PTR_NOT_NULL_FATAL(rwa_plan_schedule(plan));
                const rwa_plan_report *sum = rwa_plan_summary(plan);
                const rwa_collective *cut = rwa_schedule_collective(rwa_plan_schedule(plan));
                double steps = sum->steps, rate = rwa_network_rate_bps(net);
                double block_s = rwa_cost_steps(1, cut->block_bytes, rate, &o.cost) - o.cost.reconfig_s;
                CU_ASSERT_TRUE(sum->check->ok);
                CU_ASSERT_DOUBLE_EQUAL(sum->time_s, 25e-6 + (steps - 1) * 1e-6 + steps * block_s, 1e-12 + 1e-9 * sum->time_s);
                CU_ASSERT_TRUE(sum->time_s >= sum->time_bound_s * (1 - 1e-9));
                rwa_plan_free(plan);
                rwa_network_free(net);
            }
}

/** Epochs, each of which takes a second. */
static uint32_t settings_of(const rwa_network *net, rwa_collective_kind kind, const char *scheme, uint64_t bytes, uint64_t blocks)
{
    rwa_collective coll;
    rwa_plan_options o;
    rwa_plan *plan = NULL;
    rwa_plan_options_init(&o);
    o.scheme = scheme;
    o.cost.model = RWA_COST_CIRCUIT;
    o.cost.reconfig_s = 1;
    CU_ASSERT_EQUAL_FATAL(rwa_collective_init(&coll, kind, rwa_network_nodes(net), 0, bytes, blocks, NULL), RWA_OK);
    CU_ASSERT_EQUAL_FATAL(rwa_plan_make(&plan, net, &coll, &o, NULL), RWA_OK);
    CU_ASSERT_PTR_NOT_NULL_FATAL(rwa_plan_schedule(plan));
    CU_ASSERT_TRUE(rwa_plan_summary(plan)->check->ok);
    uint32_t settings = (uint32_t)rwa_plan_summary(plan)->time_s;
    rwa_plan_free(plan);
    return settings;
}

/* All lightpaths of all trees fit together: one epoch, though most carry nothing before their first chunk. */
static void all_lightpaths_of_a_broadcast_are_tuned_once(void)
{
    static const char *const specs[] = {"ring:8", "ring:16", "ring:33", "line:12", "torus:4x4", "mesh:3x5", "hypercube:4", "nsfnet14-21"};
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++)
        for (uint32_t w = 1; w <= 4; w *= 2) {
            rwa_network *net = network_of(specs[i], w);
            CU_ASSERT_EQUAL(settings_of(net, RWA_BROADCAST, "pipelined-trees", 10000000, 0), 1);
            rwa_network_free(net);
        }
}

/* Each node has its own contribution to send from the start, so that all lightpaths may come up in the first step, also where a node has
 * many children.  The checker counts contributions: none is lost, or added twice. */
static void the_lightpaths_of_a_reduce_come_up_at_once(void)
{
    static const char *const specs[] = {"ring:2", "ring:9", "ring:32", "line:3", "line:40", "torus:4x4", "torus:3x3x3", "mesh:3x5",
                                        "hypercube:4", "nsfnet14-21", "tree:2x4", "tree:5x2", "fat-tree:4"};
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++)
        for (uint32_t w = 1; w <= 16; w *= thorough ? 2 : 16) {
            rwa_network *net = network_of(specs[i], w);
            CU_ASSERT_EQUAL(settings_of(net, RWA_ROOTED_REDUCE, "pipelined-trees", 10000000, 0), 1);
            rwa_network_free(net);
        }
}

int main(int argc, char **argv)
{
    static const struct test tests[] = {
        TEST(trees_are_as_many_as_the_least_cut), TEST(paths_round_a_ring_share_no_link), TEST(few_trees_are_shallow),
        TEST(trees_of_arcs_have_few_steps), TEST(chunks_take_closed_forms),
        TEST(all_lightpaths_of_a_broadcast_are_tuned_once), TEST(the_lightpaths_of_a_reduce_come_up_at_once), {0}};
    thorough = is_thorough(argc, argv);
    return run_tests("pipelined trees", tests);
}
