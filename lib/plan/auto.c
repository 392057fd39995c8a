/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Scheme "auto": a time for every scheme that fits, whole or with blocks in stripes or merged, from a closed form or from its
 * plan; then the quickest is built and judged until one meets the limits.  What is too large to build only for comparison
 * waits, unless nothing before it in the table can be planned, until all others have failed.
 */
#include "plan/plan.h"

#include "network/network.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** Built for comparison are plans of up to so many records, and judged those of up to so many lightpaths. */
#define LISTED_MOST 262144.0
#define LAST_RESORT_MOST 4096.0
#define RECORDS_MOST 4194304.0
#define CHECKED_MOST 134217728.0

/** A scheme that fits, how full its lightpaths are, and what is known of it. */
struct entry {
    const struct scheme *scheme;
    rwa_plan_options opts;      /* the caller's, with stripes and slots chosen */
    struct outlook outlook;
    rwa_plan *plan;             /* NULL: not built; without a schedule: refused */
    bool waits, judged;
};

struct contest {
    const rwa_network *net;
    const rwa_collective *coll;
    const rwa_plan_options *opts;
    struct entry *entry;
    size_t count, room;
    rwa_error refused;          /* the first scheme that what is asked for does not fit */
};

static void contest_close(struct contest *c)
{
    for (size_t i = 0; i < c->count; i++)
        rwa_plan_free(c->entry[i].plan);
    free(c->entry);
}

static rwa_status enter(struct contest *c, const struct scheme *scheme, uint32_t stripes, uint32_t slots, uint32_t group,
                        rwa_error *err)
{
    rwa_status st = base_grow((void **)&c->entry, &c->room, c->count + 1, sizeof *c->entry, err);
    if (st != RWA_OK)
        return st;
    struct entry *e = &c->entry[c->count++];
    *e = (struct entry){.scheme = scheme, .opts = *c->opts};
    e->opts.stripes = stripes;
    e->opts.slots = slots;
    e->opts.group = group;
    return RWA_OK;
}

/** Whether the caller left it to "auto" how full lightpaths are. */
static bool may_load(const struct contest *c)
{
    return scheme_is_open(c->opts) && c->opts->stripes == 0 && c->opts->slots == 0 && network_has_arcs(c->net) &&
           c->coll->kind != RWA_ALL_TO_ALL;
}

/** Doubling, and at last as many as there are channels: but a wavefront on one channel would only be ring-striped. */
static rwa_status enter_stripes(struct contest *c, const struct scheme *scheme, rwa_error *err)
{
    uint32_t channels = rwa_network_channels(c->net) / (scheme->merges ? 2 : 1);
    rwa_status st = RWA_OK;
    for (uint32_t s = 2; s <= channels && st == RWA_OK; s = s < channels && 2 * s > channels ? channels : 2 * s)
        st = enter(c, scheme, s, 1, c->opts->group, err);
    return st;
}

/** Merging saves a few steps, and costs a search: pairs, on rings of up to this many nodes. */
static rwa_status enter_merged(struct contest *c, const struct scheme *scheme, rwa_error *err)
{
    enum { MERGED_NODES = 512 };
    return rwa_network_nodes(c->net) <= MERGED_NODES ? enter(c, scheme, 1, 2, c->opts->group, err) : RWA_OK;
}

/** With the caller's group size, or each that the scheme would try. */
static rwa_status enter_groups(struct contest *c, const struct scheme *scheme, uint32_t stripes, uint32_t slots, rwa_error *err)
{
    enum { GROUPS_MOST = 32 };
    uint32_t group[GROUPS_MOST] = {c->opts->group};
    struct scheme_request request = {.net = c->net, .coll = c->coll, .opts = c->opts};
    size_t count = 1;
    rwa_status st = RWA_OK;
    if (scheme->groups && scheme_is_open(c->opts) && c->opts->group == 0)
        st = scheme->groups(group, &count, GROUPS_MOST, &request, err);
    for (size_t i = 0; i < count && st == RWA_OK; i++)
        st = enter(c, scheme, stripes, slots, group[i], err);
    return st;
}

