/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Chakra execution traces (protobuf, et_def.proto): a folder with NAME.N.et of each node N.  A send and the receive of
 * the same ends and tag are a transfer.  Attributes `block` and `blocks` name what moves, as `rwa export --to chakra`
 * writes them; without them librwa chooses the blocks, as many as the bytes amount to.
 */
#include "foreign/import_program.h"

#include "base/file.h"
#include "collective/needs.h"
#include "foreign/program/chakra.h"
#include "foreign/program/protobuf.h"

#include <dirent.h>
#include <errno.h>
#include <sys/stat.h>

/* The largest trace of a node, and the longest path. */
#define TRACE_MAX ((size_t)1 << 28)
enum { NAME_MAX_BYTES = 256, PATH_BYTES = 2 * NAME_MAX_BYTES };

struct chakra_traces {
    struct import *im;
    char file[PATH_BYTES];      /* in work, for messages */
    uint64_t kind, root, blocks, block_bytes;   /* of the collective; 0: the files do not name it */
};

/** An attribute whose value is a whole number, and where to store it. */
struct chakra_number {
    const char *name;
    uint64_t *to;
};

static rwa_status file_fail(const struct chakra_traces *t, const char *text)
{
    return base_fail(t->im->err, RWA_FORMAT, "%s: %s", t->file, text);
}

/* ---- messages ---- */

/** Read an attribute.  If table `known`, which ends with a NULL name, lists its name, store its value where the table
 *  says.  If it is called "collective", set *collective to the kind that it names.  Return false if the bytes are
 *  damaged. */
static bool read_attribute(struct protobuf bytes, const struct chakra_number *known, uint64_t *collective)
{
    struct protobuf_field f, value = {0};
    struct protobuf name = {0};
    while (protobuf_next(&bytes, &f))
        if (f.number == CHAKRA_ATTR_NAME)
            name = f.bytes;
        else if (f.number >= CHAKRA_ATTR_VALUES)
            value = f;
    bool zigzag = value.number == CHAKRA_SINT32 || value.number == CHAKRA_SINT64;
    for (; known->name && !value.bytes.at; known++)
        if (protobuf_is(&name, known->name))
            *known->to = zigzag ? value.value >> 1 ^ (0 - (value.value & 1)) : value.value;
    for (rwa_collective_kind kind = RWA_ALL_GATHER; protobuf_is(&name, "collective") && rwa_collective_name(kind);
         kind++)
        if (protobuf_is(&value.bytes, rwa_collective_name(kind)))
            *collective = kind;
    return !bytes.damaged;
}

static rwa_status read_metadata(struct chakra_traces *t, struct protobuf message)
{
    const struct chakra_number known[] = {
        {"root", &t->root}, {"blocks", &t->blocks}, {"block_bytes", &t->block_bytes}, {NULL, NULL}};
    struct protobuf_field f;
    while (protobuf_next(&message, &f))
        if (f.number == CHAKRA_METADATA_ATTR && f.bytes.at && !read_attribute(f.bytes, known, &t->kind))
            return file_fail(t, "a damaged attribute in the metadata");
    return message.damaged ? file_fail(t, "damaged metadata, expected a message of Chakra's schema") : RWA_OK;
}

/** Let `act`, the act that is appended next, wait for the operations that field f names: a packed list of them, or a
 *  single one. */
static rwa_status take_deps(struct import *im, const struct import_act *act, struct protobuf_field f)
{
    if (!f.bytes.at)
        return acts_await(im, act->node, 0, f.value);
    while (protobuf_next_varint(&f.bytes, &f.value))
        MUST(acts_await(im, act->node, 0, f.value));
    return f.bytes.damaged ? acts_fail(im, act, "damaged dependencies") : RWA_OK;
}

/** Check that both ends of a send or receive are nodes of the network.  The end at which it runs (src of a send, dst of
 *  a receive) must be the node of the trace; set it if the trace leaves it out. */
static rwa_status check_ends(const struct chakra_traces *t, struct import_act *act)
{
    bool sends = act->kind == ACT_SEND;
    uint64_t nodes = t->im->nodes, *own = sends ? &act->src : &act->dst;
    if (*own == ACT_UNKNOWN)
        *own = act->node;
    if (*own != act->node || act->src >= nodes || act->dst >= nodes || act->src == act->dst)
        return acts_fail(t->im, act,
                         "a %s with comm_src %" PRId64 " and comm_dst %" PRId64 ", expected node %u"
                         " and another one below %" PRIu64,
                         sends ? "send" : "receive", (int64_t)act->src, (int64_t)act->dst, act->node, nodes);
    if (act->block != ACT_UNKNOWN && (act->count < 1 || act->count > UINT32_MAX || act->block > UINT32_MAX))
        return acts_fail(t->im, act, "%" PRIu64 " blocks from block %" PRIu64 " on, expected 1 block or more",
                         act->count, act->block);
    return RWA_OK;
}

