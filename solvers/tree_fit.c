/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solvers/tree_fit.h"

#include "solvers/rank.h"
#include "solvers/solver.h"

/* The price of a link is exp(SLOPE * (load - target)); each hop has a small price of its own, to break ties. */
#define SLOPE 0.3
#define HOP_PRICE 1e-9
/* A unit whose present route is free on a channel below this share of the load does not try its other routes: that
 * costs time, and gains nothing except on the last channels. */
#define ENOUGH 0.95
enum { MOST_PASSES = 12, FIRST_CHANNELS = 512, POLL_UNITS = 1 << 10 };

void tree_fit_free(struct tree_fit *f)
{
    arena_free(&f->arena);
    map_free(&f->map);
    free_all(f->own, f->own_first, f->saved.own_first);
    memset(f, 0, sizeof *f);
}

rwa_status tree_fit_open(struct tree_fit *f, const struct source_trees *routes, rwa_error *err)
{
    const struct traffic *t = routes->traffic;
    const struct routing_graph *g = routes->graph;
    f->routes = routes;
    f->err = f->arena.err = err;
    if (t->total >= UINT32_MAX)
        return base_fail(err, RWA_NOMEM, "more lightpaths than can be numbered");
    f->units = (uint32_t)t->total;
    arena_new(&f->arena, f->unit_first, t->pairs + 1);
    arena_arrays(&f->arena, f->units, f->pair, f->route, f->channel, f->order, f->saved.route, f->saved.channel);
    arena_new(&f->arena, f->link, g->nodes);
    MUST(arena_arrays(&f->arena, g->links, f->price, f->load));
    f->cand = (struct candidates){.links = g->links, .fibers = 1};
    f->spectrum.cand = &f->cand;
    for (size_t i = 0; i < t->pairs; i++) {
        f->unit_first[i + 1] = f->unit_first[i] + (size_t)t->amount[i];
        for (size_t u = f->unit_first[i]; u < f->unit_first[i + 1]; u++)
            f->pair[u] = (uint32_t)i;
    }
    return RWA_OK;
}

/* ---- routes ---- */

uint32_t tree_fit_route_links(const struct tree_fit *f, uint32_t unit, uint32_t route)
{
    const struct routing_graph *g = f->routes->graph;
    size_t pair = f->pair[unit];
    const uint32_t *tree = source_trees_of(f->routes, pair, route);
    uint32_t hops = 0, src = f->routes->traffic->src[pair];
    for (uint32_t v = f->routes->traffic->dst[pair]; v != src; v = g->from[tree[v]])
        f->link[hops++] = g->link[tree[v]];
    return hops;
}

uint32_t tree_fit_links(const struct tree_fit *f, uint32_t unit)
{
    if (f->route[unit] != TREE_FIT_OWN)
        return tree_fit_route_links(f, unit, f->route[unit]);
    const uint32_t *own = f->own + f->own_first[unit];
    for (uint32_t k = 0; k < own[0]; k++)
        f->link[k] = f->routes->graph->link[own[1 + k]];
    return own[0];
}

uint32_t tree_fit_path(const struct tree_fit *f, uint32_t unit, uint32_t *arc)
{
    if (f->route[unit] == TREE_FIT_OWN) {
        const uint32_t *own = f->own + f->own_first[unit];
        memcpy(arc, own + 1, own[0] * sizeof *arc);
        return own[0];
    }
    size_t pair = f->pair[unit];
    const struct traffic *t = f->routes->traffic;
    return (uint32_t)tree_path(arc, f->routes->graph, source_trees_of(f->routes, pair, f->route[unit]), t->src[pair],
                               t->dst[pair]);
}

bool tree_fit_is_distinct(const struct tree_fit *f, uint32_t unit, uint32_t route)
{
    return f->routes->distinct[f->pair[unit]] >> route & 1;
}

/* ---- states ---- */

