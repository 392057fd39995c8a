/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * An assignment as OpenConfig wavelength-router documents, one for each node in a new folder.  A lightpath is a media channel, as wide as
 * its slots, on every node of its route: added at its source, passed on its way, dropped at its destination; in the undirected model
 * once each way.  A lightpath that changes its slots at a node is dropped and added there.
 */
#include "foreign/design/design.h"

#include "base/bins.h"
#include "foreign/folder.h"
#include "foreign/foreign.h"
#include "foreign/openconfig_document.h"
#include "network/network.h"

/* Slot 0 of a flexible grid begins at 191.35 THz, as in the gnpy format; a slot has 12.5 GHz. */
static const uint64_t band_mhz = 191350000, slot_mhz = 12500;

/** A lightpath at a node: hop k enters it or, from the source, leaves it. */
struct visit {
    uint64_t route;
    uint32_t k;             /* hops before it */
    bool back;              /* the way back of the undirected model */
};

struct router {
    const struct assignment_export *x;
    struct visit *visits;
    size_t count;
    struct bins at;         /* visits of each node */
    struct openconfig_document written;
    uint32_t *known;        /* (link * fibers + fiber) * 2 + out: the number of the last document that has this port */
    uint32_t fibers, document;
};

static uint32_t reverse_of(const struct router *r, uint32_t link)
{
    uint32_t pairs = rwa_network_pairs(r->x->net);
    return !network_has_arcs(r->x->net) ? link ^ 1 : link < pairs ? link + pairs : link - pairs;
}

/** The k-th link in the direction of travel. */
static uint32_t link_at(const struct router *r, const rwa_route *route, const struct visit *v, uint32_t k)
{
    if (!v->back)
        return rwa_assign_result_link(r->x->result, v->route, k);
    return reverse_of(r, rwa_assign_result_link(r->x->result, v->route, route->hops - 1 - k));
}

static uint32_t channel_at(const uint32_t *list, uint32_t same, const rwa_route *route, const struct visit *v, uint32_t k)
{
    assert(k < route->hops);
    return list ? list[v->back ? route->hops - 1 - k : k] : same;
}

/* ---- visits ---- */

static void list_visits(struct router *r, bool back)
{
    rwa_route route;
    for (uint64_t i = 0; i < rwa_assign_result_routes(r->x->result); i++) {
        rwa_assign_result_get(&route, r->x->result, i);
        for (uint32_t k = 0; route.hops > 0 && k <= route.hops; k++)
            r->visits[r->count++] = (struct visit){i, k, back};
    }
}

static uint32_t node_of(const struct router *r, const struct visit *v)
{
    rwa_route route = result_route(r->x->result, v->route);
    uint32_t src = rwa_demands_list(r->x->demands)[route.demand].src;
    return design_route_node(r->x->result, v->route, src, v->back ? route.hops - v->k : v->k);
}

static rwa_status sort_visits(struct router *r)
{
    uint32_t nodes = rwa_network_nodes(r->x->net);
    uint64_t total = 0;
    rwa_route route;
    for (uint64_t i = 0; i < rwa_assign_result_routes(r->x->result); i++) {
        rwa_assign_result_get(&route, r->x->result, i);
        total += route.hops > 0 ? (uint64_t)(route.hops + 1) * (r->x->undirected ? 2 : 1) : 0;
    }
    if (total > UINT32_MAX)
        return base_fail(r->x->err, RWA_BADARG, "openconfig: %" PRIu64 " media channels are too many", total);
    MUST(base_new(r->visits, (size_t)total, r->x->err));
    list_visits(r, false);
    if (r->x->undirected)
        list_visits(r, true);
    MUST(bins_open(&r->at, nodes, r->x->err));
    assert(r->count == total);
    for (size_t i = 0; i < r->count; i++)
        bins_count(&r->at, node_of(r, &r->visits[i]));
    MUST(bins_divide(&r->at, nodes, r->x->err));
    for (size_t i = 0; i < r->count; i++)
        bins_put(&r->at, node_of(r, &r->visits[i]), (uint32_t)i);
    return RWA_OK;
}

/* ---- a document ---- */

/** Of a fibre, shared by many channels. */
static void fiber_port(struct router *r, char port[PORT_NAME], uint32_t link, uint32_t fiber, bool out)
{
    uint32_t *known = &r->known[((size_t)link * r->fibers + fiber) * 2 + out];
    snprintf(port, PORT_NAME, "link%" PRIu32 "-f%" PRIu32 "-%s", link, fiber, out ? "out" : "in");
    if (*known != r->document)
        openconfig_add_port(&r->written, port);
    *known = r->document;
}

