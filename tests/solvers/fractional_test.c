/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Larger arc sets, where a certificate proves the optimum; and what limits leave behind. */
#include "base/base.h"
#include "rwa/solver.h"

#include "tests/support/suite.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 2000 };

static uint32_t start[MOST], end[MOST], colour[MOST];

static rwa_problem arcs(uint32_t links, size_t paths)
{
    rwa_problem p = {.struct_size = sizeof p, .links = links, .paths = paths, .start = start, .end = end};
    return p;
}

/* Each wavelength marks the links it is used on: an own look at the answer. */
static bool proper(const rwa_problem *p, uint32_t wavelengths)
{
    bool ok = true;
    bool *busy = calloc((size_t)wavelengths * p->links + 1, sizeof *busy);
    if (!busy)
        return false;
    for (size_t i = 0; i < p->paths; i++)
        for (uint32_t l = start[i]; ok && l != end[i]; l = (l + 1) % p->links) {
            ok = colour[i] < wavelengths && !busy[(size_t)colour[i] * p->links + l];
            if (ok)
                busy[(size_t)colour[i] * p->links + l] = true;
        }
    free(busy);
    return ok;
}

static rwa_solver_result solve(const char *solver, const rwa_problem *p)
{
    rwa_solver_result found = {0};
    rwa_solver_options opts;
    rwa_solver_options_init(&opts);
    opts.time_limit_s = 0;  /* the answer is not to hang on how fast the machine is */
    OK(rwa_solver_run(colour, &found, solver, p, &opts, NULL));
    CU_ASSERT(proper(p, found.wavelengths));
    CU_ASSERT(found.bound <= found.wavelengths);
    return found;
}

static void random_arcs(uint64_t *state, const rwa_problem *p, uint32_t shortest, uint32_t longest)
{
    for (size_t i = 0; i < p->paths; i++) {
        start[i] = (uint32_t)base_random_below(state, p->links);
        end[i] = (start[i] + shortest + (uint32_t)base_random_below(state, longest - shortest + 1)) % p->links;
    }
}

/*
 * All n arcs of k links, m copies each: a wavelength holds floor(n / k) of them at most, and by symmetry each set of so
 * many, moved round the ring, gives a fractional colouring of exactly n m / floor(n / k).
 */
static void equal_arcs_all_round(void)
{
    const uint32_t cases[][3] = {{5, 2, 60}, {7, 3, 30}, {11, 4, 20}, {13, 6, 21}, {17, 3, 14}, {20, 7, 9}};
    for (size_t c = 0; c < COUNT(cases); c++) {
        const uint32_t n = cases[c][0], k = cases[c][1], m = cases[c][2], most = n / k;
        rwa_problem p = arcs(n, (size_t)n * m);
        for (uint32_t i = 0; i < n * m; i++) {
            start[i] = i % n;
            end[i] = (i + k) % n;
        }
        rwa_solver_result found = solve("exact", &p);
        CU_ASSERT_EQUAL(found.bound, (n * m + most - 1) / most);
        CU_ASSERT_EQUAL(found.wavelengths, found.bound);
        CU_ASSERT_STRING_EQUAL(found.bound_name, (n * m + most - 1) / most > k * m ? "fractional" : "load");
    }
}

static void long_arcs_are_proven(void)
{
    uint64_t state = 5;
    rwa_problem p = arcs(32, 400);
    for (int round = 0; round < 5; round++) {
        random_arcs(&state, &p, p.links / 3, 2 * p.links / 3);
        CU_ASSERT_EQUAL(solve("exact", &p).outcome, RWA_OPTIMAL);
    }
}

static void short_arcs_are_proven(void)
{
    uint64_t state = 6;
    rwa_problem p = arcs(32, 400);
    for (int round = 0; round < 5; round++) {
        random_arcs(&state, &p, 1, p.links / 2);
        CU_ASSERT_EQUAL(solve("exact", &p).outcome, RWA_OPTIMAL);
    }
}

/* Same seed, same answer, and the seed has a say. */
static void a_seed_decides(void)
{
    uint64_t state = 7;
    rwa_problem p = arcs(64, 900);
    uint32_t kept[900];
    rwa_solver_result found;
    rwa_solver_options opts;
    rwa_solver_options_init(&opts);
    random_arcs(&state, &p, 1, 32);
    opts.time_limit_s = 0;
    OK(rwa_solver_run(kept, &found, "auto", &p, &opts, NULL));
    OK(rwa_solver_run(colour, &found, "auto", &p, &opts, NULL));
    CU_ASSERT_EQUAL(memcmp(kept, colour, sizeof kept), 0);
    opts.seed = 2;
    OK(rwa_solver_run(colour, &found, "auto", &p, &opts, NULL));
    CU_ASSERT_NOT_EQUAL(memcmp(kept, colour, sizeof kept), 0);
}

