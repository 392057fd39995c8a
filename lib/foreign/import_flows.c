/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Schedules of TE-CCL (JSON): among much else a list "7-Flows" (or "6-Flows") of texts "Chunk 0 from 3 traveled over 3->5 in epoch 2".
 * Epochs become steps.  A chunk of an all-gather is a block of its node; of a broadcast a block; of an all-to-all what goes to the node
 * of that number.
 */
#include "base/json.h"
#include "foreign/import.h"

struct flow {
    uint32_t chunk, owner, src, dst, epoch;
};

struct flows {
    struct import *im;
    const char *member;     /* "7-Flows" */
    struct flow *list;
    size_t count;
    uint32_t *nodes, *epochs;   /* that occur, ascending */
    size_t node_count, epoch_count;
};

static size_t line_of(const struct flows *f, size_t i)
{
    const struct json_step way[] = {{f->member, 0}, {NULL, i}};
    return json_line(f->im->text, way, 2);
}

/** The number behind a word, and the text behind that number. */
static const char *number_after(const char *text, const char *word, uint32_t *number)
{
    size_t length = strlen(word);
    char *end = NULL;
    if (!text || strncmp(text, word, length) != 0 || text[length] < '0' || text[length] > '9')
        return NULL;
    unsigned long long value = strtoull(text + length, &end, 10);
    *number = (uint32_t)value;
    return value < UINT32_MAX ? end : NULL;
}

static rwa_status read_flow(struct flows *f, const json_t *value, size_t i)
{
    struct flow *flow = &f->list[i];
    const char *text = json_string_value(value), *at = text;
    double volume = 1;
    int used = 0;
    at = number_after(at, "Chunk ", &flow->chunk);
    at = number_after(at, " from ", &flow->owner);
    at = number_after(at, " traveled over ", &flow->src);
    at = number_after(at, "->", &flow->dst);
    if (at && strncmp(at, " with volume ", 13) == 0)
        at = sscanf(at, " with volume %lf%n", &volume, &used) == 1 ? at + used : NULL;
    if (!number_after(at, " in epoch ", &flow->epoch))
        return import_fail(f->im, line_of(f, i), "expected \"Chunk C from NODE traveled over NODE->NODE in epoch E\"");
    if (volume != 1)
        return import_fail(f->im, line_of(f, i), "a volume of %g, expected whole chunks: parts of a chunk have no name", volume);
    return RWA_OK;
}

static uint32_t rank(const uint32_t *list, size_t count, uint32_t value)
{
    const uint32_t *at = bsearch(&value, list, count, sizeof *list, order_uint32);
    assert(at); /* every number that occurs was listed */
    return (uint32_t)(at - list);
}

/** Nodes and epochs that occur.  The file numbers its switches too: nodes are those that occur, in order, where these are as many as
 *  the network has; else their numbers are those of the network. */
static rwa_status find_nodes(struct flows *f)
{
    uint32_t nodes = rwa_network_nodes(f->im->net);
    MUST(base_new(f->nodes, 3 * f->count, f->im->err));
    MUST(base_new(f->epochs, f->count, f->im->err));
    for (size_t i = 0; i < f->count; i++) {
        f->nodes[3 * i] = f->list[i].owner;
        f->nodes[3 * i + 1] = f->list[i].src;
        f->nodes[3 * i + 2] = f->list[i].dst;
        f->epochs[i] = f->list[i].epoch;
    }
    f->node_count = base_sort_unique(f->nodes, 3 * f->count, sizeof *f->nodes, order_uint32);
    f->epoch_count = base_sort_unique(f->epochs, f->count, sizeof *f->epochs, order_uint32);
    if (f->node_count == nodes)
        return RWA_OK;
    if (f->nodes[f->node_count - 1] >= nodes)
        return import_fail(f->im, line_of(f, 0), "%zu nodes send and receive, up to number %" PRIu32 ", the network has %" PRIu32,
                           f->node_count, f->nodes[f->node_count - 1], nodes);
    f->node_count = 0; /* as numbered */
    return RWA_OK;
}

