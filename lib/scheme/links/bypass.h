/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Lightpaths that stay up, as the links of another network: links of the real one, or lightpaths that bypass the nodes on their way. */
#pragma once

#include "base/bins.h"
#include "delivery/exchange_load.h"

/** Lightpaths that bypass nodes at most, links of a network, and channels of a link. */
enum { BYPASS_LIGHTPATHS = 24000, BYPASS_LINKS = UINT16_MAX, BYPASS_CHANNELS = 256 };

struct bypass {
    uint32_t nodes, count;
    uint32_t lanes;             /* channels of each, side by side */
    rwa_link *link;             /* the ends */
    struct bins out;            /* by the node that they leave */
    uint32_t *channel;          /* of each; NULL: they are links of the network, on all channels */
    size_t *path;               /* the nodes of lightpath l: node[path[l]] … node[path[l + 1] - 1] */
    uint32_t *node;
    size_t room;
    struct arena memory;
};

/** The links.  RWA_NOMEM; bypass_close() in any case. */
rwa_status bypass_of_links(struct bypass *out, const rwa_network *net, rwa_error *err);
/** Lightpaths between neighbours on a channel of each link, then between nodes so many links apart, as many as channels allow; the
 *  channels that are left join nearer ones.  None (count 0) where links have too many channels, or one.  RWA_NOMEM; bypass_close() in
 *  any case. */
rwa_status bypass_open(struct bypass *out, const struct distances *d, uint32_t length, rwa_error *err);
void bypass_close(struct bypass *b);
