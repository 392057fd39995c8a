/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "delivery/displace.h"

#include "network/network.h"

#define NO_OWNER SIZE_MAX

/** The price of a link whose channel another lightpath has, in links that are free. */
enum { TAKEN_COST = 4 };

/** A path found: of `hops` links on a channel. */
struct detour {
    uint32_t cost, channel, hops;
};

rwa_status displacer_open(struct displacer *d, struct delivery_state *state, rwa_error *err)
{
    size_t slots = (size_t)state->links * state->map.channels, nodes = state->nodes;
    assert(!state->arcs);
    *d = (struct displacer){.memory.err = err, .state = state};
    arena_new(&d->memory, d->owner, slots);
    arena_new(&d->memory, d->history, slots);
    arena_new(&d->memory, d->price, slots);
    arena_new(&d->memory, d->into, state->net->link_count);
    arena_new(&d->memory, d->cost, nodes);
    arena_new(&d->memory, d->onward, nodes);
    arena_new(&d->memory, d->queue, nodes);
    arena_new(&d->memory, d->queued, nodes);
    arena_new(&d->memory, d->path, nodes);
    arena_new(&d->memory, d->best_path, nodes);
    MUST(arena_status(&d->memory));
    for (uint32_t i = 0; i < state->net->link_count; i++)
        d->into[i] = (size_t)delivery_link(state, state->in[i]) * state->map.channels;
    return RWA_OK;
}

void displacer_close(struct displacer *d)
{
    arena_free(&d->memory);
    free(d->withdrawn);
    memset(d, 0, sizeof *d);
}

/* The slot of a link, or of the one that is alike, on a channel. */
static size_t slot_of(const struct displacer *d, uint32_t link, uint32_t channel)
{
    return (size_t)delivery_link(d->state, link) * d->state->map.channels + channel;
}

/* A slot that another lightpath has costs more, the more often it was fought over. */
static uint32_t price_of(const struct displacer *d, size_t slot)
{
    const struct load_map *map = &d->state->map;
    if (d->owner[slot] != NO_OWNER)
        return 1 + TAKEN_COST + d->history[slot];
    return load_map_has(map, (uint32_t)(slot / map->channels), (uint32_t)(slot % map->channels)) ? 1 : 0;
}

/* The links of delivery i, which they carry or carry no longer, have an owner: itself, or NO_OWNER. */
static void set_owner(struct displacer *d, size_t i, size_t owner)
{
    const struct deliveries *sent = &d->state->sent;
    const rwa_lightpath *lp = &sent->list[i];
    uint32_t channel = lp->fiber * d->state->wavelengths + lp->wavelength;
    for (size_t k = sent->path_first[i]; k + 1 < sent->path_first[i + 1]; k++) {
        size_t slot = slot_of(d, rwa_network_find_link(d->state->net, sent->path[k], sent->path[k + 1]), channel);
        d->owner[slot] = owner;
        d->price[slot] = price_of(d, slot);
    }
}

void displacer_begin(struct displacer *d)
{
    size_t slots = (size_t)d->state->links * d->state->map.channels;
    const struct deliveries *sent = &d->state->sent;
    memset(d->history, 0, slots * sizeof *d->history);
    for (size_t s = 0; s < slots; s++)
        d->owner[s] = NO_OWNER;
    for (size_t i = sent->count; i > 0 && sent->list[i - 1].step == sent->steps; i--)
        set_owner(d, i - 1, i - 1);
    for (size_t s = 0; s < slots; s++)
        d->price[s] = price_of(d, s);
}

/* ---- the search, backwards from the receiver on one channel ---- */

/* Queue the nodes that reach `node` more cheaply than known, and below a limit; `end`: where the queue ends, which goes round. */
static uint32_t relax(struct displacer *d, uint32_t node, uint32_t channel, uint32_t limit, uint32_t end)
{
    const struct delivery_state *s = d->state;
    const uint32_t cost = d->cost[node];
    for (uint32_t i = s->in_first[node]; i < s->in_first[node + 1]; i++) {
        uint32_t link = s->in[i], from = s->from[link], price = d->price[d->into[i] + channel];
        if (price == 0 || cost + price >= d->cost[from] || cost + price >= limit)
            continue;
        d->cost[from] = cost + price;
        d->onward[from] = link;
        if (d->queued[from])
            continue;
        d->queue[end] = from;
        d->queued[from] = 1;
        end = end + 1 < s->nodes ? end + 1 : 0;
    }
    return end;
}

