/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Static assignment: known optima, proofs gone through again, limits and refusals. */
#include "rwa.h"

#include "tests/support/assigning.h"
#include "tests/support/proof.h"

#include <string.h>

static rwa_assignment_options usual(void)
{
    rwa_assignment_options opts;
    rwa_assignment_options_init(&opts);
    return opts;
}

/* All-to-all over the named networks: benchmarks measured for this project, each by a bound and an assignment that
 * meets it; NSFNET 13, ARPANet 33, UKNet 19 as Baroni and Bayvel (J. Lightwave Technol. 15, 1997) are quoted. */
static void known_networks(void)
{
    static const struct {
        const char *name;
        uint32_t wavelengths;
    } known[] = {{"nsfnet14-20", 13},   {"nsfnet14-21", 13}, {"nsfnet14-22", 12},  {"eon18-33", 16},
                 {"eon19-37", 17},      {"uknet21-39", 19},  {"arpanet20-32", 33}, {"cost239-11-26", 4},
                 {"eurocore11-25", 4},  {"german17-24", 35}, {"germany17-26", 22}, {"usnet24-43", 32},
                 {"jpn12-17", 16},      {"jpn25-43", 52},    {"polska12-18", 11},  {"nobel-eu28-41", 66},
                 {"cost266-37-57", 86}, {"geant22-36", 24},  {"abilene12-15", 18}, {"janos-us26-42", 42}};
    rwa_assignment_options opts = usual();
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        rwa_assignment *r = assign_all(known[i].name, RWA_UNDIRECTED, &opts);
        const rwa_assignment_report *s = rwa_assignment_summary(r);
        CU_ASSERT_EQUAL(s->wavelengths, known[i].wavelengths);
        CU_ASSERT_EQUAL(s->outcome, RWA_OPTIMAL);
        CU_ASSERT_EQUAL(s->bound.kind, RWA_WITNESS_LENGTHS);
        CU_ASSERT_EQUAL(proof_value(r, 0), known[i].wavelengths);
        rwa_assignment_free(r);
    }
}

/* On these the total length of the shortest routes over the links is reached: k^3/8 on a torus of k x k for even k,
 * (k^3 - k)/8 for odd k, 2^(d-1) on a hypercube; or a tree's heaviest cut. */
static void known_shapes(void)
{
    static const struct {
        const char *spec;
        uint32_t wavelengths;
    } known[] = {{"torus:3x3", 3}, {"torus:4x4", 8}, {"torus:5x5", 15}, {"torus:6x6", 27}, {"torus:7x7", 42},
                 {"torus:8x8", 64}, {"torus:4x8", 32}, {"torus:4x4x4", 32}, {"hypercube:6", 32},
                 {"hypercube:3", 4}, {"hypercube:4", 8}, {"hypercube:5", 16}, {"line:9", 20},
                 {"tree:2x3", 56}, {"tree:7x1", 7}, {"mesh:3x4", 12},
                 {"circulant:10:1,2,3,4,5", 1}};
    rwa_assignment_options opts = usual();
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        rwa_assignment *r = assign_all(known[i].spec, RWA_DIRECTED, &opts);
        CU_ASSERT_EQUAL(rwa_assignment_summary(r)->wavelengths, known[i].wavelengths);
        CU_ASSERT_EQUAL(rwa_assignment_summary(r)->outcome, RWA_OPTIMAL);
        CU_ASSERT_EQUAL(proof_value(r, 0), known[i].wavelengths);
        rwa_assignment_free(r);
    }
}

/* Every wavelength must use each link of a cut (of all links, on fat-tree:4): 30 = ceil(10 * 15 / 5) on a mesh of 5 x 5
   nodes, say. */
static void cuts_without_a_spare_channel(void)
{
    static const struct {
        const char *spec;
        uint32_t wavelengths;
    } known[] = {{"mesh:5x5", 30}, {"fat-tree:4", 57}, {"waxman:60:2", 60}, {"circulant:32:1,5", 23}};
    rwa_assignment_options opts = usual();
    opts.time_limit_s = 60;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        rwa_assignment *r = assign_all(known[i].spec, RWA_UNDIRECTED, &opts);
        CU_ASSERT_EQUAL(rwa_assignment_summary(r)->wavelengths, known[i].wavelengths);
        CU_ASSERT_EQUAL(proof_value(r, 0), known[i].wavelengths);
        rwa_assignment_free(r);
    }
}

/* A node of even degree, or W even, has an even number of channels, and n - 1 lightpaths, an odd number, end there: a
 * channel of each node stays dark, and the total length of the shortest routes leaves none dark on W wavelengths.  So W
 * + 1 are needed. */
