/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Stores listed links: checks them, and finds links by their ends. */
#include "network/network.h"

#include "base/bins.h"

static rwa_status check_link(const struct rwa_network *net, const rwa_link *link, size_t i, rwa_error *err)
{
    if (link->from >= net->nodes || link->to >= net->nodes)
        return base_refuse(err, "link %zu: node %u, expected 0 to %u", i,
                           link->from >= net->nodes ? link->from : link->to, net->nodes - 1);
    if (link->from == link->to)
        return base_refuse(err, "link %zu joins node %u to itself: expected two nodes", i, link->from);
    if (!(link->length_km >= 0) || link->length_km > RWA_LENGTH_KM_MAX)
        return base_refuse(err, "link %zu: a length of %g km, expected one that is not negative, at most %g", i,
                           link->length_km, RWA_LENGTH_KM_MAX);
    if ((uint64_t)link->fibers * net->wavelengths > RWA_CHANNELS_MAX)
        return base_refuse(err, "link %zu: %u fibers of %u wavelengths, expected at most %u channels", i, link->fibers,
                           net->wavelengths, RWA_CHANNELS_MAX);
    return RWA_OK;
}

/** Build the index that finds links by their ends: counting sorts by head and then by tail, which are fast enough for
 *  millions of links. */
static rwa_status index_links(struct rwa_network *net, rwa_error *err)
{
    struct bins heads = {0}, tails = {0};
    rwa_status st = RWA_OK;
    while (bins_pass(&heads, net->nodes, &st, err))
        for (uint32_t i = 0; i < net->link_count; i++)
            bins_add(&heads, net->links[i].to, i);
    while (st == RWA_OK && bins_pass(&tails, net->nodes, &st, err))
        for (uint32_t k = 0; k < net->link_count; k++) {
            uint32_t l = tails.number ? heads.number[k] : k; /* counting needs no order, and is faster in this one */
            bins_add(&tails, net->links[l].from, l);
        }
    TRY(st);
    arena_copy(&net->arena, net->out, tails.number, net->link_count);
    arena_new(&net->arena, net->first, (size_t)net->nodes + 1);
    TRY(arena_status(&net->arena));
    for (uint32_t v = 0; v < net->nodes; v++)
        net->first[v + 1] = (uint32_t)tails.first[v + 1];
done:
    bins_free(&heads);
    bins_free(&tails);
    return st;
}

rwa_status graph_refuse_links(uint64_t count, bool both_ways, rwa_error *err)
{
    uint64_t most = RWA_LINKS_MAX / (both_ways ? 2 : 1);
    if (count > most)
        return base_refuse(err, "%" PRIu64 " links%s: expected at most %" PRIu64, count, both_ways ? " both ways" : "",
                           most);
    return RWA_OK;
}

rwa_status graph_take_links(struct rwa_network *net, const rwa_link *links, size_t count, bool both_ways,
                            rwa_error *err)
{
    size_t each = both_ways ? 2 : 1;
    MUST(graph_refuse_links(count, both_ways, err));
    MUST(base_fits_memory((double)(count * each) * (sizeof *net->links + 2 * sizeof *net->out), "this network", err));
    if (!net->links)
        arena_new(&net->arena, net->links, count * each);
    MUST(arena_status(&net->arena));
    assert(links < net->links || links >= net->links + count * (each - 1));
    for (size_t i = 0; i < count; i++) {
        rwa_link link = links[i];
        MUST(check_link(net, &link, i, err));
        if (link.fibers == 0)
            link.fibers = net->fibers;
        net->links[i * each] = link;
        if (both_ways)
            net->links[i * each + 1] = (rwa_link){link.to, link.from, link.length_km, link.fibers};
    }
    net->link_count = (uint32_t)(count * each);
    net->paired = both_ways;
    return index_links(net, err);
}

static uint32_t find_root(uint32_t *parent, uint32_t node)
{
    while (parent[node] != node) {
        parent[node] = parent[parent[node]];
        node = parent[node];
    }
    return node;
}

rwa_status graph_count_parts(uint32_t *parts, uint32_t *apart, uint32_t nodes, const rwa_link *links, size_t count,
                             rwa_error *err)
{
    uint32_t *parent, node = 1;
    MUST(base_new(parent, nodes, err));
    for (uint32_t v = 0; v < nodes; v++)
        parent[v] = v;
    *parts = nodes;
    for (size_t i = 0; i < count; i++) {
        uint32_t from = find_root(parent, links[i].from), to = find_root(parent, links[i].to);
        *parts -= from != to;
        parent[from] = to;
    }
    while (node < nodes && find_root(parent, node) == find_root(parent, 0))
        node++;
    if (apart)
        *apart = node < nodes ? node : RWA_NONE;
    free(parent);
    return RWA_OK;
}

rwa_status graph_take_names(struct rwa_network *net, const char *const *names)
{
    net->names = names ? arena_array(&net->arena, net->nodes, sizeof *net->names) : NULL;
    for (uint32_t v = 0; net->names && v < net->nodes; v++)
        net->names[v] = arena_copy_text(&net->arena, names[v]);
    return arena_status(&net->arena);
}

rwa_status graph_take_positions(struct rwa_network *net, const rwa_position *positions, rwa_error *err)
{
    for (uint32_t v = 0; positions && v < net->nodes; v++)
        if (isinf(positions[v].x) || isinf(positions[v].y) || isnan(positions[v].x) != isnan(positions[v].y))
            return base_refuse(err, "the position of node %u: expected two numbers, or none", v);
    arena_copy(&net->arena, net->positions, positions, net->nodes);
    return arena_status(&net->arena);
}

rwa_status graph_copy(struct rwa_network *copy, const struct rwa_network *net)
{
    struct arena *arena = &copy->arena;
    size_t grouped = net->group_first ? net->group_first[net->group_count] : 0;
    assert(!arena->last);
    arena_copy(arena, copy->links, net->links, net->link_count);
    arena_copy(arena, copy->first, net->first, (size_t)net->nodes + 1);
    arena_copy(arena, copy->out, net->out, net->link_count);
    arena_copy(arena, copy->reserved, net->reserved, net->reserved_count);
    arena_copy(arena, copy->group_first, net->group_first, net->group_count + 1);
    arena_copy(arena, copy->group_links, net->group_links, grouped);
    arena_copy(arena, copy->positions, net->positions, net->nodes);
    return graph_take_names(copy, (const char *const *)net->names);
}

struct rwa_network *network_reversed(const struct rwa_network *net, rwa_error *err)
{
    struct rwa_network *copy = network_copy(net, err);
    if (!copy)
        return NULL;
    for (rwa_link *l = copy->links; l < copy->links + copy->link_count; l++) {
        uint32_t from = l->from;
        l->from = l->to;
        l->to = from;
    }
    network_keep(&copy, index_links(copy, err));
    return copy;
}

uint32_t graph_find_link(const struct rwa_network *net, uint32_t from, uint32_t to)
{
    uint32_t low = net->first[from], high = net->first[from + 1];
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (net->links[net->out[middle]].to < to)
            low = middle + 1;
        else
            high = middle;
    }
    return low < net->first[from + 1] && net->links[net->out[low]].to == to ? net->out[low] : RWA_NONE;
}
