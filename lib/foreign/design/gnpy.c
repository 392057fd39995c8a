/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * GNPy topology: every node a Transceiver and a Roadm, every directed link a booster, spans of fibre with an amplifier
 * behind each, the last one the preamplifier of the next Roadm.  The file lists all amplifiers, so that GNPy adds none.
 */
#include "foreign/design/gnpy.h"

enum { SPAN_KM = 80 };

/** Return the number of equal spans of a link, none longer than SPAN_KM; 1 if the length is unknown. */
static uint32_t spans_of(const rwa_link *link)
{
    return link->length_km > SPAN_KM ? (uint32_t)ceil(link->length_km / SPAN_KM) : 1;
}

rwa_status gnpy_names(struct export_request *r)
{
    MUST(export_names(r, export_any_name));
    for (uint32_t v = 0; v < rwa_network_nodes(r->net); v++) {
        struct text quoted = {.err = r->err};
        text_add_json(&quoted, r->names[v]);
        if (quoted.status == RWA_OK)
            arena_copy(&r->memory, r->names[v], quoted.data + 1, quoted.used);
        free(quoted.data);
        MUST(quoted.status);
        MUST(arena_status(&r->memory));
        *strrchr(r->names[v], '"') = '\0';
    }
    return RWA_OK;
}

/** Add the name of an element on the directed link `link` from A to B, "KIND A - B LINK/PART", between the texts
 *  `before` and `after`.  `part` numbers the elements of one kind on the link. */
static void add_part(struct text *t, const struct export_request *r, const char *before, const char *kind,
                     uint32_t link, uint32_t part, const char *after)
{
    rwa_link l = rwa_network_link(r->net, link);
    text_add(t, "%s\"%s %s - %s %u/%u\"%s", before, kind, r->names[l.from], r->names[l.to], link, part, after);
}

/* ---- topology ---- */

static void add_node(struct text *t, const struct export_request *r, uint32_t node)
{
    static const char *const kinds[][2] = {{"Transceiver", "trx"}, {"Roadm", "roadm"}};
    rwa_position at;
    if (!rwa_network_position(&at, r->net, node))
        at = (rwa_position){0, 0};  /* GNPy wants numbers */
    for (size_t k = 0; k < 2; k++)
        text_add(t,
                 "%s\n  {\"uid\": \"%s %s\", \"type\": \"%s\", \"metadata\": {\"location\": {\"city\": \"%s\", "
                 "\"region\": \"\", \"latitude\": %.15g, \"longitude\": %.15g}}}",
                 node || k ? "," : "", kinds[k][1], r->names[node], kinds[k][0], r->names[node], at.y, at.x);
}

#define NOWHERE ", \"metadata\": {\"location\": {\"latitude\": 0.0, \"longitude\": 0.0}}}"

static void add_amplifier(struct text *t, const struct export_request *r, uint32_t link, uint32_t part)
{
    add_part(t, r, ",\n  {\"uid\": ", "edfa", link, part,
             ", \"type\": \"Edfa\", \"type_variety\": \"" GNPY_AMPLIFIER
             "\", \"operational\": {\"gain_target\": null, \"tilt_target\": 0}" NOWHERE);
}

static void add_link(struct text *t, const struct export_request *r, uint32_t link)
{
    rwa_link l = rwa_network_link(r->net, link);
    uint32_t spans = spans_of(&l);
    assert(spans > 0);
    add_amplifier(t, r, link, 0);
    for (uint32_t s = 0; s < spans; s++) {
        add_part(t, r, ",\n  {\"uid\": ", "fiber", link, s,
                 ", \"type\": \"Fiber\", \"type_variety\": \"SSMF\", \"params\": "
                 "{\"length\": ");
        text_add(t, "%.15g, \"length_units\": \"km\", \"loss_coef\": 0.2, \"con_in\": 0.5, \"con_out\": 0.5}" NOWHERE,
                 l.length_km > 0 ? l.length_km / spans : 1);
        add_amplifier(t, r, link, s + 1);
    }
}

/** Add the connections between the transceiver and the Roadm of each node, both ways. */
static void join_nodes(struct text *t, const struct export_request *r)
{
    static const char *const kinds[] = {"trx", "roadm"};
    for (uint32_t v = 0; v < rwa_network_nodes(r->net); v++)
        for (size_t k = 0; k < 2; k++)
            text_add(t, "%s\n  {\"from_node\": \"%s %s\", \"to_node\": \"%s %s\"}", v || k ? "," : "", kinds[k],
                     r->names[v], kinds[1 - k], r->names[v]);
}

/** Add the connections between the elements of a directed link, in order: Roadm, amplifier, fibre, amplifier, …,
 *  Roadm. */
