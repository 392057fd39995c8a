/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "assign/orbits.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

void orbits_free(struct orbits *o)
{
    paths_free(&o->paths);
    arena_free(&o->arena);
}

static uint32_t shift_arc(const struct orbits *o, uint32_t arc, uint32_t by)
{
    return shifts_arc(o->shifts, &o->job->graph, arc, by);
}

static rwa_status list_turns(struct orbits *o, rwa_error *err)
{
    bool *seen = base_array(o->inner->index, sizeof *seen, err);
    arena_new(&o->arena, o->turn, o->outer->order / o->inner->order);
    if (!seen || !o->turn) {
        free(seen);
        return RWA_NOMEM;
    }
    for (uint32_t i = 0; i < o->outer->order; i++) {
        uint32_t coset = o->inner->coset[o->outer->member[i]];
        if (!seen[coset])
            o->turn[o->turns++] = o->outer->member[i];
        seen[coset] = true;
    }
    free(seen);
    return RWA_OK;
}

static uint32_t shift_demand(const struct orbits *o, uint32_t demand, uint32_t by)
{
    const rwa_demand *d = &rwa_demands_list(o->job->demands)[demand];
    return o->demand_at[(size_t)translations_add(o->shifts, d->src, by) * o->shifts->nodes + translations_add(o->shifts, d->dst, by)];
}

static rwa_status list_orbits(struct orbits *o, rwa_error *err)
{
    size_t demands = rwa_demands_count(o->job->demands);
    bool *seen = base_array(demands, sizeof *seen, err);
    arena_new(&o->arena, o->leader, demands);
    if (!seen || !o->leader) {
        free(seen);
        return RWA_NOMEM;
    }
    for (uint32_t d = 0; d < demands; d++) {
        if (seen[d])
            continue;
        o->leader[o->count++] = d;
        for (uint32_t i = 0; i < o->outer->order; i++)
            seen[shift_demand(o, d, o->outer->member[i])] = true;
    }
    free(seen);
    return RWA_OK;
}

/* A random shortest path: at every node any arc that leads nearer. */
static size_t walk(const struct orbits *o, const struct path_tree *tree, uint32_t src, uint32_t dst, uint32_t *arc)
{
    assert(src != dst && tree->dist[src] != GRAPH_FAR);
    const struct routing_graph *r = &o->job->graph;
    size_t hops = 0;
    for (uint32_t at = src; at != dst; at = r->to[arc[hops++]]) {
        uint32_t ties = 0;
        for (uint32_t k = r->out_first[at]; k < r->out_first[at + 1]; k++) {
            uint32_t a = r->out[k];
            if (tree->dist[r->to[a]] + r->length[a] == tree->dist[at] && base_random_below(&o->job->random, ++ties) == 0)
                arc[hops] = a;
        }
    }
    return hops;
}

/* The translations of the leader's path that pass no link orbit twice. */
static rwa_status add_turns(struct orbits *o, const uint32_t *arc, size_t hops, uint32_t *shifted, uint32_t *stamp, rwa_error *err)
{
    rwa_status st = RWA_OK;
    for (uint32_t t = 0; t < o->turns; t++) {
        uint32_t token = (uint32_t)o->paths.count + 1;
        size_t k = 0;
        for (; k < hops; k++) {
            shifted[k] = shift_arc(o, arc[k], o->turn[t]);
            uint32_t lane = o->lane[o->job->graph.link[shifted[k]]];
            if (stamp[lane] == token)
                break;
            stamp[lane] = token;
        }
        if (k == hops)
            TRY(paths_add(&o->paths, shifted, hops, err));
        else
            memset(stamp, 0, o->lanes * sizeof *stamp);
    }
done:
    return st;
}

struct sampling {
    struct paths drawn;     /* of one leader */
    struct path_tree tree;
    uint32_t *arc, *shifted, *stamp;
};

static rwa_status sample_orbit(struct orbits *o, struct sampling *s, uint32_t orbit, uint32_t samples, rwa_error *err)
{
    rwa_status st = RWA_OK;
    const rwa_demand *d = &rwa_demands_list(o->job->demands)[o->leader[orbit]];
    path_tree_to(&s->tree, &o->job->graph, o->job->graph.length, d->dst);
    paths_cut(&s->drawn, 0);
    for (uint32_t i = 0; i < samples; i++) {
        size_t hops = walk(o, &s->tree, d->src, d->dst, s->arc), known = 0;
        while (known < s->drawn.count && !paths_same(&s->drawn, known, s->arc, hops))
            known++;
        if (known < s->drawn.count)
            continue;
        TRY(paths_add(&s->drawn, s->arc, hops, err));
        TRY(add_turns(o, s->arc, hops, s->shifted, s->stamp, err));
    }
done:
    return st;
}

static rwa_status sample_routes(struct orbits *o, bool *fits, uint32_t samples, rwa_error *err)
{
    rwa_status st = RWA_NOMEM;
    struct sampling s = {0};
    uint32_t nodes = o->shifts->nodes;
    s.arc = base_array(nodes, sizeof *s.arc, err);
    s.shifted = base_array(nodes, sizeof *s.shifted, err);
    s.stamp = base_array(o->lanes, sizeof *s.stamp, err);
    arena_new(&o->arena, o->route, (size_t)o->count + 1);
    if (!s.arc || !s.shifted || !s.stamp || !o->route)
        goto done;
    TRY(path_tree_create(&s.tree, &o->job->graph, err));
    for (uint32_t orbit = 0; orbit < o->count && *fits; orbit++) {
        TRY(sample_orbit(o, &s, orbit, samples, err));
        o->route[orbit + 1] = o->paths.count;
        *fits = o->route[orbit + 1] > o->route[orbit];
    }
done:
    paths_free(&s.drawn);
    path_tree_free(&s.tree);
    free(s.arc);
    free(s.shifted);
    free(s.stamp);
    return st;
}

