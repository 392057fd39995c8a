/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Check the bound that an assignment claims: gather evidence while lightpaths are read, then examine the witness. */
#pragma once

#include "base/base.h"
#include "rwa/assign.h"

/** The ends of a demand, the node that its route must pass (RWA_NONE: none), and the slots that it takes on each
 *  link. */
struct ends {
    uint32_t src, dst, via;
    uint32_t slots;
};

struct bound_claim {
    rwa_certificate claimed;       /* borrowed; its name is NULL when nothing is claimed */
    const rwa_odd_set *sets;    /* odd cuts of the claim; borrowed */
    size_t set_count;
    const rwa_network *net;
    rwa_model model;
    uint64_t demands;
    bool backups, converts;     /* every demand needs a backup; some node has a converter */
    struct budget *budget;
    struct ends *ends;          /* of each demand; for lengths and theorems, which sort them */
    uint32_t carriers;
    uint64_t crossing;          /* LINK: slots of the routes over it */
    uint64_t members;           /* CLIQUE: number of routes of the witness seen so far, and their slots */
    uint64_t member_slots;
    uint64_t *crossed;          /* bit set of the carriers of each route, words_of(carriers) words each */
    char *proof;                /* of RWA_ERROR_TEXT bytes; NULL: no words are wanted */
    rwa_error *err;
};

/** Prepare to gather evidence for the claimed bound.  The caller must have set the members from `net` to `budget`, and
 *  err. */
rwa_status bound_claim_open(struct bound_claim *c);
void bound_claim_close(struct bound_claim *c);

/** Note the ends and slots of a demand; if it has several lines, the fewest slots count. */
void bound_claim_take_demand(struct bound_claim *c, uint64_t demand, const struct ends *ends);
/** Note a route with this number of the file, which takes `slots` slots on each of its links. */
void bound_claim_take_route(struct bound_claim *c, uint64_t record, const uint32_t *links, uint32_t hops,
                            uint32_t slots);

/**
 * Compute the bound that the witness proves, and compare it with the claimed one.
 * @param[out] verdict  UNCHECKED: nothing is claimed; or the claim rests on an exhausted search, on routes some of
 *                      which can convert, or on lengths whose check would take too long
 * @param[out] proven  the bound that the witness proves
 * The steps from the witness to the bound are added to c->proof in words.
 */
rwa_status bound_claim_check(struct bound_claim *c, rwa_verdict *verdict, uint64_t *proven);
/** Tell in *of_routes whether the bound holds only for the routes of the file.  It does if the file says so, or if the
 *  witness is a link or a clique of routes, unless the network has no cycle and so no other routes. */
rwa_status bound_claim_of_routes(const struct bound_claim *c, bool *of_routes);

/* ---- lengths (certificate.c) ---- */

/**
 * Compute the bound that the lengths of a claim prove: how many wavelengths are necessary, or how many demands the
 * claimed wavelengths can serve at most.
 * Every lightpath takes at least the distance of its ends, by way of its node, times its slots (with backups: the
 * length of the two shortest paths without a common link).  A wavelength offers the length of every carrier once for
 * each of its fibres.  A demand without any path adds nothing.
 * With sets (undirected, without backups): a slot number that is not used by a lightpath with one end in a set leaves
 * a fibre of the odd cut dark, so the weight of the set is lost.  The weight is subtracted from the offer of every
 * wavelength, and added again for each slot of the lightpaths with one end in the set.  Over all wavelengths together,
 * the lightpaths take an even or an odd number of the fibres of a cut; if the number of all these fibres has the other
 * parity, the weight is lost at least once.
 * @param[out] value  rounded up; 0 when all lengths are 0, or a set is invalid.  For the most demands served, those
 *                    with the least lengths are counted first
 * @return RWA_OK; RWA_BADARG: a sum too large for 64 bits; RWA_CANCELLED; RWA_NOMEM.  Cost: a Dijkstra search for each
 *         node that demands leave; backups: a search of Bellman and Ford for each demand
 */
rwa_status certificate_of_lengths(uint64_t *value, struct bound_claim *c);
