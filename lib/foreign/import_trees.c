/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Spanning trees of ForestColl (XML): a <tree root nchunks> for each part of a node's blocks, with a <send src dst> for
 * each of its edges.  A send takes the step of its depth in the tree.  Nodes have the names of the file's roots, in the
 * order of the file.
 */
#include "base/names.h"
#include "foreign/import.h"
#include "network/files/xml.h"

/* The most chunks of a tree. */
enum { CHUNKS_MAX = 1 << 20 };

struct trees {
    struct import *im;
    struct names names;
    uint32_t *depth;        /* of each node in the tree in work; UINT32_MAX: not reached */
    uint64_t *chunks;       /* of each node, in the trees so far */
};

/** Read a tree, the XML element `at`: set *root to the number of its root, and *chunks to the number of the root's
 *  chunks that the tree delivers. */
static rwa_status read_root(struct trees *t, const xmlNode *at, uint32_t *root, uint32_t *chunks)
{
    const char *name = xml_attribute_text(at, "root");
    if (!name || !*name)
        return import_fail(t->im, xml_line(at), "<tree root>: expected the name of a node");
    MUST(import_numbers(t->im, at, {"nchunks", 1, CHUNKS_MAX, chunks}));
    return names_add(&t->names, name, root, t->im->err);
}

static rwa_status read_end(const struct trees *t, const xmlNode *at, const char *name, uint32_t *node)
{
    const char *text = xml_attribute_text(at, name);
    *node = text ? names_find(&t->names, text) : NAMES_NONE;
    if (*node != NAMES_NONE)
        return RWA_OK;
    return import_fail(t->im, xml_line(at),
                       "<send %s>: \"%.40s\" is the root of no tree, expected a node that has blocks", name,
                       text ? text : "");
}

static rwa_status add_send(struct trees *t, const xmlNode *at, uint64_t first, uint32_t chunks)
{
    uint32_t src = 0, dst = 0;
    MUST(read_end(t, at, "src", &src));
    MUST(read_end(t, at, "dst", &dst));
    if (src == dst || t->depth[src] == UINT32_MAX || t->depth[dst] != UINT32_MAX)
        return import_fail(t->im, xml_line(at),
                           "<send>: expected a way from a node that the tree has reached to one that it has not");
    t->depth[dst] = t->depth[src] + 1;
    assert(t->depth[dst] < t->im->nodes);
    t->im->line = xml_line(at);
    for (uint32_t k = 0; k < chunks; k++)
        MUST(import_add(t->im, &(rwa_transfer){.step = t->depth[dst], .src = src, .dst = dst, .block = first + k}));
    return RWA_OK;
}

static rwa_status add_tree(struct trees *t, const xmlNode *at, uint64_t each)
{
    uint32_t root = 0, chunks = 0;
    MUST(read_root(t, at, &root, &chunks));
    for (uint32_t v = 0; v < t->names.count; v++)
        t->depth[v] = v == root ? 0 : UINT32_MAX;
    for (const xmlNode *child = at->children; child; child = child->next)
        if (xml_is(child, "send"))
            MUST(add_send(t, child, root * each + t->chunks[root], chunks));
    t->chunks[root] += chunks;
    return RWA_OK;
}

/** Add up the chunks of each root's trees.  Set *each to the sum, which must be the same for all nodes.  t->chunks is 0
 *  again afterwards. */
static rwa_status count_chunks(struct trees *t, const xmlNode *first, uint64_t *each)
{
    struct import *im = t->im;
    uint32_t root = 0, chunks = 0;
    for (const xmlNode *at = first; at; at = at->next)
        if (xml_is(at, "tree")) {
            MUST(read_root(t, at, &root, &chunks));
            t->chunks[root < im->nodes ? root : 0] += chunks;
        }
    if (t->names.count != im->nodes)
        return import_fail(im, 1, "trees of %u nodes, the network has %u", t->names.count, im->nodes);
    *each = t->chunks[0];
    for (uint32_t v = 0; v < im->nodes; v++) {
        if (t->chunks[v] != *each)
            return import_fail(
                im, 1, "%" PRIu64 " chunks of node %u and %" PRIu64 " of node 0, expected as many of each",
                t->chunks[v], v, *each);
        t->chunks[v] = 0;
    }
    return RWA_OK;
}

static rwa_status read_trees(struct import *im)
{
    struct trees t = {.im = im};
    const xmlNode *root = xmlDocGetRootElement(im->xml), *first = xml_is(root, "tree") ? root : root->children;
    uint64_t each = 0;
    rwa_status st = RWA_OK;
    TRY(arena_arrays(&im->memory, im->nodes, t.depth, t.chunks));
    TRY(count_chunks(&t, first, &each));
    TRY(import_collective(im, RWA_ALL_GATHER, each * im->nodes, 0));
    for (const xmlNode *at = first; at; at = at->next)
        if (xml_is(at, "tree"))
            TRY(add_tree(&t, at, each));
    if (im->count == 0)
        st = import_fail(im, 1, "nothing is sent");
done:
    names_free(&t.names);
    return st;
}

const struct import_format import_forestcoll = {"forestcoll", "<", "<tree ", read_trees};
