/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The table that export writes, read as it stands: routes, fibres and wavelengths are in it.  Network and collective
 * stand in the comment before its heading, or come from the options. */
#include "foreign/import.h"

#include "network/network.h"
#include "schedule/header.h"
#include "schedule/schedule.h"

enum { STEP, SRC, DST, ROUTE, FIBER, WAVELENGTH, BLOCK, OP, HOPS, FIELDS_LEAST, TAPS = FIELDS_LEAST, FIELDS_MOST };
/* The longest part of a field that a message shows. */
enum { SHOWN = 40 };

/** A field of the line at hand, and its numbers: as a rule one, in some fields several with a blank between them. */
struct csv_field {
    const char *text;
    size_t length;
    uint32_t *number;
    size_t count, capacity;
};

struct csv_reader {
    struct import *im;
    bool arcs;
    bool announced;                     /* a comment holds the header of a schedule */
    struct header header;               /* that one */
    const char *names[FIELDS_MOST];     /* of the columns */
    size_t columns;                     /* 0: the heading was not read yet */
    size_t line;
    struct csv_field field[FIELDS_MOST];
};

static bool is_word(const struct csv_field *f, const char *word)
{
    return strlen(word) == f->length && memcmp(f->text, word, f->length) == 0;
}

/** Return the heading of so many columns, written to `text`. */
static const char *heading(const struct csv_reader *t, size_t columns, char text[static 80])
{
    size_t used = 0;
    for (size_t i = 0; i < columns; i++)
        used += (size_t)sprintf(text + used, "%s%s", i ? "," : "", t->names[i]);
    return text;
}

/** Cut a line at its commas. */
static rwa_status cut(struct csv_reader *t, const char *text, size_t length)
{
    size_t count = 0;
    for (const char *end = text + length, *comma; text <= end; text = comma + 1, count++) {
        comma = memchr(text, ',', (size_t)(end - text));
        comma = comma ? comma : end;
        if (count < t->columns) {
            t->field[count].text = text;
            t->field[count].length = (size_t)(comma - text);
        }
    }
    char expected[80];
    return count == t->columns ? RWA_OK : import_fail(t->im, t->line, "%zu fields, expected %zu: %s", count, t->columns,
                                                      heading(t, t->columns, expected));
}

static rwa_status field_fail(const struct csv_reader *t, size_t i, const char *text, size_t length,
                             const char *expected)
{
    return import_fail(t->im, t->line, "%s \"%.*s\", expected %s", t->names[i], (int)(length < SHOWN ? length : SHOWN),
                       text, expected);
}

/** Read a field's number; of blocks, path or taps several, with a blank between them.  Only blocks may not be empty. */
static rwa_status read_numbers(struct csv_reader *t, size_t i)
{
    struct csv_field *f = &t->field[i];
    const char *end = f->text + f->length;
    bool several = i == BLOCK || i == ROUTE || i == TAPS;
    f->count = 0;
    for (const char *at = f->text, *blank; at <= end && (f->length > 0 || !several); at = blank + 1) {
        uint64_t value = 0;
        blank = several ? memchr(at, ' ', (size_t)(end - at)) : NULL;
        blank = blank ? blank : end;
        for (const char *p = at; p < blank; p++)
            value = *p < '0' || *p > '9' || value > UINT32_MAX ? UINT64_MAX : value * 10 + (uint64_t)(*p - '0');
        if (value > UINT32_MAX || at == blank)
            return field_fail(t, i, at, (size_t)(blank - at), "a whole number below 2^32");
        MUST(base_append(f->number, f->count, f->capacity, t->im->err, (uint32_t)value));
    }
    return f->count || i != BLOCK ? RWA_OK
                                  : import_fail(t->im, t->line,
                                                "no block, expected the number of one, or several with a blank "
                                                "between them");
}

