/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Reads the table that export writes, with routes, fibres and wavelengths: each row is read as a record of a schedule
 *  file.  Network and collective stand in the comment before its heading, or come from the options. */
#include "foreign/import.h"

#include "network/network.h"
#include "schedule/header.h"
#include "schedule/schedule.h"

enum { STEP, SRC, DST, ROUTE, FIBER, WAVELENGTH, BLOCK, OP, HOPS, FIELDS_LEAST, TAPS = FIELDS_LEAST, FIELDS_MOST };
struct csv_reader {
    struct import *im;
    bool announced;                     /* a comment holds the header of a schedule */
    rwa_header header;               /* that one */
    struct scan_rules rules;
    const char *names[FIELDS_MOST];     /* of the columns */
    size_t columns;                     /* 0: the heading was not read yet */
    size_t line;
    struct text record;                 /* the row as a record of a schedule file */
    struct scan_lists lists;
    const char *hops;                   /* as the row has them */
};

/** Write the heading of a table with this number of columns to `text`, and return it. */
static const char *heading(const struct csv_reader *t, size_t columns, char text[static 80])
{
    size_t used = 0;
    for (size_t i = 0; i < columns; i++)
        used += (size_t)sprintf(text + used, "%s%s", i ? "," : "", t->names[i]);
    return text;
}

/** Add field number i of a row to the record t->record: as a number, a list of numbers as an array, or any other text
 *  as a string.  scan_record() rejects a string where it expects a number. */
static void add_field(struct csv_reader *t, size_t i, const char *field)
{
    bool several = i == BLOCK && strchr(field, ' '), list = several || i == TAPS || (i == ROUTE && t->rules.path);
    if (i == HOPS)
        t->hops = field;
    if (i == HOPS || (i == TAPS && !*field))
        return;
    text_put(&t->record, "%s\"%s\":%s", i ? "," : "{", several ? "blocks" : t->names[i], list ? "[" : "");
    if (!*field || field[strspn(field, "0123456789 ")])
        text_add_json(&t->record, field);
    else
        for (; *field; field++)
            text_add_bytes(&t->record, *field == ' ' ? "," : field, 1);
    text_put(&t->record, list ? "]" : "");
}

static rwa_status make_record(struct csv_reader *t, char *row)
{
    size_t count = 1;
    char expected[80];
    for (const char *comma = row; (comma = strchr(comma, ',')); comma++)
        count++;
    if (count != t->columns)
        return import_fail(t->im, t->line, "%zu fields, expected %zu: %s", count, t->columns,
                           heading(t, t->columns, expected));
    t->record.used = 0;
    for (size_t i = 0; i < count; i++) {
        const char *field = row;
        row += strcspn(row, ",");
        *row++ = '\0';
        add_field(t, i, field);
    }
    text_put(&t->record, "}");
    return base_blame(t->record.status, t->im->path, t->line, t->im->err);
}

static rwa_status add_row(struct csv_reader *t, char *row)
{
    struct import *im = t->im;
    rwa_lightpath lp;
    rwa_lists lists;
    rwa_error why = {0};
    char hops[16];
    MUST(make_record(t, row));
    struct line line = {.file = im->path, .number = t->line, .text = t->record.data, .length = t->record.used};
    MUST(scan_record(&lp, &t->lists, &line, &t->rules, im->err));
    scan_found(&lists, &t->lists);
    uint32_t route = t->rules.path ? lists.path_nodes - 1 : rwa_network_hops(im->net, lp.src, lp.dst, lp.direction);
    rwa_status st = rwa_schedule_add_lists(im->sched, &lp, &lists, &why);
    if (st == RWA_BADARG)
        return import_fail(im, t->line, "%s%s", why.text, !t->announced && lp.block >= im->coll.blocks && !im->o.blocks
                                                              ? "; set blocks to their number" : "");
    if (st != RWA_OK)
        return base_fail(im->err, st, "%s", why.text);
    plain_print(hops, "%u", route);
    if (strcmp(hops, t->hops) != 0)
        return import_fail(im, t->line, "%s hops, on this network the route has %s", t->hops, hops);
    im->line = t->line;
    return import_note(im, lp.src, lp.dst, lp.block, lp.step);
}

