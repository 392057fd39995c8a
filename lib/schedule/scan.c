/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "schedule/scan.h"

#include "base/json.h"
#include "schedule/schedule.h"

enum member { STEP, SRC, DST, DIR, FIBER, WAVELENGTH, BLOCK, OP, ORBIT, PERIOD, BLOCKS, TAPS, PATH, RUNS, MEMBERS };

/** Names of members, mostly in the order of the files that this library writes. */
static const char *const member_names[MEMBERS] = {"step",  "src", "dst",   "dir",    "fiber",  "wavelength", "block",
                                                  "op",    "orbit", "period", "blocks", "taps",   "path", "runs"};
static const uint8_t name_lengths[MEMBERS] = {4, 3, 3, 3, 5, 10, 5, 2, 5, 6, 6, 4, 4, 4};

struct scan {
    const char *p;
    const char *end;
    const struct line *line;
    const struct scan_rules *rules;
    struct scan_lists *lists;
    unsigned next;      /* the expected next member: the one after the last one, in the order of names */
    rwa_error *err;
};

static rwa_status bad(struct scan *s, const char *expected)
{
    unsigned long long number = s->line->number;
    if (s->p == s->end && s->line->open)
        return base_fail(s->err, RWA_FORMAT, "%s:%llu: the last line is cut short, expected %s", s->line->file, number,
                         expected);
    return base_fail(s->err, RWA_FORMAT, "%s:%llu: column %zu: expected %s", s->line->file, number,
                     (size_t)(s->p - s->line->text) + 1, expected);
}

static rwa_status bad_member(struct scan *s, enum member m, const char *what)
{
    return base_fail(s->err, RWA_FORMAT, "%s:%" PRIu64 ": \"%s\": %s", s->line->file, s->line->number,
                     member_names[m], what);
}

static inline void skip_space(struct scan *s)
{
    while (s->p < s->end && *s->p <= ' ' && (*s->p == ' ' || *s->p == '\t' || *s->p == '\r' || *s->p == '\n'))
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

/** After an item of a list, step over a comma or over the closing character `close`.  *more tells whether it was a
 * comma.
 * @param expected  what the error names if it is neither */
static rwa_status next_item(struct scan *s, char close, const char *expected, bool *more)
{
    assert(s->p <= s->end);
    skip_space(s);
    *more = !take(s, close);
    return *more && !take(s, ',') ? bad(s, expected) : RWA_OK;
}

/** Step over `word` in quotes if the text goes on with it.  Return whether it does. */
static bool take_word(struct scan *s, const char *word, size_t length)
{
    bool here = (size_t)(s->end - s->p) > length + 1 && *s->p == '"' && s->p[1 + length] == '"' &&
                memcmp(s->p + 1, word, length) == 0;
    s->p += here ? length + 2 : 0;
    return here;
}

/** Decode any JSON value and step over it. */
static rwa_status decode(json_t **out, struct scan *s)
{
    json_error_t why;
    size_t left = (size_t)(s->end - s->p);
    *out = json_loadb(s->p, left, JSON_DECODE_ANY | JSON_DECODE_INT_AS_REAL | JSON_DISABLE_EOF_CHECK | JSON_ALLOW_NUL,
                      &why);
    enum json_error_code code = *out ? json_error_unknown : json_error_code(&why);
    if (!*out && json_ran_out(&why))
        return base_fail(s->err, RWA_NOMEM, "out of memory for %s", s->line->file);
    s->p = code == json_error_premature_end_of_input || (size_t)why.position > left ? s->end : s->p + why.position;
    return *out ? RWA_OK : bad(s, code == json_error_stack_overflow ? "values nested less deeply" :
                                  code == json_error_numeric_overflow ? "a number of at most 1.8e308" : "a value");
}

static bool is_text(const json_t *value, const char *text)
{
    return json_is_string(value) && json_string_length(value) == strlen(text) &&
           memcmp(json_string_value(value), text, strlen(text)) == 0;
}

/** Read the integer of member m.  A number above `max` becomes `max`. */
static rwa_status scan_integer(struct scan *s, enum member m, uint64_t max, uint64_t *out)
{
    const char *start = s->p, *end = s->end, *p = start;
    uint64_t value = 0;
    json_t *other;
    for (unsigned digit; p < end && (digit = (unsigned)(*p - '0')) <= 9; p++)
        value = value * 10 + digit;
    s->p = p;
    *out = value > max || p - start > 19 ? max : value;     /* 19 digits always fit */
    if (s->p > start + 1 && *start == '0')
        return bad(s, "a number without leading zeros");
    if (s->p > start && !at(s, '.') && !at(s, 'e') && !at(s, 'E'))
        return RWA_OK;
    if (s->p == start && s->p < s->end && !at(s, '-'))
        return bad_member(s, m, "expected a non-negative integer");
    s->p = start;
    MUST(decode(&other, s));
    json_decref(other);
    *out = 0;
    /* -0 is accepted as 0 */
    return s->p == start + 2 && start[1] == '0' ? RWA_OK : bad_member(s, m, "expected a non-negative integer");
}

static rwa_status scan_u32(struct scan *s, enum member m, uint32_t *out)
{
    uint64_t value = 0;
    rwa_status st = scan_integer(s, m, UINT32_MAX, &value);
    *out = (uint32_t)value;
    return st;
}

/** Read the value of member m, the text `a` or `b`.  *second tells whether it is b. */
static rwa_status scan_choice(struct scan *s, enum member m, const char *a, const char *b, bool *second)
{
    char what[64] = "expected \"";
    json_t *word;
    *second = take_word(s, b, strlen(b));
    if (*second || take_word(s, a, strlen(a)))
        return RWA_OK;
    MUST(decode(&word, s));
    *second = is_text(word, b);
    bool first = is_text(word, a);
    json_decref(word);
    strcat(strcat(strcat(strcat(what, a), "\" or \""), b), "\"");
    return first || *second ? RWA_OK : bad_member(s, m, what);
}

/** Read an array of integers. */
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
        MUST(base_reserve(out->words, (size_t)out->count + 1, s->err));
        skip_space(s);
        MUST(scan_u32(s, m, &out->words[out->count++]));
        MUST(next_item(s, ']', "a comma or the end of the array", &more));
    }
    return RWA_OK;
}

