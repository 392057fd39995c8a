/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Read a file line by line; memory is needed only for the longest line. */
#pragma once

#include "base/base.h"

/** A line and where it stands; the text has no newline. */
struct line {
    const char *file;
    uint64_t number;
    const char *text;
    size_t length;
    bool open;          /* the file ended before a newline: the last record may have been cut short */
};

/** Start with {0}; lines_close() must follow a lines_open(), failed or not. */
struct lines {
    struct source *source;
    char *path;             /**< copied */
    char *buffer;
    size_t start, end;      /**< what is read and not yet used */
    bool ended;
    uint64_t number;        /**< of the line last read, from 1 */
    uint64_t bytes, most;   /**< read so far, and the most allowed (0: any); the caller may set it after opening */
};

/** Open a file, gzip or not, to read it line by line; "-" is standard input.  RWA_IO; RWA_NOMEM. */
rwa_status lines_open(struct lines *lines, const char *path, rwa_error *err);
void lines_close(struct lines *lines);
/** Read the next line, which is valid until the next call; *got is 0 at the end of the file.  RWA_FORMAT: the line is
 *  longer than `limit` bytes, the file larger than lines->most, or its gzip data damaged; RWA_IO; RWA_NOMEM. */
rwa_status lines_next(struct lines *lines, size_t limit, struct line *out, int *got, rwa_error *err);