static void nodes_without_a_spare_channel(void)
{
    static const struct {
        const char *spec;
        uint32_t wavelengths;
    } known[] = {{"torus:4x4", 9}, {"torus:6x6", 28}, {"hypercube:3", 5}, {"hypercube:4", 9}, {"hypercube:5", 17},
                 {"circulant:16:1,3", 9}};
    rwa_assignment_options opts = usual();
    opts.time_limit_s = 2;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        rwa_assignment *r = assign_all(known[i].spec, RWA_UNDIRECTED, &opts);
        const rwa_assignment_report *s = rwa_assignment_summary(r);
        CU_ASSERT_EQUAL(s->bound.value, known[i].wavelengths);
        CU_ASSERT_EQUAL(s->bound.kind, RWA_WITNESS_ODD_CUTS);
        CU_ASSERT_EQUAL(s->check->bound_verdict, RWA_PASS);
        CU_ASSERT_EQUAL(proof_value(r, 0), known[i].wavelengths);
        CU_ASSERT_EQUAL(s->wavelengths, known[i].wavelengths);
        rwa_assignment_free(r);
    }
}

/* Directed: ceil(floor(n^2 / 4) / 2), which the total length of the shortest routes shows to be least.  Undirected: one
 * more where n is a multiple of 4 (docs/reference/bounds.md). */
static void all_pairs_round_a_ring(void)
{
    rwa_assignment_options opts = usual();
    for (uint32_t n = 2; n <= 256; n = n < 66 ? n + 1 : 2 * n - 4) {
        char spec[16];
        snprintf(spec, sizeof spec, "ring:%u", n);
        for (int model = RWA_DIRECTED; model <= RWA_UNDIRECTED; model++) {
            uint32_t average = (n * n / 4 + 1) / 2, extra = model == RWA_UNDIRECTED && n % 4 == 0;
            rwa_assignment *r = assign_all(spec, (rwa_model)model, &opts);
            CU_ASSERT_EQUAL(rwa_assignment_summary(r)->wavelengths, average + extra);
            CU_ASSERT_EQUAL(rwa_assignment_summary(r)->outcome, RWA_OPTIMAL);
            rwa_assignment_free(r);
        }
    }
}

/* The same where the links are listed in any order, from either end, and nodes numbered by stride round the cycle. */
static void all_pairs_round_a_cycle_of_links(void)
{
    rwa_assignment_options opts = usual();
    for (uint32_t n = 3; n <= 41; n++)
        for (int model = RWA_DIRECTED; model <= RWA_UNDIRECTED; model++) {
            rwa_network_options o;
            rwa_network *net = NULL;
            rwa_demands *demands = NULL;
            rwa_assignment *r = NULL;
            rwa_link link[41];
            uint32_t stride = n % 11 ? 11 : 13, average = (n * n / 4 + 1) / 2,
                     extra = model == RWA_UNDIRECTED && n % 4 == 0;
            for (uint32_t i = 0; i < n; i++) {
                uint32_t u = i * stride % n, v = (i + 1) * stride % n;
                link[i] = i % 3 ? (rwa_link){u, v, 0, 1} : (rwa_link){v, u, 0, 1};
            }
            rwa_network_options_init(&o);
            o.both_ways = 1;
            OK(rwa_network_create_graph(&net, n, link, n, &o, NULL));
            OK(rwa_demands_all_to_all(&demands, n, (rwa_model)model, NULL));
            opts.model = (rwa_model)model;
            OK(rwa_assignment_make(&r, net, demands, &opts, NULL));
            CU_ASSERT_EQUAL(rwa_assignment_summary(r)->wavelengths, average + extra);
            CU_ASSERT_EQUAL(rwa_assignment_summary(r)->outcome, RWA_OPTIMAL);
            CU_ASSERT(rwa_assignment_summary(r)->check->ok);
            CU_ASSERT_EQUAL(rwa_assignment_summary(r)->check->bound_verdict, RWA_PASS);
            rwa_assignment_free(r);
            rwa_demands_free(demands);
            rwa_network_free(net);
        }
}

/* A line's routes leave no choice, and arcs that do not close the ring need no more than the heaviest load. */
static void all_pairs_on_a_line(void)
{
    rwa_assignment_options opts = usual();
    for (uint32_t n = 2; n <= 100; n += 7) {
        char spec[16];
        snprintf(spec, sizeof spec, "line:%u", n);
        rwa_assignment *r = assign_all(spec, RWA_DIRECTED, &opts);
        CU_ASSERT_EQUAL(rwa_assignment_summary(r)->wavelengths, n * n / 4);
        CU_ASSERT_EQUAL(proof_value(r, 0), n * n / 4);
        rwa_assignment_free(r);
    }
}

