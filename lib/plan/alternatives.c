/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Report the result of a queue: the plan and its alternatives by time, or the reason why there is no plan. */
#include "plan/queue.h"

COMPARATOR(quicker_first, rwa_alternative, UP(time_s))

/** Write into why[] (RWA_ERROR_TEXT bytes) that no residual network suits the scheme asked for (auto: any scheme), and
 * advise scheme auto instead of a scheme, load_factor 1 instead of stripes.  A residual network is what failures,
 * reserved channels and members leave of the network. */
static void say_unsuited(char *why, const struct queue *q)
{
    const rwa_plan_options *o = q->task->opts;
    bool open = scheme_is_open(o);
    if (o->stripes > 1)
        snprintf(why, RWA_ERROR_TEXT,
                 "blocks in stripes are not planned on what is left of this network; %sload_factor 1 would do",
                 open ? "" : "scheme auto with ");
    else
        snprintf(why, RWA_ERROR_TEXT,
                 "scheme %s does not plan around these failed links, reserved channels or nodes that take no part%s",
                 open ? "auto" : q->unsuited->name, open ? "" : "; try scheme auto");
}

/** Report why no candidate has a plan.  *out becomes the first refused plan, whose report has the reason.  If there is
 * none, *out is an empty plan that says why no scheme can plan on what is left of the network.  RWA_BADARG: the
 * schemes refuse the blocks or options, or would exceed the limits on size */
static rwa_status report_refusal(rwa_plan **out, struct queue *q, rwa_error *err)
{
    for (size_t i = 0; i < q->count; i++)
        if (q->list[i]->plan) {
            *out = q->list[i]->plan;
            q->list[i]->plan = NULL;
            return RWA_OK;
        }
    if (q->refusal.status != RWA_OK || !q->unsuited)
        return base_refuse(err, "%s", q->refusal.status != RWA_OK ? q->refusal.text : "no scheme has a plan so small");
    MUST(plan_create(out, q->unsuited->name, err));
    if (q->why[0] == '\0')
        say_unsuited((*out)->summary.why, q);
    else
        memcpy((*out)->summary.why, q->why, RWA_ERROR_TEXT);
    plan_refuse(*out);
    return RWA_OK;
}

static bool is_same(const struct candidate *k, const rwa_alternative *a)
{
    return a->steps == k->rating.steps && a->blocks == k->rating.blocks && strcmp(a->scheme, k->scheme->name) == 0;
}

static rwa_alternative as_alternative(const struct candidate *k)
{
    return (rwa_alternative){k->scheme->name,  (uint32_t)k->rating.steps, k->rating.blocks,
                             k->rating.time_s, k->opts.stripes,           k->load,
                             k->opts.group};
}

/** Tell whether steps and time of the candidate's plan are known, and no limit (power, hops, ports, load) can still
 * refuse it. */
static bool is_valid(const struct queue *q, const struct candidate *k)
{
    bool checked = k->state == CHECKED || (k->state != OUT && !task_may_refuse(q->task));
    return k->scheme && checked && k->rating.time_s > 0 && k->rating.steps > 0;
}

/** List the other valid candidates in winner->plan, as alternatives of this plan, the quickest first.  Candidates of
 * one scheme with the same steps and number of blocks count as one. */
static void report_alternatives(const struct queue *q, const struct candidate *winner)
{
    rwa_plan_report *sum = &winner->plan->summary;
    rwa_alternative *list = winner->plan->alternative, own = {.scheme = ""};
    if (winner->scheme)
        own = as_alternative(winner);
    for (size_t i = 0; i < q->count && sum->alternatives < ALTERNATIVES_MAX; i++) {
        const struct candidate *k = q->list[i];
        bool listed = k != winner && is_valid(q, k) && !is_same(k, &own);
        for (size_t a = 0; a < sum->alternatives; a++)
            listed = listed && !is_same(k, &list[a]);
        if (listed)
            list[sum->alternatives++] = as_alternative(k);
    }
    qsort(list, sum->alternatives, sizeof *list, quicker_first);
}

