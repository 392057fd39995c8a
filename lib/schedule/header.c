/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "schedule/header.h"

#include "base/base.h"
#include "network/network.h"
#include "schedule/schedule.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

struct taker {
    struct header *out;
    const char *file;
    rwa_error *err;
};

static rwa_status expected(const struct taker *t, const char *name, const char *what)
{
    return base_fail(t->err, RWA_FORMAT, "%s:1: \"%s\": expected %s", t->file, name, what);
}

static bool has(const json_t *object, const char *name)
{
    return json_object_get(object, name) != NULL;
}

static rwa_status take_integer(const struct taker *t, const json_t *object, const char *name, uint64_t max, uint64_t *out)
{
    const json_t *value = json_object_get(object, name);
    json_int_t number = json_integer_value(value);
    if (!json_is_integer(value) || number < 0 || (uint64_t)number > max)
        return base_fail(t->err, RWA_FORMAT, "%s:1: \"%s\": expected an integer from 0 to %llu", t->file, name,
                         (unsigned long long)max);
    *out = (uint64_t)number;
    return RWA_OK;
}

static rwa_status take_u32(const struct taker *t, const json_t *object, const char *name, uint32_t *out)
{
    uint64_t value = 0;
    rwa_status st = take_integer(t, object, name, UINT32_MAX, &value);
    *out = (uint32_t)value;
    return st;
}

/** The same when it may be absent. */
static rwa_status take_optional(const struct taker *t, const json_t *object, const char *name, uint32_t *out)
{
    return has(object, name) ? take_u32(t, object, name, out) : RWA_OK;
}

/** What the file says wrongly is its format's fault, not the caller's. */
static rwa_status blame_file(const struct taker *t, rwa_status st, const rwa_error *why)
{
    if (st == RWA_OK)
        return RWA_OK;
    return base_fail(t->err, st == RWA_BADARG ? RWA_FORMAT : st, "%s:1: %s", t->file, why->text);
}

static bool is_u32(const json_t *value)
{
    return json_is_integer(value) && json_integer_value(value) >= 0 && json_integer_value(value) <= UINT32_MAX;
}

/** An array of integers; *out is the caller's to free. */
static rwa_status take_numbers(const struct taker *t, const json_t *object, const char *name, uint32_t **out, size_t *count)
{
    const json_t *array = json_object_get(object, name);
    *count = json_array_size(array);
    if (!json_is_array(array))
        return expected(t, name, "an array of integers");
    *out = base_array(*count, sizeof **out, t->err);
    if (!*out)
        return RWA_NOMEM;
    for (size_t i = 0; i < *count; i++) {
        const json_t *value = json_array_get(array, i);
        if (!is_u32(value))
            return expected(t, name, "an array of integers");
        (*out)[i] = (uint32_t)json_integer_value(value);
    }
    return RWA_OK;
}

/* ---- network ---- */

static rwa_status take_links(const struct taker *t, const json_t *net, rwa_link **out, size_t *count)
{
    const json_t *links = json_object_get(net, "links");
    *count = json_array_size(links);
    if (!json_is_array(links))
        return expected(t, "links", "an array of [from,to]");
    *out = base_array(*count, sizeof **out, t->err);
    if (!*out)
        return RWA_NOMEM;
    for (size_t i = 0; i < *count; i++) {
        const json_t *link = json_array_get(links, i), *from = json_array_get(link, 0), *to = json_array_get(link, 1);
        if (json_array_size(link) != 2 || !is_u32(from) || !is_u32(to))
            return expected(t, "links", "an array of [from,to]");
        (*out)[i] = (rwa_link){.from = (uint32_t)json_integer_value(from), .to = (uint32_t)json_integer_value(to)};
    }
    return RWA_OK;
}

/** Links that have another number of fibres than the network. */
static rwa_status take_link_fibers(const struct taker *t, const json_t *net, rwa_link *links, size_t link_count)
{
    uint32_t *fibers = NULL;
    size_t count = 0;
    rwa_status st = RWA_OK;
    if (!has(net, "link_fibers"))
        return RWA_OK;
    TRY(take_numbers(t, net, "link_fibers", &fibers, &count));
    if (count != link_count)
        st = expected(t, "link_fibers", "one entry for each link");
    for (size_t i = 0; st == RWA_OK && i < count; i++) {
        links[i].fibers = fibers[i];
        if (fibers[i] == 0)
            st = expected(t, "link_fibers", "at least one fiber for each link");
    }
done:
    free(fibers);
    return st;
}

static bool same_links(const rwa_network *net, const rwa_link *links, size_t count)
{
    if (rwa_network_directed_links(net) != count)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        rwa_link own = rwa_network_link(net, i);
        if (own.from != links[i].from || own.to != links[i].to || (links[i].fibers && links[i].fibers != own.fibers))
            return false;
    }
    return true;
}

