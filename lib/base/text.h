/* SPDX-License-Identifier: GPL-3.0-or-later */
/** A text that grows, or the bytes on their way to a file (base/sink.h).  The first failure is kept, so add any number
 *  of parts and ask for the status once at the end. */
#pragma once

#include "rwa/status.h"

#include <stdarg.h>

enum { PLAIN_MOST = 1 << 10 };

struct text {
    char *data;         /* ended by a 0; NULL while empty */
    size_t used;
    rwa_status (*drain)(struct text *t);    /* takes the bytes when they fill the capacity; NULL: the text grows */
    rwa_status status;
    rwa_error *err;
};

/** Add words in a format of printf(). */
void text_add(struct text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
/** Add words in a format with only "%s" and integers ("%u", PRIu32, PRIu64, "%zu"), at most PLAIN_MOST bytes in a
 *  call.  It is three times as fast as text_add(), for texts with millions of numbers. */
void text_put(struct text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
/** Write words, ended by a 0, to memory, as sprintf() does, in the formats of text_put(). */
void plain_print(char *to, const char *format, ...) __attribute__((format(printf, 2, 3)));
/** Write words to memory as vsprintf() does, in the formats of text_put(), and return a pointer to their end. */
char *plain_put(char *to, const char *format, va_list args) __attribute__((format(printf, 2, 0)));
/** Add `count` bytes to a text as they are. */
void text_add_bytes(struct text *t, const char *bytes, size_t count);
/** Add a text as XML: with entities for its special characters, and "?" for control characters, which XML does not
 *  allow. */
void text_add_xml(struct text *t, const char *text);
/** Add a text after rwa_text_make_visible() has replaced its control characters. */
void text_add_visible(struct text *t, const char *text);
/** Add the same bytes `times` times to a text. */
void text_repeat(struct text *t, const char *bytes, size_t times);

/** Free the text `part`, which was made to be added to `t`.  If `part` has failed, `t` fails with the same status.
 *  text_add_part() adds the part to `t` first. */
void text_drop_part(struct text *t, struct text *part);
void text_add_part(struct text *t, struct text *part);

/** Append words to the text in a buffer of RWA_ERROR_TEXT bytes, and cut off the words that do not fit.  to NULL: write
 *  nothing. */
void text_append(char *to, const char *format, ...) __attribute__((format(printf, 2, 3)));
/** QUOTIENT(): the quotient of two integers, rounded up, in words: "49 / 4 = 12.25, so 13", "48 / 4 = 12", or "48" if b
 *  is 1.  The buffer lives as long as the enclosing block. */
enum { QUOTIENT_TEXT = 96 }; /* two numbers of 20 digits, the quotient, and the number rounded up */
#define QUOTIENT(a, b) text_quotient((char[QUOTIENT_TEXT]){0}, (a), (b))
const char *text_quotient(char *to, uint64_t a, uint64_t b);

/** Return the number of characters of a UTF-8 text. */
size_t text_letters(const char *text);

/** Cut the next line off the text at *rest and return it; *rest moves behind it.  NULL at the end of the text. */
char *text_line(char **rest);
/** Cut the next field, up to a separator, off the line of a table at *rest.  Return it without quotes ("" inside quotes
 *  is one quote) and without blanks around it; *rest moves behind it.  Return NULL when no field is left. */
char *text_field(char **rest, char separator);

/** Hand the text to *out, which the caller frees, if all additions succeeded; otherwise drop it and return the first
 *  failure. */
rwa_status text_finish(struct text *t, char **out);
