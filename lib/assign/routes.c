/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Routes for every demand. */
#include "assign/assign.h"

enum { DEFAULT_PATHS = 10, MOST_ROUTES = 4000000 };
#define ROUTES_SHARE 0.3

/* The demands sorted by their ends and node to pass, so that demands of one kind stand together. */
struct sorting {
    uint32_t src, dst, via, demand;
};

void route_sets_free(struct route_sets *c)
{
    paths_free(&c->paths);
    free_all(c->chosen, c->first, c->kind_of, c->sorted);
}

COMPARATOR(by_dst, struct sorting, UP(dst) UP(via) UP(src) UP(demand))

static bool same_kind(const struct sorting *a, const struct sorting *b)
{
    return a->src == b->src && a->dst == b->dst && a->via == b->via;
}

static rwa_status sort_demands(struct route_sets *c, const struct job *job)
{
    size_t count = job->count;
    const rwa_demand *list = job->list;
    MUST(base_new(c->first, count + 1, job->err));
    MUST(base_new(c->kind_of, count, job->err));
    MUST(base_new(c->sorted, count, job->err));
    for (size_t d = 0; d < count; d++)
        c->sorted[d] = (struct sorting){list[d].src, list[d].dst, list[d].via, (uint32_t)d};
    qsort(c->sorted, count, sizeof *c->sorted, by_dst);
    return RWA_OK;
}

static size_t paths_wanted(const struct job *job)
{
    uint64_t units = rwa_demands_lightpaths(job->demands);
    size_t most = job->opts->paths > 0 ? job->opts->paths : DEFAULT_PATHS;
    if (job->routing == RWA_ROUTES_SHORTEST)
        return 1;
    if (most * units > MOST_ROUTES)
        most = units > MOST_ROUTES ? 1 : (size_t)(MOST_ROUTES / units);
    return most;
}

/* Workspace for k shortest routes, or for disjoint pairs. */
struct searching {
    struct k_shortest *k_shortest;
    struct protection *protection;
    size_t most;
};

static void note_kind(struct route_sets *c, size_t before, bool all)
{
    c->complete = c->complete && all;
    c->unsure = c->unsure || (c->paths.count == before && !all);
}

static rwa_status searching_open(struct searching *search, const struct job *job)
{
    return job->opts->protection ? protection_open(&search->protection, &job->graph, &job->risks, job->err)
                                 : k_shortest_open(&search->k_shortest, &job->graph, job->err);
}

static void searching_close(struct searching *search)
{
    k_shortest_close(search->k_shortest);
    protection_close(search->protection);
}

/* Whether only one route is wanted (most = 1) for demand `s`, and its ends are antipodal nodes of a ring, between which
 * two routes are equally short. */
static bool is_antipodal(const struct job *job, const struct sorting *s, size_t most)
{
    uint32_t nodes = rwa_network_nodes(job->net);
    return most == 1 && network_is_cycle(job->net) && 2 * ((s->dst + nodes - s->src) % nodes) == nodes;
}

/* If two routes join antipodal nodes, paths `before` and `before` + 1 of *c, keep only one of them.  The kept
 * directions alternate over the pairs of nodes, so that the routes do not all load the same half of the ring. */
static rwa_status keep_turn(struct route_sets *c, const struct job *job, const struct sorting *s, size_t before)
{
    uint32_t nodes = rwa_network_nodes(job->net),
             next = (s->src + (job_goes_ccw(job, s->src, s->dst) ? nodes - 1 : 1)) % nodes;
    if (c->paths.count < before + 2)
        return RWA_OK;
    const uint32_t *arc = paths_arcs(&c->paths, before + 1);
    size_t hops = paths_hops(&c->paths, before + 1), kept = job->graph.to[*arc] == next ? before : before + 1;
    paths_cut(&c->paths, kept);
    return kept == before ? paths_add(&c->paths, arc, hops, job->err) : RWA_OK;
}