static rwa_status write_candidates(struct orbits *o)
{
    size_t routes = o->paths.count, hops = o->paths.first[routes];
    arena_new(&o->arena, o->segment, routes + 1);
    arena_new(&o->arena, o->link, hops);
    if (o->arena.failed)
        return RWA_NOMEM;
    for (size_t r = 0; r <= routes; r++)
        o->segment[r] = r;
    for (size_t k = 0; k < hops; k++)
        o->link[k] = o->lane[o->job->graph.link[o->paths.arc[k]]];
    o->cand = (struct candidates){.links = o->lanes, .fibers = 1, .demands = o->count, .route = o->route, .segment = o->segment,
                            .hop = o->paths.first, .link = o->link};
    return RWA_OK;
}

/* Undirected, a translation may reverse a link: then the translations of a route by `inner` pass it twice. */
static bool turns_a_link(const struct orbits *o)
{
    const struct routing_graph *r = &o->job->graph;
    for (uint32_t a = 0; a < r->arcs; a++)
        for (uint32_t i = 1; i < o->inner->order; i++)
            if (r->link[shift_arc(o, a, o->inner->member[i])] == r->link[a])
                return true;
    return false;
}

rwa_status orbits_create(struct orbits *o, bool *fits, uint32_t samples, rwa_error *err)
{
    rwa_status st = RWA_OK;
    o->arena.err = err;
    *fits = !turns_a_link(o);
    if (!*fits)
        return RWA_OK;
    TRY(list_turns(o, err));
    arena_new(&o->arena, o->lane, o->job->graph.links);
    TRY(arena_status(&o->arena));
    shifts_lanes(o->shifts, &o->job->graph, o->inner, o->lane, &o->lanes);
    TRY(list_orbits(o, err));
    TRY(sample_routes(o, fits, samples, err));
    if (*fits)
        TRY(write_candidates(o));
done:
    return st;
}

/* A demand's lightpath is its orbit's route, shifted by what leads from the one's source to the other's. */
struct unfolding {
    size_t *route;      /* of each demand; NO_ROUTE: not yet */
    uint32_t *shift;
};

static void spread_orbit(struct unfolding *u, const struct orbits *o, const struct placement *classes, uint32_t orbit)
{
    struct job *job = o->job;
    size_t route = classes->route[orbit];
    const uint32_t *arc = o->paths.arc + o->paths.first[route];
    size_t hops = o->paths.first[route + 1] - o->paths.first[route];
    uint32_t src = job->graph.from[arc[0]], dst = job->graph.to[arc[hops - 1]];
    for (uint32_t i = 0; i < o->outer->order; i++) {
        uint32_t by = o->outer->member[i];
        uint32_t d = o->demand_at[(size_t)translations_add(o->shifts, src, by) * o->shifts->nodes + translations_add(o->shifts, dst, by)];
        uint32_t turn = 0;
        if (u->route[d] != NO_ROUTE) /* a pair that a translation reverses comes twice */
            continue;
        while (o->inner->coset[o->turn[turn]] != o->inner->coset[by])
            turn++;
        u->route[d] = route;
        u->shift[d] = by;
        job->known_wave[d] = classes->wave[route] * o->turns + turn;
    }
}

/* From the demand's source, which an undirected orbit may have at the far end. */
static size_t write_path(const struct unfolding *u, const struct orbits *o, size_t demand, uint32_t *arc)
{
    const struct routing_graph *r = &o->job->graph;
    size_t first = o->paths.first[u->route[demand]], hops = o->paths.first[u->route[demand] + 1] - first;
    for (size_t k = 0; k < hops; k++)
        arc[k] = shift_arc(o, o->paths.arc[first + k], u->shift[demand]);
    if (r->from[arc[0]] == rwa_demands_list(o->job->demands)[demand].src)
        return hops;
    for (size_t k = 0, end = hops; k < end; k++) {
        uint32_t back = rwa_network_find_link(o->job->net, r->to[arc[k]], r->from[arc[k]]);
        if (k < --end)
            arc[k] = rwa_network_find_link(o->job->net, r->to[arc[end]], r->from[arc[end]]);
        arc[end] = back;
    }
    return hops;
}

static rwa_status write_known(const struct unfolding *u, const struct orbits *o, rwa_error *err)
{
    rwa_status st = RWA_OK;
    struct job *job = o->job;
    uint32_t *arc = base_array(o->shifts->nodes, sizeof *arc, err);
    if (!arc)
        return RWA_NOMEM;
    paths_cut(&job->known, 0);
    for (size_t d = 0; d < rwa_demands_count(job->demands) && st == RWA_OK; d++)
        st = paths_add(&job->known, arc, write_path(u, o, d, arc), err);
    free(arc);
    return st;
}

rwa_status orbits_unfold(const struct orbits *o, const struct placement *classes, rwa_error *err)
{
    assert(classes->placed == o->count);
    rwa_status st = RWA_NOMEM;
    size_t demands = rwa_demands_count(o->job->demands);
    struct unfolding u = {.route = base_array(demands, sizeof *u.route, err), .shift = base_array(demands, sizeof *u.shift, err)};
    if (!u.route || !u.shift)
        goto done;
    for (size_t d = 0; d < demands; d++)
        u.route[d] = NO_ROUTE;
    for (uint32_t orbit = 0; orbit < o->count; orbit++)
        spread_orbit(&u, o, classes, orbit);
    o->job->known_waves = classes->waves * o->turns;
    st = write_known(&u, o, err);
done:
    free(u.route);
    free(u.shift);
    return st;
}
