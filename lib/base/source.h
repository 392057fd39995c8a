/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The bytes of a file, decompressed when it is gzip. */
#pragma once

#include "rwa/status.h"

/**
 * A file that is being read.  This reader is stricter than zlib's gzread(), which silently ignores what follows the
 * compressed data: here only another gzip member may follow.
 */
struct source;

/**
 * Open a file ("-": standard input); gzip is recognised by its first bytes.
 * @param path  copied
 * @return RWA_OK; RWA_IO; RWA_NOMEM
 */
rwa_status source_open(struct source **out, const char *path, rwa_error *err);
void source_free(struct source *source);

/**
 * Read up to `capacity` more bytes of the file, decompressed; *got is 0 only at the end of the file.
 * @param line  the line that the reader has reached, for messages
 * @return RWA_OK; RWA_FORMAT: gzip data that is cut short, damaged or followed by something else, or that unpacks to
 *         more than 64 MiB and more than 256 times its size; RWA_IO; RWA_NOMEM
 */
rwa_status source_read(struct source *source, char *data, size_t capacity, size_t *got, uint64_t line, rwa_error *err);
