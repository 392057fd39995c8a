/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Bounds by odd cuts: closed forms on stars and trees, and exhaustive search on small networks with fibres. */
#include "routing/odd_cuts.h"

#include "tests/support/suite.h"

enum { MOST_NODES = 6, MOST_LINKS = 9, MOST_PATHS = 64, UNITS = 7, INSTANCES = 3000 };

struct instance {
    uint32_t nodes, links;
    rwa_link link[MOST_LINKS];
    rwa_demand demand[UNITS];
    size_t demands;
};

static uint64_t seed = 5;

static uint32_t any(uint32_t below)
{
    return (uint32_t)base_random_below(&seed, below);
}

/* The bound of the flow alone and with odd cuts, which is at least the former; and with the parity of nodes. */
static void bounds_of(const struct instance *x, uint64_t *plain, uint64_t *odd, uint64_t *parity)
{
    rwa_network *net = NULL;
    rwa_network_options opts;
    struct routing_graph graph = {0};
    struct traffic traffic = {0};
    struct flow *flow = NULL;
    struct odd_cuts cuts = {0}, at_nodes = {0};
    struct budget budget = base_budget(0, NULL, NULL);
    rwa_network_options_init(&opts);
    opts.both_ways = true;
    OK(rwa_network_create_graph(&net, x->nodes, x->link, x->links, &opts, NULL));
    OK(routing_graph_create(&graph, net, RWA_UNDIRECTED, NULL));
    OK(traffic_create(&traffic, x->demand, x->demands, NULL, RWA_UNDIRECTED, NULL));
    OK(flow_solve(&flow, &graph, &traffic, 0, &budget, NULL));
    OK(odd_cuts_solve(&cuts, flow, UINT64_MAX, &budget, NULL));
    *plain = flow_bound(flow)->value;
    *odd = cuts.value;
    CU_ASSERT(*odd >= *plain);
    for (uint64_t w = 1; w <= *plain + 1; w++) {    /* links of length 1 leave most weight to the nodes */
        uint32_t ones[MOST_LINKS] = {1, 1, 1, 1, 1, 1, 1, 1, 1};
        OK(odd_cuts_at_nodes(&at_nodes, &graph, &traffic, ones, w, NULL));
        CU_ASSERT(at_nodes.value == 0 || at_nodes.value == w + 1);
        *parity = at_nodes.value > 0 ? at_nodes.value : *parity;
        odd_cuts_free(&at_nodes);
        memset(&at_nodes, 0, sizeof at_nodes);
    }
    odd_cuts_free(&cuts);
    flow_close(flow);
    traffic_free(&traffic);
    routing_graph_free(&graph);
    rwa_network_free(net);
}

/* ---- closed forms ---- */

/* Two lightpaths between three leaves of a star always share a leaf's link, so each of the 3a takes a wavelength of its
 * own, although no link carries more than 2a.  With k leaves, k odd, a wavelength serves (k - 1) / 2 of the a k (k - 1)
 * / 2 pairs. */
static void pairs_of_odd_stars(void)
{
    for (uint32_t k = 3; k <= 5; k += 2)
        for (uint32_t a = 1; a <= 7; a++) {
            rwa_demand pairs[10];
            size_t count = 0;
            uint64_t plain = 0, odd = 0, parity = 0;
            struct instance x = {.nodes = k + 1, .links = k};
            for (uint32_t v = 0; v < k; v++)
                x.link[v] = (rwa_link){k, v, 0, 1};
            for (uint32_t u = 0; u < k && k == 3; u++)
                for (uint32_t v = 0; v < u; v++)
                    pairs[count++] = (rwa_demand){v, u, a, RWA_NONE};
            for (uint32_t v = 0; v < k && k == 5; v++)  /* a cycle of five pairs: two of them at a time */
                pairs[count++] = (rwa_demand){v, (v + 1) % k, a, RWA_NONE};
            memcpy(x.demand, pairs, count * sizeof *pairs);
            x.demands = count;
            bounds_of(&x, &plain, &odd, &parity);
            CU_ASSERT_EQUAL(plain, 2 * a);
            CU_ASSERT_EQUAL(odd, k == 3 ? 3 * a : (5 * a + 1) / 2);
        }
}

/* All pairs of a ring of n = 4k nodes: n^2 / 8 + 1 wavelengths, a known optimum; the distances alone prove n^2 / 8. */
static void parity_on_rings(void)
{
    uint64_t plain = 0, odd = 0, parity = 0;
    struct instance x = {.nodes = 4, .links = 4, .link = {{0, 1, 0, 1}, {1, 2, 0, 1}, {2, 3, 0, 1}, {3, 0, 0, 1}}};
    for (uint32_t u = 0; u < 4; u++)
        for (uint32_t v = 0; v < u; v++)
            x.demand[x.demands++] = (rwa_demand){v, u, 1, RWA_NONE};
    bounds_of(&x, &plain, &odd, &parity);
    CU_ASSERT_EQUAL(plain, 2);
    CU_ASSERT_EQUAL(parity, 3);
}