/* The cost of every node from which less than the limit leads to `node`; others keep the limit or more. */
static void measure(struct displacer *d, uint32_t node, uint32_t channel, uint32_t limit)
{
    uint32_t nodes = d->state->nodes, begin = 0, end = 0;
    assert(node < nodes);
    memset(d->cost, 0xff, nodes * sizeof *d->cost);
    d->cost[node] = 0;
    for (uint32_t next = node;; next = d->queue[begin], begin = begin + 1 < nodes ? begin + 1 : 0) {
        d->queued[next] = 0;
        end = relax(d, next, channel, limit, end);
        if (begin == end)
            break;
    }
}

/* Write the path from a holder; its hops, or 0 where it meets its translations. */
static uint32_t trace(struct displacer *d, uint32_t holder, uint32_t node)
{
    const struct delivery_state *s = d->state;
    uint32_t hops = 0;
    for (d->path[0] = holder; d->path[hops] != node; hops++) {
        uint32_t link = d->onward[d->path[hops]];
        for (uint32_t k = 0; s->folding && k < hops; k++)
            if (delivery_link(s, d->onward[d->path[k]]) == delivery_link(s, link))
                return 0;
        d->path[hops + 1] = s->net->links[link].to;
    }
    return hops;
}

/* The cheapest path on a channel, kept if it is cheaper than the best so far. */
static void search_channel(struct displacer *d, struct detour *best, uint32_t channel, uint32_t node, uint64_t block, uint32_t max_hops)
{
    const struct delivery_state *s = d->state;
    measure(d, node, channel, best->cost);
    for (uint32_t v = 0; v < s->nodes; v++) {
        if (d->cost[v] >= best->cost || !delivery_can_send(s, v, block))
            continue;
        uint32_t hops = trace(d, v, node), *other = d->best_path;
        if (hops == 0 || (max_hops > 0 && hops > max_hops))
            continue;
        *best = (struct detour){d->cost[v], channel, hops};
        d->best_path = d->path;
        d->path = other;
    }
}

/* ---- make way ---- */

static rwa_status withdraw_from(struct displacer *d, const struct detour *way)
{
    for (uint32_t k = 0; k < way->hops; k++) {
        size_t slot = slot_of(d, rwa_network_find_link(d->state->net, d->best_path[k], d->best_path[k + 1]), way->channel);
        size_t owner = d->owner[slot];
        if (owner == NO_OWNER)
            continue;
        MUST(base_grow((void **)&d->withdrawn, &d->capacity, d->count + 1, sizeof *d->withdrawn, d->state->err));
        d->history[slot]++;
        d->withdrawn[d->count++] = owner;
        delivery_withdraw(d->state, owner);
        set_owner(d, owner, NO_OWNER);
    }
    return RWA_OK;
}

rwa_status displacer_serve(struct displacer *d, uint32_t node, uint64_t block, uint32_t max_hops, bool *sent)
{
    struct delivery_state *s = d->state;
    struct detour best = {.cost = UINT32_MAX};
    *sent = false;
    d->count = 0;
    uint32_t least = delivery_at(s, node, block); /* links, each of a price of 1 or more */
    for (uint32_t c = 0; c < s->map.channels && best.cost > least && s->may_receive[delivery_place(s, node)] > 0; c++)
        search_channel(d, &best, c, node, block, max_hops);
    if (best.cost == UINT32_MAX)
        return RWA_OK;
    MUST(withdraw_from(d, &best));
    rwa_lightpath lp = {.src = d->best_path[0], .dst = node, .block = block, .fiber = best.channel / s->wavelengths,
                        .wavelength = best.channel % s->wavelengths};
    MUST(delivery_send(s, &lp, d->best_path, best.hops + 1, sent));
    assert(*sent);
    set_owner(d, s->sent.count - 1, s->sent.count - 1);
    return RWA_OK;
}