/** Read a field that is one of two words, as number 0 or 1. */
static rwa_status read_word(struct csv_reader *t, size_t i, const char *first, const char *second, const char *expected)
{
    struct csv_field *f = &t->field[i];
    f->count = 0;
    MUST(base_append(f->number, f->count, f->capacity, t->im->err, is_word(f, second)));
    return f->number[0] || is_word(f, first) ? RWA_OK : field_fail(t, i, f->text, f->length, expected);
}

static rwa_status read_fields(struct csv_reader *t)
{
    for (size_t i = 0; i < t->columns; i++)
        MUST(i == OP ? read_word(t, OP, "copy", "reduce", "copy or reduce")
             : i == ROUTE && t->arcs ? read_word(t, ROUTE, "cw", "ccw", "cw or ccw") : read_numbers(t, i));
    return RWA_OK;
}

static rwa_status add_line(struct csv_reader *t)
{
    struct import *im = t->im;
    const struct csv_field *f = t->field;
    const uint32_t *path = f[ROUTE].number;
    bool one_hop = network_is_one_hop(im->net);     /* the path can only be the two ends, and is not kept */
    rwa_lightpath lp = {.step = f[STEP].number[0],
                        .src = f[SRC].number[0],
                        .dst = f[DST].number[0],
                        .fiber = f[FIBER].number[0],
                        .wavelength = f[WAVELENGTH].number[0],
                        .block = f[BLOCK].number[0],
                        .orbit = 1,
                        .op = f[OP].number[0] ? RWA_REDUCE : RWA_COPY,
                        .direction = t->arcs && path[0] ? RWA_CCW : RWA_CW};
    rwa_lists lists = {.taps = f[TAPS].number, .tap_count = (uint32_t)f[TAPS].count};
    rwa_error why = {0};
    if (!t->arcs && one_hop && (f[ROUTE].count != 2 || path[0] != lp.src || path[1] != lp.dst))
        return import_fail(im, t->line, "expected the path \"%u %u\"", lp.src, lp.dst);
    if (!t->arcs && !one_hop) {
        lists.path = path;
        lists.path_nodes = (uint32_t)f[ROUTE].count;
    }
    if (f[BLOCK].count > 1) {
        lists.blocks = f[BLOCK].number;
        lists.block_count = (uint32_t)f[BLOCK].count;
    }
    rwa_status st = rwa_schedule_add_lists(im->sched, &lp, &lists, &why);
    if (st == RWA_BADARG)
        return import_fail(im, t->line, "%s%s", why.text, !t->announced && lp.block >= im->coll.blocks && !im->o.blocks
                                                              ? "; set blocks to their number" : "");
    if (st != RWA_OK)
        return base_fail(im->err, st, "%s", why.text);
    uint32_t hops = t->arcs ? rwa_network_hops(im->net, lp.src, lp.dst, lp.direction) : (uint32_t)f[ROUTE].count - 1;
    if (f[HOPS].number[0] != hops)
        return import_fail(im, t->line, "%u hops, on this network the route has %u", f[HOPS].number[0],
                           hops);
    return RWA_OK;
}

/* ---- what it is about ---- */

/** Check that the network in the file's header is like the given one; if none is given, take that of the header. */
static rwa_status match_network(struct import *im, struct header *h)
{
    if (!im->net) {
        im->net = im->own = h->net;
        h->net = NULL;
        return RWA_OK;
    }
    rwa_topology kind = rwa_network_topology(im->net), theirs = rwa_network_topology(h->net);
    if (kind == theirs && rwa_network_nodes(im->net) == rwa_network_nodes(h->net))
        return RWA_OK;
    return base_refuse(im->err, "%s is about a %s of %u nodes, not a %s of %u", im->path, rwa_topology_name(theirs),
                       rwa_network_nodes(h->net), rwa_topology_name(kind), rwa_network_nodes(im->net));
}