void tree_fit_save(struct tree_fit *f)
{
    f->saved.channels = f->channels;
    memcpy(f->saved.route, f->route, f->units * sizeof *f->route);
    memcpy(f->saved.channel, f->channel, f->units * sizeof *f->channel);
    if (f->saved.own_first)
        memcpy(f->saved.own_first, f->own_first, f->units * sizeof *f->own_first);
}

void tree_fit_go_back(struct tree_fit *f)
{
    f->channels = f->saved.channels;
    memcpy(f->route, f->saved.route, f->units * sizeof *f->route);
    memcpy(f->channel, f->saved.channel, f->units * sizeof *f->channel);
    if (f->saved.own_first)
        memcpy(f->own_first, f->saved.own_first, f->units * sizeof *f->own_first);
}

/* ---- balance ---- */

static void add_load(struct tree_fit *f, uint32_t link, uint64_t by)
{
    double fibers = f->routes->graph->fibers[link];
    f->load[link] += by; /* UINT64_MAX subtracts one */
    f->price[link] = exp(fmin(SLOPE * ((double)f->load[link] / fibers - f->routes->load), 600));
}

static void load_route(struct tree_fit *f, uint32_t unit, uint64_t by)
{
    uint32_t hops = tree_fit_links(f, unit);
    for (uint32_t k = 0; k < hops; k++)
        add_load(f, f->link[k], by);
}

static uint8_t cheapest(const struct tree_fit *f, uint32_t unit)
{
    double least = INFINITY;
    uint8_t best = 0;
    for (uint32_t r = 0; r < f->routes->kept; r++) {
        double sum = 0;
        if (!tree_fit_is_distinct(f, unit, r))
            continue;
        uint32_t hops = tree_fit_route_links(f, unit, r);
        for (uint32_t k = 0; k < hops; k++)
            sum += f->price[f->link[k]] + HOP_PRICE;
        if (sum < least)
            best = (uint8_t)r;
        least = fmin(least, sum);
    }
    return best;
}

/* List the lightpaths in f->order so that the sources take turns, 16 lightpaths at a time, and no source comes last
 * with all of its own. */
static void order_by_turns(struct tree_fit *f)
{
    const struct source_trees *c = f->routes;
    uint32_t n = 0;
    for (size_t turn = 0; n < f->units; turn++)
        for (size_t s = 0; s < c->sources; s++) {
            size_t from = f->unit_first[c->first[s]], to = f->unit_first[c->first[s + 1]];
            size_t low = from + turn * 16, high = low + 16 < to ? low + 16 : to;
            for (size_t u = low; u < high; u++)
                f->order[n++] = (uint32_t)u;
        }
}

/* Give each lightpath in turn the route whose links have the lowest price, and return whether any route changed.
 * first: none has a route yet.  When the budget ends, the lightpaths left keep their routes. */
static bool balance_once(struct tree_fit *f, bool first, struct budget *budget)
{
    bool moved = first, over = false;
    for (uint32_t i = 0; i < f->units && (first || !over); i++) {
        uint32_t unit = f->order[i];
        over = over || (i % POLL_UNITS == POLL_UNITS - 1 && base_must_stop(budget, "balance", -1));
        if (!first)
            load_route(f, unit, UINT64_MAX);
        uint8_t route = over ? f->route[unit] : cheapest(f, unit);
        moved = moved || route != f->route[unit];
        f->route[unit] = route;
        load_route(f, unit, 1);
    }
    return moved;
}

rwa_status tree_fit_balance(struct tree_fit *f, struct budget *budget)
{
    uint64_t before = UINT64_MAX;
    bool better = true;
    memset(f->load, 0, f->routes->graph->links * sizeof *f->load);
    for (uint32_t l = 0; l < f->routes->graph->links; l++)
        add_load(f, l, 0);
    order_by_turns(f);
    for (int pass = 0; pass < MOST_PASSES && better; pass++) {
        better = balance_once(f, pass == 0, budget) && f->routes->kept > 1 && tree_fit_most_loaded(f) < before;
        before = tree_fit_most_loaded(f);
        if (base_must_stop(budget, "balance", (double)pass / MOST_PASSES))
            break;
    }
    return budget->cancelled ? base_fail(f->err, RWA_CANCELLED, "stopped while balancing routes") : RWA_OK;
}

