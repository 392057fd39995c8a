/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Taking members of a header that was parsed: each right, or an error with its file and name. */
#pragma once

#include "schedule/header.h"

#include <jansson.h>

struct taker {
    struct header *out;
    const char *file;
    rwa_error *err;
};

/** RWA_FORMAT: the member is not what was expected. */
rwa_status take_expected(const struct taker *t, const char *name, const char *what);
/** A wrong value in a file is RWA_FORMAT, not RWA_BADARG. */
rwa_status take_blame(const struct taker *t, rwa_status st, const rwa_error *why);

bool take_has(const json_t *object, const char *name);
rwa_status take_integer(const struct taker *t, const json_t *object, const char *name, uint64_t max, uint64_t *out);
rwa_status take_u32(const struct taker *t, const json_t *object, const char *name, uint32_t *out);
/** The same when it may be absent. */
rwa_status take_optional(const struct taker *t, const json_t *object, const char *name, uint32_t *out);
/** An array of integers; *out is the caller's to free, also on failure. */
rwa_status take_numbers(const struct taker *t, const json_t *object, const char *name, uint32_t **out, size_t *count);

/** The header's network, with its faults. */
rwa_status take_network(const struct taker *t, const json_t *header);
