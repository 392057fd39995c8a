/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Routes that modulation formats reach over, beside all simple paths of small networks. */
#include "tests/support/assigning.h"
#include "tests/support/brute.h"
#include "tests/support/fibers.h"
#include "tests/support/random.h"

enum { NODES = 7, EDGES = 10 };

static rwa_modulation_choice choice_of(const rwa_transmission *t, const rwa_network *net, const uint32_t *links,
                                       size_t hops, double rate_bps)
{
    rwa_modulation_choice c;
    OK(rwa_transmission_choose_route(&c, t, net, links, hops, rate_bps,
                                     rwa_network_slot_hz(net) > 0 ? 0 : rwa_transmission_channel_slots(t), NULL));
    return c;
}

/* For all simple paths of brute.h. */
struct exhaustive {
    const rwa_network *net;
    const rwa_transmission *t;
    const double *rates;    /* NULL: the network's, in one channel */
};

static bool has_width(const void *data, size_t demand, uint32_t width, const uint32_t *links, uint32_t hops)
{
    const struct exhaustive *e = data;
    if (!e->rates)
        return choice_of(e->t, e->net, links, hops, rwa_network_rate_bps(e->net)).modulation != RWA_NONE;
    return choice_of(e->t, e->net, links, hops, e->rates[demand]).width == width;
}

/* How many demands are served: exactly those that some simple path reaches.  One path alone is tried at first.  On a
 * ring, so that it is connected, with chords; lengths from 50 to 2000 km. */
static uint64_t expect_served_are_those_that_reach(const rwa_transmission *t, double rate_bps)
{
    struct request r = request_of("links: undirected paths=%u seconds=1", 1 + any(3));
    char *end = r.spec + strlen(r.spec);
    for (uint32_t i = 0; i < EDGES; i++) {
        uint32_t from = i < NODES ? i : any(NODES), ahead = i < NODES ? 1 : 2 + any(NODES - 3);
        end += sprintf(end, "%u-%u@%u,", from, (from + ahead) % NODES, 50 + any(1950));
    }
    r.network.rate_bps = rate_bps;
    r.assign.transmission = t;
    const rwa_assignment *a = assignment_for(r);
    const rwa_assignment_report *s = rwa_assignment_summary(a);
    const rwa_network *net = rwa_assignment_network(a);
    const char *proof = s->check->bound_proof;
    /* The bound is what its proof ends with: both speak of all demands, also of those that no format reaches. */
    CU_ASSERT(s->bound.kind != RWA_WITNESS_LENGTHS || strtoull(strrchr(proof, ' '), NULL, 10) == s->bound.value);
    struct exhaustive e = {net, t, NULL};
    for (uint64_t i = 0; i < rwa_assignment_count(a); i++) {
        rwa_route route;
        rwa_assignment_get(&route, a, i);
        struct brute one =
            brute_of(net, RWA_UNDIRECTED, &rwa_demands_list(rwa_assignment_demands(a))[route.demand], 1);
        one.reaches = has_width;
        one.data = &e;
        one.width_most = 1;
        CU_ASSERT_EQUAL(route.hops > 0, brute_fits(&one, 1, 0));
        CU_ASSERT(route.hops == 0 ||
                  choice_of(t, net, route.links, route.hops, rate_bps).modulation != RWA_NONE);
    }
    CU_ASSERT(s->routed == s->lightpaths || s->outcome == RWA_INFEASIBLE);
    return s->routed;
}

static void demands_are_served_when_some_route_reaches(void)
{
    seed = 17;
    uint64_t served = 0, rounds = thorough ? 20 : 6, pairs = NODES * (NODES - 1) / 2;
    rwa_transmission *by_gsnr = builtin_transmission("coherent", "ssmf-roadm"),
                     *by_reach = builtin_transmission("reach", NULL);
    for (uint64_t i = 0; i < rounds; i++) {
        served += expect_served_are_those_that_reach(by_gsnr, i % 2 ? 100e9 : 200e9);
        served += expect_served_are_those_that_reach(by_reach, i % 2 ? 100e9 : 200e9);
    }
    CU_ASSERT(served > rounds * pairs / 4 && served < rounds * pairs * 7 / 4);   /* both answers occur */
}

/* BPSK reaches everywhere: a table that asks for little changes nothing. */
static void formats_that_reach_everywhere_change_nothing(void)
{
    struct request r = request_of("nsfnet14-21");
    rwa_transmission *t = builtin_transmission("reach", NULL);
    r.assign.transmission = t;
    CU_ASSERT_EQUAL(expect_fewest(rwa_assignment_summary(assignment_for(r)), 13)->routed, 91);
}

static void expect_refused(const rwa_network *net, const rwa_demands *demands, const rwa_assignment_options *o,
                           const char *words)
{
    rwa_assignment *result = NULL;
    rwa_error err = {0};
    CU_ASSERT_EQUAL(rwa_assignment_make(&result, net, demands, o, &err), RWA_BADARG);
    CU_ASSERT_STRING_EQUAL(err.text, words);
}