static int stop_at(void *phase_name, const char *phase, double fraction)
{
    (void)fraction;
    return !phase_name || strcmp(phase, phase_name) == 0;
}

static void limits_keep_the_answer(void)
{
    uint64_t state = 8;
    rwa_problem p = arcs(64, 1000);
    char lp[] = "linear program", tabu[] = "tabu search";
    char *const phases[] = {lp, tabu};
    random_arcs(&state, &p, 1, 32);
    for (int kind = 0; kind < 3; kind++) {
        rwa_solver_result found = {0}, greedy = solve("first-fit", &p);
        rwa_solver_options opts;
        rwa_solver_options_init(&opts);
        if (kind < 2) {
            opts.poll = stop_at;
            opts.poll_data = phases[kind];
        } else {
            opts.time_limit_s = 1e-6;
        }
        OK(rwa_solver_run(colour, &found, kind == 1 ? "auto" : "exact", &p, &opts, NULL));
        CU_ASSERT(proper(&p, found.wavelengths));
        CU_ASSERT(found.wavelengths <= greedy.wavelengths);
        CU_ASSERT_EQUAL(found.bound, greedy.bound);
        CU_ASSERT_EQUAL(found.outcome, RWA_FEASIBLE);
    }
}

static void cancelled_before_any_answer(void)
{
    uint64_t state = 9;
    rwa_problem p = arcs(64, 1000);
    rwa_solver_result found = {0};
    rwa_error err = {0};
    rwa_solver_options opts;
    rwa_solver_options_init(&opts);
    opts.poll = stop_at;
    random_arcs(&state, &p, 1, 32);
    CU_ASSERT_EQUAL(rwa_solver_run(colour, &found, "exact", &p, &opts, &err), RWA_CANCELLED);
    CU_ASSERT_EQUAL(err.status, RWA_CANCELLED);
}

/* An odd cycle blown up: the linear relaxation knows the load, 2/5 of the arcs, of which 1/2 are needed. */
static void the_integer_program_keeps_the_gap(void)
{
    rwa_problem p = arcs(5, 150);
    rwa_solver_result found = {0};
    rwa_solver_options opts;
    rwa_solver_options_init(&opts);
    opts.time_limit_s = 0.05;
    for (uint32_t i = 0; i < p.paths; i++) {
        start[i] = i % 5;
        end[i] = (i + 2) % 5;
    }
    OK(rwa_solver_run(colour, &found, "ilp", &p, &opts, NULL));
    CU_ASSERT(proper(&p, found.wavelengths));
    CU_ASSERT(found.bound >= 60 && found.bound <= 75);
    CU_ASSERT(found.wavelengths >= 75);
    CU_ASSERT_EQUAL(found.outcome == RWA_OPTIMAL, found.bound == found.wavelengths);
}

static void the_integer_program_knows_its_size(void)
{
    uint64_t state = 11;
    rwa_problem p = arcs(64, 2000); /* some 500 wavelengths: a million binaries */
    random_arcs(&state, &p, 1, 32);
    rwa_solver_result greedy = solve("first-fit", &p), found = solve("ilp", &p);
    CU_ASSERT_EQUAL(found.wavelengths, greedy.wavelengths);
    CU_ASSERT_EQUAL(found.outcome, RWA_FEASIBLE);
    CU_ASSERT_STRING_EQUAL(found.solver, "first-fit");
}

/* Three arcs of two links on three: each pair meets, though no link has all three. */
static void a_clique_beyond_the_load(void)
{
    rwa_problem p = arcs(3, 3);
    for (uint32_t i = 0; i < 3; i++) {
        start[i] = i;
        end[i] = (i + 2) % 3;
    }
    rwa_solver_result found = solve("exact", &p);
    CU_ASSERT_EQUAL(found.wavelengths, 3);
    CU_ASSERT_STRING_EQUAL(found.bound_name, "clique");
}

static void nothing_to_colour(void)
{
    rwa_problem p = arcs(8, 0);
    for (size_t i = 0; rwa_solver_name(i); i++) {
        rwa_solver_result found = solve(rwa_solver_name(i), &p);
        CU_ASSERT_EQUAL(found.wavelengths, 0);
        CU_ASSERT_EQUAL(found.outcome, RWA_OPTIMAL);
    }
}

TESTS("fractional", equal_arcs_all_round, long_arcs_are_proven, short_arcs_are_proven, a_seed_decides,
      limits_keep_the_answer, cancelled_before_any_answer, the_integer_program_keeps_the_gap,
      the_integer_program_knows_its_size, a_clique_beyond_the_load, nothing_to_colour)
