/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Lightpaths of a step, one after the other, each by a search backwards from the node to serve.  The search goes from
 * distance to distance; an entry is a node at a distance, with the channels that are free on the whole path from
 * there.  A sweep, a search from all holders of a block at once, finds the nodes that no holder can serve any more in
 * the step, so that they are not searched for again.  With a folding (network/translations.h) each lightpath stands for
 * its translations. */
#include "delivery/delivery_state.h"

#include "network/network.h"

#define NO_ENTRY SIZE_MAX
#define NO_PORT_LIMIT UINT32_MAX

/** Sweeps (searches for all nodes that can be reached over free channels) are only kept up to these numbers of nodes
 * and of node-block pairs. */
enum { SWEPT_NODES = 1024, SWEPT_PAIRS = 1 << 22 };

static uint8_t *near_of(const struct delivery_state *s, uint32_t node, uint64_t block)
{
    assert(node < s->nodes && block < s->blocks);
    return &s->near[block * s->nodes + node];
}

static const uint64_t *row_of(const struct delivery_state *s, uint32_t link)
{
    return load_map_row(&s->map, delivery_link(s, link));
}

/* ---- set up ---- */

static void index_links(struct delivery_state *s)
{
    for (uint32_t l = 0; l < s->links; l++)
        s->in_first[rwa_network_link(s->net, l).to + 1]++;
    for (uint32_t v = 0; v < s->nodes; v++)
        s->in_first[v + 1] += s->in_first[v];
    for (uint32_t l = s->links; l-- > 0;) /* each node's end moves down to its begin */
        s->in[--s->in_first[rwa_network_link(s->net, l).to + 1]] = l;
    memmove(s->in_first, s->in_first + 1, s->nodes * sizeof *s->in_first);
    s->in_first[s->nodes] = s->links;
    for (uint32_t i = 0; i < s->links; i++)
        s->in_from[i] = rwa_network_link(s->net, s->in[i]).from;
}

static void open_search(struct backward_search *b, struct delivery_state *s)
{
    arena_new(&s->memory, b->level, (size_t)s->nodes + 2);
    arena_arrays(&s->memory, s->nodes, b->newest, b->stamp);
    arena_new(&s->memory, b->seen, s->nodes * s->map.words);
}

static void open_sweeps(struct delivery_state *s)
{
    struct sweeps *w = &s->sweeps;
    if (s->nodes > SWEPT_NODES || s->nodes * s->blocks > SWEPT_PAIRS)
        return;
    w->words = ((size_t)s->nodes + 63) / 64;
    arena_new(&s->memory, w->leads, (size_t)s->blocks * w->words);
    arena_arrays(&s->memory, (size_t)s->blocks, w->swept, w->failed);
}

rwa_status delivery_open(struct delivery_state *s, const rwa_network *net, uint64_t blocks,
                         const struct folding *folding, rwa_error *err)
{
    uint32_t nodes = rwa_network_nodes(net);
    *s = (struct delivery_state){.memory.err = err,
                                 .nodes = nodes,
                                 .blocks = blocks,
                                 .ports = rwa_network_ports(net),
                                 .arcs = network_has_arcs(net),
                                 .folding = folding,
                                 .err = err};
    MUST(base_fits_memory((double)nodes * (double)blocks, "the holders of all blocks", err));
    MUST(network_list_links(&s->net, net, err));
    MUST(load_map_open(&s->map, s->net, !s->arcs, !s->arcs, err));
    s->links = s->map.links;
    arena_arrays(&s->memory, s->links, s->in, s->in_from);
    arena_new(&s->memory, s->in_first, (size_t)nodes + 2);
    arena_new(&s->memory, s->near, (size_t)(nodes * blocks));
    arena_arrays(&s->memory, nodes, s->queue, s->in_left, s->may_send, s->may_receive);
    open_search(&s->search, s);
    open_sweeps(s);
    MUST(arena_status(&s->memory));
    index_links(s);
    delivery_reset(s);
    return RWA_OK;
}

void delivery_close(struct delivery_state *s)
{
    load_map_close(&s->map);
    free_all(s->search.node, s->search.before, s->search.bits);
    deliveries_free(&s->sent);
    rwa_network_free(s->net);
    arena_free(&s->memory);
    memset(s, 0, sizeof *s);
}

