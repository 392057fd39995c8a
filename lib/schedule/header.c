/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "schedule/header.h"

#include "base/json.h"
#include "network/network.h"
#include "schedule/schedule.h"
#include "schedule/take.h"

/** Take the members.  A list of all nodes is dropped, since NULL stands for all. */
static rwa_status take_members(const struct taker *t, const json_t *header)
{
    size_t count = 0;
    t->out->coll.nodes = rwa_network_nodes(t->out->net);
    if (!take_has(header, "members"))
        return RWA_OK;
    MUST(take_numbers(t, header, "members", &t->out->members, &count));
    if (count < 2 || count > t->out->coll.nodes)
        return take_expected(t, "members", "at least two nodes, each once");
    MUST(take_blame(t, members_refuse(t->out->net, t->out->members, (uint32_t)count, t->err)));
    if (count == t->out->coll.nodes) {
        free(t->out->members);
        t->out->members = NULL;
    }
    t->out->coll.nodes = (uint32_t)count;
    return RWA_OK;
}

/** Take the root.  The collective counts participants, so it becomes the root's number among the members. */
static rwa_status take_root(const struct taker *t, const json_t *header, uint32_t nodes, uint32_t *root)
{
    uint32_t node = 0;
    MUST(take_u32(t, header, "root", &node));
    *root = node;
    if (!t->out->members)
        return RWA_OK;
    for (*root = 0; *root < nodes && t->out->members[*root] != node; ++*root)
        ;
    return *root == nodes ? take_expected(t, "root", "one of the members") : RWA_OK;
}

bool header_lists_links(rwa_topology kind)
{
    return (topology_of(kind)->capabilities & NETWORK_LISTED) != 0;
}

static rwa_status take_collective(const struct taker *t, const json_t *header)
{
    const char *name = json_string_value(json_object_get(header, "collective"));
    int kind = name ? rwa_collective_find(name) : 0;
    uint32_t root = 0, nodes = t->out->coll.nodes;
    uint64_t blocks = 0, bytes = 0;
    if (!kind)
        return take_expected(t, "collective", "the name of a collective");
    MUST(take_integer(t, header, "blocks", UINT32_MAX, &blocks));
    MUST(take_integer(t, header, "block_bytes", UINT64_MAX, &bytes));
    if (rwa_collective_has_root((rwa_collective_kind)kind))
        MUST(take_root(t, header, nodes, &root));
    if (bytes == 0)
        return take_expected(t, "block_bytes", "at least 1");
    if (blocks == 0)
        return take_expected(t, "blocks", "at least 1");
    if (kind == RWA_ALL_TO_ALL && blocks % ((uint64_t)nodes * nodes) != 0)
        return take_expected(t, "blocks", "the square of the nodes that take part, or a multiple of it");
    MUST(take_blame(
        t, rwa_collective_init(&t->out->coll, (rwa_collective_kind)kind, nodes, root, 1, blocks, t->err)));
    /* The block size may be rounded, so it does not determine the message size: keep the block size of the file. */
    t->out->coll.block_bytes = bytes;
    t->out->coll.message_bytes = 0;
    return RWA_OK;
}

static rwa_status take_version(const struct taker *t, const json_t *header)
{
    const char *format = json_string_value(json_object_get(header, "format"));
    uint64_t version = 0;
    if (format && strcmp(format, "rwa-assignment") == 0)
        return base_fail(t->err, RWA_FORMAT,
                         "%s:1: an assignment, expected a schedule (check and show read assignments, from files "
                         "and not from pipes)",
                         t->file);
    if (!format || strcmp(format, "rwa-schedule") != 0)
        return take_expected(t, "format", "\"rwa-schedule\"");
    MUST(take_integer(t, header, "version", INT64_MAX, &version));
    if (version < 1 || version > 4)
        return take_expected(t, "version", "1 to 4, the ones this library knows");
    t->out->version = (unsigned)version;
    t->out->slots = 1;
    if (version > 1)
        MUST(take_optional(t, header, "slots", &t->out->slots));
    return t->out->slots == 0 ? take_expected(t, "slots", "at least 1") : RWA_OK;
}

/** Take the steps before which epochs are cut. */
static rwa_status take_cuts(const struct taker *t, const json_t *header)
{
    struct header *h = t->out;
    if (!take_has(header, "epochs"))
        return RWA_OK;
    MUST(take_numbers(t, header, "epochs", &h->cuts, &h->cut_count));
    return cuts_are_valid(h->cuts, h->cut_count, h->steps) ? RWA_OK
           : take_expected(t, "epochs", "ascending steps from 2 to the last one");
}

static rwa_status take_header(const struct taker *t, const json_t *header)
{
    const char *scheme = json_string_value(json_object_get(header, "scheme"));
    t->out->lightpaths = UINT64_MAX;
    MUST(take_version(t, header));
    MUST(take_network(t, header));
    MUST(take_members(t, header));
    MUST(take_collective(t, header));
    MUST(take_u32(t, header, "steps", &t->out->steps));
    MUST(take_cuts(t, header));
    if (take_has(header, "lightpaths"))
        MUST(take_integer(t, header, "lightpaths", INT64_MAX, &t->out->lightpaths));
    if (!scheme)
        return take_expected(t, "scheme", "a string");
    t->out->scheme = base_copy_text(scheme, t->err);
    return t->out->scheme ? RWA_OK : RWA_NOMEM;
}

rwa_status header_read(struct header *out, const struct line *line, const rwa_limits *limits, rwa_error *err)
{
    struct taker taker = {out, line->file, err};
    json_error_t why;
    rwa_status st = RWA_OK;
    *out = (struct header){.limits = limits};
    json_t *header = json_loadb(line->text, line->length, JSON_REJECT_DUPLICATES, &why);
    if (!header && json_ran_out(&why))
        st = base_fail(err, RWA_NOMEM, "%s: out of memory", line->file);
    else if (!header && line->open && json_error_code(&why) == json_error_premature_end_of_input)
        st = base_fail(err, RWA_FORMAT, "%s:1: the header is cut short", line->file);
    else if (!json_is_object(header))
        st = base_fail(err, RWA_FORMAT,
                       "%s:1: column %d: expected the header of a schedule, a JSON object (import reads other formats)",
                       line->file, header ? 1 : why.column);
    else
        st = take_header(&taker, header);
    json_decref(header);
    return st;
}

void header_release(struct header *h)
{
    rwa_network_free(h->net);
    free_all(h->members, h->scheme, h->cuts);
}
