/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Changes of a schedule file that keep every line a valid record and break its meaning: another number, direction or
 * operation, a value of another record, a record moved, doubled or gone, further receivers, an orbit, other blocks,
 * another step.
 */
#pragma once

#include "base/base.h"

#include <jansson.h>
#include <stdlib.h>

/** A file in the making; it never outgrows its room. */
struct draft_file {
    char *text;
    size_t size, room;
    uint64_t *random;
};

/** Bytes from .. to - 1 of the text. */
struct span {
    size_t from, to;
};

static inline size_t draft_any(const struct draft_file *f, size_t below)
{
    return (size_t)base_random_below(f->random, below);
}

/* ---- lines ---- */

/** The text must not be part of the file. */
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

static inline struct span draft_header(const struct draft_file *f)
{
    return draft_line_at(f, 0);
}

/** A record at random; an empty span: there is none. */
static inline struct span draft_record(const struct draft_file *f)
{
    size_t body = draft_header(f).to;
    return body < f->size ? draft_line_at(f, body + draft_any(f, f->size - body)) : (struct span){f->size, f->size};
}

/** The object of a line; NULL: it has none. */
static inline json_t *draft_read(const struct draft_file *f, struct span line)
{
    json_t *object = json_loadb(f->text + line.from, line.to - line.from, JSON_REJECT_DUPLICATES, NULL);
    if (json_is_object(object))
        return object;
    json_decref(object);
    return NULL;
}

/** In place of a line; the object is released. */
static inline void draft_write(struct draft_file *f, struct span line, json_t *object)
{
    char *text = object ? json_dumps(object, JSON_COMPACT) : NULL;
    line.to -= line.to > line.from && f->text[line.to - 1] == '\n';
    if (text)
        draft_replace(f, line, text, strlen(text));
    free(text);
    json_decref(object);
}

/* ---- changes ---- */

/** The numbers of a value, from *count on. */
static inline void draft_numbers(json_t **list, size_t *count, size_t most, json_t *value)
{
    const char *key;
    json_t *inner;
    size_t i;
    if (json_is_integer(value) && *count < most)
        list[(*count)++] = value;
    json_object_foreach(value, key, inner)
        draft_numbers(list, count, most, inner);
    json_array_foreach(value, i, inner)
        draft_numbers(list, count, most, inner);
}

/** A neighbour, a small number, or seldom one at the edge of a field. */
static inline void draft_change_number(struct draft_file *f, json_t *object)
{
    static const json_int_t edges[] = {UINT32_MAX, (json_int_t)UINT32_MAX + 1, 1u << 20, 1u << 24, INT64_MAX, 65536};
    json_t *list[256];
    size_t count = 0, which = draft_any(f, 12);
    draft_numbers(list, &count, sizeof list / sizeof *list, object);
    if (count == 0)
        return;
    json_t *number = list[draft_any(f, count)];
    json_int_t value = json_integer_value(number);
    if (which < 6)
        value = which % 2 == 0 && value < INT64_MAX ? value + 1 : value > 0 ? value - 1 : 0;
    else
        value = which == 6 ? edges[draft_any(f, sizeof edges / sizeof *edges)] : (json_int_t)draft_any(f, 9);
    json_integer_set(number, value);
}

/** A member that is there becomes another word. */
static inline void draft_change_word(struct draft_file *f, json_t *object, const char *member, const char *const *words,
                                     size_t count)
{
    if (json_object_get(object, member))
        json_object_set_new(object, member, json_string(words[draft_any(f, count)]));
}

/** A member gets a value, of JSON, where the object has none of that name. */
static inline void draft_add(json_t *object, const char *member, const char *value)
{
    if (object && !json_object_get(object, member))
        json_object_set_new(object, member, json_loads(value, JSON_DECODE_ANY, NULL));
}

static inline void draft_change_header(struct draft_file *f)
{
    static const char *const collectives[] = {
        "all-gather", "all-reduce", "reduce-scatter", "all-to-all", "broadcast", "scatter", "gather",
        "reduce"}, *const kinds[] = {"ring", "line"};
    static const char *const more[][2] = {
        {"ports", "1"}, {"ports", "2"}, {"reserved", "[0]"}, {"failed", "[\"1\"]"}, {"failed", "[\"cw:0\"]"},
        {"failed_from", "2"}};
    struct span line = draft_header(f);
    json_t *header = draft_read(f, line), *network = json_object_get(header, "network");
    size_t which = draft_any(f, 12);
    if (which < sizeof more / sizeof *more)
        draft_add(network, more[which][0], more[which][1]);
    else if (which == 6)
        draft_change_word(f, network, "kind", kinds, 2);
    else if (which == 7)
        draft_add(header, "members", "[0,1,2]");
    else if (which > 8)
        draft_change_number(f, header);
    else {
        draft_add(header, "root", "0"); /* some collectives have none: then the file is refused */
        draft_change_word(f, header, "collective", collectives, sizeof collectives / sizeof *collectives);
    }
    draft_write(f, line, header);
}

