/* SPDX-License-Identifier: GPL-3.0-or-later */
/** All shortest routes between two nodes of a network that lists its links. */
#pragma once

#include "base/base.h"
#include "rwa/network.h"

/** Nodes on shortest routes, nearest to the source first, the destination last.  Links of those routes out of node[i]:
 *  onward[begin[i]] … onward[begin[i + 1] - 1]. */
struct shortest_routes {
    uint32_t *node, *begin, *onward;
    uint32_t nodes;
    uint32_t degrees;           /* links out of those nodes but the last, onward or not */
    uint32_t *seen, search;     /* scratch */
    /* kept for pairs of nodes that are asked for again, as long as they take little memory: */
    uint32_t *kept_at;          /* [src][dst]: where they are in `kept`, plus 1; 0: not kept */
    uint32_t *kept;             /* of each: nodes; node, begin and onward, as above */
    size_t kept_count, kept_room;
};

/** `r` starts as zeros; close it also after a failure.  RWA_NOMEM. */
rwa_status shortest_routes_open(struct shortest_routes *r, const rwa_network *net, rwa_error *err);
void shortest_routes_close(struct shortest_routes *r);

/** List those from src to dst, which it reaches.  O(links of the nodes listed).
 *  @param hops  [node][node]: links of a shortest route */
void shortest_routes_list(struct shortest_routes *r, const rwa_network *net, const uint16_t *hops, uint32_t src,
                          uint32_t dst);

/** The same, of one network, from memory where they are kept; *out points into `r`, and is valid up to the next call.
 * RWA_NOMEM. */
rwa_status shortest_routes_recall(struct shortest_routes *out, struct shortest_routes *r, const rwa_network *net,
                                  const uint16_t *hops, uint32_t src, uint32_t dst, rwa_error *err);
