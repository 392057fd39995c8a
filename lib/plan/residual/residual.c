/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Find the residual networks of a request.  On a ring or line of the participants, places count clockwise from 0, and
 * each link stands for the real links between two participants.  A link has lost a direction if one of its real links
 * has.  It has lost both directions if it stands for more real links than the hop limit allows. */
#include "plan/residual/residual.h"

#include "network/contracted.h"
#include "network/translations.h"
#include "plan/residual/map.h"

/** Set *count to the number of channels that are not reserved.  If some are reserved, put the others into the list
 * *channel, which the caller frees; else *channel stays NULL. */
static rwa_status list_open(uint32_t **channel, uint32_t *count, const rwa_network *net, rwa_error *err)
{
    uint32_t channels = rwa_network_channels(net);
    *count = network_open_channels(net, rwa_network_fibers(net));
    if (network_faults(net).channel_count == 0)
        return RWA_OK;
    MUST(base_new(*channel, *count, err));
    for (uint32_t c = 0, at = 0; c < channels; c++)
        if (!rwa_network_is_reserved_everywhere(net, c)) {
            assert(at < *count);
            (*channel)[at++] = c;
        }
    return RWA_OK;
}

/** Return the options of a network like `net` with `open` channels on each link.  If channels are reserved, one fibre
 * has all open channels, since the real fibres differ in them. */
static rwa_network_options options_of(const rwa_network *net, uint32_t open)
{
    rwa_network_options o = network_options_like(net);
    o.slot_hz = 0;
    if (open != rwa_network_channels(net)) {
        o.fibers = 1;
        o.wavelengths = open;
    }
    return o;
}

/** Copy `whole`, a ring or line of the participants, with failed links.  A link of it stands for the real links
 * between two participants, and fails in the directions that these have lost (p->lost).
 * @param opposite  swap clockwise and counterclockwise */
static rwa_status fail_contracted(rwa_network **out, const rwa_network *whole, const struct contracted *p,
                                  bool opposite, rwa_error *err)
{
    uint32_t links = rwa_network_pairs(whole), *failed;
    MUST(base_new(failed, 2 * p->lost_count, err));
    rwa_faults faults = {.links = failed};
    for (size_t i = 0; i < p->lost_count; i++) {
        const struct link_loss *l = &p->lost[i];
        assert(l->link < links && (l->cw || l->ccw));
        if (opposite ? l->ccw : l->cw)
            failed[faults.link_count++] = l->link;
        if (opposite ? l->cw : l->ccw)
            failed[faults.link_count++] = links + l->link;
    }
    rwa_status st = rwa_network_with_faults(out, whole, &faults, err);
    free(failed);
    return st;
}

/** Return the hop limit on a ring or line of the participants: the largest h such that any h consecutive links stand
 * for at most `most` real links; 0: no limit.  A link that alone stands for more counts as failed, so no row of links
 * that begins with it limits h.  O(nodes * most)
 * @param first  the participant at place 0
 * @param most   hop limit on the real network; 0: none */
static uint32_t fewest_within(const struct residuals *c, const struct contracted *p, uint32_t first, uint32_t most)
{
    bool ring = p->kind == RWA_RING;
    uint32_t n = p->nodes, begins = ring ? n : n - 1, fewest = n;
    for (uint32_t start = 0; start < begins && most > 0; start++) {
        uint32_t count = 0;
        uint64_t length = 0;
        while (count < n - 1 && (ring || start + count < begins) &&
               (length += contracted_hops(c->real, c->members, n, (start + count + first) % n)) <= most)
            count++;
        if (count > 0 && length > most && count < fewest)
            fewest = count;
    }
    return fewest < n ? fewest : 0;
}

/** Set the real node (residual->node) and the participant at each place of a ring or line, if place 0 is participant
 * `first`. */
