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

/** Create the network of the shape that the header names. */
static rwa_status make_shape(const struct taker *t, const json_t *net, rwa_topology kind, uint32_t nodes,
                             const rwa_network_options *opts)
{
    uint32_t *shape = NULL;
    size_t count = 0;
    rwa_status st = RWA_OK;
    TRY(take_numbers(t, net, "shape", &shape, &count));
    TRY(take_blame(t, rwa_network_create_shape(&t->out->net, kind, shape, count, opts, t->err)));
    if (rwa_network_nodes(t->out->net) != nodes)
        st = take_expected(t, "nodes", "those of the shape");
done:
    free(shape);
    return st;
}

/** If the links come in pairs, forth and back, keep one link of each pair; the file lists both. */
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

/**
 * Create a network from the listed links.  If the header names a shape and the links are those of the shape, the
 * network has that topology; otherwise it is a graph.
 */
static rwa_status take_listed(const struct taker *t, const json_t *net, rwa_topology kind, uint32_t nodes,
                              const rwa_network_options *opts)
{
    struct listing l = {0};
    rwa_network_options o = *opts;
    rwa_status st = RWA_OK;
    TRY(take_blame(t, listing_take(&l, &o, net, nodes, true, t->err)));
    if (kind != RWA_GRAPH && take_has(net, "shape") && l.reserved_count == 0) {
        TRY(make_shape(t, net, kind, nodes, opts));
        if (!same_links(t->out->net, l.links, l.count))
            st = take_expected(t, "links", "those of the shape");
    } else {
        o.both_ways = l.reserved_count == 0 && o.risk_group_count == 0 && pair_links(&l);
        st = take_blame(t, rwa_network_create_graph(&t->out->net, nodes, l.links, l.count, &o, t->err));
    }
done:
    listing_release(&l);
    return st;
}

static rwa_status make_network(const struct taker *t, const json_t *header)
{
    const json_t *net = json_object_get(header, "network");
    int kind = rwa_topology_find(json_string_value(json_object_get(net, "kind")));
    uint32_t nodes = 0;
    rwa_network_options opts;
    rwa_network_options_init(&opts);
    if (!json_is_object(net))
        return take_expected(t, "network", "an object");
    if (kind < 0)
        return take_expected(t, "kind", "a kind of network, such as \"ring\" or \"graph\"");
    opts.limits = t->out->limits;
    MUST(take_u32(t, net, "nodes", &nodes));
    MUST(take_u32(t, net, "wavelengths", &opts.wavelengths));
    MUST(take_optional(t, net, "fibers", &opts.fibers));
    MUST(take_optional(t, net, "ports", &opts.ports));
    MUST(take_optional(t, net, "tuning", &opts.tuning));
    return header_lists_links(kind)
               ? take_listed(t, net, kind, nodes, &opts)
               : take_blame(t, rwa_network_create(&t->out->net, kind, nodes, &opts, t->err));
}

/** Take the first step in which failed link `i` of `count` is failed: "failed_from" is one number for all or one for
 *  each. */
static rwa_status take_first_step(const struct taker *t, const json_t *net, size_t i, size_t count, uint32_t *out)
{
    const json_t *from = json_object_get(net, "failed_from");
    const json_t *step = json_is_array(from) ? json_array_get(from, i) : from;
    *out = 0;
    if (from && (!json_u32(step, out) || (json_is_array(from) && json_array_size(from) != count)))
        return take_expected(t, "failed_from", "a step, or an array with one for each entry of \"failed\"");
    return RWA_OK;
}

/** Take the failed links, each "17" or "cw:17", and the first step of each failure; the caller frees both arrays. */
static rwa_status take_failed(const struct taker *t, const json_t *net, uint32_t **out, uint32_t **from, size_t *count)
{
    static const char what[] = "an array of links such as \"17\", or \"cw:17\" on rings and lines";
    const json_t *names = json_object_get(net, "failed");
    size_t name_count = json_array_size(names);
    *count = 0;
    MUST(base_new(*out, name_count * 2, t->err));
    MUST(base_new(*from, name_count * 2, t->err));
    if (names && !json_is_array(names))
        return take_expected(t, "failed", what);
    for (size_t i = 0; i < name_count; i++) {
        const char *name = json_string_value(json_array_get(names, i));
        size_t found = name ? rwa_network_find_links(*out + *count, t->out->net, name) : 0;
        uint32_t step = 0;
        if (found == 0)
            return take_expected(t, "failed", what);
        MUST(take_first_step(t, net, i, name_count, &step));
        for (size_t end = *count + found; *count < end; ++*count)
            (*from)[*count] = step;
    }
    return RWA_OK;
}

/** Take the numbers among the entries of "reserved": channels that are reserved on all links.  The caller frees
 *  *out. */
static rwa_status take_channels(const struct taker *t, const json_t *entries, bool listed, uint32_t **out,
                                size_t *count)
{
    const char *what = listed ? "channels, or [link,fiber,wavelength]" : "an array of channels";
    if (entries && !json_is_array(entries))
        return take_expected(t, "reserved", what);
    MUST(base_new(*out, json_array_size(entries), t->err));
    for (size_t i = 0; i < json_array_size(entries); i++) {
        const json_t *entry = json_array_get(entries, i);
        if (json_u32(entry, &(*out)[*count]))
            ++*count;
        else if (!listed || !json_is_array(entry))
            return take_expected(t, "reserved", what);
    }
    return RWA_OK;
}

static rwa_status take_faults(const struct taker *t, const json_t *net)
{
    bool listed = header_lists_links(rwa_network_topology(t->out->net));
    uint32_t *channels = NULL, *links = NULL, *from = NULL;
    rwa_network *faulty = NULL;
    rwa_faults faults = {0};
    rwa_status st = RWA_OK;
    if (!take_has(net, "reserved") && !take_has(net, "failed"))
        return RWA_OK;
    TRY(take_channels(t, json_object_get(net, "reserved"), listed, &channels, &faults.channel_count));
    TRY(take_failed(t, net, &links, &from, &faults.link_count));
    faults.channels = channels;
    faults.links = links;
    TRY(take_blame(t, network_with_failures(&faulty, t->out->net, &faults, from, t->err)));
    rwa_network_free(t->out->net);
    t->out->net = faulty;
done:
    free_all(channels, links, from);
    return st;
}

rwa_status take_network(const struct taker *t, const json_t *header)
{
    MUST(make_network(t, header));
    return take_faults(t, json_object_get(header, "network"));
}
