/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Scheme "auto": a time for every scheme that fits, whole or with blocks in stripes or merged, from a closed form or from its
 * plan; then the quickest is built and checked until one meets the limits.  A candidate that is too large to build only for
 * comparison waits, unless none before it in the table is feasible, until all others have failed.
 */
#include "plan/candidates.h"

/** Plans built for comparison have up to so many records, where these are not counted so many pairs of a node and a block; checked ones so
 *  many lightpaths; once one is feasible, so many records together. */
#define LISTED_MOST 2097152.0
#define HOLDINGS_MOST 16777216.0
#define LAST_RESORT_MOST 4096.0
#define RECORDS_MOST 33554432.0
#define COMPARED_MOST 8388608.0
#define CHECKED_MOST 134217728.0
/** The power of plans is checked as long as they have no more pairs of a signal and a receiver that it may reach together: seconds. */
#define LIT_MOST 268435456.0

static void candidates_close(struct candidates *c)
{
    for (size_t i = 0; i < c->count; i++) {
        rwa_plan_free(c->list[i].plan);
        attempt_free(c->list[i].attempt);
    }
    free(c->list);
}

/* ---- build and check ---- */

/** A plan's own figures take the place of the estimate. */
static void note_plan(struct candidate *k)
{
    const rwa_schedule *sched = k->plan->schedule;
    if (!sched)
        return;
    k->built = true;
    k->estimate.steps = rwa_schedule_steps(sched);
    assert(k->estimate.steps > 0 && k->plan->summary.time_s >= 0);
    k->estimate.blocks = rwa_schedule_collective(sched)->blocks;
    k->estimate.time_s = k->plan->summary.time_s;
    k->stripes = k->plan->summary.stripes;
    k->lightpath_blocks = scheme_has(k->attempt->scheme, MERGES) ? k->plan->summary.lightpath_blocks : 1;
}

static void leave_out(struct candidate *k)
{
    rwa_plan_free(k->plan);
    k->plan = NULL;
    k->waits = false;
    k->estimate.steps = 0;
}

/** Leave out what the time is too short for; others may be quicker to plan. */
static bool is_hurried(struct candidates *c, struct candidate *k, rwa_status st)
{
    if (!deadline_ended(c->task->deadline, st) && !(scheme_is_open(c->task->opts) && work_was_limited(c->task->opts, st)))
        return false;
    leave_out(k);
    return c->hurried = true;
}

static rwa_status build_candidate(struct candidates *c, struct candidate *k, rwa_error *err)
{
    rwa_error why = {.status = RWA_OK};
    assert(!k->plan && !k->checked);
    c->compared += isfinite(k->estimate.records) ? k->estimate.records : 0; /* infinite: opening it failed, and so will this */
    rwa_status st = deadline_passed(c->task->deadline) ? RWA_CANCELLED : attempt_build(&k->plan, k->attempt, &why);
    k->waits = false;
    if (st == RWA_OK) {
        note_plan(k);
    } else if (is_hurried(c, k, st) || (st == RWA_BADARG && attempt_is_own_choice(k->attempt, c->task->opts))) {
        k->estimate.steps = 0;
    } else if (st == RWA_BADARG && (chose_blocks(c->task->coll) || c->last_chance)) {
        k->estimate.steps = 0;
        c->refusal = c->refusal.status == RWA_OK ? why : c->refusal;
    } else {
        return base_fail(err, st, "%s", why.text);
    }
    return RWA_OK;
}

bool candidate_is_feasible(const struct candidate *k)
{
    return !k->waits && (k->plan ? k->plan->schedule != NULL : k->estimate.steps > 0);
}

static bool is_large(const struct candidates *c, const struct candidate *k, bool any)
{
    const struct attempt *a = k->attempt;
    bool counted = a->jobs > 0 && a->job[0].estimate.records > 0;
    double most = scheme_has(a->scheme, LAST_RESORT) ? LAST_RESORT_MOST : counted ? RECORDS_MOST : LISTED_MOST;
    double holdings = a->jobs > 0 && !counted ? (double)a->job[0].forward.nodes * (double)a->job[0].forward.blocks : 0;
    most = any && counted ? fmin(most, COMPARED_MOST - c->compared) : most;
    return k->estimate.records > most || holdings > HOLDINGS_MOST || k->estimate.to_check > CHECKED_MOST;
}

