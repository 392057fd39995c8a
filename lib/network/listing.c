/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "network/listing.h"

#include "base/base.h"

static rwa_status expected(const char *name, const char *what, rwa_error *err)
{
    return base_fail(err, RWA_FORMAT, "\"%s\": expected %s", name, what);
}

/** Set *list to the array under a member name, with one entry for each link or node, or to NULL if the member is
 *  absent. */
static rwa_status take_each(const json_t **list, const json_t *net, const char *name, size_t count, const char *what,
                            rwa_error *err)
{
    *list = json_object_get(net, name);
    return *list && (!json_is_array(*list) || json_array_size(*list) != count) ? expected(name, what, err) : RWA_OK;
}

/** Read an array of exactly `count` 32-bit numbers; return false if it is anything else. */
static bool take_row(uint32_t *row, size_t count, const json_t *list)
{
    for (size_t i = 0; i < count; i++)
        if (!json_u32(json_array_get(list, i), &row[i]))
            return false;
    return json_array_size(list) == count;
}

static rwa_status take_links(struct listing *l, const json_t *net, rwa_error *err)
{
    static const char what[] = "an array of [from,to]";
    const json_t *links = json_object_get(net, "links");
    uint32_t ends[2];
    l->count = json_array_size(links);
    if (!json_is_array(links))
        return expected("links", what, err);
    MUST(base_new(l->links, l->count, err));
    for (size_t i = 0; i < l->count; i++) {
        if (!take_row(ends, 2, json_array_get(links, i)))
            return expected("links", what, err);
        l->links[i] = (rwa_link){.from = ends[0], .to = ends[1]};
    }
    return RWA_OK;
}

/** Read the number of fibres of each link, from the optional member "link_fibers". */
static rwa_status take_fibers(struct listing *l, const json_t *net, rwa_error *err)
{
    static const char what[] = "at least one fiber for each link";
    const json_t *fibers;
    MUST(take_each(&fibers, net, "link_fibers", l->count, what, err));
    for (size_t i = 0; i < l->count && fibers; i++)
        if (!json_u32(json_array_get(fibers, i), &l->links[i].fibers) || l->links[i].fibers == 0)
            return expected("link_fibers", what, err);
    return RWA_OK;
}

/** Read the lengths of the links in km, from the optional member "lengths_km"; 0 means that a length is not known. */
static rwa_status take_lengths(struct listing *l, const json_t *net, rwa_error *err)
{
    static const char what[] = "a length of at least 0 for each link";
    const json_t *lengths;
    MUST(take_each(&lengths, net, "lengths_km", l->count, what, err));
    for (size_t i = 0; i < l->count && lengths; i++) {
        const json_t *km = json_array_get(lengths, i);
        if (!json_is_number(km) || json_number_value(km) < 0)
            return expected("lengths_km", what, err);
        l->links[i].length_km = json_number_value(km);
    }
    return RWA_OK;
}

static rwa_status take_names(struct listing *l, const json_t *net, uint32_t nodes, rwa_error *err)
{
    static const char what[] = "a string or null for each node";
    const json_t *names;
    MUST(take_each(&names, net, "names", nodes, what, err));
    if (!names)
        return RWA_OK;
    MUST(base_new(l->names, nodes, err));
    for (uint32_t v = 0; v < nodes; v++) {
        const json_t *name = json_array_get(names, v);
        if (!json_is_string(name) && !json_is_null(name))
            return expected("names", what, err);
        l->names[v] = json_string_value(name);
    }
    return RWA_OK;
}

static rwa_status take_positions(struct listing *l, const json_t *net, uint32_t nodes, rwa_error *err)
{
    static const char what[] = "[x,y] or null for each node";
    const json_t *list;
    MUST(take_each(&list, net, "positions", nodes, what, err));
    if (!list)
        return RWA_OK;
    MUST(base_new(l->positions, nodes, err));
    for (uint32_t v = 0; v < nodes; v++)
        if (!json_point(json_array_get(list, v), &l->positions[v].x, &l->positions[v].y))
            return expected("positions", what, err);
    return RWA_OK;
}

static rwa_status take_reserved(struct listing *l, const json_t *net, bool channels, rwa_error *err)
{
    const char *what = channels ? "channels, or [link,fiber,wavelength]" : "[link,fiber,wavelength] for each channel";
    const json_t *entries = json_object_get(net, "reserved");
    uint32_t row[3];
    if (entries && !json_is_array(entries))
        return expected("reserved", what, err);
    MUST(base_new(l->reserved, json_array_size(entries), err));
    for (size_t i = 0; i < json_array_size(entries); i++) {
        const json_t *entry = json_array_get(entries, i);
        if (channels && !json_is_array(entry))
            continue;
        if (!take_row(row, 3, entry))
            return expected("reserved", what, err);
        l->reserved[l->reserved_count++] = (rwa_reserved){row[0], row[1], row[2]};
    }
    return RWA_OK;
}

rwa_status listing_take(struct listing *l, rwa_network_options *opts, const json_t *net, uint32_t nodes, bool channels,
                        rwa_error *err)
{
    MUST(take_links(l, net, err));
    MUST(take_fibers(l, net, err));
    MUST(take_lengths(l, net, err));
    MUST(take_names(l, net, nodes, err));
    MUST(take_positions(l, net, nodes, err));
    MUST(take_reserved(l, net, channels, err));
    opts->node_names = l->names;
    opts->positions = l->positions;
    opts->reserved = l->reserved;
    opts->reserved_count = l->reserved_count;
    return RWA_OK;
}

void listing_release(struct listing *l)
{
    free_all(l->links, l->names, l->positions, l->reserved);
}

/* ---- writing ---- */

bool listing_ends(struct text *t, const rwa_network *net, uint32_t i)
{
    rwa_link link = rwa_network_link(net, i);
    text_put(t, "[%u,%u]", link.from, link.to);
    return true;
}

bool listing_fibers(struct text *t, const rwa_network *net, uint32_t i)
{
    uint32_t fibers = rwa_network_link(net, i).fibers;
    text_put(t, "%u", fibers);
    return fibers != rwa_network_fibers(net);
}

bool listing_name(struct text *t, const rwa_network *net, uint32_t i)
{
    const char *name = rwa_network_node_name(net, i);
    if (name)
        text_add_json(t, name);
    else
        text_put(t, "null");
    return name;
}

void listing_add(struct text *t, const char *name, listing_entry *entry, const rwa_network *net, uint32_t count,
                 uint32_t each)
{
    size_t before = t->used;
    bool any = false;
    for (uint32_t i = 0; i < count; i++) {
        text_put(t, i ? "," : ",\"%s\":[", name);
        any = entry(t, net, i * each) || any;
    }
    text_put(t, "]");
    t->used = any ? t->used : before;
}

void listing_numbers(struct text *t, const char *name, const uint32_t *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++)
        text_put(t, i ? ",%s%u" : ",\"%s\":[%u", i ? "" : name, numbers[i]);
    text_put(t, count > 0 ? "]" : "");
}
