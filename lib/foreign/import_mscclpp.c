/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * MSCCL++ execution plans (JSON), carried out with the names of blocks in place of values.  Thread blocks take turns.
 * A put is a transfer; into scratch memory it becomes one when the receiver adds it (re) or copies it.  A transfer takes
 * the first step in which its sender holds what it sends and, in reductions, its receiver reads no other value than before.
 */
#include "base/arena.h"
#include "base/json.h"
#include "foreign/import.h"

#define NO_BLOCK UINT32_MAX
/* The most chunks of a buffer. */
#define CHUNKS_MAX (1u << 20)
/* Written where the runtime's default is the largest number of 64 bits, which this reader of JSON has no integer for. */
static const char largest[] = "18446744073709551615";

/** A chunk of a buffer. */
struct chunk {
    uint32_t block;         /* whose value it holds; NO_BLOCK: none */
    uint32_t written;       /* step after which it does; 0: from the start */
    uint32_t read;          /* last step that reads it */
    uint32_t version;       /* times it was written */
    uint32_t last_write;    /* the last of these, in `writes` */
    /* scratch: what was put there, and has not been used */
    uint32_t from, source_version;
    size_t source;          /* chunk */
};

struct write {
    uint32_t step, before;  /* before: of the same chunk */
};

struct worker {
    const json_t *ops, *channels, *buffers; /* its operations; channels of its node; memories of its node that it writes to */
    size_t at;
    bool stands;            /* at a barrier */
};

struct device {
    const json_t *json;
    uint32_t input, output, scratch;    /* chunks */
    size_t first;                       /* in chunks: output, then scratch, then input */
    size_t first_worker, workers, standing;
};

struct executor {
    struct import *im;
    struct arena memory;
    uint32_t nodes;
    bool reduction, inplace;
    struct device *devices;
    struct chunk *chunks;
    struct worker *workers;
    size_t worker_count;
    uint32_t *signals;      /* [from][to]: not yet waited for */
    struct write *writes;
    size_t write_count, write_capacity;
    uint32_t node;          /* in work, for messages */
    size_t worker;
};

/* ---- reading ---- */

static size_t line_at(const struct executor *x, bool operation)
{
    const struct device *d = &x->devices[x->node];
    size_t own = x->worker - d->first_worker;
    const struct json_step way[] = {{"gpus", 0}, {NULL, x->node}, {"threadblocks", 0}, {NULL, own}, {"ops", 0},
                                    {NULL, operation ? x->workers[x->worker].at : 0}};
    return json_line(x->im->text, way, operation ? 6 : 2);
}

static rwa_status number(const struct executor *x, const json_t *object, const char *name, uint32_t *out)
{
    const json_t *value = json_object_get(object, name);
    json_int_t n = json_integer_value(value);
    *out = (uint32_t)n;
    if (json_is_integer(value) && n >= 0 && n < INT32_MAX)
        return RWA_OK;
    return import_fail(x->im, x->workers ? line_at(x, true) : 1, "\"%s\": expected a number that is not negative", name);
}

static rwa_status bad_operation(const struct executor *x, const char *expected)
{
    return import_fail(x->im, line_at(x, true), "node %" PRIu32 ": expected %s", x->node, expected);
}

/** Its thread blocks, and what their channels and memories stand for. */
static rwa_status read_device(struct executor *x, uint32_t v, size_t *chunks)
{
    struct device *d = &x->devices[v];
    uint32_t id = 0;
    MUST(number(x, d->json, "id", &id));
    MUST(number(x, d->json, "input_chunks", &d->input));
    MUST(number(x, d->json, "output_chunks", &d->output));
    MUST(number(x, d->json, "scratch_chunks", &d->scratch));
    if (d->input > CHUNKS_MAX || d->output > CHUNKS_MAX || d->scratch > CHUNKS_MAX)
        MUST(import_fail(x->im, 1, "gpus[%" PRIu32 "]: expected at most %u chunks in a buffer", v, CHUNKS_MAX));
    if (id != v || !json_is_array(json_object_get(d->json, "threadblocks")))
        MUST(import_fail(x->im, 1, "gpus[%" PRIu32 "]: expected \"id\": %" PRIu32 " and \"threadblocks\"", v, v));
    d->first = *chunks;
    *chunks += (size_t)d->output + d->scratch + d->input;
    d->first_worker = x->worker_count;
    d->workers = json_array_size(json_object_get(d->json, "threadblocks"));
    x->worker_count += d->workers;
    return RWA_OK;
}

