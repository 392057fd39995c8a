/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Proofs by branch and bound on small instances, and by the link-path integer program. */
#include "assign/assign.h"

#include "solvers/branch_bound.h"
#include "solvers/link_path.h"

/* Limits of branch and bound. */
enum { BRANCH_PATHS = 256, BRANCH_UNITS = 64, BRANCH_ROUTES = 4096 };

uint32_t wavelengths_of(const struct job *job, uint32_t channels)
{
    uint32_t fibers = job->instance.cand.fibers;
    return (channels + fibers - 1) / fibers;
}

/* Larger programs are beyond GLPK. */
enum { LINK_PATH_VARIABLES = 10000, LINK_PATH_ENTRIES = 1 << 22 };

/* ---- an instance of all routes ---- */

static size_t first_hop(const struct instance *o, size_t route)
{
    return o->hop[o->segment[route]];
}

static bool same_route(const struct instance *a, size_t r, const struct instance *b, size_t q)
{
    size_t hops = first_hop(a, r + 1) - first_hop(a, r);
    return hops == first_hop(b, q + 1) - first_hop(b, q) &&
           memcmp(a->arc + first_hop(a, r), b->arc + first_hop(b, q), hops * sizeof *a->arc) == 0;
}

/* Translate a placement to the new instance, which has all routes of the old one. */
static void carry_over(struct placement *to, const struct instance *full, const struct placement *from, const struct instance *old)
{
    to->channels = from->channels;
    to->placed = from->placed;
    for (uint32_t u = 0; u < full->cand.demands; u++) {
        size_t route = from->route[u], q = full->route[u];
        if (route == NO_ROUTE)
            continue;
        while (q < full->route[u + 1] && !same_route(old, route, full, q))
            q++;
        to->route[u] = q;
        memcpy(to->channel + full->segment[q], from->channel + old->segment[route],
               (full->segment[q + 1] - full->segment[q]) * sizeof *to->channel);
    }
}

static rwa_status use_all_routes(struct job *job)
{
    rwa_status st = RWA_OK;
    struct route_sets c = {0};
    struct instance full = {0};
    struct placement best = {0};
    if (job->complete)
        return RWA_OK;
    TRY(route_sets_find(&c, job, BRANCH_PATHS, true));
    if (!c.complete || c.paths.count > BRANCH_ROUTES)
        goto done;
    TRY(instance_create(&full, job, &c));
    TRY(placement_create(&best, &full.cand, job->err));
    carry_over(&best, &full, &job->best, &job->instance);
    instance_free(&job->instance);
    placement_free(&job->best);
    job->instance = full;
    job->best = best;
    job->complete = true;
    memset(&full, 0, sizeof full);
    memset(&best, 0, sizeof best);
done:
    route_sets_free(&c);
    instance_free(&full);
    placement_free(&best);
    return st;
}

/* ---- branch and bound ---- */

static rwa_status find_twins(uint32_t **twin, const struct job *job)
{
    const struct instance *o = &job->instance;
    bool alike = job->fixed.name == NULL; /* copies of a demand with fixed routes of their own differ */
    *twin = base_array(o->cand.demands, sizeof **twin, job->err);
    for (uint32_t u = 0; *twin && u < o->cand.demands; u++)
        (*twin)[u] = alike && u > 0 && o->demand_of[u - 1] == o->demand_of[u] ? u - 1 : UINT32_MAX;
    return *twin ? RWA_OK : RWA_NOMEM;
}

static rwa_certificate by_search(uint64_t value, bool most)
{
    return (rwa_certificate){.name = "search", .value = value, .kind = RWA_WITNESS_SEARCH, .most_served = most,
                             .source = "every route offered and every channel of every demand was tried"};
}

