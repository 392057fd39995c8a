/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Take members of a parsed header; each is valid, or an error names the file and the member. */
#pragma once

#include "schedule/header.h"

#include <jansson.h>

struct taker {
    struct header *out;
    const char *file;
    rwa_error *err;
};

/** Return RWA_FORMAT, with the message that the member is not what is expected. */
rwa_status take_expected(const struct taker *t, const char *name, const char *what);
/** Name the header as the place of a failed call, whose status is `st` and whose message is in t->err. */
static inline rwa_status take_blame(const struct taker *t, rwa_status st)
{
    return base_blame(st, t->file, 1, t->err);
}

bool take_has(const json_t *object, const char *name);
rwa_status take_integer(const struct taker *t, const json_t *object, const char *name, uint64_t max, uint64_t *out);
rwa_status take_u32(const struct taker *t, const json_t *object, const char *name, uint32_t *out);
/** Take a number as take_u32() does; if the object has no such member, *out is unchanged. */
rwa_status take_optional(const struct taker *t, const json_t *object, const char *name, uint32_t *out);
/** Take an array of integers; the caller frees *out, also on failure. */
rwa_status take_numbers(const struct taker *t, const json_t *object, const char *name, uint32_t **out, size_t *count);

/** Take the header's network, with its faults. */
rwa_status take_network(const struct taker *t, const json_t *header);
