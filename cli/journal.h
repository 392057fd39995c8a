/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A journal of the results of a long command, line by line, so that the command can continue after it was killed. */
#pragma once

#include "cli.h"

typedef struct journal {
    char *path;     /* FILE.part */
    int fd;
} journal;

/* Takes line number `index` of an earlier run, with its end. */
typedef void journal_line(size_t index, const char *line);

/* Open FILE.part, or begin it with the line `settings`.  The complete lines "INDEX,LINE" of an earlier run with the
 * same settings go to take(), one after the other; a last line without its end is dropped.  Return 0, or the exit code
 * after an error message of one line. */
int journal_open(journal *j, const char *file, const char *settings, journal_line *take);
/* Add a line, which includes its end, to the journal; it is written when this returns.  Return 0, or -1 with errno. */
int journal_add(journal *j, size_t index, const char *line);
/* Close the journal.  `done` tells that the output file is complete, so that the journal is removed. */
void journal_close(journal *j, int done);
