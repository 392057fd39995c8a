/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Very many lightpaths on networks of any shape: routes by congestion prices, then greedy passes over all lightpaths
 * and routes, until the answer meets a bound from the prices of the links or the time is over.  No lists of links are
 * kept, so that a million lightpaths fit in memory.
 */
#include "assign/assign.h"

#include "assign/even_mesh.h"
#include "network/translations.h"

/* Below MANY_LIGHTPATHS, the searches that move single lightpaths are used.  IDLE_PASSES: without a time limit, this
 * many passes in a row without a better answer end the search. */
enum {
    MANY_LIGHTPATHS = 12000,
    SYMMETRIC_NODES = 256,
    IDLE_PASSES = 20,
    IDLE_MOVES = 3000,
    FEW_MOVES = 300,
    BOUND_ROUNDS = 8,
    PASSED_UNITS = 400000
};
/* While the answer is above this multiple of the bound, single lightpaths are moved before any greedy pass. */
#define FAR_SHARE 1.02
/* Estimates in seconds for each hop of all lightpaths: routing, looking at 64 channels for the first answer, and
 * writing and checking. */
#define HOP_S 3e-8
#define LOOK_S 3e-10
#define WRITE_S 1e-7
/* The first answer may take this multiple of the time limit. */
#define OVERRUN 1.1
/* Seconds for each hop with first-fit over shortest routes, everything included. */
#define FIRST_FIT_S 4e-7

/* The stages.  A stage replaces the answer only by a better one.  Work, not the clock, ends a stage, so that a
 * longer time limit continues the same search. */
static const struct stage {
    uint32_t rounds, trees;     /* of source_trees_solve() */
} stages[] = {{1, 1}, {24, SOURCE_TREES}};
enum { STAGES = sizeof stages / sizeof stages[0] };

struct answer {
    struct source_trees routes;
    struct tree_fit fit;
};

struct large {
    struct job *job;
    struct answer answers[2], *best;    /* the best answer so far is one of the two, once there is one */
    bool has_answer;
    bool too_slow;          /* the first answer cannot keep the time limit, but first-fit can */
    struct metric bound;    /* its lengths belong to the arena */
    struct even_mesh mesh;  /* size 0: the network is no such mesh */
    uint32_t fibers;
    uint64_t channels;      /* given; 0: find the fewest */
    char progress[96];
    uint32_t *arc;          /* of the lightpath being written */
    size_t *next;           /* of each pair of nodes: its next unit */
    struct arena arena;
};

/* Whether this file handles the job: very many lightpaths without further options, but not all-to-all on small networks
 * with translations, which has a search of its own. */
static bool is_large(const struct job *job)
{
    struct translations group;
    bool symmetric = translations_of(&group, job->net) && job->graph.nodes <= SYMMETRIC_NODES &&
                     rwa_demands_is_all_to_all(job->demands, job->model);
    return rwa_demands_lightpaths(job->demands) >= MANY_LIGHTPATHS && job_searches_freely(job) &&
           job->opts->paths == 0 && job_is_plain(job) && !network_has_arcs(job->net) && job_has_equal_fibers(job) &&
           !symmetric;
}

/* ---- search ---- */

static uint64_t least_channels(const struct large *l)
{
    return l->job->bound.value * l->fibers;
}

static rwa_status find_routes(struct large *l, struct answer *a, const struct stage *stage)
{
    struct job *job = l->job;
    if (l->mesh.size > 0)
        MUST(even_mesh_routes(&a->routes, &l->mesh, &job->graph, &job->traffic, job->err));
    else
        MUST(source_trees_solve(&a->routes, &job->graph, &job->traffic, stage->rounds, stage->trees, &job->budget,
                                job->err));
    if (l->has_answer && base_must_stop(&job->budget, "balance", -1))
        return base_fail(job->err, RWA_CANCELLED, "stopped before routes were balanced");
    MUST(tree_fit_open(&a->fit, &a->routes, job->err));
    return tree_fit_balance(&a->fit, &job->budget);
}

/* Raise l->job->bound by up to `rounds` rounds of subgradient steps on the link prices of a->routes.  Stop at the load
 * of the most loaded link under the routes of `a`, in wavelengths: no bound of this kind exceeds it. */
static rwa_status find_bound(struct large *l, struct answer *a, uint32_t rounds)
{
    struct job *job = l->job;
    uint64_t most = (tree_fit_most_loaded(&a->fit) + l->fibers - 1) / l->fibers;
    const struct metric *found = &a->routes.bound;
    if (job->bound.value >= most)
        return RWA_OK;
    MUST(source_trees_bound(&a->routes, most, rounds, &job->budget, job->err));
    if (found->value <= l->bound.value)
        return RWA_OK;
    uint32_t *length = l->bound.length;
    l->bound = *found;
    l->bound.length = length;
    memcpy(length, found->length, job->graph.links * sizeof *length);
    job->bound = job_certificate(job, &l->bound);
    return RWA_OK;
}

