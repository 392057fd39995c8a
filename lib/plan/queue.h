/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The queue of candidates for one task, best first. */
#pragma once

#include "plan/candidate.h"

/** Largest relative gain for which a search or a slow plan is not worth its work. */
#define NEARLY 1e-2

struct queue {
    const struct plan_task *task;
    struct residuals residuals;
    char why[RWA_ERROR_TEXT];       /* why there is no residual network; "" if there is one */
    struct candidate **list;        /* in the order of the table of schemes: the first of equals wins */
    size_t count;
    double bound_s;                 /* lower bound on the time of any plan of the task; below 0: not yet computed */
    double spent, lit;              /* effort of the plans so far; (signal, receiver) pairs in the plans whose power
                                       was checked */
    const struct candidate *anyhow; /* a large candidate that is tried because all others failed */
    bool hurried;                   /* something was left out for lack of time */
    const struct scheme *unsuited;  /* the first scheme that suits no residual network */
    rwa_error refusal;              /* of the first scheme that the caller's blocks or options do not suit */
};

/** alternatives.c: return the winner's checked plan, with a report on its alternatives.  If winner is NULL, all
 * candidates were refused: *out is a plan that says why, or the call returns RWA_BADARG. */
rwa_status queue_report(rwa_plan **out, struct queue *q, struct candidate *winner, rwa_error *err);
