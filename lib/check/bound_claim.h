/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The bound that an assignment claims: gather its evidence while lightpaths pass, then check its witness. */
#pragma once

#include "check/certificate.h"

struct bound_claim {
    rwa_certificate claimed;       /* borrowed; its name is NULL when nothing is claimed */
    const rwa_odd_set *sets;    /* of a claim by odd cuts, borrowed */
    size_t set_count;
    const rwa_network *net;
    rwa_model model;
    uint64_t demands;
    bool backups, converts;     /* every demand needs a backup; some node has a converter */
    struct budget *budget;
    struct ends *ends;          /* of each demand, for lengths and theorems */
    uint32_t carriers;
    uint64_t crossing;          /* LINK: slots of the routes over it */
    uint64_t members;           /* CLIQUE: routes of the witness seen so far, and their slots */
    uint64_t member_slots;
    uint64_t *crossed;          /* the carriers of each, words_of(carriers) each */
    rwa_error *err;
};

/** net … budget and err are set by the caller. */
rwa_status bound_claim_open(struct bound_claim *c);
void bound_claim_close(struct bound_claim *c);

/** Take the ends of a demand, of whose lines the narrowest counts, and its route, which takes so many slots of each link. */
void bound_claim_take_demand(struct bound_claim *c, uint64_t demand, const struct ends *ends);
void bound_claim_take_route(struct bound_claim *c, uint64_t record, const uint32_t *links, uint32_t hops, uint32_t slots);

/**
 * @param[out] verdict  UNCHECKED: nothing is claimed, or it rests on an exhausted search, or on routes of which some can
 *                      convert, or on lengths whose check would take too long
 * @param[out] proven   by the witness
 */
rwa_status bound_claim_check(struct bound_claim *c, rwa_verdict *verdict, uint64_t *proven);
/**
 * Whether the bound holds for the routes of the file only.  It does when the file says so, and when the witness is a link or a clique
 * of routes, unless the network has no cycle and so no other routes.
 */
rwa_status bound_claim_of_routes(const struct bound_claim *c, bool *of_routes);
