/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Reads SNDlib's native form: SECTION ( entries ).  Blanks and parentheses separate words; a comment runs from # to
 *  the end of the line. */
#include "network/files/sndlib.h"

#include "base/base.h"
#include "base/number.h"

struct scanner {
    char *at;
    size_t line;
    const char *file;
    char stashed;       /* a parenthesis that ended the last word */
    char *word;         /* the last word read; "(" and ")" are words */
    rwa_error *err;
};

static rwa_status wrong(const struct scanner *s, const char *expected)
{
    return base_fail(s->err, RWA_FORMAT, "%s:%zu: %s%.64s%s, expected %s", s->file, s->line, s->word ? "\"" : "",
                     s->word ? s->word : "the file ends", s->word ? "\"" : "", expected);
}

static void skip_blanks(struct scanner *s)
{
    for (;; s->at++) {
        if (*s->at == '#')
            while (*s->at && *s->at != '\n')
                s->at++;
        if (*s->at == '\n')
            s->line++;
        else if (*s->at != ' ' && *s->at != '\t' && *s->at != '\r')
            return;
    }
}

/** Read the next word into s->word; it is NULL at the end of the file. */
static void next_word(struct scanner *s)
{
    static char open_word[] = "(", close_word[] = ")";
    char c = s->stashed;
    s->stashed = '\0';
    if (!c) {
        skip_blanks(s);
        c = *s->at;
        if (c == '(' || c == ')')
            s->at++;
    }
    if (c == '(' || c == ')') {
        s->word = c == '(' ? open_word : close_word;
        return;
    }
    s->word = c ? s->at : NULL;
    size_t length = strcspn(s->at, " \t\r\n()#");
    s->at += length;
    c = *s->at;
    if (c == '(' || c == ')')
        s->stashed = c;
    if (c == '#') { /* keep the comment's start for skip_blanks() */
        *s->at++ = '\0';
        while (*s->at && *s->at != '\n')
            s->at++;
    } else if (c) {
        if (c == '\n')
            s->line++;
        *s->at++ = '\0';
    }
}

static bool is_word(const struct scanner *s, const char *text)
{
    return s->word && strcmp(s->word, text) == 0;
}

/** Read a word that must not be a parenthesis; `expected` describes it in the error message. */
static rwa_status take_name(struct scanner *s, const char *expected, const char **name)
{
    next_word(s);
    *name = s->word;
    return !s->word || is_word(s, "(") || is_word(s, ")") ? wrong(s, expected) : RWA_OK;
}

static rwa_status take_mark(struct scanner *s, const char *mark)
{
    next_word(s);
    return is_word(s, mark) ? RWA_OK : wrong(s, mark[0] == '(' ? "\"(\"" : "\")\"");
}

static rwa_status take_number(struct scanner *s, const char *expected, double *number)
{
    const char *text = NULL;
    char *end = NULL;
    MUST(take_name(s, expected, &text));
    *number = number_read(text, &end);
    return end == text || *end || !isfinite(*number) ? wrong(s, expected) : RWA_OK;
}

/** Read a number that must not be negative. */
static rwa_status take_amount(struct scanner *s, const char *expected, double *number)
{
    rwa_status st = take_number(s, expected, number);
    return st == RWA_OK && *number < 0 ? wrong(s, expected) : st;
}

/** Skip the rest of a group whose opening parenthesis has been read.  If unit_bps is given, set it from the words "unit
 *  = MBITPERSEC" in the group. */
static rwa_status skip_group(struct scanner *s, double *unit_bps)
{
    for (size_t depth = 1; depth > 0;) {
        next_word(s);
        if (unit_bps && is_word(s, "unit")) {
            next_word(s);
            if (is_word(s, "="))
                next_word(s);
            *unit_bps = s->word ? sndlib_unit(s->word) : 0;
        }
        if (!s->word)
            return wrong(s, "\")\"");
        depth += is_word(s, "(");
        depth -= is_word(s, ")");
    }
    return RWA_OK;
}

/** Read the two end nodes of a link or demand: "( from to )". */
static rwa_status take_ends(struct scanner *s, struct sndlib_item *item)
{
    MUST(take_mark(s, "("));
    MUST(take_name(s, "a node", &item->from));
    MUST(take_name(s, "a node", &item->to));
    return take_mark(s, ")");
}

