/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by all parts of the command: the C library's common headers, exit codes, messages, signals, progress. */
#pragma once

#include "rwa.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EXIT_YES = 0, EXIT_NO = 1, EXIT_BAD_INPUT = 2, EXIT_STOPPED = 3, EXIT_MACHINE = 4 };

enum { GIVEN_MAX = 128, OPERANDS_MAX = 1024 };

/* The options that every command has; the first member of each command's own. */
typedef struct common {
    const struct command *command;
    const char *given[GIVEN_MAX];   /* long names in the order of the command line, each once */
    const char *values[GIVEN_MAX];  /* of each the last one, "" of a flag */
    size_t given_count;
    const char *operands[OPERANDS_MAX];
    int quiet, verbose, help;
    uint64_t memory_limit;          /* bytes; 0: what the machine has free */
} common;

/* ---- message.c ---- */

/* One line "rwa: ..." on standard error; returns code. */
int fail(int code, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;
int fail_memory(void);
/* The same for a failed call of the library, 0 after RWA_OK; writing: the call wrote a file. */
int fail_status(rwa_status status, const rwa_error *err, int writing);
/* The next step of a function with a local `code`: its exit code, unless a step before it failed. */
#define THEN(step)              \
    do {                        \
        if (code == 0)          \
            code = (step);      \
    } while (0)

/* Flush standard output; EXIT_MACHINE when that failed (silently when its reader has gone). */
int finish(int code);

/* ---- memory.c ---- */

/* Let the process take at most so many bytes, 0: what the machine has free; more is an allocation that fails, and a file
 * that would need more is refused beforehand (base_fits_memory()).  0, or the exit code after one line. */
int memory_limit(uint64_t most);

/* ---- progress.c ---- */

/* SIGINT, SIGTERM and SIGHUP stop long work: the poll, whose data is a common, passes them to the library and shows progress. */
void signals_install(void);
int signals_asked(void);
double clock_s(void);
int poll_progress(void *data, const char *phase, double fraction);
/* A bar on a terminal; seconds_left negative: unknown. */
void progress_bar(const common *c, size_t done, size_t all, double fraction, double seconds_left);
void progress_clear(void);

/* Let a library call with these options show progress and stop on a signal. */
#define SHOW_PROGRESS(opts, common) ((opts)->poll = poll_progress, (opts)->poll_data = (common))
