/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Assignments that the checker accepts. */
#pragma once

#include "rwa.h"

#include "tests/support/suite.h"

#include <stdio.h>

static inline rwa_assignment *assign_demands(const rwa_network *net, const rwa_demands *demands,
                                             const rwa_assignment_options *opts)
{
    rwa_assignment *r = NULL;
    rwa_error err = {0};
    if (rwa_assignment_make(&r, net, demands, opts, &err) != RWA_OK)
        fprintf(stderr, "%s\n", err.text);
    CU_ASSERT_PTR_NOT_NULL_FATAL(r);
    CU_ASSERT(rwa_assignment_summary(r)->check->ok);
    return r;
}

/** All pairs of a network by name or shape. */
static inline rwa_assignment *assign_all(const char *spec, rwa_model model, const rwa_assignment_options *options)
{
    rwa_network *net = NULL;
    rwa_demands *demands = NULL;
    rwa_assignment_options opts = *options;
    opts.model = model;
    OK(rwa_network_open(&net, spec, NULL, NULL));
    OK(rwa_demands_all_to_all(&demands, rwa_network_nodes(net), model, NULL));
    rwa_assignment *r = assign_demands(net, demands, &opts);
    rwa_demands_free(demands);
    rwa_network_free(net);
    return r;
}
