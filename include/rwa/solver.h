/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Wavelength assignment for routes that are already chosen: one table of solvers, one way to call them. */
#ifndef RWA_SOLVER_H
#define RWA_SOLVER_H

#include "rwa/status.h"

/**
 * Paths over one set of directed links; two paths that share a link need different wavelengths.  Arrays are borrowed.
 * Either arcs (`start` and `end` set): path i covers the links start[i], start[i] + 1, … end[i] - 1, counted modulo
 * `links`; start[i] != end[i].  Clockwise routes of a ring give start = src, end = dst; counter-clockwise ones
 * start = dst, end = src.  A line is a ring none of whose arcs uses the last link.
 * Or link lists (`first` and `link` set): path i covers link[first[i]] … link[first[i + 1] - 1], each at most once.
 */
typedef struct rwa_problem {
    size_t struct_size;
    uint32_t links;
    size_t paths;
    const uint32_t *start;
    const uint32_t *end;
    const uint64_t *first;      /**< paths + 1 of them */
    const uint32_t *link;
    const uint32_t *known;      /**< NULL, or a colouring known by construction, one colour per path; the solver
                                     verifies it before use */
} rwa_problem;

/**
 * Files that receive integer programs before GLPK solves them, for options that have `programs`.  The first program
 * goes to `path`, the next ones to the same name with -2, -3 … before its ending.
 */
typedef struct rwa_programs {
    size_t struct_size;         /**< sizeof(rwa_programs) */
    const char *path;           /**< ".mps": MPS; any other name: CPLEX LP; borrowed */
    uint32_t count;             /**< programs written so far; start with 0 */
} rwa_programs;

/** The order in which greedy solvers take the paths. */
typedef enum rwa_order {
    RWA_ORDER_LONGEST = 0,  /**< most links first, ties by start then by index (the default) */
    RWA_ORDER_GIVEN,        /**< as they stand in the problem */
    RWA_ORDER_START         /**< by first link, from behind an unused one on; ties by length (longest first), index */
} rwa_order;

typedef struct rwa_solver_options {
    size_t struct_size;     /**< set by init */
    rwa_order order;        /**< greedy solvers */
    double time_limit_s;    /**< wall clock for searching solvers; the best answer so far is kept; 0: none; default
                                 10 */
    uint64_t seed;          /**< of randomised search; same seed, same work: same answer; default 1 */
    rwa_poll poll;          /**< NULL, or called repeatedly */
    void *poll_data;
} rwa_solver_options;

RWA_INIT(rwa_solver_options)

/** The result of a solver; an answer in the sense of docs/reference/versions.md. */
typedef struct rwa_solver_result {
    uint32_t wavelengths;       /**< used: colours are 0 … wavelengths - 1 */
    uint32_t bound;             /**< no assignment of these routes needs fewer */
    const char *bound_name;     /**< "load", "clique", "ilp", "search"; a constant */
    const char *solver;         /**< the solver that found it; a constant */
    rwa_outcome outcome;        /**< RWA_OPTIMAL exactly when wavelengths == bound */
} rwa_solver_result;

/** Return the name of solver i = 0, 1, …; NULL past the end. */
RWA_API const char *rwa_solver_name(size_t i);

/**
 * Give every path a wavelength, out of as few as can be found, so that no two paths that share a link have the same
 * one.
 * @param[out] colour  the wavelength of each path; problem->paths entries; written only on RWA_OK
 * @param[out] found   the number of wavelengths and the bound
 * @param size         sizeof *found; the macro rwa_solver_run() passes it
 * @param solver       a name from the table; NULL for "auto"
 * @return RWA_OK also when a limit stopped the search (see found->outcome); RWA_BADARG: unknown solver, a link outside
 *         the problem, an empty path, a problem that has both arcs and lists of links or neither, more than 2^32 - 2
 *         paths; RWA_NOMEM; RWA_BACKEND: GLPK failed; RWA_CANCELLED only before there is any answer
 */
RWA_API rwa_status rwa_solver_run_sized(uint32_t *colour, rwa_solver_result *found, size_t size, const char *solver,
                                        const rwa_problem *problem, const rwa_solver_options *opts, rwa_error *err);
#define rwa_solver_run(colour, found, ...)                                                                             \
    rwa_solver_run_sized((colour), (found), sizeof(rwa_solver_result), __VA_ARGS__)

#endif
