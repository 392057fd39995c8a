/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The bound that an assignment claims: what is gathered while its lightpaths pass, and what its witness proves in the end. */
#ifndef CHECK_CLAIM_H
#define CHECK_CLAIM_H

#include "check/certificate.h"

struct claim {
    rwa_certificate said;       /* borrowed; its name is NULL when nothing is claimed */
    const rwa_network *net;
    rwa_model model;
    uint64_t demands;
    bool twice, converts;       /* backups are owed; some node has a converter */
    struct budget *budget;
    struct ends *ends;          /* of each demand, for lengths and theorems */
    uint32_t carriers;
    uint32_t crossing;          /* LINK: routes over it */
    uint64_t members;           /* CLIQUE: routes of the witness seen so far */
    uint64_t *crossed;          /* the carriers of each, words_of(carriers) each */
    rwa_error *err;
};

/** net … budget and err are set by the caller. */
rwa_status claim_open(struct claim *c);
void claim_close(struct claim *c);

/** What a line says of a demand, and of the route it has. */
void claim_take_demand(struct claim *c, uint64_t demand, const struct ends *ends);
void claim_take_route(struct claim *c, uint64_t record, const uint32_t *links, uint32_t hops);

/**
 * @param[out] verdict  UNCHECKED: nothing is claimed, or it rests on an exhausted search, or on routes of which some can
 *                      convert, or on lengths that would take too long to go through
 * @param[out] proven   by the witness
 */
rwa_status claim_judge(struct claim *c, rwa_verdict *verdict, uint64_t *proven);

#endif
