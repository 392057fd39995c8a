/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The solvers against brute force and against what is known of circular arcs; what proves an optimum of many arcs, and
 *  what limits leave behind. */

#include "tests/support/failing.h"
#include "tests/support/random.h"

enum { MOST = 2000, LISTED = 256, LISTED_LINKS = 64 };

/* The arcs of a problem, and the answer. */
static uint32_t start[MOST], end[MOST], colour[MOST], list[LISTED * LISTED_LINKS];
static uint64_t first[LISTED + 1];

static rwa_problem arcs(uint32_t links, size_t paths)
{
    rwa_problem p = {.struct_size = sizeof p, .links = links, .paths = paths, .start = start, .end = end};
    return p;
}

/** Arcs of so many links from every node, over and over. */
static rwa_problem even_arcs(uint32_t links, uint32_t paths, uint32_t length)
{
    for (uint32_t i = 0; i < paths; i++) {
        start[i] = i % links;
        end[i] = (i + length) % links;
    }
    return arcs(links, paths);
}

static rwa_problem random_arcs(uint32_t links, size_t paths, uint32_t shortest, uint32_t longest)
{
    for (size_t i = 0; i < paths; i++) {
        start[i] = any(links);
        end[i] = (start[i] + shortest + any(longest - shortest + 1)) % links;
    }
    return arcs(links, paths);
}

static rwa_problem as_lists(const rwa_problem *a)
{
    rwa_problem p = {.struct_size = sizeof p, .links = a->links, .paths = a->paths, .first = first, .link = list};
    uint64_t at = 0;
    for (size_t i = 0; i < a->paths; i++) {
        first[i] = at;
        for (uint32_t l = start[i]; l != end[i]; l = (l + 1) % a->links)
            list[at++] = l;
    }
    first[a->paths] = at;
    return p;
}

static bool on_arc(size_t path, uint32_t link, uint32_t links)
{
    return (link + links - start[path]) % links < (end[path] + links - start[path]) % links;
}

static bool meet(size_t a, size_t b, uint32_t links)
{
    bool found = false;
    for (uint32_t l = 0; l < links; l++)
        found = found || (on_arc(a, l, links) && on_arc(b, l, links));
    return found;
}

static uint32_t load_of(const rwa_problem *p)
{
    uint32_t most = 0;
    for (uint32_t l = 0; l < p->links; l++) {
        uint32_t load = 0;
        for (size_t i = 0; i < p->paths; i++)
            load += on_arc(i, l, p->links);
        RAISE(most, load);
    }
    return most;
}

/* Each wavelength marks the links it is used on: an own look at the answer. */
static bool proper(const rwa_problem *p, uint32_t wavelengths)
{
    bool ok = true, *busy = calloc((size_t)wavelengths * p->links + 1, sizeof *busy);
    for (size_t i = 0; i < p->paths; i++)
        for (uint32_t l = start[i]; ok && l != end[i]; l = (l + 1) % p->links) {
            ok = colour[i] < wavelengths && !busy[(size_t)colour[i] * p->links + l];
            if (ok)
                busy[(size_t)colour[i] * p->links + l] = true;
        }
    free(busy);
    return ok;
}

static bool colourable(const rwa_problem *p, uint32_t *by, size_t path, uint32_t used, uint32_t limit)
{
    if (path == p->paths)
        return true;
    for (uint32_t c = 0; c <= used && c < limit; c++) {
        bool open = true;
        for (size_t j = 0; j < path && open; j++)
            open = by[j] != c || !meet(path, j, p->links);
        by[path] = c;
        if (open && colourable(p, by, path + 1, c == used ? used + 1 : used, limit))
            return true;
    }
    return false;
}

static rwa_solver_options unlimited(void)
{
    rwa_solver_options o;
    rwa_solver_options_init(&o);
    o.time_limit_s = 0; /* the answer is not to hang on how fast the machine is */
    return o;
}

