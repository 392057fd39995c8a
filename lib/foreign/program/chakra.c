/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Chakra execution traces (github.com/mlcommons/chakra, schema et_def.proto): a file for each node, of messages with their length
 * before them; the first is the metadata, each further one a send, a receive or an addition with what it depends on.
 */
#include "foreign/program/accesses.h"
#include "foreign/program/chakra.h"
#include "foreign/program/protobuf.h"

#include "foreign/folder.h"

struct trace {
    struct text text;
    uint32_t operations;
};

struct traces {
    const struct messages *p;
    struct accesses accesses;
    struct trace *nodes;
    struct text attributes, node;   /* in work */
    rwa_error *err;
};

/** An attribute of a number, or of a text if there is one, as field `field` of a message. */
static void add_value(struct text *to, uint32_t field, const char *name, uint32_t type, uint64_t value, const char *text)
{
    struct text one = {.err = to->err};
    protobuf_add_bytes(&one, CHAKRA_ATTR_NAME, name, strlen(name));
    if (text)
        protobuf_add_bytes(&one, type, text, strlen(text));
    else
        protobuf_add_number(&one, type, value);
    if (one.status == RWA_OK)
        protobuf_add_bytes(to, field, one.data, one.used);
    else if (to->status == RWA_OK)
        to->status = one.status;
    free(one.data);
}

static void add_attribute(struct traces *c, const char *name, uint32_t type, uint64_t value)
{
    add_value(&c->attributes, CHAKRA_NODE_ATTR, name, type, value, NULL);
}

static void add_dependencies(struct text *t, const uint32_t *list, size_t count)
{
    struct text packed = {.err = t->err};
    for (size_t i = 0; i < count; i++)
        protobuf_add_varint(&packed, list[i]);
    if (packed.used > 0)
        protobuf_add_bytes(t, CHAKRA_NODE_DATA_DEPS, packed.data, packed.used);
    text_drop_part(t, &packed);
}

/** Each operation once, in order. */
static size_t without_duplicates(uint32_t *list, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        size_t k = 0;
        while (k < kept && list[k] != list[i])
            k++;
        if (k == kept)
            list[kept++] = list[i];
    }
    return kept;
}

/** Finish the operation whose attributes were added; it waits for those that accesses_find() left. */
static rwa_status add_operation(struct traces *c, uint32_t node, const char *name, uint64_t type, uint32_t *id)
{
    struct trace *trace = &c->nodes[node];
    size_t count = without_duplicates(c->accesses.awaits, c->accesses.await_count);
    *id = ++trace->operations;
    protobuf_add_number(&c->node, CHAKRA_NODE_ID, *id);
    protobuf_add_bytes(&c->node, CHAKRA_NODE_NAME, name, strlen(name));
    protobuf_add_number(&c->node, CHAKRA_NODE_TYPE, type);
    add_dependencies(&c->node, c->accesses.awaits, count);
    if (c->attributes.used > 0)
        text_add_bytes(&c->node, c->attributes.data, c->attributes.used);
    protobuf_add_varint(&trace->text, c->node.used);
    if (c->node.used > 0)
        text_add_bytes(&trace->text, c->node.data, c->node.used);
    rwa_status st = c->attributes.status != RWA_OK ? c->attributes.status : c->node.status != RWA_OK ? c->node.status : trace->text.status;
    c->node.used = c->attributes.used = 0;
    return st;
}

static void describe_transfer(struct traces *c, const struct message *m, uint32_t number)
{
    add_attribute(c, "is_cpu_op", CHAKRA_BOOL, 0);
    add_attribute(c, "comm_size", CHAKRA_INT64, (uint64_t)m->count * c->p->r->coll->block_bytes);
    add_attribute(c, "comm_src", CHAKRA_INT32, m->src);
    add_attribute(c, "comm_dst", CHAKRA_INT32, m->dst);
    add_attribute(c, "comm_tag", CHAKRA_INT32, number);
    add_attribute(c, "block", CHAKRA_INT64, m->first);
    add_attribute(c, "blocks", CHAKRA_INT64, m->count);
}

static rwa_status add_send(struct traces *c, const struct message *m, uint32_t number)
{
    char name[80];
    uint32_t id = 0;
    snprintf(name, sizeof name, "SEND_%" PRIu32 "_to_%" PRIu32 "_step_%" PRIu32, m->first, m->dst, m->step);
    MUST(accesses_find(&c->accesses, m->src, m, false));
    describe_transfer(c, m, number);
    MUST(add_operation(c, m->src, name, CHAKRA_SEND, &id));
    return accesses_record(&c->accesses, m->src, m, false, id);
}

