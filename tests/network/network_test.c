/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Shapes of networks against their definitions, links found again, random networks, and what is no specification. */

#include "network/network.h"
#include "tests/support/request.h"

/** By going through all links: the slow way to what rwa_network_find_link() says. */
static uint32_t scan_link(const rwa_network *net, uint32_t from, uint32_t to)
{
    for (uint32_t i = 0; i < rwa_network_links(net); i++) {
        rwa_link link = rwa_network_link(net, i);
        if (link.from == from && link.to == to)
            return i;
    }
    return RWA_NONE;
}

/** And the links of listed pairs run forth and back. */
static void links_are_found_by_their_ends(void)
{
    static const char *const specs[] = {"ring:2",          "ring:7",      "line:6",   "torus:2x3",  "torus:4x5",
                                        "mesh:3x2x2",      "hypercube:4", "tree:3x2", "fat-tree:4", "circulant:8:1,4",
                                        "dragonfly:3:7:2", "star:5",      "ron:4",    "ocs:6x3"};
    for (size_t s = 0; s < COUNT(specs); s++) {
        rwa_network *net = network_on("%s", specs[s]);
        uint32_t nodes = rwa_network_nodes(net);
        for (uint32_t u = 0; u < nodes + 1; u++)
            for (uint32_t v = 0; v < nodes + 1; v++)
                CU_ASSERT_EQUAL(rwa_network_find_link(net, u, v), scan_link(net, u, v));
        CU_ASSERT_EQUAL(rwa_network_is_paired(net), !network_is_one_hop(net));
        for (uint32_t i = 0; net->paired && i < rwa_network_links(net); i++) {
            rwa_link here = rwa_network_link(net, i), back = rwa_network_link(net, i ^ 1);
            CU_ASSERT(here.from == back.to && here.to == back.from && here.fibers == 1);
        }
    }
}

static uint32_t distance_round(uint32_t a, uint32_t b, uint32_t size)
{
    uint32_t d = a > b ? a - b : b - a;
    return d < size - d ? d : size - d;
}

/** Two nodes are joined, by one link each way, exactly when the sum of the distances of their coordinates is 1. */
static void grids_join_neighbours_only(void)
{
    static const uint32_t shapes[][3] = {{2, 2, 2}, {3, 3, 3}, {4, 1, 1}, {2, 5, 3}};
    for (size_t s = 0; s < 4; s++) {
        const uint32_t *k = shapes[s];
        size_t count = k[1] == 1 ? 1 : 3;
        for (int wraps = 0; wraps < 2; wraps++) {
            rwa_network *net = NULL;
            uint32_t joined = 0;
            OK(rwa_network_create_shape(&net, wraps ? RWA_TORUS : RWA_MESH, k, count, NULL, NULL));
            keep_network(net);
            uint32_t nodes = rwa_network_nodes(net);
            CU_ASSERT_EQUAL(nodes, k[0] * k[1] * k[2]);
            for (uint32_t u = 0; u < nodes; u++)
                for (uint32_t v = 0; v < nodes; v++) {
                    uint32_t apart = 0, x = u, y = v;
                    for (size_t d = 3; d-- > 0; x /= k[d], y /= k[d]) {
                        uint32_t a = x % k[d], b = y % k[d];
                        apart += wraps ? distance_round(a, b, k[d]) : a > b ? a - b : b - a;
                    }
                    CU_ASSERT_EQUAL(rwa_network_find_link(net, u, v) != RWA_NONE, apart == 1);
                    joined += apart == 1;
                }
            CU_ASSERT_EQUAL(rwa_network_links(net), joined); /* so none is double */
        }
    }
}