static void join_link(struct text *t, const struct export_request *r, uint32_t link)
{
    rwa_link l = rwa_network_link(r->net, link);
    uint32_t elements = 2 * spans_of(&l) + 1; /* amplifiers and fibres in turn */
    text_add(t, ",\n  {\"from_node\": \"roadm %s\"", r->names[l.from]);
    for (uint32_t k = 0; k < elements; k++) {
        const char *kind = k % 2 ? "fiber" : "edfa";
        add_part(t, r, ", \"to_node\": ", kind, link, k / 2, "},\n  {\"from_node\": ");
        add_part(t, r, "", kind, link, k / 2, "");
    }
    text_add(t, ", \"to_node\": \"roadm %s\"}", r->names[l.to]);
}

void gnpy_add_topology(struct text *t, const struct export_request *r)
{
    text_add(t, "{\"elements\": [");
    for (uint32_t v = 0; v < rwa_network_nodes(r->net); v++)
        add_node(t, r, v);
    for (uint32_t l = 0; l < rwa_network_links(r->net); l++)
        add_link(t, r, l);
    text_add(t, "],\n \"connections\": [");
    join_nodes(t, r);
    for (uint32_t l = 0; l < rwa_network_links(r->net); l++)
        join_link(t, r, l);
    text_add(t, "]}\n");
}

/* ---- requests ---- */

rwa_status gnpy_slot(struct gnpy_slot *slot, const rwa_device *device, uint32_t wavelength, rwa_error *err)
{
    uint64_t band[2] = {0};
    MUST(export_band_mhz(band, device, wavelength, wavelength, err));
    double centre = ((double)band[0] + (double)band[1]) / 2 - 193100000, width = (double)(band[1] - band[0]);
    if (fmod(centre, 6250) != 0 || fmod(width, 12500) != 0)
        return base_refuse(err,
                           "gnpy: wavelength %u of device %s is not on the flexible grid (193.1 THz + N x 6.25 "
                           "GHz, M x 12.5 GHz wide)",
                           wavelength, rwa_device_name(device));
    *slot = (struct gnpy_slot){(long)(centre / 6250), (long)(width / 12500)};
    return RWA_OK;
}

void gnpy_begin_request(struct text *t, const struct export_request *r, const char *before, uint64_t id,
                        const uint32_t ends[2], bool both_ways, size_t mode, const struct gnpy_slot *slot,
                        double rate_bps)
{
    const char *src = r->names[ends[0]], *dst = r->names[ends[1]];
    text_add(t,
             "%s\n  {\"request-id\": \"%" PRIu64 "\", \"source\": \"trx %s\", \"destination\": \"trx %s\", "
             "\"src-tp-id\": \"trx %s\", \"dst-tp-id\": \"trx %s\"", before, id, src, dst, src, dst);
    text_add(t,
             ", \"bidirectional\": %s,\n   \"path-constraints\": {\"te-bandwidth\": {\"technology\": \"flexi-grid\", ",
             both_ways ? "true" : "false");
    if (mode)
        text_add(t, "\"trx_type\": \"" GNPY_TRANSCEIVER "\", \"trx_mode\": \"mode %zu\"", mode);
    else
        text_add(t, "\"trx_type\": \"MRR\", \"trx_mode\": null");
    text_add(t,
             ", \"effective-freq-slot\": [{\"N\": %ld, \"M\": %ld}], \"spacing\": %lld.0, \"max-nb-of-channel\": null, "
             "\"output-power\": null, \"path_bandwidth\": %.1f}},\n   \"explicit-route-objects\": "
             "{\"route-object-include-exclude\": [",
             slot->n, slot->m, slot->m * 12500000000LL, rate_bps);
}

static void begin_hop(struct text *t, uint32_t index)
{
    text_add(t, "%s\n      {\"explicit-route-usage\": \"route-include-ero\", \"index\": %u"
             ", \"num-unnum-hop\": {\"node-id\": ", index ? "," : "", index);
}

#define HOP_END ", \"link-tp-id\": \"link-tp-id is not used\", \"hop-type\": \"STRICT\"}}"

void gnpy_add_hop(struct text *t, const struct export_request *r, uint32_t index, uint32_t node)
{
    begin_hop(t, index);
    text_add(t, "\"roadm %s\"" HOP_END, r->names[node]);
}

void gnpy_add_fiber(struct text *t, const struct export_request *r, uint32_t index, uint32_t link)
{
    begin_hop(t, index);
    add_part(t, r, "", "fiber", link, 0, HOP_END);
}

static rwa_status put_network(struct text *t, struct export_request *r)
{
    MUST(gnpy_names(r));
    gnpy_add_topology(t, r);
    return RWA_OK;
}

const struct export_format network_gnpy = {"gnpy", put_network, EXPORT_LINKS};
