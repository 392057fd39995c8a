/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Which jumps, and in how many parts blocks are cut. */
#pragma once

#include "scheme/own/standing.h"

struct standing_choice {
    struct jumps jumps;
    struct standing_tree tree;  /* of 0 steps: nothing was found that takes less than request->below_s */
    uint64_t parts;             /* of each block */
    double time_s;
};
void standing_choice_free(struct standing_choice *c);

/** Whether the tree is gone through backwards, first or at all. */
bool standing_runs_backwards(rwa_collective_kind kind);
/** Blocks of which none is cut: one for each node, or for each pair. */
uint64_t standing_units(const struct plan_request *request);
/** An all-reduce goes over the tree twice. */
uint32_t standing_passes(const struct plan_request *request);
/** Lightpaths of all steps, orbits written out. */
double standing_lightpaths(const struct standing_choice *c, const struct plan_request *request);

/** The quickest by the request's cost model.  RWA_NOMEM; RWA_CANCELLED; standing_choice_free() in any case. */
rwa_status standing_search(struct standing_choice *out, const struct standing_network *network, const struct plan_request *request,
                           rwa_error *err);
