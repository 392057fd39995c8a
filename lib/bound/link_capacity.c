/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * On a line the links near the ends take in what all others send, and those in the middle pass it on: no two are worth
 * the same, nor are the two directions of one.  Good prices are found by a market, as for step-capacity, whose mean proves
 * more than its last prices do; on small lines by a linear program, which misses none.  The bound that prices prove is computed in
 * whole numbers, so that nothing rests on how they were found.
 */
#include "bound/dual_prices.h"
#include "bound/prices/link_prices.h"

enum { FEW_ROUNDS = 100, MOST_ROUNDS = 400, LEAST_ROUNDS = 16, BETWEEN_MEANS = 10, BETWEEN_LOOKS = 50, PROGRAM_ROWS = 320 };
enum { MOST_PARTS = 49 };   /* longer lines are contracted in the middle */
enum { MOST_GAIN = 3 };     /* it never exceeds the others by more: a plan farther above them gains nothing from it */
enum { LAST_STEPS = 8 };     /* in these a lightpath is of less and less use */
static const double target = 1.005, least_pace = 0.002, inertia = 0.85, evened = 0.1, progress = 0.75;
static const double most_work = 3e8;                        /* operations, in all */
static const double unit = (double)(UINT64_C(1) << 36);     /* the sum of all prices */

static double work_of_round(uint64_t steps, double parts, const struct bound_case *c)
{
    return (double)steps * parts * parts * parts * c->drops / 3;
}

/** Whether a linear program may follow. */
static bool is_small(uint64_t steps, const struct bound_case *c)
{
    return steps * (c->nodes - 1) <= PROGRAM_ROWS && work_of_round(steps, c->nodes, c) * LEAST_ROUNDS <= most_work;
}

/** The program gets whole lines; and under a hop limit lengths must stay what they are. */
static uint32_t parts_of(uint64_t steps, const struct bound_case *c)
{
    return c->nodes > MOST_PARTS && c->max_hops + 1 >= c->nodes && !is_small(steps, c) ? MOST_PARTS : c->nodes;
}

/** RWA_NOMEM; close it in any case. */
static rwa_status dual_prices_open(struct dual_prices *m, uint32_t steps, const struct bound_case *c, rwa_error *err)
{
    uint32_t parts = parts_of(steps, c);
    assert(steps >= 1 && c->nodes >= 2 && bound_on_path(c));
    m->prices = (size_t)steps * (parts - 1);
    MUST(line_spread_open(&m->spread, parts, steps, c->max_hops, c->drops, err));
    MUST(base_new(m->load, m->prices, err));
    MUST(base_new(m->sides, parts, err));
    MUST(base_new(m->owners, parts, err));
    MUST(base_new(m->best, m->prices, err));
    for (uint32_t i = 0; i < parts; i++)
        m->owners[i] = i == parts / 2 ? c->nodes - parts + 1 : 1;
    return RWA_OK;
}

static void dual_prices_close(struct dual_prices *m)
{
    line_spread_close(&m->spread);
    free_all(m->load, m->sides, m->owners, m->best);
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
        cost = plus_saturated(cost, times_saturated(m->owners[owner], m->spread.right[owner]));
    cost = times_saturated(m->share, cost);
    worth = times_saturated(m->channels, worth);
    m->ratio = (double)cost / (double)worth;
    if (m->ratio > m->most) {
        m->most = m->ratio;
        for (size_t i = 0; i < m->prices; i++)
            m->best[i] = price[i] / sum;
    }
    return cost > worth;
}

/** Prices round by round, where they move, and the sums of prices and fills since one of the rounds. */
struct rounds {
    double *price, *direction, *price_sum, *fill_sum;
    int round, since;
    double missing;     /* to a proof, when last looked at */
};

/** Spreads need the links up in the upper half most, but for the last steps; of those in the lower half the last, near the end. */
static void first_prices(double *price, const struct dual_prices *m)
{
    uint32_t links = m->spread.nodes - 1, steps = m->spread.steps;
    double sum = 0;
    for (uint32_t t = 0; t < steps; t++)
        for (uint32_t e = 0; e < links; e++) {
            double left = steps - t < LAST_STEPS ? (double)(steps - t) / LAST_STEPS : 1, done = (t + 1.0) / steps;
            sum += price[t * links + e] = e >= links / 2 ? left : done / (2 * sqrt(e + 1.0));
        }
    for (size_t i = 0; i < m->prices; i++)
        price[i] /= sum;
}

