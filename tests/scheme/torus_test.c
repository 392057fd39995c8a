/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rwa.h"

#include "delivery/grid/grid_tree.h"

#include "tests/support/suite.h"

#include <stdlib.h>
#include <string.h>

/** Every node receives once, from a holder so many links behind it, and no step and way is over its capacity. */
static bool is_tree(const struct delivery_tree *t, const struct grid *g, uint32_t channels)
{
    uint32_t *load = calloc((size_t)t->steps * g->ways, sizeof *load);
    bool right = load != NULL && t->at[0].step == 0;
    for (uint32_t v = 1; v < g->nodes && right; v++) {
        const struct delivery *d = &t->at[v];
        uint32_t from = v, *sum = &load[(d->step - 1) * g->ways + d->way];
        for (uint32_t i = 0; i < d->links; i++)
            from = g->predecessor[d->way * g->nodes + from];
        *sum += d->links;
        right = from == d->from && d->step <= t->steps && t->at[from].step < d->step && *sum <= channels;
    }
    free(load);
    return right;
}

static void plain_trees_are_trees(void)
{
    static const uint32_t shapes[][3] = {{4, 4, 1}, {5, 7, 1}, {3, 4, 5}, {2, 9, 2}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        for (uint32_t channels = 1; channels <= 16; channels *= 2) {
            struct grid grid;
            struct delivery_tree tree;
            CU_ASSERT_EQUAL_FATAL(grid_create(&grid, shapes[i], 3, NULL), RWA_OK);
            CU_ASSERT_EQUAL_FATAL(grid_tree_plain(&tree, &grid, channels, NULL), RWA_OK);
            CU_ASSERT_TRUE(is_tree(&tree, &grid, channels));
            delivery_tree_free(&tree);
            grid_free(&grid);
        }
}

/* Limits of so many steps, with the same capacity in all. */
static struct grid_limits limits_of(const struct grid *g, uint32_t *capacity, uint32_t steps, uint32_t channels)
{
    for (uint32_t i = 0; i < steps * g->ways; i++)
        capacity[i] = channels;
    return (struct grid_limits){g, steps, channels, capacity, 1};
}

static void found_trees_are_trees_and_shorter(void)
{
    static const uint32_t shapes[][2] = {{4, 4}, {6, 5}, {8, 8}, {16, 20}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        uint32_t capacity[1024], plain;
        struct grid grid;
        struct delivery_tree tree;
        bool found = false;
        CU_ASSERT_EQUAL_FATAL(grid_create(&grid, shapes[i], 2, NULL), RWA_OK);
        CU_ASSERT_EQUAL_FATAL(grid_tree_plain(&tree, &grid, 8, NULL), RWA_OK);
        plain = tree.steps;
        struct grid_limits limits = limits_of(&grid, capacity, plain, 8);
        delivery_tree_free(&tree);
        uint32_t least = grid_tree_least_steps(shapes[i], 2, capacity);
        CU_ASSERT_EQUAL_FATAL(grid_tree_grow_best(&tree, &found, &limits, least, NULL), RWA_OK);
        CU_ASSERT_TRUE(found && tree.steps >= least);
        CU_ASSERT_TRUE(is_tree(&tree, &grid, 8));
        CU_ASSERT_TRUE(tree.steps < plain);
        delivery_tree_free(&tree);
        grid_free(&grid);
    }
}

/* With one channel each way a node takes in four blocks a step, so (nodes - 1)/4 steps are the fewest; trees grow in them. */
static void grown_trees_are_shortest(void)
{
    static const uint32_t shapes[][2] = {{4, 4}, {5, 7}, {6, 6}, {8, 8}, {10, 10}, {16, 16}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        uint32_t capacity[1024], steps = (shapes[i][0] * shapes[i][1] + 2) / 4;
        struct grid grid;
        struct delivery_tree tree;
        bool found = false;
        CU_ASSERT_EQUAL_FATAL(grid_create(&grid, shapes[i], 2, NULL), RWA_OK);
        struct grid_limits limits = limits_of(&grid, capacity, steps, 1);
        CU_ASSERT_EQUAL_FATAL(grid_tree_grow(&tree, &found, &limits, 1, 0, NULL), RWA_OK);
        CU_ASSERT_TRUE(found && is_tree(&tree, &grid, 1));
        CU_ASSERT_EQUAL(tree.steps, steps);
        delivery_tree_free(&tree);
        grid_free(&grid);
    }
}

/* The points of a lattice in the first step join lumps that would grow too slowly; 32 x 32 nodes take the fewest steps. */
static void lattices_save_steps(void)
{
    static const uint32_t shape[2] = {32, 32};
    uint32_t capacity[64], steps[2] = {0};
    struct grid grid;
    CU_ASSERT_EQUAL_FATAL(grid_create(&grid, shape, 2, NULL), RWA_OK);
    struct grid_limits limits = limits_of(&grid, capacity, 16, 64);
    for (int lattice = 0; lattice < 2; lattice++) {
        struct delivery_tree tree;
        bool found = false;
        CU_ASSERT_EQUAL_FATAL(lattice ? grid_tree_grow_best(&tree, &found, &limits, 6, NULL)
                                      : grid_tree_grow(&tree, &found, &limits, 1, 0, NULL), RWA_OK);
        CU_ASSERT_TRUE(found && is_tree(&tree, &grid, 64));
        steps[lattice] = tree.steps;
        delivery_tree_free(&tree);
    }
    CU_ASSERT_EQUAL(steps[1], 6);
    CU_ASSERT_TRUE(steps[0] > 6);
    grid_free(&grid);
}

/* A node of an a x b torus takes in at most 4W blocks a step; plans stay near that, and the checker accepts them. */
static void plans_pass_the_checker(void)
{
    static const struct {
        const char *spec;
        uint32_t wavelengths, nodes, most;
        rwa_collective_kind kind;
    } cases[] = {
        {"torus:4x4", 2, 16, 4, RWA_ALL_GATHER},
        {"torus:2x5", 1, 10, 8, RWA_ALL_GATHER},
        {"torus:3x5x2", 4, 30, 6, RWA_ALL_GATHER},
        {"torus:8x8", 16, 64, 4, RWA_REDUCE_SCATTER},
        {"torus:6x7", 8, 42, 8, RWA_ALL_REDUCE},
        {"torus:8x8", 16, 64, 2, RWA_ALL_GATHER},       /* two steps, the fewest that join all pairs */
        {"hypercube:5", 4, 32, 2, RWA_ALL_GATHER},      /* two steps, in which a node can take in 40, 96 and 224 blocks at most */
        {"hypercube:6", 8, 64, 2, RWA_ALL_GATHER},
        {"hypercube:6", 8, 64, 2, RWA_REDUCE_SCATTER},
        {"torus:4x4x4", 8, 64, 2, RWA_ALL_GATHER},      /* the same links under other numbers */
        {"torus:2x4x4", 4, 32, 2, RWA_ALL_GATHER},
        {"hypercube:7", 16, 128, 2, RWA_ALL_GATHER},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        rwa_network_options no;
        rwa_plan_options po;
        rwa_collective coll;
        rwa_network *net = NULL;
        rwa_plan *plan = NULL;
        rwa_error err = {0};
        rwa_network_options_init(&no);
        rwa_plan_options_init(&po);
        no.wavelengths = cases[i].wavelengths;
        CU_ASSERT_EQUAL_FATAL(rwa_network_parse(&net, cases[i].spec, &no, NULL), RWA_OK);
        CU_ASSERT_EQUAL_FATAL(rwa_collective_init(&coll, cases[i].kind, cases[i].nodes, 0, 4096, 0, NULL), RWA_OK);
        if (rwa_plan_make(&plan, net, &coll, &po, &err) != RWA_OK)
            fprintf(stderr, "%s: %s\n", cases[i].spec, err.text);
        CU_ASSERT_PTR_NOT_NULL_FATAL(plan);
        CU_ASSERT_TRUE(rwa_plan_summary(plan)->check->ok);
        CU_ASSERT_TRUE(rwa_plan_summary(plan)->steps <= cases[i].most);
        CU_ASSERT_TRUE(rwa_plan_summary(plan)->steps >= rwa_plan_summary(plan)->bound.value);
        rwa_plan_free(plan);
        rwa_network_free(net);
    }
}

int main(void)
{
    static const struct test tests[] = {
        TEST(plain_trees_are_trees), TEST(found_trees_are_trees_and_shorter), TEST(grown_trees_are_shortest),
        TEST(lattices_save_steps),         TEST(plans_pass_the_checker), {0}};
    return run_tests("torus", tests);
}
