/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Deliveries of the last step must come earlier.  The nodes between two holders of a block, or all beyond its outermost one, can be
 * informed again, at the least cost, without touching anything else.  Links that get more lightpaths than channels cost more, and still
 * more with every round in which they are crowded; the nodes behind crowded lightpaths are informed again in turn, until no link is
 * crowded.  First the gaps near these nodes are filled again, from some steps before, with links that cost the more, the fuller they
 * are; where that leads nowhere, all trees are made afresh, and each time a whole side of an owner.
 */
#include "delivery/line/negotiation.h"

#include "base/arena.h"
#include "base/arithmetic.h"
#include "delivery/congestion.h"
#include "delivery/line/one_sided_dp.h"

enum {
    WIDEST = 64,            /* links of a gap that is filled again */
    FARTHEST = 255,         /* links beyond an outermost holder */
    MOST_STEPS = 128,       /* of a region */
    DEEPEST = 6,            /* so many steps before a crowded lightpath, or fewer */
    RARITY = 4,             /* one in so many chances to begin at an outermost holder is taken */
    AGAIN = 2, AFRESH = 6,  /* attempts with the trees there were, and without */
    NEARLY = 4,             /* but no other after one that leaves more than nodes/NEARLY lightpaths too many */
    EARLY_ROUNDS = 12,      /* without time for that many an attempt is not worth it */
    PATIENCE = 50,          /* rounds without progress end an attempt; … */
    HOPELESS = 40           /* … so do as many times the nodes, over the rounds, that are late or too many */
};
static const double most_work = 6e8;    /* operations of an attempt … */
static const double most_region = 1e5;  /* … and of one region, but for a side made afresh */

/** Nodes that are informed again: between two holders, or all beyond one. */
struct region {
    uint32_t block, holder, links;  /* counted from this holder on */
    uint32_t after;                 /* so many steps */
    bool falling, open;             /* counted downwards; there is no holder at the other end */
};

struct negotiation {
    struct arena memory;
    const struct line_limits *limits;
    bool afresh;
    uint32_t nodes, steps, longest, most_price;
    struct delivery_tree trees;
    struct congestion load;
    uint32_t *crowded;          /* [slot][node]: links below a node that are crowded */
    uint32_t *order;            /* of the blocks */
    uint32_t *stop[2];          /* of the region at hand */
    struct one_sided_dp side;
    uint64_t random;
    double work;
};

/** How far a hop beyond an outermost holder goes at most. */
static uint32_t longest_hop(const struct negotiation *m)
{
    const struct line_limits *l = m->limits;
    uint32_t longest = lesser((m->afresh ? 1 : 2) * (uint64_t)l->channels + l->drops, lesser(l->nodes - 1, FARTHEST));
    return l->max_hops > 0 ? lesser(l->max_hops, longest) : longest;
}

/** Without deliveries, or with those there were, of which the last step's are late. */
static void begin(struct negotiation *m, const struct delivery_tree *from)
{
    for (size_t i = 0; i < (size_t)m->nodes * m->nodes; i++) {
        m->trees.at[i] = from->at[i];
        if (m->afresh && m->trees.at[i].step > 0)
            m->trees.at[i].step = m->steps + 1;
    }
    for (uint32_t i = 0; i < m->nodes; i++)
        m->order[i] = i;
}

static rwa_status open_negotiation(struct negotiation *m, const struct delivery_tree *from, rwa_error *err)
{
    size_t n = m->nodes, slots = (size_t)2 * m->steps;
    uint32_t links = lesser(n - 1, FARTHEST), steps = lesser(m->steps, MOST_STEPS), widest;
    m->memory.err = err;
    m->longest = longest_hop(m);
    widest = m->longest > WIDEST || m->afresh ? m->longest : WIDEST;
    m->most_price = lesser(DP_INFEASIBLE / (links * widest) - 1, 1 << (m->afresh ? 17 : 13));
    MUST(one_sided_dp_create(&m->side, links, steps, widest, m->limits->drops, err));
    MUST(congestion_create(&m->load, slots, m->nodes, m->limits->channels, err));
    MUST(delivery_tree_create(&m->trees, m->nodes, m->nodes, m->steps, err));
    arena_new(&m->memory, m->crowded, slots * (n + 1));
    arena_new(&m->memory, m->order, n);
    arena_new(&m->memory, m->stop[0], n);
    arena_new(&m->memory, m->stop[1], n);
    MUST(arena_status(&m->memory));
    begin(m, from);
    return RWA_OK;
}

static void close_negotiation(struct negotiation *m)
{
    one_sided_dp_free(&m->side);
    congestion_free(&m->load);
    delivery_tree_free(&m->trees);
    arena_free(&m->memory);
}

/* ---- regions ---- */

/** Whether a node holds the block after so many steps. */
static bool holds_after(const struct delivery *d, uint32_t steps)
{
    return d->step <= steps;
}

static bool is_late(const struct negotiation *m, const struct delivery *d)
{
    return d->step > m->steps;
}

