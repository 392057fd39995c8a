/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Random networks of a seed: what their definitions say, and that a seed names one network. */
#include "rwa.h"

#include "tests/support/request.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static bool is_connected(const rwa_network *net)
{
    uint32_t nodes = rwa_network_nodes(net), links = rwa_network_links(net), reached = 1;
    bool *seen = calloc(nodes, sizeof *seen), grew = true;
    seen[0] = true;
    while (grew) {
        grew = false;
        for (uint32_t l = 0; l < links; l++) {
            rwa_link link = rwa_network_link(net, l);
            if (seen[link.from] && !seen[link.to]) {
                seen[link.to] = grew = true;
                reached++;
            }
        }
    }
    free(seen);
    return reached == nodes;
}

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
        CU_ASSERT(is_connected(net));
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

static void another_seed_makes_another_network(void)
{
    static const char *const kinds[] = {"waxman:100", "geometric:100", "barabasi-albert:100:2", "regular:100:4"};
    for (size_t i = 0; i < COUNT(kinds); i++) {
        uint64_t hash[2];
        for (uint32_t seed = 0; seed < 2; seed++) {
            hash[seed] = fingerprint(network_on("%s:%u", kinds[i], seed));
        }
        CU_ASSERT_NOT_EQUAL(hash[0], hash[1]);
    }
}

static void bad_numbers_are_refused(void)
{
    static const char *const bad[] = {"waxman:200",
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

TESTS("random networks", networks_of_a_seed_are_connected_and_simple, regular_networks_have_equal_degrees,
      a_seed_names_one_network, another_seed_makes_another_network, bad_numbers_are_refused)
