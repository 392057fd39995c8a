/* SPDX-License-Identifier: GPL-3.0-or-later */
/** MSCCL programs (XML): all-gathers and all-reduces in input and output buffers.  A program has no steps: its thread blocks run side by
 *  side, each in order, and wait for each other. */
#include "foreign/import_program.h"
#include "network/files/xml.h"

#define MSCCL_NONE UINT32_MAX

/** An instruction; those of a thread block follow each other, those of a node too. */
struct msccl_step {
    uint32_t node, thread, place;   /* place: in its thread block, from 0 */
    uint32_t from, to, chan;        /* peers of its thread block; MSCCL_NONE: none */
    bool receives, sends, reduces;
    uint32_t out, in, count;        /* first block sent and first block stored, and how many */
    uint32_t awaits_thread, awaits_place; /* thread MSCCL_NONE: nothing */
    size_t first, last;             /* its acts: what it receives, then what it sends, or one that does nothing */
    size_t line;
};

struct msccl_program {
    struct import *im;
    bool reduction, inplace;
    uint64_t chunks;                /* blocks of a node's input */
    struct msccl_step *list;
    size_t count, capacity;
    size_t *first;                  /* of node v: list[first[v]] … list[first[v + 1] - 1] */
    struct import_program program;
};

enum { TREE_BYTES = 24 }; /* that libxml2 takes for a byte of text: a quarter of a gigabyte, two million instructions, took six */

static rwa_status fail_at(const struct msccl_program *p, const xmlNode *at, const char *name, const char *says)
{
    assert(at);
    return import_fail(p->im, xml_line(at), "<%s %s>: %s", (const char *)at->name, name, says);
}

/** A whole number from -1 to most, -1 as MSCCL_NONE. */
static rwa_status number(const struct msccl_program *p, const xmlNode *at, const char *name, uint32_t most, uint32_t *out)
{
    assert(at);
    const char *text = xml_attribute_text(at, name);
    char *end = NULL;
    long long value = text ? strtoll(text, &end, 10) : 0;
    bool sound = text && end != text && *end == '\0' && value >= -1 && value <= (long long)most;
    *out = value < 0 ? MSCCL_NONE : (uint32_t)value;
    if (sound)
        return RWA_OK;
    return import_fail(p->im, xml_line(at), "<%s %s>: expected a whole number up to %" PRIu32, (const char *)at->name, name, most);
}

static rwa_status natural(const struct msccl_program *p, const xmlNode *at, const char *name, uint32_t most, uint32_t *out)
{
    rwa_status st = number(p, at, name, most, out);
    return st == RWA_OK && *out == MSCCL_NONE ? fail_at(p, at, name, "expected a number that is not negative") : st;
}

static bool is_attribute(const xmlNode *at, const char *name, const char *value)
{
    const char *text = xml_attribute_text(at, name);
    return text && strcmp(text, value) == 0;
}

/* ---- instructions ---- */

/** The block a buffer's place stands for. */
static rwa_status block_at(const struct msccl_program *p, const xmlNode *at, uint32_t node, const char *buffer, const char *offset,
                           uint32_t count, uint32_t *block)
{
    bool input = is_attribute(at, buffer, "i");
    uint64_t blocks = p->im->coll.blocks, most = input ? p->chunks : blocks, first = 0;
    if (!input && !is_attribute(at, buffer, "o"))
        return fail_at(p, at, buffer, "expected i or o; programs that use scratch buffers are not read");
    if (input && p->reduction && !p->inplace)
        return fail_at(p, at, buffer, "expected o, or a program with inplace=\"1\": the input is not what reductions change");
    if (input && !p->reduction)
        first = node * p->chunks;
    MUST(natural(p, at, offset, UINT32_MAX - 1, block));
    if ((uint64_t)*block + count > most)
        return import_fail(p->im, xml_line(at), "<step %s>: %" PRIu32 " and %" PRIu32 " chunks from there, the buffer has %" PRIu64, offset,
                           *block, count, most);
    *block += (uint32_t)first;
    return RWA_OK;
}

