/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * MSCCL++ execution plans (JSON).  The reader executes the plan with the numbers of blocks in place of values.  Thread
 * blocks take turns.  A put is a transfer; into scratch memory it becomes one when the receiver adds it (re) or copies
 * it.  A transfer takes the first step in which the sender holds the value and, in reductions, every value that the
 * receiver reads stays the same.
 */
#include "foreign/import.h"

/* The most chunks of a buffer. */
#define CHUNKS_MAX (1u << 20)

/** A value of a block in a chunk. */
struct value {
    uint32_t block;
    uint32_t written;       /* step after which the chunk holds it; 0: from the start */
    uint32_t replaced;      /* step in which another value replaces it; UINT32_MAX: none has yet */
    uint32_t read;          /* last step that reads the chunk */
};

/** A chunk of a buffer. */
struct chunk {
    uint32_t value;         /* index of its value, in scratch of the value that was put there; RWA_NONE: none */
    uint32_t from;          /* scratch: the node that put the value; RWA_NONE: the value has been used */
};

/** Input, output and scratch of a device; if the program works in place, the input is a part of the output. */
enum { INPUT, OUTPUT, SCRATCH, BUFFERS };
static const char buffer_types[] = "ios";

struct buffer {
    size_t first;           /* in chunks */
    uint32_t size, place;   /* chunks; the block of the first one, where it is no scratch */
};

struct device {
    const json_t *json, *peers;
    struct buffer buffer[BUFFERS];
    size_t first_worker, workers, standing;
};

/** A thread block. */
struct thread_reader {
    struct device *device;
    const json_t *ops, *channels,
        *buffers; /* its operations; channels of its node; memories of its node that it writes to */
    uint32_t node;
    size_t at;
    bool stands;            /* waits at a barrier */
};

struct executor {
    struct import *im;
    bool reduction, inplace;
    struct device *devices;
    struct chunk *chunks;
    struct thread_reader *workers;
    size_t worker_count;
    uint32_t *signals;      /* [from][to]: signals that no wait has taken yet */
    struct value *values;
    size_t value_count;
    struct thread_reader *worker;  /* in work */
    const json_t *op;       /* its current operation, or another value that a message is about */
};

/* ---- reading ---- */

static rwa_status bad_operation(const struct executor *x, const char *expected)
{
    return import_fail_at(x->im, x->op, "node %u: expected %s", x->worker->node, expected);
}

/** A member of a JSON object that must be a number, and where to store it: find_numbers(x, object, {"id", &id},
 *  …). */
struct member {
    const char *name;
    uint32_t *to;
};
#define find_numbers(x, object, ...) find_number_list((x), (object), (const struct member[]){__VA_ARGS__, {NULL, NULL}})

static rwa_status find_number_list(const struct executor *x, const json_t *object, const struct member *list)
{
    for (; list->name; list++)
        if (!json_u32(json_object_get(object, list->name), list->to) || *list->to >= INT32_MAX)
            return import_fail_at(x->im, x->op, "\"%s\": expected a number that is not negative", list->name);
    return RWA_OK;
}

/** Return member `name` of the first element of the array `list` in an object; NULL if there is none. */
static const json_t *of_first(const json_t *object, const char *list, const char *name)
{
    return json_object_get(json_array_get(json_object_get(object, list), 0), name);
}

/** Read the sizes of the buffers of device v, place their chunks after the *chunks of the devices before it, and find
 *  its thread blocks.  *chunks becomes the new total. */
