/* SPDX-License-Identifier: GPL-3.0-or-later */
/** JSON texts; errors name file and line. */
#pragma once

#include "base/text.h"

#include <jansson.h>
#include <stdbool.h>

/** Parse a whole text; no object may have a member twice.  Caller frees with json_decref().
 *  RWA_FORMAT with FILE:LINE; RWA_NOMEM. */
rwa_status json_open(json_t **out, const char *text, size_t length, const char *file, rwa_error *err);

/** Whether a failed json_load…() ran out of memory; jansson often names no cause then. */
static inline bool json_ran_out(const json_error_t *why)
{
    return json_error_code(why) == json_error_out_of_memory || json_error_code(why) == json_error_unknown;
}

/** Add a value, and free it; NULL: memory ran out for it. */
void text_add_value(struct text *t, json_t *value);

/** Add a text as JSON, in its quotes; fails where it is not UTF-8. */
void text_add_json(struct text *t, const char *text);

/** Read an integer from 0 to `most`.  false: the value is none, and the number arbitrary. */
bool json_whole(const json_t *value, uint64_t most, uint64_t *number);
/** The same from 0 to 2^32 - 1. */
bool json_u32(const json_t *value, uint32_t *number);

/** Read the two numbers of [x,y]; null gives NaN for both; false: neither form. */
bool json_point(const json_t *value, double *x, double *y);

/** The line, from 1, where a value begins in the text that the document `whole` was parsed from; also 1 where the
 *  value is not a part of the document. */
size_t json_line(const char *text, const json_t *whole, const json_t *value);