static rwa_status number_places(struct residual *residual, const struct residuals *all, uint32_t first, rwa_error *err)
{
    uint32_t nodes = all->coll->nodes;
    if (!all->members && first == 0)
        return RWA_OK;
    MUST(base_new(residual->node, nodes, err));
    MUST(base_new(residual->participant, nodes, err));
    for (uint32_t p = 0; p < nodes; p++) {
        residual->participant[p] = (p + first) % nodes;
        residual->node[p] = base_mapped(all->members, residual->participant[p]);
    }
    return RWA_OK;
}

/** Add a ring or line of the participants to the residual networks.
 * @param first     the participant at place 0
 * @param failed    links fail in the directions that the real links have lost (p->lost); false: none fails
 * @param open      channels of each link that are not reserved
 * @param max_hops  limit on the real network; 0: none */
static rwa_status add_ring_or_line(struct residuals *c, const struct contracted *p, rwa_topology kind, uint32_t first,
                                   bool failed, uint32_t open, uint32_t max_hops, rwa_error *err)
{
    struct residual *residual = &c->list[c->count++];
    struct contracted shape = {.kind = kind, .nodes = p->nodes};
    rwa_network_options o = options_of(c->real, open);
    rwa_network *whole = NULL;
    rwa_status st = RWA_OK;
    residual->coll = *c->coll;
    assert(c->count <= sizeof c->list / sizeof *c->list && first < p->nodes);
    residual->coll.root = (c->coll->root + p->nodes - first) % p->nodes;
    residual->broken = failed;
    residual->max_hops = fewest_within(c, &shape, first, max_hops);
    TRY(number_places(residual, c, first, err));
    TRY(rwa_network_create(&whole, kind, p->nodes, &o, err));
    if (failed) {
        TRY(fail_contracted(&residual->own, whole, p, false, err));
        TRY(fail_contracted(&residual->opposite, whole, p, true, err));
    } else {
        residual->own = whole;
        whole = NULL;
    }
    residual->net = residual->own;
done:
    rwa_network_free(whole);
    return st;
}

/** Tell whether the link from a place to the next higher one works in a direction.  The last place of a line has no
 * such link. */
static bool leads_on(const struct contracted *p, uint32_t place, rwa_direction dir)
{
    if (p->kind == RWA_LINE && place == p->nodes - 1)
        return false;
    for (size_t i = 0; i < p->lost_count; i++)
        if (p->lost[i].link == place)
            return dir == RWA_CW ? !p->lost[i].cw : !p->lost[i].ccw;
    return true;
}

/** A gap: two neighbouring places without a route from one to the other. */
struct gap {
    uint32_t from, to;
};

/** Tell whether some place cannot be reached from `place` over working links.  If so, set *gap to two neighbours
 * between which a route from `place` ends.
 * @param against  consider the routes to `place` instead */
static bool ends_at(struct gap *gap, const struct contracted *p, uint32_t place, bool against)
{
    uint32_t n = p->nodes, on = 0, back = 0;
    rwa_direction cw = against ? RWA_CCW : RWA_CW, ccw = against ? RWA_CW : RWA_CCW;
    while (on + back < n - 1) {
        if (leads_on(p, (place + on) % n, cw))
            on++;
        else if (leads_on(p, (place + n - back - 1) % n, ccw))
            back++;
        else
            break;
    }
    uint32_t high = (place + on) % n, low = (place + n - back) % n;
    bool up = p->kind == RWA_RING || high < n - 1;
    uint32_t inside = up ? high : low, outside = up ? (high + 1) % n : low - 1;
    *gap = against ? (struct gap){outside, inside} : (struct gap){inside, outside};
    return on + back < n - 1;
}

/** Tell whether failed links interrupt a route that the collective needs.  If so, set *gap to the two neighbours
 * between which the route is interrupted. */
static bool falls_apart(struct gap *gap, const struct contracted *p, const rwa_collective *coll)
{
    bool from = coll->kind == RWA_BROADCAST || coll->kind == RWA_SCATTER,
         to = coll->kind == RWA_GATHER || coll->kind == RWA_ROOTED_REDUCE;
    /* without a root: if place 0 has routes to and from all others, these reach each other by way of place 0 */
    uint32_t place = from || to ? (coll->root + p->nodes - p->first) % p->nodes : 0;
    return (!to && ends_at(gap, p, place, false)) || (!from && ends_at(gap, p, place, true));
}

