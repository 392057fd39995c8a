/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Reads the input files of this module into memory as a whole. */
#pragma once

#include "base/base.h"

#include <jansson.h>

/** An input file; start with {.path = …, .err = …}.  The caller frees the text. */
struct input {
    const char *path;
    char *text;
    size_t line;    /* for messages; 0: the text has no lines */
    rwa_error *err;
};

/** Report a format error as "PATH:LINE: …" or "PATH: …", and return RWA_FORMAT. */
#define input_fail(in, ...) base_fail_at((in)->err, (in)->path, (in)->line, "", __VA_ARGS__)

/** Read the file in->path, gzip or plain, into in->text; "-" is standard input.  RWA_IO, RWA_NOMEM; RWA_FORMAT if the
 *  file contains a 0 byte or more than 1 GiB. */
rwa_status input_read(struct input *in);

/** Parse in->text as one JSON object, *root, which the caller frees also after a failure.  RWA_FORMAT if it is none;
 *  the message names path and line. */
rwa_status input_json(json_t **root, const struct input *in);

/** Set *out to a JSON number of at least 0.  Return false if `value` is no such number, or NULL. */
bool input_amount(double *out, const json_t *value);
