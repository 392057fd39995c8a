/* SPDX-License-Identifier: GPL-3.0-or-later */
/** How long the spread of a block over listed links is at least, by prices of its receivers: docs/bounds.md, "growth". */
#pragma once

#include "bound/bound.h"

struct spread_prices;

/** In more steps spreads are hardly longer than their nodes are many. */
enum { PRICED_STEPS = 5 };

/**
 * Borrows the case, which has a graph, and err.  The first length that is not known yet costs tables of distances,
 * O(nodes * (nodes + links)).
 * @param[out] out  NULL where the network is too large, or some node is out of reach; spread_prices_close() in any case
 * @return RWA_OK; RWA_NOMEM
 */
rwa_status spread_prices_open(struct spread_prices **out, const struct bound_case *c, rwa_error *err);
/** RWA_NOMEM: there was no memory for the tables, and lengths are 0. */
rwa_status spread_prices_status(const struct spread_prices *p);
void spread_prices_close(struct spread_prices *p);

/**
 * The least link-channels of a spread in 2 … PRICED_STEPS steps, the mean over all blocks; of an all-reduce with its way back.
 * @param wanted    the search ends soon where the length is far below; 0: it does not
 */
double spread_prices_length(struct spread_prices *p, uint64_t steps, double wanted);

/** The same; and where it does not exceed `wanted`, the same with the link-channels of each step at a price, 1 on the average: T steps of
 *  `wanted` / T link-channels each are worth `wanted` at these, too. */
double spread_prices_of_steps(struct spread_prices *p, uint64_t steps, double wanted);

/** As growth_share(), of a broadcast. */
double spread_prices_share(struct spread_prices *p, uint64_t steps);
