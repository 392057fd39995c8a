/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The known name nearest to a mistyped one. */
#ifndef CLI_SUGGEST_H
#define CLI_SUGGEST_H

#include <stddef.h>

typedef struct suggestion {
    const char *word;   /* as typed; its first `length` characters count */
    size_t length;
    const char *best;   /* the nearest name so far; NULL while none is near enough */
    size_t distance;
} suggestion;

void suggest_init(suggestion *n, const char *word, size_t length);
/* Remember a name (not copied) if it is the nearest so far. */
void suggest_try(suggestion *n, const char *name);
/* "; did you mean PREFIXNAME?", or "" when nothing is near; returns text. */
const char *suggest_question(const suggestion *n, const char *prefix, char *text, size_t size);

#endif
