/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "option.h"

#include "suggest.h"
#include "wrap.h"

#include <ctype.h>

static const option common_options[] = {
    {"quiet", 'q', NULL, "no progress", NULL, IS_FLAG(common, quiet)},
    {"verbose", 'v', NULL, "say more", NULL, IS_FLAG(common, verbose)},
    {"memory-limit", 0, "SIZE", "most memory to take, as 2GiB", "what is free", IS_SIZE(common, memory_limit)},
    {"help", 'h', NULL, "this text", NULL, IS_FLAG(common, help)},
    {0}};
static const option_group common_group[] = {{common_options, 0, NULL}, {NULL, 0, NULL}};

/* The command that runs, for messages of the library that name its options. */
static const command *running;

/* ---- going through tables ---- */

option_cursor options_begin(const command *c)
{
    assert(c->groups != NULL);
    return (option_cursor){c->groups, c->groups->options, 0};
}

/* The next option and, in *base, where its struct begins; NULL at the end. */
static const option *next_option(option_cursor *at, size_t *base)
{
    while (at->next == NULL || at->next->name == NULL) {
        if (at->next != NULL)
            at->group++;
        else if (at->common++ == 0)
            at->group = common_group;
        else
            return NULL;
        at->next = at->group->options;
    }
    *base = at->group->base;
    return at->next++;
}

const option *options_next(option_cursor *at)
{
    size_t base;
    return next_option(at, &base);
}

/* "--name" or "-x", "-xVALUE" of `length` letters. */
static int is_called(const option *opt, const char *word, size_t length)
{
    if (word[1] == '-')
        return strlen(opt->name) == length - 2 && strncmp(opt->name, word + 2, length - 2) == 0;
    return opt->letter != 0 && opt->letter == word[1] && (length == 2 || opt->argument != NULL);
}

static const option *find_option(const command *c, const char *word, size_t length, size_t *base)
{
    option_cursor at = options_begin(c);
    const option *opt;
    while ((opt = next_option(&at, base)) != NULL && !is_called(opt, word, length))
        ;
    return opt;
}

/* ---- parsing ---- */

static int unexpected(const command *c, const char *word)
{
    size_t base;
    const option *network = find_option(c, "--network", strlen("--network"), &base);
    int meant = network != NULL && strchr(word, ':') != NULL && strncmp(network->argument, "SPEC", 4) == 0;
    return fail(EXIT_BAD_INPUT, "unexpected '%s'%s%s; see rwa %s --help", word, meant ? ", expected --network " : "",
                meant ? word : "", c->name);
}

/* "; assign, traffic and others have it", up to three other commands with the option, or "". */
static const char *others_with(const char *word, size_t length, char *text, size_t size)
{
    size_t used = 0, count = 0, base;
    text[0] = '\0';
    for (size_t i = 0; all_commands[i] != NULL && word[1] == '-'; i++)
        if (find_option(all_commands[i], word, length, &base) != NULL && count++ < 3)
            used += (size_t)snprintf(text + used, size - used, "%s%s", count == 1 ? "; " : ", ", all_commands[i]->name);
    assert(used + 32 < size);
    if (count > 0)
        snprintf(text + used, size - used, "%s", count > 3 ? " and others have it" : count > 1 ? " have it" : " has it");
    return text;
}

static int unknown_option(const command *c, const char *word, size_t length)
{
    suggestion near;
    char question[SUGGEST_TEXT];
    option_cursor at = options_begin(c);
    size_t base;
    suggest_init(&near, word + 2, word[1] == '-' ? length - 2 : 0);
    for (const option *opt; (opt = next_option(&at, &base)) != NULL;)
        suggest_try(&near, opt->name);
    suggest_question(&near, "--", question, sizeof question);
    if (question[0] == '\0')
        others_with(word, length, question, sizeof question);
    return fail(EXIT_BAD_INPUT, "unknown option %.*s%s; see rwa %s --help", (int)(length < 200 ? length : 200), word, question, c->name);
}

static int take_operand(common *o, const command *c, const char *word)
{
    size_t i = 0;
    assert(c->operands <= OPERANDS_MAX);
    while (i < c->operands && o->operands[i] != NULL)
        i++;
    if (i == c->operands)
        return unexpected(c, word);
    o->operands[i] = word;
    return 0;
}

