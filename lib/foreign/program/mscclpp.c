/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * MSCCL++ execution plans (JSON).  A node writes into the memory of its peers (put), signals that it has done so
 * (signal), and waits for their signals (wait).  All thread blocks of a node go from step to step together: they put,
 * signal, wait, and meet at a barrier.  Reductions: data that is added to a value, or replaces one, arrives in scratch
 * memory, each message in chunks of its own, and is used after the node has sent all messages of the step.
 */
#include "base/bins.h"
#include "foreign/program/messages.h"

/* Limits of the runtime: channels and operations of a thread block, channels of an operation, thread blocks of a
 * node. */
enum { CHANNELS_MOST = 16, OPERATIONS_MOST = 64, CHANNELS_OPERATION = 8, BLOCKS_MOST = 108 };

/** A thread block in the making. */
struct thread_writer {
    struct text operations;
    uint32_t count;
};

struct mscclpp_channel {
    uint32_t peer;
    bool writes;                /* the node puts into the memory of the peer */
    bool signals, waits;        /* in the step in work */
};

struct plan {
    const struct messages *p;
    struct bins of_node;        /* messages that it sends or receives, in order */
    uint32_t *scratch;          /* reductions, of each message: its first chunk of the receiver's scratch */
    uint32_t *scratch_chunks;   /* of each node */
    /* of the node in work: */
    uint32_t node;
    uint32_t *channel_of;       /* by peer: 1 + its channel; 0: none */
    struct mscclpp_channel *channels;   /* channel c is number c / worker_count of thread block c % worker_count */
    uint32_t channel_count;
    struct thread_writer workers[BLOCKS_MOST];
    uint32_t worker_count;
    rwa_error *err;
};

static bool sends(const struct plan *g, const struct message *m)
{
    return m->src == g->node;
}

/** Return the channel, an index of g->channels, between node g->node and the other end of a message. */
static uint32_t channel_of(const struct plan *g, const struct message *m)
{
    uint32_t number = g->channel_of[sends(g, m) ? m->dst : m->src];
    assert(number > 0 && number <= g->channel_count);
    return number - 1;
}

/* ---- operations ---- */

static struct text *begin(struct thread_writer *w, const char *name)
{
    text_add(&w->operations, "%s\n        {\"name\":\"%s\"", w->count ? "," : "", name);
    w->count++;
    return &w->operations;
}

static void add_buffer(struct text *t, const char *before, const char *type, uint32_t index, uint32_t size)
{
    text_add(t, "%s{\"type\":\"%s\",\"index\":%u,\"size\":%u}", before, type, index, size);
}

/** Write to thread block `worker` of g->workers its signals or, if `waits`, its waits: on all of its channels (`all`),
 *  or on those that need one in the current step.  One operation names at most CHANNELS_OPERATION channels. */
static void add_channels(struct plan *g, uint32_t worker, bool waits, bool all)
{
    struct thread_writer *w = &g->workers[worker];
    uint32_t named = 0;
    for (uint32_t c = worker; c < g->channel_count; c += g->worker_count) {
        if (!all && !(waits ? g->channels[c].waits : g->channels[c].signals))
            continue;
        if (named % CHANNELS_OPERATION == 0) {
            text_add(&w->operations, "%s", named ? "],\"channel_type\":\"memory\"}" : "");
            begin(w, waits ? "wait" : "signal");
        }
        text_add(&w->operations, "%s%u", named % CHANNELS_OPERATION ? "," : ",\"channel_ids\":[",
                 c / g->worker_count);
        named++;
    }
    text_add(&w->operations, "%s", named ? "],\"channel_type\":\"memory\"}" : "");
}

static void meet(struct plan *g)
{
    for (uint32_t k = 0; k < g->worker_count; k++) {
        struct text *t = begin(&g->workers[k], g->worker_count > 1 ? "barrier" : "nop");
        if (g->worker_count > 1)
            text_add(t, ",\"barrier_id\":0,\"num_threadblocks\":%u", g->worker_count);
        text_add(t, "}");
    }
}

/* ---- the steps of a node ---- */

static void add_put(struct plan *g, uint32_t number)
{
    const struct message *m = &g->p->list[number];
    uint32_t channel = channel_of(g, m), buffer = 0;
    struct text *t = begin(&g->workers[channel % g->worker_count], "put");
    for (uint32_t c = channel % g->worker_count; c < channel; c += g->worker_count)
        buffer += g->channels[c].writes; /* memories that the thread block writes to, before that of the peer */
    add_buffer(t, ",\"src_buff\":[", g->p->reduction ? "i" : "o", m->first, m->count);
    text_add(t,
             "],\"dst_buff\":[{\"buffer_id\":%u,\"index\":%u,\"size\":%u"
             "}],\"channel_ids\":[%u],\"channel_type\":\"memory\"}",
             buffer, g->p->reduction ? g->scratch[number] : m->first, m->count, channel / g->worker_count);
}

