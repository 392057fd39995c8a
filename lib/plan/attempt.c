/* SPDX-License-Identifier: GPL-3.0-or-later */
/** One scheme on every residual network that suits it: what is known before, and the quickest of its plans. */
#include "plan/plan.h"

#include "bound/bound.h"

/** Whether the scheme plans on a residual network, with whole blocks and one on each lightpath. */
static bool suits_unloaded(const struct scheme *scheme, const struct residual *residual)
{
    return (scheme->needs & network_capabilities(residual->net)) && (!residual->broken || scheme_has(scheme, MENDS)) &&
           (!residual->members || scheme_has(scheme, MENDS | TAKES_MEMBERS));
}

static bool suits(const struct scheme *scheme, const struct residual *residual, const rwa_plan_options *o)
{
    return suits_unloaded(scheme, residual) && (!residual->broken || (o->stripes <= 1 && o->lightpath_blocks <= 1));
}

static rwa_status open_jobs(struct attempt *a, rwa_error *err)
{
    const struct plan_task *t = a->task;
    MUST(residuals_open(&a->residuals, t->net, t->coll, a->opts.members, a->opts.max_hops, a->why, err));
    for (const struct residual *r = a->residuals.list; r < a->residuals.list + a->residuals.count; r++)
        if (suits(a->scheme, r, &a->opts)) {
            a->jobs++;
            MUST(job_open(&a->job[a->jobs - 1], a->scheme, r, &a->opts, t, err));
        }
    return RWA_OK;
}

void attempt_open(struct attempt *a, const struct scheme *scheme, const struct plan_task *task, const rwa_plan_options *opts)
{
    *a = (struct attempt){.scheme = scheme, .task = task, .opts = *opts};
    rwa_status st = open_jobs(a, &a->failure);
    assert(st == a->failure.status);
    (void)st;
}

void attempt_close(struct attempt *a)
{
    for (size_t i = 0; i < a->jobs; i++)
        job_close(&a->job[i]);
    residuals_close(&a->residuals);
}

void attempt_free(struct attempt *a)
{
    if (a)
        attempt_close(a);
    free(a);
}

/* ---- estimate ---- */

bool chose_blocks(const rwa_collective *coll)
{
    return coll->blocks_given || coll->blocks != rwa_collective_default_blocks(coll->kind, coll->nodes);
}

bool attempt_is_own_choice(const struct attempt *a, const rwa_plan_options *given)
{
    return (a->opts.stripes > 1 && given->stripes == 0) || (a->opts.group > 0 && given->group == 0);
}

uint64_t attempt_blocks(const struct attempt *a)
{
    return a->jobs > 0 ? job_blocks(&a->job[0]) : 0;
}

/** Whether the number of steps is known: for the solver that suits the scheme. */
static bool has_steps(const struct job *job)
{
    bool usual = !job->opts.solver || strcmp(job->opts.solver, "auto") == 0;
    return job->estimate.steps > 0 && usual && !job->residual->broken;
}

/** A closed form stands for one run of the scheme unless steps alone count.  How far tuning overlaps, only the schedule says. */
static bool has_closed_form(const struct job *job)
{
    switch (job->opts.cost.model) {
    case RWA_COST_PAPER:
        return has_steps(job);
    case RWA_COST_CIRCUIT:
        return has_steps(job) && !job_is_reversed(job) && job->estimate.reconfigurations > 0;
    case RWA_COST_OVERLAP:
        break;
    }
    return false;
}

