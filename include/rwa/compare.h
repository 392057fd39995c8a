/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Schemes side by side: one line of figures for each. */
#ifndef RWA_COMPARE_H
#define RWA_COMPARE_H

#include "rwa/plan.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Whether scheme i of the table carries out this collective on this kind of network at all. */
RWA_API int rwa_scheme_fits(size_t i, const rwa_network *net, rwa_collective_kind collective);

/** One scheme in one setting, its schedule planned and checked.  Plain data. */
typedef struct rwa_comparison {
    const char *scheme;         /**< its constant in the table */
    rwa_outcome outcome;        /**< INFEASIBLE: `why` says why there is no schedule, and every figure is 0 or NaN */
    char why[RWA_ERROR_TEXT];
    rwa_formula formula;        /**< the paper's, beside the schedule's */
    uint32_t steps;
    rwa_bound bound;            /**< the best lower bound in steps; value 0: none applies */
    double paper_s, circuit_s;  /**< the schedule's time in either cost model */
    uint32_t longest_hops;
    uint32_t wavelengths_used;
    uint64_t lightpaths;
    uint64_t block_bytes;       /**< what one lightpath carries: schemes cut the message differently */
    rwa_verdict power;          /**< UNCHECKED without a device, or when its profile leaves something open.  A schedule
                                     that fails is still shown: its power is the answer here, not a reason to refuse */
    double margin_db;           /**< NaN when not checked */
} rwa_comparison;

/**
 * Refuse options that none of the schemes to be compared would read, as radices where there is no tree.
 * @param names  count names from the table; NULL or "auto" among them for all that fit
 * @return RWA_OK; RWA_BADARG: the option is named, and the schemes that read it
 */
RWA_API rwa_status rwa_compare_validate(const char *const *names, size_t count, const rwa_network *net,
                                      const rwa_collective *coll, const rwa_plan_options *opts, rwa_error *err);
/**
 * Plan with one scheme and gather its figures.
 * @param scheme  a name from the table, or NULL or "auto" for the best known one
 * @param opts    NULL for the defaults; its scheme and cost.model are not looked at.  A scheme named here leaves aside what
 *                only others read
 * @return RWA_OK; otherwise as rwa_plan_make()
 */
RWA_API rwa_status rwa_compare_scheme_sized(rwa_comparison *out, size_t size, const char *scheme, const rwa_network *net,
                                            const rwa_collective *coll, const rwa_plan_options *opts, rwa_error *err);
#define rwa_compare_scheme(out, ...) rwa_compare_scheme_sized((out), sizeof(rwa_comparison), __VA_ARGS__)

#ifdef __cplusplus
}
#endif
#endif
