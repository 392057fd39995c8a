/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Bounds in steps and in time on seeded random requests: whoever may do more needs no more.  A schedule for some
 * wavelengths, ports, hops and receivers is one for more of them, so that no bound may rise with them; a schedule of a
 * longer message also carries a shorter one, so that the bound on time may not fall with the message.  Each best bound
 * counts, not each by itself: one may apply to fewer settings. Usage: monotone_test [SETTINGS [SEED]]
 */
#include "tests/support/bounds.h"
#include "tests/support/random.h"

static int settings = 400;

static const char *const shapes[] = {
    "ring:2", "ring:3", "ring:8", "ring:13", "ring:32", "ring:100", "line:2", "line:5", "line:16", "line:40",
    "torus:3x3", "torus:4x4", "torus:3x5", "torus:8x8", "mesh:2x3", "mesh:4x4", "mesh:7x7", "mesh:3x7",
    "hypercube:3", "hypercube:6", "tree:2x3", "tree:3x2", "circulant:13:1,5", "circulant:64:1,8", "fat-tree:2",
    "fat-tree:4", "nsfnet14-21", "abilene12-15", "star:5", "star:32", "ron:8", "ron:30", "ocs:8x3", "ocs:40x4"};

static uint32_t more(uint32_t limit)
{
    return limit == 0 || any(4) == 0 ? 0 : limit + 1 + any(2);
}

/** Bounds of a request that allows at least what the first one does. */
static void compare(const struct request *r, const struct request *allows)
{
    uint64_t least = steps_bound_for(*r), steps = steps_bound_for(*allows);
    double least_s = time_bound_for(*r), time_s = time_bound_for(*allows);
    bool rises = steps > least || time_s > least_s * (1 + 1e-9);
    if (rises)
        fprintf(stderr, "%s: %u steps, %.9g s; with w=%u ports=%u hops=%u bytes=%u %u steps, %.9g s\n", r->line,
                (unsigned)least, least_s, allows->network.wavelengths, allows->network.ports, allows->options.max_hops,
                (unsigned)allows->bytes, (unsigned)steps, time_s);
    CU_ASSERT_FALSE(rises);
}

static void bounds_do_not_rise_with_what_is_allowed(void)
{
    static const char *const models[] = {
        "paper", "circuit", "overlap"}, *const alpha[] = {"0", "1e-6", "5e-6"}, *const reconfig[] = {"0", "1e-6",
        "25e-6", "1e-3"};
    for (int i = 0; i < settings; i++) {
        struct request r = request_of("%s w=%u ports=%u hops=%u bytes=%u model=%s alpha=%s reconfig=%s %s",
                                      shapes[any(COUNT(shapes))], 1 + any(any(2) ? 4 : 64), any(2) ? 0 : 1 + any(4),
                                      any(2) ? 0 : 1 + any(6), 1u << any(30), models[any(3)], alpha[any(3)],
                                      reconfig[any(4)], rwa_collective_name(RWA_ALL_GATHER + any(RWA_ROOTED_REDUCE)));
        struct request wider = r, ports = r, hops = r, taps = r, shorter = r;
        wider.network.wavelengths += 1 + any(3);
        ports.network.ports = more(r.network.ports);
        hops.options.max_hops = more(r.options.max_hops);
        taps.options.max_drops = 2 + any(5);
        shorter.bytes -= any((uint32_t)r.bytes / 2 + 1);
        compare(&r, &wider);
        compare(&r, &ports);
        compare(&r, &hops);
        compare(&r, &taps);
        compare(&r, &shorter);
    }
}

int main(int argc, char **argv)
{
    settings = argc > 1 ? atoi(argv[1]) : settings;
    seed = argc > 2 ? strtoull(argv[2], NULL, 10) : seed;
    return RUN_TESTS("monotone", bounds_do_not_rise_with_what_is_allowed);
}
