/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "foreign/program/msccl_blocks.h"

#include "foreign/program/accesses.h"

struct planning {
    struct msccl_blocks *b;
    struct arena memory;
    struct accesses accesses;
    uint32_t *sends, *receives;     /* [node][peer]: the first thread block that sends there, that receives from there */
    uint32_t *channel;              /* of each message */
    rwa_error *err;
};

static rwa_status planning_open(struct planning *g)
{
    const struct messages *p = g->b->p;
    size_t nodes = p->nodes;
    MUST(base_fits_memory(2.0 * (double)nodes * (double)nodes * sizeof *g->sends, "an MSCCL program", g->err));
    MUST(accesses_open(&g->accesses, p));
    g->memory = (struct arena){.err = g->err};
    arena_new(&g->memory, g->sends, nodes * nodes);
    arena_new(&g->memory, g->receives, nodes * nodes);
    arena_new(&g->memory, g->channel, p->count);
    MUST(arena_status(&g->memory));
    for (size_t i = 0; i < nodes * nodes; i++)
        g->sends[i] = g->receives[i] = BLOCKS_NONE;
    return RWA_OK;
}

static uint32_t position_received(const struct message *m)
{
    return 2 * m->group + 1;
}

/* ---- what an instruction waits for ---- */

static int by_block(const void *a, const void *b, const struct instruction *list)
{
    const struct instruction *x = &list[*(const uint32_t *)a], *y = &list[*(const uint32_t *)b];
    ASCENDING(x->block, y->block);
    return (x->place > y->place) - (x->place < y->place);
}

/** Of each other thread block only the last instruction counts: the list becomes that short.  Insertion sort: most are of one. */
static void keep_last_of_blocks(struct planning *g, uint32_t own_block)
{
    const struct instruction *list = g->b->list;
    uint32_t *awaits = g->accesses.awaits;
    size_t kept = 0, count = g->accesses.await_count;
    for (size_t i = 1; i < count; i++)
        for (size_t k = i; k > 0 && by_block(&awaits[k], &awaits[k - 1], list) < 0; k--) {
            uint32_t held = awaits[k];
            awaits[k] = awaits[k - 1];
            awaits[k - 1] = held;
        }
    for (size_t i = 0; i < count; i++) {
        bool last = i + 1 == count || list[awaits[i]].block != list[awaits[i + 1]].block;
        if (last && list[awaits[i]].block != own_block)
            awaits[kept++] = awaits[i];
    }
    g->accesses.await_count = kept;
}

/* ---- instructions ---- */

static rwa_status too_many_steps(const struct planning *g, uint32_t node, const struct thread_block *t)
{
    const char *way = t->sends_to != BLOCKS_NONE ? "to" : "from";
    return base_fail(g->err, RWA_BADARG, "msccl: node %" PRIu32 " needs more than %d steps %s node %" PRIu32 " on a channel, which no "
                     "runtime takes; expected larger messages (fewer blocks) or fewer steps", node, MSCCL_STEPS, way,
                     t->sends_to != BLOCKS_NONE ? t->sends_to : t->receives_from);
}

static rwa_status append(struct planning *g, uint32_t node, uint32_t block, struct instruction new)
{
    struct msccl_blocks *b = g->b;
    struct thread_block *t = &b->nodes[node].list[block];
    assert(block < b->nodes[node].count);
    if (t->steps == MSCCL_STEPS)
        return too_many_steps(g, node, t);
    MUST(base_grow((void **)&b->list, &b->capacity, b->count + 1, sizeof *b->list, g->err));
    new.block = block;
    new.place = t->steps++;
    new.next = BLOCKS_NONE;
    if (t->last != BLOCKS_NONE)
        b->list[t->last].next = (uint32_t)b->count;
    else
        t->first = (uint32_t)b->count;
    t->last = (uint32_t)b->count;
    b->list[b->count++] = new;
    return RWA_OK;
}

/** The instruction, behind as many that only wait as it has further dependencies. */
static rwa_status append_awaiting(struct planning *g, uint32_t node, uint32_t block, uint32_t in, uint32_t out)
{
    struct instruction new = {.in = BLOCKS_NONE, .out = BLOCKS_NONE, .await_block = BLOCKS_NONE};
    keep_last_of_blocks(g, block);
    for (size_t i = 0; i < g->accesses.await_count; i++) {
        struct instruction *awaited = &g->b->list[g->accesses.awaits[i]];
        awaited->awaited = true;
        new.await_block = awaited->block;
        new.await_place = awaited->place;
        if (i + 1 < g->accesses.await_count)
            MUST(append(g, node, block, new));
    }
    new.in = in;
    new.out = out;
    return append(g, node, block, new);
}

