/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Place the lightpaths of an exchange by first-fit, step by step, the longest first.  On listed links a lightpath
 * takes any of its shortest routes on which one channel is free all along; on a ring or line it takes its given arc.
 * If this takes too many steps, ejection (eject.c) tries to save some. */
#include "plan/pack/pieces.h"

#include "delivery/load_map.h"

/** The shortest routes between two nodes, and the channels that are free on them in the current step. */
struct packed_routes {
    const rwa_network *net;
    const uint16_t *hops;       /* as in struct distances */
    struct load_map map;
    struct shortest_routes list;
    uint32_t src, dst;          /* ends of the routes in `list`; equal: no routes listed */
    bool full;                  /* no channel is free on any of these routes in this step */
    uint64_t *open;             /* [node][word]: channels that are free on some shortest route from the node to the
                                   destination */
    uint32_t *spare;            /* free channels of each link */
    /* lightpaths that each node can still send, and receive, in this step; NULL: no limit */
    uint32_t *sends, *receives;
    struct arena memory;        /* of the four arrays above */
};

static rwa_status routes_open(struct packed_routes *r, const struct packing *p)
{
    const rwa_network *net = p->request->net;
    *r = (struct packed_routes){.net = net, .hops = p->routed.distances->hops, .memory = {.err = p->err}};
    MUST(load_map_open(&r->map, net, false, false, p->err));
    assert(r->map.channels == p->channels);
    arena_new(&r->memory, r->open, net->nodes * r->map.words);
    arena_new(&r->memory, r->spare, r->map.links);
    if (rwa_network_ports(net) > 0) {
        arena_arrays(&r->memory, net->nodes, r->sends, r->receives);
    }
    MUST(arena_status(&r->memory));
    return p->routed.arcs ? RWA_OK : shortest_routes_open(&r->list, net, p->err);
}

static void routes_close(struct packed_routes *r)
{
    load_map_close(&r->map);
    shortest_routes_close(&r->list);
    arena_free(&r->memory);
}

static void begin_step(struct packed_routes *r)
{
    load_map_begin_step(&r->map);
    r->full = false;
    for (uint32_t l = 0; l < r->map.links; l++)
        r->spare[l] = load_map_free_channels(&r->map, l);
    for (uint32_t v = 0; v < r->net->nodes && r->sends; v++)
        r->sends[v] = r->receives[v] = rwa_network_ports(r->net);
}

/** Return the hops from v to dst. */
static uint32_t hops_to(const struct packed_routes *r, uint32_t v, uint32_t dst)
{
    size_t nodes = r->net->nodes;
    /* in pairs of links distances are symmetric; entries of one destination lie together in memory */
    return r->net->paired ? r->hops[dst * nodes + v] : r->hops[v * nodes + dst];
}

static bool leads_nearer(const struct packed_routes *r, uint32_t v, uint32_t link, uint32_t dst)
{
    return hops_to(r, r->net->links[link].to, dst) + 1 == hops_to(r, v, dst);
}

/** For each node on the listed shortest routes to dst, set r->open to the channels that are free on all links of some
 * such route from that node on. */
static void open_channels(struct packed_routes *r, uint32_t dst)
{
    const struct shortest_routes *list = &r->list;
    size_t words = r->map.words;
    memset(r->open + dst * words, 0xff, words * sizeof *r->open);
    for (uint32_t i = list->nodes - 1; i-- > 0;) {
        uint64_t *open = r->open + list->node[i] * words;
        memset(open, 0, words * sizeof *open);
        for (uint32_t k = list->begin[i]; k < list->begin[i + 1]; k++)
            for (size_t w = 0; w < words; w++)
                open[w] |=
                    load_map_row(&r->map, list->onward[k])[w] & r->open[r->net->links[list->onward[k]].to * words + w];
    }
}

static bool is_open(const struct packed_routes *r, uint32_t link, uint32_t channel)
{
    return load_map_has(&r->map, link, channel) && get_bit(r->open + r->net->links[link].to * r->map.words, channel);
}

