/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "suggest.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST = 40 };

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Letters inserted, dropped, changed, or swapped with a neighbour (Damerau, Levenshtein). */
static size_t distance_of(const char *a, size_t n, const char *b, size_t m)
{
    assert(n <= LONGEST && m <= LONGEST);
    size_t row[LONGEST + 1], last[LONGEST + 1], before[LONGEST + 1] = {0};
    for (size_t j = 0; j <= m; j++)
        last[j] = j;
    for (size_t i = 1; i <= n; i++) {
        row[0] = i;
        for (size_t j = 1; j <= m; j++) {
            row[j] = least(least(row[j - 1], last[j]) + 1, last[j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = least(row[j], before[j - 2] + 1);
        }
        memcpy(before, last, sizeof before);
        memcpy(last, row, sizeof last);
    }
    return last[m];
}

void suggest_init(suggestion *n, const char *word, size_t length)
{
    n->word = word;
    n->length = length;
    n->best = n->longer = NULL;
    n->longer_count = 0;
    n->distance = length < 3 ? 1 : length / 3 + 1;  /* further away is another word */
}

void suggest_try(suggestion *n, const char *name)
{
    size_t length = strlen(name);
    if (n->length == 0 || n->length > LONGEST || length > LONGEST)
        return;
    if (n->length >= 2 && strncmp(n->word, name, n->length) == 0 && n->longer_count++ == 0)
        n->longer = name;
    size_t distance = distance_of(n->word, n->length, name, length);
    if (distance <= n->distance && (n->best == NULL || distance < n->distance)) {
        n->best = name;
        n->distance = distance;
    }
}

const char *suggest_question(const suggestion *n, const char *prefix, char *text, size_t size)
{
    const char *meant = n->longer_count == 1 ? n->longer : n->best;
    assert((n->longer == NULL) == (n->longer_count == 0));
    text[0] = '\0';
    if (meant != NULL)
        snprintf(text, size, "; did you mean %s%s?", prefix, meant);
    return text;
}
