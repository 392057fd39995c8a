/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "network/listing.h"

#include "base/base.h"

/** Reads entry i of a list.  Returns false if the entry does not have the expected form. */
typedef bool entry_reader(struct listing *l, size_t i, const json_t *entry);

/** Set row[0 … count - 1] to the numbers of a JSON array of exactly `count` 32-bit numbers; return false if it is
 *  anything else. */
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

/** Set the length of link i in l to `entry`, in km; 0: unknown.  Return false unless it is a number of at least 0. */
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

/** A list in a network's header. */
struct member {
    const char *name;
    size_t count;               /* of its entries */
    entry_reader *take;
    const char *expected;
};

/** Read the list named m->name of the JSON network into l: m->count entries, each by the function m->take.  A list
 *  other than "links" may be absent.  RWA_FORMAT */
static rwa_status take_list(struct listing *l, const json_t *net, const struct member *m, rwa_error *err)
{
    const json_t *list = json_object_get(net, m->name);
    bool good = list ? json_is_array(list) && json_array_size(list) == m->count : m->take != take_ends;
    for (size_t i = 0; list && i < m->count && good; i++)
        good = m->take(l, i, json_array_get(list, i));
    return good ? RWA_OK : base_fail(err, RWA_FORMAT, "\"%s\": expected %s", m->name, m->expected);
}

rwa_status listing_take(struct listing *l, rwa_network_options *opts, const json_t *net, uint32_t nodes, bool channels,
                        rwa_error *err)
{
    size_t count = l->count = json_array_size(json_object_get(net, "links")),
           reserved = json_array_size(json_object_get(net, "reserved"));
    const struct member members[] = {
        {"links", count, take_ends, "an array of [from,to]"},
        {"link_fibers", count, take_fibers, "at least one fiber for each link"},
        {"lengths_km", count, take_length, "a length of at least 0 for each link"},
        {"names", nodes, take_name, "a string or null for each node"},
        {"positions", nodes, take_position, "[x,y] or null for each node"},
        {"reserved", reserved, take_reserved,
         channels ? "channels, or [link,fiber,wavelength]" : "[link,fiber,wavelength] for each channel"}};
    l->channels = channels;
    MUST(base_new(l->links, count, err));
    MUST(base_new(l->reserved, reserved, err));
    if (json_object_get(net, "names"))
        MUST(base_new(l->names, nodes, err));
    if (json_object_get(net, "positions"))
        MUST(base_new(l->positions, nodes, err));
    for (size_t i = 0; i < sizeof members / sizeof *members; i++)
        MUST(take_list(l, net, &members[i], err));
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
    text_add_json(t, name);
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
