/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Demands from files: lists and matrices as text, JSON, and the demands of SNDlib files. */
#include "demand/demand_list.h"

#include "base/base.h"
#include "base/file.h"
#include "base/text.h"
#include "network/files/sndlib.h"

/* Only a file whose rows have more than LISTED numbers can be a matrix. */
enum { FILE_MAX = 1 << 28, LISTED = 4 };

static rwa_status take_sndlib(void *data, const struct sndlib_item *item, rwa_error *err)
{
    struct demand_list *d = data;
    struct demand_row row = {.via = RWA_NONE};
    (void)err;
    if (item->kind != SNDLIB_DEMAND)
        return RWA_OK;
    d->line = item->line;
    MUST(demand_list_node(d, item->from, false, &row.src));
    MUST(demand_list_node(d, item->to, false, &row.dst));
    MUST(demand_list_amount(d, item->value, item->unit_bps, &row));
    return demand_list_add(d, &row);
}

/** Return the character that separates the fields of a line: the first comma, semicolon or tab outside quotes, else a
 *  blank. */
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

/** Split a line into fields and store the first DEMAND_FIELDS of them.  Return how many fields there are. */
static size_t split(char *line, char *fields[DEMAND_FIELDS])
{
    char separator = separator_of(line), *rest = line, *field = NULL;
    size_t count = 0;
    while (*line && (field = text_field(&rest, separator)) != NULL) {
        if (count < DEMAND_FIELDS)
            fields[count] = field;
        count++;
    }
    return count;
}

/** Cut the next line off a text and return it without surrounding blanks, comment and line end; NULL at the end of the
 *  text. */
static char *next_line(struct demand_list *d, char **rest)
{
    char *line = text_line(rest);
    if (!line)
        return NULL;
    line[strcspn(line, "#\r")] = '\0';
    d->line++;
    return line + strspn(line, " \t");
}

/** Return the field that has this column name, or DEMAND_FIELDS if none has. */
static size_t find_column(const char *name)
{
    for (size_t i = 0; i < DEMAND_NAMES; i++)
        if (strcmp(name, demand_fields[i]) == 0)
            return i < DEMAND_FIELDS ? i : i % 2; /* further names of the two ends come in pairs */
    return DEMAND_FIELDS;
}

/** The field that each column of a file holds, in the order of the columns. */
struct demand_header {
    size_t column[DEMAND_FIELDS], count;
};

static rwa_status take_header(struct demand_list *d, struct demand_header *h, char *const *names, size_t count)
{
    bool given[DEMAND_FIELDS + 1] = {false};
    if (count > DEMAND_FIELDS)
        return demand_list_fail(d, "%zu columns, expected at most src, dst, count, via, width and rate", count);
    for (h->count = 0; h->count < count; h->count++) {
        size_t column = find_column(names[h->count]);
        if (column == DEMAND_FIELDS || given[column])
            return demand_list_fail(d, "column \"%.64s\", expected src, dst, count, via, width or rate, each once",
                                    names[h->count]);
        given[column] = true;
        h->column[h->count] = column;
    }
    return given[DEMAND_DST]
               ? RWA_OK
               : demand_list_fail(d, "no column dst, expected src, dst and perhaps count, via, width and rate");
}

static rwa_status take_line(struct demand_list *d, const struct demand_header *h, char *const *fields, size_t count)
{
    const char *ordered[DEMAND_FIELDS] = {"", "", "", "", "", ""};
    if (count < 2)
        return demand_list_fail(
            d, "%zu field, expected src,dst and perhaps a count, a node to pass, a width and a rate", count);
    if (count > h->count)
        return demand_list_fail(d, "%zu fields, expected at most the %zu columns that there are", count, h->count);
    for (size_t i = 0; i < count; i++)
        ordered[h->column[i]] = fields[i];
    return demand_list_take(d, ordered, NULL, 0);
}

