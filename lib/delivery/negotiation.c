/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Negotiated congestion (McMurchie and Ebeling, PathFinder, FPGA 1995).  Every side of every owner takes its cheapest way
 * in the steps there are; links that get more lightpaths than channels are dear, and dearer with every round in which they
 * are crowded.  Who uses a crowded link looks for another way, one side after the other, until none is crowded.
 */
#include "delivery/negotiation.h"
#include "lattice/one_sided_dp.h"

#include <stdlib.h>
#include <string.h>

enum { UP, DOWN };
enum {
    PRICE = 64,             /* of a link; a link crowded by one costs twice as much, and so much more for good */
    NOISE = 16,             /* which side gives way is left to chance */
    DEAREST = 1 << 17,
    STALL = 40,             /* rounds without progress end an attempt … */
    ATTEMPTS = 6,
    HOPELESS = 4,           /* … and more than nodes/HOPELESS lightpaths too many by then all attempts */
    EARLY_ROUNDS = 12,      /* the same after so many rounds with twice as many; where there is no time for that it is not tried */
};
static const double most_work = 3e9;    /* operations */

struct reroute {
    const struct line_limits *limits;
    uint32_t nodes, steps, links, dearest;
    struct one_sided_dp side;
    struct side_hop *hop;       /* of side 2 owner + way from first[side] on */
    size_t *first;
    uint32_t *order;
    uint32_t *load[2], *grudge[2];      /* of each step and link, up and down: lightpaths, and what was crowded in the past */
    uint64_t over;              /* lightpaths beyond the channels, all links together */
    double work;
    uint64_t random;
};

static rwa_status create(struct reroute *r, rwa_error *err)
{
    size_t n = r->nodes, prices = (size_t)r->steps * r->links, at = 0;
    rwa_status st = RWA_OK;
    uint32_t longest = r->limits->channels < r->links ? r->limits->channels + r->limits->drops : r->links;
    if (r->limits->max_hops > 0 && r->limits->max_hops < longest)
        longest = r->limits->max_hops;
    longest = longest < r->links ? longest : r->links;
    r->dearest = DP_INFEASIBLE / (r->links * longest) < DEAREST ? DP_INFEASIBLE / (r->links * longest) - 1 : DEAREST;
    TRY(one_sided_dp_create(&r->side, r->links, r->steps, longest, r->limits->drops, err));
    r->hop = base_array(n * (n - 1), sizeof *r->hop, err);
    r->first = base_array(2 * n + 1, sizeof *r->first, err);
    r->order = base_array(2 * n, sizeof *r->order, err);
    st = r->hop && r->first && r->order ? RWA_OK : RWA_NOMEM;
    for (int way = UP; way <= DOWN; way++) {
        r->load[way] = base_array(prices, sizeof **r->load, err);
        r->grudge[way] = base_array(prices, sizeof **r->grudge, err);
        st = r->load[way] && r->grudge[way] ? st : RWA_NOMEM;
    }
    TRY(st);
    for (uint32_t side = 0; side < 2 * n; side++) {
        r->order[side] = side;
        r->first[side] = at;
        at += side % 2 == UP ? r->links - side / 2 : side / 2;
    }
    r->first[2 * n] = at;
done:
    return st;
}

static void destroy(struct reroute *r)
{
    one_sided_dp_free(&r->side);
    free(r->hop);
    free(r->first);
    free(r->order);
    for (int way = UP; way <= DOWN; way++) {
        free(r->load[way]);
        free(r->grudge[way]);
    }
}

/** Links and nodes of a side count from its owner. */
static size_t link_of(const struct reroute *r, uint32_t side, uint32_t step, uint32_t link)
{
    uint32_t owner = side / 2;
    return (size_t)step * r->links + (side % 2 == UP ? owner + link : owner - 1 - link);
}

static int way_of(uint32_t side, const struct side_hop *h)
{
    return (int)(h->dst > h->src ? side % 2 : 1 - side % 2);
}

static void count_side(struct reroute *r, uint32_t side, int by)
{
    for (size_t i = r->first[side]; i < r->first[side + 1]; i++) {
        const struct side_hop *h = &r->hop[i];
        uint32_t low = h->src < h->dst ? h->src : h->dst, high = h->src < h->dst ? h->dst : h->src;
        for (uint32_t e = low; e < high && h->ends; e++) {
            uint32_t *load = &r->load[way_of(side, h)][link_of(r, side, h->step, e)];
            if (by > 0)
                r->over += ++*load > r->limits->channels;
            else
                r->over -= (*load)-- > r->limits->channels;
        }
    }
}

static bool is_crowded(const struct reroute *r, uint32_t side)
{
    for (size_t i = r->first[side]; i < r->first[side + 1]; i++) {
        const struct side_hop *h = &r->hop[i];
        uint32_t low = h->src < h->dst ? h->src : h->dst, high = h->src < h->dst ? h->dst : h->src;
        for (uint32_t e = low; e < high && h->ends; e++)
            if (r->load[way_of(side, h)][link_of(r, side, h->step, e)] > r->limits->channels)
                return true;
    }
    return false;
}

/** What one more lightpath over a link costs. */
static uint32_t price_of(struct reroute *r, uint32_t way, size_t link)
{
    uint32_t load = r->load[way][link], grudge = r->grudge[way][link], channels = r->limits->channels;
    uint64_t price = PRICE + base_random_below(&r->random, NOISE) + grudge;
    if (load >= channels)
        price += (uint64_t)(load - channels + 1) * (PRICE + grudge);
    return price < r->dearest ? (uint32_t)price : r->dearest;
}

