/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Spanning trees of ForestColl (XML): a <tree root nchunks> for each part of a node's blocks, with a <send src dst> for each of its
 * edges.  A send takes the step of its depth in the tree.  Nodes have the names of the file's roots, in the order of the file.
 */
#include "base/names.h"
#include "foreign/import.h"
#include "network/files/xml.h"

struct tree {
    uint32_t root, chunks;
    const xmlNode *at;
};

struct trees {
    struct import *im;
    struct names names;
    struct tree *list;
    size_t count, capacity;
    uint32_t *depth;        /* of each node in the tree in work; UINT32_MAX: not reached */
};

static rwa_status take_root(struct trees *t, const xmlNode *at)
{
    const char *root = xml_attribute_text(at, "root"), *chunks = xml_attribute_text(at, "nchunks");
    char *end = NULL;
    unsigned long long count = chunks ? strtoull(chunks, &end, 10) : 0;
    uint32_t number = 0;
    bool known = false;
    if (!root || !*root)
        return import_fail(t->im, xml_line(at), "<tree root>: expected the name of a node");
    if (!chunks || end == chunks || *end || chunks[0] == '-' || count < 1 || count > 1u << 20)
        return import_fail(t->im, xml_line(at), "<tree nchunks>: expected a number from 1 to %u", 1u << 20);
    MUST(names_add(&t->names, root, &number, &known, t->im->err));
    return base_append(t->list, t->count, t->capacity, t->im->err, (struct tree){number, (uint32_t)count, at});
}

/** All trees below an element, however deep. */
static rwa_status find_trees(struct trees *t, const xmlNode *root)
{
    if (xml_is(root, "tree"))
        return take_root(t, root);
    for (const xmlNode *child = root->children; child; child = child->next)
        if (xml_is(child, "tree"))
            MUST(take_root(t, child));
    return RWA_OK;
}

static rwa_status end_of(const struct trees *t, const xmlNode *at, const char *name, uint32_t *node)
{
    const char *text = xml_attribute_text(at, name);
    *node = text ? names_find(&t->names, text) : NAMES_NONE;
    if (*node != NAMES_NONE)
        return RWA_OK;
    return import_fail(t->im, xml_line(at), "<send %s>: \"%.40s\" is the root of no tree, expected a node that has blocks", name,
                       text ? text : "");
}

static rwa_status add_send(struct trees *t, const xmlNode *at, uint64_t first, uint32_t chunks)
{
    uint32_t src = 0, dst = 0;
    MUST(end_of(t, at, "src", &src));
    MUST(end_of(t, at, "dst", &dst));
    if (src == dst || t->depth[src] == UINT32_MAX || t->depth[dst] != UINT32_MAX)
        MUST(import_fail(t->im, xml_line(at), "<send>: expected a way from a node that the tree has reached to one that it has not"));
    t->depth[dst] = t->depth[src] + 1;
    assert(t->depth[dst] < rwa_network_nodes(t->im->net));
    for (uint32_t k = 0; k < chunks; k++) {
        rwa_transfer transfer = {.step = t->depth[dst], .src = src, .dst = dst, .block = first + k};
        MUST(import_add(t->im, &transfer));
    }
    return RWA_OK;
}

/** The chunks of every node, which must be as many. */
static rwa_status count_chunks(struct trees *t, uint32_t *chunks)
{
    uint32_t nodes = rwa_network_nodes(t->im->net);
    uint64_t *each = base_array(nodes, sizeof *each, t->im->err);
    MUST(each ? RWA_OK : RWA_NOMEM);
    for (size_t i = 0; i < t->count; i++)
        each[t->list[i].root] += t->list[i].chunks;
    rwa_status st = RWA_OK;
    for (uint32_t v = 1; v < nodes && st == RWA_OK; v++)
        if (each[v] != each[0])
            st = import_fail(t->im, 1, "%" PRIu64 " chunks of node %" PRIu32 " and %" PRIu64 " of node 0, expected as many of each",
                             each[v], v, each[0]);
    *chunks = each[0] < UINT32_MAX ? (uint32_t)each[0] : 0;
    free(each);
    return st;
}

static rwa_status add_trees(struct trees *t, uint32_t chunks)
{
    uint32_t nodes = rwa_network_nodes(t->im->net);
    uint32_t *used = base_array(nodes, sizeof *used, t->im->err);
    rwa_status st = used ? RWA_OK : RWA_NOMEM;
    t->depth = base_array(nodes, sizeof *t->depth, t->im->err);
    if (!used || !t->depth)
        goto done;
    for (size_t i = 0; i < t->count; i++) {
        const struct tree *tree = &t->list[i];
        uint64_t first = (uint64_t)tree->root * chunks + used[tree->root];
        for (uint32_t v = 0; v < nodes; v++)
            t->depth[v] = v == tree->root ? 0 : UINT32_MAX;
        for (const xmlNode *child = tree->at->children; child; child = child->next)
            if (xml_is(child, "send"))
                TRY(add_send(t, child, first, tree->chunks));
        used[tree->root] += tree->chunks;
    }
    if (t->im->count == 0)
        st = import_fail(t->im, 1, "nothing is sent");
done:
    free(used);
    return st;
}

static rwa_status read_trees(struct import *im)
{
    struct trees t = {.im = im};
    xmlDoc *document = NULL;
    uint32_t chunks = 0, nodes = rwa_network_nodes(im->net);
    rwa_status st = RWA_OK;
    TRY(xml_open(&document, im->text, im->length, im->path, im->err));
    TRY(find_trees(&t, xmlDocGetRootElement(document)));
    if (t.names.count != nodes)
        TRY(import_fail(im, 1, "trees of %" PRIu32 " nodes, the network has %" PRIu32, t.names.count, nodes));
    TRY(count_chunks(&t, &chunks));
    TRY(import_collective(im, RWA_ALL_GATHER, (uint64_t)chunks * nodes, 0));
    TRY(add_trees(&t, chunks));
done:
    xmlFreeDoc(document);
    names_free(&t.names);
    free_all(t.list, t.depth);
    return st;
}

const struct import_format import_forestcoll = {
    "forestcoll", "spanning trees of ForestColl (XML) of an all-gather", "<", "<tree ", read_trees};
