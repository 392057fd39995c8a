/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rwa/io.h"

#include "base/base.h"
#include "schedule/scan.h"
#include "schedule/source.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

enum { HEADER_MAX = 1 << 20, RECORD_MAX = 1 << 16, CHUNK = 1 << 16, BUFFER = HEADER_MAX + CHUNK };

struct rwa_reader {
    struct source *source;
    char *path;
    char *buffer;
    size_t start, end;      /* what is read and not yet used */
    bool ended;
    uint64_t line;
    rwa_network *net;
    rwa_collective coll;
    char *scheme;
    uint32_t steps;
};

/* ---- lines ---- */

/** Read one more chunk behind what is there. */
static rwa_status fill(rwa_reader *r, rwa_error *err)
{
    size_t got = 0;
    memmove(r->buffer, r->buffer + r->start, r->end - r->start);
    r->end -= r->start;
    r->start = 0;
    rwa_status st = source_read(r->source, r->buffer + r->end, CHUNK, &got, r->line, err);
    r->end += got;
    r->ended = got == 0;
    return st;
}

static rwa_status too_long(const rwa_reader *r, size_t limit, rwa_error *err)
{
    return base_fail(err, RWA_FORMAT, "%s:%llu: line longer than %zu bytes", r->path, (unsigned long long)r->line + 1,
                     limit);
}

/** The next line, valid until the next call; *got is 0 at the end of the file. */
static rwa_status next_line(rwa_reader *r, size_t limit, struct scan_line *out, int *got, rwa_error *err)
{
    size_t seen = 0;
    const char *newline = NULL;
    rwa_status st = RWA_OK;
    *got = 0;
    for (;;) {
        const char *text = r->buffer + r->start;
        size_t have = r->end - r->start;
        newline = have > seen ? memchr(text + seen, '\n', have - seen) : NULL;
        size_t length = newline ? (size_t)(newline - text) : have;
        if (length > limit)
            return too_long(r, limit, err);
        if (newline || (r->ended && have > 0)) {
            r->line++;
            *out = (struct scan_line){r->path, r->line, text, length, !newline};
            r->start += length + (newline != NULL);
            *got = 1;
            return RWA_OK;
        }
        if (r->ended)
            return RWA_OK;
        seen = have;
        TRY(fill(r, err));
    }
done:
    return st;
}

/* ---- header ---- */

static rwa_status expected(const rwa_reader *r, const char *name, const char *what, rwa_error *err)
{
    return base_fail(err, RWA_FORMAT, "%s:1: \"%s\": expected %s", r->path, name, what);
}

static rwa_status take_integer(const rwa_reader *r, const json_t *object, const char *name, uint64_t max, uint64_t *out,
                               rwa_error *err)
{
    const json_t *value = json_object_get(object, name);
    json_int_t number = json_integer_value(value);
    if (!json_is_integer(value) || number < 0 || (uint64_t)number > max)
        return base_fail(err, RWA_FORMAT, "%s:1: \"%s\": expected an integer from 0 to %llu", r->path, name,
                         (unsigned long long)max);
    *out = (uint64_t)number;
    return RWA_OK;
}

static rwa_status take_u32(const rwa_reader *r, const json_t *object, const char *name, uint32_t *out, rwa_error *err)
{
    uint64_t value = 0;
    rwa_status st = take_integer(r, object, name, UINT32_MAX, &value, err);
    *out = (uint32_t)value;
    return st;
}

/** What the file says wrongly is its format's fault, not the caller's. */
static rwa_status blame_file(const rwa_reader *r, uint64_t line, rwa_status st, const rwa_error *why, rwa_error *err)
{
    if (st == RWA_OK)
        return RWA_OK;
    return base_fail(err, st == RWA_BADARG ? RWA_FORMAT : st, "%s:%llu: %s", r->path, (unsigned long long)line,
                     why->text);
}

static int find_network(const char *name)
{
    static const rwa_network_kind kinds[] = {RWA_RING, RWA_LINE};
    for (size_t i = 0; name && i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(name, rwa_network_kind_name(kinds[i])) == 0)
            return (int)kinds[i];
    return 0;
}

