/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * MSCCL++ execution plans (JSON).  A node writes into the memory of its peers (put), says so (signal), and waits for theirs.  All
 * thread blocks of a node go from step to step together: they put, signal, wait, and meet at a barrier.  Sums: what is to be added,
 * or to replace a value, arrives in scratch memory, each message in its own chunks, and is added once the node has sent all of the step.
 */
#include "foreign/program/messages.h"

enum { CHANNELS_MOST = 16, OPERATIONS_MOST = 64, CHANNELS_OPERATION = 8, BLOCKS_MOST = 108 };

/** A thread block in the making. */
struct worker {
    struct text operations;
    uint32_t count;
    uint32_t peers[CHANNELS_MOST], peer_count;      /* its channels */
    bool writes[CHANNELS_MOST];                     /* it puts into the memory of this peer */
};

struct plan {
    struct arena memory;        /* of the arrays */
    const struct messages *p;
    uint32_t *first, *list;     /* of node v: messages list[first[v]] … list[first[v + 1] - 1] that it sends or receives, in order */
    uint32_t *scratch;          /* reductions, of each message: its first chunk of the receiver's scratch */
    uint32_t *scratch_chunks;   /* of each node */
    uint32_t *channel;          /* of the node in work, by peer: 1 + its channel; 0: none */
    uint32_t channels;
    struct worker *workers;
    uint32_t worker_count;
    rwa_error *err;
};

/* ---- operations ---- */

static void begin(struct worker *w, const char *name)
{
    text_add(&w->operations, "%s\n        {\"name\":\"%s\"", w->count ? "," : "", name);
    w->count++;
}

static void add_plain(struct worker *w, const char *name)
{
    begin(w, name);
    text_add(&w->operations, "}");
}

static void add_local(struct text *t, const char *before, const char *type, uint32_t index, uint32_t size)
{
    text_add(t, "%s{\"type\":\"%s\",\"index\":%" PRIu32 ",\"size\":%" PRIu32 "}", before, type, index, size);
}

/** signal or wait on channels of the thread block, so many an operation as it can name. */
static void add_channels(struct worker *w, const char *name, const bool *chosen)
{
    uint32_t named = 0;
    for (uint32_t k = 0; k < w->peer_count; k++) {
        if (!chosen[k])
            continue;
        if (named % CHANNELS_OPERATION == 0) {
            if (named > 0)
                text_add(&w->operations, "],\"channel_type\":\"memory\"}");
            begin(w, name);
            text_add(&w->operations, ",\"channel_ids\":[%" PRIu32, k);
        } else {
            text_add(&w->operations, ",%" PRIu32, k);
        }
        named++;
    }
    if (named > 0)
        text_add(&w->operations, "],\"channel_type\":\"memory\"}");
}

static void meet(struct plan *g)
{
    for (uint32_t k = 0; k < g->worker_count; k++) {
        struct worker *w = &g->workers[k];
        begin(w, g->worker_count > 1 ? "barrier" : "nop");
        if (g->worker_count > 1)
            text_add(&w->operations, ",\"barrier_id\":0,\"num_threadblocks\":%" PRIu32, g->worker_count);
        text_add(&w->operations, "}");
    }
}

/* ---- the steps of a node ---- */

/** The thread block of a peer, and the place of the peer there. */
static struct worker *worker_of(const struct plan *g, uint32_t peer, uint32_t *place)
{
    uint32_t channel = g->channel[peer] - 1;
    assert(g->worker_count > 0);
    *place = channel / g->worker_count;
    return &g->workers[channel % g->worker_count];
}

/** The number of a peer's memory among those that the thread block writes to. */
static uint32_t buffer_of(const struct worker *w, uint32_t place)
{
    uint32_t number = 0;
    for (uint32_t k = 0; k < place; k++)
        number += w->writes[k];
    return number;
}

