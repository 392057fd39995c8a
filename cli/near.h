/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which known name a mistyped one may have been. */
#ifndef CLI_NEAR_H
#define CLI_NEAR_H

#include <stddef.h>

typedef struct near_name {
    const char *word;   /* what was typed; its first `length` characters count */
    size_t length;
    const char *best;   /* the nearest name so far; NULL while none is near enough */
    size_t distance;
} near_name;

void near_init(near_name *n, const char *word, size_t length);
/* Remember a name (not copied) if it is the nearest so far. */
void near_try(near_name *n, const char *name);
/* "; did you mean PREFIXNAME?", or "" when nothing is near; returns text. */
const char *near_question(const near_name *n, const char *prefix, char *text, size_t size);

#endif