static rwa_solver_result solve_with(const char *solver, const rwa_problem *p, const rwa_solver_options *o)
{
    rwa_solver_result found = {0};
    OK(rwa_solver_run(colour, &found, solver, p, o, NULL));
    CU_ASSERT(proper(p, found.wavelengths) && found.bound <= found.wavelengths);
    CU_ASSERT_EQUAL(found.outcome == RWA_OPTIMAL, found.wavelengths == found.bound);
    return found;
}

static rwa_solver_result solve_in(rwa_order order, const char *solver, const rwa_problem *p)
{
    rwa_solver_options o = unlimited();
    o.order = order;
    return solve_with(solver, p, &o);
}

static rwa_solver_result solve(const char *solver, const rwa_problem *p)
{
    return solve_in(RWA_ORDER_LONGEST, solver, p);
}

/* Every second one as lists of links. */
static void against_brute_force(void)
{
    for (int round = 0; round < 500; round++) {
        uint32_t links = 3 + any(6), best = 0, by[9];
        rwa_problem a = random_arcs(links, 1 + any(9), 1, links - 1), p = round % 2 ? as_lists(&a) : a;
        while (!colourable(&a, by, 0, 0, best))
            best++;
        for (size_t i = 0; rwa_solver_name(i); i++) {
            const char *name = rwa_solver_name(i);
            bool greedy = strstr(name, "-fit") != NULL;
            rwa_solver_result found = solve(name, &p);
            CU_ASSERT(found.bound <= best);
            CU_ASSERT(greedy ? found.wavelengths >= best : found.wavelengths == best && found.outcome == RWA_OPTIMAL);
        }
    }
}

/*
 * All n arcs of k links, m copies each: a wavelength holds floor(n / k) of them at most, and by symmetry each set of so
 * many, moved round the ring, gives a fractional colouring of exactly n m / floor(n / k).  Of few the search knows, or
 * a clique: of three on three links each pair meets, though no link has all three.
 */
static void equal_arcs_all_round(void)
{
    static const struct {
        uint32_t n, k, m;
        const char *solver, *bound;
    } cases[] = {{5, 2, 60, "exact", "fractional"},  {7, 3, 30, "exact", "fractional"},
                 {11, 4, 20, "exact", "fractional"}, {13, 6, 21, "exact", "fractional"},
                 {17, 3, 14, "exact", "fractional"}, {20, 7, 9, "exact", "fractional"},
                 {5, 2, 1, "exact", "search"},       {5, 2, 1, "ilp", "ilp"}, {3, 2, 1, "exact", "clique"}};
    for (size_t c = 0; c < COUNT(cases); c++) {
        uint32_t n = cases[c].n, copies = n * cases[c].m, most = n / cases[c].k;
        rwa_problem p = even_arcs(n, copies, cases[c].k);
        rwa_solver_result found = solve(cases[c].solver, &p);
        CU_ASSERT(found.wavelengths == (copies + most - 1) / most && found.outcome == RWA_OPTIMAL);
        CU_ASSERT_STRING_EQUAL(found.bound_name, cases[c].bound);
    }
}

/* A line: the two outer arcs both take colour 0, so the two inner ones, which meet, need 1 and 2. */
static void greedy_beaten(void)
{
    rwa_problem p = arcs(7, 4);
    memcpy(start, (const uint32_t[]){0, 4, 1, 2}, 4 * sizeof *start);
    memcpy(end, (const uint32_t[]){2, 6, 3, 5}, 4 * sizeof *end);
    CU_ASSERT_EQUAL(solve_in(RWA_ORDER_GIVEN, "first-fit", &p).wavelengths, 3);
    CU_ASSERT_EQUAL(solve_in(RWA_ORDER_START, "first-fit", &p).wavelengths, 2);
}

/* Where one link is idle the load is enough; some arcs wrap. */
static void intervals(void)
{
    const uint32_t links = 41;
    for (uint32_t idle = 0; idle < links; idle += 8) {
        rwa_problem p = arcs(links, 200);
        for (size_t i = 0; i < p.paths; i++) {
            uint32_t a = any(links - 1), b = a + 1 + any(links - 1 - a);
            start[i] = (idle + 1 + a) % links;
            end[i] = (idle + 1 + b) % links;
        }
        CU_ASSERT_EQUAL(solve("exact", &p).wavelengths, load_of(&p));
        CU_ASSERT_EQUAL(solve("auto", &p).outcome, RWA_OPTIMAL);
    }
}

