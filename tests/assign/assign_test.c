/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Static assignment: known optima, proofs gone through again (tests/support/assigning.h), limits and refusals. */
#include "tests/support/assigning.h"

/* Benchmarks measured for this project, each by a bound and an assignment that meets it; NSFNET 13, ARPANet 33, UKNet
 * 19 as Baroni and Bayvel (J. Lightwave Technol. 15, 1997) are quoted. */
static void known_networks(void)
{
    static const struct known rows[] = {
        {"nsfnet14-20", 13},   {"nsfnet14-21", 13}, {"nsfnet14-22", 12},  {"eon18-33", 16},
        {"eon19-37", 17},      {"uknet21-39", 19},  {"arpanet20-32", 33}, {"cost239-11-26", 4},
        {"eurocore11-25", 4},  {"german17-24", 35}, {"germany17-26", 22}, {"usnet24-43", 32},
        {"jpn12-17", 16},      {"jpn25-43", 52},    {"polska12-18", 11},  {"nobel-eu28-41", 66},
        {"cost266-37-57", 86}, {"geant22-36", 24},  {"abilene12-15", 18}, {"janos-us26-42", 42},
        /* Routes fixed beforehand reach the cut too. */
        {"nsfnet14-21 min-load", 13}, {"uknet21-39 min-load", 19}, {"germany17-26 min-load", 22},
        {"eon19-37 min-load", 17}, {"nsfnet14-22 min-load", 12}};
    for (size_t i = 0; i < COUNT(rows); i++)
        CU_ASSERT_EQUAL(expect_fewest(assigned_on("%s", rows[i].line), rows[i].steps)->bound.kind,
                        RWA_WITNESS_LENGTHS);
}

static void known_shapes(void)
{
    static const struct known rows[] = {
        /* The total length of the shortest routes over the links is reached: k^3/8 on a torus of k x k for even k,
         * (k^3 - k)/8 for odd k, 2^(d-1) on a hypercube; or a tree's heaviest cut. */
        {"torus:3x3", 3}, {"torus:4x4", 8}, {"torus:5x5", 15}, {"torus:6x6", 27}, {"torus:7x7", 42}, {"torus:8x8", 64},
        {"torus:4x8", 32}, {"torus:4x4x4", 32}, {"hypercube:6", 32}, {"hypercube:3", 4}, {"hypercube:4", 8},
        {"hypercube:5", 16}, {"tree:2x3", 56}, {"tree:7x1", 7}, {"mesh:3x4", 12},
        {"circulant:10:1,2,3,4,5", 1},
        /* Every wavelength must use each link of a cut (of all links, on fat-tree:4): 30 = ceil(10 * 15 / 5) on a mesh
         * of 5 x 5 nodes, say. */
        {"mesh:5x5 undirected seconds=60", 30}, {"fat-tree:4 undirected seconds=60", 57},
        {"waxman:60:2 undirected seconds=60", 60}, {"circulant:32:1,5 undirected seconds=60", 23},
        /* 18 and 20 hops from each node over 4 links.  The first is found by a search that counts lightpaths, the
         * second by one that counts hops. */
        {"circulant:11:1,2 seconds=60", 5}, {"circulant:13:1,5 seconds=60", 5}};
    for (size_t i = 0; i < COUNT(rows); i++)
        expect_fewest(assigned_on("%s", rows[i].line), rows[i].steps);
}

static void parity_asks_for_one_more(void)
{
    static const struct known rows[] = {
        /* A node of even degree, or W even, has an even number of channels, and n - 1 lightpaths, an odd number, end
         * there: a channel of each node stays dark, and the total length of the shortest routes leaves none dark on W
         * wavelengths.  So W + 1 are needed. */
        {"torus:4x4", 9}, {"torus:6x6", 28}, {"hypercube:3", 5}, {"hypercube:4", 9}, {"hypercube:5", 17},
        {"circulant:16:1,3", 9},
        /* At a node of a binary tree with branches of a, a and n - 1 - 2a nodes every two lightpaths between branches
         * meet, so that their number is a bound, a^2 + 2a (n - 1 - 2a) at the root's child of 15 and of 31 nodes, which
         * the load of the heaviest link, a (n - a), does not reach. */
        {"tree:2x3", 57}, {"tree:2x4", 273}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        const rwa_assignment_report *s =
            expect_fewest(assigned_on("%s undirected seconds=60", rows[i].line), rows[i].steps);
        CU_ASSERT(s->bound.kind == RWA_WITNESS_ODD_CUTS && s->check->bound_verdict == RWA_PASS);
    }
}

