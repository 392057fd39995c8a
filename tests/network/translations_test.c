/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Networks that look the same from every node: their translations, and the subgroups of those. */
#include "network/translations.h"

#include "tests/support/request.h"

/* As many as group theory counts: the divisors of n in a cyclic group, p + 3 in the square of one of prime order p, 67
 * in the fourth and 374 in the fifth power of the group of two (Gaussian binomials added up). */
static void all_subgroups_are_found(void)
{
    static const struct {
        const char *spec;
        size_t count;
    } known[] = {{"circulant:12:1,5", 6}, {"circulant:13:1,5", 2}, {"torus:3x3", 6},     {"torus:5x5", 8},
                 {"torus:7x7", 10},       {"hypercube:4", 67},     {"hypercube:5", 374}, {"torus:2x3", 4}};
    for (size_t i = 0; i < COUNT(known); i++) {
        rwa_network *net = network_on("%s", known[i].spec);
        struct translations group;
        struct subgroups all = {0};
        CU_ASSERT_FATAL(translations_of(&group, net));
        OK(subgroups_find(&all, &group, group.nodes, 1000, NULL));
        CU_ASSERT_EQUAL(all.count, known[i].count);
        CU_ASSERT_EQUAL(all.list[0].order, group.nodes);
        CU_ASSERT_EQUAL(all.list[all.count - 1].order, 1);
        for (size_t g = 0; g < all.count; g++) {
            CU_ASSERT_EQUAL(all.list[g].order * all.list[g].index, group.nodes);
            CU_ASSERT(subgroup_holds(&all.list[0], &all.list[g]));
            CU_ASSERT_EQUAL(subgroup_holds(&all.list[g], &all.list[0]), g == 0);
        }
        subgroups_free(&all);
    }
}

/* Every sum of members is a member: by brute force. */
static void subgroups_are_closed(void)
{
    rwa_network *net = network_on("torus:4x6");
    struct translations group;
    struct subgroups all = {0};
    CU_ASSERT_FATAL(translations_of(&group, net));
    OK(subgroups_find(&all, &group, 24, 1000, NULL));
    for (size_t g = 0; g < all.count; g++)
        for (uint32_t i = 0; i < all.list[g].order; i++)
            for (uint32_t k = 0; k < all.list[g].order; k++)
                CU_ASSERT_EQUAL(
                    all.list[g].coset[translations_add(&group, all.list[g].member[i], all.list[g].member[k])], 0);
    subgroups_free(&all);
}

/* A link becomes a link: 2d kinds of them on a torus of d dimensions of 3 or more, one for each dimension of 2. */
static void translations_keep_links(void)
{
    static const struct {
        const char *spec;
        uint32_t kinds;
    } known[] = {{"torus:3x4", 4},   {"torus:3x4x5", 6},     {"torus:2x5", 3},
                 {"hypercube:4", 4}, {"circulant:8:1,4", 3}, {"ring:7", 2}};
    for (size_t i = 0; i < COUNT(known); i++) {
        rwa_network *net = network_on("%s", known[i].spec);
        struct translations group;
        struct subgroups whole = {0};
        CU_ASSERT_FATAL(translations_of(&group, net));
        OK(subgroups_find(&whole, &group, 1, 1, NULL));
        uint32_t links = rwa_network_links(net);
        uint32_t *kind = malloc(links * sizeof *kind);
        CU_ASSERT_PTR_NOT_NULL_FATAL(kind);
        CU_ASSERT_EQUAL(subgroup_link_orbits(kind, &whole.list[0], &group, RWA_DIRECTED), known[i].kinds);
        for (uint32_t a = 0; a < links; a++)
            for (uint32_t by = 0; by < group.nodes; by++)
                CU_ASSERT_EQUAL(kind[translations_link(&group, a, by)], kind[a]);
        free(kind);
        subgroups_free(&whole);
    }
}

/* Networks of any numbering: a circulant, a torus with its nodes in another order, a complete network. */
static void graphs_have_them_by_their_links(void)
{
    static const char *const specs[] = {"circulant:12:1,5", "torus:3x4", "torus:4x6", "circulant:6:1,2,3",
                                        "hypercube:4"};
    for (size_t i = 0; i < COUNT(specs); i++) {
        rwa_network *net = network_on("%s", specs[i]), *graph = NULL;
        rwa_network_options opts;
        struct translations group;
        rwa_link links[256];
        uint32_t count = rwa_network_links(net), nodes = rwa_network_nodes(net),
                 turn = specs[i][0] == 'c' ? 1 : nodes - 1;
        for (uint32_t l = 0; l < count; l++) { /* v becomes -v, but on circulants */
            rwa_link link = rwa_network_link(net, l);
            links[l] = (rwa_link){(uint32_t)((uint64_t)link.from * turn % nodes),
                                  (uint32_t)((uint64_t)link.to * turn % nodes), 0, 1};
        }
        rwa_network_options_init(&opts);
        OK(rwa_network_create_graph(&graph, nodes, links, count, &opts, NULL));
        keep_network(graph);
        CU_ASSERT_FATAL(translations_of(&group, graph));
        CU_ASSERT_EQUAL(translations_add(&group, 3, 0), 3);
        CU_ASSERT_EQUAL(translations_add(&group, 0, 3), 3);
        for (uint32_t l = 0; l < count; l++)
            for (uint32_t by = 0; by < nodes; by++)
                CU_ASSERT_NOT_EQUAL(translations_link(&group, l, by), RWA_NONE);
    }
}

TESTS("translations", all_subgroups_are_found, subgroups_are_closed, translations_keep_links,
      graphs_have_them_by_their_links)
