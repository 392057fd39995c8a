/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Reading device profiles; every field is checked before it is used. */
#include "power/power.h"

#include "base/base.h"
#include "profile/fields.h"
#include "profile/profile.h"

#define AT(f) #f, offsetof(struct rwa_device, f)
#define LOSS(f) {AT(f), FIELD_NULLABLE, 0, 1000, 0, "a number of dB, 0 or more"}
#define LENGTH(f, unit) {AT(f), FIELD_NULLABLE, 0, 1e6, 0, "a number of " unit ", 0 or more"}
#define LEVEL(f, more) {AT(f), FIELD_NULLABLE | (more), -300, 100, NAN, "a number of dBm, -300 to 100"}
#define EXTRA(f, least)                                                                                                \
    {                                                                                                                  \
        AT(f), FIELD_NULLABLE | FIELD_OPTIONAL | FIELD_INTEGER, least, 1e9, NAN, "an integer, " #least " or more"      \
    }

static const struct field fields[] = {
    {AT(wavelengths), FIELD_INTEGER, 1, 4096, 0, "an integer from 1 to 4096"},
    {AT(grid_base_ghz), FIELD_ABOVE_LEAST, 0, 1e7, 0, "a number of GHz above 0"},
    {AT(spacing_ghz), FIELD_ABOVE_LEAST, 0, 1e6, 0, "a number of GHz above 0"},
    {AT(filter_order), FIELD_INTEGER | FIELD_OPTIONAL, 1, 10, 1, "an integer from 1 to 10"},
    {AT(rate_gbps), FIELD_ABOVE_LEAST, 0, 1e6, 0, "a number of Gbit/s above 0"},
    LEVEL(laser_dbm, 0),
    LOSS(modulator_loss_db),
    {AT(extinction_ratio_db), FIELD_NULLABLE | FIELD_ABOVE_LEAST, 0, 1000, 0, "a number of dB above 0"},
    LOSS(ring_pass_db),
    LOSS(ring_drop_db),
    LOSS(ring_through_er_db),
    {AT(ring_q), FIELD_NULLABLE | FIELD_ABOVE_LEAST, 0, 1e12, 0, "a number above 0"},
    {AT(park_offset_ghz), FIELD_NULLABLE, -1e6, 1e6, 0, "a number of GHz, -1e6 to 1e6"},
    {AT(waveguide_db_per_cm), FIELD_NULLABLE, 0, 1000, 0, "a number of dB/cm, 0 or more"},
    LENGTH(waveguide_cm_per_hop, "cm"),
    {AT(fiber_db_per_km), FIELD_NULLABLE, 0, 1000, 0, "a number of dB/km, 0 or more"},
    LENGTH(fiber_km_per_hop, "km"),
    LOSS(coupling_db),
    LEVEL(rx_sensitivity_dbm, 0),
    LEVEL(other_noise_dbm, 0),
    LOSS(margin_db),
    LEVEL(waveguide_max_dbm, 0),
    {AT(reconfig_us), 0, 0, 1e12, 0, "a number of microseconds, 0 or more"},
    {AT(alpha_us), FIELD_OPTIONAL, 0, 1e12, 0, "a number of microseconds, 0 or more"},
    {AT(ber_max), FIELD_ABOVE_LEAST | FIELD_BELOW_MOST, 0, 0.5, 0, "a number above 0 and below 0.5"},
    {AT(paper_pass_db), FIELD_NULLABLE | FIELD_OPTIONAL, 0, 1000, NAN, "a number of dB, 0 or more"},
    LEVEL(paper_rx_crosstalk_dbm, FIELD_OPTIONAL),
    LEVEL(paper_tx_crosstalk_dbm, FIELD_OPTIONAL),
    EXTRA(packet_bytes, 1),
    EXTRA(flit_bytes, 1),
    EXTRA(oeo_cycles_per_flit, 0),
    EXTRA(fibre_rings, 1),
};
enum { FIELDS = sizeof fields / sizeof *fields };
_Static_assert((int)FIELDS <= (int)DEVICE_FIELDS_MAX, "the list of null fields must hold every field");

/** Add the name of a parameter that is null in the profile to device->unchecked, the list of parameters whose checks
 *  are left out. */
static void note_unchecked(rwa_device *device, const char *name)
{
    size_t n = 0;
    while (device->unchecked[n])
        n++;
    device->unchecked[n] = name;
}

static rwa_status read_coherent(rwa_device *device, const json_t *value, const char *file, rwa_error *err)
{
    const char *text = value ? json_string_value(value) : "power";
    if (!text || (strcmp(text, "power") != 0 && strcmp(text, "worst") != 0))
        return base_fail(err, RWA_FORMAT, "%s: parameters.coherent: expected \"power\" or \"worst\"", file);
    device->coherent_worst = strcmp(text, "worst") == 0;
    return RWA_OK;
}

static rwa_status read_parameters(void *made, json_t *parameters, const char *file, rwa_error *err)
{
    rwa_device *device = made;
    static const char *const others[] = {"coherent", NULL};
    MUST(fields_check_names(fields, FIELDS, others, parameters, file, "parameters", err));
    for (size_t i = 0; i < FIELDS; i++) {
        MUST(field_read(device, &fields[i], parameters, file, "parameters", err));
        if (json_is_null(json_object_get(parameters, fields[i].name)))
            note_unchecked(device, fields[i].name);
    }
    return read_coherent(device, json_object_get(parameters, "coherent"), file, err);
}

static const struct profile_kind kind = {embedded_devices, "device profile", "parameters", JSON_OBJECT,
                                         read_parameters};

PROFILE_FUNCTIONS(rwa_device, embedded_devices)

uint32_t rwa_device_wavelengths(const rwa_device *device)
{
    return (uint32_t)device->wavelengths;
}

double rwa_device_rate_bps(const rwa_device *device)
{
    return device->rate_gbps * 1e9;
}

double rwa_device_alpha_s(const rwa_device *device)
{
    return device->alpha_us * 1e-6;
}

double rwa_device_reconfig_s(const rwa_device *device)
{
    return device->reconfig_us * 1e-6;
}

double rwa_device_frequency_ghz(const rwa_device *device, uint32_t wavelength)
{
    return device->grid_base_ghz + wavelength * device->spacing_ghz;
}

const char *rwa_device_unchecked(const rwa_device *device, size_t i)
{
    return i < DEVICE_FIELDS_MAX ? device->unchecked[i] : NULL;
}
