/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The project's own JSON of networks (docs/guide/networks.md), with all members that its reader knows. */
#include "foreign/design/design.h"

/** Add a node as its name or, if its position is known, as an object with name and position. */
static void add_node(struct text *t, const rwa_network *net, uint32_t node, const char *name)
{
    rwa_position at;
    bool placed = rwa_network_position(&at, net, node) != 0;
    text_add(t, placed ? "\n  {\"id\": " : "");
    text_add_json(t, name);
    if (placed)
        text_add(t, ", \"x\": %.15g, \"y\": %.15g}", at.x, at.y);
}

static rwa_status add_nodes(struct text *t, struct export_request *r)
{
    uint32_t nodes = rwa_network_nodes(r->net);
    MUST(export_names(r, export_any_name));
    if (r->names[0] != rwa_network_node_name(r->net, 0) && network_known_positions(r->net) == 0) {
        text_add(t, "%u", nodes);
        return RWA_OK;
    }
    for (uint32_t v = 0; v < nodes; v++) {
        text_add(t, v ? ", " : "[");
        add_node(t, r->net, v, r->names[v]);
    }
    text_add(t, "]");
    return RWA_OK;
}

static void add_reserved(struct text *t, const rwa_network *net, uint32_t link, uint32_t fibers)
{
    bool any = false;
    for (uint32_t fiber = 0; fiber < fibers; fiber++) {
        bool here = false;
        for (uint32_t w = 0; w < rwa_network_wavelengths(net); w++) {
            if (!rwa_network_is_reserved(net, link, fiber, w))
                continue;
            if (!here)
                text_add(t, "%s{\"fiber\":%u,\"wavelengths\":[", any ? "," : ",\"reserved\":[", fiber);
            text_add(t, "%s%u", here ? "," : "", w);
            here = any = true;
        }
        text_add(t, "%s", here ? "]}" : "");
    }
    text_add(t, "%s", any ? "]" : "");
}

static void add_links(struct text *t, const rwa_network *net)
{
    for (uint32_t i = 0; i < design_links(net); i++) {
        uint32_t directed = 0;
        rwa_link link = design_link(&directed, net, i);
        text_add(t, "%s\n  {\"from\":%u,\"to\":%u", i ? "," : "", link.from, link.to);
        if (link.length_km > 0)
            text_add(t, ",\"km\":%.17g", link.length_km);
        text_add(t, ",\"fibers\":%u", link.fibers);
        add_reserved(t, net, directed, link.fibers);
        text_add(t, "}");
    }
}

/** Add the risk groups as lists of link numbers of the file, in which a fibre pair is one link. */
static void add_groups(struct text *t, const rwa_network *net)
{
    for (size_t g = 0; g < rwa_network_risk_groups(net); g++) {
        const uint32_t *links = NULL;
        size_t count = rwa_network_risk_group(&links, net, g);
        bool paired = rwa_network_is_paired(net);
        text_add(t, g ? ", [" : ",\n \"risk_groups\": [[");
        for (size_t k = 0, found = 0; k < count; k++)
            if (!paired || links[k] % 2 == 0)
                text_add(t, "%s%u", found++ ? ", " : "", paired ? links[k] / 2 : links[k]);
        text_add(t, "]");
    }
    text_add(t, "%s", rwa_network_risk_groups(net) ? "]" : "");
}

static rwa_status put_json(struct text *t, struct export_request *r)
{
    const rwa_network *net = r->net;
    text_add(t, "{\"format\": \"rwa-network\", \"version\": 1, \"directed\": %s,\n \"nodes\": ",
             rwa_network_is_paired(net) ? "false" : "true");
    MUST(add_nodes(t, r));
    if (rwa_network_slot_hz(net) == RWA_SLOT_HZ)
        text_add(t, ",\n \"slots\": %u", rwa_network_wavelengths(net));
    text_add(t, ",\n \"links\": [");
    add_links(t, net);
    text_add(t, "]");
    add_groups(t, net);
    text_add(t, "}\n");
    return RWA_OK;
}

const struct export_format network_json = {"json", put_json, EXPORT_LINKS};
