/* SPDX-License-Identifier: GPL-3.0-or-later */
/** MSCCL programs (XML): all-gathers and all-reduces in input and output buffers.  A program has no steps: its thread
 * blocks run side by side, each in order, and wait for each other. */
#include "foreign/import_program.h"
#include "network/files/xml.h"

/* The largest number of chunks, instructions, channels …: one more is IMPORT_NONE. */
#define MOST (UINT32_MAX - 1)

/** An instruction. */
struct msccl_step {
    uint32_t node, thread, place;   /* place: in its thread block, from 0 */
    uint32_t from, to, channel;     /* peers of its thread block; IMPORT_NONE: none */
    uint32_t block, count;          /* the blocks that are sent, stored or both */
    size_t first, line;             /* first: the first act of its thread block */
};

struct msccl_program {
    struct import *im;
    bool reduction, inplace;
    uint64_t chunks;                /* blocks of a node's input */
};

static rwa_status fail_at(const struct msccl_program *p, const xmlNode *at, const char *name, const char *says)
{
    return import_fail(p->im, xml_line(at), "<%s %s>: %s", (const char *)at->name, name, says);
}

static bool is_attribute(const xmlNode *at, const char *name, const char *value)
{
    const char *text = xml_attribute_text(at, name);
    return text && strcmp(text, value) == 0;
}

/* ---- instructions ---- */

/** Set *block to the first block that instruction `at` reads from or writes to a buffer.  The attribute named by
 *  `buffer` gives the buffer, i or o; the attribute named by `offset` gives the chunk in it.  RWA_FORMAT: the chunks
 *  cannot be read or written there. */
static rwa_status block_at(const struct msccl_program *p, const xmlNode *at, const struct msccl_step *s,
                           const char *buffer, const char *offset, uint32_t *block)
{
    bool input = is_attribute(at, buffer, "i"), copied = is_attribute(at, "type", "cpy") && buffer[0] == 's';
    uint64_t most = input ? p->chunks : p->im->coll.blocks;
    if (!input && !is_attribute(at, buffer, "o"))
        return fail_at(p, at, buffer, "expected i or o; programs that use scratch buffers are not read");
    if (input && p->reduction && !p->inplace && !copied)
        return fail_at(p, at, buffer,
                       "expected o, or a program with inplace=\"1\": the input is not what reductions change");
    MUST(import_numbers(p->im, at, {offset, 0, MOST, block}));
    if ((uint64_t)*block + s->count > most)
        return import_fail(p->im, xml_line(at),
                           "<step %s>: %u and %u chunks from there, the buffer has %" PRIu64, offset,
                           *block, s->count, most);
    *block += input && !p->reduction ? (uint32_t)(s->node * p->chunks) : 0;
    return RWA_OK;
}

/** The types of instructions, which MSCCL calls steps.  If a step reads one place and stores in one, the two places
 *  must be the same. */
static const struct step_type {
    const char *name;
    bool receives, sends, reduces;
    bool source, target; /* the places that it names; rrs passes the sum on without storing it; the reader stores it
                            until the data that comes back replaces it */
} types[] = {{"s", false, true, false, true, false},   {"r", true, false, false, false, true},
             {"rcs", true, true, false, false, true},  {"rrc", true, false, true, true, true},
             {"rrs", true, true, true, true, false},   {"rrcs", true, true, true, true, true},
             {"cpy", false, false, false, true, true}, {"nop", false, false, false, false, false}};
enum { TYPES = sizeof types / sizeof *types };

static rwa_status find_type(const struct msccl_program *p, const xmlNode *at, const struct msccl_step *s,
                            const struct step_type **type)
{
    size_t i = 0;
    while (i < TYPES && !is_attribute(at, "type", types[i].name))
        i++;
    *type = &types[i];
    if (i == TYPES)
        return fail_at(p, at, "type", "expected s, r, rcs, rrc, rrs, rrcs, cpy or nop");
    if (types[i].reduces && !p->reduction)
        return fail_at(p, at, "type", "a reduction in an all-gather, expected s, r, rcs, cpy or nop");
    if (types[i].receives && s->from == IMPORT_NONE)
        return fail_at(p, at, "type", "its thread block has no recv");
    return types[i].sends && s->to == IMPORT_NONE ? fail_at(p, at, "type", "its thread block has no send") : RWA_OK;
}

static rwa_status read_places(const struct msccl_program *p, const xmlNode *at, struct msccl_step *s,
                              const struct step_type *type)
{
    uint32_t source = 0, target = 0;
    if (type->source)
        MUST(block_at(p, at, s, "srcbuf", "srcoff", &source));
    if (type->target)
        MUST(block_at(p, at, s, "dstbuf", "dstoff", &target));
    s->block = type->target ? target : source;
    if (!type->source || !type->target || source == target)
        return RWA_OK;
    return fail_at(p, at, "dstoff", type->reduces
                   ? "expected the place of the chunk that is added: chunks that change places are not read"
                   : "expected the place of the same chunk: chunks that change places are not read");
}

/** Append an act of this kind (struct import_act) for instruction s.  The act waits for the act before it in its thread
 *  block.  reduces: the act adds the data that it receives to a value */
static rwa_status add_act(struct import *im, const struct msccl_step *s, enum act_kind kind, bool reduces)
{
    bool sends = kind == ACT_SEND;
    if (im->act_count > s->first)
        MUST(acts_wait(im, im->act_count - 1, im->act_count));
    struct import_act act = {.kind = kind, .reduces = reduces, .node = s->node, .src = sends ? s->node : s->from,
                             .dst = sends ? s->to : s->node, .channel = s->channel, .block = s->block,
                             .count = s->count, .bytes = ACT_UNKNOWN, .place = s->line};
    return acts_append(im, &act, s->thread, s->place);
}

