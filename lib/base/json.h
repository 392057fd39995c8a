/* SPDX-License-Identifier: GPL-3.0-or-later */
/** JSON texts; errors name file and line. */
#pragma once

#include "base/text.h"

#include <jansson.h>
#include <stdbool.h>

/** Parse a whole JSON text.  The caller frees the result with json_decref().  RWA_FORMAT with FILE:LINE: not JSON, or
 *  an object that has a member twice; RWA_NOMEM. */
rwa_status json_open(json_t **out, const char *text, size_t length, const char *file, rwa_error *err);

/** Tell whether a failed json_load…() ran out of memory; jansson often names no cause then. */
static inline bool json_ran_out(const json_error_t *why)
{
    return json_error_code(why) == json_error_out_of_memory || json_error_code(why) == json_error_unknown;
}

/** Add a JSON value to a text, and free the value.  If the value is NULL, as when memory ran out while it was made, the
 *  text fails with RWA_NOMEM. */
void text_add_value(struct text *t, json_t *value);

/** Add a text as a JSON string in quotes; null if it is NULL.  Fails if it is not UTF-8. */
void text_add_json(struct text *t, const char *text);

/** Return the text of a member of a JSON object; NULL if there is none. */
static inline const char *json_text(const json_t *object, const char *member)
{
    return json_string_value(json_object_get(object, member));
}

/** Read a JSON integer from 0 to `most`.  Return false if the value is not one; *number is then arbitrary. */
bool json_whole(const json_t *value, uint64_t most, uint64_t *number);
/** Read a JSON integer from 0 to 2^32 - 1.  Return false if the value is not one; *number is then arbitrary. */
bool json_u32(const json_t *value, uint32_t *number);

/** Read the two numbers of a point [x,y]; null gives NaN for both.  Return false if the value has neither form. */
bool json_point(const json_t *value, double *x, double *y);

/** Return the line, from 1, of `text` where a JSON value begins.  `whole` is the document parsed from the text; 1 also
 *  if the value is not part of it. */
size_t json_line(const char *text, const json_t *whole, const json_t *value);
