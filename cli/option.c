/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parses the command line by the tables of options, and finds the names of options in messages of the library. */
#include "print.h"

#include <ctype.h>

command_line args;

static const option common_options[] = {
    {"quiet", NULL, "no progress, no proposals of next commands", IS_FLAG(args.quiet)},
    {"verbose", NULL, "say more", IS_FLAG(args.verbose)},
    {"memory-limit", "SIZE", "most memory to take, as 2GiB (what is free)", IS_SIZE(args.memory_limit)},
    {"help", NULL, "this text", IS_FLAG(args.help)},
    {0}};

/* Return the letter of an option, or 0.  A letter means the same in every command that has the option. */
static char letter_of(const option *opt)
{
    return is_among(opt->name, strlen(opt->name), "quiet verbose help output wavelengths") ? *opt->name : '\0';
}

/* ---- going through tables ---- */

option_cursor options_begin(const command *c)
{
    return (option_cursor){c->tables, *c->tables, 0};
}

const option *options_next(option_cursor *at)
{
    while (!at->next->name) {
        if (at->common)
            return NULL;
        at->common = !*++at->table;
        at->next = at->common ? common_options : *at->table;
    }
    return at->next++;
}

/* Tell whether a word of `length` characters is this option: "--name", or "-x" or "-xVALUE" by its letter x. */
static int is_called(const option *opt, const char *word, size_t length)
{
    if (word[1] == '-')
        return strlen(opt->name) == length - 2 && strncmp(opt->name, word + 2, length - 2) == 0;
    return letter_of(opt) && letter_of(opt) == word[1] && (length == 2 || opt->argument);
}

/* Return the first option of a command for which is(option, word, length) is true; NULL: none. */
static const option *find(const command *c, int (*is)(const option *opt, const char *word, size_t length),
                          const char *word, size_t length)
{
    option_cursor at = options_begin(c);
    const option *opt;
    while ((opt = options_next(&at)) && !is(opt, word, length))
        ;
    return opt;
}

static const option *find_option(const command *c, const char *word, size_t length)
{
    return find(c, is_called, word, length);
}

/* ---- parsing ---- */

static int unexpected(const command *c, const char *word)
{
    const option *network = find_option(c, "--network", strlen("--network"));
    const char *expected = c->operands > 0 ? phrase(", expected at most %s", counted(c->operands, "argument")) : "";
    if (network && strchr(word, ':') && strncmp(network->argument, "SPEC", 4) == 0)
        expected = phrase(", expected --network %s", word);
    return BAD_INPUT("unexpected '%s'%s; see rwa %s --help", word, expected, c->name);
}

/* Return which commands have the option that a word names, as "; assign, traffic and others have it" with up to three
 * names.  Return "" if none has it. */
static const char *others_with(const char *word, size_t length)
{
    const char *text = "";
    size_t count = 0;
    for (size_t i = 0; all_commands[i] && word[1] == '-'; i++)
        if (find_option(all_commands[i], word, length) && count++ < 3)
            text = phrase("%s%s%s", text, count == 1 ? "; " : ", ", all_commands[i]->name);
    return count == 0 ? ""
                      : phrase("%s%s", text, count > 3 ? " and others have it" : count > 1 ? " have it" : " has it");
}

static int unknown_option(const command *c, const char *word, size_t length)
{
    suggestion near;
    option_cursor at = options_begin(c);
    suggest_init(&near, word + 2, word[1] == '-' ? length - 2 : 0);
    for (const option *opt; (opt = options_next(&at));)
        suggest_try(&near, opt->name);
    const char *question = suggest_question(&near, "--");
    return BAD_INPUT("unknown option %.*s%s; see rwa %s --help", (int)(length < 200 ? length : 200), word,
                     *question ? question : others_with(word, length), c->name);
}

static int take_operand(const command *c, const char *word)
{
    size_t i = 0;
    assert(c->operands <= OPERANDS_MAX);
    while (i < c->operands && args.operands[i])
        i++;
    if (i == c->operands)
        return unexpected(c, word);
    args.operands[i] = word;
    args.file = args.operands[0];
    return 0;
}

/* Return the index of an option in args.given; args.given_count if it was not given. */
static size_t place_of(const char *name)
{
    size_t i = 0;
    while (i < args.given_count && strcmp(args.given[i], name) != 0)
        i++;
    return i;
}

