/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The cheapest spread of one block, found over all sets of informed nodes, against the lattice's closed form. */
#include "base/base.h"
#include "lattice/spheres.h"

#include "tests/support/suite.h"

enum { NODES = 10, SETS = 1 << NODES };
static const uint64_t far = UINT64_MAX / 65536; /* adds up without overflow */

/** The cheapest lightpath of at most `hops` links that starts at one of the holders and may be read by all the readers,
 * far where there is none. */
static uint64_t shared(bool ring, unsigned n, unsigned hops, unsigned holders, unsigned readers)
{
    uint64_t least = far;
    for (unsigned u = 0; u < n; u++)
        for (unsigned way = 0; way < 2 && (holders >> u & 1); way++) {
            unsigned v = u, left = readers, links = 0;
            while (left != 0 && links < hops && links < n - 1 && (ring || v != (way ? 0 : n - 1))) {
                v = (v + (way ? n - 1 : 1)) % n;
                links++;
                left &= ~(1u << v);
            }
            least = left == 0 && links < least ? links : least;
        }
    return least;
}

/** The cost of a lightpath for each set of up to `drops` nodes, and for larger sets several: the cheapest way to part
 * them. */
static void price_sets(uint64_t *price, bool ring, unsigned n, unsigned hops, unsigned holders, unsigned drops)
{
    price[0] = 0;
    for (unsigned more = 1; more < 1u << n; more++) {
        price[more] = far;
        if (more & holders)
            continue;
        for (unsigned part = more; part != 0; part = (part - 1) & more) {
            unsigned count = (unsigned)__builtin_popcount(part);
            if (count > drops || !(part & (more & (~more + 1)))) /* one of them reaches the first of all */
                continue;
            uint64_t one = shared(ring, n, hops, holders, part), rest = price[more & ~part];
            if (one + rest < price[more])
                price[more] = one + rest;
        }
    }
}

/** One step in which up to `drops` nodes read a lightpath: nothing is assumed of where it starts or which nodes read
 * it. */
static void one_step(uint64_t *next, const uint64_t *now, bool ring, unsigned n, unsigned hops, unsigned drops)
{
    static uint64_t price[SETS];
    for (unsigned s = 0; s < 1u << n; s++)
        next[s] = now[s];
    for (unsigned s = 1; s < 1u << n; s++) {
        unsigned others = (1u << n) - 1 - s;
        if (now[s] >= far)
            continue;
        price_sets(price, ring, n, hops, s, drops);
        for (unsigned more = others; more != 0; more = (more - 1) & others)
            if (price[more] < far && now[s] + price[more] < next[s | more])
                next[s | more] = now[s] + price[more];
    }
}

static uint64_t halves(struct spheres s, uint64_t count)
{
    uint64_t sum = 0;
    (void)spheres_next(&s);
    while (count > 0) {
        uint64_t distance = s.distance, size = spheres_next(&s) / 2;
        if (size == 0)
            return UINT64_MAX;
        size = size < count ? size : count;
        sum += size * distance;
        count -= size;
    }
    return sum;
}

static uint64_t predicted(const struct spheres *s, bool ring, unsigned n, unsigned owner)
{
    if (ring)
        return spheres_cost(*s, n);
    uint64_t left = halves(*s, owner), right = halves(*s, n - 1 - owner);
    return left == UINT64_MAX || right == UINT64_MAX ? UINT64_MAX : left + right;
}

static void spread_over(bool ring, unsigned n, unsigned owner, unsigned hops, unsigned drops)
{
    static uint64_t tables[2][SETS];
    uint64_t *now = tables[0], *next = tables[1];
    struct spheres hop;
    OK(spheres_open(&hop, hops, drops, 2 * n, NULL));
    for (unsigned s = 0; s < 1u << n; s++)
        now[s] = s == 1u << owner ? 0 : far;
    for (unsigned t = 1; t <= 4; t++) {
        spheres_step(&hop);
        one_step(next, now, ring, n, hops, drops);
        uint64_t cheapest = next[(1u << n) - 1];
        struct spheres s = hop, free_of_hops = spheres_of(t, drops);
        CU_ASSERT_EQUAL(predicted(&s, ring, n, owner), cheapest >= far ? UINT64_MAX : cheapest);
        if (hops >= n - 1)
            CU_ASSERT_EQUAL(predicted(&free_of_hops, ring, n, owner), cheapest);
        uint64_t *kept = now;
        now = next;
        next = kept;
    }
    spheres_close(&hop);
}

/** Over all sets of readers of every lightpath. */
static void cheapest_spreads(void)
{
    for (unsigned drops = 1; drops <= 4; drops++)
        for (unsigned n = 2; n <= (drops == 1 ? 9 : 7); n++)
            for (unsigned hops = 1; hops < n; hops++) {
                spread_over(true, n, 0, hops, drops);
                for (unsigned owner = 0; owner <= n / 2; owner++)
                    spread_over(false, n, owner, hops, drops);
            }
}

/** Points of Z^t whose |x1|, |x2|, … divided by `drops` and rounded up add up to v, counted one by one. */
static uint64_t points_at(unsigned t, int v, int drops)
{
    uint64_t count = 0;
    if (t == 0)
        return v == 0;
    for (int x = -v * drops; x <= v * drops; x++)
        count += points_at(t - 1, v - ((x < 0 ? -x : x) + drops - 1) / drops, drops);
    return count;
}

static void spheres_are_counted(void)
{
    for (unsigned t = 1; t <= 6; t++)
        for (int drops = 1; drops <= 5; drops += drops == 1 ? 1 : 3) {
            struct spheres s = spheres_of(t, (uint64_t)drops);
            for (int v = 0; v <= (drops == 1 ? 6 : 3); v++)
                CU_ASSERT_EQUAL(spheres_next(&s), points_at(t, v, drops));
        }
}

/** Large numbers, the sphere at distance 1 alone for many steps; and one node more costs no less than the one before.
 */
static void far_and_many(void)
{
    struct spheres wide = spheres_of(UINT64_C(1) << 40, 1);
    CU_ASSERT_EQUAL(spheres_cost(wide, 1u << 24), (1u << 24) - 1);
    CU_ASSERT_EQUAL(spheres_cost(spheres_of(1, 1), 1u << 24), UINT64_C(1) << 46); /* floor(N^2/4) */
    for (uint64_t n = 2; n < 5000; n++)
        CU_ASSERT(spheres_cost(spheres_of(3, 1), n + 1) - spheres_cost(spheres_of(3, 1), n) >=
                  spheres_cost(spheres_of(3, 1), n) - spheres_cost(spheres_of(3, 1), n - 1));
}

TESTS("spread", cheapest_spreads, spheres_are_counted, far_and_many)