static void read_worker(struct executor *x, const struct device *d, size_t i)
{
    const json_t *json = json_array_get(json_object_get(d->json, "threadblocks"), i);
    x->workers[d->first_worker + i] =
        (struct worker){json_object_get(json, "ops"),
                        json_object_get(json_array_get(json_object_get(json, "channels"), 0), "channel_ids"),
                        json_object_get(json_array_get(json_object_get(json, "remote_buffer_refs"), 0), "remote_buffer_ids"), 0, false};
}

static rwa_status check_sizes(const struct executor *x, uint64_t blocks)
{
    for (uint32_t v = 0; v < x->nodes; v++) {
        const struct device *d = &x->devices[v];
        uint64_t input = x->reduction ? blocks : blocks / x->nodes;
        if (d->input != input || d->output != blocks || input == 0 || (!x->reduction && blocks % x->nodes != 0))
            return import_fail(x->im, 1, "gpus[%" PRIu32 "]: %" PRIu32 " chunks of input and %" PRIu32 " of output, expected as many as "
                               "all nodes have, and those of an %s", v, d->input, d->output, x->reduction ? "all-reduce" : "all-gather");
    }
    return RWA_OK;
}

static rwa_status read_plan(struct executor *x, const json_t *root)
{
    const json_t *gpus = json_object_get(root, "gpus");
    const char *name = json_string_value(json_object_get(root, "collective"));
    size_t chunks = 0;
    x->nodes = rwa_network_nodes(x->im->net);
    x->reduction = name && strcmp(name, "allreduce") == 0;
    x->inplace = json_is_true(json_object_get(root, "inplace"));
    if (!x->reduction && (!name || strcmp(name, "allgather") != 0))
        MUST(import_fail(x->im, 1, "\"collective\": expected allgather or allreduce"));
    if (json_array_size(gpus) != x->nodes)
        MUST(import_fail(x->im, 1, "%zu gpus, the network has %" PRIu32 " nodes", json_array_size(gpus), x->nodes));
    arena_new(&x->memory, x->devices, x->nodes);
    MUST(arena_status(&x->memory));
    for (uint32_t v = 0; v < x->nodes; v++) {
        x->devices[v].json = json_array_get(gpus, v);
        MUST(read_device(x, v, &chunks));
    }
    MUST(check_sizes(x, x->devices[0].output));
    MUST(base_fits_memory((double)chunks * sizeof *x->chunks, "this plan", x->im->err));
    arena_new(&x->memory, x->chunks, chunks);
    arena_new(&x->memory, x->workers, x->worker_count);
    arena_new(&x->memory, x->signals, (size_t)x->nodes * x->nodes);
    MUST(arena_status(&x->memory));
    for (uint32_t v = 0; v < x->nodes; v++)
        for (size_t i = 0; i < x->devices[v].workers; i++)
            read_worker(x, &x->devices[v], i);
    return import_collective(x->im, x->reduction ? RWA_ALL_REDUCE : RWA_ALL_GATHER, x->devices[0].output, 0);
}

/* ---- memory ---- */

/** Chunk `index` of a buffer of a node; in place, input and output are the same. */
static size_t chunk_at(const struct executor *x, uint32_t node, char buffer, uint32_t index)
{
    const struct device *d = &x->devices[node];
    if (buffer == 's')
        return d->first + d->output + index;
    if (buffer == 'i' && !x->inplace)
        return d->first + d->output + d->scratch + index;
    return d->first + index + (buffer == 'i' && !x->reduction ? node * d->input : 0);
}

static void fill_memory(struct executor *x)
{
    for (uint32_t v = 0; v < x->nodes; v++) {
        const struct device *d = &x->devices[v];
        for (size_t k = 0; k < (size_t)d->output + d->scratch + d->input; k++)
            x->chunks[d->first + k] = (struct chunk){.block = NO_BLOCK, .from = NO_BLOCK};
        for (uint32_t k = 0; k < d->input; k++)
            x->chunks[chunk_at(x, v, 'i', k)].block = x->reduction ? k : v * d->input + k;
    }
}

