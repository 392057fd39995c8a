/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The report of "auto": its plan, the alternatives by time, and for which message sizes each is quickest; or why there is none. */
#include "plan/candidates.h"

/** Message sizes looked at: powers of two up to this one, and where the quickest changes between two, each size between. */
enum { LARGEST_POWER = 42 };

struct sizes {
    const rwa_network *net;
    const rwa_collective *coll;
    const rwa_cost_options *cost;
    rwa_alternative all[ALTERNATIVES_MAX + 1];
    size_t count;
};

COMPARATOR(quicker_first, rwa_alternative, UP(time_s))

/** In the paper model steps do not depend on the size, so the time is the formula's. */
static double time_at(const struct sizes *s, const rwa_alternative *r, uint64_t message)
{
    rwa_collective coll;
    if (rwa_collective_init(&coll, s->coll->kind, s->coll->nodes, s->coll->root, message, r->blocks, NULL) != RWA_OK)
        return 0;
    return rwa_cost_steps(r->steps, coll.block_bytes * r->lightpath_blocks, rwa_network_rate_bps(s->net), s->cost);
}

/** The first of equals. */
static size_t quickest_at(const struct sizes *s, uint64_t message)
{
    size_t best = 0;
    double least_s = time_at(s, &s->all[0], message);
    for (size_t i = 1; i < s->count; i++) {
        double time_s = time_at(s, &s->all[i], message);
        best = time_s < least_s ? i : best;
        least_s = fmin(least_s, time_s);
    }
    return best;
}

static bool is_quickest_at(const struct sizes *s, size_t which, uint64_t message)
{
    double least_s = time_at(s, &s->all[which], message);
    for (size_t i = 0; i < s->count; i++) {
        double time_s = i == which ? INFINITY : time_at(s, &s->all[i], message);
        if (time_s < least_s || (i < which && time_s <= least_s))
            return false;
    }
    return true;
}

/** A scheme that differs from the last one in its number of blocks alone goes on. */
static void note(rwa_plan *plan, const struct sizes *s, size_t which, uint64_t from)
{
    rwa_plan_report *sum = &plan->summary;
    const rwa_alternative *a = &s->all[which];
    const rwa_crossover *last = sum->crossovers > 0 ? &plan->crossover[sum->crossovers - 1] : NULL;
    assert(sum->crossovers < ALTERNATIVES_MAX);
    if (!last || strcmp(last->scheme, a->scheme) != 0 || last->stripes != a->stripes || last->lightpath_blocks != a->lightpath_blocks ||
        last->group != a->group)
        plan->crossover[sum->crossovers++] = (rwa_crossover){a->scheme, from, a->stripes, a->lightpath_blocks, a->group};
}

/** Times are straight lines (but for rounding up), so between two sizes with one quickest scheme it is the quickest. */
static void find_crossovers(rwa_plan *plan, const struct sizes *s)
{
    assert(s->count > 0);
    uint64_t low = 1, top = (uint64_t)1 << LARGEST_POWER;
    size_t now = quickest_at(s, low), last = quickest_at(s, top);
    note(plan, s, now, low);
    for (size_t i = 1; i < ALTERNATIVES_MAX && now != last; i++) {
        uint64_t same = low, other = top;
        while (other - same > 1) {
            uint64_t middle = same + (other - same) / 2;
            if (is_quickest_at(s, now, middle))
                same = middle;
            else
                other = middle;
        }
        now = quickest_at(s, other);
        low = other;
        note(plan, s, now, low);
    }
}

/** Whether its steps depend on the size of the message, so that one plan says nothing of another size. */
static bool depends_on_size(const rwa_alternative *a)
{
    for (size_t i = 0; i < scheme_count; i++)
        if (scheme_is_named(schemes[i], a->scheme))
            return scheme_has(schemes[i], SIZED);
    return false;
}

/** Sort the alternatives by time, and find which is quickest for which message size; `group`: the plan's own, as in rwa_alternative. */
static void compare_alternatives(rwa_plan *plan, const struct plan_task *task, const rwa_collective *cut, uint32_t group)
{
    const rwa_plan_report *sum = &plan->summary;
    rwa_alternative own = {sum->scheme, sum->steps, cut->blocks, sum->time_s, sum->stripes, sum->lightpath_blocks, group};
    struct sizes s = {.net = task->net, .coll = cut, .cost = &task->opts->cost};
    qsort(plan->alternative, sum->alternatives, sizeof *plan->alternative, quicker_first);
    for (size_t i = 0; i <= sum->alternatives; i++) {
        const rwa_alternative *a = i == 0 ? &own : &plan->alternative[i - 1];
        if (!depends_on_size(a))
            s.all[s.count++] = *a;
    }
    if (cut->kind != RWA_ALL_TO_ALL && s.count > 0)
        find_crossovers(plan, &s);
}

