/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Changes of a schedule file that keep every line a valid record and break its meaning: another number, direction or operation,
 * a value of another record, a record moved, doubled or gone, further receivers, an orbit, other blocks, another step.
 */
#ifndef SUPPORT_SCHEDULE_MUTATOR_H
#define SUPPORT_SCHEDULE_MUTATOR_H

#include "base/base.h"

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/** A file in the making; it never outgrows its room. */
struct draft_file {
    char *text;
    size_t size, room;
    uint64_t *seed;
};

/** Bytes from .. to - 1 of the text. */
struct span {
    size_t from, to;
};

static inline size_t draft_any(const struct draft_file *f, size_t below)
{
    return (size_t)base_random_below(f->seed, below);
}

static inline bool draft_replace(struct draft_file *f, struct span old, const char *text, size_t size)
{
    assert(old.from <= old.to && old.to <= f->size);
    if (f->size - (old.to - old.from) + size > f->room)
        return false;
    memmove(f->text + old.from + size, f->text + old.to, f->size - old.to);
    memcpy(f->text + old.from, text, size);
    f->size = f->size - (old.to - old.from) + size;
    return true;
}

static inline bool draft_put_number(struct draft_file *f, struct span old, uint64_t value)
{
    char digits[24];
    int size = snprintf(digits, sizeof digits, "%llu", (unsigned long long)value);
    return draft_replace(f, old, digits, (size_t)size);
}

/** The line that holds byte `at`, its newline included where there is one. */
static inline struct span draft_line_at(const struct draft_file *f, size_t at)
{
    struct span line = {at, at};
    while (line.from > 0 && f->text[line.from - 1] != '\n')
        line.from--;
    while (line.to < f->size && f->text[line.to] != '\n')
        line.to++;
    line.to += line.to < f->size;
    return line;
}

/** The records begin here. */
static inline size_t draft_body(const struct draft_file *f)
{
    return f->size > 0 ? draft_line_at(f, 0).to : 0;
}

/** A record at random; an empty span: there is none. */
static inline struct span draft_record(const struct draft_file *f)
{
    size_t body = draft_body(f);
    if (body >= f->size)
        return (struct span){f->size, f->size};
    return draft_line_at(f, body + draft_any(f, f->size - body));
}

/** The value behind "name": in a line, up to the comma or brace behind it; an empty span: no such member. */
static inline struct span draft_value(const struct draft_file *f, struct span line, const char *name)
{
    char key[32];
    size_t length = (size_t)snprintf(key, sizeof key, "\"%s\":", name), depth = 0;
    for (size_t at = line.from; at + length < line.to; at++) {
        if (memcmp(f->text + at, key, length) != 0)
            continue;
        struct span value = {at + length, at + length};
        for (; value.to < line.to; value.to++) {
            char c = f->text[value.to];
            if (depth == 0 && (c == ',' || c == '}' || c == ']' || c == '\n'))
                break;
            depth += (size_t)(c == '[' || c == '{');
            depth -= (size_t)(c == ']' || c == '}');
        }
        return value;
    }
    return (struct span){line.from, line.from};
}

static inline bool draft_is_empty(struct span s)
{
    return s.from >= s.to;
}

/** A number of a line at random, one of its digits for the choice; an empty span: there is none. */
static inline struct span draft_number(const struct draft_file *f, struct span line)
{
    size_t digits = 0, nth;
    for (size_t at = line.from; at < line.to; at++)
        digits += (size_t)(f->text[at] >= '0' && f->text[at] <= '9');
    if (digits == 0)
        return (struct span){line.from, line.from};
    nth = draft_any(f, digits);
    for (size_t at = line.from;; at++) {
        if (f->text[at] < '0' || f->text[at] > '9' || nth-- > 0)
            continue;
        struct span number = {at, at + 1};
        while (number.from > line.from && f->text[number.from - 1] >= '0' && f->text[number.from - 1] <= '9')
            number.from--;
        while (number.to < line.to && f->text[number.to] >= '0' && f->text[number.to] <= '9')
            number.to++;
        return number;
    }
}

static inline uint64_t draft_read(const struct draft_file *f, struct span number)
{
    uint64_t value = 0;
    for (size_t at = number.from; at < number.to; at++)
        value = value * 10 + (uint64_t)(f->text[at] - '0');
    return value;
}