/** The network of the shape that the header names. */
static rwa_status make_shape(const struct taker *t, const json_t *net, rwa_network_kind kind, uint32_t nodes,
                             const rwa_network_options *opts)
{
    uint32_t *shape = NULL;
    size_t count = 0;
    rwa_error why = {0};
    rwa_status st = RWA_OK;
    TRY(take_numbers(t, net, "shape", &shape, &count));
    st = rwa_network_create_shape(&t->out->net, kind, shape, count, opts, &why);
    TRY(blame_file(t, st, &why));
    if (rwa_network_nodes(t->out->net) != nodes)
        st = expected(t, "nodes", "those of the shape");
done:
    free(shape);
    return st;
}

/**
 * A network that lists its links is what its links say.  Where the header names the shape it was made from, and the links
 * are those of this shape, it is known by that; otherwise it is a graph.
 */
static rwa_status take_listed(const struct taker *t, const json_t *net, rwa_network_kind kind, uint32_t nodes,
                              const rwa_network_options *opts)
{
    rwa_link *links = NULL;
    size_t count = 0;
    rwa_error why = {0};
    rwa_status st = RWA_OK;
    TRY(take_links(t, net, &links, &count));
    TRY(take_link_fibers(t, net, links, count));
    if (kind != RWA_GRAPH && has(net, "shape")) {
        TRY(make_shape(t, net, kind, nodes, opts));
        if (!same_links(t->out->net, links, count))
            st = expected(t, "links", "those of the shape");
    } else {
        st = rwa_network_create_graph(&t->out->net, nodes, links, count, opts, &why);
        st = blame_file(t, st, &why);
    }
done:
    free(links);
    return st;
}

static rwa_status take_network(const struct taker *t, const json_t *header)
{
    const json_t *net = json_object_get(header, "network");
    rwa_network_kind kind = rwa_network_find_kind(json_string_value(json_object_get(net, "kind")));
    uint32_t nodes = 0;
    rwa_network_options opts;
    rwa_error why = {0};
    rwa_status st = RWA_OK;
    rwa_network_options_init(&opts);
    if (!json_is_object(net))
        return expected(t, "network", "an object");
    if (!kind)
        return expected(t, "kind", "a kind of network, such as \"ring\" or \"graph\"");
    TRY(take_u32(t, net, "nodes", &nodes));
    TRY(take_u32(t, net, "wavelengths", &opts.wavelengths));
    TRY(take_optional(t, net, "fibers", &opts.fibers));
    TRY(take_optional(t, net, "ports", &opts.ports));
    TRY(take_optional(t, net, "tuning", &opts.tuning));
    if (header_lists_links(kind))
        return take_listed(t, net, kind, nodes, &opts);
    st = rwa_network_create(&t->out->net, kind, nodes, &opts, &why);
    TRY(blame_file(t, st, &why));
done:
    return st;
}

/* ---- faults ---- */

/** "17" or "cw:17" each; *out is the caller's to free. */
static rwa_status take_failed(const struct taker *t, const json_t *names, uint32_t **out, size_t *count)
{
    static const char what[] = "an array of links such as \"17\", or \"cw:17\" on rings and lines";
    *count = 0;
    *out = base_array(json_array_size(names) * 2, sizeof **out, t->err);
    if (!*out)
        return RWA_NOMEM;
    if (names && !json_is_array(names))
        return expected(t, "failed", what);
    for (size_t i = 0; i < json_array_size(names); i++) {
        const char *name = json_string_value(json_array_get(names, i));
        size_t found = name ? rwa_network_name_links(t->out->net, name, *out + *count) : 0;
        if (found == 0)
            return expected(t, "failed", what);
        *count += found;
    }
    return RWA_OK;
}

static rwa_status take_faults(const struct taker *t, const json_t *net)
{
    uint32_t *channels = NULL, *links = NULL;
    rwa_network *faulty = NULL;
    rwa_faults faults = {0};
    rwa_error why = {0};
    rwa_status st = RWA_OK;
    if (!has(net, "reserved") && !has(net, "failed"))
        return RWA_OK;
    if (has(net, "reserved"))
        TRY(take_numbers(t, net, "reserved", &channels, &faults.channel_count));
    TRY(take_failed(t, json_object_get(net, "failed"), &links, &faults.link_count));
    faults.channels = channels;
    faults.links = links;
    st = rwa_network_with_faults(&faulty, t->out->net, &faults, &why);
    TRY(blame_file(t, st, &why));
    rwa_network_free(t->out->net);
    t->out->net = faulty;
done:
    free(channels);
    free(links);
    return st;
}

/* ---- the rest ---- */

/** Members that are all nodes are none. */
static rwa_status take_members(const struct taker *t, const json_t *header)
{
    size_t count = 0;
    rwa_error why = {0};
    rwa_status st = RWA_OK;
    t->out->coll.nodes = rwa_network_nodes(t->out->net);
    if (!has(header, "members"))
        return RWA_OK;
    TRY(take_numbers(t, header, "members", &t->out->members, &count));
    if (count < 2 || count > t->out->coll.nodes)
        return expected(t, "members", "at least two nodes, each once");
    st = members_refuse(t->out->net, t->out->members, (uint32_t)count, &why);
    TRY(blame_file(t, st, &why));
    if (count == t->out->coll.nodes) {
        free(t->out->members);
        t->out->members = NULL;
    }
    t->out->coll.nodes = (uint32_t)count;
done:
    return st;
}

