/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Input files of this module, read into memory as a whole. */
#pragma once

#include "base/base.h"

#include <jansson.h>

/** Start with {.path = …, .err = …}; the caller frees the text. */
struct input {
    const char *path;
    char *text;
    size_t line;    /* for messages; 0: the text has no lines */
    rwa_error *err;
};

/** RWA_FORMAT with "PATH:LINE: …" or "PATH: …". */
#define input_fail(in, ...) base_fail_at((in)->err, (in)->path, (in)->line, "", __VA_ARGS__)

/** Read the file, gzip or plain; "-" is standard input.  RWA_IO, RWA_NOMEM; RWA_FORMAT for a 0 inside, or more than 1
 *  GiB. */
rwa_status input_read(struct input *in);

/** The text as one JSON object; RWA_FORMAT with path and line. */
rwa_status input_json(json_t **root, const struct input *in);
