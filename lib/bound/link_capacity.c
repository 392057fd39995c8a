/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * A bound from prices of links, for lines.  There the links near the ends take in what all others send, and those in
 * the middle pass it on.  So no two links are worth the same, nor are the two directions of one link.
 * Choose any prices of all links in each step: a number of steps is too small if the cheapest spreads of all blocks
 * cost more than all channels are worth.  A search finds good prices: links that the cheapest spreads overfill become
 * dearer, idle ones cheaper.  The proof is computed in integers, so it does not depend on how the prices were found.
 */
#include "base/arena.h"
#include "bound/case.h"
#include "bound/line_spread.h"

enum { MOST_PARTS = 49 };   /* longer lines are contracted in the middle to this many parts */
enum { WHOLE_LINE = 320 };  /* most prices of a line that is not contracted */
enum { MOST_GAIN = 3 };     /* the bound exceeds the others by at most this many steps: if the known plan is farther
                               above them, it is skipped */
enum { LAST_STEPS = 8 };    /* in the last steps a lightpath is less and less useful */
enum { MOST_ROUNDS = 800, LEAST_ROUNDS = 16, BETWEEN_MEANS = 10, BETWEEN_LOOKS = 50 };
static const double target = 1.005, least_pace = 0.002, inertia = 0.85, evened = 0.1, progress = 0.8;
/* Means are taken over all rounds since a start; the start moves on when the rounds exceed 1.5 times the start plus
 * 20. */
enum { FIRST_MEAN = 20 };
static const double mean_growth = 1.5;
static const double most_work = 3e8;                        /* in all rounds together */
static const double unit = 0x1p36;                          /* sum of all prices, which are integers */

/** The search for prices.  The resources traded are the links in each step. */
struct dual_prices {
    struct arena memory;        /* of the arrays */
    size_t count;               /* number of resources */
    uint64_t capacity;          /* of each resource: how often spreads may use it; at least 1 */
    uint64_t factor;            /* number of spreads of each owner */
    struct line_spread line;
    uint32_t *owners;           /* of each part of the line: its number of nodes */
    uint64_t *load;             /* of each resource: use by the cheapest spreads */
    double *weight;             /* of each resource: its price relative to the others */
    double *direction, *weight_sum, *fill_sum; /* direction: of each resource, how its price moves; the others: sums
                                                  over the rounds since a start */
    double ratio, most;         /* cost of the spreads divided by the worth of all resources; the highest ratio so
                                   far */
    double missing;             /* what was missing to a proof at the last look */
    int round, since;
};

/** Return the number of parts by which the search represents the line: one for each node, or fewer if the line is
 * long.  With a hop limit there is one for each node, since lengths must not change. */
static uint32_t parts_of(uint64_t steps, const struct bound_case *c)
{
    bool contracted = c->nodes > MOST_PARTS && c->max_hops + 1 >= c->nodes && steps * (c->nodes - 1) > WHOLE_LINE;
    return contracted ? MOST_PARTS : c->nodes;
}

/** Return a first guess of the price of an upward link in a step, relative to the other prices.  `step` and `link`
 * count from 0. */
static double first_weight(uint32_t step, uint32_t steps, uint32_t link, uint32_t links)
{
    double left = steps - step < LAST_STEPS ? (double)(steps - step) / LAST_STEPS : 1, done = (step + 1.0) / steps;
    /* spreads mostly need the links of the upper half in all but the last steps, and in late steps those near the
       lower end */
    return link >= links / 2 ? left : done / (2 * sqrt(link + 1.0));
}

