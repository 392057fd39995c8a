/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Plans composed of plans for other collectives: a part of one plan, or a sequence of two. */
#pragma once

#include "plan/plan.h"

/** One way to compose a collective of others; opaque. */
struct sequence;

/** Return the next composition for collective `whole` in the table, after `c`; NULL: there is none.  For the first
 * one, let `c` be NULL. */
const struct sequence *composition_after(const struct sequence *c, rwa_collective_kind whole);
/** Set *seconds to a lower bound on the time of every plan of composition `c`; INFINITY: it has no plan. */
rwa_status composition_least_time(double *seconds, const struct sequence *c, const struct plan_task *task,
                                  rwa_error *err);
/** Make the quickest plan of a composition, unchecked; *out is NULL if none takes less than below_s seconds. */
rwa_status composition_plan(rwa_plan **out, const struct sequence *c, const struct plan_task *task, double below_s,
                            rwa_error *err);

/** Make the plan of the composition that the task's options name as scheme, without checking it.  RWA_BADARG: the
 * collective has no composition of this name */
rwa_status composed_by_name(rwa_plan **out, const struct plan_task *task, rwa_error *err);
