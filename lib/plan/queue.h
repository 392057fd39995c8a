/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The candidates of one task, best first. */
#pragma once

#include "plan/candidate.h"

struct queue {
    const struct plan_task *task;
    struct residuals residuals;
    char why[RWA_ERROR_TEXT];       /* why there is no residual network; "" when there is one */
    struct candidate **list;        /* in the order of the table: of equals the first wins */
    size_t count, capacity;
    double bound_s;                 /* no plan of the task takes less; below 0: not asked yet */
    double spent, lit;              /* effort of the plans so far; pairs of a signal and a receiver in those checked */
    const struct candidate *anyhow; /* large, and tried since all else has failed */
    bool hurried;                   /* something was left out for want of time */
    const struct scheme *unsuited;  /* the first scheme that suits no residual network */
    rwa_error refusal;              /* of the first scheme that the caller's blocks or options do not fit */
};

/** alternatives.c: the plan of the winner, checked, with the alternatives to it; NULL: why all are refused. */
rwa_status queue_report(rwa_plan **out, struct queue *q, struct candidate *winner, rwa_error *err);
