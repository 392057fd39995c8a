/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Whether a bound follows from its witness: integer arithmetic and nothing that the solvers use. */
#pragma once

#include "base/base.h"
#include "rwa/assign.h"

/** The ends of a demand, the node it must pass (RWA_NO_NODE: none), and the slots it takes of each link. */
struct ends {
    uint32_t src, dst, via;
    uint32_t slots;
};

/** A bound that lengths claim to prove. */
struct lengths_claim {
    const rwa_network *net;
    rwa_model model;
    const uint32_t *lengths;    /**< one for each directed link (rwa_network_link()), or fibre pair when undirected */
    bool backups;                /**< every lightpath has a backup that shares no link with it */
    uint32_t wavelengths;       /**< 0: how many are necessary; else how many demands so many can serve at most */
    const rwa_odd_set *sets;    /**< set_count sets, for wavelengths = 0, undirected, without backups */
    size_t set_count;
    struct budget *budget;
};

/**
 * Every lightpath takes at least the distance of its ends by way of its node (with backups: the length of the two shortest paths
 * without a common link) times its slots, and a wavelength offers every carrier's length once for each of its fibres; a demand without any
 * path adds nothing.
 * With sets: a slot number without a lightpath that has one end in a set leaves a fibre of the odd cut dark.  The weight of the set
 * is then lost on all of these: it is subtracted from the offer of a wavelength, and added once for each slot of these lightpaths.
 * Over all wavelengths the lightpaths take an even number of the fibres of a cut, or an odd number: a weight is lost at least once where
 * the number of all is of the other kind.
 * @param[out] value  rounded up; 0 when all lengths are 0, or a set is not as it must be.  The most demands served: the nearest first
 * @return RWA_OK; RWA_BADARG: a sum too large for 64 bits; RWA_CANCELLED; RWA_NOMEM.  Cost: a Dijkstra search for each node that
 *         demands leave; backups: a search of Bellman and Ford for each demand
 */
rwa_status certificate_of_lengths(uint64_t *value, const struct lengths_claim *claim, const struct ends *demands, size_t count,
                                  rwa_error *err);

/** The shortest pair of paths without a common carrier: two searches of Bellman and Ford. */
struct path_pair;
rwa_status path_pair_open(struct path_pair **out, const rwa_network *graph, bool paired, rwa_error *err);
void path_pair_close(struct path_pair *pair);
/** @param length  of each link of the graph, the same in every call.  UINT64_MAX: there is no such pair */
uint64_t path_pair_length(struct path_pair *pair, const uint64_t *length, uint32_t src, uint32_t dst);