static void add_put(struct plan *g, const struct message *m, uint32_t number)
{
    uint32_t place = 0;
    struct worker *w = worker_of(g, m->dst, &place);
    begin(w, "put");
    add_local(&w->operations, ",\"src_buff\":[", g->p->reduction ? "i" : "o", m->first, m->count);
    text_add(&w->operations, "],\"dst_buff\":[{\"buffer_id\":%" PRIu32 ",\"index\":%" PRIu32 ",\"size\":%" PRIu32
             "}],\"channel_ids\":[%" PRIu32 "],\"channel_type\":\"memory\"}", buffer_of(w, place),
             g->p->reduction ? g->scratch[number] : m->first, m->count, place);
}

static void add_to_sum(struct plan *g, const struct message *m, uint32_t number)
{
    struct worker *w = &g->workers[m->first % g->worker_count]; /* messages of the same blocks: the same thread block */
    begin(w, m->reduces ? "re" : "copy");
    if (m->reduces)
        add_local(&w->operations, ",\"src_buff\":[", "i", m->first, m->count);
    add_local(&w->operations, m->reduces ? "," : ",\"src_buff\":[", "s", g->scratch[number], m->count);
    add_local(&w->operations, "],\"dst_buff\":[", "i", m->first, m->count);
    text_add(&w->operations, "]%s}", m->reduces ? ",\"reduce_op\":\"sum\"" : "");
}

/** Signal the peers that got something, and wait for those that send. */
static void exchange(struct plan *g, uint32_t node, const uint32_t *list, uint32_t count)
{
    for (uint32_t k = 0; k < g->worker_count; k++) {
        struct worker *w = &g->workers[k];
        bool signals[CHANNELS_MOST] = {false}, waits[CHANNELS_MOST] = {false};
        bool puts = false;
        for (uint32_t i = 0; i < count; i++) {
            const struct message *m = &g->p->list[list[i]];
            uint32_t place = 0;
            if (worker_of(g, m->src == node ? m->dst : m->src, &place) != w)
                continue;
            (m->src == node ? signals : waits)[place] = true;
            puts = puts || m->src == node;
        }
        if (puts)
            add_plain(w, "nop");
        add_channels(w, "signal", signals);
        add_channels(w, "wait", waits);
    }
}

static void add_step(struct plan *g, uint32_t node, const uint32_t *list, uint32_t count)
{
    bool sums = false;
    for (uint32_t i = 0; i < count; i++) {
        const struct message *m = &g->p->list[list[i]];
        sums = sums || m->dst == node;
        if (m->src == node)
            add_put(g, m, list[i]);
    }
    exchange(g, node, list, count);
    meet(g);
    if (!g->p->reduction || !sums)
        return;
    for (uint32_t i = 0; i < count; i++)
        if (g->p->list[list[i]].dst == node)
            add_to_sum(g, &g->p->list[list[i]], list[i]);
    meet(g);
}

/** Wait until every peer has begun: only then may a device write to it. */
static void greet(struct plan *g)
{
    for (uint32_t k = 0; k < g->worker_count; k++) {
        bool all[CHANNELS_MOST];
        for (uint32_t i = 0; i < CHANNELS_MOST; i++)
            all[i] = true;
        add_channels(&g->workers[k], "signal", all);
        add_channels(&g->workers[k], "wait", all);
    }
    meet(g);
}

/* ---- a node ---- */

/** Number the peers of a node in the order of their messages. */
static void find_channels(struct plan *g, uint32_t node)
{
    for (uint32_t v = 0; v < g->p->nodes; v++)
        g->channel[v] = 0;
    g->channels = 0;
    for (uint32_t i = g->first[node]; i < g->first[node + 1]; i++) {
        const struct message *m = &g->p->list[g->list[i]];
        uint32_t peer = m->src == node ? m->dst : m->src;
        if (g->channel[peer] == 0)
            g->channel[peer] = ++g->channels;
    }
}

static void share_channels(struct plan *g, uint32_t node)
{
    for (uint32_t k = 0; k < g->worker_count; k++) {
        struct worker *w = &g->workers[k];
        free(w->operations.data);
        *w = (struct worker){.operations = {.err = g->err}};
    }
    for (uint32_t v = 0; v < g->p->nodes; v++) {
        uint32_t place = 0;
        if (g->channel[v] == 0)
            continue;
        struct worker *w = worker_of(g, v, &place);
        assert(place < CHANNELS_MOST);
        w->peers[place] = v;
        w->peer_count = place + 1 > w->peer_count ? place + 1 : w->peer_count;
    }
    for (uint32_t i = g->first[node]; i < g->first[node + 1]; i++) {
        const struct message *m = &g->p->list[g->list[i]];
        uint32_t place = 0;
        if (m->src == node)
            worker_of(g, m->dst, &place)->writes[place] = true;
    }
}