/** Of one lightpath alone. */
static void own_port(struct router *r, char port[PORT_NAME], const struct visit *v, bool drop)
{
    snprintf(port, PORT_NAME, "%s-%" PRIu64 "%s", drop ? "drop" : "add", v->route, v->back ? "-back" : "");
    openconfig_add_port(&r->written, port);
}

static rwa_status find_band(uint64_t *lower, uint64_t *upper, const struct router *r, const struct visit *v, uint32_t lowest)
{
    uint32_t width = rwa_assign_result_width(r->x->result, v->route);
    uint64_t unused = 0;
    if (rwa_network_slot_hz(r->x->net) > 0) {
        *lower = band_mhz + slot_mhz * lowest;
        *upper = *lower + slot_mhz * width;
        return RWA_OK;
    }
    MUST(export_slot_mhz(lower, upper, r->x->device, lowest, r->x->err));
    if (width > 1)
        MUST(export_slot_mhz(&unused, upper, r->x->device, lowest + width - 1, r->x->err));
    return RWA_OK;
}

static rwa_status add_channel(struct router *r, const struct visit *v, uint32_t lowest, const char *source, const char *dest)
{
    char name[64];
    uint64_t lower = 0, upper = 0;
    MUST(find_band(&lower, &upper, r, v, lowest));
    snprintf(name, sizeof name, "lightpath%" PRIu64 "%s/slot%" PRIu32, v->route, v->back ? "-back" : "", lowest);
    openconfig_add_channel(&r->written, name, lower, upper, source, dest);
    return RWA_OK;
}

static rwa_status add_visit(struct router *r, const struct visit *v)
{
    char source[PORT_NAME], dest[PORT_NAME], own[PORT_NAME];
    rwa_route route = result_route(r->x->result, v->route);
    bool enters = v->k > 0, leaves = v->k < route.hops;
    uint32_t in = enters ? channel_at(route.wavelengths, route.wavelength, &route, v, v->k - 1) : 0;
    uint32_t out = leaves ? channel_at(route.wavelengths, route.wavelength, &route, v, v->k) : 0;
    if (enters)
        fiber_port(r, source, link_at(r, &route, v, v->k - 1), channel_at(route.fibers, route.fiber, &route, v, v->k - 1), false);
    if (leaves)
        fiber_port(r, dest, link_at(r, &route, v, v->k), channel_at(route.fibers, route.fiber, &route, v, v->k), true);
    if (enters && leaves && in == out)
        return add_channel(r, v, in, source, dest);
    if (enters) {
        own_port(r, own, v, true);
        MUST(add_channel(r, v, in, source, own));
    }
    if (leaves) {
        own_port(r, own, v, false);
        MUST(add_channel(r, v, out, own, dest));
    }
    return RWA_OK;
}

static rwa_status write_node(struct router *r, struct folder *f, uint32_t node, struct text *doc)
{
    char name[24];
    openconfig_begin(&r->written);
    r->document++;
    for (size_t i = r->at.first[node]; i < r->at.first[node + 1]; i++)
        MUST(add_visit(r, &r->visits[r->at.number[i]]));
    MUST(openconfig_end(doc, &r->written));
    snprintf(name, sizeof name, "n%" PRIu32 ".json", node);
    return folder_put(f, name, doc->data, doc->used);
}

static rwa_status write_assignment(const struct assignment_export *x)
{
    struct router r = {.x = x, .fibers = network_most_fibers(x->net),
                       .written = {.components = {.err = x->err}, .channels = {.err = x->err}}};
    struct folder f = {0};
    struct text doc = {.err = x->err};
    rwa_status st = RWA_OK;
    TRY(design_needs_links(x->net, "openconfig", x->err));
    if (rwa_network_slot_hz(x->net) > 0 ? rwa_network_slot_hz(x->net) != RWA_SLOT_HZ || x->device : !x->device)
        return base_fail(x->err, RWA_BADARG, "openconfig: a flexible grid has slots of 12.5 GHz and needs no device, fixed channels "
                         "need one");
    MUST(base_new(r.known, (size_t)rwa_network_links(x->net) * r.fibers * 2, x->err));
    TRY(sort_visits(&r));
    TRY(folder_open(&f, x->path, x->err));
    for (uint32_t node = 0; node < rwa_network_nodes(x->net); node++)
        TRY(write_node(&r, &f, node, &doc));
    TRY(folder_finish(&f));
done:
    folder_drop(&f);
    bins_free(&r.at);
    free_all(r.visits, r.known);
    openconfig_free(&r.written);
    free(doc.data);
    return st;
}

const struct assignment_format assignment_openconfig = {
    "openconfig", "wavelength-router media channels of any width, a JSON document for each node in a new folder", NULL, write_assignment};
