/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The numbers of a device profile, the losses of one bank of micro-rings, and power reports. */
#pragma once

#include "profile/profile.h"
#include "rwa/device.h"
#include "rwa/settings.h"

#include <stdbool.h>

struct budget;

enum { DEVICE_FIELDS_MAX = 32 };

/** The numbers of a device profile; a parameter that is null in the file is NaN. */
struct rwa_device {
    struct profile profile;
    double wavelengths;
    double grid_base_ghz, spacing_ghz, filter_order, rate_gbps;
    double laser_dbm, modulator_loss_db, extinction_ratio_db;
    double ring_pass_db, ring_drop_db, ring_through_er_db, ring_q, park_offset_ghz;
    double waveguide_db_per_cm, waveguide_cm_per_hop, fiber_db_per_km, fiber_km_per_hop, coupling_db;
    double rx_sensitivity_dbm, other_noise_dbm, margin_db, waveguide_max_dbm;
    double reconfig_us, alpha_us, ber_max;
    double paper_pass_db, paper_rx_crosstalk_dbm, paper_tx_crosstalk_dbm;
    double packet_bytes, flit_bytes, oeo_cycles_per_flit, fibre_rings;
    bool coherent_worst;                        /**< log10_ber from the worst case of fields added */
    const char *unchecked[DEVICE_FIELDS_MAX + 1];
};

/** The losses in a bank of `rings` micro-rings.  The arrays have an entry for each distance d = ring - wavelength, in
 *  channels, at index d + rings. */
struct bank {
    uint32_t rings;
    double *engaged_extra_db;   /**< extra loss of an engaged ring over a parked one */
    double *parked_sum_db;      /**< sum of the losses of parked rings at smaller distances */
    double *drop;               /**< linear: the share that an engaged ring drops */
    double span_db;             /**< of one hop */
    double drop_db;             /**< on resonance */
    double depth;               /**< linear, what an engaged ring takes out of the waveguide on resonance */
    double pass_db;             /**< of a ring, for every wavelength */
};

rwa_status bank_build(struct bank *bank, const rwa_device *device, uint32_t rings, rwa_error *err);
void bank_release(struct bank *bank);
/** Return the loss in dB of wavelength `w` in the rings from … to - 1 if all are parked (off resonance). */
double bank_parked_db(const struct bank *bank, uint32_t w, uint32_t from, uint32_t to);
/** Return the loss in dB that ring `ring` adds for wavelength `w` if it is engaged (on resonance) rather than
 *  parked. */
double bank_engaged_db(const struct bank *bank, uint32_t w, uint32_t ring);
/** Return the share of wavelength `w` that ring `ring` drops to its receiver if it is engaged (on resonance). */
double bank_drop(const struct bank *bank, uint32_t w, uint32_t ring);

/** Return log10 of the bit error rate ½ e^(-snr/4); snr is a power ratio, not in dB. */
double power_log10_ber(double snr);
double power_db(double ratio);
double power_ratio(double db);

/** Return the loss in dB that ring `ring` adds for wavelength `w` if it is a tap rather than parked: of each wavelength
 *  it drops only `share` (0 … 1) times what it drops if it is engaged (bank_drop()). */
double bank_tap_db(const struct bank *bank, uint32_t w, uint32_t ring, double share);

/** The taps of the lightpaths of a step: tap[first[i]] … tap[first[i + 1] - 1] are those of lightpath i, in travel
 *  order. */
struct power_taps {
    const uint32_t *tap;
    const size_t *first;        /* one entry more than lightpaths */
};

/**
 * Compute the shares with which all `count` receivers of a lightpath, in travel order, get the same power.  Share 1 is
 * all that the ring of a receiver can drop.  The last receiver has share 1, each before it t = T t' / (1 + D T t'),
 * where t' is the share of the next receiver, T the transmission between the two, and D = `depth`.
 * @param path_db  path_db[k]: loss in dB between receivers k and k + 1 without the share of k; count - 1 entries
 * @param depth    the part of the arriving power that a ring with share 1 takes out of the waveguide, 0 … 1
 */
void power_shares(double *share, const double *path_db, size_t count, double depth);

/** Compute the power of `count` lightpaths as rwa_power_step() does, but with taps (NULL: none).  Only the first `lit`
 *  of them send; the others hold their rings on resonance, and their entries of `power` are undefined.  Each result is
 *  that of the lightpath's worst receiver: the least power, the highest error rate.  *waveguide_max_dbm (NULL: not
 *  wanted) gets the most power at the output of a node, NaN if it is unknown.  RWA_CANCELLED when the budget (NULL:
 *  none) ends. */
rwa_status power_step(rwa_power *power, double *waveguide_max_dbm, const rwa_device *device, rwa_power_model model,
                      const rwa_network *net, const rwa_lightpath *lightpaths, const struct power_taps *taps,
                      size_t count, size_t lit, struct budget *budget, rwa_error *err);
/**
 * Compute the power of all lightpaths of a step of a schedule; each lightpath of an orbit counts.
 * @param[out] out    an entry for each lightpath of the step, then unused ones; caller frees, also after a failure
 * @param[out] count  the number of lightpaths of the step
 * @param hold        the steps in which the lightpaths of each record are up, as from rwa_cost_holds(); NULL: their own
 *                    step
 */
rwa_status power_of_step(rwa_power **out, size_t *count, const rwa_device *device, rwa_power_model model,
                         const rwa_schedule *sched, uint32_t step, const rwa_hold *hold, struct budget *budget,
                         rwa_error *err);
/** Combine in *power the results of two receivers of a lightpath, *power and *reader.  Loss, received power, margin,
 *  error rate and verdicts become the worse of the two.  All other numbers become those of the receiver with the higher
 *  error rate. */
void power_worsen(rwa_power *power, const rwa_power *reader);