/** Return the number by which messages name the node at a place. */
static uint32_t number_of(const struct residuals *c, const struct contracted *p, uint32_t place)
{
    uint32_t participant = (place + p->first) % p->nodes, node = base_mapped(c->members, participant);
    return base_mapped(c->number, node);
}

static void say_gap(char *why, const struct residuals *c, const struct contracted *p, const struct gap *gap,
                    uint32_t max_hops)
{
    uint32_t n = p->nodes, low = gap->to == (gap->from + 1) % n ? gap->from : gap->to;
    uint32_t links = contracted_hops(c->real, c->members, n, (low + p->first) % n);
    uint32_t from = number_of(c, p, gap->from), to = number_of(c, p, gap->to);
    if (max_hops > 0 && links > max_hops)
        snprintf(why, RWA_ERROR_TEXT,
                 "nodes %u and %u, neighbours of those that take part, are %u links apart, more than max_hops "
                 "%u; members in between would help",
                 from, to, links, max_hops);
    else
        snprintf(why, RWA_ERROR_TEXT,
                 "the failed links leave no way from node %u to node %u, which %s needs; more working links would "
                 "help",
                 from, to, rwa_collective_name(c->coll->kind));
}

static rwa_status open_arcs(struct residuals *c, uint32_t open, uint32_t max_hops, char *why, rwa_error *err)
{
    struct contracted p = {0};
    struct gap gap;
    rwa_status st = RWA_OK;
    rwa_faults faults = network_faults(c->real);
    TRY(contracted_open(&p, c->real, &faults, c->members, c->coll->nodes, max_hops, err));
    if (falls_apart(&gap, &p, c->coll)) {
        say_gap(why, c, &p, &gap, max_hops);
        goto done;
    }
    if (p.kind == RWA_RING && p.lost_count == 1)
        TRY(add_ring_or_line(c, &p, RWA_LINE, (p.lost[0].link + 1) % p.nodes, false, open, max_hops, err));
    TRY(add_ring_or_line(c, &p, p.kind, p.first, p.lost_count > 0, open, max_hops, err));
done:
    free(p.lost);
    return st;
}

/** If the network has one-way links, make the one in which they all lead the other way. */
static rwa_status find_opposite(struct residual *residual, rwa_error *err)
{
    if (network_is_one_hop(residual->net) || rwa_network_is_paired(residual->net))
        return RWA_OK;
    residual->opposite = network_reversed(residual->net, err);
    return residual->opposite ? RWA_OK : RWA_NOMEM;
}

/** On listed links that are all alike, add a residual network without failures and reserved channels.  If no link
 * failed, it has the channels that are not reserved.  If links failed, it has all nodes and the working links; if these
 * do not join all nodes, only the participants and the working links among them.  If the participants are not joined
 * either, add nothing.
 * @param open  number of channels of each link that are not reserved */
static rwa_status add_open(struct residuals *c, const rwa_faults *faults, uint32_t open, uint32_t max_hops,
                           rwa_error *err)
{
    struct residual *residual = &c->list[c->count];
    if (faults->link_count > 0)
        MUST(network_working(&residual->own, c->real, NULL, rwa_network_nodes(c->real), err));
    else
        MUST(network_with_channels(&residual->own, c->real, open, err));
    bool alone = !residual->own && c->members;
    if (alone)
        MUST(network_working(&residual->own, c->real, c->members, c->coll->nodes, err));
    if (!residual->own)
        return RWA_OK;
    c->count++;
    residual->net = residual->own;
    residual->coll = *c->coll;
    residual->members = alone ? NULL : c->members;
    residual->max_hops = max_hops;
    if (alone)
        MUST(number_places(residual, c, 0, err));
    return find_opposite(residual, err);
}