/* ---- thread blocks and channels ---- */

static uint32_t *chain_of(const struct planning *g, uint32_t node, uint32_t peer, bool receives)
{
    return &(receives ? g->receives : g->sends)[(size_t)node * g->b->p->nodes + peer];
}

/** The thread block that sends to, or receives from, a peer on a channel; BLOCKS_NONE: there is none. */
static uint32_t find_block(const struct planning *g, uint32_t node, uint32_t peer, uint32_t channel, bool receives)
{
    uint32_t at = *chain_of(g, node, peer, receives);
    assert(node < g->b->p->nodes && peer < g->b->p->nodes);
    const struct node_blocks *n = &g->b->nodes[node];
    while (at != BLOCKS_NONE && n->list[at].channel != channel)
        at = receives ? n->list[at].next_receive : n->list[at].next_send;
    return at;
}

/** Let a thread block send to a peer, or receive from it. */
static void connect(struct planning *g, uint32_t node, uint32_t block, uint32_t peer, bool receives)
{
    struct node_blocks *n = &g->b->nodes[node];
    struct thread_block *t = &n->list[block];
    uint32_t *chain = chain_of(g, node, peer, receives);
    *(receives ? &t->receives_from : &t->sends_to) = peer;
    *(receives ? &t->next_receive : &t->next_send) = *chain;
    *chain = block;
    (receives ? n->receivers : n->senders)[t->channel]++;
}

static rwa_status open_block(struct planning *g, uint32_t *block, uint32_t node, uint32_t peer, uint32_t channel, bool receives)
{
    struct node_blocks *n = &g->b->nodes[node];
    MUST(base_grow((void **)&n->list, &n->capacity, (size_t)n->count + 1, sizeof *n->list, g->err));
    n->list[n->count] = (struct thread_block){channel, BLOCKS_NONE, BLOCKS_NONE, BLOCKS_NONE, BLOCKS_NONE, 0,
                                              BLOCKS_NONE, BLOCKS_NONE, BLOCKS_NONE};
    *block = n->count++;
    g->b->channels = channel >= g->b->channels ? channel + 1 : g->b->channels;
    connect(g, node, *block, peer, receives);
    return RWA_OK;
}

/** A channel that both nodes can open to each other; MSCCL_CHANNELS: none. */
static uint32_t free_channel(const struct planning *g, uint32_t src, uint32_t dst)
{
    uint32_t channel = 0;
    const struct node_blocks *from = &g->b->nodes[src], *to = &g->b->nodes[dst];
    while (channel < MSCCL_CHANNELS && (from->senders[channel] == MSCCL_PEERS || to->receivers[channel] == MSCCL_PEERS ||
                                        find_block(g, src, dst, channel, false) != BLOCKS_NONE))
        channel++;
    return channel;
}

/** Steps that both ends of a connection have used, the more of both. */
static uint32_t steps_used(const struct planning *g, uint32_t src, uint32_t dst, uint32_t block)
{
    const struct thread_block *from = &g->b->nodes[src].list[block];
    uint32_t at = find_block(g, dst, src, from->channel, true);
    uint32_t other = at == BLOCKS_NONE ? 0 : g->b->nodes[dst].list[at].steps;
    return from->steps > other ? from->steps : other;
}

/** A connection that has used few steps, or else a new channel, or else the one that has used fewest. */
static rwa_status choose_sender(struct planning *g, uint32_t *block, const struct message *m)
{
    uint32_t best = *chain_of(g, m->src, m->dst, false), channel = free_channel(g, m->src, m->dst);
    for (uint32_t at = best; at != BLOCKS_NONE; at = g->b->nodes[m->src].list[at].next_send)
        best = steps_used(g, m->src, m->dst, at) < steps_used(g, m->src, m->dst, best) ? at : best;
    *block = best;
    if (best != BLOCKS_NONE && (channel == MSCCL_CHANNELS ||
                                steps_used(g, m->src, m->dst, best) + g->accesses.await_count < MSCCL_STEPS_FEW))
        return RWA_OK;
    if (channel < MSCCL_CHANNELS)
        return open_block(g, block, m->src, m->dst, channel, false);
    return base_fail(g->err, RWA_BADARG, "msccl: node %" PRIu32 " or %" PRIu32 " has more than %d peers on each of %d channels, which no "
                     "runtime takes", m->src, m->dst, MSCCL_PEERS, MSCCL_CHANNELS);
}

