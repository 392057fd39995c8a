/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Amplifier noise, and nonlinear interference by the closed form of the incoherent GN model: P. Poggiolini, G. Bosco,
 * A. Carena, V. Curri, Y. Jiang, F. Forghieri, "The GN-Model of Fiber Non-Linear Propagation and its Applications", JLT
 * 32(4), 2014, doi:10.1109/JLT.2013.2295208; eqs. 120 and 123 of its long version, arXiv:1209.0394.
 */
#include "fiber/fiber.h"

#define LIGHT_SPEED 299792458.0         /* m/s */
#define PLANCK 6.62607015e-34           /* J s */
#define REFERENCE_M 1550e-9             /* wavelength of dispersion and effective area */
#define CORE_RADIUS_M 4.2e-6            /* of the step-index fibre whose effective area scales with frequency */
#define NATS_PER_DB 0.23025850929940457 /* ln(10) / 10 */

double fiber_db(double ratio)
{
    return 10 * log10(ratio);
}

double fiber_ratio(double db)
{
    return pow(10, db / 10);
}

double fiber_density(double launch_dbm, double baud)
{
    return 1e-3 * fiber_ratio(launch_dbm) / baud;
}

/* Return h f B F G / P: h is Planck's constant, f the frequency, B the baud, F the noise factor, P the signal power,
 * and the gain G makes up for the loss. */
double fiber_amplifier_noise(double frequency_hz, double baud, double launch_dbm, double loss_db,
                             double noise_figure_db)
{
    /* the density is P / B */
    return PLANCK * frequency_hz * fiber_ratio(noise_figure_db + loss_db) / fiber_density(launch_dbm, baud);
}

double fiber_span_loss_db(const rwa_fiber_profile *profile, double length_km)
{
    return length_km * profile->fiber_db_per_km + profile->connector_db;
}

/* Return alpha, the power loss of the fibre, in 1/m. */
static double alpha(const rwa_fiber_profile *profile)
{
    return profile->fiber_db_per_km * 1e-3 * NATS_PER_DB;
}

/* Return the group velocity dispersion beta2, in s²/m.  Only its absolute value matters. */
static double beta2(const rwa_fiber_profile *profile)
{
    return profile->dispersion_ps_nm_km * 1e-6 * REFERENCE_M * REFERENCE_M / (2 * M_PI * LIGHT_SPEED);
}

/* Return the nonlinear coefficient gamma at a frequency f, in 1/(W m).  The effective area A scales as in a step-index
 * fibre of core radius a: A = pi a² / ln V with V proportional to f, so 1/A grows by ln(f / reference) / (pi a²). */
static double gamma_at(const rwa_fiber_profile *profile, double frequency_hz)
{
    double inverse_area = 1e12 / profile->effective_area_um2 +
                          log(frequency_hz * REFERENCE_M / LIGHT_SPEED) / (M_PI * CORE_RADIUS_M * CORE_RADIUS_M);
    return 2 * M_PI * profile->nonlinear_index_m2_per_w * frequency_hz / LIGHT_SPEED * inverse_area;
}

double fiber_effective_length_squared(const rwa_fiber_profile *profile, double length_km)
{
    double effective = -expm1(-alpha(profile) * length_km * 1e3) / alpha(profile);
    return effective * effective;
}

double fiber_walk_off(const rwa_fiber_profile *profile, double baud)
{
    return M_PI * M_PI / alpha(profile) * beta2(profile) * baud;
}

double fiber_interference(const rwa_fiber_profile *profile, double frequency_hz, double baud, double density,
                          double low, double high, double weight)
{
    assert(low <= high && density >= 0);
    double gamma = gamma_at(profile, frequency_hz), x = fiber_walk_off(profile, baud);
    double psi = (asinh(x * high) - asinh(x * low)) / 2 * alpha(profile) / (2 * M_PI * beta2(profile));
    return 16.0 / 27 * weight * gamma * gamma * density * density * psi;
}

double fiber_interference_of(const rwa_fiber_profile *profile, const rwa_carrier *carriers, size_t count, size_t i)
{
    double sum = 0;
    for (size_t j = 0; j < count; j++) {
        double distance = carriers[j].frequency_hz - carriers[i].frequency_hz, half = carriers[j].baud / 2;
        sum += fiber_interference(profile, carriers[i].frequency_hz, carriers[i].baud,
                                  fiber_density(carriers[j].launch_dbm, carriers[j].baud), distance - half,
                                  distance + half, j == i ? 1 : 2);
    }
    return sum;
}

double fiber_noise_sum(const struct noise *noise)
{
    return noise->spans + noise->nodes + noise->interference + noise->transmitter;
}

struct noise fiber_transmitter(const rwa_fiber_profile *profile, double baud)
{
    double osnr_db = profile->transmitter_osnr_db;
    return (struct noise){.transmitter = isnan(osnr_db) ? 0 : fiber_ratio(-osnr_db) * baud / RWA_SLOT_HZ};
}

void fiber_add_span(struct noise *noise, const rwa_fiber_profile *profile, const rwa_carrier *carrier,
                    const rwa_span *span, double interference)
{
    double f = carrier->frequency_hz;
    if (span->behind_node && profile->node_loss_db > 0)
        noise->nodes += fiber_amplifier_noise(f, carrier->baud, carrier->launch_dbm, profile->node_loss_db,
                                              profile->node_noise_figure_db);
    noise->spans += fiber_amplifier_noise(f, carrier->baud, carrier->launch_dbm,
                                          fiber_span_loss_db(profile, span->length_km), profile->noise_figure_db);
    noise->interference += interference * fiber_effective_length_squared(profile, span->length_km);
}

static const char *largest_in_words(const struct noise *noise)
{
    const char *words = "amplifier noise of the spans";
    double most = noise->spans;
    if (noise->nodes > most) {
        most = noise->nodes;
        words = "amplifier noise of the nodes";
    }
    if (noise->interference > most) {
        most = noise->interference;
        words = "nonlinear interference";
    }
    return noise->transmitter > most ? "noise of the transmitter" : words;
}

void fiber_gsnr(rwa_gsnr *out, const struct noise *noise, double baud, double length_km)
{
    double amplified = noise->spans + noise->nodes + noise->transmitter, to_01nm_db = fiber_db(baud / RWA_SLOT_HZ);
    *out = (rwa_gsnr){.osnr_db = -fiber_db(amplified),
                      .nli_db = -fiber_db(noise->interference),
                      .gsnr_db = -fiber_db(fiber_noise_sum(noise)),
                      .length_km = length_km,
                      .binding = largest_in_words(noise)};
    out->osnr_01nm_db = out->osnr_db + to_01nm_db;
    out->gsnr_01nm_db = out->gsnr_db + to_01nm_db;
}