/** Whether a plan of this time is of interest: "auto" looks for one that takes less than what contains it. */
static bool is_below(const struct candidates *c, double time_s)
{
    return c->task->below_s == 0 || time_s < c->task->below_s * (1 - ROUNDING);
}

struct candidate *candidates_quickest(const struct candidates *c)
{
    struct candidate *best = NULL;
    for (struct candidate *k = c->list; k < c->list + c->count; k++)
        if (candidate_is_feasible(k) && is_below(c, k->estimate.time_s) &&
            (!best || k->estimate.time_s < best->estimate.time_s * (1 - ROUNDING)))
            best = k;
    return best;
}

/** Whether the power of a plan may be checked still; else it waits. */
static bool is_worth_its_light(struct candidates *c, struct candidate *k)
{
    double pairs = k->plan && k->plan->schedule ? task_lit_pairs(c->task, k->plan->schedule) : 0;
    if (c->lit + pairs > LIT_MOST && !c->last_chance) {
        leave_out(k);
        k->waits = true;
        return false;
    }
    c->lit += pairs;
    return true;
}

static rwa_status check_candidate(struct candidates *c, struct candidate *k, rwa_error *err)
{
    rwa_error why = {.status = RWA_OK};
    rwa_status st = RWA_OK;
    if (!k->plan)
        TRY(build_candidate(c, k, err));
    if (!is_worth_its_light(c, k))
        return RWA_OK;
    if (k->plan)
        st = fit_power_budget(&k->plan, k->attempt, &why);
    k->checked = st == RWA_OK;
    if (!is_hurried(c, k, st) && st != RWA_OK)
        return base_fail(err, st, "%s", why.text);
    if (k->plan)
        note_plan(k);
    return RWA_OK;
done:
    return st;
}

/** Whether the check of a plan waits until no part of a larger collective's is quicker: it refuses nothing, and its time is known. */
static bool is_put_off(const struct candidates *c, const struct candidate *k)
{
    bool timed = c->task->opts->cost.model != RWA_COST_OVERLAP || (k->plan && !isnan(k->plan->summary.overlap_s));
    return !task_may_refuse(c->task) && (c->task->below_s > 0 || (timed && !task_has_limit(c->task)));
}

/** Build and check the quickest until one that has been checked, or need not yet be, is the quickest: which, or NULL. */
static rwa_status check_in_turn(struct candidates *c, struct candidate **winner, rwa_error *err)
{
    while ((*winner = candidates_quickest(c)) && !(*winner)->checked && !((*winner)->plan && is_put_off(c, *winner)))
        MUST(((*winner)->plan ? check_candidate : build_candidate)(c, *winner, err));
    return RWA_OK;
}

/** With a time limit, check the quickest at once: later candidates may use up the time. */
static rwa_status secure(struct candidates *c, rwa_error *err)
{
    struct candidate *k = task_has_limit(c->task) ? candidates_quickest(c) : NULL;
    return k && !k->checked ? check_candidate(c, k, err) : RWA_OK;
}

/** Free the schedules of slower plans.  Where a limit may refuse the quickest plan they stay: one of them may be next. */
static void drop_slower(struct candidates *c)
{
    const struct candidate *best = candidates_quickest(c);
    if (task_may_refuse(c->task) || (task_has_limit(c->task) && best && !best->checked))
        return;
    for (struct candidate *k = c->list; k < c->list + c->count; k++)
        if (k != best && k->plan && k->plan->schedule) {
            rwa_plan_free(k->plan);
            k->plan = NULL;
        }
}

/** A candidate without a closed form is built at once, unless it is large and another is feasible or may be. */
static rwa_status estimate_one(struct candidates *c, struct candidate *k, bool any, rwa_error *err)
{
    k->waits = k->estimate.steps > 0 ? any && k->estimate.to_check > CHECKED_MOST : (any || c->more) && is_large(c, k, any);
    if (k->estimate.steps == 0 && !k->waits)
        MUST(build_candidate(c, k, err));
    if (k->plan)
        MUST(secure(c, err));
    drop_slower(c);
    return RWA_OK;
}

