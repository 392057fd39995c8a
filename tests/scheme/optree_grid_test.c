/* SPDX-License-Identifier: GPL-3.0-or-later */
/** OpTree on tori and meshes: one dimension after the other, all rows at once. */
#include "rwa.h"

#include "tests/support/failing.h"
#include "tests/support/suite.h"

#include <stdbool.h>
#include <string.h>

struct setting {
    const char *spec;
    uint32_t wavelengths, fibers;
    rwa_collective_kind kind;
    const char *scheme;
    rwa_plan_options *opts;     /* NULL: the defaults */
};

static rwa_status make(rwa_plan **plan, const struct setting *s, rwa_error *err)
{
    rwa_network_options no;
    rwa_plan_options po;
    rwa_collective coll;
    rwa_network *net = NULL;
    rwa_network_options_init(&no);
    rwa_plan_options_init(&po);
    no.wavelengths = s->wavelengths;
    no.fibers = s->fibers ? s->fibers : 1;
    if (s->opts)
        po = *s->opts;
    po.scheme = s->scheme;
    *plan = NULL;
    rwa_status st = rwa_network_parse(&net, s->spec, &no, err);
    if (st == RWA_OK)
        st = rwa_collective_init(&coll, s->kind, rwa_network_nodes(net), 0, 4096, 0, err);
    if (st == RWA_OK)
        st = rwa_plan_make(plan, net, &coll, &po, err);
    rwa_network_free(net);
    return st;
}

/* The steps of a plan that the checker accepts and no bound contradicts. */
static uint32_t steps_of(const struct setting *s)
{
    rwa_plan *plan = NULL;
    rwa_error err = {0};
    if (make(&plan, s, &err) != RWA_OK)
        fprintf(stderr, "%s, w = %u: %s\n", s->spec, s->wavelengths, err.text);
    CU_ASSERT_PTR_NOT_NULL_FATAL(plan);
    const rwa_plan_report *sum = rwa_plan_summary(plan);
    uint32_t steps = sum->steps;
    CU_ASSERT_TRUE(sum->check->ok);
    CU_ASSERT_TRUE(sum->bound.value > 0 && steps >= sum->bound.value);
    rwa_plan_free(plan);
    return steps;
}

/* Rows bring c - 1 blocks to a node over two links, columns (r - 1) c more over two others, never at the same time. */
static void small_tori_pass_the_checker(void)
{
    static const struct {
        const char *spec;
        uint32_t rows, columns;
    } tori[] = {{"torus:3x3", 3, 3}, {"torus:4x4", 4, 4}, {"torus:2x5", 2, 5}, {"torus:4x6", 4, 6},
                {"torus:5x7", 5, 7}, {"torus:8x8", 8, 8}};
    for (size_t i = 0; i < sizeof tori / sizeof *tori; i++)
        for (uint32_t w = 1; w <= 8; w *= 2) {
            struct setting s = {.spec = tori[i].spec, .wavelengths = w, .kind = RWA_ALL_GATHER, .scheme = "optree"};
            uint32_t r = tori[i].rows, c = tori[i].columns;
            uint32_t first = (c - 1 + 2 * w - 1) / (2 * w), second = ((r - 1) * c + 2 * w - 1) / (2 * w);
            CU_ASSERT_TRUE(steps_of(&s) >= first + second);
        }
}

static void other_shapes_and_reductions_pass_the_checker(void)
{
    static const struct setting settings[] = {
        {"mesh:4x5", 2, 1, RWA_ALL_GATHER, "optree", NULL},      {"mesh:2x3x2", 1, 2, RWA_ALL_REDUCE, "optree", NULL},
        {"torus:3x4x5", 4, 1, RWA_REDUCE_SCATTER, "optree", NULL}, {"torus:2x2x2", 1, 1, RWA_ALL_REDUCE, "optree", NULL},
        {"torus:5x3", 1, 3, RWA_ALL_GATHER, "optree", NULL},
    };
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        CU_ASSERT_TRUE(steps_of(&settings[i]) > 0);
}

/* One link joins two nodes of a dimension of 2, so four nodes in a square are a ring: three blocks over two links in two steps. */
static void the_square_of_four_is_a_ring(void)
{
    CU_ASSERT_EQUAL(steps_of(&(struct setting){.spec = "torus:2x2", .wavelengths = 1, .scheme = "optree",
                                               .kind = RWA_ALL_GATHER}), 2);
}