/** With so many thread blocks; returns the most operations of one. */
static uint32_t try_node(struct plan *g, uint32_t node, uint32_t workers)
{
    const struct messages *p = g->p;
    uint32_t most = 0;
    g->worker_count = workers;
    share_channels(g, node);
    greet(g);
    for (uint32_t from = g->first[node], to; from < g->first[node + 1]; from = to) {
        for (to = from; to < g->first[node + 1] && p->list[g->list[to]].step == p->list[g->list[from]].step; to++)
            ;
        add_step(g, node, g->list + from, to - from);
    }
    for (uint32_t k = 0; k < workers; k++)
        most = g->workers[k].count > most ? g->workers[k].count : most;
    return most;
}

/** As few thread blocks as hold the operations. */
static rwa_status plan_node(struct plan *g, uint32_t node)
{
    uint32_t least = OPERATIONS_MOST + 1, workers = (g->channels + CHANNELS_MOST - 1) / CHANNELS_MOST;
    for (workers = workers ? workers : 1; workers <= BLOCKS_MOST && (workers <= g->channels || workers == 1); workers++) {
        uint32_t most = try_node(g, node, workers);
        if (most <= OPERATIONS_MOST)
            return RWA_OK;
        least = least == OPERATIONS_MOST + 1 || most < least ? most : least;
    }
    return base_fail(g->err, RWA_BADARG, "mscclpp: node %" PRIu32 " with %" PRIu32 " peers needs %" PRIu32 " operations in a thread block, "
                     "which has at most %d (and %d channels); expected fewer steps or nodes", node, g->channels, least, OPERATIONS_MOST,
                     CHANNELS_MOST);
}

/* ---- the document ---- */

static void put_worker(struct text *t, const struct plan *g, uint32_t k)
{
    const struct worker *w = &g->workers[k];
    bool first = true;
    text_add(t, "%s\n      {\"id\":%" PRIu32 ",\"ops\":[", k ? "," : "", k);
    if (w->operations.used > 0)
        text_add_bytes(t, w->operations.data, w->operations.used);
    text_add(t, "],\n       \"channels\":[{\"channel_type\":\"memory\",\"channel_ids\":[");
    for (uint32_t i = 0; i < w->peer_count; i++)
        text_add(t, "%s%" PRIu32, i ? "," : "", g->channel[w->peers[i]] - 1);
    text_add(t, "]}],\"remote_buffer_refs\":[{\"access_channel_type\":\"memory\",\"remote_buffer_ids\":[");
    for (uint32_t i = 0; i < w->peer_count; i++) {
        if (w->writes[i])
            text_add(t, "%s%" PRIu32, first ? "" : ",", g->channel[w->peers[i]] - 1);
        first = first && !w->writes[i];
    }
    text_add(t, "]}]}");
}

/** Peers in the order of their channels: as channels, and as memories. */
static void put_peers(struct text *t, const struct plan *g, bool memories)
{
    assert(g->channels == 0 || g->worker_count > 0);
    for (uint32_t c = 0; c < g->channels; c++) {
        const struct worker *w = &g->workers[c % g->worker_count];
        uint32_t peer = w->peers[c / g->worker_count];
        if (memories)
            text_add(t, "%s{\"rank\":%" PRIu32 ",\"type\":\"%s\",\"access_channel_types\":[\"memory\"]}", c ? "," : "", peer,
                     g->p->reduction ? "s" : "o");
        else
            text_add(t, "%s%" PRIu32, c ? "," : "", peer);
    }
}

