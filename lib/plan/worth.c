/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Which searches are worth their time once others are known. */
#include "plan/candidates.h"

/** Whether, on larger networks, no plan takes much less than the best so far.  Also when the caller's time is over, since none will be
 *  found. */
static rwa_status is_near_bound(bool *near, const struct candidates *c, const struct candidate *best, rwa_error *err)
{
    const double nearly = 1.01;
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

/** Next to the bound only searches for lightpaths that stay, and for trees of what goes to or from one node. */
rwa_status search_is_worth(bool *worth, const struct candidates *c, const struct scheme *scheme, rwa_error *err)
{
    const struct candidate *best = candidates_quickest(c);
    rwa_collective_kind kind = c->task->coll->kind;
    bool near, finds = scheme_has(scheme, KEEPS_LIGHTPATHS) || kind == RWA_SCATTER || kind == RWA_GATHER;
    *worth = !(best && task_is_giant(c->task)) && !others_wait(c);
    if (!*worth)
        return RWA_OK;
    MUST(is_near_bound(&near, c, best, err));
    *worth = !near || finds;
    return RWA_OK;
}
