/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "schedule/header.h"

#include "base/json.h"
#include "network/network.h"
#include "schedule/schedule.h"
#include "schedule/take.h"

/** Read the members into t->out, and set the number of participants.  A list of all nodes is dropped, since NULL means
 * all. */
static void take_members(struct taker *t, const json_t *header)
{
    rwa_header *h = t->out;
    size_t count = h->collective.nodes = rwa_network_nodes(h->network);
    if (!json_object_get(header, "members"))
        return;
    h->members = take_numbers(t, header, "members", &count);
    take_need(t, count >= 2 && count <= h->collective.nodes, "members", "at least two nodes, each once");
    if (t->status == RWA_OK)
        take_keep(t, members_refuse(h->network, h->members, (uint32_t)count, t->err));
    if (count == h->collective.nodes) {
        free(h->members);
        h->members = NULL;
    }
    h->collective.nodes = (uint32_t)count;
}

/** Read the root, which the file gives as a node of the network.  Return its number among the participants, by which a
 * collective counts. */
static uint32_t take_root(struct taker *t, const json_t *header, uint32_t nodes)
{
    uint32_t node = (uint32_t)take_integer(t, header, "root", UINT32_MAX), root = 0;
    if (!t->out->members)
        return node;
    while (root < nodes && t->out->members[root] != node)
        root++;
    take_need(t, root < nodes, "root", "one of the members");
    return root;
}

bool header_lists_links(rwa_topology kind)
{
    return (topology_of(kind)->capabilities & NETWORK_LISTED) != 0;
}

static void take_collective(struct taker *t, const json_t *header)
{
    const char *name = json_text(header, "collective");
    rwa_collective_kind kind = name ? (rwa_collective_kind)rwa_collective_find(name) : 0;
    uint32_t nodes = t->out->collective.nodes, root = rwa_collective_has_root(kind) ? take_root(t, header, nodes) : 0;
    uint64_t blocks = take_integer(t, header, "blocks", UINT32_MAX);
    uint64_t bytes = take_integer(t, header, "block_bytes", UINT64_MAX);
    take_need(t, kind, "collective", "the name of a collective");
    take_need(t, bytes > 0, "block_bytes", "at least 1");
    take_need(t, blocks > 0, "blocks", "at least 1");
    take_need(t, kind != RWA_ALL_TO_ALL || blocks % ((uint64_t)nodes * nodes) == 0, "blocks",
              "the square of the nodes that take part, or a multiple of it");
    if (t->status == RWA_OK)
        take_keep(t, rwa_collective_init(&t->out->collective, kind, nodes, root, 1, blocks, t->err));
    /* The block size may be rounded, so it does not determine the message size: keep the block size of the file. */
    t->out->collective.block_bytes = bytes;
    t->out->collective.message_bytes = 0;
}

static void take_version(struct taker *t, const json_t *header)
{
    const char *format = json_text(header, "format");
    take_need(t, !format || strcmp(format, "rwa-assignment") != 0, "format",
              "\"rwa-schedule\", not an assignment (check and show read assignments, from files and not from pipes)");
    take_need(t, format && strcmp(format, "rwa-schedule") == 0, "format", "\"rwa-schedule\"");
    t->out->version = (uint32_t)take_integer(t, header, "version", INT32_MAX);
    take_need(t, t->out->version >= 1 && t->out->version <= 4, "version", "1 to 4, the ones this library knows");
    t->out->lightpath_blocks = t->out->version > 1 ? take_optional(t, header, "slots", 1) : 1;
    take_need(t, t->out->lightpath_blocks > 0, "slots", "at least 1");
}

static void take_header(struct taker *t, const json_t *header)
{
    rwa_header *h = t->out;
    const char *scheme = json_text(header, "scheme");
    h->lightpaths = UINT64_MAX;
    take_version(t, header);
    if (t->status == RWA_OK)
        take_network(t, header);
    if (t->status == RWA_OK)
        take_members(t, header);
    if (t->status == RWA_OK)
        take_collective(t, header);
    h->steps = (uint32_t)take_integer(t, header, "steps", UINT32_MAX);
    if (json_object_get(header, "epochs"))
        h->cuts = take_numbers(t, header, "epochs", &h->cut_count);
    take_need(t, t->status != RWA_OK || cuts_are_valid(h->cuts, h->cut_count, h->steps), "epochs",
              "ascending steps from 2 to the last one");
    if (json_object_get(header, "lightpaths"))
        h->lightpaths = take_integer(t, header, "lightpaths", INT64_MAX);
    take_need(t, scheme, "scheme", "a string");
    if (t->status == RWA_OK)
        take_keep(t, (h->scheme = base_copy_text(scheme, t->err)) ? RWA_OK : RWA_NOMEM);
}

rwa_status header_read(rwa_header *out, const struct line *line, const rwa_limits *limits, rwa_error *err)
{
    struct taker taker = {out, line->file, limits, err, RWA_OK};
    json_error_t why;
    rwa_status st = RWA_OK;
    *out = (rwa_header){0};
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
        take_header(&taker, header);
    json_decref(header);
    return st != RWA_OK ? st : taker.status;
}

void header_release(rwa_header *h)
{
    rwa_network_free(h->network);
    free_all(h->members, h->scheme, h->cuts);
}