/** The addition of what a receive brought: it waits for the receive, and for the accesses before it. */
static rwa_status add_addition(struct traces *c, const struct message *m, uint32_t received)
{
    struct accesses *a = &c->accesses;
    uint32_t id = 0;
    MUST(accesses_find(a, m->dst, m, true));
    MUST(base_append(a->awaits, a->await_count, a->await_capacity, c->err, received));
    uint64_t bytes = (uint64_t)m->count * c->p->r->coll->block_bytes;
    add_attribute(c, "is_cpu_op", CHAKRA_BOOL, 0);
    add_attribute(c, "num_ops", CHAKRA_INT64, (bytes + 3) / 4);
    add_attribute(c, "tensor_size", CHAKRA_INT64, bytes);
    MUST(add_operation(c, m->dst, "ADD", CHAKRA_COMP, &id));
    return accesses_record(a, m->dst, m, true, id);
}

static rwa_status add_receive(struct traces *c, const struct message *m, uint32_t number)
{
    char name[80];
    uint32_t id = 0;
    snprintf(name, sizeof name, "RECV_%" PRIu32 "_from_%" PRIu32 "_step_%" PRIu32, m->first, m->src, m->step);
    c->accesses.await_count = 0; /* what is added later arrives beside the sum */
    if (!m->reduces)
        MUST(accesses_find(&c->accesses, m->dst, m, true));
    describe_transfer(c, m, number);
    MUST(add_operation(c, m->dst, name, CHAKRA_RECV, &id));
    return m->reduces ? add_addition(c, m, id) : accesses_record(&c->accesses, m->dst, m, true, id);
}

static rwa_status add_groups(struct traces *c)
{
    const struct messages *p = c->p;
    for (uint32_t from = 0, to; from < p->count; from = to) {
        for (to = from; to < p->count && p->list[to].group == p->list[from].group; to++)
            MUST(add_send(c, &p->list[to], to));
        for (uint32_t i = from; i < to; i++)
            MUST(add_receive(c, &p->list[i], i));
    }
    return RWA_OK;
}

/** The metadata, before everything else of a file: the version of the schema, and the collective. */
static rwa_status add_metadata(struct trace *trace, const rwa_collective *coll, rwa_error *err)
{
    static const char version[] = "0.0.4";
    struct text t = {.err = err};
    protobuf_add_bytes(&t, CHAKRA_VERSION, version, sizeof version - 1);
    add_value(&t, CHAKRA_METADATA_ATTR, "collective", CHAKRA_STRING, 0, rwa_collective_name(coll->kind));
    add_value(&t, CHAKRA_METADATA_ATTR, "root", CHAKRA_INT64, coll->root, NULL);
    add_value(&t, CHAKRA_METADATA_ATTR, "blocks", CHAKRA_INT64, coll->blocks, NULL);
    add_value(&t, CHAKRA_METADATA_ATTR, "block_bytes", CHAKRA_INT64, coll->block_bytes, NULL);
    if (t.status == RWA_OK) {
        protobuf_add_varint(&trace->text, t.used);
        text_add_bytes(&trace->text, t.data, t.used);
    }
    free(t.data);
    return t.status != RWA_OK ? t.status : trace->text.status;
}

static rwa_status put_files(const struct traces *c, struct folder *f)
{
    for (uint32_t v = 0; v < c->p->nodes; v++) {
        char name[40];
        snprintf(name, sizeof name, "trace.%" PRIu32 ".et", v);
        MUST(folder_put(f, name, c->nodes[v].text.data, c->nodes[v].text.used));
    }
    return RWA_OK;
}

static rwa_status make_traces(struct traces *c, const struct messages *p, struct folder *f)
{
    rwa_status st = RWA_NOMEM;
    c->p = p;
    c->nodes = base_array(p->nodes, sizeof *c->nodes, c->err);
    if (!c->nodes)
        return st;
    TRY(accesses_open(&c->accesses, p));
    for (uint32_t v = 0; v < p->nodes; v++) {
        c->nodes[v].text.err = c->err;
        TRY(add_metadata(&c->nodes[v], p->r->coll, c->err));
    }
    TRY(add_groups(c));
    TRY(put_files(c, f));
done:
    for (uint32_t v = 0; v < p->nodes; v++)
        free(c->nodes[v].text.data);
    free(c->nodes);
    accesses_free(&c->accesses);
    free_all(c->attributes.data, c->node.data);
    return st;
}

static rwa_status write_chakra(struct export_request *r)
{
    struct messages p = {0};
    struct traces c = {.err = r->err, .attributes = {.err = r->err}, .node = {.err = r->err}};
    struct folder f = {0};
    rwa_status st = RWA_OK;
    TRY(messages_collect(&p, r, "chakra", true, UINT32_MAX));
    TRY(export_needs_folder(r, "chakra"));
    TRY(folder_open(&f, r->path, r->err));
    TRY(make_traces(&c, &p, &f));
    TRY(folder_finish(&f));
done:
    folder_drop(&f);
    messages_free(&p);
    return st;
}

const struct export_format export_chakra = {
    "chakra", "Chakra execution traces (protobuf): a folder with trace.N.et of each node", NULL, write_chakra};