/* 96 channels of 50 GHz fill 4.8 THz: 100 lightpaths over one link are too many. */
static void the_band_limits_the_wavelengths(void)
{
    struct request r = request_of("links:0-1@80 pairs=0>1x100");
    rwa_transmission *t = builtin_transmission("coherent", "ssmf");
    r.assign.transmission = t;
    const rwa_assignment_report *s = rwa_assignment_summary(assignment_for(r));
    CU_ASSERT(s->routed == 96 && s->outcome == RWA_INFEASIBLE);
    r.assign.wavelengths = 97;
    const rwa_network *net = request_network(r);
    expect_refused(net, request_demands(&r, net), &r.assign,
                   "assign: 97 wavelengths, the band of the fibre profile holds 96 channels");
}

/* ---- flexible grids: all simple paths and all places ---- */

enum { FEW = 5, FEW_DEMANDS = 4 };

/* A ring with a chord, four demands of random rates. */
static bool expect_fewest_slots(const rwa_transmission *t)
{
    struct request r = request_of("links: undirected w=%d", BRUTE_SLOTS);
    rwa_demand list[FEW_DEMANDS];
    double rates[FEW_DEMANDS];
    rwa_demands *plain = NULL, *demands = NULL;
    char *end = r.spec + strlen(r.spec);
    r.network.slot_hz = RWA_SLOT_HZ;
    r.assign.transmission = t;
    for (uint32_t i = 0; i <= FEW; i++)
        end += sprintf(end, "%u-%u@%u,", i % FEW, i < FEW ? (i + 1) % FEW : 2, 100 + any(900));
    for (int d = 0; d < FEW_DEMANDS; d++) {
        uint32_t src = any(FEW);
        list[d] = (rwa_demand){src, (src + 1 + any(FEW - 1)) % FEW, 1, RWA_NONE};
        rates[d] = 25e9 * (1 + any(3));
    }
    const rwa_network *net = request_network(r);
    OK(rwa_demands_create(&plain, FEW, list, FEW_DEMANDS, NULL));
    OK(rwa_demands_with_rates(&demands, keep_demands(plain), rates, NULL));
    const rwa_assignment *a = assign_demands(net, keep_demands(demands), &r.assign);
    const rwa_assignment_report *s = rwa_assignment_summary(a);
    struct exhaustive e = {net, t, rates};
    struct brute b = brute_of(net, RWA_UNDIRECTED, list, FEW_DEMANDS);
    b.reaches = has_width;
    b.data = &e;
    b.width_most = s->wavelengths;
    for (uint64_t i = 0; i < FEW_DEMANDS; i++) {
        rwa_route route;
        rwa_assignment_get(&route, a, i);
        CU_ASSERT_EQUAL(rwa_assignment_width(a, i), choice_of(t, net, route.links, route.hops, rates[i]).width);
    }
    CU_ASSERT(s->routed == FEW_DEMANDS && brute_fits(&b, s->wavelengths, 0));
    CU_ASSERT(s->bound.value <= 1 || !brute_fits(&b, (uint32_t)s->bound.value - 1, 0));
    return s->outcome == RWA_OPTIMAL;
}

static void fewest_slots_agree_with_exhaustive_search(void)
{
    int optimal = 0, rounds = 60;
    rwa_transmission *t = builtin_transmission("reach", NULL);
    for (int i = 0; i < rounds; i++)
        optimal += expect_fewest_slots(t);
    CU_ASSERT(optimal > rounds / 2);
}

/* Widths and formats together contradict each other; a rate that no band holds is named. */
static void refuses_widths_and_rates_without_format(void)
{
    struct request r = request_of("nsfnet14-21 pairs=0>1");
    rwa_demands *wide = NULL, *fast = NULL;
    rwa_transmission *t = builtin_transmission("coherent", "ssmf");
    r.network.slot_hz = RWA_SLOT_HZ;
    r.assign.transmission = t;
    const rwa_network *net = request_network(r);
    const rwa_demands *plain = request_demands(&r, net);
    OK(rwa_demands_with_widths(&wide, plain, (const uint32_t[]){3}, NULL));
    OK(rwa_demands_with_rates(&fast, plain, (const double[]){1e15}, NULL));
    expect_refused(net, keep_demands(wide), &r.assign,
                   "assign: demands with widths and a transmission: expected rates, from which widths follow");
    expect_refused(net, keep_demands(fast), &r.assign,
                   "assign: demand 0: no format carries 1e+06 Gbit/s within the band");
}

TESTS("assign with formats", demands_are_served_when_some_route_reaches,
      formats_that_reach_everywhere_change_nothing, the_band_limits_the_wavelengths,
      fewest_slots_agree_with_exhaustive_search, refuses_widths_and_rates_without_format)