static rwa_status find_routes(struct route_sets *c, struct k_shortest *k_shortest, const struct job *job,
                              const struct sorting *s, size_t most)
{
    uint32_t limit = job->opts->max_hops;
    size_t before = c->paths.count;
    bool all = false, antipodal = s->via == RWA_NONE && is_antipodal(job, s, most);
    MUST(k_shortest_via(k_shortest, &c->paths, s->src, s->via, s->dst, antipodal ? 2 : most, limit, &all, job->err));
    if (antipodal)
        MUST(keep_turn(c, job, s, before));
    all = all && !antipodal;
    MUST(routes_keep_reaching(c, before, job));
    if (job->opts->transmission && c->paths.count == before && !all && limit == 0 && s->via == RWA_NONE)
        MUST(routes_add_reaching(c, job, s->src, s->dst, &all));
    note_kind(c, before, all);
    return RWA_OK;
}

static rwa_status find_pairs(struct route_sets *c, struct protection *protection, const struct job *job,
                             const struct sorting *s, size_t most)
{
    struct protection_query query = {s->src, s->via, s->dst, most, job->opts->max_hops};
    size_t before = c->paths.count;
    bool all = false;
    MUST(protection_find(protection, &c->paths, &query, &all, job->err));
    MUST(routes_keep_reaching(c, before, job));
    note_kind(c, before, all);
    return RWA_OK;
}

static rwa_status find_kind(struct route_sets *c, const struct searching *search, const struct job *job,
                            const struct sorting *s)
{
    return search->protection ? find_pairs(c, search->protection, job, s, search->most)
                              : find_routes(c, search->k_shortest, job, s, search->most);
}

/* Check whether the time for routes, `part`, is over; this `fraction` of the demands is done.  If it is over, set
 * search->most to 1, so that each remaining kind gets one route; with only_all, clear c->complete to end the search.
 * Fail if the user cancels.  Fail too if the whole time limit is over, unless only_all is set or symmetry has found an
 * answer. */
static rwa_status keep_time(struct searching *search, struct route_sets *c, struct job *job, struct budget *part,
                            bool only_all, double fraction)
{
    bool over = base_must_stop(part, "routes", fraction);
    job->budget.cancelled = part->cancelled;
    if (part->cancelled)
        return base_fail(job->err, RWA_CANCELLED, "stopped while looking for routes");
    if (!over)
        return RWA_OK;
    search->most = 1;
    c->complete = c->complete && !only_all;
    if (!only_all && job->symmetric_channels == 0 && base_is_late(&job->budget))
        return base_fail(job->err, RWA_CANCELLED,
                         "the time limit of %g s is over, and only %.0f %% of the demands have a route",
                         job->opts->time_limit_s, 100 * fraction);
    return RWA_OK;
}

/* Store in *c up to `most` shortest routes of each kind of demand (equal ends and node to pass).  When the time for
 * routes is over, each kind that is left gets one.  only_all: give up at that time, or when a kind has more routes;
 * c->complete is then false. */
static rwa_status find_shortest(struct route_sets *c, struct job *job, size_t most, bool only_all)
{
    rwa_status st = RWA_OK;
    struct searching search = {.most = most};
    struct budget part = base_budget_part(&job->budget, ROUTES_SHARE);
    size_t count = job->count;
    c->complete = true;
    TRY(searching_open(&search, job));
    for (size_t i = 0; i < count && (c->complete || !only_all); i++) {
        const struct sorting *s = &c->sorted[i];
        if (i == 0 || !same_kind(s, s - 1)) {
            TRY(find_kind(c, &search, job, s));
            c->first[++c->kinds] = c->paths.count;
            TRY(keep_time(&search, c, job, &part, only_all, (double)i / (double)count));
        }
        c->kind_of[s->demand] = (uint32_t)(c->kinds - 1);
    }
done:
    searching_close(&search);
    return st;
}

/* List in job->unroutable the demands without a route.  Collect in job->traffic the traffic of all others, to which the
 * bound applies. */
