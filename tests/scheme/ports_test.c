/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Few ports: every collective has a plan that keeps to them, and no bound that counts them is above it. */
#include "rwa.h"

#include "tests/support/suite.h"

#include <stdio.h>

struct setting {
    const char *spec;
    uint32_t wavelengths, ports;
    rwa_collective_kind kind;
    uint32_t root;
    const char *scheme;
};

static rwa_plan *plan_of(const struct setting *s)
{
    rwa_network_options no;
    rwa_plan_options opts;
    rwa_network *net = NULL;
    rwa_collective coll;
    rwa_plan *plan = NULL;
    rwa_error err = {0};
    rwa_network_options_init(&no);
    rwa_plan_options_init(&opts);
    no.wavelengths = s->wavelengths;
    no.ports = s->ports;
    opts.scheme = s->scheme;
    opts.time_limit_s = 0.2;
    CU_ASSERT_EQUAL_FATAL(rwa_network_open(&net, s->spec, &no, NULL), RWA_OK);
    CU_ASSERT_EQUAL_FATAL(rwa_collective_init(&coll, s->kind, rwa_network_nodes(net), s->root, 4096, 0, NULL), RWA_OK);
    if (rwa_plan_make(&plan, net, &coll, &opts, &err) != RWA_OK)
        fprintf(stderr, "%s: %s\n", s->spec, err.text);
    CU_ASSERT_PTR_NOT_NULL_FATAL(plan);
    if (!rwa_plan_schedule(plan))
        fprintf(stderr, "%s, %u ports, %s: %s\n", s->spec, s->ports, rwa_collective_name(s->kind), rwa_plan_summary(plan)->why);
    CU_ASSERT_PTR_NOT_NULL_FATAL(rwa_plan_schedule(plan));
    rwa_network_free(net);
    return plan;
}

static void expect_plan(const struct setting *s)
{
    rwa_plan *plan = plan_of(s);
    const rwa_plan_report *sum = rwa_plan_summary(plan);
    CU_ASSERT(sum->check->ok && sum->steps >= sum->bound.value && sum->bound.value > 0);
    rwa_plan_free(plan);
}

static void expect_optimum(const struct setting *s, uint32_t steps)
{
    rwa_plan *plan = plan_of(s);
    const rwa_plan_report *sum = rwa_plan_summary(plan);
    CU_ASSERT(sum->check->ok);
    CU_ASSERT_EQUAL(sum->steps, steps);
    CU_ASSERT_EQUAL(sum->bound.value, steps);
    if (sum->steps != steps || sum->bound.value != steps)
        printf("%s, %u ports: %u steps, bound %llu, expected %u\n", s->spec, s->ports, sum->steps,
               (unsigned long long)sum->bound.value, steps);
    rwa_plan_free(plan);
}

static void every_collective_has_a_plan(void)
{
    static const char *const specs[] = {"ring:9", "line:8", "torus:3x3", "mesh:2x4", "tree:2x2", "hypercube:3", "nsfnet14-21"};
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++)
        for (uint32_t ports = 1; ports <= 3; ports++)
            for (int kind = RWA_ALL_GATHER; kind <= RWA_ROOTED_REDUCE; kind++)
                expect_plan(&(struct setting){specs[i], 2, ports, (rwa_collective_kind)kind, 2, NULL});
}

/* So many holders can there be after t steps: each of them tells k more at most. */
static uint32_t fewest_to_tell(uint32_t nodes, uint32_t ports)
{
    uint32_t steps = 0;
    for (uint64_t holders = 1; holders < nodes; holders *= ports + 1)
        steps++;
    return steps;
}

/* Runs of any length are cut into k + 1, wherever the holder is in them, and k lightpaths fit the channels. */
static void trees_are_optimal(void)
{
    for (uint32_t n = 2; n <= 40; n++)
        for (uint32_t ports = 1; ports <= 3; ports++)
            for (uint32_t root = 0; root < n; root += n / 5 + 1) {
                char ring[16], line[16];
                snprintf(ring, sizeof ring, "ring:%u", n < 3 ? 3 : n);
                snprintf(line, sizeof line, "line:%u", n);
                expect_optimum(&(struct setting){ring, 3, ports, RWA_BROADCAST, root, "tree"}, fewest_to_tell(n < 3 ? 3 : n, ports));
                rwa_plan *plan = plan_of(&(struct setting){line, 3, ports, RWA_BROADCAST, root, "tree"});
                CU_ASSERT_EQUAL(rwa_plan_summary(plan)->steps, fewest_to_tell(n, ports));
                CU_ASSERT(rwa_plan_summary(plan)->bound.value <= rwa_plan_summary(plan)->steps);
                rwa_plan_free(plan);
            }
}

/* With more ports than channels on a side a holder uses as many on either side as it may, never more than it has. */
static void ports_beyond_the_channels(void)
{
    for (uint32_t ports = 1; ports <= 9; ports++)
        expect_plan(&(struct setting){"ring:50", 3, ports, RWA_BROADCAST, 7, "tree"});
}

