/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "schedule/scan.h"

#include "base/base.h"
#include "schedule/schedule.h"

enum { NESTING_MAX = 512, WORD_MAX = 16 };

enum member { STEP, SRC, DST, DIR, FIBER, WAVELENGTH, BLOCK, OP, ORBIT, PERIOD, BLOCKS, TAPS, PATH, RUNS, MEMBERS };

/** Names, most of them in their order in the files of this library. */
static const char *const member_names[MEMBERS] = {"step",  "src", "dst",   "dir",    "fiber",  "wavelength", "block",
                                                  "op",    "orbit", "period", "blocks", "taps",   "path", "runs"};
static const uint8_t name_lengths[MEMBERS] = {4, 3, 3, 3, 5, 10, 5, 2, 5, 6, 6, 4, 4, 4};

struct scan {
    const char *p;
    const char *end;
    const struct line *line;
    const struct scan_rules *rules;
    struct scan_lists *lists;
    unsigned next;      /* the member that is likely next: the one after the last in the order of names */
    rwa_error *err;
};

/** A short string, decoded.  A longer one keeps only its length: no word of the format is that long. */
struct word {
    char text[WORD_MAX];
    size_t length;
};

static rwa_status bad(struct scan *s, const char *expected)
{
    unsigned long long number = s->line->number;
    if (s->p == s->end && s->line->open)
        return base_fail(s->err, RWA_FORMAT, "%s:%llu: the last line is cut short, expected %s", s->line->file, number, expected);
    return base_fail(s->err, RWA_FORMAT, "%s:%llu: column %zu: expected %s", s->line->file, number,
                     (size_t)(s->p - s->line->text) + 1, expected);
}

static rwa_status bad_member(struct scan *s, enum member m, const char *what)
{
    return base_fail(s->err, RWA_FORMAT, "%s:%llu: \"%s\": %s", s->line->file, (unsigned long long)s->line->number, member_names[m], what);
}

static void skip_space(struct scan *s)
{
    while (s->p < s->end && (*s->p == ' ' || *s->p == '\t' || *s->p == '\r' || *s->p == '\n'))
        s->p++;
}

static bool at(const struct scan *s, char c)
{
    return s->p < s->end && *s->p == c;
}

static bool take(struct scan *s, char c)
{
    if (!at(s, c))
        return false;
    s->p++;
    return true;
}

/** After an item of a list: *more is false at its end. */
static rwa_status next_item(struct scan *s, char close, const char *expected, bool *more)
{
    assert(s->p <= s->end);
    skip_space(s);
    *more = !take(s, close);
    return *more && !take(s, ',') ? bad(s, expected) : RWA_OK;
}

static bool at_digit(const struct scan *s)
{
    return s->p < s->end && *s->p >= '0' && *s->p <= '9';
}

static void put(struct word *w, unsigned char c)
{
    if (w->length < WORD_MAX)
        w->text[w->length] = (char)c;
    w->length++;
}

static void put_code(struct word *w, unsigned code)
{
    if (code < 0x80) {
        put(w, (unsigned char)code);
        return;
    }
    if (code < 0x800) {
        put(w, (unsigned char)(0xC0 | code >> 6));
    } else {
        if (code < 0x10000) {
            put(w, (unsigned char)(0xE0 | code >> 12));
        } else {
            put(w, (unsigned char)(0xF0 | code >> 18));
            put(w, (unsigned char)(0x80 | (code >> 12 & 0x3F)));
        }
        put(w, (unsigned char)(0x80 | (code >> 6 & 0x3F)));
    }
    put(w, (unsigned char)(0x80 | (code & 0x3F)));
}

static rwa_status scan_hex(struct scan *s, unsigned *out)
{
    static const char digits[] = "0123456789abcdefABCDEF";
    *out = 0;
    for (int i = 0; i < 4; i++, s->p++) {
        const char *d = s->p < s->end && *s->p ? strchr(digits, *s->p) : NULL;
        if (!d)
            return bad(s, "four hexadecimal digits");
        unsigned value = (unsigned)(d - digits);
        *out = *out * 16 + (value < 16 ? value : value - 6);
    }
    return RWA_OK;
}

/** After "\u": one code, or a pair of surrogates; one alone is an error. */
static rwa_status scan_code(struct scan *s, struct word *w)
{
    unsigned code = 0, low = 0;
    MUST(scan_hex(s, &code));
    if (code >= 0xDC00 && code <= 0xDFFF)
        return bad(s, "the first half of a surrogate pair before the second");
    if (code >= 0xD800 && code <= 0xDBFF) {
        if (!take(s, '\\') || !take(s, 'u'))
            return bad(s, "the second half of a surrogate pair");
        MUST(scan_hex(s, &low));
        if (low < 0xDC00 || low > 0xDFFF)
            return bad(s, "the second half of a surrogate pair");
        code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
    }
    put_code(w, code);
    return RWA_OK;
}

