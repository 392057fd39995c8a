/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Shapes are found from the links alone, with any numbers of the nodes; what is no product is not taken for one. */
#include "network/network.h"

#include "tests/support/shuffled.h"

static rwa_network *shuffle(const rwa_network *net, uint64_t by)
{
    uint32_t number[512];
    CU_ASSERT_FATAL(rwa_network_nodes(net) <= COUNT(number));
    return shuffled(number, net, by);
}

/** The specification of the canonical network. */
static void name_shape(char *text, size_t size, const rwa_network *net)
{
    const uint32_t *shape;
    const rwa_network *canonical = network_canonical(net);
    size_t count = rwa_network_shape(&shape, canonical), used;
    used = (size_t)snprintf(text, size, "%s", rwa_topology_name(rwa_network_topology(canonical)));
    for (size_t d = 0; d < count; d++)
        used += (size_t)snprintf(text + used, size - used, "%c%u", d ? 'x' : ':', shape[d]);
}

/** Every link of the canonical network is one here, and there are as many. */
static void assert_same_links(const rwa_network *net)
{
    const rwa_network *canonical = network_canonical(net);
    CU_ASSERT_EQUAL(rwa_network_links(net), rwa_network_links(canonical));
    for (uint32_t i = 0; i < rwa_network_links(canonical); i++) {
        rwa_link link = rwa_network_link(canonical, i);
        CU_ASSERT_NOT_EQUAL(rwa_network_find_link(net, network_canonical_node(net, link.from),
                                                  network_canonical_node(net, link.to)),
                            RWA_NONE);
    }
    for (uint32_t v = 0; v < rwa_network_nodes(net); v++)
        CU_ASSERT_EQUAL(network_canonical_node(net, network_canonical_place(net, v)), v);
}

static void assert_shape(const rwa_network *net, const char *expected)
{
    char found[128];
    name_shape(found, sizeof found, net);
    CU_ASSERT_STRING_EQUAL(found, expected);
    if (strcmp(found, expected) != 0)
        fprintf(stderr, "found %s, expected %s\n", found, expected);
    assert_same_links(net);
}

static const char *const shapes[][2] = {
    {"ring:3", "ring:3"}, {"ring:4", "ring:4"}, {"ring:64", "ring:64"}, {"line:2", "line:2"}, {"line:17", "line:17"},
    {"torus:64", "ring:64"}, {"mesh:17", "line:17"}, {"torus:2", "line:2"}, {"torus:64x1", "ring:64"}, {"mesh:1x5x1",
    "line:5"}, {"torus:2x2", "ring:4"}, {"mesh:2x2", "ring:4"}, {"hypercube:1", "line:2"}, {"hypercube:2", "ring:4"},
    {"tree:1x6", "line:7"}, {"tree:2x1", "line:3"}, {"circulant:9:1", "ring:9"}, {"circulant:9:2", "ring:9"},
    {"circulant:2:1", "line:2"}, {"circulant:15:3,5", "torus:5x3"}, {"circulant:10:5,2", "torus:5x2"}, {"torus:6x6",
    "torus:6x6"}, {"torus:3x3", "torus:3x3"}, {"mesh:6x6", "mesh:6x6"}, {"mesh:3x3x3", "mesh:3x3x3"}, {"torus:3x3x3",
    "torus:3x3x3"}, {"torus:4x4", "torus:4x4"}, {"torus:5x1x6", "torus:6x5"}, {"hypercube:4", "torus:4x4"},
    {"hypercube:8", "torus:4x4x4x4"}, {"torus:2x2x5", "torus:5x4"},
};

static void regular_networks_have_their_shapes(void)
{
    for (size_t i = 0; i < COUNT(shapes); i++)
        assert_shape(network_on("%s", shapes[i][0]), shapes[i][1]);
}

/** A hypercube's shape is known and not sought: the search finds the same from the links, number by number. */
static void hypercubes_have_the_shape_that_a_search_finds(void)
{
    for (uint32_t d = 1; d <= 9; d++) {
        char expected[128];
        const rwa_network *net = network_on("hypercube:%u", d), *graph = shuffle(net, 0);
        name_shape(expected, sizeof expected, graph);
        assert_shape(net, expected);
        for (uint32_t v = 0; v < 1u << d; v++)
            CU_ASSERT_EQUAL(network_canonical_node(net, v), network_canonical_node(graph, v));
    }
}

/** Sizes in ascending order; torus and mesh name the same product in any order of its dimensions. */
static void sort_sizes(char *text)
{
    uint32_t size[RWA_SHAPE_MAX];
    size_t count = 0;
    char *colon = strchr(text, ':');
    for (char *at = colon; at; at = strchr(at + 1, 'x'))
        size[count++] = (uint32_t)strtoul(at + 1, NULL, 10);
    for (size_t i = 1; i < count; i++)
        for (size_t k = i; k > 0 && size[k] < size[k - 1]; k--) {
            uint32_t kept = size[k];
            size[k] = size[k - 1];
            size[k - 1] = kept;
        }
    for (size_t d = 0; d < count; d++)
        colon += sprintf(colon, "%c%u", d ? 'x' : ':', size[d]);
}

