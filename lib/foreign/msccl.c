/* SPDX-License-Identifier: GPL-3.0-or-later */
/** MSCCL XML: each node's sends and receives as programs of thread blocks, one for each peer and direction.
 *  Steps become dependencies: what reads a chunk waits for what wrote it, and in reductions every access of a chunk waits
 *  for the one before, sends of a step before its receives, as values are read at the start of a step. */
#include "foreign/foreign.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct instruction {
    uint32_t node, peer, step;
    uint32_t order;         /* of its lightpath in the schedule: sends and receives of a pair meet in this order */
    uint32_t block;
    uint32_t thread, at;    /* its thread block, and its place in there */
    uint32_t after;         /* 1 + index of the instruction it waits for; 0: none */
    uint8_t receives, reduces, awaited;
};

struct program {
    struct export_request *r;
    struct instruction *list;
    size_t count;
    uint32_t order;
    bool reduction;
};

static rwa_status add_pair(void *data, const rwa_lightpath *lp)
{
    struct program *p = data;
    struct instruction send = {.node = lp->src, .peer = lp->dst, .step = lp->step, .order = p->order,
                               .block = (uint32_t)lp->block};
    struct instruction receive = {.node = lp->dst, .peer = lp->src, .step = lp->step, .order = p->order++,
                                  .block = (uint32_t)lp->block, .receives = 1, .reduces = lp->op == RWA_REDUCE};
    p->list[p->count++] = send;
    p->list[p->count++] = receive;
    return RWA_OK;
}

static int compare(uint32_t a, uint32_t b)
{
    return (a > b) - (a < b);
}

static int by_thread(const void *a, const void *b)
{
    const struct instruction *x = a, *y = b;
    int c = compare(x->node, y->node);
    c = c ? c : compare(x->receives, y->receives);
    c = c ? c : compare(x->peer, y->peer);
    return c ? c : compare(x->order, y->order);
}

/** Thread 0 of every all-gather node copies its own blocks; the others follow, one for each peer and direction. */
static void number_threads(struct program *p)
{
    uint32_t thread = 0, at = 0;
    for (size_t i = 0; i < p->count; i++) {
        struct instruction *now = &p->list[i], *last = i ? now - 1 : NULL;
        if (!last || last->node != now->node)
            thread = p->reduction ? 0 : 1, at = 0;
        else if (last->receives != now->receives || last->peer != now->peer)
            thread++, at = 0;
        now->thread = thread;
        now->at = at++;
    }
}

/** An instruction as an access of a chunk. */
struct access {
    uint32_t node, block, step, order;
    uint32_t index;
    uint8_t receives;
};

static int by_access(const void *a, const void *b)
{
    const struct access *x = a, *y = b;
    int c = compare(x->node, y->node);
    c = c ? c : compare(x->block, y->block);
    c = c ? c : compare(x->step, y->step);
    c = c ? c : compare(x->receives, y->receives);
    return c ? c : compare(x->order, y->order);
}

static void wait_for(struct program *p, uint32_t waits, uint32_t before)
{
    assert(waits < p->count && before < p->count && p->list[waits].node == p->list[before].node);
    if (p->list[waits].thread == p->list[before].thread)
        return; /* a thread block runs in order */
    p->list[waits].after = before + 1;
    p->list[before].awaited = 1;
}

static rwa_status order_accesses(struct program *p)
{
    struct access *list = base_array(p->count, sizeof *list, p->r->err);
    if (!list)
        return RWA_NOMEM;
    for (size_t i = 0; i < p->count; i++)
        list[i] = (struct access){p->list[i].node, p->list[i].block, p->list[i].step, p->list[i].order, (uint32_t)i,
                                  p->list[i].receives};
    qsort(list, p->count, sizeof *list, by_access);
    for (size_t i = 0, before = 0; i < p->count; i++) {
        bool first = i == 0 || list[i].node != list[i - 1].node || list[i].block != list[i - 1].block;
        if (!first && (p->reduction || list[before].receives))
            wait_for(p, list[i].index, list[before].index);
        if (first || p->reduction || list[i].receives)
            before = i;
    }
    free(list);
    return RWA_OK;
}

/* ---- the document ---- */

static uint64_t first_block(const struct program *p, uint32_t node)
{
    uint64_t nodes = rwa_network_nodes(p->r->net), blocks = p->r->coll->blocks;
    return ((uint64_t)node * blocks + nodes - 1) / nodes; /* the least b with floor(b nodes / blocks) = node */
}

static uint64_t blocks_of(const struct program *p, uint32_t node)
{
    return first_block(p, node + 1) - first_block(p, node);
}

static void put_step(struct text *t, const struct program *p, const struct instruction *i)
{
    const char *type = !i->receives ? "s" : i->reduces ? "rrc" : "r";
    bool own = !p->reduction && !i->receives && rwa_collective_owner(p->r->coll, i->block) == i->node;
    const char *source = p->reduction || own ? "i" : "o", *target = p->reduction ? "i" : "o";
    uint64_t from = own ? i->block - first_block(p, i->node) : i->block;
    long depid = -1, deps = -1;
    if (i->after) {
        depid = (long)p->list[i->after - 1].thread;
        deps = (long)p->list[i->after - 1].at;
    }
    text_add(t, "      <step s=\"%" PRIu32 "\" type=\"%s\" srcbuf=\"%s\" srcoff=\"%" PRIu64 "\" dstbuf=\"%s\" dstoff=\"%" PRIu32
             "\" cnt=\"1\" depid=\"%ld\" deps=\"%ld\" hasdep=\"%d\"/>\n", i->at, type, source, from, target, i->block, depid, deps,
             i->awaited);
}

