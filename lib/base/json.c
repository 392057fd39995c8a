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

char *json_text(const json_t *value, size_t flags)
{
    size_t size = json_dumpb(value, NULL, 0, flags);
    char *text = size > 0 ? base_array(size + 1, 1, NULL) : NULL;
    if (text && json_dumpb(value, text, size, flags) != size) {
        free(text);
        text = NULL;
    }
    return text;
}

rwa_status json_refuse_text(const char *text, rwa_error *err)
{
    if (text && file_bad_line(text, strlen(text)) > 0)
        return base_fail(err, RWA_BADARG, "\"%.64s\" is not UTF-8, expected a name in that encoding", text);
    return base_fail(err, RWA_NOMEM, "out of memory");
}

void text_add_json(struct text *t, const char *text)
{
    json_t *value = json_string(text);
    char *quoted = value ? json_text(value, JSON_ENCODE_ANY) : NULL;
    if (quoted)
        text_add(t, "%s", quoted);
    else if (t->status == RWA_OK)
        t->status = json_refuse_text(text, t->err);
    free(quoted);
    json_decref(value);
}

/* ---- lines: the text is known to be JSON ---- */

static const char *skip_blanks(const char *p)
{
    return p + strspn(p, " \t\r\n");
}

static const char *skip_string(const char *p)
{
    for (p++; *p != '"' && *p != '\0'; p++)
        p += *p == '\\';
    return p + (*p == '"');
}

static const char *skip_value(const char *p)
{
    size_t depth = 0;
    do {
        if (*p == '"') {
            p = skip_string(p);
            continue;
        }
        depth += *p == '{' || *p == '[';
        depth -= *p == '}' || *p == ']';
        p++;
    } while (*p != '\0' && (depth > 0 || !strchr(",]} \t\r\n", *p)));
    return p;
}

/** The value a step leads to from an object or array; NULL: there is none. */
static const char *step_into(const char *p, const struct json_step *step)
{
    char open = *p;
    if (open != (step->member ? '{' : '['))
        return NULL;
    p = skip_blanks(p + 1);
    for (size_t i = 0; *p != '\0' && *p != ']' && *p != '}'; i++) {
        bool here = i == step->index;
        if (step->member) {
            size_t length = strlen(step->member);
            here = strncmp(p + 1, step->member, length) == 0 && p[1 + length] == '"';
            p = skip_blanks(skip_blanks(skip_string(p)) + 1);
        }
        if (here)
            return p;
        p = skip_blanks(skip_value(p));
        p = skip_blanks(p + (*p == ','));
    }
    return NULL;
}

bool json_is_u32(const json_t *value)
{
    return json_is_integer(value) && json_integer_value(value) >= 0 && json_integer_value(value) <= UINT32_MAX;
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

size_t json_line(const char *text, const struct json_step *way, size_t steps)
{
    const char *at = skip_blanks(text), *next = at;
    size_t line = 1;
    for (size_t i = 0; i < steps && next; i++) {
        next = step_into(at, &way[i]);
        at = next ? next : at;
    }
    for (const char *p = text; p < at; p++)
        line += *p == '\n';
    return line;
}