/* Nodes are numbered row by row, so a lightpath along a row stays within floor(node / columns). */
static void rows_come_before_columns(void)
{
    enum { COLUMNS = 6 };
    rwa_plan *plan = NULL;
    bool columns_began = false;
    struct setting s = {.spec = "torus:4x6", .wavelengths = 2, .kind = RWA_ALL_GATHER, .scheme = "optree"};
    CU_ASSERT_EQUAL_FATAL(make(&plan, &s, NULL), RWA_OK);
    const rwa_schedule *sched = rwa_plan_schedule(plan);
    for (uint64_t i = 0; i < rwa_schedule_records(sched); i++) {
        uint32_t nodes = 0, in_row = 1, in_column = 1;
        const uint32_t *path = rwa_schedule_path(&nodes, sched, i);
        for (uint32_t h = 1; h < nodes; h++) {
            in_row &= path[h] / COLUMNS == path[0] / COLUMNS;
            in_column &= path[h] % COLUMNS == path[0] % COLUMNS;
        }
        CU_ASSERT_TRUE(in_row || in_column);
        CU_ASSERT_TRUE(!(in_row && columns_began));
        columns_began = columns_began || in_column;
    }
    CU_ASSERT_TRUE(columns_began);
    rwa_plan_free(plan);
}

/* Half of the links rest at any time. */
static void a_broadcast_tree_on_both_dimensions_needs_fewer_steps(void)
{
    struct setting s = {.spec = "torus:16x16", .wavelengths = 16, .kind = RWA_ALL_GATHER, .scheme = "optree"};
    uint32_t one_at_a_time = steps_of(&s);
    s.scheme = "torus-wavefront";
    CU_ASSERT_TRUE(2 * steps_of(&s) < one_at_a_time);
}

/* 2 and 2 separate 4 columns, 3 the 3 rows. */
static void given_radices_serve_one_dimension_after_the_other(void)
{
    rwa_plan_options opts;
    rwa_plan *plan = NULL;
    rwa_error err = {0};
    uint32_t radix[] = {2, 2, 3};
    struct setting s = {"torus:3x4", 2, 1, RWA_ALL_GATHER, "optree", &opts};
    rwa_plan_options_init(&opts);
    opts.radix = radix;
    opts.radix_count = 3;
    CU_ASSERT_EQUAL_FATAL(make(&plan, &s, &err), RWA_OK);
    const rwa_plan_report *sum = rwa_plan_summary(plan);
    CU_ASSERT_EQUAL(sum->stages, 3);
    CU_ASSERT_EQUAL(rwa_plan_stage(plan, 2)->radix, 3);
    CU_ASSERT_EQUAL(rwa_plan_stage(plan, 0)->lightpaths + rwa_plan_stage(plan, 1)->lightpaths, 12 * 3);
    CU_ASSERT_EQUAL(rwa_plan_stage(plan, 2)->lightpaths, 12 * 8);
    rwa_plan_free(plan);
    opts.radix_count = 2;
    CU_ASSERT_EQUAL(make(&plan, &s, &err), RWA_BADARG);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "3 nodes of dimension 1"));
    opts.radix_count = 0;
    opts.stages = 2;
    CU_ASSERT_EQUAL(make(&plan, &s, &err), RWA_BADARG);
}

static rwa_status make_and_drop(void *data)
{
    rwa_error err = {0};
    rwa_plan *plan = NULL;
    rwa_status st = make(&plan, data, &err);
    rwa_plan_free(plan);
    return st != RWA_OK && err.status != st ? RWA_BACKEND : st;
}

/* OpTree, Section III-C: 16 nodes with 2 wavelengths in two stages of radix 4 take 4 and 8 steps, the fewest of any radices. */
static void the_papers_example_is_the_default(void)
{
    struct setting s = {.spec = "ring:16", .wavelengths = 2, .kind = RWA_ALL_GATHER, .scheme = "optree"};
    rwa_plan *plan = NULL;
    CU_ASSERT_EQUAL_FATAL(make(&plan, &s, NULL), RWA_OK);
    const rwa_plan_report *sum = rwa_plan_summary(plan);
    CU_ASSERT_EQUAL(sum->steps, 12);
    CU_ASSERT_EQUAL_FATAL(sum->stages, 2);
    for (size_t j = 0; j < 2; j++)
        CU_ASSERT_EQUAL(rwa_plan_stage(plan, j)->radix, 4);
    rwa_plan_free(plan);
}

static void every_failing_allocation_is_a_status(void)
{
    struct setting s = {"torus:3x4", 1, 1, RWA_ALL_REDUCE, "optree", NULL};
    expect_every_failure_told(make_and_drop, &s, 50);
}

int main(void)
{
    static const struct test tests[] = {
        TEST(small_tori_pass_the_checker), TEST(other_shapes_and_reductions_pass_the_checker),
        TEST(the_square_of_four_is_a_ring), TEST(rows_come_before_columns),
        TEST(a_broadcast_tree_on_both_dimensions_needs_fewer_steps), TEST(given_radices_serve_one_dimension_after_the_other),
        TEST(the_papers_example_is_the_default), TEST(every_failing_allocation_is_a_status), {0}};
    return run_tests("optree on tori and meshes", tests);
}