/** Hops of a shortest path from a node to every other, by breadth-first search. */
static uint32_t farthest(const rwa_network *net, uint32_t root, uint32_t among)
{
    uint32_t nodes = rwa_network_nodes(net), most = 0;
    uint32_t *hops = calloc(nodes, sizeof *hops);
    CU_ASSERT_PTR_NOT_NULL_FATAL(hops);
    for (uint32_t round = 1; round <= nodes; round++)
        for (uint32_t i = 0; i < rwa_network_links(net); i++) {
            rwa_link link = rwa_network_link(net, i);
            if (link.to != root && hops[link.to] == 0 &&
                (link.from == root ? round == 1 : hops[link.from] == round - 1) &&
                (link.from == root || hops[link.from] > 0))
                hops[link.to] = round;
        }
    for (uint32_t v = 0; v < among; v++) {
        CU_ASSERT(v == root || hops[v] > 0);
        RAISE(most, hops[v]);
    }
    free(hops);
    return most;
}

/** Al-Fares, Loukissas, Vahdat (SIGCOMM 2008), Section 3: k^3/4 hosts, 5k^2/4 switches of k ports each; a host reaches
 *  any other over at most six links (edge, aggregation, core and back). */
static void fat_trees_have_switches_of_k_ports(void)
{
    for (uint32_t k = 2; k <= 8; k += 2) {
        const rwa_network *net = network_on("fat-tree:%u", k);
        uint32_t hosts = k * k * k / 4, nodes = rwa_network_nodes(net), *degree = calloc(nodes, sizeof *degree);
        CU_ASSERT_PTR_NOT_NULL_FATAL(degree);
        CU_ASSERT_EQUAL(nodes, hosts + 5 * k * k / 4);
        for (uint32_t i = 0; i < rwa_network_links(net); i++)
            degree[rwa_network_link(net, i).from]++;
        for (uint32_t v = 0; v < nodes; v++)
            CU_ASSERT_EQUAL(degree[v], v < hosts ? 1 : k);
        CU_ASSERT_EQUAL(farthest(net, 0, hosts), 6);
        free(degree);
    }
}

/** Two groups share one link, routers of a group are all joined, and none has more links to other groups than it may:
 *  so any two routers are at most three links apart (Kim, Dally, Scott, Abts, ISCA 2008, Section 3).  With G = A H + 1
 *  all have A - 1 + H. */
static void dragonflies_join_any_two_groups_once(void)
{
    static const uint32_t shapes[][3] = {{4, 9, 2}, {3, 7, 2}, {2, 3, 1}, {4, 5, 2}, {1, 4, 3}, {5, 1, 1}, {6, 37, 6}};
    for (size_t s = 0; s < COUNT(shapes); s++) {
        uint32_t a = shapes[s][0], groups = shapes[s][1], h = shapes[s][2], between[37][37] = {{0}},
                 outside[37 * 6] = {0};
        const rwa_network *net = network_on("dragonfly:%u:%u:%u", a, groups, h);
        CU_ASSERT_EQUAL(rwa_network_nodes(net), a * groups);
        for (uint32_t i = 0; i < rwa_network_links(net); i++) {
            rwa_link link = rwa_network_link(net, i);
            between[link.from / a][link.to / a]++;
            outside[link.from] += link.from / a != link.to / a;
        }
        for (uint32_t g = 0; g < groups; g++)
            for (uint32_t to = 0; to < groups; to++)
                CU_ASSERT_EQUAL(between[g][to], g == to ? a * (a - 1) : 1);
        for (uint32_t v = 0; v < a * groups; v++)
            CU_ASSERT(groups == a * h + 1 ? outside[v] == h : outside[v] <= h);
        CU_ASSERT(farthest(net, 0, a * groups) <= 3);
    }
}

static void trees_have_one_link_per_child(void)
{
    rwa_network *net = network_on("tree:3x3");
    CU_ASSERT_EQUAL(rwa_network_nodes(net), 1 + 3 + 9 + 27);
    CU_ASSERT_EQUAL(rwa_network_links(net), 2 * 39);
    CU_ASSERT_EQUAL(farthest(net, 0, 40), 3);
    CU_ASSERT_EQUAL(farthest(net, 39, 40), 6);
    net = network_on("tree:1x4"); /* a line of five */
    CU_ASSERT_EQUAL(rwa_network_nodes(net), 5);
    CU_ASSERT_EQUAL(farthest(net, 0, 5), 4);
    net = network_on("tree:1x1000000"); /* deep, and made at once: counting the nodes anew for each takes an hour */
    CU_ASSERT_EQUAL(rwa_network_links(net), 2 * 1000000);
}