static rwa_status read_copy(const struct msccl_program *p, const xmlNode *at, uint32_t node, uint32_t count)
{
    uint32_t from = 0, to = 0;
    if (p->reduction && !p->inplace && is_attribute(at, "srcbuf", "i"))
        MUST(natural(p, at, "srcoff", UINT32_MAX - 1, &from));
    else
        MUST(block_at(p, at, node, "srcbuf", "srcoff", count, &from));
    MUST(block_at(p, at, node, "dstbuf", "dstoff", count, &to));
    if (from != to)
        return fail_at(p, at, "dstoff", "expected the place of the same chunk: chunks that change places are not read");
    return RWA_OK;
}

static const struct {
    const char *name;
    bool receives, sends, reduces;
} types[] = {{"s", false, true, false}, {"r", true, false, false}, {"rcs", true, true, false}, {"rrc", true, false, true},
             {"rrs", true, true, true}, {"rrcs", true, true, true}, {"cpy", false, false, false}, {"nop", false, false, false}};
enum { TYPES = sizeof types / sizeof *types };

static rwa_status read_type(const struct msccl_program *p, const xmlNode *at, struct msccl_step *s)
{
    for (size_t i = 0; i < TYPES; i++)
        if (is_attribute(at, "type", types[i].name)) {
            s->receives = types[i].receives;
            s->sends = types[i].sends;
            s->reduces = types[i].reduces;
            if (s->reduces && !p->reduction)
                return fail_at(p, at, "type", "a reduction in an all-gather, expected s, r, rcs, cpy or nop");
            if ((s->receives && s->from == MSCCL_NONE) || (s->sends && s->to == MSCCL_NONE))
                return fail_at(p, at, "type", s->receives && s->from == MSCCL_NONE ? "its thread block has no recv"
                                                                                  : "its thread block has no send");
            return RWA_OK;
        }
    return fail_at(p, at, "type", "expected s, r, rcs, rrc, rrs, rrcs, cpy or nop");
}

/** Reads the place in which a node adds or stores received data.  rrs passes the sum on without keeping it; here it is kept, until
 *  the data that comes back replaces it. */
static rwa_status read_place(const struct msccl_program *p, const xmlNode *at, struct msccl_step *s)
{
    uint32_t added = 0;
    if (is_attribute(at, "type", "rrs"))
        return block_at(p, at, s->node, "srcbuf", "srcoff", s->count, &s->in);
    MUST(block_at(p, at, s->node, "dstbuf", "dstoff", s->count, &s->in));
    if (s->reduces)
        MUST(block_at(p, at, s->node, "srcbuf", "srcoff", s->count, &added));
    if (s->reduces && added != s->in)
        return fail_at(p, at, "dstoff", "expected the place of the chunk that is added: chunks that change places are not read");
    return RWA_OK;
}

/** An act of a thread block waits for the one before it. */
static rwa_status add_act(struct msccl_program *p, const struct msccl_step *s, struct import_act act)
{
    struct import_program *g = &p->program;
    if (s->place > 0 || g->count > s->first)
        MUST(acts_wait(g, g->count - 1, g->count));
    act.node = s->node;
    act.channel = s->chan;
    act.count = s->count;
    act.place = s->line;
    return base_append(g->acts, g->count, g->capacity, p->im->err, act);
}

static rwa_status add_step(struct msccl_program *p, struct msccl_step s)
{
    s.first = p->program.count;
    if (s.receives)
        MUST(add_act(p, &s, (struct import_act){.kind = ACT_RECEIVE, .src = s.from, .dst = s.node, .block = s.in, .reduces = s.reduces}));
    if (s.sends)
        MUST(add_act(p, &s, (struct import_act){.kind = ACT_SEND, .src = s.node, .dst = s.to, .block = s.out}));
    if (!s.receives && !s.sends)
        MUST(add_act(p, &s, (struct import_act){.kind = ACT_NONE}));
    s.last = p->program.count - 1;
    return base_append(p->list, p->count, p->capacity, p->im->err, s);
}

static rwa_status read_step(struct msccl_program *p, const xmlNode *at, const struct msccl_step *thread)
{
    struct msccl_step s = *thread;
    uint32_t place = 0, most = UINT32_MAX - 1;
    s.line = xml_line(at);
    MUST(natural(p, at, "s", most, &place));
    if (place != s.place)
        MUST(import_fail(p->im, s.line, "<step s>: %" PRIu32 ", expected %" PRIu32 ", in order from 0", place, s.place));
    MUST(read_type(p, at, &s));
    MUST(natural(p, at, "cnt", most, &s.count));
    if ((s.receives || s.sends) && s.count == 0)
        MUST(fail_at(p, at, "cnt", "expected at least one chunk"));
    if (s.receives)
        MUST(read_place(p, at, &s));
    s.out = s.in;
    if (s.sends && !s.receives)
        MUST(block_at(p, at, s.node, "srcbuf", "srcoff", s.count, &s.out));
    if (is_attribute(at, "type", "cpy"))
        MUST(read_copy(p, at, s.node, s.count));
    MUST(number(p, at, "depid", most, &s.awaits_thread));
    if (s.awaits_thread != MSCCL_NONE)
        MUST(natural(p, at, "deps", most, &s.awaits_place));
    return add_step(p, s);
}

