/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Write the first line of a schedule file. */
#include "network/listing.h"
#include "network/network.h"
#include "schedule/header.h"
#include "schedule/schedule.h"

static bool add_length(struct text *t, const rwa_network *net, uint32_t i)
{
    double km = rwa_network_link(net, i).length_km;
    text_add_value(t, json_real(km));
    return km > 0;
}

static bool add_position(struct text *t, const rwa_network *net, uint32_t i)
{
    rwa_position at;
    bool known = rwa_network_position(&at, net, i);
    text_add_value(t, known ? json_pack("[f,f]", at.x, at.y) : json_null());
    return known;
}

/** Write the reserved channels: a number for a channel that is reserved on all links, [link,fiber,wavelength] for one
 * on a single link. */
static void add_reserved(struct text *t, const rwa_network *net, const rwa_faults *faults)
{
    const rwa_reserved *list = NULL;
    size_t count = rwa_network_reserved(&list, net);
    const char *before = ",\"reserved\":[";
    for (size_t i = 0; i < faults->channel_count; i++, before = ",")
        text_put(t, "%s%u", before, faults->channels[i]);
    for (size_t i = 0; i < count; i++, before = ",")
        text_put(t, "%s[%u,%u,%u]", before, list[i].link, list[i].fiber, list[i].wavelength);
    if (before[1] == '\0')
        text_put(t, "]");
}

/** Write the names of the failed links or, with `steps`, the step from which each fails.  On a ring or line, a link
 * both of whose directions fail from the same step on is written once. */
static void add_failed(struct text *t, const rwa_network *net, const rwa_faults *faults, bool steps)
{
    uint32_t count = network_links_each_way(net);
    bool arcs = network_has_arcs(net);
    const char *before = steps ? ",\"failed_from\":[" : ",\"failed\":[";
    for (size_t i = 0; i < faults->link_count; i++) {
        uint32_t link = faults->links[i] % count;
        uint64_t from = network_failed_from(net, faults->links[i]);
        bool up = faults->links[i] < count;
        bool both = arcs && network_failed_from(net, up ? link + count : link) == from;
        if (both && !up)
            continue;
        if (steps)
            text_put(t, "%s%" PRIu64, before, from);
        else
            text_put(t, "%s\"%s%u\"", before, !arcs || both ? "" : up ? "cw:" : "ccw:", link);
        before = ",";
    }
    text_put(t, "]");
}

/** Write ports, tuning, reserved channels, failed links and "failed_from".  If links fail from different steps on,
 * this is an array; if they fail from the same step on, a number.  If they fail from the start, it is left out. */
static void add_limits(struct text *t, const rwa_network *net)
{
    rwa_faults faults = network_faults(net);
    if (net->ports > 0)
        text_put(t, ",\"ports\":%u", net->ports);
    if (net->tuning > 0)
        text_put(t, ",\"tuning\":%u", net->tuning);
    add_reserved(t, net, &faults);
    if (faults.link_count > 0)
        add_failed(t, net, &faults, false);
    if (network_fails_in_steps(net))
        add_failed(t, net, &faults, true);
    else if (faults.links_from > 0)
        text_put(t, ",\"failed_from\":%u", faults.links_from);
}

static void add_network(struct text *t, const rwa_network *net)
{
    uint32_t links = rwa_network_links(net);
    text_put(t, ",\"network\":{\"kind\":\"%s\",\"nodes\":%u,\"fibers\":%u,\"wavelengths\":%u",
             rwa_topology_name(net->kind), net->nodes, net->fibers, net->wavelengths);
    add_limits(t, net);
    if (header_lists_links(net->kind)) {
        listing_numbers(t, "shape", net->shape, net->shape_count);
        listing_add(t, "links", listing_ends, net, links, 1);
        listing_add(t, "link_fibers", listing_fibers, net, links, 1);
        listing_add(t, "lengths_km", add_length, net, links, 1);
        listing_add(t, "names", listing_name, net, net->nodes, 1);
        listing_add(t, "positions", add_position, net, net->nodes, 1);
    }
    text_put(t, "}");
}

void header_add(struct text *t, const rwa_schedule *s)
{
    const rwa_collective *c = &s->coll;
    unsigned version = schedule_version(s);
    text_put(t, "{\"format\":\"rwa-schedule\",\"version\":%u", version);
    add_network(t, s->net);
    text_put(t, ",\"collective\":\"%s\"", rwa_collective_name(c->kind));
    if (rwa_collective_has_root(c->kind))
        text_put(t, ",\"root\":%u", base_mapped(s->members, c->root));
    listing_numbers(t, "members", s->members, s->members ? c->nodes : 0);
    text_put(t, ",\"blocks\":%" PRIu64 ",\"block_bytes\":%" PRIu64, c->blocks, c->block_bytes);
    if (version > 1)
        text_put(t, ",\"slots\":%u", s->slots);
    text_put(t, ",\"steps\":%u", s->steps);
    listing_numbers(t, "epochs", s->cuts, s->cut_count);
    text_put(t, ",\"scheme\":");
    text_add_json(t, s->scheme);
    text_put(t, ",\"lightpaths\":%" PRIu64 "}", s->lightpaths);
}
