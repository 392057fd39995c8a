/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Reads edge lists, which have one link a line. */
#include "network/files/formats.h"

#include "base/text.h"

enum { WORDS = 5 };

/** Split a line at blanks and commas, store at most WORDS words, and return the number of words.  # and % begin
 *  comments. */
static size_t split(char *line, char *words[WORDS])
{
    size_t count = 0;
    char *rest = NULL;
    line[strcspn(line, "#%")] = '\0';
    for (char *word = strtok_r(line, " \t\r,;", &rest); word; word = strtok_r(NULL, " \t\r,;", &rest)) {
        if (count < WORDS)
            words[count] = word;
        count++;
    }
    return count;
}

/** Call a function with the words of each line, except for blank lines and comments. */
static rwa_status each_line(struct network_draft *d, char *text,
                            rwa_status (*take)(struct network_draft *d, void *data, char **words, size_t count),
                            void *data)
{
    char *words[WORDS] = {NULL}, *rest = text;
    d->line = 0;
    for (char *line; (line = text_line(&rest));) {
        size_t count = split(line, words);
        d->line++;
        if (count > 0)
            MUST(take(d, data, words, count));
    }
    return RWA_OK;
}

static bool is_number(const char *text, uint64_t *number)
{
    const char *end = read_digits(number, text, RWA_NODES_MAX);
    return end && *end == '\0';
}

/** Facts about the nodes of the whole list, found before the first link is added. */
struct survey {
    bool numbers;           /* every node is a number */
    uint64_t least, most;
};

/** Update the facts about all nodes with a line of two nodes and perhaps a length. */
static rwa_status survey_line(struct network_draft *d, void *data, char **words, size_t count)
{
    struct survey *s = data;
    if (count != 2 && count != 3)
        return draft_fail(d, "%zu word%s, expected two nodes and perhaps a length in km", count, count == 1 ? "" : "s");
    for (int i = 0; i < 2; i++) {
        uint64_t number = 0;
        s->numbers = s->numbers && is_number(words[i], &number);
        s->least = number < s->least ? number : s->least;
        s->most = number > s->most ? number : s->most;
    }
    return RWA_OK;
}

/** Set *node to the node that a word names.  If all words are numbers from 0 or 1 on, they number the nodes; otherwise
 *  they are names, and nodes are numbered in order of appearance. */
static rwa_status find_node(struct network_draft *d, const struct survey *s, const char *word, uint64_t *node)
{
    uint32_t number = 0;
    bool known = false;
    if (s->numbers && s->least <= 1) {
        is_number(word, node);
        *node -= s->least;
        return RWA_OK;
    }
    number = names_find(&d->ids, word);
    known = number != NAMES_NONE;
    if (!known) {
        number = d->nodes;
        MUST(draft_add_node(d, word, NULL));
    }
    *node = number;
    return RWA_OK;
}

static rwa_status take_link(struct network_draft *d, void *data, char **words, size_t count)
{
    const struct survey *s = data;
    uint64_t from = 0, to = 0;
    double km = 0;
    MUST(find_node(d, s, words[0], &from));
    MUST(find_node(d, s, words[1], &to));
    if (count > 2)
        MUST(draft_number(d, words[2], "length", &km));
    return draft_add_link(d, from, to, km, 0);
}

/** Read a list of links twice, first to collect facts about the nodes and then to add the links.  The first pass uses a
 *  copy, since it splits the lines. */
static rwa_status read_plain(struct network_draft *d, char *text)
{
    struct survey s = {true, UINT64_MAX, 0};
    char *copy = base_copy_text(text, d->err);
    rwa_status st = RWA_OK;
    MUST(copy ? RWA_OK : RWA_NOMEM);
    TRY(each_line(d, copy, survey_line, &s));
    if (s.least == UINT64_MAX)
        TRY(draft_fail(d, "no link, expected lines of two nodes"));
    if (s.numbers && s.least <= 1)
        TRY(draft_count_nodes(d, s.most - s.least + 1));
    TRY(each_line(d, text, take_link, &s));
done:
    free(copy);
    return st;
}

/** The numbers of nodes and links that the first line of a marked list ("n nodes links", "v id name", "e u v km")
 *  declares; the file must have just these. */
struct counts {
    uint64_t nodes, links;
};

static rwa_status take_marked(struct network_draft *d, void *data, char **words, size_t count)
{
    struct counts *claimed = data;
    uint64_t from = 0, to = 0;
    double km = 0;
    if (strcmp(words[0], "n") == 0 && count == 3 && is_number(words[1], &claimed->nodes) &&
        is_number(words[2], &claimed->links))
        return RWA_OK;
    if (strcmp(words[0], "v") == 0 && count >= 2 && is_number(words[1], &from)) {
        if (from != d->nodes)
            return draft_fail(d, "node %" PRIu64 ", expected node %u: all from 0, in order", from,
                              d->nodes);
        return draft_add_node(d, words[1], count > 2 ? words[2] : NULL);
    }
    if (strcmp(words[0], "e") == 0 && (count == 3 || count == 4) && is_number(words[1], &from) &&
        is_number(words[2], &to)) {
        if (count > 3)
            MUST(draft_number(d, words[3], "length", &km));
        return draft_add_link(d, from, to, km, 0);
    }
    return draft_fail(d, "expected \"n NODES LINKS\", \"v ID NAME\" or \"e FROM TO KM\"");
}

static rwa_status read_marked(struct network_draft *d, char *text)
{
    struct counts claimed = {UINT64_MAX, UINT64_MAX};
    MUST(each_line(d, text, take_marked, &claimed));
    d->line = 0;
    if (claimed.nodes != UINT64_MAX && (claimed.nodes != d->nodes || claimed.links != d->link_count))
        return draft_fail(d, "%u nodes and %zu links, expected the %" PRIu64 " and %" PRIu64 " of its first line",
                          d->nodes, d->link_count, claimed.nodes, claimed.links);
    return RWA_OK;
}

/** Return the letter that is the first word of the first line with content, such as the n of "n nodes links"; '\0' if
 *  that word is no single letter. */
static char first_mark(const char *text)
{
    for (;;) {
        text += strspn(text, " \t\r\n");
        if (*text != '#' && *text != '%')
            break;
        text += strcspn(text, "\n");
    }
    return text[0] && (text[1] == ' ' || text[1] == '\t') ? text[0] : '\0';
}

rwa_status format_edge_list(struct network_draft *d, char *text)
{
    char mark = first_mark(text);
    return mark == 'n' || mark == 'v' ? read_marked(d, text) : read_plain(d, text);
}