/** Stripes side by side take as many steps as one of them, each as long as a part of a block. */
static void add_closed_form(struct plan_estimate *out, const struct job *job)
{
    const struct estimate *e = &job->estimate;
    const rwa_collective *coll = &job->residual->coll;
    const rwa_cost_options *cost = &job->opts.cost;
    uint64_t blocks = job->forward.blocks * (job->thin ? job->opts.stripes : 1);
    rwa_collective cut;
    bool stays = scheme_has(job->scheme, KEEPS_LIGHTPATHS);
    if (e->time_s > 0 && (cost->model != RWA_COST_OVERLAP || stays)) {
        out->steps = e->steps > 0 ? e->steps * job_passes(job) : 1; /* 1: of a composition only the time is known */
        out->blocks = blocks;
        out->time_s = e->time_s * (double)job_passes(job);
        out->time_s -= stays ? (double)(job_passes(job) - 1) * job->price.once_s : 0; /* both passes are tuned once */
    }
    if (out->steps > 0 || !has_closed_form(job) ||
        rwa_collective_init(&cut, coll->kind, coll->nodes, coll->root, coll->message_bytes, blocks, NULL) != RWA_OK)
        return;
    out->steps = e->steps * job_passes(job);
    out->blocks = blocks;
    out->time_s = rwa_cost_steps(out->steps, cut.block_bytes, rwa_network_rate_bps(job_network(job)), cost);
    if (cost->model != RWA_COST_PAPER)
        out->time_s += (double)e->reconfigurations * cost->reconfig_s + (double)e->steps * (cost->alpha_s - cost->reconfig_s);
}

/** With fewer pairs of a node and a block the plan of a scheme that is SLOW takes hardly longer than the bound on its steps. */
#define SLOW_PAIRS 262144.0

/** Steps of any schedule with the blocks of a scheme that is SLOW; 0: not worth looking for. */
static uint64_t bound_of_steps(const struct job *job)
{
    const rwa_collective *coll = &job->residual->coll;
    rwa_collective cut;
    rwa_bound_options bounding;
    rwa_bound best;
    plan_bound_options(&bounding, &job->opts);
    if (!scheme_has(job->scheme, SLOW) || job->thin || job->opts.lightpath_blocks > 1 ||
        (double)job->forward.nodes * (double)job->forward.blocks < SLOW_PAIRS ||
        rwa_collective_init(&cut, coll->kind, coll->nodes, coll->root, coll->message_bytes, job->forward.blocks, NULL) != RWA_OK ||
        rwa_bound_best(&best, job->residual->net, &cut, &bounding, NULL) != RWA_OK)
        return 0;
    return best.value;
}

/** Steps of any schedule with one of the blocks that the scheme plans on each lightpath, by bounds that are found at once; 0: none is
 *  known.  `traits`: of schemes that put no more on a lightpath. */
static uint64_t bound_of_blocks(const struct job *job, unsigned traits)
{
    rwa_bound_options bounding;
    uint64_t steps = 0;
    plan_bound_options(&bounding, &job->opts);
    bool whole = scheme_has(job->scheme, traits) && job->opts.lightpath_blocks <= 1;
    return whole && bound_soon(&steps, job_network(job), &job->forward, &bounding, NULL) == RWA_OK ? steps : 0;
}

/** Whether it is one stripe of several on a network of listed links. */
static bool is_listed_stripe(const struct job *job)
{
    return job->thin && !network_has_arcs(job->thin);
}

/** Models circuit and overlap, on larger networks: in how many steps a wavefront, trees that retune, or stripes on listed links, are
 *  thought to wait for tuning at least.  They do so in nearly all, since they take all channels; on one channel of a ring lightpaths may
 *  stay. */
static double steps_that_wait(const struct attempt *a, uint64_t steps)
{
    const struct job *job = &a->job[0];
    bool wavefront = scheme_has(job->scheme, STRIPES) && rwa_network_channels(job_network(job)) > 1;
    bool fills = (wavefront || scheme_has(job->scheme, RETUNES) || is_listed_stripe(job)) && steps > 1;
    bool tuned = job->opts.cost.model != RWA_COST_PAPER;
    return fills && tuned && !task_is_thorough(a->task) ? (double)(steps - 1) / 2 : 0;
}