/* ---- channels ---- */

/* Return the lowest channel below `most` that is free on the first `hops` links of f->link, or `most` if there is
 * none. */
static uint32_t lowest(struct tree_fit *f, uint32_t hops, uint32_t most)
{
    f->map.channels = most;
    uint32_t found = map_lowest_on(&f->map, f->link, hops);
    f->map.channels = f->map.most;
    return found < most ? found : most;
}

void tree_fit_set(struct tree_fit *f, uint32_t hops, uint32_t channel, bool open)
{
    for (uint32_t k = 0; k < hops; k++) {
        assert(map_has(&f->map, f->link[k], channel) != open);
        map_set(&f->map, f->link[k], channel, open);
    }
}

/* Place a lightpath on the lowest channel below `most` that is free on one of its routes; return false if there is
 * none.  Its present route wins ties. */
static bool place_below(struct tree_fit *f, uint32_t unit, uint32_t most)
{
    uint32_t hops = tree_fit_links(f, unit), best = lowest(f, hops, most);
    uint8_t present = f->route[unit];   /* tried first: lightpaths that shared a channel can then share one again */
    bool walked = true;     /* f->link holds the links of the route chosen */
    for (uint32_t r = 0; r < f->routes->kept && best >= f->enough; r++) {
        if (r == present || !tree_fit_is_distinct(f, unit, r))
            continue;
        uint32_t other = tree_fit_route_links(f, unit, r), channel = lowest(f, other, best);
        walked = channel < best;
        f->route[unit] = walked ? (uint8_t)r : f->route[unit];
        hops = walked ? other : hops;
        best = channel;
    }
    if (best == most)
        return false;
    f->channel[unit] = best;
    hops = walked ? hops : tree_fit_links(f, unit);
    tree_fit_set(f, hops, best, false);
    RAISE(f->channels, best + 1);
    return true;
}

rwa_status tree_fit_place(struct tree_fit *f, uint32_t unit)
{
    while (!place_below(f, unit, f->map.most))
        MUST(map_grow(&f->map, f->err));
    return RWA_OK;
}

/* Place each lightpath that has a channel in `start` on that channel, with the route given there. */
static rwa_status take_start(struct tree_fit *f, const struct tree_fit_start *start)
{
    for (uint32_t u = 0; u < f->units; u++) {
        if (start->channel[u] == TREE_FIT_NONE)
            continue;
        while (start->channel[u] >= f->map.most)
            MUST(map_grow(&f->map, f->err));
        f->route[u] = start->route[u];
        f->channel[u] = start->channel[u];
        tree_fit_set(f, tree_fit_links(f, u), f->channel[u], false);
        RAISE(f->channels, f->channel[u] + 1);
    }
    return RWA_OK;
}

/* Place all lightpaths, those with a channel in `start` (NULL: none) first.  When the time is over, fail only if an
 * older answer remains (has_answer), since a late answer is better than none; fail too when the caller cancels. */
static rwa_status place_all(struct tree_fit *f, const struct tree_fit_start *start, bool has_answer,
                            struct budget *budget)
{
    if (f->map.most == 0)
        MUST(map_create(&f->map, &f->spectrum, FIRST_CHANNELS, f->err));
    f->enough = (uint32_t)(ENOUGH * (double)tree_fit_most_loaded(f));
    map_clear(&f->map, f->map.most);
    f->channels = 0;
    if (start)
        MUST(take_start(f, start));
    for (uint32_t i = 0; i < f->units; i++) {
        if (!start || start->channel[f->order[i]] == TREE_FIT_NONE)
            MUST(tree_fit_place(f, f->order[i]));
        if (i % POLL_UNITS == 0 && base_must_stop(budget, "wavelengths", (double)i / f->units) &&
            (has_answer || budget->cancelled))
            return base_fail(f->err, RWA_CANCELLED, "stopped while assigning wavelengths");
    }
    return RWA_OK;
}