/** A buffer of an operation: whose, which, from where, how much. */
struct range {
    uint32_t node, index, size;
    char buffer;
};

static rwa_status find_range(const struct executor *x, const json_t *op, const char *member, size_t i, bool remote, struct range *r)
{
    const struct device *d = &x->devices[x->node];
    const json_t *json = json_array_get(json_object_get(op, member), i), *owner = json;
    uint32_t id = 0;
    MUST(number(x, json, "index", &r->index));
    MUST(number(x, json, "size", &r->size));
    r->node = x->node;
    if (remote) {
        MUST(number(x, json, "buffer_id", &id));
        const json_t *memory = json_array_get(x->workers[x->worker].buffers, id);
        owner = json_array_get(json_object_get(d->json, "remote_buffers"), (size_t)json_integer_value(memory));
        if (!json_is_integer(memory) || json_integer_value(memory) < 0 || !owner)
            return bad_operation(x, "a buffer_id of its thread block");
        MUST(number(x, owner, "rank", &r->node));
    }
    const char *type = json_string_value(json_object_get(owner, "type"));
    if (!type || !strchr("ios", *type) || !*type || type[1] || r->node >= x->nodes)
        return bad_operation(x, "a buffer of type i, o or s of a node");
    r->buffer = *type;
    d = &x->devices[r->node];
    if (r->size == 0 || (uint64_t)r->index + r->size > (r->buffer == 'i' ? d->input : r->buffer == 'o' ? d->output : d->scratch))
        return bad_operation(x, "chunks within the buffer");
    return RWA_OK;
}

/* ---- operations ---- */

static rwa_status add_transfer(struct executor *x, uint32_t step, uint32_t src, uint32_t dst, uint32_t block, rwa_op op)
{
    rwa_transfer t = {.step = step, .src = src, .dst = dst, .block = block, .op = op};
    return import_add(x->im, &t);
}

/** A chunk that no put waits in gets a value. */
static rwa_status write_chunk(struct executor *x, struct chunk *to, uint32_t block, uint32_t step)
{
    MUST(base_grow((void **)&x->writes, &x->write_capacity, x->write_count + 1, sizeof *x->writes, x->im->err));
    x->writes[x->write_count] = (struct write){step, to->last_write};
    *to = (struct chunk){.block = block, .written = step, .read = to->read, .version = to->version + 1,
                         .last_write = (uint32_t)x->write_count++, .from = NO_BLOCK};
    return RWA_OK;
}

/** The step of the write that ended a version of a chunk; UINT32_MAX: it is still there. */
static uint32_t ended(const struct executor *x, const struct chunk *c, uint32_t version)
{
    uint32_t at = c->last_write;
    if (c->version == version)
        return UINT32_MAX;
    for (uint32_t v = c->version; v > version + 1; v--)
        at = x->writes[at].before;
    return x->writes[at].step;
}

/** Straight into an output: what is there is replaced. */
static rwa_status put_chunk(struct executor *x, size_t source, size_t target, uint32_t dst, uint32_t place, bool scratch)
{
    struct chunk *from = &x->chunks[source], *to = &x->chunks[target];
    uint32_t step = from->written + 1;
    if (from->block == NO_BLOCK)
        return bad_operation(x, "a chunk that holds something to be put");
    if (scratch) {
        if (to->from != NO_BLOCK)
            return bad_operation(x, "scratch whose value was used before it is written again");
        *to = (struct chunk){.block = from->block, .written = from->written, .version = to->version + 1, .from = x->node,
                             .source = source, .source_version = from->version};
        return RWA_OK;
    }
    if (from->block != place)
        return bad_operation(x, "the place of the same chunk: chunks that change places are not read");
    if (x->reduction && to->read > step)
        step = to->read;
    if (x->reduction && to->written + 1 > step)
        step = to->written + 1;
    from->read = step > from->read ? step : from->read;
    MUST(add_transfer(x, step, x->node, dst, from->block, RWA_COPY));
    return write_chunk(x, to, from->block, step);
}

