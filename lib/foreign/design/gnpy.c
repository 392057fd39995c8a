/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * GNPy topology: every node a Transceiver and a Roadm, every directed link a booster, spans of fibre with an amplifier behind each,
 * the last one the preamplifier of the next Roadm.  The amplifiers are named, so that GNPy has none to add.
 */
#include "foreign/design/gnpy.h"

#include "foreign/foreign.h"
#include "network/network.h"

enum { SPAN_KM = 80 };

/** Spans of equal length, none longer than SPAN_KM; a link of unknown length is one span. */
static uint32_t spans_of(const rwa_link *link)
{
    return link->length_km > SPAN_KM ? (uint32_t)ceil(link->length_km / SPAN_KM) : 1;
}

/** A text as a JSON string; takes the text. */
static void add_quoted(struct text *t, struct text *uid)
{
    if (uid->data)
        text_add_json(t, uid->data);
    text_drop_part(t, uid);
}

/** "\"KIND A - B 7/2\"": an element of directed link 7. */
static void add_uid(struct text *t, const struct design_names *names, const char *kind, uint32_t link, uint32_t part)
{
    rwa_link l = rwa_network_link(names->net, link);
    struct text uid = {.err = t->err};
    char from[16], to[16];
    text_add(&uid, "%s %s - %s %" PRIu32 "/%" PRIu32, kind, design_name(names, l.from, from), design_name(names, l.to, to), link, part);
    add_quoted(t, &uid);
}

void gnpy_add_node_uid(struct text *t, const struct design_names *names, const char *kind, uint32_t node)
{
    struct text uid = {.err = t->err};
    char buffer[16];
    text_add(&uid, "%s %s", kind, design_name(names, node, buffer));
    add_quoted(t, &uid);
}

void gnpy_add_fiber_uid(struct text *t, const struct design_names *names, uint32_t link)
{
    add_uid(t, names, "fiber", link, 0);
}

static void add_node(struct text *t, const struct design_names *names, uint32_t node)
{
    static const char *const kinds[][2] = {{"Transceiver", "trx"}, {"Roadm", "roadm"}};
    char buffer[16];
    rwa_position at;
    if (!rwa_network_position(&at, names->net, node))
        at = (rwa_position){0, 0};  /* GNPy wants numbers */
    for (size_t k = 0; k < 2; k++) {
        text_add(t, "%s\n  {\"uid\": ", node || k ? "," : "");
        gnpy_add_node_uid(t, names, kinds[k][1], node);
        text_add(t, ", \"type\": \"%s\", \"metadata\": {\"location\": {\"city\": ", kinds[k][0]);
        text_add_json(t, design_name(names, node, buffer));
        text_add(t, ", \"region\": \"\", \"latitude\": %.15g, \"longitude\": %.15g}}}", at.y, at.x);
    }
}

static void add_amplifier(struct text *t, const struct design_names *names, uint32_t link, uint32_t part)
{
    text_add(t, ",\n  {\"uid\": ");
    add_uid(t, names, "edfa", link, part);
    text_add(t, ", \"type\": \"Edfa\", \"type_variety\": \"" GNPY_AMPLIFIER "\", \"operational\": {\"gain_target\": null, "
             "\"tilt_target\": 0}, \"metadata\": {\"location\": {\"latitude\": 0.0, \"longitude\": 0.0}}}");
}

static void add_link(struct text *t, const struct design_names *names, uint32_t link)
{
    rwa_link l = rwa_network_link(names->net, link);
    uint32_t spans = spans_of(&l);
    assert(spans > 0);
    double km = l.length_km > 0 ? l.length_km / spans : 1;
    add_amplifier(t, names, link, 0);
    for (uint32_t s = 0; s < spans; s++) {
        text_add(t, ",\n  {\"uid\": ");
        add_uid(t, names, "fiber", link, s);
        text_add(t, ", \"type\": \"Fiber\", \"type_variety\": \"SSMF\", \"params\": {\"length\": %.15g, \"length_units\": \"km\", "
                 "\"loss_coef\": 0.2, \"con_in\": 0.5, \"con_out\": 0.5}, \"metadata\": {\"location\": {\"latitude\": 0.0, "
                 "\"longitude\": 0.0}}}", km);
        add_amplifier(t, names, link, s + 1);
    }
}