static rwa_status contest_open(struct contest *c, rwa_error *err)
{
    const struct scheme *scheme;
    uint32_t stripes = c->opts->stripes ? c->opts->stripes : 1, slots = c->opts->slots ? c->opts->slots : 1;
    size_t at = 0;
    rwa_status st = RWA_OK;
    bool merging = scheme_is_open(c->opts) && slots > 1 && merging_scheme(c->net, c->coll);
    TRY(pick_scheme(&scheme, &at, c->net, c->coll, c->opts, err));
    do {
        if ((merging && !scheme->merges) || (scheme_is_open(c->opts) && !settings_suit(scheme, c->net, c->coll, c->opts)))
            continue;
        TRY(enter_groups(c, scheme, stripes, slots, err));
        if (may_load(c) && scheme->stripes)
            TRY(enter_stripes(c, scheme, err));
        if (may_load(c) && scheme->merges)
            TRY(enter_merged(c, scheme, err));
    } while (pick_scheme(&scheme, &at, c->net, c->coll, c->opts, NULL) == RWA_OK);
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

static rwa_status build(struct contest *c, struct entry *e, rwa_error *err)
{
    rwa_error why = {.status = RWA_OK};
    rwa_status st = plan_build(&e->plan, e->scheme, c->net, c->coll, &e->opts, e->opts.max_hops, &why);
    e->waits = false;
    if (st == RWA_OK) {
        look_again(e);
    } else if (st == RWA_BADARG && chose_blocks(c->coll)) {
        e->outlook.steps = 0;
        c->refused = c->refused.status == RWA_OK ? why : c->refused;
    } else {
        return base_fail(err, st, "%s", why.text);
    }
    return RWA_OK;
}

/** "16, 24, 32": into how many blocks those that were to plan cut the message. */
static void list_blocks(char *text, size_t size, const struct contest *c)
{
    uint64_t last = 0;
    text[0] = '\0';
    for (;;) {
        uint64_t next = UINT64_MAX;
        for (const struct entry *e = c->entry; e < c->entry + c->count; e++) {
            uint64_t blocks = plan_blocks(e->scheme, c->net, c->coll, c->opts);
            next = blocks > last && blocks < next ? blocks : next;
        }
        size_t used = strlen(text);
        if (next == UINT64_MAX || used + 24 > size)
            return;
        snprintf(text + used, size - used, "%s%llu", used > 0 ? ", " : "", (unsigned long long)next);
        last = next;
    }
}

/** A scheme that was asked for says why; of those that nobody named none cuts the message as asked for. */
static rwa_status refuse_blocks(const struct contest *c, rwa_error *err)
{
    char blocks[100];
    if (!scheme_is_open(c->opts))
        return base_fail(err, RWA_BADARG, "%s", c->refused.text);
    list_blocks(blocks, sizeof blocks, c);
    return base_fail(err, RWA_BADARG, "%llu blocks: no scheme for %s on this %s cuts the message so, expected another number, such as %s",
                     (unsigned long long)c->coll->blocks, rwa_collective_name(c->coll->kind),
                     rwa_topology_name(rwa_network_topology(c->net)), blocks);
}

/** None plans: the reason of the first that looked, or else of the first that could have, stands for all, or what fits none. */
static rwa_status nobody(rwa_plan **out, struct contest *c, rwa_error *err)
{
    struct entry *speaker = NULL;
    for (struct entry *e = c->entry; e < c->entry + c->count; e++)
        if (e->plan && (!speaker || (speaker->plan->unsuited && !e->plan->unsuited)))
            speaker = e;
    if (!speaker || (speaker->plan->unsuited && c->refused.status != RWA_OK))
        return refuse_blocks(c, err);
    *out = speaker->plan;
    speaker->plan = NULL;
    return RWA_OK;
}

static bool in_the_race(const struct entry *e)
{
    return !e->waits && (e->plan ? e->plan->schedule != NULL : e->outlook.steps > 0);
}

static bool is_large(const struct entry *e)
{
    double most = e->scheme->last_resort ? LAST_RESORT_MOST : e->scheme->extent ? RECORDS_MOST : LISTED_MOST;
    return e->outlook.records > most || e->outlook.to_check > CHECKED_MOST;
}

/** What has no closed form is built at once, unless it is large. */
static rwa_status look_at_all(struct contest *c, rwa_error *err)
{
    bool any = false;
    rwa_status st = RWA_OK;
    for (size_t i = 0; i < c->count; i++) {
        struct entry *e = &c->entry[i];
        plan_outlook(&e->outlook, e->scheme, c->net, c->coll, &e->opts);
        e->waits = any && (e->outlook.steps > 0 ? e->outlook.to_check > CHECKED_MOST : is_large(e));
        if (e->outlook.steps == 0 && !e->waits)
            TRY(build(c, e, err));
        any = any || in_the_race(e);
    }
done:
    return st;
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
        TRY(judge_shortened(&e->plan, e->scheme, c->net, c->coll, &e->opts, err));
        look_again(e);
    }
done:
    return st;
}

/** Merging that saved nothing gives the same plan again. */
static bool is_known(const rwa_plan_report *sum, const struct entry *winner, const struct entry *e)
{
    for (size_t i = 0; i < sum->rivals; i++)
        if (sum->rival[i].steps == e->outlook.steps && sum->rival[i].blocks == e->outlook.blocks &&
            strcmp(sum->rival[i].scheme, e->scheme->name) == 0)
            return true;
    return winner->scheme == e->scheme && sum->steps == e->outlook.steps && winner->outlook.blocks == e->outlook.blocks;
}

/** The group size without which the scheme would choose one for the message. */
static uint32_t group_asked(const struct entry *e)
{
    return e->scheme->groups ? e->opts.group : 0;
}

/** What else there was, beside the winner. */
static void note_rivals(const struct contest *c, const struct entry *winner)
{
    rwa_plan_report *sum = &winner->plan->summary;
    for (const struct entry *e = c->entry; e < c->entry + c->count && sum->rivals < RWA_ALTERNATIVES_MAX; e++)
        if (e != winner && in_the_race(e) && !is_known(sum, winner, e))
            sum->rival[sum->rivals++] =
                (rwa_alternative){e->scheme->name, (uint32_t)e->outlook.steps, e->outlook.blocks, e->outlook.time_s,
                            e->plan ? e->plan->summary.stripes : 1, e->plan ? e->plan->summary.slots : 1, group_asked(e)};
    compare_rivals(sum, c->net, rwa_schedule_collective(winner->plan->schedule), &c->opts->cost, group_asked(winner));
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
    *out = NULL;
    if (!winner) {
        st = nobody(out, &c, err);
        goto done;
    }
    note_rivals(&c, winner);
    *out = winner->plan;
    winner->plan = NULL;
done:
    contest_close(&c);
    return st;
}
