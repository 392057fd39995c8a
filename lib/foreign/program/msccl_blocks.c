/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Assigns messages to thread blocks and channels.  Each send or receive, in the order of accesses_walk(), becomes an
 *  instruction at the end of a thread block of its node. */
#include "foreign/program/msccl_blocks.h"

#include "foreign/program/accesses.h"

struct planning {
    struct msccl_blocks *b;
    uint32_t *chain[WAYS]; /* [node][peer]: the first thread block that sends there, that receives from there */
    uint32_t *channel;              /* of each message */
    struct awaits *awaits;          /* of the send or receive in work */
    rwa_error *err;
};

static struct thread_block *block_of(const struct planning *g, uint32_t node, uint32_t block)
{
    assert(block < g->b->nodes[node].count);
    return &g->b->nodes[node].list[block];
}

/* ---- instructions ---- */

/** Keep in g->awaits only the last instruction of each thread block of the node, and none of thread block `own`. */
static void keep_last_of_blocks(struct planning *g, uint32_t node, uint32_t own)
{
    struct awaits *a = g->awaits;
    if (a->count == 0)
        return;
    /* A thread block runs in order: its last instruction implies the others, and `own` need not wait for itself. */
    for (size_t i = 0; i < a->count; i++)
        block_of(g, node, g->b->list[a->list[i]].block)->awaited = a->list[i];
    a->count = 0;
    for (uint32_t k = 0; k < g->b->nodes[node].count; k++) {
        struct thread_block *t = block_of(g, node, k);
        if (t->awaited != BLOCKS_NONE && k != own)
            a->list[a->count++] = t->awaited;
        t->awaited = BLOCKS_NONE;
    }
}

static rwa_status append(struct planning *g, uint32_t node, uint32_t block, struct instruction new)
{
    struct msccl_blocks *b = g->b;
    struct thread_block *t = block_of(g, node, block);
    int way = t->peer[SENDS] != BLOCKS_NONE ? SENDS : RECEIVES;
    if (t->steps == MSCCL_STEPS)
        return base_refuse(g->err,
                           "msccl: node %u needs more than %d steps %s node %u on a channel, which no "
                           "runtime takes; expected larger messages (fewer blocks) or fewer steps",
                           node, MSCCL_STEPS, way == SENDS ? "to" : "from", t->peer[way]);
    new.block = block;
    new.place = t->steps++;
    new.next = BLOCKS_NONE;
    *(t->last != BLOCKS_NONE ? &b->list[t->last].next : &t->first) = (uint32_t)b->count;
    t->last = (uint32_t)b->count;
    return base_append(b->list, b->count, g->err, new);
}

/** Append an instruction to a thread block of a node.  It waits for the instructions g->awaits, then receives message
 *  `in`, sends message `out`, or does both (BLOCKS_NONE: no message). */
static rwa_status append_awaiting(struct planning *g, uint32_t node, uint32_t block, uint32_t in, uint32_t out)
{
    struct instruction new = {.in = BLOCKS_NONE, .out = BLOCKS_NONE, .await_block = BLOCKS_NONE};
    keep_last_of_blocks(g, node, block);
    /* An instruction can wait for one other only: all waits but the last become instructions of their own. */
    for (size_t i = 0; i < g->awaits->count; i++) {
        struct instruction *awaited = &g->b->list[g->awaits->list[i]];
        awaited->awaited = true;
        new.await_block = awaited->block;
        new.await_place = awaited->place;
        if (i + 1 < g->awaits->count)
            MUST(append(g, node, block, new));
    }
    new.in = in;
    new.out = out;
    return append(g, node, block, new);
}

/* ---- thread blocks and channels ---- */

static uint32_t *chain_of(const struct planning *g, uint32_t node, uint32_t peer, int way)
{
    assert(node < g->b->p->nodes && peer < g->b->p->nodes);
    return &g->chain[way][(size_t)node * g->b->p->nodes + peer];
}

/** Return the thread block of a node that sends to a peer (way SENDS) or receives from it (way RECEIVES) on this
 *  channel; BLOCKS_NONE: there is none. */
