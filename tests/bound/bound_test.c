/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bound/case.h"

#include "tests/support/suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PLAIN = 64 };

/** The value of a named bound, 0 when it does not apply.  As if a schedule of one step were known: what is
 *  costly has its own test, link_capacity_test.c. */
static uint64_t value_of(const char *name, rwa_topology kind, uint32_t nodes, uint32_t fibers, uint32_t wavelengths,
                         uint32_t hops, int *holds)
{
    rwa_network_options no;
    rwa_bound_options bo;
    rwa_network *net = NULL;
    rwa_collective coll;
    struct rwa_bounds list;
    uint64_t value = 0;
    rwa_network_options_init(&no);
    rwa_bound_options_init(&bo);
    no.fibers = fibers;
    no.wavelengths = wavelengths;
    bo.max_hops = hops;
    CU_ASSERT_EQUAL_FATAL(rwa_network_create(&net, kind, nodes, &no, NULL), RWA_OK);
    CU_ASSERT_EQUAL_FATAL(rwa_collective_init(&coll, RWA_ALL_GATHER, nodes, 0, 1024, 0, NULL), RWA_OK);
    CU_ASSERT_EQUAL_FATAL(bound_list_for(&list, net, &coll, &bo, 1, NULL), RWA_OK);
    for (size_t i = 0; i < list.count; i++)
        if (strcmp(list.at[i].name, name) == 0) {
            value = list.at[i].value;
            if (holds)
                *holds = list.at[i].holds;
        }
    rwa_network_free(net);
    return value;
}

static uint64_t tree_of(rwa_topology kind, uint32_t nodes, uint32_t w, uint32_t hops)
{
    return value_of("broadcast-tree", kind, nodes, 1, w, hops, NULL);
}