/** Count a lightpath within the steps into the load or out of it. */
static void count(struct negotiation *m, uint32_t block, const struct delivery *d, bool in)
{
    if (d->step > 0 && !is_late(m, d) && d->ends)
        (in ? congestion_add : congestion_remove)(&m->load, delivery_slot(d, 2), line_lowest_link(m->limits, block, d), d->links);
}

static void count_region(struct negotiation *m, const struct region *r, bool in)
{
    const struct delivery *holder = delivery_tree_row(&m->trees, r->block) + r->holder;
    for (uint32_t i = 1; i < r->links + r->open; i++)
        count(m, r->block, r->falling ? holder - i : holder + i, in);
}

/** The link of the region from node e, or the position of node e. */
static uint32_t position_in(const struct negotiation *m, const struct region *r, uint32_t e)
{
    return line_position(m->limits, r->block, r->falling ? r->holder - 1 - e : r->holder + e);
}

static uint32_t price(struct negotiation *m, uint32_t step, int way, uint32_t link)
{
    size_t slot = (size_t)2 * step + (size_t)way;
    return (m->afresh ? congestion_price : congestion_soft_price)(&m->load, slot, link, m->most_price, &m->random);
}

static void take_prices(struct negotiation *m, const struct region *r)
{
    for (uint32_t step = 0; step < m->side.steps; step++)
        for (uint32_t e = 0; e < r->links; e++) {
            uint32_t link = position_in(m, r, e);
            size_t at = (size_t)step * r->links + e;
            m->side.out[at] = price(m, r->after + step, r->falling, link);
            m->side.back[at] = price(m, r->after + step, !r->falling, link);
        }
}

/** No lightpath rises beyond a cut position, nor falls to it; there is none on the way down from an owner. */
static void take_stops(struct negotiation *m, const struct region *r)
{
    uint32_t *out = m->stop[0], *back = m->stop[1];
    for (uint32_t e = r->links + 1; e-- > 0;)
        out[e] = e == r->links ? e : line_is_cut(m->limits, position_in(m, r, e + 1)) ? e + 1 : out[e + 1];
    for (uint32_t e = 0; e <= r->links; e++)
        back[e] = e == 0 || line_is_cut(m->limits, position_in(m, r, e - 1)) ? e : back[e - 1];
    m->side.stop[0] = out;
    m->side.stop[1] = back;
}

static uint32_t longest_in(const struct negotiation *m, const struct region *r)
{
    return r->open ? lesser(m->longest, r->links) : r->links;
}

static double work_of(const struct negotiation *m, const struct region *r)
{
    double longest = longest_in(m, r);
    return 0.5 * m->limits->drops * (m->steps - r->after) * r->links * longest * longest + 50;
}

static void refill(struct negotiation *m, const struct region *r)
{
    struct dp_target to = {delivery_tree_row(&m->trees, r->block), r->holder, r->after, r->falling};
    count_region(m, r, false);
    m->side.steps = m->steps - r->after;
    m->side.longest = longest_in(m, r);
    m->side.stop[0] = m->side.stop[1] = NULL;
    if (m->limits->cut && !r->falling)
        take_stops(m, r);
    take_prices(m, r);
    (r->open ? one_sided_dp_find : one_sided_dp_fill)(&m->side, r->links, &to);
    count_region(m, r, true);
    m->work += work_of(m, r);
}

/** The region around a node after so many steps; false: it is too large, or not its turn. */
static bool region_at(struct negotiation *m, uint32_t block, uint32_t v, uint32_t after, struct region *r)
{
    const struct delivery *row = delivery_tree_row(&m->trees, block);
    uint32_t low = v, high = v;
    while (low > 0 && !holds_after(&row[low], after))
        low--;
    while (high + 1 < m->nodes && !holds_after(&row[high], after))
        high++;
    bool from_below = holds_after(&row[low], after), from_above = holds_after(&row[high], after);
    *r = (struct region){block, from_below ? low : high, high - low, after, !from_below, !from_below || !from_above};
    if (r->links > (r->open ? FARTHEST : WIDEST) || m->steps - after > MOST_STEPS)
        return false;
    return m->afresh || (work_of(m, r) <= most_region && (!r->open || base_random_below(&m->random, RARITY) == 0));
}

/** The widest region around a node some steps before it receives; false: none is found. */
static bool find_region(struct negotiation *m, uint32_t block, uint32_t v, struct region *r)
{
    const struct delivery *d = delivery_tree_row(&m->trees, block) + v;
    uint32_t last = is_late(m, d) ? m->steps - 1 : d->step - 1;
    uint32_t earlier = m->afresh ? last : (uint32_t)base_random_below(&m->random, DEEPEST);
    for (uint32_t after = last > earlier ? last - earlier : 0; after <= last; after++)
        if (region_at(m, block, v, after, r))
            return true;
    return false;
}

/* ---- rounds ---- */