/** Of a job that has no closed form; 0: not known. */
static double least_time(struct plan_estimate *out, const struct attempt *a, const struct job *job)
{
    const rwa_cost_options *cost = &job->opts.cost;
    uint64_t steps = (has_steps(job) ? job->estimate.steps : job->estimate.least_steps) * job_passes(job);
    double bytes = (double)job->forward.block_bytes / (job->thin ? job->opts.stripes : 1);
    rwa_cost_prices prices;
    if (!has_steps(job)) {
        bool whole = task_is_thorough(a->task) || is_listed_stripe(job);
        uint64_t bound = whole ? bound_of_blocks(job, SLOW | LAST_RESORT) * job_passes(job) : bound_of_steps(job);
        steps = bound > steps ? bound : steps;
    }
    out->any_steps = steps == 0 && scheme_has(job->scheme, SLOW);
    if (steps == 0 && scheme_has(job->scheme, SLOW) != task_is_thorough(a->task)) /* each pass sends a whole block */
        steps = job_passes(job);
    out->least_steps = steps;
    if (steps == 0 || rwa_cost_floor(&prices, rwa_network_rate_bps(job_network(job)), cost, NULL) != RWA_OK)
        return job->estimate.least_s;
    double block_s = prices.byte_s * bytes;
    double by_steps = prices.once_s + (double)steps * (prices.step_s + block_s);
    double by_scheme = prices.once_s + (double)job_passes(job) * (job->estimate.least_s - prices.once_s);
    bool uneven = scheme_has(job->scheme, RETUNES); /* of its steps the scheme knows each */
    return fmax(by_steps, uneven ? by_scheme : 0) + steps_that_wait(a, steps) * cost->reconfig_s;
}

/** All stripes of what is known of one; orbits stay whole only where the channels of all come round. */
static void add_stripes(struct plan_estimate *out, const struct job *job)
{
    double nodes = job->residual->coll.nodes, stripes = job->opts.stripes;
    bool whole = job->residual->coll.nodes % (rwa_network_channels(job->thin) * job->opts.stripes) == 0;
    out->records *= stripes;
    out->to_check = (whole || out->to_check > nodes * nodes / 2 ? out->to_check : nodes * nodes) * stripes;
}

/** With several residual networks the best is known only when all plans are built, and none takes less than the least of them. */
void attempt_estimate(struct plan_estimate *out, const struct attempt *a)
{
    const struct job *job = &a->job[0];
    *out = (struct plan_estimate){.records = a->failure.status == RWA_OK ? 0 : INFINITY};
    if (a->failure.status != RWA_OK || a->jobs == 0)
        return; /* it will fail, or be refused, at once */
    struct plan_size size = job_size(job);
    bool fits = base_fits_memory(size.bytes, "", NULL) == RWA_OK;
    out->records = fits ? size.records : INFINITY;
    out->to_check = size.to_check;
    if (job->thin)
        add_stripes(out, job);
    bool thorough = task_is_thorough(a->task);
    if (fits && a->residuals.count == 1 && (!job->thin || thorough))
        add_closed_form(out, job);
    for (size_t i = 0; i < a->jobs && out->steps == 0; i++)
        out->least_s = i > 0 ? fmin(out->least_s, least_time(out, a, &a->job[i])) : least_time(out, a, &a->job[i]);
}

double estimate_hope_of_cut(const struct plan_estimate *e)
{
    const double nearest = 1.3;
    return e->least_steps > 0 ? fmax(nearest, 1 + 1.0 / (double)e->least_steps) : nearest;
}

bool attempt_outlasts_search(const struct attempt *a)
{
    bool quick = network_has_arcs(a->task->net) || a->task->coll->kind == RWA_ALL_TO_ALL;
    return scheme_has(a->scheme, SLOW) && !quick && a->jobs > 0 && a->job[0].estimate.least_steps > 0;
}

/* ---- build ---- */

