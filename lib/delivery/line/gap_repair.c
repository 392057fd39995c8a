/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Deliveries of the last step must come earlier.  The nodes between two holders of a block, or all beyond its outermost one, can be
 * informed again, at the least cost, without touching anything else.  Links cost the more, the fuller they are, and those that stay
 * crowded cost more and more; the nodes behind crowded lightpaths are informed again in turn, until no link is crowded.
 */
#include "delivery/line/gap_repair.h"

#include "delivery/congestion.h"
#include "delivery/line/line_schedule.h"
#include "delivery/line/one_sided_dp.h"

enum { RISING, FALLING };
enum {
    MOST_PRICE = 1 << 13,
    WIDEST = 64,            /* links of a gap that is filled again */
    FARTHEST = 255,         /* links beyond an outermost holder */
    MOST_STEPS = 64,        /* of a region */
    DEEPEST = 6,            /* so many steps before a crowded lightpath, or fewer */
    DECAY = 32,             /* of the history */
    RARITY = 4,             /* one in so many chances to begin at an outermost holder is taken */
    ROUNDS = 400,
    PATIENCE = 60,          /* rounds without progress end it; … */
    HOPELESS = 20           /* … so do as many times the nodes, over the rounds, that are late or too many */
};
static const double most_effort = 1.5e9, most_brief_effort = 2e8;  /* operations … */
static const double most_region = 1e5;                              /* … of one region */

/** Nodes that are informed again: between two holders, or all beyond one. */
struct region {
    uint32_t holder, links;     /* counted from this holder on */
    uint32_t after;             /* so many steps */
    bool falling, open;         /* counted downwards; there is no holder at the other end */
};

struct repair {
    const struct line_limits *limits;
    uint32_t nodes, links, steps, longest;
    struct delivery_tree *trees;
    struct congestion load;
    uint32_t *crowded;          /* [slot][node]: links below a node that are crowded */
    struct one_sided_dp side;
    uint64_t random;
    double work;
};

/** How far a hop beyond an outermost holder goes at most. */
static uint32_t longest_hop(const struct line_limits *l)
{
    uint32_t longest = 2 * l->channels + l->drops + 2 < FARTHEST ? 2 * l->channels + l->drops + 2 : FARTHEST;
    return l->max_hops > 0 && l->max_hops < longest ? l->max_hops : longest;
}

static rwa_status open_repair(struct repair *m, rwa_error *err)
{
    size_t slots = (size_t)2 * m->steps;
    uint32_t links = m->links < FARTHEST ? m->links : FARTHEST, steps = m->steps < MOST_STEPS ? m->steps : MOST_STEPS;
    m->longest = longest_hop(m->limits);
    MUST(one_sided_dp_create(&m->side, links, steps, m->longest > WIDEST ? m->longest : WIDEST, m->limits->drops, err));
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

static struct delivery *delivery_in(struct delivery *row, const struct region *r, uint32_t i)
{
    return &row[r->falling ? r->holder - i : r->holder + i];
}

static void take_prices(struct repair *m, const struct region *r)
{
    int out = r->falling ? FALLING : RISING, back = r->falling ? RISING : FALLING;
    for (uint32_t step = 0; step < m->side.steps; step++)
        for (uint32_t e = 0; e < r->links; e++) {
            uint32_t link = r->falling ? r->holder - 1 - e : r->holder + e;
            size_t slot = (size_t)2 * (r->after + step), at = (size_t)step * r->links + e;
            m->side.out[at] = congestion_soft_price(&m->load, slot + (size_t)out, link, MOST_PRICE, &m->random);
            m->side.back[at] = congestion_soft_price(&m->load, slot + (size_t)back, link, MOST_PRICE, &m->random);
        }
}

static uint32_t longest_in(const struct repair *m, const struct region *r)
{
    return r->open && m->longest < r->links ? m->longest : r->links;
}

static double work_of(const struct repair *m, const struct region *r)
{
    double longest = longest_in(m, r);
    return 0.5 * m->limits->drops * (m->steps - r->after) * r->links * longest * longest + 50;
}

static void refill(struct repair *m, struct delivery *row, const struct region *r)
{
    struct dp_target to = {row, r->holder, r->after, r->falling};
    uint32_t end = r->open ? r->links + 1 : r->links;
    for (uint32_t i = 1; i < end; i++)
        count_out(m, delivery_in(row, r, i));
    m->side.steps = m->steps - r->after;
    m->side.longest = longest_in(m, r);
    take_prices(m, r);
    if (r->open)
        one_sided_dp_find(&m->side, r->links, &to);
    else
        one_sided_dp_fill(&m->side, r->links, &to);
    for (uint32_t i = 1; i < end; i++)
        count_in(m, delivery_in(row, r, i));
    m->work += work_of(m, r);
}

/** The region around a node after so many steps; false: it is too large, or not its turn. */
static bool region_at(struct repair *m, const struct delivery *row, uint32_t v, uint32_t after, struct region *r)
{
    uint32_t low = v, high = v;
    while (low > 0 && !holds_after(&row[low], after))
        low--;
    while (high < m->links && !holds_after(&row[high], after))
        high++;
    bool from_below = holds_after(&row[low], after), from_above = holds_after(&row[high], after);
    *r = (struct region){from_below ? low : high, high - low, after, !from_below, !from_below || !from_above};
    uint32_t widest = r->open ? FARTHEST : WIDEST;
    if (r->links > widest || m->steps - after > MOST_STEPS || work_of(m, r) > most_region)
        return false;
    return !r->open || ((uint64_t)(m->steps - after) * m->longest >= r->links && base_random_below(&m->random, RARITY) == 0);
}

/** The widest region around a node some steps before it receives; false: none is found. */
static bool find_region(struct repair *m, const struct delivery *row, uint32_t v, struct region *r)
{
    uint32_t last = row[v].step <= m->steps ? row[v].step - 1 : m->steps - 1;
    uint32_t earlier = (uint32_t)base_random_below(&m->random, DEEPEST);
    for (uint32_t after = last > earlier ? last - earlier : 0; after <= last; after++)
        if (region_at(m, row, v, after, r))
            return true;
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
    congestion_remember(&m->load, CONGESTION_PRICE / 4, MOST_PRICE, DECAY);
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
    uint32_t start = (uint32_t)base_random_below(&m->random, m->nodes);
    struct region r;
    sum_crowded(m);
    for (uint32_t i = 0; i < m->nodes; i++) {
        struct delivery *row = delivery_tree_row(m->trees, (uint32_t)((start + i * prime) % m->nodes));
        if (m->work > effort_for(m->limits) || base_must_stop(budget, "gap repair", m->work / effort_for(m->limits)))
            return UINT64_MAX;
        for (uint32_t v = 0; v < m->nodes; v++) {
            if (is_wrong(m, &row[v]) && find_region(m, row, v, &r))
                refill(m, row, &r);
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
        if (least * (round + 2) > (uint64_t)HOPELESS * m->nodes)
            break;
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
