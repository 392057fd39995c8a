/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Standing lightpaths: their channels never meet, one reconfiguration is all they take, and estimates are exact. */
#include "rwa.h"

#include "scheme/circuits/standing.h"

#include "tests/support/plans.h"
#include "tests/support/suite.h"

#include <stdlib.h>
#include <string.h>

static const char *const specs[] = {"ring:2", "ring:5", "ring:16", "ring:24", "ring:31", "torus:4x4", "torus:5x3", "torus:2x6",
                                    "torus:3x3x4", "hypercube:4", "circulant:16:1,4", "circulant:15:2,5", "circulant:16:1,8"};
enum { SPECS = sizeof specs / sizeof *specs };
static const uint32_t wavelengths[] = {1, 2, 3, 7, 8, 16, 33};
enum { WAVELENGTHS = sizeof wavelengths / sizeof *wavelengths };

/* ---- channels ---- */

/** Mark the channel on each link of a lightpath; false: another has it. */
static bool take_channel(uint8_t *used, const struct standing_network *s, const struct jump *jump, uint32_t node, uint32_t channel,
                         bool back)
{
    const struct link_cycle *c = &s->cycle[jump->cycle];
    for (uint32_t i = 0; i < jump->links; i++, node = back ? c->before[node] : c->next[node]) {
        uint8_t *at = &used[((size_t)(2 * jump->cycle + back) * s->nodes + node) * s->channels + channel];
        if (*at || channel >= s->channels)
            return false;
        *at = 1;
    }
    return true;
}

/** A link is named by the node where it begins, its cycle and its direction. */
static bool are_apart(const struct standing_network *s, const struct jumps *jumps)
{
    uint8_t *used = calloc(2 * s->cycles * s->nodes * s->channels, 1);
    bool apart = used != NULL;
    for (size_t j = 0; j < jumps->count; j++)
        for (uint32_t k = 0; k < jumps->list[j].lightpaths; k++)
            for (uint32_t v = 0; v < s->nodes && apart; v++)
                apart = take_channel(used, s, &jumps->list[j], v, jump_channel(s, jumps, &jumps->list[j], k, v),
                                     jumps->list[j].back);
    free(used);
    return apart;
}

/* All lightpaths are up at once, so no two may share a channel of a link: tried for jumps drawn at random, where they fit. */
static void channels_of_jumps_never_meet(void)
{
    uint64_t random = 7;
    uint32_t fitted = 0;
    for (int round = 0; round < 2000; round++) {
        rwa_network *net = network_of(specs[base_random_below(&random, SPECS)], wavelengths[base_random_below(&random, WAVELENGTHS)]);
        struct standing_network s;
        struct jumps jumps = {.count = 0};
        struct jump_choice choice = {.lengths = 1 + (uint32_t)base_random_below(&random, 6),
                                     .ratio = 1 + (uint32_t)base_random_below(&random, 4),
                                     .most = 1 + (uint32_t)base_random_below(&random, 40)};
        CU_ASSERT_EQUAL_FATAL(standing_network_open(&s, net, 0, NULL), RWA_OK);
        jumps.slot = calloc(s.cycles * s.channels + 1, sizeof *jumps.slot);
        jumps_choose(&jumps, &s, &choice);
        CU_ASSERT_TRUE(are_apart(&s, &jumps));
        fitted += jumps.count > 0;
        free(jumps.slot);
        standing_network_close(&s);
        rwa_network_free(net);
    }
    CU_ASSERT_TRUE(fitted > 500);
}

/* ---- plans ---- */

static rwa_plan *plan_on(const rwa_network *net, rwa_collective_kind kind, uint64_t bytes, rwa_cost_model model)
{
    rwa_collective coll;
    rwa_plan_options o;
    rwa_plan *plan = NULL;
    CU_ASSERT_EQUAL_FATAL(rwa_collective_init(&coll, kind, rwa_network_nodes(net), 0, bytes, 0, NULL), RWA_OK);
    rwa_plan_options_init(&o);
    o.scheme = "standing";
    o.cost.model = model;
    o.cost.alpha_s = 1e-6;
    CU_ASSERT_EQUAL_FATAL(rwa_plan_make(&plan, net, &coll, &o, NULL), RWA_OK);
    CU_ASSERT_PTR_NOT_NULL_FATAL(rwa_plan_schedule(plan));
    return plan;
}

static const rwa_collective_kind kinds[] = {RWA_ALL_GATHER, RWA_REDUCE_SCATTER, RWA_ALL_REDUCE, RWA_ALL_TO_ALL};
static const rwa_cost_model models[] = {RWA_COST_PAPER, RWA_COST_CIRCUIT, RWA_COST_OVERLAP};

/* Times in the model `circuit` with and without tuning differ by one reconfiguration: every lightpath is up from the first step on,
 * in both halves of an all-reduce too.  Some steps of other plans could use fewer channels, so the time is no less than the bound. */
