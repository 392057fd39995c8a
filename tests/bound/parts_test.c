/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bounds of parts of networks, and of networks of listed links, against those of the rings and lines they equal. */
#include "tests/support/plans.h"
#include "tests/support/bounds.h"
#include "tests/support/suite.h"

#include <stdbool.h>
#include <string.h>

static const rwa_collective_kind kinds[] = {RWA_ALL_GATHER, RWA_REDUCE_SCATTER, RWA_ALL_REDUCE, RWA_BROADCAST,
                                            RWA_SCATTER,    RWA_GATHER,         RWA_ALL_TO_ALL, RWA_ROOTED_REDUCE};

static rwa_network *without(rwa_network *net, const uint32_t *channels, size_t channel_count, const uint32_t *links,
                            size_t link_count)
{
    rwa_faults faults = {channels, channel_count, links, link_count, 0};
    rwa_network *less = NULL;
    CU_ASSERT_EQUAL_FATAL(rwa_network_with_faults(&less, net, &faults, NULL), RWA_OK);
    rwa_network_free(net);
    return less;
}

struct list {
    rwa_bound at[BOUNDS_ROOM];
    size_t count;
};

static struct list bounds_of(const rwa_network *net, rwa_collective_kind kind, uint32_t root, const uint32_t *members,
                             uint32_t count, uint32_t hops)
{
    rwa_bound_options bo;
    rwa_collective coll;
    struct list l;
    rwa_bound_options_init(&bo);
    bo.members = members;
    bo.max_hops = hops;
    CU_ASSERT_EQUAL_FATAL(rwa_collective_init(&coll, kind, count, root, 1, 0, NULL), RWA_OK);
    CU_ASSERT_EQUAL_FATAL(list_bounds(l.at, &l.count, net, &coll, &bo), RWA_OK);
    return l;
}

static uint64_t value(const struct list *l, const char *name)
{
    for (size_t i = 0; i < l->count; i++)
        if (strcmp(l->at[i].name, name) == 0)
            return l->at[i].value;
    return 0;
}

/** Prices of listed links are looked for only above what the other bounds prove: of link-capacity, the highest of all counts. */
static uint64_t proven(const struct list *l, const char *name)
{
    uint64_t most = 0;
    if (strcmp(name, "link-capacity") != 0)
        return value(l, name);
    for (size_t i = 0; i < l->count; i++)
        most = l->at[i].value > most ? l->at[i].value : most;
    return most;
}

static void are_same(const struct list *a, const struct list *b)
{
    CU_ASSERT_EQUAL(a->count, b->count);
    for (size_t i = 0; i < a->count; i++)
        CU_ASSERT_EQUAL(a->at[i].value, value(b, a->at[i].name));
}

/** Participants of a ring or line are a small ring or line, wherever they sit. */
static void participants(void)
{
    static const uint32_t some[] = {3, 4, 9, 17, 18, 19, 30}, ends[] = {0, 5, 31};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        for (uint32_t hops = 0; hops < 4; hops++) {
            rwa_network *big = network_of("ring:32", 2), *small = network_of("ring:7", 2);
            rwa_network *long_line = network_of("line:32", 2), *line = network_of("line:3", 2);
            struct list a = bounds_of(big, kinds[k], 2, some, 7, hops), b = bounds_of(small, kinds[k], 2, NULL, 7, hops);
            are_same(&a, &b);
            a = bounds_of(long_line, kinds[k], 1, ends, 3, hops);
            b = bounds_of(line, kinds[k], 1, NULL, 3, hops);
            are_same(&a, &b);
            rwa_network_free(big);
            rwa_network_free(small);
            rwa_network_free(long_line);
            rwa_network_free(line);
        }
}

/** A ring of one block per node that failed both ways after node 4 is a line from node 5 on. */
static void opened(void)
{
    static const uint32_t both[] = {4, 9 + 4}, members[] = {0, 2, 4, 6, 8};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        rwa_network *ring = without(network_of("ring:9", 2), NULL, 0, both, 2), *line = network_of("line:9", 2);
        rwa_network *small = network_of("line:5", 2);
        struct list a = bounds_of(ring, kinds[k], 6, NULL, 9, 3), b = bounds_of(line, kinds[k], 1, NULL, 9, 3);
        are_same(&a, &b);
        a = bounds_of(ring, kinds[k], 4, members, 5, 3); /* node 8 is the second of 6, 8, 0, 2, 4 */
        b = bounds_of(small, kinds[k], 1, NULL, 5, 3);
        are_same(&a, &b);
        rwa_network_free(ring);
        rwa_network_free(line);
        rwa_network_free(small);
    }
}