static void note_given(common *c, const char *name, const char *value)
{
    size_t i = 0;
    while (i < c->given_count && strcmp(c->given[i], name) != 0)
        i++;
    assert(i < GIVEN_MAX);
    c->given[i] = name;
    c->values[i] = value != NULL ? value : "";
    c->given_count += i == c->given_count;
}

/* Take argv[*i], and the value behind it where it has one. */
static int take_option(void *options, const command *c, int *i, int argc, char **argv)
{
    const char *word = argv[*i], *equals = word[1] == '-' ? strchr(word, '=') : NULL;
    size_t length = equals != NULL ? (size_t)(equals - word) : strlen(word), base;
    const option *opt = find_option(c, word, length, &base);
    if (opt == NULL)
        return unknown_option(c, word, length);
    const char *value = equals != NULL ? equals + 1 : NULL;
    if (word[1] != '-' && word[2] != '\0')
        value = word + 2 + (word[2] == '=');    /* -w2 */
    if (opt->argument == NULL && value != NULL)
        return fail(EXIT_BAD_INPUT, "option --%s takes no value", opt->name);
    if (opt->argument != NULL && value == NULL) {
        if (*i + 1 == argc)
            return fail(EXIT_BAD_INPUT, "option --%s needs %s, see rwa %s --help", opt->name, opt->argument, c->name);
        value = argv[++*i];
    }
    assert(base + opt->offset < c->size);
    int code = opt->read((char *)options + base + opt->offset, opt, value);
    if (code == 0)
        note_given(options, opt->name, value);
    return code;
}

#ifndef NDEBUG
/* Every option has a reader, help and a place inside the command's struct, and its name once. */
static int options_check(const command *c)
{
    option_cursor at = options_begin(c);
    size_t base, other;
    for (const option *opt; (opt = next_option(&at, &base)) != NULL;) {
        char word[64];
        int length = snprintf(word, sizeof word, "--%s", opt->name);
        assert(length > 2 && (size_t)length < sizeof word && find_option(c, word, (size_t)length, &other) == opt);
        assert(opt->read != NULL && opt->help != NULL && base == other && base + opt->offset < c->size);
    }
    return 1;
}
#endif

int options_parse(void *options, const command *c, int argc, char **argv)
{
    common *o = options;
    int only_operands = 0, code = 0;
    assert(options_check(c));
    memset(options, 0, c->size);
    o->command = running = c;
    for (const option_group *g = c->groups; g->options != NULL; g++)
        if (g->init != NULL)
            g->init((char *)options + g->base);
    for (int i = 2; i < argc && code == 0 && !o->help; i++) {
        if (!only_operands && strcmp(argv[i], "--") == 0)
            only_operands = 1;
        else if (only_operands || argv[i][0] != '-' || argv[i][1] == '\0')
            code = take_operand(o, c, argv[i]);
        else
            code = take_option(options, c, &i, argc, argv);
    }
    return code;
}

/* ---- help ---- */

void options_help(const command *c)
{
    wrap wrapped;
    FILE *to = wrap_open(&wrapped, stdout);
    option_cursor at = options_begin(c);
    size_t base;
    fprintf(to, "\nOptions (in parentheses: what holds without them):\n");
    for (const option *opt; (opt = next_option(&at, &base)) != NULL;) {
        char left[64];
        int used = opt->letter != 0 ? snprintf(left, sizeof left, "-%c, ", opt->letter) : snprintf(left, sizeof left, "    ");
        snprintf(left + used, sizeof left - (size_t)used, "--%s %s", opt->name, opt->argument != NULL ? opt->argument : "");
        fprintf(to, "  %-27s  %s", left, opt->help);
        fprintf(to, opt->preset != NULL ? " (%s)\n" : "\n", opt->preset);
    }
    wrap_close(&wrapped, 31, WRAP_PROSE);
    if (c->more_help != NULL)
        c->more_help();
}

/* ---- fields of the library ---- */