/** No residual network is one for this scheme. */
static void say_unsuited(char *why, const struct attempt *a)
{
    const struct scheme *scheme = a->scheme;
    const struct residuals *c = &a->residuals;
    const rwa_plan_options *o = &a->opts;
    const char *kind = rwa_topology_name(rwa_network_topology(c->list[0].net)), *with = scheme_is_open(o) ? "" : "scheme auto with ";
    for (size_t i = 0; i < c->count; i++)
        if (suits_unloaded(scheme, &c->list[i])) {
            snprintf(why, RWA_ERROR_TEXT, "scheme %s puts one block on a lightpath on what is left of this network; load_factor 1 "
                     "would do", scheme->name);
            return;
        }
    if (o->lightpath_blocks > 1)
        snprintf(why, RWA_ERROR_TEXT, "no scheme puts several blocks on a lightpath on the %s that is left of this network; "
                 "%sload_factor 1 would do", kind, with);
    else if (o->stripes > 1 && c->list[0].broken)
        snprintf(why, RWA_ERROR_TEXT, "no scheme puts blocks in stripes around what failed or is reserved on this %s; %sload_factor 1 "
                 "would do", kind, with);
    else if (scheme_is_open(o))
        snprintf(why, RWA_ERROR_TEXT, "no scheme plans on what failed links, reserved channels and nodes that take no part leave of this "
                 "%s", kind);
    else if (c->list[0].broken || rwa_network_topology(c->list[0].net) == RWA_GRAPH)
        snprintf(why, RWA_ERROR_TEXT, "scheme %s does not plan around failed links, reserved channels or nodes that take no part of a "
                 "%s; scheme auto would help, if any can", scheme->name, rwa_topology_name(rwa_network_topology(a->task->net)));
    else
        snprintf(why, RWA_ERROR_TEXT, "a %s is left of this network, on which scheme %s does not plan; scheme auto would help, if any "
                 "can", kind, scheme->name);
}

static rwa_status refuse_all(rwa_plan **out, const struct attempt *a, rwa_error *err)
{
    MUST(plan_create(out, a->scheme->name, err));
    (*out)->unsuited = a->why[0] == '\0';
    if ((*out)->unsuited)
        say_unsuited((*out)->summary.why, a);
    else
        memcpy((*out)->summary.why, a->why, RWA_ERROR_TEXT);
    plan_refuse(*out);
    return RWA_OK;
}

/** The quicker one of two plans, the first of equals, or the one that is not refused. */
static void keep_quicker(rwa_plan **best, rwa_plan *next)
{
    assert(next);
    bool better = !*best || (next->schedule && (!(*best)->schedule || next->summary.time_s < (*best)->summary.time_s));
    plan_keep_one(best, next, better);
}

/** A scheme that chooses the load of its lightpaths itself is refused where that is more than the caller allows. */
static void keep_to_load(rwa_plan *plan, const struct attempt *a)
{
    uint32_t most = a->task->opts->lightpath_blocks, load = plan->schedule ? rwa_schedule_lightpath_blocks(plan->schedule) : 0;
    if (most == 0 || load <= most)
        return;
    snprintf(plan->summary.why, RWA_ERROR_TEXT, "scheme %s puts up to %u blocks on a lightpath, more than the load_factor allows; "
             "scheme auto, or no load_factor, would do", a->scheme->name, load);
    plan_refuse(plan);
}

rwa_status attempt_build(rwa_plan **out, const struct attempt *a, rwa_error *err)
{
    double begin = base_now_s();
    rwa_plan *best = NULL, *next = NULL;
    rwa_status st = RWA_OK;
    *out = NULL;
    if (a->failure.status != RWA_OK)
        return base_fail(err, a->failure.status, "%s", a->failure.text);
    for (size_t i = 0; i < a->jobs; i++) {
        struct job job = a->job[i];
        if (job.anyhow && best && best->schedule)
            job.below_s = fmin(job.below_s, best->summary.time_s / (double)job_passes(&job));
        for (size_t set = 0; set < job_sets(&job); set++) {
            TRY(job_build(&next, &job, set, &a->residuals, err));
            keep_to_load(next, a);
            keep_quicker(&best, next);
        }
    }
    if (!best)
        TRY(refuse_all(&best, a, err));
    best->summary.plan_s = base_now_s() - begin;
    assert(best->schedule || best->summary.why[0] != '\0');
    *out = best;
    best = NULL;
done:
    rwa_plan_free(best);
    return st;
}

rwa_status attempt_once(rwa_plan **out, const struct scheme *scheme, const struct plan_task *task, const rwa_plan_options *opts,
                        rwa_error *err)
{
    struct attempt a;
    attempt_open(&a, scheme, task, opts);
    rwa_status st = attempt_build(out, &a, err);
    attempt_close(&a);
    return st;
}
