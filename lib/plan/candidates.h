/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What scheme "auto" chooses from. */
#pragma once

#include "plan/plan.h"

/** A scheme that fits, with stripes, blocks per lightpath and group chosen, and its estimate. */
struct candidate {
    struct attempt *attempt;
    struct plan_estimate estimate;
    rwa_plan *plan;             /* NULL: not built, or dropped; without a schedule: refused */
    uint32_t stripes, lightpath_blocks; /* of its plan; 1 block before it is built */
    bool waits, checked;
    bool unknown;               /* only its least time is known so far */
    bool built;                 /* the estimate is a plan's own */
    bool cut;                   /* of the task in another number of blocks */
};

struct candidates {
    const struct plan_task *task;
    double compared;            /* records of plans so far, where these are counted */
    double lit;                 /* pairs of signals and receivers so far */
    bool hurried;               /* one was left out for want of time */
    bool last_chance;           /* those that wait are tried, at any cost */
    struct plan_task searching; /* the task of schemes whose estimate searches */
    bool more;                  /* such schemes come, and may be feasible */
    struct plan_task cut[CUTS_MOST];    /* the task in other numbers of blocks, cut_coll */
    rwa_collective cut_coll[CUTS_MOST];
    struct candidate *list;
    size_t count, capacity;
    rwa_error refusal;          /* the first scheme that the caller's number of blocks does not fit */
};

/** candidates.c: whether it has a time and is not refused. */
bool candidate_is_feasible(const struct candidate *k);
/** The quickest that is not refused, the first of equals; NULL when all are. */
struct candidate *candidates_quickest(const struct candidates *c);

/** worth.c: whether a scheme's search may find what is quicker, and takes less time than that is worth. */
rwa_status search_is_worth(bool *worth, const struct candidates *c, const struct scheme *scheme, rwa_error *err);
/** On giant networks: whether there are candidates that wait, which then come before a search. */
bool others_wait(const struct candidates *c);

/** listed.c: append the candidates of a task, all by `searching`, a scheme whose estimate searches, or if that is NULL by all others. */
rwa_status candidates_list(struct candidates *c, const struct plan_task *t, const struct scheme *searching, rwa_error *err);

/** alternatives.c: the winner's plan with the alternatives to it, or without a winner why all are refused. */
rwa_status candidates_report(rwa_plan **out, struct candidates *c, struct candidate *winner, rwa_error *err);
/** The plan reported takes the place of the first of the part's alternatives. */
void report_beside(rwa_plan *part, const rwa_plan *plan, const struct candidate *winner);
