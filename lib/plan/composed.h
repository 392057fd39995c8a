/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Plans made of plans for other collectives: a part of one, or two, one after the other. */
#pragma once

#include "plan/plan.h"

/** A way to make one collective of others; opaque. */
struct sequence;

/** The next way to carry out a collective after `c`, NULL: the first; NULL: there is none. */
const struct sequence *composition_after(const struct sequence *c, rwa_collective_kind whole);
/** No such plan takes less time; INFINITY: there is none. */
rwa_status composition_least_time(double *seconds, const struct sequence *c, const struct plan_task *task,
                                  rwa_error *err);
/** The quickest such plan, unchecked, if it takes less than below_s; else NULL. */
rwa_status composition_plan(rwa_plan **out, const struct sequence *c, const struct plan_task *task, double below_s,
                            rwa_error *err);

/** The plan that the task's scheme names, unchecked.  RWA_BADARG: the collective has none */
rwa_status composed_by_name(rwa_plan **out, const struct plan_task *task, rwa_error *err);
