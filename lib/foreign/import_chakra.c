/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Chakra execution traces (protobuf, et_def.proto): a folder with NAME.N.et of each node N.  A send and the receive of the same ends and
 * tag are a transfer.  Attributes `block` and `blocks` name what moves, as `rwa export --to chakra` writes them; without them librwa
 * chooses as many blocks as the bytes make.
 */
#include "foreign/import_chakra.h"

#include "base/arithmetic.h"
#include "base/file.h"
#include "collective/needs.h"
#include "foreign/program/chakra.h"
#include "foreign/program/protobuf.h"

#include <dirent.h>
#include <errno.h>
#include <sys/stat.h>

/* The largest trace of a node. */
#define TRACE_MAX ((size_t)1 << 28)

rwa_status chakra_fail(const struct chakra_traces *t, const struct chakra_op *op, const char *format, ...)
{
    char text[RWA_ERROR_TEXT];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (!op)
        return base_fail(t->im->err, RWA_FORMAT, "%s: %s", t->file, text);
    return base_fail(t->im->err, RWA_FORMAT, "%s, node %" PRIu32 ": operation %" PRIu32 ": %s", t->im->path, op->node, op->number, text);
}

/* ---- messages ---- */

/** A number of AttributeProto: whole, signed or not, as the bits of 64. */
static uint64_t number_of(const struct protobuf_field *f)
{
    bool zigzag = f->number == CHAKRA_SINT32 || f->number == CHAKRA_SINT64;
    return zigzag ? f->value >> 1 ^ (0 - (f->value & 1)) : f->value;
}

/** The name of an attribute, and its value; false: damaged. */
static bool read_attribute(struct protobuf bytes, struct protobuf *name, struct protobuf_field *value)
{
    struct protobuf_field f;
    *name = (struct protobuf){0};
    *value = (struct protobuf_field){0};
    while (protobuf_next(&bytes, &f))
        if (f.number == CHAKRA_ATTR_NAME)
            *name = f.bytes;
        else if (f.number >= 3) /* not doc_string */
            *value = f;
    return !bytes.damaged;
}

static rwa_status read_metadata(struct chakra_traces *t, struct protobuf message)
{
    struct protobuf_field f, value;
    struct protobuf name;
    while (protobuf_next(&message, &f)) {
        if (f.number != CHAKRA_METADATA_ATTR || !f.bytes.at)
            continue;
        if (!read_attribute(f.bytes, &name, &value))
            return chakra_fail(t, NULL, "a damaged attribute in the metadata");
        for (int kind = RWA_ALL_GATHER; protobuf_is(&name, "collective") && rwa_collective_name((rwa_collective_kind)kind); kind++)
            if (protobuf_is(&value.bytes, rwa_collective_name((rwa_collective_kind)kind)))
                t->kind = (rwa_collective_kind)kind;
        if (protobuf_is(&name, "root"))
            t->root = number_of(&value);
        if (protobuf_is(&name, "blocks"))
            t->blocks = number_of(&value);
        if (protobuf_is(&name, "block_bytes"))
            t->block_bytes = number_of(&value);
    }
    return message.damaged ? chakra_fail(t, NULL, "damaged metadata, expected a message of Chakra's schema") : RWA_OK;
}

static rwa_status take_attribute(const struct chakra_traces *t, struct chakra_op *op, struct protobuf bytes)
{
    const struct { const char *name; uint64_t *to; } known[] = {
        {"comm_src", &op->src}, {"comm_dst", &op->dst}, {"comm_tag", &op->tag}, {"comm_size", &op->bytes}, {"block", &op->block},
        {"blocks", &op->blocks}};
    struct protobuf_field value;
    struct protobuf name;
    if (!read_attribute(bytes, &name, &value))
        return chakra_fail(t, op, "a damaged attribute");
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (protobuf_is(&name, known[i].name) && !value.bytes.at)
            *known[i].to = number_of(&value);
    return RWA_OK;
}

