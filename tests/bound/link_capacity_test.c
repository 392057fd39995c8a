/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bound/line_spread.h"

#include "tests/support/bounds.h"
#include "tests/support/random.h"

enum { NODES = 7, SETS = 1 << NODES, STEPS = 3 };

/** The price of the links from u to v in a step; a link downwards costs what its mirror image costs upwards. */
static uint64_t way(const struct line_spread *s, uint32_t step, uint32_t u, uint32_t v)
{
    const uint64_t *price = s->price + step * (s->nodes - 1);
    uint64_t sum = 0;
    if (u > v)
        return way(s, step, s->nodes - 1 - u, s->nodes - 1 - v);
    for (uint32_t e = u; e < v; e++)
        sum += price[e];
    return sum;
}

/** A lightpath that these nodes read, from the best of all holders that has them on one side, whatever lies between. */
static uint64_t light(const struct line_spread *s, uint32_t step, uint32_t holders, uint32_t readers)
{
    uint64_t least = LINE_SPREAD_FAR;
    uint32_t low = 0, high = s->nodes - 1;
    while (!(readers >> low & 1))
        low++;
    while (!(readers >> high & 1))
        high--;
    for (uint32_t u = 0; u < s->nodes; u++) {
        uint32_t v = u < low ? high : low;
        if (holders >> u & 1 && (u < low || u > high) && (u > v ? u - v : v - u) <= s->max_hops &&
            way(s, step, u, v) < least)
            least = way(s, step, u, v);
    }
    return least;
}

static uint32_t size_of(uint32_t set)
{
    return set == 0 ? 0 : 1 + size_of(set & (set - 1));
}

/** Telling a set in a step, by all ways to share lightpaths. */
static uint64_t tell_all(const struct line_spread *s, uint32_t step, uint32_t holders, uint32_t set)
{
    uint64_t least = LINE_SPREAD_FAR;
    uint32_t one = set & (~set + 1), others = set & ~one;
    if (set == 0)
        return 0;
    for (uint32_t more = others;; more = (more - 1) & others) {
        uint64_t cost = size_of(more) < s->drops ? light(s, step, holders, one | more) : LINE_SPREAD_FAR;
        if (cost < least)
            cost += tell_all(s, step, holders, others & ~more);
        least = cost < least ? cost : least;
        if (more == 0)
            return least;
    }
}

/** All sets of holders, all larger sets after each step. */
static uint64_t plain_cost(const struct line_spread *s, uint32_t owner)
{
    static uint64_t now[SETS], next[SETS];
    uint32_t all = (1u << s->nodes) - 1;
    for (uint32_t set = 0; set <= all; set++)
        now[set] = set == all ? 0 : LINE_SPREAD_FAR;
    for (uint32_t step = s->steps; step-- > 0;) {
        for (uint32_t set = 1; set <= all; set++) {
            next[set] = LINE_SPREAD_FAR;
            for (uint32_t new = all & ~set;; new = (new - 1) & ~set) {
                uint64_t cost = now[set | new];
                if (cost < next[set])
                    cost += tell_all(s, step, set, new);
                next[set] = cost < next[set] ? cost : next[set];
                if (new == 0)
                    break;
            }
        }
        memcpy(now, next, sizeof now);
    }
    return now[1u << owner];
}

static void random_prices(struct line_spread *s)
{
    uint64_t most = 1 + any(20);
    for (size_t i = 0; i < (size_t)s->steps * (s->nodes - 1); i++)
        s->price[i] = any(most + 1);
}

/** The links passed, at their prices, must cost what the solution says: of one side, and of all. */
static void links_cost_as_much(struct line_spread *s, uint32_t owner)
{
    uint64_t load[STEPS * NODES], cost = 0;
    uint32_t sides[NODES] = {0};
    sides[owner] = 2;
    line_spread_links(s, load, sides);
    for (size_t i = 0; i < (size_t)s->steps * (s->nodes - 1); i++)
        cost += load[i] * s->price[i];
    CU_ASSERT_EQUAL(cost, 2 * s->right[owner]);
}

