/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * On a line the links near the ends take in what all others send, and those in the middle pass it on: no two are worth
 * the same, nor are the two directions of one.  Good prices are found by a market, as for step-capacity, whose mean proves
 * more than its last prices do; on small lines by a linear program, which misses none.  The bound that prices prove is computed in
 * whole numbers, so that nothing rests on how they were found.
 */
#include "bound/dual_prices.h"

enum { FEW_ROUNDS = 100, MOST_ROUNDS = 400, LEAST_ROUNDS = 16, BETWEEN_MEANS = 10, PROGRAM_ROWS = 320 };
enum { MOST_GAIN = 2 };     /* it never exceeds the others by more: a plan farther above them gains nothing from it */
static const double most_work = 3e8;                        /* operations, in all */
static const double unit = (double)(UINT64_C(1) << 36);     /* the sum of all prices */

/** RWA_NOMEM; close it in any case. */
static rwa_status dual_prices_open(struct dual_prices *m, uint32_t steps, const struct bound_case *c, rwa_error *err)
{
    assert(steps >= 1 && c->nodes >= 2 && bound_on_path(c));
    m->prices = (size_t)steps * (c->nodes - 1);
    MUST(line_spread_open(&m->spread, c->nodes, steps, c->max_hops, c->drops, err));
    m->load = base_array(m->prices, sizeof *m->load, err);
    m->sides = base_array(c->nodes, sizeof *m->sides, err);
    m->best = base_array(m->prices, sizeof *m->best, err);
    return m->load && m->sides && m->best ? RWA_OK : RWA_NOMEM;
}

static void dual_prices_close(struct dual_prices *m)
{
    line_spread_close(&m->spread);
    free_all(m->load, m->sides, m->best);
}

bool dual_prices_try(struct dual_prices *m, const double *price)
{
    uint64_t cost = 0, worth = 0;
    double sum = 0;
    for (size_t i = 0; i < m->prices; i++)
        sum += price[i];
    assert(sum > 0);
    for (size_t i = 0; i < m->prices; i++)
        worth += m->spread.price[i] = (uint64_t)(price[i] / sum * unit);
    line_spread_solve(&m->spread);
    for (uint32_t owner = 0; owner < m->spread.nodes; owner++)
        cost = plus_saturated(cost, m->spread.right[owner]);
    cost = times_saturated(m->share, cost);
    worth = times_saturated(m->channels, worth);
    if ((double)cost > m->most * (double)worth) {
        m->most = (double)cost / (double)worth;
        for (size_t i = 0; i < m->prices; i++)
            m->best[i] = price[i] / sum;
    }
    return cost > worth;
}

/** Prices round by round, and their sums and those of the fills since one of the rounds. */
struct rounds {
    double *price, *price_sum, *fill_sum;
    int round, since;
};

static rwa_status rounds_open(struct rounds *r, size_t prices, rwa_error *err)
{
    *r = (struct rounds){0};
    MUST(base_new(r->price, prices, err));
    MUST(base_new(r->price_sum, prices, err));
    MUST(base_new(r->fill_sum, prices, err));
    for (size_t i = 0; i < prices; i++)
        r->price[i] = 1 / (double)prices;
    return RWA_OK;
}

static void rounds_close(struct rounds *r)
{
    free_all(r->price, r->price_sum, r->fill_sum);
}

/** Whether the spreads of the last rounds, mixed, overfill no link: then no prices will prove anything. */
static bool settles(struct rounds *r, struct dual_prices *m)
{
    double fullest = 0;
    for (uint32_t owner = 0; owner < m->spread.nodes; owner++)
        m->sides[owner] = 1;
    line_spread_links(&m->spread, m->load, m->sides);
    if (2 * r->round >= 3 * r->since + 40) {
        r->since = r->round;
        memset(r->price_sum, 0, m->prices * sizeof *r->price_sum);
        memset(r->fill_sum, 0, m->prices * sizeof *r->fill_sum);
    }
    for (size_t i = 0; i < m->prices; i++) {
        r->price_sum[i] += r->price[i];
        r->fill_sum[i] += dual_prices_fill(m, i);
        fullest = r->fill_sum[i] > fullest ? r->fill_sum[i] : fullest;
    }
    r->round++;
    return fullest <= r->round - r->since;
}

