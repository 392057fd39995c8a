/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The alternatives that "auto" did not choose: by time, and for which message sizes each would have been the quickest. */
#include "plan/plan.h"

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

void compare_alternatives(rwa_plan *plan, const struct plan_task *task, const rwa_collective *cut, uint32_t group)
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
