/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Assignments of very many lightpaths: closed forms, and routes by congestion. */
#include "rwa.h"

#include "tests/support/assigning.h"
#include "tests/support/failing.h"
#include "tests/support/proof.h"

#include <stdbool.h>
#include <string.h>
#include <time.h>

static bool thorough;

static rwa_assignment_options usual(void)
{
    rwa_assignment_options opts;
    rwa_assignment_options_init(&opts);
    opts.time_limit_s = 60;
    return opts;
}

/* Without a limit of time a search ends by its work, which is the same on a busy machine. */
static double seconds_if_thorough(double seconds)
{
    return thorough ? seconds : 0;
}

static rwa_assignment *assign(const char *spec, uint32_t fibers, const rwa_demands *some,
                              const rwa_assignment_options *opts)
{
    rwa_network *net = NULL;
    rwa_demands *all = NULL;
    rwa_network_options o;
    rwa_network_options_init(&o);
    o.fibers = fibers;
    OK(rwa_network_open(&net, spec, &o, NULL));
    OK(rwa_demands_all_to_all(&all, rwa_network_nodes(net), opts->model, NULL));
    rwa_assignment *result = assign_demands(net, some ? some : all, opts);
    rwa_demands_free(all);
    rwa_network_free(net);
    return result;
}

/* The shortest routes of all pairs have nodes * size / 4 hops in each of D dimensions, over 2 D links a node: nodes *
 * size / 8 wavelengths at least, rounded up over the fibres.  The checker proves that the closed form's lightpaths do
 * not clash. */
static void even_tori_meet_the_total_length(void)
{
    static const struct {
        const char *spec;
        uint32_t size, fibers;
    } cases[] = {{"torus:4x4", 4, 1},    {"torus:6x6", 6, 1},    {"torus:8x8", 8, 1},     {"torus:10x10", 10, 1},
                 {"torus:12x12", 12, 1}, {"torus:14x14", 14, 2}, {"torus:16x16", 16, 1},  {"torus:4x4x4", 4, 3},
                 {"torus:6x6x6", 6, 1},  {"torus:8x8x8", 8, 1},  {"torus:4x4x4x4", 4, 1}, {"hypercube:4", 4, 1},
                 {"hypercube:8", 4, 1},  {"circulant:9:1", 0, 1}};
    rwa_assignment_options opts = usual();
    opts.model = RWA_DIRECTED;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        rwa_assignment *r = assign(cases[i].spec, cases[i].fibers, NULL, &opts);
        const rwa_assignment_report *s = rwa_assignment_summary(r);
        uint32_t least = rwa_network_nodes(rwa_assignment_network(r)) * cases[i].size / 8;
        least = cases[i].size == 0 ? 10 : (least + cases[i].fibers - 1) / cases[i].fibers;
        CU_ASSERT_EQUAL(s->wavelengths, least);
        CU_ASSERT_EQUAL(s->bound.value, least);
        CU_ASSERT_EQUAL(s->outcome, RWA_OPTIMAL);
        rwa_assignment_free(r);
    }
}

/* With n odd the distances round a ring have (n^2 - 1) / 4 hops in all, so n (n^2 - 1) / 8 wavelengths fill every link
   of n x n. */
static void odd_tori_meet_the_total_length(void)
{
    rwa_assignment_options opts = usual();
    for (uint32_t n = 3; n <= 17; n += 2)
        for (uint32_t fibers = 1; fibers <= 2; fibers++)
            for (int model = RWA_DIRECTED; model <= RWA_UNDIRECTED; model++) {
                char spec[16];
                snprintf(spec, sizeof spec, "torus:%ux%u", n, n);
                opts.model = (rwa_model)model;
                rwa_assignment *r = assign(spec, fibers, NULL, &opts);
                uint32_t least = (n * (n * n - 1) / 8 + fibers - 1) / fibers;
                CU_ASSERT_EQUAL(rwa_assignment_summary(r)->wavelengths, least);
                CU_ASSERT_EQUAL(rwa_assignment_summary(r)->bound.value, least);
                CU_ASSERT_EQUAL(rwa_assignment_summary(r)->outcome, RWA_OPTIMAL);
                rwa_assignment_free(r);
            }
}

