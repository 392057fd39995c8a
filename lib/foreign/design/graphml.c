/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * GraphML that igraph, networkx and rwa read: nodes with a label; edges with length, fibres, the wavelengths reserved
 * on all of their fibres, and risk groups.  Networks of one hop are drawn as they are built: every node joined to a
 * coupler or to each switch.
 */
#include "foreign/design/design.h"

static bool has_lengths(const rwa_network *net)
{
    uint32_t directed = 0;
    for (uint32_t i = 0; i < design_links(net); i++)
        if (design_link(&directed, net, i).length_km > 0)
            return true;
    return false;
}

static void add_head(struct text *t, const rwa_network *net, bool lengths, bool reserved)
{
    bool directed = !network_is_one_hop(net) && !rwa_network_is_paired(net);
    text_add(t,
             "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n"
             "  <key id=\"kind\" for=\"graph\" attr.name=\"kind\" attr.type=\"string\"/>\n"
             "  <key id=\"wavelengths\" for=\"graph\" attr.name=\"wavelengths\" attr.type=\"int\"/>\n"
             "  <key id=\"label\" for=\"node\" attr.name=\"label\" attr.type=\"string\"/>\n"
             "  <key id=\"fibers\" for=\"edge\" attr.name=\"fibers\" attr.type=\"int\"/>\n");
    if (network_known_positions(net) > 0)
        text_add(t, "  <key id=\"x\" for=\"node\" attr.name=\"x\" attr.type=\"double\"/>\n"
                 "  <key id=\"y\" for=\"node\" attr.name=\"y\" attr.type=\"double\"/>\n");
    if (lengths)
        text_add(t, "  <key id=\"km\" for=\"edge\" attr.name=\"km\" attr.type=\"double\"/>\n");
    if (rwa_network_risk_groups(net))
        text_add(t, "  <key id=\"risk_groups\" for=\"edge\" attr.name=\"risk_groups\" attr.type=\"string\"/>\n");
    if (reserved)
        text_add(t, "  <key id=\"reserved\" for=\"edge\" attr.name=\"reserved\" attr.type=\"string\"/>\n");
    text_add(t, "  <graph id=\"network\" edgedefault=\"%s\">\n    <data key=\"kind\">%s</data>\n"
             "    <data key=\"wavelengths\">%u</data>\n", directed ? "directed" : "undirected",
             rwa_topology_name(rwa_network_topology(net)), rwa_network_wavelengths(net));
}

/** Add a node with its label and, unless `at` is NULL, its position. */
static void add_node(struct text *t, uint32_t node, const char *label, const rwa_position *at)
{
    text_add(t, "    <node id=\"n%u\"><data key=\"label\">", node);
    text_add_xml(t, label);
    text_add(t, "</data>");
    if (at)
        text_add(t, "<data key=\"x\">%.15g</data><data key=\"y\">%.15g</data>", at->x, at->y);
    text_add(t, "</node>\n");
}

/** Add the wavelengths that are reserved on all fibres of a link, as "0,3,8".  fibers: the number of its fibres.
 *  RWA_BADARG: a wavelength is reserved on some of them only. */
static rwa_status add_reserved(struct text *t, const rwa_network *net, uint32_t link, uint32_t fibers)
{
    uint32_t found = 0;
    for (uint32_t w = 0; w < rwa_network_wavelengths(net); w++) {
        uint32_t count = 0;
        for (uint32_t f = 0; f < fibers; f++)
            count += rwa_network_is_reserved(net, link, f, w) != 0;
        if (count > 0 && count < fibers)
            return base_refuse(t->err,
                               "graphml: wavelength %u of link %u is reserved on %u"
                               " of its %u fibres, expected all, or json",
                               w, link, count, fibers);
        if (count > 0)
            text_add(t, "%s%u", found++ ? "," : "<data key=\"reserved\">", w);
    }
    text_add(t, "%s", found ? "</data>" : "");
    return t->status;
}

/** Add the numbers of the risk groups to which a link belongs, as "0,3". */
static void add_risks(struct text *t, const rwa_network *net, uint32_t link)
{
    const char *before = "<data key=\"risk_groups\">";
    for (size_t g = 0; g < rwa_network_risk_groups(net); g++) {
        const uint32_t *links = NULL;
        size_t count = rwa_network_risk_group(&links, net, g);
        if (!bsearch(&link, links, count, sizeof link, order_uint32))
            continue;
        text_add(t, "%s%zu", before, g);
        before = ",";
    }
    text_add(t, "%s", before[1] ? "" : "</data>");
}

static rwa_status add_edges(struct text *t, const rwa_network *net, bool lengths, bool reserved)
{
    for (uint32_t i = 0; i < design_links(net); i++) {
        uint32_t directed = 0;
        rwa_link link = design_link(&directed, net, i);
        text_add(t, "    <edge source=\"n%u\" target=\"n%u\"><data key=\"fibers\">%u</data>",
                 link.from, link.to, link.fibers);
        if (lengths)
            text_add(t, "<data key=\"km\">%.17g</data>", link.length_km);
        if (reserved)
            MUST(add_reserved(t, net, directed, link.fibers));
        add_risks(t, net, directed);
        text_add(t, "</edge>\n");
    }
    return t->status;
}

/** Add the nodes to which every other node is linked: the coupler of a star, the switch of a ron, the switches of an
 *  ocs. */
static void add_hubs(struct text *t, const rwa_network *net)
{
    bool switches = (network_capabilities(net) & NETWORK_SWITCHES) != 0,
         ports = (network_capabilities(net) & NETWORK_PORTS) != 0;
    uint32_t nodes = rwa_network_nodes(net), hubs = switches ? rwa_network_fibers(net) : 1;
    uint32_t fibers = switches ? 1 : ports && rwa_network_ports(net) ? rwa_network_ports(net) : rwa_network_fibers(net);
    for (uint32_t h = 0; h < hubs; h++) {
        char label[24] = "coupler";
        if (switches || ports)
            snprintf(label, sizeof label, "switch %u", h);
        add_node(t, nodes + h, label, NULL);
    }
    for (uint32_t h = 0; h < hubs; h++)
        for (uint32_t v = 0; v < nodes; v++)
            text_add(t, "    <edge source=\"n%u\" target=\"n%u\"><data key=\"fibers\">%u</data></edge>\n", v, nodes + h,
                     fibers);
}

static rwa_status put_graphml(struct text *t, struct export_request *r)
{
    const rwa_network *net = r->net;
    bool hubs = network_is_one_hop(net), lengths = !hubs && has_lengths(net),
         reserved = !hubs && network_has_reserved(net);
    MUST(export_names(r, export_any_name));
    add_head(t, net, lengths, reserved);
    for (uint32_t v = 0; v < rwa_network_nodes(net); v++) {
        rwa_position at;
        bool placed = rwa_network_position(&at, net, v) != 0;
        add_node(t, v, r->names[v], placed ? &at : NULL);
    }
    if (hubs)
        add_hubs(t, net);
    else
        MUST(add_edges(t, net, lengths, reserved));
    text_add(t, "  </graph>\n</graphml>\n");
    return RWA_OK;
}

const struct export_format network_graphml = {"graphml", put_graphml, 0};
