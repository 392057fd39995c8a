/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Finish a schedule after a link failure: send the same transfers over other routes, or plan the rest anew. */
#pragma once

#include "rwa/plan.h"

#include "base/base.h"

/** Send the transfers of a schedule over other routes after a failure.  Networks with links only; any collective, also
 * with members and with several blocks on a lightpath.
 * @param[out] out  new schedule on `net`, caller frees; NULL on failure, and when some transfer has no route or channel
 *                  left
 * @param[out] why  RWA_ERROR_TEXT bytes: the step in which this is so; "" when there is a schedule
 * @param net       the network of the schedule with its failed links
 * @param at_step   the first step in which the failed links carry nothing
 * @param max_hops  most hops of a new route; 0: no limit
 * @param budget    the caller may cancel
 * @return RWA_OK; RWA_BADARG: a lightpath with taps lost its route; RWA_NOMEM; RWA_CANCELLED.  Cost O(lightpaths * hops
 *         + lightpaths over failed links * channels * links log nodes) for each step and attempt */
rwa_status reroute_schedule(rwa_schedule **out, char *why, const rwa_schedule *sched, const rwa_network *net,
                            uint32_t at_step, uint32_t max_hops, struct budget *budget, rwa_error *err);

/** resume.c: plan the rest of a collective that copies blocks, from what every node holds when step at_step begins, by
 * a nearest-holder greedy over the links of `net` that never fail.
 * @param[out] out  new schedule on `net`, caller frees; NULL on failure, and if the greedy found no plan
 * @param net       the network of the schedule with its failed links
 * @param best_s    seconds; the greedy stops when its steps can no longer take less; 0: no limit
 * @param o         members, max_hops, seed and limits apply
 * @return RWA_OK; RWA_NOMEM; RWA_CANCELLED */
rwa_status resume_schedule(rwa_schedule **out, const rwa_schedule *sched, const rwa_network *net, uint32_t at_step,
                           double best_s, const rwa_plan_options *o, rwa_error *err);

/** repair.c: repair a schedule as rwa_plan_repair() does, and keep the new start for further calls.  In a further call
 * the same links may fail in another step.  If schedule_symmetric_until() is above 0, translations of these links may
 * fail instead.
 * @param again   in and out: the new start, a schedule of the whole collective on what is left of the network; *again
 *                NULL: not planned yet.  The caller frees it
 * @param bounds  compare the plan with the lower bounds */
rwa_status plan_repair(rwa_plan **out, rwa_schedule **again, bool bounds, const rwa_schedule *sched,
                       const uint32_t *links, size_t link_count, uint32_t at_step, const rwa_plan_options *opts,
                       rwa_error *err);