/* Along the longer of two dimensions, of p < q nodes, the routes have p * floor(q^2 / 4) hops in all for each node and
   2 links of it. */
static void oblong_tori_meet_the_load_of_the_longer_dimension(void)
{
    rwa_assignment_options opts = usual();
    opts.model = RWA_DIRECTED;
    for (uint32_t q = 4; q <= 16; q++)
        for (uint32_t p = 3; p < q; p++) {
            char spec[16];
            uint32_t fibers = 1 + (p + q) / 2 % 3, least = (p * (q * q / 4) + 2 * fibers - 1) / (2 * fibers);
            bool long_first = (p + q / 2) % 2 == 0;
            snprintf(spec, sizeof spec, "torus:%ux%u", long_first ? q : p, long_first ? p : q);
            rwa_assignment *r = assign(spec, fibers, NULL, &opts);
            CU_ASSERT_EQUAL(rwa_assignment_summary(r)->wavelengths, least);
            CU_ASSERT_EQUAL(rwa_assignment_summary(r)->bound.value, least);
            CU_ASSERT_EQUAL(rwa_assignment_summary(r)->outcome, RWA_OPTIMAL);
            rwa_assignment_free(r);
        }
}

/* (5^2 - 1) / 4 hops round each of three dimensions, 25 times over 6 links a node: 75, in the directed model by way of
   the undirected. */
static void odd_cubes_by_the_undirected_orbits(void)
{
    rwa_assignment_options opts = usual();
    for (int model = RWA_DIRECTED; model <= RWA_UNDIRECTED; model++) {
        opts.model = (rwa_model)model;
        rwa_assignment *r = assign("torus:5x5x5", 1, NULL, &opts);
        CU_ASSERT_EQUAL(rwa_assignment_summary(r)->wavelengths, 75);
        CU_ASSERT_EQUAL(rwa_assignment_summary(r)->outcome, RWA_OPTIMAL);
        rwa_assignment_free(r);
    }
}

/* The same under shuffled node numbers, and between given numbers of wavelengths. */
static void even_tori_are_found_from_their_links(void)
{
    enum { SIDE = 6, NODES = SIDE * SIDE };
    rwa_link links[2 * NODES];
    rwa_network *net = NULL;
    rwa_demands *demands = NULL;
    rwa_assignment *r = NULL;
    rwa_network_options o;
    rwa_assignment_options opts = usual();
    opts.model = RWA_DIRECTED;
    opts.wavelengths = 30;
    rwa_network_options_init(&o);
    o.both_ways = 1;
    for (uint32_t v = 0; v < NODES; v++) { /* times 5 modulo 37, less 1, is a permutation of 0 ... 35 */
        uint32_t right = v / SIDE * SIDE + (v + 1) % SIDE, down = (v + SIDE) % NODES;
        links[2 * v] = (rwa_link){.from = 5 * (v + 1) % 37 - 1, .to = 5 * (right + 1) % 37 - 1};
        links[2 * v + 1] = (rwa_link){.from = 5 * (v + 1) % 37 - 1, .to = 5 * (down + 1) % 37 - 1};
    }
    OK(rwa_network_create_graph(&net, NODES, links, 2 * NODES, &o, NULL));
    OK(rwa_demands_all_to_all(&demands, NODES, RWA_DIRECTED, NULL));
    OK(rwa_assignment_make(&r, net, demands, &opts, NULL));
    CU_ASSERT(rwa_assignment_summary(r)->check->ok);
    CU_ASSERT_EQUAL(rwa_assignment_summary(r)->wavelengths, 27);
    rwa_assignment_free(r);
    rwa_demands_free(demands);
    rwa_network_free(net);
}

/* The middle of an n x n mesh is crossed by n^2/2 times n^2/2 lightpaths each way on n links: n^3/4 wavelengths at
   least. */
