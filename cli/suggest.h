/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The known name that a mistyped or shortened one means. */
#pragma once

#include "rwa.h"

enum { SUGGEST_LONGER = 3, SUGGEST_TEXT = 256 };

typedef struct suggestion {
    const char *word;   /* as typed; its first `length` characters count */
    size_t length;
    const char *best;   /* the nearest name so far; NULL while none is near enough */
    size_t distance;
    const char *longer[SUGGEST_LONGER]; /* the first names that begin with the word */
    size_t longer_count;                /* all of them */
    int known;                          /* the word is one of the names */
} suggestion;

void suggest_init(suggestion *n, const char *word, size_t length);
/* Remember a name (not copied) if it is the nearest so far, or begins with the word. */
void suggest_try(suggestion *n, const char *name);
/* Try all names of a table, NULL past its end. */
/* "; did you mean PREFIXNAME?" of the few names that begin with the word, else of the nearest; "" when there is none, or the word
 * is right.  Returns text. */
const char *suggest_question(const suggestion *n, const char *prefix, char *text, size_t size);
/* The same for a table in one go. */
const char *suggest_from(const char *(*name)(size_t i), const char *word, char text[SUGGEST_TEXT]);
/* The same for the nodes of a network. */
const char *suggest_node(const rwa_network *net, const char *word, char text[SUGGEST_TEXT]);
/* The same for a link by its ends, "A-B" or "A>B", of which one is a node. */
const char *suggest_link(const rwa_network *net, const char *word, char text[SUGGEST_TEXT]);
/* The same for a specification: a built-in network, or the kind before its colon. */
const char *suggest_network(const char *spec, char text[SUGGEST_TEXT]);
/* Add a question to the text of a failure. */
void suggest_add(rwa_error *err, const char *question);
