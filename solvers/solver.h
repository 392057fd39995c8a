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

/** The number of links of a path; path_link() is the k-th of them. */
uint32_t path_length(const rwa_problem *problem, size_t path);
uint32_t path_link(const rwa_problem *problem, size_t path, uint32_t k);

/** Keep a colouring if it is the first or better than the best so far. */
void solve_keep(struct solve *run, const uint32_t *colour, uint32_t used, const char *solver);
/** Keep a lower bound if it is better than the one so far. */
void solve_raise(struct solve *run, uint32_t bound, const char *name);
bool solve_done(const struct solve *run);
/** TRY() a step, unless the answer is proven. */
#define STEP(call) MUST(solve_done(run) ? RWA_OK : (call))

/** One greedy pass; most_used: best-fit, else first-fit.  First-fit by RWA_ORDER_START is optimal on arcs that leave a
 *  link idle.  While there is no answer, only cancelling stops it. */
rwa_status greedy_run(struct solve *run, rwa_order order, bool most_used);
/** The same by lists of links, in the order given; without an answer only cancelling stops it too. */
rwa_status fit_lists(struct solve *run, const uint32_t *order, bool most_used);
/** First-fit and best-fit in every order, until the bound is met. */
rwa_status greedy_all(struct solve *run);

/** Keep problem->known as a colouring if it has no conflicts. */
rwa_status known_try(struct solve *run);
/** If the paths are arcs with at most `most_kinds` different pairs of ends, raise the bound by column generation,
 *  and round its solution to a colouring; otherwise do nothing. */
rwa_status fractional_try(struct solve *run, int most_kinds);
/** Improve the best colouring by tabu search, with this much work; work 0: until the budget ends it. */
rwa_status refine_try(struct solve *run, uint64_t work);
/** Search by branch and bound up to this many nodes (0: until the budget ends it) if there are few paths; otherwise
 *  do nothing. */
rwa_status search_try(struct solve *run, uint64_t most_nodes);

/** rwa_solver_run_sized() with files for integer programs (NULL: none).  It does not clear *err first. */
rwa_status solver_run(uint32_t *colour, rwa_solver_result *found, size_t size, const char *solver,
                      const rwa_problem *problem, const rwa_solver_options *opts, rwa_programs *programs,
                      rwa_error *err);