static void circulants_join_by_their_shifts(void)
{
    rwa_network *net = network_on("circulant:10:2,5");
    CU_ASSERT_EQUAL(rwa_network_links(net), 2 * (10 + 5)); /* a shift of half the nodes joins each pair once */
    for (uint32_t u = 0; u < 10; u++)
        for (uint32_t v = 0; v < 10; v++) {
            uint32_t d = distance_round(u, v, 10);
            CU_ASSERT_EQUAL(rwa_network_find_link(net, u, v) != RWA_NONE, d == 2 || d == 5);
        }
}

/* ---- random networks of a seed ---- */

/* Of the ends of all links in order: FNV-1a (Fowler, Noll, Vo). */
static uint64_t fingerprint(const rwa_network *net)
{
    uint64_t hash = UINT64_C(14695981039346656037);
    for (uint32_t l = 0; l < rwa_network_links(net); l++) {
        rwa_link link = rwa_network_link(net, l);
        hash = (hash ^ link.from) * UINT64_C(1099511628211);
        hash = (hash ^ link.to) * UINT64_C(1099511628211);
    }
    return hash;
}

static void networks_of_a_seed_are_connected_and_simple(void)
{
    static const struct {
        const char *spec;
        uint32_t nodes, pairs;
    } cases[] = {{"waxman:200:7", 200, 400},
                 {"waxman:2:1", 2, 1},
                 {"waxman:4:1", 4, 6},
                 {"waxman:1000:0", 1000, 2000},
                 {"geometric:200:7", 200, 400},
                 {"geometric:3:5", 3, 3},
                 {"geometric:6:5", 6, 12},
                 {"barabasi-albert:200:2:7", 200, 397},
                 {"barabasi-albert:5:4:7", 5, 10},
                 {"barabasi-albert:30:1:7", 30, 29},
                 {"regular:200:4:7", 200, 400},
                 {"regular:8:7:7", 8, 28},
                 {"regular:9:4:0", 9, 18},
                 {"regular:20:3:4294967295", 20, 30}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        rwa_network *net = network_on("%s", cases[i].spec);
        CU_ASSERT_EQUAL(rwa_network_nodes(net), cases[i].nodes);
        CU_ASSERT_EQUAL(rwa_network_links(net), 2 * cases[i].pairs);
        farthest(net, 0, cases[i].nodes); /* connected */
        for (uint32_t l = 0; l < rwa_network_links(net); l++) { /* parallel links would be found by the first of them */
            rwa_link link = rwa_network_link(net, l);
            CU_ASSERT(link.from != link.to && rwa_network_find_link(net, link.from, link.to) == l);
        }
    }
}

static void regular_networks_have_equal_degrees(void)
{
    for (uint32_t seed = 0; seed < 20; seed++) {
        uint32_t degree[30] = {0};
        rwa_network *net = network_on("regular:30:%u:%u", 3 + seed % 5, seed);
        for (uint32_t l = 0; l < rwa_network_links(net); l++)
            degree[rwa_network_link(net, l).from]++;
        for (uint32_t v = 0; v < 30; v++)
            CU_ASSERT_EQUAL(degree[v], 3 + seed % 5);
    }
}

/* Recorded once: integers alone make the links, so no compiler, library or machine may change them. */
static void a_seed_names_one_network(void)
{
    static const struct {
        const char *spec;
        uint64_t hash;
    } cases[] = {
        {"waxman:200:7", UINT64_C(0xf8a435e95f43debf)},
        {"geometric:200:7", UINT64_C(0xe5c884540ca238c3)},
        {"barabasi-albert:200:2:7", UINT64_C(0x59ed476ab6fbcfdd)},
        {"regular:200:4:7", UINT64_C(0xdb055a2ddb42fd1d)},
        {"waxman:1000:1", UINT64_C(0x9447dc972b40ed67)},
        {"geometric:1000:1", UINT64_C(0x39f7c4176498b27d)},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        rwa_network *net = network_on("%s", cases[i].spec);
        CU_ASSERT_EQUAL(fingerprint(net), cases[i].hash);
        if (fingerprint(net) != cases[i].hash)
            printf("%s: 0x%016llx\n", cases[i].spec, (unsigned long long)fingerprint(net));
    }
}

