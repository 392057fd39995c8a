/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What is worth its time once others are known: searches, and plans of candidates that only a least time is known of. */
#include "plan/candidates.h"

/** Lightpaths that stay are no quicker than straight ways where each block goes to or comes from one node. */
static bool best_stays(const struct candidates *c, const struct candidate *best)
{
    bool to_one = c->task->coll->kind == RWA_SCATTER || c->task->coll->kind == RWA_GATHER;
    bool large = network_has_arcs(c->task->net) ? task_has_many_nodes(c->task) : !task_is_thorough(c->task);
    return best && scheme_has(best->attempt->scheme, KEEPS_LIGHTPATHS) && large && !to_one && !task_may_refuse(c->task);
}

/** Whether what a search finds may hide its tuning: compositions on networks of many nodes hardly do, but where each block goes to one node
 *  only. */
static bool may_hide_tuning(const struct scheme *scheme, const struct plan_task *t)
{
    rwa_collective_kind kind = t->coll->kind;
    bool to_one = kind == RWA_SCATTER || kind == RWA_GATHER || kind == RWA_ALL_TO_ALL;
    return to_one || !scheme_has(scheme, TAKES_TERM) || !task_has_many_nodes(t);
}

/** Whether what a scheme that searches finds retunes in most steps, which in the model `overlap` hides less than its least time says. */
static bool is_retuned_search(const struct scheme *scheme, const struct plan_task *t)
{
    bool saves = t->opts->cost.model == RWA_COST_CIRCUIT && network_has_arcs(t->net); /* where both ends meet again, some tuning */
    return (t->opts->cost.model == RWA_COST_OVERLAP || saves) && scheme_has(scheme, SEARCHES) && !scheme_has(scheme, KEEPS_LIGHTPATHS) &&
           !may_hide_tuning(scheme, t);
}

double search_margin(const struct candidates *c, const struct candidate *best, const struct scheme *scheme)
{
    const double retuned = 1.25;
    return best_stays(c, best) && is_retuned_search(scheme, c->task) ? retuned : 1;
}

bool is_hopeless(const struct candidates *c, const struct candidate *k, const struct candidate *best)
{
    const double much = 1.15;
    double margin = search_margin(c, best, k->attempt->scheme);
    if (margin > 1)
        return k->estimate.least_s >= best->estimate.time_s / margin;
    if (k->estimate.any_steps || k->attempt->job->thin || k->attempt->job->estimate.blocks > 0) /* or no job */
        return false;
    bool pays = c->task->opts->cost.model == RWA_COST_PAPER, slow = scheme_has(k->attempt->scheme, SLOW) && !network_has_arcs(c->task->net);
    return slow && best_stays(c, best) && !(pays && much * k->estimate.least_s < best->estimate.time_s);
}

rwa_status is_near_bound(bool *near, const struct candidates *c, rwa_error *err)
{
    const double nearly = 1.01;
    const struct candidate *best = candidates_quickest(c);
    double least_s = 0;
    rwa_error why = {.status = RWA_OK};
    *near = best && !task_is_thorough(c->task) && !task_may_refuse(c->task);
    if (!*near)
        return RWA_OK;
    rwa_status st = task_least_time(&least_s, c->task, &why);
    *near = st != RWA_OK || best->estimate.time_s <= nearly * least_s;
    return st == RWA_OK || deadline_ended(c->task->deadline, st) ? RWA_OK : base_fail(err, st, "%s", why.text);
}

bool others_wait(const struct candidates *c)
{
    bool wait = false;
    for (const struct candidate *k = c->list; k < c->list + c->count; k++)
        wait = wait || k->waits;
    return wait && task_is_giant(c->task);
}

/* ---- searches ---- */

/** Whether each channel at a node takes as long as half a step's tuning for its share of a message. */
static bool is_long(const struct plan_task *t)
{
    const rwa_cost_options *cost = &t->opts->cost;
    rwa_cost_prices price;
    return rwa_cost_floor(&price, rwa_network_rate_bps(t->net), cost, NULL) == RWA_OK &&
           price.byte_s * (double)t->coll->message_bytes >= rwa_network_channels(t->net) * cost->reconfig_s;
}