/** A reserved channel is as good as a wavelength less; one direction lost is felt by the node behind it. */
static void narrowed(void)
{
    static const uint32_t channels[] = {0, 3, 5}, cw[] = {7};
    rwa_network *ring = without(network_of("ring:16", 8), channels, 3, NULL, 0), *five = network_of("ring:16", 5);
    rwa_network *dead_end = without(network_of("ring:16", 2), NULL, 0, cw, 1);
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        struct list a = bounds_of(ring, kinds[k], 0, NULL, 16, 0), b = bounds_of(five, kinds[k], 0, NULL, 16, 0);
        are_same(&a, &b);
    }
    struct list gather = bounds_of(dead_end, RWA_ALL_GATHER, 0, NULL, 16, 0);
    struct list exchange = bounds_of(dead_end, RWA_ALL_TO_ALL, 0, NULL, 16, 0);
    CU_ASSERT_EQUAL(value(&gather, "receive"), 8);   /* 15 blocks over one link of two channels */
    CU_ASSERT_EQUAL(value(&exchange, "cut"), 32);    /* 8 * 8 pairs, and one direction of one link only */
    rwa_network_free(ring);
    rwa_network_free(five);
    rwa_network_free(dead_end);
}

/** A ring as a circulant graph: counted over its listed links, the same comes out; only the lattice knows more. */
static void listed_ring(void)
{
    static const char *const same[] = {"receive", "send", "cut", "distance", "pipeline"};
    static const uint32_t members[] = {1, 2, 4, 8, 9, 11, 14, 15, 16};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        for (uint32_t hops = 0; hops <= 8; hops++)
            for (uint32_t w = 1; w <= 4; w += 3) {
                rwa_network *ring = network_of("ring:17", w), *listed = network_of("circulant:17:1", w);
                struct list a = bounds_of(ring, kinds[k], 3, NULL, 17, hops);
                struct list b = bounds_of(listed, kinds[k], 3, NULL, 17, hops);
                for (size_t i = 0; i < sizeof same / sizeof same[0]; i++)
                    if (strcmp(same[i], "pipeline") != 0 || hops == 0)
                        CU_ASSERT_EQUAL(value(&a, same[i]), value(&b, same[i]));
                CU_ASSERT(value(&a, "broadcast-tree") >= value(&b, "growth"));
                CU_ASSERT(value(&a, "spread") >= value(&b, "spread"));
                a = bounds_of(ring, kinds[k], 3, members, 9, 0);
                b = bounds_of(listed, kinds[k], 3, members, 9, 0);
                CU_ASSERT(value(&b, "receive") == value(&a, "receive") && value(&b, "cut") >= value(&a, "cut"));
                rwa_network_free(ring);
                rwa_network_free(listed);
            }
}

/** All-to-all: half the nodes to the other half, over 2k links of a torus, one link of a tree, 2^(d-1) of a hypercube. */
static void halves(void)
{
    static const struct {
        const char *spec;
        uint32_t nodes;
        uint64_t cut;
    } known[] = {{"torus:8x8", 64, 32 * 32 / 16}, {"torus:4x8", 32, 16 * 16 / 8}, {"torus:8x4", 32, 16 * 16 / 8},
                 {"mesh:6x6", 36, 18 * 18 / 6}, {"hypercube:5", 32, 16}, {"tree:2x3", 15, 7 * 8}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        rwa_network *net = network_of(known[i].spec, 1);
        struct list l = bounds_of(net, RWA_ALL_TO_ALL, 0, NULL, known[i].nodes, 0);
        CU_ASSERT_EQUAL(value(&l, "cut"), known[i].cut);
        CU_ASSERT(value(&l, "distance") <= value(&l, "cut"));
        rwa_network_free(net);
    }
}