/** Write into link[] the links of a shortest route from src to dst on which `channel` is free, and take the channel on
 * them.  Each node's link is the one with the most free channels. */
static void take_route(struct packed_routes *r, uint32_t *link, uint32_t src, uint32_t dst, uint32_t channel)
{
    const rwa_network *net = r->net;
    for (uint32_t v = src; v != dst; v = net->links[*link++].to) {
        *link = UINT32_MAX;
        for (uint32_t k = net->first[v]; k < net->first[v + 1]; k++) {
            uint32_t next = net->out[k];
            if (leads_nearer(r, v, next, dst) && is_open(r, next, channel) &&
                (*link == UINT32_MAX || r->spare[next] > r->spare[*link]))
                *link = next;
        }
        assert(*link != UINT32_MAX);
        load_map_take(&r->map, *link, channel);
        r->spare[*link]--;
    }
}

/** List in r->list the shortest routes from src to dst, unless the routes that it lists have these ends already. */
static void list_routes(struct packed_routes *r, uint32_t src, uint32_t dst)
{
    if (src == r->src && dst == r->dst)
        return;
    shortest_routes_list(&r->list, r->net, r->hops, src, dst);
    r->src = src;
    r->dst = dst;
    r->full = false;
}

/** Take the lowest channel that is free on all links of some shortest route from src to dst.  Write it into *channel,
 * and the links of that route into link[].  Return false if there is none. */
static bool find_route(struct packed_routes *r, uint32_t *link, uint32_t *channel, uint32_t src, uint32_t dst)
{
    list_routes(r, src, dst);
    if (r->full)
        return false;
    open_channels(r, dst);
    for (size_t w = 0; w < r->map.words; w++) {
        uint64_t open = r->open[src * r->map.words + w];
        if (open == 0)
            continue;
        *channel = (uint32_t)(w * 64) + (uint32_t)__builtin_ctzll(open);
        take_route(r, link, src, dst, *channel);
        return true;
    }
    r->full = true;
    return false;
}

/** Set *channel to the lowest channel that is free on all links of a route (link[0 … links - 1]), and mark it there as
 * used in this step.  Return false, and mark nothing, if there is none. */
static bool find_channel(struct packed_routes *r, const uint32_t *link, size_t links, uint32_t *channel)
{
    for (size_t w = 0; w < r->map.words; w++) {
        uint64_t open = UINT64_MAX;
        for (size_t k = 0; k < links; k++)
            open &= load_map_row(&r->map, link[k])[w];
        if (open == 0)
            continue;
        *channel = (uint32_t)(w * 64) + (uint32_t)__builtin_ctzll(open);
        for (size_t k = 0; k < links; k++)
            load_map_take(&r->map, link[k], *channel);
        return true;
    }
    return false;
}

/** Place a piece (lightpath) in the current step, if its ends have free ports and some route has a free channel.
 * Return whether it was placed; *channel becomes the channel that it takes. */
static bool place(struct packed_routes *r, struct pieces *c, const struct packing *p, uint32_t piece, uint32_t *channel)
{
    uint32_t src = p->routed.e->src[c->transfer[piece]], dst = p->routed.e->dst[c->transfer[piece]],
             *link = c->link + c->first[piece];
    if (r->sends && (r->sends[src] == 0 || r->receives[dst] == 0))
        return false;
    bool found = p->routed.arcs ? find_channel(r, link, c->first[piece + 1] - c->first[piece], channel)
                                : find_route(r, link, channel, src, dst);
    if (found && r->sends) {
        r->sends[src]--;
        r->receives[dst]--;
    }
    return found;
}

/** Fill one step with those of the pieces (lightpaths) order[0 … *left - 1] that fit.  The others stay in `order`, and
 * *left becomes their number. */
static void fill_step(struct pieces *c, const struct packing *p, struct packed_routes *r, uint32_t *order, size_t *left,
                      uint32_t step)
{
    size_t kept = 0;
    begin_step(r);
    for (size_t i = 0; i < *left; i++) {
        uint32_t channel;
        if (place(r, c, p, order[i], &channel))
            c->colour[order[i]] = step * p->channels + channel;
        else
            order[kept++] = order[i];
    }
    *left = kept;
}