static rwa_status first_fit(struct large *l, struct answer *a)
{
    rwa_status st = RWA_OK;
    struct tree_fit_start start;
    struct arena arena = {.err = l->job->err};
    if (l->mesh.size > 0)
        TRY(even_mesh_start(&l->mesh, &a->fit, &start, &arena));
    st = tree_fit_first(&a->fit, l->mesh.size > 0 ? &start : NULL, l->has_answer, &l->job->budget);
done:
    arena_free(&arena);
    return st;
}

static void answer_free(struct answer *a)
{
    tree_fit_free(&a->fit);
    source_trees_free(&a->routes);
}

static bool is_proven(const struct large *l)
{
    return l->has_answer && l->best->fit.channels <= least_channels(l);
}

static bool is_enough(const struct large *l)
{
    return is_proven(l) || l->best->fit.channels <= l->channels;
}

static uint32_t wanted_channels(const struct large *l)
{
    return (uint32_t)(l->channels > least_channels(l) ? l->channels : least_channels(l));
}

/* Whether to move single lightpaths before the next greedy pass: always while the answer is far above the bound,
 * otherwise once in several passes, more seldom the fewer lightpaths there are.  The closed form of a mesh is never far
 * above the bound. */
static bool is_time_to_move(const struct large *l, uint32_t pass)
{
    if (l->mesh.size == 0 && l->best->fit.channels > FAR_SHARE * (double)least_channels(l))
        return true;
    return (pass + 1) % (PASSED_UNITS / l->best->fit.units + 1) == 0 && !is_enough(l);
}

/* Turn RWA_CANCELLED into RWA_OK if there is an answer, since that answer is kept. */
static rwa_status forgive_stop(const struct large *l, rwa_status st)
{
    if (st != RWA_CANCELLED || !l->has_answer)
        return st;
    base_begin(l->job->err);
    return RWA_OK;
}

static rwa_status improve(struct large *l)
{
    struct job *job = l->job;
    for (uint32_t idle = 0, pass = 0; !is_enough(l) && (job->budget.deadline_s > 0 || idle < IDLE_PASSES); pass++) {
        uint32_t before = l->best->fit.channels;
        snprintf(l->progress, sizeof l->progress, "%u wavelengths, lower bound %llu",
                 (before + l->fibers - 1) / l->fibers, (unsigned long long)job->bound.value);
        if (base_must_stop(&job->budget, l->progress, -1))
            break;
        if (is_time_to_move(l, pass))
            MUST(tree_fit_refine(&l->best->fit, wanted_channels(l), job->budget.deadline_s > 0 ? IDLE_MOVES : FEW_MOVES,
                                 &job->random, &job->budget));
        if (is_enough(l))
            break;
        rwa_status st = tree_fit_again(&l->best->fit, &job->random, &job->budget);
        if (st != RWA_OK)
            return forgive_stop(l, st);
        idle = l->best->fit.channels < before ? 0 : idle + 1;
    }
    return RWA_OK;
}

/* If there is a time limit and no answer yet, estimate when the first answer, with the routes of `a`, will be coloured,
 * written and checked.  If that is early enough, move the deadline of the search earlier by the time to write the
 * answer. Otherwise fail, and set l->too_slow to whether first-fit would keep the time limit. */
static rwa_status reserve_time(struct large *l, const struct answer *a)
{
    struct job *job = l->job;
    double hops = 0, words = (double)tree_fit_most_loaded(&a->fit) / 64 + 1;
    if (l->has_answer || job->budget.deadline_s <= 0)
        return RWA_OK;
    for (uint32_t k = 0; k < job->graph.links; k++)
        hops += (double)a->fit.load[k];
    double spent_s = base_now_s() - job->began_s, needed_s = spent_s + hops * (HOP_S + LOOK_S * words + WRITE_S);
    bool late = needed_s > OVERRUN * job->opts->time_limit_s;
    l->too_slow = late && job->method->kind == METHOD_SEARCH &&
                  spent_s + hops * FIRST_FIT_S <= job->opts->time_limit_s;
    if (late)
        return base_fail(job->err, RWA_CANCELLED,
                         "%u lightpaths of %.0f hops in all take about %.0f s, the time limit is %g s: expected a "
                         "longer time_limit_s, or the solver first-fit",
                         a->fit.units, hops, ceil(needed_s), job->opts->time_limit_s);
    job->budget.deadline_s -= hops * WRITE_S;
    return RWA_OK;
}

