/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Write the first line of a schedule file.  If memory runs out for any member, the whole line fails. */
#include "network/network.h"
#include "schedule/header.h"
#include "schedule/schedule.h"

#include "base/json.h"

#include <jansson.h>

/** Set a member.  false: the object or the value is NULL, or memory is out. */
static bool set(json_t *object, const char *name, json_t *value)
{
    return json_object_set_new(object, name, value) == 0;
}

/** Append a value; on failure the array becomes NULL. */
static json_t *append(json_t *array, json_t *value)
{
    if (json_array_append_new(array, value) == 0)
        return array;
    json_decref(array);
    return NULL;
}

static json_t *numbers_of(const uint32_t *numbers, size_t count)
{
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++)
        array = append(array, json_integer(numbers[i]));
    return array;
}

static json_t *link_ends(const rwa_network *net, uint32_t i)
{
    rwa_link link = rwa_network_link(net, i);
    return json_pack("[I,I]", (json_int_t)link.from, (json_int_t)link.to);
}

static json_t *link_fibers(const rwa_network *net, uint32_t i)
{
    return json_integer(rwa_network_link(net, i).fibers);
}

static json_t *link_length(const rwa_network *net, uint32_t i)
{
    return json_real(rwa_network_link(net, i).length_km);
}

static json_t *node_name(const rwa_network *net, uint32_t i)
{
    const char *name = rwa_network_node_name(net, i);
    return name ? json_string(name) : json_null();
}

static json_t *node_position(const rwa_network *net, uint32_t i)
{
    rwa_position at;
    return rwa_network_position(&at, net, i) ? json_pack("[f,f]", at.x, at.y) : json_null();
}

/** Set a list of values, unless all of them are null or equal `usual` (NAN: no number is usual). */
static bool set_values(json_t *object, const char *name, json_t *(*value)(const rwa_network *, uint32_t),
                       const rwa_network *net, uint32_t count, double usual)
{
    json_t *array = json_array();
    bool all_usual = true;
    for (uint32_t i = 0; i < count; i++) {
        json_t *one = value(net, i);
        all_usual = all_usual && (json_is_null(one) || json_number_value(one) == usual);
        array = append(array, one);
    }
    if (!array || !all_usual)
        return set(object, name, array);
    json_decref(array);
    return true;
}

/** The reserved channels: those of all links as numbers, those of a single link together with its number. */
static json_t *reserved_of(const rwa_network *net, const rwa_faults *faults)
{
    const rwa_reserved *list = NULL;
    size_t count = rwa_network_reserved(&list, net);
    json_t *array = numbers_of(faults->channels, faults->channel_count);
    for (size_t i = 0; i < count; i++)
        array = append(array, json_pack("[I,I,I]", (json_int_t)list[i].link, (json_int_t)list[i].fiber,
                                        (json_int_t)list[i].wavelength));
    return array;
}

/** List the names of failed links, and the step of each.  A link that failed in both directions in one step has one
 *  name. */
static void list_failed(json_t **names, json_t **steps, const rwa_network *net, const rwa_faults *faults)
{
    char name[24];
    uint32_t count = network_links_each_way(net);
    bool arcs = network_has_arcs(net);
    *names = json_array();
    *steps = json_array();
    for (size_t i = 0; i < faults->link_count; i++) {
        uint32_t link = faults->links[i] % count;
        uint64_t from = network_failed_from(net, faults->links[i]);
        bool up = faults->links[i] < count;
        bool both = arcs && network_failed_from(net, up ? link + count : link) == from;
        snprintf(name, sizeof name, "%s%u", !arcs || both ? "" : up ? "cw:" : "ccw:", link);
        if (both && !up)
            continue;
        *names = append(*names, json_string(name));
        *steps = append(*steps, json_integer((json_int_t)from));
    }
}

/** Set the failed links.  If they fail in different steps, the steps are a list; if in the same step, one number,
 *  which is omitted for links that are always failed. */
