/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Every named solver of assignments: valid, never below the bound, and what each is known for. */
#include "base/base.h"

#include "tests/support/assigning.h"

#include <stdlib.h>
#include <string.h>

static rwa_assignment_options with(const char *solver)
{
    rwa_assignment_options opts;
    rwa_assignment_options_init(&opts);
    opts.solver = solver;
    opts.time_limit_s = 2;
    return opts;
}

static uint32_t wavelengths(const rwa_network *net, const rwa_demands *demands, const char *solver)
{
    rwa_assignment_options opts = with(solver);
    rwa_assignment *r = assign_demands(net, demands, &opts);
    uint32_t used = rwa_assignment_summary(r)->wavelengths;
    rwa_assignment_free(r);
    return used;
}

/* A network of parallel fibres, converters and reserved channels, so that every rule meets every case. */
static rwa_network *rich_network(void)
{
    static const rwa_link links[] = {{.from = 0, .to = 1, .fibers = 2}, {.from = 1, .to = 2, .fibers = 1},
                                     {.from = 2, .to = 3, .fibers = 1}, {.from = 3, .to = 0, .fibers = 2},
                                     {.from = 0, .to = 2, .fibers = 1}, {.from = 3, .to = 4, .fibers = 3},
                                     {.from = 4, .to = 1, .fibers = 1}, {.from = 4, .to = 1, .fibers = 1}};
    static const rwa_reserved reserved[] = {{1, 0, 0}, {5, 2, 1}, {7, 0, 2}};
    rwa_network *net = NULL;
    rwa_network_options opts;
    rwa_network_options_init(&opts);
    opts.both_ways = 1;
    opts.reserved = reserved;
    opts.reserved_count = 3;
    OK(rwa_network_create_graph(&net, 5, links, 8, &opts, NULL));
    return net;
}

/* Parallel fibres, converters and reserved channels; as few wavelengths as can be, with enough and with too few. */
static void every_solver_is_valid(void)
{
    static const uint32_t converter = 3;
    rwa_network *net = rich_network();
    rwa_demands *demands = NULL;
    for (uint32_t model = RWA_DIRECTED; model <= RWA_UNDIRECTED; model++) {
        OK(rwa_demands_random(&demands, 5, (rwa_model)model, 14, 3, NULL));
        for (size_t i = 0; rwa_assignment_solver_name(i); i++)
            for (uint32_t given = 0; given <= 20; given += given ? 18 : 2) {
                rwa_assignment_options opts = with(rwa_assignment_solver_name(i));
                opts.model = (rwa_model)model;
                opts.wavelengths = given;
                opts.converters = &converter;
                opts.converter_count = 1;
                opts.routing = i % 2 ? RWA_ROUTES_K_SHORTEST : RWA_ROUTES_AUTO;
                opts.paths = i % 2 ? 3 : 0;
                rwa_assignment *r = assign_demands(net, demands, &opts);
                const rwa_assignment_report *s = rwa_assignment_summary(r);
                CU_ASSERT_STRING_EQUAL(s->solver, rwa_assignment_solver_name(i));
                CU_ASSERT(given == 0 || s->wavelengths <= given);
                CU_ASSERT(given == 2 || s->routed == 14);
                CU_ASSERT(s->routed < 14 || s->wavelengths >= s->bound.value || s->bound.most_served);
                rwa_assignment_free(r);
            }
        rwa_demands_free(demands);
    }
    rwa_network_free(net);
}

/* 32 is the optimum of USNET, by a cut. */
static void none_beats_the_optimum(void)
{
    for (size_t i = 0; rwa_assignment_solver_name(i); i++) {
        rwa_assignment_options opts = with(rwa_assignment_solver_name(i));
        if (strcmp(opts.solver, "ilp") == 0) /* too many variables */
            continue;
        rwa_assignment *r = assign_all("usnet24-43", RWA_UNDIRECTED, &opts);
        uint32_t used = rwa_assignment_summary(r)->wavelengths;
        CU_ASSERT(i < 2 ? used == 32 : used >= 32); /* auto, exact */
        rwa_assignment_free(r);
    }
}

/* Paths on a line that load no link more than twice meet as in a forest, which is bipartite: there DSATUR is exact
 * (Brélaz 1979). */