/** Whether a search for compositions hardly finds any that is quicker than other plans.  Of all-gathers in 37 settings on rings of 260 to
 *  2048 nodes and 10 of the time grid none was on more than 300 nodes, and most took 1.3 to 2 times as long as trees, wavefronts and
 *  lightpaths that stay; nor was any reduce-scatter or all-reduce of a long message in 11 settings, one of which takes 1.13 times as long
 *  where it may be composed.  `stays`: lightpaths that stay are quickest so far; of 48 such sums over 64 and 128 channels a composition was
 *  quicker in one, by 0.1 %, but over 4 channels one took 0.75 of the time, over 32 one 0.96. */
static bool is_vain_on_rings(const struct plan_task *t, bool stays)
{
    enum { RING_NODES = 512, MANY_CHANNELS = 64 };
    bool large = network_is_cycle(t->net) && rwa_network_nodes(t->net) > RING_NODES && !task_may_refuse(t);
    bool sums = t->coll->kind == RWA_REDUCE_SCATTER || t->coll->kind == RWA_ALL_REDUCE;
    bool vain = (stays && rwa_network_channels(t->net) >= MANY_CHANNELS) || is_long(t);
    return large && (t->coll->kind == RWA_ALL_GATHER || (sums && vain));
}

/** Whether a search for plans that retune in every step finds none that takes less than lightpaths that stay, which take time_s.  On
 *  networks of many nodes compositions that keep circuits from step to step take no less; in the model `overlap` no composition took less
 *  than half of what it takes without hiding any tuning. */
static rwa_status retunes_in_vain(bool *vain, const struct plan_task *t, double margin, double time_s, rwa_error *err)
{
    const double hidden = 2;
    const rwa_cost_options *cost = &t->opts->cost;
    rwa_plan_options o = *t->opts;
    struct plan_task paid = *t;
    double least_s = 0, paid_s = 0;
    *vain = false;
    if (cost->model == RWA_COST_PAPER || !task_has_many_nodes(t))
        return RWA_OK;
    o.cost.model = RWA_COST_PAPER;
    o.cost.reconfig_s += cost->model == RWA_COST_CIRCUIT ? cost->alpha_s : 0;
    paid.opts = &o;
    if (margin > 1)
        MUST(task_least_time(&least_s, t, err));
    if (t->coll->kind != RWA_BROADCAST) /* whose bound in few steps takes longer, and is far from what trees take */
        MUST(task_least_time(&paid_s, &paid, err));
    if (margin > 1)
        *vain = fmax(least_s, paid_s / hidden) >= time_s / margin;
    else if (cost->model == RWA_COST_CIRCUIT)
        *vain = paid_s >= time_s;
    return RWA_OK;
}

/** Next to the bound only searches for lightpaths that stay, and for trees of what goes to or from one node. */
rwa_status search_is_worth(bool *worth, const struct candidates *c, const struct scheme *scheme, rwa_error *err)
{
    const struct plan_task *t = c->task;
    const struct candidate *best = candidates_quickest(c);
    bool near, vain = false, stays = best_stays(c, best), known = best || t->below_s > 0, keeps = scheme_has(scheme, KEEPS_LIGHTPATHS);
    bool composes = scheme_has(scheme, TAKES_TERM);
    *worth = !(best && task_is_giant(t)) && !others_wait(c) && !(known && composes && is_vain_on_rings(t, stays));
    if (!*worth)
        return RWA_OK;
    MUST(is_near_bound(&near, c, err));
    if (near)
        vain = !keeps && t->coll->kind != RWA_SCATTER && t->coll->kind != RWA_GATHER;
    else if (stays && !keeps)
        MUST(retunes_in_vain(&vain, t, search_margin(c, best, scheme), best->estimate.time_s, err));
    *worth = !vain;
    return RWA_OK;
}
