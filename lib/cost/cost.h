/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The inside of the cost models: which lightpaths a step keeps, and when its new ones are tuned. */
#pragma once

#include "rwa/cost.h"

#include "schedule/schedule.h"

/* ---- same.c ---- */

/** Which lightpaths of a record were present in the step before, judging by the first: orbits of all nodes with one period that
 *  divides the nodes of the cycle are present as a whole. */
enum presence { ABSENT, FIRST_PRESENT, ALL_PRESENT };
/** Whether a record is an orbit of all nodes whose channels come round with its cycle. */
bool cost_is_whole(const rwa_schedule *sched, uint64_t i);
/** Whether record i of a step has this lightpath of record `now`; ALL_PRESENT: and all others of `now`.  O(1) but for lists */
enum presence cost_presence_in(const rwa_schedule *sched, uint32_t step, uint64_t i, const rwa_lightpath *lp, uint64_t now);

/** Whether the step, from 2 on, repeats the one before record by record. */
bool cost_repeats(const rwa_schedule *sched, uint32_t step);

/** One lightpath of a step: its record, whose path and taps count too, and its number in that orbit; tag: bits of its hash, never 0. */
struct circuit {
    uint64_t record;
    uint32_t turn, tag;
};

/** The lightpaths of one step; open addressing; an entry with tag 0 is free. */
struct circuits {
    const rwa_schedule *sched;
    uint32_t step;
    struct circuit *at;
    size_t have, mask;
};

/** Replace the contents by the lightpaths of a step.  O(lightpaths of it).  RWA_NOMEM */
rwa_status circuits_fill(struct circuits *set, uint32_t step, rwa_error *err);
/** The record of that step which is the same lightpath; UINT64_MAX: none is. */
uint64_t circuits_record(const struct circuits *set, const struct walk *at);
bool circuits_have(const struct circuits *set, const struct walk *at);
void circuits_close(struct circuits *set);

/* ---- settings.c ---- */

/** How many steps set the micro-rings: the first, and each with a lightpath that was absent in the step before (same
 *  nodes, route, channel and taps).  @param[out] sets  NULL, or whether step s does at sets[s - 1] */
rwa_status cost_settings(uint64_t *settings, bool *sets, const rwa_schedule *sched, rwa_error *err);

/* ---- overlap.c ---- */

/** Transfer and conversion of one step. */
typedef double (*cost_step_time)(const rwa_schedule *sched, double rate_bps, const rwa_cost_options *o, uint32_t step);

/** The end of the last step in the model `overlap`; options checked.  begin_s, end_s: NULL, or of each step.  RWA_BADARG: a schedule too
 *  large; RWA_NOMEM */
rwa_status cost_overlap(double *seconds, double *begin_s, double *end_s, const rwa_schedule *sched, double rate_bps,
                        const rwa_cost_options *o, cost_step_time transfer, rwa_error *err);