static void dsatur_is_exact_on_bipartite_conflicts(void)
{
    rwa_network *net = NULL;
    uint64_t state = 7;
    OK(rwa_network_parse(&net, "tree:1x40", NULL, NULL));
    for (int round = 0; round < 50; round++) {
        rwa_demand list[40];
        rwa_demands *demands = NULL;
        uint32_t load[41] = {0}, most = 0;
        size_t n = 0;
        for (int tried = 0; tried < 60; tried++) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            uint32_t from = (uint32_t)(state >> 33) % 40, to = from + 1 + (uint32_t)(state >> 50) % 9, heavy = 0;
            to = to > 40 ? 40 : to;
            for (uint32_t l = from; l < to; l++)
                heavy = heavy || load[l] == 2;
            if (heavy || n == 40)
                continue;
            for (uint32_t l = from; l < to; l++)
                most = ++load[l] > most ? load[l] : most;
            list[n++] = (rwa_demand){from, to, 1, RWA_NONE};
        }
        OK(rwa_demands_create(&demands, rwa_network_nodes(net), list, n, NULL));
        CU_ASSERT_EQUAL(wavelengths(net, demands, "dsatur"), most);
        rwa_demands_free(demands);
    }
    rwa_network_free(net);
}

/* The plain scan that first-fit must agree with: demands in order, each the lowest wavelength free on all its links. */
static uint32_t scan(const rwa_assignment *r, const uint64_t *order)
{
    enum { MOST = 256 };
    const rwa_network *net = rwa_assignment_network(r);
    size_t links = rwa_network_links(net);
    char *busy = calloc(links * MOST, 1);
    uint32_t used = 0;
    for (uint64_t i = 0; busy && i < rwa_assignment_count(r); i++) {
        rwa_route route;
        uint32_t wavelength = 0, hop = 0;
        rwa_assignment_get(&route, r, order[i]);
        while (hop < route.hops && wavelength < MOST) {
            int taken = busy[rwa_network_pair(net, rwa_assignment_link(r, order[i], hop)) * MOST + wavelength];
            wavelength += taken ? 1 : 0;
            hop = taken ? 0 : hop + 1;
        }
        for (hop = 0; hop < route.hops; hop++)
            busy[rwa_network_pair(net, rwa_assignment_link(r, order[i], hop)) * MOST + wavelength] = 1;
        CU_ASSERT_EQUAL(wavelength, route.wavelength);
        used = wavelength >= used ? wavelength + 1 : used;
    }
    free(busy);
    return used;
}

static void first_fit_is_the_plain_scan(void)
{
    static const char *const names[] = {"nsfnet14-21", "uknet21-39", "mesh:4x4", "ring:17"};
    uint64_t order[1024];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        rwa_assignment_options opts = with("first-fit");
        rwa_assignment *r = assign_all(names[i], RWA_UNDIRECTED, &opts);
        for (uint64_t k = 0; k < rwa_assignment_count(r); k++)
            order[k] = k;
        CU_ASSERT_EQUAL(scan(r, order), rwa_assignment_summary(r)->wavelengths);
        rwa_assignment_free(r);
    }
}

/* On four wavelengths: last-fit begins at the top, least-used spreads, most-used and first-fit stay at the bottom. */
static void rules_choose_as_they_are_named(void)
{
    static const struct {
        const char *solver;
        uint32_t wavelength[3];
    } want[] = {{"first-fit", {0, 0, 1}}, {"last-fit", {3, 3, 2}}, {"most-used", {0, 0, 1}}, {"least-used", {0, 1, 2}}};
    static const rwa_demand list[] = {{0, 1, 1, RWA_NONE}, {2, 3, 1, RWA_NONE}, {1, 3, 1, RWA_NONE}};
    rwa_network *net = NULL;
    rwa_demands *demands = NULL;
    OK(rwa_network_parse(&net, "line:4", NULL, NULL));
    OK(rwa_demands_create(&demands, 4, list, 3, NULL));
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        rwa_assignment_options opts = with(want[i].solver);
        opts.wavelengths = 4;
        rwa_assignment *r = assign_demands(net, demands, &opts);
        for (uint64_t k = 0; k < 3; k++) {
            rwa_route route;
            rwa_assignment_get(&route, r, k);
            CU_ASSERT_EQUAL(route.wavelength, want[i].wavelength[k]);
        }
        rwa_assignment_free(r);
    }
    rwa_demands_free(demands);
    rwa_network_free(net);
}

/* Shortest routes round a ring of 7 load every link with 6, and 6 is enough (closed form (n^2 - 1) / 8); the textbook's
 * program finds it, and says that it is the least.  On a ring of 20 it would have too many variables. */