static rwa_status add_dep(struct chakra_traces *t, uint64_t id)
{
    return base_append(t->deps, t->dep_count, t->dep_capacity, t->im->err, id);
}

/** Packed, or one by one. */
static rwa_status take_deps(struct chakra_traces *t, const struct chakra_op *op, struct protobuf_field f)
{
    uint64_t id = 0;
    if (!f.bytes.at)
        return add_dep(t, f.value);
    while (protobuf_next_varint(&f.bytes, &id))
        MUST(add_dep(t, id));
    return f.bytes.damaged ? chakra_fail(t, op, "damaged dependencies") : RWA_OK;
}

static rwa_status take_field(struct chakra_traces *t, struct chakra_op *op, const struct protobuf_field *f)
{
    switch (f->number) {
    case CHAKRA_NODE_ID:
        op->id = f->value;
        return RWA_OK;
    case CHAKRA_NODE_TYPE:
        op->type = f->value;
        return RWA_OK;
    case CHAKRA_NODE_CTRL_DEPS:
    case CHAKRA_NODE_DATA_DEPS:
        return take_deps(t, op, *f);
    case CHAKRA_NODE_ATTR:
        return f->bytes.at ? take_attribute(t, op, f->bytes) : RWA_OK;
    default:
        return RWA_OK;
    }
}

/** The ends are nodes of the network, one of them this one, which a trace need not name. */
static rwa_status check_ends(const struct chakra_traces *t, struct chakra_op *op)
{
    uint64_t nodes = rwa_network_nodes(t->im->net), *own = op->type == CHAKRA_SEND ? &op->src : &op->dst;
    if (op->type == CHAKRA_COLL)
        return chakra_fail(t, op, "a collective as a whole (COMM_COLL_NODE), expected the sends and receives it is made of");
    if (op->type != CHAKRA_SEND && op->type != CHAKRA_RECV)
        return RWA_OK;
    if (*own == CHAKRA_NONE)
        *own = op->node;
    if (*own != op->node || op->src >= nodes || op->dst >= nodes || op->src == op->dst)
        return chakra_fail(t, op, "a %s with comm_src %" PRId64 " and comm_dst %" PRId64 ", expected node %" PRIu32 " and another one "
                           "below %" PRIu64, op->type == CHAKRA_SEND ? "send" : "receive", (int64_t)op->src, (int64_t)op->dst, op->node,
                           nodes);
    if (op->block != CHAKRA_NONE && (op->blocks < 1 || op->blocks > UINT32_MAX || op->block > UINT32_MAX))
        return chakra_fail(t, op, "%" PRIu64 " blocks from block %" PRIu64 " on, expected 1 block or more", op->blocks, op->block);
    return RWA_OK;
}

static rwa_status read_operation(struct chakra_traces *t, uint32_t node, uint32_t number, struct protobuf message)
{
    struct chakra_op op = {.node = node, .number = number, .src = CHAKRA_NONE, .dst = CHAKRA_NONE, .bytes = CHAKRA_NONE,
                           .block = CHAKRA_NONE, .blocks = 1, .first_dep = t->dep_count};
    struct protobuf_field f;
    while (protobuf_next(&message, &f))
        MUST(take_field(t, &op, &f));
    if (message.damaged)
        MUST(chakra_fail(t, &op, "damaged, expected a node of Chakra's schema"));
    op.dep_count = t->dep_count - op.first_dep;
    MUST(check_ends(t, &op));
    return base_append(t->ops, t->count, t->capacity, t->im->err, op);
}

/* ---- files ---- */

/** A folder may come from a stranger's archive: reading a pipe in it would wait for ever. */
static rwa_status refuse_pipe(const struct chakra_traces *t)
{
    struct stat info;
    if (stat(t->file, &info) != 0 || S_ISREG(info.st_mode) || S_ISDIR(info.st_mode))
        return RWA_OK;
    return base_fail(t->im->err, RWA_FORMAT, "%s: a pipe or a device, expected a file with a Chakra trace", t->file);
}

