/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The results of a long command so far, line by line, so that a killed one can continue. */
#pragma once

#include "cli.h"

typedef struct journal {
    char *path;     /* FILE.part */
    int fd;
} journal;

/* Open FILE.part, or begin it with the line `settings`.  For each complete line "INDEX,LINE" of an earlier run with the
 * same settings, lines[INDEX] (INDEX < count, else NULL) becomes a copy of LINE with its end, which the caller frees; a
 * last line without its end is dropped.  0, or the exit code after one line on standard error. */
int journal_open(journal *j, const char *file, const char *settings, char **lines, size_t count);
/* Add a line, which has its end; it is written when this returns.  0, or -1 with errno. */
int journal_add(journal *j, size_t index, const char *line);
/* Close it; done: the file itself is complete, so remove the journal. */
void journal_close(journal *j, int done);