static void even_meshes_come_near_their_middle_cut(void)
{
    static const struct {
        const char *spec;
        uint32_t size, fibers;
    } cases[] = {{"mesh:12x12", 12, 1}, {"mesh:14x14", 14, 2}};
    rwa_assignment_options opts = usual();
    opts.model = RWA_DIRECTED;
    opts.time_limit_s = seconds_if_thorough(2);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        rwa_assignment *r = assign(cases[i].spec, cases[i].fibers, NULL, &opts);
        const rwa_assignment_report *s = rwa_assignment_summary(r);
        uint32_t n = cases[i].size, least = (n * n * n / 4 + cases[i].fibers - 1) / cases[i].fibers;
        CU_ASSERT_EQUAL(s->bound.value, least);
        CU_ASSERT_EQUAL(proof_value(r, 0), least);
        CU_ASSERT(s->wavelengths <= 1.05 * least);
        rwa_assignment_free(r);
    }
}

/* The better bound of conus75 brings routes of its own: the placement moves onto them, a new start uses them and meets
   the bound. */
static void routes_of_a_better_bound_are_placed_anew(void)
{
    rwa_assignment_options opts = usual();
    opts.model = RWA_UNDIRECTED;
    rwa_assignment *r = assign("conus75-99", 1, NULL, &opts);
    CU_ASSERT_EQUAL(rwa_assignment_summary(r)->bound.value, proof_value(r, 0));
    CU_ASSERT_EQUAL(rwa_assignment_summary(r)->wavelengths, rwa_assignment_summary(r)->bound.value);
    CU_ASSERT_EQUAL(rwa_assignment_summary(r)->outcome, RWA_OPTIMAL);
    rwa_assignment_free(r);
}

static void random_networks_come_within_a_tenth_of_the_bound(void)
{
    static const struct {
        const char *spec;
        rwa_model model;
        uint32_t fibers;
    } cases[] = {{"waxman:120:3", RWA_DIRECTED, 1},
                 {"geometric:120:3", RWA_DIRECTED, 1},
                 {"geometric:160:4", RWA_UNDIRECTED, 1},
                 {"barabasi-albert:160:2:5", RWA_UNDIRECTED, 2}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i += thorough ? 1 : 3) {
        rwa_assignment_options opts = usual();
        opts.model = cases[i].model;
        opts.time_limit_s = seconds_if_thorough(4);
        rwa_assignment *r = assign(cases[i].spec, cases[i].fibers, NULL, &opts);
        const rwa_assignment_report *s = rwa_assignment_summary(r);
        CU_ASSERT_EQUAL(s->routed, s->lightpaths);
        CU_ASSERT_EQUAL(proof_value(r, 0), s->bound.value); /* the bound is what its lengths prove */
        CU_ASSERT(s->wavelengths >= s->bound.value && s->wavelengths <= 1.1 * (double)s->bound.value);
        rwa_assignment_free(r);
    }
}

/* Demands in any order, swapped and several at a time, keep their ends and counts: the checker compares. */
static rwa_demands *many_demands(uint32_t nodes, uint32_t count)
{
    rwa_demand list[64];
    size_t n = 0;
    rwa_demands *demands = NULL;
    for (uint32_t a = 0; a < nodes && n < 64; a++)
        for (uint32_t b = nodes; b-- > 0 && n < 64;)
            if ((a * 7 + b * 5) % 4 == 0 && a != b)
                list[n++] = (rwa_demand){.src = a, .dst = b, .count = count + a % 3, .via = RWA_NONE};
    OK(rwa_demands_create(&demands, nodes, list, n, NULL));
    return demands;
}

