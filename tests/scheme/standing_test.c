/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Standing lightpaths are all up at once, so that no two may share a channel of a link, as the checker sees; one
 *  reconfiguration is all they take.  plan/estimates_test compares their times with the estimates. */
#include "tests/support/request.h"

static const char *const specs[] = {
    "ring:2", "ring:5", "ring:16", "ring:24", "ring:31", "torus:4x4", "torus:5x3", "torus:2x6", "torus:3x3x4",
    "hypercube:4", "circulant:16:1,4", "circulant:15:2,5", "circulant:16:1,8"};
enum { SPECS = COUNT(specs) };
static const uint32_t wavelengths[] = {1, 2, 3, 7, 8, 16, 33};
enum { WAVELENGTHS = COUNT(wavelengths) };

static const char *const kinds[] = {"all-gather", "all-to-all", "reduce-scatter", "all-reduce"};

/* Times in the model `circuit` with and without tuning differ by one reconfiguration: every lightpath is up from the
 * first step on, in both halves of an all-reduce too. */
static void one_reconfiguration_is_all(void)
{
    for (size_t i = 0; i < SPECS; i++)
        for (size_t k = 0; k < WAVELENGTHS; k++)
            for (size_t c = 0; c < COUNT(kinds); c++)
                CU_ASSERT_EQUAL(settings_of(schedule_on("%s w=%u bytes=1048576 model=circuit alpha=1e-6 %s by standing",
                                                        specs[i], wavelengths[k], kinds[c])),
                                1);
}

/* On one channel a lightpath over two links would block its neighbour's, so that blocks go from node to node: half
 * round the ring. */
static void one_channel_goes_from_node_to_node(void)
{
    for (uint32_t n = 3; n <= 40; n++)
        CU_ASSERT_EQUAL(steps_on("ring:%u w=1 bytes=65536 model=circuit alpha=1e-6 by standing", n), n / 2);
}

/* A path, a mesh, and a network one of whose links failed are not the same seen from all nodes. */
static void other_networks_are_refused(void)
{
    static const char *const others[] = {"mesh:3x3", "nsfnet14-21", "tree:2x3"};
    for (size_t i = 0; i < COUNT(others); i++)
        expect_part(refusal_on("%s w=4 by standing", others[i]), "alike");
}

TESTS("standing", one_reconfiguration_is_all, one_channel_goes_from_node_to_node, other_networks_are_refused)
