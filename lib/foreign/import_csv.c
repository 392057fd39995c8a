/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The table that export writes, read as it stands: routes, fibres and wavelengths are in it.  Network and collective stand in
 *  the comment before its heading, or come from the options. */
#include "foreign/import.h"

#include "network/network.h"
#include "schedule/header.h"
#include "schedule/schedule.h"

#define HEADING_ARCS "step,src,dst,dir,fiber,wavelength,block,op,hops"
#define HEADING_PATHS "step,src,dst,path,fiber,wavelength,block,op,hops"
#define TAPS ",taps"
enum { STEP, SRC, DST, ROUTE, FIBER, WAVELENGTH, BLOCK, OP, HOPS, FIELDS_LEAST, TAPPED = FIELDS_LEAST, FIELDS_MOST };

struct field_text {
    const char *text;
    size_t length;
};

/** Numbers of one field. */
struct list {
    uint32_t *number;
    size_t count, capacity;
};

struct table {
    struct import *im;
    bool arcs;
    bool announced;                     /* a comment holds the header of a schedule */
    struct header header;               /* that one */
    size_t fields;
    struct list path, blocks, taps;     /* of the line at hand */
};

static bool is_word(const struct field_text *f, const char *word)
{
    return strlen(word) == f->length && memcmp(f->text, word, f->length) == 0;
}

static const char *heading(const struct table *t)
{
    return t->arcs ? HEADING_ARCS : HEADING_PATHS;
}

/** Cut a line at its commas. */
static rwa_status cut(const struct table *t, size_t line, const char *text, size_t length, struct field_text fields[FIELDS_MOST])
{
    size_t count = 0, start = 0;
    for (size_t i = 0; i <= length; i++) {
        if (i < length && text[i] != ',')
            continue;
        if (count < FIELDS_MOST)
            fields[count] = (struct field_text){text + start, i - start};
        count++;
        start = i + 1;
    }
    return count == t->fields ? RWA_OK : import_fail(t->im, line, "%zu fields, expected %zu: %s%s", count, t->fields, heading(t),
                                                     t->fields == FIELDS_MOST ? TAPS : "");
}

static rwa_status number(const struct import *im, size_t line, const struct field_text *f, const char *what, uint32_t *out)
{
    uint64_t value = 0;
    bool digits = f->length > 0 && f->length <= 10;
    for (size_t i = 0; i < f->length && digits; i++) {
        digits = f->text[i] >= '0' && f->text[i] <= '9';
        value = value * 10 + (uint64_t)(f->text[i] - '0');
    }
    *out = (uint32_t)value;
    if (digits && value <= UINT32_MAX)
        return RWA_OK;
    return import_fail(im, line, "%s \"%.*s\", expected a whole number below 2^32", what, (int)(f->length < 40 ? f->length : 40), f->text);
}

/** Numbers with a blank between them; none in an empty field. */
static rwa_status numbers(const struct import *im, size_t line, const struct field_text *f, const char *what, struct list *out)
{
    out->count = 0;
    for (size_t at = 0, end; f->length > 0 && at <= f->length; at = end + 1) {
        for (end = at; end < f->length && f->text[end] != ' '; end++)
            ;
        struct field_text one = {f->text + at, end - at};
        MUST(base_grow((void **)&out->number, &out->capacity, out->count + 1, sizeof *out->number, im->err));
        MUST(number(im, line, &one, what, &out->number[out->count++]));
    }
    return RWA_OK;
}

static rwa_status read_op(const struct import *im, size_t line, const struct field_text *f, rwa_lightpath *lp)
{
    lp->op = is_word(f, "reduce") ? RWA_REDUCE : RWA_COPY;
    if (lp->op == RWA_COPY && !is_word(f, "copy"))
        return import_fail(im, line, "op \"%.*s\", expected copy or reduce", (int)(f->length < 40 ? f->length : 40), f->text);
    return RWA_OK;
}

/** The direction, or the path. */
static rwa_status read_route(struct table *t, size_t line, const struct field_text *f, rwa_lightpath *lp)
{
    if (!t->arcs)
        return numbers(t->im, line, f, "path", &t->path);
    lp->direction = is_word(f, "ccw") ? RWA_CCW : RWA_CW;
    if (lp->direction == RWA_CW && !is_word(f, "cw"))
        return import_fail(t->im, line, "dir \"%.*s\", expected cw or ccw", (int)(f->length < 40 ? f->length : 40), f->text);
    return RWA_OK;
}