/* One wavelength fewer, until that is infeasible or the budget ends. */
static rwa_status prove_fewest(struct job *job, struct branch_bound *run)
{
    assert(job->best.placed == job->instance.cand.demands);
    enum branch_answer answer = BRANCH_FOUND;
    uint32_t wavelengths = wavelengths_of(job, job->best.channels), given = job->opts->wavelengths;
    uint64_t enough = job_least(job) > given ? job_least(job) : given;
    run->need = job->instance.cand.demands;
    while (answer == BRANCH_FOUND && wavelengths > enough && wavelengths > 1) {
        run->channels = (wavelengths - 1) * job->instance.cand.fibers;
        MUST(branch_bound_run(run, &job->best, &answer, job->err));
        wavelengths -= answer == BRANCH_FOUND;
    }
    if (answer == BRANCH_NONE && job->complete)
        job->bound = by_search(wavelengths, false);
    else if (answer == BRANCH_NONE)
        job->fixed = by_search(wavelengths, false);
    job->fixed.fixed_routes = 1;
    return RWA_OK;
}

/* One lightpath more, until that is infeasible or the budget ends. */
static rwa_status prove_most(struct job *job, struct branch_bound *run)
{
    enum branch_answer answer = BRANCH_FOUND;
    bool by_metric = job->opts->objective != RWA_FEWEST_WAVELENGTHS && job->bound.name;
    uint64_t most = by_metric && job->bound.value < job->instance.cand.demands ? job->bound.value : job->instance.cand.demands;
    run->channels = job->best.channels;
    while (answer == BRANCH_FOUND && job->best.placed < most) {
        run->need = job->best.placed + 1;
        MUST(branch_bound_run(run, &job->best, &answer, job->err));
    }
    if (answer == BRANCH_NONE && job->complete && job->opts->objective != RWA_FEWEST_WAVELENGTHS)
        job->bound = by_search(job->best.placed, true);
    job->fewest_left_out = job->best.placed == most || (answer == BRANCH_NONE && job->complete);
    return RWA_OK;
}

rwa_status job_branch_bound(struct job *job, struct budget *budget, bool most)
{
    rwa_status st = RWA_OK;
    uint32_t *twin = NULL;
    struct branch_bound run = {.cand = &job->instance.cand, .budget = budget,
                          .distinct = job->instance.cand.taken_count > 0 || job->instance.fibers_of};
    if (job->instance.cand.demands > BRANCH_UNITS)
        return RWA_OK;
    bool any_routes = strcmp(job->routing, "auto") == 0;
    if (any_routes)
        TRY(use_all_routes(job));
    if ((any_routes && !job->complete) || job->instance.cand.route[job->instance.cand.demands] > BRANCH_ROUTES)
        goto done;
    TRY(find_twins(&twin, job));
    run.twin = twin;
    st = most ? prove_most(job, &run) : prove_fewest(job, &run);
done:
    free(twin);
    return st;
}

/* ---- the link-path integer program ---- */

rwa_status job_link_path(struct job *job, bool most, bool only_written)
{
    assert(job->best.channels > 0);
    uint32_t value = 0;
    struct link_path run = {.cand = &job->instance.cand, .most = most, .fixed_link = NO_FIXED_LINK, .budget = &job->budget,
                            .most_variables = LINK_PATH_VARIABLES, .most_entries = LINK_PATH_ENTRIES,
                            .only_written = only_written};
    run.channels = most ? job->best.channels : wavelengths_of(job, job->best.channels) * job->instance.cand.fibers;
    MUST(link_path_run(&run, &job->best, &value, job->err));
    if (!only_written)
        job->program = value == (most ? job->best.placed : wavelengths_of(job, job->best.channels)) ? "solved" : "unfinished";
    bool reported = !only_written && most == (job->opts->objective != RWA_FEWEST_WAVELENGTHS);
    bool better = !job->bound.name || (most ? value < job->bound.value : value > job->bound.value);
    if (reported && better) {
        job->bound = by_search(value, most);
        job->bound.name = "ilp";
        job->bound.source = "the bound of the link-path integer program for the routes offered";
        job->bound.fixed_routes = !job->complete;
    }
    return RWA_OK;
}
