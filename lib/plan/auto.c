/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Scheme "auto": a time for every scheme that fits, from a closed form or from its plan; then the quickest is built and judged
 * until one meets the limits.  What is too large to build only for comparison waits, unless it comes first in the table,
 * until all others have failed.
 */
#include "plan/plan.h"

#include <stdlib.h>

/** Built for comparison are plans of up to so many records, and judged those of up to so many lightpaths. */
#define LISTED_MOST 262144.0
#define RECORDS_MOST 4194304.0
#define CHECKED_MOST 134217728.0

/** A scheme that fits, and what is known of it. */
struct entry {
    const struct scheme *scheme;
    struct outlook outlook;
    rwa_plan *plan;             /* NULL: not built; without a schedule: refused */
    bool waits, judged;
};

struct contest {
    const rwa_network *net;
    const rwa_collective *coll;
    const rwa_plan_options *opts;
    struct entry *entry;
    size_t count;
};

static void contest_close(struct contest *c)
{
    for (size_t i = 0; i < c->count; i++)
        rwa_plan_free(c->entry[i].plan);
    free(c->entry);
}

static rwa_status contest_open(struct contest *c, rwa_error *err)
{
    size_t at = 0;
    rwa_status st = RWA_OK;
    c->entry = base_array(scheme_count, sizeof *c->entry, err);
    if (!c->entry)
        return RWA_NOMEM;
    TRY(pick_scheme(&c->entry[0].scheme, &at, c->net, c->coll, c->opts, err));
    c->count = 1;
    while (pick_scheme(&c->entry[c->count].scheme, &at, c->net, c->coll, c->opts, NULL) == RWA_OK)
        c->count++;
done:
    return st;
}

/** A plan says what was foreseen. */
static void look_again(struct entry *e)
{
    const rwa_schedule *sched = e->plan->schedule;
    if (!sched)
        return;
    e->outlook.steps = rwa_schedule_steps(sched);
    e->outlook.blocks = rwa_schedule_collective(sched)->blocks;
    e->outlook.time_s = e->plan->summary.time_s;
}

static rwa_status build(const struct contest *c, struct entry *e, rwa_error *err)
{
    rwa_status st = plan_build(&e->plan, e->scheme, c->net, c->coll, c->opts, c->opts->max_hops, err);
    e->waits = false;
    if (st == RWA_OK)
        look_again(e);
    return st;
}

static bool is_large(const struct entry *e)
{
    return e->outlook.records > (e->scheme->extent ? RECORDS_MOST : LISTED_MOST) || e->outlook.to_check > CHECKED_MOST;
}

/** What has no closed form is built at once, unless it is large. */
static rwa_status look_at_all(struct contest *c, rwa_error *err)
{
    rwa_status st = RWA_OK;
    for (size_t i = 0; i < c->count; i++) {
        struct entry *e = &c->entry[i];
        plan_outlook(&e->outlook, e->scheme, c->net, c->coll, c->opts);
        e->waits = i > 0 && (e->outlook.steps > 0 ? e->outlook.to_check > CHECKED_MOST : is_large(e));
        if (e->outlook.steps == 0 && !e->waits)
            TRY(build(c, e, err));
    }
done:
    return st;
}

static bool in_the_race(const struct entry *e)
{
    return !e->waits && (e->plan ? e->plan->schedule != NULL : e->outlook.steps > 0);
}

/** The quickest that is not refused, the first of equals; NULL when all are. */
static struct entry *quickest(const struct contest *c)
{
    struct entry *best = NULL;
    for (struct entry *e = c->entry; e < c->entry + c->count; e++)
        if (in_the_race(e) && (!best || e->outlook.time_s < best->outlook.time_s))
            best = e;
    return best;
}

/** Build and judge the quickest until one that has been judged is the quickest: which, or NULL. */
static rwa_status judge_in_turn(struct contest *c, struct entry **winner, rwa_error *err)
{
    rwa_status st = RWA_OK;
    while ((*winner = quickest(c)) && !(*winner)->judged) {
        struct entry *e = *winner;
        if (!e->plan)
            TRY(build(c, e, err));
        e->judged = true;
        TRY(plan_judge(e->plan, c->net, c->opts, err));
        TRY(shorten_plan(&e->plan, e->scheme, c->net, c->coll, c->opts, err));
        look_again(e);
    }
done:
    return st;
}

/** What else there was, beside the winner. */
static void note_rivals(const struct contest *c, const struct entry *winner)
{
    rwa_plan_summary *sum = &winner->plan->summary;
    for (const struct entry *e = c->entry; e < c->entry + c->count && sum->rivals < RWA_RIVALS_MAX; e++)
        if (e != winner && in_the_race(e))
            sum->rival[sum->rivals++] =
                (rwa_rival){e->scheme->name, (uint32_t)e->outlook.steps, e->outlook.blocks, e->outlook.time_s};
    compare_rivals(sum, c->net, rwa_schedule_collective(winner->plan->schedule), &c->opts->cost);
}

rwa_status quickest_plan(rwa_plan **out, const rwa_network *net, const rwa_collective *coll, const rwa_plan_options *o,
                         rwa_error *err)
{
    struct contest c = {.net = net, .coll = coll, .opts = o};
    struct entry *winner = NULL;
    rwa_status st = RWA_OK;
    TRY(contest_open(&c, err));
    TRY(look_at_all(&c, err));
    TRY(judge_in_turn(&c, &winner, err));
    for (size_t i = 0; i < c.count && !winner; i++) {
        if (!c.entry[i].waits)
            continue;
        TRY(build(&c, &c.entry[i], err));
        TRY(judge_in_turn(&c, &winner, err));
    }
    if (winner)
        note_rivals(&c, winner);
    else
        winner = c.entry; /* the reason of the first one stands for all */
    *out = winner->plan;
    winner->plan = NULL;
done:
    contest_close(&c);
    return st;
}
