/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Deliveries of the last step must come earlier.  A gap between two nodes that hold a block early enough can be filled again, at the
 * least cost, without touching anything else; as in negotiation.c links that get crowded by that cost more, and the gaps behind
 * crowded lightpaths are filled again in turn.  Blocks advance towards the ends as they did.
 */
#include "delivery/line/gap_repair.h"

#include "delivery/congestion.h"
#include "delivery/line/line_schedule.h"
#include "delivery/line/one_sided_dp.h"

enum { RISING, FALLING };
enum {
    MOST_PRICE = 1 << 14,
    WIDEST = 64,            /* links of a gap that is filled again … */
    DEEPEST = 6,            /* … in the last steps, or some steps before a crowded lightpath */
    ROUNDS = 200,
    PATIENCE = 25           /* rounds without progress end it */
};
static const double most_effort = 1e9, most_brief_effort = 1.25e8;  /* operations */

struct repair {
    const struct line_limits *limits;
    uint32_t nodes, links, steps;
    struct delivery_tree *trees;
    struct congestion load;
    uint32_t *crowded;          /* [slot][node]: links below a node that are crowded */
    struct one_sided_dp side;
    uint64_t random;
    double work;
};

static rwa_status open_repair(struct repair *m, rwa_error *err)
{
    size_t slots = (size_t)2 * m->steps;
    MUST(one_sided_dp_create(&m->side, WIDEST, DEEPEST, WIDEST, m->limits->drops, err));
    MUST(congestion_create(&m->load, slots, m->links, m->limits->channels, true, err));
    return base_new(m->crowded, slots * m->nodes, err);
}

static void close_repair(struct repair *m)
{
    one_sided_dp_free(&m->side);
    congestion_free(&m->load);
    free(m->crowded);
}

/** Whether a node holds the block after so many steps. */
static bool holds_after(const struct delivery *d, uint32_t steps)
{
    return d->step <= steps;
}

/** Whether the delivery has a lightpath of its own within the steps. */
static bool is_counted(const struct repair *m, const struct delivery *d)
{
    return d->step > 0 && d->step <= m->steps && d->ends;
}

static void count_in(struct repair *m, const struct delivery *d)
{
    if (is_counted(m, d))
        congestion_add(&m->load, delivery_slot(d, 2), lowest_link(d, m->nodes), d->links);
}

static void count_out(struct repair *m, const struct delivery *d)
{
    if (is_counted(m, d))
        congestion_remove(&m->load, delivery_slot(d, 2), lowest_link(d, m->nodes), d->links);
}

/** Fill the gap from low to high again, after so many steps. */
static void refill(struct repair *m, struct delivery *row, uint32_t low, uint32_t high, uint32_t after)
{
    struct dp_target to = {row, low, after, false};
    uint32_t links = high - low;
    assert(after < m->steps && m->steps - after <= DEEPEST && links <= WIDEST);
    for (uint32_t v = low + 1; v < high; v++)
        count_out(m, &row[v]);
    m->side.steps = m->steps - after;
    for (uint32_t step = 0; step < m->side.steps; step++)
        for (uint32_t e = 0; e < links; e++) {
            size_t slot = (size_t)2 * (after + step);
            m->side.out[step * links + e] = congestion_price(&m->load, slot + RISING, low + e, MOST_PRICE, &m->random);
            m->side.back[step * links + e] = congestion_price(&m->load, slot + FALLING, low + e, MOST_PRICE, &m->random);
        }
    one_sided_dp_fill(&m->side, links, &to);
    for (uint32_t v = low + 1; v < high; v++)
        count_in(m, &row[v]);
    m->work += 0.5 * m->side.drops * m->side.steps * links * links * links + 50;
}

/** The widest gap around a node that may be filled again, some steps before it receives; false: there is none. */
static bool find_gap(struct repair *m, const struct delivery *row, uint32_t v, uint32_t *low, uint32_t *high, uint32_t *after)
{
    uint32_t last = row[v].step <= m->steps ? row[v].step - 1 : m->steps - 1;
    uint32_t first = m->steps > DEEPEST ? m->steps - DEEPEST : 0;
    uint32_t earlier = (uint32_t)base_random_below(&m->random, DEEPEST);
    uint32_t begin = last > earlier ? last - earlier : 0;
    for (*after = begin > first ? begin : first; *after <= last; ++*after) {
        uint32_t a = v, b = v;
        while (a > 0 && !holds_after(&row[a], *after) && v - a < WIDEST)
            a--;
        while (b < m->links && !holds_after(&row[b], *after) && b - v < WIDEST)
            b++;
        *low = a;
        *high = b;
        if (b - a <= WIDEST && holds_after(&row[a], *after) && holds_after(&row[b], *after))
            return true;
    }
    return false;
}

