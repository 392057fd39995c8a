/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Ejection: a lightpath without a free channel takes the place where the fewest other lightpaths are in the way; these
 * are pushed out, and look for another place.  To avoid cycles, a lightpath that was pushed out often costs more to
 * push (like the history cost of congested links in PathFinder). */
#include "plan/pack/pieces.h"

#include "delivery/load_map.h"

static const uint32_t FREE = UINT32_MAX, CLOSED = UINT32_MAX - 1;

struct ejection {
    struct arena memory;        /* of the arrays below */
    struct pieces *c;
    const struct packing *p;
    const rwa_network *net;
    uint32_t layers;            /* number of (step, channel) pairs */
    uint32_t *holder;           /* [layer][link]: the piece that uses it, FREE or CLOSED */
    uint32_t *pushed;           /* how often each piece was pushed out */
    uint32_t *waiting;          /* pieces without a place */
    size_t left;
    struct shortest_routes routes;
    uint32_t *cost, *next;      /* of each node: the least cost to the destination, and the first link of that route */
    uint32_t *best;             /* links of the best route so far */
    uint64_t work;              /* links examined so far */
};

/** Find the cheapest of the shortest routes to dst (those in x->routes) in a layer (a channel in a step), and note its
 * links in x->next.  Return its cost; UINT32_MAX: all routes are blocked.  A free link costs nothing.  A link that
 * another piece (lightpath) uses costs 1 + how often that piece was pushed out before. */
static uint32_t cost_in_layer(struct ejection *x, uint32_t layer, uint32_t dst)
{
    enum { NO_WAY = 1 << 30 };
    const uint32_t *holder = x->holder + (size_t)layer * x->net->link_count;
    const struct shortest_routes *r = &x->routes;
    x->cost[dst] = 0;
    x->work += r->degrees;
    for (uint32_t i = r->nodes - 1; i-- > 0;) {
        uint32_t v = r->node[i];
        x->cost[v] = NO_WAY;
        for (uint32_t k = r->begin[i]; k < r->begin[i + 1]; k++) {
            uint32_t link = r->onward[k], in_way = holder[link];
            if (in_way == CLOSED)
                continue;
            uint32_t cost = x->cost[x->net->links[link].to] + (in_way == FREE ? 0 : 1 + x->pushed[in_way]);
            if (cost < x->cost[v]) {
                x->cost[v] = cost;
                x->next[v] = link;
            }
        }
    }
    return x->cost[r->node[0]] < NO_WAY ? x->cost[r->node[0]] : UINT32_MAX;
}

static void keep_route(struct ejection *x, uint32_t src, uint32_t dst)
{
    uint32_t *link = x->best;
    for (uint32_t v = src; v != dst; v = x->net->links[*link++].to)
        *link = x->next[v];
}

static void push_away(struct ejection *x, uint32_t piece)
{
    uint32_t *holder = x->holder + (size_t)x->c->colour[piece] * x->net->link_count;
    for (uint64_t k = x->c->first[piece]; k < x->c->first[piece + 1]; k++) {
        assert(holder[x->c->link[k]] == piece);
        holder[x->c->link[k]] = FREE;
    }
    x->pushed[piece]++;
    x->waiting[x->left++] = piece;
}

static void place(struct ejection *x, uint32_t piece, uint32_t layer, const uint32_t *link)
{
    uint32_t *holder = x->holder + (size_t)layer * x->net->link_count;
    for (uint64_t k = x->c->first[piece]; k < x->c->first[piece + 1]; k++, link++) {
        if (holder[*link] != FREE)
            push_away(x, holder[*link]);
        holder[*link] = piece;
        x->c->link[k] = *link;
    }
    x->c->colour[piece] = layer;
}

/** Place a piece (lightpath) on its cheapest route in any layer (a channel in a step), and push out the pieces on that
 * route.  Return false if no layer has a route.  Each call begins with another layer, so that equal costs lead to
 * different layers. */
static bool find_place(struct ejection *x, uint32_t piece)
{
    const struct exchange *e = x->p->routed.e;
    uint32_t src = e->src[x->c->transfer[piece]], dst = e->dst[x->c->transfer[piece]], least = UINT32_MAX, at = 0;
    static const uint32_t golden = 2654435761U;     /* 2^32 / golden ratio: spreads the first layers evenly */
    uint32_t begin = (uint32_t)((x->work * golden) % x->layers);
    shortest_routes_list(&x->routes, x->net, x->p->routed.distances->hops, src, dst);
    for (uint32_t i = 0; i < x->layers && least > 0; i++) {
        uint32_t layer = (begin + i) % x->layers, cost = cost_in_layer(x, layer, dst);
        if (cost < least) {
            least = cost;
            at = layer;
            keep_route(x, src, dst);
        }
    }
    if (least < UINT32_MAX)
        place(x, piece, at, x->best);
    return least < UINT32_MAX;
}

static void close_links(struct ejection *x, const struct load_map *map)
{
    for (uint32_t layer = 0; layer < x->layers; layer++)
        for (uint32_t l = 0; l < x->net->link_count; l++)
            x->holder[(size_t)layer * x->net->link_count + l] =
                load_map_has(map, l, layer % x->p->channels) ? FREE : CLOSED;
}

/** Set up the ejection into `steps` steps: pieces (lightpaths) in these steps keep their places, and those in later
 * steps wait for one. */
static rwa_status ejection_open(struct ejection *x, struct pieces *c, const struct packing *p, uint32_t steps)
{
    const rwa_network *net = p->request->net;
    struct load_map map = {0};
    rwa_status st = RWA_OK;
    *x = (struct ejection){.memory.err = p->err, .c = c, .p = p, .net = net, .layers = steps * p->channels};
    arena_new(&x->memory, x->holder, (size_t)x->layers * net->link_count);
    arena_arrays(&x->memory, c->count, x->pushed, x->waiting);
    MUST(arena_arrays(&x->memory, net->nodes, x->cost, x->next, x->best));
    MUST(shortest_routes_open(&x->routes, net, p->err));
    TRY(load_map_open(&map, net, false, false, p->err));
    close_links(x, &map);
    for (uint32_t piece = 0; piece < c->count; piece++)
        if (c->colour[piece] < x->layers)
            place(x, piece, c->colour[piece], c->link + c->first[piece]);
        else
            x->waiting[x->left++] = piece;
done:
    load_map_close(&map);
    return st;
}

static void ejection_close(struct ejection *x)
{
    shortest_routes_close(&x->routes);
    arena_free(&x->memory);
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
    ejection_close(&x);
    return st;
}
