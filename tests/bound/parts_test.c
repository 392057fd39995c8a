/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bounds of parts of networks, and of networks of listed links, against those of the rings and lines they equal. */
#include "tests/support/bounds.h"

static void are_same(const rwa_bounds *a, const rwa_bounds *b)
{
    CU_ASSERT_EQUAL(rwa_bounds_count(a), rwa_bounds_count(b));
    for (size_t i = 0; i < rwa_bounds_count(a); i++)
        CU_ASSERT_EQUAL(rwa_bounds_get(a, i)->value, bound_value(b, rwa_bounds_get(a, i)->name));
}

static void networks_have_the_bounds_of_what_they_equal(void)
{
    static const char *const same[][2] = {
        /* Participants of a ring or line are a small ring or line, wherever they sit. */
        {"ring:32 w=2 members=3,4,9,17,18,19,30 root=2", "ring:7 w=2 root=2"},
        {"line:32 w=2 members=0,5,31 root=1", "line:3 w=2 root=1"},
        /* A ring that failed both ways after node 4 is a line from node 5 on; node 8 is the second of members 6, 8, 0,
           2, 4. */
        {"ring:9 w=2 links=4,13 root=6", "line:9 w=2 root=1"},
        {"ring:9 w=2 links=4,13 members=0,2,4,6,8 root=4", "line:5 w=2 root=1"},
        /* A reserved channel is as good as a wavelength less; a link that fails in a later step is there at first. */
        {"ring:16 w=8 reserved=0,3,5", "ring:16 w=5"},
        {"links:0-1x2,1-2,2-0,2-3 w=2 reserved=2,3", "links:0-1,1-2,2-0,2-3 w=2"},  /* of one link only */
        {"ring:8 w=2 links=3 from=2", "ring:8 w=2"}};
    for (size_t i = 0; i < COUNT(same); i++)
        for (rwa_collective_kind kind = RWA_ALL_GATHER; kind <= RWA_ROOTED_REDUCE; kind++)
            for (uint32_t hops = 0; hops < 4; hops++)
                are_same(bounds_on("%s hops=%u %s", same[i][0], hops, rwa_collective_name(kind)),
                         bounds_on("%s hops=%u %s", same[i][1], hops, rwa_collective_name(kind)));
}

/** A ring as a circulant graph: counted over its listed links, the same comes out; only the lattice knows more. */
static void listed_ring(void)
{
    static const char *const same[] = {"receive", "send", "cut", "distance", "pipeline"};
    static const char format[] = "%s w=%u hops=%u root=3 %s",
                      among[] = "%s w=%u root=3 members=1,2,4,8,9,11,14,15,16 %s";
    for (rwa_collective_kind kind = RWA_ALL_GATHER; kind <= RWA_ROOTED_REDUCE; kind++)
        for (uint32_t hops = 0; hops <= 8; hops++)
            for (uint32_t w = 1; w <= 4; w += 3) {
                const char *name = rwa_collective_name(kind);
                const rwa_bounds *ring = bounds_on(format, "ring:17", w, hops, name),
                                 *listed = bounds_on(format, "circulant:17:1", w, hops, name);
                for (size_t i = 0; i < COUNT(same) - (hops > 0); i++)
                    CU_ASSERT_EQUAL(bound_value(ring, same[i]), bound_value(listed, same[i]));
                CU_ASSERT(bound_value(ring, "broadcast-tree") >= bound_value(listed, "growth"));
                CU_ASSERT(bound_value(ring, "spread") >= bound_value(listed, "spread"));
                ring = bounds_on(among, "ring:17", w, name);
                listed = bounds_on(among, "circulant:17:1", w, name);
                CU_ASSERT_EQUAL(bound_value(listed, "receive"), bound_value(ring, "receive"));
                CU_ASSERT(bound_value(listed, "cut") >= bound_value(ring, "cut"));
            }
}

