/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Degree and saturation of demands: with how many other first routes a first route shares a link, and how many
 *  channels it has lost. */
#pragma once

#include "base/bins.h"
#include "solvers/candidates.h"

/** Which demands' first routes cross each link. */
struct crossings {
    const struct candidates *cand;
    struct bins demands;
    uint32_t *degree;   /* of each demand: the number of others whose first route shares a link with its own */
};

/** Starts as zeros; free it also after a failure.  Cost and limit: the sum of the squares of the links' loads. */
rwa_status crossings_create(struct crossings *c, const struct candidates *cand, rwa_error *err);
void crossings_free(struct crossings *c);
/** All demands by their degree, largest first; the caller frees the list. */
rwa_status crossings_order(uint32_t **order, const struct crossings *c, rwa_error *err);

/** How many channels each demand's first route has lost while a table fills. */
struct saturation {
    struct crossings crossings;
    uint32_t words;
    uint64_t *lost;     /* bit w of lost[d * words …]: channel w is taken on a link of the first route of d */
    uint32_t *count;
};

rwa_status saturation_create(struct saturation *s, const struct candidates *cand, uint32_t channels, rwa_error *err);
void saturation_free(struct saturation *s);
/** Return the demand to place next, among those not `done`: the one that has lost most channels, among equals the
 *  one of largest degree; UINT32_MAX: all are done.  O(demands). */
uint32_t saturation_next(const struct saturation *s, const bool *done);
/** Record that a demand was placed. */
void saturation_note(struct saturation *s, const struct placement *at, uint32_t demand);
