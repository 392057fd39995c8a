/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The time of a schedule in a cost model, computed step by step; an epoch ends where steps do not fit together. */
#include "check/timing.h"

static double transfer_s(const struct checker *chk, uint64_t bytes)
{
    const struct timing *t = chk->timing;
    double packets = ceil((double)bytes / (double)t->cost.packet_bytes);
    double flits = ceil((double)t->cost.packet_bytes / (double)t->cost.flit_bytes);
    return (double)bytes * 8 / t->rate_bps + packets * flits * t->cost.cycles_per_flit / t->cost.clock_hz;
}

COMPARATOR(by_step, struct ended, UP(step))

/** Return when a step ended, in seconds; 0 for step 0.  The step must be in the list of ended steps. */
static double end_of(const struct timing *t, uint32_t step)
{
    struct ended key = {step, 0};
    const struct ended *found = step > 0 ? bsearch(&key, t->ended, t->ended_count, sizeof key, by_step) : &key;
    assert(found);
    return found->end_s;
}

/** Record that step `step` has ended at chk->timing->end_s, and that all steps before it have ended.  RWA_NOMEM. */
static rwa_status note_end(struct checker *chk, uint32_t step)
{
    struct timing *t = chk->timing;
    t->steps = step;
    if (t->cost.model != RWA_COST_OVERLAP)
        return RWA_OK;
    return base_append(t->ended, t->ended_count, chk->err, (struct ended){step, t->end_s});
}

static void advance(struct epochs *e, uint32_t step, uint32_t unfit)
{
    if (unfit >= e->first) {
        e->first = step;
        e->count++;
    }
}

/** Take into account, in chk->timing, the epoch ends that the header demands and the link failures, up to step `step`.
 *  If the header ends an epoch before step s, `unfit` becomes at least s - 1.  A link failure ends an epoch only if a
 *  fresh lightpath (one that no earlier step had) follows.  Until then there are two counts of epochs: `epochs` without
 *  this end, `split` with it. */
static void pass_cuts(const struct checker *chk, uint32_t step)
{
    struct timing *t = chk->timing;
    for (; t->cuts_passed < chk->cut_count && chk->cuts[t->cuts_passed] <= step; t->cuts_passed++)
        RAISE(t->unfit, chk->cuts[t->cuts_passed] - 1);
    for (; t->failures_passed < t->failure_count && t->failures[t->failures_passed] <= step; t->failures_passed++) {
        t->split = t->undecided ? t->split : t->epochs;
        t->split.first = 0;
        t->undecided = true;
    }
}

/** Put a step into the current epoch or, if t->unfit (the last step with which it does not fit together) lies in that
 *  epoch, begin a new one.  Do so in both counts of epochs: t->epochs, and t->split, which also ends an epoch at each
 *  link failure since the last fresh lightpath.  If the step has a fresh lightpath, t->split replaces t->epochs. */
static void find_epoch(struct timing *t, uint32_t step)
{
    advance(&t->epochs, step, t->unfit);
    advance(&t->split, step, t->unfit);
    if (t->undecided && t->fresh) {
        t->epochs = t->split;
        t->undecided = false;
    }
}

/** Return when the current step begins, in seconds.  In the model `circuit` reconfigurations do not count here:
 *  timing_report() adds one for each epoch.  In the model `overlap`, raise t->unfit if a fresh lightpath follows a link
 *  failure. */
static double begin_s(struct timing *t)
{
    const rwa_cost_options *o = &t->cost;
    if (o->model == RWA_COST_PAPER)
        return t->end_s + o->reconfig_s;
    if (o->model == RWA_COST_CIRCUIT)
        return t->end_s + o->alpha_s;
    if (t->fresh && t->failures_passed > 0)
        RAISE(t->unfit, t->failures[t->failures_passed - 1] - 1);
    return fmax(t->end_s + o->alpha_s, end_of(t, t->unfit) + o->reconfig_s);
}

static rwa_status end_step(struct checker *chk)
{
    struct timing *t = chk->timing;
    uint32_t step = t->steps + 1;
    pass_cuts(chk, step);
    find_epoch(t, step);
    uint64_t bytes = chk->coll->block_bytes * (t->blocks > 0 ? t->blocks : 1);
    t->end_s = begin_s(t) + transfer_s(chk, bytes);
    t->fullest_bytes += bytes;
    t->fresh = false;
    t->blocks = 0;
    return note_end(chk, step);
}

rwa_status timing_end_step(struct checker *chk)
{
    return has_no_time(chk) ? RWA_OK : end_step(chk);
}

rwa_status timing_skip_to(struct checker *chk, uint32_t step)
{
    struct timing *t = chk->timing;
    if (has_no_time(chk))
        return RWA_OK;
    /* All steps without lightpaths take equally long, except the first step and those before which an epoch is cut. */
    uint64_t bytes = chk->coll->block_bytes;
    double pause_s = (t->cost.model == RWA_COST_PAPER ? t->cost.reconfig_s : t->cost.alpha_s) + transfer_s(chk, bytes);
    while (t->steps + 1 < step) {
        bool cut = t->cuts_passed < chk->cut_count && chk->cuts[t->cuts_passed] < step;
        uint32_t last = (cut ? chk->cuts[t->cuts_passed] : step) - 1;
        if (t->steps == 0 || t->steps == last) {
            MUST(end_step(chk));
        } else {
            t->end_s += (last - t->steps) * pause_s;
            t->fullest_bytes += (last - t->steps) * bytes;
            MUST(note_end(chk, last));
        }
    }
    return RWA_OK;
}

/** Tell whether a node may still have a port tuned to a user (lightpath) that used it last in step `used`.  It may if
 *  the users that came after that step are fewer than its ports.  True if `of` is NULL: ports are not limited. */
static bool keeps_port(const struct timing *t, const struct recent_users *of, uint32_t node, uint32_t used)
{
    return !of || of[node].count < t->ports || of[node].at[t->ports - 1].step <= used;
}

bool timing_keeps_ports(const struct checker *chk, const struct lit_path *path, uint32_t used)
{
    const struct timing *t = chk->timing;
    bool keeps = keeps_port(t, t->out, path->lp.src, used) && keeps_port(t, t->in, path->lp.dst, used);
    for (uint32_t k = 0; k < path->tap_count; k++)
        keeps = keeps && keeps_port(t, t->in, path->taps[k], used);
    return keeps;
}

bool timing_has_epochs(const struct checker *chk)
{
    return !has_no_time(chk) && chk->timing->cost.model != RWA_COST_PAPER;
}

bool timing_settled(uint32_t *last, bool *together, const struct checker *chk)
{
    const struct timing *t = chk->timing;
    bool epochs = timing_has_epochs(chk), circuit = epochs && t->cost.model == RWA_COST_CIRCUIT;
    *together = circuit || !epochs;
    *last = circuit ? t->epochs.first - 1 : epochs ? t->unfit : UINT32_MAX;
    return !circuit || !t->undecided;
}

void timing_report(struct checker *chk)
{
    const struct timing *t = chk->timing;
    if (!t || chk->report->violations > 0)
        return;
    chk->report->fullest_bytes = t->fullest_bytes;
    chk->report->epochs = t->cost.model == RWA_COST_CIRCUIT ? t->epochs.count : 0;
    chk->report->time_s = t->end_s + (double)chk->report->epochs * t->cost.reconfig_s;
}
