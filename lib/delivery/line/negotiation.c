/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Negotiated congestion (delivery/congestion.h).  Every side of every owner takes its cheapest way in the steps there are; links that
 * get more lightpaths than channels cost more, and still more with every round in which they are crowded.  Sides that use a crowded
 * link look for another way, one after the other, until no link is crowded.
 */
#include "delivery/line/negotiation.h"

#include "delivery/congestion.h"
#include "delivery/line/line_schedule.h"
#include "delivery/line/one_sided_dp.h"

enum { UPWARD, DOWNWARD };
enum {
    HIGHEST_PRICE = 1 << 17,
    DECAY = 8,
    STALL = 40,             /* rounds without progress end an attempt … */
    ATTEMPTS = 6,
    HOPELESS = 4,           /* … and more than nodes/HOPELESS lightpaths too many by then all attempts */
    EARLY_ROUNDS = 12,      /* the same after so many rounds with twice as many; without time for that it is not tried */
};
static const double most_work = 1e9, most_brief_work = 4e8; /* operations */

/** Side 2 b + way of block b: the positions above its owner, or below. */
struct negotiation {
    const struct line_limits *limits;
    uint32_t nodes, steps, highest_price;
    struct one_sided_dp side;
    struct delivery_tree trees;
    uint32_t *order;            /* of the sides */
    struct congestion load;
    double work;
    uint64_t random;
};

static rwa_status open_negotiation(struct negotiation *r, rwa_error *err)
{
    const struct line_limits *l = r->limits;
    uint32_t n = r->nodes, links = n - 1, longest = l->channels < links ? l->channels + l->drops : links;
    if (l->max_hops > 0 && l->max_hops < longest)
        longest = l->max_hops;
    longest = longest < links ? longest : links;
    r->highest_price = DP_INFEASIBLE / (links * longest) < HIGHEST_PRICE ? DP_INFEASIBLE / (links * longest) - 1 : HIGHEST_PRICE;
    MUST(one_sided_dp_create(&r->side, links, r->steps, longest, l->drops, err));
    MUST(delivery_tree_create(&r->trees, n, n, r->steps, err));
    MUST(congestion_create(&r->load, (size_t)2 * r->steps, links, l->channels, true, err));
    MUST(base_new(r->order, (size_t)2 * n, err));
    for (uint32_t side = 0; side < 2 * n; side++)
        r->order[side] = side;
    return RWA_OK;
}

static void close_negotiation(struct negotiation *r)
{
    one_sided_dp_free(&r->side);
    delivery_tree_free(&r->trees);
    congestion_free(&r->load);
    free(r->order);
}

static uint32_t links_of(const struct negotiation *r, uint32_t side)
{
    return side % 2 == UPWARD ? r->nodes - 1 - side / 2 : side / 2;
}

/** The deliveries of a side follow each other. */
static struct delivery *first_of(const struct negotiation *r, uint32_t side)
{
    return delivery_tree_row(&r->trees, side / 2) + (side % 2 == UPWARD ? side / 2 + 1 : 0);
}

static void count_side(struct negotiation *r, uint32_t side, bool in)
{
    const struct delivery *d = first_of(r, side);
    for (uint32_t i = 0; i < links_of(r, side); i++, d++)
        if (d->ends && in)
            congestion_add(&r->load, delivery_slot(d, 2), lowest_link(d, r->nodes), d->links);
        else if (d->ends)
            congestion_remove(&r->load, delivery_slot(d, 2), lowest_link(d, r->nodes), d->links);
}

static bool is_crowded(const struct negotiation *r, uint32_t side)
{
    const struct delivery *d = first_of(r, side);
    for (uint32_t i = 0; i < links_of(r, side); i++, d++)
        if (d->ends && congestion_is_over(&r->load, delivery_slot(d, 2), lowest_link(d, r->nodes), d->links))
            return true;
    return false;
}

