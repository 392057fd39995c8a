/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Reads edge lists, which have one link a line. */
#include "network/files/formats.h"

enum { WORDS = 5 };

/** Split a line at blanks and commas, and return the number of words.  words[] gets at most the first WORDS of them,
 *  which point into the line.  The line ends at a # or %, which begins a comment. */
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

static bool is_number(const char *text, uint64_t *number)
{
    const char *end = read_digits(number, text, RWA_NODES_MAX);
    return end && *end == '\0';
}

/** Add a link between the nodes that words[0] and words[1] name; words[2], if count is 3, is the length in km.  A name
 *  that is new gets the next number of a node. */
static rwa_status take_link(struct network_draft *d, char **words, size_t count)
{
    uint32_t ends[2];
    double km = 0;
    if (count != 2 && count != 3)
        return draft_fail(d, "%zu word%s, expected two nodes and perhaps a length in km", count, plural(count));
    for (int i = 0; i < 2; i++) {
        ends[i] = names_find(&d->ids, words[i]);
        if (ends[i] == NAMES_NONE) {
            ends[i] = d->nodes;
            MUST(draft_add_node(d, words[i], NULL));
        }
    }
    if (count > 2)
        MUST(draft_number(d, words[2], "length", &km));
    return draft_add_link(d, ends[0], ends[1], km, 0);
}

/** Number the nodes by their names instead of by first appearance, if all names are numbers and the least is 0 or 1.
 *  The least number becomes node 0. */
static rwa_status number_nodes(struct network_draft *d)
{
    uint64_t least = UINT64_MAX, most = 0, number = 0, other = 0;
    for (uint32_t v = 0; v < d->nodes; v++) {
        if (!is_number(d->ids.list[v], &number))
            return RWA_OK;
        LOWER(least, number);
        RAISE(most, number);
    }
    if (least > 1)
        return RWA_OK;
    for (rwa_link *link = d->links; link < d->links + d->link_count; link++) {
        is_number(d->ids.list[link->from], &number);
        is_number(d->ids.list[link->to], &other);
        link->from = (uint32_t)(number - least);
        link->to = (uint32_t)(other - least);
    }
    names_free(&d->ids);
    free(d->list);
    d->list = NULL;
    return draft_count_nodes(d, most - least + 1);
}

/** The numbers of nodes and links that the first line of a marked list ("n nodes links", "v id name", "e u v km")
 *  declares; the file must have just these. */
struct counts {
    uint64_t nodes, links;
};

static rwa_status take_marked(struct network_draft *d, struct counts *claimed, char **words, size_t count)
{
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

/** Return the first word of the first line with content if it is a single letter, such as the n of "n nodes links";
 *  else '\0'. */
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
    char mark = first_mark(text), *words[WORDS] = {NULL}, *rest = text;
    bool marked = mark == 'n' || mark == 'v';
    struct counts claimed = {UINT64_MAX, UINT64_MAX};
    d->line = 0;
    for (char *line; (line = text_line(&rest));) {
        size_t count = split(line, words);
        d->line++;
        if (count > 0)
            MUST(marked ? take_marked(d, &claimed, words, count) : take_link(d, words, count));
    }
    if (!marked)
        return d->link_count > 0 ? number_nodes(d) : draft_fail(d, "no link, expected lines of two nodes");
    d->line = 0;
    if (claimed.nodes != UINT64_MAX && (claimed.nodes != d->nodes || claimed.links != d->link_count))
        return draft_fail(d, "%u nodes and %zu links, expected the %" PRIu64 " and %" PRIu64 " of its first line",
                          d->nodes, d->link_count, claimed.nodes, claimed.links);
    return RWA_OK;
}