/* ---- exhaustive search ---- */

struct paths_found {
    uint32_t mask[MOST_PATHS];  /* bit l: link l */
    size_t count;
};

static void find_paths(struct paths_found *out, const struct instance *x, uint32_t at, uint32_t dst, uint32_t visited,
                       uint32_t mask)
{
    if (at == dst) {
        CU_ASSERT_FATAL(out->count < MOST_PATHS);
        out->mask[out->count++] = mask;
        return;
    }
    for (uint32_t l = 0; l < x->links; l++) {
        uint32_t to = x->link[l].from == at ? x->link[l].to : x->link[l].to == at ? x->link[l].from : at;
        if (!(visited >> to & 1))
            find_paths(out, x, to, dst, visited | 1u << to, mask | 1u << l);
    }
}

struct placing {
    const struct instance *x;
    struct paths_found paths[UNITS];
    uint32_t used[UNITS][MOST_LINKS];   /* fibres, of each wavelength and link */
};

static bool add_path(struct placing *p, uint32_t wavelength, uint32_t mask, int sign)
{
    bool fits = true;
    for (uint32_t l = 0; l < p->x->links; l++) {
        p->used[wavelength][l] += mask >> l & 1 ? (uint32_t)sign : 0;
        fits = fits && p->used[wavelength][l] <= p->x->link[l].fibers;
    }
    return fits;
}

/* Wavelengths are alike: a lightpath takes one in use or the next. */
static bool place_from(struct placing *p, size_t unit, uint32_t in_use, uint32_t most)
{
    if (unit == p->x->demands)
        return true;
    for (uint32_t w = 0; w < most && w <= in_use; w++)
        for (size_t i = 0; i < p->paths[unit].count; i++) {
            bool fits = add_path(p, w, p->paths[unit].mask[i], 1);
            bool placed = fits && place_from(p, unit + 1, w == in_use ? in_use + 1 : in_use, most);
            add_path(p, w, p->paths[unit].mask[i], -1);
            if (placed)
                return true;
        }
    return false;
}

static uint32_t fewest_wavelengths(const struct instance *x)
{
    struct placing p = {.x = x};
    uint32_t most = 1;
    for (size_t d = 0; d < x->demands; d++)
        find_paths(&p.paths[d], x, x->demand[d].src, x->demand[d].dst, 1u << x->demand[d].src, 0);
    while (!place_from(&p, 0, 0, most))
        most++;
    return most;
}

/* A tree, and some links more; every demand is one lightpath. */
static void draw(struct instance *x)
{
    *x = (struct instance){.nodes = 4 + any(MOST_NODES - 3), .demands = 3 + any(UNITS - 2)};
    for (uint32_t v = 1; v < x->nodes; v++)
        x->link[x->links++] = (rwa_link){any(v), v, 0, 1 + (any(5) == 0)};
    for (uint32_t more = any(MOST_LINKS - x->links + 1); more > 0; more--) {
        uint32_t u = any(x->nodes), v = any(x->nodes);
        if (u != v)
            x->link[x->links++] = (rwa_link){u, v, 0, 1};
    }
    for (size_t d = 0; d < x->demands; d++) {
        uint32_t src = any(x->nodes), dst = (src + 1 + any(x->nodes - 1)) % x->nodes;
        x->demand[d] = (rwa_demand){src, dst, 1, RWA_NONE};
    }
}

/* No bound exceeds the optimum, and often enough odd cuts prove it where the flow does not. */
static void no_more_than_exhaustive_search(void)
{
    uint32_t raised = 0, tight = 0, by_parity = 0;
    for (int i = 0; i < INSTANCES; i++) {
        struct instance x;
        uint64_t plain = 0, odd = 0, parity = 0;
        draw(&x);
        bounds_of(&x, &plain, &odd, &parity);
        uint32_t least = fewest_wavelengths(&x);
        CU_ASSERT(odd <= least && parity <= least);
        by_parity += parity > plain;
        raised += odd > plain;
        tight += odd > plain && odd == least;
    }
    CU_ASSERT(raised >= 10);
    CU_ASSERT(tight >= 10);
    CU_ASSERT(by_parity >= 3);
    printf("(odd cuts prove more in %u of %u, the optimum in %u; parity in %u) ", raised, INSTANCES, tight, by_parity);
}

TESTS("odd cuts", pairs_of_odd_stars, parity_on_rings, no_more_than_exhaustive_search)
