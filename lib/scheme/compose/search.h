/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The search for the quickest composition, for its files. */
#pragma once

#include "scheme/compose/compose.h"
#include "scheme/compose/phases.h"
#include "scheme/memo.h"

/** Limit on the work of a search: links of the routes of all transfers that are timed.  It takes about half a
 * second. */
#define WORK_MOST 2e7

enum { DEPTH = 3, SIZES = 24, CIRCLE_MOST = 64 };

/** A term for a set of participants, and its time; INFINITY: no term is quick enough. */
struct compose_choice {
    struct composition composition;
    double time_s;
};

/** The key of a subproblem: all numbers on which its time is assumed to depend. */
struct key {
    uint64_t number[7];
};

/** The result for a subproblem.  If it has no term, every term takes limit_s or longer. */
struct known {
    struct compose_choice choice;
    double limit_s;
};

struct compose_search {
    const struct composing *c;
    struct program p;           /* timed */
    double step_s;              /* price of a step */
    struct memo memo;           /* of subproblems */
    struct budget budget;
    uint64_t scale;             /* parts into which each block is cut */
    bool alike;                 /* only terms in which all nodes do the same, so that one node is checked */
    bool rotated;               /* rotate the dimensions of a grid; each rotation takes a share of the parts */
    struct compose_choice roots[PARAMETER_SETS];    /* the quickest by loads of fewer roots than participants */
    struct found best;          /* so far; its time starts as a limit */
};

/** Time term `t` with its quickest subterms, which have at most depth - 1 levels of subterms themselves.  If it is
 * quicker than *best, replace *best by it. */
rwa_status try_term(struct compose_choice *best, struct compose_search *s, const struct parties *parties, struct term t,
                    unsigned depth);
/** Find the quickest term with at most `depth` levels of subterms, and with a time below limit_s; out->time_s is
 * INFINITY if there is none.  A term that an earlier call found is returned even if it takes longer.  RWA_NOMEM;
 * RWA_CANCELLED */
rwa_status best_term(struct compose_choice *out, struct compose_search *s, const struct parties *parties,
                     unsigned depth, double limit_s);
/** Try trees, or (try_roots()) terms in which fewer participants than all are roots of a tree.  On entry best->time_s
 * is the time limit; a quicker term replaces *best. */
rwa_status try_trees(struct compose_choice *best, struct compose_search *s, const struct parties *parties);
rwa_status try_roots(struct compose_choice *best, struct compose_search *s, const struct parties *parties);

/** Return a term of a phase without subterms; `numbers` (0, 1 or 2) says whether it has no number, the first, or
 * both. */
struct term term_of(enum phase phase, uint8_t numbers, uint32_t first, uint32_t second);