/** All pairs of a ring of n nodes.  Directed: ceil(floor(n^2 / 4) / 2), which the total length of the shortest routes
 * shows to be least.  Undirected: one more where n is a multiple of 4 (docs/reference/bounds.md). */
static uint32_t of_ring(uint32_t n, rwa_model model)
{
    return (n * n / 4 + 1) / 2 + (model == RWA_UNDIRECTED && n % 4 == 0);
}

static void all_pairs_round_a_ring(void)
{
    for (uint32_t n = 2; n <= 256; n = n < 66 ? n + 1 : 2 * n - 4) {
        expect_fewest(assigned_on("ring:%u directed", n), of_ring(n, RWA_DIRECTED));
        expect_fewest(assigned_on("ring:%u undirected", n), of_ring(n, RWA_UNDIRECTED));
    }
}

/* The same where the links are listed in any order, from either end, and nodes numbered by stride round the cycle. */
static void all_pairs_round_a_cycle_of_links(void)
{
    for (uint32_t n = 3; n <= 41; n++)
        for (rwa_model model = RWA_DIRECTED; model <= RWA_UNDIRECTED; model++) {
            struct request r = request_of("links:");
            uint32_t stride = n % 11 ? 11 : 13;
            char *end = r.spec + strlen(r.spec);
            for (uint32_t i = 0; i < n; i++) {
                uint32_t u = i * stride % n, v = (i + 1) * stride % n;
                end += sprintf(end, "%s%u-%u", i ? "," : "", i % 3 ? u : v, i % 3 ? v : u);
            }
            r.assign.model = model;
            const rwa_assignment_report *s =
                expect_fewest(rwa_assignment_summary(assignment_for(r)), of_ring(n, model));
            CU_ASSERT_EQUAL(s->check->bound_verdict, RWA_PASS);
        }
}

/* A line's routes leave no choice, and arcs that do not close the ring need no more than the heaviest load. */
static void all_pairs_on_a_line(void)
{
    for (uint32_t n = 2; n <= 100; n += 7)
        expect_fewest(assigned_on("line:%u", n), n * n / 4);
}

static void random_demands_on_a_ring(void)
{
    static const char *const models[] = {"directed", "undirected"};
    for (size_t m = 0; m < COUNT(models); m++)
        for (uint32_t count = 10; count <= 30000; count *= 50) {
            const rwa_assignment_report *s = assigned_on("ring:24 %s random=%u,5 seconds=0.5", models[m], count);
            CU_ASSERT_EQUAL(s->routed, count);
            CU_ASSERT(s->wavelengths <= s->bound.value + s->bound.value / 20 + 1);
        }
}

/* Each by the linear program's bound on what can be served, gone through again, and an assignment that serves so
   many. */
static void as_many_as_possible(void)
{
    static const uint32_t most[] = {31, 50, 64, 74, 82, 90};
    for (uint32_t i = 0; i < COUNT(most); i++) {
        const rwa_assignment *a = assignment_on("nsfnet14-21 most given=%u", 2 * i + 2);
        CU_ASSERT_EQUAL(rwa_assignment_summary(a)->routed, most[i]);
        CU_ASSERT_EQUAL(rwa_assignment_summary(a)->outcome, RWA_OPTIMAL);
        CU_ASSERT_EQUAL(proof_value(a, 2 * i + 2), most[i]);
    }
}

TESTS("assign", known_networks, known_shapes, parity_asks_for_one_more, all_pairs_round_a_ring,
      all_pairs_round_a_cycle_of_links, all_pairs_on_a_line, random_demands_on_a_ring, as_many_as_possible)