static void bounds_are_known(void)
{
    static const struct known_bound rows[] = {/* One direction of a link is lost: 15 blocks come over one link of two
                                                 channels, 8 * 8 pairs cross one direction of one link. */
                                              {"receive", "ring:16 w=2 links=7", 8},
                                              {"cut", "ring:16 w=2 links=7 all-to-all", 32},
                                              /* All-to-all: half the nodes to the other half, over 2k links of a torus,
                                                 k of a mesh, one of a tree, 2^(d-1) of a hypercube. */
                                              {"cut", "torus:8x8 w=1 all-to-all", 32 * 32 / 16},
                                              {"cut", "torus:4x8 w=1 all-to-all", 16 * 16 / 8},
                                              {"cut", "torus:8x4 w=1 all-to-all", 16 * 16 / 8},
                                              {"cut", "mesh:6x6 w=1 all-to-all", 18 * 18 / 6},
                                              {"cut", "hypercube:5 w=1 all-to-all", 16},
                                              {"cut", "tree:2x3 w=1 all-to-all", 7 * 8},
                                              /* Only owners inform: of one block that is node 0, in the middle of the
                                                 line that a failed link leaves, or the root of a tree. */
                                              {"spread", "ring:8 w=1 links=3,11 blocks=1", 2},
                                              {"spread", "ring:8 w=1 links=3,11 blocks=8", 3},
                                              {"spread", "tree:2x3 w=1 hops=1 blocks=1", 3},
                                              {"spread", "tree:2x3 w=1 hops=1 blocks=15", 6}};
    /* At first a node has one block for a lightpath, and after a step what two links brought: on one channel 1 block,
     * then 1 + 2, then four in a step and direction, as many as may be.  2 (1 + 3) blocks come in in two steps, 2 (1 +
     * 3 + 4) in three; backwards likewise. */
    static const struct known filling[] = {
        {"ring:2 load=4", 1}, {"ring:3 load=4", 1}, {"ring:4 load=4", 2}, {"ring:9 load=4", 2}, {"ring:10 load=4", 3},
        {"ring:17 load=4", 3}, {"ring:18 load=4", 4}, {"ring:9 load=3", 2}, {"ring:9 load=2", 3}};
    take_bounds(rows, COUNT(rows));
    for (size_t i = 0; i < COUNT(filling); i++) {
        CU_ASSERT_EQUAL(bound_on("receive", "%s w=1", filling[i].line), filling[i].steps);
        CU_ASSERT_EQUAL(bound_on("send", "%s w=1 reduce-scatter", filling[i].line), filling[i].steps);
    }
}

/** Lightpaths of c blocks are as good as c channels but in the first step, and inform no more nodes; taps inform more,
 * but a node that needs something from all others hears no more of them. */
static void fuller_lightpaths(void)
{
    for (rwa_collective_kind kind = RWA_ALL_GATHER; kind <= RWA_ROOTED_REDUCE; kind++) {
        static const char format[] = "ring:64 root=5 %s %s";
        const char *name = rwa_collective_name(kind), *const alike[] = {"broadcast-tree", "cut"};
        const rwa_bounds *wide = bounds_on(format, name, "w=6"), *plain = bounds_on(format, name, "w=2"),
                         *full = bounds_on(format, name, "w=2 load=3"), *tapped = bounds_on(format, name, "w=2 taps=1");
        for (size_t i = 0; i < 2; i++)
            CU_ASSERT(bound_value(full, alike[i]) - bound_value(wide, alike[i]) <= 1);
        CU_ASSERT_EQUAL(bound_value(full, "spread"), bound_value(plain, "spread"));
        CU_ASSERT_EQUAL(bound_value(tapped, "receive"), bound_value(plain, "receive"));
        bool informs = kind == RWA_BROADCAST || kind == RWA_SCATTER;
        CU_ASSERT(!rwa_collective_is_reduction(kind) ||
                  bound_value(tapped, "broadcast-tree") == bound_value(plain, "broadcast-tree"));
        CU_ASSERT_EQUAL(bound_value(tapped, "spread"), informs ? 1 : bound_value(plain, "spread"));
        CU_ASSERT_EQUAL(bound_value(bounds_on(format, name, "w=2 drops=1"), "spread"), bound_value(plain, "spread"));
    }
}

/** Members rise, and are nodes; a collective of two nodes names the two. */
static void refused(void)
{
    static const uint32_t falling[] = {3, 2}, outside[] = {3, 16}, *const members[] = {NULL, falling, outside};
    rwa_bounds *none = NULL;
    struct request r = request_of("ring:16 members=0,1");
    struct bound_task t = bound_task_of(&r);
    for (size_t i = 0; i < COUNT(members); i++) {
        t.opts.members = members[i];
        CU_ASSERT_EQUAL(rwa_bounds_make(&none, t.net, &t.coll, &t.opts, NULL), RWA_BADARG);
    }
}

TESTS("parts", networks_have_the_bounds_of_what_they_equal, listed_ring, bounds_are_known,
      fuller_lightpaths, refused)
