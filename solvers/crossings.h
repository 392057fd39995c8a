/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Which demands' first routes share links.  The degree of a demand is the number of others with which it shares
 *  one. */
#pragma once

#include "base/bins.h"
#include "solvers/candidates.h"

/** Which demands' first routes cross each link. */
struct crossings {
    const struct candidates *cand;
    struct bins demands;
    uint32_t *degree;   /* of each demand: the number of others whose first route shares a link with its own */
};

/** List in *c the demands whose first routes cross each link, and count for each demand the others that share a link
 *  with it.  *c starts as zeros; free it also after a failure.  RWA_BADARG: too many pairs of routes share links;
 *  RWA_NOMEM. Cost: the sum of the squares of the links' loads. */
rwa_status crossings_create(struct crossings *c, const struct candidates *cand, rwa_error *err);
void crossings_free(struct crossings *c);
/** List all demands by degree, the number of others whose first routes share a link with theirs, largest first.  The
 *  caller frees the list. */
rwa_status crossings_order(uint32_t **order, const struct crossings *c, rwa_error *err);
