/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The time of a schedule in a cost model. */
#ifndef RWA_COST_H
#define RWA_COST_H

#include "rwa/settings.h"

typedef enum rwa_cost_model {
    RWA_COST_PAPER = 0,     /**< every step pays d/B + reconfiguration + O/E/O (OpTree eq. 3, WRHT eq. 1) */
    RWA_COST_CIRCUIT = 1,   /**< a lightpath stays up until another needs one of its resources; an epoch, a run of steps
                                 whose lightpaths fit together, pays one reconfiguration; every step pays alpha and
                                 O/E/O */
    RWA_COST_OVERLAP = 2    /**< idle resources retune while others carry data: step s starts alpha after the end of
                                 step s - 1, and not before a reconfiguration after the end of step i, the last one such
                                 that steps i … s do not fit together (docs/reference/formats.md, "Time") */
} rwa_cost_model;

typedef struct rwa_cost_options {
    size_t struct_size;         /**< set by init */
    rwa_cost_model model;       /**< default paper */
    double alpha_s;             /**< start-up of a step, models circuit and overlap; default 0 */
    double reconfig_s;          /**< one setting of the micro-rings; default 25e-6 */
    uint64_t packet_bytes;      /**< a block travels in whole packets; default 128 */
    uint64_t flit_bytes;        /**< default 32 */
    double cycles_per_flit;     /**< of O/E/O conversion; default 1 */
    double clock_hz;            /**< default 1e9 */
} rwa_cost_options;

RWA_INIT(rwa_cost_options)

RWA_API const char *rwa_cost_model_name(rwa_cost_model model);  /**< "paper", "circuit", "overlap" */

/** Return the time S (d/B + a) in seconds of S steps in the paper model, without a schedule: d is the size of a block
 *  in bits, B = rate_bps, and a the time of a reconfiguration and of the O/E/O conversion of a block.  NaN: an argument
 *  is out of range. */
RWA_API double rwa_cost_steps(uint64_t steps, uint64_t block_bytes, double rate_bps, const rwa_cost_options *opts);

/**
 * Compute the time of a schedule in the cost model opts->model.
 * @param[out] seconds  the time
 * @param opts          NULL for the defaults
 * @return RWA_OK; RWA_BADARG: an option that is negative, or zero where it must be positive; RWA_NOMEM.  Cost O(steps)
 *         in the paper model; in the others O(links of all lightpaths), of orbits of all nodes O(links of all records),
 *         and 16 bytes for each channel of each link
 */
RWA_API rwa_status rwa_cost_schedule(double *seconds, const rwa_schedule *sched, const rwa_cost_options *opts,
                                     rwa_error *err);

/**
 * Compute when each step retunes, begins to send and ends, in seconds from the beginning of the schedule, in the cost
 * model opts->model.  Each array is NULL, or has rwa_schedule_steps() entries, for steps from 1 on.  In the overlap
 * model a step begins alpha after the end of the step before, or later, once its new lightpaths are tuned.
 * @param[out] tune_s          when the retuning for the step's new lightpaths begins, which takes opts->reconfig_s.
 *                             paper: at the end of the step before.  circuit: at the end of the last step of the epoch
 *                             before.  overlap: at the end of the last step i such that the lightpaths of steps i to
 *                             this one cannot all be up at once; 0: there is no such step
 * @param[out] begin_s, end_s  when the step begins to send, and ends; the last end is the time of rwa_cost_schedule()
 * @param rate_bps             bit/s of a wavelength; 0: that of the schedule's network, which is the default rate if
 *                             the schedule was read from a file, since files do not contain it
 * @return as rwa_cost_schedule()
 */
RWA_API rwa_status rwa_cost_step_times(double *tune_s, double *begin_s, double *end_s, const rwa_schedule *sched,
                                       double rate_bps, const rwa_cost_options *opts, rwa_error *err);

/**
 * Compute the number of the epoch to which each step belongs, from 1 on.  The steps of an epoch need no reconfiguration
 * between them.  In the paper model every step is an epoch of its own.
 * @param[out] epoch  rwa_schedule_steps() entries
 * @return as rwa_cost_schedule()
 */
RWA_API rwa_status rwa_cost_epochs(uint32_t *epoch, const rwa_schedule *sched, const rwa_cost_options *opts,
                                   rwa_error *err);

/**
 * Compute in which steps the lightpaths of each record must be up so that the schedule takes its time in opts->model.
 * paper: in the record's own step.  circuit: in all steps of its epoch.  overlap: let i be the last step such that the
 * lightpaths of steps i to the record's step cannot all be up at once; then from step i + 1 on, until another lightpath
 * is tuned to their resources (docs/reference/formats.md, "Holds").
 * @param[out] hold  rwa_schedule_records() entries; from <= the record's step <= to
 * @return as rwa_cost_schedule()
 */
RWA_API rwa_status rwa_cost_holds(rwa_hold *hold, const rwa_schedule *sched, const rwa_cost_options *opts,
                                  rwa_error *err);

/** The least prices of a schedule in a cost model: once, for each step, for each byte that a channel carries, and for
 *  each epoch after the first (docs/reference/bounds.md, "Epochs"). */
typedef struct rwa_cost_prices {
    double once_s;          /**< paid at least once; once_s + step_s is the time that a channel waits when it goes over
                                 to another user */
    double step_s;
    double byte_s;
    double setting_s;   /**< for each epoch after the first; 0 where step_s contains the reconfiguration, or where it
                             may be hidden */
} rwa_cost_prices;

/** Compute the prices of opts->model for bounds on the time: every schedule costs at least the sum of what it uses at
 *  these prices.  RWA_BADARG as rwa_cost_schedule(), or a rate that is no positive number. */
RWA_API rwa_status rwa_cost_floor(rwa_cost_prices *out, double rate_bps, const rwa_cost_options *opts,
                                      rwa_error *err);

#endif
