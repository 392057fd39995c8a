/* SPDX-License-Identifier: GPL-3.0-or-later */
/** A job becomes a plan: choose parameters, build, then transform: reverse in time, widen by stripes, map to the real network. */
#include "plan/plan.h"

#include "plan/pack/pack.h"
#include "schedule/schedule.h"

/* ---- parameters ---- */

/** A sink that only counts steps, of each stage by its heaviest link.  Schemes with several parameter sets push transfers alone. */
struct counter {
    struct schedule_sink sink;
    const rwa_network *net;
    struct budget budget;
    int64_t *change;            /* for route_load() */
    uint64_t steps;
};

static rwa_status count_transfers(struct schedule_sink *sink, struct transfers *stage, rwa_error *err)
{
    struct counter *n = (struct counter *)sink;
    struct coloured c = {.t = *stage};
    *stage = (struct transfers){0};
    rwa_status st = route_stage(&c, err);
    if (st == RWA_OK)
        n->steps += ceil_div(route_load(&c, rwa_network_nodes(n->net), n->change), rwa_network_channels(n->net));
    if (st == RWA_OK && base_must_stop(&n->budget, "choosing", -1))
        st = base_fail(err, RWA_CANCELLED, "planning was stopped while settings were compared");
    coloured_free(&c);
    return st;
}

static rwa_status count_steps(uint64_t *steps, const struct job *job, const struct parameters *p, int64_t *change, rwa_error *err)
{
    char why[RWA_ERROR_TEXT] = "";
    struct plan_request request = job_request(job, p, why);
    struct counter n = {.sink = {.transfers = count_transfers}, .net = request.net, .change = change,
                        .budget = base_budget(0, job->opts.poll, job->opts.poll_data)};
    rwa_status st = job->scheme->plan(&n.sink, &request, err);
    *steps = n.steps;
    return st;
}

size_t job_sets(const struct job *job)
{
    bool compared = scheme_has(job->scheme, TAKES_TERM) && job->estimate.sets > 1;
    return compared ? job->estimate.sets : 1;
}

/** Set number `set` of a job with several; else the one with the fewest steps, by building the stages of all.  Estimates only order the
 *  sets; terms are compared as plans, by their time. */
static rwa_status choose_parameters(struct parameters *best, const struct job *job, size_t set, rwa_error *err)
{
    const struct estimate *e = &job->estimate;
    uint64_t steps = 0, least = UINT64_MAX;
    int64_t *change = NULL;
    rwa_status st = RWA_OK;
    assert(set < job_sets(job));
    *best = e->set[set]; /* zero when the scheme has none */
    if (e->sets <= 1 || scheme_has(job->scheme, TAKES_TERM))
        return RWA_OK;
    TRY(base_new(change, (size_t)rwa_network_nodes(job_network(job)) * 2 + 2, err));
    for (size_t i = 0; i < e->sets; i++) {
        assert(e->set[i].radix[0] > 0 || e->set[i].group > 0);
        TRY(count_steps(&steps, job, &e->set[i], change, err));
        if (steps < least) {
            least = steps;
            *best = e->set[i];
        }
    }
done:
    free(change);
    return st;
}

/* ---- plan ---- */

static rwa_status build_forward(rwa_plan *plan, const struct scheme *scheme, const struct plan_request *request, rwa_error *err)
{
    char name[TERM_TEXT + 32];
    snprintf(name, sizeof name, "%s%s%s", scheme->name, request->parameters->term[0] ? ":" : "", request->parameters->term);
    rwa_status st = rwa_schedule_create_among(&plan->schedule, request->net, request->coll, request->opts->members, name, err);
    return st == RWA_OK ? build_stages(plan, scheme, request, err) : st;
}

/** The part to reverse is planned on the opposite links, and without taps, since in reverse the receivers of
 *  a lightpath would have to feed it; what follows, of an all-reduce, is planned once more where that differs. */
