/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * A ring or line contracted to the participants, the nodes that take part in a collective.  The links between two
 * neighbouring participants become one contracted link.  If a contracted link works in neither direction, a ring
 * becomes a line.
 * Places 0 … nodes - 1 follow each other clockwise; contracted link i leads from place i to the next.
 */
#pragma once

#include "network/network.h"

/** A contracted link that has lost one or both directions; cw and ccw are the directions lost. */
struct link_loss {
    uint32_t link;
    bool cw, ccw;
};

struct contracted {
    rwa_topology kind;      /**< RWA_RING or RWA_LINE */
    uint32_t nodes;
    uint32_t first;             /**< place p is participant (p + first) mod nodes */
    struct link_loss *lost;     /**< ascending; of a line that was a ring, without the link where it was cut */
    size_t lost_count;
};

/**
 * Set *out to a ring or line contracted to the participants, and list in out->lost the contracted links that have lost
 * a direction.
 * @param faults    the failed links; its reserved channels are ignored
 * @param members   the participants: `count` nodes, ascending; NULL: all `count` nodes of the network
 * @param max_hops  contracted links of more hops count as failed in both directions; 0: no limit
 * @return RWA_OK; RWA_NOMEM.  The caller frees out->lost in any case.  Cost O(failed links * log count); if there are
 * failed links, or both a limit and members, also O(count)
 */
rwa_status contracted_open(struct contracted *out, const rwa_network *net, const rwa_faults *faults,
                           const uint32_t *members, uint32_t count, uint32_t max_hops, rwa_error *err);

/** Return the number of links clockwise from participant r, counted from 0, to the next participant; from the last one
 *  to the first.  members[]: the nodes of the `count` participants, ascending; NULL: all nodes. */
uint32_t contracted_hops(const rwa_network *net, const uint32_t *members, uint32_t count, uint32_t r);