/** A neighbour, a small number, or seldom one at the edge of a field. */
static inline bool draft_change_number(struct draft_file *f, struct span line)
{
    static const uint64_t edges[] = {UINT32_MAX, (uint64_t)UINT32_MAX + 1, 1u << 20, 1u << 24, UINT64_MAX, 65536};
    struct span number = draft_number(f, line);
    if (draft_is_empty(number))
        return false;
    uint64_t value = draft_read(f, number);
    switch (draft_any(f, 12)) {
    case 0: return draft_put_number(f, number, edges[draft_any(f, sizeof edges / sizeof *edges)]);
    case 1: case 2: case 3: return draft_put_number(f, number, value + 1);
    case 4: case 5: case 6: return draft_put_number(f, number, value > 0 ? value - 1 : 0);
    default: return draft_put_number(f, number, draft_any(f, 9));
    }
}

/** A member of one record gets its value from another record. */
static inline bool draft_borrow(struct draft_file *f)
{
    static const char *const members[] = {"step", "src", "dst", "dir", "fiber", "wavelength", "block", "blocks", "taps", "op",
                                          "orbit", "period", "path", "runs"};
    const char *member = members[draft_any(f, sizeof members / sizeof *members)];
    struct span to = draft_value(f, draft_record(f), member), from = draft_value(f, draft_record(f), member);
    char value[256];
    if (draft_is_empty(to) || draft_is_empty(from) || from.to - from.from > sizeof value)
        return false;
    memcpy(value, f->text + from.from, from.to - from.from);
    return draft_replace(f, to, value, from.to - from.from);
}

/** One of the words of a member becomes another. */
static inline bool draft_change_word(struct draft_file *f, struct span line, const char *member, const char *const *words,
                                     size_t count)
{
    struct span value = draft_value(f, line, member);
    const char *word = words[draft_any(f, count)];
    return !draft_is_empty(value) && draft_replace(f, value, word, strlen(word));
}

/** A member at the front of the object that opens at `at`, where the header has none of that name. */
static inline bool draft_add_to_header(struct draft_file *f, size_t at, const char *name, const char *value)
{
    char text[64];
    if (!draft_is_empty(draft_value(f, draft_line_at(f, 0), name)) || at >= f->size)
        return false;
    int size = snprintf(text, sizeof text, "\"%s\":%s,", name, value);
    return draft_replace(f, (struct span){at + 1, at + 1}, text, (size_t)size);
}

/** A collective with a root gets one. */
static inline bool draft_change_collective(struct draft_file *f)
{
    static const char *const collectives[] = {"\"all-gather\"", "\"all-reduce\"", "\"reduce-scatter\"", "\"all-to-all\"",
                                              "\"broadcast\"", "\"scatter\"", "\"gather\"", "\"reduce\""};
    size_t which = draft_any(f, sizeof collectives / sizeof *collectives);
    if (which > 3)
        draft_add_to_header(f, 0, "root", "0");
    return draft_change_word(f, draft_line_at(f, 0), "collective", &collectives[which], 1);
}

static inline bool draft_change_network(struct draft_file *f)
{
    static const char *const more[][2] = {{"ports", "1"}, {"ports", "2"}, {"reserved", "[0]"}, {"failed", "[\"1\"]"},
                                          {"failed", "[\"cw:0\"]"}, {"failed_from", "2"}};
    static const char *const kinds[] = {"\"ring\"", "\"line\""};
    struct span network = draft_value(f, draft_line_at(f, 0), "network");
    size_t which = draft_any(f, 8);
    if (draft_is_empty(network))
        return false;
    if (which > 5)
        return draft_change_word(f, network, "kind", kinds, 2);
    return draft_add_to_header(f, network.from, more[which][0], more[which][1]);
}

static inline bool draft_change_header(struct draft_file *f)
{
    switch (draft_any(f, 5)) {
    case 0: return draft_change_collective(f);
    case 1: return draft_change_network(f);
    case 2: return draft_add_to_header(f, 0, "members", "[0,1,2]");
    default: return draft_change_number(f, draft_line_at(f, 0));
    }
}

/** Several blocks or receivers of a lightpath need a newer format than 1. */
static inline void draft_renew(struct draft_file *f)
{
    struct span version = draft_value(f, draft_line_at(f, 0), "version");
    if (!draft_is_empty(version))
        draft_put_number(f, version, 3);
}