static void demands_may_be_swapped_and_repeated(void)
{
    for (int model = RWA_DIRECTED; model <= RWA_UNDIRECTED; model++) {
        rwa_demands *demands = many_demands(14, 400);
        rwa_assignment_options opts = usual();
        opts.model = (rwa_model)model;
        opts.time_limit_s = seconds_if_thorough(6); /* a search within 5 % takes a second; machines may be busy */
        rwa_assignment *r = assign("nsfnet14-21", 1, demands, &opts);
        const rwa_assignment_report *s = rwa_assignment_summary(r);
        CU_ASSERT_EQUAL(s->routed, rwa_demands_lightpaths(demands));
        CU_ASSERT(s->wavelengths >= s->bound.value);
        CU_ASSERT(s->wavelengths <= 1.05 * (double)s->bound.value);
        rwa_assignment_free(r);
        rwa_demands_free(demands);
    }
}

/* With a tenth of the wavelengths missing about as many lightpaths may be left out, not more; the bound proves that
   some must. */
static void too_few_wavelengths_leave_some_out(void)
{
    rwa_assignment_options opts = usual();
    opts.model = RWA_DIRECTED;
    opts.time_limit_s = seconds_if_thorough(3);
    rwa_assignment *all = assign("geometric:120:3", 1, NULL, &opts);
    uint32_t least = (uint32_t)rwa_assignment_summary(all)->bound.value;
    opts.wavelengths = least * 9 / 10;
    rwa_assignment *some = assign("geometric:120:3", 1, NULL, &opts);
    const rwa_assignment_report *s = rwa_assignment_summary(some);
    CU_ASSERT_EQUAL(s->outcome, RWA_INFEASIBLE);
    CU_ASSERT(s->routed < s->lightpaths && (double)s->routed > 0.9 * (double)s->lightpaths);
    CU_ASSERT(s->wavelengths <= opts.wavelengths && opts.wavelengths + s->extra_wavelengths >= least);
    rwa_assignment_free(some);
    rwa_assignment_free(all);
}

/* Without a limit of time the work alone ends the search, so that a seed gives one answer. */
static void a_seed_gives_one_answer(void)
{
    rwa_assignment_options opts = usual();
    opts.model = RWA_DIRECTED;
    opts.time_limit_s = 0;
    rwa_assignment *a = assign("geometric:112:9", 1, NULL, &opts), *b = assign("geometric:112:9", 1, NULL, &opts);
    CU_ASSERT_EQUAL(rwa_assignment_summary(a)->wavelengths, rwa_assignment_summary(b)->wavelengths);
    for (uint64_t i = 0; i < rwa_assignment_count(a); i++) {
        rwa_route x, y;
        rwa_assignment_get(&x, a, i);
        rwa_assignment_get(&y, b, i);
        CU_ASSERT(x.hops == y.hops && x.wavelength == y.wavelength &&
                  memcmp(x.links, y.links, x.hops * sizeof *x.links) == 0);
    }
    rwa_assignment_free(a);
    rwa_assignment_free(b);
}

static int stop_at_once(void *data, const char *phase, double fraction)
{
    (void)phase;
    (void)fraction;
    return ++*(int *)data > 0;
}

static void a_cancelled_search_says_so(void)
{
    int calls = 0;
    rwa_network *net = NULL;
    rwa_demands *demands = NULL;
    rwa_assignment *r = NULL;
    rwa_error err = {0};
    rwa_assignment_options opts = usual();
    opts.poll = stop_at_once;
    opts.poll_data = &calls;
    OK(rwa_network_open(&net, "waxman:120:3", NULL, NULL));
    OK(rwa_demands_all_to_all(&demands, 120, RWA_DIRECTED, NULL));
    CU_ASSERT_EQUAL(rwa_assignment_make(&r, net, demands, &opts, &err), RWA_CANCELLED);
    CU_ASSERT_PTR_NULL(r);
    says(err.text, "stopped");
    rwa_demands_free(demands);
    rwa_network_free(net);
}

static int stop_in_time(void *data, const char *phase, double fraction)
{
    (void)fraction;
    return strncmp(phase, "check", 5) != 0 && --*(int *)data < 0;
}

/* The stages follow each other by work: a search that stops later has gone the same way, and keeps the best it has
   met. */
