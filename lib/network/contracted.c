/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Contracts a ring or line to the nodes that take part in a collective, its participants. */
#include "network/contracted.h"

enum { LOST_CW = 1, LOST_CCW = 2 };

uint32_t contracted_hops(const rwa_network *net, const uint32_t *members, uint32_t count, uint32_t r)
{
    if (!members)
        return 1;
    return r + 1 < count ? members[r + 1] - members[r] : rwa_network_nodes(net) - members[r] + members[0];
}

/** Set *at to the number of the contracted link that contains link `link` of the network, a ring or line.  Return false
 *  if none does: the link lies before the first or after the last participant of a line.  members[]: the nodes of the
 *  participants, ascending; NULL: all nodes. */
static bool link_of(uint32_t *at, uint32_t link, const struct contracted *p, const uint32_t *members)
{
    uint32_t behind = link + 1; /* the participants up to node `link` */
    if (members)
        behind = (uint32_t)base_first_from(members, p->nodes, sizeof behind, &behind, order_uint32);
    *at = behind == 0 ? p->nodes - 1 : behind - 1;
    return p->kind == RWA_RING || (behind > 0 && behind < p->nodes);
}

/**
 * Set in mark[i], for each contracted link i, the bits of the directions in which it contains failed links of `faults`:
 * LOST_CW, LOST_CCW or both.  members[]: the nodes of the participants, ascending; NULL: all nodes.
 */
static void mark_failed(uint8_t *mark, const struct contracted *p, const rwa_network *net, const rwa_faults *faults,
                        const uint32_t *members)
{
    uint32_t links = rwa_network_pairs(net), at;
    for (size_t i = 0; i < faults->link_count; i++)
        if (link_of(&at, faults->links[i] % links, p, members))
            mark[at] |= faults->links[i] < links ? LOST_CW : LOST_CCW;
}

static void mark_long(uint8_t *mark, const struct contracted *p, const rwa_network *net, const uint32_t *members,
                      uint32_t max_hops)
{
    uint32_t links = p->kind == RWA_RING ? p->nodes : p->nodes - 1;
    for (uint32_t r = 0; r < links; r++)
        if (contracted_hops(net, members, p->nodes, r) > max_hops)
            mark[r] = LOST_CW | LOST_CCW;
}

/** If some contracted link of the ring *p works in neither direction (mark[i] == LOST_CW | LOST_CCW), make *p a line
 *  that begins after this link.  If there are several such links, the line begins after the one with the highest
 *  number. */
static void cut_open(struct contracted *p, const uint8_t *mark)
{
    for (uint32_t r = p->nodes; r-- > 0 && p->kind == RWA_RING;)
        if (mark[r] == (LOST_CW | LOST_CCW)) {
            p->kind = RWA_LINE;
            p->first = (r + 1) % p->nodes;
        }
}

static rwa_status list_lost(struct contracted *p, const uint8_t *mark, rwa_error *err)
{
    uint32_t links = p->kind == RWA_RING ? p->nodes : p->nodes - 1;
    size_t count = 0;
    assert(p->nodes > 0);
    for (uint32_t r = 0; r < p->nodes; r++)
        count += mark[r] != 0;
    MUST(base_new(p->lost, count, err));
    for (uint32_t i = 0; i < links; i++) {
        uint8_t m = mark[(i + p->first) % p->nodes];
        if (m != 0)
            p->lost[p->lost_count++] = (struct link_loss){i, (m & LOST_CW) != 0, (m & LOST_CCW) != 0};
    }
    return RWA_OK;
}

rwa_status contracted_open(struct contracted *p, const rwa_network *net, const rwa_faults *faults,
                           const uint32_t *members, uint32_t count, uint32_t max_hops, rwa_error *err)
{
    *p = (struct contracted){.kind = network_is_cycle(net) ? RWA_RING : RWA_LINE, .nodes = count};
    if (faults->link_count == 0 && !(members && max_hops > 0))
        return RWA_OK;
    uint8_t *mark;
    MUST(base_new(mark, count, err));
    mark_failed(mark, p, net, faults, members);
    if (max_hops > 0)
        mark_long(mark, p, net, members, max_hops);
    cut_open(p, mark);
    rwa_status st = list_lost(p, mark, err);
    free(mark);
    return st;
}

