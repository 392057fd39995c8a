/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The noise of a carrier on amplified fibre, per unit of signal; profiles and tables of formats in memory. */
#pragma once

#include "profile/profile.h"
#include "rwa/fiber.h"

#include <stdbool.h>

/** The band where the scaling of the effective area with frequency holds, round the C and L bands. */
enum { FIBER_BAND_BEGIN_GHZ = 180000, FIBER_BAND_END_GHZ = 215000 };

/** The width of a fixed channel where no profile states one. */
#define CHANNEL_HZ 50e9

/** A profile as its file gives it; an optional number that is absent is NaN. */
struct rwa_fiber_profile {
    struct profile profile;
    double fiber_db_per_km, dispersion_ps_nm_km, effective_area_um2, nonlinear_index_m2_per_w;
    double span_km, connector_db, noise_figure_db;
    double node_loss_db, node_noise_figure_db;
    double launch_dbm, launch_baud_gbd;
    double transmitter_osnr_db, margin_db;
    double first_ghz, slots, channel_ghz;
};

struct rwa_modulations {
    struct profile profile;
    rwa_modulation *list;
    size_t count;
};

/** Noise powers of one carrier divided by its signal power, in the signal bandwidth. */
struct noise {
    double spans;       /**< amplifiers of the spans */
    double nodes;       /**< amplifiers of the nodes */
    double interference;
    double transmitter;
};

double fiber_db(double ratio);
double fiber_ratio(double db);

/** Return the noise of an amplifier that makes up for a loss of loss_db, divided by the power of the signal that leaves
 *  it, launch_dbm.  Only the noise in the signal bandwidth counts: `baud` Hz around frequency_hz. */
double fiber_amplifier_noise(double frequency_hz, double baud, double launch_dbm, double loss_db,
                             double noise_figure_db);
double fiber_span_loss_db(const rwa_fiber_profile *profile, double length_km);
/** Return the square of the effective length of a span, in m². */
double fiber_effective_length_squared(const rwa_fiber_profile *profile, double length_km);
/** Return the factor, in 1/Hz, that scales frequencies in the closed form of nonlinear interference: pi² |beta2| /
 *  alpha times the baud of a carrier, where beta2 is the dispersion and alpha the power loss of the fibre. */
double fiber_walk_off(const rwa_fiber_profile *profile, double baud);
/**
 * Return the power of the nonlinear interference, caused by light of constant power density in one span, on a carrier
 * of `baud` symbols a second at frequency_hz.  It is divided by the carrier's signal power and by the square of the
 * effective length of the span; in 1/m².  The light fills the band from `low` to `high`, in Hz from the centre of the
 * carrier.
 * @param density  W/Hz
 * @param weight   1: the light is the carrier itself; 2: other carriers
 */
double fiber_interference(const rwa_fiber_profile *profile, double frequency_hz, double baud, double density,
                          double low, double high, double weight);
/** Return the nonlinear interference on carrier i from all carriers, i included, in one span, divided as in
 *  fiber_interference(). */
double fiber_interference_of(const rwa_fiber_profile *profile, const rwa_carrier *carriers, size_t count, size_t i);
double fiber_density(double launch_dbm, double baud);

/** Set *out to the signal-to-noise ratios in dB that follow from the noise of a carrier, with the name of its largest
 *  noise and with length_km, the length of its route. */
void fiber_gsnr(rwa_gsnr *out, const struct noise *noise, double baud, double length_km);
double fiber_noise_sum(const struct noise *noise);
/** Add the noise of one span to that of a carrier; `interference` is the result of fiber_interference_of(). */
void fiber_add_span(struct noise *noise, const rwa_fiber_profile *profile, const rwa_carrier *carrier,
                    const rwa_span *span, double interference);
/** Return the noise of a carrier as it leaves its transmitter: the transmitter's noise alone. */
struct noise fiber_transmitter(const rwa_fiber_profile *profile, double baud);

/** Check a list of spans: RWA_BADARG if it is empty, or if a length is outside its range. */
rwa_status fiber_check_spans(const rwa_span *spans, size_t count, rwa_error *err);

/** Return how many wavelengths (on a flexible grid: slots) the band of the profile holds; UINT32_MAX without a
 *  profile. */
uint32_t transmission_band(const rwa_network *net, const rwa_transmission *transmission);
/** Tell whether modulation format i carries a bit rate in at most `most_slots` slots (0: no limit). */
bool transmission_fits(const rwa_transmission *transmission, size_t i, double rate_bps, uint32_t most_slots);
/** Return what a link adds to the noise of a route for modulation format i: a ratio of noise to signal in the worst
 *  case; without a profile the length in km.  The format reaches if the sum over the links of the route is at most
 *  transmission_limit(). */
double transmission_noise(const rwa_transmission *transmission, size_t i, double length_km);
double transmission_limit(const rwa_transmission *transmission, size_t i);
