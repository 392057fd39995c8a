/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * All-to-all on tori, hypercubes and circulants.  A search among all lightpaths does not find answers that fill every
 * wavelength of such a network; a search among a few orbits of lightpaths does.
 */
#include "assign/orbits.h"

/* Work ends this search: LOOKS at the budget, one for 256 moves.  Classes of equal size that exist are found soon, and
 * the search among all lightpaths, which comes next, often finds answers that they cannot give.  Its share of the time
 * ends it only on networks so large that work does not. */
#define SHARE 0.6
enum {
    LOOKS = 1024,
    MOST_NODES = 256,
    MOST_COSETS = 32,
    MOST_SUBGROUPS = 256,
    SAMPLES = 24,
    ROUTES = 100000,
    ROUNDS = 8,
    MOST_KINDS = 10,
    FIRST_WORK = 200000
};

/* A reduction of the problem by symmetry: translations of `inner` keep a lightpath's channel, those of `outer` permute
 * the channels; and the fewest channels that it can give. */
struct division {
    const struct subgroup *outer, *inner;
    uint64_t channels;
};

struct demand_symmetry {
    struct job *job;
    struct translations group;
    struct subgroups groups;
    struct division *divisions;
    size_t count;
    uint32_t *demand_at, *moved;    /* as struct orbits has them */
    uint64_t least;         /* channels: the proven lower bound */
    struct budget budget;
};

static rwa_status index_demands(struct demand_symmetry *s)
{
    const struct job *job = s->job;
    size_t nodes = s->group.nodes;
    MUST(base_new(s->demand_at, nodes * nodes, job->err));
    MUST(base_new(s->moved, nodes * job->graph.arcs, job->err));
    for (uint32_t d = 0; d < job->count; d++) {
        s->demand_at[job->list[d].src * nodes + job->list[d].dst] = d;
        if (job->model == RWA_UNDIRECTED)
            s->demand_at[job->list[d].dst * nodes + job->list[d].src] = d;
    }
    return RWA_OK;
}

static int most_promising(const void *a, const void *b)
{
    const struct division *x = a, *y = b;
    uint64_t classes_x = x->channels * x->inner->order / x->outer->order,
             classes_y = y->channels * y->inner->order / y->outer->order;
    ASCENDING(x->channels, y->channels);
    DESCENDING(x->outer->order, y->outer->order);
    return (classes_x > classes_y) - (classes_x < classes_y);
}

/* List in s->divisions the pairs of subgroups, `inner` within `outer`, by which the problem can be reduced, the most
 * promising first.  With each pair, store the fewest channels that the reduced problem can lead to: the lower bound,
 * rounded up to a multiple of the number of cosets of `inner` in `outer`. */
static rwa_status list_divisions(struct demand_symmetry *s)
{
    const struct subgroup *g = s->groups.list;
    MUST(base_new(s->divisions, s->groups.count * s->groups.count, s->job->err));
    for (size_t outer = 0; outer < s->groups.count && g[outer].index <= 2; outer++)
        for (size_t inner = outer; inner < s->groups.count; inner++) {
            /* a class takes a channel for each coset */
            uint64_t cosets = g[outer].order / g[inner].order;
            if (g[inner].order > 1 && subgroup_holds(&g[outer], &g[inner]))
                s->divisions[s->count++] = (struct division){.outer = &g[outer], .inner = &g[inner],
                                                             .channels = (s->least + cosets - 1) / cosets * cosets};
        }
    qsort(s->divisions, s->count, sizeof *s->divisions, most_promising);
    return RWA_OK;
}

/* Set *classes to a route and a class for each orbit of demands, with few classes, such that routes of one class share
 * no link orbit.  A class stands for o->cosets channels.  First-fit, longest routes first, finds an answer; a tabu
 * search of `work` moves improves it. */
static rwa_status search_classes(struct demand_symmetry *s, const struct orbits *o, struct placement *classes,
                                 uint64_t work)
{
    const struct spectrum spectrum = {.cand = &o->cand};
    const struct spectrum_fit fit = {.order = FIT_LONGEST, .grows = true};
    struct improve run = {.spectrum = &spectrum,
                          .best = classes,
                          .work = work,
                          .by_hops = true,
                          .goal = {.bound = (s->least + o->cosets - 1) / o->cosets,
                                   .random = &s->job->random,
                                   .budget = &s->budget,
                                   .err = s->job->err}};
    MUST(spectrum_fit_run(classes, &spectrum, o->count, 0, &fit, s->job->err));
    return improve_tabu(&run);
}

static rwa_status try_division(struct demand_symmetry *s, const struct division *d, uint64_t work)
{
    assert(d->inner->order > 1 && d->outer->order % d->inner->order == 0);
    rwa_status st = RWA_OK;
    struct job *job = s->job;
    struct orbits orbits = {.job = job,
                            .group = &s->group,
                            .outer = d->outer,
                            .inner = d->inner,
                            .demand_at = s->demand_at,
                            .moved = s->moved};
    struct placement classes = {0};
    uint64_t routes = (uint64_t)s->group.nodes * d->inner->index * SAMPLES;
    bool fits = false;
    TRY(orbits_create(&orbits, &fits, routes > ROUTES ? (uint32_t)(ROUTES * SAMPLES / routes + 1) : SAMPLES, job->err));
    if (!fits)
        goto done;
    TRY(placement_create(&classes, &orbits.cand, job->err));
    TRY(search_classes(s, &orbits, &classes, work));
    if (job->symmetric_channels == 0 || classes.channels * orbits.cosets < job->symmetric_channels)
        TRY(orbits_unfold(&orbits, &classes, job->err));
done:
    placement_free(&classes);
    orbits_free(&orbits);
    return st;
}

