/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Trees without a common link: as many as the least cut, by Edmonds' theorem; and broadcasts in chunks down such
 *  trees. */
#include "network/network.h"
#include "scheme/own/disjoint_trees.h"

#include "tests/support/request.h"

#include <stdlib.h>

/** Every node hangs below the root, one link below its parent. */
static bool is_spanning(const struct disjoint_trees *t, const rwa_network *net, uint32_t tree, uint32_t root)
{
    const uint32_t *parent = t->parent + (size_t)tree * t->nodes, *hops = t->hops + (size_t)tree * t->nodes;
    bool right = parent[root] == root && hops[root] == 0;
    for (uint32_t v = 0; v < t->nodes && right; v++)
        if (v != root)
            right = parent[v] < t->nodes && hops[v] == hops[parent[v]] + 1 && hops[v] <= t->depth &&
                    (network_has_arcs(net) || rwa_network_find_link(net, parent[v], v) != RWA_NONE);
    return right;
}

/** And no link is in two of them. */
static bool are_spanning(const struct disjoint_trees *t, const rwa_network *net, uint32_t root)
{
    bool right = true;
    for (uint32_t tree = 0; tree < t->trees; tree++)
        right = right && is_spanning(t, net, tree, root);
    for (uint32_t a = 0; a < t->trees; a++)
        for (uint32_t b = 0; b < a; b++)
            for (uint32_t v = 0; v < t->nodes; v++) {
                size_t i = (size_t)a * t->nodes + v, k = (size_t)b * t->nodes + v;
                right = right && (v == root || t->parent[i] != t->parent[k] || t->ccw[i] != t->ccw[k]);
            }
    return right;
}

/* No more trees than links enter a node, and the networks below have no lesser cut: those of all nodes alike have as
 * many trees as links at a node (Mader 1971), trees one, a mesh two into its corners; a random regular graph is as
 * connected in all cases drawn. */
static void trees_are_as_many_as_the_least_cut(void)
{
    static const struct {
        const char *spec;
        uint32_t trees;
    } cases[] = {{"torus:4x5", 4},   {"torus:3x3x3", 6},      {"hypercube:5", 5},      {"mesh:4x6", 2},
                 {"tree:2x3", 1},    {"circulant:20:1,3", 4}, {"circulant:12:1,6", 3}, {"nsfnet14-21", 2},
                 {"hypercube:1", 1}, {"regular:40:3:7", 3},   {"regular:60:4:1", 4}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        rwa_network *net = network_on("%s w=1", cases[i].spec);
        for (uint32_t root = 0; root < rwa_network_nodes(net); root += 3) {
            for (uint32_t most = 1; most <= TREES_MOST; most = most <= cases[i].trees ? most + 1 : TREES_MOST + 1) {
                struct disjoint_trees t;
                OK(disjoint_trees_pack(&t, net, root, most, NULL));
                CU_ASSERT_EQUAL(t.trees, most < cases[i].trees ? most : cases[i].trees);
                CU_ASSERT(are_spanning(&t, net, root));
                disjoint_trees_free(&t);
            }
        }
    }
}

/* Two links leave the root of a ring, so that two trees begin with one each, and neither reaches a node by the
   other's. */
static void paths_round_a_ring_share_no_link(void)
{
    for (uint32_t n = 2; n <= 9; n++) {
        rwa_network *net = network_on("ring:%u w=1", n);
        for (uint32_t root = 0; root < n; root++) {
            struct disjoint_trees t;
            OK(arc_trees_make(&t, net, root, &(struct arc_shape){.width = 1, .round = true}, NULL));
            CU_ASSERT(t.depth == n - 1 && t.trees == 2 && are_spanning(&t, net, root));
            for (uint32_t tree = 0; tree < 2; tree++)
                for (uint32_t v = 0; v < n; v++)
                    CU_ASSERT_TRUE(v == root || t.parent[tree * n + v] == (tree ? v + 1 : v + n - 1) % n);
            disjoint_trees_free(&t);
        }
    }
}

/* A tree that shares links with none is the one of shortest paths: on a torus, half the nodes of each dimension.  Three
 * of four go half as deep again at most, since a third of the links into a node may stay dark. */
static void few_trees_are_shallow(void)
{
    static const struct {
        const char *spec;
        uint32_t most, depth;
    } cases[] = {{"torus:16x16", 1, 16},
                 {"torus:16x16", 3, 24},
                 {"torus:9x12", 1, 10},
                 {"hypercube:6", 1, 6},
                 {"mesh:5x7", 1, 10}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        rwa_network *net = network_on("%s w=1", cases[i].spec);
        struct disjoint_trees t;
        OK(disjoint_trees_pack(&t, net, 0, cases[i].most, NULL));
        CU_ASSERT_TRUE(cases[i].most == 1 ? t.depth == cases[i].depth : t.depth <= cases[i].depth);
        disjoint_trees_free(&t);
    }
}

/* From the end of a line, with one channel, step 1 of d reaches d - 1 nodes that the rest of the steps inform
 * backwards, one by one, and so on: d (d + 1) / 2 in all, and on a ring as many on either side.  A node reaches `width`
 * nodes each way in a step, so that one step is enough for no more.  Lightpaths never share a channel of a link, and
 * wider trees have no more steps.  With a limit on the links of a lightpath none is longer, and there are no fewer
 * steps. */
