/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rwa.h"

#include "tests/support/plans.h"
#include "tests/support/suite.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

static rwa_plan *quickest(const char *spec, uint32_t wavelengths, rwa_collective_kind kind, uint64_t message)
{
    rwa_plan *plan = plan_made_on(network_of(spec, wavelengths), kind, message, NULL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(plan);
    return plan;
}

static void alternatives_are_slower_and_in_order(void)
{
    rwa_plan *plan = quickest("ring:16", 2, RWA_ALL_GATHER, 1000);
    const rwa_plan_report *s = rwa_plan_summary(plan);
    double last = s->time_s;
    CU_ASSERT(s->alternatives >= 3);
    for (size_t i = 0; i < s->alternatives; i++) {
        CU_ASSERT(rwa_plan_alternative(plan, i)->time_s >= last);
        last = rwa_plan_alternative(plan, i)->time_s;
    }
    rwa_plan_free(plan);
}

static rwa_plan *plan_loaded(const rwa_network *net, const rwa_collective *coll, const char *scheme, uint32_t stripes,
                             uint32_t slots, uint32_t group, rwa_cost_model model)
{
    rwa_plan_options opts;
    rwa_plan *plan = NULL;
    rwa_plan_options_init(&opts);
    opts.scheme = scheme;
    opts.cost.model = model;
    opts.cost.alpha_s = 3e-6;
    opts.stripes = stripes;
    opts.lightpath_blocks = slots;
    opts.group = group;
    CU_ASSERT_EQUAL_FATAL(rwa_plan_make(&plan, net, coll, &opts, NULL), RWA_OK);
    return plan;
}

/* An alternative need not have been built: its closed form must equal the result of building it. */
static void alternatives_are_as_if_they_were_built(rwa_topology kind, uint32_t nodes, uint32_t wavelengths,
                                             rwa_collective_kind collective, rwa_cost_model model)
{
    rwa_network *net = NULL;
    rwa_network_options nopts;
    rwa_collective coll;
    rwa_network_options_init(&nopts);
    nopts.wavelengths = wavelengths;
    CU_ASSERT_EQUAL_FATAL(rwa_network_create(&net, kind, nodes, &nopts, NULL), RWA_OK);
    CU_ASSERT_EQUAL_FATAL(rwa_collective_init(&coll, collective, nodes, 0, 1000 + 7 * nodes, 0, NULL), RWA_OK);
    rwa_plan *chosen = plan_loaded(net, &coll, NULL, 0, 0, 0, model);
    const rwa_plan_report *s = rwa_plan_summary(chosen);
    for (size_t i = 0; i < s->alternatives; i++) {
        const rwa_alternative *r = rwa_plan_alternative(chosen, i);
        if (strcmp(r->scheme, "compose") == 0)
            continue; /* listed only when it was built */
        uint32_t load = r->lightpath_blocks > 1 ? r->lightpath_blocks : 0; /* a scheme may choose the load itself */
        rwa_plan *built = plan_loaded(net, &coll, r->scheme, r->stripes, load, r->group, model);
        CU_ASSERT_EQUAL(r->steps, rwa_plan_summary(built)->steps);
        CU_ASSERT_EQUAL(r->blocks, rwa_schedule_collective(rwa_plan_schedule(built))->blocks);
        CU_ASSERT_DOUBLE_EQUAL(r->time_s, rwa_plan_summary(built)->time_s, 1e-9 * r->time_s);
        rwa_plan_free(built);
    }
    rwa_plan_free(chosen);
    rwa_network_free(net);
}

static void closed_forms_are_what_is_built(void)
{
    static const rwa_collective_kind kinds[] = {RWA_ALL_GATHER, RWA_ALL_REDUCE, RWA_REDUCE_SCATTER, RWA_ALL_TO_ALL};
    static const uint32_t nodes[] = {2, 3, 4, 9, 14};
    for (size_t n = 0; n < sizeof nodes / sizeof *nodes; n++)
        for (uint32_t wavelengths = 1; wavelengths <= 3; wavelengths++)
            for (size_t k = 0; k < 4; k++)
                for (int line = 0; line < 2; line++) {
                    rwa_topology kind = line ? RWA_LINE : RWA_RING;
                    alternatives_are_as_if_they_were_built(kind, nodes[n], wavelengths, kinds[k], RWA_COST_PAPER);
                    alternatives_are_as_if_they_were_built(kind, nodes[n], wavelengths, kinds[k], RWA_COST_CIRCUIT);
                }
}

/* Stripes side by side are the plan on a share of the channels, each step shorter: same steps, same lightpaths times stripes;
 * that no two meet is the checker's verdict. */
static void stripes_are_plans_side_by_side(void)
{
    static const struct { const char *scheme; rwa_collective_kind kind; } cases[] = {
        {"wavefront", RWA_ALL_GATHER}, {"wavefront", RWA_ALL_REDUCE}, {"optree", RWA_REDUCE_SCATTER}, {"wrht", RWA_ALL_REDUCE},
        {"ring-both", RWA_ALL_GATHER}, {"h-ring", RWA_ALL_REDUCE}, {"tree", RWA_BROADCAST}, {"tree", RWA_GATHER}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (uint32_t nodes = 7; nodes < 26; nodes += 6)
            for (uint32_t stripes = 2; stripes <= 4; stripes++) {
                rwa_network *wide = network_sized(RWA_RING, nodes, 4, 3), *thin = network_sized(RWA_RING, nodes, 12 / stripes, 1);
                rwa_collective coll;
                CU_ASSERT_EQUAL_FATAL(rwa_collective_init(&coll, cases[i].kind, nodes, 0, 1 << 20, 0, NULL), RWA_OK);
                rwa_plan *striped = plan_loaded(wide, &coll, cases[i].scheme, stripes, 1, 0, RWA_COST_PAPER),
                         *whole = plan_loaded(thin, &coll, cases[i].scheme, 1, 1, 0, RWA_COST_PAPER);
                const rwa_plan_report *s = rwa_plan_summary(striped), *w = rwa_plan_summary(whole);
                CU_ASSERT_FATAL(rwa_plan_schedule(striped) && rwa_plan_schedule(whole));
                CU_ASSERT(s->check->ok && s->stripes == stripes);
                CU_ASSERT_EQUAL(s->steps, w->steps);
                CU_ASSERT_EQUAL(s->lightpaths, stripes * w->lightpaths);
                CU_ASSERT(s->bound.value <= s->steps);
                CU_ASSERT(s->time_bound_s > 0 && s->time_bound_s <= s->time_s);
                rwa_plan_free(striped);
                rwa_plan_free(whole);
                rwa_network_free(wide);
                rwa_network_free(thin);
            }
}

/* The quickest load factor is found: none that is asked for is quicker; and neither a tree nor a wavefront alone is as quick
 * as striped trees between the messages at which they win. */
static void no_load_factor_is_quicker(void)
{
    rwa_network *net = network_sized(RWA_RING, 64, 16, 1);
    for (uint64_t message = 4000; message < 1u << 30; message *= 8)
        for (uint32_t stripes = 1; stripes <= 16; stripes *= 2) {
            rwa_collective coll;
            CU_ASSERT_EQUAL_FATAL(rwa_collective_init(&coll, RWA_ALL_REDUCE, 64, 0, message, 0, NULL), RWA_OK);
            rwa_plan *chosen = plan_loaded(net, &coll, NULL, 0, 0, 0, RWA_COST_PAPER),
                     *asked = plan_loaded(net, &coll, NULL, stripes, 1, 0, RWA_COST_PAPER);
            CU_ASSERT(rwa_plan_summary(chosen)->time_s <= rwa_plan_summary(asked)->time_s * (1 + 1e-12));
            rwa_plan_free(chosen);
            rwa_plan_free(asked);
        }
    rwa_network_free(net);
}

/* Each step lasts as long as its longest lightpath. */
static double sum_of_steps(const rwa_schedule *sched)
{
    double sum = 0;
    for (uint32_t step = 1; step <= rwa_schedule_steps(sched); step++)
        sum += rwa_cost_steps(1, rwa_schedule_step_blocks(sched, step) * rwa_schedule_collective(sched)->block_bytes, 40e9, NULL);
    return sum;
}

/* A lightpath with two blocks takes twice as long; where fewer steps make up for it, and only there, auto merges.  Whatever
 * is merged, no plan beats the bounds for so many blocks on a lightpath, or the bound on time. */
static void merging_saves_steps(void)
{
    static const struct { uint32_t nodes, wavelengths, slots; rwa_collective_kind kind; } cases[] = {
        {128, 16, 2, RWA_ALL_GATHER}, {128, 16, 2, RWA_ALL_REDUCE}, {128, 32, 4, RWA_REDUCE_SCATTER}, {100, 20, 3, RWA_ALL_GATHER},
        {90, 16, 2, RWA_ALL_GATHER}};
    unsigned saved = 0;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        rwa_network *net = network_sized(RWA_RING, cases[i].nodes, cases[i].wavelengths, 1);
        rwa_collective coll;
        CU_ASSERT_EQUAL_FATAL(rwa_collective_init(&coll, cases[i].kind, cases[i].nodes, 0, 1 << 16, 0, NULL), RWA_OK);
        rwa_plan *merged = plan_loaded(net, &coll, "wavefront", 1, cases[i].slots, 0, RWA_COST_PAPER),
                 *single = plan_loaded(net, &coll, "wavefront", 1, 1, 0, RWA_COST_PAPER);
        const rwa_plan_report *m = rwa_plan_summary(merged), *s = rwa_plan_summary(single);
        CU_ASSERT(m->check->ok && m->lightpath_blocks <= cases[i].slots);
        CU_ASSERT_EQUAL(m->lightpath_blocks > 1, m->steps < s->steps);
        CU_ASSERT(m->bound.value <= m->steps && m->time_bound_s <= m->time_s);
        CU_ASSERT_DOUBLE_EQUAL(m->time_s, sum_of_steps(rwa_plan_schedule(merged)), 1e-12);
        CU_ASSERT(rwa_schedule_block_times(rwa_plan_schedule(merged)) <= (uint64_t)m->steps * m->lightpath_blocks);
        saved += m->lightpath_blocks > 1;
        rwa_plan_free(merged);
        rwa_plan_free(single);
        rwa_network_free(net);
    }
    CU_ASSERT(saved >= 3);
}

/* A higher limit of merging permits all that a lower one does: more slots never take more steps, and none is used that saves no step. */
static void more_slots_take_no_more_steps(void)
{
    static const uint32_t cases[][2] = {{64, 8}, {128, 16}, {100, 8}, {180, 24}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        rwa_network *net = network_sized(RWA_RING, cases[i][0], cases[i][1], 1);
        rwa_collective coll;
        uint32_t steps = UINT32_MAX, used = 1;
        CU_ASSERT_EQUAL_FATAL(rwa_collective_init(&coll, RWA_ALL_GATHER, cases[i][0], 0, 1 << 16, 0, NULL), RWA_OK);
        for (uint32_t slots = 1; slots <= 8; slots *= 2) {
            rwa_plan *merged = plan_loaded(net, &coll, "wavefront", 1, slots, 0, RWA_COST_PAPER);
            const rwa_plan_report *s = rwa_plan_summary(merged);
            CU_ASSERT(s->check->ok && s->steps <= steps);
            CU_ASSERT(s->steps < steps || s->lightpath_blocks == used);
            steps = s->steps;
            used = s->lightpath_blocks;
            rwa_plan_free(merged);
        }
        rwa_network_free(net);
    }
}

/* 100 bytes are sent in no time beside a reconfiguration, so that fewer steps win; a megabyte is not. */
static void auto_merges_small_messages_only(void)
{
    rwa_plan *small = quickest("ring:256", 64, RWA_ALL_GATHER, 100), *large = quickest("ring:256", 64, RWA_ALL_GATHER, 1 << 20);
    const rwa_plan_report *s = rwa_plan_summary(small);
    CU_ASSERT(s->lightpath_blocks == 1 || s->time_s < rwa_plan_alternative(small, 0)->time_s);
    CU_ASSERT_EQUAL(rwa_plan_summary(large)->lightpath_blocks, 1);
    rwa_plan_free(small);
    rwa_plan_free(large);
}

int main(void)
{
    static const struct test tests[] = {
        TEST(alternatives_are_slower_and_in_order),
        TEST(closed_forms_are_what_is_built), TEST(stripes_are_plans_side_by_side),
        TEST(no_load_factor_is_quicker), TEST(merging_saves_steps),
        TEST(more_slots_take_no_more_steps), TEST(auto_merges_small_messages_only), {0}};
    return run_tests("alternatives", tests);
}
