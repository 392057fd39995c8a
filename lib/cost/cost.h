/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Internals of the cost models: which steps repeat the one before, and when new lightpaths can be set up. */
#pragma once

#include "rwa/cost.h"

#include "schedule/schedule.h"

/** Tell whether each record of a step (2 or later) is also in the step before, at the same place. */
bool cost_repeats(const rwa_schedule *sched, uint32_t step);

/**
 * Find for each step the last step that conflicts with it: last[step - 1] becomes the last step i such that steps i …
 * step do not fit together (docs/reference/formats.md, "Time"), or 0 if steps 1 … step fit.  The numbers never
 * decrease.
 * Epoch cuts and failures count as conflicts: a lightpath first used after a link failed is not set up before the
 * failure.  In the model `paper` no two steps fit together.
 * RWA_BADARG: a network too large; RWA_NOMEM.  O(links of all lightpaths); O(links of all records) if all nodes do
 * the same. 16 bytes for each channel of each link.
 */
rwa_status cost_tuned_after(uint32_t *last, const rwa_schedule *sched, rwa_cost_model model, rwa_error *err);
/**
 * Find for each step the last step that conflicts with it, as cost_tuned_after() does, but without epoch cuts and
 * failures.
 * @param[out] raises  NULL; or, for each step whose last[step - 1] is larger than that of the step before, the
 *                     lightpath of that step that needs a resource which another lightpath used in step last[step -
 *                     1]
 */
rwa_status cost_conflicts(uint32_t *last, rwa_lightpath *raises, const rwa_schedule *sched, rwa_error *err);
/** Tell whether an epoch begins with a step, given the last conflict of each step.  *first is the first step of the
 *  current epoch and is updated. */
bool cost_begins_epoch(uint32_t *first, const uint32_t *last, uint32_t step);
/** Compute from which to which step each record's lightpaths are up: the implementation of rwa_cost_holds(). */
rwa_status cost_holds(rwa_hold *hold, const rwa_schedule *sched, rwa_cost_model model, rwa_error *err);
