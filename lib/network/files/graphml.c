/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "network/files/formats.h"

#include "network/files/xml.h"

static rwa_status bad_element(struct network_draft *d, const xmlNode *node, const char *expected)
{
    d->line = xml_line(node);
    return draft_fail(d, "<%s>: expected %s", (const char *)node->name, expected);
}

static rwa_status check_node(struct network_draft *d, const xmlNode *node)
{
    const char *id = xml_attribute_text(node, "id");
    if (!id || !*id)
        return bad_element(d, node, "an id");
    if (xml_child(node, "graph"))
        return bad_element(d, node, "no graph inside a node");
    d->line = xml_line(node);
    return draft_add_node(d, id, NULL);
}

static rwa_status check_end(struct network_draft *d, const xmlNode *edge, const char *end)
{
    const char *id = xml_attribute_text(edge, end);
    uint32_t node = 0;
    d->line = xml_line(edge);
    return id ? draft_find_node(d, id, &node) : bad_element(d, edge, "a source and a target");
}

static rwa_status check_edge(struct network_draft *d, const xmlNode *edge, const char *directed)
{
    const char *own = xml_attribute_text(edge, "directed");
    MUST(check_end(d, edge, "source"));
    MUST(check_end(d, edge, "target"));
    return own && strcmp(own, directed) != 0 ? bad_element(d, edge, "the direction that edgedefault says") : RWA_OK;
}

static rwa_status check_graph(struct network_draft *d, const xmlNode *graph)
{
    const char *kind = xml_attribute_text(graph, "edgedefault");
    bool directed = kind && strcmp(kind, "directed") == 0;
    if (!kind || (!directed && strcmp(kind, "undirected") != 0))
        return bad_element(d, graph, "edgedefault=\"directed\" or \"undirected\"");
    for (const xmlNode *node = graph->children; node; node = node->next)
        if (xml_is(node, "node"))
            MUST(check_node(d, node));
    for (const xmlNode *node = graph->children; node; node = node->next) {
        if (xml_is(node, "hyperedge"))
            return bad_element(d, node, "edges between two nodes");
        if (xml_is(node, "graph"))
            return bad_element(d, node, "no graph inside a graph");
        if (xml_is(node, "edge"))
            MUST(check_edge(d, node, directed ? "true" : "false"));
    }
    return RWA_OK;
}

rwa_status graphml_check(const char *text, size_t length, const char *file, rwa_error *err)
{
    struct network_draft seen = {.file = file, .err = err}; /* the nodes; igraph reads the network itself */
    xmlDoc *doc = NULL;
    rwa_status st = RWA_OK;
    TRY(xml_open(&doc, text, length, file, err));
    const xmlNode *root = xmlDocGetRootElement(doc), *graph = xml_child(root, "graph");
    if (!xml_is(root, "graphml"))
        TRY(bad_element(&seen, root, "the root element <graphml>"));
    if (!graph)
        TRY(bad_element(&seen, root, "a <graph>"));
    assert(graph);
    for (const xmlNode *other = graph->next; other; other = other->next)
        if (xml_is(other, "graph"))
            TRY(bad_element(&seen, other, "one graph in the file"));
    TRY(check_graph(&seen, graph));
done:
    draft_free(&seen);
    xmlFreeDoc(doc);
    return st;
}
