/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Bounds by odd cuts: closed forms on stars and trees, and exhaustive search on small networks with fibres. */
#include "routing/odd_cuts.h"

#include "tests/support/brute.h"
#include "tests/support/random.h"

enum { UNITS = 7, INSTANCES = 6000 };

/* Bounds by the flow alone, with odd cuts, which prove at least as much, and with the parity of nodes. */
struct proven {
    uint64_t plain, odd, parity;
};

static struct proven bounds_of(const rwa_network *net, const rwa_demand *demand, size_t demands)
{
    struct routing_graph graph = {0};
    struct traffic traffic = {0};
    struct flow *flow = NULL;
    struct odd_cuts cuts = {0};
    struct budget budget = base_budget(0, NULL, NULL);
    OK(routing_graph_create(&graph, net, RWA_UNDIRECTED, NULL));
    OK(traffic_create(&traffic, demand, demands, NULL, RWA_UNDIRECTED, NULL));
    OK(flow_solve(&flow, &graph, &traffic, 0, &budget, NULL));
    OK(odd_cuts_solve(&cuts, flow, UINT64_MAX, &budget, NULL));
    struct proven found = {.plain = flow_bound(flow)->value, .odd = cuts.value};
    CU_ASSERT(found.odd >= found.plain);
    for (uint64_t w = 1; w <= found.plain + 1; w++) {    /* links of length 1 leave most weight to the nodes */
        uint32_t ones[] = {1, 1, 1, 1, 1, 1, 1, 1, 1};
        struct odd_cuts at_nodes = {0};
        CU_ASSERT_FATAL(rwa_network_pairs(net) <= COUNT(ones));
        OK(odd_cuts_at_nodes(&at_nodes, &graph, &traffic, ones, w, NULL));
        CU_ASSERT(at_nodes.value == 0 || at_nodes.value == w + 1);
        found.parity = at_nodes.value > 0 ? at_nodes.value : found.parity;
        odd_cuts_free(&at_nodes);
    }
    odd_cuts_free(&cuts);
    flow_close(flow);
    traffic_free(&traffic);
    routing_graph_free(&graph);
    return found;
}

/* Two lightpaths between three leaves of a star always share a leaf's link, so each of the 3a takes a wavelength of its
 * own, although no link carries more than 2a.  With k leaves, k odd, a wavelength serves (k - 1) / 2 of the a k (k - 1)
 * / 2 pairs; here of a cycle of pairs, two at a time of five. */
static void pairs_of_odd_stars(void)
{
    static const char *const stars[] = {"links:3-0,3-1,3-2", "links:5-0,5-1,5-2,5-3,5-4"};
    for (uint32_t k = 3; k <= 5; k += 2)
        for (uint32_t a = 1; a <= 7; a++) {
            rwa_demand pairs[5];
            for (uint32_t v = 0; v < k; v++)
                pairs[v] = (rwa_demand){v, (v + 1) % k, a, RWA_NONE};
            struct proven found = bounds_of(network_on("%s", stars[k / 5]), pairs, k);
            CU_ASSERT(found.plain == 2 * a && found.odd == (k == 3 ? 3 * a : (5 * a + 1) / 2));
        }
}

/* All pairs of a ring of n = 4k nodes: n^2 / 8 + 1 wavelengths, a known optimum; the distances alone prove n^2 / 8. */
static void parity_on_rings(void)
{
    rwa_demands *all = NULL;
    OK(rwa_demands_all_to_all(&all, 4, RWA_UNDIRECTED, NULL));
    struct proven found = bounds_of(network_on("links:0-1,1-2,2-3,3-0"), rwa_demands_list(all), 6);
    CU_ASSERT(found.plain == 2 && found.parity == 3);
    rwa_demands_free(all);
}

/* A tree, and some links more; every demand is one lightpath. */
static rwa_network *draw(rwa_demand *demand, size_t *demands)
{
    struct request r = request_of("links:");
    uint32_t nodes = 4 + any(3), more = any(11 - nodes);
    char *end = r.spec + strlen(r.spec);
    *demands = 3 + any(UNITS - 2);
    for (uint32_t v = 1; v < nodes + more; v++) {
        uint32_t from = v < nodes ? v : any(nodes), to = any(v < nodes ? v : nodes);
        if (from != to)
            end += sprintf(end, "%u-%ux%u,", to, from, v < nodes && any(5) == 0 ? 2 : 1);
    }
    for (size_t d = 0; d < *demands; d++) {
        uint32_t src = any(nodes);
        demand[d] = (rwa_demand){src, (src + 1 + any(nodes - 1)) % nodes, 1, RWA_NONE};
    }
    return request_network(r);
}

/* No bound exceeds the optimum, and often enough odd cuts prove it where the flow does not. */
static void no_more_than_exhaustive_search(void)
{
    uint32_t raised = 0, tight = 0, by_parity = 0;
    for (int i = 0; i < INSTANCES; i++) {
        rwa_demand demand[UNITS];
        size_t demands;
        const rwa_network *net = draw(demand, &demands);
        struct proven found = bounds_of(net, demand, demands);
        struct brute brute = brute_of(net, RWA_UNDIRECTED, demand, demands);
        uint32_t least = brute_fewest(&brute, UNITS);
        CU_ASSERT(found.odd <= least && found.parity <= least);
        by_parity += found.parity > found.plain;
        raised += found.odd > found.plain;
        tight += found.odd > found.plain && found.odd == least;
    }
    CU_ASSERT(raised >= 10);
    CU_ASSERT(tight >= 10);
    CU_ASSERT(by_parity >= 3);
    printf("(odd cuts prove more in %u of %u, the optimum in %u; parity in %u) ", raised, INSTANCES, tight, by_parity);
}

TESTS("odd cuts", pairs_of_odd_stars, parity_on_rings, no_more_than_exhaustive_search)
