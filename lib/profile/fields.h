/* SPDX-License-Identifier: GPL-3.0-or-later */
/** JSON objects of numbers: a table of fields and their ranges, by which every number is checked before it is used. */
#pragma once

#include "base/json.h"

enum field_flags {
    FIELD_NULLABLE = 1,
    FIELD_OPTIONAL = 2,
    FIELD_INTEGER = 4,
    FIELD_ABOVE_LEAST = 8,
    FIELD_BELOW_MOST = 16
};

/** A number of an object: where it goes in the record, and its range. */
struct field {
    const char *name;
    size_t offset;              /**< of a double in the record */
    unsigned flags;
    double least, most, preset; /**< preset: of an optional field that is absent */
    const char *expected;       /**< "a number of dB, 0 or more" */
};

/** The kind of a JSON value in words: "an object". */
const char *json_kind(const json_t *value);

/**
 * Read one field of an object into record; null becomes NaN.
 * @param where  the object in messages: "parameters" gives "FILE: parameters.NAME: is …"
 * @return RWA_OK; RWA_FORMAT: missing, of the wrong type or outside its range
 */
rwa_status field_read(void *record, const struct field *field, const json_t *object, const char *file,
                      const char *where, rwa_error *err);

/** RWA_FORMAT when an object has a member that is neither a field nor one of the names of `others` (ended by NULL). */
rwa_status fields_check_names(const struct field *fields, size_t count, const char *const *others, json_t *object,
                              const char *file, const char *where, rwa_error *err);