/** How many links below each node are crowded, so that a lightpath is looked at in no time. */
static void sum_crowded(struct repair *m)
{
    for (size_t slot = 0; slot < m->load.slots; slot++) {
        const uint32_t *load = congestion_row(&m->load, slot);
        uint32_t *sum = m->crowded + slot * m->nodes;
        for (uint32_t e = 0; e < m->links; e++)
            sum[e + 1] = sum[e] + (load[e] > m->load.channels);
    }
    congestion_remember(&m->load, CONGESTION_PRICE / 2, MOST_PRICE);
}

static bool is_late(const struct repair *m, const struct delivery *d)
{
    return d->step > m->steps;
}

/** Whether a delivery is late, or crosses a link that is crowded (still: others may have given way). */
static bool is_wrong(const struct repair *m, const struct delivery *d)
{
    if (!is_counted(m, d))
        return is_late(m, d);
    const uint32_t *sum = m->crowded + delivery_slot(d, 2) * m->nodes;
    uint32_t low = lowest_link(d, m->nodes);
    return sum[low] != sum[low + d->links] && congestion_is_over(&m->load, delivery_slot(d, 2), low, d->links);
}

static double effort_for(const struct line_limits *l)
{
    return l->brief ? most_brief_effort : most_effort;
}

/** @return deliveries that are late because no gap could be filled, UINT64_MAX: stopped */
static uint64_t repair_round(struct repair *m, struct budget *budget)
{
    const uint64_t prime = 7919;    /* visits the blocks in an order of its own */
    uint64_t late = 0;
    uint32_t start = (uint32_t)base_random_below(&m->random, m->nodes), low, high, after;
    sum_crowded(m);
    for (uint32_t i = 0; i < m->nodes; i++) {
        struct delivery *row = delivery_tree_row(m->trees, (uint32_t)((start + i * prime) % m->nodes));
        if (m->work > effort_for(m->limits) || base_must_stop(budget, "gap repair", m->work / effort_for(m->limits)))
            return UINT64_MAX;
        for (uint32_t v = 0; v < m->nodes; v++) {
            if (is_wrong(m, &row[v]) && find_gap(m, row, v, &low, &high, &after))
                refill(m, row, low, high, after);
            late += is_late(m, &row[v]);
        }
        m->work += m->nodes;
    }
    return late;
}

static bool repair_rounds(struct repair *m, struct budget *budget)
{
    uint64_t least = UINT64_MAX;
    for (size_t i = 0; i < (size_t)m->nodes * m->nodes; i++)
        count_in(m, &m->trees->at[i]);
    for (uint32_t round = 0, best = 0; round < ROUNDS && round <= best + PATIENCE; round++) {
        uint64_t late = repair_round(m, budget);
        if (late == UINT64_MAX)
            return false;
        if (late + m->load.over == 0)
            return true;
        if (late + m->load.over < least) {
            least = late + m->load.over;
            best = round;
        }
    }
    return false;
}

static rwa_status try_repair(bool *found, struct delivery_tree *trees, struct delivery_tree *scratch, const struct line_limits *limits,
                             struct budget *budget, rwa_error *err)
{
    struct repair m = {.limits = limits, .nodes = limits->nodes, .links = limits->nodes - 1, .steps = trees->steps - 1,
                       .trees = scratch, .random = limits->seed};
    rwa_status st = open_repair(&m, err);
    memcpy(scratch->at, trees->at, (size_t)m.nodes * m.nodes * sizeof *trees->at);
    scratch->steps = m.steps;
    *found = st == RWA_OK && repair_rounds(&m, budget);
    if (*found) {
        delivery_tree_swap(trees, scratch);
        delivery_tree_check(trees);
    }
    close_repair(&m);
    if (st == RWA_OK && budget->cancelled)
        st = base_fail(err, RWA_CANCELLED, "planning was stopped");
    return st;
}

rwa_status gap_repair(struct delivery_tree *trees, struct delivery_tree *scratch, const struct line_limits *limits,
                      struct budget *budget, rwa_error *err)
{
    bool found = limits->max_hops == 0 || limits->max_hops >= WIDEST;
    rwa_status st = RWA_OK;
    assert(scratch->trees == trees->trees && scratch->nodes == trees->nodes);
    while (st == RWA_OK && found && trees->steps > line_fewest_steps(limits))
        st = try_repair(&found, trees, scratch, limits, budget, err);
    return st;
}
