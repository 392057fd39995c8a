/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The optical power of lightpaths on rings and lines, computed by code of the checker's own, and a report on the
 *  worst. */
#pragma once

#include "base/base.h"
#include "rwa/check.h"

/** Lightpaths that are up at the same time, each valid on the network and within the device's grid. */
struct lit_set {
    const rwa_network *net;
    const rwa_device *device;
    rwa_power_model model;
    const rwa_lightpath *list;
    const uint32_t *taps;       /* of lightpath i: taps[first_tap[i]] … taps[first_tap[i + 1] - 1], in travel order */
    const size_t *first_tap;
    size_t count;
    size_t lit;                 /* the first `lit` ones send; the others only hold their rings on resonance */
    rwa_link_budget *detail;    /* that of lightpath `detailed`, one of the lit ones; its aggressors are numbered as in
                                   `list`; NULL: none */
    size_t detailed;
    const uint32_t *hops;       /* of each, where links are listed: RWA_POWER_PAPER only; NULL: on rings and lines */
};

/**
 * Compute the loss, crosstalk and bit errors of each lightpath of a step at its receivers.
 * @param[out] power  an entry for each of the set->lit lightpaths; for a lightpath with several receivers the numbers
 *                    of the worst one
 * @param[out] waveguide_dbm  the most power at any node's output; NaN: not computed
 * @return RWA_OK; RWA_NOMEM; RWA_CANCELLED.  Cost O(lightpaths * nodes they pass * rings on resonance there)
 */
rwa_status physics_of(rwa_power *power, double *waveguide_dbm, const struct lit_set *set, struct budget *budget,
                      rwa_error *err);

/** Set a report to its empty state, in which it passes. */
void power_report_init(rwa_power_report *report);
/** Add the lightpaths of a step to a report.  The first of them has number first_index in the schedule. */
void power_report_add(rwa_power_report *report, const rwa_device *device, uint32_t step, uint64_t first_index,
                      const rwa_power *power, size_t count);
/** Add a lightpath to a report that fails without numbers, because the device has no such channel. */
void power_report_fail(rwa_power_report *report, uint32_t step, uint64_t index);
