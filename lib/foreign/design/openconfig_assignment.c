/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * An assignment as OpenConfig wavelength-router documents, one for each node in a new folder.  A lightpath is a media
 * channel, as wide as its slots, on every node of its route: added at its source, passed on its way, dropped at its
 * destination; in the undirected model once each way.  A lightpath that changes its slots at a node is dropped and
 * added there.
 */
#include "foreign/design/design.h"

#include "foreign/openconfig_document.h"

/* Slot 0 of a flexible grid begins at 191.35 THz, as in the gnpy format; a slot has 12.5 GHz. */
static const uint64_t flexible_mhz = 191350000, slot_mhz = 12500;

/** A node of a lightpath's route, with the `k` hops before it in the direction of travel. */
struct node_visit {
    uint32_t node;
    bool back;              /* undirected model: in the direction from dst to src */
    uint64_t route;
    uint32_t k;             /* hops before it */
};

struct router {
    const struct export_request *x;
    struct node_visit *visits;
    size_t count;
    struct openconfig_document document;
};

COMPARATOR(by_node, struct node_visit, UP(node) UP(back) UP(route) UP(k))

static rwa_status list_visits(struct router *r, bool back)
{
    for (uint64_t i = 0; i < rwa_assignment_count(r->x->result); i++) {
        rwa_route route = result_route(r->x->result, i);
        uint32_t src = rwa_demands_list(r->x->demands)[route.demand].src;
        for (uint32_t k = 0; route.hops > 0 && k <= route.hops; k++) {
            uint32_t node = design_route_node(r->x->result, i, src, back ? route.hops - k : k);
            MUST(base_append(r->visits, r->count, r->x->err, (struct node_visit){node, back, i, k}));
        }
    }
    return RWA_OK;
}

/* ---- a document ---- */

/** Hop k in the direction of travel. */
struct visit_hop {
    uint32_t link, fiber, channel;
};

static struct visit_hop hop_of(const struct router *r, const rwa_route *route, const struct node_visit *v, uint32_t k)
{
    uint32_t at = v->back ? route->hops - 1 - k : k, pairs = rwa_network_pairs(r->x->net);
    uint32_t link = rwa_assignment_link(r->x->result, v->route, at);
    assert(k < route->hops);
    if (v->back)
        link = !network_has_arcs(r->x->net) ? link ^ 1 : link < pairs ? link + pairs : link - pairs;
    return (struct visit_hop){link, route_fiber(route, at), route_channel(route, at)};
}

static rwa_status find_band(uint64_t band_mhz[2], const struct router *r, uint32_t lowest, uint32_t width)
{
    band_mhz[0] = flexible_mhz + slot_mhz * lowest;
    band_mhz[1] = band_mhz[0] + slot_mhz * width;
    return rwa_network_slot_hz(r->x->net) > 0
               ? RWA_OK : export_band_mhz(band_mhz, r->x->o.device, lowest, lowest + width - 1, r->x->err);
}

/** Add the media channel of a lightpath at a node, which it visits as `v` says.  The channel leads from the hop `in`
 *  (NULL: from the add port of the lightpath) to the hop `out` (NULL: to its drop port). */
static rwa_status add_channel(struct router *r, const struct node_visit *v, const struct visit_hop *in,
                              const struct visit_hop *out)
{
    char name[64], ports[2][PORT_NAME];
    const struct visit_hop *hops[2] = {in, out};
    const char *back = v->back ? "-back" : "";
    uint32_t lowest = in ? in->channel : out->channel;
    uint64_t band_mhz[2];
    MUST(find_band(band_mhz, r, lowest, rwa_assignment_width(r->x->result, v->route)));
    for (int i = 0; i < 2; i++)
        if (hops[i])
            snprintf(ports[i], PORT_NAME, "link%u-f%u-%s", hops[i]->link, hops[i]->fiber,
                     i ? "out" : "in");
        else
            snprintf(ports[i], PORT_NAME, "%s-%" PRIu64 "%s", i ? "drop" : "add", v->route, back);
    snprintf(name, sizeof name, "lightpath%" PRIu64 "%s/slot%u", v->route, back, lowest);
    return openconfig_add(&r->document, name, band_mhz, ports[0], ports[1]);
}

static rwa_status add_visit(struct router *r, const struct node_visit *v)
{
    rwa_route route = result_route(r->x->result, v->route);
    bool enters = v->k > 0, leaves = v->k < route.hops;
    struct visit_hop in = {0}, out = {0};
    if (enters)
        in = hop_of(r, &route, v, v->k - 1);
    if (leaves)
        out = hop_of(r, &route, v, v->k);
    if (enters && leaves && in.channel == out.channel)
        return add_channel(r, v, &in, &out);
    if (enters)
        MUST(add_channel(r, v, &in, NULL));
    return leaves ? add_channel(r, v, NULL, &out) : RWA_OK;
}

static rwa_status put_nodes(struct text *t, struct export_request *x, struct router *r)
{
    const struct node_visit *v = r->visits, *end = r->visits + r->count;
    for (uint32_t node = 0; node < rwa_network_nodes(x->net); node++) {
        char name[24];
        for (; v < end && v->node == node; v++)
            MUST(add_visit(r, v));
        MUST(openconfig_end(&r->document, t));
        snprintf(name, sizeof name, "n%u.json", node);
        MUST(export_end_file(x, name));
    }
    return RWA_OK;
}

static rwa_status put_assignment(struct text *t, struct export_request *x)
{
    struct router r = {.x = x, .document = OPENCONFIG_DOCUMENT(x->err)};
    rwa_status st = RWA_OK;
    if (rwa_network_slot_hz(x->net) > 0 ? rwa_network_slot_hz(x->net) != RWA_SLOT_HZ || x->o.device : !x->o.device)
        return base_refuse(x->err,
                           "openconfig: a flexible grid has slots of 12.5 GHz and needs no device, fixed channels "
                           "need one");
    for (int back = 0; back <= (rwa_assignment_model(x->result) == RWA_UNDIRECTED); back++)
        TRY(list_visits(&r, back));
    base_sort(r.visits, r.count, by_node);
    TRY(put_nodes(t, x, &r));
done:
    free(r.visits);
    openconfig_free(&r.document);
    return st;
}

const struct export_format assignment_openconfig = {"openconfig", put_assignment, EXPORT_LINKS | EXPORT_FOLDER};