/** Create the schedule that the file's header announces, still without lightpaths. */
static rwa_status open_announced(struct import *im, struct header *h)
{
    struct line line = {.file = im->path, .number = 1, .text = im->text + 2, .length = strcspn(im->text, "\r\n") - 2};
    MUST(header_read(h, &line, NULL, im->err));
    MUST(match_network(im, h));
    MUST(import_kind(im, h->coll.kind));
    if (im->o.blocks && im->o.blocks != h->coll.blocks)
        return base_refuse(im->err, "%s has %" PRIu64 " blocks, not %" PRIu64, im->path, h->coll.blocks, im->o.blocks);
    im->coll = h->coll;
    return rwa_schedule_create_among(&im->sched, im->net, &h->coll, h->members, h->scheme, im->err);
}

static rwa_status open_unannounced(struct import *im)
{
    if (!im->net)
        return base_refuse(im->err, "%s names no network, expected a network", im->path);
    MUST(import_collective(im, 0, 0, 0));
    return rwa_schedule_create(&im->sched, im->net, &im->coll, "csv-import", im->err);
}

static rwa_status read_heading(struct csv_reader *t, const char *text, size_t length)
{
    const struct csv_field whole = {.text = text, .length = length};
    char expected[80];
    for (t->columns = FIELDS_MOST; t->columns >= FIELDS_LEAST; t->columns--)
        if (is_word(&whole, heading(t, t->columns, expected)))
            return RWA_OK;
    return import_fail(t->im, t->line, "expected the heading %s", expected);
}

static rwa_status read_lines(struct csv_reader *t)
{
    for (const char *text = t->im->text, *next; *text != '\0'; text = next) {
        size_t length = strcspn(text, "\n"), kept = length > 0 && text[length - 1] == '\r' ? length - 1 : length;
        next = text + length + (text[length] == '\n');
        MUST(import_go_on(t->im, t->line++));
        if (*text == '#')
            continue;
        if (t->columns == 0) {
            MUST(read_heading(t, text, kept));
            continue;
        }
        MUST(cut(t, text, kept));
        MUST(read_fields(t));
        MUST(add_line(t));
    }
    return rwa_schedule_records(t->im->sched) > 0 ? RWA_OK
                                                  : import_fail(t->im, t->line, "no lightpath follows the heading");
}

/** Check the steps and lightpaths in the file's header against the rows, and take its epoch cuts. */
static rwa_status match_header(const struct import *im, const struct header *h)
{
    uint32_t steps = rwa_schedule_steps(im->sched);
    uint64_t lightpaths = rwa_schedule_lightpaths(im->sched);
    if (h->steps != steps)
        return import_fail(im, 1, "the header says %u step%s, expected %u as in the rows", h->steps,
                           plural(h->steps), steps);
    if (h->lightpaths != UINT64_MAX && h->lightpaths != lightpaths)
        return import_fail(im, 1, "the header says %" PRIu64 " lightpath%s, expected %" PRIu64 " as in the rows",
                           h->lightpaths, plural(h->lightpaths), lightpaths);
    if (!cuts_are_valid(h->cuts, h->cut_count, steps))
        return import_fail(im, 1, "\"epochs\": expected ascending steps from 2 to the last one");
    return rwa_schedule_cut_epochs(im->sched, h->cuts, h->cut_count, im->err);
}

static rwa_status read_csv(struct import *im)
{
    struct csv_reader t = {.im = im, .announced = strncmp(im->text, "# {", 3) == 0,
                      .names = {"step", "src", "dst", "path", "fiber", "wavelength", "block", "op", "hops", "taps"}};
    rwa_status st = RWA_OK;
    TRY(t.announced ? open_announced(im, &t.header) : open_unannounced(im));
    t.arcs = network_has_arcs(im->net);
    t.names[ROUTE] = t.arcs ? "dir" : "path";
    TRY(read_lines(&t));
    if (t.announced)
        TRY(match_header(im, &t.header));
    im->found.steps = rwa_schedule_steps(im->sched);
done:
    header_release(&t.header);
    for (size_t i = 0; i < FIELDS_MOST; i++)
        free(t.field[i].number);
    return st;
}

const struct import_format import_csv = {"csv", "the table that export writes, with its routes and wavelengths",
                                         "step,", NULL, read_csv};
