/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Profiles: JSON documents with a name, a description, provenance and one member that holds the data; built in or in files. */
#pragma once

#include "base/embedded.h"
#include "base/json.h"

/** A kind of profile. */
struct profile_kind {
    const struct embedded *builtin;
    const char *what;       /**< "device profile" */
    const char *member;     /**< "parameters": the member that holds the data */
    json_type type;         /**< of that member: JSON_OBJECT or JSON_ARRAY */
};

/** A profile that has been opened; the data is borrowed from root. */
struct profile {
    json_t *root;
    json_t *data;
    char *name, *description;
};

/**
 * Open a profile by its built-in name, or from a file (a name with a slash or ending in .json).
 * @param[out] out  caller releases it with profile_close(), also after a failure
 * @return RWA_OK; RWA_BADARG: no built-in profile of that name (the text lists them); RWA_FORMAT: no JSON, or members of wrong
 *         type, missing or unknown; RWA_IO; RWA_NOMEM
 */
rwa_status profile_open(struct profile *out, const struct profile_kind *kind, const char *name, rwa_error *err);
void profile_close(struct profile *profile);
