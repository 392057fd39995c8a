/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "network/files/formats.h"

#include "network/files/xml.h"

struct graphml_reading {
    const char *file;
    struct names ids;
    rwa_error *err;
};

static rwa_status bad_element(const struct graphml_reading *r, const xmlNode *node, const char *expected)
{
    return base_fail(r->err, RWA_FORMAT, "%s:%zu: <%s>: expected %s", r->file, xml_line(node), (const char *)node->name,
                     expected);
}

static rwa_status check_node(struct graphml_reading *r, const xmlNode *node)
{
    const char *id = xml_attribute_text(node, "id");
    uint32_t number = 0;
    bool known = false;
    if (!id || !*id)
        return bad_element(r, node, "an id");
    if (xml_child(node, "graph"))
        return bad_element(r, node, "no graph inside a node");
    MUST(names_add(&r->ids, id, &number, &known, r->err));
    return known ? base_fail(r->err, RWA_FORMAT, "%s:%zu: node \"%.64s\" comes twice, expected each id once", r->file,
                             xml_line(node), id) : RWA_OK;
}

static rwa_status check_end(const struct graphml_reading *r, const xmlNode *edge, const char *end)
{
    const char *id = xml_attribute_text(edge, end);
    if (!id)
        return bad_element(r, edge, "a source and a target");
    if (names_find(&r->ids, id) != NAMES_NONE)
        return RWA_OK;
    return base_fail(r->err, RWA_FORMAT, "%s:%zu: node \"%.64s\" is unknown, expected one of the file's nodes", r->file,
                     xml_line(edge), id);
}

static rwa_status check_edge(const struct graphml_reading *r, const xmlNode *edge, const char *directed)
{
    const char *own = xml_attribute_text(edge, "directed");
    MUST(check_end(r, edge, "source"));
    MUST(check_end(r, edge, "target"));
    return own && strcmp(own, directed) != 0 ? bad_element(r, edge, "the direction that edgedefault says") : RWA_OK;
}

static rwa_status check_graph(struct graphml_reading *r, const xmlNode *graph)
{
    const char *kind = xml_attribute_text(graph, "edgedefault");
    bool directed = kind && strcmp(kind, "directed") == 0;
    if (!kind || (!directed && strcmp(kind, "undirected") != 0))
        return bad_element(r, graph, "edgedefault=\"directed\" or \"undirected\"");
    for (const xmlNode *node = graph->children; node; node = node->next)
        if (xml_is(node, "node"))
            MUST(check_node(r, node));
    for (const xmlNode *node = graph->children; node; node = node->next) {
        if (xml_is(node, "hyperedge"))
            return bad_element(r, node, "edges between two nodes");
        if (xml_is(node, "graph"))
            return bad_element(r, node, "no graph inside a graph");
        if (xml_is(node, "edge"))
            MUST(check_edge(r, node, directed ? "true" : "false"));
    }
    return RWA_OK;
}

rwa_status graphml_check(const char *text, size_t length, const char *file, rwa_error *err)
{
    struct graphml_reading r = {.file = file, .err = err};
    xmlDoc *doc = NULL;
    rwa_status st = RWA_OK;
    TRY(xml_open(&doc, text, length, file, err));
    const xmlNode *root = xmlDocGetRootElement(doc), *graph = xml_child(root, "graph");
    if (!xml_is(root, "graphml"))
        TRY(bad_element(&r, root, "the root element <graphml>"));
    if (!graph)
        TRY(bad_element(&r, root, "a <graph>"));
    assert(graph);
    for (const xmlNode *other = graph->next; other; other = other->next)
        if (xml_is(other, "graph"))
            TRY(bad_element(&r, other, "one graph in the file"));
    TRY(check_graph(&r, graph));
done:
    names_free(&r.ids);
    xmlFreeDoc(doc);
    return st;
}