static void note_given(const char *name, const char *value)
{
    size_t i = place_of(name);
    assert(i < GIVEN_MAX);
    args.given[i] = name;
    args.values[i] = value ? value : "";
    args.given_count += i == args.given_count;
}

/* Refuse `value` if the option takes a list or a range and was given before: the second would replace the first.  Other
 * options may be repeated, and the last value counts, so that a script can append to its options.  Return 0, or the
 * exit code after an error message. */
static int refuse_second(const option *opt, const char *value)
{
    const char *joint = strcmp(opt->name, "network") == 0 ? " " : ",";  /* of sweep */
    if (!given(opt->name) || !opt->argument || !is_among(opt->argument, strlen(opt->argument), "LIST NODES RANGE"))
        return 0;
    return BAD_INPUT("--%s: given twice, expected one list: --%s \"%s%s%s\"", opt->name, opt->name,
                     args.values[place_of(opt->name)], joint, value);
}

/* Read the option argv[*i].  If its value is the next argument, add 1 to *i.  Return 0, or the exit code after an error
 * message. */
static int take_option(const command *c, int *i, int argc, char **argv)
{
    const char *word = argv[*i], *equals = word[1] == '-' ? strchr(word, '=') : NULL;
    size_t length = equals ? (size_t)(equals - word) : strlen(word);
    const option *opt = find_option(c, word, length);
    if (!opt)
        return unknown_option(c, word, length);
    const char *value = equals ? equals + 1 : NULL;
    if (word[1] != '-' && word[2])
        value = word + 2 + (word[2] == '=');    /* -w2 */
    if (!opt->argument && value)
        return BAD_INPUT("option --%s takes no value", opt->name);
    if (opt->argument && !value) {
        if (*i + 1 == argc && !opt->bare)
            return BAD_INPUT("option --%s needs %s, see rwa %s --help", opt->name, opt->argument, c->name);
        value = ++*i < argc ? argv[*i] : "";
    }
    MUST(refuse_second(opt, value));
    MUST(opt->read(opt, value));
    note_given(opt->name, value);
    return 0;
}

#ifndef NDEBUG
/* Assert that every option of a command has a reader, a help text and a place for its value, and that no name comes
 * twice.  Return 1. */
static int options_check(const command *c)
{
    option_cursor at = options_begin(c);
    for (const option *opt; (opt = options_next(&at));) {
        assert(*opt->name && find_option(c, phrase("--%s", opt->name), strlen(opt->name) + 2) == opt);
        assert(opt->read && opt->help && opt->to);
    }
    return 1;
}
#endif

int options_parse(const command *c, int argc, char **argv)
{
    int only_operands = 0;
    assert(options_check(c));
    args.command = c;
    target_init();
    if (c->init)
        c->init();
    for (int i = 2; i < argc && !args.help; i++) {
        if (!only_operands && strcmp(argv[i], "--") == 0)
            only_operands = 1;
        else if (only_operands || argv[i][0] != '-' || !argv[i][1])
            MUST(take_operand(c, argv[i]));
        else
            MUST(take_option(c, &i, argc, argv));
    }
    return 0;
}

/* ---- help ---- */

void options_help(const command *c)
{
    option_cursor at = options_begin(c);
    say("\nOptions (in parentheses: what holds without them):\n");
    for (const option *opt; (opt = options_next(&at));) {
        const char *letter = letter_of(opt) ? phrase("-%c,", letter_of(opt)) : "";
        say("  %-27s  %s\n", phrase("%-4s--%s %s", letter, opt->name, opt->argument ? opt->argument : ""), opt->help);
    }
    print_said(31, WRAP_PROSE);
}

/* ---- fields of the library ---- */

/* If `word` begins with the name of an option, written with underscores in place of dashes, return the rest of the
 * word, else NULL. */
static const char *behind_name(const char *name, const char *word)
{
    while (*name && *word == (*name == '-' ? '_' : *name)) {
        name++;
        word++;
    }
    return !*name ? word : NULL;
}

/* Tell whether a word of `length` characters is the library's name for an option.  This is opt->field; if that is NULL,
 * the option's own name with underscores, with or without a unit such as _bps at the end. */
