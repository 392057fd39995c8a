/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Every named solver of assignments: valid, never below the bound, and what each is known for. */
#include "tests/support/assigning.h"
#include "tests/support/random.h"

/* Parallel fibres, converters and reserved channels, so that every rule meets every case; as few wavelengths as can be,
 * with enough and with too few. */
static void every_solver_is_valid(void)
{
    static const rwa_reserved reserved[] = {{1, 0, 0}, {5, 2, 1}, {7, 0, 2}};
    static const uint32_t converter = 3;
    for (size_t i = 0; rwa_assignment_solver_name(i); i++)
        for (rwa_model model = RWA_DIRECTED; model <= RWA_UNDIRECTED; model++)
            for (uint32_t given = 0; given <= 20; given += given ? 18 : 2) {
                struct request r = request_of("links:0-1x2,1-2,2-3,3-0x2,0-2,3-4x3,4-1,4-1 random=14,3 "
                                              "given=%u seconds=2 by %s", given, rwa_assignment_solver_name(i));
                r.network.reserved = reserved;
                r.network.reserved_count = COUNT(reserved);
                r.assign.model = model;
                r.assign.converters = &converter;
                r.assign.converter_count = 1;
                r.assign.routing = i % 2 ? RWA_ROUTES_K_SHORTEST : RWA_ROUTES_AUTO;
                r.assign.paths = i % 2 ? 3 : 0;
                const rwa_assignment_report *s = rwa_assignment_summary(assignment_for(r));
                CU_ASSERT_STRING_EQUAL(s->solver, r.scheme);
                CU_ASSERT(given == 0 || s->wavelengths <= given);
                CU_ASSERT(given == 2 || s->routed == 14);
                CU_ASSERT(s->routed < 14 || s->wavelengths >= s->bound.value || s->bound.most_served);
            }
}

/* Paths on a line that load no link more than twice meet as in a forest, which is bipartite: there DSATUR is exact
 * (Brélaz 1979). */
static void dsatur_is_exact_on_bipartite_conflicts(void)
{
    seed = 7;
    for (int round = 0; round < 50; round++) {
        struct request r = request_of("tree:1x40 seconds=2 by dsatur");
        uint32_t load[41] = {0}, most = 0;
        char *end = r.pairs;
        for (int tried = 0; tried < 60; tried++) {
            uint32_t from = any(40), heavy = 0,
                     to = from + 1 + any(from < 32 ? 9 : 40 - from);
            for (uint32_t l = from; l < to; l++)
                heavy = heavy || load[l] == 2;
            for (uint32_t l = from; l < to && !heavy; l++)
                most = ++load[l] > most ? load[l] : most;
            if (!heavy)
                end += sprintf(end, "%u>%u,", from, to);
        }
        CU_ASSERT_EQUAL(rwa_assignment_summary(assignment_for(r))->wavelengths, most);
    }
}

/* The plain scan that first-fit must agree with: demands in order, each the lowest wavelength free on all its links. */
static uint32_t scan(const rwa_assignment *r)
{
    enum { MOST = 256 };
    const rwa_network *net = rwa_assignment_network(r);
    size_t links = rwa_network_links(net);
    char *busy = calloc(links * MOST, 1);
    uint32_t used = 0;
    for (uint64_t i = 0; busy && i < rwa_assignment_count(r); i++) {
        rwa_route route;
        uint32_t wavelength = 0, hop = 0;
        rwa_assignment_get(&route, r, i);
        while (hop < route.hops && wavelength < MOST) {
            int taken = busy[rwa_network_pair(net, rwa_assignment_link(r, i, hop)) * MOST + wavelength];
            wavelength += taken ? 1 : 0;
            hop = taken ? 0 : hop + 1;
        }
        for (hop = 0; hop < route.hops; hop++)
            busy[rwa_network_pair(net, rwa_assignment_link(r, i, hop)) * MOST + wavelength] = 1;
        CU_ASSERT_EQUAL(wavelength, route.wavelength);
        used = wavelength >= used ? wavelength + 1 : used;
    }
    free(busy);
    return used;
}