/** Of the candidates that wait with a least time, the first of equals; NULL: none is left that may be quicker than all that are known. */
static struct candidate *most_promising(const struct candidates *c)
{
    const struct candidate *best = candidates_quickest(c);
    struct candidate *next = NULL;
    for (struct candidate *k = c->list; k < c->list + c->count; k++) {
        bool later = c->more && (attempt_outlasts_search(k->attempt) || !task_is_thorough(c->task));
        double least_s = k->estimate.least_s * (k->cut ? estimate_hope_of_cut(&k->estimate) : 1);
        bool hopes = is_below(c, least_s) && (!best || least_s < best->estimate.time_s);
        if (k->unknown && !later && hopes && (!next || k->estimate.least_s < next->estimate.least_s))
            next = k;
    }
    return next;
}

/** Where a limit may refuse the quickest, only a checked one rules out what takes longer. */
static rwa_status settle(struct candidates *c, rwa_error *err)
{
    struct candidate *best;
    return task_may_refuse(c->task) ? check_in_turn(c, &best, err) : RWA_OK;
}

/** Slow schemes look only for quicker plans than the best so far on larger networks, and where blocks follow each other: that ends tries
 *  which would lead to some.  In other numbers of blocks any plan may lead to a quicker one, on more than AIMED_NODES to one of much
 *  fewer steps. */
static void limit_search(const struct candidates *c, struct candidate *k)
{
    enum { AIMED_NODES = 64 };
    const struct candidate *best = candidates_quickest(c);
    bool final = best ? best->checked || !task_may_refuse(c->task) : k->cut && c->task->below_s > 0;
    bool slow = scheme_has(k->attempt->scheme, SLOW) && (c->task->coll->nodes <= AIMED_NODES || !k->cut);
    bool limited = final && slow && !c->last_chance && !k->estimate.any_steps;
    double limit_s = best ? best->estimate.time_s : c->task->below_s;
    for (struct job *job = k->attempt->job; job < k->attempt->job + k->attempt->jobs && limited; job++) {
        job->anyhow = k->cut;
        if (!task_is_thorough(c->task) || (job->estimate.blocks > 0 && job->forward.kind == RWA_BROADCAST))
            job->below_s = limit_s / (double)job_passes(job);
    }
}

/** Build candidates of which only the least time is known, as long as one may be quicker than all that are known. */
static rwa_status build_promising(struct candidates *c, rwa_error *err)
{
    struct candidate *next;
    while ((next = most_promising(c))) {
        next->unknown = false;
        limit_search(c, next);
        MUST(estimate_one(c, next, candidates_quickest(c) != NULL, err));
        MUST(settle(c, err));
    }
    return RWA_OK;
}

/** Candidates from one on; those of which only the least time is known come last, and wait where another is quicker than that. */
static rwa_status estimate_from(struct candidates *c, size_t from, rwa_error *err)
{
    for (struct candidate *k = c->list + from; k < c->list + c->count; k++) {
        attempt_estimate(&k->estimate, k->attempt);
        bool too_many = k->attempt->jobs > 0 && job_has_too_many(&k->attempt->job[0]);
        k->waits = k->unknown = k->estimate.least_s > 0 && !too_many;
        if (too_many)
            leave_out(k);
        else if (!k->waits)
            MUST(estimate_one(c, k, candidates_quickest(c) != NULL, err));
    }
    MUST(settle(c, err));
    return build_promising(c, err);
}

/** The schemes that search come last, one by one, and look only for what is quicker. */
static rwa_status estimate_searching(struct candidates *c, rwa_error *err)
{
    for (size_t i = 0; i < scheme_count; i++) {
        const struct candidate *best = candidates_quickest(c);
        size_t from = c->count;
        bool worth;
        if (!scheme_has(schemes[i], SEARCHES))
            continue;
        c->more = c->more && !is_last_that_searches(i);
        MUST(search_is_worth(&worth, c, schemes[i], err));
        if (!worth)
            continue;
        c->searching.below_s = best ? best->estimate.time_s * (1 - ROUNDING) : c->searching.below_s;
        MUST(candidates_list(c, c->task, schemes[i], err));
        MUST(estimate_from(c, from, err));
    }
    return RWA_OK;
}