/* ---- options ---- */

static void switches_of_an_ocs_are_fibres(void)
{
    const rwa_network *net = network_on("ocs:64x8 ports=3 tuning=7");
    const uint32_t *shape = NULL;
    CU_ASSERT(rwa_network_fibers(net) == 8 && rwa_network_links(net) == 64 * 63);
    CU_ASSERT(rwa_network_ports(net) == 3 && rwa_network_tuning(net) == 7);
    CU_ASSERT(rwa_network_shape(&shape, net) == 2 && shape[0] == 64 && shape[1] == 8);
}

static void graphs_keep_their_links_and_names(void)
{
    static const char *const names[] = {"Bern", NULL, "Chur"};
    struct request r = request_of("links:0>1x2@10,2>1,0>1@20");
    r.network.node_names = names;
    const rwa_network *net = request_network(r);
    CU_ASSERT_EQUAL(rwa_network_topology(net), RWA_GRAPH);
    CU_ASSERT(!rwa_network_is_paired(net) && rwa_network_links(net) == 3);
    CU_ASSERT_EQUAL(rwa_network_find_link(net, 0, 1), 0); /* the lowest of two parallel ones */
    CU_ASSERT_EQUAL(rwa_network_find_link(net, 1, 0), RWA_NONE);
    CU_ASSERT_EQUAL(rwa_network_link(net, 2).length_km, 20);
    CU_ASSERT(rwa_network_link(net, 0).fibers == 2 && rwa_network_link(net, 1).fibers == 1);
    CU_ASSERT_STRING_EQUAL(rwa_network_node_name(net, 2), "Chur");
    CU_ASSERT_PTR_NULL(rwa_network_node_name(net, 1));
    net = network_on("links:0-1x2@10,2-1,0-1@20");
    CU_ASSERT(rwa_network_is_paired(net) && rwa_network_links(net) == 6 && rwa_network_find_link(net, 1, 0) == 1);
}

/** A whole name comes first, then a name up to its parenthesis if one node alone has it, then a number. */
static void nodes_are_found_by_names_and_their_short_forms(void)
{
    static const char *const names[] = {"Portland (OR)", "Portland (ME)", "Salem (OR)", "Salem", "Bend (OR)", NULL,
                                        "Port"};
    rwa_network_options opts;
    rwa_network *net = NULL;
    rwa_network_options_init(&opts);
    opts.node_names = names;
    OK(rwa_network_create_graph(&net, 7, NULL, 0, &opts, NULL));
    keep_network(net);
    static const struct {
        const char *name;
        uint32_t node;
    } known[] = {{"Portland (ME)", 1}, {"Portland", RWA_NONE} /* two of them */, {"Salem", 3}, {"Bend", 4},
                 {"Ben", RWA_NONE} /* no part of a word */, {"Port", 6}, {"", RWA_NONE}, {"5", 5}};
    for (size_t i = 0; i < COUNT(known); i++)
        CU_ASSERT_EQUAL(rwa_network_find_node(net, known[i].name), known[i].node);
}

