/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Routes fixed before wavelengths: the choice that minimises the load of the most loaded link, and bounds for fixed
 *  routes. */
#include "assign/assign.h"
#include "base/arithmetic.h"

#include "solvers/clique.h"

/* The share of the budget for the integer program. */
#define MIN_LOAD_SHARE 0.4

/* ---- choosing routes ---- */

/* Choose a path for each lightpath, in c->chosen, the lower paths of a kind first, until the lightpaths of path p have
 * the taken[p] slots that least_load_solve() gave it.  Reduces taken[p] by their slots. */
static rwa_status deal(struct route_sets *c, const struct job *job, uint64_t *taken)
{
    size_t unit = 0;
    MUST(base_new(c->chosen, (size_t)rwa_demands_lightpaths(job->demands), job->err));
    for (size_t d = 0; d < job->count; d++) {
        size_t path = c->first[c->kind_of[d]], end = c->first[c->kind_of[d] + 1];
        for (uint32_t copy = 0; copy < job->list[d].count && path < end; copy++) {
            while (taken[path] == 0)
                path++;
            taken[path] -= lesser(taken[path], job_span(job, d));
            c->chosen[unit++] = path;
        }
    }
    return RWA_OK;
}

/* Choose a path for each lightpath (c->chosen) such that the most loaded link has little load; a lightpath counts once
 * for each of its slots.  run: the input of least_load_solve() but for run.amount, which is set here.  Set *bound to a
 * lower bound on the wavelengths (slots) that any choice of the paths needs. */
static rwa_status choose_paths(struct route_sets *c, const struct job *job, struct least_load run, uint64_t *bound)
{
    rwa_status st = RWA_OK;
    uint64_t *amount, *taken = NULL;
    MUST(base_new(amount, c->kinds, job->err));
    for (size_t d = 0; d < job->count; d++)
        if (c->first[c->kind_of[d]] < c->first[c->kind_of[d] + 1])
            amount[c->kind_of[d]] += (uint64_t)job->list[d].count * job_span(job, d);
    run.amount = amount;
    TRY(base_new(taken, c->paths.count, job->err));
    TRY(least_load_solve(&run, taken, bound, job->err));
    TRY(deal(c, job, taken));
done:
    free_all(amount, taken);
    return st;
}

rwa_status job_min_load(struct job *job, struct route_sets *c)
{
    rwa_status st = RWA_OK;
    uint64_t bound = 0;
    struct budget part = base_budget_part(&job->budget, MIN_LOAD_SHARE);
    bool fewest = job->opts->objective == RWA_FEWEST_WAVELENGTHS;
    const struct least_load run = {.graph = &job->graph,
                                   .paths = &c->paths,
                                   .kinds = c->kinds,
                                   .first = c->first,
                                   .least = fewest ? job->bound.value : 1,
                                   .budget = &part};
    if (c->paths.count > 0)
        TRY(choose_paths(c, job, run, &bound));
    if (fewest && c->complete && job->unroutable_count == 0 && bound > job->bound.value)
        job->bound =
            (rwa_certificate){.name = "min-load",
                              .value = bound,
                              .kind = RWA_WITNESS_SEARCH,
                              .source = "the integer program for the least load of the heaviest link, over all routes"};
done:
    job->budget.cancelled = job->budget.cancelled || part.cancelled;
    job->complete = false;
    return st;
}

/* ---- what fixed routes prove ---- */

/* Return the index that the working route of a lightpath (`unit`) has among the routes of the result, if all lightpaths
 * are routed.  With backups the result has two routes for each lightpath. */
static uint64_t number_of(const struct job *job, uint32_t unit)
{
    return job->instance.backup ? 2 * (uint64_t)unit : unit;
}

static bool crosses(const struct candidates *cand, uint32_t unit, uint32_t link)
{
    for (size_t k = first_hop(cand, unit); k < end_hop(cand, unit); k++)    /* one route each */
        if (cand->link[k] == link)
            return true;
    return false;
}

static rwa_status heaviest_link(uint32_t *link, uint64_t *need, const struct job *job)
{
    const struct candidates *cand = &job->instance.cand;
    uint64_t *load;
    MUST(base_new(load, cand->links, job->err));
    for (uint32_t u = 0; u < cand->demands; u++)
        for (size_t k = first_hop(cand, u); k < end_hop(cand, u); k++)
            load[cand->link[k]] += job_span(job, job->instance.demand_of[u]);
    *need = 0;
    for (uint32_t l = 0; l < cand->links; l++) {
        uint64_t here = (load[l] + job->graph.fibers[l] - 1) / job->graph.fibers[l];
        if (here > *need) {
            *need = here;
            *link = l;
        }
    }
    free(load);
    return RWA_OK;
}

static void certify_load(struct job *job, uint32_t link, uint64_t need)
{
    assert(need > 0 && link < job->instance.cand.links);
    size_t count = 0;
    for (uint32_t u = 0; u < job->instance.cand.demands; u++)
        if (crosses(&job->instance.cand, u, link))
            job->witness[count++] = number_of(job, u);
    job->fixed = (rwa_certificate){.name = "load",
                                   .value = need,
                                   .fixed_routes = !job->complete,
                                   .kind = RWA_WITNESS_LINK,
                                   .link = link,
                                   .routes = job->witness,
                                   .route_count = count,
                                   .source = "lightpaths over one link have a channel of it each"};
}

static rwa_status certify_clique(struct job *job)
{
    rwa_status st = RWA_OK;
    uint32_t count = 0, fibers = job->instance.cand.fibers;
    uint64_t slots = 0;
    uint32_t *member;
    MUST(base_new(member, job->instance.cand.demands, job->err));
    TRY(clique_find(member, &count, &job->instance.cand, job->err));
    for (uint32_t i = 0; i < count; i++)
        slots += job_span(job, job->instance.demand_of[member[i]]);
    if ((slots + fibers - 1) / fibers <= job->fixed.value)
        goto done;
    for (uint32_t i = 0; i < count; i++)
        job->witness[i] = number_of(job, member[i]);
    job->fixed = (rwa_certificate){.name = "clique",
                                   .value = (slots + fibers - 1) / fibers,
                                   .fixed_routes = !job->complete,
                                   .kind = RWA_WITNESS_CLIQUE,
                                   .routes = job->witness,
                                   .route_count = count,
                                   .source = "lightpaths that share a link, any two of them, have a channel each"};
done:
    free(member);
    return st;
}

/* Whether lightpaths whose routes pairwise share a link need different channels, and so prove a bound.  Not with
 * converters, which change channels, nor with backups, since the link shared may be one of a backup. */
static bool may_be_clique(const struct job *job)
{
    return job->opts->converter_count == 0 && !job->instance.backup;
}

rwa_status job_fixed(struct job *job)
{
    const struct candidates *cand = &job->instance.cand;
    uint64_t need = 0;
    uint32_t link = 0;
    if (cand->demands == 0 || cand->route[cand->demands] != cand->demands || job->symmetric_channels > 0 ||
        job->unroutable_count > 0 || job->opts->objective != RWA_FEWEST_WAVELENGTHS)
        return RWA_OK;
    MUST(base_new(job->witness, cand->demands, job->err));
    MUST(heaviest_link(&link, &need, job));
    certify_load(job, link, need);
    if (may_be_clique(job))
        MUST(certify_clique(job));
    if (job->complete && job->fixed.value > job->bound.value)
        job->bound = job->fixed;
    return RWA_OK;
}