static rwa_status read_operation(struct chakra_traces *t, uint32_t node, uint32_t number, struct protobuf message)
{
    struct import *im = t->im;
    struct import_act act = {.node = node, .place = number, .src = ACT_UNKNOWN, .dst = ACT_UNKNOWN,
                             .bytes = ACT_UNKNOWN, .block = ACT_UNKNOWN, .count = 1};
    const struct chakra_number known[] = {
        {"comm_src", &act.src},    {"comm_dst", &act.dst}, {"comm_tag", &act.channel},
        {"comm_size", &act.bytes}, {"block", &act.block},  {"blocks", &act.count},     {NULL, NULL}};
    struct protobuf_field f;
    uint64_t id = 0, type = 0, unused;
    while (protobuf_next(&message, &f))
        if (f.number == CHAKRA_NODE_ID)
            id = f.value;
        else if (f.number == CHAKRA_NODE_TYPE)
            type = f.value;
        else if (f.number == CHAKRA_NODE_CTRL_DEPS || f.number == CHAKRA_NODE_DATA_DEPS)
            MUST(take_deps(im, &act, f));
        else if (f.number == CHAKRA_NODE_ATTR && f.bytes.at && !read_attribute(f.bytes, known, &unused))
            return acts_fail(im, &act, "a damaged attribute");
    if (message.damaged)
        return acts_fail(im, &act, "damaged, expected a node of Chakra's schema");
    if (type == CHAKRA_COLL)
        return acts_fail(im, &act,
                         "a collective as a whole (COMM_COLL_NODE), expected the sends and receives it is made of");
    act.kind = type == CHAKRA_SEND   ? ACT_SEND
               : type == CHAKRA_RECV ? ACT_RECEIVE
               : type == CHAKRA_COMP ? ACT_COMPUTE
                                     : ACT_NONE;
    if (act.kind == ACT_SEND || act.kind == ACT_RECEIVE)
        MUST(check_ends(t, &act));
    if (act.block == ACT_UNKNOWN)
        act.count = 0;
    return acts_append(im, &act, 0, id);
}

/* ---- files ---- */

/** Refuse the trace t->file if it is a pipe.  A folder may come from an untrusted archive, and the read of a pipe in it
 *  would never end. */
static rwa_status refuse_pipe(const struct chakra_traces *t)
{
    struct stat info;
    if (stat(t->file, &info) != 0 || S_ISREG(info.st_mode) || S_ISDIR(info.st_mode))
        return RWA_OK;
    return file_fail(t, "a pipe or a device, expected a file with a Chakra trace");
}

static rwa_status read_trace(struct chakra_traces *t, uint32_t node)
{
    char *bytes = NULL;
    size_t length = 0;
    struct protobuf message;
    uint64_t size = 0;
    rwa_status st = RWA_OK;
    MUST(refuse_pipe(t));
    MUST(file_load(&bytes, &length, t->file, TRACE_MAX, "a Chakra trace", t->im->err));
    struct protobuf file = {bytes, bytes + length, false};
    for (uint32_t number = 0; protobuf_next_varint(&file, &size) && protobuf_take(&file, size, &message); number++)
        TRY(number == 0 ? read_metadata(t, message) : read_operation(t, node, number, message));
    if (file.damaged)
        st = file_fail(t, "cut short, expected messages with their length before them");
done:
    free(bytes);
    return st;
}

/** Store in `name` the NAME of the only file NAME.0.et in the folder. */
static rwa_status find_name(const struct chakra_traces *t, char name[NAME_MAX_BYTES])
{
    static const char end[] = ".0.et";
    DIR *folder = opendir(t->im->path);
    size_t found = 0;
    if (!folder)
        return base_fail(t->im->err, errno == ENOMEM ? RWA_NOMEM : RWA_IO, "%s: cannot read the folder", t->im->path);
    for (const struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        size_t length = strlen(entry->d_name);
        if (length < sizeof end || length >= NAME_MAX_BYTES ||
            strcmp(entry->d_name + length - (sizeof end - 1), end) != 0)
            continue;
        snprintf(name, NAME_MAX_BYTES, "%.*s", (int)(length - (sizeof end - 1)), entry->d_name);
        found++;
    }
    closedir(folder);
    if (found == 1)
        return RWA_OK;
    return base_fail(t->im->err, RWA_FORMAT,
                     "%s: %zu files NAME.0.et, expected traces NAME.N.et of one NAME for all nodes", t->im->path,
                     found);
}

static rwa_status read_traces(struct chakra_traces *t)
{
    char name[NAME_MAX_BYTES] = "";
    uint32_t nodes = t->im->nodes;
    struct stat more;
    MUST(find_name(t, name));
    for (uint32_t v = 0; v <= nodes; v++) {
        snprintf(t->file, sizeof t->file, "%.240s/%s.%u.et", t->im->path, name, v);
        if (v < nodes)
            MUST(read_trace(t, v));
    }
    if (stat(t->file, &more) != 0)
        return RWA_OK;
    return base_fail(t->im->err, RWA_FORMAT, "%s: a trace of node %u, the network has %u nodes",
                     t->file, nodes, nodes);
}

