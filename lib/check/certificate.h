/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Whether a bound follows from its witness: integer arithmetic and nothing that the solvers use. */
#ifndef CHECK_CERTIFICATE_H
#define CHECK_CERTIFICATE_H

#include "base/base.h"
#include "rwa/assign.h"

/** A demand's ends, and the node it has to pass: RWA_NO_NODE without one. */
struct ends {
    uint32_t src, dst, via;
};

/** What lengths are said to prove. */
struct lengths_claim {
    const rwa_network *net;
    rwa_model model;
    const uint32_t *lengths;    /**< one for each directed link (rwa_network_link()), or fibre pair when undirected */
    bool twice;                 /**< every lightpath has a backup that shares no link with it */
    uint32_t wavelengths;       /**< 0: how many are necessary; else how many demands so many can serve at most */
    struct budget *budget;
};

/**
 * Every lightpath takes at least the distance of its ends by way of its node (twice: the length of the two shortest ways
 * without a common link), and a wavelength offers every carrier's length once for each of its fibres; a demand without any
 * way adds nothing.
 * @param[out] value  rounded up; 0 when all lengths are 0.  The most demands served: the nearest first
 * @return RWA_OK; RWA_BADARG: too large for 64 bits; RWA_CANCELLED; RWA_NOMEM.  Cost: a Dijkstra search for each node that
 *         demands leave; twice: nodes * links for each demand
 */
rwa_status certificate_of_lengths(uint64_t *value, const struct lengths_claim *claim, const struct ends *demands, size_t count,
                                  rwa_error *err);

/** Two ways without a common carrier, by their total length: a search of its own (Bellman and Ford, twice). */
struct two_ways;
rwa_status two_ways_open(struct two_ways **out, const rwa_network *graph, bool paired, rwa_error *err);
void two_ways_close(struct two_ways *ways);
/** @param length  of each link of the graph.  UINT64_MAX: there are no two such ways */
uint64_t two_ways_length(struct two_ways *ways, const uint64_t *length, uint32_t src, uint32_t dst);

#endif
