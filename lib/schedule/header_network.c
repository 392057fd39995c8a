/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The network of a header: kind and numbers, links where it lists them, reserved channels and failures. */
#include "schedule/take.h"

#include "base/json.h"
#include "network/network.h"

/** The links, names and reservations of a header while the network is made. */
struct listing {
    rwa_link *links;
    size_t count;
    const char **names;
    rwa_position *positions;
    rwa_reserved *reserved;
    size_t reserved_count;
};

static void listing_release(struct listing *l)
{
    free_all(l->links, l->names, l->positions, l->reserved);
}

static rwa_status take_links(const struct taker *t, const json_t *net, struct listing *l)
{
    const json_t *links = json_object_get(net, "links");
    l->count = json_array_size(links);
    if (!json_is_array(links))
        return take_expected(t, "links", "an array of [from,to]");
    MUST(base_new(l->links, l->count, t->err));
    for (size_t i = 0; i < l->count; i++) {
        const json_t *link = json_array_get(links, i), *from = json_array_get(link, 0), *to = json_array_get(link, 1);
        if (json_array_size(link) != 2 || !take_is_u32(from) || !take_is_u32(to))
            return take_expected(t, "links", "an array of [from,to]");
        l->links[i] = (rwa_link){.from = (uint32_t)json_integer_value(from), .to = (uint32_t)json_integer_value(to)};
    }
    return RWA_OK;
}

/** Links that have another number of fibres than the network. */
static rwa_status take_link_fibers(const struct taker *t, const json_t *net, struct listing *l)
{
    static const char what[] = "at least one fiber for each link";
    const json_t *fibers = json_object_get(net, "link_fibers");
    if (!fibers)
        return RWA_OK;
    assert(l->count == 0 || l->links);
    if (json_array_size(fibers) != l->count)
        return take_expected(t, "link_fibers", what);
    for (size_t i = 0; i < l->count; i++) {
        const json_t *value = json_array_get(fibers, i);
        if (!take_is_u32(value) || json_integer_value(value) == 0)
            return take_expected(t, "link_fibers", what);
        l->links[i].fibers = (uint32_t)json_integer_value(value);
    }
    return RWA_OK;
}

static rwa_status take_lengths(const struct taker *t, const json_t *net, struct listing *l)
{
    const json_t *lengths = json_object_get(net, "lengths_km");
    if (!lengths)
        return RWA_OK;
    assert(l->count == 0 || l->links);
    if (json_array_size(lengths) != l->count)
        return take_expected(t, "lengths_km", "a number for each link");
    for (size_t i = 0; i < l->count; i++) {
        const json_t *value = json_array_get(lengths, i);
        if (!json_is_number(value))
            return take_expected(t, "lengths_km", "a number for each link");
        l->links[i].length_km = json_number_value(value);
    }
    return RWA_OK;
}

/** A string for each node, or null. */
static rwa_status take_names(const struct taker *t, const json_t *net, uint32_t nodes, struct listing *l)
{
    const json_t *names = json_object_get(net, "names");
    if (!names)
        return RWA_OK;
    if (json_array_size(names) != nodes)
        return take_expected(t, "names", "a string or null for each node");
    MUST(base_new(l->names, nodes, t->err));
    for (size_t i = 0; i < nodes; i++) {
        const json_t *name = json_array_get(names, i);
        if (!json_is_string(name) && !json_is_null(name))
            return take_expected(t, "names", "a string or null for each node");
        l->names[i] = json_string_value(name);
    }
    return RWA_OK;
}

/** [x,y] for each node, or null. */
static rwa_status take_positions(const struct taker *t, const json_t *net, uint32_t nodes, struct listing *l)
{
    const json_t *list = json_object_get(net, "positions");
    if (!list)
        return RWA_OK;
    if (json_array_size(list) != nodes)
        return take_expected(t, "positions", "[x,y] or null for each node");
    MUST(base_new(l->positions, nodes, t->err));
    for (size_t i = 0; i < nodes; i++)
        if (!json_point(json_array_get(list, i), &l->positions[i].x, &l->positions[i].y))
            return take_expected(t, "positions", "[x,y] or null for each node");
    return RWA_OK;
}

/** The entries of "reserved" that are of one link: [link,fiber,wavelength].  Numbers are of all links. */
static rwa_status take_reserved(const struct taker *t, const json_t *net, struct listing *l)
{
    const json_t *entries = json_object_get(net, "reserved");
    MUST(base_new(l->reserved, json_array_size(entries), t->err));
    for (size_t i = 0; i < json_array_size(entries); i++) {
        const json_t *entry = json_array_get(entries, i);
        const json_t *link = json_array_get(entry, 0), *fiber = json_array_get(entry, 1), *w = json_array_get(entry, 2);
        if (!json_is_array(entry))
            continue;
        if (json_array_size(entry) != 3 || !take_is_u32(link) || !take_is_u32(fiber) || !take_is_u32(w))
            return take_expected(t, "reserved", "channels, or [link,fiber,wavelength]");
        l->reserved[l->reserved_count++] = (rwa_reserved){(uint32_t)json_integer_value(link),
                                                          (uint32_t)json_integer_value(fiber),
                                                          (uint32_t)json_integer_value(w)};
    }
    return RWA_OK;
}

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