static void first_fit_is_the_plain_scan(void)
{
    static const char *const names[] = {"nsfnet14-21", "uknet21-39", "mesh:4x4", "ring:17"};
    for (size_t i = 0; i < COUNT(names); i++) {
        const rwa_assignment *a = assignment_on("%s undirected by first-fit", names[i]);
        CU_ASSERT_EQUAL(scan(a), rwa_assignment_summary(a)->wavelengths);
    }
}

/* On four wavelengths: last-fit begins at the top, least-used spreads, most-used and first-fit stay at the bottom. */
static void rules_choose_as_they_are_named(void)
{
    static const struct {
        const char *solver;
        uint32_t wavelength[3];
    } want[] = {{"first-fit", {0, 0, 1}}, {"last-fit", {3, 3, 2}}, {"most-used", {0, 0, 1}}, {"least-used", {0, 1, 2}}};
    for (size_t i = 0; i < COUNT(want); i++)
        for (uint64_t k = 0; k < 3; k++) {
            rwa_route route;
            rwa_assignment_get(&route, assignment_on("line:4 pairs=0>1,2>3,1>3 given=4 by %s", want[i].solver), k);
            CU_ASSERT_EQUAL(route.wavelength, want[i].wavelength[k]);
        }
}

/* Shortest routes round a ring of 7 load every link with 6, and 6 is enough (closed form (n^2 - 1) / 8); the textbook's
 * program finds it, and says that it is the least.  On a ring of 20 it would have too many variables. */
static void the_textbook_program_is_exact_and_small(void)
{
    struct request r = request_of("ring:20 by ilp");
    rwa_assignment *a = NULL;
    rwa_error err = {0};
    expect_fewest(assigned_on("ring:7 by ilp"), 6);
    CU_ASSERT_EQUAL(request_assignment(&a, &r, &err), RWA_BADARG);
    CU_ASSERT_PTR_NULL(a);
    expect_part(err.text, "expected at most 10000");
}

/* On one route a lightpath the integer program only colours: its routes are those of first-fit, also between antipodal
   nodes of a ring, so it never needs more wavelengths; solved, it needs as few as the exact search over the same
   routes. */
static void the_program_has_the_routes_of_first_fit(void)
{
    uint64_t solved = 0;
    seed = 5;
    for (uint32_t n = 4; n <= 9; n++)
        for (int trial = 0; trial < 8; trial++) {
            struct request r = request_of("ring:%u seconds=2 by first-fit", n);
            char *end = r.pairs;
            for (size_t i = 0; i < 24; i++) {
                uint32_t src = any(n),
                         ahead = 1 + any(n - 1);
                end += sprintf(end, "%u>%u,", src, (src + ahead) % n);
            }
            r.assign.model = trial % 2 ? RWA_UNDIRECTED : RWA_DIRECTED;
            const rwa_assignment *greedy = assignment_for(r);
            strcpy(r.scheme, "ilp");
            const rwa_assignment *program = assignment_for(r);
            strcpy(r.scheme, "exact");
            r.assign.routing = RWA_ROUTES_SHORTEST;
            uint32_t fewest = rwa_assignment_summary(assignment_for(r))->wavelengths;
            const rwa_assignment_report *sum = rwa_assignment_summary(program);
            CU_ASSERT_PTR_NULL(rwa_assignment_summary(greedy)->program);
            CU_ASSERT_PTR_NOT_NULL_FATAL(sum->program);
            CU_ASSERT_EQUAL(sum->routes_offered, 24);
            CU_ASSERT(sum->wavelengths <= rwa_assignment_summary(greedy)->wavelengths);
            if (strcmp(sum->program, "unfinished") != 0)
                CU_ASSERT_EQUAL(sum->wavelengths, fewest);
            solved += strcmp(sum->program, "solved") == 0;
            for (uint64_t i = 0; i < 24; i++)
                CU_ASSERT(same_route(greedy, program, i));
        }
    CU_ASSERT(solved > 0);
}

TESTS("methods", every_solver_is_valid, dsatur_is_exact_on_bipartite_conflicts,
      first_fit_is_the_plain_scan, rules_choose_as_they_are_named, the_textbook_program_is_exact_and_small,
      the_program_has_the_routes_of_first_fit)
