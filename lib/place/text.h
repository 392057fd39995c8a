/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Input files of this room, whole in memory. */
#ifndef PLACE_TEXT_H
#define PLACE_TEXT_H

#include "base/base.h"

#include <jansson.h>

struct text {
    char *bytes;    /* ends with a 0 that length does not count */
    size_t length, room;
};

/** Read a file; "-" is standard input.  RWA_IO, RWA_NOMEM; RWA_FORMAT for a 0 inside, or more than 1 GiB. */
rwa_status text_read(struct text *text, const char *path, rwa_error *err);
void text_free(struct text *text);

/** The line at *at, cut from what follows it (and from a carriage return); NULL at the end. */
char *text_line(struct text *text, size_t *at);

/** The text as one JSON object; RWA_FORMAT with path and line. */
rwa_status text_json(json_t **root, const struct text *text, const char *path, rwa_error *err);

#endif
