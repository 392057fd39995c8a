/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Bounds in steps and in time on seeded random settings: whoever may do more needs no more.  A schedule for some wavelengths, ports and
 * hops is one for more of them, so that no bound may rise with them; a schedule of a longer message also carries a shorter one, so that
 * the bound on time may not fall with the message.  Each best bound counts, not each by itself: one may apply to fewer settings.
 * Usage: monotone_test [SETTINGS [SEED]]
 */
#include "rwa.h"

#include "base/base.h"

#include "tests/support/suite.h"

#include <string.h>

static uint64_t seed = 1;
static int settings = 400;

static uint64_t any(uint64_t below)
{
    return base_random_below(&seed, below);
}

static const char *const shapes[] = {
    "ring:2", "ring:3", "ring:8", "ring:13", "ring:32", "ring:100", "line:2", "line:5", "line:16", "line:40", "torus:3x3", "torus:4x4",
    "torus:3x5", "torus:8x8", "mesh:2x3", "mesh:4x4", "mesh:7x7", "hypercube:3", "hypercube:6", "tree:2x3", "circulant:13:1,5",
    "circulant:64:1,8", "fat-tree:2", "fat-tree:4", "nsfnet14-21", "abilene12-15", "star:5", "star:32", "ron:8", "ron:30", "ocs:8x3",
    "ocs:40x4"};

struct setting {
    const char *shape;
    uint32_t wavelengths, ports, hops;  /* ports, hops: 0: no limit */
    rwa_collective_kind kind;
    uint64_t message;
    rwa_cost_options cost;
};

struct found {
    uint64_t steps;
    double time_s;
};

static void choose(struct setting *s)
{
    static const double alpha[] = {0, 1e-6, 5e-6}, reconfig[] = {0, 1e-6, 25e-6, 1e-3};
    *s = (struct setting){.shape = shapes[any(sizeof shapes / sizeof *shapes)], .wavelengths = 1 + (uint32_t)any(any(2) ? 4 : 64)};
    s->ports = any(2) ? 0 : 1 + (uint32_t)any(4);
    s->hops = any(2) ? 0 : 1 + (uint32_t)any(6);
    s->kind = (rwa_collective_kind)(RWA_ALL_GATHER + any(RWA_ROOTED_REDUCE));
    s->message = (uint64_t)1 << any(30);
    rwa_cost_options_init(&s->cost);
    s->cost.model = (rwa_cost_model)any(3);
    s->cost.alpha_s = alpha[any(3)];
    s->cost.reconfig_s = reconfig[any(4)];
}

/** Root 0; the cut into blocks, which bounds in steps count, stays the same while the message grows. */
static struct found bounds_of(const struct setting *s)
{
    struct found f = {0};
    rwa_network *net = NULL;
    rwa_network_options no;
    rwa_bound_options bo;
    rwa_collective coll;
    rwa_cost_prices floor;
    rwa_bound best;
    rwa_network_options_init(&no);
    rwa_bound_options_init(&bo);
    no.wavelengths = s->wavelengths;
    no.ports = s->ports;
    bo.max_hops = s->hops;
    CU_ASSERT_EQUAL_FATAL(rwa_network_open(&net, s->shape, &no, NULL), RWA_OK);
    CU_ASSERT_EQUAL_FATAL(rwa_collective_init(&coll, s->kind, rwa_network_nodes(net), 0, s->message, 0, NULL), RWA_OK);
    CU_ASSERT_EQUAL_FATAL(rwa_cost_floor(&floor, rwa_network_rate_bps(net), &s->cost, NULL), RWA_OK);
    CU_ASSERT_EQUAL_FATAL(rwa_bound_best(&best, net, &coll, &bo, NULL), RWA_OK);
    CU_ASSERT_EQUAL_FATAL(rwa_bound_time(&f.time_s, net, &coll, &floor, &bo, NULL), RWA_OK);
    f.steps = best.value;
    rwa_network_free(net);
    return f;
}

static uint32_t more(uint32_t limit)
{
    return limit == 0 || any(4) == 0 ? 0 : limit + 1 + (uint32_t)any(2);
}

/** Bounds of a setting that allows at least what the first one does. */
static void compare(const struct setting *s, const struct found *least, const struct setting *allows, const char *what)
{
    struct found f = bounds_of(allows);
    bool rises = f.steps > least->steps || f.time_s > least->time_s * (1 + 1e-9);
    if (rises)
        fprintf(stderr, "%s -w %u --ports %u --max-hops %u %s of %llu bytes, model %d, alpha %g, reconfig %g: %llu steps, %.9g s; with %s "
                        "(%u, %u, %u, %llu) %llu steps, %.9g s\n", s->shape, s->wavelengths, s->ports, s->hops,
                rwa_collective_name(s->kind), (unsigned long long)s->message, (int)s->cost.model, s->cost.alpha_s, s->cost.reconfig_s,
                (unsigned long long)least->steps, least->time_s, what, allows->wavelengths, allows->ports, allows->hops,
                (unsigned long long)allows->message, (unsigned long long)f.steps, f.time_s);
    CU_ASSERT_FALSE(rises);
}

static void bounds_do_not_rise_with_what_is_allowed(void)
{
    for (int i = 0; i < settings; i++) {
        struct setting s, wider, ports, hops, shorter;
        choose(&s);
        struct found f = bounds_of(&s);
        wider = ports = hops = shorter = s;
        wider.wavelengths += 1 + (uint32_t)any(3);
        ports.ports = more(s.ports);
        hops.hops = more(s.hops);
        shorter.message -= any(s.message / 2 + 1);
        compare(&s, &f, &wider, "more wavelengths");
        compare(&s, &f, &ports, "more ports");
        compare(&s, &f, &hops, "more hops");
        compare(&s, &f, &shorter, "a shorter message");
    }
}

int main(int argc, char **argv)
{
    static const struct test tests[] = {TEST(bounds_do_not_rise_with_what_is_allowed), {0}};
    settings = argc > 1 ? atoi(argv[1]) : settings;
    seed = argc > 2 ? strtoull(argv[2], NULL, 10) : seed;
    return run_tests("monotone", tests);
}
