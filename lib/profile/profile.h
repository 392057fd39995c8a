/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Profiles: JSON documents with a name, a description, provenance, and one member that holds the data; built in or in
 *  files. */
#pragma once

#include "base/arena.h"
#include "base/embedded.h"
#include "base/json.h"

/** A kind of profile: where its data is in the document, and the function that reads the data. */
struct profile_kind {
    const struct embedded *builtin;
    const char *what;       /**< "device profile" */
    const char *member;     /**< "parameters": the member that holds the data */
    json_type type;         /**< type of that member: JSON_OBJECT or JSON_ARRAY */
    rwa_status (*read)(void *made, json_t *data, const char *file, rwa_error *err);
};

/** The first member of each struct made from a profile. */
struct profile {
    struct arena memory;    /**< of all that the profile holds */
    const char *name, *description;
};

/**
 * Create a structure of `size` bytes, whose first member is a struct profile, from a built-in profile of that name or
 * from a file (a name with a slash or ending in .json).  It begins as zeros and the profile's names; kind->read() takes
 * the data into it.
 * @param[out] made  the caller frees it with profile_free(); NULL after a failure
 * @return RWA_OK; RWA_BADARG: no built-in profile of that name (the text lists them); RWA_FORMAT: no JSON, or members
 *         of wrong type, missing or unknown; RWA_IO; RWA_NOMEM
 */
rwa_status profile_make(void **made, size_t size, const struct profile_kind *kind, const char *name, rwa_error *err);
void profile_free(void *made);

/** Define the public functions that open, free, list and name profiles of `kind`, a struct profile_kind, as objects:
 *  rwa_device_open() and so on for rwa_device.  table: the built-in ones */
#define PROFILE_FUNCTIONS(object, table)                                                    \
    rwa_status object##_open(object **out, const char *name, rwa_error *err)                \
    {                                                                                       \
        BEGIN_NEW(out, err, name);                                                          \
        return profile_make((void **)out, sizeof **out, &kind, name, err);                  \
    }                                                                                       \
    void object##_free(object *made)                                                        \
    {                                                                                       \
        profile_free(made);                                                                 \
    }                                                                                       \
    BUILT_IN(object##_builtin, table)                                                       \
    GETTER(const char *, object##_name, object, profile.name)                               \
    GETTER(const char *, object##_description, object, profile.description)