static void put_own_copies(struct text *t, const struct program *p, uint32_t node)
{
    text_add(t, "    <tb id=\"0\" send=\"-1\" recv=\"-1\" chan=\"0\">\n");
    for (uint64_t k = 0; k < blocks_of(p, node); k++)
        text_add(t, "      <step s=\"%" PRIu64 "\" type=\"cpy\" srcbuf=\"i\" srcoff=\"%" PRIu64 "\" dstbuf=\"o\" dstoff=\"%" PRIu64
                 "\" cnt=\"1\" depid=\"-1\" deps=\"-1\" hasdep=\"0\"/>\n", k, k, first_block(p, node) + k);
    text_add(t, "    </tb>\n");
}

/** The thread blocks of one node; *next is its first instruction, and is moved past its last. */
static void put_node(struct text *t, const struct program *p, uint32_t node, size_t *next)
{
    uint64_t blocks = p->r->coll->blocks;
    text_add(t, "  <gpu id=\"%" PRIu32 "\" i_chunks=\"%" PRIu64 "\" o_chunks=\"%" PRIu64 "\" s_chunks=\"0\">\n", node,
             p->reduction ? blocks : blocks_of(p, node), blocks);
    if (!p->reduction)
        put_own_copies(t, p, node);
    for (bool open = false; *next < p->count && p->list[*next].node == node; (*next)++) {
        const struct instruction *i = &p->list[*next];
        if (i->at == 0) {
            text_add(t, "%s    <tb id=\"%" PRIu32 "\" send=\"%ld\" recv=\"%ld\" chan=\"0\">\n", open ? "    </tb>\n" : "", i->thread,
                     i->receives ? -1L : (long)i->peer, i->receives ? (long)i->peer : -1L);
            open = true;
        }
        put_step(t, p, i);
        if (*next + 1 == p->count || p->list[*next + 1].node != node)
            text_add(t, "    </tb>\n");
    }
    text_add(t, "  </gpu>\n");
}

static rwa_status put_document(struct sink *s, const struct program *p)
{
    struct text t = {.err = p->r->err};
    uint32_t nodes = rwa_network_nodes(p->r->net);
    size_t next = 0;
    rwa_status st = RWA_OK;
    text_add(&t, "<algo name=\"librwa-%s\" proto=\"Simple\" nchannels=\"1\" nchunksperloop=\"%" PRIu64 "\" ngpus=\"%" PRIu32
             "\" coll=\"%s\" inplace=\"%d\" outofplace=\"%d\" minBytes=\"0\" maxBytes=\"0\">\n",
             p->reduction ? "all-reduce" : "all-gather", p->r->coll->blocks, nodes, p->reduction ? "allreduce" : "allgather",
             p->reduction, !p->reduction);
    for (uint32_t node = 0; node < nodes; node++) {
        put_node(&t, p, node, &next);
        TRY(t.status);
        TRY(sink_write(s, t.data, t.used));
        t.used = 0;
    }
    TRY(sink_write(s, "</algo>\n", sizeof "</algo>\n" - 1));
done:
    free(t.data);
    return st;
}

static rwa_status collect(struct program *p)
{
    uint64_t count = 2 * rwa_schedule_lightpaths(p->r->sched);
    rwa_status st = RWA_OK;
    if (count >= UINT32_MAX)
        return base_fail(p->r->err, RWA_BADARG, "msccl: %" PRIu64 " sends and receives, expected fewer than 2^32", count);
    TRY(base_fits_memory((double)count * (sizeof *p->list + sizeof(struct access)), "this MSCCL program", p->r->err));
    p->list = base_array((size_t)count, sizeof *p->list, p->r->err);
    if (!p->list)
        return RWA_NOMEM;
    for (uint32_t step = p->r->from; step <= p->r->to; step++) {
        TRY(export_go_on(p->r, step));
        TRY(export_each(p->r, step, add_pair, p));
    }
    assert(p->count <= count);
done:
    return st;
}

static rwa_status write_msccl(struct export_request *r)
{
    struct program p = {.r = r, .reduction = r->coll->kind == RWA_ALL_REDUCE};
    struct sink s = {.fd = -1};
    rwa_status st = RWA_OK;
    if (r->coll->kind != RWA_ALL_GATHER && r->coll->kind != RWA_ALL_REDUCE)
        return base_fail(r->err, RWA_BADARG, "msccl: expected an all-gather or an all-reduce, not %s",
                         rwa_collective_name(r->coll->kind));
    if (r->o.step)
        return base_fail(r->err, RWA_BADARG, "msccl: a program holds every step, expected no single one");
    TRY(export_needs_plain(r, "msccl"));
    TRY(collect(&p));
    qsort(p.list, p.count, sizeof *p.list, by_thread);
    number_threads(&p);
    TRY(order_accesses(&p));
    TRY(sink_open(&s, r->path, r->err));
    TRY(put_document(&s, &p));
    TRY(sink_finish(&s));
done:
    sink_drop(&s);
    free(p.list);
    return st;
}

const struct export_format export_msccl = {"msccl", "an MSCCL program (XML) of an all-gather or all-reduce", write_msccl};
