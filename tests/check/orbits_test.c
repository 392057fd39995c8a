/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Orbits of paths on tori and hypercubes: what they stand for, and that they are judged as their lightpaths written out. */
#include "rwa.h"

#include "base/base.h"

#include "tests/support/plans.h"
#include "tests/support/report.h"
#include "tests/support/same_verdict.h"
#include "tests/support/spoilt.h"
#include "tests/support/suite.h"

#include <string.h>

/** A grid whose dimensions are cycles, in the test's own arithmetic. */
struct torus {
    const char *spec;
    uint32_t wavelengths, fibers, dimensions, size[4];
};

static const struct torus tori[] = {
    {"torus:4x4", 8, 1, 2, {4, 4}},       {"torus:5x3", 7, 1, 2, {5, 3}},  {"torus:3x2", 6, 1, 2, {3, 2}},
    {"torus:6x4", 4, 3, 2, {6, 4}},       {"torus:8", 5, 2, 1, {8}},       {"torus:2x2x3", 4, 1, 3, {2, 2, 3}},
    {"torus:4x2x2", 9, 2, 3, {4, 2, 2}},  {"hypercube:3", 4, 1, 3, {2, 2, 2}},
    {"torus:3x3x3", 6, 1, 3, {3, 3, 3}},  {"torus:6x4", 10, 1, 2, {6, 4}},
};
enum { TORI = sizeof tori / sizeof *tori, STEPS = 5 };

static uint32_t nodes_of(const struct torus *t)
{
    uint32_t nodes = 1;
    for (uint32_t d = 0; d < t->dimensions; d++)
        nodes *= t->size[d];
    return nodes;
}

static void point_of(uint32_t *point, const struct torus *t, uint32_t node)
{
    for (uint32_t d = t->dimensions; d-- > 0; node /= t->size[d])
        point[d] = node % t->size[d];
}

static uint32_t node_at(const struct torus *t, const uint32_t *point)
{
    uint32_t node = 0;
    for (uint32_t d = 0; d < t->dimensions; d++)
        node = node * t->size[d] + point[d] % t->size[d];
    return node;
}

static uint32_t moved(const struct torus *t, uint32_t node, uint32_t by)
{
    uint32_t a[4], b[4];
    point_of(a, t, node);
    point_of(b, t, by);
    for (uint32_t d = 0; d < t->dimensions; d++)
        a[d] += b[d];
    return node_at(t, a);
}

/* ---- random schedules ---- */

struct draft {
    const struct torus *t;
    rwa_schedule *sched;
    uint64_t *random;
    uint32_t nodes;
    uint64_t blocks;
};

/** A walk straight along a dimension, either way, or (seldom) round a corner. */
static uint32_t random_path(uint32_t *path, struct draft *d)
{
    uint32_t dim = (uint32_t)base_random_below(d->random, d->t->dimensions), size = d->t->size[dim], point[4];
    uint32_t hops = size > 2 ? 1 + (uint32_t)base_random_below(d->random, size - 1) : 1;
    bool back = base_random_below(d->random, 2) == 0, turns = d->t->dimensions > 1 && base_random_below(d->random, 12) == 0;
    path[0] = (uint32_t)base_random_below(d->random, d->nodes);
    point_of(point, d->t, path[0]);
    for (uint32_t h = 1; h <= hops; h++) {
        point[dim] = (point[dim] + (back ? size - 1 : 1)) % size;
        path[h] = node_at(d->t, point);
    }
    if (turns) {
        uint32_t other = (dim + 1) % d->t->dimensions;
        point[other] = (point[other] + 1) % d->t->size[other];
        path[++hops] = node_at(d->t, point);
    }
    return hops + 1;
}

/** Mostly a divisor of the size of the dimension. */
static uint32_t random_period(const struct draft *d, uint32_t channels)
{
    uint32_t size = d->t->size[base_random_below(d->random, d->t->dimensions)], period = size;
    if (base_random_below(d->random, 4) == 0)
        period = 1 + (uint32_t)base_random_below(d->random, channels);
    else if (base_random_below(d->random, 3) == 0)
        period = size % 2 == 0 ? size / 2 : 1;
    return period <= channels ? period : 1;
}

