/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Scheme "auto": build with every scheme that fits, then judge in the order of their times until one meets the limits.
 * What is too large to build only for comparison waits, unless it comes first in the table, until all others have failed.
 */
#include "plan/plan.h"

#include <stdlib.h>

/** Schemes that list their lightpaths are compared up to so many of them; those that keep orbits are only slow to check. */
#define LISTED_MOST 262144.0
#define SYMBOLIC_MOST 134217728.0

/** The schemes that fit, and their plans; a plan without a schedule is refused. */
struct contest {
    const rwa_network *net;
    const rwa_collective *coll;
    const rwa_plan_options *opts;
    const struct scheme **scheme;
    rwa_plan **plan;
    bool *judged;
    size_t count;
};

static void contest_close(struct contest *c)
{
    for (size_t i = 0; c->plan && i < c->count; i++)
        rwa_plan_free(c->plan[i]);
    free(c->scheme);
    free(c->plan);
    free(c->judged);
}

static rwa_status contest_open(struct contest *c, rwa_error *err)
{
    size_t at = 0;
    rwa_status st = RWA_OK;
    c->scheme = base_array(scheme_count, sizeof *c->scheme, err);
    c->plan = base_array(scheme_count, sizeof *c->plan, err);
    c->judged = base_array(scheme_count, sizeof *c->judged, err);
    if (!c->scheme || !c->plan || !c->judged)
        return RWA_NOMEM;
    TRY(pick_scheme(&c->scheme[0], &at, c->net, c->coll, c->opts, err));
    c->count = 1;
    while (pick_scheme(&c->scheme[c->count], &at, c->net, c->coll, c->opts, NULL) == RWA_OK)
        c->count++;
done:
    return st;
}

static rwa_status build(struct contest *c, size_t i, rwa_error *err)
{
    return plan_build(&c->plan[i], c->scheme[i], c->net, c->coll, c->opts, c->opts->max_hops, err);
}

static rwa_status build_small(struct contest *c, rwa_error *err)
{
    rwa_status st = RWA_OK;
    for (size_t i = 0; i < c->count; i++) {
        double most = c->scheme[i]->symbolic ? SYMBOLIC_MOST : LISTED_MOST;
        if (i == 0 || plan_lightpaths(c->scheme[i], c->net, c->coll, c->opts) <= most)
            TRY(build(c, i, err));
    }
done:
    return st;
}

/** The quickest plan that is not refused, the first of equals; count when all are. */
static size_t quickest(const struct contest *c)
{
    size_t best = c->count;
    for (size_t i = 0; i < c->count; i++)
        if (c->plan[i] && c->plan[i]->schedule &&
            (best == c->count || c->plan[i]->summary.time_s < c->plan[best]->summary.time_s))
            best = i;
    return best;
}

/** Judge the quickest until one that has been judged is the quickest: which, or count. */
static rwa_status judge_in_turn(struct contest *c, size_t *winner, rwa_error *err)
{
    rwa_status st = RWA_OK;
    while ((*winner = quickest(c)) < c->count && !c->judged[*winner]) {
        rwa_plan **plan = &c->plan[*winner];
        c->judged[*winner] = true;
        TRY(plan_judge(*plan, c->net, c->opts, err));
        TRY(shorten_plan(plan, c->scheme[*winner], c->net, c->coll, c->opts, err));
    }
done:
    return st;
}

/** What else there was, beside the winner. */
static void note_rivals(const struct contest *c, size_t winner)
{
    rwa_plan_summary *sum = &c->plan[winner]->summary;
    for (size_t i = 0; i < c->count && sum->rivals < RWA_RIVALS_MAX; i++) {
        const rwa_plan *plan = c->plan[i];
        if (i != winner && plan && plan->schedule)
            sum->rival[sum->rivals++] =
                (rwa_rival){c->scheme[i]->name, rwa_schedule_steps(plan->schedule),
                            rwa_schedule_collective(plan->schedule)->blocks, plan->summary.time_s};
    }
    compare_rivals(sum, c->net, rwa_schedule_collective(c->plan[winner]->schedule), &c->opts->cost);
}

rwa_status quickest_plan(rwa_plan **out, const rwa_network *net, const rwa_collective *coll, const rwa_plan_options *o,
                         rwa_error *err)
{
    struct contest c = {.net = net, .coll = coll, .opts = o};
    size_t winner = 0;
    rwa_status st = RWA_OK;
    TRY(contest_open(&c, err));
    TRY(build_small(&c, err));
    TRY(judge_in_turn(&c, &winner, err));
    for (size_t i = 0; i < c.count && winner == c.count; i++) {
        if (c.plan[i])
            continue;
        TRY(build(&c, i, err));
        TRY(judge_in_turn(&c, &winner, err));
    }
    if (winner < c.count)
        note_rivals(&c, winner);
    winner = winner < c.count ? winner : 0; /* the reason of the first one stands for all */
    *out = c.plan[winner];
    c.plan[winner] = NULL;
done:
    contest_close(&c);
    return st;
}
