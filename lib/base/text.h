/* SPDX-License-Identifier: GPL-3.0-or-later */
/** A text that grows.  The first failure sticks: add as much as you like, ask once at the end. */
#pragma once

#include "rwa/status.h"

#include <stdarg.h>

enum { PLAIN_MOST = 1 << 10 };

struct text {
    char *data;         /* ended by a 0; NULL while empty */
    size_t used, capacity;
    rwa_status status;
    rwa_error *err;
};

/** Add printf-formatted words. */
void text_add(struct text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
/** As text_add(), for formats with only "%s" and integers ("%u", PRIu32, PRIu64, "%zu"), at most PLAIN_MOST bytes at
 *  a time.  printf() takes three times as long, and a schedule of 1024 nodes has ten million names and numbers. */
void text_put(struct text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
/** As sprintf() and vsprintf(), for these formats. */
void plain_print(char *to, const char *format, ...) __attribute__((format(printf, 2, 3)));
/** @return the end of what it put */
char *plain_put(char *to, const char *format, va_list args) __attribute__((format(printf, 2, 0)));
/** Add `count` bytes as they are. */
void text_add_bytes(struct text *t, const char *bytes, size_t count);
/** Add a text as XML: its marks as entities, and "?" for control characters, which XML does not know. */
void text_add_xml(struct text *t, const char *text);
/** Add a text after rwa_text_make_visible(). */
void text_add_visible(struct text *t, const char *text);
/** Add the same bytes `times` times. */
void text_repeat(struct text *t, const char *bytes, size_t times);

/** text_drop_part(): free a part made for a text, which takes over its failure; text_add_part(): add it first. */
void text_drop_part(struct text *t, struct text *part);
void text_add_part(struct text *t, struct text *part);

/** Characters of UTF-8. */
size_t text_letters(const char *text);

/** Cut the next line off a text; *rest moves behind it.  NULL at the end. */
char *text_line(char **rest);

/** Hand the text to *out (caller frees) when all went well; drop it and return the first failure otherwise. */
rwa_status text_finish(struct text *t, char **out);