/** On fibre pairs both directions are taken; twice the same is once. */
static void reserved_channels_and_risk_groups_are_kept(void)
{
    static const rwa_link links[] = {{0, 1, 0, 2}, {1, 2, 0, 0}, {2, 0, 0, 0}};
    static const rwa_reserved reserved[] = {{1, 0, 5}, {0, 1, 3}, {1, 0, 5}};
    static const uint32_t duct[] = {2, 0};
    static const rwa_risk_group groups[] = {{duct, 2}, {NULL, 0}, {duct, 1}};
    struct request r = request_of("links:0-1x2,1-2,2-0");
    rwa_network_options *o = &r.network;
    rwa_network *none = NULL;
    const rwa_reserved *list = NULL;
    const uint32_t *members = NULL;
    o->reserved = reserved;
    o->reserved_count = 3;
    o->risk_groups = groups;
    o->risk_group_count = 3;
    const rwa_network *net = request_network(r);
    CU_ASSERT_EQUAL(rwa_network_reserved(&list, net), 4);
    for (uint32_t link = 0; link < 6; link++)
        for (uint32_t fiber = 0; fiber < 2; fiber++)
            for (uint32_t w = 0; w < 8; w++)
                CU_ASSERT_EQUAL(rwa_network_is_reserved(net, link, fiber, w),
                                (link / 2 == 1 && fiber == 0 && w == 5) || (link / 2 == 0 && fiber == 1 && w == 3));
    CU_ASSERT_EQUAL(rwa_network_risk_groups(net), 3);
    CU_ASSERT_EQUAL(rwa_network_risk_group(&members, net, 0), 4);
    CU_ASSERT(members[0] == 0 && members[1] == 1 && members[2] == 4 && members[3] == 5);
    CU_ASSERT_EQUAL(rwa_network_risk_group(&members, net, 1), 0);
    CU_ASSERT_EQUAL(rwa_network_risk_group(&members, net, 3), 0);
    static const rwa_reserved bad[] = {{3, 0, 0}, {1, 1, 0}, {1, 0, RWA_CHANNELS_MAX}};
    o->reserved_count = 1;
    for (size_t i = 0; i < COUNT(bad); i++) {
        o->reserved = &bad[i];
        CU_ASSERT_EQUAL(rwa_network_create_graph(&none, 3, links, 3, o, NULL), RWA_BADARG);
    }
    CU_ASSERT_EQUAL(rwa_network_parse(&none, "mesh:2x2", o, NULL), RWA_BADARG);
}

static void bad_graphs_are_refused(void)
{
    static const rwa_link bad[] = {{0, 3, 0, 0},   {1, 1, 0, 0},        {0, 1, -1, 0},
                                   {0, 1, NAN, 0}, {0, 1, INFINITY, 0}, {0, 1, 0, 1u << 30}};
    rwa_network *net = NULL;
    for (size_t i = 0; i < COUNT(bad); i++) {
        rwa_error err = {0};
        CU_ASSERT_EQUAL(rwa_network_create_graph(&net, 3, &bad[i], 1, NULL, &err), RWA_BADARG);
        CU_ASSERT_PTR_NULL(net);
        expect_part(err.text, "link 0");
    }
    CU_ASSERT_EQUAL(rwa_network_create_graph(&net, 1, NULL, 0, NULL, NULL), RWA_BADARG);
    CU_ASSERT_EQUAL(rwa_network_create_graph(&net, RWA_NODES_MAX + 1, NULL, 0, NULL, NULL), RWA_BADARG);
}

static void bad_specifications_are_refused(void)
{
    static const char *const bad[] = {"",
                                      "ring",
                                      "ring:",
                                      "ring:1",
                                      "ring:8x8",
                                      "ring:-4",
                                      "ring: 4",
                                      "ring:99999999999999999999",
                                      "torus:8x",
                                      "torus:x8",
                                      "torus:1x1",
                                      "torus:8,8",
                                      "torus:5000x5000",
                                      "mesh:0x4",
                                      "hypercube:0",
                                      "hypercube:25",
                                      "hypercube:4x4",
                                      "tree:2",
                                      "tree:0x3",
                                      "tree:2x60",
                                      "fat-tree:3",
                                      "fat-tree:0",
                                      "fat-tree:4000",
                                      "circulant:8",
                                      "circulant:8:5",
                                      "circulant:8:0",
                                      "circulant:8:1,1",
                                      "circulant:8:1x2",
                                      "graph:4",
                                      "star:1",
                                      "star:70000",
                                      "ocs:8",
                                      "ocs:8x0",
                                      "ocs:8x9999999",
                                      "ron:4x4",
                                      "moon:4",
                                      "dragonfly:4",
                                      "dragonfly:4:10:2",
                                      "dragonfly:4:0:2",
                                      "dragonfly:0:1:2",
                                      "dragonfly:4x9x2",
                                      "hypercube:24" /* 402,653,184 links */,
                                      "waxman:200",
                                      "waxman:1:7",
                                      "waxman:200:7:7",
                                      "waxman:16385:7",
                                      "geometric:x:7",
                                      "geometric:20x7",
                                      "barabasi-albert:200:0:7",
                                      "barabasi-albert:4:4:7",
                                      "barabasi-albert:200:7",
                                      "regular:9:3:7",
                                      "regular:8:8:7",
                                      "regular:8:2:7",
                                      "regular:200:4",
                                      "regular:200:4:-7"};
    for (size_t i = 0; i < COUNT(bad); i++) {
        rwa_network *net = NULL;
        rwa_error err = {0};
        CU_ASSERT_EQUAL(rwa_network_parse(&net, bad[i], NULL, &err), RWA_BADARG);
        CU_ASSERT_PTR_NULL(net);
        expect_part(err.text, "expected");
    }
}

