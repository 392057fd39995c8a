/* SPDX-License-Identifier: GPL-3.0-or-later */
/** For the solvers alone: one run, the table entry, and the steps that several solvers share. */
#pragma once

#include "rwa/solver.h"
#include "solvers/rank.h"
#include "solvers/spectrum.h"

/** One run: the problem, what is known about it, and the best colouring so far. */
struct solve {
    const rwa_problem *problem;
    const rwa_solver_options *opts;
    struct budget budget;
    uint32_t *load;         /* paths on each link */
    uint32_t peak;          /* the largest load */
    uint32_t peak_link;     /* a link that carries it */
    uint32_t idle_link;     /* a link without paths; == links when there is none */
    uint32_t *colour;       /* the best colouring so far; meaningful when `have` */
    bool have;
    rwa_solver_result found;
    uint64_t random;        /* state of the random numbers */
    struct candidates cand; /* the paths, once a search asks for them (single.c) */
    struct spectrum spectrum;
    struct placement best;
    struct arena arena;     /* of the candidates */
    rwa_error *err;
};

struct solver {
    const char *name;
    rwa_status (*run)(struct solve *run);
};

extern const struct solver solver_auto, solver_first_fit, solver_best_fit, solver_exact, solver_ilp;
/** Not in the table; asked for by their names' pointers.  Work limits end solver_brief soon, whatever the time limit;
 *  solver_shortest colours arcs so that the lowest colours serve many. */
extern const struct solver solver_brief, solver_shortest;

/** Return the number of links of a path.  path_link() returns the k-th of them, counted from 0. */
uint32_t path_length(const rwa_problem *problem, size_t path);
uint32_t path_link(const rwa_problem *problem, size_t path, uint32_t k);

/** Store a colouring with `used` colours as the best one, if it is the first or uses fewer colours.  solver: the name
 *  of the solver that found it. */
void solve_keep(struct solve *run, const uint32_t *colour, uint32_t used, const char *solver);
/** Store a lower bound on the colours, and its name, if it is higher than the one so far. */
void solve_raise(struct solve *run, uint32_t bound, const char *name);
bool solve_done(const struct solve *run);
/** TRY() a step, unless the answer is proven. */
#define STEP(call) MUST(solve_done(run) ? RWA_OK : (call))

/** Colour all paths in one greedy pass: best-fit if most_used, else first-fit.  On arcs that leave a link idle,
 *  first-fit by RWA_ORDER_START is optimal.  While there is no colouring, only cancelling stops the pass, not the
 *  clock. */
rwa_status greedy_run(struct solve *run, rwa_order order, bool most_used);
/** Colour all paths in one greedy pass in the order given: best-fit if most_used, else first-fit.  Arcs too are treated
 *  as lists of links.  While there is no colouring, only cancelling stops the pass, not the clock. */
rwa_status fit_lists(struct solve *run, const uint32_t *order, bool most_used);
/** Make greedy passes, first-fit and best-fit in every order, until the bound is met. */
rwa_status greedy_all(struct solve *run);
/** Colour arcs by random passes round the ring, with as many colours as the largest load, or few more; do nothing if
 *  that takes too much work. */
rwa_status tails_try(struct solve *run);

/** Store the colouring that is given with the problem (run->problem->known) as the best one, if it has no conflicts and
 *  fewer colours. */
rwa_status known_try(struct solve *run);
/** If the paths are arcs with at most `most_kinds` different pairs of ends, raise the bound by column generation
 *  (colgen.c), and round the solution to a colouring.  Otherwise do nothing. */
rwa_status fractional_try(struct solve *run, int most_kinds);
/** Improve the best colouring by tabu search.  work: its effort; 0: until the budget ends. */
rwa_status refine_try(struct solve *run, uint64_t work);
/** Search by branch and bound if there are few paths, up to this many nodes of the search tree (0: until the budget
 *  ends); otherwise do nothing. */
rwa_status search_try(struct solve *run, uint64_t most_nodes);

/** Solve like rwa_solver_run_sized(), and write integer programs to `programs` (NULL: to no files).  Does not clear
 *  *err first. */
rwa_status solver_run(uint32_t *colour, rwa_solver_result *found, size_t size, const char *solver,
                      const rwa_problem *problem, const rwa_solver_options *opts, rwa_programs *programs,
                      rwa_error *err);