/* ---- nodes ---- */

static rwa_status read_thread(struct msccl_program *p, const xmlNode *at, uint32_t node, uint32_t thread)
{
    struct msccl_step s = {.node = node, .thread = thread};
    uint32_t id = 0, nodes = rwa_network_nodes(p->im->net);
    MUST(natural(p, at, "id", UINT32_MAX - 1, &id));
    if (id != thread)
        MUST(import_fail(p->im, xml_line(at), "<tb id>: %" PRIu32 ", expected %" PRIu32 ", in order from 0", id, thread));
    MUST(number(p, at, "send", nodes - 1, &s.to));
    MUST(number(p, at, "recv", nodes - 1, &s.from));
    MUST(natural(p, at, "chan", UINT32_MAX - 1, &s.chan));
    if (s.to == node || s.from == node)
        MUST(fail_at(p, at, s.to == node ? "send" : "recv", "its own node, expected another one"));
    for (const xmlNode *child = at->children; child; child = child->next)
        if (xml_is(child, "step")) {
            MUST(read_step(p, child, &s));
            s.place++;
        }
    return RWA_OK;
}

static rwa_status read_node(struct msccl_program *p, const xmlNode *at, uint32_t node)
{
    uint32_t thread = 0, id = 0, input = 0, output = 0;
    MUST(natural(p, at, "id", UINT32_MAX - 1, &id));
    MUST(natural(p, at, "i_chunks", UINT32_MAX - 1, &input));
    MUST(natural(p, at, "o_chunks", UINT32_MAX - 1, &output));
    if (id != node)
        MUST(import_fail(p->im, xml_line(at), "<gpu id>: %" PRIu32 ", expected %" PRIu32 ", in order from 0", id, node));
    if (input != p->chunks && !(p->inplace && input == 0))
        MUST(import_fail(p->im, xml_line(at), "<gpu i_chunks>: %" PRIu32 ", expected %" PRIu64 ", as all nodes have", input, p->chunks));
    if (output != p->im->coll.blocks && !(p->inplace && output == 0))
        MUST(import_fail(p->im, xml_line(at), "<gpu o_chunks>: %" PRIu32 ", expected %" PRIu64, output, p->im->coll.blocks));
    for (const xmlNode *child = at->children; child; child = child->next)
        if (xml_is(child, "tb"))
            MUST(read_thread(p, child, node, thread++));
    return RWA_OK;
}

/** The collective, by the name of the program's and the chunks of its first node. */
static rwa_status read_collective(struct msccl_program *p, const xmlNode *root)
{
    const xmlNode *first = xml_child(root, "gpu");
    uint32_t gpus = 0, nodes = rwa_network_nodes(p->im->net), input = 0, output = 0;
    if (!xml_is(root, "algo"))
        MUST(import_fail(p->im, xml_line(root), "<%.40s>, expected an MSCCL program, <algo>", (const char *)root->name));
    p->reduction = is_attribute(root, "coll", "allreduce");
    p->inplace = is_attribute(root, "inplace", "1");
    if (!p->reduction && !is_attribute(root, "coll", "allgather"))
        MUST(fail_at(p, root, "coll", "expected allgather or allreduce"));
    MUST(natural(p, root, "ngpus", UINT32_MAX - 1, &gpus));
    if (gpus != nodes)
        MUST(import_fail(p->im, xml_line(root), "<algo ngpus>: %" PRIu32 ", the network has %" PRIu32 " nodes", gpus, nodes));
    if (!first)
        MUST(import_fail(p->im, xml_line(root), "no <gpu>, expected %" PRIu32, gpus));
    MUST(natural(p, first, "i_chunks", UINT32_MAX - 1, &input));
    MUST(natural(p, first, "o_chunks", UINT32_MAX - 1, &output));
    assert(nodes > 0);
    p->chunks = input ? input : p->reduction ? output : output / nodes; /* in place, one of them may be left out */
    uint64_t blocks = p->reduction ? p->chunks : p->chunks * nodes;
    if (blocks == 0 || blocks > UINT32_MAX)
        MUST(import_fail(p->im, xml_line(first), "<gpu>: %" PRIu64 " chunks in all, expected 1 to 2^32 - 1", blocks));
    if (p->im->o.blocks && p->im->o.blocks != blocks)
        MUST(base_fail(p->im->err, RWA_BADARG, "%s: %" PRIu64 " chunks, not the %" PRIu64 " blocks that were asked for", p->im->path,
                       blocks, p->im->o.blocks));
    return import_collective(p->im, p->reduction ? RWA_ALL_REDUCE : RWA_ALL_GATHER, blocks, 0);
}