/** Nothing is lost by asking for more: more channels never need more steps, a hop limit never fewer. */
static void monotone(void)
{
    static const char *const nets[] = {"torus:5x4", "mesh:3x7", "hypercube:4", "tree:3x2", "circulant:20:1,6"};
    for (size_t i = 0; i < sizeof nets / sizeof nets[0]; i++)
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
            for (uint32_t w = 1; w < 6; w++) {
                rwa_network *net = network_of(nets[i], w), *wider = network_of(nets[i], w + 1);
                uint32_t n = rwa_network_nodes(net);
                struct list a = bounds_of(net, kinds[k], 1, NULL, n, 0), b = bounds_of(wider, kinds[k], 1, NULL, n, 0);
                struct list c = bounds_of(net, kinds[k], 1, NULL, n, 1);
                for (size_t j = 0; j < a.count; j++) {
                    CU_ASSERT(proven(&b, a.at[j].name) <= proven(&a, a.at[j].name));
                    CU_ASSERT(proven(&c, a.at[j].name) >= proven(&a, a.at[j].name));
                }
                rwa_network_free(net);
                rwa_network_free(wider);
            }
}

/** At first a node has one block for a lightpath, and after a step what two links brought: on one channel 1 block, then 1 + 2,
 *  then four in a step and direction, as many as may be.  2 (1 + 3) blocks come in in two steps, 2 (1 + 3 + 4) in three. */
static void fuller_as_blocks_come(void)
{
    static const struct { uint32_t nodes, slots, steps; } cases[] = {
        {2, 4, 1}, {3, 4, 1}, {4, 4, 2}, {9, 4, 2}, {10, 4, 3}, {17, 4, 3}, {18, 4, 4}, {9, 3, 2}, {9, 2, 3}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (size_t k = 0; k < 2; k++) { /* a reduce-scatter is an all-gather reversed */
            rwa_network *net = NULL;
            rwa_bound_options bo;
            rwa_collective coll;
            struct list l;
            rwa_network_options no;
            rwa_network_options_init(&no);
            rwa_bound_options_init(&bo);
            no.wavelengths = 1;
            bo.lightpath_blocks = cases[i].slots;
            CU_ASSERT_EQUAL_FATAL(rwa_network_create(&net, RWA_RING, cases[i].nodes, &no, NULL), RWA_OK);
            CU_ASSERT_EQUAL_FATAL(rwa_collective_init(&coll, kinds[k], cases[i].nodes, 0, 1, 0, NULL), RWA_OK);
            CU_ASSERT_EQUAL_FATAL(list_bounds(l.at, &l.count, net, &coll, &bo), RWA_OK);
            CU_ASSERT_EQUAL(value(&l, k == 0 ? "receive" : "send"), cases[i].steps);
            rwa_network_free(net);
        }
}

/** Lightpaths of c blocks are as good as c channels but in the first step, and inform no more nodes; taps inform more, but a node
 *  that needs something from all others hears no more of them. */
static void fuller_lightpaths(void)
{
    rwa_network *two = network_of("ring:64", 2), *six = network_of("ring:64", 6);
    rwa_bound_options bo;
    rwa_collective coll;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        struct list wide = bounds_of(six, kinds[k], 5, NULL, 64, 0), plain = bounds_of(two, kinds[k], 5, NULL, 64, 0), l;
        rwa_bound_options_init(&bo);
        bo.lightpath_blocks = 3;
        CU_ASSERT_EQUAL_FATAL(rwa_collective_init(&coll, kinds[k], 64, 5, 1, 0, NULL), RWA_OK);
        CU_ASSERT_EQUAL_FATAL(list_bounds(l.at, &l.count, two, &coll, &bo), RWA_OK);
        CU_ASSERT(value(&l, "broadcast-tree") >= value(&wide, "broadcast-tree"));
        CU_ASSERT(value(&l, "broadcast-tree") <= value(&wide, "broadcast-tree") + 1);
        CU_ASSERT(value(&l, "cut") >= value(&wide, "cut") && value(&l, "cut") <= value(&wide, "cut") + 1);
        CU_ASSERT_EQUAL(value(&l, "spread"), value(&plain, "spread"));
        bo.lightpath_blocks = 1;
        bo.taps = 1;
        CU_ASSERT_EQUAL_FATAL(list_bounds(l.at, &l.count, two, &coll, &bo), RWA_OK);
        CU_ASSERT_EQUAL(value(&l, "receive"), value(&plain, "receive"));
        bool reduces = rwa_collective_is_reduction(kinds[k]);
        bool informs = kinds[k] == RWA_BROADCAST || kinds[k] == RWA_SCATTER;
        CU_ASSERT(!reduces || value(&l, "broadcast-tree") == value(&plain, "broadcast-tree"));
        CU_ASSERT_EQUAL(value(&l, "spread"), informs ? 1 : value(&plain, "spread"));
        bo.taps = 0;
        for (uint64_t more = 1, last = 0; more <= 5; more++, last = value(&l, "broadcast-tree")) {
            bo.max_drops = (uint32_t)more;
            CU_ASSERT_EQUAL_FATAL(list_bounds(l.at, &l.count, two, &coll, &bo), RWA_OK);
            CU_ASSERT(more > 1 ? value(&l, "broadcast-tree") <= last : value(&l, "spread") == value(&plain, "spread"));
        }
    }
    rwa_network_free(two);
    rwa_network_free(six);
}