/** The network of the shape that the header names. */
static rwa_status make_shape(const struct taker *t, const json_t *net, rwa_topology kind, uint32_t nodes, const rwa_network_options *opts)
{
    uint32_t *shape = NULL;
    size_t count = 0;
    rwa_error why = {0};
    rwa_status st = RWA_OK;
    TRY(take_numbers(t, net, "shape", &shape, &count));
    st = rwa_network_create_shape(&t->out->net, kind, shape, count, opts, &why);
    TRY(take_blame(t, st, &why));
    if (rwa_network_nodes(t->out->net) != nodes)
        st = take_expected(t, "nodes", "those of the shape");
done:
    free(shape);
    return st;
}

/**
 * The links define a network that lists them.  If the header names a shape and the links are those of the shape, the network
 * has that topology; otherwise it is a graph.
 */
static rwa_status take_listed(const struct taker *t, const json_t *net, rwa_topology kind, uint32_t nodes, const rwa_network_options *opts)
{
    struct listing l = {0};
    rwa_network_options o = *opts;
    rwa_error why = {0};
    rwa_status st = RWA_OK;
    TRY(take_links(t, net, &l));
    TRY(take_link_fibers(t, net, &l));
    TRY(take_lengths(t, net, &l));
    TRY(take_names(t, net, nodes, &l));
    TRY(take_positions(t, net, nodes, &l));
    TRY(take_reserved(t, net, &l));
    o.node_names = l.names;
    o.positions = l.positions;
    o.reserved = l.reserved;
    o.reserved_count = l.reserved_count;
    if (kind != RWA_GRAPH && take_has(net, "shape") && l.reserved_count == 0) {
        TRY(make_shape(t, net, kind, nodes, opts));
        if (!same_links(t->out->net, l.links, l.count))
            st = take_expected(t, "links", "those of the shape");
    } else {
        st = rwa_network_create_graph(&t->out->net, nodes, l.links, l.count, &o, &why);
        st = take_blame(t, st, &why);
    }
done:
    listing_release(&l);
    return st;
}

static rwa_status make_network(const struct taker *t, const json_t *header)
{
    const json_t *net = json_object_get(header, "network");
    rwa_topology kind = rwa_topology_find(json_string_value(json_object_get(net, "kind")));
    uint32_t nodes = 0;
    rwa_network_options opts;
    rwa_error why = {0};
    rwa_status st = RWA_OK;
    rwa_network_options_init(&opts);
    if (!json_is_object(net))
        return take_expected(t, "network", "an object");
    if (!kind)
        return take_expected(t, "kind", "a kind of network, such as \"ring\" or \"graph\"");
    TRY(take_u32(t, net, "nodes", &nodes));
    opts.limits = t->out->limits;
    TRY(take_u32(t, net, "wavelengths", &opts.wavelengths));
    TRY(take_optional(t, net, "fibers", &opts.fibers));
    TRY(take_optional(t, net, "ports", &opts.ports));
    TRY(take_optional(t, net, "tuning", &opts.tuning));
    if (header_lists_links(kind))
        return take_listed(t, net, kind, nodes, &opts);
    st = rwa_network_create(&t->out->net, kind, nodes, &opts, &why);
    TRY(take_blame(t, st, &why));
done:
    return st;
}

/** The first step of failed link `i` of `count` in "failed_from", a number for all or one for each. */
static rwa_status take_first_step(const struct taker *t, const json_t *net, size_t i, size_t count, uint32_t *out)
{
    const json_t *from = json_object_get(net, "failed_from");
    const json_t *step = json_is_array(from) ? json_array_get(from, i) : from;
    *out = 0;
    if (from && (!take_is_u32(step) || (json_is_array(from) && json_array_size(from) != count)))
        return take_expected(t, "failed_from", "a step, or an array with one for each entry of \"failed\"");
    *out = from ? (uint32_t)json_integer_value(step) : 0;
    return RWA_OK;
}

/** "17" or "cw:17" each, and the step from which on it is failed; the arrays are the caller's to free. */
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

/** The entries of "reserved" that are numbers: channels of all links.  *out is the caller's to free. */
static rwa_status take_channels(const struct taker *t, const json_t *entries, bool listed, uint32_t **out, size_t *count)
{
    const char *what = listed ? "channels, or [link,fiber,wavelength]" : "an array of channels";
    if (entries && !json_is_array(entries))
        return take_expected(t, "reserved", what);
    *out = base_array(json_array_size(entries), sizeof **out, t->err);
    if (!*out)
        return RWA_NOMEM;
    for (size_t i = 0; i < json_array_size(entries); i++) {
        const json_t *entry = json_array_get(entries, i);
        if (take_is_u32(entry))
            (*out)[(*count)++] = (uint32_t)json_integer_value(entry);
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
    rwa_error why = {0};
    rwa_status st = RWA_OK;
    if (!take_has(net, "reserved") && !take_has(net, "failed"))
        return RWA_OK;
    TRY(take_channels(t, json_object_get(net, "reserved"), listed, &channels, &faults.channel_count));
    TRY(take_failed(t, net, &links, &from, &faults.link_count));
    faults.channels = channels;
    faults.links = links;
    st = network_with_failures(&faulty, t->out->net, &faults, from, &why);
    TRY(take_blame(t, st, &why));
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