static void shapes_are_found_in_any_order_of_nodes_and_links(void)
{
    for (size_t i = 0; i < COUNT(shapes); i++)
        for (uint64_t by = 1; by <= 20; by++) {
            char found[128], expected[128];
            const rwa_network *graph = shuffle(network_on("%s", shapes[i][0]), by);
            snprintf(expected, sizeof expected, "%s", shapes[i][1]);
            name_shape(found, sizeof found, graph);
            sort_sizes(found);
            sort_sizes(expected);
            CU_ASSERT_STRING_EQUAL(found, expected);
            assert_same_links(graph);
        }
}

/** Files that number nodes row by row keep their numbers. */
static void nodes_in_order_keep_their_numbers(void)
{
    static const char *const specs[] = {"ring:9", "line:9", "torus:7x5", "mesh:7x5", "torus:6x5x3", "mesh:4x3x2"};
    for (size_t i = 0; i < COUNT(specs); i++) {
        const rwa_network *graph = shuffle(network_on("%s", specs[i]), 0);
        assert_shape(graph, specs[i]);
        CU_ASSERT_PTR_NULL(network_canonical_nodes(graph));
    }
}

static void has_no_shape(const rwa_network *net)
{
    CU_ASSERT_PTR_EQUAL(network_canonical(net), net);
}

static void other_networks_have_no_shape(void)
{
    static const char *const specs[] = {"circulant:9:1,3", "circulant:8:1,2", "tree:2x2",
                                        "fat-tree:4",      "circulant:6:3,1", "tree:5x1"};
    for (size_t i = 0; i < COUNT(specs); i++)
        has_no_shape(network_on("%s", specs[i]));
}

/** A product of a cycle and a path is neither torus nor mesh; nor is a torus with one link moved. */
static void near_misses_have_no_shape(void)
{
    struct request product = request_of("links:"), moved = request_of("links:0-7");
    const rwa_network *torus = network_on("torus:3x5");
    char *end = product.spec + strlen(product.spec);
    for (uint32_t v = 0; v < 15; v++) {
        end += sprintf(end, "%u-%u,", v, v % 5 < 4 ? v + 1 : v - 4);
        if (v < 10)
            end += sprintf(end, "%u-%u,", v, v + 5);
    }
    end = moved.spec + strlen(moved.spec);
    for (uint32_t e = 1; e < rwa_network_pairs(torus); e++)
        end += sprintf(end, ",%u-%u", rwa_network_link(torus, 2 * e).from, rwa_network_link(torus, 2 * e).to);
    has_no_shape(request_network(product));
    has_no_shape(request_network(moved));
}

/** Fibres that differ, reserved channels of a link, links one way, links twice. */
static void links_that_differ_hide_the_shape(void)
{
    static const char *const lines[] = {"links:0-1,1-2@80,2-3,3-0,0-1", "links:0-1,1-2x2@80,2-3,3-0",
                                        "links:0>1,1>2@80,2>3,3>0"};
    struct request r = request_of("links:0-1,1-2@80,2-3,3-0");
    assert_shape(request_network(r), "ring:4");
    r.network.reserved = &(rwa_reserved){2, 0, 1};
    r.network.reserved_count = 1;
    has_no_shape(request_network(r));
    for (size_t i = 0; i < COUNT(lines); i++)
        has_no_shape(network_on("%s", lines[i]));
}

/** A link that fails here fails between the nodes that stand for its ends. */
static void faults_follow_the_nodes(void)
{
    const rwa_network *graph = shuffle(network_on("ring:16"), 5);
    rwa_network *broken = NULL;
    uint32_t failed[] = {3, 20}, channels[] = {1, 7};
    rwa_faults faults = {channels, 2, failed, 2, 0};
    OK(rwa_network_with_faults(&broken, graph, &faults, NULL));
    const rwa_network *canonical = network_canonical(keep_network(broken));
    CU_ASSERT(network_is_cycle(canonical));
    for (uint32_t i = 0; i < 32; i++) {
        rwa_link link = rwa_network_link(graph, i);
        uint32_t there = rwa_network_find_link(canonical, network_canonical_place(broken, link.from),
                                               network_canonical_place(broken, link.to));
        CU_ASSERT_EQUAL(rwa_network_is_failed(canonical, there), i == 3 || i == 20);
    }
    CU_ASSERT(rwa_network_is_reserved_everywhere(canonical, 7));
    CU_ASSERT_PTR_NOT_EQUAL(network_canonical(graph), graph);
    CU_ASSERT(!rwa_network_is_reserved_everywhere(network_canonical(graph), 7));
}

static void transitive_networks_are_known(void)
{
    static const struct {
        const char *spec;
        bool transitive;
    } cases[] = {{"ring:5", true},          {"torus:3x4", true},         {"hypercube:3", true},
                 {"circulant:9:1,3", true}, {"circulant:7:1,2,3", true}, {"line:5", false},
                 {"mesh:3x3", false},       {"tree:2x2", false},         {"star:4", false},
                 {"fat-tree:4", false}};
    for (size_t i = 0; i < COUNT(cases); i++)
        CU_ASSERT_EQUAL(network_is_transitive(network_on("%s", cases[i].spec)), cases[i].transitive);
}

TESTS("shape", regular_networks_have_their_shapes, hypercubes_have_the_shape_that_a_search_finds,
      shapes_are_found_in_any_order_of_nodes_and_links, nodes_in_order_keep_their_numbers, other_networks_have_no_shape,
      near_misses_have_no_shape, links_that_differ_hide_the_shape, faults_follow_the_nodes,
      transitive_networks_are_known)