static rwa_status read_trace(struct chakra_traces *t, uint32_t node)
{
    char *bytes = NULL;
    size_t length = 0;
    struct protobuf file, message;
    uint64_t size = 0;
    rwa_status st = RWA_OK;
    MUST(refuse_pipe(t));
    MUST(file_load(&bytes, &length, t->file, TRACE_MAX, "a Chakra trace", t->im->err));
    file = (struct protobuf){bytes, bytes + length, false};
    for (uint32_t number = 0; protobuf_next_varint(&file, &size); number++) {
        if (!protobuf_take(&file, size, &message))
            break;
        TRY(number == 0 ? read_metadata(t, message) : read_operation(t, node, number, message));
    }
    if (file.damaged)
        st = chakra_fail(t, NULL, "cut short, expected messages with their length before them");
done:
    free(bytes);
    return st;
}

/** NAME of the only NAME.0.et in the folder. */
static rwa_status find_name(const struct chakra_traces *t, char name[256])
{
    static const char end[] = ".0.et";
    DIR *folder = opendir(t->im->path);
    size_t found = 0;
    if (!folder)
        return base_fail(t->im->err, errno == ENOMEM ? RWA_NOMEM : RWA_IO, "%s: cannot read the folder", t->im->path);
    for (const struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        size_t length = strlen(entry->d_name);
        if (length < sizeof end || length >= 256 || strcmp(entry->d_name + length - (sizeof end - 1), end) != 0)
            continue;
        snprintf(name, 256, "%.*s", (int)(length - (sizeof end - 1)), entry->d_name);
        found++;
    }
    closedir(folder);
    if (found == 1)
        return RWA_OK;
    return base_fail(t->im->err, RWA_FORMAT, "%s: %zu files NAME.0.et, expected traces NAME.N.et of one NAME for all nodes",
                     t->im->path, found);
}

static rwa_status read_traces(struct chakra_traces *t)
{
    char name[256] = "";
    uint32_t nodes = rwa_network_nodes(t->im->net);
    struct stat more;
    MUST(find_name(t, name));
    snprintf(t->file, sizeof t->file, "%.240s/%s.%" PRIu32 ".et", t->im->path, name, nodes);
    if (stat(t->file, &more) == 0)
        MUST(chakra_fail(t, NULL, "a trace of node %" PRIu32 ", the network has %" PRIu32 " nodes", nodes, nodes));
    for (uint32_t v = 0; v < nodes; v++) {
        snprintf(t->file, sizeof t->file, "%.240s/%s.%" PRIu32 ".et", t->im->path, name, v);
        MUST(read_trace(t, v));
    }
    snprintf(t->file, sizeof t->file, "%s", t->im->path);
    return RWA_OK;
}

/* ---- what moves ---- */

/** The collective that the metadata names, or else that of the options, with its blocks and message. */
static rwa_status find_collective(struct chakra_traces *t)
{
    struct import *im = t->im;
    rwa_collective_kind kind = im->o.collective ? im->o.collective : t->kind;
    bool whole = collective_message_is_whole(kind);
    uint64_t blocks = t->blocks, bytes = 0, nodes = rwa_network_nodes(im->net);
    for (size_t i = 0; i < t->transfers && t->blocks == 0 && t->ops[t->send[0]].block != CHAKRA_NONE; i++) {
        const struct chakra_op *s = &t->ops[t->send[i]];
        blocks = s->block + s->blocks > blocks ? s->block + s->blocks : blocks;
    }
    if (t->kind && t->blocks > 0 && t->block_bytes > 0 && t->block_bytes <= (uint64_t)INT64_MAX / t->blocks)
        bytes = (t->block_bytes * t->blocks + (whole ? 0 : nodes - 1)) / (whole ? 1 : nodes);
    if (t->kind && t->root < nodes)
        im->o.root = (uint32_t)t->root;
    return import_collective(im, t->kind, blocks, bytes);
}