static rwa_status scan_escape(struct scan *s, struct word *w)
{
    static const char names[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";
    if (take(s, 'u'))
        return scan_code(s, w);
    const char *name = s->p < s->end && *s->p ? strchr(names, *s->p) : NULL;
    if (!name)
        return bad(s, "an escape of JSON");
    s->p++;
    put(w, (unsigned char)values[name - names]);
    return RWA_OK;
}

/** One character beyond ASCII: refuses overlong forms, surrogates and anything above U+10FFFF. */
static rwa_status scan_utf8(struct scan *s, struct word *w)
{
    unsigned lead = (unsigned char)*s->p;
    int more = lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : 1;
    static const unsigned least[] = {0, 0x80, 0x800, 0x10000};
    unsigned code = lead & (0x3Fu >> more);
    if (lead < 0xC2 || lead > 0xF4)
        return bad(s, "UTF-8");
    s->p++;
    for (int i = 0; i < more; i++, s->p++) {
        if (s->p == s->end || ((unsigned char)*s->p & 0xC0) != 0x80)
            return bad(s, "UTF-8");
        code = code << 6 | ((unsigned char)*s->p & 0x3Fu);
    }
    if (code < least[more] || code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF))
        return bad(s, "UTF-8");
    put_code(w, code);
    return RWA_OK;
}

static rwa_status scan_string(struct scan *s, struct word *w)
{
    w->length = 0;
    if (!take(s, '"'))
        return bad(s, "a string");
    while (!take(s, '"')) {
        if (s->p == s->end)
            return bad(s, "the end of a string");
        unsigned char c = (unsigned char)*s->p;
        if (c < 0x20)
            return bad(s, "no control character in a string");
        if (c >= 0x80) {
            MUST(scan_utf8(s, w));
        } else {
            s->p++;
            if (c == '\\')
                MUST(scan_escape(s, w));
            else
                put(w, c);
        }
    }
    return RWA_OK;
}

static bool word_is(const struct word *w, const char *text)
{
    size_t length = strlen(text);
    return w->length == length && memcmp(w->text, text, length) == 0;
}

static rwa_status scan_digits(struct scan *s)
{
    if (!at_digit(s))
        return bad(s, "a digit");
    while (at_digit(s))
        s->p++;
    return RWA_OK;
}

static rwa_status scan_number(struct scan *s, bool *integer)
{
    *integer = true;
    take(s, '-');
    if (take(s, '0')) {
        if (at_digit(s))
            return bad(s, "a number without leading zeros");
    } else {
        MUST(scan_digits(s));
    }
    if (take(s, '.')) {
        *integer = false;
        MUST(scan_digits(s));
    }
    if (take(s, 'e') || take(s, 'E')) {
        *integer = false;
        if (!take(s, '+'))
            take(s, '-');
        MUST(scan_digits(s));
    }
    return RWA_OK;
}

static rwa_status scan_literal(struct scan *s, const char *text)
{
    for (; *text; text++)
        if (!take(s, *text))
            return bad(s, "true, false or null");
    return RWA_OK;
}

static rwa_status skip_value(struct scan *s, int depth);

/** The members of an unknown object or array; the opening bracket has been taken. */
static rwa_status skip_members(struct scan *s, char close, int depth)
{
    struct word key;
    skip_space(s);
    if (take(s, close))
        return RWA_OK;
    for (bool more = true; more;) {
        skip_space(s);
        if (close == '}') {
            MUST(scan_string(s, &key));
            skip_space(s);
            if (!take(s, ':'))
                return bad(s, "a colon");
        }
        MUST(skip_value(s, depth));
        MUST(next_item(s, close, "a comma or a closing bracket", &more));
    }
    return RWA_OK;
}

static rwa_status skip_value(struct scan *s, int depth)
{
    struct word ignored;
    bool integer = false;
    skip_space(s);
    if (s->p == s->end)
        return bad(s, "a value");
    /* The stack is finite; a file must not be able to exhaust it. */
    if (depth >= NESTING_MAX)
        return bad(s, "values nested less deeply");
    switch (*s->p) {
    case '"':
        return scan_string(s, &ignored);
    case '{':
        s->p++;
        return skip_members(s, '}', depth + 1);
    case '[':
        s->p++;
        return skip_members(s, ']', depth + 1);
    case 't':
        return scan_literal(s, "true");
    case 'f':
        return scan_literal(s, "false");
    case 'n':
        return scan_literal(s, "null");
    default:
        if (!at_digit(s) && !at(s, '-'))
            return bad(s, "a value");
        return scan_number(s, &integer);
    }
}