static int is_field(const option *opt, const char *word, size_t length)
{
    if (opt->field)
        return is_among(word, length, opt->field);
    const char *end = behind_name(opt->name, word);
    return end && (end == word + length || is_among(end, length - (size_t)(end - word), "_s _bps _bytes _hz"));
}

static const option *find_field(const char *word, size_t length)
{
    return args.command ? find(args.command, is_field, word, length) : NULL;
}

static size_t word_length(const char *text)
{
    size_t length = 0;
    while (islower((unsigned char)text[length]) || text[length] == '_')
        length++;
    return length;
}

/* Tell whether `text`, which begins with a word of `length` characters that names an option, means that option.  It
 * does if a colon follows ("radix: ..." or "radix 4: ...") or "and" with another option; elsewhere "radix" is an
 * ordinary word. */
static int names_option(const char *text, size_t length)
{
    const char *p = text + length;
    if (strncmp(p, " and ", 5) == 0)
        return find_field(p + 5, word_length(p + 5)) != NULL;
    if (*p == ' ')
        p += 1 + strcspn(p + 1, " :");
    return *p == ':';
}

const char *as_flags(const char *text)
{
    char *to = phrase("%s", "");
    const char *named = text;   /* a word that may name an option without an underscore */
    char before = ' ';
    size_t used = 0, length;
    for (const char *p = text; *p && used + 1 < PHRASE_MAX; p += length) {
        length = before == ' ' || before == '\'' || before == '(' ? word_length(p) : 0;
        int leading = (p == named && (p > text || names_option(p, length))) ||
                      (used >= 4 && strcmp(to + used - 4, "try ") == 0);
        int quoted = before == '\'' && p[length] == '\'';
        int underscore = memchr(p, '_', length) && p[length] != '.';
        const option *opt = length > 0 && (leading || quoted || underscore) ? find_field(p, length) : NULL;
        if (length == 0)
            length = 1;
        else if (leading && opt && strncmp(p + length, " and ", 5) == 0)
            named = p + length + 5;
        if (opt)
            snprintf(to + used, PHRASE_MAX - used, "--%s", opt->name);
        else
            snprintf(to + used, PHRASE_MAX - used, "%.*s", (int)length, p);
        used += strlen(to + used);
        before = p[length - 1];
    }
    return to;
}

/* ---- conflicts ---- */

int given(const char *name)
{
    return place_of(name) < args.given_count;
}

int is_plain(const char *word)
{
    return !strpbrk(word, " '\"()<>|&;$*?#\\");
}

/* Print a word so that a shell reads it as one. */
static void print_word(FILE *to, const char *word)
{
    if (is_plain(word)) {
        fputs(word, to);
        return;
    }
    fputc('\'', to);
    for (; *word; word++)
        if (*word == '\'')
            fputs("'\\''", to);
        else
            fputc(*word, to);
    fputc('\'', to);
}

char *options_text(const char *begin, const char *except)
{
    char *text = NULL;
    size_t size = 0;
    option_cursor at = options_begin(args.command);
    FILE *to = open_memstream(&text, &size);
    if (!to)
        return NULL;
    fputs(begin, to);
    for (const option *opt; (opt = options_next(&at)) && !at.common;)
        if (given(opt->name) && !is_among(opt->name, strlen(opt->name), except)) {
            fprintf(to, " --%s%s", opt->name, opt->argument ? " " : "");
            print_word(to, args.values[place_of(opt->name)]);
        }
    return fclose(to) == 0 ? rwa_text_make_visible(text) : NULL;
}

/* Refuse the first given option that is among `names`, words separated by blanks; if `others` is 1, the first that is
 * not among them.  The message is "--NAME: why".  Return 0, or EXIT_BAD_INPUT after it. */
static int refuse(const char *names, int others, const char *why)
{
    for (size_t i = 0; i < args.given_count; i++)
        if (is_among(args.given[i], strlen(args.given[i]), names) == !others)
            return BAD_INPUT("--%s: %s", args.given[i], why);
    return 0;
}

int refuse_given(const char *names, const char *why)
{
    return refuse(names, 0, why);
}

int refuse_others(const char *names, const char *why)
{
    return refuse(phrase("quiet verbose memory-limit %s", names), 1, why);
}
