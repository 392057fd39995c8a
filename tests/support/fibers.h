/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Device profiles, fibre profiles and tables of formats from texts; built-in ones, which are kept. */
#pragma once

#include "tests/support/files.h"
#include "tests/support/request.h"

KEEPER(fiber_profile)
KEEPER(modulations)
KEEPER(transmission)

static inline rwa_status profile_of(rwa_fiber_profile **out, const char *parameters, rwa_error *err)
{
    char text[2048];
    snprintf(text, sizeof text, "{\"name\": \"test\", \"parameters\": {%s}}", parameters);
    struct file file = file_make("profile.json", text, strlen(text));
    rwa_status st = rwa_fiber_profile_open(out, file.path, err);
    file_drop(&file);
    return st;
}

static inline rwa_status device_of(rwa_device **out, const char *parameters, rwa_error *err)
{
    char text[4096];
    snprintf(text, sizeof text, "{\"name\": \"test\", \"parameters\": {\n%s}}", parameters);
    struct file file = file_make("device.json", text, strlen(text));
    rwa_status st = rwa_device_open(out, file.path, err);
    file_drop(&file);
    return st;
}

/** A profile of micro-rings in all but these parameters: the ring's passing loss, extinction and quality, and the loss
 *  of the waveguide, ending in a comma. */
static inline rwa_status ring_device_of(rwa_device **out, const char *rings, rwa_error *err)
{
    char text[2048];
    snprintf(text, sizeof text,
             "%s \"wavelengths\": 4, \"grid_base_ghz\": 193100, \"spacing_ghz\": 200, \"rate_gbps\": 10, "
             "\"laser_dbm\": 10, \"modulator_loss_db\": 1, \"extinction_ratio_db\": 8.9, \"ring_drop_db\": 1, "
             "\"park_offset_ghz\": 100, \"waveguide_cm_per_hop\": 1, "
             "\"fiber_db_per_km\": 0, \"fiber_km_per_hop\": 0, \"coupling_db\": 0, \"rx_sensitivity_dbm\": -17, "
             "\"other_noise_dbm\": -30, \"margin_db\": 0, \"waveguide_max_dbm\": 20, \"reconfig_us\": 25, "
             "\"ber_max\": 1e-9",
             rings);
    return device_of(out, text, err);
}

/** Clockwise in step 1. */
static inline rwa_lightpath light(uint32_t src, uint32_t dst, uint32_t wavelength)
{
    return (rwa_lightpath){.step = 1, .src = src, .dst = dst, .wavelength = wavelength, .orbit = 1,
                           .direction = RWA_CW};
}

static inline rwa_status modulations_of(rwa_modulations **out, const char *entries, rwa_error *err)
{
    char text[2048];
    snprintf(text, sizeof text, "{\"name\": \"test\", \"modulations\": [%s]}", entries);
    struct file file = file_make("table.json", text, strlen(text));
    rwa_status st = rwa_modulations_open(out, file.path, err);
    file_drop(&file);
    return st;
}

static inline rwa_fiber_profile *builtin_profile(const char *name)
{
    rwa_fiber_profile *profile = NULL;
    OK(rwa_fiber_profile_open(&profile, name, NULL));
    return keep_fiber_profile(profile);
}

static inline rwa_modulations *builtin_modulations(const char *name)
{
    rwa_modulations *table = NULL;
    OK(rwa_modulations_open(&table, name, NULL));
    return keep_modulations(table);
}

static inline rwa_transmission *builtin_transmission(const char *modulations, const char *fiber)
{
    rwa_transmission *t = NULL;
    OK(rwa_transmission_create(&t, builtin_modulations(modulations), fiber ? builtin_profile(fiber) : NULL, 0, NULL));
    return keep_transmission(t);
}
