/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scheme/compose/program.h"

#include "base/arithmetic.h"

void block_set_free(struct block_set *set)
{
    free(set->run);
    *set = (struct block_set){0};
}

void block_set_clear(struct block_set *set)
{
    set->runs = 0;
    set->count = 0;
}

rwa_status block_set_add(struct block_set *set, rwa_run run, rwa_error *err)
{
    assert(run.count > 0);
    set->count += run.count;
    if (set->runs > 0 && run_extend(&set->run[set->runs - 1], &run))
        return RWA_OK;
    return base_append(set->run, set->runs, set->capacity, err, run);
}

rwa_status block_set_join(struct block_set *set, const struct block_set *other, rwa_error *err)
{
    uint64_t sum = set->count + other->count;
    rwa_status st = RWA_OK;
    for (size_t r = 0; r < other->runs && st == RWA_OK; r++)
        st = block_set_add(set, other->run[r], err);
    set->count = sum;
    return st;
}

rwa_status block_set_slice(struct block_set *out, const struct block_set *set, uint64_t from, uint64_t count, rwa_error *err)
{
    uint64_t sum = out->count + count;
    assert(from + count <= set->count);
    for (size_t r = 0; r < set->runs && count > 0; r++) {
        rwa_run part;
        if (from >= set->run[r].count) {
            from -= set->run[r].count;
            continue;
        }
        part = run_part(&set->run[r], (uint32_t)from, count);
        MUST(block_set_add(out, part, err));
        count -= part.count;
        from = 0;
    }
    out->count = sum;
    return RWA_OK;
}

void program_free(struct program *p)
{
    for (size_t s = 0; s < p->steps; s++)
        exchange_free(&p->step[s]);
    free(p->step);
    for (size_t s = 0; s <= SPREAD_STEPS; s++) {
        if (p->spread[s])
            spread_free(p->spread[s]);
        free(p->spread[s]);
    }
    exchange_free(&p->now);
    exchange_free(&p->last);
    routed_free(&p->routed);
    timings_free(&p->timings);
    *p = (struct program){.err = p->err};
}

rwa_status program_spread(const struct spread **out, struct program *p, uint32_t steps)
{
    assert(steps > 0 && steps <= SPREAD_STEPS);
    if (!p->spread[steps]) {
        p->spread[steps] = base_array(1, sizeof **p->spread, p->err);
        MUST(p->spread[steps] ? RWA_OK : RWA_NOMEM);
        MUST(spread_make(p->spread[steps], p->distances, steps, p->err));
    }
    *out = p->spread[steps];
    return RWA_OK;
}

void program_restart(struct program *p, double limit_s)
{
    p->time_s = 0;
    p->limit_s = limit_s;
    exchange_clear(&p->last);
}

bool program_gives_up(struct program *p)
{
    if (!p->timed || p->limit_s <= 0)
        return false;
    double least_s = p->time_s + (p->hops_s > 0 ? p->prices.kept_s + p->hops_s : 0);
    if (least_s < p->limit_s && (p->work_most <= 0 || p->work < p->work_most))
        return false;
    p->time_s += p->time_s < NEVER_S ? 10 * NEVER_S : 0;
    p->hops_s = 0;
    exchange_clear(&p->now);
    return true;
}

/** Whether the budget ends: asked now and then. */
static rwa_status ask_budget(struct program *p, bool now)
{
    enum { POLL_SENDS = 4096 };
    if (!p->budget || (!now && ++p->sends % POLL_SENDS != 0) || !base_must_stop(p->budget, "choosing a composition", -1))
        return RWA_OK;
    return base_fail(p->err, RWA_CANCELLED, "planning was stopped while compositions were compared");
}

rwa_status program_send(struct program *p, uint32_t src, uint32_t dst, const struct block_set *set)
{
    enum { LOOK_SENDS = 16 };
    if (set->count == 0 || (p->now.count % LOOK_SENDS == 0 && program_gives_up(p))) /* what was given up is empty */
        return RWA_OK;
    MUST(ask_budget(p, false));
    src = p->members ? p->members[src] : src;
    dst = p->members ? p->members[dst] : dst;
    if (p->timed && p->limit_s > 0)
        p->hops_s += (double)set->count * distances_hops(p->distances, src, dst) * p->prices.hop_s;
    MUST(exchange_add(&p->now, src, dst, set->count, p->err));
    for (size_t r = 0; r < set->runs; r++)
        MUST(exchange_run(&p->now, set->run[r], p->err));
    return RWA_OK;
}