/** With a time limit something is feasible before the searches begin: they may use up the time. */
static rwa_status secure_any(struct candidates *c, rwa_error *err)
{
    for (size_t i = 0; i < c->count && task_has_limit(c->task) && c->task->below_s == 0 && !candidates_quickest(c); i++)
        if (c->list[i].unknown) {
            c->list[i].unknown = false;
            MUST(estimate_one(c, &c->list[i], false, err));
        }
    return secure(c, err);
}

static rwa_status estimate_all(struct candidates *c, rwa_error *err)
{
    c->searching = *c->task;
    c->more = scheme_is_open(c->task->opts) && c->task->opts->stripes == 0 && c->task->opts->lightpath_blocks == 0;
    MUST(candidates_list(c, c->task, NULL, err));
    MUST(estimate_from(c, 0, err));
    MUST(secure_any(c, err));
    return estimate_searching(c, err);
}

/** The quickest, checked: which, or NULL.  One that takes longer than its estimate leaves a chance to those whose time is unknown. */
static rwa_status check_quickest(struct candidates *c, struct candidate **winner, rwa_error *err)
{
    struct candidate *next;
    MUST(check_in_turn(c, winner, err));
    while ((next = most_promising(c))) {
        next->unknown = false;
        limit_search(c, next);
        MUST(estimate_one(c, next, *winner || others_wait(c), err));
        MUST(check_in_turn(c, winner, err));
    }
    return RWA_OK;
}

/** When all others have failed, those that wait. */
static rwa_status try_waiting(struct candidates *c, struct candidate **winner, rwa_error *err)
{
    c->last_chance = true;
    for (struct candidate *k = c->list; k < c->list + c->count && !*winner; k++) {
        if (!k->waits)
            continue;
        MUST(build_candidate(c, k, err));
        MUST(check_in_turn(c, winner, err));
    }
    return RWA_OK;
}

/* ---- what contains the collective ---- */

/** A plan made of others that takes less than the winner, checked; NULL: there is none, or time is over. */
static rwa_status find_part(rwa_plan **part, const struct candidates *c, const struct candidate *winner, rwa_error *err)
{
    rwa_error why = {.status = RWA_OK};
    rwa_status st = plan_checked_part(part, c->task, winner->estimate.time_s, &why);
    return st == RWA_OK || deadline_ended(c->task->deadline, st) ? RWA_OK : base_fail(err, st, "%s", why.text);
}

/** Report the winner, checked, or a part beside it.  When time is over while larger collectives are planned, the winner is the answer. */
static rwa_status report_quickest(rwa_plan **out, struct candidates *c, struct candidate *winner, rwa_error *err)
{
    rwa_plan *part = NULL, *slower;
    rwa_status st = RWA_OK;
    if (winner)
        TRY(find_part(&part, c, winner, err));
    if (winner && !part && !winner->checked)
        TRY(check_candidate(c, winner, err));
    if (winner && !winner->plan) /* time was over before its check */
        TRY(base_fail(err, RWA_CANCELLED, "planning was stopped"));
    TRY(candidates_report(out, c, winner, err));
    if (part) {
        slower = *out;
        part->summary.plan_s += slower->summary.plan_s;
        report_beside(part, slower, winner);
        *out = part;
        part = slower;
    }
done:
    rwa_plan_free(part);
    return st;
}

/** The quickest plan below the task's limit, if there is one. */
static rwa_status report_below(rwa_plan **out, struct candidates *c, rwa_error *err)
{
    struct candidate *best = NULL;
    MUST(check_in_turn(c, &best, err));
    if (best) {
        *out = best->plan;
        best->plan = NULL;
    }
    return RWA_OK;
}

rwa_status plan_quickest(rwa_plan **out, const struct plan_task *task, rwa_error *err)
{
    struct candidates c = {.task = task};
    struct candidate *winner = NULL;
    rwa_status st = RWA_OK;
    *out = NULL;
    TRY(estimate_all(&c, err));
    if (task->below_s > 0) {
        TRY(report_below(out, &c, err));
        goto done;
    }
    TRY(check_quickest(&c, &winner, err));
    TRY(try_waiting(&c, &winner, err));
    if (!winner && (c.hurried || deadline_passed(task->deadline)))
        TRY(base_fail(err, RWA_CANCELLED, "planning was stopped"));
    TRY(report_quickest(out, &c, winner, err));
done:
    candidates_close(&c);
    return st;
}