/** A further member at the front of a record, where it has none of that name. */
static inline bool draft_add_member(struct draft_file *f)
{
    static const char *const names[] = {"taps", "op", "op", "orbit", "blocks"};
    size_t which = draft_any(f, sizeof names / sizeof *names);
    char text[80];
    int size;
    draft_renew(f);
    struct span line = draft_record(f);
    if (draft_is_empty(line) || !draft_is_empty(draft_value(f, line, names[which])))
        return false;
    unsigned a = (unsigned)draft_any(f, 6), b = (unsigned)draft_any(f, 6);
    switch (which) {
    case 0: size = snprintf(text, sizeof text, a & 1 ? "\"taps\":[%u]," : "\"taps\":[%u,%u],", a, b); break;
    case 1: case 2: size = snprintf(text, sizeof text, "\"op\":\"%s\",", a & 1 ? "reduce" : "copy"); break;
    case 3: size = snprintf(text, sizeof text, "\"orbit\":%u,\"period\":%u,", a + 1, b + 1); break;
    default:    /* in place of the one block */
        line = draft_value(f, line, "block");
        if (draft_is_empty(line) || line.from < 8)
            return false;
        size = snprintf(text, sizeof text, "\"blocks\":[%u,%u]", a, b);
        return draft_replace(f, (struct span){line.from - strlen("\"block\":"), line.to}, text, (size_t)size);
    }
    return draft_replace(f, (struct span){line.from + 1, line.from + 1}, text, (size_t)size);
}

/** A record once more, elsewhere or behind itself. */
static inline bool draft_copy_record(struct draft_file *f)
{
    struct span line = draft_record(f), to = draft_any(f, 2) ? line : draft_record(f);
    char text[512];
    size_t size = line.to - line.from;
    if (size == 0 || size > sizeof text || f->text[line.to - 1] != '\n')
        return false;
    memcpy(text, f->text + line.from, size);
    return draft_replace(f, (struct span){to.from, to.from}, text, size);
}

static inline bool draft_drop_record(struct draft_file *f)
{
    struct span line = draft_record(f);
    return !draft_is_empty(line) && draft_replace(f, line, "", 0);
}

/** A record moves: whole lines change their order, not their text. */
static inline bool draft_move_record(struct draft_file *f)
{
    struct span line = draft_record(f);
    char text[512];
    size_t size = line.to - line.from;
    if (size == 0 || size > sizeof text || f->text[line.to - 1] != '\n')
        return false;
    memcpy(text, f->text + line.from, size);
    draft_replace(f, line, "", 0);
    size_t at = draft_record(f).from;
    return draft_replace(f, (struct span){at, at}, text, size);
}

/** The records from one on come a step later or earlier, and the header says so or not. */
static inline bool draft_shift_steps(struct draft_file *f)
{
    bool later = draft_any(f, 2) > 0;
    struct span count = draft_value(f, draft_line_at(f, 0), "steps"), line = draft_record(f);
    size_t from = draft_is_empty(line) ? f->size : line.from;
    if (!draft_is_empty(count) && draft_any(f, 4) > 0) {
        size_t before = f->size;
        draft_put_number(f, count, draft_read(f, count) + (later ? 1 : 0) - (!later && draft_read(f, count) > 0));
        from = from + f->size - before;
    }
    while (from < f->size) {
        line = draft_line_at(f, from);
        struct span step = draft_value(f, line, "step");
        uint64_t value = draft_read(f, step);
        if (!draft_is_empty(step) && !draft_put_number(f, step, value + (later ? 1 : 0) - (!later && value > 1)))
            return false;
        from = draft_line_at(f, from).to;
    }
    return true;
}

static inline bool draft_change_record(struct draft_file *f)
{
    static const char *const directions[] = {"\"cw\"", "\"ccw\""};
    static const char *const operations[] = {"\"copy\"", "\"reduce\""};
    struct span line = draft_record(f);
    switch (draft_any(f, 6)) {
    case 0: return draft_change_word(f, line, "dir", directions, 2);
    case 1: return draft_change_word(f, line, "op", operations, 2);
    case 2: return draft_add_member(f);
    default: return draft_change_number(f, line);
    }
}

/** One to four changes; the new size. */
static inline size_t mutate_schedule(char *text, size_t size, size_t room, uint64_t *seed)
{
    struct draft_file f = {text, size, room, seed};
    assert(size <= room);
    for (size_t times = 1 + draft_any(&f, 4); times > 0; times--)
        switch (draft_any(&f, 12)) {
        case 0: draft_change_header(&f); break;
        case 1: draft_copy_record(&f); break;
        case 2: draft_drop_record(&f); break;
        case 3: draft_move_record(&f); break;
        case 4: draft_shift_steps(&f); break;
        case 5: case 6: draft_borrow(&f); break;
        default: draft_change_record(&f); break;
        }
    return f.size;
}

#endif
