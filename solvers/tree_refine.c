/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Reduces the channels that the lightpaths of a tree_fit use.  Those on the emptiest channels move elsewhere: each
 *  takes any free path, or the place where it pushes out the fewest others. */
#include "solvers/tree_fit.h"

/* TRIED: channels tried on each route when a unit pushes out others; MOST_OWNERS: entries of the table of owners;
 * MOST_NODES: most nodes for the table of distances. */
enum { TRIED = 48, MOST_OWNERS = 1 << 28, MOST_NODES = 8192, FAR = UINT16_MAX };
/* The share of the channels that is emptied in one attempt. */
#define SHARE_FIRST 0.02

struct refine {
    struct tree_fit *fit;
    const struct routing_graph *graph;
    uint32_t channels;      /* channels that the attempt may use */
    uint32_t *owner;        /* owner[channel * links + l]: a unit, or TREE_FIT_NONE */
    uint16_t *hops;         /* hops[a * nodes + b]: distance from a to b in hops */
    uint64_t *reach;        /* of each node: the channels of the current word on which it has been reached */
    uint32_t *queue, *touched, *arc, *token_of, *path;
    bool *queued;
    uint32_t token;
    uint32_t *waiting, count;   /* units without a channel */
    uint32_t *stamp, stamps;    /* of each unit: equal to `stamps` when it has been counted */
    uint32_t move;
    uint64_t *random;
    struct arena arena;
};

/* ---- the table ---- */

static void own(struct refine *r, uint32_t unit, uint32_t hops, uint32_t channel)
{
    for (uint32_t k = 0; k < hops; k++)
        r->owner[(size_t)channel * r->graph->links + r->fit->link[k]] = unit;
}

static void occupy(struct refine *r, uint32_t unit, uint32_t channel)
{
    uint32_t hops = tree_fit_links(r->fit, unit);
    r->fit->channel[unit] = channel;
    tree_fit_set(r->fit, hops, channel, false);
    own(r, unit, hops, channel);
}

static void vacate(struct refine *r, uint32_t unit)
{
    struct tree_fit *f = r->fit;
    uint32_t hops = tree_fit_links(f, unit), channel = f->channel[unit];
    tree_fit_set(f, hops, channel, true);
    own(r, TREE_FIT_NONE, hops, channel);
    f->channel[unit] = TREE_FIT_NONE;
    r->waiting[r->count++] = unit;
}

/* ---- any free path ---- */

static void find_hops(struct refine *r)
{
    const struct routing_graph *g = r->graph;
    for (uint32_t s = 0; s < g->nodes; s++) {
        uint16_t *hops = r->hops + (size_t)s * g->nodes;
        uint32_t end = 1;
        for (uint32_t v = 0; v < g->nodes; v++)
            hops[v] = FAR;
        hops[s] = 0;
        r->queue[0] = s;
        for (uint32_t i = 0; i < end; i++) {
            uint32_t v = r->queue[i];
            for (uint32_t k = g->out_first[v]; k < g->out_first[v + 1]; k++)
                if (hops[g->to[g->out[k]]] == FAR) {
                    hops[g->to[g->out[k]]] = (uint16_t)(hops[v] + 1);
                    r->queue[end++] = g->to[g->out[k]];
                }
        }
    }
}

/* Return the most hops allowed on a path from src to dst: 7/6 of the distance, rounded down, plus 2. */
static uint32_t longest(const struct refine *r, uint32_t src, uint32_t dst)
{
    uint32_t hops = r->hops[(size_t)src * r->graph->nodes + dst];
    return hops + 2 + hops / 6;
}

static bool leads_there(const struct refine *r, uint32_t src, uint32_t v, uint32_t dst, uint32_t most)
{
    return (uint32_t)r->hops[(size_t)src * r->graph->nodes + v] + r->hops[(size_t)v * r->graph->nodes + dst] <= most;
}

/* Return the channels on which free links lead from src to dst in at most longest() hops: bit i stands for channel 64
 * word + i.  Examine only the channels whose bits are set in `wanted`. */