/* The recurrence looks only at hops from neighbouring holders; here every set of holders may follow from every other.
 */
static void cheapest_spreads(void)
{
    seed = 7;
    for (uint32_t round = 0; round < 150; round++) {
        uint32_t drops = round < 60 ? 1 : 2 + round % 2, nodes = 2 + round % (NODES - 1), steps = 1 + round / 7 % STEPS;
        uint32_t hops = round % 4 == 3 ? 1 + round / 8 % 3 : nodes - 1;
        struct line_spread s;
        OK(line_spread_open(&s, nodes, steps, hops, drops, NULL));
        random_prices(&s);
        line_spread_solve(&s);
        for (uint32_t owner = 0; owner < nodes; owner++) {
            uint64_t both = s.right[owner] + s.right[nodes - 1 - owner], plain = plain_cost(&s, owner);
            CU_ASSERT_TRUE(both == plain || (both >= LINE_SPREAD_FAR && plain >= LINE_SPREAD_FAR));
            if (s.right[owner] < LINE_SPREAD_FAR)
                links_cost_as_much(&s, owner);
        }
        line_spread_close(&s);
    }
}

static uint64_t capacity_of(uint32_t nodes, uint32_t wavelengths, uint32_t drops)
{
    return bound_on("link-capacity", "line:%u w=%u drops=%u", nodes, wavelengths, drops);
}

/* Each of the i nodes below a link needs ceil((n - i)/drops) lightpaths over it, and no link needs more: floor(N²/4)
 * over the middle link where each has one receiver. */
static void one_step(void)
{
    for (uint32_t drops = 1; drops <= 5; drops++)
        for (uint32_t n = 3; n <= 14; n++) {
            uint32_t most = 0;
            for (uint32_t i = 1; i < n; i++) {
                uint32_t load = i * ((n - i + drops - 1) / drops);
                most = load > most ? load : most;
            }
            CU_ASSERT_EQUAL(capacity_of(n, most, drops), 1);
            CU_ASSERT_EQUAL(capacity_of(n, most - 1, drops), 2);
        }
}

/* c blocks of each owner on c times the channels fit where one does. */
static void scales(void)
{
    for (uint32_t w = 1; w <= 5; w++)
        CU_ASSERT_EQUAL(bound_on("link-capacity", "line:13 w=%u blocks=39", 3 * w), capacity_of(13, w, 1));
}

/* At 13 nodes and 3 channels the ends can take in 12 blocks in 4 steps, and the links have room, but both is not
 * possible; nor on 64 nodes with 8. */
static void says_more(void)
{
    CU_ASSERT_EQUAL(bound_on("receive", "line:13 w=3"), 4);
    CU_ASSERT_TRUE(bound_on("broadcast-tree", "line:13 w=3") <= 4);
    CU_ASSERT_TRUE(capacity_of(13, 3, 1) > 4 && capacity_of(64, 8, 1) > bound_on("receive", "line:64 w=8"));
}

/* Lines above 49 nodes are contracted in the middle, but for few steps; a plan that exists is not refuted. */
static void long_lines(void)
{
    static const struct known_bound rows[] = {
        {"link-capacity", "line:80 w=28", 5}, {"link-capacity", "line:72 w=8", 10},
        {"link-capacity", "line:128 w=8", 17}, {"link-capacity", "line:128 w=16", 10},
        {"link-capacity", "line:256 w=16", 18}, {"link-capacity", "line:512 w=32", 18}};
    take_bounds(rows, COUNT(rows));
    for (uint32_t n = 50; n <= 74; n += 12)
        plan_on("line:%u w=%u limit=0 by line-wavefront", n, (n - 34) / 2);
}

TESTS("link capacity", cheapest_spreads, one_step, scales, says_more, long_lines)