static rwa_status put(struct executor *x, const json_t *op)
{
    struct range from, to;
    MUST(find_range(x, op, "src_buff", 0, false, &from));
    MUST(find_range(x, op, "dst_buff", 0, true, &to));
    if (from.size != to.size || to.node == x->node || from.buffer == 's')
        MUST(bad_operation(x, "a put of as many chunks of i or o to another node"));
    for (uint32_t k = 0; k < from.size; k++)
        MUST(put_chunk(x, chunk_at(x, x->node, from.buffer, from.index + k), chunk_at(x, to.node, to.buffer, to.index + k), to.node,
                       to.index + k + (to.buffer == 'i' && !x->reduction ? to.node * x->devices[to.node].input : 0), to.buffer == 's'));
    return RWA_OK;
}

/** Move a chunk from scratch to its place: add it, or overwrite the place. */
static rwa_status use_scratch(struct executor *x, struct chunk *scratch, struct chunk *to, uint32_t place, rwa_op op)
{
    struct chunk *source = &x->chunks[scratch->source];
    uint32_t step = scratch->written + 1, after = op == RWA_COPY ? to->written + 1 : to->written;
    if (scratch->from == NO_BLOCK || scratch->block != place)
        return bad_operation(x, "scratch that holds the same chunk of another node");
    step = to->read > step ? to->read : step;
    step = after > step ? after : step;
    if (ended(x, source, scratch->source_version) < step)
        return bad_operation(x, "a value that its sender keeps until it is used: this order of values has no steps");
    source->read = step > source->read ? step : source->read;
    MUST(add_transfer(x, step, scratch->from, x->node, place, op));
    scratch->from = NO_BLOCK;
    return write_chunk(x, to, place, step);
}

/** copy: within a node, from input to output, or out of scratch; re: input and scratch added. */
static rwa_status move(struct executor *x, const json_t *op, bool adds)
{
    struct range from, to, sum;
    MUST(find_range(x, op, "src_buff", adds, false, &from));
    MUST(find_range(x, op, "dst_buff", 0, false, &to));
    if (adds)
        MUST(find_range(x, op, "src_buff", 0, false, &sum));
    if (from.size != to.size || to.buffer == 's' || (adds && (from.buffer != 's' || sum.index != to.index || sum.buffer != to.buffer ||
                                                              json_array_size(json_object_get(op, "src_buff")) != 2)))
        MUST(bad_operation(x, "chunks that come from i, o or scratch to the same place"));
    for (uint32_t k = 0; k < from.size; k++) {
        size_t target = chunk_at(x, x->node, to.buffer, to.index + k);
        struct chunk *source = &x->chunks[chunk_at(x, x->node, from.buffer, from.index + k)];
        uint32_t place = to.index + k + (to.buffer == 'i' && !x->reduction ? x->node * x->devices[x->node].input : 0);
        if (from.buffer == 's')
            MUST(use_scratch(x, source, &x->chunks[target], place, adds ? RWA_REDUCE : RWA_COPY));
        else if (source->block != place)
            MUST(bad_operation(x, "the place of the same chunk: chunks that change places are not read"));
        else
            x->chunks[target] = *source;
    }
    return RWA_OK;
}

/** *done false: a signal has not come yet. */
static rwa_status exchange(struct executor *x, const json_t *op, bool waits, bool *done)
{
    const struct device *d = &x->devices[x->node];
    const json_t *ids = json_object_get(op, "channel_ids");
    const json_t *peers = json_object_get(json_array_get(json_object_get(d->json, "channels"), 0), "connected_to");
    for (int turn = !waits; turn < 2; turn++) /* first look, then take */
        for (size_t i = 0; i < json_array_size(ids); i++) {
            const json_t *id = json_array_get(x->workers[x->worker].channels, (size_t)json_integer_value(json_array_get(ids, i)));
            const json_t *peer = json_array_get(peers, (size_t)json_integer_value(id));
            json_int_t node = json_integer_value(peer);
            if (!json_is_integer(id) || !json_is_integer(peer) || node < 0 || node >= (json_int_t)x->nodes)
                return bad_operation(x, "channel_ids of its thread block");
            size_t from = waits ? (size_t)node : x->node, to = waits ? x->node : (size_t)node;
            uint32_t *signals = &x->signals[from * x->nodes + to];
            if (turn == 0 && *signals == 0) {
                *done = false;
                return RWA_OK;
            }
            if (turn == 1)
                *signals += waits ? UINT32_MAX : 1; /* one less, or one more */
        }
    return RWA_OK;
}