static void join(struct text *t, const char *before, const char *between, const char *after)
{
    text_add(t, "%s{\"from_node\": %s, \"to_node\": %s}", before, between, after);
}

/** Transceivers and Roadms both ways. */
static void join_nodes(struct text *t, const struct design_names *names)
{
    for (uint32_t v = 0; v < rwa_network_nodes(names->net); v++) {
        struct text trx = {.err = t->err}, roadm = {.err = t->err};
        gnpy_add_node_uid(&trx, names, "trx", v);
        gnpy_add_node_uid(&roadm, names, "roadm", v);
        if (trx.data && roadm.data) {
            join(t, v ? ",\n  " : "\n  ", trx.data, roadm.data);
            join(t, ",\n  ", roadm.data, trx.data);
        }
        text_drop_part(t, &trx);
        text_drop_part(t, &roadm);
    }
}

/** Roadm, amplifier, fibre, amplifier, …, Roadm. */
static void join_link(struct text *t, const struct design_names *names, uint32_t link)
{
    rwa_link l = rwa_network_link(names->net, link);
    uint32_t spans = spans_of(&l);
    text_add(t, ",\n  {\"from_node\": ");
    gnpy_add_node_uid(t, names, "roadm", l.from);
    for (uint32_t s = 0; s <= spans; s++) {
        text_add(t, ", \"to_node\": ");
        add_uid(t, names, "edfa", link, s);
        text_add(t, "},\n  {\"from_node\": ");
        add_uid(t, names, "edfa", link, s);
        if (s == spans)
            break;
        text_add(t, ", \"to_node\": ");
        add_uid(t, names, "fiber", link, s);
        text_add(t, "},\n  {\"from_node\": ");
        add_uid(t, names, "fiber", link, s);
    }
    text_add(t, ", \"to_node\": ");
    gnpy_add_node_uid(t, names, "roadm", l.to);
    text_add(t, "}");
}

void gnpy_add_topology(struct text *t, const struct design_names *names)
{
    text_add(t, "{\"elements\": [");
    for (uint32_t v = 0; v < rwa_network_nodes(names->net); v++)
        add_node(t, names, v);
    for (uint32_t l = 0; l < rwa_network_links(names->net); l++)
        add_link(t, names, l);
    text_add(t, "],\n \"connections\": [");
    join_nodes(t, names);
    for (uint32_t l = 0; l < rwa_network_links(names->net); l++)
        join_link(t, names, l);
    text_add(t, "]}\n");
}

rwa_status gnpy_slot(long *n, long *m, const rwa_device *device, uint32_t wavelength, rwa_error *err)
{
    uint64_t lower = 0, upper = 0;
    MUST(export_slot_mhz(&lower, &upper, device, wavelength, err));
    double centre = ((double)lower + (double)upper) / 2 - 193100000, width = (double)(upper - lower);
    if (fmod(centre, 6250) != 0 || fmod(width, 12500) != 0)
        return base_fail(err, RWA_BADARG, "gnpy: wavelength %" PRIu32 " of device %s is not on the flexible grid (193.1 THz + N x 6.25 "
                         "GHz, M x 12.5 GHz wide)", wavelength, rwa_device_name(device));
    *n = (long)(centre / 6250);
    *m = (long)(width / 12500);
    return RWA_OK;
}

static rwa_status put_network(struct output *out, const rwa_network *net)
{
    struct design_names names;
    MUST(design_needs_links(net, "gnpy", out->text.err));
    MUST(design_names(&names, net, NULL, out->text.err));
    gnpy_add_topology(&out->text, &names);
    return RWA_OK;
}

const struct network_format network_gnpy = {"gnpy", "a GNPy topology (JSON): Roadms, spans of 80 km at most, amplifiers", put_network};