/** The root as the collective counts it: its place among the members. */
static rwa_status take_root(const struct taker *t, const json_t *header, uint32_t nodes, uint32_t *root)
{
    uint32_t node = 0;
    rwa_status st = RWA_OK;
    TRY(take_u32(t, header, "root", &node));
    *root = node;
    if (!t->out->members)
        return RWA_OK;
    for (*root = 0; *root < nodes && t->out->members[*root] != node; ++*root)
        ;
    if (*root == nodes)
        return expected(t, "root", "one of the members");
done:
    return st;
}

bool header_lists_links(rwa_network_kind kind)
{
    return kind != RWA_RING && kind != RWA_LINE && kind != RWA_STAR && kind != RWA_RON && kind != RWA_OCS;
}

bool header_has_root(rwa_collective_kind kind)
{
    return kind == RWA_BROADCAST || kind == RWA_SCATTER || kind == RWA_GATHER;
}

static rwa_status take_collective(const struct taker *t, const json_t *header)
{
    const char *name = json_string_value(json_object_get(header, "collective"));
    int kind = name ? rwa_collective_find(name) : 0;
    uint32_t root = 0, nodes = t->out->coll.nodes;
    uint64_t blocks = 0, bytes = 0;
    rwa_error why = {0};
    rwa_status st = RWA_OK;
    if (!kind)
        return expected(t, "collective", "the name of a collective");
    TRY(take_integer(t, header, "blocks", UINT32_MAX, &blocks));
    TRY(take_integer(t, header, "block_bytes", UINT64_MAX, &bytes));
    if (header_has_root((rwa_collective_kind)kind))
        TRY(take_root(t, header, nodes, &root));
    if (bytes == 0)
        return expected(t, "block_bytes", "at least 1");
    if (blocks == 0)
        return expected(t, "blocks", "at least 1");
    if (kind == RWA_ALL_TO_ALL && blocks != (uint64_t)nodes * nodes)
        return expected(t, "blocks", "the square of the nodes that take part");
    st = rwa_collective_init(&t->out->coll, (rwa_collective_kind)kind, nodes, root, 1, blocks, &why);
    TRY(blame_file(t, st, &why));
    /* The message cannot be told from rounded blocks: the file's size of a block is what counts. */
    t->out->coll.block_bytes = bytes;
    t->out->coll.message_bytes = 0;
done:
    return st;
}

static rwa_status take_version(const struct taker *t, const json_t *header)
{
    const char *format = json_string_value(json_object_get(header, "format"));
    uint64_t version = 0;
    rwa_status st = RWA_OK;
    if (!format || strcmp(format, "rwa-schedule") != 0)
        return expected(t, "format", "\"rwa-schedule\"");
    TRY(take_integer(t, header, "version", INT64_MAX, &version));
    if (version < 1 || version > 2)
        return expected(t, "version", "1 or 2, the ones this library knows");
    t->out->version = (unsigned)version;
    t->out->slots = 1;
    if (version == 2)
        TRY(take_optional(t, header, "slots", &t->out->slots));
    if (t->out->slots == 0)
        return expected(t, "slots", "at least 1");
done:
    return st;
}

static rwa_status take_header(const struct taker *t, const json_t *header)
{
    const char *scheme = json_string_value(json_object_get(header, "scheme"));
    uint64_t lightpaths = 0;
    rwa_status st = RWA_OK;
    TRY(take_version(t, header));
    TRY(take_network(t, header));
    TRY(take_faults(t, json_object_get(header, "network")));
    TRY(take_members(t, header));
    TRY(take_collective(t, header));
    TRY(take_u32(t, header, "steps", &t->out->steps));
    if (has(header, "lightpaths"))
        TRY(take_integer(t, header, "lightpaths", INT64_MAX, &lightpaths));
    if (!scheme)
        return expected(t, "scheme", "a string");
    t->out->scheme = base_copy_text(scheme, t->err);
    st = t->out->scheme ? RWA_OK : RWA_NOMEM;
done:
    return st;
}

rwa_status header_read(struct header *out, const struct scan_line *line, rwa_error *err)
{
    struct taker taker = {out, line->file, err};
    json_error_t why;
    rwa_status st = RWA_OK;
    *out = (struct header){0};
    json_t *header = json_loadb(line->text, line->length, JSON_REJECT_DUPLICATES, &why);
    if (!header && json_error_code(&why) == json_error_out_of_memory)
        st = base_fail(err, RWA_NOMEM, "%s: out of memory", line->file);
    else if (!header && line->open && json_error_code(&why) == json_error_premature_end_of_input)
        st = base_fail(err, RWA_FORMAT, "%s:1: the header is cut short", line->file);
    else if (!json_is_object(header))
        st = base_fail(err, RWA_FORMAT, "%s:1: column %d: expected the header of a schedule, a JSON object", line->file,
                       header ? 1 : why.column);
    else
        st = take_header(&taker, header);
    json_decref(header);
    return st;
}

void header_release(struct header *h)
{
    rwa_network_free(h->net);
    free(h->members);
    free(h->scheme);
}
