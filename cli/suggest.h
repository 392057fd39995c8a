/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The known name that a mistyped or shortened one means. */
#ifndef CLI_SUGGEST_H
#define CLI_SUGGEST_H

#include <stddef.h>

typedef struct suggestion {
    const char *word;   /* as typed; its first `length` characters count */
    size_t length;
    const char *best;   /* the nearest name so far; NULL while none is near enough */
    size_t distance;
    const char *longer; /* the first name that begins with the word; NULL: none */
    size_t longer_count;
} suggestion;

void suggest_init(suggestion *n, const char *word, size_t length);
/* Remember a name (not copied) if it is the nearest so far, or begins with the word. */
void suggest_try(suggestion *n, const char *name);
/* "; did you mean PREFIXNAME?" of the only name that begins with the word, else of the nearest; "" when there is none.  Returns text. */
const char *suggest_question(const suggestion *n, const char *prefix, char *text, size_t size);

#endif
