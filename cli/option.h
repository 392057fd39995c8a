/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Options by table: the parsing, help, suggestions, completion and conflicts of every command come from its tables. */
#pragma once

#include "cli.h"

typedef struct option option;

/* Reads the value of an option into opt->to; returns 0, or the exit code after an error message of one line. */
typedef int option_reader(const option *opt, const char *value);

struct option {
    const char *name;               /* long, without dashes; NULL ends a table */
    const char *argument;           /* its placeholder, FILE.svg of a drawing; NULL: a flag */
    const char *help;               /* with the default in parentheses */
    option_reader *read;
    void *to;                       /* where the value goes */
    uint64_t low, high;             /* limits of a count; low of a choice: the number of its first word */
    const char *const *words;       /* of a choice, in the order of their numbers; NULL ends them */
    const char *units;              /* see factor_of() */
    const char *(*names)(size_t i); /* names of a library table, NULL past the end */
    int (*find)(const char *name);  /* the number of a name, -1 for none; NULL: its place in `names` */
    const char *expected;           /* text for messages: the values that are expected, if the reader does not know
                                       them */
    int bare;                       /* 1: as the last word it needs no value, and gets "" */
    const char *field; /* the library's name, if it is not the option's name with underscores and a unit */
};

/* Return the number of a name in a table of names that ends with NULL, or -1. */
int number_of(const char *(*names)(size_t i), const char *name);

/* The kinds of options; V is the variable that gets the value.  A variable whose size does not fit the kind does not
 * compile. */
#define IS(V, reader) .read = (reader), .to = &(V)
#define IS_SIZED(V, reader, T) IS(V, reader) + 0 * sizeof(char[sizeof(V) == sizeof(T) ? 1 : -1])
#define IS_FLAG(V) IS_SIZED(V, read_flag, int)
#define IS_TEXT(V) IS(V, read_text)
#define IS_FILE(V) IS(V, read_file)
#define IS_COUNT(V, least, most) IS_SIZED(V, read_count, uint32_t), .low = (least), .high = (most)
#define IS_NUMBER(V, least, most) IS_SIZED(V, read_number, uint64_t), .low = (least), .high = (most)
#define IS_SIZE(V) IS_SIZED(V, read_size, uint64_t)            /* bytes */
#define IS_QUANTITY(V, unit_list, text) IS_SIZED(V, read_quantity, double), .units = (unit_list), .expected = (text)
#define IS_TIME(V) IS_QUANTITY(V, TIME_UNITS, "a time with its unit, such as 25us or 1.5ms")
#define IS_LIMIT(V) IS_QUANTITY(V, " s ms", "seconds")
#define IS_RATE(V) IS_POSITIVE(V, RATE_UNITS, "bits per second, such as 40G")
#define IS_POSITIVE(V, unit_list, text) IS_QUANTITY(V, unit_list, text), .low = 1         /* not zero */
/* int or an enum: the words for `first` and the numbers after it */
#define IS_CHOICE(V, first, ...)                                                                                       \
    IS_SIZED(V, read_choice, int), .low = (first), .words = (const char *const[])                                      \
    {                                                                                                                  \
        __VA_ARGS__, NULL                                                                                              \
    }
#define IS_NAME(V, table) IS(V, read_name), .names = (table)
#define IS_NAME_OR_AUTO(V, table) IS_NAME(V, table), .low = 1
#define IS_COUNT_LIST(V, most) IS(V, read_count_list), .high = (most)
/* an int or enum by its name; a list of them */
#define IS_NAMED(V, finder, table) IS_SIZED(V, read_choice, int), .find = (finder), .names = (table)
#define IS_NAME_LIST(V, finder, table) IS_SIZED(V, read_name_list, name_list), .find = (finder), .names = (table)

enum { LIST_MAX = 1024, ITEM_MAX = 256 };
typedef struct number_list { double values[LIST_MAX]; size_t count; } number_list;
typedef struct name_list { int values[LIST_MAX]; size_t count; } name_list;