/** Once all thread blocks of the node stand there, they go on. */
static void meet(struct executor *x)
{
    struct device *d = &x->devices[x->node];
    struct worker *w = &x->workers[x->worker];
    d->standing += !w->stands;
    w->stands = true;
    if (d->standing < d->workers)
        return;
    d->standing = 0;
    for (size_t i = 0; i < d->workers; i++) {
        x->workers[d->first_worker + i].stands = false;
        x->workers[d->first_worker + i].at++;
    }
}

/** The operation at hand of the thread block at hand; *moved: it was carried out. */
static rwa_status run(struct executor *x, bool *moved)
{
    struct worker *w = &x->workers[x->worker];
    const json_t *op = json_array_get(w->ops, w->at);
    const char *name = json_string_value(json_object_get(op, "name"));
    bool done = true;
    size_t before = w->at;
    *moved = false;
    if (!op)
        return RWA_OK;
    if (!name)
        return bad_operation(x, "an operation with a \"name\"");
    if (strcmp(name, "barrier") == 0) {
        meet(x);
        *moved = w->at != before;
        return RWA_OK;
    }
    if (strcmp(name, "put") == 0 || strcmp(name, "pws") == 0 || strcmp(name, "pwsf") == 0)
        MUST(put(x, op));
    if (strstr(name, "signal") || strcmp(name, "pws") == 0 || strcmp(name, "pwsf") == 0)
        MUST(exchange(x, op, false, &done));
    else if (strcmp(name, "wait") == 0 || strcmp(name, "rlxwait") == 0)
        MUST(exchange(x, op, true, &done));
    else if (strcmp(name, "copy") == 0 || strcmp(name, "re") == 0)
        MUST(move(x, op, name[0] == 'r'));
    else if (strcmp(name, "put") != 0 && strcmp(name, "nop") != 0 && strcmp(name, "flush") != 0)
        MUST(bad_operation(x, "put, pws, pwsf, signal, wait, copy, re, barrier, flush or nop"));
    w->at += done;
    *moved = done;
    return RWA_OK;
}

/** In turns of one operation, so that none gets far ahead. */
static rwa_status run_all(struct executor *x)
{
    bool moved = false;
    for (bool any = true; any;) {
        any = false;
        for (x->node = 0; x->node < x->nodes; x->node++)
            for (x->worker = x->devices[x->node].first_worker; x->worker < x->devices[x->node].first_worker + x->devices[x->node].workers;
                 x->worker++) {
                MUST(run(x, &moved));
                any = any || moved;
            }
    }
    for (x->node = 0; x->node < x->nodes; x->node++)
        for (size_t i = 0; i < x->devices[x->node].workers; i++) {
            x->worker = x->devices[x->node].first_worker + i;
            if (x->workers[x->worker].at < json_array_size(x->workers[x->worker].ops))
                return import_fail(x->im, line_at(x, true), "node %" PRIu32 " waits here for ever", x->node);
        }
    return x->im->count == 0 ? import_fail(x->im, 1, "nothing is put") : RWA_OK;
}

static rwa_status read_mscclpp(struct import *im)
{
    struct executor x = {.im = im, .memory = {.err = im->err}};
    json_t *root = NULL;
    rwa_status st = RWA_OK;
    char *big = strstr(im->text, largest);
    if (big) /* as long, and without a meaning here */
        memset(memset(big, ' ', sizeof largest - 1), '0', 1);
    TRY(json_open(&root, im->text, im->length, im->path, im->err));
    TRY(read_plan(&x, root));
    fill_memory(&x);
    TRY(run_all(&x));
done:
    json_decref(root);
    arena_free(&x.memory);
    free(x.writes);
    return st;
}

const struct import_format import_mscclpp = {
    "mscclpp", "an MSCCL++ execution plan (JSON) of an all-gather or all-reduce", "{", "\"threadblocks\"", read_mscclpp};