static rwa_status rounds_open(struct rounds *r, const struct dual_prices *m, rwa_error *err)
{
    *r = (struct rounds){.missing = 1};
    MUST(base_new(r->price, m->prices, err));
    MUST(base_new(r->direction, m->prices, err));
    MUST(base_new(r->price_sum, m->prices, err));
    MUST(base_new(r->fill_sum, m->prices, err));
    first_prices(r->price, m);
    return RWA_OK;
}

/** Whether the spreads of the last rounds, mixed, overfill no link: then no prices will prove anything. */
static bool settles(struct rounds *r, struct dual_prices *m)
{
    double fullest = 0;
    line_spread_links(&m->spread, m->load, m->owners);
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

/** Raise the prices of overfull links, lower those of empty ones: each in proportion, as far as a ratio of `target` seems to be away. */
static void move_prices(struct rounds *r, const struct dual_prices *m)
{
    double square = 0, sum = 0, even = evened / (double)m->prices;
    for (size_t i = 0; i < m->prices; i++) {
        r->direction[i] = dual_prices_fill(m, i) - m->ratio + inertia * r->direction[i];
        square += (r->price[i] + even) * r->direction[i] * r->direction[i];
    }
    double pace = square > 0 ? fmax(target - m->ratio, least_pace) / square : 0;
    for (size_t i = 0; i < m->prices; i++) {
        r->price[i] = fmax(r->price[i] / 2, r->price[i] + pace * (r->price[i] + even) * r->direction[i]);
        sum += r->price[i];
    }
    for (size_t i = 0; i < m->prices; i++)
        r->price[i] /= sum;
}

/** Whether a proof still comes nearer by a good part from look to look. */
static bool goes_on(struct rounds *r, const struct dual_prices *m)
{
    double before = r->missing;
    if (r->round == 0 || r->round % BETWEEN_LOOKS > 0)
        return true;
    r->missing = 1 - m->most;
    return r->missing < progress * before;
}

/** @param[out] settled  nothing can be proven */
static rwa_status trade(struct dual_prices *m, bool *proven, bool *settled, int *rounds, struct budget *budget, rwa_error *err)
{
    struct rounds r;
    int most = *rounds;
    rwa_status st = rounds_open(&r, m, err);
    while (st == RWA_OK && r.round < most && !*proven && !*settled && goes_on(&r, m)) {
        *proven = dual_prices_try(m, r.price);
        *settled = !*proven && settles(&r, m);
        move_prices(&r, m);
        if (!*proven && r.round % BETWEEN_MEANS == 0)
            *proven = dual_prices_try(m, r.price_sum);
        if (base_must_stop(budget, "link-capacity bound", (double)r.round / most))
            st = base_fail(err, RWA_CANCELLED, "stopped while computing the link-capacity bound");
    }
    *rounds = r.round;
    free_all(r.price, r.direction, r.price_sum, r.fill_sum);
    return st;
}

/** How many rounds the work allows that is left. */
static int rounds_for(double work, uint64_t steps, const struct bound_case *c)
{
    double rounds = work / work_of_round(steps, parts_of(steps, c), c);
    if (rounds < LEAST_ROUNDS)
        return 0;
    return rounds < MOST_ROUNDS ? (int)rounds : MOST_ROUNDS;
}

/** Whether some prices show that so many steps are too few; false also where there is no time to find out. */
static rwa_status too_few(bool *answer, double *work, uint64_t steps, const struct bound_case *c, rwa_error *err)
{
    struct dual_prices m = {.channels = c->channels, .share = c->coll->blocks / c->nodes};
    bool small = is_small(steps, c), settled = false;
    int rounds = rounds_for(*work, steps, c);
    rwa_status st = RWA_OK;
    *answer = false;
    if (rounds == 0)
        return RWA_OK;
    TRY(dual_prices_open(&m, (uint32_t)steps, c, err));
    rounds = small ? FEW_ROUNDS : rounds;
    TRY(trade(&m, answer, &settled, &rounds, c->budget, err));
    if (!*answer && !settled && small)
        TRY(dual_prices_program(&m, answer, c->budget, err));
    *work -= rounds * work_of_round(steps, parts_of(steps, c), c);
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
    if (c->graph)
        return link_prices_steps(&b->value, c, err);
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
    "the spreads of all blocks must fit the channels of every link in every step and direction, whatever price each of "
    "them has",
    "docs/bounds.md: this work; prices from a market and a linear program, checked in whole numbers", .compute = compute};
