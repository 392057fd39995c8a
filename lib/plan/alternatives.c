/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The report of "auto": its plan and the alternatives by time; or why there is none. */
#include "plan/candidates.h"

COMPARATOR(quicker_first, rwa_alternative, UP(time_s))

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
    qsort(winner->plan->alternative, sum->alternatives, sizeof *winner->plan->alternative, quicker_first);
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
    part->summary.alternatives = others + 1;
}
