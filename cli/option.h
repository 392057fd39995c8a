/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Options by table: parsing, help, suggestions and conflicts of every command come from its tables. */
#pragma once

#include "cli.h"

typedef struct option option;

/* Read a value into the command's options; 0, or the exit code after one line on standard error. */
typedef int option_reader(void *to, const option *opt, const char *value);

/* A word on the command line and the number it stands for; lists end with a NULL name. */
typedef struct choice { const char *name; int value; } choice;
typedef struct unit { const char *name; double factor; } unit;

struct option {
    const char *name;               /* long, without dashes; NULL ends a table */
    char letter;                    /* short; 0: none */
    const char *argument;           /* its placeholder; NULL: a flag */
    const char *help;
    const char *preset;             /* the default in words; NULL: none worth saying */
    option_reader *read;
    size_t offset;                  /* of the value in the struct the table describes */
    uint64_t low, high;             /* limits of a count */
    const choice *choices;
    const unit *units;
    const char *(*names)(size_t i); /* names of a library table, NULL past the end */
    int (*find)(const char *name);  /* the number of a name, -1 for none */
    const char *expected;           /* what a bad value should have been, where the reader does not know */
    const char *field;              /* what the library calls it, where that is not the name with underscores */
};

/* The kinds of options: S is the struct, M its member.  A member of another size than its kind does not compile. */
#define IS(S, M, reader) .read = (reader), .offset = offsetof(S, M)
#define IS_SIZED(S, M, reader, T) IS(S, M, reader) + 0 * sizeof(char[sizeof(((S *)0)->M) == sizeof(T) ? 1 : -1])
#define IS_FLAG(S, M) IS_SIZED(S, M, read_flag, int)
#define IS_TEXT(S, M) IS(S, M, read_text)
#define IS_FILE(S, M) IS(S, M, read_file)
#define IS_COUNT(S, M, least, most) IS_SIZED(S, M, read_count, uint32_t), .low = (least), .high = (most)
#define IS_NUMBER(S, M, least, most) IS_SIZED(S, M, read_number, uint64_t), .low = (least), .high = (most)
#define IS_SIZE(S, M) IS_SIZED(S, M, read_size, uint64_t)            /* bytes */
#define IS_QUANTITY(S, M, unit_list, text) IS_SIZED(S, M, read_quantity, double), .units = (unit_list), .expected = (text)
#define IS_TIME(S, M) IS_QUANTITY(S, M, time_units, "a time with its unit, such as 25us or 1.5ms")
#define IS_LIMIT(S, M) IS_QUANTITY(S, M, limit_units, "seconds")
#define IS_RATE(S, M) IS_POSITIVE(S, M, rate_units, "bits per second, such as 40G")
#define IS_POSITIVE(S, M, unit_list, text) IS_QUANTITY(S, M, unit_list, text), .low = 1         /* not zero */
#define IS_CHOICE(S, M, list) IS_SIZED(S, M, read_choice, int), .choices = (list)                          /* int or an enum */
#define IS_NAME(S, M, table) IS(S, M, read_name), .names = (table)
#define IS_NAME_OR_AUTO(S, M, table) IS_NAME(S, M, table), .low = 1
#define IS_COUNT_LIST(S, M, most) IS(S, M, read_count_list), .high = (most)
#define IS_NAME_LIST(S, M, finder, table, text) IS(S, M, read_name_list), .find = (finder), .names = (table), .expected = (text)

enum { LIST_MAX = 1024 };
typedef struct count_list { uint32_t values[LIST_MAX]; size_t count; } count_list;
typedef struct size_list { uint64_t values[LIST_MAX]; size_t count; } size_list;
typedef struct figure_list { double values[LIST_MAX]; size_t count; } figure_list;
typedef struct name_list { int values[LIST_MAX]; size_t count; } name_list;

option_reader read_flag, read_text, read_file, read_count, read_number, read_size, read_quantity, read_choice, read_name,
    read_count_list, read_size_list, read_figure_list, read_name_list;

/* Ended by a NULL name. */
extern const unit plain_units[], rate_units[], time_units[], limit_units[], clock_units[], share_units[];

/* Helpers of readers.  Digits only, the rest of the text is left in *end; 0: no digits, or too large. */
int parse_digits(uint64_t *out, const char *text, const char **end);
/* A decimal number and one of the units, above 0 or not below; 0: it is none. */
int parse_quantity(double *out, const char *text, const unit *units, int positive);
/* A whole number from least to most, and nothing else; 0: it is not one. */
int parse_count(uint64_t *out, const char *text, uint64_t least, uint64_t most);
/* Copy the item before the next comma; *text moves behind it, NULL at the end.  0: the item is too long. */
int next_item(char item[64], const char **text);
/* "--NAME VALUE: expected ..." */
int bad_value(const option *opt, const char *value, const char *expected);

/* A table, where in the options of a command its struct begins, and what sets its defaults; NULL: all 0. */
typedef struct option_group { const option *options; size_t base; void (*init)(void *); } option_group;

typedef struct command {
    const char *name, *summary, *usage;
    const option_group *groups;     /* ended by one without options */
    size_t size;                    /* of its options, which begin with a common */
    size_t operands;                /* at most so many files or names */
    int (*run)(void *options);      /* returns the exit code */
    void (*more_help)(void);        /* tables below the options; NULL: none */
} command;

/* The options of a command one after the other, common ones last: for (option_cursor at = options_begin(c); …) */
typedef struct option_cursor { const option_group *group; const option *next; int common; } option_cursor;
option_cursor options_begin(const command *c);
/* NULL at the end. */
const option *options_next(option_cursor *at);

/* Read argv[2] and on; 0, or the exit code after one line on standard error. */
int options_parse(void *options, const command *c, int argc, char **argv);
/* The options of a command, one line each, on standard output. */
void options_help(const command *c);
/* Copy a text of the library with its option fields as flags of this command: max_hops as --max-hops. */
const char *fields_as_flags(char *to, size_t size, const char *text);

/* Whether an option was given, by its long name. */
int option_given(const common *c, const char *name);
/* The command's own options that were given, but some, with their values: one text for one setting, whatever their order. */
void options_print(FILE *to, const common *c, const char *const *except);
/* 0, or EXIT_BAD_INPUT after one line "--NAME: why" on the first option given that is, or is not, among the names; -q and
 * -v are always allowed. */
#define NAMES(...) ((const char *const[]){__VA_ARGS__, NULL})
int refuse_given(const common *c, const char *const *names, const char *why);
int refuse_others(const common *c, const char *const *names, const char *why);

/* All commands, NULL at the end (main.c). */
extern const command *const all_commands[];
