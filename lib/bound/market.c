/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bound/market.h"

#include "bound/bound.h"

enum { MOST_ROUNDS = 800, LEAST_ROUNDS = 16, BETWEEN_MEANS = 10, BETWEEN_LOOKS = 50 };
static const double target = 1.005, least_pace = 0.002, inertia = 0.85, evened = 0.1, progress = 0.8;
static const double most_work = 3e8;                        /* operations, in all */
static const double unit =
    (double)(UINT64_C(1) << 36); /* the sum of all prices, where all resources have as much room */

/** Prices as they move, and the sums of weights and fills since one of the rounds. */
struct rounds {
    uint64_t *price, *load;
    double *direction, *weight_sum, *fill_sum;
    double ratio, most; /* what spreads cost, so many times what all resources are worth; the most so far */
    double missing;     /* to a proof, when last looked at */
    int round, since;
};

rwa_status market_new(struct market *m, size_t count)
{
    struct rounds *r;
    m->count = count;
    arena_new(&m->memory, m->room, count);
    arena_new(&m->memory, m->weight, count);
    arena_new(&m->memory, m->rounds, 1);
    MUST(arena_status(&m->memory));
    r = m->rounds;
    *r = (struct rounds){.missing = 1};
    arena_new(&m->memory, r->price, count);
    arena_new(&m->memory, r->load, count);
    arena_new(&m->memory, r->direction, count);
    arena_new(&m->memory, r->weight_sum, count);
    arena_new(&m->memory, r->fill_sum, count);
    return arena_status(&m->memory);
}

/** How full the cheapest spreads make a resource. */
static double fill(const struct market *m, size_t i)
{
    return (double)m->factor * (double)m->rounds->load[i] / (double)m->room[i];
}

/** Whether the cheapest spreads cost more than all resources are worth: the proof. */
static bool proves(struct market *m, const struct market_kind *kind, const double *weight)
{
    struct rounds *r = m->rounds;
    uint64_t worth = 0, least = UINT64_MAX;
    double sum = 0;
    for (size_t i = 0; i < m->count; i++) {
        sum += weight[i];
        least = m->room[i] < least ? m->room[i] : least;
    }
    assert(sum > 0 && least > 0);
    for (size_t i = 0; i < m->count; i++) {
        r->price[i] = (uint64_t)(weight[i] / sum * unit * ((double)least / (double)m->room[i]));
        worth = plus_saturated(worth, times_saturated(m->room[i], r->price[i]));
    }
    uint64_t cost = times_saturated(m->factor, kind->cost(m->spreads, r->price));
    r->ratio = (double)cost / (double)worth;
    r->most = fmax(r->most, r->ratio);
    return cost > worth;
}

/** Whether the spreads of the last rounds, mixed, overfill nothing: then no prices will ever prove anything. */
static bool settles(struct market *m)
{
    struct rounds *r = m->rounds;
    double fullest = 0;
    if (2 * r->round >= 3 * r->since + 40) {
        r->since = r->round;
        memset(r->weight_sum, 0, m->count * sizeof *r->weight_sum);
        memset(r->fill_sum, 0, m->count * sizeof *r->fill_sum);
    }
    for (size_t i = 0; i < m->count; i++) {
        r->weight_sum[i] += m->weight[i];
        r->fill_sum[i] += fill(m, i);
        fullest = fmax(fullest, r->fill_sum[i]);
    }
    r->round++;
    return fullest <= r->round - r->since;
}

/** Raise the prices of what is overfull, lower those of what is empty: each in proportion, as far as a ratio of
 * `target` seems away. */
static void move_prices(struct market *m)
{
    struct rounds *r = m->rounds;
    double square = 0, sum = 0, even = evened / (double)m->count;
    for (size_t i = 0; i < m->count; i++)
        sum += m->weight[i];
    for (size_t i = 0; i < m->count; i++) {
        m->weight[i] /= sum;
        r->direction[i] = fill(m, i) - r->ratio + inertia * r->direction[i];
        square += (m->weight[i] + even) * r->direction[i] * r->direction[i];
    }
    double pace = square > 0 ? fmax(target - r->ratio, least_pace) / square : 0;
    for (size_t i = 0; i < m->count; i++)
        m->weight[i] = fmax(m->weight[i] / 2, m->weight[i] + pace * (m->weight[i] + even) * r->direction[i]);
}

/** Whether a proof still comes nearer by a good part from look to look. */
static bool goes_on(struct rounds *r)
{
    double before = r->missing;
    if (r->round == 0 || r->round % BETWEEN_LOOKS > 0)
        return true;
    r->missing = 1 - r->most;
    return r->missing < progress * before;
}

static rwa_status trade(bool *proven, struct market *m, const struct market_kind *kind, int most, struct budget *budget,
                        rwa_error *err)
{
    struct rounds *r = m->rounds;
    bool settled = false;
    while (r->round < most && !*proven && !settled && goes_on(r)) {
        *proven = proves(m, kind, m->weight);
        if (*proven)
            break;
        kind->links(m->spreads, r->load);
        settled = settles(m);
        move_prices(m);
        if (!settled && r->round % BETWEEN_MEANS == 0)
            *proven = proves(m, kind, r->weight_sum);
        if (base_must_stop(budget, kind->name, (double)r->round / most))
            return base_fail(err, RWA_CANCELLED, "stopped while computing the bound %s", kind->name);
    }
    return RWA_OK;
}

rwa_status market_raise(uint64_t *steps, const struct bound_case *c, const struct market_kind *kind, rwa_error *err)
{
    double work = most_work, each;
    bool more = true;
    while (more && (c->reached == 0 || *steps < c->reached) && (each = kind->work(*steps, c)) * LEAST_ROUNDS <= work) {
        struct market m = {.memory.err = err};
        rwa_status st = kind->open(&m, *steps, c);
        more = false;
        if (st == RWA_OK)
            st = trade(&more, &m, kind, (int)fmin(work / each, MOST_ROUNDS), c->budget, err);
        work -= st == RWA_OK ? m.rounds->round * each : 0;
        kind->close(&m);
        arena_free(&m.memory);
        MUST(st);
        *steps += more;
    }
    return RWA_OK;
}
