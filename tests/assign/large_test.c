/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Assignments of very many lightpaths: closed forms, and routes by congestion. */
#include "tests/support/assigning.h"

#include <time.h>

/* Without a limit of time a search ends by its work, which is the same on a busy machine. */
static const rwa_assignment_report *limited(double seconds, const char *line)
{
    return assigned_on("%s seconds=%g", line, thorough ? seconds : 0);
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
                 {"hypercube:8", 4, 1}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        const rwa_assignment *a = assignment_on("%s f=%u seconds=60", cases[i].spec, cases[i].fibers);
        uint32_t least = rwa_network_nodes(rwa_assignment_network(a)) * cases[i].size / 8;
        expect_fewest(rwa_assignment_summary(a), (least + cases[i].fibers - 1) / cases[i].fibers);
    }
}

/* With n odd the distances round a ring have (n^2 - 1) / 4 hops in all, so n (n^2 - 1) / 8 wavelengths fill every link
 * of n x n; of 5 x 5 x 5 they fill 75, 25 times 6 hops round each of three dimensions over 6 links a node. */
static void odd_tori_meet_the_total_length(void)
{
    static const char *const models[] = {"directed", "undirected"};
    for (size_t m = 0; m < COUNT(models); m++) {
        for (uint32_t n = 3; n <= 17; n += 2)
            for (uint32_t fibers = 1; fibers <= 2; fibers++)
                expect_fewest(assigned_on("torus:%ux%u f=%u %s seconds=60", n, n, fibers, models[m]),
                              (n * (n * n - 1) / 8 + fibers - 1) / fibers);
        expect_fewest(assigned_on("torus:5x5x5 %s seconds=60", models[m]), 75);
    }
}

/* Along the longer of two dimensions, of p < q nodes, the routes have p * floor(q^2 / 4) hops in all for each node and
   2 links of it. */
static void oblong_tori_meet_the_load_of_the_longer_dimension(void)
{
    for (uint32_t q = 4; q <= 16; q++)
        for (uint32_t p = 3; p < q; p++) {
            uint32_t fibers = 1 + (p + q) / 2 % 3, least = (p * (q * q / 4) + 2 * fibers - 1) / (2 * fibers);
            bool long_first = (p + q / 2) % 2 == 0;
            expect_fewest(assigned_on("torus:%ux%u f=%u seconds=60", long_first ? q : p, long_first ? p : q, fibers),
                          least);
        }
}

/* The same under shuffled node numbers, and between given numbers of wavelengths. */
static void even_tori_are_found_from_their_links(void)
{
    enum { SIDE = 6, NODES = SIDE * SIDE };
    struct request r = request_of("links: directed given=30");
    char *end = r.spec + strlen(r.spec);
    for (uint32_t v = 0; v < NODES; v++) { /* times 5 modulo 37, less 1, is a permutation of 0 ... 35 */
        uint32_t beside[] = {v / SIDE * SIDE + (v + 1) % SIDE, (v + SIDE) % NODES};
        for (size_t k = 0; k < COUNT(beside); k++)
            end += sprintf(end, "%u-%u,", 5 * (v + 1) % 37 - 1, 5 * (beside[k] + 1) % 37 - 1);
    }
    expect_fewest(rwa_assignment_summary(assignment_for(r)), 27);
}

/* The middle of an n x n mesh is crossed by n^2/2 times n^2/2 lightpaths each way on n links: n^3/4 wavelengths at
   least. */
static void even_meshes_come_near_their_middle_cut(void)
{
    static const struct known rows[] = {{"mesh:12x12", 12 * 12 * 12 / 4}, {"mesh:14x14 f=2", 14 * 14 * 14 / 4 / 2}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        const rwa_assignment_report *s = limited(2, rows[i].line);
        CU_ASSERT(s->bound.value == rows[i].steps && s->wavelengths <= 1.05 * rows[i].steps);
    }
}

/* The better bound of conus75 brings routes of its own: the placement moves onto them, a new start uses them and meets
   the bound. */
static void routes_of_a_better_bound_are_placed_anew(void)
{
    CU_ASSERT_EQUAL(assigned_on("conus75-99 undirected seconds=60")->outcome, RWA_OPTIMAL);
}