/** How many links below each node are crowded, so that a lightpath is looked at in no time. */
static void sum_crowded(struct negotiation *m)
{
    for (size_t slot = 0; slot < m->load.slots; slot++) {
        const uint32_t *load = congestion_row(&m->load, slot);
        uint32_t *sum = m->crowded + slot * (m->nodes + 1);
        for (uint32_t e = 0; e < m->nodes; e++)
            sum[e + 1] = sum[e] + (load[e] > m->load.channels);
    }
    uint32_t more = m->afresh ? CONGESTION_PRICE : CONGESTION_PRICE / 4;
    congestion_remember(&m->load, more, m->most_price, m->afresh ? 8 : 32);
}

/** Whether a delivery is late, or crosses a link that is crowded (still: others may have given way). */
static bool is_wrong(const struct negotiation *m, uint32_t block, const struct delivery *d)
{
    if (d->step == 0 || is_late(m, d) || !d->ends)
        return is_late(m, d);
    uint32_t low = line_lowest_link(m->limits, block, d);
    const uint32_t *sum = m->crowded + delivery_slot(d, 2) * (m->nodes + 1) + low;
    return sum[0] != sum[d->links] && congestion_is_over(&m->load, delivery_slot(d, 2), low, d->links);
}

/** @return deliveries of the block that are late because no gap could be filled */
static uint64_t mend_block(struct negotiation *m, uint32_t block)
{
    const struct delivery *row = delivery_tree_row(&m->trees, block);
    uint64_t late = 0;
    struct region r;
    for (uint32_t v = 0; v < m->nodes; v++) {
        if (is_wrong(m, block, &row[v]) && find_region(m, block, v, &r))
            refill(m, &r);
        late += is_late(m, &row[v]);
    }
    m->work += m->nodes;
    return late;
}

static double work_for(const struct line_limits *l)
{
    return l->brief ? most_work / 8 : most_work;
}

/** Deliveries that are late and lightpaths that are too many, at the least of all rounds; UINT64_MAX: stopped. */
static uint64_t rounds(struct negotiation *m, struct budget *budget)
{
    uint64_t least = UINT64_MAX;
    for (size_t i = 0; i < (size_t)m->nodes * m->nodes; i++)
        count(m, (uint32_t)(i / m->nodes), &m->trees.at[i], true);
    for (uint32_t round = 0, best = 0; round <= best + PATIENCE && least > 0; round++) {
        uint64_t late = 0;
        sum_crowded(m);
        base_shuffle(m->order, m->nodes, &m->random);
        for (uint32_t i = 0; i < m->nodes; i++) {
            if (m->work > work_for(m->limits) || base_must_stop(budget, "negotiated congestion", m->work / work_for(m->limits)))
                return UINT64_MAX;
            late += mend_block(m, m->order[i]);
        }
        if (late + m->load.over < least) {
            least = late + m->load.over;
            best = round;
        }
        if (least * (round + 2) > (uint64_t)HOPELESS * m->nodes)
            break;
    }
    return least;
}

/** Whether the work is enough for some rounds of whole sides. */
static bool is_small(const struct line_limits *l, uint32_t steps)
{
    double longest = lesser(l->channels, l->nodes);
    return l->nodes <= FARTHEST && steps <= MOST_STEPS &&
           EARLY_ROUNDS * 1.5 * l->drops * steps * l->nodes * l->nodes * longest * longest < work_for(l);
}

static rwa_status try_fewer(bool *found, struct delivery_tree *trees, const struct line_limits *limits, struct budget *budget,
                            rwa_error *err)
{
    uint64_t over = 0, random = limits->seed;
    rwa_status st = RWA_OK;
    *found = false;
    for (int i = 0; st == RWA_OK && i < AGAIN + AFRESH && !*found && over <= 1 + limits->nodes / NEARLY; i++) {
        struct negotiation m = {.limits = limits, .afresh = i >= AGAIN, .nodes = limits->nodes, .steps = trees->steps - 1,
                                .random = random};
        if (m.afresh && !is_small(limits, m.steps))
            break;
        st = open_negotiation(&m, trees, err);
        over = st == RWA_OK ? rounds(&m, budget) : 0;
        *found = st == RWA_OK && over == 0;
        over = m.afresh || over == UINT64_MAX ? over : 0;
        random = m.random;
        if (*found)
            delivery_tree_swap(trees, &m.trees);
        close_negotiation(&m);
        if (st == RWA_OK && budget->cancelled)
            st = base_fail(err, RWA_CANCELLED, "planning was stopped");
    }
    return st;
}

rwa_status negotiate(struct delivery_tree *trees, const struct line_limits *limits, struct budget *budget, rwa_error *err)
{
    bool found = true;
    rwa_status st = RWA_OK;
    while (st == RWA_OK && found && trees->steps > line_fewest_steps(limits))
        st = try_fewer(&found, trees, limits, budget, err);
    if (st == RWA_OK)
        delivery_tree_check(trees);
    return st;
}
