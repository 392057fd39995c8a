/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "network/files/draft.h"

#include "base/number.h"

rwa_status draft_count_nodes(struct network_draft *d, uint64_t nodes)
{
    if (nodes < 2 || nodes > RWA_NODES_MAX)
        return draft_fail(d, "%" PRIu64 " nodes, expected 2 to %u", nodes, RWA_NODES_MAX);
    d->nodes = (uint32_t)nodes;
    return RWA_OK;
}

rwa_status draft_add_node(struct network_draft *d, const char *id, const char *label)
{
    uint32_t node = 0;
    if (d->nodes >= RWA_NODES_MAX)
        return draft_fail(d, "more than %u nodes", RWA_NODES_MAX);
    MUST(base_reserve(d->list, (size_t)d->nodes + 1, d->err));
    MUST(names_add(&d->ids, id, &node, d->err));
    if (node != d->nodes)
        MUST(draft_fail(d, "node \"%.64s\" comes twice, expected each id once", id));
    d->list[d->nodes++] = (struct draft_node){NULL, {NAN, NAN}};
    if (label && *label && !(d->list[node].label = base_copy_text(label, d->err)))
        return RWA_NOMEM;
    return RWA_OK;
}

rwa_status draft_position(struct network_draft *d, double x, double y)
{
    assert(d->nodes > 0);
    if (!isfinite(x) || !isfinite(y))
        return draft_fail(d, "a position of %g and %g, expected two numbers", x, y);
    d->list[d->nodes - 1].at = (rwa_position){x, y};
    return RWA_OK;
}

rwa_status draft_find_node(struct network_draft *d, const char *id, uint32_t *node)
{
    *node = names_find(&d->ids, id);
    return *node != NAMES_NONE ? RWA_OK
                               : draft_fail(d, "node \"%.64s\" is unknown, expected one of the file's nodes", id);
}

rwa_status draft_add_link(struct network_draft *d, uint64_t from, uint64_t to, double length_km, uint64_t fibers)
{
    if (from >= d->nodes || to >= d->nodes)
        return draft_fail(d, "node %" PRIu64 " is unknown, expected 0 to %lld",
                          (from >= d->nodes ? from : to), (long long)d->nodes - 1);
    if (from == to)
        return draft_fail(d, "a link from node %" PRIu64 " to itself, expected two different nodes", from);
    if (!(length_km >= 0) || length_km > RWA_LENGTH_KM_MAX)
        return draft_fail(d, "a length of %g km, expected one that is not negative, at most %g", length_km,
                          RWA_LENGTH_KM_MAX);
    if (fibers > RWA_CHANNELS_MAX)
        return draft_fail(d, "%" PRIu64 " fibres, expected at most %u", fibers, RWA_CHANNELS_MAX);
    return base_append(d->links, d->link_count, d->err,
                       (rwa_link){(uint32_t)from, (uint32_t)to, length_km, (uint32_t)fibers});
}

/** Append a reserved channel to d->reserved; a format error if there are DRAFT_RESERVED_MAX already.  Without this
 *  limit a short text could take very much memory. */
static rwa_status add_reserved(struct network_draft *d, rwa_reserved one)
{
    if (d->reserved_count == DRAFT_RESERVED_MAX)
        return draft_fail(d, "more than %d reserved channels in all, expected no more", DRAFT_RESERVED_MAX);
    return base_append(d->reserved, d->reserved_count, d->err, one);
}

/** Read "3" or "3-7" at the beginning of a text: set *low and *high to 3 and 3, or to 3 and 7.  Return the text behind
 *  it, or NULL if the text does not begin with either. */
static const char *read_range(const char *text, uint64_t *low, uint64_t *high)
{
    const char *p = read_digits(low, text, RWA_CHANNELS_MAX - 1);
    *high = *low;
    if (p && *p == '-')
        p = read_digits(high, p + 1, RWA_CHANNELS_MAX - 1);
    return p && *low <= *high && (*p == '\0' || *p == ',' || *p == ' ') ? p : NULL;
}

