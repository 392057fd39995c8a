/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The end of the time that a caller gives to a whole plan: planning, bounds and the check. */
#pragma once

#include "base/base.h"
#include "rwa/plan.h"

struct deadline {
    rwa_poll poll;              /* the caller's */
    void *data;
    double limit_s, at_s;
    bool passed;                /* work was stopped by it */
    bool stopped;               /* work was stopped by the caller */
};

/** The shorter of two limits in seconds; 0: none. */
double shorter_limit(double one_s, double other_s);

/** With opts->total_limit_s all that polls stops in time: opts->poll becomes the deadline's, which asks the caller's too, and
 *  searches end after half of it.  `d` must outlive the options; without a limit nothing changes. */
void deadline_begin(struct deadline *d, rwa_plan_options *opts);

/** Whether all the time is over. */
bool deadline_passed(const struct deadline *d);
/** Whether a status says that work was given up for want of time: the deadline passed, or a part of the time was too short for a part of
 *  the work. */
bool deadline_ended(const struct deadline *d, rwa_status st);
/** Whether it says so of a limit to the work on one scheme, and the caller does not stop the planning. */
bool work_was_limited(const rwa_plan_options *opts, rwa_status st);
/** In place of such a failure: no plan was found in time.  Other statuses stay.  RWA_CANCELLED */
rwa_status deadline_explain(const struct deadline *d, rwa_status st, rwa_error *err);
