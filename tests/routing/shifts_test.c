/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Networks that look the same from every node: their shifts, and the subgroups of those. */
#include "routing/shifts.h"

#include "tests/support/plans.h"
#include "tests/support/suite.h"

#include <stdlib.h>

/* As many as group theory counts: the divisors of n in a cyclic group, p + 3 in the square of one of prime order p, 67 in
 * the fourth and 374 in the fifth power of the group of two (Gaussian binomials added up). */
static void all_subgroups_are_found(void)
{
    static const struct {
        const char *spec;
        size_t count;
    } known[] = {{"circulant:12:1,5", 6}, {"circulant:13:1,5", 2}, {"torus:3x3", 6}, {"torus:5x5", 8}, {"torus:7x7", 10},
                 {"hypercube:4", 67}, {"hypercube:5", 374}, {"torus:2x3", 4}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        rwa_network *net = network_of(known[i].spec, 64);
        struct translations shifts;
        struct subgroups all = {0};
        CU_ASSERT_FATAL(translations_of(&shifts, net));
        CU_ASSERT_EQUAL(subgroups_find(&all, &shifts, shifts.nodes, 1000, NULL), RWA_OK);
        CU_ASSERT_EQUAL(all.count, known[i].count);
        CU_ASSERT_EQUAL(all.list[0].order, shifts.nodes);
        CU_ASSERT_EQUAL(all.list[all.count - 1].order, 1);
        for (size_t g = 0; g < all.count; g++) {
            CU_ASSERT_EQUAL(all.list[g].order * all.list[g].index, shifts.nodes);
            CU_ASSERT(subgroup_holds(&all.list[0], &all.list[g]));
            CU_ASSERT_EQUAL(subgroup_holds(&all.list[g], &all.list[0]), g == 0);
        }
        subgroups_free(&all);
        rwa_network_free(net);
    }
}

/* Every sum of members is a member: by brute force. */
static void subgroups_are_closed(void)
{
    rwa_network *net = network_of("torus:4x6", 64);
    struct translations shifts;
    struct subgroups all = {0};
    CU_ASSERT_FATAL(translations_of(&shifts, net));
    CU_ASSERT_EQUAL(subgroups_find(&all, &shifts, 24, 1000, NULL), RWA_OK);
    for (size_t g = 0; g < all.count; g++)
        for (uint32_t i = 0; i < all.list[g].order; i++)
            for (uint32_t k = 0; k < all.list[g].order; k++)
                CU_ASSERT_EQUAL(all.list[g].coset[translations_add(&shifts, all.list[g].member[i], all.list[g].member[k])], 0);
    subgroups_free(&all);
    rwa_network_free(net);
}

/* A link becomes a link: 2d kinds of them on a torus of d dimensions of 3 or more, one for each dimension of 2. */
static void shifts_keep_links(void)
{
    static const struct {
        const char *spec;
        uint32_t kinds;
    } known[] = {{"torus:3x4", 4}, {"torus:3x4x5", 6}, {"torus:2x5", 3}, {"hypercube:4", 4}, {"circulant:8:1,4", 3}, {"ring:7", 2}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        rwa_network *net = network_of(known[i].spec, 64);
        struct translations shifts;
        struct subgroups whole = {0};
        struct routing_graph graph = {0};
        uint32_t kinds = 0;
        CU_ASSERT_FATAL(translations_of(&shifts, net));
        CU_ASSERT_EQUAL(subgroups_find(&whole, &shifts, 1, 1, NULL), RWA_OK);
        CU_ASSERT_EQUAL_FATAL(routing_graph_create(&graph, net, RWA_DIRECTED, NULL), RWA_OK);
        uint32_t *kind = malloc(graph.links * sizeof *kind);
        CU_ASSERT_PTR_NOT_NULL_FATAL(kind);
        shifts_lanes(&shifts, &graph, &whole.list[0], kind, &kinds);
        CU_ASSERT_EQUAL(kinds, known[i].kinds);
        for (uint32_t a = 0; a < graph.arcs; a++)
            for (uint32_t by = 0; by < shifts.nodes; by++)
                CU_ASSERT_EQUAL(kind[shifts_arc(&shifts, &graph, a, by)], kind[a]);
        free(kind);
        routing_graph_free(&graph);
        subgroups_free(&whole);
        rwa_network_free(net);
    }
}

static void others_have_none(void)
{
    static const char *const specs[] = {"line:5", "mesh:3x3", "tree:2x2", "fat-tree:4"};
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        rwa_network *net = network_of(specs[i], 64);
        struct translations shifts;
        CU_ASSERT(!translations_of(&shifts, net));
        rwa_network_free(net);
    }
}

int main(void)
{
    static const struct test tests[] = {
        TEST(all_subgroups_are_found), TEST(subgroups_are_closed), TEST(shifts_keep_links), TEST(others_have_none),
        {0}};
    return run_tests("shifts", tests);
}