static uint64_t flood(struct refine *r, uint32_t src, uint32_t dst, uint32_t word, uint64_t wanted)
{
    const struct routing_graph *g = r->graph;
    const struct channel_map *map = &r->fit->map;
    uint32_t most = longest(r, src, dst), head = 0, waiting = 1, touched = 0;
    r->reach[src] = wanted;
    r->touched[touched++] = src;
    r->queue[0] = src;
    while (waiting > 0) {
        uint32_t v = r->queue[head];
        head = head + 1 == g->nodes ? 0 : head + 1;
        waiting--;
        r->queued[v] = false;
        for (uint32_t k = g->out_first[v]; k < g->out_first[v + 1]; k++) {
            uint32_t to = g->to[g->out[k]];
            uint64_t fresh = r->reach[v] & map->free[(size_t)g->link[g->out[k]] * map->words + word] & ~r->reach[to];
            if (fresh == 0 || !leads_there(r, src, to, dst, most))
                continue;
            if (r->reach[to] == 0)
                r->touched[touched++] = to;
            r->reach[to] |= fresh;
            if (!r->queued[to] && to != dst) {
                r->queued[to] = true;
                r->queue[(head + waiting++) % g->nodes] = to;
            }
        }
    }
    uint64_t reached = r->reach[dst];
    for (uint32_t i = 0; i < touched; i++)
        r->reach[r->touched[i]] = 0;
    return reached;
}

/* Find a shortest path from src to dst over links on which the channel is free, and write its arcs to r->path, the
 * last one first.  Return its hops; 0: there is none. */
static uint32_t free_path(struct refine *r, uint32_t src, uint32_t dst, uint32_t channel)
{
    const struct routing_graph *g = r->graph;
    uint32_t end = 1, hops = 0;
    r->token++;
    r->queue[0] = src;
    r->token_of[src] = r->token;
    for (uint32_t i = 0; i < end && r->token_of[dst] != r->token; i++)
        for (uint32_t v = r->queue[i], k = g->out_first[v]; k < g->out_first[v + 1]; k++) {
            uint32_t arc = g->out[k], to = g->to[arc];
            if (r->token_of[to] == r->token || !map_has(&r->fit->map, g->link[arc], channel))
                continue;
            r->token_of[to] = r->token;
            r->arc[to] = arc;
            r->queue[end++] = to;
        }
    for (uint32_t v = dst; r->token_of[dst] == r->token && v != src; v = g->from[r->arc[v]])
        r->path[hops++] = r->arc[v];
    return hops;
}

static rwa_status keep_path(struct refine *r, uint32_t unit, uint32_t hops)
{
    struct tree_fit *f = r->fit;
    MUST(base_reserve(f->own, f->own_count + hops + 1, f->err));
    f->own_first[unit] = f->own_count;
    f->own[f->own_count++] = hops;
    for (uint32_t k = hops; k-- > 0;)
        f->own[f->own_count++] = r->path[k];
    f->route[unit] = TREE_FIT_OWN;
    return RWA_OK;
}

static rwa_status place_free(struct refine *r, uint32_t unit, bool *placed)
{
    const struct traffic *t = r->fit->routes->traffic;
    uint32_t src = t->src[r->fit->pair[unit]], dst = t->dst[r->fit->pair[unit]], words = (r->channels + 63) / 64;
    uint32_t begin = (uint32_t)base_random_below(r->random, words);
    *placed = false;
    for (uint32_t i = 0; i < words && !*placed; i++) {
        uint32_t word = (begin + i) % words;
        uint64_t wanted =
            word + 1 == words && r->channels % 64 > 0 ? (UINT64_C(1) << r->channels % 64) - 1 : UINT64_MAX;
        uint64_t found = flood(r, src, dst, word, wanted);
        if (found == 0)
            continue;
        uint32_t channel = 64 * word + (uint32_t)__builtin_ctzll(found);
        MUST(keep_path(r, unit, free_path(r, src, dst, channel)));
        occupy(r, unit, channel);
        *placed = true;
    }
    return RWA_OK;
}

/* ---- pushing out ---- */

/* Count the lightpaths that hold this channel on any of the first `hops` links of r->fit->link: those that a lightpath
 * placed there would push out.  Stop counting above `most`. */
static uint32_t held_by(struct refine *r, uint32_t hops, uint32_t channel, uint32_t most)
{
    uint32_t count = 0;
    r->stamps++;
    for (uint32_t k = 0; k < hops && count <= most; k++) {
        uint32_t unit = r->owner[(size_t)channel * r->graph->links + r->fit->link[k]];
        if (unit != TREE_FIT_NONE && r->stamp[unit] != r->stamps) {
            r->stamp[unit] = r->stamps;
            count++;
        }
    }
    return count;
}

