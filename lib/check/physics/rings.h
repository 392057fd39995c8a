/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The optical power of lightpaths on rings and lines, computed by code of the checker's own, and a report on the
 *  worst. */
#pragma once

#include "base/base.h"
#include "rwa/check.h"

/** A lightpath that is up, and the record that it comes from. */
struct lit_path {
    rwa_lightpath lp;
    uint32_t *taps;             /* in travel order */
    uint32_t tap_count;
    uint32_t hops;              /* where links are listed: RWA_POWER_PAPER only */
    uint64_t record, line;
};

/** Lightpaths that are up at the same time, each valid on the network and within the device's grid. */
struct lit_set {
    const rwa_network *net;
    const rwa_device *device;
    rwa_power_model model;
    const struct lit_path *list;
    size_t count;
    size_t lit;                 /* the first `lit` ones send; the others only hold their rings on resonance */
    rwa_link_budget *detail;    /* that of lightpath `detailed`, one of the lit ones; its aggressors are numbered as in
                                   `list`; NULL: none */
    size_t detailed;
};

/**
 * Compute the loss, crosstalk and bit errors of each lightpath of a set at its receivers.
 * @param[out] power  an entry for each of the set->lit lightpaths that send; for a lightpath with several receivers the
 *                    worst figures
 * @param[out] waveguide_dbm  the most power at any node's output in dBm; NaN: not computed
 * @return RWA_OK; RWA_NOMEM; RWA_CANCELLED.  Cost O(lightpaths * nodes they pass * rings on resonance there)
 */
rwa_status physics_of(rwa_power *power, double *waveguide_dbm, const struct lit_set *set, struct budget *budget,
                      rwa_error *err);

static inline double decibel(double ratio)
{
    return 10 * log10(ratio);
}

static inline double milliwatt(double dbm)
{
    return exp(dbm * (log(10.0) / 10));
}

/** Compare a number with the least that is required: PASS, FAIL, or UNCHECKED if one of the two is NaN. */
rwa_verdict verdict_at_least(double figure, double least);
/** Compute the power figures of a receiver.  `dbm`: its signal; `other_mw`, `same_mw`: crosstalk of other wavelengths,
 *  and of its own; `same_field`: sum of the square roots of the contributions to same_mw. */
rwa_power power_figures(const rwa_device *d, uint32_t hops, double dbm, double other_mw, double same_mw,
                        double same_field);
/** Combine the figures of two receivers of a lightpath.  Loss, received power, margin, bit errors and verdicts are the
 *  worse of each; the rest is that of the receiver with more bit errors. */
rwa_power power_worse(const rwa_power *a, const rwa_power *b);

/** Set a report to its empty state, in which it passes. */
void power_report_init(rwa_power_report *report);
/** Add the power figures of `count` lightpaths of a step to a report.  `first_index`: number of the first one in the
 *  schedule. */
void power_report_add(rwa_power_report *report, const rwa_device *device, uint32_t step, uint64_t first_index,
                      const rwa_power *power, size_t count);
/** Add a failing lightpath without figures to a report: its wavelength is not in the device's grid.  `index`: its
 *  number in the schedule. */
void power_report_fail(rwa_power_report *report, uint32_t step, uint64_t index);