rwa_status tree_fit_first(struct tree_fit *f, const struct tree_fit_start *start, bool has_answer,
                          struct budget *budget)
{
    uint32_t nodes = f->routes->graph->nodes;
    for (uint32_t u = 0; u < f->units && !start; u++)
        f->channel[u] = nodes - tree_fit_links(f, u);
    MUST(sort_all_by(f->order, f->units, start ? start->key : f->channel, start ? start->keys : nodes, f->err));
    return place_all(f, start, has_answer, budget);
}

/* Iterated greedy: a new order of the channels, at random, the highest first, or the one of most units. */
enum class_order { CLASSES_BY_CHANCE = 0, CLASSES_REVERSED, CLASSES_BY_WEIGHT };

/* Renumber the channels of all lightpaths: at random, in reverse, or those with the most lightpaths first.  Only the
 * first of these uses *random. */
static rwa_status renumber(struct tree_fit *f, enum class_order order, uint64_t *random)
{
    rwa_status st = RWA_OK;
    struct arena arena = {.err = f->err};
    uint32_t channels = f->channels, *turn;
    uint64_t *rank;     /* the sort key in the upper half, the number of the channel in the lower */
    TRY(arena_arrays(&arena, channels, rank, turn));
    for (uint32_t w = 0; w < channels; w++)
        rank[w] = order == CLASSES_BY_CHANCE  ? base_random(random) >> 32
                  : order == CLASSES_REVERSED ? channels - w
                                              : UINT32_MAX;
    for (uint32_t u = 0; u < f->units && order == CLASSES_BY_WEIGHT; u++)
        rank[f->channel[u]]--;
    for (uint32_t w = 0; w < channels; w++)
        rank[w] = rank[w] << 32 | w;
    qsort(rank, channels, sizeof *rank, order_uint64);
    for (uint32_t w = 0; w < channels; w++)
        turn[rank[w] & UINT32_MAX] = w;
    for (uint32_t u = 0; u < f->units; u++)
        f->channel[u] = turn[f->channel[u]];
done:
    arena_free(&arena);
    return st;
}

rwa_status tree_fit_again(struct tree_fit *f, uint64_t *random, struct budget *budget)
{
    enum class_order order = base_random_below(random, 2) ? CLASSES_BY_CHANCE
                                                          : (enum class_order)base_random_below(random, 3);
    tree_fit_save(f);
    MUST(renumber(f, order, random));
    MUST(sort_all_by(f->order, f->units, f->channel, f->channels, f->err));
    rwa_status st = place_all(f, NULL, true, budget);
    if (st == RWA_CANCELLED)
        tree_fit_go_back(f);
    assert(st != RWA_OK || f->channels <= f->saved.channels);
    return st;
}

uint64_t tree_fit_most_loaded(const struct tree_fit *f)
{
    uint64_t most = 0;
    for (uint32_t l = 0; l < f->routes->graph->links; l++)
        RAISE(most, f->load[l]);
    return most;
}

/* ---- fewer channels than all need ---- */

rwa_status tree_fit_keep_fullest(struct tree_fit *f, uint32_t kept)
{
    MUST(renumber(f, CLASSES_BY_WEIGHT, NULL));
    for (uint32_t u = 0; u < f->units; u++)
        f->channel[u] = f->channel[u] < kept ? f->channel[u] : TREE_FIT_NONE;
    return RWA_OK;
}

rwa_status tree_fit_cut(struct tree_fit *f, uint32_t channels)
{
    assert(channels < f->channels);
    MUST(tree_fit_keep_fullest(f, channels));
    map_clear(&f->map, f->map.most);
    for (uint32_t u = 0; u < f->units; u++)
        if (f->channel[u] != TREE_FIT_NONE)
            tree_fit_set(f, tree_fit_links(f, u), f->channel[u], false);
    f->enough = channels;   /* the first of its routes will do */
    for (uint32_t u = 0; u < f->units; u++)
        if (f->channel[u] == TREE_FIT_NONE) {
            f->route[u] = 0;
            (void)place_below(f, u, channels);
        }
    f->channels = channels;
    return RWA_OK;
}