static rwa_status read_fields(struct table *t, size_t line, const struct field_text *fields, rwa_lightpath *lp, uint32_t *hops)
{
    const struct import *im = t->im;
    MUST(number(im, line, &fields[STEP], "step", &lp->step));
    MUST(number(im, line, &fields[SRC], "src", &lp->src));
    MUST(number(im, line, &fields[DST], "dst", &lp->dst));
    MUST(read_route(t, line, &fields[ROUTE], lp));
    MUST(number(im, line, &fields[FIBER], "fiber", &lp->fiber));
    MUST(number(im, line, &fields[WAVELENGTH], "wavelength", &lp->wavelength));
    MUST(numbers(im, line, &fields[BLOCK], "block", &t->blocks));
    if (t->blocks.count == 0)
        return import_fail(im, line, "no block, expected the number of one, or several with a blank between them");
    lp->block = t->blocks.number[0];
    MUST(read_op(im, line, &fields[OP], lp));
    MUST(number(im, line, &fields[HOPS], "hops", hops));
    t->taps.count = 0;
    if (t->fields == FIELDS_MOST)
        MUST(numbers(im, line, &fields[TAPPED], "taps", &t->taps));
    return RWA_OK;
}

/** Star, ron and ocs: the path can only be the two ends, and is not kept. */
static rwa_status check_ends(const struct table *t, size_t line, const rwa_lightpath *lp)
{
    const uint32_t *path = t->path.number;
    if (t->arcs || !network_is_one_hop(t->im->net) || (t->path.count == 2 && path[0] == lp->src && path[1] == lp->dst))
        return RWA_OK;
    return import_fail(t->im, line, "expected the path \"%" PRIu32 " %" PRIu32 "\"", lp->src, lp->dst);
}

static rwa_status add_line(struct table *t, size_t line, const char *text, size_t length)
{
    struct import *im = t->im;
    struct field_text fields[FIELDS_MOST] = {{NULL, 0}};
    rwa_lightpath lp = {.orbit = 1};
    rwa_lists lists = {0};
    uint32_t hops = 0, expected = 0;
    rwa_error why = {0};
    MUST(cut(t, line, text, length, fields));
    MUST(read_fields(t, line, fields, &lp, &hops));
    MUST(check_ends(t, line, &lp));
    if (!t->arcs && !network_is_one_hop(im->net))
        lists = (rwa_lists){.path = t->path.number, .path_nodes = (uint32_t)t->path.count};
    if (t->blocks.count > 1) {
        lists.blocks = t->blocks.number;
        lists.block_count = (uint32_t)t->blocks.count;
    }
    lists.taps = t->taps.number;
    lists.tap_count = (uint32_t)t->taps.count;
    rwa_status st = rwa_schedule_add_lists(im->sched, &lp, &lists, &why);
    if (st == RWA_BADARG)
        return import_fail(im, line, "%s%s", why.text, !t->announced && lp.block >= im->coll.blocks && !im->o.blocks
                                                           ? "; set blocks to their number" : "");
    if (st != RWA_OK)
        return base_fail(im->err, st, "%s", why.text);
    expected = t->arcs ? rwa_network_hops(im->net, lp.src, lp.dst, lp.direction) : (uint32_t)t->path.count - 1;
    if (hops != expected)
        return import_fail(im, line, "%" PRIu32 " hops, on this network the route has %" PRIu32, hops, expected);
    return RWA_OK;
}

/* ---- what it is about ---- */

/** The header of the comment is of the network that is given, if one is; else that network is its own. */
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
    return base_fail(im->err, RWA_BADARG, "%s is about a %s of %" PRIu32 " nodes, not a %s of %" PRIu32, im->path,
                     rwa_topology_name(theirs), rwa_network_nodes(h->net), rwa_topology_name(kind),
                     rwa_network_nodes(im->net));
}

