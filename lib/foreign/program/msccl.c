/* SPDX-License-Identifier: GPL-3.0-or-later */
/** MSCCL XML: each node's sends and receives as programs of thread blocks.  A receive names the buffer and the chunk of
 * its sender. */
#include "foreign/program/msccl_blocks.h"

#include "collective/needs.h"

static const char *type_of(const struct messages *p, const struct instruction *i)
{
    assert(p->list);
    bool receives = i->in != BLOCKS_NONE, sends = i->out != BLOCKS_NONE, reduces = receives && p->list[i->in].reduces;
    return !receives ? (sends ? "s" : "nop") : reduces ? (sends ? "rrcs" : "rrc") : sends ? "rcs" : "r";
}

/** Return the first block that a node owns in an all-gather; its last one is before that of the next node. */
static uint32_t first_owned(const struct messages *p, uint32_t node)
{
    return (uint32_t)collective_share(p->r->coll, node);
}

/** Tell whether a message sends blocks that its sender owns, and so reads its input buffer. */
static bool is_own(const struct messages *p, const struct message *m)
{
    return !p->reduction && rwa_collective_owner(p->r->coll, m->first) == m->src;
}

/** Write instruction number `place` of a thread block: it moves `count` chunks from chunk `from` of buffer `source` to
 *  chunk `to` of buffer `target`.  It waits for instruction awaits_place of thread block awaits_block (-1: for none).
 *  type: MSCCL's letters for the instruction, "s" for a send, "r" for a receive, "cpy" for a copy, ...
 *  awaited: another instruction waits for it */
static void put_step(struct text *t, uint32_t place, const char *type, const char *source, uint32_t from,
                     const char *target, uint32_t to, uint32_t count, long awaits_block, uint32_t awaits_place,
                     bool awaited)
{
    text_add(t,
             "      <step s=\"%u\" type=\"%s\" srcbuf=\"%s\" srcoff=\"%u"
             "\" dstbuf=\"%s\" dstoff=\"%u\" cnt=\"%u\" depid=\"%ld\" deps=\"%ld\" hasdep=\"%d\"/>\n",
             place, type, source, from, target, to, count, awaits_block, awaits_block < 0 ? -1 : (long)awaits_place,
             awaited);
}

static void put_instruction(struct text *t, const struct messages *p, const struct instruction *i, uint32_t offset)
{
    static const struct message none;
    const struct message *m = i->in != BLOCKS_NONE ? &p->list[i->in] : i->out != BLOCKS_NONE ? &p->list[i->out] : &none;
    bool own = m != &none && is_own(p, m);
    put_step(t, i->place, type_of(p, i), p->reduction || own ? "i" : "o",
             own ? m->first - first_owned(p, m->src) : m->first, p->reduction ? "i" : "o", m->first, m->count,
             i->await_block == BLOCKS_NONE ? -1 : (long)(i->await_block + offset), i->await_place, i->awaited);
}

/** Write thread block 0 of an all-gather, which copies the node's own blocks to the output. */
static void put_own_copies(struct text *t, const struct messages *p, uint32_t node)
{
    uint32_t first = first_owned(p, node), owned = first_owned(p, node + 1) - first;
    text_add(t, "    <tb id=\"0\" send=\"-1\" recv=\"-1\" chan=\"0\">\n");
    for (uint32_t k = 0, s = 0; k < owned; k += MSCCL_COUNT, s++)
        put_step(t, s, "cpy", "i", k, "o", first + k, owned - k < MSCCL_COUNT ? owned - k : MSCCL_COUNT, -1, 0, false);
    text_add(t, "    </tb>\n");
}

static void put_node(struct text *t, const struct msccl_blocks *b, uint32_t node)
{
    const struct messages *p = b->p;
    const struct node_blocks *n = &b->nodes[node];
    uint32_t offset = !p->reduction;
    text_add(t, "  <gpu id=\"%u\" i_chunks=\"%" PRIu64 "\" o_chunks=\"%" PRIu64 "\" s_chunks=\"0\">\n", node,
             p->reduction ? p->blocks : first_owned(p, node + 1) - first_owned(p, node), p->blocks);
    if (!p->reduction)
        put_own_copies(t, p, node);
    for (uint32_t k = 0; k < n->count; k++) {
        const struct thread_block *block = &n->list[k];
        text_add(t, "    <tb id=\"%u\" send=\"%d\" recv=\"%d\" chan=\"%u\">\n", k + offset,
                 (int)block->peer[SENDS], (int)block->peer[RECEIVES], block->channel); /* BLOCKS_NONE is -1 */
        for (uint32_t i = block->first; i != BLOCKS_NONE; i = b->list[i].next)
            put_instruction(t, p, &b->list[i], offset);
        text_add(t, "    </tb>\n");
    }
    text_add(t, "  </gpu>\n");
}

/** The largest message size in the file: a terabyte rather than 0 for no limit, which one runtime reads as "no size is
 *  allowed". */
static const uint64_t bytes_most = (uint64_t)1 << 40;

static void put_document(struct text *t, const struct msccl_blocks *b)
{
    const struct messages *p = b->p;
    text_add(t,
             "<algo name=\"librwa-%s\" proto=\"Simple\" nchannels=\"%u\" nchunksperloop=\"%" PRIu64
             "\" ngpus=\"%u\" coll=\"%s\" inplace=\"%d\" outofplace=\"%d\" minBytes=\"0\" maxBytes=\"%" PRIu64
             "\">\n",
             p->reduction ? "all-reduce" : "all-gather", b->channels ? b->channels : 1, p->blocks, p->nodes,
             p->reduction ? "allreduce" : "allgather", p->reduction, !p->reduction, bytes_most);
    for (uint32_t node = 0; node < p->nodes; node++)
        put_node(t, b, node);
    text_add(t, "</algo>\n");
}

static rwa_status put_msccl(struct text *t, struct export_request *r)
{
    struct messages p;
    struct msccl_blocks b = {.p = &p};
    rwa_status st = RWA_OK;
    TRY(messages_collect(&p, r, "msccl", false, MSCCL_COUNT));
    TRY(msccl_blocks_plan(&b, &p));
    put_document(t, &b);
done:
    msccl_blocks_free(&b);
    free(p.list);
    return st;
}

const struct export_format export_msccl = {"msccl", put_msccl, EXPORT_PLAIN};
