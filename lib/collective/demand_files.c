/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Demands from files: lists and matrices as text, JSON, and the demands of SNDlib files. */
#include "collective/demand_list.h"

#include "base/base.h"
#include "base/file.h"
#include "base/text.h"
#include "network/files/sndlib.h"

/* A file with rows of more numbers than LISTED can be a matrix. */
enum { FILE_MAX = 1 << 28, FIELDS = 6, LISTED = 4 };

static rwa_status take_sndlib(void *data, const struct sndlib_item *item, rwa_error *err)
{
    struct demand_list *d = data;
    uint32_t src = 0, dst = 0;
    (void)err;
    if (item->kind != SNDLIB_DEMAND)
        return RWA_OK;
    d->line = item->line;
    MUST(demand_list_node(d, item->from, &src));
    MUST(demand_list_node(d, item->to, &dst));
    return demand_list_add_amount(d, src, dst, item->value, item->unit_bps, RWA_NO_NODE);
}

/** The separator of the fields of a line: the first of , ; tab outside quotes, else a blank. */
static char separator_of(const char *line)
{
    bool quoted = false;
    for (; *line && (quoted || *line != '#'); line++) {
        quoted = quoted != (*line == '"');
        if (!quoted && (*line == ',' || *line == ';' || *line == '\t'))
            return *line;
    }
    return ' ';
}

/** The next field, cut off, without its quotes ("" inside them is one); NULL at the end of the line. */
static char *next_field(char **rest, char separator)
{
    char *from = *rest, *to, *field;
    bool quoted = false;
    if (!from)
        return NULL;
    from += strspn(from, " ");
    if (separator == ' ' && !*from)
        return NULL;
    for (field = to = from; *from && (quoted || *from != separator); from++) {
        if (*from == '"' && quoted && from[1] == '"')
            *to++ = *from++;
        else if (*from == '"')
            quoted = !quoted;
        else
            *to++ = *from;
    }
    *rest = *from ? from + 1 : NULL;
    while (to > field && to[-1] == ' ')
        to--;
    *to = '\0';
    return field;
}

/** At most `most` fields into the array; how many there are. */
static size_t split(char *line, char **fields, size_t most)
{
    char separator = separator_of(line), *rest = line, *field = NULL;
    size_t count = 0;
    while ((field = next_field(&rest, separator)) != NULL) {
        if (count < most)
            fields[count] = field;
        count++;
    }
    return count;
}

/** Cuts the next line off; blanks, comments and the end of line are taken away. */
static char *next_line(struct demand_list *d, char **rest)
{
    char *line = text_line(rest);
    if (!line)
        return NULL;
    line[strcspn(line, "#\r")] = '\0';
    d->line++;
    return line + strspn(line, " \t");
}

static bool read_whole(const char *text, uint64_t *number)
{
    size_t length = strlen(text);
    *number = length < 18 ? strtoull(text, NULL, 10) : UINT64_MAX;
    return length > 0 && strspn(text, "0123456789") == length;
}

/** The columns of a list, in their order where no first line names them; and other names of the first two. */
static const char *const column_name[FIELDS + 4] = {"src", "dst", "count", "via", "width", "rate", "source", "target", "from", "to"};

/** FIELDS: no column has that name. */
static size_t find_column(const char *name)
{
    for (size_t i = 0; i < FIELDS + 4; i++)
        if (strcmp(name, column_name[i]) == 0)
            return i < FIELDS ? i : i % 2;
    return FIELDS;
}

/** The meaning of each column of a file, in order. */
struct header {
    size_t column[FIELDS], count;
};

static rwa_status take_header(struct demand_list *d, struct header *h, char *const *fields, size_t count)
{
    bool given[FIELDS + 1] = {false};
    if (count > FIELDS)
        return demand_list_fail(d, "%zu columns, expected at most src, dst, count, via, width and rate", count);
    for (h->count = 0; h->count < count; h->count++) {
        size_t column = find_column(fields[h->count]);
        if (column == FIELDS || given[column])
            return demand_list_fail(d, "column \"%.64s\", expected src, dst, count, via, width or rate, each once", fields[h->count]);
        given[column] = true;
        h->column[h->count] = column;
    }
    return given[1] ? RWA_OK : demand_list_fail(d, "no column dst, expected src, dst and perhaps count, via, width and rate");
}