static uint32_t find_block(const struct planning *g, uint32_t node, uint32_t peer, uint32_t channel, int way)
{
    uint32_t at = *chain_of(g, node, peer, way);
    while (at != BLOCKS_NONE && block_of(g, node, at)->channel != channel)
        at = block_of(g, node, at)->next[way];
    return at;
}

/** Tell whether a node can begin to send to a peer (way SENDS), or to receive from it (way RECEIVES), on a channel.  It
 *  can if it does not do so yet, and has fewer than MSCCL_PEERS such peers there. */
static bool can_open(const struct planning *g, uint32_t node, uint32_t peer, uint32_t channel, int way)
{
    return g->b->nodes[node].ends[way][channel] < MSCCL_PEERS && find_block(g, node, peer, channel, way) == BLOCKS_NONE;
}

/** Let a thread block send to a peer (way SENDS), or receive from it (way RECEIVES), on its channel. */
static void connect(struct planning *g, uint32_t node, uint32_t block, uint32_t peer, int way)
{
    struct thread_block *t = block_of(g, node, block);
    uint32_t *chain = chain_of(g, node, peer, way);
    t->peer[way] = peer;
    t->next[way] = *chain;
    *chain = block;
    g->b->nodes[node].ends[way][t->channel]++;
}

static rwa_status open_block(struct planning *g, uint32_t *block, uint32_t node, uint32_t peer, uint32_t channel,
                             int way)
{
    struct node_blocks *n = &g->b->nodes[node];
    struct thread_block new;
    memset(&new, UINT8_MAX, sizeof new); /* BLOCKS_NONE */
    new.channel = channel;
    new.steps = 0;
    *block = n->count;
    MUST(base_append(n->list, n->count, g->err, new));
    g->b->channels = channel >= g->b->channels ? channel + 1 : g->b->channels;
    connect(g, node, *block, peer, way);
    return RWA_OK;
}

/** Return the number of steps of `block`, a thread block of node m->src that sends to m->dst.  If the thread block of
 *  m->dst at the other end of the channel has more, return the number of its steps. */
static uint32_t steps_used(const struct planning *g, const struct message *m, uint32_t block)
{
    const struct thread_block *from = block_of(g, m->src, block);
    uint32_t at = find_block(g, m->dst, m->src, from->channel, RECEIVES);
    uint32_t other = at == BLOCKS_NONE ? 0 : block_of(g, m->dst, at)->steps;
    return from->steps > other ? from->steps : other;
}

/** Set *block to the thread block that sends message m: of those of node m->src that send to m->dst, the one with the
 *  fewest steps (steps_used()).  If it would get more than MSCCL_STEPS_FEW steps, or there is none, open a new one
 *  where a channel allows it.  RWA_BADARG: there is none, and none can be opened. */
static rwa_status choose_sender(struct planning *g, uint32_t *block, const struct message *m)
{
    uint32_t best = *chain_of(g, m->src, m->dst, SENDS), channel = 0;
    for (uint32_t at = best; at != BLOCKS_NONE; at = block_of(g, m->src, at)->next[SENDS])
        best = steps_used(g, m, at) < steps_used(g, m, best) ? at : best;
    *block = best;
    if (best != BLOCKS_NONE && steps_used(g, m, best) + g->awaits->count < MSCCL_STEPS_FEW)
        return RWA_OK;
    while (channel < MSCCL_CHANNELS && (!can_open(g, m->src, m->dst, channel, SENDS) ||
                                        g->b->nodes[m->dst].ends[RECEIVES][channel] == MSCCL_PEERS))
        channel++;
    if (channel < MSCCL_CHANNELS)
        return open_block(g, block, m->src, m->dst, channel, SENDS);
    if (best != BLOCKS_NONE)
        return RWA_OK;
    return base_refuse(g->err,
                       "msccl: node %u or %u has more than %d peers on each of %d channels, which no "
                       "runtime takes",
                       m->src, m->dst, MSCCL_PEERS, MSCCL_CHANNELS);
}