/** In a reduction, turn each computation that waits for a receive into the addition of the received data. */
static void join_additions(struct import *im)
{
    struct import_act *receive = NULL;
    for (size_t i = 0; i < im->wait_count; i++) { /* the waits of an act are consecutive */
        struct import_act *act = &im->acts[im->waits[i].to], *from = &im->acts[im->waits[i].from];
        if (act->kind == ACT_COMPUTE && from->kind == ACT_RECEIVE && !from->reduces)
            receive = from;
        if (!receive || (i + 1 < im->wait_count && im->waits[i + 1].to == im->waits[i].to))
            continue;
        receive->reduces = act->reduces = true;
        act->kind = ACT_ADD;
        act->block = receive->block;
        act->count = receive->count;
        act->event = receive->event;
        receive = NULL;
    }
}

/* ---- what moves ---- */

/** Set the collective of the import (t->im->coll) from the metadata, and from the options if the metadata do not give
 *  it; `kind` is the collective so found.  If the metadata do not give the number of blocks, take it from the highest
 *  block that a send names. */
static rwa_status find_collective(const struct chakra_traces *t, rwa_collective_kind kind)
{
    struct import *im = t->im;
    bool whole = collective_message_is_whole(kind);
    uint64_t blocks = t->blocks, bytes = 0, nodes = im->nodes;
    for (const struct import_act *s = im->acts; s < im->acts + im->act_count && t->blocks == 0; s++)
        if (s->kind == ACT_SEND && s->count > 0 && s->block + s->count > blocks)
            blocks = s->block + s->count;
    if (t->kind && t->blocks > 0 && t->block_bytes > 0 && t->block_bytes <= (uint64_t)INT64_MAX / t->blocks)
        bytes = (t->block_bytes * t->blocks + (whole ? 0 : nodes - 1)) / (whole ? 1 : nodes);
    if (t->kind && t->root < nodes)
        im->o.root = (uint32_t)t->root;
    return import_collective(im, (rwa_collective_kind)t->kind, blocks, bytes);
}

COMPARATOR(by_step, struct import_lane, UP(step) UP(at))

/** Append to im->list the transfers of a file that does not name blocks.  Divide all messages into blocks of the
 *  largest size that divides their bytes, then choose which blocks each message moves. */
static rwa_status add_unnamed(struct import *im)
{
    for (const struct import_act *s = im->acts; s < im->acts + im->act_count; s++) {
        if (s->kind != ACT_SEND)
            continue;
        if (s->bytes == ACT_UNKNOWN || s->bytes == 0)
            return acts_fail(im, s, "neither bytes (comm_size) nor blocks that move");
        MUST(base_append(im->lanes, im->lane_count, im->err,
                         (struct import_lane){s->step, (uint32_t)s->src, (uint32_t)s->dst, s->bytes, s}));
    }
    uint64_t unit = import_count_blocks(im);
    for (const struct import_lane *lane = im->lanes; lane < im->lanes + im->lane_count; lane++)
        if (lane->count > im->coll.blocks)
            return acts_fail(im, lane->at, "%" PRIu64 " blocks of %" PRIu64 " bytes, the collective has %" PRIu64,
                             lane->count, unit, im->coll.blocks);
    base_sort(im->lanes, im->lane_count, by_step);
    return import_choose_blocks(im);
}

static rwa_status add_all(struct import *im)
{
    const struct import_act *first = NULL;
    for (const struct import_act *s = im->acts; s < im->acts + im->act_count; s++) {
        first = !first && s->kind == ACT_SEND ? s : first;
        if (s->kind != ACT_SEND)
            continue;
        if ((s->count > 0) != (first->count > 0))
            return acts_fail(im, s, "names %s block, expected that of all sends or of none", s->count > 0 ? "a" : "no");
        if (s->count > 0 && s->block + s->count > im->coll.blocks)
            return acts_fail(im, s, "block %" PRIu64 ", the collective has %" PRIu64, s->block + s->count - 1,
                             im->coll.blocks);
    }
    assert(first);
    return first->count > 0 ? acts_add(im) : add_unnamed(im);
}

static rwa_status read_chakra(struct import *im)
{
    struct chakra_traces t = {.im = im};
    MUST(read_traces(&t));
    MUST(acts_pair(im));
    rwa_collective_kind kind = im->o.collective ? im->o.collective : (rwa_collective_kind)t.kind;
    if (rwa_collective_is_reduction(kind))
        join_additions(im);
    MUST(acts_settle(im));
    MUST(find_collective(&t, kind));
    return add_all(im);
}

const struct import_format import_chakra = {"chakra", NULL, NULL, read_chakra};
