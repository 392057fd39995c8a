/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Reading device profiles; every field is checked before it is used. */
#include "power/power.h"

#include "base/base.h"
#include "base/embedded.h"
#include "base/file.h"
#include "base/json.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FILE_MAX = 1 << 20 };

enum field_flags { NULLABLE = 1, OPTIONAL = 2, INTEGER = 4, ABOVE_LEAST = 8, BELOW_MOST = 16 };

struct field {
    const char *name;
    size_t offset;
    unsigned flags;
    double least, most, preset;     /**< preset: of an optional field that is absent */
    const char *expected;
};

#define AT(f) #f, offsetof(struct rwa_device, f)
#define LOSS(f) {AT(f), NULLABLE, 0, 1000, 0, "a number of dB, 0 or more"}
#define LENGTH(f, unit) {AT(f), NULLABLE, 0, 1e6, 0, "a number of " unit ", 0 or more"}
#define LEVEL(f, more) {AT(f), NULLABLE | (more), -300, 100, NAN, "a number of dBm, -300 to 100"}
#define EXTRA(f, least) {AT(f), NULLABLE | OPTIONAL | INTEGER, least, 1e9, NAN, "an integer, " #least " or more"}

static const struct field fields[] = {
    {AT(wavelengths), INTEGER, 1, 4096, 0, "an integer from 1 to 4096"},
    {AT(grid_base_ghz), ABOVE_LEAST, 0, 1e7, 0, "a number of GHz above 0"},
    {AT(spacing_ghz), ABOVE_LEAST, 0, 1e6, 0, "a number of GHz above 0"},
    {AT(filter_order), INTEGER | OPTIONAL, 1, 10, 1, "an integer from 1 to 10"},
    {AT(rate_gbps), ABOVE_LEAST, 0, 1e6, 0, "a number of Gbit/s above 0"},
    LEVEL(laser_dbm, 0),
    LOSS(modulator_loss_db),
    {AT(extinction_ratio_db), NULLABLE | ABOVE_LEAST, 0, 1000, 0, "a number of dB above 0"},
    LOSS(ring_pass_db),
    LOSS(ring_drop_db),
    LOSS(ring_through_er_db),
    {AT(ring_q), NULLABLE | ABOVE_LEAST, 0, 1e12, 0, "a number above 0"},
    {AT(park_offset_ghz), NULLABLE, -1e6, 1e6, 0, "a number of GHz, -1e6 to 1e6"},
    {AT(waveguide_db_per_cm), NULLABLE, 0, 1000, 0, "a number of dB/cm, 0 or more"},
    LENGTH(waveguide_cm_per_hop, "cm"),
    {AT(fiber_db_per_km), NULLABLE, 0, 1000, 0, "a number of dB/km, 0 or more"},
    LENGTH(fiber_km_per_hop, "km"),
    LOSS(coupling_db),
    LEVEL(rx_sensitivity_dbm, 0),
    LEVEL(other_noise_dbm, 0),
    LOSS(margin_db),
    LEVEL(waveguide_max_dbm, 0),
    {AT(reconfig_us), 0, 0, 1e12, 0, "a number of microseconds, 0 or more"},
    {AT(ber_max), ABOVE_LEAST | BELOW_MOST, 0, 0.5, 0, "a number above 0 and below 0.5"},
    {AT(paper_pass_db), NULLABLE | OPTIONAL, 0, 1000, NAN, "a number of dB, 0 or more"},
    LEVEL(paper_rx_crosstalk_dbm, OPTIONAL),
    LEVEL(paper_tx_crosstalk_dbm, OPTIONAL),
    EXTRA(packet_bytes, 1),
    EXTRA(flit_bytes, 1),
    EXTRA(oeo_cycles_per_flit, 0),
    EXTRA(fibre_rings, 1),
};
enum { FIELDS = sizeof fields / sizeof *fields };
_Static_assert((int)FIELDS <= (int)DEVICE_FIELDS_MAX, "the list of null fields must hold every field");

/** The kind of a JSON value in words. */
static const char *kind_of(const json_t *value)
{
    switch (json_typeof(value)) {
    case JSON_OBJECT: return "an object";
    case JSON_ARRAY: return "an array";
    case JSON_STRING: return "a string";
    case JSON_TRUE: case JSON_FALSE: return "a boolean";
    case JSON_NULL: return "null";
    default: return "a number";
    }
}

static rwa_status read_field(rwa_device *device, const struct field *field, const json_t *value, const char *file,
                             rwa_error *err)
{
    double *out = (double *)(void *)((char *)device + field->offset);
    const char *or_null = field->flags & NULLABLE ? ", or null" : "";
    if (!value) {
        *out = field->preset;
        if (field->flags & OPTIONAL)
            return RWA_OK;
        return base_fail(err, RWA_FORMAT, "%s: parameters.%s: is missing, expected %s%s", file, field->name,
                         field->expected, or_null);
    }
    if (json_is_null(value) && field->flags & NULLABLE) {
        size_t n = 0;
        while (device->unchecked[n])
            n++;
        device->unchecked[n] = field->name;
        *out = NAN;
        return RWA_OK;
    }
    if (!json_is_number(value))
        return base_fail(err, RWA_FORMAT, "%s: parameters.%s: is %s, expected %s%s", file, field->name,
                         kind_of(value), field->expected, or_null);
    double x = json_number_value(value);
    bool low = x < field->least || (field->flags & ABOVE_LEAST && x <= field->least);
    bool high = x > field->most || (field->flags & BELOW_MOST && x >= field->most);
    if (!isfinite(x) || low || (field->flags & INTEGER && x != floor(x)))
        return base_fail(err, RWA_FORMAT, "%s: parameters.%s: is %g, expected %s%s", file, field->name, x,
                         field->expected, or_null);
    if (high)
        return base_fail(err, RWA_FORMAT, "%s: parameters.%s: is %g, expected %s%s (limit %g)", file, field->name, x,
                         field->expected, or_null, field->most);
    *out = x;
    return RWA_OK;
}

