/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Like broadcast-tree, but a link-channel has its own price in every step.  Good prices are found by a market: the
 * cheapest spreads at the last prices overfill some steps, whose prices rise, and leave others idle, whose prices fall
 * (multiplicative weights: Freund and Schapire, Games and Economic Behavior 29, 1999).  The bound that prices prove is computed
 * in whole numbers, so that nothing rests on how they were found.
 */
#include "bound/bound.h"
#include "lattice/weighted.h"

enum { MOST_ROUNDS = 256, SCALE = 1 << 24 };
static const double most_work = 3e8;            /* slopes looked at, in all */
static const double most_table = 1 << 23;       /* steps times slopes */

/** T steps suffice only if, at any prices, factor * sum of share * slope <= sum of room * price. */
struct market {
    struct arena memory;        /* of the arrays */
    struct weighted spread;
    uint64_t *share;
    uint64_t factor;
    uint64_t *room;         /* of each step */
    uint64_t *price, *links;
    double *weight;         /* the prices before they are rounded; their sum is 1 */
    double *filled;         /* sums over the rounds since `since`: how full each step got, 1 being its channels */
    int round, since;
};

static void share_ring(struct market *m, const struct bound_case *c)
{
    for (uint32_t j = 0; j < m->spread.slopes; j++)
        m->share[j] = 2 * j + 2 <= c->nodes - 1 ? 2 : 1;
    m->factor = c->coll->blocks;
}

/** Slope j + 1 of a side counts for the nodes with so long a side, on both sides. */
static void share_line(struct market *m, const struct bound_case *c)
{
    for (uint32_t j = 0; j < m->spread.slopes; j++)
        m->share[j] = 2 * (uint64_t)(c->nodes - 1 - j);
    m->factor = c->coll->blocks / c->nodes;
}

static rwa_status market_open(struct market *m, uint32_t steps, const struct bound_case *c, rwa_error *err)
{
    uint32_t slopes = bound_on_cycle(c) ? c->nodes / 2 : c->nodes - 1;
    m->memory.err = err;
    MUST(weighted_open(&m->spread, steps, slopes, c->max_hops, c->drops, err));
    arena_new(&m->memory, m->share, slopes);
    arena_new(&m->memory, m->room, steps);
    arena_new(&m->memory, m->price, steps);
    arena_new(&m->memory, m->links, steps);
    arena_new(&m->memory, m->weight, steps);
    arena_new(&m->memory, m->filled, steps);
    MUST(arena_status(&m->memory));
    for (uint32_t t = 0; t < steps; t++) {
        m->weight[t] = 1.0 / steps;
        m->price[t] = SCALE;
        m->room[t] = bound_links(c) * c->lightpaths * bound_load_of_step(c, t + 1);
    }
    if (bound_on_cycle(c))
        share_ring(m, c);
    else
        share_line(m, c);
    return RWA_OK;
}

static void market_close(struct market *m)
{
    weighted_close(&m->spread);
    arena_free(&m->memory);
}

/** Whether the cheapest spreads cost more than all channels of the steps are worth: the proof, in whole numbers. */
static bool has_too_high_prices(struct market *m)
{
    uint64_t cost = 0, worth = 0;
    weighted_solve(&m->spread, m->price);
    for (uint32_t j = 0; j < m->spread.slopes; j++)
        cost = plus_saturated(cost, times_saturated(m->share[j], m->spread.slope[j]));
    for (uint32_t t = 0; t < m->spread.steps; t++)
        worth = plus_saturated(worth, times_saturated(m->room[t], m->price[t]));
    return times_saturated(m->factor, cost) > worth;
}

static double fill_of(const struct market *m, uint32_t step)
{
    return (double)m->factor * (double)m->links[step] / (double)m->room[step];
}

/** Whether the spreads of the last rounds, mixed, overfill no step: then no prices will prove anything. */
static bool settles(struct market *m)
{
    double fullest = 0;
    weighted_links(&m->spread, m->links, m->share);
    if (m->round >= 2 * m->since)
        m->since = m->round;
    for (uint32_t t = 0; t < m->spread.steps; t++) {
        m->filled[t] = fill_of(m, t) + (m->since == m->round ? 0 : m->filled[t]);
        if (m->filled[t] > fullest)
            fullest = m->filled[t];
    }
    m->round++;
    return fullest <= m->round - m->since;
}

static void move_prices(struct market *m)
{
    double pace = 0.3 / sqrt(1 + m->round / 10.0), mean = 0, sum = 0;
    for (uint32_t t = 0; t < m->spread.steps; t++)
        mean += m->weight[t] * fill_of(m, t);
    for (uint32_t t = 0; t < m->spread.steps; t++) {
        double change = pace * (fill_of(m, t) - mean);
        m->weight[t] *= change > -0.5 ? 1 + change : 0.5;
        sum += m->weight[t];
    }
    for (uint32_t t = 0; t < m->spread.steps; t++) {
        m->weight[t] /= sum;
        m->price[t] = (uint64_t)(m->weight[t] * m->spread.steps * SCALE);
    }
}

/** Whether some prices show that so many steps are too few. */
static rwa_status too_few(bool *answer, double *work, uint32_t steps, const struct bound_case *c, rwa_error *err)
{
    struct market m = {0};
    rwa_status st = RWA_OK;
    *answer = false;
    TRY(market_open(&m, steps, c, err));
    while (*work < most_work && m.round < MOST_ROUNDS) {
        *work += 4.0 * steps * m.spread.slopes;
        *answer = has_too_high_prices(&m);
        if (*answer || settles(&m))
            break;
        move_prices(&m);
        if (base_must_stop(c->budget, "step-capacity bound", *work / most_work)) {
            st = base_fail(err, RWA_CANCELLED, "stopped while computing the step-capacity bound");
            break;
        }
    }
done:
    market_close(&m);
    return st;
}

static bool applies(const struct bound_case *c)
{
    bool everywhere = c->coll->kind == RWA_ALL_GATHER || c->coll->kind == RWA_REDUCE_SCATTER;
    bool uneven = c->max_hops < bound_farthest(c) || bound_load_of_step(c, 1) < c->slots;
    return c->arcs && everywhere && uneven && c->coll->blocks >= c->nodes;
}

static rwa_status compute(rwa_bound *b, const struct bound_case *c, rwa_error *err)
{
    rwa_bound start = {0};
    double work = 0;
    bool more = true;
    if (!applies(c))
        return RWA_OK;
    MUST(bound_broadcast_tree.compute(&start, c, err));
    while (more && (double)start.value * c->nodes < most_table) {
        b->value = start.value;
        MUST(too_few(&more, &work, (uint32_t)start.value, c, err));
        start.value += more;
    }
    return RWA_OK;
}

const struct bound_entry bound_step_capacity = {
    "step-capacity", "steps",
    "the spreads of all blocks must fit the channels of every single step, whatever price a channel has in each step; "
    "lightpaths no longer than the hop limit, and no fuller than their senders can make them",
    "docs/bounds.md: this work; prices from a market, checked in whole numbers", .compute = compute};