static rwa_status read_device(struct executor *x, uint32_t v, size_t *chunks)
{
    struct device *d = &x->devices[v];
    struct buffer *in = &d->buffer[INPUT], *out = &d->buffer[OUTPUT], *scratch = &d->buffer[SCRATCH];
    const json_t *json;
    uint32_t id = 0;
    x->op = d->json = json_array_get(json_object_get(x->im->json, "gpus"), v);
    MUST(find_numbers(x, d->json, {"id", &id}, {"input_chunks", &in->size}, {"output_chunks", &out->size},
                      {"scratch_chunks", &scratch->size}));
    if (in->size > CHUNKS_MAX || out->size > CHUNKS_MAX || scratch->size > CHUNKS_MAX)
        return import_fail_at(x->im, d->json, "gpus[%u]: expected at most %u chunks in a buffer", v,
                              CHUNKS_MAX);
    if (id != v || !json_is_array(json_object_get(d->json, "threadblocks")))
        return import_fail_at(x->im, d->json, "gpus[%u]: expected \"id\": %u and \"threadblocks\"", v,
                              v);
    uint32_t blocks = x->devices[0].buffer[OUTPUT].size, input = x->reduction ? blocks : blocks / x->im->nodes;
    if (in->size != input || out->size != blocks || input == 0 || (!x->reduction && blocks % x->im->nodes != 0))
        return import_fail_at(x->im, d->json,
                              "gpus[%u]: %u chunks of input and %u"
                              " of output, expected as many "
                              "as all nodes have, and those of an %s",
                              v, in->size, out->size, x->reduction ? "all-reduce" : "all-gather");
    d->peers = of_first(d->json, "channels", "connected_to");
    out->first = *chunks;
    scratch->first = out->first + blocks;
    in->place = x->reduction ? 0 : v * input;
    in->first = x->inplace ? out->first + in->place : scratch->first + scratch->size;
    *chunks += (size_t)blocks + scratch->size + input;
    d->first_worker = x->worker_count;
    json_array_foreach(json_object_get(d->json, "threadblocks"), d->workers, json)
        MUST(base_append(x->workers, x->worker_count, x->im->err,
                         (struct thread_reader){.device = d, .ops = json_object_get(json, "ops"), .node = v,
                                                .channels = of_first(json, "channels", "channel_ids"),
                                                .buffers = of_first(json, "remote_buffer_refs", "remote_buffer_ids")}));
    return RWA_OK;
}

/** Append a value to x->values, and let chunk `to` hold it. */
static rwa_status store(struct executor *x, struct chunk *to, struct value value)
{
    *to = (struct chunk){(uint32_t)x->value_count, RWA_NONE};
    return base_append(x->values, x->value_count, x->im->err, value);
}

static rwa_status read_plan(struct executor *x)
{
    const json_t *gpus = json_object_get(x->im->json, "gpus");
    const char *name = json_text(x->im->json, "collective");
    size_t chunks = 0;
    x->reduction = name && strcmp(name, "allreduce") == 0;
    x->inplace = json_is_true(json_object_get(x->im->json, "inplace"));
    if (!x->reduction && (!name || strcmp(name, "allgather") != 0))
        return import_fail(x->im, 1, "\"collective\": expected allgather or allreduce");
    if (json_array_size(gpus) != x->im->nodes)
        return import_fail(x->im, 1, "%zu gpus, the network has %u nodes", json_array_size(gpus), x->im->nodes);
    MUST(arena_arrays(&x->im->memory, x->im->nodes, x->devices));
    for (uint32_t v = 0; v < x->im->nodes; v++)
        MUST(read_device(x, v, &chunks));
    MUST(base_fits_memory((double)chunks * sizeof *x->chunks, "this plan", x->im->err));
    arena_new(&x->im->memory, x->chunks, chunks);
    MUST(arena_arrays(&x->im->memory, (size_t)x->im->nodes * x->im->nodes, x->signals));
    memset(x->chunks, UINT8_MAX, chunks * sizeof *x->chunks); /* RWA_NONE */
    for (uint32_t v = 0; v < x->im->nodes; v++) {
        const struct buffer *in = &x->devices[v].buffer[INPUT];
        for (uint32_t k = 0; k < in->size; k++)
            MUST(store(x, &x->chunks[in->first + k], (struct value){.block = in->place + k, .replaced = UINT32_MAX}));
    }
    return import_collective(x->im, x->reduction ? RWA_ALL_REDUCE : RWA_ALL_GATHER,
                             x->devices[0].buffer[OUTPUT].size, 0);
}

/** Consecutive chunks of a buffer that an operation names. */
struct chunk_range {
    uint32_t node, size;
    bool scratch;
    struct chunk *first;
    uint32_t place;         /* block of the first chunk, where it is input or output */
};

static rwa_status find_range(const struct executor *x, const char *member, size_t i, struct chunk_range *r)
{
    const json_t *json = json_array_get(json_object_get(x->op, member), i), *owner = json;
    uint32_t id = 0, index = 0;
    r->node = x->worker->node;
    MUST(find_numbers(x, json, {"index", &index}, {"size", &r->size}));
    if (json_object_get(json, "buffer_id")) {
        MUST(find_numbers(x, json, {"buffer_id", &id}));
        bool known = json_u32(json_array_get(x->worker->buffers, id), &id);
        owner = json_array_get(json_object_get(x->worker->device->json, "remote_buffers"), id);
        if (!known || !owner)
            return bad_operation(x, "a buffer_id of its thread block");
        MUST(find_numbers(x, owner, {"rank", &r->node}));
    }
    const char *type = json_text(owner, "type");
    const char *at = type && *type && !type[1] ? strchr(buffer_types, *type) : NULL;
    if (!at || r->node >= x->im->nodes)
        return bad_operation(x, "a buffer of type i, o or s of a node");
    const struct buffer *buffer = &x->devices[r->node].buffer[at - buffer_types];
    r->scratch = *at == 's';
    r->place = buffer->place + index;
    r->first = x->chunks + buffer->first + index;
    if (r->size == 0 || (uint64_t)index + r->size > buffer->size)
        return bad_operation(x, "chunks within the buffer");
    return RWA_OK;
}

