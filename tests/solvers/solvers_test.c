/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The solvers against brute force and against what is known of circular arcs. */
#include "base/base.h"
#include "rwa/solver.h"

#include "tests/support/suite.h"

#include <string.h>

enum { MOST = 256, MOST_LINKS = 64 };

static uint32_t start[MOST], end[MOST], list[MOST * MOST_LINKS];
static uint64_t first[MOST + 1];

static rwa_problem arcs(uint32_t links, size_t paths)
{
    rwa_problem p = {.struct_size = sizeof p, .links = links, .paths = paths, .start = start, .end = end};
    return p;
}

static rwa_problem as_lists(const rwa_problem *a)
{
    rwa_problem p = {.struct_size = sizeof p, .links = a->links, .paths = a->paths, .first = first, .link = list};
    uint64_t at = 0;
    for (size_t i = 0; i < a->paths; i++) {
        first[i] = at;
        for (uint32_t l = a->start[i]; l != a->end[i]; l = (l + 1) % a->links)
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
    for (uint32_t l = 0; l < links; l++)
        if (on_arc(a, l, links) && on_arc(b, l, links))
            return true;
    return false;
}

static uint32_t load_of(const rwa_problem *p)
{
    uint32_t most = 0;
    for (uint32_t l = 0; l < p->links; l++) {
        uint32_t load = 0;
        for (size_t i = 0; i < p->paths; i++)
            load += on_arc(i, l, p->links);
        most = load > most ? load : most;
    }
    return most;
}

/* Independent of the library: every pair is looked at, and every colour must be below the count. */
static bool proper(const rwa_problem *p, const uint32_t *colour, uint32_t wavelengths)
{
    for (size_t i = 0; i < p->paths; i++) {
        if (colour[i] >= wavelengths)
            return false;
        for (size_t j = 0; j < i; j++)
            if (colour[i] == colour[j] && meet(i, j, p->links))
                return false;
    }
    return true;
}

static bool colourable(const rwa_problem *p, uint32_t *colour, size_t path, uint32_t used, uint32_t limit)
{
    if (path == p->paths)
        return true;
    for (uint32_t c = 0; c <= used && c < limit; c++) {
        bool open = true;
        for (size_t j = 0; j < path && open; j++)
            open = colour[j] != c || !meet(path, j, p->links);
        colour[path] = c;
        if (open && colourable(p, colour, path + 1, c == used ? used + 1 : used, limit))
            return true;
    }
    return false;
}

static uint32_t chromatic(const rwa_problem *p)
{
    uint32_t colour[MOST];
    uint32_t limit = 0;
    while (!colourable(p, colour, 0, 0, limit))
        limit++;
    return limit;
}

static rwa_solver_result solve(const char *solver, const rwa_problem *p, rwa_order order)
{
    uint32_t colour[MOST];
    rwa_solver_result found = {0};
    rwa_error err = {0};
    rwa_solver_options opts;
    rwa_solver_options_init(&opts);
    opts.order = order;
    OK(rwa_solver_run(colour, &found, solver, p, &opts, &err));
    CU_ASSERT(proper(p, colour, found.wavelengths));
    CU_ASSERT_EQUAL(found.outcome == RWA_OPTIMAL, found.wavelengths == found.bound);
    return found;
}

static void random_arcs(uint64_t *state, uint32_t links, size_t paths)
{
    for (size_t i = 0; i < paths; i++) {
        start[i] = (uint32_t)base_random_below(state, links);
        end[i] = (start[i] + 1 + (uint32_t)base_random_below(state, links - 1)) % links;
    }
}

static void five_arcs(void)
{
    rwa_problem p = arcs(5, 5);
    for (uint32_t i = 0; i < 5; i++) {
        start[i] = i;
        end[i] = (i + 2) % 5;
    }
    CU_ASSERT_EQUAL(load_of(&p), 2);
    for (size_t i = 0; i < 3; i++) {
        const char *const names[] = {"exact", "ilp", "auto"};
        rwa_solver_result found = solve(names[i], &p, RWA_ORDER_LONGEST);
        CU_ASSERT_EQUAL(found.wavelengths, 3);
        CU_ASSERT_EQUAL(found.outcome, RWA_OPTIMAL);
        CU_ASSERT_STRING_EQUAL(found.bound_name, i == 1 ? "ilp" : "search");
    }
}

static void against_brute_force(void)
{
    uint64_t state = 1;
    for (int round = 0; round < 500; round++) {
        uint32_t links = 3 + (uint32_t)base_random_below(&state, 6);
        rwa_problem p = arcs(links, 1 + base_random_below(&state, 9));
        uint32_t best = 0;
        random_arcs(&state, links, p.paths);
        best = chromatic(&p);
        for (size_t i = 0; rwa_solver_name(i); i++) {
            const char *name = rwa_solver_name(i);
            bool greedy = strstr(name, "-fit") != NULL;
            rwa_solver_result found = solve(name, &p, RWA_ORDER_LONGEST);
            CU_ASSERT(found.bound <= best);
            CU_ASSERT(greedy ? found.wavelengths >= best : found.wavelengths == best);
            CU_ASSERT(greedy || found.outcome == RWA_OPTIMAL);
        }
    }
}

static void greedy_beaten(void)
{
    /* A line: the two outer arcs both take colour 0, so the two inner ones, which meet, need 1 and 2. */
    const uint32_t from[] = {0, 4, 1, 2};
    const uint32_t to[] = {2, 6, 3, 5};
    rwa_problem p = arcs(7, 4);
    memcpy(start, from, sizeof from);
    memcpy(end, to, sizeof to);
    CU_ASSERT_EQUAL(solve("first-fit", &p, RWA_ORDER_GIVEN).wavelengths, 3);
    CU_ASSERT_EQUAL(solve("first-fit", &p, RWA_ORDER_START).wavelengths, 2);
    CU_ASSERT_EQUAL(solve("exact", &p, RWA_ORDER_GIVEN).wavelengths, 2);
    CU_ASSERT_EQUAL(solve("ilp", &p, RWA_ORDER_GIVEN).wavelengths, 2);
}

static void intervals(void)
{
    uint64_t state = 2;
    const uint32_t links = 41;
    for (uint32_t idle = 0; idle < links; idle += 8) {
        rwa_problem p = arcs(links, 200);
        for (size_t i = 0; i < p.paths; i++) { /* within links idle + 1 … idle + 40, so that some arcs wrap */
            uint32_t a = (uint32_t)base_random_below(&state, links - 1);
            uint32_t b = a + 1 + (uint32_t)base_random_below(&state, links - 1 - a);
            start[i] = (idle + 1 + a) % links;
            end[i] = (idle + 1 + b) % links;
        }
        CU_ASSERT_EQUAL(solve("exact", &p, RWA_ORDER_LONGEST).wavelengths, load_of(&p));
        CU_ASSERT_EQUAL(solve("auto", &p, RWA_ORDER_LONGEST).outcome, RWA_OPTIMAL);
    }
}

static void lists_equal_arcs(void)
{
    uint64_t state = 3;
    for (int round = 0; round < 50; round++) {
        rwa_problem a = arcs(12, 40);
        rwa_problem b;
        random_arcs(&state, a.links, a.paths);
        b = as_lists(&a);
        for (int order = RWA_ORDER_LONGEST; order <= RWA_ORDER_START; order++)
            for (size_t i = 1; i < 3; i++) {
                uint32_t one = solve(rwa_solver_name(i), &a, (rwa_order)order).wavelengths;
                CU_ASSERT_EQUAL(solve(rwa_solver_name(i), &b, (rwa_order)order).wavelengths, one);
            }
        a.paths = b.paths = 9;
        CU_ASSERT_EQUAL(solve("exact", &b, RWA_ORDER_GIVEN).wavelengths, chromatic(&a));
    }
}

/* Many arcs are coloured one wavelength at a time, link lists one path at a time: the same colours, each of them. */
static void by_wavelength_and_by_path(void)
{
    uint64_t state = 4;
    for (int round = 0; round < 60; round++) {
        uint32_t one[MOST], other[MOST];
        rwa_solver_result found;
        rwa_problem a = arcs(2 + (uint32_t)base_random_below(&state, 30), 1 + base_random_below(&state, MOST));
        random_arcs(&state, a.links, a.paths);
        rwa_problem b = as_lists(&a);
        OK(rwa_solver_run(one, &found, "first-fit", &a, NULL, NULL));
        OK(rwa_solver_run(other, &found, "first-fit", &b, NULL, NULL));
        CU_ASSERT_EQUAL(memcmp(one, other, a.paths * sizeof *one), 0);
    }
}

static void known_colourings(void)
{
    const uint32_t good[] = {4, 4, 0, 0};
    const uint32_t bad[] = {0, 0, 0, 0};
    rwa_problem p = arcs(4, 4);
    for (uint32_t i = 0; i < 4; i++) { /* two tilings of the ring by two half circles */
        start[i] = (2 * i + i / 2) % 4;
        end[i] = (start[i] + 2) % 4;
    }
    for (int kind = 0; kind < 2; kind++) {
        rwa_problem q = kind == 0 ? p : as_lists(&p);
        q.known = good; /* 4 is no colour below the number of paths: not believed, not read past */
        CU_ASSERT_EQUAL(solve("exact", &q, RWA_ORDER_GIVEN).wavelengths, 2);
        q.known = bad;
        CU_ASSERT_EQUAL(solve("exact", &q, RWA_ORDER_GIVEN).wavelengths, 2);
        q.known = (const uint32_t[]){3, 3, 1, 1};
        CU_ASSERT_EQUAL(solve("exact", &q, RWA_ORDER_GIVEN).wavelengths, 2);
        CU_ASSERT_STRING_EQUAL(solve("auto", &q, RWA_ORDER_GIVEN).solver, "exact");
    }
}

static void refused(const char *solver, const rwa_problem *p)
{
    uint32_t colour[MOST];
    rwa_solver_result found;
    rwa_error err = {0};
    CU_ASSERT_EQUAL(rwa_solver_run(colour, &found, solver, p, NULL, &err), RWA_BADARG);
    CU_ASSERT_EQUAL(err.status, RWA_BADARG);
    CU_ASSERT(err.text[0] != '\0');
}

static void bad_input(void)
{
    rwa_problem good = arcs(5, 2);
    rwa_problem p = good;
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

TESTS("solvers", five_arcs, against_brute_force, greedy_beaten, intervals, lists_equal_arcs, by_wavelength_and_by_path,
      known_colourings, bad_input)