/* ---- receive, copy and send at once ---- */

/** Tell whether instruction `at`, the receive that the send of message m waits for, can do the send as well. */
static bool can_fuse(const struct planning *g, const struct message *m, uint32_t at)
{
    const struct messages *p = g->b->p;
    const struct instruction *i = &g->b->list[at];
    const struct thread_block *t = block_of(g, m->src, i->block);
    /* the last of its thread block, with the blocks of m */
    if (t->last != at || i->out != BLOCKS_NONE || p->list[i->in].first != m->first || p->list[i->in].count != m->count)
        return false;
    if (t->peer[SENDS] == BLOCKS_NONE) /* it can become the sender, if the channel has none */
        return can_open(g, m->src, m->dst, t->channel, SENDS) &&
               (find_block(g, m->dst, m->src, t->channel, RECEIVES) != BLOCKS_NONE ||
                can_open(g, m->dst, m->src, t->channel, RECEIVES));
    /* A queue holds one message: the last one sent must have been received before this instruction. */
    return t->peer[SENDS] == m->dst && (t->sent == BLOCKS_NONE || p->list[t->sent].group < p->list[i->in].group);
}

static rwa_status send(struct planning *g, uint32_t number, uint32_t *instruction)
{
    const struct message *m = &g->b->p->list[number];
    uint32_t block = BLOCKS_NONE;
    if (g->awaits->count == 1 && can_fuse(g, m, g->awaits->list[0])) {
        *instruction = g->awaits->list[0];
        block = g->b->list[*instruction].block;
        if (block_of(g, m->src, block)->peer[SENDS] == BLOCKS_NONE)
            connect(g, m->src, block, m->dst, SENDS);
        g->b->list[*instruction].out = number;
    } else {
        MUST(choose_sender(g, &block, m));
        MUST(append_awaiting(g, m->src, block, BLOCKS_NONE, number));
        *instruction = (uint32_t)g->b->count - 1;
    }
    block_of(g, m->src, block)->sent = number;
    g->channel[number] = block_of(g, m->src, block)->channel;
    if (find_block(g, m->dst, m->src, g->channel[number], RECEIVES) != BLOCKS_NONE)
        return RWA_OK;
    return open_block(g, &block, m->dst, m->src, g->channel[number],
                      RECEIVES); /* at once, while the receiver has space on the channel */
}

static rwa_status add_instruction(void *data, uint32_t number, bool receives, struct awaits *awaits,
                                  uint32_t *instruction)
{
    struct planning *g = data;
    const struct message *m = &g->b->p->list[number];
    g->awaits = awaits;
    if (!receives)
        return send(g, number, instruction);
    MUST(append_awaiting(g, m->dst, find_block(g, m->dst, m->src, g->channel[number], RECEIVES), number, BLOCKS_NONE));
    *instruction = (uint32_t)g->b->count - 1;
    return RWA_OK;
}

rwa_status msccl_blocks_plan(struct msccl_blocks *b, const struct messages *p)
{
    struct planning g = {.b = b, .err = p->r->err};
    size_t pairs = (size_t)p->nodes * p->nodes;
    *b = (struct msccl_blocks){.p = p};
    arena_new(&p->r->memory, b->nodes, p->nodes);
    MUST(base_fits_memory(WAYS * (double)pairs * sizeof *g.channel, "an MSCCL program", g.err));
    for (int way = 0; way < WAYS; way++) {
        arena_new(&p->r->memory, g.chain[way], pairs);
        for (size_t i = 0; g.chain[way] && i < pairs; i++)
            g.chain[way][i] = BLOCKS_NONE;
    }
    MUST(arena_arrays(&p->r->memory, p->count, g.channel));
    return accesses_walk(p, add_instruction, &g);
}

void msccl_blocks_free(struct msccl_blocks *b)
{
    for (uint32_t v = 0; b->nodes && v < b->p->nodes; v++)
        free(b->nodes[v].list);
    free(b->list);
}
