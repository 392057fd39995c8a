/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Proofs by branch and bound on small instances, and by the link-path integer program. */
#include "assign/assign.h"

#include "solvers/link_path.h"

/* Limits of branch and bound, where lightpaths take one slot each. */
enum { BRANCH_PATHS = 256, BRANCH_UNITS = 64, BRANCH_ROUTES = 4096 };

/* Share of the time limit for branch and bound in auto; the seconds it gets where time is not limited. */
#define BRANCH_SHARE 0.4
#define BRANCH_SECONDS 5

/* The largest programs that GLPK can handle: for wavelengths, and for lightpaths of several slots. */
enum { LINK_PATH_VARIABLES = 10000, WIDE_VARIABLES = 60000, LINK_PATH_ENTRIES = 1 << 22 };

uint32_t wavelengths_of(const struct job *job, uint32_t channels)
{
    uint32_t fibers = job->instance.cand.fibers;
    return (channels + fibers - 1) / fibers;
}

static rwa_status use_all_routes(struct job *job)
{
    rwa_status st = RWA_OK;
    struct route_sets c = {0};
    if (job->complete)
        return RWA_OK;
    TRY(route_sets_find(&c, job, BRANCH_PATHS, true));
    if (!c.complete || c.paths.count > BRANCH_ROUTES)
        goto done;
    TRY(job_offer(job, &c));
    job->complete = true;
done:
    route_sets_free(&c);
    return st;
}

/* ---- proofs ---- */

/* Return the budget of branch and bound: all of `budget` for the solver exact, a share of it for auto. */
static struct budget branch_budget(const struct job *job, const struct budget *budget)
{
    struct budget part = *budget;
    if (job->method->kind == METHOD_SEARCH)
        part = base_budget_part(budget, BRANCH_SHARE);
    if (job->method->kind == METHOD_SEARCH && part.deadline_s <= 0)
        part.deadline_s = base_now_s() + BRANCH_SECONDS;
    return part;
}

static rwa_certificate by_search(const struct job *job, const struct spectrum_goal *goal, uint64_t value)
{
    return (rwa_certificate){.name = "search", .value = value, .kind = RWA_WITNESS_SEARCH, .most_served = goal->most,
                             .wavelengths = goal->most ? goal->slots : 0, .fixed_routes = !job->complete,
                             .source = "every place on every route was tried, or cut off by a bound"};
}

/* Store `proof` in job->bound if it bounds the job's objective (wavelengths, or lightpaths served), unless job->bound
 * is at least as tight. */
static void take_bound(struct job *job, const rwa_certificate *proof)
{
    bool most = job->opts->objective != RWA_FEWEST_WAVELENGTHS;
    if (proof->most_served == most &&
        (!job->bound.name || (most ? proof->value < job->bound.value : proof->value > job->bound.value)))
        job->bound = *proof;
}

/* Whether the instance has every route that an optimal assignment may need.  With converters and lightpaths of several
 * slots it may not: a route that was left out may take fewer slots between converters. */
static bool has_all_routes(const struct job *job)
{
    return job->complete && !(job_is_wide(job) && job->opts->converter_count > 0);
}

static void take_proof(struct job *job, const struct spectrum_goal *goal)
{
    const struct spectrum *spectrum = &job->instance.spectrum;
    bool all = job->best.placed == spectrum->cand->demands;
    if (!goal->most && spectrum_met(&job->best, spectrum, goal))
        return;     /* no fewer were tried */
    rwa_certificate proof = by_search(job, goal, goal->most ? spectrum_value(&job->best, spectrum)
                                                 : all ? spectrum_slots(&job->best, spectrum) : goal->slots + 1);
    if (has_all_routes(job)) {
        job->fewest_left_out = job->fewest_left_out || goal->most;
        take_bound(job, &proof);
    } else if (!goal->most && !job_is_wide(job)) {
        job->fixed = proof;
    }
}

/* Set *small to whether the instance is small enough for branch and bound, where lightpaths take one slot.  If routing
 * is automatic, first add every route that exists to the instance. */
static rwa_status is_small(bool *small, struct job *job)
{
    bool any_routes = job->routing == RWA_ROUTES_AUTO;
    const struct candidates *cand = &job->instance.cand;
    *small = cand->demands <= BRANCH_UNITS;
    if (*small && any_routes)
        MUST(use_all_routes(job));
    *small = *small && (job->complete || !any_routes) && cand->route[cand->demands] <= BRANCH_ROUTES;
    return RWA_OK;
}

rwa_status job_branch_bound(struct job *job, const struct spectrum_goal *goal)
{
    bool proven = false, small = true;
    uint32_t channels = job->best.channels;
    if (!job_is_wide(job))
        MUST(is_small(&small, job));
    if (!small)
        return RWA_OK;
    struct budget part = branch_budget(job, goal->budget);
    struct spectrum_goal own = *goal;
    own.budget = &part;
    MUST(spectrum_exact(&job->best, &proven, &job->instance.spectrum, &own));
    goal->budget->cancelled = part.cancelled;
    if (proven)
        take_proof(job, goal);
    job->best.channels = goal->most ? channels : job->best.channels;
    return RWA_OK;
}

rwa_status job_link_path(struct job *job, const struct spectrum_goal *goal, bool only_written)
{
    const struct spectrum *spectrum = &job->instance.spectrum;
    uint32_t slots = goal->slots ? goal->slots : spectrum_slots(&job->best, spectrum);
    assert(slots > 0);
    uint64_t value = 0;
    struct link_path run = {.spectrum = spectrum,
                            .most = goal->most,
                            .fixed_link = NO_FIXED_LINK,
                            .channels = slots * spectrum->cand->fibers,
                            .least = goal->most ? 0 : (uint32_t)job_least(job),
                            .most_variables = job_is_wide(job) ? WIDE_VARIABLES : LINK_PATH_VARIABLES,
                            .most_entries = LINK_PATH_ENTRIES,
                            .budget = goal->budget,
                            .only_written = only_written};
    MUST(link_path_run(&run, &job->best, &value, job->err));
    if (only_written)
        return RWA_OK;
    bool met = value == (goal->most ? spectrum_value(&job->best, spectrum) : spectrum_slots(&job->best, spectrum));
    rwa_certificate proof = by_search(job, goal, value);
    proof.name = "ilp";
    proof.source = "the bound of the link-path integer program for the routes offered";
    job->program = met || (!goal->most && value > slots) ? "solved" : "unfinished";
    take_bound(job, &proof);
    return RWA_OK;
}
