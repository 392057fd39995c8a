/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Schedules of TE-CCL (JSON): the reader uses the list "7-Flows" (or "6-Flows") of texts "Chunk 0 from 3 traveled over
 * 3->5 in epoch 2".  Epochs become steps.  In an all-gather a chunk is a block of its node, in a broadcast a block; in
 * an all-to-all chunk i is the block for node i.
 */
#include "foreign/import.h"

/** The numbers of a flow, in the order of its text; OWNER, SRC and DST are nodes. */
enum { CHUNK, OWNER, SRC, DST, EPOCH, FLOW_NUMBERS, NODES = DST - OWNER + 1 };

struct teccl_flows {
    struct import *im;
    const json_t *texts;
    size_t count;
    uint32_t (*list)[FLOW_NUMBERS];
    uint32_t *nodes, *epochs;   /* the numbers that occur, ascending */
    size_t node_count, epoch_count;
    uint32_t chunks;            /* of a node: one more than the largest chunk number */
};

/** Match the beginning of a text with a pattern, in which each # stands for a number, and store these numbers in
 *  numbers[].  Return the rest of the text, or NULL if it does not match. */
static const char *match(const char *text, const char *pattern, uint32_t *numbers)
{
    for (; text && *pattern; pattern++) {
        char *end = NULL;
        if (*pattern != '#') {
            text = *text == *pattern ? text + 1 : NULL;
            continue;
        }
        unsigned long long value = *text >= '0' && *text <= '9' ? strtoull(text, &end, 10) : UINT32_MAX;
        *numbers++ = (uint32_t)value;
        text = value < UINT32_MAX ? end : NULL;
    }
    return text;
}

static rwa_status read_flow(struct teccl_flows *f, size_t i)
{
    const json_t *value = json_array_get(f->texts, i);
    uint32_t *flow = f->list[i];
    double volume = 1;
    int used = 0;
    const char *at = match(json_string_value(value), "Chunk # from # traveled over #->#", flow);
    if (at && match(at, " with volume ", NULL))
        at = sscanf(at, " with volume %lf%n", &volume, &used) == 1 ? at + used : NULL;
    if (!match(at, " in epoch #", &flow[EPOCH]))
        return import_fail_at(f->im, value, "expected \"Chunk C from NODE traveled over NODE->NODE in epoch E\"");
    if (volume != 1)
        return import_fail_at(f->im, value, "a volume of %g, expected whole chunks: parts of a chunk have no name",
                              volume);
    memcpy(&f->nodes[NODES * i], &flow[OWNER], NODES * sizeof *flow);
    f->epochs[i] = flow[EPOCH];
    f->chunks = flow[CHUNK] >= f->chunks ? flow[CHUNK] + 1 : f->chunks;
    return RWA_OK;
}

static uint32_t rank(const uint32_t *list, size_t count, uint32_t value)
{
    const uint32_t *at = bsearch(&value, list, count, sizeof *list, order_uint32);
    assert(at); /* every number that occurs was listed */
    return (uint32_t)(at - list);
}

/** Sort f->nodes and f->epochs, the node numbers and epochs that occur in the file, and keep each once.  If as many
 *  node numbers occur as the network has nodes, they stand for its nodes in ascending order.  Otherwise they are the
 *  numbers of its nodes, and f->node_count becomes 0.  The file may also number switches. */
static rwa_status find_nodes(struct teccl_flows *f)
{
    uint32_t nodes = f->im->nodes;
    f->node_count = base_sort_unique(f->nodes, NODES * f->count, sizeof *f->nodes, order_uint32);
    f->epoch_count = base_sort_unique(f->epochs, f->count, sizeof *f->epochs, order_uint32);
    uint32_t last = f->nodes[f->node_count - 1];
    if (f->node_count != nodes && last >= nodes)
        return import_fail_at(f->im, json_array_get(f->texts, 0),
                              "%zu nodes send and receive, up to number %u, the network has %u",
                              f->node_count, last, nodes);
    f->node_count = f->node_count == nodes ? nodes : 0; /* 0: as numbered */
    return RWA_OK;
}

static uint32_t node_of(const struct teccl_flows *f, uint32_t number)
{
    return f->node_count ? rank(f->nodes, f->node_count, number) : number;
}

static rwa_status find_collective(const struct teccl_flows *f)
{
    struct import *im = f->im;
    uint32_t nodes = im->nodes;
    rwa_collective_kind kind = im->o.collective ? im->o.collective : RWA_ALL_GATHER;
    if (kind == RWA_ALL_TO_ALL && f->chunks > nodes)
        return import_fail_at(im, json_array_get(f->texts, 0),
                              "%u chunks of a node, expected one for each of %u nodes", f->chunks,
                              nodes);
    if (kind != RWA_ALL_GATHER && kind != RWA_BROADCAST && kind != RWA_ALL_TO_ALL)
        return base_refuse(im->err,
                           "%s: chunks of this format are not those of a %s, expected all-gather, broadcast or "
                           "all-to-all",
                           im->path, rwa_collective_name(kind));
    return import_collective(im, kind,
                             kind == RWA_ALL_TO_ALL  ? 0
                             : kind == RWA_BROADCAST ? f->chunks
                                                     : (uint64_t)f->chunks * nodes,
                             0);
}

static rwa_status add_flows(const struct teccl_flows *f)
{
    struct import *im = f->im;
    const char *at = im->text;
    im->line = 1;
    uint64_t each = im->coll.kind == RWA_ALL_TO_ALL ? im->coll.nodes : im->coll.kind == RWA_BROADCAST ? 0 : f->chunks;
    for (size_t i = 0; i < f->count; i++) {
        const uint32_t *flow = f->list[i];
        rwa_transfer t = {.step = rank(f->epochs, f->epoch_count, flow[EPOCH]) + 1, .src = node_of(f, flow[SRC]),
                          .dst = node_of(f, flow[DST]), .block = node_of(f, flow[OWNER]) * each + flow[CHUNK]};
        if (t.src == t.dst)
            return import_fail_at(im, json_array_get(f->texts, i),
                                  "from node %u to itself, expected two different nodes", flow[SRC]);
        const char *next = strstr(at + (i > 0), json_string_value(json_array_get(f->texts, i)));
        for (; next && at < next; at++)
            im->line += *at == '\n';
        MUST(import_add(im, &t));
    }
    return RWA_OK;
}

/** Return the value of the first member of the file's JSON object whose name ends in "-Flows"; NULL if there is
 *  none. */
static const json_t *find_flows(const struct import *im)
{
    static const char end[] = "-Flows";
    const char *name;
    json_t *value;
    json_object_foreach(im->json, name, value)
        if (strlen(name) >= sizeof end && strcmp(name + strlen(name) + 1 - sizeof end, end) == 0)
            return value;
    return NULL;
}

static rwa_status read_flows(struct import *im)
{
    struct teccl_flows f = {.im = im, .texts = find_flows(im)};
    f.count = json_array_size(f.texts);
    if (f.count == 0)
        return import_fail_at(im, f.texts, "expected a member \"7-Flows\", an array of texts");
    arena_arrays(&im->memory, f.count, f.list, f.epochs);
    MUST(arena_arrays(&im->memory, NODES * f.count, f.nodes));
    for (size_t i = 0; i < f.count; i++)
        MUST(read_flow(&f, i));
    MUST(find_nodes(&f));
    MUST(find_collective(&f));
    return add_flows(&f);
}

const struct import_format import_teccl = {"teccl", "{", "-Flows\"", read_flows};