/* At a node of a binary tree with branches of a, a and n - 1 - 2a nodes every two lightpaths between branches meet, so
 * their number is a bound, which the load of the heaviest link, a (n - a), does not reach: 57 and 273 on 15 and 31
 * nodes. */
static void trees_undirected(void)
{
    static const uint32_t wavelengths[] = {57, 273};
    rwa_assignment_options opts = usual();
    for (uint32_t depth = 3; depth <= 4; depth++) {
        char spec[16];
        uint32_t nodes = (2u << depth) - 1, branch = nodes / 4, rest = nodes - 1 - 2 * branch;
        snprintf(spec, sizeof spec, "tree:2x%u", depth);
        rwa_assignment *r = assign_all(spec, RWA_UNDIRECTED, &opts);
        const rwa_assignment_report *s = rwa_assignment_summary(r);
        CU_ASSERT_EQUAL(wavelengths[depth - 3], branch * branch + 2 * branch * rest);
        CU_ASSERT_EQUAL(s->wavelengths, wavelengths[depth - 3]);
        CU_ASSERT_EQUAL(s->outcome, RWA_OPTIMAL);
        CU_ASSERT_EQUAL(s->bound.kind, RWA_WITNESS_ODD_CUTS);
        CU_ASSERT_EQUAL(s->check->bound_verdict, RWA_PASS);
        CU_ASSERT_EQUAL(proof_value(r, 0), wavelengths[depth - 3]);
        rwa_assignment_free(r);
    }
}

static void random_demands_on_a_ring(void)
{
    rwa_assignment_options opts = usual();
    opts.time_limit_s = 0.5;
    for (uint32_t model = RWA_DIRECTED; model <= RWA_UNDIRECTED; model++)
        for (size_t count = 10; count <= 30000; count *= 50) {
            rwa_network *net = NULL;
            rwa_demands *demands = NULL;
            rwa_assignment *r = NULL;
            opts.model = (rwa_model)model;
            OK(rwa_network_parse(&net, "ring:24", NULL, NULL));
            OK(rwa_demands_random(&demands, 24, opts.model, count, 5, NULL));
            OK(rwa_assignment_make(&r, net, demands, &opts, NULL));
            const rwa_assignment_report *s = rwa_assignment_summary(r);
            CU_ASSERT(s->check->ok);
            CU_ASSERT_EQUAL(s->routed, count);
            CU_ASSERT_EQUAL(proof_value(r, 0), s->bound.value);
            CU_ASSERT(s->wavelengths <= s->bound.value + s->bound.value / 20 + 1);
            rwa_assignment_free(r);
            rwa_demands_free(demands);
            rwa_network_free(net);
        }
}

static void too_few_wavelengths(void)
{
    rwa_assignment_options opts = usual();
    opts.wavelengths = 12;
    rwa_assignment *r = assign_all("nsfnet14-21", RWA_UNDIRECTED, &opts);
    const rwa_assignment_report *s = rwa_assignment_summary(r);
    CU_ASSERT_EQUAL(s->outcome, RWA_INFEASIBLE);
    CU_ASSERT_EQUAL(proof_value(r, 0), 13);
    CU_ASSERT_EQUAL(s->extra_wavelengths, 1);
    CU_ASSERT_EQUAL(s->routed, 90); /* the most: one pair is left out */
    says(s->why, "13");
    rwa_assignment_free(r);
}

/* Each by the linear program's bound on what can be served, gone through again, and an assignment that serves so
   many. */
static void as_many_as_possible(void)
{
    static const uint32_t most[] = {31, 50, 64, 74, 82, 90};
    rwa_assignment_options opts = usual();
    opts.objective = RWA_MOST_DEMANDS;
    for (uint32_t i = 0; i < 6; i++) {
        opts.wavelengths = 2 * i + 2;
        rwa_assignment *r = assign_all("nsfnet14-21", RWA_UNDIRECTED, &opts);
        CU_ASSERT_EQUAL(rwa_assignment_summary(r)->routed, most[i]);
        CU_ASSERT_EQUAL(rwa_assignment_summary(r)->outcome, RWA_OPTIMAL);
        CU_ASSERT_EQUAL(proof_value(r, opts.wavelengths), most[i]);
        rwa_assignment_free(r);
    }
}

int main(void)
{
    return RUN_TESTS("assign", known_networks, known_shapes, cuts_without_a_spare_channel,
                     nodes_without_a_spare_channel, all_pairs_round_a_ring, all_pairs_round_a_cycle_of_links,
                     all_pairs_on_a_line, random_demands_on_a_ring, trees_undirected, too_few_wavelengths,
                     as_many_as_possible);
}
