/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Proofs by branch and bound on small instances, and by the link-path integer program. */
#include "assign/slots.h"

#include "solvers/link_path.h"

/* Limits of branch and bound, where lightpaths take one slot each. */
enum { BRANCH_PATHS = 256, BRANCH_UNITS = 64, BRANCH_ROUTES = 4096 };

/* Of the time for branch and bound in auto; seconds of it where time is not limited. */
#define BRANCH_SHARE 0.4
#define BRANCH_SECONDS 5

/* Larger programs are beyond GLPK: of wavelengths, and of places of several slots. */
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

/* `exact` spends the whole budget, `auto` a share of it. */
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

/* As far as it concerns what was asked for. */
static void take_bound(struct job *job, const rwa_certificate *proof)
{
    bool most = job->opts->objective != RWA_FEWEST_WAVELENGTHS;
    if (proof->most_served == most && (!job->bound.name || (most ? proof->value < job->bound.value : proof->value > job->bound.value)))
        job->bound = *proof;
}

/* Formats may be narrower on routes that were left out behind a converter. */
static bool has_all_routes(const struct job *job)
{
    return job->complete && !(job_is_wide(job) && job->opts->converter_count > 0);
}

static void take_proof(const struct slots *s, const struct spectrum_goal *goal)
{
    struct job *job = s->job;
    uint32_t slots = spectrum_slots(&job->best, &s->spectrum);
    bool all = job->best.placed == s->spectrum.cand->demands;
    if (!goal->most && all && slots <= goal->bound)
        return;     /* no fewer were tried */
    rwa_certificate proof = by_search(job, goal, goal->most ? spectrum_value(&job->best, &s->spectrum) : all ? slots : goal->slots + 1);
    if (has_all_routes(job)) {
        job->fewest_left_out = job->fewest_left_out || goal->most;
        take_bound(job, &proof);
    } else if (!goal->most && !job_is_wide(job)) {
        job->fixed = proof;
    }
}

rwa_status slots_branch_bound(struct slots *s, const struct spectrum_goal *goal)
{
    bool proven = false;
    struct budget part = branch_budget(s->job, goal->budget);
    struct spectrum_goal own = *goal;
    own.budget = &part;
    MUST(spectrum_exact(&s->job->best, &proven, &s->spectrum, &own));
    goal->budget->cancelled = part.cancelled;
    if (proven)
        take_proof(s, goal);
    return RWA_OK;
}

rwa_status slots_link_path(struct slots *s, const struct spectrum_goal *goal, bool only_written)
{
    struct job *job = s->job;
    uint32_t slots = goal->slots ? goal->slots : spectrum_slots(&job->best, &s->spectrum);
    uint64_t value = 0;
    struct link_path run = {.cand = s->spectrum.cand, .span = s->span, .value = s->value, .most = goal->most, .fixed_link = NO_FIXED_LINK,
                            .channels = slots * s->spectrum.cand->fibers, .least = (uint32_t)(goal->most ? 0 : goal->bound),
                            .most_variables = job_is_wide(job) ? WIDE_VARIABLES : LINK_PATH_VARIABLES,
                            .most_entries = LINK_PATH_ENTRIES, .budget = goal->budget, .only_written = only_written};
    MUST(link_path_run(&run, &job->best, &value, job->err));
    if (only_written)
        return RWA_OK;
    bool met = value == (goal->most ? spectrum_value(&job->best, &s->spectrum) : spectrum_slots(&job->best, &s->spectrum));
    rwa_certificate proof = by_search(job, goal, value);
    proof.name = "ilp";
    proof.source = "the bound of the link-path integer program for the routes offered";
    job->program = met || (!goal->most && value > slots) ? "solved" : "unfinished";
    take_bound(job, &proof);
    return RWA_OK;
}

rwa_status job_branch_bound(struct job *job, const struct improve *run)
{
    rwa_status st = RWA_OK;
    struct slots s = {.job = job};
    uint32_t channels = job->best.channels;
    bool any_routes = strcmp(job->routing, "auto") == 0, most = run->fixed;
    uint64_t least = job_least(job), given = job->opts->wavelengths;
    const struct spectrum_goal goal = {.most = most, .slots = most ? job->opts->wavelengths : 0, .budget = run->budget, .err = job->err,
                                       .bound = most ? run->goal : least > given ? least : given};
    if (job->instance.cand.demands > BRANCH_UNITS)
        return RWA_OK;
    if (any_routes)
        MUST(use_all_routes(job));
    if ((any_routes && !job->complete) || job->instance.cand.route[job->instance.cand.demands] > BRANCH_ROUTES)
        return RWA_OK;
    TRY(slots_open(&s));
    TRY(slots_branch_bound(&s, &goal));
    job->best.channels = most ? channels : job->best.channels;
done:
    slots_close(&s);
    return st;
}

rwa_status job_link_path(struct job *job, const struct improve *run, bool only_written)
{
    assert(job->best.channels > 0);
    rwa_status st = RWA_OK;
    struct slots s = {.job = job};
    const struct spectrum_goal goal = {.most = run->fixed, .slots = wavelengths_of(job, job->best.channels), .budget = run->budget};
    TRY(slots_open(&s));
    TRY(slots_link_path(&s, &goal, only_written));
done:
    slots_close(&s);
    return st;
}
