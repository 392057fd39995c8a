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

/** Read the next word into s->word, NULL at the end of the file. */
static void next_word(struct scanner *s)
{
    static char open_word[] = "(", close_word[] = ")";
    char c = s->stashed;
    s->stashed = '\0';
    for (; !c && *s->at && strchr(" \t\r\n", *s->at); s->at++)
        s->line += *s->at == '\n';
    if (!c && (*s->at == '(' || *s->at == ')'))
        c = *s->at++;
    if (c) {
        s->word = c == '(' ? open_word : close_word;
        return;
    }
    s->word = *s->at ? s->at : NULL;
    s->at += strcspn(s->at, " \t\r\n()");
    s->line += *s->at == '\n';
    if (*s->at == '(' || *s->at == ')')
        s->stashed = *s->at;
    if (*s->at)
        *s->at++ = '\0';
}

static bool is_word(const struct scanner *s, const char *text)
{
    return s->word && strcmp(s->word, text) == 0;
}

static rwa_status take_mark(struct scanner *s, const char *mark)
{
    next_word(s);
    return is_word(s, mark) ? RWA_OK : wrong(s, mark[0] == '(' ? "\"(\"" : "\")\"");
}

/** Skip the rest of a group in parentheses whose opening parenthesis has been read.  If it names a unit, as in "unit =
 *  MBITPERSEC", set *unit_bps to the bit rate of the unit; 0: the unit is unknown.  unit_bps may be NULL. */
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

/** The words after the id of an entry, by kind of entry: a parenthesis, a name, a number, an amount (a number of at
 *  least 0), or any number of modules (an amount and a number each).  Capacities and costs of links are checked but not
 *  used. */
static const struct part {
    enum { END, MARK, NAME, NUMBER, AMOUNT, MODULE, MODULE_COST } kind;
    const char *expected;
} parts[][13] = {
    [SNDLIB_NODE] = {{MARK, "("}, {NUMBER, "a coordinate"}, {NUMBER, "a coordinate"}, {MARK, ")"}},
    [SNDLIB_LINK] = {{MARK, "("}, {NAME, "a node"}, {NAME, "a node"}, {MARK, ")"},
                     {AMOUNT, "a capacity that is not negative"}, {NUMBER, "a cost"}, {NUMBER, "a routing cost"},
                     {NUMBER, "a setup cost"}, {MARK, "("},
                     {MODULE, "a module capacity that is not negative, or \")\""},
                     {MODULE_COST, "a module cost"}},
    [SNDLIB_DEMAND] = {{MARK, "("}, {NAME, "a node"}, {NAME, "a node"}, {MARK, ")"},
                       {AMOUNT, "a routing unit that is not negative"}, {AMOUNT, "a demand that is not negative"},
                       {NAME, "a longest path or UNLIMITED"}},
};

static rwa_status take_entry(struct scanner *s, struct sndlib_item *item)
{
    const char *name[4];
    double number[3] = {0};
    size_t names = 0, numbers = 0;
    for (const struct part *part = parts[item->kind]; part->kind != END; part++) {
        if (part->kind == MARK) {
            MUST(take_mark(s, part->expected));
            continue;
        }
        next_word(s);
        if (part->kind == MODULE && is_word(s, ")"))
            break;
        if (!s->word || is_word(s, "(") || is_word(s, ")"))
            return wrong(s, part->expected);
        if (part->kind == NAME) {
            name[names++] = s->word;
            continue;
        }
        if (!number_is(s->word, &number[numbers]) || !isfinite(number[numbers]) ||
            ((part->kind == AMOUNT || part->kind == MODULE) && number[numbers] < 0))
            return wrong(s, part->expected);
        numbers += numbers < 2;
        part -= part->kind == MODULE_COST ? 2 : 0;
    }
    if (item->kind == SNDLIB_NODE) {
        item->x = number[0];
        item->y = number[1];
        return RWA_OK;
    }
    item->from = name[0];
    item->to = name[1];
    item->value = number[0] * number[1];
    return RWA_OK;
}

/** Read the entries of a section up to its closing parenthesis, and pass each one to `take`, with `data`.  kind,
 *  unit_bps: what the section lists, and the bit rate of its unit; they go into each entry. */
static rwa_status read_entries(struct scanner *s, enum sndlib_kind kind, double unit_bps, sndlib_take take, void *data)
{
    MUST(take_mark(s, "("));
    next_word(s);
    while (!is_word(s, ")")) {
        struct sndlib_item item = {.kind = kind, .line = s->line, .id = s->word, .unit_bps = unit_bps};
        if (!s->word || is_word(s, "(")) MUST(wrong(s, "an id or \")\""));
        MUST(take_entry(s, &item));
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
    for (char *p = s.at; (p = strchr(p, '#'));)     /* comments become blanks */
        p = memset(p, ' ', strcspn(p, "\n"));
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