void delivery_reset(struct delivery_state *s)
{
    memset(s->near, NODE_FAR, (size_t)(s->nodes * s->blocks));
    s->sent.count = 0;
    s->sent.steps = 0;
}

/* ---- holders ---- */

/* Lower the distances (near[]) of the nodes to which `node` has links.  Append the nodes whose distance changed to
 * s->queue, which has `filled` entries; return the new number of entries. */
static uint32_t shorten_from(struct delivery_state *s, uint8_t *near, uint32_t node, uint32_t filled)
{
    uint32_t distance = near[node] + 1u;
    for (uint32_t i = s->net->first[node]; i < s->net->first[node + 1]; i++) {
        uint32_t to = s->net->links[s->net->out[i]].to;
        if (near[to] == NODE_GETS || near[to] <= distance)
            continue;
        near[to] = (uint8_t)distance;
        assert(filled < s->nodes);
        s->queue[filled++] = to;
    }
    return filled;
}

void delivery_hold_like_last(struct delivery_state *s, uint64_t block)
{
    assert(block > 0 && block < s->blocks);
    memcpy(near_of(s, 0, block), near_of(s, 0, block - 1), s->nodes * sizeof *s->near);
}

void delivery_hold(struct delivery_state *s, uint32_t node, uint64_t block)
{
    uint8_t *near = near_of(s, 0, block);
    uint32_t filled = 1;
    near[node] = NODE_HOLDS;
    s->queue[0] = node;
    for (uint32_t i = 0; i < filled; i++)
        filled = shorten_from(s, near, s->queue[i], filled);
}

/* ---- steps ---- */

void delivery_begin_step(struct delivery_state *s)
{
    load_map_begin_step(&s->map);
    if (s->sweeps.words > 0) /* channels and ports may have become free */
        memset(s->sweeps.swept, 0, (size_t)s->blocks * sizeof *s->sweeps.swept);
    s->sent.steps++;
    for (uint32_t v = 0; v < s->nodes; v++) {
        s->may_send[v] = s->may_receive[v] = s->ports > 0 ? s->ports : NO_PORT_LIMIT;
        s->in_left[v] = 0;
        for (uint32_t i = s->in_first[v]; i < s->in_first[v + 1]; i++)
            s->in_left[v] += load_map_free_channels(&s->map, delivery_link(s, s->in[i]));
    }
}

bool delivery_step_is_empty(const struct delivery_state *s)
{
    return s->sent.count == 0 || s->sent.list[s->sent.count - 1].step < s->sent.steps;
}

void delivery_end_step(struct delivery_state *s)
{
    delivery_check(s);
    for (size_t i = s->sent.count; i > 0 && s->sent.list[i - 1].step == s->sent.steps; i--) {
        const rwa_lightpath *lp = &s->sent.list[i - 1];
        assert(delivery_at(s, lp->dst, lp->block) == NODE_GETS);
        delivery_hold(s, lp->dst, lp->block);
    }
}

void delivery_check(const struct delivery_state *s)
{
    load_map_check(&s->map);
#ifndef NDEBUG
    for (uint32_t v = 0; v < s->nodes; v++) {
        uint32_t left = 0;
        for (uint32_t i = s->in_first[v]; i < s->in_first[v + 1]; i++)
            left += load_map_free_channels(&s->map, delivery_link(s, s->in[i]));
        assert(left == s->in_left[delivery_place(s, v)]);
        assert(s->ports == 0 || (s->may_send[v] <= s->ports && s->may_receive[v] <= s->ports));
    }
#endif
}

/* ---- one lightpath ---- */

static void take_link(struct delivery_state *s, uint32_t link, uint32_t to, uint32_t channel)
{
    load_map_take(&s->map, delivery_link(s, link), channel);
    s->in_left[delivery_place(s, to)]--;
}

static void return_link(struct delivery_state *s, uint32_t link, uint32_t to, uint32_t channel)
{
    load_map_return(&s->map, delivery_link(s, link), channel);
    s->in_left[delivery_place(s, to)]++;
}

/* Append lp to s->sent as a lightpath of the current step, mark that its receiver gets the block, and take a port at
 * both ends.  The caller has stored its path in s->sent and taken its channel on all links. */
