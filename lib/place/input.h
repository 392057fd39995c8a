/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Input files of this module, read into memory as a whole. */
#pragma once

#include "base/base.h"

#include <jansson.h>

struct input {
    char *bytes;    /* ends with a 0 that length does not count */
    size_t length, capacity;
};

/** Read a file, gzip or plain; "-" is standard input.  RWA_IO, RWA_NOMEM; RWA_FORMAT for a 0 inside, or more than 1
 *  GiB. */
rwa_status input_read(struct input *input, const char *path, rwa_error *err);
void input_free(struct input *input);

/** The text as one JSON object; RWA_FORMAT with path and line. */
rwa_status input_json(json_t **root, const struct input *input, const char *path, rwa_error *err);