/** Fill steps until all pieces (lightpaths) are placed, in the sequence of order[].  Return the number of steps, or 0
 * if some piece does not fit into an empty step. */
static uint32_t fill_steps(struct pieces *c, const struct packing *p, struct packed_routes *r, uint32_t *order)
{
    size_t left = c->count;
    uint32_t step = 0;
    for (size_t before = left + 1; left > 0 && left < before; step++) {
        before = left;
        fill_step(c, p, r, order, &left, step);
    }
    return left == 0 ? step : 0;
}

/** Write into order[] the indices of the pieces (lightpaths), those with the longest routes first.  If ports are
 * limited on listed links, keep the order of order_by_shift(), in which neighbouring pieces have different nodes. */
static void order_pieces(uint32_t *order, const struct pieces *c, const struct packing *p)
{
    bool stay = rwa_network_ports(p->request->net) > 0 && !p->routed.arcs;
    size_t count = 0;
    for (uint64_t hops = stay ? 1 : p->routed.longest + 1; hops-- > 0;)
        for (uint32_t k = 0; k < c->count; k++)
            if (stay || c->first[k + 1] - c->first[k] == hops)
                order[count++] = k;
    assert(count == c->count);
}

/** Allocate memory for the links on the routes of all pieces (lightpaths).  On a ring or line, where the arcs are
 * known, also fill the links in. */
static rwa_status make_routes(struct pieces *c, const struct packing *p)
{
    const struct routed *r = &p->routed;
    uint32_t nodes = rwa_network_nodes(p->request->net), each_way = network_links_each_way(p->request->net);
    MUST(arena_arrays(&c->memory, c->count + 1, c->first));
    for (size_t k = 0; k < c->count; k++) {
        size_t i = c->transfer[k];
        c->first[k + 1] =
            c->first[k] + (r->arcs ? (r->end[i] + nodes - r->start[i]) % nodes : r->first[i + 1] - r->first[i]);
    }
    MUST(arena_arrays(&c->memory, c->first[c->count], c->link));
    for (size_t k = 0; k < c->count && r->arcs; k++)
        for (uint64_t at = c->first[k]; at < c->first[k + 1]; at++)
            c->link[at] = (k < c->clockwise ? 0 : each_way) + (uint32_t)((c->start[k] + at - c->first[k]) % nodes);
    return RWA_OK;
}

/** Try by ejection to fit the pieces (lightpaths) into `steps` steps; if that fails, restore their routes and colours.
 */
static rwa_status save_steps(struct pieces *c, const struct packing *p, uint32_t steps)
{
    uint32_t *colour = NULL, *link = NULL;
    size_t links = c->first[c->count];
    bool done = false;
    rwa_status st = RWA_OK;
    TRY(base_new(colour, c->count, p->err));
    TRY(base_new(link, links, p->err));
    memcpy(colour, c->colour, c->count * sizeof *colour);
    memcpy(link, c->link, links * sizeof *link);
    TRY(eject_paths(&done, c, p, steps));
    if (done) {
        c->colours = steps * p->channels;
    } else {
        memcpy(c->colour, colour, c->count * sizeof *colour);
        memcpy(c->link, link, links * sizeof *link);
    }
done:
    free_all(colour, link);
    return st;
}

rwa_status colour_paths(struct pieces *c, const struct packing *p, uint64_t steps)
{
    struct packed_routes r = {0};
    uint32_t *order = NULL;
    rwa_status st = RWA_OK;
    TRY(routes_open(&r, p));
    TRY(make_routes(c, p));
    TRY(base_new(order, c->count, p->err));
    order_pieces(order, c, p);
    uint32_t taken = fill_steps(c, p, &r, order);
    c->colours = taken * p->channels;
    if (taken > steps && taken <= 2 * steps && !r.sends) /* ejection does not count ports */
        TRY(save_steps(c, p, (uint32_t)steps));
done:
    free(order);
    routes_close(&r);
    return st;
}