static void route_side(struct negotiation *r, uint32_t side)
{
    uint32_t links = links_of(r, side), owner = side / 2, way = side % 2;
    struct dp_target to = {delivery_tree_row(&r->trees, owner), owner, 0, way == DOWNWARD};
    for (uint32_t step = 0; step < r->steps; step++)
        for (uint32_t e = 0; e < links; e++) {
            uint32_t link = way == UPWARD ? owner + e : owner - 1 - e;
            size_t at = (size_t)step * links + e;
            r->side.out[at] = congestion_price(&r->load, (size_t)2 * step + way, link, r->highest_price, &r->random);
            r->side.back[at] = congestion_price(&r->load, (size_t)2 * step + 1 - way, link, r->highest_price, &r->random);
        }
    one_sided_dp_find(&r->side, links, &to);
    r->work += 1.5 * r->side.drops * r->steps * links * r->side.longest * r->side.longest;
}

static double work_for(const struct line_limits *l)
{
    return l->brief ? most_brief_work : most_work;
}

static bool must_stop(struct negotiation *r, struct budget *budget)
{
    return r->work > work_for(r->limits) || base_must_stop(budget, "negotiated congestion", r->work / work_for(r->limits));
}

/** All sides (again = false: none has a way yet), or those on crowded links; false: stopped in between. */
static bool negotiation_round(struct negotiation *r, bool again, struct budget *budget)
{
    base_shuffle(r->order, 2 * r->nodes, &r->random);
    for (uint32_t i = 0; i < 2 * r->nodes; i++) {
        uint32_t side = r->order[i];
        if (links_of(r, side) == 0 || (again && !is_crowded(r, side)))
            continue;
        if (must_stop(r, budget))
            return false;
        if (again)
            count_side(r, side, false);
        route_side(r, side);
        count_side(r, side, true);
    }
    return true;
}

/** How many lightpaths are too many at last, at the least of all rounds; UINT64_MAX: stopped. */
static uint64_t negotiation_attempt(struct negotiation *r, struct budget *budget)
{
    uint64_t least = UINT64_MAX;
    congestion_clear(&r->load);
    for (uint32_t round = 0, best = 0; round <= best + STALL; round++) {
        if (!negotiation_round(r, round > 0, budget))
            return UINT64_MAX;
        if (r->load.over < least) {
            least = r->load.over;
            best = round;
        }
        if (least == 0 || (round == EARLY_ROUNDS && least > 2 * (r->nodes / HOPELESS)))
            break;
        congestion_remember(&r->load, CONGESTION_PRICE, HIGHEST_PRICE, DECAY);
    }
    return least;
}

static rwa_status try_fewer(bool *found, struct delivery_tree *trees, const struct line_limits *limits, struct budget *budget,
                            rwa_error *err)
{
    struct negotiation r = {.limits = limits, .nodes = limits->nodes, .steps = trees->steps - 1, .random = limits->seed};
    rwa_status st = open_negotiation(&r, err);
    uint64_t over = 1;
    for (int i = 0; st == RWA_OK && over > 0 && over <= 1 + r.nodes / HOPELESS && i < ATTEMPTS; i++)
        over = negotiation_attempt(&r, budget);
    *found = st == RWA_OK && over == 0;
    if (*found)
        delivery_tree_swap(trees, &r.trees);
    close_negotiation(&r);
    if (st == RWA_OK && budget->cancelled)
        st = base_fail(err, RWA_CANCELLED, "planning was stopped");
    return st;
}

/** Whether the work is enough for some rounds. */
static bool is_small(const struct line_limits *l, uint32_t steps)
{
    double longest = l->channels < l->nodes ? l->channels : l->nodes;
    return EARLY_ROUNDS * 1.5 * l->drops * steps * l->nodes * l->nodes * longest * longest < work_for(l);
}

rwa_status negotiate(struct delivery_tree *trees, const struct line_limits *limits, struct budget *budget, rwa_error *err)
{
    bool found = true;
    rwa_status st = RWA_OK;
    while (st == RWA_OK && found && trees->steps > line_fewest_steps(limits) && is_small(limits, trees->steps - 1))
        st = try_fewer(&found, trees, limits, budget, err);
    return st;
}