static void random_networks_come_within_a_tenth_of_the_bound(void)
{
    static const char *const lines[] = {"waxman:120:3", "geometric:120:3", "geometric:160:4 undirected",
                                        "barabasi-albert:160:2:5 undirected f=2"};
    for (size_t i = 0; i < COUNT(lines); i += thorough ? 1 : 3) {
        const rwa_assignment_report *s = limited(4, lines[i]);
        CU_ASSERT_EQUAL(s->routed, s->lightpaths);
        CU_ASSERT(s->wavelengths >= s->bound.value && s->wavelengths <= 1.1 * (double)s->bound.value);
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
    return keep_demands(demands);
}

static void demands_may_be_swapped_and_repeated(void)
{
    for (rwa_model model = RWA_DIRECTED; model <= RWA_UNDIRECTED; model++) {
        const rwa_demands *demands = many_demands(14, 400);
        struct request r = request_of("nsfnet14-21");
        r.assign.model = model;
        r.assign.time_limit_s = thorough ? 6 : 0; /* a search within 5 % takes a second; machines may be busy */
        const rwa_assignment_report *s =
            rwa_assignment_summary(assign_demands(request_network(r), demands, &r.assign));
        CU_ASSERT_EQUAL(s->routed, rwa_demands_lightpaths(demands));
        CU_ASSERT(s->wavelengths >= s->bound.value && s->wavelengths <= 1.05 * (double)s->bound.value);
    }
}

/* With a tenth of the wavelengths missing about as many lightpaths may be left out, not more; the bound proves that
   some must. */
static void too_few_wavelengths_leave_some_out(void)
{
    uint32_t least = (uint32_t)limited(3, "geometric:120:3")->bound.value, given = least * 9 / 10;
    const rwa_assignment_report *s =
        assigned_on("geometric:120:3 given=%u seconds=%d", given, thorough ? 3 : 0);
    CU_ASSERT_EQUAL(s->outcome, RWA_INFEASIBLE);
    CU_ASSERT(s->routed < s->lightpaths && (double)s->routed > 0.9 * (double)s->lightpaths);
    CU_ASSERT(s->wavelengths <= given && given + s->extra_wavelengths >= least);
    /* On a line of 150 nodes 28 wavelengths serve all pairs at most 7 hops apart: h of them those h apart. */
    uint64_t near = 0;
    for (uint32_t h = 1; h <= 7; h++)
        near += 2 * (150 - h);
    CU_ASSERT(assigned_on("line:150 directed given=28")->routed >= near);
}

/* Without a limit of time the work alone ends the search, so that a seed gives one answer. */
static void a_seed_gives_one_answer(void)
{
    const rwa_assignment *a = assignment_on("geometric:112:9 seconds=0"),
                         *b = assignment_on("geometric:112:9 seconds=0");
    for (uint64_t i = 0; i < rwa_assignment_count(a); i++) {
        rwa_route x, y;
        rwa_assignment_get(&x, a, i);
        rwa_assignment_get(&y, b, i);
        CU_ASSERT(same_route(a, b, i) && x.wavelength == y.wavelength);
    }
}

/** Stop after so many calls; the check of what is kept goes on. */
static int stop_in_time(void *left, const char *phase, double fraction)
{
    (void)fraction;
    return strncmp(phase, "check", 5) != 0 && --*(int *)left < 0;
}

static struct request stopped(const char *line, int *polls)
{
    struct request r = request_of("%s directed seconds=0", line);
    r.assign.poll = stop_in_time;
    r.assign.poll_data = polls;
    return r;
}

static void a_cancelled_search_says_so(void)
{
    int polls = 0;
    struct request r = stopped("waxman:120:3", &polls);
    rwa_assignment *a = NULL;
    rwa_error err = {0};
    CU_ASSERT_EQUAL(request_assignment(&a, &r, &err), RWA_CANCELLED);
    CU_ASSERT_PTR_NULL(a);
    expect_part(err.text, "stopped");
}

/* The stages follow each other by work: a search that stops later has gone the same way, and keeps the best it has
   met. */
static void a_later_stop_is_never_worse(void)
{
    static const char *const specs[] = {"waxman:130:4", "geometric:130:5", "barabasi-albert:120:2:7"};
    for (size_t i = 0; i < (thorough ? COUNT(specs) : 1); i++) {
        uint32_t before = UINT32_MAX;
        for (int polls = 4000; polls <= 16000; polls *= 2) {
            int left = polls;
            uint32_t now = rwa_assignment_summary(assignment_for(stopped(specs[i], &left)))->wavelengths;
            CU_ASSERT(now <= before);
            before = now;
        }
    }
}

/* 16 million lightpaths take about 17 s; a limit of 1 s is known to be too short before the first of them has a
   route. */
static void millions_that_cannot_keep_the_limit_are_refused(void)
{
    struct request r = request_of("abilene12-15 pairs=0>3x16777216 seconds=1");
    rwa_assignment *a = NULL;
    rwa_error err = {0};
    clock_t begun = clock();
    CU_ASSERT_EQUAL(request_assignment(&a, &r, &err), RWA_CANCELLED);
    CU_ASSERT_TRUE((double)(clock() - begun) / CLOCKS_PER_SEC < 1);
    CU_ASSERT_PTR_NULL(a);
    expect_part(err.text, "16777216 lightpaths take about 17 s, the time limit is 1 s");
}

TESTS("large assignments", even_tori_meet_the_total_length, odd_tori_meet_the_total_length,
      oblong_tori_meet_the_load_of_the_longer_dimension, even_tori_are_found_from_their_links,
      even_meshes_come_near_their_middle_cut, routes_of_a_better_bound_are_placed_anew,
      random_networks_come_within_a_tenth_of_the_bound, demands_may_be_swapped_and_repeated,
      too_few_wavelengths_leave_some_out, a_seed_gives_one_answer, a_cancelled_search_says_so,
      a_later_stop_is_never_worse, millions_that_cannot_keep_the_limit_are_refused)