static rwa_status put_node(struct text *t, struct plan *g, uint32_t node)
{
    find_channels(g, node);
    MUST(plan_node(g, node));
    text_add(t, "%s\n    {\"id\":%" PRIu32 ",\"input_chunks\":%" PRIu64 ",\"output_chunks\":%" PRIu64 ",\"scratch_chunks\":%" PRIu32
             ",\n     \"threadblocks\":[", node ? "," : "", node, g->p->reduction ? g->p->blocks : g->p->blocks / g->p->nodes, g->p->blocks,
             g->scratch_chunks[node]);
    for (uint32_t k = 0; k < g->worker_count; k++) {
        put_worker(t, g, k);
        MUST(g->workers[k].operations.status);
    }
    text_add(t, "],\n     \"channels\":[{\"channel_type\":\"memory\",\"connected_to\":[");
    put_peers(t, g, false);
    text_add(t, "]}],\n     \"remote_buffers\":[");
    put_peers(t, g, true);
    text_add(t, "],\"semaphores\":[]}");
    return t->status;
}

static rwa_status put_document(struct output *out, struct plan *g)
{
    struct text *t = &out->text;
    text_add(t, "{\"name\":\"librwa-%s\",\"collective\":\"%s\",\"protocol\":\"Simple\",\"inplace\":true,\"reuse_resources\":false,\n  "
             "\"gpus\":[", rwa_collective_name(g->p->r->coll->kind), g->p->reduction ? "allreduce" : "allgather");
    for (uint32_t v = 0; v < g->p->nodes; v++) {
        MUST(put_node(t, g, v));
        MUST(output_flush(out));
    }
    text_add(t, "],\n  \"num_threads_per_block\":1024,\"use_double_scratch_buffer\":false,\"buffer_alignment\":16,\"min_message_size\":0,"
             "\"max_message_size\":1099511627776}\n");
    return RWA_OK;
}

/* ---- all of it ---- */

/** The messages of each node, and the chunks of scratch that they arrive in. */
static rwa_status plan_open(struct plan *g)
{
    const struct messages *p = g->p;
    arena_new(&g->memory, g->first, (size_t)p->nodes + 2);
    arena_new(&g->memory, g->list, (size_t)2 * p->count);
    arena_new(&g->memory, g->scratch, p->count);
    arena_new(&g->memory, g->scratch_chunks, p->nodes);
    arena_new(&g->memory, g->channel, p->nodes);
    arena_new(&g->memory, g->workers, BLOCKS_MOST);
    MUST(arena_status(&g->memory));
    uint32_t *at = g->first + 1; /* at[v] becomes first[v + 1] once the messages of node v are listed */
    for (uint32_t i = 0; i < p->count; i++) {
        at[p->list[i].src + 1]++;
        at[p->list[i].dst + 1]++;
    }
    for (uint32_t v = 0; v < p->nodes; v++)
        at[v + 1] += at[v];
    for (uint32_t i = 0; i < p->count; i++) {
        const struct message *m = &p->list[i];
        g->list[at[m->src]++] = i;
        g->list[at[m->dst]++] = i;
        g->scratch[i] = g->scratch_chunks[m->dst];
        g->scratch_chunks[m->dst] += p->reduction ? m->count : 0;
    }
    return RWA_OK;
}

static void plan_free(struct plan *g)
{
    for (uint32_t k = 0; g->workers && k < BLOCKS_MOST; k++)
        free(g->workers[k].operations.data);
    arena_free(&g->memory);
}

static rwa_status put_mscclpp(struct output *out, struct export_request *r)
{
    struct messages p = {0};
    struct plan g = {.memory.err = r->err, .p = &p, .err = r->err};
    rwa_status st = RWA_OK;
    TRY(messages_collect(&p, r, "mscclpp", false, UINT32_MAX));
    if (!p.reduction && p.blocks % p.nodes != 0)
        TRY(base_fail(r->err, RWA_BADARG, "mscclpp: %" PRIu64 " blocks of %" PRIu32 " nodes, expected as many of each node", p.blocks,
                      p.nodes));
    TRY(plan_open(&g));
    TRY(put_document(out, &g));
done:
    plan_free(&g);
    messages_free(&p);
    return st;
}

const struct export_format export_mscclpp = {
    "mscclpp", "an MSCCL++ execution plan (JSON) of an all-gather or all-reduce", put_mscclpp, NULL};
