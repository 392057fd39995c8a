/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Plans to test with. */
#ifndef SUPPORT_PLANS_H
#define SUPPORT_PLANS_H

#include "rwa.h"
#include "base/base.h"
#include "tests/support/files.h"
#include "tests/support/suite.h"

#include <stdbool.h>

/** A network of a shape, with so many wavelengths on each of so many fibres. */
static inline rwa_network *network_with(const char *spec, uint32_t wavelengths, uint32_t fibers)
{
    rwa_network_options opts;
    rwa_network *net = NULL;
    rwa_network_options_init(&opts);
    opts.wavelengths = wavelengths;
    opts.fibers = fibers;
    OK(rwa_network_open(&net, spec, &opts, NULL));
    return net;
}

static inline rwa_network *network_of(const char *spec, uint32_t wavelengths)
{
    return network_with(spec, wavelengths, 1);
}

/** The same by topology and number of nodes. */
static inline rwa_network *network_sized(rwa_topology topology, uint32_t nodes, uint32_t wavelengths, uint32_t fibers)
{
    char spec[32];
    snprintf(spec, sizeof spec, "%s:%u", rwa_topology_name(topology), nodes);
    return network_with(spec, wavelengths, fibers);
}

/** Options that name a scheme. */
static inline rwa_plan_options options_of(const char *scheme)
{
    rwa_plan_options opts;
    rwa_plan_options_init(&opts);
    opts.scheme = scheme;
    return opts;
}

/** A collective (root 0) of so many bytes, planned on a network, which is freed; NULL: it was refused. */
static inline rwa_plan *plan_made_on(rwa_network *net, rwa_collective_kind kind, uint64_t message,
                                     const rwa_plan_options *opts)
{
    rwa_collective coll;
    rwa_plan *plan = NULL;
    OK(rwa_collective_init(&coll, kind, rwa_network_nodes(net), 0, message, 0, NULL));
    rwa_plan_make(&plan, net, &coll, opts, NULL);
    rwa_network_free(net);
    return plan;
}

/** An all-gather whose lightpaths at most so many nodes read. */
static inline rwa_plan *tapped_plan(const char *spec, uint32_t wavelengths, const char *scheme, uint32_t drops)
{
    rwa_plan_options opts = options_of(scheme);
    opts.max_drops = drops;
    return plan_made_on(network_of(spec, wavelengths), RWA_ALL_GATHER, 64, &opts);
}

/** A collective (root 1) of 4096 bytes, planned with a scheme that can do it. */
static inline rwa_plan *plan_of(const char *spec, uint32_t wavelengths, rwa_collective_kind kind, const char *scheme)
{
    rwa_network *net = network_of(spec, wavelengths);
    rwa_collective coll;
    rwa_plan_options opts = options_of(scheme);
    rwa_plan *plan = NULL;
    OK(rwa_collective_init(&coll, kind, rwa_network_nodes(net), 1, 4096, 0, NULL));
    OK(rwa_plan_make(&plan, net, &coll, &opts, NULL));
    CU_ASSERT_PTR_NOT_NULL_FATAL(rwa_plan_schedule(plan));
    rwa_network_free(net);
    return plan;
}

/** What moves, as a sum of a random number for each block of a lightpath: equal for the same moves in any order.  Steps
 *  and blocks count or do not. */
static inline uint64_t moves_of(const rwa_schedule *sched, bool steps, bool blocks)
{
    rwa_schedule *all = NULL;
    uint64_t sum = 0;
    CU_ASSERT_EQUAL_FATAL(rwa_schedule_expand(&all, sched, NULL), RWA_OK);
    for (uint64_t i = 0; i < rwa_schedule_records(all); i++) {
        rwa_lightpath lp;
        rwa_lists lists;
        rwa_run one;
        const rwa_run *list;
        rwa_schedule_get(&lp, all, i);
        rwa_schedule_lists(&lists, all, i);
        uint32_t runs = rwa_lists_runs(&list, &one, &lp, &lists);
        for (uint32_t r = 0; r < runs; r++)
            for (uint32_t k = 0; k < list[r].count; k++) {
                uint64_t block = blocks ? list[r].first + (uint64_t)k * list[r].stride : 0;
                uint64_t move = ((lp.src * UINT64_C(4099) + lp.dst) * 65537 + block) * 2 + (uint64_t)lp.op;
                move = move * 65537 + (steps ? lp.step : 0);
                sum += base_random(&move);
            }
    }
    rwa_schedule_free(all);
    return sum;
}

/** A schedule that the checker accepts. */
static inline void expect_right(const rwa_schedule *sched)
{
    rwa_check *check = NULL;
    CU_ASSERT_PTR_NOT_NULL_FATAL(sched);
    OK(rwa_check_schedule(&check, sched, NULL, NULL));
    CU_ASSERT_TRUE(rwa_check_summary(check)->ok);
    if (!rwa_check_summary(check)->ok)
        fprintf(stderr, "%s\n", rwa_check_summary(check)->first[0].text);
    rwa_check_free(check);
}

#endif