/** Read the position of a node: "( x y )". */
static rwa_status take_position(struct scanner *s, struct sndlib_item *item)
{
    MUST(take_mark(s, "("));
    MUST(take_number(s, "a coordinate", &item->x));
    MUST(take_number(s, "a coordinate", &item->y));
    return take_mark(s, ")");
}

/** Read the capacities and costs of a link, which are checked but not used: pre-installed capacity, its cost, routing
 *  cost, setup cost, ( {module capacity, module cost}* ). */
static rwa_status take_capacities(struct scanner *s)
{
    static const char *const costs[] = {"a cost", "a routing cost", "a setup cost"};
    double number = 0;
    MUST(take_amount(s, "a capacity that is not negative", &number));
    for (size_t i = 0; i < 3; i++)
        MUST(take_number(s, costs[i], &number));
    MUST(take_mark(s, "("));
    for (;;) {
        skip_blanks(s);
        if (s->stashed == ')' || (!s->stashed && *s->at == ')'))
            break;
        MUST(take_amount(s, "a module capacity that is not negative, or \")\"", &number));
        MUST(take_number(s, "a module cost", &number));
    }
    return take_mark(s, ")");
}

/** Read the size of a demand: routing unit, demand value, and longest path (a number or UNLIMITED). */
static rwa_status take_value(struct scanner *s, struct sndlib_item *item)
{
    const char *longest = NULL;
    double unit = 0, value = 0;
    MUST(take_amount(s, "a routing unit that is not negative", &unit));
    MUST(take_amount(s, "a demand that is not negative", &value));
    MUST(take_name(s, "a longest path or UNLIMITED", &longest));
    item->value = unit * value;
    return RWA_OK;
}

/** Read the entries of a section up to its closing parenthesis, and pass each one to `take`. */
static rwa_status read_entries(struct scanner *s, enum sndlib_kind kind, double unit_bps, sndlib_take take, void *data)
{
    MUST(take_mark(s, "("));
    next_word(s);
    while (!is_word(s, ")")) {
        struct sndlib_item item = {.kind = kind, .line = s->line, .id = s->word, .unit_bps = unit_bps};
        if (!s->word || is_word(s, "(")) MUST(wrong(s, "an id or \")\""));
        MUST(kind == SNDLIB_NODE ? take_position(s, &item) : take_ends(s, &item));
        if (kind == SNDLIB_LINK)
            MUST(take_capacities(s));
        if (kind == SNDLIB_DEMAND)
            MUST(take_value(s, &item));
        MUST(take(data, &item, s->err));
        next_word(s);
        while (is_word(s, "(")) { /* optional parts of later versions */
            MUST(skip_group(s, NULL));
            next_word(s);
        }
    }
    return RWA_OK;
}

double sndlib_unit(const char *name)
{
    static const struct {
        const char *name;
        double bps;
    } units[] = {{"KBITPERSEC", 1e3}, {"MBITPERSEC", 1e6}, {"GBITPERSEC", 1e9}, {"TBITPERSEC", 1e12}};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strcmp(units[i].name, name) == 0)
            return units[i].bps;
    return 0;
}

bool sndlib_is_native(const char *text)
{
    return strncmp(text, "?SNDlib", 7) == 0;
}

rwa_status sndlib_read_native(char *text, const char *file, sndlib_take take, void *data, rwa_error *err)
{
    struct scanner s = {.at = text + strcspn(text, "\n"), .line = 1, .file = file, .err = err};
    double unit_bps = 0;
    if (!strstr(text, "type: network") || strstr(text, "type: network") > s.at)
        return base_fail(err, RWA_FORMAT, "%s:1: expected \"?SNDlib native format; type: network; version: 1.0\"",
                         file);
    for (next_word(&s); s.word; next_word(&s)) {
        if (is_word(&s, "NODES"))
            MUST(read_entries(&s, SNDLIB_NODE, 0, take, data));
        else if (is_word(&s, "LINKS"))
            MUST(read_entries(&s, SNDLIB_LINK, 0, take, data));
        else if (is_word(&s, "DEMANDS"))
            MUST(read_entries(&s, SNDLIB_DEMAND, unit_bps, take, data));
        else if (is_word(&s, "(") || is_word(&s, ")"))
            MUST(wrong(&s, "the name of a section"));
        else {  /* of META ( granularity = … unit = MBITPERSEC origin = many words … ) only the unit matters */
            double *unit = is_word(&s, "META") ? &unit_bps : NULL;
            MUST(take_mark(&s, "("));
            MUST(skip_group(&s, unit));
        }
    }
    return RWA_OK;
}