static rwa_status market_open(struct dual_prices *m, uint64_t steps, const struct bound_case *c, rwa_error *err)
{
    uint32_t parts = parts_of(steps, c), links = parts - 1;
    assert(steps >= 1 && c->nodes >= 2 && bound_on_path(c));
    *m = (struct dual_prices){.count = (size_t)steps * links,
                              .capacity = c->channels,
                              .factor = c->coll->blocks / c->nodes,
                              .missing = 1,
                              .memory.err = err};
    arena_new(&m->memory, m->owners, parts);
    MUST(arena_arrays(&m->memory, m->count, m->load, m->weight, m->direction, m->weight_sum, m->fill_sum));
    for (size_t i = 0; i < m->count; i++)
        m->weight[i] = first_weight((uint32_t)(i / links), (uint32_t)steps, (uint32_t)(i % links), links);
    for (uint32_t i = 0; i < parts; i++)
        m->owners[i] = i == parts / 2 ? c->nodes - parts + 1 : 1;
    return line_spread_open(&m->line, parts, (uint32_t)steps, c->max_hops, c->drops, err);
}

static void market_close(struct dual_prices *m)
{
    line_spread_close(&m->line);
    arena_free(&m->memory);
}

/** Return an estimate of the operations of one round of the search.  In each step the search examines parts³ / 6
 * triples of places for each receiver of a lightpath, and as many for the gaps between holders. */
static double work_of(uint64_t steps, const struct bound_case *c)
{
    double parts = parts_of(steps, c);
    return (double)steps * parts * parts * parts * c->drops / 3;
}

/** Return the cost of the cheapest spreads of all blocks at the current prices; saturating. */
static uint64_t cost_of_spreads(struct dual_prices *m)
{
    uint64_t sum = 0;
    line_spread_solve(&m->line);
    for (uint32_t owner = 0; owner < m->line.nodes; owner++)
        sum = plus_saturated(sum, times_saturated(m->owners[owner], m->line.right[owner]));
    return times_saturated(m->factor, sum);
}

/** Return how full the cheapest spreads make a link in a step (i: index of both in m->load): its use divided by its
 * channels. */
static double fill(const struct dual_prices *m, size_t i)
{
    return (double)m->factor * (double)m->load[i] / (double)m->capacity;
}

/** Tell whether the cheapest spreads, at prices in proportion to `weight`, cost more than all channels are worth.  If
 *  so, the number of steps is proven too small. */
static bool proves(struct dual_prices *m, const double *weight)
{
    uint64_t worth = 0;
    double sum = 0;
    for (size_t i = 0; i < m->count; i++)
        sum += weight[i];
    assert(sum > 0 && m->capacity > 0);
    for (size_t i = 0; i < m->count; i++) {
        m->line.price[i] = (uint64_t)(weight[i] / sum * unit);
        worth = plus_saturated(worth, times_saturated(m->capacity, m->line.price[i]));
    }
    uint64_t cost = cost_of_spreads(m);
    m->ratio = (double)cost / (double)worth;
    m->most = fmax(m->most, m->ratio);
    return cost > worth;
}

/** Add the last round to the averages.  Tell whether the averaged spreads overfill no link in any step.  If so, they
 * fit the channels and cost no more than these are worth at any prices, so no prices can prove anything. */
static bool settles(struct dual_prices *m)
{
    double fullest = 0;
    if (m->round >= mean_growth * m->since + FIRST_MEAN) {
        m->since = m->round;
        memset(m->weight_sum, 0, m->count * sizeof *m->weight_sum);
        memset(m->fill_sum, 0, m->count * sizeof *m->fill_sum);
    }
    for (size_t i = 0; i < m->count; i++) {
        m->weight_sum[i] += m->weight[i];
        m->fill_sum[i] += fill(m, i);
        fullest = fmax(fullest, m->fill_sum[i]);
    }
    m->round++;
    return fullest <= m->round - m->since;
}

/** Raise the prices of overfull links and lower those of idle ones, in proportion to the price.  The farther the ratio
 * of cost to worth is below its target, the larger the change. */
