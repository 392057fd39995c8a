/* SPDX-License-Identifier: GPL-3.0-or-later */
/** How long a schedule takes, under a stated model. */
#ifndef RWA_COST_H
#define RWA_COST_H

#include "rwa/schedule.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum rwa_cost_model {
    RWA_COST_PAPER = 0,     /**< every step pays d/B + reconfiguration + O/E/O (OpTree eq. 3, WRHT eq. 1) */
    RWA_COST_CIRCUIT = 1    /**< a step pays reconfiguration only if one of its lightpaths was not up in the step before,
                                 and always alpha and O/E/O */
} rwa_cost_model;

typedef struct rwa_cost_options {
    size_t struct_size;         /**< set by init */
    rwa_cost_model model;       /**< default paper */
    double alpha_s;             /**< start-up of a step, circuit model; default 0 */
    double reconfig_s;          /**< one setting of the micro-rings; default 25e-6 */
    uint64_t packet_bytes;      /**< a block travels in whole packets; default 128 */
    uint64_t flit_bytes;        /**< default 32 */
    double cycles_per_flit;     /**< of O/E/O conversion; default 1 */
    double clock_hz;            /**< default 1e9 */
} rwa_cost_options;

RWA_API void rwa_cost_options_init_sized(rwa_cost_options *opts, size_t size);
#define rwa_cost_options_init(o) rwa_cost_options_init_sized((o), sizeof *(o))

RWA_API const char *rwa_cost_model_name(rwa_cost_model model);  /**< "paper", "circuit" */

/** The time of `steps` steps in the paper model: T = S (d/B + a); closed form, no schedule needed. */
RWA_API double rwa_cost_steps(uint64_t steps, uint64_t block_bytes, double rate_bps, const rwa_cost_options *opts);

/**
 * The time of a schedule under opts->model.
 * @param[out] seconds  the time
 * @return RWA_OK; RWA_BADARG: a negative or zero figure where that makes no sense; RWA_NOMEM.
 *         Cost O(1) in the paper model, O(lightpaths) in the circuit model
 */
RWA_API rwa_status rwa_cost_schedule(double *seconds, const rwa_schedule *sched, const rwa_cost_options *opts,
                                     rwa_error *err);

#ifdef __cplusplus
}
#endif
#endif
