/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "delivery/shortest_routes.h"

#include "network/network.h"

rwa_status shortest_routes_open(struct shortest_routes *r, const rwa_network *net, rwa_error *err)
{
    MUST(base_new(r->node, net->nodes, err));
    MUST(base_new(r->begin, (size_t)net->nodes + 1, err));
    MUST(base_new(r->onward, net->link_count, err));
    return base_new(r->seen, net->nodes, err);
}

void shortest_routes_close(struct shortest_routes *r)
{
    free_all(r->node, r->begin, r->onward, r->seen, r->kept_at, r->kept);
    *r = (struct shortest_routes){0};
}

struct distances_to distances_to(const rwa_network *net, const uint16_t *hops, uint32_t dst)
{
    return net->paired ? (struct distances_to){hops + (size_t)dst * net->nodes, 1}
                       : (struct distances_to){hops + dst, net->nodes};
}

void shortest_routes_list(struct shortest_routes *r, const rwa_network *net, const uint16_t *hops, uint32_t src,
                          uint32_t dst)
{
    const struct distances_to left = distances_to(net, hops, dst);
    const uint32_t *out = net->out, *first = net->first;
    const rwa_link *link = net->links;
    uint32_t tail = 0, head = 0, links = 0, search = ++r->search;
    r->degrees = 0;
    r->node[tail++] = src;
    r->seen[src] = search;
    for (; r->node[head] != dst; head++) {
        uint32_t v = r->node[head], begin = first[v], end = first[v + 1], nearer = left.hops[v * left.stride] - 1U;
        for (uint32_t k = begin; k < end; k++) {
            uint32_t to = link[out[k]].to;
            if (left.hops[to * left.stride] != nearer)
                continue;
            r->onward[links++] = out[k];
            if (r->seen[to] != search)
                r->node[tail++] = to;
            r->seen[to] = search;
        }
        r->degrees += end - begin;
        r->begin[head + 1] = links;
    }
    r->nodes = tail;
    assert(head + 1 == tail && links <= net->link_count);
}

/* ---- kept ---- */

/** Largest size of the cache, in 4-byte numbers: 1 MiB. */
enum { KEPT_NUMBERS = 1 << 18 };

static rwa_status keep(struct shortest_routes *r, uint32_t *at, rwa_error *err)
{
    uint32_t links = r->nodes > 1 ? r->begin[r->nodes - 1] : 0;
    size_t size = 1 + 2 * (size_t)r->nodes + links;
    if (r->kept_count + size > KEPT_NUMBERS)
        return RWA_OK;
    MUST(base_reserve(r->kept, r->kept_count + size, err));
    uint32_t *to = r->kept + r->kept_count;
    *to = r->nodes;
    memcpy(to + 1, r->node, r->nodes * sizeof *to);
    memcpy(to + 1 + r->nodes, r->begin, r->nodes * sizeof *to);
    memcpy(to + 1 + 2 * (size_t)r->nodes, r->onward, links * sizeof *to);
    *at = (uint32_t)r->kept_count + 1;
    r->kept_count += size;
    return RWA_OK;
}

rwa_status shortest_routes_recall(struct shortest_routes *out, struct shortest_routes *r, const rwa_network *net,
                                  const uint16_t *hops, uint32_t src, uint32_t dst, rwa_error *err)
{
    if (!r->kept_at)
        MUST(base_new(r->kept_at, (size_t)net->nodes * net->nodes, err));
    uint32_t *at = r->kept_at + (size_t)src * net->nodes + dst;
    if (*at > 0) {
        uint32_t *kept = r->kept + *at - 1, nodes = *kept++;
        *out = (struct shortest_routes){
            .node = kept, .begin = kept + nodes, .onward = kept + 2 * (size_t)nodes, .nodes = nodes};
        return RWA_OK;
    }
    shortest_routes_list(r, net, hops, src, dst);
    *out = *r;
    return keep(r, at, err);
}