static void route_side(struct reroute *r, uint32_t side)
{
    uint32_t links = (uint32_t)(r->first[side + 1] - r->first[side]), way = side % 2;
    for (uint32_t step = 0; step < r->steps; step++)
        for (uint32_t e = 0; e < links; e++) {
            size_t link = link_of(r, side, step, e);
            r->side.out[(size_t)step * links + e] = price_of(r, way, link);
            r->side.back[(size_t)step * links + e] = price_of(r, 1 - way, link);
        }
    one_sided_dp_find(&r->side, links, r->hop + r->first[side]);
    r->work += 1.5 * r->side.drops * r->steps * links * r->side.longest * r->side.longest;
}

static void shuffle(struct reroute *r)
{
    for (uint32_t i = 2 * r->nodes - 1; i > 0; i--) {
        uint32_t other = (uint32_t)base_random_below(&r->random, (uint64_t)i + 1), side = r->order[i];
        r->order[i] = r->order[other];
        r->order[other] = side;
    }
}

/** What is crowded is held against a link; what has room is forgiven by and by. */
static void remember(struct reroute *r)
{
    for (int way = UP; way <= DOWN; way++)
        for (size_t i = 0; i < (size_t)r->steps * r->links; i++) {
            uint32_t load = r->load[way][i], channels = r->limits->channels, *grudge = &r->grudge[way][i];
            if (load > channels && *grudge < DEAREST)
                *grudge += PRICE * (load - channels);
            else if (load < channels)
                *grudge -= *grudge / 8;
        }
}

static bool must_stop(struct reroute *r, struct budget *budget)
{
    return r->work > most_work || base_must_stop(budget, "rerouting on the line", r->work / most_work);
}

/** All sides (again = false: none has a way yet), or those on crowded links; false: stopped in between. */
static bool make_round(struct reroute *r, bool again, struct budget *budget)
{
    shuffle(r);
    for (uint32_t i = 0; i < 2 * r->nodes; i++) {
        uint32_t side = r->order[i];
        if (r->first[side] == r->first[side + 1] || (again && !is_crowded(r, side)))
            continue;
        if (must_stop(r, budget))
            return false;
        if (again)
            count_side(r, side, -1);
        route_side(r, side);
        count_side(r, side, 1);
    }
    return true;
}

/** How many lightpaths are too many at last, at the least of all rounds; UINT64_MAX: stopped. */
static uint64_t attempt(struct reroute *r, struct budget *budget)
{
    uint64_t least = UINT64_MAX;
    r->over = 0;
    for (int way = UP; way <= DOWN; way++) {
        memset(r->load[way], 0, (size_t)r->steps * r->links * sizeof *r->load[way]);
        memset(r->grudge[way], 0, (size_t)r->steps * r->links * sizeof *r->grudge[way]);
    }
    for (uint32_t round = 0, best = 0; round <= best + STALL; round++) {
        if (!make_round(r, round > 0, budget))
            return UINT64_MAX;
        if (r->over < least) {
            least = r->over;
            best = round;
        }
        if (least == 0 || (round == EARLY_ROUNDS && least > 2 * (r->nodes / HOPELESS)))
            break;
        remember(r);
    }
    return least;
}

/** The hops of all sides, step by step. */
static void write_front(struct line_schedule *front, const struct reroute *r)
{
    memset(front->first, 0, ((size_t)r->steps + 1) * sizeof *front->first);
    for (size_t i = 0; i < r->first[2 * r->nodes]; i++)
        front->first[r->hop[i].step + 1]++;
    for (uint32_t step = 0; step < r->steps; step++)
        front->first[step + 1] += front->first[step];
    for (uint32_t side = 0; side < 2 * r->nodes; side++)
        for (size_t i = r->first[side]; i < r->first[side + 1]; i++) {
            const struct side_hop *h = &r->hop[i];
            uint32_t owner = side / 2;
            struct line_hop *to = &front->hop[front->first[h->step]++];
            *to = side % 2 == UP ? (struct line_hop){owner + h->src, owner + h->dst, owner, 0, h->ends}
                                 : (struct line_hop){owner - h->src, owner - h->dst, owner, 0, h->ends};
        }
    for (uint32_t step = r->steps; step > 0; step--)
        front->first[step] = front->first[step - 1];
    front->first[0] = 0;
    front->steps = r->steps;
}

static rwa_status try_steps(bool *found, struct line_schedule *front, uint32_t steps, const struct line_limits *limits,
                            struct budget *budget, rwa_error *err)
{
    struct reroute r = {.limits = limits, .nodes = limits->nodes, .steps = steps, .links = limits->nodes - 1, .random = limits->seed};
    rwa_status st = create(&r, err);
    uint64_t over = 1;
    for (int i = 0; st == RWA_OK && over > 0 && over <= 1 + r.nodes / HOPELESS && i < ATTEMPTS; i++)
        over = attempt(&r, budget);
    *found = st == RWA_OK && over == 0;
    if (*found)
        write_front(front, &r);
    destroy(&r);
    if (st == RWA_OK && budget->cancelled)
        st = base_fail(err, RWA_CANCELLED, "planning was stopped on a line");
    return st;
}

/** Whether the work is enough for some rounds. */
static bool is_small(const struct line_limits *l, uint32_t steps)
{
    double longest = l->channels < l->nodes ? l->channels : l->nodes;
    return EARLY_ROUNDS * 1.5 * l->drops * steps * l->nodes * l->nodes * longest * longest < most_work;
}

rwa_status negotiate(struct line_schedule *front, const struct line_limits *limits, struct budget *budget, rwa_error *err)
{
    bool found = true;
    rwa_status st = RWA_OK;
    while (st == RWA_OK && found && front->steps > line_fewest_steps(limits) && is_small(limits, front->steps - 1))
        st = try_steps(&found, front, front->steps - 1, limits, budget, err);
    return st;
}
