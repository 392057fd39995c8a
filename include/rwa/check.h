/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The checker: recomputes everything from the schedule alone and shares no code with the planners. */
#ifndef RWA_CHECK_H
#define RWA_CHECK_H

#include "rwa/cost.h"
#include "rwa/device.h"
#include "rwa/fiber.h"
#include "rwa/io.h"

/** id, value, name */
#define RWA_VIOLATION_MAP(X)                                                                                           \
    X(CHANNEL, 1, "channel")           /* two lightpaths on one (link, fibre, wavelength) in a step */                 \
    X(CONTINUITY, 2, "continuity")     /* no such route: src = dst, or a line's wrong direction */                     \
    X(CAUSALITY, 3, "causality")       /* sends a block not held at the start of the step */                           \
    X(COMPLETENESS, 4, "completeness") /* a node lacks at the end what the collective demands; reductions:  \
                                           a contribution counted twice, a copy that meets another arrival */          \
    X(PORTS, 5, "ports")               /* more transmissions or receptions than a node has ports, a port that  \
                                           had no time to retune, a switch that joins one node to two */       \
    X(POWER, 6, "power")               /* the device profile's budget or error rate is broken */                       \
    X(RANGE, 7, "range")               /* a node, fibre, wavelength, block or step outside the header, a    \
                                           reduction where the collective has none */          \
    X(ORDER, 8, "order")               /* steps go down, or one is skipped (a ron may skip) */                         \
    X(ORBIT, 9, "orbit")               /* an orbit or period the format does not allow */                              \
    X(HEADER, 10, "header")            /* the header says another number of steps, a bound that is not proven, \
                                           or no failed link where a lightpath is said to be down */       \
    X(PROTECTION, 11,                                                                                                  \
      "protection") /* a missing backup, one that shares a link or a risk group with its working route, \
                                           or two shared ones on a channel that both need after one failure */

typedef enum rwa_violation_kind {
#define X(id, value, name) RWA_VIOLATION_##id = value,
    RWA_VIOLATION_MAP(X)
#undef X
} rwa_violation_kind;

enum { RWA_VIOLATIONS_NAMED = 20, RWA_UNSERVED_NAMED = 10 };

typedef struct rwa_violation {
    rwa_violation_kind kind;
    uint32_t step;          /**< 0: concerns the whole schedule */
    uint64_t lightpath;     /**< record index in the schedule, from 0; RWA_NO_INDEX: none */
    uint64_t link;          /**< RWA_NO_INDEX: none */
    uint64_t wavelength;    /**< RWA_NO_INDEX: none */
    char text[192];         /**< one line for people */
} rwa_violation;

/** A lightpath that an assignment declares as unserved. */
typedef struct rwa_unserved {
    uint64_t demand;        /**< its number in the file; a demand for several lightpaths has one number for each */
    uint32_t src, dst;
} rwa_unserved;

/** A verdict.  Immutable; free it with rwa_check_free(). */
typedef struct rwa_check rwa_check;
/** See rwa/assign.h. */
typedef struct rwa_assignment rwa_assignment;

/** The numbers of a verdict.  The verdict owns the record; new members are added only at its end. */
typedef struct rwa_check_report {
    int ok;                         /**< 1: no violation */
    uint64_t violations;            /**< all of them, counted */
    uint64_t by_kind[16];           /**< indexed by rwa_violation_kind */
    size_t named;                   /**< how many of first[] are filled */
    rwa_violation first[RWA_VIOLATIONS_NAMED];  /**< those of power: the worst, the worst first */
    uint32_t steps;                 /**< seen */
    uint64_t lightpaths;            /**< orbits counted in full */
    uint32_t longest_hops;
    uint32_t wavelengths_used;      /**< most distinct (fibre, wavelength) pairs in one direction in one step */
    int power_checked;              /**< 0: no device was given */
    uint32_t receivers;             /**< most receivers of a lightpath; 1: no taps; 0: an assignment */
    rwa_power_report power;         /**< meaningful when power_checked */
    /**
     * Retunings, the first setting included.  star: lightpaths whose transmitter or receiver had another wavelength;
     * ocs: circuits; ron: ports retuned to another receiver, without their first setting.  0 on other networks.
     */
    uint64_t tunings;
    uint64_t tuning_cost;           /**< tunings times the network's tuning */
    /** Steps to the end. star and ocs: `steps`, plus the network's tuning for each step with a retuning (all ports
     *  retune at the same time); ron: `steps`, which include the pauses. */
    uint64_t finish_steps;
    /** Of an assignment: the bound it claims (0: none) and whether its witness proves it.  UNCHECKED: the proof is a
     *  search, which the checker does not repeat.  A bound that its witness does not prove is a violation `header`. */
    uint64_t bound;
    rwa_verdict bound_verdict;
    int bound_of_served;            /**< 1: an upper bound on the lightpaths served; 0: a lower bound on the
                                         wavelengths */
    /** Of an assignment: the lightpaths that it declares as unserved, and the first of them.  They are no violation; a
     *  demand without any entry is one. */
    uint64_t unserved;
    rwa_unserved first_unserved[RWA_UNSERVED_NAMED];
    uint64_t down;                  /**< lightpaths declared as down across failed links */
    double time_s;                  /**< of a schedule without violations, under options.cost; else NaN */
    /** Of an assignment or schedule checked with a fibre profile: lightpaths whose GSNR was computed, and the one of
     *  least margin.  NaN and RWA_NO_INDEX without one. */
    uint64_t gsnr_checked;
    double worst_gsnr_db, gsnr_margin_db;
    uint64_t worst_gsnr_lightpath;
    uint64_t first_line[RWA_VIOLATIONS_NAMED];  /**< the line of the file, from 1, whose record first[i] is about; 0:
                                                     none */
    int counts_slots;               /**< 1: an assignment on a flexible grid, whose wavelengths are slots */
    int bound_of_routes;            /**< 1: other routes of the same demands may do better than the bound */
    uint64_t off_grid;              /**< lightpaths whose wavelength lies outside the device's grid: each one fails */
    const char *power_unchecked;    /**< why a device says nothing about this schedule, a constant; NULL: it does */
    /** On fibre: options.lightpath, its GSNR and what its format needs, margin included; 0: not computed. */
    uint64_t gsnr_lightpath;
    double gsnr_db, gsnr_needed_db;
    rwa_link_budget budget;         /**< of the lightpath that the options name; its step is 0: there is none */
    char bound_proof[RWA_ERROR_TEXT];   /**< of an assignment: sentences that lead from the witness to the bound, with
                                             numbers that the checker recomputed; empty: it recomputed none */
    /** What time_s adds up: bytes on the fullest lightpath of each step, and in the model circuit the epochs.  0 where
     *  time_s is NaN. */
    uint64_t fullest_bytes, epochs;
    uint64_t backups, backups_down; /**< of an assignment: the backups among `lightpaths`, and among `down` */
} rwa_check_report;

