/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Plans composed of plans for other collectives: a part of one plan, or a sequence of two. */
#pragma once

#include "plan/plan.h"

/** One way to compose a collective of others; opaque. */
struct sequence;

/** The next composition of a collective after `c` (NULL: the first); NULL: there are no more. */
const struct sequence *composition_after(const struct sequence *c, rwa_collective_kind whole);
/** A lower bound on the time of every such plan; INFINITY: there is none. */
rwa_status composition_least_time(double *seconds, const struct sequence *c, const struct plan_task *task,
                                  rwa_error *err);
/** The quickest such plan, unchecked; NULL if none takes less than below_s. */
rwa_status composition_plan(rwa_plan **out, const struct sequence *c, const struct plan_task *task, double below_s,
                            rwa_error *err);

/** The plan named by the task's scheme, unchecked.  RWA_BADARG: the collective has no such plan */
rwa_status composed_by_name(rwa_plan **out, const struct plan_task *task, rwa_error *err);
