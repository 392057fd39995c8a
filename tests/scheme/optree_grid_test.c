/* SPDX-License-Identifier: GPL-3.0-or-later */
/** OpTree on tori and meshes: one dimension after the other, all rows at once.  Rings on a cycle through all nodes. */
#include "tests/support/request.h"

/* Rows bring c - 1 blocks to a node over two links, columns (r - 1) c more over two others, never at the same time.
 * One link joins two nodes of a dimension of 2, so four nodes in a square are a ring: three blocks over two links in
 * two steps. */
static void small_tori_take_what_their_links_need(void)
{
    static const uint32_t sizes[][2] = {{3, 3}, {4, 4}, {2, 5}, {4, 6}, {5, 7}, {8, 8}};
    for (size_t i = 0; i < COUNT(sizes); i++)
        for (uint32_t w = 1; w <= 8; w *= 2) {
            uint32_t r = sizes[i][0], c = sizes[i][1];
            uint32_t first = (c - 1 + 2 * w - 1) / (2 * w), second = ((r - 1) * c + 2 * w - 1) / (2 * w);
            CU_ASSERT(steps_on("torus:%ux%u w=%u by optree", r, c, w) >= first + second);
        }
    CU_ASSERT_EQUAL(steps_on("torus:2x2 w=1 by optree"), 2);
}

/* Nodes are numbered row by row, so a lightpath along a row stays within floor(node / columns). */
static void rows_come_before_columns(void)
{
    enum { COLUMNS = 6 };
    bool columns_began = false, right = true;
    const rwa_schedule *sched = schedule_on("torus:4x6 w=2 by optree");
    for (uint64_t i = 0; i < rwa_schedule_records(sched); i++) {
        uint32_t nodes = 0;
        bool in_row = true, in_column = true;
        const uint32_t *path = rwa_schedule_path(&nodes, sched, i);
        for (uint32_t h = 1; h < nodes; h++) {
            in_row = in_row && path[h] / COLUMNS == path[0] / COLUMNS;
            in_column = in_column && path[h] % COLUMNS == path[0] % COLUMNS;
        }
        right = right && (in_row || in_column) && !(in_row && columns_began);
        columns_began = columns_began || in_column;
    }
    CU_ASSERT(right && columns_began);
}

/* Half of the links rest at any time. */
static void a_broadcast_tree_on_both_dimensions_needs_fewer_steps(void)
{
    CU_ASSERT(2 * steps_on("torus:16x16 w=16 by torus-wavefront") < steps_on("torus:16x16 w=16 by optree"));
}

/* 2 and 2 separate 4 columns, 3 the 3 rows. */
static void given_radices_serve_one_dimension_after_the_other(void)
{
    const rwa_plan *plan = plan_on("torus:3x4 w=2 radix=2,2,3 by optree");
    CU_ASSERT_EQUAL(rwa_plan_summary(plan)->stages, 3);
    CU_ASSERT_EQUAL(rwa_plan_stage(plan, 2)->radix, 3);
    CU_ASSERT_EQUAL(rwa_plan_stage(plan, 0)->lightpaths + rwa_plan_stage(plan, 1)->lightpaths, 12 * 3);
    CU_ASSERT_EQUAL(rwa_plan_stage(plan, 2)->lightpaths, 12 * 8);
    expect_part(refusal_on("torus:3x4 w=2 radix=2,2 by optree"), "3 nodes of dimension 1");
    expect_part(refusal_on("torus:3x4 w=2 stages=2 by optree"), "BADARG");
}

/* OpTree, Section III-C: 16 nodes with 2 wavelengths in two stages of radix 4 take 4 and 8 steps, the fewest of any
 * radices. */
static void the_papers_example_is_the_default(void)
{
    const rwa_plan *plan = plan_on("ring:16 w=2 by optree");
    CU_ASSERT_EQUAL(rwa_plan_summary(plan)->steps, 12);
    CU_ASSERT_EQUAL_FATAL(rwa_plan_summary(plan)->stages, 2);
    CU_ASSERT(rwa_plan_stage(plan, 0)->radix == 4 && rwa_plan_stage(plan, 1)->radix == 4);
}

/* A Hamiltonian cycle is a ring of N nodes: every lightpath crosses one link, and one wavelength is enough. */
static void rings_go_round_a_cycle_through_all_nodes(void)
{
    static const struct { const char *net; uint32_t nodes; } grids[] = {
        {"mesh:2x3", 6}, {"mesh:3x2", 6}, {"mesh:4x5", 20}, {"mesh:3x3x4", 36}, {"torus:4x4", 16}, {"torus:5x6", 30},
        {"torus:3x2x3", 18}, {"mesh:2x2x2x3", 24}, {"torus:3x3", 9}, {"torus:3x7", 21}, {"torus:5x3", 15},
        {"torus:3x5x3", 45}};
    for (size_t i = 0; i < COUNT(grids); i++) {
        uint32_t n = grids[i].nodes;
        const rwa_plan_report *one = report_on("%s w=1 by ring", grids[i].net);
        CU_ASSERT(one->steps == n - 1 && one->longest_hops == 1 && one->wavelengths_used == 1);
        CU_ASSERT_EQUAL(steps_on("%s w=1 all-reduce by ring", grids[i].net), 2 * (n - 1));
        const rwa_plan_report *both = report_on("%s w=1 by ring-both", grids[i].net);
        CU_ASSERT(both->steps == n / 2 && both->longest_hops == 1 && both->wavelengths_used == 1);
    }
    /* links join even and odd sums of coordinates: a cycle has as many of both, a mesh of 9 nodes has 5 and 4 */
    CU_ASSERT_PTR_NOT_NULL(strstr(refusal_on("mesh:3x3 w=1 by ring"), "only if a side is even"));
}

TESTS("optree on tori and meshes", small_tori_take_what_their_links_need,
      rows_come_before_columns, rings_go_round_a_cycle_through_all_nodes,
      a_broadcast_tree_on_both_dimensions_needs_fewer_steps, given_radices_serve_one_dimension_after_the_other,
      the_papers_example_is_the_default)
