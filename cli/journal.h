/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A journal of the results of a long command, line by line, so that the command can continue after it was killed. */
#pragma once

#include "cli.h"

/* Takes line number `index` of an earlier run, with its end. */
typedef void journal_line(size_t index, const char *line);

/* Open FILE.part, or begin it with the line `settings`.  Call take() with each complete line "INDEX,LINE" that an
 * earlier run with the same settings has written; drop a last line without a newline.  Return 0, or the exit code after
 * an error message of one line. */
int journal_open(const char *file, const char *settings, journal_line *take);
/* Append the result of job `index` to the journal, if one is open: `line`, which ends with a newline.  It is written
 * when this returns.  Return 0, or -1 with errno. */
int journal_add(size_t index, const char *line);
/* Remove the journal, if one is open.  The output file must be complete before. */
void journal_remove(void);