static void add_to_sum(struct plan *g, uint32_t number)
{
    const struct message *m = &g->p->list[number];
    struct text *t =
        begin(&g->workers[m->first % g->worker_count], m->reduces ? "re" : "copy"); /* same blocks: same thread block */
    if (m->reduces)
        add_buffer(t, ",\"src_buff\":[", "i", m->first, m->count);
    add_buffer(t, m->reduces ? "," : ",\"src_buff\":[", "s", g->scratch[number], m->count);
    add_buffer(t, "],\"dst_buff\":[", "i", m->first, m->count);
    text_add(t, "]%s}", m->reduces ? ",\"reduce_op\":\"sum\"" : "");
}

/** Let the thread blocks of node g->node signal each peer to which they have sent in this step, and wait for each peer
 *  that sends to the node. */
static void exchange(struct plan *g)
{
    for (uint32_t k = 0; k < g->worker_count; k++) {
        bool puts = false;
        for (uint32_t c = k; c < g->channel_count; c += g->worker_count)
            puts = puts || g->channels[c].signals;
        if (puts)
            text_add(begin(&g->workers[k], "nop"), "}");
        add_channels(g, k, false, false);
        add_channels(g, k, true, false);
    }
    meet(g);
}

static void add_step(struct plan *g, const uint32_t *list, size_t count)
{
    bool sums = false;
    for (uint32_t c = 0; c < g->channel_count; c++)
        g->channels[c].signals = g->channels[c].waits = false;
    for (size_t i = 0; i < count; i++) {
        const struct message *m = &g->p->list[list[i]];
        *(sends(g, m) ? &g->channels[channel_of(g, m)].signals : &g->channels[channel_of(g, m)].waits) = true;
        sums = sums || (g->p->reduction && !sends(g, m));
        if (sends(g, m))
            add_put(g, list[i]);
    }
    exchange(g);
    for (size_t i = 0; i < count && sums; i++)
        if (!sends(g, &g->p->list[list[i]]))
            add_to_sum(g, list[i]);
    if (sums)
        meet(g);
}

/* ---- a node ---- */

/** Set g->channels to a channel for each peer of node g->node, in the order of the node's messages: list[], `count` of
 *  them. */
static void find_channels(struct plan *g, const uint32_t *list, size_t count)
{
    memset(g->channel_of, 0, g->p->nodes * sizeof *g->channel_of);
    g->channel_count = 0;
    for (size_t i = 0; i < count; i++) {
        const struct message *m = &g->p->list[list[i]];
        uint32_t peer = sends(g, m) ? m->dst : m->src, *number = &g->channel_of[peer];
        if (*number == 0) {
            g->channels[g->channel_count] = (struct mscclpp_channel){.peer = peer};
            *number = ++g->channel_count;
        }
        g->channels[*number - 1].writes |= sends(g, m);
    }
}

/** Write the operations of node g->node, whose messages are list[], `count` of them, to the first `workers` of
 *  g->workers, its thread blocks.  Return the number of operations of the longest thread block.  Each thread block
 *  begins with a signal and a wait on each of its channels, so that nodes write only to nodes that have begun. */
static uint32_t try_node(struct plan *g, const uint32_t *list, size_t count, uint32_t workers)
{
    const struct message *all = g->p->list;
    uint32_t most = 0;
    g->worker_count = workers;
    for (uint32_t k = 0; k < workers; k++) {
        g->workers[k].operations.used = 0;
        g->workers[k].count = 0;
        add_channels(g, k, false, true);
        add_channels(g, k, true, true);
    }
    meet(g);
    for (size_t from = 0, to; from < count; from = to) {
        for (to = from; to < count && all[list[to]].step == all[list[from]].step; to++)
            ;
        add_step(g, list + from, to - from);
    }
    for (uint32_t k = 0; k < workers; k++)
        RAISE(most, g->workers[k].count);
    return most;
}

/** Write the operations of node g->node to g->workers, with the fewest thread blocks that can hold them.  RWA_BADARG:
 *  even the most cannot. */
static rwa_status plan_node(struct plan *g)
{
    const uint32_t *list = g->of_node.number + g->of_node.first[g->node];
    size_t count = g->of_node.first[g->node + 1] - g->of_node.first[g->node];
    find_channels(g, list, count);
    uint32_t least = UINT32_MAX, workers = (g->channel_count + CHANNELS_MOST - 1) / CHANNELS_MOST;
    for (workers = workers ? workers : 1; workers <= BLOCKS_MOST && (workers <= g->channel_count || workers == 1);
         workers++) {
        uint32_t most = try_node(g, list, count, workers);
        if (most <= OPERATIONS_MOST)
            return RWA_OK;
        LOWER(least, most);
    }
    return base_refuse(g->err,
                       "mscclpp: node %u with %u peers needs %u operations in a thread block, "
                       "which has at most %d (and %d channels); expected fewer steps or nodes",
                       g->node, g->channel_count, least < UINT32_MAX ? least : OPERATIONS_MOST + 1, OPERATIONS_MOST,
                       CHANNELS_MOST);
}

/* ---- the document ---- */

/** Write the indexes in g->channels of the channels of thread block `worker`; with `writes`, only of those over which
 *  the node writes to the peer. */