static uint32_t node_of(const struct flows *f, uint32_t number)
{
    return f->node_count ? rank(f->nodes, f->node_count, number) : number;
}

static rwa_status find_collective(struct flows *f, uint32_t *chunks)
{
    struct import *im = f->im;
    uint32_t nodes = rwa_network_nodes(im->net);
    rwa_collective_kind kind = im->o.collective ? im->o.collective : RWA_ALL_GATHER;
    *chunks = 0;
    for (size_t i = 0; i < f->count; i++)
        *chunks = f->list[i].chunk >= *chunks ? f->list[i].chunk + 1 : *chunks;
    if (kind == RWA_ALL_TO_ALL && *chunks > nodes)
        return import_fail(im, line_of(f, 0), "%" PRIu32 " chunks of a node, expected one for each of %" PRIu32 " nodes", *chunks, nodes);
    if (kind == RWA_ALL_TO_ALL)
        return import_collective(im, kind, 0, 0);
    if (kind != RWA_ALL_GATHER && kind != RWA_BROADCAST)
        return base_fail(im->err, RWA_BADARG, "%s: chunks of this format are not those of a %s, expected all-gather, broadcast or "
                         "all-to-all", im->path, rwa_collective_name(kind));
    return import_collective(im, kind, kind == RWA_BROADCAST ? *chunks : (uint64_t)*chunks * nodes, 0);
}

static rwa_status add_flows(struct flows *f, uint32_t chunks)
{
    struct import *im = f->im;
    uint64_t each = im->coll.kind == RWA_ALL_TO_ALL ? im->coll.nodes : im->coll.kind == RWA_BROADCAST ? 0 : chunks;
    for (size_t i = 0; i < f->count; i++) {
        const struct flow *flow = &f->list[i];
        rwa_transfer t = {.step = rank(f->epochs, f->epoch_count, flow->epoch) + 1, .src = node_of(f, flow->src),
                          .dst = node_of(f, flow->dst), .block = node_of(f, flow->owner) * each + flow->chunk};
        if (t.src == t.dst)
            MUST(import_fail(im, line_of(f, i), "from node %" PRIu32 " to itself, expected two different nodes", flow->src));
        MUST(import_add(im, &t));
    }
    return RWA_OK;
}

/** The member "N-Flows". */
static const json_t *find_flows(struct flows *f, const json_t *root)
{
    const char *name;
    json_t *value;
    json_object_foreach((json_t *)(uintptr_t)root, name, value) {
        size_t length = strlen(name);
        if (length > 6 && strcmp(name + length - 6, "-Flows") == 0) {
            f->member = name;
            return value;
        }
    }
    return NULL;
}

static rwa_status read_flows(struct import *im)
{
    struct flows f = {.im = im};
    json_t *root = NULL;
    uint32_t chunks = 0;
    rwa_status st = RWA_OK;
    TRY(json_open(&root, im->text, im->length, im->path, im->err));
    const json_t *list = find_flows(&f, root);
    if (!json_is_array(list) || json_array_size(list) == 0)
        TRY(import_fail(im, f.member ? json_line(im->text, &(struct json_step){f.member, 0}, 1) : 1,
                        "expected a member \"7-Flows\", an array of texts"));
    f.count = json_array_size(list);
    TRY(base_new(f.list, f.count, im->err));
    for (size_t i = 0; i < f.count; i++)
        TRY(read_flow(&f, json_array_get(list, i), i));
    TRY(find_nodes(&f));
    TRY(find_collective(&f, &chunks));
    TRY(add_flows(&f, chunks));
done:
    json_decref(root);
    free_all(f.list, f.nodes, f.epochs);
    return st;
}

const struct import_format import_teccl = {"teccl", "flows of TE-CCL (JSON): a chunk over a link in an epoch", "{", "-Flows\"", read_flows};