/** held: blocks that all nodes have as node 0 has them, so that most schedules are right for a while. */
static void add_random(struct draft *d, uint32_t step, const bool *held, bool *coming)
{
    const rwa_network *net = rwa_schedule_network(d->sched);
    uint32_t path[64], channels = rwa_network_channels(net), period = random_period(d, channels), point[4], from[4];
    uint32_t blocks[4], count = 1 + (uint32_t)base_random_below(d->random, 3), each = (uint32_t)(d->blocks / d->nodes);
    rwa_lists lists = {.path = path, .path_nodes = random_path(path, d), .blocks = blocks};
    rwa_collective_kind kind = rwa_schedule_collective(d->sched)->kind;
    uint32_t src = path[0], dst = path[lists.path_nodes - 1], channel = (uint32_t)base_random_below(d->random, channels);
    if (src == dst)
        return;
    point_of(from, d->t, src);
    for (uint32_t i = 0; i < 40 && lists.block_count < count; i++) {
        uint32_t b = (uint32_t)base_random_below(d->random, d->blocks), owner[4];
        if (kind != RWA_ALL_GATHER && kind != RWA_REDUCE_SCATTER && kind != RWA_ALL_REDUCE) { /* pairs of node 0, moved to the source */
            b = kind == RWA_ALL_TO_ALL ? moved(d->t, 0, src) * each + b % each : b;
            blocks[lists.block_count++] = b;
            continue;
        }
        point_of(owner, d->t, b / each); /* as seen from the source */
        for (uint32_t k = 0; k < d->t->dimensions; k++)
            point[k] = owner[k] + d->t->size[k] - from[k];
        if (kind != RWA_ALL_GATHER || held[node_at(d->t, point) * each + b % each] || base_random_below(d->random, 25) == 0)
            blocks[lists.block_count++] = b;
    }
    if (lists.block_count == 0)
        return;
    rwa_lightpath lp = {.step = step, .src = src, .dst = dst, .fiber = channel / rwa_network_wavelengths(net),
                        .wavelength = channel % rwa_network_wavelengths(net), .orbit = d->nodes, .period = period,
                        .op = rwa_collective_is_reduction(kind) && base_random_below(d->random, 6) ? RWA_REDUCE : RWA_COPY};
    if (base_random_below(d->random, 30) == 0)
        lp.orbit = 1;
    if (lists.path_nodes > 2 && base_random_below(d->random, 6) == 0) {
        lists.taps = path + 1 + base_random_below(d->random, lists.path_nodes - 2);
        lists.tap_count = 1;
    }
    if (rwa_schedule_add_lists(d->sched, &lp, &lists, NULL) != RWA_OK || lp.orbit == 1)
        return;
    point_of(from, d->t, dst);
    for (uint32_t i = 0; i < lists.block_count && kind == RWA_ALL_GATHER; i++) {
        uint32_t owner[4];
        point_of(owner, d->t, blocks[i] / each);
        for (uint32_t k = 0; k < d->t->dimensions; k++)
            owner[k] += d->t->size[k] - from[k];
        coming[node_at(d->t, owner) * each + blocks[i] % each] = true;
    }
}

