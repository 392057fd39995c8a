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
    exchange_free(&p->now);
    routed_free(&p->routed);
    timings_free(&p->timings);
    *p = (struct program){.err = p->err};
}

static void clear_load(struct program *p)
{
    memset(p->load, 0, sizeof p->load);
}

void program_restart(struct program *p, double limit_s)
{
    p->time_s = 0;
    p->limit_s = limit_s;
    p->to_come_s = 0;
    clear_load(p);
}

void way_load_add(struct way_load load[WAYS_MOST], const struct program *p, uint32_t src, uint32_t dst, double times, double blocks)
{
    uint32_t links[WAYS_MOST];
    distances_ways(links, p->distances, p->members ? p->members[src] : src, p->members ? p->members[dst] : dst);
    for (size_t w = 0; w < p->distances->ways; w++) {
        load[w].channels += times * links[w];
        load[w].blocks += times * blocks * links[w];
    }
}

/** Load of a channel, on average of the fullest way, where each of the transfers takes one. */
static double channels_each(const struct way_load load[WAYS_MOST], const struct program *p)
{
    double most = 0;
    for (size_t w = 0; w < p->distances->ways; w++) {
        double each = load[w].channels * p->distances->share[w];
        most = each > most ? each : most;
    }
    return most;
}

/** Steps with so many channels wanted for each. */
static double steps_of(double each, const struct program *p)
{
    const double even = 1 - 1e-9; /* sums of loads are rounded */
    return each <= 1 || each <= routed_most_share(p->distances->net, p->at_once) ? each > 0 : ceil(each * even);
}

double way_load_s(const struct way_load load[WAYS_MOST], const struct program *p)
{
    double most = 0;
    for (size_t w = 0; w < p->distances->ways; w++) {
        double each = load[w].blocks * p->distances->share[w];
        most = each > most ? each : most;
    }
    return most * p->prices.block_s;
}

double way_load_least_s(const struct way_load load[WAYS_MOST], const struct program *p, uint64_t blocks)
{
    const struct prices *price = &p->prices;
    double each = channels_each(load, p), best_s = INFINITY;
    for (uint64_t parts = 1; parts <= blocks && each * ((double)parts * price->kept_s + (double)blocks * price->block_s) < best_s; parts++)
        best_s = fmin(best_s, steps_of(each * (double)parts, p) * (price->kept_s + (double)ceil_div(blocks, parts) * price->block_s));
    return best_s;
}

/** What follows takes no less than this. */
static double least_ahead(const struct program *p)
{
    double now_s = steps_of(channels_each(p->load, p), p) * p->prices.kept_s + way_load_s(p->load, p);
    return now_s > p->to_come_s ? now_s : p->to_come_s;
}

bool program_gives_up(struct program *p)
{
    if (!p->timed || p->limit_s <= 0)
        return false;
    if (p->time_s >= NEVER_S && p->now.count == 0) /* given up before */
        return true;
    if (p->time_s + least_ahead(p) < p->limit_s && (p->work_most <= 0 || p->work < p->work_most))
        return false;
    p->time_s += p->time_s < NEVER_S ? 10 * NEVER_S : 0;
    clear_load(p);
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

uint32_t program_hops(const struct program *p, uint32_t src, uint32_t dst)
{
    return distances_hops(p->distances, p->members ? p->members[src] : src, p->members ? p->members[dst] : dst);
}

rwa_status program_send(struct program *p, uint32_t src, uint32_t dst, const struct block_set *set)
{
    enum { LOOK_SENDS = 16 };
    if (set->count == 0 || (p->now.count % LOOK_SENDS == 0 && program_gives_up(p))) /* what was given up is empty */
        return RWA_OK;
    MUST(ask_budget(p, false));
    if (p->timed && p->limit_s > 0)
        way_load_add(p->load, p, src, dst, p->times.least, (double)set->count);
    src = p->members ? p->members[src] : src;
    dst = p->members ? p->members[dst] : dst;
    MUST(exchange_add(&p->now, src, dst, set->count, p->err));
    for (size_t r = 0; r < set->runs; r++)
        MUST(exchange_run(&p->now, set->run[r], p->err));
    return RWA_OK;
}

/** A link of a route costs as much as so many that are looked at. */
#define LOOKS_OF_A_LINK 4

/** What the exchange takes once more: where it took one step, its lightpaths may stay. */
static void keep_last(struct program *p, const struct timing *timing)
{
    bool stays = p->prices.kept_s < p->prices.step_s && timing->steps == 1;
    p->again_s = timing->time_s - (stays ? p->prices.step_s - p->prices.kept_s : 0);
    p->again_work = stays ? (double)p->now.count : timing->work;
    p->last_lightpaths = p->times.mean * timing->lightpaths;
    exchange_clear(&p->now);
}

/** An exchange is timed, and no longer to come; what the others take is not known. */
static void end_load(struct program *p)
{
    p->to_come_s = 0;
    clear_load(p);
}

rwa_status program_repeat(struct program *p)
{
    assert(p->timed);
    if (!program_gives_up(p)) {
        p->work += p->again_work;
        p->time_s += p->again_s;
        p->lightpaths += p->last_lightpaths;
    }
    end_load(p);
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
    timing->lightpaths = (double)p->now.count * (double)ceil_div(p->routed.largest, cut.tau);
    return timings_keep(&p->timings, timing, p->err);
}

static rwa_status time_exchange(struct program *p)
{
    struct timing timing;
    MUST(ask_budget(p, true));
    MUST(find_timing(&timing, p));
    keep_last(p, &timing);
    p->work += timing.work;
    p->time_s += timing.time_s;
    p->lightpaths += p->last_lightpaths;
    end_load(p);
    return RWA_OK;
}

rwa_status program_end_exchange(struct program *p)
{
    if (program_gives_up(p))
        return RWA_OK;
    if (p->now.count == 0)
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
