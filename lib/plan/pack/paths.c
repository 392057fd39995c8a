/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * First-fit of the lightpaths of an exchange, step by step, the longest first, each on its route; where a step too many is taken, ejection
 * may save it.
 */
#include "plan/pack/pieces.h"

#include "delivery/load_map.h"

/** The step being filled. */
struct filling {
    const rwa_network *net;
    struct load_map map;
    uint32_t *sends, *receives; /* lightpaths that each node still may send, and receive, in this step; NULL: no limit */
    struct arena memory;        /* of these two */
};

static rwa_status filling_open(struct filling *f, const struct packing *p)
{
    const rwa_network *net = p->request->net;
    *f = (struct filling){.net = net, .memory = {.err = p->err}};
    MUST(load_map_open(&f->map, net, LOAD_MAP_ONE_DIRECTION, p->err));
    assert(f->map.channels == p->channels);
    if (rwa_network_ports(net) > 0) {
        arena_new(&f->memory, f->sends, net->nodes);
        arena_new(&f->memory, f->receives, net->nodes);
    }
    return arena_status(&f->memory);
}

static void begin_step(struct filling *f)
{
    load_map_begin_step(&f->map);
    for (uint32_t v = 0; v < f->net->nodes && f->sends; v++)
        f->sends[v] = f->receives[v] = rwa_network_ports(f->net);
}

/** The lowest channel that is free on all links of a route. */
static bool find_channel(struct filling *f, struct links route, uint32_t *channel)
{
    for (size_t w = 0; w < f->map.words; w++) {
        uint64_t open = UINT64_MAX;
        for (size_t k = 0; k < route.count; k++)
            open &= load_map_row(&f->map, route.link[k])[w];
        if (open == 0)
            continue;
        *channel = (uint32_t)(w * 64) + (uint32_t)__builtin_ctzll(open);
        for (size_t k = 0; k < route.count; k++)
            load_map_take(&f->map, route.link[k], *channel);
        return true;
    }
    return false;
}

/** Whether the ends of a piece have ports for it, and its route a channel. */
static bool place(struct filling *f, const struct pieces *c, const struct packing *p, uint32_t piece, uint32_t *channel)
{
    uint32_t src = p->routed.e->src[c->transfer[piece]], dst = p->routed.e->dst[c->transfer[piece]];
    if (f->sends && (f->sends[src] == 0 || f->receives[dst] == 0))
        return false;
    bool found = find_channel(f, piece_route(c, p, piece), channel);
    if (found && f->sends) {
        f->sends[src]--;
        f->receives[dst]--;
    }
    return found;
}

/** Fill one step with what fits of order[0 … *left - 1], and keep the rest there. */
static void fill_step(struct pieces *c, const struct packing *p, struct filling *f, uint32_t *order, size_t *left, uint32_t step)
{
    size_t kept = 0;
    begin_step(f);
    for (size_t i = 0; i < *left; i++) {
        uint32_t channel;
        if (place(f, c, p, order[i], &channel))
            c->colour[order[i]] = step * p->channels + channel;
        else
            order[kept++] = order[i];
    }
    *left = kept;
}

/** All steps; 0 when something fits no empty step. */
static uint32_t fill_steps(struct pieces *c, const struct packing *p, struct filling *f, uint32_t *order)
{
    size_t left = c->count;
    uint32_t step = 0;
    for (size_t before = left + 1; left > 0 && left < before; step++) {
        before = left;
        fill_step(c, p, f, order, &left, step);
    }
    return left == 0 ? step : 0;
}

/** Pieces by the length of their routes, longest first; where ports limit listed links, as they stand. */
static void order_pieces(uint32_t *order, const struct pieces *c, const struct packing *p)
{
    bool stay = rwa_network_ports(p->request->net) > 0 && !p->routed.arcs;
    size_t count = 0;
    for (uint64_t hops = stay ? 1 : p->routed.longest + 1; hops-- > 0;)
        for (uint32_t k = 0; k < c->count; k++)
            if (stay || piece_route(c, p, k).count == hops)
                order[count++] = k;
    assert(count == c->count);
}

/** In so many steps, by ejection; what was there if that does not find them. */
static rwa_status save_steps(struct pieces *c, const struct packing *p, uint32_t steps)
{
    uint32_t *colour = NULL;
    bool done = false;
    MUST(base_new(colour, c->count, p->err));
    memcpy(colour, c->colour, c->count * sizeof *colour);
    rwa_status st = eject_paths(&done, c, p, steps);
    if (done)
        c->colours = steps * p->channels;
    else
        memcpy(c->colour, colour, c->count * sizeof *colour);
    free(colour);
    return st;
}

rwa_status colour_paths(struct pieces *c, const struct packing *p, uint64_t steps)
{
    struct filling f = {0};
    uint32_t *order = NULL;
    rwa_status st = RWA_OK;
    TRY(filling_open(&f, p));
    TRY(base_new(order, c->count, p->err));
    order_pieces(order, c, p);
    uint32_t taken = fill_steps(c, p, &f, order);
    c->colours = taken * p->channels;
    if (taken > steps && taken <= 2 * steps && !f.sends) /* ejection does not count ports */
        TRY(save_steps(c, p, (uint32_t)steps));
done:
    free(order);
    load_map_close(&f.map);
    arena_free(&f.memory);
    return st;
}