static void deliver(struct delivery_state *s, const rwa_lightpath *lp)
{
    struct deliveries *d = &s->sent;
    assert(delivery_holds(s, lp->src, lp->block) && delivery_lacks(s, lp->dst, lp->block));
    assert(s->may_send[delivery_place(s, lp->src)] > 0 && s->may_receive[delivery_place(s, lp->dst)] > 0);
    d->list[d->count] = *lp;
    d->list[d->count].step = d->steps;
    d->list[d->count++].orbit = 1;
    *near_of(s, lp->dst, lp->block) = NODE_GETS;
    s->may_send[delivery_place(s, lp->src)]--;
    s->may_receive[delivery_place(s, lp->dst)]--;
}

void delivery_prune(struct delivery_state *s)
{
    struct deliveries *d = &s->sent;
    for (size_t i = d->count; i-- > 0;)
        s->near[d->list[i].block * s->nodes + d->list[i].src] |= s->near[d->list[i].block * s->nodes + d->list[i].dst];
    for (size_t i = 0; i < d->count; i++)
        d->list[i].orbit = s->near[d->list[i].block * s->nodes + d->list[i].dst];
    deliveries_compact(d);
}

uint64_t delivery_growth(const struct delivery_state *s)
{
    const rwa_network *net = s->net;
    uint64_t most = 0;
    for (uint32_t v = 0; v < net->nodes; v++) {
        uint64_t out = 0;
        for (uint32_t k = net->first[v]; k < net->first[v + 1]; k++)
            out += (uint64_t)net->links[net->out[k]].fibers * net->wavelengths;
        uint32_t ports = s->may_send[delivery_place(s, v)];
        LOWER(out, ports);
        RAISE(most, out);
    }
    return most + 1;
}

/* ---- the search, backwards from the node to serve ---- */

/* Reserve memory for one more level of the search, the entries of one distance. */
static rwa_status reserve_level(struct delivery_state *s)
{
    struct backward_search *b = &s->search;
    size_t most = b->count + s->nodes;
    MUST(base_reserve(b->node, most, s->err));
    MUST(base_reserve(b->before, most, s->err));
    return base_reserve(b->bits, most * s->map.words, s->err);
}

/* Return the index of the search's entry of a node at one distance; the entries of this distance begin at index
 * `level`.  Create the entry if there is none.  `words` is s->map.words. */
static inline size_t entry_of(struct delivery_state *s, uint32_t node, size_t level, size_t words)
{
    struct backward_search *b = &s->search;
    bool known = b->stamp[node] == b->token;
    if (known && b->newest[node] >= level)
        return b->newest[node];
    assert(b->count < base_capacity(b->node));
    for (size_t w = 0; w < words; w++) {
        b->bits[b->count * words + w] = 0;
        b->seen[node * words + w] = known ? b->seen[node * words + w] : 0;
    }
    b->stamp[node] = b->token;
    b->node[b->count] = node;
    b->before[b->count] = known ? b->newest[node] : NO_ENTRY;
    b->newest[node] = b->count;
    return b->count++;
}

/* Tell whether the search can go on from entry number `entry` over a link to `node`.  That takes a channel that is free
 * on the entry's whole path and on the link, and on which the search has not reached `node` before.  `row`: the free
 * channels of the link, `words` words of bits. */
static inline bool continues(const struct delivery_state *s, size_t entry, uint32_t node, const uint64_t *row,
                             size_t words)
{
    const struct backward_search *b = &s->search;
    const uint64_t *seen = b->seen + node * words, *bits = b->bits + entry * words;
    const uint64_t unknown = b->stamp[node] == b->token ? 0 : UINT64_MAX;
    uint64_t any = 0;
    for (size_t w = 0; w < words; w++)
        any |= bits[w] & row[w] & (~seen[w] | unknown);
    return any != 0;
}

/* Tell whether a path of at most b->reach hops from some holder to the node to serve may pass `node`, d hops before its
 * end.  near[] has for each node a lower bound on the hops from a holder. */
static inline bool is_promising(const struct backward_search *b, const uint8_t *near, uint32_t node, uint32_t d)
{
    return d + (near[node] == NODE_GETS ? 1 : near[node]) <= b->reach;
}

/* Extend the search from entry e over a link to `node`: the channels of entry e that are free on the link and new at
 * `node` go to the entry of `node` at the next distance.  `level`: index of the first entry at that distance.  `row`:
 * the free channels of the link, `words` words of bits. */