/* ---- operations ---- */

/** Add a transfer of value `number` of x->values from node src to node dst.  There it is added to the value of chunk
 *  `to` (op RWA_REDUCE) or replaces it (RWA_COPY).  The transfer takes the first step that the values allow. */
static rwa_status deliver(struct executor *x, uint32_t number, uint32_t src, struct chunk *to, uint32_t dst, rwa_op op)
{
    struct value none = {0}, *value = &x->values[number], *old = to->value == RWA_NONE ? &none : &x->values[to->value];
    rwa_transfer t = {.step = value->written + 1, .src = src, .dst = dst, .block = value->block, .op = op};
    if (x->reduction) {
        RAISE(t.step, old->read);
        RAISE(t.step, old->written + (op == RWA_COPY));
    }
    if (value->replaced < t.step)
        return bad_operation(x, "a value that its sender keeps until it is used: this order of values has no steps");
    RAISE(value->read, t.step);
    old->replaced = t.step;
    MUST(import_add(x->im, &t));
    return store(x, to, (struct value){value->block, t.step, UINT32_MAX, old->read});
}

static rwa_status put_chunk(struct executor *x, const struct chunk *from, struct chunk *to,
                            const struct chunk_range *target, uint32_t place)
{
    if (from->value == RWA_NONE)
        return bad_operation(x, "a chunk that holds something to be put");
    if (target->scratch && to->from != RWA_NONE)
        return bad_operation(x, "scratch whose value was used before it is written again");
    if (!target->scratch && x->values[from->value].block != place)
        return bad_operation(x, "the place of the same chunk: chunks that change places are not read");
    if (!target->scratch)
        return deliver(x, from->value, x->worker->node, to, target->node, RWA_COPY);
    *to = (struct chunk){from->value, x->worker->node};
    return RWA_OK;
}

static rwa_status put(struct executor *x)
{
    struct chunk_range from, to;
    MUST(find_range(x, "src_buff", 0, &from));
    MUST(find_range(x, "dst_buff", 0, &to));
    if (from.size != to.size || to.node == from.node || from.node != x->worker->node || from.scratch)
        return bad_operation(x, "a put of as many chunks of i or o to another node");
    for (uint32_t k = 0; k < from.size; k++)
        MUST(put_chunk(x, from.first + k, to.first + k, &to, to.place + k));
    return RWA_OK;
}

/** Execute a `copy`: copy chunks of the node's input, output or scratch memory to its input or output.  With `adds`,
 *  execute a `re`: add chunks of scratch memory to chunks of input or output. */
static rwa_status move(struct executor *x, bool adds)
{
    struct chunk_range from, to, sum;
    MUST(find_range(x, "src_buff", adds, &from));
    MUST(find_range(x, "dst_buff", 0, &to));
    MUST(find_range(x, "src_buff", 0, &sum));
    if (from.size != to.size || to.scratch || from.node != to.node || to.node != x->worker->node ||
        (adds && (!from.scratch || sum.first != to.first ||
                  json_array_size(json_object_get(x->op, "src_buff")) != 2)))
        return bad_operation(x, "chunks that come from i, o or scratch to the same place");
    for (uint32_t k = 0; k < from.size; k++) {
        struct chunk *source = from.first + k, *target = to.first + k;
        bool same = source->value != RWA_NONE && x->values[source->value].block == to.place + k;
        if (from.scratch && (source->from == RWA_NONE || !same))
            return bad_operation(x, "scratch that holds the same chunk of another node");
        if (!same)
            return bad_operation(x, "the place of the same chunk: chunks that change places are not read");
        MUST(from.scratch ? deliver(x, source->value, source->from, target, to.node, adds ? RWA_REDUCE : RWA_COPY)
                          : store(x, target, x->values[source->value]));
        source->from = RWA_NONE;
    }
    return RWA_OK;
}

/** Execute a signal: send one signal on each channel of the operation.  With `waits`, execute a wait: take one signal
 *  from each channel.  If one is missing, take none and set *done, which must be true before, to false. */