/*
 * hypercube:4: a block doubles along one dimension after the other.  Complete graph of 7: in step s everyone sends to the
 * node s further on.  An all-gather brings N - 1 blocks to everyone, k in a step; a scatter takes as many from its root.
 */
static void bounds_that_are_met(void)
{
    expect_optimum(&(struct setting){"hypercube:4", 2, 1, RWA_BROADCAST, 5, "nearest"}, 4);
    expect_optimum(&(struct setting){"circulant:7:1,2,3", 1, 1, RWA_ALL_GATHER, 0, "nearest"}, 6);
    expect_optimum(&(struct setting){"nsfnet14-21", 4, 1, RWA_ALL_GATHER, 0, "nearest"}, 13);
    expect_optimum(&(struct setting){"nsfnet14-21", 4, 2, RWA_REDUCE_SCATTER, 0, "nearest"}, 7);
    expect_optimum(&(struct setting){"nsfnet14-21", 4, 3, RWA_SCATTER, 3, "nearest"}, 5);
    expect_optimum(&(struct setting){"ring:16", 4, 1, RWA_ALL_GATHER, 0, "wavefront"}, 15);
    expect_optimum(&(struct setting){"ring:16", 4, 2, RWA_ALL_GATHER, 0, "wavefront"}, 8);
    expect_optimum(&(struct setting){"ring:16", 4, 3, RWA_GATHER, 2, "relay"}, 5);
}

/* Where a node has no more ports than channels on a side, reading is all that takes time: N - 1 blocks, as many in a step. */
static void wavefronts_read_what_ports_take(void)
{
    for (uint32_t n = 5; n <= 65; n += 6)
        for (uint32_t w = 2; w <= 6; w++)
            for (uint32_t ports = 1; ports <= w; ports++) {
                char spec[16];
                rwa_plan *plan;
                snprintf(spec, sizeof spec, "ring:%u", n);
                plan = plan_of(&(struct setting){spec, w, ports, n % 12 == 5 ? RWA_ALL_GATHER : RWA_REDUCE_SCATTER, 0, "wavefront"});
                const rwa_plan_report *s = rwa_plan_summary(plan);
                CU_ASSERT(s->check->ok && s->steps >= (n - 1 + ports - 1) / ports && s->bound.value <= s->steps);
                if (ports * 2 <= w)
                    CU_ASSERT_EQUAL(s->steps, (n - 1 + ports - 1) / ports);
                rwa_plan_free(plan);
            }
}

/* On a line all but the ends have two links, but the ends read as much; few ports leave more time than blocks need. */
static void lines_keep_to_their_ports(void)
{
    for (uint32_t n = 3; n <= 15; n += 4)
        for (uint32_t w = 1; w <= 5; w += 2)
            for (uint32_t ports = 1; ports <= 2 * w; ports++) {
                char spec[16];
                snprintf(spec, sizeof spec, "line:%u", n);
                expect_plan(&(struct setting){spec, w, ports, n % 8 == 3 ? RWA_ALL_GATHER : RWA_REDUCE_SCATTER, 0, "line-wavefront"});
            }
}

static void expect_steps(const struct setting *s, uint32_t steps)
{
    rwa_plan *plan = plan_of(s);
    CU_ASSERT_EQUAL(rwa_plan_summary(plan)->steps, steps);
    if (rwa_plan_summary(plan)->steps != steps)
        printf("%s, %u ports, %s: %u steps, expected %u\n", s->spec, s->ports, s->scheme, rwa_plan_summary(plan)->steps, steps);
    rwa_plan_free(plan);
}

/* All send to all: over each difference of node numbers every node sends once and receives once, so that with channels enough a step takes
 * as many differences as there are ports.  Two nodes that differ in one bit exchange in one step. */
static void exchanges_fill_all_ports(void)
{
    for (uint32_t n = 5; n <= 17; n += 3)
        for (uint32_t ports = 1; ports <= 4; ports++) {
            char ring[16], torus[16];
            snprintf(ring, sizeof ring, "ring:%u", n);
            snprintf(torus, sizeof torus, "torus:3x%u", n);
            expect_steps(&(struct setting){ring, 40, ports, RWA_ALL_GATHER, 0, "compose:direct"}, (n - 1 + ports - 1) / ports);
            expect_steps(&(struct setting){torus, 100, ports, RWA_ALL_GATHER, 0, "compose:direct"}, (3 * n - 1 + ports - 1) / ports);
        }
    static const char bits[] = "compose:positions(8,direct,positions(4,direct,positions(2,direct,direct)))";
    expect_steps(&(struct setting){"hypercube:4", 1, 1, RWA_ALL_TO_ALL, 0, bits}, 4);
    expect_steps(&(struct setting){"ring:16", 8, 1, RWA_ALL_TO_ALL, 0, bits}, 4);
}

int main(void)
{
    static const struct test tests[] = {
        TEST(every_collective_has_a_plan), TEST(trees_are_optimal), TEST(ports_beyond_the_channels),
        TEST(bounds_that_are_met), TEST(wavefronts_read_what_ports_take), TEST(lines_keep_to_their_ports),
        TEST(exchanges_fill_all_ports), {0}};
    return run_tests("ports", tests);
}
