/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Chakra execution traces (protobuf, et_def.proto): a folder with NAME.N.et of each node N.  A send and the receive of the same ends and
 * tag are a transfer.  Attributes `block` and `blocks` name what moves, as `rwa export --to chakra` writes them; without them librwa
 * chooses as many blocks as the bytes make.
 */
#include "foreign/import_program.h"

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
#define CHAKRA_NONE UINT64_MAX

/** An operation of a node; in the program the act of the same number. */
struct chakra_op {
    uint64_t id, type;
    uint64_t src, dst, tag;     /* send, receive */
    uint64_t bytes;             /* CHAKRA_NONE: not named */
    uint64_t block, blocks;     /* what moves; block CHAKRA_NONE: not named */
    size_t first_dep, dep_count;
};

/** Where an operation of a node is. */
struct operation_id {
    uint32_t node;
    uint64_t id;
    size_t op;
};

struct chakra_traces {
    struct import *im;
    char file[512];             /* in work, for messages */
    struct chakra_op *ops;
    size_t count, capacity;
    uint64_t *deps;             /* ids; after find_deps() numbers of operations */
    size_t dep_count, dep_capacity;
    rwa_collective_kind kind;   /* 0: the files do not name it */
    uint64_t root, blocks, block_bytes;
    struct import_program program;
};

static rwa_status file_fail(const struct chakra_traces *t, const char *text)
{
    return base_fail(t->im->err, RWA_FORMAT, "%s: %s", t->file, text);
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
            return file_fail(t, "a damaged attribute in the metadata");
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
    return message.damaged ? file_fail(t, "damaged metadata, expected a message of Chakra's schema") : RWA_OK;
}

