/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Device profiles, and the physics of one lightpath: loss, crosstalk, signal to noise, bit errors. */
#ifndef RWA_DEVICE_H
#define RWA_DEVICE_H

#include "rwa/schedule.h"

/** A device profile; immutable, may be shared by threads. */
typedef struct rwa_device rwa_device;

/**
 * Open a device profile by name ("onoc-typical": built into the library) or from a JSON file (a name with a slash or
 * ending in .json).
 * @param[out] out  new profile, caller frees with rwa_device_free()
 * @return RWA_OK; RWA_BADARG: no built-in profile of that name (the text lists them); RWA_FORMAT: not JSON, a field
 *         missing, unknown, of the wrong type or outside its range (the text names it); RWA_IO; RWA_NOMEM
 */
RWA_API rwa_status rwa_device_open(rwa_device **out, const char *name, rwa_error *err);
RWA_API void rwa_device_free(rwa_device *device);

/** Return the name of built-in profile i = 0, 1, …; NULL past the end. */
RWA_API const char *rwa_device_builtin(size_t i);

RWA_API const char *rwa_device_name(const rwa_device *device);
RWA_API const char *rwa_device_description(const rwa_device *device);
RWA_API uint32_t rwa_device_wavelengths(const rwa_device *device);   /**< of its grid */
RWA_API double rwa_device_rate_bps(const rwa_device *device);        /**< of one wavelength */
RWA_API double rwa_device_reconfig_s(const rwa_device *device);
RWA_API double rwa_device_alpha_s(const rwa_device *device);    /**< start-up of a step; 0 where the profile has no
                                                                     alpha_us */
RWA_API double rwa_device_frequency_ghz(const rwa_device *device, uint32_t wavelength);
/** Return the name of field i = 0, 1, … of those that are null in the profile; NULL past the end.  Checks that need
 *  such a field are left out. */
RWA_API const char *rwa_device_unchecked(const rwa_device *device, size_t i);

typedef enum rwa_power_model {
    RWA_POWER_RINGS = 0,    /**< loss at every micro-ring on the route, crosstalk from every other lightpath of the
                                 step */
    RWA_POWER_PAPER = 1     /**< OpTree eqs. 4-9: one lumped loss and one crosstalk term per interface */
} rwa_power_model;

typedef enum rwa_verdict { RWA_UNCHECKED = 0, RWA_PASS = 1, RWA_FAIL = 2 } rwa_verdict;

/** The optical power of one lightpath under a profile.  A value that could not be computed is NaN. */
typedef struct rwa_power {
    uint32_t hops;
    double loss_db;             /**< laser to detector */
    double received_dbm;
    double margin_db;           /**< above sensitivity, extinction penalty and the profile's required margin */
    double noise_dbm;           /**< incoherent crosstalk at the detector; -infinity when there is none */
    double coherent_dbm;        /**< crosstalk on the same wavelength */
    double snr_db;              /**< optical power ratio, powers added */
    double snr_coherent_db;     /**< the worst case of fields added */
    double log10_ber;           /**< log10 of the bit error rate: a BER below 1e-300 is an ordinary value */
    uint64_t aggressor;         /**< index, in the step, of the lightpath with most crosstalk; RWA_NO_INDEX: none */
    rwa_verdict budget;         /**< margin_db >= 0 */
    rwa_verdict crosstalk;      /**< log10_ber <= log10 of the profile's ber_max */
} rwa_power;

enum { RWA_AGGRESSORS_NAMED = 8 };

/** The crosstalk of one lightpath at the receiver of another. */
typedef struct rwa_crosstalk {
    uint64_t lightpath;         /**< its number in the schedule, orbits counted in full */
    uint32_t src, dst, wavelength;
    double dbm;
    double span_db, rejection_db;   /**< part of the losses on its way: in spans, and in the receiver's ring, which
                                         takes little of other wavelengths */
} rwa_crosstalk;

