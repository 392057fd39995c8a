/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/json.h"

#include "base/base.h"
#include "base/file.h"

rwa_status json_open(json_t **out, const char *text, size_t length, const char *file, rwa_error *err)
{
    json_error_t where;
    *out = json_loadb(text, length, JSON_REJECT_DUPLICATES, &where);
    if (*out)
        return RWA_OK;
    if (json_ran_out(&where))
        return base_fail(err, RWA_NOMEM, "out of memory for %s", file);
    return base_fail(err, RWA_FORMAT, "%s:%d: %s, expected JSON", file, where.line > 0 ? where.line : 1, where.text);
}

static int put(const char *bytes, size_t count, void *text)
{
    text_add_bytes(text, bytes, count);
    return 0;
}

void text_add_value(struct text *t, json_t *value)
{
    if (json_dump_callback(value, put, t, JSON_ENCODE_ANY | JSON_COMPACT) != 0 && t->status == RWA_OK)
        t->status = base_fail(t->err, RWA_NOMEM, "out of memory");
    json_decref(value);
}

void text_add_json(struct text *t, const char *text)
{
    if (!text)
        text_put(t, "null");
    else if (t->status == RWA_OK && file_bad_line(text, strlen(text)) > 0)
        t->status =
            base_refuse(t->err, "\"%.64s\" is not UTF-8, expected a name in that encoding", text);
    else
        text_add_value(t, json_string(text));
}

bool json_whole(const json_t *value, uint64_t most, uint64_t *number)
{
    *number = (uint64_t)json_integer_value(value);
    return json_is_integer(value) && json_integer_value(value) >= 0 && *number <= most;
}

bool json_u32(const json_t *value, uint32_t *number)
{
    uint64_t whole;
    bool fits = json_whole(value, UINT32_MAX, &whole);
    *number = (uint32_t)whole;
    return fits;
}

bool json_point(const json_t *value, double *x, double *y)
{
    const json_t *first = json_array_get(value, 0), *second = json_array_get(value, 1);
    *x = *y = NAN;
    if (json_is_null(value))
        return true;
    if (json_array_size(value) != 2 || !json_is_number(first) || !json_is_number(second))
        return false;
    *x = json_number_value(first);
    *y = json_number_value(second);
    return true;
}

/* ---- lines: the text is known to be JSON ---- */

static const char *skip_string(const char *p)
{
    for (p++; *p != '"' && *p != '\0'; p++)
        p += *p == '\\';
    return p + (*p == '"');
}

/** Find the value `sought` in `value`, a JSON value whose text begins at *p, by going through value and text side by
 *  side.  If `sought` is found, move *p to its first character and return true; else move *p behind `value`. */
static bool find_value(const char **p, const json_t *value, const json_t *sought)
{
    static const char between[] = " \t\r\n,:";
    bool list = json_is_object(value) || json_is_array(value);
    size_t count = json_is_object(value) ? json_object_size(value) : json_array_size(value);
    void *member = json_object_iter((json_t *)(uintptr_t)value);
    *p += strspn(*p, between);
    if (value == sought)
        return true;
    if (!list)
        *p = **p == '"' ? skip_string(*p) : *p + strcspn(*p, " \t\r\n,]}");
    *p += list;
    for (size_t i = 0; i < count; i++) {
        const json_t *child = member ? json_object_iter_value(member) : json_array_get(value, i);
        if (member) {
            *p = skip_string(*p + strspn(*p, between));
            member = json_object_iter_next((json_t *)(uintptr_t)value, member);
        }
        if (find_value(p, child, sought))
            return true;
    }
    *p += list ? strspn(*p, between) + 1 : 0;
    return false;
}

size_t json_line(const char *text, const json_t *whole, const json_t *value)
{
    const char *at = text;
    size_t line = 1;
    if (!value || !find_value(&at, whole, value))
        return line;
    for (const char *p = text; p < at; p++)
        line += *p == '\n';
    return line;
}
