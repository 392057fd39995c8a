/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "network/listing.h"

#include "base/base.h"

/** Reads entry i of a list.  Returns false if the entry does not have the expected form. */
typedef bool entry_reader(struct listing *l, size_t i, const json_t *entry);

/** Read an array of exactly `count` 32-bit numbers; return false if it is anything else. */
static bool take_row(uint32_t *row, size_t count, const json_t *list)
{
    for (size_t i = 0; i < count; i++)
        if (!json_u32(json_array_get(list, i), &row[i]))
            return false;
    return json_array_size(list) == count;
}

static bool take_ends(struct listing *l, size_t i, const json_t *entry)
{
    uint32_t ends[2] = {0};
    bool good = take_row(ends, 2, entry);
    l->links[i] = (rwa_link){.from = ends[0], .to = ends[1]};
    return good;
}

static bool take_fibers(struct listing *l, size_t i, const json_t *entry)
{
    return json_u32(entry, &l->links[i].fibers) && l->links[i].fibers > 0;
}

/** Read the length of link i in km; 0: unknown. */
static bool take_length(struct listing *l, size_t i, const json_t *entry)
{
    l->links[i].length_km = json_number_value(entry);
    return json_is_number(entry) && l->links[i].length_km >= 0;
}

static bool take_name(struct listing *l, size_t i, const json_t *entry)
{
    l->names[i] = json_string_value(entry);
    return l->names[i] || json_is_null(entry);
}

static bool take_position(struct listing *l, size_t i, const json_t *entry)
{
    return json_point(entry, &l->positions[i].x, &l->positions[i].y);
}

static bool take_reserved(struct listing *l, size_t i, const json_t *entry)
{
    uint32_t row[3];
    (void)i;
    if (l->channels && !json_is_array(entry))
        return true;
    if (!take_row(row, 3, entry))
        return false;
    l->reserved[l->reserved_count++] = (rwa_reserved){row[0], row[1], row[2]};
    return true;
}

/** Read a list of `count` entries by calling `take` for each.  NULL: the member is absent, which is no error.
 *  RWA_FORMAT: the message says that member `name` should be `what`. */
static rwa_status take_list(struct listing *l, const json_t *list, size_t count, entry_reader *take, const char *name,
                            const char *what, rwa_error *err)
{
    bool good = !list || (json_is_array(list) && json_array_size(list) == count);
    for (size_t i = 0; list && i < count && good; i++)
        good = take(l, i, json_array_get(list, i));
    return good ? RWA_OK : base_fail(err, RWA_FORMAT, "\"%s\": expected %s", name, what);
}

rwa_status listing_take(struct listing *l, rwa_network_options *opts, const json_t *net, uint32_t nodes, bool channels,
                        rwa_error *err)
{
    const json_t *links = json_object_get(net, "links"), *fibers = json_object_get(net, "link_fibers"),
                 *lengths = json_object_get(net, "lengths_km"), *names = json_object_get(net, "names"),
                 *positions = json_object_get(net, "positions"), *reserved = json_object_get(net, "reserved");
    size_t count = l->count = json_array_size(links);
    l->channels = channels;
    MUST(base_new(l->links, count, err));
    MUST(base_new(l->reserved, json_array_size(reserved), err));
    if (names)
        MUST(base_new(l->names, nodes, err));
    if (positions)
        MUST(base_new(l->positions, nodes, err));
    MUST(take_list(l, links ? links : net, count, take_ends, "links", "an array of [from,to]", err));
    MUST(take_list(l, fibers, count, take_fibers, "link_fibers", "at least one fiber for each link", err));
    MUST(take_list(l, lengths, count, take_length, "lengths_km", "a length of at least 0 for each link", err));
    MUST(take_list(l, names, nodes, take_name, "names", "a string or null for each node", err));
    MUST(take_list(l, positions, nodes, take_position, "positions", "[x,y] or null for each node", err));
    MUST(take_list(
        l, reserved, json_array_size(reserved), take_reserved, "reserved",
        channels ? "channels, or [link,fiber,wavelength]" : "[link,fiber,wavelength] for each channel", err));
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