static rwa_schedule *random_orbits(const struct torus *t, rwa_collective_kind kind, uint32_t records, uint64_t *random)
{
    rwa_network *net = network_with(t->spec, t->wavelengths, t->fibers);
    rwa_collective coll;
    bool held[512] = {false}, coming[512] = {false};
    struct draft d = {.t = t, .random = random, .nodes = nodes_of(t)};
    d.blocks = d.nodes * (1 + base_random_below(random, 3)) * (kind == RWA_ALL_TO_ALL ? d.nodes : 1);
    CU_ASSERT_FATAL(d.nodes == rwa_network_nodes(net) && (kind == RWA_ALL_TO_ALL || d.blocks <= 512));
    CU_ASSERT_EQUAL_FATAL(rwa_collective_init(&coll, kind, d.nodes, 0, d.blocks * 64, d.blocks, NULL), RWA_OK);
    CU_ASSERT_EQUAL_FATAL(rwa_schedule_create(&d.sched, net, &coll, "random", NULL), RWA_OK);
    for (uint64_t b = 0; b < d.blocks / d.nodes; b++)
        held[b] = true;
    for (uint32_t step = 1; step <= STEPS; step++) {
        for (uint32_t i = 0; i < records; i++)
            add_random(&d, rwa_schedule_steps(d.sched) + 1 < step ? rwa_schedule_steps(d.sched) + 1 : step, held, coming);
        for (size_t b = 0; b < 512; b++)
            held[b] = held[b] || coming[b];
    }
    rwa_network_free(net);
    return d.sched;
}

/* ---- what an orbit stands for ---- */

/** The coordinate of node i in the first dimension in which two nodes differ. */
static uint32_t place_of(const struct torus *t, uint32_t i, uint32_t src, uint32_t dst)
{
    uint32_t a[4], b[4], point[4];
    point_of(a, t, src);
    point_of(b, t, dst);
    point_of(point, t, i);
    for (uint32_t d = 0; d < t->dimensions; d++)
        if (a[d] != b[d])
            return point[d];
    return 0;
}

static uint64_t moved_block(const struct torus *t, const rwa_collective *coll, uint64_t block, uint32_t i)
{
    uint64_t each = coll->blocks / coll->nodes, parts = each / coll->nodes, owner = moved(t, (uint32_t)(block / each), i);
    if (coll->kind == RWA_ALL_TO_ALL)
        return owner * each + moved(t, (uint32_t)(block % each / parts), i) * parts + block % parts;
    return owner * each + block % each;
}

/** Lightpath i of a record is the one of this number. */
static void is_lightpath(const struct torus *t, const rwa_schedule *sched, uint64_t record, uint32_t i, const rwa_schedule *all,
                         uint64_t at)
{
    const rwa_network *net = rwa_schedule_network(sched);
    const rwa_collective *coll = rwa_schedule_collective(sched);
    rwa_lightpath whole, lp;
    rwa_lists of, lists;
    rwa_run one, single;
    uint32_t runs, from_runs, place = 0, wavelengths = rwa_network_wavelengths(net);
    rwa_schedule_get(&whole, sched, record);
    rwa_schedule_lists(&of, sched, record);
    rwa_schedule_get(&lp, all, at);
    rwa_schedule_lists(&lists, all, at);
    uint32_t channel = whole.fiber * wavelengths + whole.wavelength, bank = channel - (whole.orbit > 1 ? channel % whole.period : 0);
    if (whole.orbit > 1)
        channel = bank + (channel - bank + place_of(t, i, whole.src, whole.dst)) % whole.period;
    CU_ASSERT_EQUAL(lp.src, moved(t, whole.src, i));
    CU_ASSERT_EQUAL(lp.dst, moved(t, whole.dst, i));
    CU_ASSERT_EQUAL(lp.fiber * wavelengths + lp.wavelength, channel);
    CU_ASSERT_EQUAL_FATAL(lists.path_nodes, of.path_nodes);
    for (uint32_t k = 0; k < of.path_nodes; k++)
        CU_ASSERT(lists.path[k] == moved(t, of.path[k], i) && lists.path[k] == rwa_node_of_orbit(of.path[k], i, net));
    CU_ASSERT_EQUAL_FATAL(lists.tap_count, of.tap_count);
    for (uint32_t k = 0; k < of.tap_count; k++)
        CU_ASSERT_EQUAL(lists.taps[k], moved(t, of.taps[k], i));
    const rwa_run *run, *from;
    runs = rwa_lists_runs(&run, &one, &lp, &lists);
    from_runs = rwa_lists_runs(&from, &single, &whole, &of);
    for (uint32_t r = 0, k = 0; r < from_runs; r++)
        for (uint32_t j = 0; j < from[r].count; j++) {
            CU_ASSERT_EQUAL(run[place].first + k * run[place].stride, moved_block(t, coll, from[r].first + j * from[r].stride, i));
            if (++k == run[place].count) {
                place++;
                k = 0;
            }
        }
    CU_ASSERT_EQUAL(place, runs);
}