/** Tell whether the candidate's plan is valid and sends the task's blocks whole, one on each lightpath. */
static bool sends_whole_blocks(const struct queue *q, const struct candidate *k)
{
    return is_valid(q, k) && k->opts.stripes <= 1 && k->load == 1 && k->rating.blocks == q->task->coll->blocks;
}

static void report_fewest(const struct queue *q, rwa_plan_report *sum)
{
    for (size_t i = 0; i < q->count; i++)
        if (sends_whole_blocks(q, q->list[i]))
            plan_note_fewest(sum, as_alternative(q->list[i]));
}

static bool is_dark(const struct candidate *k)
{
    return k->plan && k->plan->summary.check->power.verdict == RWA_FAIL;
}

/** Fill in the report on a scheme that has no valid candidate: the reason, or else a lower bound on the time of its
 * plan.
 * @param k           the candidate of this scheme to report on; NULL: the scheme has none
 * @param unsearched  why searches were left out */
static void say_left_out(rwa_left_out *to, const struct scheme *scheme, const struct candidate *k,
                         const char *unsearched)
{
    const char *why = "";
    *to = (rwa_left_out){.scheme = scheme->name};
    if (!k || (k->state == OUT && !k->plan))
        why = "not for these options, or not for what is left of the network";
    else if (k->state == OUT && !is_dark(k))
        why = k->plan->summary.why;
    else if (k->state == OUT) {
        const rwa_plan_report *s = &k->plan->summary;
        snprintf(to->why, sizeof to->why, "a plan on %u wavelength%s %s",
                 s->wavelengths_used, plural(s->wavelengths_used),
                 s->check->power.margin_db < 0 ? "receives too little power" : "has too much crosstalk");
        return;
    } else if (k->state == UNRATED)
        why = unsearched;
    else if (k->rating.least_s >= NO_PLAN_S)
        why = "searched, no quicker plan found";
    else if (k->rating.time_s > 0)
        why = k->opts.objective == RWA_FEWEST_STEPS ? "no fewer steps, so not checked" : "slower, so not checked";
    else
        to->least_s = k->rating.least_s;
    snprintf(to->why, sizeof to->why, "%s", why);
}

static void report_left_out(const struct queue *q, rwa_plan *plan)
{
    double gap = isfinite(q->bound_s) && q->bound_s > 0 ? plan->summary.time_s / q->bound_s - 1 : INFINITY;
    const char *unsearched = gap > NEARLY     ? "not searched, as that would take long"
                             : gap > ROUNDING ? "not searched, as less than 1 % can be gained"
                                              : "not searched, as nothing can be gained";
    for (size_t i = 0; i < scheme_count && plan->left_outs < LEFT_OUT_MAX; i++) {
        const struct candidate *least = NULL;
        bool known = !scheme_is_open(q->task->opts) || !scheme_is_wanted(schemes[i], q->task);
        for (size_t c = 0; c < q->count; c++) {
            const struct candidate *k = q->list[c];
            if (k->scheme != schemes[i])
                continue;
            known = known || is_valid(q, k);
            if (is_dark(k) && k->rating.time_s < plan->summary.time_s) {    /* the slower plans are no reason */
                known = false;
                least = k;
                break;
            }
            if (!least || least->state == OUT || (k->state != OUT && k->rating.least_s < least->rating.least_s))
                least = k;
        }
        if (!known)
            say_left_out(&plan->left_out[plan->left_outs++], schemes[i], least, unsearched);
    }
}

rwa_status queue_report(rwa_plan **out, struct queue *q, struct candidate *winner, rwa_error *err)
{
    if (!winner)
        return report_refusal(out, q, err);
    report_alternatives(q, winner);
    report_fewest(q, &winner->plan->summary);
    report_left_out(q, winner->plan);
    assert(winner->plan && winner->plan->schedule);
    *out = winner->plan;
    winner->plan = NULL;
    return RWA_OK;
}
