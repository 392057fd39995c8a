/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The inside of the cost models: which steps repeat the one before, and when new lightpaths can be tuned. */
#pragma once

#include "rwa/cost.h"

#include "schedule/schedule.h"

/** Whether each record of the step, from 2 on, stands at the same place in the one before. */
bool cost_repeats(const rwa_schedule *sched, uint32_t step);

/** At last[step - 1] the last step i such that steps i … step do not fit (docs/reference/formats.md, "Time"), which
 * ascends; 0: all fit.  Cuts and failures count: nothing that is first used after a link failed is tuned before.  In
 * `paper` no two steps fit. RWA_BADARG: a network too large; RWA_NOMEM.  O(links of all lightpaths), of orbits that are
 * alike at all nodes O(links of all records); 16 bytes for each channel of each link. */
rwa_status cost_tuned_after(uint32_t *last, const rwa_schedule *sched, rwa_cost_model model, rwa_error *err);
/** The same without cuts and failures; raises: NULL, or where last[step - 1] ascends the step's lightpath that needs
 *  what another one used in that step. */
rwa_status cost_conflicts(uint32_t *last, rwa_lightpath *raises, const rwa_schedule *sched, rwa_error *err);
/** Whether an epoch begins with the step; *first, of the epoch before, becomes this step then. */
bool cost_begins_epoch(uint32_t *first, const uint32_t *last, uint32_t step);
/** The inside of rwa_cost_holds(). */
rwa_status cost_holds(rwa_hold *hold, const rwa_schedule *sched, rwa_cost_model model, rwa_error *err);