/** Put the fields of a line in the order that take_fields() expects; those that are not there are empty. */
static rwa_status arrange(struct demand_list *d, const struct header *h, char *fields[FIELDS], size_t count)
{
    static char none[] = "";
    char *ordered[FIELDS] = {none, none, none, none, none, none};
    if (count > h->count)
        return demand_list_fail(d, "%zu fields, expected at most the %zu that the first line names", count, h->count);
    for (size_t i = 0; i < count; i++)
        ordered[h->column[i]] = fields[i];
    memcpy(fields, ordered, sizeof ordered);
    return RWA_OK;
}

/** Fields 4 and 5: a width in slots, a rate in bit/s; an empty one is not given. */
static rwa_status take_size(struct demand_list *d, char *const *fields, size_t count, uint64_t *width, double *rate_bps)
{
    uint64_t number = 0;
    *width = 0;
    *rate_bps = 0;
    if (count > 4 && *fields[4] && !read_whole(fields[4], &number))
        return demand_list_fail(d, "width \"%.64s\", expected a whole number of slots", fields[4]);
    if (count > 4 && *fields[4])
        MUST(demand_list_width(d, (double)number, width));
    if (count > 5 && *fields[5])
        MUST(demand_list_rate(d, fields[5], rate_bps));
    return RWA_OK;
}

/** "src,dst", "src,dst,count", "src,dst,count,via", "src,dst,count,via,width" or "src,dst,count,via,width,rate" */
static rwa_status take_fields(struct demand_list *d, char *const *fields, size_t count)
{
    uint32_t src = 0, dst = 0, via = RWA_NO_NODE;
    uint64_t lightpaths = 1, width = 0;
    double rate_bps = 0;
    if (count < 2 || count > FIELDS)
        return demand_list_fail(d, "%zu field%s, expected src,dst and perhaps a count, a node to pass, a width and a rate", count,
                                count == 1 ? "" : "s");
    MUST(demand_list_node(d, fields[0], &src));
    MUST(demand_list_node(d, fields[1], &dst));
    if (count > 2 && *fields[2] && !read_whole(fields[2], &lightpaths))
        return demand_list_fail(d, "count \"%.64s\", expected a whole number", fields[2]);
    if (count > 2 && !*fields[2])
        lightpaths = 1;
    if (count > 3 && *fields[3])
        MUST(demand_list_node(d, fields[3], &via));
    MUST(take_size(d, fields, count, &width, &rate_bps));
    MUST(demand_list_add(d, src, dst, lightpaths, via));
    if (lightpaths > 0)
        demand_list_widen(d, width, rate_bps);
    return RWA_OK;
}

static rwa_status read_list(struct demand_list *d, char *text)
{
    char *fields[FIELDS], *rest = text;
    struct header header = {.count = 0};
    bool first = true;
    d->line = 0;
    for (char *line; (line = next_line(d, &rest));) {
        size_t count = *line ? split(line, fields, FIELDS) : 0;
        if (count == 0)
            continue;
        if (first && count >= 2 && find_column(fields[0]) == 0) {
            MUST(take_header(d, &header, fields, count));
        } else {
            if (header.count > 0 && count > 1)
                MUST(arrange(d, &header, fields, count));
            MUST(take_fields(d, fields, header.count > 0 && count > 1 ? FIELDS : count));
        }
        first = false;
    }
    return RWA_OK;
}

/** true for as many lines of as many whole numbers as there are nodes, when that can be no list. */
static bool is_matrix(struct demand_list *d, char *text)
{
    uint32_t nodes = rwa_network_nodes(d->net), rows = 0;
    char *rest = text, *field = NULL;
    uint64_t number = 0;
    bool matrix = nodes > LISTED;
    for (char *line; matrix && (line = next_line(d, &rest));) {
        char separator = separator_of(line), *left = line;
        uint32_t count = 0;
        for (; *line && (field = next_field(&left, separator)) != NULL; count++)
            matrix = matrix && read_whole(field, &number);
        matrix = matrix && (count == 0 || count == nodes);
        rows += count > 0;
    }
    return matrix && rows == nodes;
}

