/* SPDX-License-Identifier: GPL-3.0-or-later */
/** All-gather on rings that lost links in one direction: every plan passes the checker, and few have many steps too many. */
#include "rwa.h"

#include "base/base.h"

#include "tests/support/suite.h"

#include <stdio.h>

static bool thorough;

enum { MOST_FAILED = 8 };

struct setting {
    uint32_t nodes, wavelengths, hops;
    uint32_t links[MOST_FAILED], count;     /* all below nodes, or all from nodes on */
    rwa_collective_kind kind;
    const char *scheme;
    bool quick;
};

static rwa_plan *plan_of(const struct setting *s)
{
    rwa_network_options no;
    rwa_plan_options opts;
    rwa_network *whole = NULL, *net = NULL;
    rwa_faults faults = {.links = s->links, .link_count = s->count};
    rwa_collective coll;
    rwa_plan *plan = NULL;
    rwa_network_options_init(&no);
    rwa_plan_options_init(&opts);
    no.wavelengths = s->wavelengths;
    opts.scheme = s->scheme;
    opts.max_hops = s->hops;
    opts.time_limit_s = s->quick ? 0.01 : 0; /* one attempt is always made */
    CU_ASSERT_EQUAL_FATAL(rwa_network_create(&whole, RWA_RING, s->nodes, &no, NULL), RWA_OK);
    CU_ASSERT_EQUAL_FATAL(rwa_network_with_faults(&net, whole, &faults, NULL), RWA_OK);
    CU_ASSERT_EQUAL_FATAL(rwa_collective_init(&coll, s->kind, s->nodes, 0, 4096, 0, NULL), RWA_OK);
    CU_ASSERT_EQUAL_FATAL(rwa_plan_make(&plan, net, &coll, &opts, NULL), RWA_OK);
    CU_ASSERT_PTR_NOT_NULL_FATAL(rwa_plan_schedule(plan));
    rwa_network_free(whole);
    rwa_network_free(net);
    return plan;
}

static uint32_t steps_of(const struct setting *s)
{
    rwa_plan *plan = plan_of(s);
    const rwa_plan_report *sum = rwa_plan_summary(plan);
    uint32_t steps = sum->steps;
    CU_ASSERT(sum->check->ok && sum->steps >= sum->bound.value);
    CU_ASSERT(s->hops == 0 || sum->longest_hops <= s->hops);
    rwa_plan_free(plan);
    return steps;
}

/* One channel: a node behind a failed link takes in N - 1 blocks one by one, and passing all on at once is enough. */
static void one_channel(void)
{
    for (uint32_t n = 4; n < 30; n += 3)
        for (uint32_t count = 1; count <= 3; count++) {
            struct setting s = {.nodes = n, .wavelengths = 1, .links = {0, n / 2, n - 1}, .count = count, .kind = RWA_ALL_GATHER,
                                .scheme = "broken-wavefront"};
            CU_ASSERT_EQUAL(steps_of(&s), n - 1);
        }
}

/*
 * As many steps as a node behind a failed link needs to take all in, and what it takes at least, by experience, for the last
 * blocks to get round: far fewer than when all goes one way only.
 */
static void far_fewer_than_one_way(void)
{
    static const struct setting with[] = {{.nodes = 64, .wavelengths = 8, .links = {5, 30}, .count = 2},
                                          {.nodes = 128, .wavelengths = 16, .links = {17, 50}, .count = 2},
                                          {.nodes = 100, .wavelengths = 3, .links = {101, 107, 150, 160, 161}, .count = 5}};
    for (size_t i = 0; i < sizeof with / sizeof *with; i++) {
        struct setting s = with[i];
        s.kind = RWA_ALL_GATHER;
        s.scheme = "broken-wavefront";
        uint32_t steps = steps_of(&s);
        s.scheme = "wavefront";
        uint32_t one_way = steps_of(&s);
        CU_ASSERT(steps >= (s.nodes - 2) / s.wavelengths + 1 && steps * 10 <= one_way * 9);
        s.scheme = NULL;
        CU_ASSERT(steps_of(&s) <= steps);
    }
}

/* Reversed in time, and both: the way there takes links that failed the other way. */
static void reductions(void)
{
    for (uint32_t ccw = 0; ccw < 2; ccw++) {
        struct setting s = {.nodes = 20, .wavelengths = 3, .links = {2 + 20 * ccw, 9 + 20 * ccw, 10 + 20 * ccw}, .count = 3,
                            .kind = RWA_ALL_GATHER, .scheme = "broken-wavefront"};
        uint32_t steps = steps_of(&s);
        s.kind = RWA_REDUCE_SCATTER;
        CU_ASSERT(steps_of(&s) <= 2 * steps);
        s.kind = RWA_ALL_REDUCE;
        CU_ASSERT(steps_of(&s) <= 3 * steps);
    }
}

static void at_random(void)
{
    uint64_t seed = 3;
    for (int i = 0; i < (thorough ? 300 : 100); i++) {
        struct setting s = {.nodes = 3 + (uint32_t)base_random_below(&seed, 40),
                            .wavelengths = 1 + (uint32_t)base_random_below(&seed, 9),
                            .kind = i % 4 ? RWA_ALL_GATHER : RWA_ALL_REDUCE, .scheme = "broken-wavefront", .quick = true};
        uint32_t ccw = (uint32_t)base_random_below(&seed, 2) * s.nodes;
        s.count = 1 + (uint32_t)base_random_below(&seed, MOST_FAILED);
        for (uint32_t k = 0; k < s.count; k++)
            s.links[k] = ccw + (uint32_t)base_random_below(&seed, s.nodes);
        s.hops = i % 3 ? 0 : 1 + (uint32_t)base_random_below(&seed, 6);
        CU_ASSERT(steps_of(&s) > 0);
    }
}

/* All of them: every node is one behind a failed link. */
static void all_links_of_a_direction(void)
{
    struct setting s = {.nodes = 8, .wavelengths = 2, .links = {0, 1, 2, 3, 4, 5, 6, 7}, .count = 8, .kind = RWA_ALL_GATHER,
                        .scheme = "broken-wavefront"};
    CU_ASSERT(steps_of(&s) < 7);
    s.scheme = NULL;
    CU_ASSERT(steps_of(&s) < 7);
}

int main(int argc, char **argv)
{
    static const struct test tests[] = {
        TEST(one_channel), TEST(far_fewer_than_one_way), TEST(reductions), TEST(at_random),
        TEST(all_links_of_a_direction), {0}};
    thorough = is_thorough(argc, argv);
    return run_tests("broken", tests);
}
