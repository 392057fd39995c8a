/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/text.h"

#include "base/base.h"
#include "base/number.h"

static bool reserve(struct text *t, size_t more)
{
    if (t->status == RWA_OK && t->used + more >= base_capacity(t->data)) {
        if (t->drain && t->used > 0) {
            t->status = t->drain(t);
            t->used = 0;
        }
        if (t->status == RWA_OK)
            t->status = base_reserve(t->data, t->used + more + 1, t->err);
    }
    return t->status == RWA_OK;
}

void text_add_bytes(struct text *t, const char *bytes, size_t count)
{
    if (!reserve(t, count))
        return;
    memcpy(t->data + t->used, bytes, count);
    t->used += count;
    t->data[t->used] = '\0';
}

void text_add_xml(struct text *t, const char *text)
{
    for (; *text; text++) {
        const char *mark = *text == '&'   ? "&amp;"
                           : *text == '<' ? "&lt;"
                           : *text == '>' ? "&gt;"
                           : *text == '"' ? "&quot;"
                                          : NULL;
        bool control = (unsigned char)*text < ' ' && *text != '\t' && *text != '\n';
        if (mark)
            text_add(t, "%s", mark);
        else
            text_add_bytes(t, control ? "?" : text, 1);
    }
}

char *rwa_text_make_visible(char *text)
{
    unsigned char before = 0;
    for (char *p = text; *p; p++) {
        unsigned char byte = (unsigned char)*p;
        bool upper = byte >= 0x80 && byte < 0xA0 && (before < 0x80 || before == 0xC2);
        if (upper && before == 0xC2)
            p[-1] = '?';
        if (upper || byte < ' ' || byte == 127)
            *p = '?';
        before = byte;
    }
    return text;
}

void text_add_visible(struct text *t, const char *text)
{
    size_t before = t->used;
    text_add(t, "%s", text);
    if (t->status == RWA_OK)
        rwa_text_make_visible(t->data + before);
}

void text_drop_part(struct text *t, struct text *part)
{
    t->status = t->status != RWA_OK ? t->status : part->status;
    free(part->data);
}

void text_add_part(struct text *t, struct text *part)
{
    if (part->used > 0)
        text_add_bytes(t, part->data, part->used);
    text_drop_part(t, part);
}

void text_append(char *to, const char *format, ...)
{
    va_list args;
    size_t used = to ? strlen(to) : 0;
    va_start(args, format);
    if (to)
        vsnprintf(to + used, RWA_ERROR_TEXT - used, format, args);
    va_end(args);
}

const char *text_quotient(char *to, uint64_t a, uint64_t b)
{
    int used = b == 1 ? snprintf(to, QUOTIENT_TEXT, "%" PRIu64, a)
                      : snprintf(to, QUOTIENT_TEXT, "%" PRIu64 " / %" PRIu64 " = %.6g", a, b, (double)a / (double)b);
    if (a % b > 0)
        snprintf(to + used, QUOTIENT_TEXT - (size_t)used, ", so %" PRIu64, a / b + 1);
    return to;
}

size_t text_letters(const char *text)
{
    size_t letters = 0;
    for (; *text; text++)
        letters += (*text & 0xC0) != 0x80;  /* other bytes continue a character */
    return letters;
}

void text_repeat(struct text *t, const char *bytes, size_t times)
{
    size_t length = strlen(bytes);
    while (times-- > 0)
        text_add_bytes(t, bytes, length);
}

void text_add(struct text *t, const char *format, ...)
{
    va_list args, again;
    locale_t before = number_enter();
    va_start(args, format);
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, args);
    if (length >= 0 && reserve(t, (size_t)length)) {
        vsnprintf(t->data + t->used, (size_t)length + 1, format, again);
        t->used += (size_t)length;
    }
    va_end(again);
    va_end(args);
    number_leave(before);
}

/* ---- plain formats ---- */

/** Write a number in decimal at `to`, and return the end of what was written. */
static char *put_number(char *to, uint64_t value)
{
    char digits[20];
    size_t at = sizeof digits;
    do
        digits[--at] = (char)('0' + value % 10);
    while ((value /= 10) != 0);
    while (at < sizeof digits)
        *to++ = digits[at++];
    return to;
}

char *plain_put(char *to, const char *format, va_list args)
{
    const char *p = format;
    for (; *p; p++) {
        if (*p != '%') {
            *to++ = *p;
        } else if (*++p == 's') {
            for (const char *words = va_arg(args, const char *); *words; words++)
                *to++ = *words;
        } else {
            to = put_number(to, *p == 'u' ? va_arg(args, unsigned) : *p == 'z' ? va_arg(args, size_t)
                                : p[1] == 'l' ? va_arg(args, unsigned long long) : va_arg(args, unsigned long));
            while (*p != 'u')
                p++;
        }
    }
    *to = '\0';
    return to;
}

void plain_print(char *to, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    plain_put(to, format, args);
    va_end(args);
}

void text_put(struct text *t, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    if (reserve(t, PLAIN_MOST))
        t->used = (size_t)(plain_put(t->data + t->used, format, args) - t->data);
    assert(t->used <= base_capacity(t->data));
    va_end(args);
}

/* ---- lines ---- */

char *text_line(char **rest)
{
    char *line = *rest;
    if (!*line)
        return NULL;
    size_t length = strcspn(line, "\n");
    *rest = line + length + (line[length] != '\0');
    line[length] = '\0';
    return line;
}

char *text_field(char **rest, char separator)
{
    char *from = *rest, *to, *field;
    bool quoted = false;
    if (!from)
        return NULL;
    from += strspn(from, " ");
    if (separator == ' ' && !*from)
        return NULL;
    for (field = to = from; *from && (quoted || *from != separator); from++) {
        if (*from == '"' && quoted && from[1] == '"')
            *to++ = *from++;
        else if (*from == '"')
            quoted = !quoted;
        else
            *to++ = *from;
    }
    *rest = *from ? from + 1 : NULL;
    while (to > field && to[-1] == ' ')
        to--;
    *to = '\0';
    return field;
}

rwa_status text_finish(struct text *t, char **out)
{
    *out = NULL;
    if (reserve(t, 0)) {
        t->data[t->used] = '\0';
        *out = t->data;
    } else {
        free(t->data);
    }
    t->data = NULL;
    return t->status;
}
