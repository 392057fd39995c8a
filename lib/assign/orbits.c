/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "assign/orbits.h"

void orbits_free(struct orbits *o)
{
    paths_free(&o->paths);
    arena_free(&o->arena);
}

static uint32_t move_arc(const struct orbits *o, uint32_t arc, uint32_t by)
{
    uint32_t *kept = &o->moved[(size_t)arc * o->group->nodes + by];
    if (*kept == 0)
        *kept = translations_link(o->group, arc, by) + 1;
    return *kept - 1;
}

static void list_representatives(struct orbits *o, bool *seen)
{
    for (uint32_t i = 0; i < o->outer->order; i++) {
        uint32_t coset = o->inner->coset[o->outer->member[i]];
        if (!seen[coset])
            o->representative[o->cosets++] = o->outer->member[i];
        seen[coset] = true;
    }
    assert(o->cosets * o->inner->order == o->outer->order);
}

/* Return the demand between the nodes to which translation `by` moves src and dst. */
static uint32_t move_demand(const struct orbits *o, uint32_t src, uint32_t dst, uint32_t by)
{
    return o->demand_at[(size_t)translations_add(o->group, src, by) * o->group->nodes +
                        translations_add(o->group, dst, by)];
}

static void list_orbits(struct orbits *o, bool *seen)
{
    const rwa_demand *list = o->job->list;
    for (uint32_t d = 0; d < o->job->count; d++) {
        if (seen[d])
            continue;
        o->leader[o->count++] = d;
        for (uint32_t i = 0; i < o->outer->order; i++)
            seen[move_demand(o, list[d].src, list[d].dst, o->outer->member[i])] = true;
    }
}

/* Write the arcs of a random shortest path from src to dst to `arc`, and return the hops.  `tree` has the distances to
 * dst: at each node, take one of the arcs that lead nearer, at random. */
static size_t walk(const struct orbits *o, const struct path_tree *tree, uint32_t src, uint32_t dst, uint32_t *arc)
{
    assert(src != dst && tree->dist[src] != GRAPH_FAR);
    const struct routing_graph *r = &o->job->graph;
    size_t hops = 0;
    for (uint32_t at = src; at != dst; at = r->to[arc[hops++]]) {
        uint32_t ties = 0;
        for (uint32_t k = r->out_first[at]; k < r->out_first[at + 1]; k++) {
            uint32_t a = r->out[k];
            if (tree->dist[r->to[a]] + r->length[a] == tree->dist[at] &&
                base_random_below(&o->job->random, ++ties) == 0)
                arc[hops] = a;
        }
    }
    return hops;
}

/* Add to o->paths a path of an orbit's first demand, translated by one element of each coset of o->inner.  Leave out a
 * translation that passes two links of one link orbit.  moved, stamp: workspace, an entry for each node and for each
 * link orbit. */
static rwa_status add_translated(struct orbits *o, const uint32_t *arc, size_t hops, uint32_t *moved, uint32_t *stamp,
                                 rwa_error *err)
{
    for (uint32_t t = 0; t < o->cosets; t++) {
        uint32_t token = (uint32_t)o->paths.count + 1;
        size_t k = 0;
        for (; k < hops; k++) {
            moved[k] = move_arc(o, arc[k], o->representative[t]);
            uint32_t orbit = o->link_orbit[o->job->graph.link[moved[k]]];
            if (stamp[orbit] == token)
                break;
            stamp[orbit] = token;
        }
        if (k == hops)
            MUST(paths_add(&o->paths, moved, hops, err));
        else
            memset(stamp, 0, o->link_orbits * sizeof *stamp);
    }
    return RWA_OK;
}

struct sampling {
    struct paths drawn;     /* of one leader */
    struct path_tree tree;
    uint32_t *arc, *moved, *stamp;
};

static rwa_status sample_orbit(struct orbits *o, struct sampling *s, uint32_t orbit, uint32_t samples, rwa_error *err)
{
    const rwa_demand *d = &o->job->list[o->leader[orbit]];
    path_tree_to(&s->tree, &o->job->graph, o->job->graph.length, d->dst);
    paths_cut(&s->drawn, 0);
    for (uint32_t i = 0; i < samples; i++) {
        size_t hops = walk(o, &s->tree, d->src, d->dst, s->arc);
        if (paths_hold(&s->drawn, 0, s->arc, hops))
            continue;
        MUST(paths_add(&s->drawn, s->arc, hops, err));
        MUST(add_translated(o, s->arc, hops, s->moved, s->stamp, err));
    }
    return RWA_OK;
}

static rwa_status sample_routes(struct orbits *o, bool *fits, uint32_t samples, rwa_error *err)
{
    rwa_status st = RWA_OK;
    struct sampling s = {0};
    arena_arrays(&o->arena, o->group->nodes, s.arc, s.moved);
    arena_new(&o->arena, s.stamp, o->link_orbits);
    TRY(arena_arrays(&o->arena, (size_t)o->count + 1, o->route));
    TRY(path_tree_create(&s.tree, &o->job->graph, err));
    for (uint32_t orbit = 0; orbit < o->count && *fits; orbit++) {
        TRY(sample_orbit(o, &s, orbit, samples, err));
        o->route[orbit + 1] = o->paths.count;
        *fits = o->route[orbit + 1] > o->route[orbit];
    }
done:
    paths_free(&s.drawn);
    path_tree_free(&s.tree);
    return st;
}