static void the_textbook_program_is_exact_and_small(void)
{
    rwa_network *net = NULL;
    rwa_demands *demands = NULL;
    rwa_assignment_options opts = with("ilp");
    rwa_error err = {0};
    rwa_assignment *r = assign_all("ring:7", RWA_DIRECTED, &opts);
    CU_ASSERT_EQUAL(rwa_assignment_summary(r)->wavelengths, 6);
    CU_ASSERT_EQUAL(rwa_assignment_summary(r)->bound.value, 6);
    rwa_assignment_free(r);
    OK(rwa_network_parse(&net, "ring:20", NULL, NULL));
    OK(rwa_demands_all_to_all(&demands, 20, RWA_DIRECTED, NULL));
    CU_ASSERT_EQUAL(rwa_assignment_make(&r, net, demands, &opts, &err), RWA_BADARG);
    CU_ASSERT_PTR_NULL(r);
    says(err.text, "expected at most 10000");
    rwa_demands_free(demands);
    rwa_network_free(net);
}

static bool same_route(const rwa_assignment *a, const rwa_assignment *b, uint64_t i)
{
    rwa_route x, y;
    rwa_assignment_get(&x, a, i);
    rwa_assignment_get(&y, b, i);
    bool same = x.demand == y.demand && x.hops == y.hops;
    for (uint32_t k = 0; same && k < x.hops; k++)
        same = rwa_assignment_link(a, i, k) == rwa_assignment_link(b, i, k);
    return same;
}

/* On one route a lightpath the integer program only colours: its routes are those of first-fit, also between antipodal
   nodes of a ring, so it never needs more wavelengths; solved, it needs as few as the exact search over the same
   routes. */
static void the_program_has_the_routes_of_first_fit(void)
{
    uint64_t random = 5, solved = 0;
    for (uint32_t n = 4; n <= 9; n++)
        for (int trial = 0; trial < 8; trial++) {
            rwa_network *net = NULL;
            rwa_demands *demands = NULL;
            rwa_demand list[24];
            char spec[16];
            snprintf(spec, sizeof spec, "ring:%u", n);
            OK(rwa_network_parse(&net, spec, NULL, NULL));
            for (size_t i = 0; i < 24; i++) {
                uint32_t src = (uint32_t)base_random_below(&random, n),
                         ahead = 1 + (uint32_t)base_random_below(&random, n - 1);
                list[i] = (rwa_demand){src, (src + ahead) % n, 1, RWA_NONE};
            }
            OK(rwa_demands_create(&demands, n, list, 24, NULL));
            rwa_assignment_options opts = with("first-fit");
            opts.model = trial % 2 ? RWA_UNDIRECTED : RWA_DIRECTED;
            rwa_assignment *greedy = assign_demands(net, demands, &opts);
            opts.solver = "ilp";
            rwa_assignment *program = assign_demands(net, demands, &opts);
            opts.solver = "exact";
            opts.routing = RWA_ROUTES_SHORTEST;
            rwa_assignment *exact = assign_demands(net, demands, &opts);
            const rwa_assignment_report *sum = rwa_assignment_summary(program);
            CU_ASSERT_PTR_NULL(rwa_assignment_summary(greedy)->program);
            CU_ASSERT_PTR_NOT_NULL_FATAL(sum->program);
            CU_ASSERT_EQUAL(sum->routes_offered, 24);
            CU_ASSERT(sum->wavelengths <= rwa_assignment_summary(greedy)->wavelengths);
            if (strcmp(sum->program, "unfinished") != 0)
                CU_ASSERT_EQUAL(sum->wavelengths, rwa_assignment_summary(exact)->wavelengths);
            solved += strcmp(sum->program, "solved") == 0;
            for (uint64_t i = 0; i < 24; i++)
                CU_ASSERT(same_route(greedy, program, i));
            rwa_assignment_free(greedy);
            rwa_assignment_free(program);
            rwa_assignment_free(exact);
            rwa_demands_free(demands);
            rwa_network_free(net);
        }
    CU_ASSERT(solved > 0);
}

int main(void)
{
    return RUN_TESTS("methods", every_solver_is_valid, none_beats_the_optimum, dsatur_is_exact_on_bipartite_conflicts,
                     first_fit_is_the_plain_scan, rules_choose_as_they_are_named,
                     the_textbook_program_is_exact_and_small, the_program_has_the_routes_of_first_fit);
}