static rwa_status run_stage(struct large *l, const struct stage *stage)
{
    rwa_status st = RWA_OK;
    struct answer *other = &l->answers[l->best == l->answers];
    TRY(find_routes(l, other, stage));
    TRY(reserve_time(l, other));
    TRY(find_bound(l, other, 0));
    TRY(first_fit(l, other));
    if (!l->has_answer || other->fit.channels < l->best->fit.channels) {
        l->best = other;
        other = &l->answers[l->best == l->answers];
        l->has_answer = true;
    }
done:
    answer_free(other);
    return forgive_stop(l, st);
}

/* Collect the traffic in l->job->traffic.  Set *connected to whether every demand has a route; if so, set l->job->bound
 * to the bound that the same length for all links proves. */
static rwa_status open_search(struct large *l, bool *connected)
{
    struct job *job = l->job;
    MUST(arena_arrays(&l->arena, job->graph.links, l->bound.length));
    MUST(job_traffic(&job->traffic, job, NULL));
    for (uint32_t k = 0; k < job->graph.links; k++)
        l->bound.length[k] = 1;
    MUST(metric_evaluate(&l->bound, &job->graph, &job->traffic, 0, job->err));
    *connected = l->bound.value != UINT64_MAX;
    if (*connected)
        job->bound = job_certificate(job, &l->bound);
    else
        traffic_free(&job->traffic);
    return RWA_OK;
}

static rwa_status search(struct large *l)
{
    struct job *job = l->job;
    for (size_t i = l->mesh.size > 0 ? STAGES - 1 : 0; i < STAGES && !is_proven(l); i++)
        MUST(run_stage(l, &stages[i]));
    if (!is_proven(l) && !base_must_stop(&job->budget, "bound", -1))
        MUST(find_bound(l, l->best, BOUND_ROUNDS));
    MUST(improve(l));
    if (l->channels > 0 && l->best->fit.channels > l->channels) {
        job->extra = (l->best->fit.channels + l->fibers - 1) / l->fibers - job->opts->wavelengths;
        MUST(tree_fit_cut(&l->best->fit, (uint32_t)l->channels));
    }
    return RWA_OK;
}

/* ---- answer ---- */

static rwa_status add_lightpath(rwa_assignment *r, struct large *l, size_t demand, uint32_t copy)
{
    struct job *job = l->job;
    const rwa_demand *d = &job->list[demand];
    uint32_t unit = (uint32_t)l->next[job->traffic.pair_of[demand]]++, hops = 0, channel = l->best->fit.channel[unit];
    if (channel == TREE_FIT_NONE)
        return rwa_assignment_add(r,
                                  &(rwa_route){.demand = demand, .copy = copy, .why = "no wavelength is left for it"},
                                  job->err);
    hops = tree_fit_path(&l->best->fit, unit, l->arc);
    if (job->model == RWA_UNDIRECTED && d->src > d->dst)
        job_turn_path(job, l->arc, hops);
    rwa_route route = {.demand = demand, .copy = copy, .hops = hops, .links = l->arc, .fiber = channel % l->fibers,
                       .wavelength = channel / l->fibers};
    return rwa_assignment_add(r, &route, job->err);
}

static rwa_status add_lightpaths(rwa_assignment *r, void *data)
{
    struct large *l = data;
    const rwa_demand *list = l->job->list;
    arena_new(&l->arena, l->arc, l->job->graph.nodes);
    arena_copy(&l->arena, l->next, l->best->fit.unit_first, l->job->traffic.pairs);
    MUST(arena_status(&l->arena));
    for (size_t d = 0; d < l->job->count; d++)
        for (uint32_t copy = 0; copy < list[d].count; copy++)
            MUST(add_lightpath(r, l, d, copy));
    return RWA_OK;
}

rwa_status job_large(rwa_assignment **out, struct job *job)
{
    rwa_status st = RWA_OK;
    struct large large = {.job = job, .fibers = job->graph.fibers[0], .arena = {.err = job->err}};
    bool connected = false;
    if (!is_large(job))
        return RWA_OK;
    large.best = large.answers;
    TRY(open_search(&large, &connected));
    if (!connected)
        goto done;
    large.channels = (uint64_t)job->opts->wavelengths * large.fibers;
    if (job->model == RWA_DIRECTED && rwa_demands_is_all_to_all(job->demands, job->model))
        even_mesh_of(&large.mesh, job->net);
    st = search(&large);
    if (large.too_slow) {
        base_begin(job->err);
        job_first_fit(job);
        st = RWA_OK;
        goto done;
    }
    TRY(st);
    TRY(job_write(out, job, add_lightpaths, &large));
done:
    answer_free(&large.answers[0]);
    answer_free(&large.answers[1]);
    arena_free(&large.arena);
    return st;
}