static rwa_status build_reversed(rwa_plan *plan, const struct job *job, struct plan_request *request, const rwa_collective *cut,
                                 rwa_error *err)
{
    const rwa_network *net = job->thin ? job->thin : job->residual->net, *opposite = job->residual->opposite;
    rwa_network *thin = NULL;
    rwa_plan onward = {.schedule = NULL};
    rwa_plan_options untapped = job->opts;
    bool differs = opposite || (scheme_has(job->scheme, TAPS) && job->opts.max_drops > 1);
    bool twice = differs && cut->kind == RWA_ALL_REDUCE;
    rwa_status st = RWA_OK;
    if (opposite && job->thin)
        TRY(thin_network(&thin, opposite, job->opts.stripes, err));
    untapped.max_drops = 1;
    request->net = thin ? thin : opposite ? opposite : net;
    request->opts = &untapped;
    st = build_forward(plan, job->scheme, request, err);
    request->net = net;
    request->opts = &job->opts;
    TRY(st);
    if (twice && request->why[0] == '\0')
        TRY(build_forward(&onward, job->scheme, request, err));
    if (request->why[0] == '\0')
        TRY(reverse_plan(plan, twice ? &onward : plan, net, cut, err));
done:
    rwa_schedule_free(onward.schedule);
    rwa_network_free(thin);
    return st;
}

static rwa_status refuse_merging(const struct job *job, const struct plan_request *request)
{
    const struct scheme *other = merging_scheme(request->net, request->coll);
    if (other)
        return scheme_refuse(request, "scheme %s puts one block on a lightpath; load_factor 1, or the scheme %s, would do",
                             job->scheme->name, other->name);
    return scheme_refuse(request, "no scheme puts several blocks on a lightpath for this collective on such a network; "
                         "load_factor 1 would do");
}

/** The schedule on the job's network, and what the paper says of it. */
static rwa_status build_schedule(rwa_plan *plan, const struct job *job, size_t set, rwa_error *err)
{
    const rwa_collective *coll = &job->residual->coll;
    struct parameters parameters = {0};
    struct plan_request request = job_request(job, &parameters, plan->summary.why);
    rwa_collective cut = job->forward;
    if (job->opts.lightpath_blocks > 1 && !scheme_has(job->scheme, MERGES | LIMITS_LOAD))
        return refuse_merging(job, &request);
    MUST(choose_parameters(&parameters, job, set, err));
    plan->summary.group = parameters.group;
    if (job_is_reversed(job)) {
        MUST(rwa_collective_init(&cut, coll->kind, coll->nodes, coll->root, coll->message_bytes, job->forward.blocks, err));
        MUST(build_reversed(plan, job, &request, &cut, err));
    } else {
        MUST(build_forward(plan, job->scheme, &request, err));
    }
    request.coll = &cut;
    if (job->scheme->formula)
        job->scheme->formula(&plan->summary.formula, &request);
    return RWA_OK;
}

/** From the residual network to the real one. */
static rwa_status map_to_network(rwa_plan *plan, const struct residuals *residuals, const struct residual *residual, rwa_error *err)
{
    rwa_schedule *mapped = NULL;
    if (residual->net == residuals->real)
        return RWA_OK;
    rwa_status st = residual_map(&mapped, plan->schedule, residuals, residual, err);
    if (st == RWA_OK)
        plan_replace_schedule(plan, mapped);
    return st;
}

rwa_status job_build(rwa_plan **out, const struct job *job, size_t set, const struct residuals *residuals, rwa_error *err)
{
    rwa_plan *plan = NULL;
    rwa_status st = RWA_OK;
    *out = NULL;
    TRY(job_refuse_size(job, err));
    TRY(plan_create(&plan, job->scheme->name, err));
    TRY(build_schedule(plan, job, set, err));
    plan->summary.stripes = job->thin ? job->opts.stripes : 1;
    if (plan->summary.why[0] != '\0') {
        plan_refuse(plan);
    } else {
        assert(rwa_schedule_steps(plan->schedule) > 0);
        plan->summary.lightpath_blocks = rwa_schedule_lightpath_blocks(plan->schedule);
        if (job->thin)
            TRY(widen_plan(plan, job->residual->net, &job->residual->coll, job->opts.stripes, err));
        TRY(map_to_network(plan, residuals, job->residual, err));
        TRY(plan_times(&plan->summary, plan->schedule, &job->opts.cost, err));
    }
    *out = plan;
    plan = NULL;
done:
    rwa_plan_free(plan);
    return st;
}