static rwa_status take_network(rwa_reader *r, const json_t *header, rwa_error *err)
{
    const json_t *net = json_object_get(header, "network");
    int kind = find_network(json_string_value(json_object_get(net, "kind")));
    uint32_t nodes = 0;
    rwa_network_options opts;
    rwa_error why = {0};
    rwa_status st = RWA_OK;
    rwa_network_options_init(&opts);
    if (!json_is_object(net))
        return expected(r, "network", "an object", err);
    if (!kind)
        return expected(r, "kind", "\"ring\" or \"line\"", err);
    TRY(take_u32(r, net, "nodes", &nodes, err));
    TRY(take_u32(r, net, "wavelengths", &opts.wavelengths, err));
    opts.fibers = 1;
    if (json_object_get(net, "fibers"))
        TRY(take_u32(r, net, "fibers", &opts.fibers, err));
    st = rwa_network_create(&r->net, (rwa_network_kind)kind, nodes, &opts, &why);
    TRY(blame_file(r, 1, st, &why, err));
done:
    return st;
}

static bool has_root(rwa_collective_kind kind)
{
    return kind == RWA_BROADCAST || kind == RWA_SCATTER || kind == RWA_GATHER;
}

static rwa_status take_collective(rwa_reader *r, const json_t *header, rwa_error *err)
{
    const char *name = json_string_value(json_object_get(header, "collective"));
    int kind = name ? rwa_collective_find(name) : 0;
    uint32_t root = 0, nodes = rwa_network_nodes(r->net);
    uint64_t blocks = 0, bytes = 0;
    rwa_error why = {0};
    rwa_status st = RWA_OK;
    if (!kind)
        return expected(r, "collective", "the name of a collective", err);
    TRY(take_integer(r, header, "blocks", UINT32_MAX, &blocks, err));
    TRY(take_integer(r, header, "block_bytes", UINT64_MAX, &bytes, err));
    if (has_root((rwa_collective_kind)kind))
        TRY(take_u32(r, header, "root", &root, err));
    if (bytes == 0)
        return expected(r, "block_bytes", "at least 1", err);
    if (blocks == 0)
        return expected(r, "blocks", "at least 1", err);
    if (kind == RWA_ALL_TO_ALL && blocks != (uint64_t)nodes * nodes)
        return expected(r, "blocks", "nodes times nodes", err);
    st = rwa_collective_init(&r->coll, (rwa_collective_kind)kind, nodes, root, 1, blocks, &why);
    TRY(blame_file(r, 1, st, &why, err));
    /* The message cannot be told from rounded blocks: the file's size of a block is what counts. */
    r->coll.block_bytes = bytes;
    r->coll.message_bytes = 0;
done:
    return st;
}

static rwa_status take_header(rwa_reader *r, const json_t *header, rwa_error *err)
{
    const char *format = json_string_value(json_object_get(header, "format"));
    const char *scheme = json_string_value(json_object_get(header, "scheme"));
    uint64_t version = 0, lightpaths = 0;
    rwa_status st = RWA_OK;
    if (!format || strcmp(format, "rwa-schedule") != 0)
        return expected(r, "format", "\"rwa-schedule\"", err);
    TRY(take_integer(r, header, "version", INT64_MAX, &version, err));
    if (version != 1)
        return expected(r, "version", "1, the only one this library knows", err);
    TRY(take_network(r, header, err));
    TRY(take_collective(r, header, err));
    TRY(take_u32(r, header, "steps", &r->steps, err));
    if (json_object_get(header, "lightpaths"))
        TRY(take_integer(r, header, "lightpaths", INT64_MAX, &lightpaths, err));
    if (!scheme)
        return expected(r, "scheme", "a string", err);
    r->scheme = base_copy_text(scheme, err);
    st = r->scheme ? RWA_OK : RWA_NOMEM;
done:
    return st;
}

