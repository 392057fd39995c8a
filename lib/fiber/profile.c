/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Reading fibre profiles; every field is checked before it is used. */
#include "fiber/fiber.h"

#include "profile/fields.h"

#define AT(f) #f, offsetof(struct rwa_fiber_profile, f)
#define LOSS(f) {AT(f), FIELD_OPTIONAL, 0, 100, 0, "a number of dB, 0 or more"}

static const struct field fields[] = {
    {AT(fiber_db_per_km), 0, 0.01, 10, 0, "a number of dB/km, 0.01 or more"},
    {AT(dispersion_ps_nm_km), 0, 0.1, 1000, 0, "a number of ps/(nm km), 0.1 or more (its sign does not matter)"},
    {AT(effective_area_um2), 0, 10, 300, 0, "a number of square micrometres, 10 or more"},
    {AT(nonlinear_index_m2_per_w), FIELD_OPTIONAL, 0, 1e-15, 2.6e-20, "a number of m2/W, 0 or more"},
    {AT(span_km), 0, 1, 1000, 0, "a number of km, 1 or more"},
    LOSS(connector_db),
    {AT(noise_figure_db), 0, 0, 100, 0, "a number of dB, 0 or more"},
    LOSS(node_loss_db),
    {AT(node_noise_figure_db), FIELD_OPTIONAL, 0, 100, NAN, "a number of dB, 0 or more"},
    {AT(launch_dbm), 0, -60, 60, 0, "a number of dBm, -60 to 60"},
    {AT(launch_baud_gbd), FIELD_OPTIONAL | FIELD_NULLABLE | FIELD_ABOVE_LEAST, 0, 1000, NAN,
     "a number of Gbaud above 0"},
    {AT(transmitter_osnr_db), FIELD_OPTIONAL | FIELD_NULLABLE, 0, 1000, NAN, "a number of dB in 0.1 nm, 0 or more"},
    LOSS(margin_db),
    {AT(first_ghz), 0, 180000, 214000, 0, "a number of GHz, 180000 to 214000"},
    {AT(slots), FIELD_INTEGER, 1, 1600, 0, "an integer from 1 to 1600"},
    {AT(channel_ghz), FIELD_OPTIONAL | FIELD_ABOVE_LEAST, 0, 20000, CHANNEL_HZ / 1e9, "a multiple of 12.5 GHz above 0"},
};
enum { FIELDS = sizeof fields / sizeof *fields };

static rwa_status read_parameters(void *made, json_t *parameters, const char *file, rwa_error *err)
{
    rwa_fiber_profile *profile = made;
    static const char *const others[] = {NULL};
    MUST(fields_check_names(fields, FIELDS, others, parameters, file, "parameters", err));
    for (size_t i = 0; i < FIELDS; i++)
        MUST(field_read(profile, &fields[i], parameters, file, "parameters", err));
    if (isnan(profile->node_noise_figure_db))
        profile->node_noise_figure_db = profile->noise_figure_db;
    if (profile->first_ghz + profile->slots * RWA_SLOT_HZ / 1e9 > FIBER_BAND_END_GHZ)
        return base_fail(err, RWA_FORMAT, "%s: parameters.slots: the band ends at %g GHz, expected at most %d", file,
                         profile->first_ghz + profile->slots * RWA_SLOT_HZ / 1e9, FIBER_BAND_END_GHZ);
    if (fmod(profile->channel_ghz, RWA_SLOT_HZ / 1e9) != 0)
        return base_fail(err, RWA_FORMAT, "%s: parameters.channel_ghz: is %g, expected a multiple of 12.5 GHz", file,
                         profile->channel_ghz);
    return RWA_OK;
}

static const struct profile_kind kind = {embedded_fibers, "fibre profile", "parameters", JSON_OBJECT, read_parameters};

PROFILE_FUNCTIONS(rwa_fiber_profile, embedded_fibers)

double rwa_fiber_profile_first_hz(const rwa_fiber_profile *profile)
{
    return profile->first_ghz * 1e9;
}

GETTER(double, rwa_fiber_profile_margin_db, rwa_fiber_profile, margin_db)

uint32_t rwa_fiber_profile_slots(const rwa_fiber_profile *profile)
{
    return (uint32_t)profile->slots;
}

uint32_t rwa_fiber_profile_spans(const rwa_fiber_profile *profile, double length_km)
{
    assert(length_km >= 0 && profile->span_km > 0);
    double spans = ceil(length_km / profile->span_km * (1 - 1e-12));
    return spans < UINT32_MAX ? (uint32_t)spans : UINT32_MAX;
}

size_t rwa_fiber_profile_place(rwa_span *out, const rwa_fiber_profile *profile, const double *length_km, size_t links)
{
    size_t count = 0;
    for (size_t i = 0; i < links; i++) {
        if (!(length_km[i] > 0 && isfinite(length_km[i])))
            return 0;
        uint32_t spans = rwa_fiber_profile_spans(profile, length_km[i]);
        for (uint32_t k = 0; out && k < spans; k++)
            out[count + k] = (rwa_span){.length_km = length_km[i] / spans, .behind_node = k == 0};
        count += spans;
    }
    return count;
}

double rwa_fiber_profile_launch_dbm(const rwa_fiber_profile *profile, double baud)
{
    if (isnan(profile->launch_baud_gbd))
        return profile->launch_dbm;
    return profile->launch_dbm + fiber_db(baud / (profile->launch_baud_gbd * 1e9));
}
