/* SPDX-License-Identifier: GPL-3.0-or-later */
/** One route for every lightpath, minimising the load of the most loaded link. */
#pragma once

#include "routing/graph.h"
#include "routing/paths.h"

/** Kinds of lightpaths: amount[k] lightpaths of kind k may each take one of the paths first[k] … first[k + 1] - 1.
 *  All borrowed. */
struct least_load {
    const struct routing_graph *graph;
    const struct paths *paths;
    size_t kinds;
    const size_t *first;
    const uint64_t *amount;
    uint64_t least;         /* some link needs this many wavelengths on any routes: stop when reached */
    struct budget *budget;
};

/**
 * Choose a path for each lightpath so that few wavelengths suffice on every link; a link needs its lightpaths divided
 * by its fibres, rounded up.  A greedy choice with exchanges comes first.  If that needs more than run->least, the
 * integer program (GLPK) over the numbers of lightpaths on each path follows.
 * @param[out] taken  of each path, how many lightpaths take it
 * @param[out] bound  a lower bound on the wavelengths of any choice of these paths
 * @return RWA_OK also when the budget stopped it; RWA_NOMEM; RWA_BACKEND
 */
rwa_status least_load_solve(const struct least_load *run, uint64_t *taken, uint64_t *bound, rwa_error *err);