static rwa_status read_step(const struct msccl_program *p, const xmlNode *at, struct msccl_step *s)
{
    const struct step_type *type = NULL;
    uint32_t place = 0, thread = 0;
    s->line = xml_line(at);
    MUST(import_numbers(p->im, at, {"s", s->place, s->place, &place}, {"cnt", 0, MOST, &s->count},
                        {"depid", -1, MOST, &thread}));
    MUST(find_type(p, at, s, &type));
    if ((type->receives || type->sends) && s->count == 0)
        return fail_at(p, at, "cnt", "expected at least one chunk");
    MUST(read_places(p, at, s, type));
    if (thread != IMPORT_NONE) {
        MUST(import_numbers(p->im, at, {"deps", 0, MOST, &place}));
        MUST(acts_await(p->im, s->node, thread, place));
    }
    if (type->receives)
        MUST(add_act(p->im, s, ACT_RECEIVE, type->reduces));
    return type->sends || !type->receives ? add_act(p->im, s, type->sends ? ACT_SEND : ACT_NONE, false) : RWA_OK;
}

/* ---- nodes ---- */

static rwa_status read_thread(struct msccl_program *p, const xmlNode *at, uint32_t node, uint32_t thread)
{
    struct msccl_step s = {.node = node, .thread = thread, .first = p->im->act_count};
    uint32_t id = 0, last = p->im->nodes - 1;
    MUST(import_numbers(p->im, at, {"id", thread, thread, &id}, {"send", -1, last, &s.to}, {"recv", -1, last, &s.from},
                        {"chan", 0, MOST, &s.channel}));
    if (s.to == node || s.from == node)
        return fail_at(p, at, s.to == node ? "send" : "recv", "its own node, expected another one");
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
    MUST(import_numbers(p->im, at, {"id", node, node, &id}, {"i_chunks", 0, MOST, &input},
                        {"o_chunks", 0, MOST, &output}));
    if (input != p->chunks && !(p->inplace && input == 0))
        return import_fail(p->im, xml_line(at), "<gpu i_chunks>: %u, expected %" PRIu64 ", as all nodes have",
                           input, p->chunks);
    if (output != p->im->coll.blocks && !(p->inplace && output == 0))
        return import_fail(p->im, xml_line(at), "<gpu o_chunks>: %u, expected %" PRIu64, output,
                           p->im->coll.blocks);
    for (const xmlNode *child = at->children; child; child = child->next)
        if (xml_is(child, "tb"))
            MUST(read_thread(p, child, node, thread++));
    return RWA_OK;
}

/** Set the collective of the import and its chunks by the name in the program, whose XML element is `root`, and by the
 *  chunks of its first node. */
static rwa_status read_collective(struct msccl_program *p, const xmlNode *root)
{
    struct import *im = p->im;
    const xmlNode *first = xml_child(root, "gpu");
    uint32_t gpus = 0, nodes = im->nodes, input = 0, output = 0;
    if (!xml_is(root, "algo"))
        return import_fail(im, xml_line(root), "<%.40s>, expected an MSCCL program, <algo>", (const char *)root->name);
    p->reduction = is_attribute(root, "coll", "allreduce");
    p->inplace = is_attribute(root, "inplace", "1");
    if (!p->reduction && !is_attribute(root, "coll", "allgather"))
        return fail_at(p, root, "coll", "expected allgather or allreduce");
    MUST(import_numbers(im, root, {"ngpus", nodes, nodes, &gpus}));
    if (!first)
        return import_fail(im, xml_line(root), "no <gpu>, expected %u", gpus);
    MUST(import_numbers(im, first, {"i_chunks", 0, MOST, &input}, {"o_chunks", 0, MOST, &output}));
    p->chunks = input ? input : p->reduction ? output : output / nodes; /* a program in place may leave out one of
                                                                           them */
    uint64_t blocks = p->reduction ? p->chunks : p->chunks * nodes;
    if (blocks == 0 || blocks > UINT32_MAX)
        return import_fail(im, xml_line(first), "<gpu>: %" PRIu64 " chunks in all, expected 1 to 2^32 - 1", blocks);
    if (im->o.blocks && im->o.blocks != blocks)
        return base_refuse(im->err, "%s: %" PRIu64 " chunks, not the %" PRIu64 " blocks that were asked for", im->path,
                           blocks, im->o.blocks);
    return import_collective(im, p->reduction ? RWA_ALL_REDUCE : RWA_ALL_GATHER, blocks, 0);
}

static rwa_status read_program(struct msccl_program *p, const xmlNode *root)
{
    uint32_t node = 0, nodes = p->im->nodes;
    MUST(read_collective(p, root));
    for (const xmlNode *child = root->children; child; child = child->next) {
        if (!xml_is(child, "gpu"))
            continue;
        if (node == nodes)
            return import_fail(p->im, xml_line(child), "<gpu>: one more than the %u of ngpus", nodes);
        MUST(read_node(p, child, node++));
    }
    if (node < nodes)
        return import_fail(p->im, xml_line(root), "%u <gpu>, expected %u", node, nodes);
    return RWA_OK;
}

static rwa_status read_msccl(struct import *im)
{
    struct msccl_program p = {.im = im};
    MUST(read_program(&p, xmlDocGetRootElement(im->xml)));
    MUST(acts_pair(im));
    MUST(acts_settle(im));
    return acts_add(im);
}

const struct import_format import_msccl = {"msccl", "<", NULL, read_msccl};
