/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Chakra execution traces (github.com/mlcommons/chakra, schema et_def.proto): each node has a file of messages, each
 * with its length before it.  The first message is the metadata; each further one is a send, a receive or an addition
 * with its dependencies.
 */
#include "foreign/program/accesses.h"
#include "foreign/program/chakra.h"
#include "foreign/program/protobuf.h"

struct trace {
    struct text text;
    uint32_t operations;
};

struct traces {
    const struct messages *p;
    struct trace *nodes;
    struct text message;    /* in work */
};

/** Add attribute `name` as field `field` of the message `to`.  Its value is `text` or, if that is NULL, the number
 *  `value`; type: the field of AttributeProto for the value */
static void add_attribute(struct text *to, uint32_t field, const char *name, uint32_t type, uint64_t value,
                          const char *text)
{
    struct text one = {.err = to->err};
    protobuf_add_bytes(&one, CHAKRA_ATTR_NAME, name, strlen(name));
    if (text)
        protobuf_add_bytes(&one, type, text, strlen(text));
    else
        protobuf_add_number(&one, type, value);
    if (one.status == RWA_OK)
        protobuf_add_bytes(to, field, one.data, one.used);
    text_drop_part(to, &one);
}

/** Add an attribute with a number or truth value to the current operation.  `type` is the field of AttributeProto for
 *  the value, CHAKRA_INT64, CHAKRA_BOOL, …. */
static void add_number(struct traces *c, const char *name, uint32_t type, uint64_t value)
{
    add_attribute(&c->message, CHAKRA_NODE_ATTR, name, type, value, NULL);
}

/** Append the current message, with its length before it, to a trace. */
static rwa_status end_message(struct traces *c, struct trace *trace)
{
    protobuf_add_varint(&trace->text, c->message.used);
    if (c->message.used > 0)
        text_add_bytes(&trace->text, c->message.data, c->message.used);
    c->message.used = 0;
    return c->message.status != RWA_OK ? c->message.status : trace->text.status;
}

/** Begin in c->message the next operation of a node: all its fields before the attributes.  type: CHAKRA_SEND,
 *  CHAKRA_RECV or CHAKRA_COMP.  Return the operation's number, which counts the node's operations. */
static uint32_t begin_operation(struct traces *c, struct trace *trace, const char *name, uint64_t type,
                                const struct awaits *awaits)
{
    struct text packed = {.err = c->message.err};
    protobuf_add_number(&c->message, CHAKRA_NODE_ID, ++trace->operations);
    protobuf_add_bytes(&c->message, CHAKRA_NODE_NAME, name, strlen(name));
    protobuf_add_number(&c->message, CHAKRA_NODE_TYPE, type);
    for (size_t i = 0; i < awaits->count; i++)
        protobuf_add_varint(&packed, awaits->list[i]);
    if (packed.used > 0)
        protobuf_add_bytes(&c->message, CHAKRA_NODE_DATA_DEPS, packed.data, packed.used);
    text_drop_part(&c->message, &packed);
    add_number(c, "is_cpu_op", CHAKRA_BOOL, 0);
    return trace->operations;
}

/** Write the send or, if `receives`, the receive of message `number` to the trace of its node, to wait for the
 *  operations `awaits` (an access_writer).  If received data is added to a value, a second operation, the addition,
 *  waits for them instead.  Set *operation to the number of the last operation written. */
static rwa_status add_operation(void *data, uint32_t number, bool receives, struct awaits *awaits, uint32_t *operation)
{
    struct traces *c = data;
    const struct message *m = &c->p->list[number];
    struct trace *trace = &c->nodes[receives ? m->dst : m->src];
    static const struct awaits none;
    bool adds = receives && m->reduces; /* data that is added later arrives outside the memory of the sum */
    uint64_t bytes = (uint64_t)m->count * c->p->r->coll->block_bytes;
    char name[80];
    snprintf(name, sizeof name, "%s_%u_%s_%u_step_%u", receives ? "RECV" : "SEND", m->first,
             receives ? "from" : "to", receives ? m->src : m->dst, m->step);
    *operation = begin_operation(c, trace, name, receives ? CHAKRA_RECV : CHAKRA_SEND, adds ? &none : awaits);
    add_number(c, "comm_size", CHAKRA_INT64, bytes);
    add_number(c, "comm_src", CHAKRA_INT32, m->src);
    add_number(c, "comm_dst", CHAKRA_INT32, m->dst);
    add_number(c, "comm_tag", CHAKRA_INT32, number);
    add_number(c, "block", CHAKRA_INT64, m->first);
    add_number(c, "blocks", CHAKRA_INT64, m->count);
    MUST(end_message(c, trace));
    if (!adds)
        return RWA_OK;
    MUST(base_append(awaits->list, awaits->count, c->message.err, *operation));
    *operation = begin_operation(c, trace, "ADD", CHAKRA_COMP, awaits);
    add_number(c, "num_ops", CHAKRA_INT64, (bytes + sizeof(float) - 1) / sizeof(float));
    add_number(c, "tensor_size", CHAKRA_INT64, bytes);
    return end_message(c, trace);
}

/** Add the metadata to a trace, in which they come first: the version of the schema, and the collective. */
static rwa_status add_metadata(struct traces *c, struct trace *trace, const rwa_collective *coll)
{
    const struct { const char *name; uint64_t value; } numbers[] = {
        {"root", coll->root}, {"blocks", coll->blocks}, {"block_bytes", coll->block_bytes}};
    static const char version[] = "0.0.4";
    protobuf_add_bytes(&c->message, CHAKRA_VERSION, version, sizeof version - 1);
    add_attribute(&c->message, CHAKRA_METADATA_ATTR, "collective", CHAKRA_STRING, 0, rwa_collective_name(coll->kind));
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        add_attribute(&c->message, CHAKRA_METADATA_ATTR, numbers[i].name, CHAKRA_INT64, numbers[i].value, NULL);
    return end_message(c, trace);
}

static rwa_status put_traces(struct text *t, struct export_request *r, struct traces *c)
{
    MUST(arena_arrays(&r->memory, c->p->nodes, c->nodes));
    for (uint32_t v = 0; v < c->p->nodes; v++) {
        c->nodes[v].text.err = r->err;
        MUST(add_metadata(c, &c->nodes[v], r->coll));
    }
    MUST(accesses_walk(c->p, add_operation, c));
    for (uint32_t v = 0; v < c->p->nodes; v++) {
        char name[40];
        snprintf(name, sizeof name, "trace.%u.et", v);
        text_add_part(t, &c->nodes[v].text);
        c->nodes[v].text.data = NULL;
        MUST(export_end_file(r, name));
    }
    return RWA_OK;
}

static rwa_status put_chakra(struct text *t, struct export_request *r)
{
    struct messages p = {0};
    struct traces c = {.p = &p, .message.err = r->err};
    rwa_status st = RWA_OK;
    TRY(messages_collect(&p, r, "chakra", true, UINT32_MAX));
    TRY(put_traces(t, r, &c));
done:
    for (uint32_t v = 0; c.nodes && v < p.nodes; v++)
        free(c.nodes[v].text.data);
    free(c.message.data);
    free(p.list);
    return st;
}

const struct export_format export_chakra = {"chakra", put_chakra, EXPORT_PLAIN | EXPORT_FOLDER};
