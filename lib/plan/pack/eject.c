/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Ejection: lightpaths that found no free channel push others away, where the fewest stand in their way, and these look for another
 * place.  A lightpath that was pushed often is pushed less readily (as congested links are in PathFinder), so that a few lightpaths
 * do not go on for ever.
 */
#include "plan/pack/pieces.h"

#include "delivery/load_map.h"

static const uint32_t FREE = UINT32_MAX, CLOSED = UINT32_MAX - 1;

struct ejection {
    struct arena memory;        /* of the arrays */
    struct pieces *c;
    const struct packing *p;
    const rwa_network *net;
    uint32_t layers;            /* steps times channels */
    uint32_t *holder;           /* [layer][link]: a piece, FREE or CLOSED */
    uint32_t *pushed;           /* how often a piece was */
    uint32_t *waiting;          /* pieces without a place */
    size_t left;
    uint64_t work;              /* links looked at */
};

/** What the pieces in the way of another one have in a layer; UINT32_MAX: a link is closed. */
static uint32_t cost_in_layer(struct ejection *x, uint32_t layer, uint32_t piece)
{
    const uint32_t *holder = x->holder + (size_t)layer * x->net->link_count;
    uint32_t cost = 0;
    struct links route = piece_route(x->c, x->p, piece);
    for (size_t k = 0; k < route.count; k++, x->work++) {
        uint32_t in_way = holder[route.link[k]];
        if (in_way == CLOSED)
            return UINT32_MAX;
        cost += in_way == FREE ? 0 : 1 + x->pushed[in_way];
    }
    return cost;
}

static void push_away(struct ejection *x, uint32_t piece)
{
    uint32_t *holder = x->holder + (size_t)x->c->colour[piece] * x->net->link_count;
    struct links route = piece_route(x->c, x->p, piece);
    for (size_t k = 0; k < route.count; k++) {
        assert(holder[route.link[k]] == piece);
        holder[route.link[k]] = FREE;
    }
    x->pushed[piece]++;
    x->waiting[x->left++] = piece;
}

static void place(struct ejection *x, uint32_t piece, uint32_t layer)
{
    uint32_t *holder = x->holder + (size_t)layer * x->net->link_count;
    struct links route = piece_route(x->c, x->p, piece);
    for (size_t k = 0; k < route.count; k++) {
        if (holder[route.link[k]] != FREE)
            push_away(x, holder[route.link[k]]);
        holder[route.link[k]] = piece;
    }
    x->c->colour[piece] = layer;
}

/** Chooses the layer with the fewest lightpaths in the way, beginning with another one each time; true when there is one. */
static bool find_place(struct ejection *x, uint32_t piece)
{
    uint32_t least = UINT32_MAX, at = 0, begin = (uint32_t)((x->work * 2654435761U) % x->layers);
    for (uint32_t i = 0; i < x->layers && least > 0; i++) {
        uint32_t layer = (begin + i) % x->layers, cost = cost_in_layer(x, layer, piece);
        at = cost < least ? layer : at;
        least = cost < least ? cost : least;
    }
    if (least < UINT32_MAX)
        place(x, piece, at);
    return least < UINT32_MAX;
}

static void close_links(struct ejection *x, const struct load_map *map)
{
    for (uint32_t layer = 0; layer < x->layers; layer++)
        for (uint32_t l = 0; l < x->net->link_count; l++)
            x->holder[(size_t)layer * x->net->link_count + l] = load_map_has(map, l, layer % x->p->channels) ? FREE : CLOSED;
}

/** All pieces stand in their places but those of later steps. */
static rwa_status ejection_open(struct ejection *x, struct pieces *c, const struct packing *p, uint32_t steps)
{
    const rwa_network *net = p->request->net;
    struct load_map map = {0};
    rwa_status st = RWA_OK;
    *x = (struct ejection){.memory.err = p->err, .c = c, .p = p, .net = net, .layers = steps * p->channels};
    arena_new(&x->memory, x->holder, (size_t)x->layers * net->link_count);
    arena_new(&x->memory, x->pushed, c->count);
    arena_new(&x->memory, x->waiting, c->count);
    MUST(arena_status(&x->memory));
    TRY(load_map_open(&map, net, LOAD_MAP_ONE_DIRECTION, p->err));
    close_links(x, &map);
    for (uint32_t piece = 0; piece < c->count; piece++)
        if (c->colour[piece] < x->layers)
            place(x, piece, c->colour[piece]);
        else
            x->waiting[x->left++] = piece;
done:
    load_map_close(&map);
    return st;
}

rwa_status eject_paths(bool *done, struct pieces *c, const struct packing *p, uint32_t steps)
{
    enum { WORK_MOST = 1 << 24, PLACES_MOST = 1 << 24 };
    struct ejection x = {0};
    rwa_status st = RWA_OK;
    *done = false;
    if ((uint64_t)steps * p->channels * p->request->net->link_count > PLACES_MOST)
        return RWA_OK;
    TRY(ejection_open(&x, c, p, steps));
    while (x.left > 0 && x.work < WORK_MOST)
        if (!find_place(&x, x.waiting[--x.left]))
            goto done;
    *done = x.left == 0;
done:
    arena_free(&x.memory);
    return st;
}