/** A link of a route costs as much as so many that are looked at. */
#define LOOKS_OF_A_LINK 4

/** Whether all transfers of the exchange being written are those of the one before, or some of them in the same order: the planner gives
 *  equal ones the same lightpaths. */
static bool repeats_last(const struct program *p)
{
    const struct exchange *last = &p->last, *now = &p->now;
    size_t k = 0;
    for (size_t i = 0; i < last->count && k < now->count; i++)
        k += last->src[i] == now->src[k] && last->dst[i] == now->dst[k] && last->blocks[i] == now->blocks[k];
    return k == now->count;
}

/** The exchange is timed: the next one is compared with it, where its lightpaths may stay. */
static void keep_last(struct program *p, const struct timing *timing)
{
    struct exchange before = p->last;
    p->last_s = timing->time_s;
    p->last_work = timing->work;
    p->last_lightpaths = p->times * (double)p->now.count * (double)timing->pieces;
    if (p->prices.kept_s < p->prices.step_s && timing->steps == 1) {
        p->last = p->now;
        p->now = before;
    } else {
        exchange_clear(&p->last);
    }
    exchange_clear(&p->now);
}

/** The last exchange once more, of which so many transfers stay. */
static void repeat_last(struct program *p, size_t transfers)
{
    bool stays = p->last.count > 0;
    p->work += stays ? (double)transfers : p->last_work;
    p->time_s += p->last_s - (stays ? p->prices.step_s - p->prices.kept_s : 0);
    p->lightpaths += p->last_lightpaths;
    exchange_clear(&p->now);
}

rwa_status program_repeat(struct program *p)
{
    assert(p->timed);
    if (!program_gives_up(p))
        repeat_last(p, p->last.count);
    return ask_budget(p, true);
}

/** Of the exchange being written, by the loads of its routes. */
static rwa_status find_timing(struct timing *timing, struct program *p)
{
    const struct prices *price = &p->prices;
    struct cut cut = {.time_s = 10 * NEVER_S, .tau = 1};
    timing_set_key(timing, &p->now, price->step_s, price->block_s);
    if (timings_find(&p->timings, timing))
        return RWA_OK;
    MUST(routed_make(&p->routed, &p->now, p->distances, p->err));
    timing->work = p->routed.arcs ? (double)p->now.count : (double)p->routed.first[p->now.count] + p->routed.looked / LOOKS_OF_A_LINK;
    if (!p->routed.unreachable && (p->max_hops == 0 || p->routed.longest <= p->max_hops))
        cut = routed_quickest(&p->routed, price->step_s, price->block_s);
    timing->time_s = cut.time_s;
    timing->steps = cut.steps;
    timing->pieces = ceil_div(p->routed.largest, cut.tau);
    return timings_keep(&p->timings, timing, p->err);
}

static rwa_status time_exchange(struct program *p)
{
    struct timing timing;
    MUST(ask_budget(p, true));
    if (repeats_last(p)) {
        repeat_last(p, p->now.count);
    } else {
        MUST(find_timing(&timing, p));
        keep_last(p, &timing);
        p->work += timing.work;
        p->time_s += timing.time_s;
        p->lightpaths += p->last_lightpaths;
    }
    p->hops_s = 0;
    return RWA_OK;
}

rwa_status program_end_exchange(struct program *p)
{
    if (program_gives_up(p) || p->now.count == 0)
        return RWA_OK;
    p->now.at_once = p->at_once;
    if (p->timed)
        return time_exchange(p);
    MUST(base_grow((void **)&p->step, &p->capacity, p->steps + 1, sizeof *p->step, p->err));
    p->now.op = p->op;
    p->step[p->steps++] = p->now;
    p->now = (struct exchange){0};
    return RWA_OK;
}

void program_reverse(struct program *p, size_t from, rwa_op op)
{
    for (size_t a = from, b = p->steps; a + 1 < b; a++, b--) {
        struct exchange kept = p->step[a];
        p->step[a] = p->step[b - 1];
        p->step[b - 1] = kept;
    }
    for (size_t s = from; s < p->steps; s++) {
        uint32_t *src = p->step[s].src;
        p->step[s].src = p->step[s].dst;
        p->step[s].dst = src;
        p->step[s].op = op;
    }
}