/** The value of a run of digits, or max when it is larger. */
static uint64_t saturated(const char *p, const char *end, uint64_t max)
{
    uint64_t value = 0;
    for (; p < end; p++) {
        unsigned digit = (unsigned)(*p - '0');
        if (value > (max - digit) / 10)
            return max;
        value = value * 10 + digit;
    }
    return value;
}

static rwa_status scan_integer(struct scan *s, enum member m, uint64_t max, uint64_t *out)
{
    bool integer = false;
    const char *start = s->p;
    if (s->p == s->end)
        return bad(s, "a value");
    if (!at_digit(s) && !at(s, '-'))
        return bad_member(s, m, "expected a non-negative integer");
    MUST(scan_number(s, &integer));
    bool negative = *start == '-';
    *out = saturated(start + negative, s->p, max);
    /* -0 is a way to write 0. */
    return !integer || (negative && *out != 0) ? bad_member(s, m, "expected a non-negative integer") : RWA_OK;
}

static rwa_status scan_u32(struct scan *s, enum member m, uint32_t *out)
{
    uint64_t value = 0;
    rwa_status st = scan_integer(s, m, UINT32_MAX, &value);
    *out = (uint32_t)value;
    return st;
}

/** One of two words; *second: it is the second. */
static rwa_status scan_choice(struct scan *s, enum member m, const char *a, const char *b, bool *second)
{
    struct word w;
    char what[64] = "expected \"";
    bool text = at(s, '"');
    if (s->p == s->end)
        return bad(s, "a value");
    if (text)
        MUST(scan_string(s, &w));
    *second = text && word_is(&w, b);
    if (!text || (!*second && !word_is(&w, a))) {
        strcat(strcat(strcat(strcat(what, a), "\" or \""), b), "\"");
        return bad_member(s, m, what);
    }
    return RWA_OK;
}

/** An array of integers. */
static rwa_status scan_list(struct scan *s, enum member m, struct scan_list *out)
{
    if (s->p == s->end)
        return bad(s, "a value");
    if (!take(s, '['))
        return bad_member(s, m, "expected an array of integers");
    skip_space(s);
    if (take(s, ']'))
        return bad_member(s, m, "expected at least one entry");
    for (bool more = true; more;) {
        MUST(base_grow((void **)&out->words, &out->capacity, (size_t)out->count + 1, sizeof *out->words, s->err));
        skip_space(s);
        MUST(scan_u32(s, m, &out->words[out->count++]));
        MUST(next_item(s, ']', "a comma or the end of the array", &more));
    }
    return RWA_OK;
}

/** An array of arrays of three integers. */
static rwa_status scan_runs(struct scan *s, struct scan_list *out)
{
    if (!take(s, '['))
        return bad_member(s, RUNS, "expected an array of runs, [first, count, stride] each");
    for (bool more = true; more;) {
        uint32_t before = out->count;
        skip_space(s);
        MUST(scan_list(s, RUNS, out));
        if (out->count != before + 3 || out->words[before + 1] == 0)
            return bad_member(s, RUNS, "expected runs of three integers [first, count, stride], count at least 1");
        MUST(next_item(s, ']', "a comma or the end of the array", &more));
    }
    return RWA_OK;
}

/** Members that not every schedule has. */
static rwa_status scan_special(struct scan *s, enum member m)
{
    if (m == PATH && s->rules->path)
        return scan_list(s, m, &s->lists->path);
    if (m == PATH)
        return bad_member(s, m, "not supported on rings and lines, whose records have a direction");
    if (s->rules->version == 1)
        return bad_member(s, m, "not supported in version 1");
    if (m == RUNS)
        return s->rules->version == 2 ? bad_member(s, m, "not supported in version 2") : scan_runs(s, &s->lists->runs);
    return scan_list(s, m, m == TAPS ? &s->lists->taps : &s->lists->blocks);
}

static rwa_status scan_member(struct scan *s, enum member m, rwa_lightpath *out)
{
    bool second = false;
    rwa_status st = RWA_OK;
    switch (m) {
    case STEP:
        return scan_u32(s, m, &out->step);
    case SRC:
        return scan_u32(s, m, &out->src);
    case DST:
        return scan_u32(s, m, &out->dst);
    case FIBER:
        return scan_u32(s, m, &out->fiber);
    case WAVELENGTH:
        return scan_u32(s, m, &out->wavelength);
    case BLOCK:
        return scan_integer(s, m, UINT64_MAX, &out->block);
    case ORBIT:
        return scan_u32(s, m, &out->orbit);
    case PERIOD:
        return scan_u32(s, m, &out->period);
    case DIR:
        st = scan_choice(s, m, "cw", "ccw", &second);
        out->direction = second ? RWA_CCW : RWA_CW;
        return st;
    case OP:
        st = scan_choice(s, m, "copy", "reduce", &second);
        out->op = second ? RWA_REDUCE : RWA_COPY;
        return st;
    case BLOCKS:
    case RUNS:
    case TAPS:
    case PATH:
    case MEMBERS:
        break;
    }
    return scan_special(s, m);
}

