/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Whole files in memory; a check for UTF-8. */
#pragma once

#include "base/base.h"

/**
 * Read a whole file, gzip or not ("-": standard input); a byte order mark of UTF-8 at its start is left out.
 * @param[out] text  its bytes and a 0 behind them, caller frees; NULL on failure
 * @param most       the largest size allowed, in bytes
 * @param what       what the file should be, for the message: "a device profile"
 * @return RWA_OK; RWA_IO: cannot be opened or read; RWA_FORMAT: larger than `most`, or damaged gzip data; RWA_NOMEM
 */
rwa_status file_load(char **text, size_t *length, const char *path, size_t most, const char *what, rwa_error *err);
/** Read a whole file as file_load() does, within a budget (NULL: none).  Also returns RWA_CANCELLED. */
rwa_status file_load_within(char **text, size_t *length, const char *path, size_t most, const char *what,
                            struct budget *budget, rwa_error *err);

/** Return the line, from 1, of the first byte that is not UTF-8 (a 0 byte is not accepted either), or 0 if all bytes
 *  are valid. */
size_t file_bad_line(const char *text, size_t length);