static void a_later_stop_is_never_worse(void)
{
    static const char *const specs[] = {"waxman:130:4", "geometric:130:5", "barabasi-albert:120:2:7"};
    rwa_assignment_options opts = usual();
    opts.model = RWA_DIRECTED;
    opts.time_limit_s = 0;
    opts.poll = stop_in_time;
    for (size_t i = 0; i < (thorough ? sizeof specs / sizeof *specs : 1); i++) {
        uint32_t before = UINT32_MAX;
        for (int polls = 4000; polls <= 16000; polls *= 2) {
            int left = polls;
            opts.poll_data = &left;
            rwa_assignment *r = assign(specs[i], 1, NULL, &opts);
            CU_ASSERT(rwa_assignment_summary(r)->wavelengths <= before);
            before = rwa_assignment_summary(r)->wavelengths;
            rwa_assignment_free(r);
        }
    }
}

static rwa_status assign_many(void *data)
{
    rwa_network *net = NULL;
    rwa_demands *demands = NULL;
    rwa_assignment *result = NULL;
    rwa_assignment_options opts;
    rwa_error err = {0};
    rwa_demand one[] = {{.src = 0, .dst = 4, .count = 12000, .via = RWA_NONE},
                        {.src = 3, .dst = 1, .count = 9, .via = RWA_NONE}};
    rwa_assignment_options_init(&opts);
    opts.model = RWA_UNDIRECTED;
    opts.time_limit_s = 0;
    opts.wavelengths = *(uint32_t *)data;
    rwa_status st = rwa_network_open(&net, "mesh:2x3", NULL, &err);
    if (st == RWA_OK)
        st = rwa_demands_create(&demands, 6, one, 2, &err);
    if (st == RWA_OK)
        st = rwa_assignment_make(&result, net, demands, &opts, &err);
    rwa_assignment_free(result);
    rwa_demands_free(demands);
    rwa_network_free(net);
    return st != RWA_OK && err.status != st ? RWA_BACKEND : st;
}

static void every_failing_allocation_is_a_status(void)
{
    uint32_t wavelengths[] = {2, 0};
    for (size_t i = 0; i < (thorough ? 2 : 1); i++)
        expect_every_failure_told(assign_many, &wavelengths[i], 20);
}

/* 16 million lightpaths take about 17 s; a limit of 1 s is known to be too short before the first of them has a
   route. */
static void millions_that_cannot_keep_the_limit_are_refused(void)
{
    static const rwa_demand demand = {0, 3, 1 << 24, RWA_NONE};
    rwa_network *net = NULL;
    rwa_demands *demands = NULL;
    rwa_assignment *result = NULL;
    rwa_assignment_options opts = usual();
    rwa_error err = {0};
    opts.time_limit_s = 1;
    OK(rwa_network_open(&net, "abilene12-15", NULL, NULL));
    OK(rwa_demands_create(&demands, 12, &demand, 1, NULL));
    clock_t begun = clock();
    CU_ASSERT_EQUAL(rwa_assignment_make(&result, net, demands, &opts, &err), RWA_CANCELLED);
    CU_ASSERT_TRUE((double)(clock() - begun) / CLOCKS_PER_SEC < 1);
    CU_ASSERT_PTR_NULL(result);
    says(err.text, "16777216 lightpaths take about 17 s, the time limit is 1 s");
    rwa_demands_free(demands);
    rwa_network_free(net);
}

int main(int argc, char **argv)
{
    thorough = is_thorough(argc, argv);
    return RUN_TESTS("large assignments", even_tori_meet_the_total_length, odd_tori_meet_the_total_length,
                     oblong_tori_meet_the_load_of_the_longer_dimension, odd_cubes_by_the_undirected_orbits,
                     even_tori_are_found_from_their_links, even_meshes_come_near_their_middle_cut,
                     routes_of_a_better_bound_are_placed_anew, random_networks_come_within_a_tenth_of_the_bound,
                     demands_may_be_swapped_and_repeated, too_few_wavelengths_leave_some_out, a_seed_gives_one_answer,
                     a_cancelled_search_says_so, a_later_stop_is_never_worse, every_failing_allocation_is_a_status,
                     millions_that_cannot_keep_the_limit_are_refused);
}
