/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/request.h"

static void all_to_all_asks_once_per_pair(void)
{
    for (uint32_t n = 2; n <= 9; n++)
        for (rwa_model model = RWA_DIRECTED; model <= RWA_UNDIRECTED; model++) {
            rwa_demands *d = NULL;
            OK(rwa_demands_all_to_all(&d, n, model, NULL));
            CU_ASSERT_EQUAL(rwa_demands_count(d), n * (n - 1) / (model == RWA_UNDIRECTED ? 2 : 1));
            CU_ASSERT_EQUAL(rwa_demands_lightpaths(d), rwa_demands_count(d));
            CU_ASSERT(rwa_demands_is_all_to_all(d, model));
            CU_ASSERT(n == 2 || !rwa_demands_is_all_to_all(d, model == RWA_DIRECTED ? RWA_UNDIRECTED : RWA_DIRECTED));
            rwa_demands_free(d);
        }
}

/** In any order and, undirected, either way round; but not with a pair twice, a copy more, or a node to pass. */
static void all_to_all_is_recognised(void)
{
    static const struct {
        rwa_demand second;
        bool all;
    } cases[] = {{{1, 2, 1, RWA_NONE}, true}, {{0, 2, 1, RWA_NONE}, false}, {{1, 2, 2, RWA_NONE}, false},
                 {{1, 2, 1, 0}, false}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        rwa_demand list[] = {{2, 0, 1, RWA_NONE}, cases[i].second, {0, 1, 1, RWA_NONE}};
        rwa_demands *d = NULL;
        OK(rwa_demands_create(&d, 3, list, 3, NULL));
        CU_ASSERT_EQUAL(rwa_demands_is_all_to_all(d, RWA_UNDIRECTED), cases[i].all);
        CU_ASSERT(!rwa_demands_is_all_to_all(d, RWA_DIRECTED));
        CU_ASSERT_EQUAL(rwa_demands_lightpaths(d), 2 + cases[i].second.count);
        rwa_demands_free(d);
    }
}

static void random_demands_follow_their_seed(void)
{
    rwa_demands *a = NULL, *b = NULL, *c = NULL;
    OK(rwa_demands_random(&a, 7, RWA_UNDIRECTED, 500, 3, NULL));
    OK(rwa_demands_random(&b, 7, RWA_UNDIRECTED, 500, 3, NULL));
    OK(rwa_demands_random(&c, 7, RWA_UNDIRECTED, 500, 4, NULL));
    size_t bytes = 500 * sizeof(rwa_demand);
    CU_ASSERT(memcmp(rwa_demands_list(a), rwa_demands_list(b), bytes) == 0);
    CU_ASSERT(memcmp(rwa_demands_list(a), rwa_demands_list(c), bytes) != 0);
    unsigned pairs = 0;
    int seen[7][7] = {{0}};
    for (size_t i = 0; i < 500; i++) {
        const rwa_demand *d = &rwa_demands_list(a)[i];
        CU_ASSERT(d->src < d->dst && d->dst < 7 && d->count == 1);
        pairs += !seen[d->src][d->dst];
        seen[d->src][d->dst] = 1;
    }
    CU_ASSERT_EQUAL(pairs, 21); /* 500 draws miss one of 21 pairs with a chance below 1e-9 */
    rwa_demands_free(a);
    rwa_demands_free(b);
    rwa_demands_free(c);
}

static void bad_demands_are_refused(void)
{
    static const rwa_demand bad[] = {{0, 4, 1, RWA_NONE}, {4, 0, 1, RWA_NONE}, {1, 1, 1, RWA_NONE}, {0, 1, 0, RWA_NONE},
        {0, 1, 1, 0}, {0, 1, 1, 1}, {0, 1, 1, 4}};
    rwa_demands *d = NULL;
    for (size_t i = 0; i < COUNT(bad); i++) {
        rwa_error err = {0};
        CU_ASSERT_EQUAL(rwa_demands_create(&d, 4, &bad[i], 1, &err), RWA_BADARG);
        CU_ASSERT_PTR_NULL(d);
        expect_part(err.text, "demand 0");
    }
    CU_ASSERT_EQUAL(rwa_demands_all_to_all(&d, 1, RWA_DIRECTED, NULL), RWA_BADARG);
    CU_ASSERT_EQUAL(rwa_demands_all_to_all(&d, 4, (rwa_model)0, NULL), RWA_BADARG);
    CU_ASSERT_EQUAL(rwa_demands_all_to_all(&d, RWA_NODES_MAX, RWA_DIRECTED, NULL), RWA_BADARG);
    rwa_demand many[] = {{0, 1, RWA_DEMANDS_MAX, RWA_NONE}, {0, 2, 1, RWA_NONE}};
    CU_ASSERT_EQUAL(rwa_demands_create(&d, 4, many, 2, NULL), RWA_BADARG);
}

static void the_model_follows_the_network(void)
{
    CU_ASSERT_EQUAL(rwa_network_model(network_on("torus:3x3")), RWA_DIRECTED);
    CU_ASSERT_EQUAL(rwa_network_model(network_on("links:0>1,1>0")), RWA_DIRECTED);
    CU_ASSERT_EQUAL(rwa_network_model(network_on("links:0-1")), RWA_UNDIRECTED);
}

TESTS("demands", all_to_all_asks_once_per_pair, all_to_all_is_recognised, random_demands_follow_their_seed,
      bad_demands_are_refused, the_model_follows_the_network)
