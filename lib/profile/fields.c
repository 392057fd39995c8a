/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "profile/fields.h"

#include "base/base.h"

const char *json_kind(const json_t *value)
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

rwa_status field_read(void *record, const struct field *field, const json_t *object, const char *file,
                      const char *where, rwa_error *err)
{
    double *out = (double *)(void *)((char *)record + field->offset);
    const json_t *value = json_object_get(object, field->name);
    const char *or_null = field->flags & FIELD_NULLABLE ? ", or null" : "";
    if (!value) {
        *out = field->preset;
        if (field->flags & FIELD_OPTIONAL)
            return RWA_OK;
        return base_fail(err, RWA_FORMAT, "%s: %s.%s: is missing, expected %s%s", file, where, field->name,
                         field->expected, or_null);
    }
    if (json_is_null(value) && field->flags & FIELD_NULLABLE) {
        *out = NAN;
        return RWA_OK;
    }
    if (!json_is_number(value))
        return base_fail(err, RWA_FORMAT, "%s: %s.%s: is %s, expected %s%s", file, where, field->name, json_kind(value),
                         field->expected, or_null);
    double x = json_number_value(value);
    bool low = x < field->least || (field->flags & FIELD_ABOVE_LEAST && x <= field->least);
    bool high = x > field->most || (field->flags & FIELD_BELOW_MOST && x >= field->most);
    if (!isfinite(x) || low || (field->flags & FIELD_INTEGER && x != floor(x)))
        return base_fail(err, RWA_FORMAT, "%s: %s.%s: is %g, expected %s%s", file, where, field->name, x,
                         field->expected, or_null);
    if (high)
        return base_fail(err, RWA_FORMAT, "%s: %s.%s: is %g, expected %s%s (limit %g)", file, where, field->name, x,
                         field->expected, or_null, field->most);
    *out = x;
    return RWA_OK;
}

static bool is_known(const char *key, const struct field *fields, size_t count, const char *const *others)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(key, fields[i].name) == 0)
            return true;
    for (size_t i = 0; others[i]; i++)
        if (strcmp(key, others[i]) == 0)
            return true;
    return false;
}

rwa_status fields_check_names(const struct field *fields, size_t count, const char *const *others, json_t *object,
                              const char *file, const char *where, rwa_error *err)
{
    const char *key;
    json_t *value;
    json_object_foreach(object, key, value) if (!is_known(key, fields, count, others))
            return base_fail(err, RWA_FORMAT, "%s: %s.%s: unknown field", file, where, key);
    return RWA_OK;
}