option_reader read_flag, read_text, read_file, read_count, read_number, read_size, read_quantity, read_choice,
    read_name, read_count_list, read_size_list, read_figure_list, read_name_list;

/* Lists of units, with blanks between them.  A list that begins with a blank has numbers without a unit, too, which are
 * of its first unit. */
#define PLAIN_UNITS " "
#define RATE_UNITS " bps kbps Mbps Gbps Tbps k M G T bit/s Gbit/s Gb/s"
#define TIME_UNITS "s ms us ns ps"

/* Return the factor of the unit that a text begins with, such as 1e3 for "kB" and 1 for "bit/s".  A blank may end the
 * unit. */
double unit_factor(const char *unit);
/* Tell whether a text of `length` characters is one of the words of a list, which are separated by blanks. */
int is_among(const char *text, size_t length, const char *words);

/* Set *out to the number whose digits, without a sign, begin a text, and *end to the rest of the text.  Return 0 if
 * there are no digits or the number is too large, else 1. */
int parse_digits(uint64_t *out, const char *text, const char **end);
/* Read a decimal number with a unit, and set *out to the number times the factor of the unit.  units: the allowed
 * units, with blanks between them.  With `positive` the product must be above 0, else at least 0.  Return 0 if the text
 * is no such quantity, else 1. */
int parse_quantity(double *out, const char *text, const char *units, int positive);
/* Set *out to the value of a text that is just a whole number from `least` to `most`.  Return 0 if it is not, else
 * 1. */
int parse_count(uint64_t *out, const char *text, uint64_t least, uint64_t most);
/* Copy to item[] the first item of *text, a list with commas between the items.  An item in quotes may have commas
 * itself; the quotes are not copied.  Set *text to the next item, NULL at the end.  Return 0 if the item is too long,
 * else 1. */
int next_item(char item[ITEM_MAX], const char **text);
/* Report "--NAME VALUE: expected ...", and return the exit code. */
int bad_value(const option *opt, const char *value, const char *expected);

typedef struct command {
    const char *name, *summary, *usage;
    const option *const *tables;    /* its options, ended by NULL */
    size_t operands;                /* at most so many files or names */
    int (*run)(void);               /* returns the exit code */
    void (*init)(void);             /* sets defaults that are not constants; NULL: none */
} command;
#define TABLES(...) (const option *const[]){__VA_ARGS__, NULL}

/* The position in the list of a command's options, common ones last: for (option_cursor at = options_begin(c); …) */
typedef struct option_cursor { const option *const *table; const option *next; int common; } option_cursor;
option_cursor options_begin(const command *c);
/* Move a cursor to the next option of its command and return that option; NULL at the end. */
const option *options_next(option_cursor *at);

/* Read the arguments from argv[2] on into args and the variables of the option tables.  Return 0, or the exit code
 * after an error message of one line. */
int options_parse(const command *c, int argc, char **argv);
/* Print the part of a command's help that lists its options, one line each. */
void options_help(const command *c);
/* Return a message of the library with the flags of this command in place of the names of option fields: --max-hops for
 * max_hops. */
const char *as_flags(const char *text);

/* Tell whether an option was given, by its long name. */
int given(const char *name);
/* Tell whether a shell takes a word literally, without quotes. */
int is_plain(const char *word);
/* Return `begin` followed by the options that were given, except those named in `except`, as a command line for a
 * shell.  Their order is that of the option tables.  The caller frees the text; NULL: out of memory. */
char *options_text(const char *begin, const char *except);
/* Refuse the first given option that is among `names`, words separated by blanks; refuse_others() refuses the first
 * that is not among them.  Return EXIT_BAD_INPUT after a line "--NAME: why", else 0.  -q, -v and --memory-limit are
 * always allowed. */
int refuse_given(const char *names, const char *why);
int refuse_others(const char *names, const char *why);

/* The list of all commands, ended by NULL (main.c). */
extern const command *const all_commands[];
/* Print the script with which a shell completes commands, options and their values: zsh if `zsh` is 1, else bash. */
void completion_print(int zsh);
