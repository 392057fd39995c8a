/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The network of a header: its topology and numbers, its links if they are listed, reserved channels and failures. */
#include "schedule/take.h"

#include "network/listing.h"
#include "network/network.h"

static bool same_links(const rwa_network *net, const rwa_link *links, size_t count)
{
    if (rwa_network_links(net) != count)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        rwa_link own = rwa_network_link(net, i);
        if (own.from != links[i].from || own.to != links[i].to || (links[i].fibers && links[i].fibers != own.fibers))
            return false;
    }
    return true;
}

/** Create t->out->network, a network of the shape that the header names. */
static void make_shape(struct taker *t, const json_t *net, rwa_topology kind, uint32_t nodes,
                       const rwa_network_options *opts)
{
    size_t count = 0;
    uint32_t *shape = take_numbers(t, net, "shape", &count);
    if (t->status == RWA_OK &&
        take_keep(t, rwa_network_create_shape(&t->out->network, kind, shape, count, opts, t->err)))
        take_need(t, rwa_network_nodes(t->out->network) == nodes, "nodes", "those of the shape");
    free(shape);
}

/** If the links come in pairs, forth and back, keep only the first of each pair.  Return whether they do. */
static bool pair_links(struct listing *l)
{
    for (size_t i = 0; i < l->count; i += 2) {
        const rwa_link *forth = &l->links[i], *back = forth + 1;
        if (i + 1 == l->count || back->from != forth->to || back->to != forth->from ||
            back->length_km != forth->length_km || back->fibers != forth->fibers)
            return false;
    }
    for (size_t i = 0; i < l->count; i += 2)
        l->links[i / 2] = l->links[i];
    l->count /= 2;
    return true;
}

/** Create t->out->network from the listed links.  If the header names a shape and the links are those of the shape, the
 * network has that topology; otherwise it is a graph. */
static void take_listed(struct taker *t, const json_t *net, rwa_topology kind, uint32_t nodes,
                        const rwa_network_options *opts)
{
    struct listing l = {0};
    rwa_network_options o = *opts;
    bool good = take_keep(t, listing_take(&l, &o, net, nodes, true, t->err));
    if (good && kind != RWA_GRAPH && json_object_get(net, "shape") && l.reserved_count == 0) {
        make_shape(t, net, kind, nodes, opts);
        take_need(t, t->status != RWA_OK || same_links(t->out->network, l.links, l.count), "links",
                  "those of the shape");
    } else if (good) {
        o.both_ways = l.reserved_count == 0 && o.risk_group_count == 0 && pair_links(&l);
        take_keep(t, rwa_network_create_graph(&t->out->network, nodes, l.links, l.count, &o, t->err));
    }
    listing_release(&l);
}

static void make_network(struct taker *t, const json_t *net)
{
    int kind = rwa_topology_find(json_text(net, "kind"));
    uint32_t nodes = (uint32_t)take_integer(t, net, "nodes", UINT32_MAX);
    rwa_network_options opts;
    rwa_network_options_init(&opts);
    take_need(t, kind >= 0, "kind", "a kind of network, such as \"ring\" or \"graph\"");
    opts.limits = t->limits;
    opts.wavelengths = (uint32_t)take_integer(t, net, "wavelengths", UINT32_MAX);
    opts.fibers = take_optional(t, net, "fibers", opts.fibers);
    opts.ports = take_optional(t, net, "ports", opts.ports);
    opts.tuning = take_optional(t, net, "tuning", opts.tuning);
    if (t->status == RWA_OK && header_lists_links(kind))
        take_listed(t, net, kind, nodes, &opts);
    else if (t->status == RWA_OK)
        take_keep(t, rwa_network_create(&t->out->network, kind, nodes, &opts, t->err));
}

/** Read the failed links, such as "17" or "cw:17", and "failed_from", the first step of the failure: one step for all
 * entries, or an array with a step for each.
 * @param[out] out   numbers of *count directed links; caller frees
 * @param[out] from  the step for each of these; caller frees */
static void take_failed(struct taker *t, const json_t *net, uint32_t **out, uint32_t **from, size_t *count)
{
    const json_t *names = json_object_get(net, "failed"), *steps = json_object_get(net, "failed_from");
    size_t name_count = json_array_size(names);
    take_need(t, !names || json_is_array(names), "failed", "an array");
    take_need(t, !json_is_array(steps) || json_array_size(steps) == name_count, "failed_from",
              "one step for each entry of \"failed\"");
    if (!take_keep(t, base_new(*out, name_count * 2, t->err)) || !take_keep(t, base_new(*from, name_count * 2, t->err)))
        return;
    for (size_t i = 0; i < name_count; i++) {
        const char *name = json_string_value(json_array_get(names, i));
        const json_t *one = json_is_array(steps) ? json_array_get(steps, i) : steps;
        size_t found = name ? rwa_network_find_links(*out + *count, t->out->network, name) : 0;
        uint32_t step = 0;
        take_need(t, found > 0, "failed", "an array of links such as \"17\", or \"cw:17\" on rings and lines");
        take_need(t, !one || json_u32(one, &step), "failed_from", "a step, or an array of them");
        for (size_t end = *count + found; *count < end; ++*count)
            (*from)[*count] = step;
    }
}

/** Read the channels that are reserved on all links: the entries of "reserved" that are plain numbers.  If links are
 * listed, an array as entry stands for a channel of a single link, and is skipped here.  The caller frees *out. */
static void take_channels(struct taker *t, const json_t *entries, bool listed, uint32_t **out, size_t *count)
{
    const char *what = listed ? "channels, or [link,fiber,wavelength]" : "an array of channels";
    take_need(t, !entries || json_is_array(entries), "reserved", what);
    if (!take_keep(t, base_new(*out, json_array_size(entries), t->err)))
        return;
    for (size_t i = 0; i < json_array_size(entries); i++) {
        const json_t *entry = json_array_get(entries, i);
        bool channel = json_u32(entry, &(*out)[*count]);
        take_need(t, channel || (listed && json_is_array(entry)), "reserved", what);
        *count += channel;
    }
}

static void take_faults(struct taker *t, const json_t *net)
{
    bool listed = header_lists_links(rwa_network_topology(t->out->network));
    uint32_t *channels = NULL, *links = NULL, *from = NULL;
    rwa_network *faulty = NULL;
    rwa_faults faults = {0};
    take_channels(t, json_object_get(net, "reserved"), listed, &channels, &faults.channel_count);
    take_failed(t, net, &links, &from, &faults.link_count);
    faults.channels = channels;
    faults.links = links;
    if (t->status == RWA_OK && take_keep(t, network_with_failures(&faulty, t->out->network, &faults, from, t->err))) {
        rwa_network_free(t->out->network);
        t->out->network = faulty;
    }
    free_all(channels, links, from);
}

void take_network(struct taker *t, const json_t *header)
{
    const json_t *net = json_object_get(header, "network");
    take_need(t, json_is_object(net), "network", "an object");
    make_network(t, net);
    if (t->status == RWA_OK && (json_object_get(net, "reserved") || json_object_get(net, "failed")))
        take_faults(t, net);
}
