/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Suggests the known name that a mistyped or shortened word means. */
#include "cli.h"

#include <ctype.h>
#include <unistd.h>

enum { LONGEST = 40 };

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static int same(char a, char b)
{
    return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/* Return the distance of two words of n and m characters: the number of letters inserted, dropped, changed, or swapped
 * with a neighbour (Damerau, Levenshtein).  It ignores the difference between upper and lower case. */
static size_t distance_of(const char *a, size_t n, const char *b, size_t m)
{
    assert(n <= LONGEST && m <= LONGEST);
    size_t row[LONGEST + 1], last[LONGEST + 1], before[LONGEST + 1] = {0};
    for (size_t j = 0; j <= m; j++)
        last[j] = j;
    for (size_t i = 1; i <= n; i++) {
        row[0] = i;
        for (size_t j = 1; j <= m; j++) {
            row[j] = least(least(row[j - 1], last[j]) + 1, last[j - 1] + !same(a[i - 1], b[j - 1]));
            if (i > 1 && j > 1 && same(a[i - 1], b[j - 2]) && same(a[i - 2], b[j - 1]))
                row[j] = least(row[j], before[j - 2] + 1);
        }
        memcpy(before, last, sizeof before);
        memcpy(last, row, sizeof last);
    }
    return last[m];
}

void suggest_init(suggestion *n, const char *word, size_t length)
{
    *n = (suggestion){.word = word,
                      .length = length,
                      .distance = length < 5 ? 1 : (length + 1) / 3}; /* further away is another word */
}

/* Compare the first `length` characters of a known name with the word of n.  Store the name in n->best if it is nearer
 * than all before, and also in n->longer if it begins with the word. */
static void try_part(suggestion *n, const char *name, size_t length)
{
    if (n->length == 0 || n->length > LONGEST || length > LONGEST)
        return;
    int begins = strncmp(n->word, name, n->length) == 0;
    n->known |= begins && length == n->length;
    if (n->length >= 2 && begins && n->longer_count++ < SUGGEST_LONGER)
        n->longer[n->longer_count - 1] = name;
    size_t distance = distance_of(n->word, n->length, name, length);
    if (distance <= n->distance && (!n->best || distance < n->distance)) {
        n->best = name;
        n->distance = distance;
    }
}

void suggest_try(suggestion *n, const char *name)
{
    try_part(n, name, strlen(name));
}

static void suggest_table(suggestion *n, const char *(*name)(size_t i))
{
    for (size_t i = 0; name(i); i++)
        suggest_try(n, name(i));
}

const char *suggest_question(const suggestion *n, const char *prefix)
{
    int few = n->longer_count > 0 && n->longer_count <= SUGGEST_LONGER;
    size_t count = n->known ? 0 : few ? n->longer_count : n->best != NULL;
    const char *text = "";
    for (size_t i = 0; i < count; i++)
        text = phrase("%s%s%s%s%s", text, i == 0 ? "; did you mean " : i + 1 < count ? ", " : " or ", prefix,
                      few ? n->longer[i] : n->best, i + 1 < count ? "" : "?");
    return text;
}

const char *suggest_from(const char *(*name)(size_t i), const char *word)
{
    suggestion near;
    suggest_init(&near, word, strlen(word));
    suggest_table(&near, name);
    return suggest_question(&near, "");
}

const char *suggest_node(const rwa_network *net, const char *word)
{
    suggestion near;
    suggest_init(&near, word, strlen(word));
    for (uint32_t v = 0; v < rwa_network_nodes(net); v++) {
        const char *name = rwa_network_node_name(net, v), *state = name ? strstr(name, " (") : NULL;
        if (name)
            try_part(&near, name, state ? (size_t)(state - name) : strlen(name));     /* Seattle (WA) */
    }
    return suggest_question(&near, "");
}

/* Return the question "; did you mean ...?" for the unknown end of a link "A-B" or "A>B".  Names may contain "-" and
 * ">", so the word is split at the first of these characters that has the name of a node on one side. */
const char *suggest_link(const rwa_network *net, const char *word)
{
    const char *question = "";
    for (const char *at = strpbrk(word, "->"); at && !*question; at = strpbrk(at + 1, "->")) {
        const char *left = phrase("%.*s", (int)(at - word), word);
        if (rwa_network_find_node(net, left) != RWA_NONE)
            question = suggest_node(net, at + 1);
        else if (rwa_network_find_node(net, at + 1) != RWA_NONE)
            question = suggest_node(net, left);
    }
    return question;
}

const char *suggest_network(const char *spec)
{
    suggestion near;
    size_t length = strcspn(spec, ":");
    if (access(spec, F_OK) == 0)
        return phrase("; the file %s is here: write ./%s", spec, spec);
    suggest_init(&near, spec, length);
    if (!spec[length])
        suggest_table(&near, rwa_network_builtin);
    else
        for (rwa_topology kind = RWA_RING; rwa_topology_name(kind); kind++)
            if (kind != RWA_GRAPH)
                suggest_try(&near, rwa_topology_name(kind));
    return suggest_question(&near, "");
}
