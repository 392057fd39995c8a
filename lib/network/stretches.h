/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * A ring or line as those see it who take part in a collective, the participants: every stretch between two neighbours
 * of them is one link, and a ring with a stretch that cannot be crossed either way is a line.  Places 0 … nodes - 1 follow
 * each other clockwise; stretch i leads from place i to the next.
 */
#ifndef NETWORK_STRETCHES_H
#define NETWORK_STRETCHES_H

#include "network/network.h"

/** A stretch that cannot be crossed in a direction. */
struct stretch_loss {
    uint32_t link;
    bool cw, ccw;
};

struct stretches {
    rwa_network_kind kind;      /* RWA_RING or RWA_LINE */
    uint32_t nodes;
    uint32_t first;             /* place p is participant (p + first) mod nodes */
    struct stretch_loss *lost;    /* ascending; of a line that was a ring, without the stretch where it was cut */
    size_t lost_count;
};

/**
 * @param faults    the links of it that count as failed; its channels are not looked at
 * @param members   NULL: all nodes; else `count` of them, ascending
 * @param max_hops  a longer stretch cannot be crossed either way; 0: no limit
 * @return RWA_OK; RWA_NOMEM.  stretches_close() in any case.  Cost O(failed links * log count), with any of these (or with a
 *         limit and members) also O(count)
 */
rwa_status stretches_open(struct stretches *out, const rwa_network *net, const rwa_faults *faults, const uint32_t *members,
                       uint32_t count, uint32_t max_hops, rwa_error *err);
void stretches_close(struct stretches *s);

/** Links of the network in the stretch of participants r and r + 1, the last one's leading to the first. */
uint32_t stretch_links(const rwa_network *net, const uint32_t *members, uint32_t count, uint32_t r);

#endif