static rwa_status exchange(struct executor *x, bool waits, bool *done)
{
    const json_t *ids = json_object_get(x->op, "channel_ids"), *peers = x->worker->device->peers;
    size_t count = json_array_size(ids);
    for (size_t i = 0; i < (waits ? 2 : 1) * count && *done; i++) { /* a wait first checks for all signals, then takes
                                                                       them */
        const json_t *id =
            json_array_get(x->worker->channels, (size_t)json_integer_value(json_array_get(ids, i % count)));
        uint32_t there = 0;
        if (!json_is_integer(id) || !json_u32(json_array_get(peers, (size_t)json_integer_value(id)), &there) ||
            there >= x->im->nodes)
            return bad_operation(x, "channel_ids of its thread block");
        size_t here = x->worker->node;
        uint32_t *signals = &x->signals[waits ? (size_t)there * x->im->nodes + here : here * x->im->nodes + there];
        if (!waits)
            ++*signals;
        else if (i < count)
            *done = *signals > 0;
        else
            --*signals;
    }
    return RWA_OK;
}

/** Let the current thread block wait at a barrier.  Once all thread blocks of its node wait there, all go on. */
static void meet(struct executor *x)
{
    struct device *d = x->worker->device;
    d->standing += !x->worker->stands;
    x->worker->stands = true;
    if (d->standing < d->workers)
        return;
    d->standing = 0;
    for (struct thread_reader *w = x->workers + d->first_worker; w < x->workers + d->first_worker + d->workers; w++) {
        w->stands = false;
        w->at++;
    }
}

enum action { NOTHING = 0, PUT = 1, SIGNAL = 2, WAIT = 4, COPY = 8, ADD = 16, MEET = 32 };
static const struct {
    const char *name;
    unsigned actions;
} operations[] = {{"put", PUT},          {"pws", PUT | SIGNAL}, {"pwsf", PUT | SIGNAL}, {"signal", SIGNAL},
                  {"rlxsignal", SIGNAL}, {"wait", WAIT},        {"rlxwait", WAIT},      {"copy", COPY},
                  {"re", ADD},           {"barrier", MEET},     {"flush", NOTHING},     {"nop", NOTHING}};

/** Execute the current operation of thread block w, unless it has to wait.  Set *moved to true if w has gone on to its
 *  next operation. */
static rwa_status run(struct executor *x, struct thread_reader *w, bool *moved)
{
    size_t before = w->at, i = 0;
    bool done = true;
    x->worker = w;
    x->op = json_array_get(w->ops, w->at);
    const char *name = json_text(x->op, "name");
    if (!x->op)
        return RWA_OK;
    if (!name)
        return bad_operation(x, "an operation with a \"name\"");
    while (i < sizeof operations / sizeof *operations && strcmp(operations[i].name, name) != 0)
        i++;
    if (i == sizeof operations / sizeof *operations)
        return bad_operation(x, "put, pws, pwsf, signal, wait, copy, re, barrier, flush or nop");
    if (operations[i].actions & PUT)
        MUST(put(x));
    if (operations[i].actions & (COPY | ADD))
        MUST(move(x, operations[i].actions == ADD));
    if (operations[i].actions & (SIGNAL | WAIT))
        MUST(exchange(x, operations[i].actions == WAIT, &done));
    if (operations[i].actions == MEET)
        meet(x);
    else
        w->at += done;
    *moved = *moved || w->at != before;
    return RWA_OK;
}

/** Run all thread blocks in turns of one operation each, so that none gets far ahead. */
static rwa_status run_all(struct executor *x)
{
    bool moved = true;
    while (moved) {
        moved = false;
        for (struct thread_reader *w = x->workers; w < x->workers + x->worker_count; w++)
            MUST(run(x, w, &moved));
    }
    for (const struct thread_reader *w = x->workers; w < x->workers + x->worker_count; w++)
        if (w->at < json_array_size(w->ops))
            return import_fail_at(x->im, json_array_get(w->ops, w->at), "node %u waits here for ever",
                                  w->node);
    return x->im->count > 0 ? RWA_OK : import_fail(x->im, 1, "nothing is put");
}

static rwa_status read_mscclpp(struct import *im)
{
    struct executor x = {.im = im};
    rwa_status st = read_plan(&x);
    if (st == RWA_OK)
        st = run_all(&x);
    free_all(x.workers, x.values);
    return st;
}

const struct import_format import_mscclpp = {"mscclpp", "{", "\"threadblocks\"", read_mscclpp};
