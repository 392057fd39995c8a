/* SPDX-License-Identifier: GPL-3.0-or-later */
/** All shortest routes between two nodes of a network that lists its links. */
#pragma once

#include "base/base.h"
#include "rwa/network.h"

/** All shortest routes between two nodes: their nodes, nearest to the source first, the destination last.  The links of
 * these routes out of node[i] are onward[begin[i]] … onward[begin[i + 1] - 1]. */
struct shortest_routes {
    uint32_t *node, *begin, *onward;
    uint32_t nodes;
    uint32_t degrees;           /* links out of all listed nodes but the last, whether or not on a shortest route */
    uint32_t *seen, search;     /* scratch */
    /* cache of shortest_routes_recall(), of limited memory: */
    uint32_t *kept_at;          /* [src][dst]: index in `kept`, plus 1; 0: not kept */
    uint32_t *kept;             /* of each pair: nodes; node, begin and onward, as above */
    size_t kept_count;
};

/** Distances to one node: from node v there are hops[v * stride] hops.  If links are in pairs, distances are symmetric,
 * so the distances to a node are a row of the table, side by side in memory. */
struct distances_to {
    const uint16_t *hops;
    size_t stride;
};
struct distances_to distances_to(const rwa_network *net, const uint16_t *hops, uint32_t dst);

/** Allocate the arrays for a network. `r` starts as zeros; close it also after a failure.  RWA_NOMEM. */
rwa_status shortest_routes_open(struct shortest_routes *r, const rwa_network *net, rwa_error *err);
void shortest_routes_close(struct shortest_routes *r);

/** List in `r` the nodes and links of all shortest routes from src to dst; there must be one.  O(links out of these
 *  nodes).
 *  @param hops [node][node]: links of a shortest route */
void shortest_routes_list(struct shortest_routes *r, const rwa_network *net, const uint16_t *hops, uint32_t src,
                          uint32_t dst);

/** List the shortest routes in *out as shortest_routes_list() does in `r`, but keep the lists in a cache in `r`, which
 * serves one network only.  *out points into `r` and is valid until the next call.  RWA_NOMEM. */
rwa_status shortest_routes_recall(struct shortest_routes *out, struct shortest_routes *r, const rwa_network *net,
                                  const uint16_t *hops, uint32_t src, uint32_t dst, rwa_error *err);