static bool set_failed(json_t *object, const rwa_network *net, const rwa_faults *faults)
{
    json_t *names = NULL, *steps = NULL;
    list_failed(&names, &steps, net, faults);
    bool differ = network_fails_in_steps(net);
    bool done = set(object, "failed", names) && (!differ || set(object, "failed_from", json_incref(steps)));
    json_decref(steps);
    return done && (differ || faults->links_from == 0 || set(object, "failed_from", json_integer(faults->links_from)));
}

static bool set_links(json_t *object, const rwa_network *net)
{
    const uint32_t *shape = NULL;
    size_t count = rwa_network_shape(&shape, net);
    uint32_t links = rwa_network_links(net);
    return (count == 0 || set(object, "shape", numbers_of(shape, count))) &&
           set_values(object, "links", link_ends, net, links, NAN) &&
           set_values(object, "link_fibers", link_fibers, net, links, rwa_network_fibers(net)) &&
           set_values(object, "lengths_km", link_length, net, links, 0) &&
           set_values(object, "names", node_name, net, rwa_network_nodes(net), NAN) &&
           set_values(object, "positions", node_position, net, rwa_network_nodes(net), NAN);
}

static bool set_limits(json_t *object, const rwa_network *net)
{
    uint32_t ports = rwa_network_ports(net), tuning = rwa_network_tuning(net);
    const rwa_reserved *list = NULL;
    rwa_faults faults = network_faults(net);
    size_t reserved = faults.channel_count + rwa_network_reserved(&list, net);
    return (ports == 0 || set(object, "ports", json_integer(ports))) &&
           (tuning == 0 || set(object, "tuning", json_integer(tuning))) &&
           (reserved == 0 || set(object, "reserved", reserved_of(net, &faults))) &&
           (faults.link_count == 0 || set_failed(object, net, &faults));
}

static json_t *network_of(const rwa_network *net)
{
    rwa_topology kind = rwa_network_topology(net);
    json_t *object = json_pack("{s:s, s:I, s:I, s:I}", "kind", rwa_topology_name(kind), "nodes",
                               (json_int_t)rwa_network_nodes(net), "fibers", (json_int_t)rwa_network_fibers(net),
                               "wavelengths", (json_int_t)rwa_network_wavelengths(net));
    if (set_limits(object, net) && (!header_lists_links(kind) || set_links(object, net)))
        return object;
    json_decref(object);
    return NULL;
}

static json_t *header_of(const rwa_schedule *sched)
{
    const rwa_collective *c = rwa_schedule_collective(sched);
    const uint32_t *members = rwa_schedule_members(sched);
    const uint32_t *cuts;
    size_t cut_count = rwa_schedule_epoch_cuts(&cuts, sched);
    unsigned version = schedule_version(sched);
    bool root = rwa_collective_has_root(c->kind);
    json_t *header = json_pack("{s:s, s:i}", "format", "rwa-schedule", "version", (int)version);
    if (set(header, "network", network_of(rwa_schedule_network(sched))) &&
        set(header, "collective", json_string(rwa_collective_name(c->kind))) &&
        (!root || set(header, "root", json_integer(members ? members[c->root] : c->root))) &&
        (!members || set(header, "members", numbers_of(members, c->nodes))) &&
        set(header, "blocks", json_integer((json_int_t)c->blocks)) &&
        set(header, "block_bytes", json_integer((json_int_t)c->block_bytes)) &&
        (version == 1 || set(header, "slots", json_integer(rwa_schedule_lightpath_blocks(sched)))) &&
        set(header, "steps", json_integer(rwa_schedule_steps(sched))) &&
        (cut_count == 0 || set(header, "epochs", numbers_of(cuts, cut_count))) &&
        set(header, "scheme", json_string(rwa_schedule_scheme(sched))) &&
        set(header, "lightpaths", json_integer((json_int_t)rwa_schedule_lightpaths(sched))))
        return header;
    json_decref(header);
    return NULL;
}

rwa_status header_text(char **out, const rwa_schedule *sched, rwa_error *err)
{
    json_t *header = header_of(sched);
    *out = header ? json_text(header, JSON_COMPACT) : NULL;
    json_decref(header);
    return *out ? RWA_OK : json_refuse_text(rwa_schedule_scheme(sched), err);
}