static rwa_status try_divisions(struct demand_symmetry *s)
{
    uint64_t work = FIRST_WORK;
    for (int round = 0; round < ROUNDS; round++, work *= 2)
        for (size_t i = 0; i < s->count; i++) {
            bool better = s->job->symmetric_channels == 0 || s->divisions[i].channels < s->job->symmetric_channels;
            if (s->job->symmetric_channels == s->least || base_must_stop(&s->budget, "symmetry", -1))
                return RWA_OK;
            if (better)
                MUST(try_division(s, &s->divisions[i], work));
        }
    return RWA_OK;
}

/* Rate a set of link kinds (bits of `set`; kind[l]: that of link l and of its translations) by the bound that length 1
 * for its links and 0 for all others proves.  Return the total distance from node 0 to all others, divided by the total
 * length of the links; the bound is proportional to it.  length: workspace, an entry for each arc. */
static double rate_set(struct demand_symmetry *s, struct path_tree *tree, const uint32_t *kind, uint32_t set,
                       uint64_t *length)
{
    assert(set > 0);
    const struct routing_graph *r = &s->job->graph;
    double offered = 0, used = 0;
    for (uint32_t a = 0; a < r->arcs; a++)
        length[a] = set >> kind[r->link[a]] & 1;
    for (uint32_t l = 0; l < r->links; l++)
        offered += set >> kind[l] & 1;
    path_tree_from(tree, r, length, 0);
    for (uint32_t v = 0; v < r->nodes; v++)
        used += (double)tree->dist[v];
    return used / offered;
}

static rwa_status best_set(struct demand_symmetry *s, const uint32_t *kind, uint32_t kinds, uint32_t *best)
{
    rwa_status st = RWA_OK;
    struct path_tree tree = {0};
    double most = 0;
    uint64_t *length;
    MUST(base_new(length, s->job->graph.arcs, s->job->err));
    *best = (1u << kinds) - 1;
    TRY(path_tree_create(&tree, &s->job->graph, s->job->err));
    for (uint32_t set = *best; set > 0; set--) {
        double rate = rate_set(s, &tree, kind, set, length);
        if (rate > most * (1 + 1e-9))
            *best = set;
        RAISE(most, rate);
    }
done:
    path_tree_free(&tree);
    free(length);
    return st;
}

/* Set s->job->bound by the best link lengths found: 1 for some kinds of links, 0 for the others.  Links that are
 * translations of each other are of one kind. */
static rwa_status find_bound(struct demand_symmetry *s)
{
    struct job *job = s->job;
    struct traffic traffic = {0};
    struct metric metric = {0};
    rwa_status st = RWA_OK;
    uint32_t links = job->graph.links, kinds = 0, best = 1;
    uint32_t *kind;
    MUST(base_new(kind, links, job->err));
    TRY(base_new(job->symmetric_length, links, job->err));
    metric.length = job->symmetric_length;
    kinds = subgroup_link_orbits(kind, &s->groups.list[0], &s->group, job->model);
    /* Equal lengths within a kind lose nothing: lengths averaged over all translations prove no less. */
    if (kinds <= MOST_KINDS)
        TRY(best_set(s, kind, kinds, &best));
    for (uint32_t l = 0; l < links; l++)
        metric.length[l] = kinds > MOST_KINDS || (best >> kind[l] & 1);
    TRY(job_traffic(&traffic, job, NULL));
    TRY(metric_evaluate(&metric, &job->graph, &traffic, 0, job->err));
    job->bound = job_certificate(job, &metric);
    TRY(job_parity(job, &traffic));
done:
    traffic_free(&traffic);
    free(kind);
    return st;
}

rwa_status job_symmetry(struct job *job)
{
    rwa_status st = RWA_OK;
    struct demand_symmetry s = {.job = job, .budget = base_budget_part(&job->budget, SHARE)};
    if (!job_is_plain(job) || !job_searches_freely(job) || !rwa_demands_is_all_to_all(job->demands, job->model) ||
         !translations_of(&s.group, job->net) || s.group.nodes > MOST_NODES)
        return RWA_OK;
    MUST(base_new(job->symmetric_channel, job->count, job->err));
    TRY(subgroups_find(&s.groups, &s.group, MOST_COSETS, MOST_SUBGROUPS, job->err));
    TRY(find_bound(&s));
    s.least = job->bound.value * rwa_network_fibers(job->net);
    TRY(index_demands(&s));
    TRY(list_divisions(&s));
    s.budget.looks = LOOKS;
    TRY(try_divisions(&s));
    job->budget.cancelled = s.budget.cancelled;
done:
    subgroups_free(&s.groups);
    free_all(s.divisions, s.demand_at, s.moved);
    return st;
}