static void orbits_are_all_translations(void)
{
    static const rwa_collective_kind kinds[] = {RWA_ALL_GATHER, RWA_ALL_REDUCE, RWA_ALL_TO_ALL};
    uint64_t random = 3;
    for (uint32_t i = 0; i < 4 * TORI; i++) {
        rwa_schedule *sched = random_orbits(&tori[i % TORI], kinds[i % 3], 3, &random), *all = NULL;
        uint64_t at = 0;
        CU_ASSERT_EQUAL_FATAL(rwa_schedule_expand(&all, sched, NULL), RWA_OK);
        for (uint64_t r = 0; r < rwa_schedule_records(sched); r++) {
            rwa_lightpath lp;
            rwa_schedule_get(&lp, sched, r);
            for (uint32_t k = 0; k < lp.orbit; k++)
                is_lightpath(&tori[i % TORI], sched, r, k, all, at++);
        }
        CU_ASSERT_EQUAL(at, rwa_schedule_lightpaths(sched));
        CU_ASSERT_EQUAL(at, rwa_schedule_records(all));
        rwa_schedule_free(sched);
        rwa_schedule_free(all);
    }
}

/* ---- verdicts ---- */

static void random_orbits_are_judged_as_their_lightpaths(void)
{
    static const rwa_collective_kind kinds[] = {RWA_ALL_GATHER, RWA_REDUCE_SCATTER, RWA_ALL_REDUCE, RWA_ALL_TO_ALL};
    uint64_t random = 17;
    for (uint32_t i = 0; i < 1200; i++) {
        rwa_schedule *sched = random_orbits(&tori[i % TORI], kinds[i / TORI % 4], 1 + i % 5, &random);
        same_verdict(sched);
        rwa_schedule_free(sched);
    }
}

/* ---- plans ---- */

static const struct {
    const char *scheme;
    rwa_collective_kind kind;
} planned[] = {{"standing", RWA_ALL_GATHER},        {"standing", RWA_REDUCE_SCATTER},        {"standing", RWA_ALL_REDUCE},
               {"standing", RWA_ALL_TO_ALL},        {"nearest", RWA_ALL_GATHER},             {"compose", RWA_ALL_GATHER}};
enum { PLANNED = sizeof planned / sizeof *planned };

/** The plan of a number below PLANNED * TORI. */
static rwa_plan *plan_number(size_t number)
{
    const struct torus *t = &tori[number % TORI];
    rwa_collective_kind kind = planned[number / TORI].kind;
    rwa_plan_options opts = options_of(planned[number / TORI].scheme);
    opts.cost.model = RWA_COST_CIRCUIT;
    return plan_made_on(network_with(t->spec, t->wavelengths, t->fibers), kind, kind == RWA_ALL_TO_ALL ? 64 : 1 << 20, &opts);
}

/* Plans of standing are orbits, but where two dimensions of 2 are planned as a cycle of 4; the others hardly ever are. */
static void plans_of_orbits_are_judged_as_their_lightpaths(void)
{
    uint64_t random = 23;
    size_t good = 0, bad = 0, small = 0;
    for (size_t i = 0; i < PLANNED * TORI; i++) {
        rwa_plan *plan = plan_number(i);
        const rwa_schedule *sched = rwa_plan_schedule(plan);
        CU_ASSERT_PTR_NOT_NULL_FATAL(sched);
        CU_ASSERT(same_verdict(sched));
        small += rwa_schedule_records(sched) * nodes_of(&tori[i % TORI]) == rwa_schedule_lightpaths(sched);
        for (uint32_t k = 0; k < 12; k++) {
            rwa_schedule *changed = spoilt(sched, base_random_below(&random, rwa_schedule_records(sched)), &random);
            *(same_verdict(changed) ? &good : &bad) += 1;
            rwa_schedule_free(changed);
        }
        rwa_plan_free(plan);
    }
    CU_ASSERT(bad > 200 && good > 25 && small > 15);
}

