/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Schemes side by side: one line of numbers for each. */
#ifndef RWA_COMPARE_H
#define RWA_COMPARE_H

#include "rwa/plan.h"

/** Return 1 if scheme i of the table (rwa_scheme_name()) supports the collective on this kind of network, else 0. */
RWA_API int rwa_scheme_fits(size_t i, const rwa_network *net, rwa_collective_kind collective);

/** One scheme in one setting, planned and checked; an answer in the sense of docs/reference/versions.md. */
typedef struct rwa_comparison {
    const char *scheme;         /**< its constant in the table */
    rwa_outcome outcome;        /**< INFEASIBLE, or UNDECIDED where time_limit_s ended first: `why` is the reason,
                                     and every figure is 0 or NaN */
    char why[RWA_ERROR_TEXT];
    rwa_formula formula;        /**< the paper's, beside the schedule's */
    uint32_t steps;
    rwa_bound bound;            /**< the best lower bound in steps; value 0: none applies */
    double paper_s, circuit_s;  /**< the schedule's time in these cost models; see overlap_s for the third */
    uint32_t longest_hops;
    uint32_t wavelengths_used;
    uint64_t lightpaths;
    uint64_t block_bytes;       /**< bytes of a block: schemes cut the message differently */
    rwa_verdict power;          /**< UNCHECKED without a device, or when its profile leaves a field open; FAIL is a
                                     result here and does not make the outcome INFEASIBLE */
    double margin_db;           /**< NaN when not checked */
    double overlap_s;           /**< the time in the model overlap; NaN without a schedule */
    double time_s;              /**< under opts->cost, as the plan was chosen */
    double time_bound_s;        /**< lower bound on time_s, for any number of blocks; 0: unknown */
    const char *power_unchecked;    /**< why the device says nothing about this network, a constant; NULL: it does */
    uint32_t stripes, lightpath_blocks; /**< parts of a block; most blocks of a lightpath; 0 without a schedule */
    uint32_t bound_max_hops;    /**< as in rwa_plan_report */
} rwa_comparison;

/**
 * Refuse options that no scheme of a list supports, such as radices where none uses a tree.
 * @param names  `count` names of schemes; NULL, or "auto" among them: all schemes that fit the network and the
 *               collective
 * @return RWA_OK; RWA_BADARG: the text names the option and the schemes that support it
 */
RWA_API rwa_status rwa_compare_validate(const char *const *names, size_t count, const rwa_network *net,
                                      const rwa_collective *coll, const rwa_plan_options *opts, rwa_error *err);
/**
 * Plan with one scheme, check the plan, and report its numbers.
 * @param[out] out  receives the numbers
 * @param size      sizeof *out; the macro rwa_compare_scheme() passes it
 * @param scheme    a name from the table; NULL or "auto": the best known one
 * @param opts      NULL for the defaults; its scheme is ignored.  A named scheme ignores options that only others
 *                  support
 * @return RWA_OK; otherwise as rwa_plan_make()
 */
RWA_API rwa_status rwa_compare_scheme_sized(rwa_comparison *out, size_t size, const char *scheme,
                                            const rwa_network *net, const rwa_collective *coll,
                                            const rwa_plan_options *opts, rwa_error *err);
#define rwa_compare_scheme(out, ...) rwa_compare_scheme_sized((out), sizeof(rwa_comparison), __VA_ARGS__)

#endif
