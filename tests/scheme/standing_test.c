/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Standing lightpaths: their channels never meet, one reconfiguration is all they take, and estimates are exact. */
#include "scheme/circuits/standing.h"

#include "tests/support/random.h"
#include "tests/support/suite.h"

extern const struct scheme scheme_standing;  /* of the table */

static const char *const specs[] = {
    "ring:2", "ring:5", "ring:16", "ring:24", "ring:31", "torus:4x4", "torus:5x3", "torus:2x6", "torus:3x3x4",
    "hypercube:4", "circulant:16:1,4", "circulant:15:2,5", "circulant:16:1,8"};
enum { SPECS = COUNT(specs) };
static const uint32_t wavelengths[] = {1, 2, 3, 7, 8, 16, 33};
enum { WAVELENGTHS = COUNT(wavelengths) };

/* ---- channels ---- */

/** Mark the channel on each link of a lightpath; false: another has it. */
static bool take_channel(uint8_t *used, const struct standing_network *s, const struct offset *offset, uint32_t node,
                         uint32_t channel, bool back)
{
    const struct link_cycle *c = &s->cycle[offset->cycle];
    for (uint32_t i = 0; i < offset->links; i++, node = back ? c->before[node] : c->next[node]) {
        uint8_t *at = &used[((size_t)(2 * offset->cycle + back) * s->nodes + node) * s->channels + channel];
        if (*at || channel >= s->channels)
            return false;
        *at = 1;
    }
    return true;
}

/** A link is named by the node where it begins, its cycle and its direction. */
static bool are_apart(const struct standing_network *s, const struct offsets *offsets)
{
    uint8_t *used = calloc(2 * s->cycles * s->nodes * s->channels, 1);
    bool apart = used != NULL;
    for (size_t j = 0; j < offsets->count; j++)
        for (uint32_t k = 0; k < offsets->list[j].lightpaths; k++)
            for (uint32_t v = 0; v < s->nodes && apart; v++)
                apart = take_channel(used, s, &offsets->list[j], v, offset_channel(s, offsets, &offsets->list[j], k, v),
                                     offsets->list[j].back);
    free(used);
    return apart;
}

/* All lightpaths are up at once, so no two may share a channel of a link: tried for offsets drawn at random, where they
 * fit. */
static void channels_of_jumps_never_meet(void)
{
    seed = 7;
    uint32_t fitted = 0;
    for (int round = 0; round < 2000; round++) {
        rwa_network *net = network_on("%s w=%u", specs[any(SPECS)],
                                      wavelengths[any(WAVELENGTHS)]);
        struct standing_network s;
        struct offsets offsets = {.count = 0};
        struct offset_choice choice = {.lengths = 1 + any(6), .ratio = 1 + any(4), .most = 1 + any(40)};
        OK(standing_network_open(&s, net, 0, NULL, NULL));
        offsets.slot = calloc(s.cycles * s.channels + 1, sizeof *offsets.slot);
        offsets_choose(&offsets, &s, &choice);
        CU_ASSERT_TRUE(are_apart(&s, &offsets));
        fitted += offsets.count > 0;
        free(offsets.slot);
        standing_network_close(&s);
    }
    CU_ASSERT_TRUE(fitted > 500);
}

/* ---- plans ---- */

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

static double estimate_s(const struct request *r)
{
    rwa_network *net = request_network(*r);
    rwa_collective coll = request_collective(r, net);
    struct estimate e = {0};
    struct plan_request request = {.net = network_canonical(net), .coll = &coll, .opts = &r->options};
    OK(scheme_standing.estimate(&e, &request, NULL));
    return e.time_s;
}

/* "auto" builds the plan only where its estimate is the quickest: it must be the time of the plan; but lightpaths that
 * come back after a step without them may get other channels in the model `overlap`, which were tuned before. */
static void estimates_are_exact(void)
{
    static const uint32_t bytes[] = {4096, 1 << 20, 100000000};
    static const char *const models[] = {"paper", "circuit", "overlap"};
    for (size_t i = 0; i < SPECS; i++)
        for (size_t c = 0; c < 2; c++)
            for (size_t m = 0; m < COUNT(models); m++)
                for (size_t b = 0; b < COUNT(bytes); b++) {
                    struct request r = request_of("%s w=8 bytes=%u model=%s alpha=1e-6 %s by standing", specs[i],
                                                  bytes[b], models[m], kinds[c]);
                    double plan_s = rwa_plan_summary(plan_for(r))->time_s, found_s = estimate_s(&r);
                    CU_ASSERT_TRUE(plan_s <= found_s * (1 + 1e-9));
                    CU_ASSERT_TRUE(r.options.cost.model == RWA_COST_OVERLAP || plan_s >= found_s * (1 - 1e-9));
                }
}

/* A path, a mesh, and a network one of whose links failed are not the same seen from all nodes. */
static void other_networks_are_refused(void)
{
    static const char *const others[] = {"mesh:3x3", "nsfnet14-21", "tree:2x3"};
    for (size_t i = 0; i < COUNT(others); i++)
        expect_part(refusal_on("%s w=4 by standing", others[i]), "alike");
}

TESTS("standing", channels_of_jumps_never_meet, one_reconfiguration_is_all, one_channel_goes_from_node_to_node,
      estimates_are_exact, other_networks_are_refused)