static rwa_status write_orbit_candidates(struct orbits *o)
{
    size_t routes = o->paths.count, hops = o->paths.first[routes];
    arena_new(&o->arena, o->segment, routes + 1);
    MUST(arena_arrays(&o->arena, hops, o->link));
    for (size_t r = 0; r <= routes; r++)
        o->segment[r] = r;
    for (size_t k = 0; k < hops; k++)
        o->link[k] = o->link_orbit[o->job->graph.link[o->paths.arc[k]]];
    o->cand = (struct candidates){.links = o->link_orbits,
                                  .fibers = 1,
                                  .demands = o->count,
                                  .route = o->route,
                                  .segment = o->segment,
                                  .hop = o->paths.first,
                                  .link = o->link};
    return RWA_OK;
}

/* Whether a translation of o->inner maps a link to itself, reversed (undirected model).  A route over that link and its
 * translation would then share the link. */
static bool reverses_a_link(const struct orbits *o)
{
    const struct routing_graph *r = &o->job->graph;
    for (uint32_t a = 0; a < r->arcs; a++)
        for (uint32_t i = 1; i < o->inner->order; i++)
            if (r->link[move_arc(o, a, o->inner->member[i])] == r->link[a])
                return true;
    return false;
}

rwa_status orbits_create(struct orbits *o, bool *fits, uint32_t samples, rwa_error *err)
{
    size_t demands = o->job->count;
    bool *coset_seen, *demand_seen;
    o->arena.err = err;
    *fits = !reverses_a_link(o);
    if (!*fits)
        return RWA_OK;
    arena_new(&o->arena, o->representative, o->outer->order / o->inner->order);
    arena_new(&o->arena, o->link_orbit, o->job->graph.links);
    arena_arrays(&o->arena, demands, o->leader, demand_seen);
    MUST(arena_arrays(&o->arena, o->inner->index, coset_seen));
    list_representatives(o, coset_seen);
    list_orbits(o, demand_seen);
    o->link_orbits = subgroup_link_orbits(o->link_orbit, o->inner, o->group, o->job->model);
    MUST(sample_routes(o, fits, samples, err));
    if (*fits)
        MUST(write_orbit_candidates(o));
    return RWA_OK;
}

/* The lightpath of a demand is the route of its orbit, moved by the translation from the leader's source to the
 * demand's. */
struct unfolding {
    size_t *route;      /* of each demand; NO_ROUTE: not yet */
    uint32_t *translation;
};

static void spread_orbit(struct unfolding *u, const struct orbits *o, const struct placement *classes, uint32_t orbit)
{
    struct job *job = o->job;
    size_t route = classes->route[orbit];
    const uint32_t *arc = paths_arcs(&o->paths, route);
    size_t hops = paths_hops(&o->paths, route);
    uint32_t src = job->graph.from[arc[0]], dst = job->graph.to[arc[hops - 1]];
    for (uint32_t i = 0; i < o->outer->order; i++) {
        uint32_t by = o->outer->member[i];
        uint32_t d = move_demand(o, src, dst, by), at = 0;
        if (u->route[d] != NO_ROUTE) /* a pair that a translation reverses comes twice */
            continue;
        while (o->inner->coset[o->representative[at]] != o->inner->coset[by])
            at++;
        u->route[d] = route;
        u->translation[d] = by;
        job->symmetric_channel[d] = classes->channel[route] * o->cosets + at;
    }
}

/* Write the arcs of a demand's path to `arc`, from its source, and return the hops.  The path is that of its orbit's
 * first demand, translated and, in the undirected model, reversed if it then begins at the demand's destination. */
static size_t write_path(const struct unfolding *u, const struct orbits *o, size_t demand, uint32_t *arc)
{
    const struct routing_graph *r = &o->job->graph;
    const uint32_t *leader = paths_arcs(&o->paths, u->route[demand]);
    size_t hops = paths_hops(&o->paths, u->route[demand]);
    for (size_t k = 0; k < hops; k++)
        arc[k] = move_arc(o, leader[k], u->translation[demand]);
    if (r->from[arc[0]] != o->job->list[demand].src)
        job_turn_path(o->job, arc, hops);
    return hops;
}

static rwa_status write_symmetric(const struct unfolding *u, const struct orbits *o, rwa_error *err)
{
    rwa_status st = RWA_OK;
    struct job *job = o->job;
    uint32_t *arc;
    MUST(base_new(arc, o->group->nodes, err));
    paths_cut(&job->symmetric, 0);
    for (size_t d = 0; d < job->count && st == RWA_OK; d++)
        st = paths_add(&job->symmetric, arc, write_path(u, o, d, arc), err);
    free(arc);
    return st;
}

rwa_status orbits_unfold(const struct orbits *o, const struct placement *classes, rwa_error *err)
{
    assert(classes->placed == o->count);
    rwa_status st = RWA_OK;
    size_t demands = o->job->count;
    struct unfolding u = {0};
    struct arena arena = {.err = err};
    TRY(arena_arrays(&arena, demands, u.route, u.translation));
    for (size_t d = 0; d < demands; d++)
        u.route[d] = NO_ROUTE;
    for (uint32_t orbit = 0; orbit < o->count; orbit++)
        spread_orbit(&u, o, classes, orbit);
    o->job->symmetric_channels = classes->channels * o->cosets;
    st = write_symmetric(&u, o, err);
done:
    arena_free(&arena);
    return st;
}
