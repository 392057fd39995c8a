/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The project's own JSON of networks (docs/guide/networks.md), with all members that its reader knows. */
#include "foreign/design/design.h"

#include "network/network.h"

/** Add the name of a node, or an object with its name and position. */
static void add_node(struct text *t, const rwa_network *net, uint32_t node, const char *name)
{
    rwa_position at;
    bool placed = rwa_network_position(&at, net, node) != 0;
    text_add(t, placed ? "\n  {\"id\": " : "");
    text_add_json(t, name);
    if (placed)
        text_add(t, ", \"x\": %.15g, \"y\": %.15g}", at.x, at.y);
}

static rwa_status add_nodes(struct output *out, const rwa_network *net)
{
    struct design_names names;
    char buffer[16];
    MUST(design_names(&names, net, NULL, out->text.err));
    if (!names.own && !network_has_positions(net)) {
        text_add(&out->text, "%u", rwa_network_nodes(net));
        return RWA_OK;
    }
    for (uint32_t v = 0; v < rwa_network_nodes(net); v++) {
        text_add(&out->text, v ? ", " : "[");
        add_node(&out->text, net, v, design_name(&names, v, buffer));
        MUST(output_flush(out));
    }
    text_add(&out->text, "]");
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

static rwa_status add_links(struct output *out, const rwa_network *net)
{
    for (uint32_t i = 0; i < design_links(net); i++) {
        uint32_t directed = 0;
        rwa_link link = design_link(&directed, net, i);
        text_add(&out->text, "%s\n  {\"from\":%u,\"to\":%u", i ? "," : "", link.from, link.to);
        if (link.length_km > 0)
            text_add(&out->text, ",\"km\":%.17g", link.length_km);
        text_add(&out->text, ",\"fibers\":%u", link.fibers);
        add_reserved(&out->text, net, directed, link.fibers);
        text_add(&out->text, "}");
        MUST(output_flush(out));
    }
    return RWA_OK;
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

static rwa_status put_json(struct output *out, struct export_request *r)
{
    const rwa_network *net = r->net;
    struct text *t = &out->text;
    text_add(t, "{\"format\": \"rwa-network\", \"version\": 1, \"directed\": %s,\n \"nodes\": ",
             rwa_network_is_paired(net) ? "false" : "true");
    MUST(add_nodes(out, net));
    if (rwa_network_slot_hz(net) == RWA_SLOT_HZ)
        text_add(t, ",\n \"slots\": %u", rwa_network_wavelengths(net));
    text_add(t, ",\n \"links\": [");
    MUST(add_links(out, net));
    text_add(t, "]");
    add_groups(t, net);
    text_add(t, "}\n");
    return RWA_OK;
}

const struct export_format network_json = {"json",
                                            "the JSON of docs/guide/networks.md, with names, fibres and risk groups",
                                            put_json, NULL, EXPORT_LINKS};