static inline void widen_over(struct delivery_state *s, size_t e, uint32_t node, const uint64_t *row, size_t level,
                              size_t words)
{
    struct backward_search *b = &s->search;
    size_t to = entry_of(s, node, level, words);
    uint64_t *seen = b->seen + node * words;
    for (size_t w = 0; w < words; w++) {
        uint64_t fresh = b->bits[e * words + w] & row[w] & ~seen[w];
        b->bits[to * words + w] |= fresh;
        seen[w] |= fresh;
    }
}

/* Make level d + 1 of the search from level d.  Always inline, so that gcc specialises it for words = 1. */
__attribute__((always_inline)) static inline void widen_all(struct delivery_state *s, uint32_t d, size_t words)
{
    struct backward_search *b = &s->search;
    const uint8_t *near = near_of(s, 0, b->block);
    size_t end = b->level[d + 1];
    for (size_t e = b->level[d]; e < end; e++)
        for (uint32_t i = s->in_first[b->node[e]], last = s->in_first[b->node[e] + 1]; i < last; i++) {
            uint32_t node = s->in_from[i];
            const uint64_t *row = row_of(s, s->in[i]);
            bool promising = is_promising(b, near, node, d + 1);
            if ((!promising && b->limited) || !continues(s, e, node, row, words))
                continue;
            if (promising)
                widen_over(s, e, node, row, end, words);
            else
                b->limited = true;
        }
    b->level[d + 2] = b->count;
}

/* Make the search's entries for the nodes at distance d + 1 from those at distance d. */
static rwa_status widen(struct delivery_state *s, uint32_t d)
{
    MUST(reserve_level(s));
    if (s->map.words == 1)
        widen_all(s, d, 1);
    else
        widen_all(s, d, s->map.words);
    return RWA_OK;
}

static uint32_t lowest_channel(const uint64_t *bits)
{
    uint32_t w = 0;
    while (bits[w] == 0)
        w++;
    return w * 64 + (uint32_t)__builtin_ctzll(bits[w]);
}

/* Return the index of the search's entry of a holder of the block at distance d that has a free port to send.  If there
 * are several, it is the one with the lowest free channel.  *channel gets this channel.  NO_ENTRY: there is no such
 * holder. */
static size_t choose_holder(const struct delivery_state *s, uint32_t d, uint64_t block, uint32_t *channel)
{
    const struct backward_search *b = &s->search;
    size_t best = NO_ENTRY;
    for (size_t e = b->level[d]; e < b->level[d + 1]; e++) {
        if (!delivery_can_send(s, b->node[e], block))
            continue;
        uint32_t c = lowest_channel(b->bits + e * s->map.words);
        if (best == NO_ENTRY || c < *channel) {
            best = e;
            *channel = c;
        }
    }
    return best;
}

/* Tell whether the search reached `node` at distance d from the node to serve, with this channel free on the whole path
 * between them. */
static bool is_reached(const struct delivery_state *s, uint32_t node, uint32_t d, uint32_t channel)
{
    const struct backward_search *b = &s->search;
    size_t e = b->stamp[node] == b->token ? b->newest[node] : NO_ENTRY;
    while (e != NO_ENTRY && e >= b->level[d + 1])
        e = b->before[e];
    return e != NO_ENTRY && e >= b->level[d] && get_bit(b->bits + e * s->map.words, channel);
}

/* Return the first link from `node` that is free on the channel and leads to a node at distance d from the node to
 * serve, from where the search found the channel free on the rest of the path.  RWA_NONE, only with a folding: a
 * translation of the path has just taken the channel. */
static uint32_t link_onward(const struct delivery_state *s, uint32_t node, uint32_t d, uint32_t channel)
{
    for (uint32_t i = s->net->first[node]; i < s->net->first[node + 1]; i++) {
        uint32_t link = s->net->out[i];
        if (load_map_has(&s->map, delivery_link(s, link), channel) && is_reached(s, s->net->links[link].to, d, channel))
            return link;
    }
    assert(s->folding);
    return RWA_NONE;
}

/* Take the channel on a path of `hops` links from path[0] to the node to serve, and store the other nodes of the path
 * in path[1] … path[hops].  On a ring or line, *direction becomes the direction of the path.  Return false, with no
 * link taken, if the path meets one of its own translations, which happens with a folding only. */