/* ---- receive, copy and send at once ---- */

/** The receive that a send can be part of; BLOCKS_NONE: there is none.  It is the last instruction of its thread block, the only
 *  one that the send waits for, of the same blocks, and the queue of the send is empty when it takes place. */
static uint32_t find_fusion(const struct planning *g, const struct message *m)
{
    const struct messages *p = g->b->p;
    uint32_t at = g->accesses.await_count == 1 ? g->accesses.awaits[0] : BLOCKS_NONE;
    if (at == BLOCKS_NONE)
        return BLOCKS_NONE;
    const struct instruction *i = &g->b->list[at];
    const struct thread_block *t = &g->b->nodes[m->src].list[i->block];
    if (t->last != at || i->out != BLOCKS_NONE || p->list[i->in].first != m->first || p->list[i->in].count != m->count)
        return BLOCKS_NONE;
    if (t->sends_to == BLOCKS_NONE) /* it can become the sender, if the channel has none */
        return find_block(g, m->src, m->dst, t->channel, false) == BLOCKS_NONE &&
               g->b->nodes[m->src].senders[t->channel] < MSCCL_PEERS && (find_block(g, m->dst, m->src, t->channel, true) != BLOCKS_NONE ||
               g->b->nodes[m->dst].receivers[t->channel] < MSCCL_PEERS) ? at : BLOCKS_NONE;
    bool empty = t->sent == BLOCKS_NONE || position_received(&p->list[t->sent]) < position_received(&p->list[i->in]);
    return t->sends_to == m->dst && empty ? at : BLOCKS_NONE;
}

static rwa_status send(struct planning *g, uint32_t number)
{
    const struct message *m = &g->b->p->list[number];
    uint32_t block = BLOCKS_NONE, instruction = BLOCKS_NONE;
    MUST(accesses_find(&g->accesses, m->src, m, false));
    instruction = find_fusion(g, m);
    if (instruction != BLOCKS_NONE) {
        block = g->b->list[instruction].block;
        if (g->b->nodes[m->src].list[block].sends_to == BLOCKS_NONE)
            connect(g, m->src, block, m->dst, false);
        g->b->list[instruction].out = number;
    } else {
        MUST(choose_sender(g, &block, m));
        MUST(append_awaiting(g, m->src, block, BLOCKS_NONE, number));
        instruction = (uint32_t)(g->b->count - 1);
    }
    g->b->nodes[m->src].list[block].sent = number;
    g->channel[number] = g->b->nodes[m->src].list[block].channel;
    if (find_block(g, m->dst, m->src, g->channel[number], true) == BLOCKS_NONE)
        MUST(open_block(g, &block, m->dst, m->src, g->channel[number], true)); /* now: the channel of the receiver has space now */
    return accesses_record(&g->accesses, m->src, m, false, instruction);
}

static rwa_status receive(struct planning *g, uint32_t number)
{
    const struct message *m = &g->b->p->list[number];
    uint32_t block = find_block(g, m->dst, m->src, g->channel[number], true);
    assert(block != BLOCKS_NONE);
    MUST(accesses_find(&g->accesses, m->dst, m, true));
    MUST(append_awaiting(g, m->dst, block, number, BLOCKS_NONE));
    return accesses_record(&g->accesses, m->dst, m, true, (uint32_t)(g->b->count - 1));
}

/** Group by group: its sends, then its receives. */
static rwa_status plan_groups(struct planning *g)
{
    const struct messages *p = g->b->p;
    for (uint32_t from = 0, to; from < p->count; from = to) {
        for (to = from; to < p->count && p->list[to].group == p->list[from].group; to++)
            MUST(send(g, to));
        for (uint32_t i = from; i < to; i++)
            MUST(receive(g, i));
    }
    return RWA_OK;
}

rwa_status msccl_blocks_plan(struct msccl_blocks *b, const struct messages *p)
{
    struct planning g = {.b = b, .err = p->r->err};
    rwa_status st = RWA_OK;
    *b = (struct msccl_blocks){.p = p};
    MUST(base_new(b->nodes, p->nodes, p->r->err));
    TRY(planning_open(&g));
    TRY(plan_groups(&g));
done:
    accesses_free(&g.accesses);
    arena_free(&g.memory);
    return st;
}

void msccl_blocks_free(struct msccl_blocks *b)
{
    for (uint32_t v = 0; b->nodes && v < b->p->nodes; v++)
        free(b->nodes[v].list);
    free_all(b->nodes, b->list);
}
