/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Routes fixed before wavelengths: the choice that minimises the load of the most loaded link, and bounds for fixed
 *  routes. */
#include "assign/assign.h"

#include "routing/least_load.h"
#include "solvers/clique.h"

/* The share of the budget for the integer program. */
#define MIN_LOAD_SHARE 0.4

/* ---- choosing routes ---- */

uint64_t *count_kinds(const struct job *job, const struct route_sets *c)
{
    uint64_t *amount = base_array(c->kinds, sizeof *amount, job->err);
    for (size_t d = 0; amount && d < rwa_demands_count(job->demands); d++)
        if (c->first[c->kind_of[d]] < c->first[c->kind_of[d] + 1])
            amount[c->kind_of[d]] += (uint64_t)rwa_demands_list(job->demands)[d].count * job_span(job, d);
    return amount;
}

/* Assign the paths of a kind to its lightpaths, in order; taken: how many lightpaths take each path. */
static rwa_status deal(struct route_sets *c, const struct job *job, uint64_t *taken)
{
    size_t unit = 0;
    MUST(base_new(c->chosen, (size_t)rwa_demands_lightpaths(job->demands), job->err));
    for (size_t d = 0; d < rwa_demands_count(job->demands); d++) {
        size_t path = c->first[c->kind_of[d]], end = c->first[c->kind_of[d] + 1];
        for (uint32_t copy = 0; copy < rwa_demands_list(job->demands)[d].count && path < end; copy++) {
            while (taken[path] == 0)
                path++;
            taken[path]--;
            c->chosen[unit++] = path;
        }
    }
    return RWA_OK;
}

static bool has_kind_without(const struct route_sets *c)
{
    for (size_t k = 0; k < c->kinds; k++)
        if (c->first[k] == c->first[k + 1])
            return true;
    return false;
}

rwa_status job_min_load(struct job *job, struct route_sets *c)
{
    rwa_status st = RWA_NOMEM;
    uint64_t need = 0, bound = 0, *amount = count_kinds(job, c);
    uint64_t *taken = base_array(c->paths.count, sizeof *taken, job->err);
    struct budget part = base_budget_part(&job->budget, MIN_LOAD_SHARE);
    bool fewest = job->opts->objective == RWA_FEWEST_WAVELENGTHS;
    struct least_load run = {.graph = &job->graph,
                             .paths = &c->paths,
                             .kinds = c->kinds,
                             .first = c->first,
                             .amount = amount,
                             .least = fewest ? job->bound.value : 1,
                             .budget = &part};
    if (!amount || !taken)
        goto done;
    st = RWA_OK;
    if (c->paths.count == 0)
        goto done;
    TRY(least_load_solve(&run, taken, &need, &bound, job->err));
    if (fewest && c->complete && !has_kind_without(c) && bound > job->bound.value)
        job->bound =
            (rwa_certificate){.name = "min-load",
                              .value = bound,
                              .kind = RWA_WITNESS_SEARCH,
                              .source = "the integer program for the least load of the heaviest link, over all routes"};
    TRY(deal(c, job, taken));
done:
    job->budget.cancelled = job->budget.cancelled || part.cancelled;
    job->complete = false;
    free(amount);
    free(taken);
    return st;
}

/* ---- what fixed routes prove ---- */

/* Number the routes as the result does: working, backup, and one entry for each lightpath without a route. */
static rwa_status number_routes(uint64_t **number, const struct job *job)
{
    const struct instance *o = &job->instance;
    uint64_t next = 0;
    *number = base_array(o->cand.demands, sizeof **number, job->err);
    for (uint32_t u = 0; *number && u < o->cand.demands; u++) {
        (*number)[u] = next;
        next += o->backup ? 2 : 1;
    }
    return *number ? RWA_OK : RWA_NOMEM;
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

static void certify_load(struct job *job, uint32_t link, uint64_t need, const uint64_t *number)
{
    assert(need > 0 && link < job->instance.cand.links);
    size_t count = 0;
    for (uint32_t u = 0; u < job->instance.cand.demands; u++)
        if (crosses(&job->instance.cand, u, link))
            job->witness[count++] = number[u];
    job->fixed = (rwa_certificate){.name = "load",
                                   .value = need,
                                   .fixed_routes = !job->complete,
                                   .kind = RWA_WITNESS_LINK,
                                   .link = link,
                                   .routes = job->witness,
                                   .route_count = count,
                                   .source = "lightpaths over one link have a channel of it each"};
}

static rwa_status certify_clique(struct job *job, const uint64_t *number)
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
        job->witness[i] = number[member[i]];
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

/* Whether a clique of lightpaths is a clique of routes.  A backup is a route of its own, so with backups it is not. */
static bool may_be_clique(const struct job *job)
{
    return job->opts->converter_count == 0 && !job->instance.backup;
}

rwa_status job_fixed(struct job *job)
{
    rwa_status st = RWA_OK;
    const struct candidates *cand = &job->instance.cand;
    uint64_t need = 0, *number = NULL;
    uint32_t link = 0;
    if (cand->demands == 0 || cand->route[cand->demands] != cand->demands || job->symmetric_channels > 0 ||
        job->unroutable_count > 0 || job->opts->objective != RWA_FEWEST_WAVELENGTHS)
        return RWA_OK;
    TRY(number_routes(&number, job));
    TRY(base_new(job->witness, cand->demands, job->err));
    TRY(heaviest_link(&link, &need, job));
    certify_load(job, link, need, number);
    if (may_be_clique(job))
        TRY(certify_clique(job, number));
    if (job->complete && job->fixed.value > job->bound.value)
        job->bound = job->fixed;
done:
    free(number);
    return st;
}
