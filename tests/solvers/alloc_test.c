/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Every allocation of the searching solvers and of GLPK under them is made to fail in turn: a status, never an
 *  abort. */
#include "tests/support/failing.h"
#include "tests/support/suite.h"

#include <string.h>

enum { PATHS = 150 };

static uint32_t start[PATHS], end[PATHS], colour[PATHS];

struct work {
    const char *solver;
    size_t paths;
};

static rwa_status run(void *data)
{
    const struct work *work = data;
    rwa_problem p = {.struct_size = sizeof p, .links = 5, .paths = work->paths, .start = start, .end = end};
    rwa_solver_result found;
    rwa_error err = {0};
    for (uint32_t i = 0; i < p.paths; i++) { /* an odd cycle, blown up: load 2/5 of the paths, 1/2 of them needed */
        start[i] = i % 5;
        end[i] = (i + 2) % 5;
    }
    rwa_status st = rwa_solver_run(colour, &found, work->solver, &p, NULL, &err);
    return told_in_words(st, &err);
}

static void the_integer_program(void)
{
    struct work work = {"ilp", 5};
    expect_every_failure_told(run, &work, 20);
}

static void column_generation(void)
{
    struct work work = {"exact", PATHS};
    expect_every_failure_told(run, &work, 50);
}

TESTS("solver allocation", the_integer_program, column_generation)