static void known_values(void)
{
    static const uint32_t known[][4] = {
        {16, 1, 0, 8}, {16, 2, 0, 5}, {64, 8, 0, 7}, {128, 16, 0, 8}, {256, 16, 0, 15}, {256, 64, 0, 6},
        {512, 64, 0, 11}, {1000, 64, 0, 18}, {1024, 4, 0, 205}, {1024, 16, 0, 61}, {1024, 64, 0, 19},
        {1024, 128, 0, 11}, {1024, 256, 0, 7}, {2048, 64, 0, 32}, {4096, 64, 0, 63}, {360, 24, 0, 15},
        {100, 8, 0, 11}, {1024, 64, 32, 19}, {1024, 64, 16, 32}, {1024, 64, 8, 64}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        CU_ASSERT_EQUAL(tree_of(RWA_RING, known[i][0], known[i][1], known[i][2]), known[i][3]);
}

static void known_with_hops(void)
{
    for (uint32_t hops = 1; hops < 20; hops++)
        CU_ASSERT(tree_of(RWA_RING, 40, 4, hops) >= value_of("receive", RWA_RING, 40, 1, 4, hops, NULL));
}

/** The recurrences as they stand, every split tried. */
static uint64_t plain_tree(rwa_topology kind, size_t n, uint64_t w, size_t hops)
{
    const uint64_t far = UINT64_MAX / 1024;
    uint64_t c[PLAIN + 1], d[PLAIN + 1], a[PLAIN + 1], next[PLAIN + 1];
    for (size_t g = 0; g <= n; g++) {
        c[g] = g <= 1 ? 0 : far;
        d[g] = g == 0 ? 0 : far;
    }
    for (uint64_t t = 1;; t++) {
        a[0] = 0;
        for (size_t x = 1; x <= n; x++) {
            a[x] = far;
            for (size_t y = 0; y < x && (hops == 0 || x <= hops); y++)
                if (x + a[y] + c[x - y] < a[x])
                    a[x] = x + a[y] + c[x - y];
        }
        for (size_t g = 0; g <= n; g++) {
            next[g] = far;
            for (size_t y = 0; y <= g; y++)
                if (a[y] + d[g - y] < next[g])
                    next[g] = a[y] + d[g - y];
        }
        memcpy(d, next, sizeof d[0] * (n + 1));
        for (size_t g = 0; g <= n; g++) {
            next[g] = far;
            for (size_t y = 0; y <= g; y++)
                for (size_t z = 0; y + z <= g; z++)
                    if (a[y] + c[g - y - z] + a[z] < next[g])
                        next[g] = a[y] + c[g - y - z] + a[z];
        }
        memcpy(c, next, sizeof c[0] * (n + 1));
        uint64_t sides = 0;
        for (size_t owner = 0; owner < n; owner++)
            sides += d[owner] + d[n - 1 - owner];
        if (kind == RWA_RING ? c[n] <= 2 * w * t : sides <= 2 * (n - 1) * w * t)
            return t;
    }
}

static void fast_is_plain(void)
{
    static const uint32_t ws[] = {1, 2, 3, 8}, hs[] = {0, 1, 2, 5};
    for (uint32_t n = 2; n <= 60; n += n < 20 ? 1 : 5)
        for (size_t i = 0; i < 4; i++)
            for (size_t j = 0; j < 4; j++) {
                CU_ASSERT_EQUAL(tree_of(RWA_RING, n, ws[i], hs[j]), plain_tree(RWA_RING, n, ws[i], hs[j]));
                CU_ASSERT_EQUAL(tree_of(RWA_LINE, n, ws[i], hs[j]), plain_tree(RWA_LINE, n, ws[i], hs[j]));
            }
}

static uint64_t up(uint64_t a, uint64_t b)
{
    return (a + b - 1) / b;
}

static void recount(void)
{
    for (uint32_t n = 2; n <= 200; n++) {
        uint64_t hops = 0, fullest = 0;
        int holds = -1;
        for (uint32_t s = 0; s < n; s++)
            for (uint32_t d = 0; d < n; d++) {
                uint32_t gap = s < d ? d - s : s - d;
                hops += gap < n - gap ? gap : n - gap;
            }
        for (uint32_t link = 0; link + 1 < n; link++) {
            uint64_t load = 0;
            for (uint32_t s = 0; s <= link; s++)
                load += n - 1 - link;
            fullest = load > fullest ? load : fullest;
        }
        CU_ASSERT_EQUAL(value_of("ring-alltoall-exact", RWA_RING, n, 1, 64, 0, NULL), up(hops, 2 * n));
        CU_ASSERT_EQUAL(value_of("load", RWA_RING, n, 3, 64, 0, NULL), up(up(hops, 2 * n), 3));
        CU_ASSERT_EQUAL(value_of("lemma1-ring", RWA_RING, n, 1, 64, 0, &holds), up((uint64_t)n * n, 8));
        CU_ASSERT_EQUAL(holds, n % 2 == 0);
        CU_ASSERT_EQUAL(value_of("line-alltoall-exact", RWA_LINE, n, 1, 64, 0, NULL), fullest);
        CU_ASSERT_EQUAL(value_of("lemma1-line", RWA_LINE, n, 1, 64, 0, NULL), fullest);
        CU_ASSERT_EQUAL(value_of("load", RWA_LINE, n, 2, 64, 0, NULL), up(fullest, 2));
        CU_ASSERT_EQUAL(value_of("receive", RWA_RING, n, 2, 3, 0, NULL), up(n - 1, 12));
        CU_ASSERT_EQUAL(value_of("receive", RWA_LINE, n, 2, 3, 0, NULL), up(n - 1, 6));
    }
}

static void large_and_refused(void)
{
    rwa_network *net = NULL;
    rwa_collective coll;
    rwa_bound best;
    CU_ASSERT_EQUAL(tree_of(RWA_RING, 1u << 24, 1, 0), 1u << 23); /* as many as a node must receive */
    CU_ASSERT_EQUAL(value_of("receive", RWA_RING, 1u << 24, 1, 1, 0, NULL), 1u << 23);
    CU_ASSERT_EQUAL(value_of("ring-alltoall-exact", RWA_RING, 1u << 24, 1, 1, 0, NULL), (uint64_t)1 << 45);
    CU_ASSERT_EQUAL_FATAL(rwa_network_parse(&net, "ring:1024", NULL, NULL), RWA_OK);
    CU_ASSERT_EQUAL_FATAL(rwa_collective_init(&coll, RWA_ALL_GATHER, 1024, 0, 1, 0, NULL), RWA_OK);
    CU_ASSERT_EQUAL(rwa_bound_best(&best, net, &coll, NULL, NULL), RWA_OK);
    CU_ASSERT_EQUAL(best.value, 19);
    CU_ASSERT_STRING_EQUAL(best.name, "broadcast-tree");
    coll.nodes = 16;
    CU_ASSERT_EQUAL(rwa_bound_best(&best, net, &coll, NULL, NULL), RWA_BADARG);
    rwa_network_free(net);
}

/** Of an all-gather where one directed link failed. */
static uint64_t receive_broken(const char *spec, uint32_t link, uint32_t hops)
{
    rwa_faults faults = {.links = &link, .link_count = 1};
    rwa_bound_options bo;
    rwa_network *whole = NULL, *net = NULL;
    rwa_collective coll;
    struct rwa_bounds list;
    uint64_t value = 0;
    rwa_bound_options_init(&bo);
    bo.max_hops = hops;
    CU_ASSERT_EQUAL_FATAL(rwa_network_parse(&whole, spec, NULL, NULL), RWA_OK);
    CU_ASSERT_EQUAL_FATAL(rwa_network_with_faults(&net, whole, &faults, NULL), RWA_OK);
    CU_ASSERT_EQUAL_FATAL(rwa_collective_init(&coll, RWA_ALL_GATHER, rwa_network_nodes(net), 0, 1024, 0, NULL), RWA_OK);
    CU_ASSERT_EQUAL_FATAL(bound_list_for(&list, net, &coll, &bo, 1, NULL), RWA_OK);
    for (size_t i = 0; i < list.count; i++)
        if (strcmp(list.at[i].name, "receive") == 0)
            value = list.at[i].value;
    rwa_network_free(net);
    rwa_network_free(whole);
    return value;
}

/** The node behind a link that lost a direction hears all others the long way round: the farthest N - 1 links away, and the one
 *  before the break as far.  Channels are many, so that distances alone count. */
static void distances_go_round_a_break(void)
{
    char spec[32];
    for (uint32_t n = 3; n <= 24; n++)
        for (uint32_t hops = 1; hops < n; hops++)
            for (uint32_t link = 0; link < 2 * n; link += n - 1) {
                snprintf(spec, sizeof spec, "ring:%u", n);
                CU_ASSERT_EQUAL(receive_broken(spec, link, hops), up(n - 1, hops));
            }
    CU_ASSERT_EQUAL(receive_broken("torus:8", 2, 1), 7);
}

int main(void)
{
    static const struct test tests[] = {
        TEST(known_values), TEST(known_with_hops), TEST(fast_is_plain), TEST(recount), TEST(large_and_refused),
        TEST(distances_go_round_a_break), {0}};
    return run_tests("bound", tests);
}