rwa_status draft_reserve(struct network_draft *d, uint32_t fiber, const char *wavelengths)
{
    const char *p = wavelengths + strspn(wavelengths, " ");
    assert(d->link_count > 0);
    while (*p) {
        uint64_t low = 0, high = 0;
        p = read_range(p, &low, &high);
        if (!p)
            return draft_fail(d, "reserved wavelengths \"%.64s\", expected a list such as 0,3,8-15", wavelengths);
        for (uint64_t w = low; w <= high; w++)
            MUST(add_reserved(d, (rwa_reserved){(uint32_t)d->link_count - 1, fiber, (uint32_t)w}));
        p += strspn(p, ", ");
    }
    return RWA_OK;
}

rwa_status draft_begin_group(struct network_draft *d)
{
    return base_append(d->group_ends, d->group_count, d->err, d->grouped);
}

rwa_status draft_group_link(struct network_draft *d, uint64_t link)
{
    assert(d->group_count > 0);
    if (link >= d->link_count)
        return draft_fail(d, "link %" PRIu64 " is unknown, expected one below %zu", link, d->link_count);
    MUST(base_append(d->group_links, d->grouped, d->err, (uint32_t)link));
    d->group_ends[d->group_count - 1] = d->grouped;
    return RWA_OK;
}

rwa_status draft_number(struct network_draft *d, const char *text, const char *what, double *number)
{
    if (!number_is(text, number) || !isfinite(*number))
        return draft_fail(d, "%s \"%.64s\", expected a number", what, text);
    return RWA_OK;
}

static const char *show_node(const struct network_draft *d, uint32_t node, char *buffer, size_t size)
{
    assert(node < d->nodes);
    const char *name = d->list && d->list[node].label ? d->list[node].label
                       : node < d->ids.count ? d->ids.list[node] : NULL;
    if (name)
        snprintf(buffer, size, "\"%.64s\"", name);
    else
        snprintf(buffer, size, "%u", node);
    return buffer;
}

/** Return a format error unless there are at least 2 nodes and the links connect all of them.  Too few links are an
 *  error before graph_count_parts() allocates memory for the nodes, whose number the file may have made up. */
static rwa_status check_connected(struct network_draft *d)
{
    char a[80], b[80];
    uint32_t parts, apart;
    if (d->nodes < 2)
        return draft_fail(d, "%u node%s, expected at least 2", d->nodes, plural(d->nodes));
    if (d->link_count < d->nodes - 1)
        return draft_fail(d, "%u nodes and %zu links cannot be connected, expected a connected network", d->nodes,
                          d->link_count);
    MUST(graph_count_parts(&parts, &apart, d->nodes, d->links, d->link_count, d->err));
    return apart == RWA_NONE ? RWA_OK
           : draft_fail(d, "no way leads from node %s to node %s, expected a connected network",
                        show_node(d, 0, a, sizeof a), show_node(d, apart, b, sizeof b));
}

/** Tell whether the id of each node is its number, so that ids need not be kept as names. */
static bool ids_are_numbers(const struct network_draft *d)
{
    char number[16];
    for (uint32_t v = 0; v < d->ids.count; v++) {
        snprintf(number, sizeof number, "%u", v);
        if (strcmp(number, d->ids.list[v]) != 0)
            return false;
    }
    return true;
}

/** Set names[v] to the name of node v: its label if no other node has the same label; else NULL if the id of each node
 *  is its number; else its id.  Set *any to true if some node gets a name.  The names are borrowed from the draft;
 *  `memory` is for working memory. */