static rwa_status take_attribute(const struct chakra_traces *t, struct chakra_op *op, const struct import_act *at, struct protobuf bytes)
{
    const struct { const char *name; uint64_t *to; } known[] = {
        {"comm_src", &op->src}, {"comm_dst", &op->dst}, {"comm_tag", &op->tag}, {"comm_size", &op->bytes}, {"block", &op->block},
        {"blocks", &op->blocks}};
    struct protobuf_field value;
    struct protobuf name;
    if (!read_attribute(bytes, &name, &value))
        return acts_fail(&t->program, at, "a damaged attribute");
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
static rwa_status take_deps(struct chakra_traces *t, const struct import_act *at, struct protobuf_field f)
{
    uint64_t id = 0;
    if (!f.bytes.at)
        return add_dep(t, f.value);
    while (protobuf_next_varint(&f.bytes, &id))
        MUST(add_dep(t, id));
    return f.bytes.damaged ? acts_fail(&t->program, at, "damaged dependencies") : RWA_OK;
}

static rwa_status take_field(struct chakra_traces *t, struct chakra_op *op, const struct import_act *at, const struct protobuf_field *f)
{
    if (f->number == CHAKRA_NODE_ID)
        op->id = f->value;
    else if (f->number == CHAKRA_NODE_TYPE)
        op->type = f->value;
    else if (f->number == CHAKRA_NODE_CTRL_DEPS || f->number == CHAKRA_NODE_DATA_DEPS)
        return take_deps(t, at, *f);
    else if (f->number == CHAKRA_NODE_ATTR && f->bytes.at)
        return take_attribute(t, op, at, f->bytes);
    return RWA_OK;
}

/** The ends are nodes of the network, one of them this one, which a trace need not name. */
static rwa_status check_ends(const struct chakra_traces *t, struct chakra_op *op, const struct import_act *at)
{
    uint64_t nodes = rwa_network_nodes(t->im->net), *own = op->type == CHAKRA_SEND ? &op->src : &op->dst;
    if (op->type == CHAKRA_COLL)
        return acts_fail(&t->program, at, "a collective as a whole (COMM_COLL_NODE), expected the sends and receives it is made of");
    if (op->type != CHAKRA_SEND && op->type != CHAKRA_RECV)
        return RWA_OK;
    if (*own == CHAKRA_NONE)
        *own = at->node;
    if (*own != at->node || op->src >= nodes || op->dst >= nodes || op->src == op->dst)
        return acts_fail(&t->program, at, "a %s with comm_src %" PRId64 " and comm_dst %" PRId64 ", expected node %" PRIu32
                            " and another one below %" PRIu64, op->type == CHAKRA_SEND ? "send" : "receive", (int64_t)op->src,
                            (int64_t)op->dst, at->node, nodes);
    if (op->block != CHAKRA_NONE && (op->blocks < 1 || op->blocks > UINT32_MAX || op->block > UINT32_MAX))
        return acts_fail(&t->program, at, "%" PRIu64 " blocks from block %" PRIu64 " on, expected 1 block or more", op->blocks,
                            op->block);
    return RWA_OK;
}

static rwa_status read_operation(struct chakra_traces *t, uint32_t node, uint32_t number, struct protobuf message)
{
    struct import_program *g = &t->program;
    struct chakra_op op = {.src = CHAKRA_NONE, .dst = CHAKRA_NONE, .bytes = CHAKRA_NONE, .block = CHAKRA_NONE, .blocks = 1,
                           .first_dep = t->dep_count};
    struct import_act act = {.node = node, .place = number};
    struct protobuf_field f;
    while (protobuf_next(&message, &f))
        MUST(take_field(t, &op, &act, &f));
    if (message.damaged)
        MUST(acts_fail(g, &act, "damaged, expected a node of Chakra's schema"));
    op.dep_count = t->dep_count - op.first_dep;
    MUST(check_ends(t, &op, &act));
    act.kind = op.type == CHAKRA_SEND ? ACT_SEND : op.type == CHAKRA_RECV ? ACT_RECEIVE : ACT_NONE;
    act.src = (uint32_t)op.src;
    act.dst = (uint32_t)op.dst;
    act.channel = op.tag;
    act.block = op.block;
    act.count = op.block != CHAKRA_NONE ? op.blocks : 0;
    MUST(base_append(g->acts, g->count, g->capacity, t->im->err, act));
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
        st = file_fail(t, "cut short, expected messages with their length before them");
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
        return base_fail(t->im->err, RWA_FORMAT, "%s: a trace of node %" PRIu32 ", the network has %" PRIu32 " nodes", t->file, nodes,
                         nodes);
    for (uint32_t v = 0; v < nodes; v++) {
        snprintf(t->file, sizeof t->file, "%.240s/%s.%" PRIu32 ".et", t->im->path, name, v);
        MUST(read_trace(t, v));
    }
    snprintf(t->file, sizeof t->file, "%s", t->im->path);
    return RWA_OK;
}

/* ---- what waits for what ---- */

COMPARATOR(by_id, struct operation_id, UP(node) UP(id))

static rwa_status find_deps(struct chakra_traces *t, struct operation_id *ids)
{
    const struct import_act *acts = t->program.acts;
    for (size_t i = 0; i < t->count; i++)
        ids[i] = (struct operation_id){acts[i].node, t->ops[i].id, i};
    base_sort(ids, t->count, by_id);
    for (size_t i = 1; i < t->count; i++)
        if (by_id(&ids[i - 1], &ids[i]) == 0)
            return acts_fail(&t->program, &acts[ids[i].op], "id %" PRIu64 " a second time, expected each once", ids[i].id);
    for (size_t i = 0; i < t->count; i++)
        for (size_t d = t->ops[i].first_dep; d < t->ops[i].first_dep + t->ops[i].dep_count; d++) {
            struct operation_id key = {.node = acts[i].node, .id = t->deps[d]};
            const struct operation_id *found = bsearch(&key, ids, t->count, sizeof *ids, by_id);
            if (!found)
                return acts_fail(&t->program, &acts[i], "depends on id %" PRIu64 ", which node %" PRIu32 " has not", key.id, key.node);
            t->deps[d] = found->op;
            MUST(acts_wait(&t->program, found->op, i));
        }
    return RWA_OK;
}

static rwa_status add_waits(struct chakra_traces *t)
{
    struct operation_id *ids = base_array(t->count, sizeof *ids, t->im->err);
    rwa_status st = ids ? find_deps(t, ids) : RWA_NOMEM;
    free(ids);
    return st;
}

/** The blocks are named by the send, by the receive or by both. */
static rwa_status join(struct import_program *g, size_t send, size_t receive)
{
    const struct chakra_traces *t = g->data;
    const struct chakra_op *s = &t->ops[send], *r = &t->ops[receive];
    struct import_act *from = &g->acts[send], *to = &g->acts[receive];
    if (s->bytes != r->bytes && s->bytes != CHAKRA_NONE && r->bytes != CHAKRA_NONE)
        return acts_fail(g, to, "receives %" PRIu64 " bytes, node %" PRIu32 " sends %" PRIu64, r->bytes, from->node, s->bytes);
    if (from->count > 0 && to->count > 0 && (from->block != to->block || from->count != to->count))
        return acts_fail(g, to, "receives other blocks than node %" PRIu32 " sends", from->node);
    from->block = from->count > 0 ? from->block : to->block;
    from->count = from->count > 0 ? from->count : to->count;
    to->block = from->block;
    to->count = from->count;
    return RWA_OK;
}

/** In a reduction a computation that depends on a receive adds what it brought. */
static void join_additions(struct chakra_traces *t)
{
    struct import_program *g = &t->program;
    rwa_collective_kind kind = t->im->o.collective ? t->im->o.collective : t->kind;
    for (size_t i = 0; i < t->count && rwa_collective_is_reduction(kind); i++) {
        struct import_act *receive = NULL;
        const struct chakra_op *op = &t->ops[i];
        for (size_t d = op->first_dep; op->type == CHAKRA_COMP && d < op->first_dep + op->dep_count; d++)
            if (g->acts[t->deps[d]].kind == ACT_RECEIVE && !g->acts[t->deps[d]].reduces)
                receive = &g->acts[t->deps[d]];
        if (!receive)
            continue;
        receive->reduces = true;
        g->acts[i] = (struct import_act){.kind = ACT_ADD, .reduces = true, .node = g->acts[i].node, .block = receive->block,
                                         .count = receive->count, .place = g->acts[i].place};
        g->event[i] = g->event[receive - g->acts];
    }
}

/* ---- what moves ---- */

/** The collective that the metadata names, or else that of the options, with its blocks and message. */
static rwa_status find_collective(struct chakra_traces *t)
{
    struct import *im = t->im;
    rwa_collective_kind kind = im->o.collective ? im->o.collective : t->kind;
    bool whole = collective_message_is_whole(kind);
    uint64_t blocks = t->blocks, bytes = 0, nodes = rwa_network_nodes(im->net);
    for (const struct import_act *s = t->program.acts; s < t->program.acts + t->count && t->blocks == 0; s++)
        if (s->kind == ACT_SEND && s->count > 0 && s->block + s->count > blocks)
            blocks = s->block + s->count;
    if (t->kind && t->blocks > 0 && t->block_bytes > 0 && t->block_bytes <= (uint64_t)INT64_MAX / t->blocks)
        bytes = (t->block_bytes * t->blocks + (whole ? 0 : nodes - 1)) / (whole ? 1 : nodes);
    if (t->kind && t->root < nodes)
        im->o.root = (uint32_t)t->root;
    return import_collective(im, t->kind, blocks, bytes);
}

static size_t no_line(const struct import *im, const struct import_lane *lane)
{
    (void)im;
    (void)lane;
    return 0;
}

COMPARATOR(by_step, struct import_lane, UP(step) UP(entry))

/** Blocks of the size that divides all messages. */
static rwa_status add_unnamed(const struct chakra_traces *t)
{
    const struct import_program *g = &t->program;
    struct import_lane *lanes = base_array(t->count, sizeof *lanes, t->im->err);
    uint64_t unit = 0;
    size_t count = 0;
    rwa_status st = lanes ? RWA_OK : RWA_NOMEM;
    TRY(st);
    for (size_t i = 0; i < t->count; i++) {
        if (g->acts[i].kind == ACT_SEND && (t->ops[i].bytes == CHAKRA_NONE || t->ops[i].bytes == 0))
            TRY(acts_fail(g, &g->acts[i], "neither bytes (comm_size) nor blocks that move"));
        unit = g->acts[i].kind == ACT_SEND ? common_divisor(t->ops[i].bytes, unit) : unit;
    }
    for (size_t i = 0; i < t->count; i++) {
        const struct import_act *s = &g->acts[i];
        uint64_t blocks = s->kind == ACT_SEND ? t->ops[i].bytes / unit : 0;
        if (blocks > t->im->coll.blocks)
            TRY(acts_fail(g, s, "%" PRIu64 " blocks of %" PRIu64 " bytes, the collective has %" PRIu64, blocks, unit,
                             t->im->coll.blocks));
        if (blocks > 0)
            lanes[count++] = (struct import_lane){g->step[i], s->src, s->dst, (uint32_t)blocks, i};
    }
    qsort(lanes, count, sizeof *lanes, by_step);
    st = import_choose_blocks(t->im, lanes, count, no_line);
done:
    free(lanes);
    return st;
}

static rwa_status add_named(const struct chakra_traces *t)
{
    for (const struct import_act *s = t->program.acts; s < t->program.acts + t->count; s++)
        if (s->kind == ACT_SEND && s->block + s->count > t->im->coll.blocks)
            return acts_fail(&t->program, s, "block %" PRIu64 ", the collective has %" PRIu64, s->block + s->count - 1,
                                t->im->coll.blocks);
    return acts_add(&t->program);
}

static rwa_status add_all(const struct chakra_traces *t)
{
    const struct import_program *g = &t->program;
    const struct import_act *first = NULL;
    for (const struct import_act *s = g->acts; s < g->acts + g->count; s++) {
        first = !first && s->kind == ACT_SEND ? s : first;
        if (s->kind == ACT_SEND && (s->count > 0) != (first->count > 0))
            return acts_fail(g, s, "names %s block, expected that of all sends or of none", s->count > 0 ? "a" : "no");
    }
    assert(first);
    return first->count > 0 ? add_named(t) : add_unnamed(t);
}

static rwa_status read_chakra(struct import *im)
{
    struct chakra_traces t = {.im = im, .program = {.im = im, .by_node = true, .channel_name = "with tag", .join = join, .data = &t}};
    rwa_status st = RWA_OK;
    TRY(read_traces(&t));
    TRY(add_waits(&t));
    TRY(acts_pair(&t.program));
    join_additions(&t);
    TRY(acts_settle(&t.program));
    TRY(find_collective(&t));
    TRY(add_all(&t));
done:
    free_all(t.ops, t.deps);
    acts_free(&t.program);
    return st;
}

const struct import_format import_chakra = {
    "chakra", "Chakra execution traces (protobuf): a folder with NAME.N.et of each node", NULL, NULL, read_chakra};