/** "16, 24, 32": into how many blocks the candidates cut the message. */
static void list_blocks(char *text, size_t size, const struct candidates *c)
{
    uint64_t last = 0;
    text[0] = '\0';
    for (;;) {
        uint64_t next = UINT64_MAX;
        for (const struct candidate *k = c->list; k < c->list + c->count; k++) {
            uint64_t blocks = attempt_blocks(k->attempt);
            next = blocks > last && blocks < next ? blocks : next;
        }
        size_t used = strlen(text);
        if (next == UINT64_MAX || used + 24 > size)
            return;
        snprintf(text + used, size - used, "%s%llu", used > 0 ? ", " : "", (unsigned long long)next);
        last = next;
    }
}

/** A scheme that was asked for says why, and so does one that an option does not suit; else no candidate cuts the message as asked for. */
static rwa_status refuse_blocks(const struct candidates *c, rwa_error *err)
{
    const struct plan_task *t = c->task;
    char blocks[100];
    if (!scheme_is_open(t->opts) || (c->refusal.status != RWA_OK && !chose_blocks(t->coll)))
        return base_fail(err, RWA_BADARG, "%s", c->refusal.text);
    list_blocks(blocks, sizeof blocks, c);
    return base_fail(err, RWA_BADARG, "%llu blocks: no scheme for %s on this %s cuts the message so, expected another number, such as %s",
                     (unsigned long long)t->coll->blocks, rwa_collective_name(t->coll->kind),
                     rwa_topology_name(rwa_network_topology(t->net)), blocks);
}

/** No candidate: the first refusal of one that suits, or else of any, stands for all, unless it is the blocks that do not fit. */
static rwa_status report_refusal(rwa_plan **out, struct candidates *c, rwa_error *err)
{
    struct candidate *first = NULL;
    for (struct candidate *k = c->list; k < c->list + c->count; k++)
        if (k->plan && (!first || (first->plan->unsuited && !k->plan->unsuited)))
            first = k;
    if (!first || (first->plan->unsuited && c->refusal.status != RWA_OK))
        return refuse_blocks(c, err);
    *out = first->plan;
    first->plan = NULL;
    return RWA_OK;
}

/** Merging that saved nothing gives the same plan again. */
static bool is_known(const struct candidate *winner, const struct candidate *k)
{
    const rwa_plan_report *sum = &winner->plan->summary;
    const struct scheme *scheme = k->attempt->scheme;
    for (const rwa_alternative *a = winner->plan->alternative; a < winner->plan->alternative + sum->alternatives; a++)
        if (a->steps == k->estimate.steps && a->blocks == k->estimate.blocks &&
            strcmp(a->scheme, scheme->name) == 0)
            return true;
    return winner->attempt->scheme == scheme && sum->steps == k->estimate.steps && winner->estimate.blocks == k->estimate.blocks;
}

/** Of a composition that was not built only the time is known. */
static bool is_known_by_steps(const struct candidate *k)
{
    return k->built || !scheme_has(k->attempt->scheme, TAKES_TERM);
}

static rwa_alternative as_alternative(const struct candidate *k)
{
    return (rwa_alternative){k->attempt->scheme->name, (uint32_t)k->estimate.steps, k->estimate.blocks, k->estimate.time_s,
                             k->stripes, k->lightpath_blocks, k->attempt->opts.group};
}

/** The other feasible candidates beside the winner. */
static void report_alternatives(const struct candidates *c, const struct candidate *winner)
{
    rwa_plan_report *sum = &winner->plan->summary;
    for (const struct candidate *k = c->list; k < c->list + c->count && sum->alternatives < ALTERNATIVES_MAX; k++)
        if (k != winner && candidate_is_feasible(k) && is_known_by_steps(k) && !is_known(winner, k))
            winner->plan->alternative[sum->alternatives++] = as_alternative(k);
    compare_alternatives(winner->plan, c->task, rwa_schedule_collective(winner->plan->schedule), winner->attempt->opts.group);
}

rwa_status candidates_report(rwa_plan **out, struct candidates *c, struct candidate *winner, rwa_error *err)
{
    if (!winner)
        return report_refusal(out, c, err);
    report_alternatives(c, winner);
    assert(winner->plan && winner->plan->schedule);
    *out = winner->plan;
    winner->plan = NULL;
    return RWA_OK;
}

void report_beside(rwa_plan *part, const rwa_plan *plan, const struct candidate *winner)
{
    size_t others = plan->summary.alternatives < ALTERNATIVES_MAX ? plan->summary.alternatives : ALTERNATIVES_MAX - 1;
    memmove(part->alternative + 1, plan->alternative, others * sizeof *plan->alternative);
    part->alternative[0] = as_alternative(winner);
    memmove(part->crossover, plan->crossover, sizeof plan->crossover);
    part->summary.alternatives = others + 1;
    part->summary.crossovers = plan->summary.crossovers;
}