/** A further member of a record, of which some need a newer format than 1. */
static inline void draft_add_member(struct draft_file *f)
{
    static const char *const operations[] = {"\"copy\"", "\"reduce\""};
    char list[32], number[32];
    json_t *header = draft_read(f, draft_header(f));
    unsigned a = (unsigned)draft_any(f, 6), b = (unsigned)draft_any(f, 6);
    if (header)
        json_object_set_new(header, "version", json_integer(3));
    draft_write(f, draft_header(f), header);
    struct span line = draft_record(f);
    json_t *record = draft_read(f, line);
    snprintf(list, sizeof list, a & 1 ? "[%u]" : "[%u,%u]", a, b);
    snprintf(number, sizeof number, "%u", a + 1);
    switch (draft_any(f, 5)) {
    case 0: draft_add(record, "taps", list); break;
    case 1: draft_add(record, "orbit", number); draft_add(record, "period", number); break;
    case 2: json_object_del(record, "block"); draft_add(record, "blocks", list); break;
    default: draft_add(record, "op", operations[a & 1]); break;
    }
    draft_write(f, line, record);
}

/** A member of one record gets its value from another record. */
static inline void draft_borrow(struct draft_file *f)
{
    static const char *const members[] = {
        "step", "src", "dst", "dir", "fiber", "wavelength", "block", "blocks", "taps", "op", "orbit", "period", "path",
        "runs"};
    const char *member = members[draft_any(f, sizeof members / sizeof *members)];
    struct span line = draft_record(f);
    json_t *to = draft_read(f, line), *from = draft_read(f, draft_record(f)), *value = json_object_get(from, member);
    if (value && json_object_get(to, member))
        json_object_set(to, member, value);
    draft_write(f, line, to);
    json_decref(from);
}

/** A record at another place, once more or alone. */
static inline void draft_place_record(struct draft_file *f, bool moves)
{
    struct span line = draft_record(f);
    size_t size = line.to - line.from;
    char text[512];
    if (size == 0 || size > sizeof text || f->text[line.to - 1] != '\n')
        return;
    memcpy(text, f->text + line.from, size);
    if (moves)
        draft_replace(f, line, "", 0);
    size_t at = moves || draft_any(f, 2) ? draft_record(f).from : line.from;
    draft_replace(f, (struct span){at, at}, text, size);
}

static inline void draft_shift(struct draft_file *f, struct span line, const char *member, bool later)
{
    json_t *object = draft_read(f, line);
    json_int_t value = json_integer_value(json_object_get(object, member));
    if (json_object_get(object, member))
        json_object_set_new(object, member,
                            json_integer(later && value < INT64_MAX ? value + 1
                                         : value > 1                ? value - 1
                                                                    : value));
    draft_write(f, line, object);
}

/** The records from one on come a step later or earlier, and the header says so or not. */
static inline void draft_shift_steps(struct draft_file *f)
{
    bool later = draft_any(f, 2) > 0;
    if (draft_any(f, 4) > 0)
        draft_shift(f, draft_header(f), "steps", later);
    for (size_t at = draft_record(f).from; at < f->size; at = draft_line_at(f, at).to)
        draft_shift(f, draft_line_at(f, at), "step", later);
}

static inline void draft_change_record(struct draft_file *f)
{
    static const char *const directions[] = {"cw", "ccw"}, *const operations[] = {"copy", "reduce"};
    struct span line = draft_record(f);
    json_t *record = draft_read(f, line);
    switch (draft_any(f, 5)) {
    case 0: draft_change_word(f, record, "dir", directions, 2); break;
    case 1: draft_change_word(f, record, "op", operations, 2); break;
    default: draft_change_number(f, record); break;
    }
    draft_write(f, line, record);
}

/** One to four changes; the new size. */
static inline size_t mutate_schedule(char *text, size_t size, size_t room, uint64_t *random)
{
    struct draft_file f = {text, size, room, random};
    assert(size <= room);
    for (size_t times = 1 + draft_any(&f, 4); times > 0; times--) {
        struct span line = draft_record(&f);
        switch (draft_any(&f, 12)) {
        case 0: draft_change_header(&f); break;
        case 1: draft_place_record(&f, false); break;
        case 2: draft_replace(&f, line, "", 0); break;
        case 3: draft_place_record(&f, true); break;
        case 4: draft_shift_steps(&f); break;
        case 5:
        case 6: draft_borrow(&f); break;
        case 7: draft_add_member(&f); break;
        default: draft_change_record(&f); break;
        }
    }
    return f.size;
}
