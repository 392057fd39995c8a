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
    return base_append(set->run, set->runs, err, run);
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

void program_free(struct program *p)
{
    for (size_t s = 0; s < p->steps; s++)
        exchange_free(&p->step[s]);
    free(p->step);
    exchange_free(&p->now);
    routed_free(&p->routed);
    *p = (struct program){.err = p->err};
}

void program_restart(struct program *p, double limit_s)
{
    p->time_s = 0;
    p->limit_s = limit_s;
    exchange_clear(&p->now);
}

bool program_gives_up(struct program *p)
{
    if (!p->timed || (p->time_s < p->limit_s && p->work < p->work_most))
        return false;
    p->time_s = INFINITY;
    exchange_clear(&p->now);
    return true;
}

/** Return RWA_CANCELLED if the budget is spent.  It is polled at every 4096th call, or at once if `now`. */
static rwa_status ask_budget(struct program *p, bool now)
{
    enum { POLL_SENDS = 4096 };
    if (!p->budget || (!now && ++p->sends % POLL_SENDS != 0) ||
        !base_must_stop(p->budget, "choosing a composition", -1))
        return RWA_OK;
    return base_fail(p->err, RWA_CANCELLED, "planning was stopped while compositions were compared");
}

static rwa_status add_pairs(struct program *p, const rwa_run *from, const struct block_set *to)
{
    for (uint32_t s = 0; s < from->count; s++)
        for (size_t r = 0; r < to->runs; r++) {
            rwa_run run = to->run[r];
            run.first += (uint32_t)((from->first + s * from->stride) * p->row);
            MUST(exchange_run(&p->now, run, p->err));
        }
    return RWA_OK;
}

rwa_status program_send(struct program *p, uint32_t src, uint32_t dst, const struct block_set *set,
                        const struct block_set *to)
{
    uint64_t blocks = set->count * (to ? to->count : 1);
    if (blocks == 0)
        return RWA_OK;
    MUST(ask_budget(p, false));
    MUST(exchange_add(&p->now, src, dst, blocks, p->err));
    for (size_t r = 0; r < set->runs; r++)
        MUST(to ? add_pairs(p, &set->run[r], to) : exchange_run(&p->now, set->run[r], p->err));
    return RWA_OK;
}

rwa_status program_end_sums(struct program *p, bool at_once)
{
    p->now.op = RWA_REDUCE;
    p->now.at_once = at_once;
    rwa_status st = program_end_exchange(p);
    p->now.op = RWA_COPY;
    p->now.at_once = false;
    return st;
}

rwa_status program_repeat(struct program *p)
{
    assert(p->timed);
    if (!program_gives_up(p)) {
        p->time_s += p->again_s;
        p->lightpaths += p->again_lightpaths;
    }
    return ask_budget(p, true);
}

/** Add the time of the current exchange to p->time_s, and clear the exchange.  The time is computed from the loads of
 * its routes on the links. */
static rwa_status time_exchange(struct program *p)
{
    struct cut cut = {.time_s = INFINITY, .tau = 1};
    MUST(ask_budget(p, true));
    MUST(routed_make(&p->routed, &p->now, p->distances, p->err));
    if (!p->routed.unreachable && (p->max_hops == 0 || p->routed.longest <= p->max_hops))
        cut = routed_quickest(&p->routed);
    p->work += routed_work(&p->routed);
    p->time_s += cut.time_s;
    p->again_s = cut.time_s - (cut.steps == 1 ? p->routed.step_s - p->kept_s : 0); /* its lightpaths may stay */
    p->again_lightpaths = (double)p->now.count * (double)ceil_div(p->routed.largest, cut.tau);
    p->lightpaths += p->again_lightpaths;
    exchange_clear(&p->now);
    program_gives_up(p);
    return RWA_OK;
}

rwa_status program_end_exchange(struct program *p)
{
    if (program_gives_up(p) || p->now.count == 0)
        return RWA_OK;
    p->now.alike = p->alike;
    if (p->timed)
        return time_exchange(p);
    MUST(base_reserve(p->step, p->steps + 1, p->err));
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