/* Of these: where the load is not enough, a search without a limit might take for ever. */
static void many_arcs_are_proven(void)
{
    static const uint32_t lengths[][2] = {{10, 21}, {1, 16}};
    for (int i = 0; i < 10; i++) {
        seed = i % 5 ? seed : 5 + (uint64_t)i / 5;
        rwa_problem p = random_arcs(32, 400, lengths[i / 5][0], lengths[i / 5][1]);
        CU_ASSERT_EQUAL(solve("exact", &p).outcome, RWA_OPTIMAL);
    }
}

/* Many arcs are coloured one wavelength at a time, link lists one path at a time: the same colours, each of them. */
static void by_wavelength_and_by_path(void)
{
    static const char *const names[] = {"first-fit", "best-fit"};
    for (int round = 0; round < 60; round++) {
        uint32_t one[LISTED], links = 2 + any(30);
        rwa_problem a = random_arcs(links, 1 + any(LISTED), 1, links - 1), b = as_lists(&a);
        for (int order = RWA_ORDER_LONGEST; order <= RWA_ORDER_START; order++)
            for (size_t i = 0; i < COUNT(names); i++) {
                solve_in((rwa_order)order, names[i], &a);
                memcpy(one, colour, sizeof one);
                solve_in((rwa_order)order, names[i], &b);
                CU_ASSERT_EQUAL(memcmp(one, colour, a.paths * sizeof *one), 0);
            }
    }
}

/* Two tilings of the ring by two half circles; 4 is no colour below the number of paths: not believed, not read past.
 */
static void known_colourings(void)
{
    static const uint32_t known[][4] = {{4, 4, 0, 0}, {0, 0, 0, 0}, {3, 3, 1, 1}};
    rwa_problem p = arcs(4, 4);
    for (uint32_t i = 0; i < 4; i++) {
        start[i] = (2 * i + i / 2) % 4;
        end[i] = (start[i] + 2) % 4;
    }
    for (size_t i = 0; i < 2 * COUNT(known); i++) {
        rwa_problem q = i % 2 ? as_lists(&p) : p;
        q.known = known[i / 2];
        CU_ASSERT_EQUAL(solve_in(RWA_ORDER_GIVEN, "exact", &q).wavelengths, 2);
        CU_ASSERT(i / 2 < 2 || strcmp(solve_in(RWA_ORDER_GIVEN, "auto", &q).solver, "exact") == 0);
    }
}

/* Same seed, same answer, and the seed has a say. */
static void a_seed_decides(void)
{
    uint32_t kept[900];
    rwa_problem p = random_arcs(64, COUNT(kept), 1, 32);
    rwa_solver_options o = unlimited();
    solve_with("auto", &p, &o);
    memcpy(kept, colour, sizeof kept);
    solve_with("auto", &p, &o);
    CU_ASSERT_EQUAL(memcmp(kept, colour, sizeof kept), 0);
    o.seed = 2;
    solve_with("auto", &p, &o);
    CU_ASSERT_NOT_EQUAL(memcmp(kept, colour, sizeof kept), 0);
}

/* NULL: at once. */
static int stop_at(void *phase_name, const char *phase, double fraction)
{
    (void)fraction;
    return !phase_name || strcmp(phase, phase_name) == 0;
}