static rwa_status read_program(struct msccl_program *p, const xmlNode *root)
{
    uint32_t node = 0, nodes = rwa_network_nodes(p->im->net);
    MUST(read_collective(p, root));
    MUST(base_new(p->first, (size_t)nodes + 1, p->im->err));
    for (const xmlNode *child = root->children; child; child = child->next) {
        if (!xml_is(child, "gpu"))
            continue;
        if (node == nodes)
            MUST(import_fail(p->im, xml_line(child), "<gpu>: one more than the %" PRIu32 " of ngpus", nodes));
        MUST(read_node(p, child, node++));
        p->first[node] = p->count;
    }
    if (node < nodes)
        return import_fail(p->im, xml_line(root), "%" PRIu32 " <gpu>, expected %" PRIu32, node, nodes);
    return RWA_OK;
}

/* ---- when ---- */

static int by_thread(const void *key, const void *entry)
{
    const struct msccl_step *k = key, *s = entry;
    ASCENDING(k->awaits_thread, s->thread);
    return (k->awaits_place > s->place) - (k->awaits_place < s->place);
}

/** Instructions that another one of their node waits for. */
static rwa_status add_waits(struct msccl_program *p)
{
    for (const struct msccl_step *s = p->list; s < p->list + p->count; s++) {
        size_t from = p->first[s->node], to = p->first[s->node + 1];
        if (s->awaits_thread == MSCCL_NONE)
            continue;
        const struct msccl_step *at = bsearch(s, p->list + from, to - from, sizeof *s, by_thread);
        if (!at)
            return import_fail(p->im, s->line, "waits for step %" PRIu32 " of thread block %" PRIu32 ", which node %" PRIu32 " has not",
                               s->awaits_place, s->awaits_thread, s->node);
        MUST(acts_wait(&p->program, at->last, s->first));
    }
    return RWA_OK;
}

static rwa_status join(struct import_program *g, size_t send, size_t receive)
{
    const struct import_act *s = &g->acts[send], *r = &g->acts[receive];
    if (s->count != r->count)
        return acts_fail(g, r, "receives %" PRIu64 " chunks, node %" PRIu32 " sends %" PRIu64 " (line %zu)", r->count, s->node, s->count,
                            s->place);
    if (s->block != r->block)
        return acts_fail(g, r, "stores as chunk %" PRIu64 " what node %" PRIu32 " sends as chunk %" PRIu64 " (line %zu): chunks that "
                            "change places are not read", r->block, s->node, s->block, s->place);
    return RWA_OK;
}

static rwa_status read_msccl(struct import *im)
{
    struct msccl_program p = {.im = im, .program = {.im = im, .channel_name = "on channel", .join = join}};
    xmlDoc *document = NULL;
    rwa_status st = RWA_OK;
    TRY(base_fits_memory((double)im->length * TREE_BYTES, "this program", im->err));
    TRY(xml_open(&document, im->text, im->length, im->path, im->err));
    TRY(read_program(&p, xmlDocGetRootElement(document)));
    TRY(acts_pair(&p.program));
    TRY(add_waits(&p));
    TRY(acts_settle(&p.program));
    TRY(acts_add(&p.program));
done:
    xmlFreeDoc(document);
    free_all(p.list, p.first);
    acts_free(&p.program);
    return st;
}

const struct import_format import_msccl = {"msccl", "an MSCCL program (XML) of an all-gather or all-reduce", "<", NULL, read_msccl};