static rwa_status read_matrix(struct demand_list *d, char *text)
{
    uint32_t nodes = rwa_network_nodes(d->net);
    size_t at = 0;
    uint64_t *counts = base_array((size_t)nodes * nodes, sizeof *counts, d->err);
    char *rest = text, *field = NULL;
    rwa_status st = RWA_OK;
    TRY(counts ? RWA_OK : RWA_NOMEM);
    for (char *line; (line = next_line(d, &rest));) {
        char separator = separator_of(line), *left = line;
        while (*line && (field = next_field(&left, separator)) != NULL)
            read_whole(field, &counts[at++]);
    }
    d->line = 0;
    TRY(demand_list_matrix(d, counts));
done:
    free(counts);
    return st;
}

static rwa_status read_plain(struct demand_list *d, char *text)
{
    char *copy = base_copy_text(text, d->err);
    MUST(copy ? RWA_OK : RWA_NOMEM);
    bool matrix = is_matrix(d, copy);
    free(copy);
    d->line = 0;
    return matrix ? read_matrix(d, text) : read_list(d, text);
}

static rwa_status read_text(struct demand_list *d, char *text, size_t length)
{
    const char *start = text + strspn(text, " \t\r\n");
    if (*start == '<')
        return sndlib_read_xml(text, length, d->file, take_sndlib, d, d->err);
    d->line = file_bad_line(text, length);
    if (d->line)
        return demand_list_fail(d, "not UTF-8, expected text in that encoding");
    if (!*start)
        return demand_list_fail(d, "empty, expected demands");
    if (sndlib_is_native(text))
        return sndlib_read_native(text, d->file, take_sndlib, d, d->err);
    return *start == '{' || *start == '[' ? demand_list_json(d, text, length) : read_plain(d, text);
}

rwa_status rwa_demands_read(rwa_demands **out, const char *path, const rwa_network *net, rwa_model model, rwa_error *err)
{
    BEGIN_NEW(out, err, path, net);
    struct demand_list d = {.file = path, .net = net, .model = model, .err = err};
    char *text = NULL;
    size_t length = 0;
    rwa_status st = RWA_OK;
    if (!rwa_model_name(model))
        return base_fail(err, RWA_BADARG, "demands: expected the directed or the undirected model");
    TRY(file_load(&text, &length, path, FILE_MAX, "demands", err));
    TRY(demand_list_open(&d));
    TRY(read_text(&d, text, length));
    d.line = 0;
    d.item[0] = '\0';
    if (d.count == 0)
        TRY(demand_list_fail(&d, "no demand, expected at least one"));
    TRY(demand_list_finish(out, &d));
done:
    demand_list_free(&d);
    free(text);
    return st;
}

static rwa_status open_random(rwa_demands **out, const char *digits, const rwa_network *net, rwa_model model, uint64_t seed, rwa_error *err)
{
    uint64_t count = 0;
    if (!read_whole(digits, &count) || count == 0 || count > RWA_DEMANDS_MAX)
        return base_fail(err, RWA_BADARG, "demands \"random:%.32s\": expected a number from 1 to %u, as in random:100", digits,
                         RWA_DEMANDS_MAX);
    return rwa_demands_random(out, rwa_network_nodes(net), model, (size_t)count, seed, err);
}

rwa_status rwa_demands_open(rwa_demands **out, const char *spec, const rwa_network *net, rwa_model model, uint64_t seed, rwa_error *err)
{
    BEGIN_NEW(out, err, net);
    if (!spec)
        return base_fail(err, RWA_BADARG, "no demands, expected all-to-all, random:COUNT or a file");
    if (strcmp(spec, "all-to-all") == 0)
        return rwa_demands_all_to_all(out, rwa_network_nodes(net), model, err);
    if (strncmp(spec, "random:", 7) == 0)
        return open_random(out, spec + 7, net, model, seed, err);
    rwa_error why = {0};
    rwa_status st = rwa_demands_read(out, spec, net, model, &why);
    if (st == RWA_OK)
        return RWA_OK;
    return base_fail(err, st, "%s%s", why.text, st == RWA_IO ? "; expected all-to-all, random:COUNT or a file" : "");
}