/** The schedule that a header announces, empty. */
static rwa_status open_announced(struct import *im, struct header *h, const struct line *line)
{
    MUST(header_read(h, line, NULL, im->err));
    MUST(match_network(im, h));
    MUST(import_kind(im, h->coll.kind));
    if (im->o.blocks && im->o.blocks != h->coll.blocks)
        return base_fail(im->err, RWA_BADARG, "%s has %" PRIu64 " blocks, not %" PRIu64, im->path, h->coll.blocks, im->o.blocks);
    im->coll = h->coll;
    return rwa_schedule_create_among(&im->sched, im->net, &h->coll, h->members, h->scheme, im->err);
}

static rwa_status open_unannounced(struct import *im)
{
    if (!im->net)
        return base_fail(im->err, RWA_BADARG, "%s names no network, expected a network", im->path);
    MUST(import_collective(im, 0, 0, 0));
    return rwa_schedule_create(&im->sched, im->net, &im->coll, "csv-import", im->err);
}

/** The first line may be a comment with a header. */
static rwa_status open_schedule(struct table *t)
{
    struct import *im = t->im;
    struct line line = {.file = im->path, .number = 1, .text = im->text + 2, .length = strcspn(im->text, "\r\n")};
    t->announced = strncmp(im->text, "# {", 3) == 0;
    if (t->announced) {
        line.length -= 2;
        MUST(open_announced(im, &t->header, &line));
    } else {
        MUST(open_unannounced(im));
    }
    t->arcs = network_has_arcs(im->net);
    return RWA_OK;
}

static rwa_status read_heading(struct table *t, size_t line, const struct field_text *f)
{
    size_t length = strlen(heading(t));
    struct field_text rest = {f->text + length, f->length > length ? f->length - length : 0};
    t->fields = is_word(&rest, TAPS) ? FIELDS_MOST : FIELDS_LEAST;
    if (f->length < length || memcmp(f->text, heading(t), length) != 0 || (rest.length > 0 && t->fields == FIELDS_LEAST))
        return import_fail(t->im, line, "expected the heading %s", heading(t));
    return RWA_OK;
}

/** The header of the comment must be of these rows. */
static rwa_status match_header(const struct table *t)
{
    const struct import *im = t->im;
    uint32_t steps = rwa_schedule_steps(im->sched);
    uint64_t lightpaths = rwa_schedule_lightpaths(im->sched);
    if (t->announced && t->header.steps != steps)
        return import_fail(im, 1, "the header says %" PRIu32 " step%s, expected %" PRIu32 " as in the rows", t->header.steps,
                           plural(t->header.steps), steps);
    if (t->announced && t->header.lightpaths != UINT64_MAX && t->header.lightpaths != lightpaths)
        return import_fail(im, 1, "the header says %" PRIu64 " lightpath%s, expected %" PRIu64 " as in the rows", t->header.lightpaths,
                           plural(t->header.lightpaths), lightpaths);
    return RWA_OK;
}

static rwa_status read_csv(struct import *im)
{
    struct table t = {.im = im};
    size_t line = 0;
    rwa_status st = RWA_OK;
    TRY(open_schedule(&t));
    for (const char *text = im->text, *next; *text != '\0'; text = next) {
        size_t length = strcspn(text, "\n"), kept = length > 0 && text[length - 1] == '\r' ? length - 1 : length;
        next = text + length + (text[length] == '\n');
        struct field_text whole = {text, kept};
        line++;
        if (*text == '#')
            continue;
        if (t.fields == 0)
            TRY(read_heading(&t, line, &whole));
        else
            TRY(add_line(&t, line, text, kept));
    }
    if (rwa_schedule_records(im->sched) == 0)
        TRY(import_fail(im, line, "no lightpath follows the heading"));
    TRY(match_header(&t));
    im->found.steps = rwa_schedule_steps(im->sched);
    if (!cuts_are_valid(t.header.cuts, t.header.cut_count, im->found.steps))
        TRY(import_fail(im, 1, "\"epochs\": expected ascending steps from 2 to the last one"));
    TRY(rwa_schedule_cut_epochs(im->sched, t.header.cuts, t.header.cut_count, im->err));
done:
    header_release(&t.header);
    free_all(t.path.number, t.blocks.number, t.taps.number);
    return st;
}

const struct import_format import_csv = {"csv", "the table that export writes, with its routes and wavelengths", "step,", NULL, read_csv};