static void put_channels(struct text *t, const struct plan *g, uint32_t worker, bool writes)
{
    bool first = true;
    for (uint32_t c = worker; c < g->channel_count; c += g->worker_count)
        if (!writes || g->channels[c].writes) {
            text_add(t, "%s%u", first ? "" : ",", c);
            first = false;
        }
}

static rwa_status put_worker(struct text *t, const struct plan *g, uint32_t k)
{
    const struct text *operations = &g->workers[k].operations;
    MUST(operations->status);
    text_add(t, "%s\n      {\"id\":%u,\"ops\":[", k ? "," : "", k);
    text_add_bytes(t, operations->data, operations->used);
    text_add(t, "],\n       \"channels\":[{\"channel_type\":\"memory\",\"channel_ids\":[");
    put_channels(t, g, k, false);
    text_add(t, "]}],\"remote_buffer_refs\":[{\"access_channel_type\":\"memory\",\"remote_buffer_ids\":[");
    put_channels(t, g, k, true);
    text_add(t, "]}]}");
    return t->status;
}

static rwa_status put_node(struct text *t, struct plan *g)
{
    const struct messages *p = g->p;
    MUST(plan_node(g));
    text_add(t,
             "%s\n    {\"id\":%u,\"input_chunks\":%" PRIu64 ",\"output_chunks\":%" PRIu64
             ",\"scratch_chunks\":%u,\n     \"threadblocks\":[",
             g->node ? "," : "", g->node, p->reduction ? p->blocks : p->blocks / p->nodes, p->blocks,
             g->scratch_chunks[g->node]);
    for (uint32_t k = 0; k < g->worker_count; k++)
        MUST(put_worker(t, g, k));
    text_add(t, "],\n     \"channels\":[{\"channel_type\":\"memory\",\"connected_to\":[");
    for (uint32_t c = 0; c < g->channel_count; c++)
        text_add(t, "%s%u", c ? "," : "", g->channels[c].peer);
    text_add(t, "]}],\n     \"remote_buffers\":[");
    for (uint32_t c = 0; c < g->channel_count; c++)
        text_add(t, "%s{\"rank\":%u,\"type\":\"%s\",\"access_channel_types\":[\"memory\"]}", c ? "," : "",
                 g->channels[c].peer, p->reduction ? "s" : "o");
    text_add(t, "],\"semaphores\":[]}");
    return t->status;
}

static rwa_status put_document(struct text *t, struct plan *g)
{
    text_add(t,
             "{\"name\":\"librwa-%s\",\"collective\":\"%s\",\"protocol\":\"Simple\",\"inplace\":true,\"reuse_"
             "resources\":false,\n  "
             "\"gpus\":[",
             rwa_collective_name(g->p->r->coll->kind), g->p->reduction ? "allreduce" : "allgather");
    for (g->node = 0; g->node < g->p->nodes; g->node++)
        MUST(put_node(t, g));
    text_add(t, "],\n  "
                "\"num_threads_per_block\":1024,\"use_double_scratch_buffer\":false,\"buffer_alignment\":16,\"min_"
                "message_size\":0,"
                "\"max_message_size\":1099511627776}\n");
    return RWA_OK;
}

/* ---- all of it ---- */

/** Set g->of_node to the messages that each node sends or receives.  In a reduction, give each message chunks of its
 *  own in the scratch memory of its receiver, from chunk g->scratch[i] on for message i. */
static rwa_status divide_messages(struct plan *g)
{
    const struct messages *p = g->p;
    rwa_status st = RWA_OK;
    while (bins_pass(&g->of_node, p->nodes, &st, g->err))
        for (uint32_t i = 0; i < p->count; i++) {
            bins_add(&g->of_node, p->list[i].src, i);
            bins_add(&g->of_node, p->list[i].dst, i);
        }
    for (uint32_t i = 0; i < p->count; i++) {
        const struct message *m = &p->list[i];
        g->scratch[i] = g->scratch_chunks[m->dst];
        g->scratch_chunks[m->dst] += p->reduction ? m->count : 0;
    }
    return st;
}

static rwa_status put_mscclpp(struct text *t, struct export_request *r)
{
    struct messages p = {0};
    struct plan g = {.p = &p, .err = r->err};
    rwa_status st = RWA_OK;
    TRY(messages_collect(&p, r, "mscclpp", false, UINT32_MAX));
    if (!p.reduction && p.blocks % p.nodes != 0)
        TRY(base_refuse(r->err, "mscclpp: %" PRIu64 " blocks of %u nodes, expected as many of each node", p.blocks,
                        p.nodes));
    arena_new(&r->memory, g.scratch, p.count);
    TRY(arena_arrays(&r->memory, p.nodes, g.scratch_chunks, g.channel_of, g.channels));
    for (uint32_t k = 0; k < BLOCKS_MOST; k++)
        g.workers[k].operations.err = r->err;
    TRY(divide_messages(&g));
    TRY(put_document(t, &g));
done:
    for (uint32_t k = 0; k < BLOCKS_MOST; k++)
        free(g.workers[k].operations.data);
    bins_free(&g.of_node);
    free(p.list);
    return st;
}

const struct export_format export_mscclpp = {"mscclpp", put_mscclpp, EXPORT_PLAIN};