static rwa_status read_coherent(rwa_device *device, const json_t *value, const char *file, rwa_error *err)
{
    const char *text = value ? json_string_value(value) : "power";
    if (!text || (strcmp(text, "power") != 0 && strcmp(text, "worst") != 0))
        return base_fail(err, RWA_FORMAT, "%s: parameters.coherent: expected \"power\" or \"worst\"", file);
    device->coherent_worst = strcmp(text, "worst") == 0;
    return RWA_OK;
}

static bool known_field(const char *key)
{
    for (size_t i = 0; i < FIELDS; i++)
        if (strcmp(key, fields[i].name) == 0)
            return true;
    return strcmp(key, "coherent") == 0;
}

static rwa_status read_parameters(rwa_device *device, json_t *parameters, const char *file, rwa_error *err)
{
    rwa_status st = RWA_OK;
    const char *key;
    json_t *value;
    if (!json_is_object(parameters))
        return base_fail(err, RWA_FORMAT, "%s: parameters: expected an object", file);
    json_object_foreach(parameters, key, value)
        if (!known_field(key))
            return base_fail(err, RWA_FORMAT, "%s: parameters.%s: unknown field", file, key);
    for (size_t i = 0; i < FIELDS; i++)
        TRY(read_field(device, &fields[i], json_object_get(parameters, fields[i].name), file, err));
    TRY(read_coherent(device, json_object_get(parameters, "coherent"), file, err));
done:
    return st;
}

static rwa_status read_profile(rwa_device *device, json_t *root, const char *file, rwa_error *err)
{
    const char *key;
    json_t *value;
    if (!json_is_object(root))
        return base_fail(err, RWA_FORMAT, "%s: is %s, expected an object", file, kind_of(root));
    json_object_foreach(root, key, value) {
        bool text = strcmp(key, "name") == 0 || strcmp(key, "description") == 0;
        bool object = strcmp(key, "parameters") == 0 || strcmp(key, "provenance") == 0;
        if (!text && !object)
            return base_fail(err, RWA_FORMAT, "%s: %s: unknown field", file, key);
        if (text ? !json_is_string(value) : !json_is_object(value))
            return base_fail(err, RWA_FORMAT, "%s: %s: is %s, expected %s", file, key, kind_of(value),
                             text ? "a string" : "an object");
    }
    const char *name = json_string_value(json_object_get(root, "name"));
    const char *description = json_string_value(json_object_get(root, "description"));
    if (!name || !*name)
        return base_fail(err, RWA_FORMAT, "%s: name: is missing, expected a string", file);
    device->name = base_copy_text(name, err);
    device->description = base_copy_text(description ? description : "", err);
    if (!device->name || !device->description)
        return RWA_NOMEM;
    return read_parameters(device, json_object_get(root, "parameters"), file, err);
}

static rwa_status parse(rwa_device **out, const char *text, size_t length, const char *file, rwa_error *err)
{
    rwa_status st = RWA_OK;
    json_t *root = NULL;
    rwa_device *device = NULL;
    TRY(json_open(&root, text, length, file, err));
    device = base_array(1, sizeof *device, err);
    if (!device) {
        st = RWA_NOMEM;
        goto done;
    }
    TRY(read_profile(device, root, file, err));
    *out = device;
    device = NULL;
done:
    rwa_device_free(device);
    json_decref(root);
    return st;
}

static rwa_status open_file(rwa_device **out, const char *name, rwa_error *err)
{
    char *text = NULL;
    size_t length = 0;
    rwa_status st = RWA_OK;
    TRY(file_load(&text, &length, name, FILE_MAX, "a device profile", err));
    st = parse(out, text, length, name, err);
done:
    free(text);
    return st;
}

static rwa_status unknown_name(const char *name, rwa_error *err)
{
    char list[512] = "";
    size_t used = 0;
    for (size_t i = 0; embedded_devices[i].name && used < sizeof list; i++) {
        int n = snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "", embedded_devices[i].name);
        used += n > 0 ? (size_t)n : 0;
    }
    return base_fail(err, RWA_BADARG, "no device profile \"%s\"; there are: %s; or name a .json file", name, list);
}

rwa_status rwa_device_open(rwa_device **out, const char *name, rwa_error *err)
{
    base_begin(err);
    if (!out || !name)
        return base_fail(err, RWA_BADARG, "a device profile needs a name");
    *out = NULL;
    size_t length = strlen(name);
    if (strchr(name, '/') || (length > 5 && strcmp(name + length - 5, ".json") == 0))
        return open_file(out, name, err);
    for (size_t i = 0; embedded_devices[i].name; i++)
        if (strcmp(name, embedded_devices[i].name) == 0)
            return parse(out, embedded_devices[i].text, strlen(embedded_devices[i].text), name, err);
    return unknown_name(name, err);
}

void rwa_device_free(rwa_device *device)
{
    if (!device)
        return;
    free(device->name);
    free(device->description);
    free(device);
}

const char *rwa_device_builtin(size_t i)
{
    for (size_t k = 0; embedded_devices[k].name; k++)
        if (k == i)
            return embedded_devices[k].name;
    return NULL;
}

const char *rwa_device_name(const rwa_device *device)
{
    return device->name;
}

const char *rwa_device_description(const rwa_device *device)
{
    return device->description;
}

uint32_t rwa_device_wavelengths(const rwa_device *device)
{
    return (uint32_t)device->wavelengths;
}

double rwa_device_rate_bps(const rwa_device *device)
{
    return device->rate_gbps * 1e9;
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