/** The losses and the crosstalk of one lightpath at its worst receiver.  power.received_dbm is laser_dbm minus the sum
 *  of modulator_db … drop_db, of which those that the model does not have are 0 (rwa_link_budget_terms()).  NaN: the
 *  profile does not say. */
typedef struct rwa_link_budget {
    uint64_t lightpath;         /**< its number in the schedule, orbits counted in full */
    uint32_t step;              /**< 0: there is no budget */
    rwa_lightpath route;        /**< of the lightpath */
    uint32_t receiver;          /**< the node: route.dst, or a tap */
    rwa_power_model model;
    rwa_power power;            /**< the figures at that receiver */
    double laser_dbm, modulator_db;
    uint32_t rings, engaged;    /**< rings passed, and how many of them are on resonance for other lightpaths */
    double parked_db, engaged_db;   /**< in the rings that are parked, and on resonance */
    double span_db;             /**< all spans together */
    double node_db;             /**< RWA_POWER_PAPER: all nodes together */
    double share_db, drop_db;   /**< what receivers after a tap take; the ring at the receiver */
    double sensitivity_dbm, extinction_db, margin_db;   /**< needed: their sum */
    double other_noise_dbm, ber_max;
    size_t aggressors;          /**< lightpaths that disturb it, and the loudest of them */
    rwa_crosstalk worst[RWA_AGGRESSORS_NAMED];
} rwa_link_budget;

/** A loss between the laser and the receiver; the remark says more, or is empty. */
typedef struct rwa_budget_term {
    double db;
    char name[48], remark[32];
} rwa_budget_term;

enum { RWA_BUDGET_TERMS = 6 };

/**
 * List the losses of a budget in the order of travel.  Their sum is budget->laser_dbm -
 * budget->power.received_dbm.
 * @param[out] terms  space for RWA_BUDGET_TERMS entries
 * @return the number of losses
 */
RWA_API size_t rwa_link_budget_terms(rwa_budget_term *terms, const rwa_link_budget *budget);

/** The worst over a schedule (or a step). */
typedef struct rwa_power_report {
    rwa_verdict verdict;        /**< PASS: every lightpath passed every check; UNCHECKED: the profile lacks a field of
                                     some
                                     check, and no check failed */
    uint64_t failing;           /**< lightpaths that fail */
    uint32_t worst_step;        /**< of the lightpath with the least margin, or the worst BER if that fails */
    uint64_t worst_lightpath;   /**< its index in the schedule, orbits counted in full */
    uint64_t least_margin_lightpath, worst_ber_lightpath;   /**< likewise */
    double ber_max;             /**< of the profile; NaN before the first lightpath */
    double worst_loss_db;
    double margin_db;           /**< least */
    double worst_snr_db;
    double worst_ber;
    double worst_log10_ber;
    double waveguide_max_dbm;   /**< highest power in one waveguide */
    uint32_t longest_failing;   /**< hops of the shortest lightpath that fails its budget; 0: none */
} rwa_power_report;

/**
 * Compute the optical power of the lightpaths of one step, all active together, each received by its dst alone.
 * @param[out] power  count entries
 * @param lightpaths  count of them, orbit 1 each, on net
 * @return RWA_OK; RWA_BADARG, also for a wavelength number that is not below rwa_device_wavelengths(); RWA_NOMEM.
 *         Cost O(sum over lightpaths of hops * wavelengths)
 */
RWA_API rwa_status rwa_power_step(rwa_power *power, const rwa_device *device, rwa_power_model power_model,
                                  const rwa_network *net, const rwa_lightpath *lightpaths, size_t count,
                                  rwa_error *err);

/**
 * Return the reach on a ring of `nodes` nodes and `wavelengths` wavelengths: the most hops, below `nodes`, after which
 * a lightpath, alone on the ring, still has the power that its receiver needs.  0: not even after one hop.  UINT32_MAX:
 * unknown, since losses are null in the profile.
 */
RWA_API uint32_t rwa_device_reach(const rwa_device *device, rwa_power_model power_model, uint32_t nodes,
                                  uint32_t wavelengths);

#endif