/** Read an array of runs, which are arrays of three integers. */
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

/** Read list `m` of a record (path, taps, blocks or runs) into s->lists.  Refuse it if this version of the format, or
 * this kind of network, has no such member. */
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

/** Read the name of a member; *out is MEMBERS if it is not in member_names.  A name without escapes is compared
 * without decoding, beginning with the one that usually comes next. */
static rwa_status scan_name(enum member *out, struct scan *s)
{
    json_t *name;
    for (unsigned k = 0; k < MEMBERS; k++) {
        unsigned m = (s->next + k) % MEMBERS;
        assert(strlen(member_names[m]) == name_lengths[m]);
        if (take_word(s, member_names[m], name_lengths[m])) {
            s->next = m + 1;
            *out = (enum member)m;
            return RWA_OK;
        }
    }
    if (!at(s, '"'))
        return bad(s, "a string");
    MUST(decode(&name, s));
    for (*out = STEP; *out < MEMBERS && !is_text(name, member_names[*out]);)
        ++*out;
    json_decref(name);
    return RWA_OK;
}

static rwa_status scan_pair(struct scan *s, unsigned *seen, rwa_lightpath *out)
{
    enum member m = MEMBERS;
    json_t *ignored;
    MUST(scan_name(&m, s));
    skip_space(s);
    if (!take(s, ':'))
        return bad(s, "a colon");
    skip_space(s);
    if (m == MEMBERS) {
        MUST(decode(&ignored, s));
        json_decref(ignored);
        return RWA_OK;
    }
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

/** Check that all members are there that every record of this schedule needs, and that none exclude each other.
 * @param seen  bit m: member m has been read */
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

void scan_found(rwa_lists *out, const struct scan_lists *l)
{
    uint64_t blocks = 0;
    *out = (rwa_lists){.path = l->path.count ? l->path.words : NULL, .path_nodes = l->path.count,
                       .taps = l->taps.count ? l->taps.words : NULL, .tap_count = l->taps.count,
                       .runs = l->runs.count ? (const rwa_run *)l->runs.words : NULL, .run_count = l->runs.count / 3};
    for (uint32_t i = 0; i < out->run_count; i++)
        blocks += out->runs[i].count;
    out->block_count = blocks < UINT32_MAX ? (uint32_t)blocks : UINT32_MAX;
}

/** Convert blocks to runs: in memory a record has runs, whatever the form in the file. */
static rwa_status blocks_to_runs(struct scan_lists *l, rwa_error *err)
{
    if (l->blocks.count == 0)
        return RWA_OK;
    MUST(
        base_reserve(l->runs.words, (size_t)3 * l->blocks.count, err));
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