/* ---- what it is about ---- */

/** Check that the network of the file's header h has the kind and the number of nodes of im->net, the network given.
 *  If none is given, move that of the header to im->net. */
static rwa_status match_network(struct import *im, rwa_header *h)
{
    if (!im->net) {
        im->net = im->own = h->network;
        h->network = NULL;
        return RWA_OK;
    }
    rwa_topology kind = rwa_network_topology(im->net), theirs = rwa_network_topology(h->network);
    if (kind == theirs && rwa_network_nodes(im->net) == rwa_network_nodes(h->network))
        return RWA_OK;
    return base_refuse(im->err, "%s is about a %s of %u nodes, not a %s of %u", im->path, rwa_topology_name(theirs),
                       rwa_network_nodes(h->network), rwa_topology_name(kind), rwa_network_nodes(im->net));
}

/** Read the file's header into h, and set im->sched to the schedule that it announces, still without lightpaths. */
static rwa_status open_announced(struct import *im, rwa_header *h)
{
    struct line line = {.file = im->path, .number = 1, .text = im->text + 2, .length = strcspn(im->text, "\r\n") - 2};
    MUST(header_read(h, &line, NULL, im->err));
    MUST(match_network(im, h));
    MUST(import_kind(im, h->collective.kind));
    if (im->o.blocks && im->o.blocks != h->collective.blocks)
        return base_refuse(im->err, "%s has %" PRIu64 " blocks, not %" PRIu64, im->path, h->collective.blocks,
                           im->o.blocks);
    im->coll = h->collective;
    return rwa_schedule_create_among(&im->sched, im->net, &h->collective, h->members, h->scheme, im->err);
}

static rwa_status open_unannounced(struct import *im)
{
    if (!im->net)
        return base_refuse(im->err, "%s names no network, expected a network", im->path);
    MUST(import_collective(im, 0, 0, 0));
    return rwa_schedule_create(&im->sched, im->net, &im->coll, "csv-import", im->err);
}

static rwa_status read_heading(struct csv_reader *t, const char *text)
{
    char expected[80];
    for (t->columns = FIELDS_MOST; t->columns >= FIELDS_LEAST; t->columns--)
        if (strcmp(text, heading(t, t->columns, expected)) == 0)
            return RWA_OK;
    return import_fail(t->im, t->line, "expected the heading %s", expected);
}

static rwa_status read_lines(struct csv_reader *t)
{
    char *rest = t->im->text;
    for (char *row; (row = text_line(&rest));) {
        size_t length = strlen(row);
        if (length > 0 && row[length - 1] == '\r')
            row[length - 1] = '\0';
        MUST(import_go_on(t->im, t->line++));
        if (*row != '#')
            MUST(t->columns ? add_row(t, row) : read_heading(t, row));
    }
    return rwa_schedule_records(t->im->sched) > 0 ? RWA_OK
                                                  : import_fail(t->im, t->line, "no lightpath follows the heading");
}

/** Check that the file's header h gives as many steps and lightpaths as the rows, and begin epochs of im->sched where
 *  the header says. */
static rwa_status match_header(const struct import *im, const rwa_header *h)
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
    struct csv_reader t = {.im = im, .announced = strncmp(im->text, "# {", 3) == 0, .record.err = im->err,
                      .names = {"step", "src", "dst", "path", "fiber", "wavelength", "block", "op", "hops", "taps"}};
    rwa_status st = RWA_OK;
    TRY(t.announced ? open_announced(im, &t.header) : open_unannounced(im));
    t.rules = (struct scan_rules){.path = !network_has_arcs(im->net), .version = UINT_MAX};
    t.names[ROUTE] = t.rules.path ? "path" : "dir";
    TRY(read_lines(&t));
    if (t.announced)
        TRY(match_header(im, &t.header));
    im->found.steps = rwa_schedule_steps(im->sched);
done:
    header_release(&t.header);
    scan_release(&t.lists);
    free(t.record.data);
    return st;
}

const struct import_format import_csv = {"csv", "step,", NULL, read_csv};