static uint64_t spread_of(rwa_network *net, uint64_t blocks, uint32_t hops)
{
    rwa_bound_options bo;
    rwa_collective coll;
    struct list l;
    rwa_bound_options_init(&bo);
    bo.max_hops = hops;
    CU_ASSERT_EQUAL_FATAL(rwa_collective_init(&coll, RWA_ALL_GATHER, rwa_network_nodes(net), 0, 1, blocks, NULL), RWA_OK);
    CU_ASSERT_EQUAL_FATAL(list_bounds(l.at, &l.count, net, &coll, &bo), RWA_OK);
    rwa_network_free(net);
    return value(&l, "spread");
}

/** Only owners inform: of one block that is node 0, in the middle of the line that a failed link leaves, or the root of a tree. */
static void fewer_blocks_than_owners(void)
{
    static const uint32_t both_ways[] = {3, 8 + 3};
    CU_ASSERT_EQUAL(spread_of(without(network_of("ring:8", 1), NULL, 0, both_ways, 2), 1, 0), 2);
    CU_ASSERT_EQUAL(spread_of(without(network_of("ring:8", 1), NULL, 0, both_ways, 2), 8, 0), 3);
    CU_ASSERT_EQUAL(spread_of(network_of("tree:2x3", 1), 1, 1), 3);
    CU_ASSERT_EQUAL(spread_of(network_of("tree:2x3", 1), 15, 1), 6);
}

/** A link that fails in a later step is there at first, so no bound may count on it. */
static void failing_later(void)
{
    static const uint32_t links[] = {3};
    rwa_network *net = network_of("ring:8", 2), *later = NULL;
    rwa_faults faults = {NULL, 0, links, 1, 2};
    CU_ASSERT_EQUAL_FATAL(rwa_network_with_faults(&later, net, &faults, NULL), RWA_OK);
    struct list a = bounds_of(net, RWA_ALL_GATHER, 0, NULL, 8, 0), b = bounds_of(later, RWA_ALL_GATHER, 0, NULL, 8, 0);
    are_same(&a, &b);
    rwa_network_free(net);
    rwa_network_free(later);
}

static void refused(void)
{
    static const uint32_t falling[] = {3, 2}, outside[] = {3, 16};
    rwa_network *net = network_of("ring:16", 2);
    rwa_bound_options bo;
    rwa_collective coll;
    struct list l;
    rwa_bound_options_init(&bo);
    CU_ASSERT_EQUAL_FATAL(rwa_collective_init(&coll, RWA_ALL_GATHER, 2, 0, 1, 0, NULL), RWA_OK);
    CU_ASSERT_EQUAL(list_bounds(l.at, &l.count, net, &coll, &bo), RWA_BADARG);
    bo.members = falling;
    CU_ASSERT_EQUAL(list_bounds(l.at, &l.count, net, &coll, &bo), RWA_BADARG);
    bo.members = outside;
    CU_ASSERT_EQUAL(list_bounds(l.at, &l.count, net, &coll, &bo), RWA_BADARG);
    rwa_network_free(net);
}

int main(void)
{
    static const struct test tests[] = {
        TEST(participants), TEST(opened), TEST(narrowed), TEST(listed_ring), TEST(halves), TEST(monotone),
        TEST(fuller_as_blocks_come), TEST(fuller_lightpaths), TEST(fewer_blocks_than_owners), TEST(failing_later), TEST(refused), {0}};
    return run_tests("parts", tests);
}