/** Raise the prices of overfull links, lower those of empty ones. */
static void move_prices(struct rounds *r, const struct dual_prices *m)
{
    double pace = 0.1 / sqrt(1 + r->round / 200.0), sum = 0;
    for (size_t i = 0; i < m->prices; i++) {
        double fill = dual_prices_fill(m, i);
        r->price[i] *= exp(pace * ((fill < 4 ? fill : 4) - 1));
        sum += r->price[i];
    }
    for (size_t i = 0; i < m->prices; i++)
        r->price[i] /= sum;
}

/** @param[out] settled  nothing can be proven */
static rwa_status trade(struct dual_prices *m, bool *proven, bool *settled, int most, struct budget *budget, rwa_error *err)
{
    struct rounds r;
    rwa_status st = rounds_open(&r, m->prices, err);
    while (st == RWA_OK && r.round < most && !*proven && !*settled) {
        *proven = dual_prices_try(m, r.price);
        *settled = !*proven && settles(&r, m);
        move_prices(&r, m);
        if (!*proven && r.round % BETWEEN_MEANS == 0)
            *proven = dual_prices_try(m, r.price_sum);
        if (base_must_stop(budget, "link-capacity bound", (double)r.round / most))
            st = base_fail(err, RWA_CANCELLED, "stopped while computing the link-capacity bound");
    }
    rounds_close(&r);
    return st;
}

/** How many rounds the work allows that is left. */
static int rounds_for(double work, uint64_t steps, const struct bound_case *c)
{
    double round = (double)steps * c->nodes * c->nodes * c->nodes * c->drops / 3, rounds = work / round;
    if (rounds < LEAST_ROUNDS)
        return 0;
    return rounds < MOST_ROUNDS ? (int)rounds : MOST_ROUNDS;
}

/** Whether some prices show that so many steps are too few; false also where there is no time to find out. */
static rwa_status too_few(bool *answer, double *work, uint64_t steps, const struct bound_case *c, rwa_error *err)
{
    struct dual_prices m = {.channels = c->channels, .share = c->coll->blocks / c->nodes};
    bool small = steps * (c->nodes - 1) <= PROGRAM_ROWS, settled = false;
    int rounds = rounds_for(*work, steps, c);
    rwa_status st = RWA_OK;
    *answer = false;
    if (rounds == 0)
        return RWA_OK;
    TRY(dual_prices_open(&m, (uint32_t)steps, c, err));
    TRY(trade(&m, answer, &settled, small ? FEW_ROUNDS : rounds, c->budget, err));
    if (!*answer && !settled && small)
        TRY(dual_prices_program(&m, answer, c->budget, err));
    *work /= 2;
done:
    dual_prices_close(&m);
    return st;
}

static bool applies(const struct bound_case *c)
{
    bool everywhere = c->coll->kind == RWA_ALL_GATHER || c->coll->kind == RWA_REDUCE_SCATTER;
    return bound_on_path(c) && everywhere && c->coll->blocks >= c->nodes;
}

static rwa_status compute(rwa_bound *b, const struct bound_case *c, rwa_error *err)
{
    uint64_t steps;
    double work = most_work;
    bool more;
    if (!applies(c))
        return RWA_OK;
    MUST(bound_start(&steps, c, err));
    if (rounds_for(work, steps, c) == 0)
        return RWA_OK;
    more = c->reached <= steps + MOST_GAIN;
    while (more && (c->reached == 0 || steps < c->reached)) {
        MUST(too_few(&more, &work, steps, c, err));
        steps += more;
    }
    b->value = steps;
    return RWA_OK;
}

const struct bound_entry bound_link_capacity = {
    "link-capacity", "steps",
    "on a line the spreads of all blocks must fit the channels of every link in every step and direction, whatever price "
    "each of them has",
    "docs/bounds.md: this work; prices from a market and a linear program, checked in whole numbers", .compute = compute};