static void move_prices(struct dual_prices *m)
{
    double square = 0, sum = 0, even = evened / (double)m->count;
    for (size_t i = 0; i < m->count; i++)
        sum += m->weight[i];
    for (size_t i = 0; i < m->count; i++) {
        m->weight[i] /= sum;
        m->direction[i] = fill(m, i) - m->ratio + inertia * m->direction[i];
        square += (m->weight[i] + even) * m->direction[i] * m->direction[i];
    }
    double pace = square > 0 ? fmax(target - m->ratio, least_pace) / square : 0;
    for (size_t i = 0; i < m->count; i++)
        m->weight[i] = fmax(m->weight[i] / 2, m->weight[i] + pace * (m->weight[i] + even) * m->direction[i]);
}

/** Tell whether the search should go on.  Set m->missing to 1 minus the highest ratio of cost to worth so far, every
 * BETWEEN_LOOKS rounds; each time it must have become less by a fifth (the factor `progress`). */
static bool goes_on(struct dual_prices *m)
{
    double before = m->missing;
    if (m->round == 0 || m->round % BETWEEN_LOOKS > 0)
        return true;
    m->missing = 1 - m->most;
    return m->missing < progress * before;
}

static rwa_status trade(bool *proven, struct dual_prices *m, int most, struct budget *budget, rwa_error *err)
{
    bool settled = false;
    while (m->round < most && !*proven && !settled && goes_on(m)) {
        *proven = proves(m, m->weight);
        if (*proven)
            break;
        line_spread_links(&m->line, m->load, m->owners);
        settled = settles(m);
        move_prices(m);
        if (!settled && m->round % BETWEEN_MEANS == 0)
            *proven = proves(m, m->weight_sum);
        if (base_must_stop(budget, "link-capacity", (double)m->round / most))
            return base_fail(err, RWA_CANCELLED, "stopped while computing the bound link-capacity");
    }
    return RWA_OK;
}

/** Raise *steps as long as the search finds prices that prove it too small.  Stop at the steps of the known schedule
 * (c->reached), or when all work is spent. */
static rwa_status raise_steps(uint64_t *steps, const struct bound_case *c, rwa_error *err)
{
    double work = most_work, each;
    bool more = true;
    while (more && (c->reached == 0 || *steps < c->reached) && (each = work_of(*steps, c)) * LEAST_ROUNDS <= work) {
        struct dual_prices m;
        rwa_status st = market_open(&m, *steps, c, err);
        more = false;
        if (st == RWA_OK)
            st = trade(&more, &m, (int)fmin(work / each, MOST_ROUNDS), c->budget, err);
        work -= m.round * each;
        market_close(&m);
        MUST(st);
        if (more)
            bound_say(c, "at some prices of the channels of each link and step, the cheapest spreads of all blocks "
                      "cost %.4f times what all channels of %" PRIu64 " steps are worth", m.ratio, *steps);
        *steps += more;
    }
    return RWA_OK;
}

static bool applies(const struct bound_case *c)
{
    bool everywhere = c->coll->kind == RWA_ALL_GATHER || c->coll->kind == RWA_REDUCE_SCATTER;
    return bound_on_path(c) && everywhere && c->coll->blocks >= c->nodes;
}

static rwa_status compute(rwa_bound *b, const struct bound_case *c, rwa_error *err)
{
    uint64_t steps;
    if (!applies(c))
        return RWA_OK;
    MUST(bound_start(&steps, c, err));
    bound_say(c, "%" PRIu64 " step%s follow%s from the bounds above, and no prices of the channels were found that "
              "prove more", steps, plural(steps), steps == 1 ? "s" : "");
    if (c->reached <= steps + MOST_GAIN)
        MUST(raise_steps(&steps, c, err));
    b->value = steps;
    return RWA_OK;
}

const struct bound_entry bound_link_capacity = {
    "link-capacity", "steps",
    "the spreads of all blocks must fit the channels of every link in every step and direction, whatever price each of "
    "them has",
    "docs/reference/bounds.md: this work", .compute = compute};
