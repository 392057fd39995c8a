/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "delivery/shortest_routes.h"

#include "network/network.h"

rwa_status shortest_routes_open(struct shortest_routes *r, const rwa_network *net, rwa_error *err)
{
    r->node = base_array(net->nodes, sizeof *r->node, err);
    r->begin = base_array((size_t)net->nodes + 1, sizeof *r->begin, err);
    r->onward = base_array(net->link_count, sizeof *r->onward, err);
    r->seen = base_array(net->nodes, sizeof *r->seen, err);
    return r->node && r->begin && r->onward && r->seen ? RWA_OK : RWA_NOMEM;
}

void shortest_routes_close(struct shortest_routes *r)
{
    free(r->node);
    free(r->begin);
    free(r->onward);
    free(r->seen);
    *r = (struct shortest_routes){0};
}

void shortest_routes_list(struct shortest_routes *r, const rwa_network *net, const uint16_t *hops, uint32_t src, uint32_t dst)
{
    uint32_t tail = 0, head = 0, nodes = net->nodes, links = 0;
    r->search++;
    r->degrees = 0;
    r->node[tail++] = src;
    r->seen[src] = r->search;
    for (; r->node[head] != dst; head++) {
        uint32_t v = r->node[head], left = hops[(size_t)v * nodes + dst];
        for (uint32_t k = net->first[v]; k < net->first[v + 1]; k++) {
            uint32_t to = net->links[net->out[k]].to;
            if (hops[(size_t)to * nodes + dst] + 1U != left)
                continue;
            r->onward[links++] = net->out[k];
            if (r->seen[to] != r->search)
                r->node[tail++] = to;
            r->seen[to] = r->search;
        }
        r->degrees += net->first[v + 1] - net->first[v];
        r->begin[head + 1] = links;
    }
    r->nodes = tail;
    assert(head + 1 == tail && links <= net->link_count);
}
