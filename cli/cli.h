/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by all parts of the command: the command line, exit codes, messages, text for people, signals, progress.
 *
 * A process runs one command.  So the command line and the values of its options are static structs, which the tables
 * of options fill before the command runs, and what a command opens is static too: the end of the process releases it,
 * after whichever step.  Only what is opened again and again is freed before. */
#pragma once

#include "rwa.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EXIT_YES, EXIT_NO, EXIT_BAD_INPUT, EXIT_STOPPED, EXIT_MACHINE };

enum { GIVEN_MAX = 128, OPERANDS_MAX = 1024 };

/* What was typed after the command, and the options that every command has; constant once it is read. */
typedef struct command_line {
    const struct command *command;
    const char *given[GIVEN_MAX];   /* long names in the order of the command line, each once */
    const char *values[GIVEN_MAX];  /* of each the last one, "" of a flag */
    size_t given_count;
    const char *file;               /* the first operand; NULL: none */
    const char *operands[OPERANDS_MAX];
    int quiet, verbose, help;
    uint64_t memory_limit;          /* bytes; 0: what the machine has free */
} command_line;
extern command_line args;

#if defined(__GNUC__)
#define PRINTS(text, values) __attribute__((format(printf, text, values)))
#else
#define PRINTS(text, values)
#endif

/* ---- message.c ---- */

enum { PHRASE_MAX = 2048 };
/* Return a formatted text, cut to PHRASE_MAX - 1 bytes.  It lives until its thread has formatted 32 more. */
char *phrase(const char *format, ...) PRINTS(1, 2);

/* Print an error message of one line, "rwa: ...", on standard error, and return `code`. */
int fail(int code, const char *format, ...) PRINTS(2, 3);
/* Report a wrong input like fail(), and return EXIT_BAD_INPUT. */
#define BAD_INPUT(...) fail(EXIT_BAD_INPUT, __VA_ARGS__)
int fail_memory(void);
/* Allocate an array of zeros and let `list` point to it.  Give 0, or the exit code after an error message of one
 * line. */
#define NEW(list, count) (((list) = calloc((count), sizeof *(list))) ? 0 : fail_memory())
/* Report a failed call of the library in one line and return the exit code; return 0 for RWA_OK.  writing: 1 if the
 * call wrote a file, so that RWA_IO gives EXIT_MACHINE; else it gives EXIT_BAD_INPUT. */
int fail_status(rwa_status status, const rwa_error *err, int writing);
/* Call a function of the library whose last argument is its rwa_error, as in CALL(rwa_schedule_read, &sched, file,
 * NULL), and give 0, or the exit code after an error message of one line.  WRITE is for functions that write a file.
 * Not for threads: they would share the error record. */
#define CALL(function, ...) fail_call(function(__VA_ARGS__, new_error()), 0)
#define WRITE(function, ...) fail_call(function(__VA_ARGS__, new_error()), 1)
rwa_error *new_error(void);
int fail_call(rwa_status status, int writing);
/* Do the next step of a function, which ends here with the exit code of a step that failed. */
#define MUST(step)              \
    do {                        \
        int failed_ = (step);   \
        if (failed_ != 0)       \
            return failed_;     \
    } while (0)

/* Print the report, flush standard output and return `code`.  If writing failed, return EXIT_MACHINE after a message,
 * or without one if the reader of the output has gone.  Further calls do not report the failure again. */
int finish(int code);

/* ---- wrap.c ---- */

/* Append to the report for people.  When the command ends, it is printed with long lines broken, and with "?" in place
 * of control characters. */
void say(const char *format, ...) PRINTS(1, 2);
/* Print the report so far.  Break long lines at blanks, to the width of the terminal but at most 100 columns.  Do not
 * break commands that the user may copy ("  rwa ...").
 * hang: by how many columns to indent the continuation of a line; negative: as much as the line itself
 * otherwise: the width to use if the width of the output is unknown; 0: then break no lines, since a program may read
 * them */
void print_said(int hang, uint32_t otherwise);
/* WRAP_PROSE: columns of prose if those of the stream are unknown.  WRAP_HANG: where values begin in a line of a
 * report; finish() indents continued lines so far. */
enum { WRAP_PROSE = 80, WRAP_HANG = 18 };
/* Return the columns of a stream, from COLUMNS or its terminal, at least 40 and at most 1000; 0 if both are unknown. */
uint32_t wrap_columns(FILE *to);

/* ---- memory.c ---- */

/* Limit the memory of this process to `most` bytes; if `most` is 0, to the free memory of the machine.  Allocations
 * beyond it fail, and files that need more are refused beforehand (base_fits_memory()).  Return 0, or the exit code
 * after a message. */
int memory_limit(uint64_t most);

/* ---- progress.c ---- */

/* Let SIGINT, SIGTERM and SIGHUP stop long work: they are noted, and the next call of poll_progress() tells the library
 * to stop. */
void signals_install(void);
int signals_asked(void);
double clock_s(void);
int poll_progress(void *none, const char *phase, double fraction);
/* Show on a terminal that `done` of `all` jobs are done.  The bar and the time left follow from `fraction`, the share
 * of the work done, and begin_s, when the work began (clock_s()). */
void progress_bar(size_t done, size_t all, double fraction, double begin_s);
void progress_clear(void);

/* ---- suggest.c: the known name that a mistyped or shortened one means ---- */

enum { SUGGEST_LONGER = 3 };

typedef struct suggestion {
    const char *word;   /* as typed; its first `length` characters count */
    size_t length;
    const char *best;   /* the nearest name so far; NULL while none is near enough */
    size_t distance;
    const char *longer[SUGGEST_LONGER]; /* the first names that begin with the word */
    size_t longer_count;                /* all of them */
    int known;                          /* the word is one of the names */
} suggestion;

void suggest_init(suggestion *n, const char *word, size_t length);
/* Compare `name`, a known name, with the word of n.  If it is the nearest so far or begins with the word, keep it in n,
 * without a copy. */
void suggest_try(suggestion *n, const char *name);
/* Return "; did you mean NAME?" with the names that begin with the word, if they are few, else with the nearest name,
 * and `prefix` before each.  Return "" if there is none, or if the word is a known name. */
const char *suggest_question(const suggestion *n, const char *prefix);
/* Return the question "; did you mean ...?" for a word that is none of the names name(0), name(1), ..., which end with
 * NULL. */
const char *suggest_from(const char *(*name)(size_t i), const char *word);
/* Return the question "; did you mean ...?" for a word that names no node of a network.  suggest_link() does so for the
 * unknown end of a link "A-B" or "A>B" whose other end is a node. */
const char *suggest_node(const rwa_network *net, const char *word);
const char *suggest_link(const rwa_network *net, const char *word);
/* Return the question "; did you mean ...?" for an unknown network specification.  It proposes the kind of network
 * nearest to the text before the colon in `spec`; without a colon, the nearest built-in network.  If `spec` is the name
 * of a file in the current folder, return instead the hint to write ./NAME. */
const char *suggest_network(const char *spec);
/* Report a failed call of the library in one line and return the exit code; return 0 for RWA_OK.  RWA_BADARG means that
 * a name is unknown: its message ends with `question`, which is "; did you mean ...?" or "". */
int fail_name(rwa_status status, const char *question);