static enum member find_member(const struct word *w)
{
    unsigned m = 0;
    while (m < MEMBERS && !word_is(w, member_names[m]))
        m++;
    return (enum member)m;
}

/** The name of a member, without decoding it where it stands as it is and in the usual order; MEMBERS: another name. */
static rwa_status scan_name(enum member *out, struct scan *s)
{
    struct word key;
    size_t left = (size_t)(s->end - s->p);
    for (unsigned k = 0; k < MEMBERS && left > 0 && *s->p == '"'; k++) {
        unsigned m = (s->next + k) % MEMBERS;
        size_t length = name_lengths[m];
        assert(strlen(member_names[m]) == length);
        if (left > length + 1 && s->p[1 + length] == '"' && memcmp(s->p + 1, member_names[m], length) == 0) {
            s->p += length + 2;
            s->next = m + 1;
            *out = (enum member)m;
            return RWA_OK;
        }
    }
    MUST(scan_string(s, &key));
    *out = find_member(&key);
    return RWA_OK;
}

static rwa_status scan_pair(struct scan *s, unsigned *seen, rwa_lightpath *out)
{
    enum member m;
    MUST(scan_name(&m, s));
    skip_space(s);
    if (!take(s, ':'))
        return bad(s, "a colon");
    skip_space(s);
    if (m == MEMBERS)
        return skip_value(s, 0);
    if (*seen & 1u << m)
        return bad_member(s, m, "given twice");
    *seen |= 1u << m;
    return scan_member(s, m, out);
}

static rwa_status scan_pairs(struct scan *s, unsigned *seen, rwa_lightpath *out)
{
    skip_space(s);
    if (!take(s, '{'))
        return bad(s, "a JSON object");
    skip_space(s);
    for (bool more = !take(s, '}'); more;) {
        skip_space(s);
        MUST(scan_pair(s, seen, out));
        MUST(next_item(s, '}', "a comma or the end of the object", &more));
    }
    skip_space(s);
    return s->p != s->end ? bad(s, "nothing after the object") : RWA_OK;
}

/** The members that every record of this schedule has. */
static rwa_status need_members(struct scan *s, unsigned seen)
{
    for (unsigned m = STEP; m <= BLOCK; m++) {
        unsigned needed = m == DIR && s->rules->path ? 1u << PATH : 1u << m;
        if (m == BLOCK && s->rules->version > 1)
            needed |= 1u << BLOCKS | 1u << RUNS;
        if (!(seen & needed))
            return bad_member(s, needed == 1u << PATH ? PATH : (enum member)m, "missing, expected in every record");
    }
    if (seen & 1u << DIR && s->rules->path)
        return bad_member(s, DIR, "expected only on rings and lines");
    if (seen & 1u << BLOCK && seen & 1u << BLOCKS)
        return bad_member(s, BLOCKS, "expected in place of \"block\", not beside it");
    if (seen & 1u << RUNS && seen & (1u << BLOCK | 1u << BLOCKS))
        return bad_member(s, RUNS, "expected in place of \"block\" and \"blocks\", not beside them");
    return RWA_OK;
}

void scan_release(struct scan_lists *lists)
{
    free_all(lists->path.words, lists->blocks.words, lists->taps.words, lists->runs.words);
}

/** The record has runs in every form of the file. */
static rwa_status blocks_to_runs(struct scan_lists *l, rwa_error *err)
{
    if (l->blocks.count == 0)
        return RWA_OK;
    MUST(base_grow((void **)&l->runs.words, &l->runs.capacity, (size_t)3 * l->blocks.count, sizeof *l->runs.words, err));
    l->runs.count = 3 * runs_of_blocks((rwa_run *)l->runs.words, l->blocks.words, l->blocks.count);
    return RWA_OK;
}

rwa_status scan_record(rwa_lightpath *out, struct scan_lists *lists, const struct line *line,
                       const struct scan_rules *rules, rwa_error *err)
{
    struct scan s = {line->text, line->text + line->length, line, rules, lists, 0, err};
    unsigned seen = 0;
    *out = (rwa_lightpath){.orbit = 1};
    lists->path.count = lists->blocks.count = lists->taps.count = lists->runs.count = 0;
    MUST(scan_pairs(&s, &seen, out));
    MUST(need_members(&s, seen));
    MUST(blocks_to_runs(lists, err));
    if (lists->runs.count > 0)
        out->block = lists->runs.words[0];
    if (out->orbit > 1 && !(seen & 1u << PERIOD))
        out->period = rules->channels;
    return RWA_OK;
}
