/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Prices of the links of a line, and what they prove: link-capacity in docs/bounds.md. */
#pragma once

#include "bound/bound.h"
#include "lattice/line_spread.h"

struct dual_prices {
    struct line_spread spread;
    uint64_t channels;      /**< of a link and direction */
    uint64_t share;         /**< blocks of each owner, at least */
    uint32_t *owners;       /**< of each part of the line: so many of its nodes */
    size_t prices;          /**< steps times links */
    uint64_t *load;
    uint32_t *sides;        /**< which sides of owners to count */
    double ratio;           /**< what the spreads just solved cost, so many times what channels are worth */
    double *best, most;     /**< the prices (their sum is 1) at which spreads cost the most, and so many times what channels
                                 are worth */
};

/** Solve m->spread at these prices, in whole numbers.  @return whether the cheapest spreads cost more than all channels are
 *  worth: then so many steps are too few */
bool dual_prices_try(struct dual_prices *m, const double *price);

/** How full the spreads just solved, of the sides counted in m->sides, would make each link, into m->load. */
static inline double dual_prices_fill(const struct dual_prices *m, size_t link)
{
    return (double)m->share * (double)m->load[link] / (double)m->channels;
}

/**
 * Prices by a linear program that grows by the cheapest spread of each side at its last prices, mixed with the best so
 * far (smoothing: Wentges, International Transactions in Operational Research 4, 1997).
 * @param[out] proven  whether some prices proved that the steps are too few
 * @return RWA_OK, also when nothing is proven; RWA_NOMEM; RWA_BACKEND; RWA_CANCELLED
 */
rwa_status dual_prices_program(struct dual_prices *m, bool *proven, struct budget *budget, rwa_error *err);