static void trees_of_arcs_have_few_steps(void)
{
    for (uint32_t n = 3; n <= 70; n += 1 + n / 20)
        for (int cycle = 0; cycle < 2; cycle++)
            for (uint32_t root = 0; root < n; root += 1 + n / 4) {
                rwa_network *net = network_on("%s:%u w=1", cycle ? "ring" : "line", n);
                uint32_t depth = UINT32_MAX, longer = cycle ? n - 1 : root > n - 1 - root ? root : n - 1 - root;
                for (uint32_t width = 1; width <= 9; width++) {
                    struct disjoint_trees t;
                    OK(arc_trees_make(&t, net, root, &(struct arc_shape){width, width, false, 0}, NULL));
                    CU_ASSERT_TRUE(t.depth <= depth);
                    CU_ASSERT_EQUAL(t.depth == 1, (cycle ? 2 : 1) * width >= longer);
                    depth = t.depth;
                    if (width == 1) {
                        CU_ASSERT_TRUE(depth * (depth + 1) / (cycle ? 1 : 2) >= longer);
                        CU_ASSERT_TRUE(depth * (depth - 1) / (cycle ? 1 : 2) < longer);
                    }
                    disjoint_trees_free(&t);
                    OK(arc_trees_make(&t, net, root, &(struct arc_shape){width, width, false, 1 + width / 2}, NULL));
                    CU_ASSERT_TRUE(t.depth >= depth);
                    disjoint_trees_free(&t);
                }
            }
}

/* The last of c chunks leaves the root in step c and goes depth - 1 steps further.  In the model `overlap` lightpaths
 * come up on channels that were idle, so that c + depth - 1 start-ups and one reconfiguration are all; a reduce is the
 * same backwards, and an all-reduce does both, depth steps more. */
static void chunks_take_closed_forms(void)
{
    static const char *const specs[] = {"line:9",      "ring:12",     "torus:4x4", "mesh:3x5",
                                        "nsfnet14-21", "hypercube:4", "tree:2x3"};
    static const rwa_collective_kind kinds[] = {RWA_BROADCAST, RWA_ROOTED_REDUCE, RWA_ALL_REDUCE};
    for (size_t i = 0; i < COUNT(specs); i++)
        for (size_t k = 0; k < COUNT(kinds); k++)
            for (uint32_t bytes = 1000; bytes <= (thorough ? 100000000 : 1000000); bytes *= 10) {
                struct request r = request_of("%s w=2 root=1 bytes=%u model=overlap alpha=1e-6 %s by pipelined-trees",
                                              specs[i], bytes, rwa_collective_name(kinds[k]));
                rwa_plan *plan = plan_for(r);
                double steps = rwa_plan_summary(plan)->steps, time_s = rwa_plan_summary(plan)->time_s;
                uint64_t block = rwa_schedule_collective(rwa_plan_schedule(plan))->block_bytes;
                double block_s = rwa_cost_steps(1, block, 40e9, &r.options.cost) - r.options.cost.reconfig_s;
                CU_ASSERT_DOUBLE_EQUAL(time_s, 25e-6 + (steps - 1) * 1e-6 + steps * block_s, 1e-12 + 1e-9 * time_s);
            }
}

/* All lightpaths of all trees fit together: one epoch, here of a second, though most carry nothing before their first
 * chunk.  In a reduce each node has its own contribution to send from the start, so that all lightpaths may come up in
 * the first step, also where a node has many children; the checker counts contributions: none is lost, or added
 * twice. */
static void all_lightpaths_are_tuned_once(void)
{
    static const char *const sums[] = {"ring:2",    "ring:9",      "ring:32",   "line:3",      "line:40",
                                       "torus:4x4", "torus:3x3x3", "mesh:3x5",  "hypercube:4", "nsfnet14-21",
                                       "tree:2x4",  "tree:5x2",    "fat-tree:4"};
    static const char *const copies[] = {"ring:8",    "ring:16",  "ring:33",     "line:12",
                                         "torus:4x4", "mesh:3x5", "hypercube:4", "nsfnet14-21"};
    for (size_t i = 0; i < COUNT(sums); i++)
        for (uint32_t w = 1; w <= 16; w *= thorough ? 2 : 16)
            CU_ASSERT_EQUAL((int)time_on("%s w=%u bytes=1000000 model=circuit reconfig=1 reduce by pipelined-trees",
                                         sums[i], w),
                            1);
    for (size_t i = 0; i < COUNT(copies); i++)
        for (uint32_t w = 1; w <= 4; w *= 2)
            CU_ASSERT_EQUAL((int)time_on("%s w=%u bytes=1000000 model=circuit reconfig=1 broadcast by pipelined-trees",
                                         copies[i], w),
                            1);
}

TESTS("pipelined trees", trees_are_as_many_as_the_least_cut, paths_round_a_ring_share_no_link, few_trees_are_shallow,
      trees_of_arcs_have_few_steps, chunks_take_closed_forms, all_lightpaths_are_tuned_once)