static rwa_status choose_names(const char **names, struct network_draft *d, bool *any, struct arena *memory)
{
    struct names seen = {0};
    uint32_t number = 0;
    bool *twice, numbers = ids_are_numbers(d);
    rwa_status st = RWA_OK;
    TRY(arena_arrays(memory, d->nodes, twice));
    for (uint32_t v = 0; v < d->nodes; v++)
        if (d->list[v].label) {
            uint32_t before = seen.count;
            TRY(names_add(&seen, d->list[v].label, &number, d->err));
            twice[number] = seen.count == before;
        }
    for (uint32_t v = 0; v < d->nodes; v++) {
        const char *label = d->list[v].label;
        names[v] = label && !twice[names_find(&seen, label)] ? label : numbers ? NULL : d->ids.list[v];
        *any = *any || names[v];
    }
done:
    names_free(&seen);
    return st;
}

static void fill_groups(rwa_risk_group *groups, const struct network_draft *d)
{
    for (size_t g = 0; g < d->group_count; g++) {
        size_t first = g ? d->group_ends[g - 1] : 0, count = d->group_ends[g] - first;
        groups[g] = (rwa_risk_group){count > 0 ? d->group_links + first : NULL, count};
    }
}

/** Replace each entry of d->reserved that holds for all fibres of a link by one entry for each fibre.  A link whose
 *  number of fibres is not given has `fibers`. */
static rwa_status spread_reserved(struct network_draft *d, uint32_t fibers)
{
    size_t given = d->reserved_count;
    for (size_t i = 0; i < given; i++) {
        rwa_reserved r = d->reserved[i];
        uint32_t have = d->links[r.link].fibers ? d->links[r.link].fibers : fibers;
        if (r.fiber != DRAFT_ALL_FIBERS)
            continue;
        d->reserved[i].fiber = 0;
        for (uint32_t f = 1; f < have; f++)
            MUST(add_reserved(d, (rwa_reserved){r.link, f, r.wavelength}));
    }
    return RWA_OK;
}

/** Set at[v] to the position of node v, for all nodes.  Return whether two known positions differ: tools that know no
 *  positions write the same one for all nodes. */
static bool take_positions(rwa_position *at, const struct network_draft *d)
{
    uint32_t first = 0;
    bool differ = false;
    for (uint32_t v = 0; d->list && v < d->nodes; v++) {
        at[v] = d->list[v].at;
        first = isnan(at[first].x) ? v : first;
        differ = differ || (!isnan(at[v].x) && (at[v].x != at[first].x || at[v].y != at[first].y));
    }
    return differ;
}

rwa_status draft_finish(rwa_network **out, struct network_draft *d, const rwa_network_options *opts)
{
    rwa_network_options o;
    rwa_error why = {0};
    struct arena memory = {.err = d->err};
    const char **names;
    rwa_position *positions;
    rwa_risk_group *groups;
    bool any = false;
    rwa_status st = RWA_OK;
    d->line = 0;
    d->item[0] = '\0';
    TRY(base_options(rwa_network_options, &o, opts, d->err));
    TRY(check_connected(d));
    TRY(spread_reserved(d, o.fibers));
    arena_arrays(&memory, d->ids.count, names, positions);
    TRY(arena_arrays(&memory, d->group_count, groups));
    if (d->ids.count > 0)
        TRY(choose_names(names, d, &any, &memory));
    fill_groups(groups, d);
    if (d->slots > 0 && o.slot_hz == 0) {
        o.slot_hz = RWA_SLOT_HZ;
        o.wavelengths = d->slots;
    }
    o.both_ways = !d->directed;
    o.node_names = any ? names : NULL;
    o.positions = take_positions(positions, d) ? positions : NULL;
    o.reserved = d->reserved;
    o.reserved_count = d->reserved_count;
    o.risk_groups = groups;
    o.risk_group_count = d->group_count;
    st = rwa_network_create_graph(out, d->nodes, d->links, d->link_count, &o, &why);
    if (st != RWA_OK)
        base_fail(d->err, st, "%s: %s", d->file, why.text);
done:
    arena_free(&memory);
    return st;
}

void draft_free(struct network_draft *d)
{
    for (uint32_t v = 0; d->list && v < d->nodes; v++)
        free(d->list[v].label);
    names_free(&d->ids);
    free_all(d->list, d->links, d->reserved, d->group_links, d->group_ends);
}