static rwa_status read_list(struct demand_list *d, char *text)
{
    char *fields[DEMAND_FIELDS], *rest = text;
    struct demand_header header = {{DEMAND_SRC, DEMAND_DST, DEMAND_COUNT, DEMAND_VIA, DEMAND_WIDTH, DEMAND_RATE},
                            DEMAND_FIELDS};
    bool first = true;
    for (char *line; (line = next_line(d, &rest));) {
        size_t count = split(line, fields);
        if (count == 0)
            continue;
        if (first && count >= 2 && find_column(fields[0]) == DEMAND_SRC)
            MUST(take_header(d, &header, fields, count));
        else
            MUST(take_line(d, &header, fields, count));
        first = false;
    }
    return RWA_OK;
}

/** Read a text as a matrix and store its numbers in `counts`.  Return false unless it has as many lines as nodes, and
 *  each line as many whole numbers. */
static bool read_matrix(struct demand_list *d, char *text, uint64_t *counts)
{
    size_t nodes = rwa_network_nodes(d->net), at = 0;
    char *rest = text, *field = NULL;
    for (char *line; (line = next_line(d, &rest));) {
        char separator = separator_of(line), *left = line;
        size_t row = at;
        while (*line && (field = text_field(&left, separator)) != NULL)
            if (at == row + nodes || at == nodes * nodes || !demand_whole(field, &counts[at++]))
                return false;
        if (at > row && at < row + nodes)
            return false;
    }
    return at == nodes * nodes;
}

static rwa_status read_plain(struct demand_list *d, char *text, size_t length)
{
    uint64_t nodes = rwa_network_nodes(d->net), *counts = NULL;
    bool can_be_matrix =
        nodes > LISTED && length + 1 >= 2 * nodes * nodes; /* a digit and a separator for each number */
    char *copy = NULL;
    rwa_status st = RWA_OK;
    if (can_be_matrix) {
        TRY(base_new(counts, (size_t)(nodes * nodes), d->err));
        copy = base_copy_text(text, d->err);
        TRY(copy ? RWA_OK : RWA_NOMEM);
    }
    bool matrix = can_be_matrix && read_matrix(d, copy, counts);
    d->line = 0;
    st = matrix ? demand_list_matrix(d, counts) : read_list(d, text);
done:
    free_all(counts, copy);
    return st;
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
    return *start == '{' || *start == '[' ? demand_list_json(d, text, length) : read_plain(d, text, length);
}

rwa_status rwa_demands_read(rwa_demands **out, const char *path, const rwa_network *net, rwa_model model,
                            rwa_error *err)
{
    BEGIN_NEW(out, err, path, net);
    struct demand_list d = {.file = path, .net = net, .model = model, .err = err};
    char *text = NULL;
    size_t length = 0;
    rwa_status st = RWA_OK;
    if (!rwa_model_name(model))
        return base_refuse(err, "demands: expected the directed or the undirected model");
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

static rwa_status open_random(rwa_demands **out, const char *digits, const rwa_network *net, rwa_model model,
                              uint64_t seed, rwa_error *err)
{
    uint64_t count = 0;
    if (!demand_whole(digits, &count) || count == 0 || count > RWA_DEMANDS_MAX)
        return base_refuse(err, "demands \"random:%.32s\": expected a number from 1 to %u, as in random:100", digits,
                           RWA_DEMANDS_MAX);
    return rwa_demands_random(out, rwa_network_nodes(net), model, (size_t)count, seed, err);
}

rwa_status rwa_demands_open(rwa_demands **out, const char *spec, const rwa_network *net, rwa_model model, uint64_t seed,
                            rwa_error *err)
{
    static const char random[] = "random:";
    BEGIN_NEW(out, err, net);
    if (!spec)
        return base_refuse(err, "no demands, expected all-to-all, random:COUNT or a file");
    if (strcmp(spec, "all-to-all") == 0)
        return rwa_demands_all_to_all(out, rwa_network_nodes(net), model, err);
    if (strncmp(spec, random, sizeof random - 1) == 0)
        return open_random(out, spec + sizeof random - 1, net, model, seed, err);
    rwa_error why = {0};
    rwa_status st = rwa_demands_read(out, spec, net, model, &why);
    if (st == RWA_OK)
        return RWA_OK;
    return base_fail(err, st, "%s%s", why.text, st == RWA_IO ? "; expected all-to-all, random:COUNT or a file" : "");
}
