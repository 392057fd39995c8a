/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Internals of the cost models: which steps repeat the one before, and when new lightpaths can be set up. */
#pragma once

#include "rwa/cost.h"

#include "schedule/schedule.h"

/** Tell whether each record i of a step (2 or later) stands for the same lightpaths as record i of the step before,
 *  which may have more records. */
bool cost_repeats(const rwa_schedule *sched, uint32_t step);

/**
 * Find for each step the last earlier step that conflicts with it.  Steps i and s > i conflict if the lightpaths of the
 * steps i … s cannot all be up at once (docs/reference/formats.md, "Time"), if the schedule lets an epoch begin between
 * them (rwa_schedule_cut_epochs()), or if a link fails between them and lightpaths are set up after that.  In the model
 * `paper` any two steps conflict.
 * @param[out] last  last[step - 1]: that step; 0: none.  It never decreases from step to step
 * @return RWA_OK; RWA_NOMEM.  O(links of all lightpaths); O(links of all records) if all nodes do the same.  16 bytes
 *         for each channel of each link
 */
rwa_status cost_tuned_after(uint32_t *last, const rwa_schedule *sched, rwa_cost_model model, rwa_error *err);
/**
 * Find for each step the last earlier step i that conflicts with it: the lightpaths of all steps from i to this step
 * cannot be up at once.  Unlike cost_tuned_after(), ignore epoch cuts and failures.
 * @param[out] last    last[step - 1]: that step i; 0: none
 * @param[out] raises  NULL; or raises[step - 1]: a lightpath of this step that needs a resource which others used in
 *                     step i; meaningful only where i is larger than for the step before
 * @return RWA_OK; RWA_NOMEM
 */
rwa_status cost_conflicts(uint32_t *last, rwa_lightpath *raises, const rwa_schedule *sched, rwa_error *err);
/** Tell whether an epoch begins with a step: the step conflicts with a step of the current epoch, or it is step 1.
 *  Call this function for the steps in order.  `last` is from cost_tuned_after(); *first is the first step of the
 *  current epoch, and is updated. */
bool cost_begins_epoch(uint32_t *first, const uint32_t *last, uint32_t step);
/** Compute for each record i the steps hold[i].from … hold[i].to in which its lightpaths are up: rwa_cost_holds()
 *  without the check of its arguments. */
rwa_status cost_holds(rwa_hold *hold, const rwa_schedule *sched, rwa_cost_model model, rwa_error *err);
