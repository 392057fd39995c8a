/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Device profiles, fibre profiles and tables of formats from texts; built-in ones, which are kept. */
#pragma once

#include "tests/support/files.h"
#include "tests/support/request.h"

OPENER(builtin_profile, fiber_profile)
OPENER(builtin_modulations, modulations)
KEEPER(transmission)

/** A function that reads such a thing from a file around these words. */
#define READER(name, thing, members)                                                            \
    static inline rwa_status name(rwa_##thing **out, const char *words, rwa_error *err)         \
    {                                                                                           \
        char text[4096];                                                                        \
        snprintf(text, sizeof text, "{\"name\": \"test\", " members "}", words);                \
        struct file file = file_make("test.json", text, strlen(text));                          \
        rwa_status st = rwa_##thing##_open(out, file.path, err);                                \
        file_drop(&file);                                                                       \
        return st;                                                                              \
    }
READER(profile_of, fiber_profile, "\"parameters\": {%s}")
READER(device_of, device, "\"parameters\": {\n%s}")
READER(modulations_of, modulations, "\"modulations\": [%s]")

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

static inline rwa_transmission *builtin_transmission(const char *modulations, const char *fiber)
{
    rwa_transmission *t = NULL;
    OK(rwa_transmission_create(&t, builtin_modulations(modulations), fiber ? builtin_profile(fiber) : NULL, 0, NULL));
    return keep_transmission(t);
}