/** Where a scheme that lives on arcs is asked for, that is said. */
static void other_kinds_are_refused_where_arcs_are_needed(void)
{
    CU_ASSERT_EQUAL(rwa_network_hops(network_on("circulant:9:1,3"), 0, 1, RWA_CW), 0);
    expect_part(refusal_on("circulant:9:1,3 by optree"), "BADARG");
}

/* Every name gives a text of whole characters that ends and begins as its contract says, whatever its length. */
static void nodes_are_written_with_their_names(void)
{
    char text[NODE_TEXT], longest[200], few[12];
    const char *names[] = {"Bonn", "1", NULL, "a\x1b[31m\nb", longest};
    const rwa_link links[] = {{.from = 0, .to = 1}, {.from = 1, .to = 2}, {.from = 2, .to = 3}, {.from = 3, .to = 4}};
    rwa_network_options o;
    rwa_network *net = NULL;
    rwa_network_options_init(&o);
    o.both_ways = 1;
    o.node_names = names;
    for (size_t length = 2; length < sizeof longest - 1; length += 2) {
        for (size_t i = 0; i < length; i += 2)
            memcpy(longest + i, "\xC3\xBC", 3);     /* u with two dots */
        OK(rwa_network_create_graph(&net, 5, links, 4, &o, NULL));
        keep_network(net);
        network_node_text(text, net, 4);
        size_t written = strlen(text), whole = written - strlen("4 ()");
        CU_ASSERT(strncmp(text, "4 (", 3) == 0 && text[written - 1] == ')' && whole % 2 == 0);
        CU_ASSERT(strncmp(text + 3, longest, whole) == 0 && (whole == length || whole > 30));
        network_name_node(few, sizeof few, net, 4);
        CU_ASSERT_EQUAL(strlen(few), length < 10 ? length : 10);
    }
    OK(rwa_network_create_graph(&net, 5, links, 4, &o, NULL));
    keep_network(net);
    CU_ASSERT_STRING_EQUAL(network_node_text(text, net, 0), "0 (Bonn)");
    CU_ASSERT_STRING_EQUAL(network_node_text(text, net, 1), "1");
    CU_ASSERT_STRING_EQUAL(network_node_text(text, net, 2), "2");
    CU_ASSERT_STRING_EQUAL(network_node_text(text, net, 3), "3 (a?[31m?b)");
}

TESTS("network", links_are_found_by_their_ends, grids_join_neighbours_only,
      fat_trees_have_switches_of_k_ports, dragonflies_join_any_two_groups_once, trees_have_one_link_per_child,
      circulants_join_by_their_shifts, networks_of_a_seed_are_connected_and_simple, regular_networks_have_equal_degrees,
      a_seed_names_one_network, switches_of_an_ocs_are_fibres, graphs_keep_their_links_and_names,
      nodes_are_found_by_names_and_their_short_forms, reserved_channels_and_risk_groups_are_kept,
      nodes_are_written_with_their_names, bad_graphs_are_refused, bad_specifications_are_refused,
      other_kinds_are_refused_where_arcs_are_needed)
