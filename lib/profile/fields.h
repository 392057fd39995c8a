/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Reads JSON objects of numbers by a table of fields and their ranges; every number is checked before it is used. */
#pragma once

#include "base/json.h"

enum field_flags {
    FIELD_NULLABLE = 1,
    FIELD_OPTIONAL = 2,
    FIELD_INTEGER = 4,
    FIELD_ABOVE_LEAST = 8,
    FIELD_BELOW_MOST = 16
};

/** A number in a JSON object: where it goes in the record, and its range. */
struct field {
    const char *name;
    size_t offset;              /**< of a double in the record */
    unsigned flags;
    double least, most, preset; /**< preset: of an optional field that is absent */
    const char *expected;       /**< "a number of dB, 0 or more" */
};

/** Return the kind of a JSON value in words, such as "an object". */
const char *json_kind(const json_t *value);

/**
 * Read one field of an object into record; null becomes NaN.
 * @param where  the object in messages: "parameters" gives "FILE: parameters.NAME: is …"
 * @return RWA_OK; RWA_FORMAT: missing, of the wrong type or outside its range
 */
rwa_status field_read(void *record, const struct field *field, const json_t *object, const char *file,
                      const char *where, rwa_error *err);

/** Return RWA_FORMAT if an object has a member that is neither a field nor one of the names in `others`, a list ended
 *  by NULL.  `where`: as in field_read(). */
rwa_status fields_check_names(const struct field *fields, size_t count, const char *const *others, json_t *object,
                              const char *file, const char *where, rwa_error *err);
