/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A journal of the results of a long command, line by line, so that the command can continue after it was killed. */
#pragma once

#include "cli.h"

/* Takes line number `index` of an earlier run, with its end. */
typedef void journal_line(size_t index, const char *line);

/* Open FILE.part, or begin it with the line `settings`.  Call take() with each complete line "INDEX,LINE" that an
 * earlier run with the same settings has written; drop a last line without its end.  Return 0, or the exit code after
 * an error message of one line. */
int journal_open(const char *file, const char *settings, journal_line *take);
/* Add a line, which includes its end, to the journal, if one is open; it is written when this returns.  Return 0, or -1
 * with errno. */
int journal_add(size_t index, const char *line);
/* Remove the journal, if one is open, as the output file is complete. */
void journal_remove(void);