static void place_by_force(struct refine *r, uint32_t unit)
{
    struct tree_fit *f = r->fit;
    uint32_t least = UINT32_MAX - 1, best_channel = 0;
    uint8_t best_route = 0;
    for (uint32_t route = 0; route < f->routes->kept; route++) {
        if (!tree_fit_is_distinct(f, unit, route))
            continue;
        uint32_t hops = tree_fit_route_links(f, unit, route);
        for (int i = 0; i < TRIED; i++) {
            uint32_t channel = (uint32_t)base_random_below(r->random, r->channels);
            uint32_t count = held_by(r, hops, channel, least);
            if (count >= least)
                continue;
            least = count;
            best_channel = channel;
            best_route = (uint8_t)route;
        }
    }
    f->route[unit] = best_route;
    uint32_t hops = tree_fit_links(f, unit);
    for (uint32_t k = 0; k < hops; k++) {
        uint32_t other = r->owner[(size_t)best_channel * r->graph->links + f->link[k]];
        if (other == TREE_FIT_NONE)
            continue;
        vacate(r, other);
        hops = tree_fit_links(f, unit); /* vacate() overwrote the links */
    }
    occupy(r, unit, best_channel);
}

/* ---- attempts ---- */

static void begin(struct refine *r)
{
    struct tree_fit *f = r->fit;
    memset(r->owner, 0xff, (size_t)r->channels * r->graph->links * sizeof *r->owner);
    map_clear(&f->map, f->map.most);
    r->count = 0;
    for (uint32_t u = 0; u < f->units; u++)
        if (f->channel[u] < r->channels)
            occupy(r, u, f->channel[u]);
        else
            r->waiting[r->count++] = u;
    r->move = 0;
}

static rwa_status search(struct refine *r, uint64_t moves, struct budget *budget)
{
    uint32_t fewest = r->count;
    uint64_t idle = 0;
    bool placed;
    while (r->count > 0 && idle < moves && (r->move % 64 != 0 || !base_must_stop(budget, "moving lightpaths", -1))) {
        uint32_t at = (uint32_t)base_random_below(r->random, r->count), unit = r->waiting[at];
        r->waiting[at] = r->waiting[--r->count];
        r->move++;
        MUST(place_free(r, unit, &placed));
        if (!placed)
            place_by_force(r, unit);
        idle = r->count < fewest ? 0 : idle + 1;
        LOWER(fewest, r->count);
    }
    return RWA_OK;
}

/* End an attempt: place the waiting lightpaths on the lowest channels that are free for them, new ones if need be.  If
 * that uses no fewer channels than before the attempt, restore the state before it. */
static rwa_status end(struct refine *r)
{
    struct tree_fit *f = r->fit;
    f->channels = r->channels;
    f->enough = 0;
    for (uint32_t i = 0; i < r->count; i++)
        MUST(tree_fit_place(f, r->waiting[i]));
    if (f->channels >= f->saved.channels)
        tree_fit_go_back(f);
    return RWA_OK;
}

static rwa_status attempt(struct refine *r, uint32_t channels, uint64_t moves, struct budget *budget)
{
    MUST(tree_fit_keep_fullest(r->fit, r->fit->channels)); /* sort so that the channels to be emptied come last */
    tree_fit_save(r->fit);
    r->channels = channels;
    begin(r);
    MUST(search(r, moves, budget));
    return end(r);
}

static rwa_status open_refine(struct refine *r)
{
    struct tree_fit *f = r->fit;
    size_t nodes = r->graph->nodes;
    r->arena.err = f->err;
    if (!f->own_first)
        MUST(base_new(f->own_first, f->units, f->err));
    if (!f->saved.own_first)
        MUST(base_new(f->saved.own_first, f->units, f->err));
    arena_new(&r->arena, r->owner, (size_t)f->channels * r->graph->links);
    arena_new(&r->arena, r->hops, nodes * nodes);
    arena_arrays(&r->arena, nodes, r->reach, r->queue, r->touched, r->arc, r->token_of, r->path, r->queued);
    arena_arrays(&r->arena, f->units, r->waiting, r->stamp);
    return arena_status(&r->arena);
}

rwa_status tree_fit_refine(struct tree_fit *f, uint32_t target, uint64_t moves, uint64_t *random, struct budget *budget)
{
    rwa_status st = RWA_OK;
    struct refine r = {.fit = f, .graph = f->routes->graph, .random = random};
    double share = SHARE_FIRST;
    if ((double)f->channels * r.graph->links > MOST_OWNERS || r.graph->nodes > MOST_NODES || f->channels <= target)
        return RWA_OK;
    TRY(open_refine(&r));
    find_hops(&r);
    while (f->channels > target && share * f->channels >= 0.25 && !base_must_stop(budget, "moving lightpaths", -1)) {
        uint32_t before = f->channels, step = (uint32_t)(share * before) + 1;
        TRY(attempt(&r, before - target > step ? before - step : target, moves, budget));
        share = before - f->channels >= step ? share : share / 2;
    }
done:
    arena_free(&r.arena);
    return st;
}