static rwa_status read_header(rwa_reader *r, rwa_error *err)
{
    struct scan_line line;
    json_error_t why;
    json_t *header = NULL;
    int got = 0;
    rwa_status st = RWA_OK;
    TRY(next_line(r, HEADER_MAX, &line, &got, err));
    if (!got)
        return base_fail(err, RWA_FORMAT, "%s:1: empty, expected the header of a schedule", r->path);
    header = json_loadb(line.text, line.length, JSON_REJECT_DUPLICATES, &why);
    if (!header && json_error_code(&why) == json_error_out_of_memory)
        st = base_fail(err, RWA_NOMEM, "%s: out of memory", r->path);
    else if (!header && line.open && json_error_code(&why) == json_error_premature_end_of_input)
        st = base_fail(err, RWA_FORMAT, "%s:1: the header is cut short", r->path);
    else if (!json_is_object(header))
        st = base_fail(err, RWA_FORMAT, "%s:1: column %d: expected the header of a schedule, a JSON object", r->path,
                       header ? 1 : why.column);
    else
        st = take_header(r, header, err);
done:
    json_decref(header);
    return st;
}

/* ---- public ---- */

rwa_status rwa_reader_open(rwa_reader **out, const char *path, rwa_error *err)
{
    rwa_status st = RWA_NOMEM;
    *out = NULL;
    rwa_reader *r = base_array(1, sizeof *r, err);
    if (!r)
        return st;
    r->path = base_copy_text(path, err);
    r->buffer = base_array(BUFFER, 1, err);
    if (!r->path || !r->buffer)
        goto done;
    TRY(source_open(&r->source, path, err));
    TRY(read_header(r, err));
    *out = r;
    r = NULL;
done:
    rwa_reader_free(r);
    return st;
}

void rwa_reader_free(rwa_reader *r)
{
    if (!r)
        return;
    source_free(r->source);
    rwa_network_free(r->net);
    free(r->scheme);
    free(r->buffer);
    free(r->path);
    free(r);
}

const rwa_network *rwa_reader_network(const rwa_reader *r)
{
    return r->net;
}

const rwa_collective *rwa_reader_collective(const rwa_reader *r)
{
    return &r->coll;
}

const char *rwa_reader_scheme(const rwa_reader *r)
{
    return r->scheme;
}

uint32_t rwa_reader_steps(const rwa_reader *r)
{
    return r->steps;
}

uint64_t rwa_reader_line(const rwa_reader *r)
{
    return r->line;
}

rwa_status rwa_reader_next(rwa_reader *r, rwa_lightpath *out, int *got, rwa_error *err)
{
    struct scan_line line;
    rwa_status st = RWA_OK;
    TRY(next_line(r, RECORD_MAX, &line, got, err));
    if (*got) {
        st = scan_record(out, &line, rwa_network_channels(r->net), err);
        *got = st == RWA_OK;
    }
done:
    return st;
}

static rwa_status add_records(rwa_schedule *sched, rwa_reader *r, rwa_error *err)
{
    rwa_lightpath lp;
    int got = 0;
    rwa_status st = RWA_OK;
    for (;;) {
        rwa_error why = {0};
        TRY(rwa_reader_next(r, &lp, &got, err));
        if (!got)
            break;
        st = rwa_schedule_add(sched, &lp, &why);
        TRY(blame_file(r, r->line, st, &why, err));
    }
    if (rwa_schedule_steps(sched) != r->steps)
        st = base_fail(err, RWA_FORMAT, "%s:%llu: the file ends after step %u, expected the header's %u steps", r->path,
                       (unsigned long long)r->line, rwa_schedule_steps(sched), r->steps);
done:
    return st;
}

rwa_status rwa_schedule_read(rwa_schedule **out, const char *path, rwa_error *err)
{
    rwa_reader *r = NULL;
    rwa_schedule *sched = NULL;
    rwa_status st = RWA_OK;
    *out = NULL;
    TRY(rwa_reader_open(&r, path, err));
    TRY(rwa_schedule_create(&sched, r->net, &r->coll, r->scheme, err));
    TRY(add_records(sched, r, err));
    *out = sched;
    sched = NULL;
done:
    rwa_schedule_free(sched);
    rwa_reader_free(r);
    return st;
}