/* The same schedule, each record given by another lightpath of its orbit. */
static rwa_schedule *rerooted(const struct torus *t, const rwa_schedule *sched, uint64_t *random)
{
    const rwa_network *net = rwa_schedule_network(sched);
    const rwa_collective *coll = rwa_schedule_collective(sched);
    rwa_schedule *out = NULL;
    CU_ASSERT_EQUAL_FATAL(rwa_schedule_create(&out, net, coll, "rerooted", NULL), RWA_OK);
    for (uint64_t r = 0; r < rwa_schedule_records(sched); r++) {
        static uint32_t blocks[1 << 16];
        uint32_t path[64], count = 0, by = (uint32_t)base_random_below(random, coll->nodes), runs;
        rwa_lightpath whole, lp;
        rwa_lists lists;
        rwa_run one;
        rwa_schedule_get(&whole, sched, r);
        rwa_schedule_lists(&lists, sched, r);
        rwa_lightpath_of_orbit(&lp, &whole, whole.orbit > 1 ? by : 0, net, coll);
        by = whole.orbit > 1 ? by : 0;
        const rwa_run *run;
        runs = rwa_lists_runs(&run, &one, &whole, &lists);
        for (uint32_t i = 0; i < runs; i++)
            for (uint32_t k = 0; k < run[i].count; k++)
                blocks[count++] = (uint32_t)(by > 0 ? moved_block(t, coll, run[i].first + k * run[i].stride, by)
                                                      : run[i].first + k * run[i].stride);
        for (uint32_t k = 0; k < lists.path_nodes; k++)
            path[k] = moved(t, lists.path[k], by);
        lp.orbit = whole.orbit;
        lp.period = whole.period;
        CU_ASSERT_EQUAL_FATAL(rwa_schedule_add_lists(out, &lp, &(rwa_lists){.path = path, .path_nodes = lists.path_nodes,
                                                     .blocks = blocks, .block_count = count}, NULL), RWA_OK);
    }
    return out;
}

static double checked_s(const rwa_schedule *sched, rwa_cost_model model)
{
    rwa_check_options o;
    rwa_cost_options cost;
    rwa_check_report report;
    rwa_check_options_init(&o);
    rwa_cost_options_init(&cost);
    cost.model = model;
    cost.alpha_s = 1e-6;
    o.cost = &cost;
    CU_ASSERT_EQUAL_FATAL(report_schedule(&report, sched, &o, NULL), RWA_OK);
    CU_ASSERT(report.ok);
    return report.time_s;
}

/* Any of its lightpaths stands for an orbit: verdict and times stay. */
static void any_lightpath_stands_for_an_orbit(void)
{
    uint64_t random = 29;
    for (size_t i = 0; i < PLANNED * TORI; i++) {
        const struct torus *t = &tori[i % TORI];
        rwa_plan *plan = plan_number(i);
        const rwa_schedule *sched = rwa_plan_schedule(plan);
        rwa_schedule *other = rerooted(t, sched, &random);
        CU_ASSERT(same_verdict(other));
        for (rwa_cost_model model = RWA_COST_PAPER; model <= RWA_COST_OVERLAP; model++)
            CU_ASSERT_DOUBLE_EQUAL(checked_s(other, model), checked_s(sched, model), 1e-15);
        rwa_schedule_free(other);
        rwa_plan_free(plan);
    }
}

int main(void)
{
    static const struct test tests[] = {TEST(orbits_are_all_translations), TEST(random_orbits_are_judged_as_their_lightpaths),
                                        TEST(plans_of_orbits_are_judged_as_their_lightpaths), TEST(any_lightpath_stands_for_an_orbit), {0}};
    return run_tests("orbits of paths", tests);
}