static void one_reconfiguration_is_all(void)
{
    for (size_t i = 0; i < SPECS; i++)
        for (size_t k = 0; k < WAVELENGTHS; k++)
            for (size_t c = 0; c < sizeof kinds / sizeof *kinds; c++) {
                rwa_network *net = network_of(specs[i], wavelengths[k]);
                rwa_plan *plan = plan_on(net, kinds[c], 1 << 20, RWA_COST_CIRCUIT);
                const rwa_plan_report *sum = rwa_plan_summary(plan);
                CU_ASSERT_TRUE(sum->check->ok);
                CU_ASSERT_DOUBLE_EQUAL(circuit_s(rwa_plan_schedule(plan), 1e-3), circuit_s(rwa_plan_schedule(plan), 0) + 1e-3, 1e-12);
                CU_ASSERT_TRUE(sum->time_s >= sum->time_bound_s * (1 - 1e-9));
                rwa_plan_free(plan);
                rwa_network_free(net);
            }
}

/* On one channel a lightpath over two links would block its neighbour's, so that blocks go from node to node: half round the ring. */
static void one_channel_goes_from_node_to_node(void)
{
    for (uint32_t n = 3; n <= 40; n++) {
        char spec[16];
        snprintf(spec, sizeof spec, "ring:%u", n);
        rwa_network *net = network_of(spec, 1);
        rwa_plan *plan = plan_on(net, RWA_ALL_GATHER, 1 << 16, RWA_COST_CIRCUIT);
        CU_ASSERT_EQUAL(rwa_plan_summary(plan)->steps, n / 2);
        rwa_plan_free(plan);
        rwa_network_free(net);
    }
}

static double estimate_s(const rwa_network *net, rwa_collective_kind kind, uint64_t bytes, rwa_cost_model model)
{
    rwa_collective coll;
    rwa_plan_options o;
    struct estimate e = {0};
    struct plan_request request = {.net = network_canonical(net), .coll = &coll, .opts = &o};
    CU_ASSERT_EQUAL_FATAL(rwa_collective_init(&coll, kind, rwa_network_nodes(net), 0, bytes, 0, NULL), RWA_OK);
    rwa_plan_options_init(&o);
    o.cost.model = model;
    o.cost.alpha_s = 1e-6;
    CU_ASSERT_EQUAL_FATAL(scheme_standing.estimate(&e, &request, NULL), RWA_OK);
    return e.time_s;
}

/* "auto" builds the plan only where its estimate is the quickest: it must be the time of the plan; but lightpaths that come back after a
 * step without them may get other channels in the model `overlap`, which were tuned before. */
static void estimates_are_exact(void)
{
    static const uint64_t bytes[] = {4096, 1 << 20, 100000000};
    static const rwa_collective_kind forwards[] = {RWA_ALL_GATHER, RWA_ALL_TO_ALL};
    for (size_t i = 0; i < SPECS; i++)
        for (size_t c = 0; c < 2; c++)
            for (size_t m = 0; m < sizeof models / sizeof *models; m++)
                for (size_t b = 0; b < sizeof bytes / sizeof *bytes; b++) {
                    rwa_network *net = network_of(specs[i], 8);
                    rwa_plan *plan = plan_on(net, forwards[c], bytes[b], models[m]);
                    double plan_s = rwa_plan_summary(plan)->time_s, found_s = estimate_s(net, forwards[c], bytes[b], models[m]);
                    CU_ASSERT_TRUE(plan_s <= found_s * (1 + 1e-9));
                    CU_ASSERT_TRUE(models[m] == RWA_COST_OVERLAP || plan_s >= found_s * (1 - 1e-9));
                    rwa_plan_free(plan);
                    rwa_network_free(net);
                }
}

/* A path, a mesh, and a network one of whose links failed are not the same seen from all nodes. */
static void other_networks_are_refused(void)
{
    static const char *const others[] = {"mesh:3x3", "nsfnet14-21", "tree:2x3"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        rwa_network_options o;
        rwa_network *net = NULL;
        rwa_collective coll;
        rwa_plan_options po;
        rwa_plan *plan = NULL;
        rwa_network_options_init(&o);
        o.wavelengths = 4;
        CU_ASSERT_EQUAL_FATAL(rwa_network_open(&net, others[i], &o, NULL), RWA_OK);
        CU_ASSERT_EQUAL_FATAL(rwa_collective_init(&coll, RWA_ALL_GATHER, rwa_network_nodes(net), 0, 4096, 0, NULL), RWA_OK);
        rwa_plan_options_init(&po);
        po.scheme = "standing";
        CU_ASSERT_EQUAL(rwa_plan_make(&plan, net, &coll, &po, NULL), RWA_OK);
        CU_ASSERT_EQUAL(rwa_plan_summary(plan)->outcome, RWA_INFEASIBLE);
        CU_ASSERT_PTR_NOT_NULL(strstr(rwa_plan_summary(plan)->why, "alike"));
        rwa_plan_free(plan);
        rwa_network_free(net);
    }
}

int main(void)
{
    static const struct test tests[] = {
        TEST(channels_of_jumps_never_meet), TEST(one_reconfiguration_is_all), TEST(one_channel_goes_from_node_to_node),
        TEST(estimates_are_exact), TEST(other_networks_are_refused), {0}};
    return run_tests("standing", tests);
}