static void limits_keep_the_answer(void)
{
    static char lp[] = "linear program", tabu[] = "tabu search";
    char *const phases[] = {lp, tabu, NULL};
    seed = 8;
    rwa_problem p = random_arcs(41, 600, 5, 40);
    rwa_error err = {0};
    rwa_solver_result found, greedy = solve("first-fit", &p);
    rwa_solver_options o = {.struct_size = 0};
    for (int kind = 0; kind < 3; kind++) {
        o = unlimited();
        o.poll = kind < 2 ? stop_at : NULL;
        o.poll_data = phases[kind];
        o.time_limit_s = kind < 2 ? 0 : 1e-6;
        found = solve_with(kind == 1 ? "auto" : "exact", &p, &o);
        CU_ASSERT(found.wavelengths <= greedy.wavelengths && found.bound == greedy.bound);
        CU_ASSERT_EQUAL(found.outcome, RWA_FEASIBLE);
    }
    o.poll = stop_at;   /* before there is any answer */
    CU_ASSERT_EQUAL(rwa_solver_run(colour, &found, "exact", &p, &o, &err), RWA_CANCELLED);
    CU_ASSERT_EQUAL(err.status, RWA_CANCELLED);
}

/* An odd cycle blown up: the linear relaxation knows the load, 2/5 of the arcs, of which 1/2 are needed.  Some 500
 * wavelengths are a million binaries, too many. */
static void the_integer_program_keeps_the_gap_and_knows_its_size(void)
{
    rwa_problem p = even_arcs(5, 150, 2);
    rwa_solver_options o = unlimited();
    o.time_limit_s = 0.05;
    rwa_solver_result found = solve_with("ilp", &p, &o);
    CU_ASSERT(found.bound >= 60 && found.bound <= 75 && found.wavelengths >= 75);
    p = random_arcs(64, 2000, 1, 32);
    found = solve("ilp", &p);
    CU_ASSERT_EQUAL(found.wavelengths, solve("first-fit", &p).wavelengths);
    CU_ASSERT(found.outcome == RWA_FEASIBLE && strcmp(found.solver, "first-fit") == 0);
}

static void nothing_to_colour(void)
{
    rwa_problem p = arcs(8, 0);
    for (size_t i = 0; rwa_solver_name(i); i++)
        CU_ASSERT_EQUAL(solve(rwa_solver_name(i), &p).wavelengths, 0);
}

static void refused(const char *solver, const rwa_problem *p)
{
    rwa_solver_result found;
    rwa_error err = {0};
    CU_ASSERT_EQUAL(rwa_solver_run(colour, &found, solver, p, NULL, &err), RWA_BADARG);
    CU_ASSERT(err.status == RWA_BADARG && err.text[0] != '\0');
}

/* An unknown solver; arcs that end outside or where they begin; links outside, twice, or none; arcs and lists, or
 * neither; another version of the struct. */
static void bad_input(void)
{
    rwa_problem good = arcs(5, 2), p = good;
    start[0] = start[1] = 0;
    end[0] = end[1] = 2;
    refused("no such solver", &p);
    end[1] = 5;
    refused(NULL, &p);
    end[1] = 0;
    refused(NULL, &p);
    end[1] = 2;
    p = as_lists(&good);
    list[0] = 5;
    refused(NULL, &p);
    list[0] = list[1];
    refused(NULL, &p);
    list[0] = 0;
    first[1] = 0;
    refused(NULL, &p);
    first[1] = 2;
    p.start = start;
    p.end = end;
    refused(NULL, &p);
    p = good;
    p.start = p.end = NULL;
    refused(NULL, &p);
    p = good;
    p.struct_size = 0;
    refused(NULL, &p);
}

static rwa_status run(void *solver)
{
    rwa_problem p = even_arcs(5, strcmp(solver, "ilp") ? 150 : 5, 2);
    rwa_solver_result found;
    rwa_error err = {0};
    rwa_status st = rwa_solver_run(colour, &found, solver, &p, NULL, &err);
    return told_in_words(st, &err);
}

/* Also of GLPK, which would abort. */
static void every_failing_allocation_is_a_status(void)
{
    static char ilp[] = "ilp", exact[] = "exact";
    expect_every_failure_told(run, ilp, 20);
    expect_every_failure_told(run, exact, 50);
}

TESTS("solvers", against_brute_force, equal_arcs_all_round, greedy_beaten, intervals, many_arcs_are_proven,
      by_wavelength_and_by_path, known_colourings, a_seed_decides, limits_keep_the_answer,
      the_integer_program_keeps_the_gap_and_knows_its_size, nothing_to_colour, bad_input,
      every_failing_allocation_is_a_status)