typedef struct rwa_check_options {
    size_t struct_size;         /**< set by init */
    const rwa_device *device;   /**< borrowed; NULL: power stays unchecked */
    rwa_power_model power_model;
    rwa_poll poll;
    void *poll_data;
    const rwa_limits *limits;   /**< all members apply; NULL: none of the caller's; borrowed */
    const rwa_cost_options *cost;   /**< complete, from its init function; NULL: the time is not computed; borrowed */
    double rate_bps;            /**< for the time, bit/s of a wavelength; 0: the network's, which a file does not say */
    /** Of assignments: GSNR or reach.  Of schedules: GSNR, each lightpath by the most robust format that carries the
     *  rate in a channel.  Borrowed; NULL: unchecked */
    const rwa_transmission *transmission;
    uint64_t lightpath;         /**< the one whose link budget is reported, by its number in the schedule, orbits
                                     counted in full; RWA_NO_INDEX (the default): none */
} rwa_check_options;

RWA_INIT(rwa_check_options)

RWA_API const char *rwa_violation_name(rwa_violation_kind kind);

/**
 * Check a schedule in memory.
 * @param[out] out  new verdict, caller frees with rwa_check_free(); NULL on failure
 * @return RWA_OK for any verdict; RWA_BADARG, also for a schedule that moves the same blocks over the same channels
 *         again and again: the work of the check, in units of one block or 64 neighbouring ones, may be at most 2^25,
 *         plus 4096 for each record, plus 16 for each block that is new to a node and each channel newly taken in a
 *         step; RWA_NOMEM; RWA_CANCELLED.  In reductions a wrong sum passes with a probability below N * blocks * 2^-60
 *         for N nodes (random weights); everything else is exact.  Cost O(lightpaths + (hops + blocks moved) / 64) in
 *         time (reductions: O(lightpaths + blocks moved)); in memory O(blocks that arrive) bits, at most N * blocks of
 *         them (reductions: times 16 bytes), and N * blocks / 512 bytes of address space
 */
RWA_API rwa_status rwa_check_schedule(rwa_check **out, const rwa_schedule *sched, const rwa_check_options *opts,
                                      rwa_error *err);

/** Check a schedule in a file; the checker needs memory for the largest step only.  If the first line says
 *  "rwa-assignment", check the file as rwa_check_assignment() checks an assignment; `path` must then be a file, not a
 *  pipe or standard input.  `out` as in rwa_check_schedule().  Errors as rwa_check_schedule() and rwa_reader_open();
 *  for assignments as rwa_check_assignment(), and RWA_BADARG if opts->transmission is given and no lightpath names a
 *  format. */
RWA_API rwa_status rwa_check_file(rwa_check **out, const char *path, const rwa_check_options *opts, rwa_error *err);

/**
 * Check an assignment against its network and its demands:
 * - Every lightpath of a demand occurs once.  One without a route counts as unserved; it is no violation.
 * - Each route is a simple path of the network from src to dst through the `via` node, and keeps fibre and wavelength
 *   except at converters.  It uses no reserved channel.  Two routes share no channel, unless both are shared backups.
 * - A lightpath is marked as down if and only if it crosses a failed link.  A shared backup may also be marked as down
 *   where another one is lit on one of its channels.
 * - A shared backup is lit if its working route crosses a failed link and it is not marked as down.  No channel is lit
 *   twice.
 * - A backup shares no link or risk group with its working route.  After the failure of any one link, or risk group,
 *   the shared backups of all routes that it breaks can be set up at once.
 * - The bound that the assignment claims follows from its witness (rwa_check_report.bound_verdict).
 * If there is no violation and opts->transmission is given, its formats are checked too: GSNR or reach.
 * @param[out] out  as in rwa_check_schedule()
 * @return RWA_OK for any verdict; RWA_BADARG: opts->device given; RWA_NOMEM; RWA_CANCELLED.  Cost O(hops of all routes
 *         + links * channels / 64)
 */
RWA_API rwa_status rwa_check_assignment(rwa_check **out, const rwa_assignment *result, const rwa_check_options *opts,
                                        rwa_error *err);
RWA_API void rwa_check_free(rwa_check *check);
/** Return the report of a verdict, which lives as long as the verdict; NULL for NULL. */
RWA_API const rwa_check_report *rwa_check_summary(const rwa_check *check);

#endif
