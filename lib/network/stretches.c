/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "network/stretches.h"

#include "base/base.h"

#include <stdlib.h>

enum { LOST_CW = 1, LOST_CCW = 2 };

uint32_t stretch_links(const rwa_network *net, const uint32_t *members, uint32_t count, uint32_t r)
{
    if (!members)
        return 1;
    return r + 1 < count ? members[r + 1] - members[r] : rwa_network_nodes(net) - members[r] + members[0];
}

/** Which stretch holds link i of a ring or line: that of the last participant up to node i; a line has none at its ends. */
static bool stretch_of(uint32_t *stretch, uint32_t link, const struct stretches *p, const uint32_t *members)
{
    uint32_t low = 0, high = p->nodes;
    while (members && low < high) { /* the participants up to node `link` are those below `low` in the end */
        uint32_t middle = low + (high - low) / 2;
        if (members[middle] <= link)
            low = middle + 1;
        else
            high = middle;
    }
    if (!members)
        low = link + 1;
    *stretch = low == 0 ? p->nodes - 1 : low - 1;
    return p->kind == RWA_RING || (low > 0 && low < p->nodes);
}

/**
 * A direction of a stretch is lost with any of its links.  That also holds when the two directions are lost with different
 * links: nothing crosses the stretch, and the nodes between them, which own nothing, only hear, or are only heard.
 */
static void mark_failed(uint8_t *mark, const struct stretches *p, const rwa_network *net, const rwa_faults *faults,
                        const uint32_t *members)
{
    uint32_t links = rwa_network_links(net), stretch;
    for (size_t i = 0; i < faults->link_count; i++)
        if (stretch_of(&stretch, faults->links[i] % links, p, members))
            mark[stretch] |= faults->links[i] < links ? LOST_CW : LOST_CCW;
}

static void mark_long(uint8_t *mark, const struct stretches *p, const rwa_network *net, const uint32_t *members,
                      uint32_t max_hops)
{
    uint32_t stretches = p->kind == RWA_RING ? p->nodes : p->nodes - 1;
    for (uint32_t r = 0; r < stretches; r++)
        if (stretch_links(net, members, p->nodes, r) > max_hops)
            mark[r] = LOST_CW | LOST_CCW;
}

/** A ring with a stretch that is lost both ways is a line that begins behind it. */
static void cut_open(struct stretches *p, const uint8_t *mark)
{
    for (uint32_t r = p->nodes; r-- > 0 && p->kind == RWA_RING;)
        if (mark[r] == (LOST_CW | LOST_CCW)) {
            p->kind = RWA_LINE;
            p->first = (r + 1) % p->nodes;
        }
}

static rwa_status list_lost(struct stretches *p, const uint8_t *mark, rwa_error *err)
{
    uint32_t stretches = p->kind == RWA_RING ? p->nodes : p->nodes - 1;
    size_t count = 0;
    for (uint32_t r = 0; r < p->nodes; r++)
        count += mark[r] != 0;
    p->lost = base_array(count, sizeof *p->lost, err);
    if (!p->lost)
        return RWA_NOMEM;
    for (uint32_t i = 0; i < stretches; i++) {
        uint8_t m = mark[(i + p->first) % p->nodes];
        if (m != 0)
            p->lost[p->lost_count++] = (struct stretch_loss){i, (m & LOST_CW) != 0, (m & LOST_CCW) != 0};
    }
    return RWA_OK;
}

rwa_status stretches_open(struct stretches *p, const rwa_network *net, const rwa_faults *faults, const uint32_t *members,
                       uint32_t count, uint32_t max_hops, rwa_error *err)
{
    *p = (struct stretches){.kind = rwa_network_get_kind(net), .nodes = count};
    if (faults->link_count == 0 && !(members && max_hops > 0))
        return RWA_OK;
    uint8_t *mark = base_array(count, sizeof *mark, err);
    if (!mark)
        return RWA_NOMEM;
    mark_failed(mark, p, net, faults, members);
    if (max_hops > 0)
        mark_long(mark, p, net, members, max_hops);
    cut_open(p, mark);
    rwa_status st = list_lost(p, mark, err);
    free(mark);
    return st;
}

void stretches_close(struct stretches *p)
{
    free(p->lost);
}
