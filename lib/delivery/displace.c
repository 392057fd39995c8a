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
    arena_new(&d->memory, d->cost, nodes);
    arena_new(&d->memory, d->onward, nodes);
    arena_new(&d->memory, d->queue, nodes);
    arena_new(&d->memory, d->queued, nodes);
    arena_new(&d->memory, d->path, nodes);
    arena_new(&d->memory, d->best_path, nodes);
    return arena_status(&d->memory);
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

/* The links of delivery i have an owner: itself, or NO_OWNER. */
static void set_owner(struct displacer *d, size_t i, size_t owner)
{
    const struct deliveries *sent = &d->state->sent;
    const rwa_lightpath *lp = &sent->list[i];
    uint32_t channel = lp->fiber * d->state->wavelengths + lp->wavelength;
    for (size_t k = sent->path_first[i]; k + 1 < sent->path_first[i + 1]; k++)
        d->owner[slot_of(d, rwa_network_find_link(d->state->net, sent->path[k], sent->path[k + 1]), channel)] = owner;
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
}

/* ---- the search, backwards from the receiver on one channel ---- */

/* Of a link on a channel; 0: it does not have it. */
static uint32_t cost_of(const struct displacer *d, uint32_t link, uint32_t channel)
{
    const struct load_map *map = &d->state->map;
    size_t slot = slot_of(d, link, channel);
    if (d->owner[slot] != NO_OWNER)
        return 1 + TAKEN_COST + d->history[slot];
    return load_map_has(map, delivery_link(d->state, link), channel) ? 1 : 0;
}

/* Queue the nodes that reach `node` more cheaply than known, and below a limit. */
static void relax(struct displacer *d, uint32_t node, uint32_t channel, uint32_t limit, size_t *filled)
{
    const struct delivery_state *s = d->state;
    for (uint32_t i = s->in_first[node]; i < s->in_first[node + 1]; i++) {
        uint32_t link = s->in[i], from = s->from[link], step = cost_of(d, link, channel);
        if (step == 0 || d->cost[node] + step >= d->cost[from] || d->cost[node] + step >= limit)
            continue;
        d->cost[from] = d->cost[node] + step;
        d->onward[from] = link;
        if (!d->queued[from])
            d->queue[(*filled)++ % s->nodes] = from;
        d->queued[from] = 1;
    }
}

/* The cost of every node from which less than the limit leads to `node`; others keep the limit or more. */
static void measure(struct displacer *d, uint32_t node, uint32_t channel, uint32_t limit)
{
    size_t filled = 1;
    assert(node < d->state->nodes);
    memset(d->cost, 0xff, d->state->nodes * sizeof *d->cost);
    d->cost[node] = 0;
    d->queue[0] = node;
    for (size_t i = 0; i < filled; i++) {
        assert(d->state->nodes > 0);
        uint32_t next = d->queue[i % d->state->nodes];
        d->queued[next] = 0;
        relax(d, next, channel, limit, &filled);
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
        set_owner(d, owner, NO_OWNER);
        delivery_withdraw(d->state, owner);
    }
    return RWA_OK;
}

rwa_status displacer_serve(struct displacer *d, uint32_t node, uint64_t block, uint32_t max_hops, bool *sent)
{
    struct delivery_state *s = d->state;
    struct detour best = {.cost = UINT32_MAX};
    *sent = false;
    d->count = 0;
    for (uint32_t c = 0; c < s->map.channels && s->may_receive[delivery_place(s, node)] > 0; c++)
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