static rwa_status add_named(const struct chakra_traces *t, const uint32_t *step)
{
    struct import *im = t->im;
    double moved = 0;
    for (size_t k = 0; k < t->transfers; k++)
        moved += (double)t->ops[t->send[k]].blocks;
    MUST(base_fits_memory(moved * sizeof *im->list, "these traces", im->err));
    for (size_t k = 0; k < t->transfers; k++) {
        const struct chakra_op *s = &t->ops[t->send[k]], *r = &t->ops[t->receive[k]];
        rwa_transfer transfer = {.step = step[k] + 1, .src = s->node, .dst = r->node, .op = r->reduces ? RWA_REDUCE : RWA_COPY};
        if (s->block + s->blocks > im->coll.blocks)
            MUST(chakra_fail(t, s, "block %" PRIu64 ", the collective has %" PRIu64, s->block + s->blocks - 1, im->coll.blocks));
        for (uint64_t b = 0; b < s->blocks; b++) {
            transfer.block = s->block + b;
            MUST(import_add(im, &transfer));
        }
    }
    return RWA_OK;
}

static size_t no_line(const struct import *im, const struct import_lane *lane)
{
    (void)im;
    (void)lane;
    return 0;
}

COMPARATOR(by_step, struct import_lane, UP(step) UP(entry))

/** Blocks of the size that divides all messages. */
static rwa_status add_unnamed(const struct chakra_traces *t, const uint32_t *step)
{
    struct import_lane *lanes = base_array(t->transfers, sizeof *lanes, t->im->err);
    uint64_t unit = 0;
    rwa_status st = lanes ? RWA_OK : RWA_NOMEM;
    TRY(st);
    for (size_t k = 0; k < t->transfers; k++) {
        const struct chakra_op *s = &t->ops[t->send[k]];
        if (s->bytes == CHAKRA_NONE || s->bytes == 0)
            TRY(chakra_fail(t, s, "neither bytes (comm_size) nor blocks that move"));
        unit = common_divisor(s->bytes, unit);
    }
    assert(unit > 0 || t->transfers == 0);
    for (size_t k = 0; k < t->transfers; k++) {
        const struct chakra_op *s = &t->ops[t->send[k]];
        if (s->bytes / unit > t->im->coll.blocks)
            TRY(chakra_fail(t, s, "%" PRIu64 " blocks of %" PRIu64 " bytes, the collective has %" PRIu64, s->bytes / unit, unit,
                            t->im->coll.blocks));
        lanes[k] = (struct import_lane){step[k] + 1, (uint32_t)s->src, (uint32_t)s->dst, (uint32_t)(s->bytes / unit), k};
    }
    qsort(lanes, t->transfers, sizeof *lanes, by_step);
    t->im->found.blocks_assigned = 1;
    st = import_choose_blocks(t->im, lanes, t->transfers, no_line);
done:
    free(lanes);
    return st;
}

static rwa_status add_transfers(const struct chakra_traces *t)
{
    uint32_t *step = base_array(t->events, sizeof *step, t->im->err);
    rwa_status st = step ? RWA_OK : RWA_NOMEM;
    TRY(st);
    TRY(chakra_settle(step, t));
    st = t->ops[t->send[0]].block != CHAKRA_NONE ? add_named(t, step) : add_unnamed(t, step);
done:
    free(step);
    return st;
}

static rwa_status read_chakra(struct import *im)
{
    struct chakra_traces t = {.im = im, .memory = {.err = im->err}};
    rwa_status st = RWA_OK;
    TRY(read_traces(&t));
    TRY(chakra_resolve(&t));
    TRY(find_collective(&t));
    TRY(add_transfers(&t));
done:
    free_all(t.ops, t.deps);
    arena_free(&t.memory);
    return st;
}

const struct import_format import_chakra = {
    "chakra", "Chakra execution traces (protobuf): a folder with NAME.N.et of each node", NULL, NULL, read_chakra};