static rwa_status note_unroutable(const struct route_sets *c, struct job *job)
{
    size_t count = job->count;
    MUST(base_new(job->has_no_route, count, job->err));
    MUST(base_new(job->unroutable, count, job->err));
    for (size_t d = 0; d < count; d++)
        if (c->first[c->kind_of[d]] == c->first[c->kind_of[d] + 1]) {
            job->has_no_route[d] = true;
            job->unroutable[job->unroutable_count++] = (uint32_t)d;
        }
    job->unroutable_unsure = c->unsure;
    MUST(job_traffic(&job->traffic, job, job->has_no_route));
    job->traffic.twice = job->opts->protection != 0;
    return RWA_OK;
}

rwa_status route_sets_find(struct route_sets *c, struct job *job, size_t most, bool only_all)
{
    MUST(sort_demands(c, job));
    return find_shortest(c, job, most > 0 ? most : paths_wanted(job), only_all);
}

/* ---- routes from elsewhere ---- */

/* A function that appends routes of a kind, whose first demand is s, to `paths`: none twice. */
typedef rwa_status kind_routes(struct paths *paths, const struct job *job, const struct sorting *s);

/* Put the routes that add() finds for each kind of demand before the routes that the kind has, without duplicates. */
static rwa_status put_routes_first(struct route_sets *c, const struct job *job, kind_routes *add)
{
    rwa_status st = RWA_OK;
    struct paths all = {0}, *own = &c->paths;
    size_t kind = 0, *first = NULL;
    TRY(base_new(first, c->kinds + 1, job->err));
    for (size_t i = 0; i < job->count; i++) {
        const struct sorting *s = &c->sorted[i];
        if (i > 0 && same_kind(s, s - 1))
            continue;
        TRY(add(&all, job, s));
        for (size_t p = c->first[kind]; p < c->first[kind + 1]; p++)
            if (!paths_hold(&all, first[kind], paths_arcs(own, p), paths_hops(own, p)))
                TRY(paths_copy(&all, own, p, job->err));
        first[++kind] = all.count;
    }
    paths_free(own);
    free(c->first);
    *own = all;
    c->first = first;
    return RWA_OK;
done:
    paths_free(&all);
    free(first);
    return st;
}

/* Append to `paths` the routes from s->src to s->dst that the bound's linear program uses, unless there is a node to
 * pass.  An assignment that meets the bound may need them, though they are not shortest. */
static rwa_status add_suggested(struct paths *paths, const struct job *job, const struct sorting *s)
{
    return s->via == RWA_NONE ? flow_routes(job->flow, paths, s->src, s->dst, job->err) : RWA_OK;
}

/* Append to `paths` the route that job_symmetry() found for demand s->demand.  It handles all-to-all alone, where every
 * demand is a kind of its own. */
static rwa_status add_symmetric(struct paths *paths, const struct job *job, const struct sorting *s)
{
    return paths_copy(paths, &job->symmetric, s->demand, job->err);
}

static bool is_solved(const struct job *job)
{
    uint64_t fibers = rwa_network_fibers(job->net), given = job->opts->wavelengths * fibers;
    return job->symmetric_channels > 0 && job->symmetric_channels == job->bound.value * fibers &&
           (given == 0 || job->symmetric_channels <= given);
}

/* Make each of the `count` demands in *c a kind of its own, without routes. */
static void name_kinds(struct route_sets *c, size_t count)
{
    for (; c->kinds < count; c->kinds++)
        c->kind_of[c->sorted[c->kinds].demand] = (uint32_t)c->kinds;
}

static void place_symmetric(struct job *job)
{
    assert(job->symmetric_channels > 0);
    struct placement *best = &job->best;
    for (uint32_t u = 0; u < job->instance.cand.demands; u++) {
        best->route[u] = job->instance.route[u];
        best->channel[job->instance.segment[job->instance.route[u]]] =
            job->symmetric_channel[job->instance.demand_of[u]];
    }
    best->channels = job->symmetric_channels;
    best->placed = job->instance.cand.demands;
}

/* Whether lightpaths may take any route that the bound's linear program suggests: routing is automatic, without a hop
 * limit or a fibre profile. */
