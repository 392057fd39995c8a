/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bound/bound.h"
#include "bound/graph.h"
#include "network/network.h"

#include <stdlib.h>

/** Which stretch between neighbouring participants holds link i of a ring or line; `members` - 1 holds the wrap. */
static bool stretch_of(uint32_t *stretch, uint32_t link, const struct bound_case *c, const uint32_t *members)
{
    uint32_t low = 0, high = c->nodes;
    while (members && low < high) { /* the members up to node `link` are those below `low` in the end */
        uint32_t middle = low + (high - low) / 2;
        if (members[middle] <= link)
            low = middle + 1;
        else
            high = middle;
    }
    if (!members)
        low = link + 1;
    *stretch = low == 0 ? c->nodes - 1 : low - 1;
    return c->kind == RWA_RING || (low > 0 && low < c->nodes);
}

static struct bound_loss *loss_at(const struct bound_case *c, uint32_t link)
{
    for (size_t i = 0; i < c->lost_count; i++)
        if (c->lost[i].link == link)
            return &c->lost[i];
    return NULL;
}

/** One link stands for a stretch, so at most one failed link of it counts: rather one that failed both ways. */
static void lose(struct bound_case *c, uint32_t link, bool cw, bool ccw)
{
    struct bound_loss *known = loss_at(c, link);
    if (!known)
        c->lost[c->lost_count++] = (struct bound_loss){link, cw, ccw};
    else if (cw && ccw)
        known->cw = known->ccw = true;
}

static rwa_status take_losses(struct bound_case *c, const rwa_faults *faults, const uint32_t *members, rwa_error *err)
{
    uint32_t links = rwa_network_links(c->net), stretch;
    c->lost = base_array(faults->link_count, sizeof *c->lost, err);
    if (!c->lost)
        return RWA_NOMEM;
    for (size_t i = 0; i < faults->link_count; i++) {
        uint32_t id = faults->links[i], link = id % links;
        bool both = rwa_network_is_failed(c->net, link) && rwa_network_is_failed(c->net, links + link);
        if (stretch_of(&stretch, link, c, members))
            lose(c, stretch, both || id < links, both || id >= links);
    }
    return RWA_OK;
}

/** A ring with a link that failed both ways is a line that begins behind it. */
static void cut_open(struct bound_case *c)
{
    size_t kept = 0;
    for (size_t i = 0; i < c->lost_count && c->kind == RWA_RING; i++)
        if (c->lost[i].cw && c->lost[i].ccw) {
            c->kind = RWA_LINE;
            c->first = (c->lost[i].link + 1) % c->nodes;
        }
    for (size_t i = 0; i < c->lost_count; i++) {
        struct bound_loss loss = c->lost[i];
        loss.link = (loss.link + c->nodes - c->first) % c->nodes;
        if (c->kind == RWA_RING || loss.link < c->nodes - 1)
            c->lost[kept++] = loss;
    }
    c->lost_count = kept;
}

static rwa_status check_participants(const rwa_network *net, const rwa_collective *coll, const uint32_t *members,
                                     rwa_error *err)
{
    uint32_t nodes = rwa_network_nodes(net);
    if (!members && coll->nodes != nodes)
        return base_fail(err, RWA_BADARG, "a collective on %u nodes does not fit a network of %u", coll->nodes, nodes);
    for (uint32_t i = 0; members && i < coll->nodes; i++)
        if (members[i] >= nodes || (i > 0 && members[i] <= members[i - 1]))
            return base_fail(err, RWA_BADARG, "members: expected ascending nodes below %u", nodes);
    return RWA_OK;
}

rwa_status bound_case_open(struct bound_case *c, const rwa_network *net, const rwa_collective *coll,
                           const rwa_bound_options *opts, struct watch *watch, rwa_error *err)
{
    rwa_faults faults;
    rwa_status st = RWA_OK;
    uint32_t channels = rwa_network_channels(net), hops = opts->max_hops ? opts->max_hops : UINT32_MAX;
    bound_take_faults(&faults, net);
    *c = (struct bound_case){.net = net, .coll = coll, .kind = rwa_network_get_kind(net), .nodes = coll->nodes,
                             .root = coll->root, .fibers = rwa_network_fibers(net), .max_hops = hops,
                             .ports = rwa_network_ports(net), .tuning = rwa_network_tuning(net), .watch = watch};
    c->lightpaths = faults.channel_count < channels ? channels - (uint32_t)faults.channel_count : 1;
    c->slots = opts->slots;
    c->channels = (uint64_t)c->lightpaths * c->slots;
    TRY(check_participants(net, coll, opts->members, err));
    if (opts->slots < 1 || opts->slots > RWA_BOUND_SLOTS_MAX)
        return base_fail(err, RWA_BADARG, "%u blocks per lightpath: expected 1 to %u", opts->slots, RWA_BOUND_SLOTS_MAX);
    if (network_has_arcs(net)) {
        TRY(take_losses(c, &faults, opts->members, err));
        cut_open(c);
        c->root = (coll->root + c->nodes - c->first) % c->nodes;
        c->max_hops = hops < c->nodes - 1 ? hops : c->nodes - 1;
    } else if (!network_is_full(net)) {
        TRY(bound_graph_open(&c->graph, net, opts->members, coll->nodes, opts->slots, err));
    }
done:
    return st;
}

void bound_case_close(struct bound_case *c)
{
    free(c->lost);
    bound_graph_close(c->graph);
}

uint64_t bound_links(const struct bound_case *c)
{
    uint64_t links = 2 * (uint64_t)(c->kind == RWA_RING ? c->nodes : c->nodes - 1);
    for (size_t i = 0; i < c->lost_count && links > 1; i++)
        links -= c->lost[i].cw && c->lost[i].ccw ? 2 : 1;
    return links > 0 ? links : 1;
}

uint32_t bound_farthest(const struct bound_case *c)
{
    return c->kind == RWA_RING ? c->nodes / 2 : c->nodes - 1;
}