static rwa_status add_whole(struct residuals *c, bool broken, uint32_t max_hops, rwa_error *err)
{
    struct residual *residual = &c->list[c->count++];
    *residual = (struct residual){
        .net = c->real, .coll = *c->coll, .members = c->members, .broken = broken, .max_hops = max_hops};
    return find_opposite(residual, err);
}

/** Tell whether a network with listed links may have a residual network without failures and reserved channels, on
 * which every scheme can plan. */
static bool leaves_whole(const rwa_network *net)
{
    rwa_faults faults = network_faults(net);
    if (network_has_arcs(net) || network_is_one_hop(net))
        return false;
    if (faults.link_count == 0)
        return faults.channel_count > 0 && network_is_uniform(net);
    bool alike = network_most_fibers(net) == rwa_network_fibers(net) && !network_has_parallel_links(net);
    return alike && rwa_network_is_paired(net) && !network_has_reserved(net) && !network_fails_in_steps(net);
}

static rwa_status open_listed(struct residuals *c, const rwa_faults *faults, uint32_t open, uint32_t max_hops,
                              rwa_error *err)
{
    if (leaves_whole(c->real))
        MUST(add_open(c, faults, open, max_hops, err));
    /* pairs of failed links, and channels reserved on all links, are taken out entirely: then the whole network adds
     * nothing */
    if (c->count > 0 && rwa_network_links(c->list[0].net) + faults->link_count == rwa_network_links(c->real))
        return RWA_OK;
    return add_whole(c, faults->link_count > 0 || faults->channel_count > 0, max_hops, err);
}

/** Add a network of the participants alone, for networks in which every pair of nodes is one hop apart. */
static rwa_status open_one_hop(struct residuals *c, uint32_t open, uint32_t max_hops, rwa_error *err)
{
    struct residual *residual = &c->list[c->count++];
    rwa_network_options o = options_of(c->real, open);
    bool switches = (network_capabilities(c->real) & NETWORK_SWITCHES) != 0;
    if (switches && open < rwa_network_channels(c->real))
        return base_refuse(err, "reserved channels of circuit switches: not planned around, expected none");
    residual->coll = *c->coll;
    residual->max_hops = max_hops;
    MUST(number_places(residual, c, 0, err));
    MUST(rwa_network_create(&residual->own, rwa_network_topology(c->real), c->coll->nodes, &o, err));
    residual->net = residual->own;
    return RWA_OK;
}

rwa_status residuals_open(struct residuals *c, uint32_t max_hops, char *why, rwa_error *err)
{
    uint32_t open = 0;
    rwa_faults faults = network_faults(c->real);
    if (!c->members && faults.link_count == 0 && faults.channel_count == 0)
        return add_whole(c, false, max_hops, err);
    MUST(list_open(&c->channel, &open, c->real, err));
    if (open == 0)
        snprintf(why, RWA_ERROR_TEXT, "all %u channels are reserved; one that is not would help",
                 rwa_network_channels(c->real));
    else if (network_is_one_hop(c->real))
        MUST(open_one_hop(c, open, max_hops, err));
    else if (network_has_arcs(c->real))
        MUST(open_arcs(c, open, max_hops, why, err));
    else
        MUST(open_listed(c, &faults, open, max_hops, err));
    return RWA_OK;
}

void residuals_close(struct residuals *c)
{
    for (size_t i = 0; i < c->count; i++) {
        rwa_network_free(c->list[i].own);
        rwa_network_free(c->list[i].opposite);
        free(c->list[i].node);
        free(c->list[i].participant);
    }
    free(c->channel);
}

rwa_status residual_map(rwa_schedule **out, const rwa_schedule *sched, const struct residuals *all,
                        const struct residual *residual, rwa_error *err)
{
    struct schedule_map map = {.net = all->real, .coll = all->coll, .members = all->members, .node = residual->node,
                               .participant = residual->participant, .channel = all->channel};
    return map_schedule(out, sched, &map, err);
}