static bool takes_any_route(const struct job *job)
{
    return job->flow && job->routing == RWA_ROUTES_AUTO && job->opts->max_hops == 0 && !job->opts->transmission;
}

static rwa_status offer_routes(struct route_sets *c, struct job *job)
{
    MUST(find_shortest(c, job, paths_wanted(job), false));
    MUST(note_unroutable(c, job));
    MUST(job_bound(job));
    job->complete = c->complete;
    if (!takes_any_route(job) || base_must_stop(&job->budget, "routes", -1))
        return RWA_OK;
    return put_routes_first(c, job, add_suggested);
}

rwa_status job_routes(struct job *job)
{
    struct route_sets *c = &job->sets;
    MUST(sort_demands(c, job));
    MUST(job_symmetry(job));
    if (is_solved(job))
        name_kinds(c, job->count);
    else
        MUST(offer_routes(c, job));
    if (job->symmetric_channels > 0)
        MUST(put_routes_first(c, job, add_symmetric));
    if (job->routing == RWA_ROUTES_MIN_LOAD)
        MUST(job_min_load(job, c));
    MUST(instance_create(&job->instance, job, c));
    MUST(placement_create(&job->best, &job->instance.cand, job->err));
    if (job->symmetric_channels > 0)
        place_symmetric(job);
    return RWA_OK;
}

/* ---- more routes, while the search goes on ---- */

/* Return the route of lightpath `unit` in the instance `in` that has the arcs of route `route` of the instance `other`.
 * There must be one. */
static size_t same_route(const struct instance *in, uint32_t unit, const struct instance *other, size_t route)
{
    size_t hops = route_hops(&other->cand, route), r = in->route[unit];
    const uint32_t *arc = other->arc + first_hop(&other->cand, route);
    while (route_hops(&in->cand, r) != hops || memcmp(in->arc + first_hop(&in->cand, r), arc, hops * sizeof *arc) != 0)
        r++;
    assert(r < in->route[unit + 1]);
    return r;
}

/* Renumber the routes and segments of the best placement from the old instance to the present one. */
static rwa_status move_placement(struct job *job, const struct instance *old)
{
    const struct instance *in = &job->instance;
    struct placement best = {0}, *from = &job->best;
    rwa_status st = placement_create(&best, &in->cand, job->err);
    for (uint32_t u = 0; st == RWA_OK && u < in->cand.demands; u++) {
        if (from->route[u] == NO_ROUTE)
            continue;
        size_t r = best.route[u] = same_route(in, u, old, from->route[u]);
        size_t segments = in->segment[r + 1] - in->segment[r];
        memcpy(best.channel + in->segment[r], from->channel + old->segment[from->route[u]],
               segments * sizeof *best.channel);
    }
    best.placed = from->placed;
    best.channels = from->channels;
    placement_free(from);
    *from = best;
    return st;
}

rwa_status job_offer(struct job *job, const struct route_sets *c)
{
    rwa_status st = RWA_OK;
    struct instance old = job->instance;
    job->instance = (struct instance){0};
    TRY(instance_create(&job->instance, job, c));
    TRY(move_placement(job, &old));
done:
    instance_free(&old);
    return st;
}

rwa_status job_more_routes(struct job *job)
{
    struct route_sets *c = &job->sets;
    size_t before = c->paths.count;
    if (!takes_any_route(job))
        return RWA_OK;
    MUST(put_routes_first(c, job, add_suggested));
    return c->paths.count > before ? job_offer(job, c) : RWA_OK;
}

/* The arc of the same fibre pair in the opposite direction. */
static uint32_t opposite(const struct routing_graph *g, uint32_t arc)
{
    uint32_t k = g->out_first[g->to[arc]];
    while (g->link[g->out[k]] != g->link[arc])
        k++;
    return g->out[k];
}

void job_turn_path(const struct job *job, uint32_t *arc, size_t hops)
{
    for (size_t k = 0, end = hops; k < end; k++) {
        uint32_t back = opposite(&job->graph, arc[k]);
        arc[k] = opposite(&job->graph, arc[--end]);
        arc[end] = back;
    }
}