static bool take_path(struct delivery_state *s, uint32_t *path, uint32_t hops, uint32_t channel,
                      rwa_direction *direction)
{
    uint32_t *taken = s->queue, k = 0;
    for (; k < hops && (taken[k] = link_onward(s, path[k], hops - k - 1, channel)) != RWA_NONE; k++) {
        *direction = s->arcs && taken[k] % 2 == 1 ? RWA_CCW : RWA_CW;
        path[k + 1] = s->net->links[taken[k]].to;
        take_link(s, taken[k], path[k + 1], channel);
    }
    s->hindered = s->hindered || k < hops;
    for (uint32_t i = k; k < hops && i-- > 0;)
        return_link(s, taken[i], path[i + 1], channel);
    return k == hops;
}

static rwa_status send_back(struct delivery_state *s, uint32_t src, uint32_t hops, uint64_t block, uint32_t channel,
                            enum delivery_answer *answer)
{
    rwa_lightpath lp = {.src = src, .wavelength = channel, .block = block};
    MUST(deliveries_reserve(&s->sent, hops + 1, s->err));
    uint32_t *path = s->sent.path + s->sent.path_first[s->sent.count];
    path[0] = src;
    *answer = take_path(s, path, hops, channel, &lp.direction) ? DELIVERY_SENT : DELIVERY_CUT_OFF;
    lp.dst = path[hops];
    if (*answer == DELIVERY_SENT)
        deliver(s, &lp);
    return RWA_OK;
}

static rwa_status begin_search(struct delivery_state *s, uint32_t node, uint64_t block, uint32_t reach)
{
    struct backward_search *b = &s->search;
    b->token++;
    b->count = 0;
    b->block = block;
    b->reach = reach;
    b->limited = false;
    MUST(reserve_level(s));
    entry_of(s, node, 0, s->map.words);
    memset(b->bits, 0xff, s->map.words * sizeof *b->bits);
    memset(b->seen + node * s->map.words, 0xff, s->map.words * sizeof *b->seen);
    b->level[0] = 0;
    b->level[1] = 1;
    return RWA_OK;
}

/* ---- failed searches ---- */

/* Tell whether a sweep in this step has shown that no holder of the block can serve the node. */
static bool is_in_vain(const struct delivery_state *s, uint32_t node, uint64_t block)
{
    const struct sweeps *w = &s->sweeps;
    return w->words > 0 && w->swept[block] && !get_bit(w->leads + block * w->words, node);
}

/* Add the number of entries of a failed search for a block to the block's count.  Once the count has reached the number
 * of nodes, sweep: find all nodes that can still be served with the block, for is_in_vain(), and count from 0 again. */
static void note_search_in_vain(struct delivery_state *s, uint64_t block)
{
    struct sweeps *w = &s->sweeps;
    if (w->words == 0 || (w->failed[block] += s->search.count) < s->nodes)
        return;
    uint64_t *leads = w->leads + block * w->words;
    memset(leads, 0, w->words * sizeof *leads);
    w->failed[block] = 0;
    w->swept[block] = true;
    delivery_sweep_ahead(s, block, leads);
}

rwa_status delivery_serve(struct delivery_state *s, uint32_t node, uint64_t block, uint32_t reach,
                          enum delivery_answer *answer)
{
    struct backward_search *b = &s->search;
    assert(delivery_lacks(s, node, block));
    *answer = DELIVERY_CUT_OFF;
    if (s->in_left[delivery_place(s, node)] == 0 || s->may_receive[delivery_place(s, node)] == 0 ||
        is_in_vain(s, node, block))
        return RWA_OK;
    *answer = DELIVERY_TOO_FAR;
    if (delivery_at(s, node, block) > reach)
        return RWA_OK;
    MUST(begin_search(s, node, block, reach));
    for (uint32_t d = 0; d < reach && b->level[d] < b->level[d + 1]; d++) {
        uint32_t channel = 0;
        MUST(widen(s, d));
        size_t holder = choose_holder(s, d + 1, block, &channel);
        if (holder != NO_ENTRY) {
            s->looked += b->count;
            return send_back(s, b->node[holder], d + 1, block, channel, answer);
        }
        b->limited = b->limited || (d + 1 == reach && b->level[d + 1] < b->count);
    }
    s->looked += b->count;
    *answer = b->limited ? DELIVERY_TOO_FAR : DELIVERY_CUT_OFF;
    note_search_in_vain(s, block);
    return RWA_OK;
}