/* Whether a word is the library's name for an option. */
static int is_field(const option *opt, const char *word, size_t length)
{
    for (const char *p = opt->field; p != NULL; p = strchr(p, ' ') != NULL ? strchr(p, ' ') + 1 : NULL)
        if (strcspn(p, " ") == length && strncmp(p, word, length) == 0)
            return 1;
    if (opt->field != NULL || strlen(opt->name) != length)
        return 0;
    for (size_t i = 0; i < length; i++)
        if (word[i] != (opt->name[i] == '-' ? '_' : opt->name[i]))
            return 0;
    return 1;
}

static const option *find_field(const char *word, size_t length)
{
    size_t base;
    const option *opt;
    if (running == NULL)
        return NULL;
    option_cursor at = options_begin(running);
    while ((opt = next_option(&at, &base)) != NULL && !is_field(opt, word, length))
        ;
    return opt;
}

static size_t word_length(const char *text)
{
    size_t length = 0;
    while (islower((unsigned char)text[length]) || text[length] == '_')
        length++;
    return length;
}

/* "radix", "radix 4" or "radix and ..." before a colon names the option; elsewhere radix is a word. */
static int names_option(const char *text, size_t length)
{
    const char *p = text + length;
    if (strncmp(p, " and ", 5) == 0)
        return find_field(p + 5, word_length(p + 5)) != NULL;
    if (*p == ' ')
        p += 1 + strcspn(p + 1, " :");
    return *p == ':';
}

const char *fields_as_flags(char *to, size_t size, const char *text)
{
    size_t used = 0, length;
    int leading = 1, and_next = 0;
    char before = ' ';
    for (const char *p = text; *p != '\0' && used + 1 < size; p += length) {
        length = before == ' ' || before == '\'' || before == '(' ? word_length(p) : 0;
        int underscore = length > 0 && memchr(p, '_', length) != NULL && p[length] != '.';
        int quoted = before == '\'' && p[length] == '\'';
        leading = length > 0 && ((leading && names_option(p, length)) || and_next);
        const option *opt = length > 0 && (underscore || leading || quoted) ? find_field(p, length) : NULL;
        if (length == 0)
            length = 1;
        int n = opt != NULL ? snprintf(to + used, size - used, "--%s", opt->name)
                            : snprintf(to + used, size - used, "%.*s", (int)length, p);
        used += (size_t)n < size - used ? (size_t)n : size - used - 1;
        before = p[length - 1];
        and_next = leading && opt != NULL && strncmp(p + length, " and ", 5) == 0;
        if (and_next) {
            used += (size_t)snprintf(to + used, size - used, " and ");
            used = used < size ? used : size - 1;
            length += 5;
            before = ' ';
        }
    }
    to[used] = '\0';
    return to;
}

/* ---- conflicts ---- */

static int is_among(const char *name, const char *const *names)
{
    while (*names != NULL && strcmp(*names, name) != 0)
        names++;
    return *names != NULL;
}

int option_given(const common *c, const char *name)
{
    for (size_t i = 0; i < c->given_count; i++)
        if (strcmp(c->given[i], name) == 0)
            return 1;
    return 0;
}

void options_print(FILE *to, const common *c, const char *const *except)
{
    option_cursor at = options_begin(c->command);
    for (const option *opt; (opt = options_next(&at)) != NULL && !at.common;)
        for (size_t i = 0; i < c->given_count; i++)
            if (strcmp(c->given[i], opt->name) == 0 && !is_among(opt->name, except))
                fprintf(to, " --%s %s", opt->name, c->values[i]);
}

int refuse_given(const common *c, const char *const *names, const char *why)
{
    for (size_t i = 0; i < c->given_count; i++)
        if (is_among(c->given[i], names))
            return fail(EXIT_BAD_INPUT, "--%s: %s", c->given[i], why);
    return 0;
}

int refuse_others(const common *c, const char *const *names, const char *why)
{
    for (size_t i = 0; i < c->given_count; i++)
        if (!is_among(c->given[i], names) && !is_among(c->given[i], NAMES("quiet", "verbose", "memory-limit")))
            return fail(EXIT_BAD_INPUT, "--%s: %s", c->given[i], why);
    return 0;
}
