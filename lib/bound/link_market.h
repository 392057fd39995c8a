/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Prices of the links of a line, and what they prove: link-capacity in docs/bounds.md. */
#ifndef BOUND_LINK_MARKET_H
#define BOUND_LINK_MARKET_H

#include "bound/bound.h"
#include "lattice/line_spread.h"

struct link_market {
    struct line_spread spread;
    uint64_t channels;      /**< of a link and direction */
    uint64_t share;         /**< blocks of each owner, at least */
    size_t prices;          /**< steps times links */
    uint64_t *load;
    uint32_t *sides;        /**< which sides of owners to count */
    double *best, most;     /**< the prices (their sum is 1) at which spreads cost the most, and so many times what channels
                                 are worth */
};

/** RWA_NOMEM; close it in any case. */
rwa_status link_market_open(struct link_market *m, uint32_t steps, const struct bound_case *c, rwa_error *err);
void link_market_close(struct link_market *m);

/** Solve m->spread at these prices, in whole numbers.  @return whether the cheapest spreads cost more than all channels are
 *  worth: then so many steps are too few */
bool link_market_try(struct link_market *m, const double *price);

/** How full the spreads just solved, of the sides counted in m->sides, would make each link, into m->load. */
static inline double link_market_fill(const struct link_market *m, size_t link)
{
    return (double)m->share * (double)m->load[link] / (double)m->channels;
}

/**
 * Prices by a linear program that grows by the cheapest spread of each side at its last prices, mixed with the best so
 * far (smoothing: Wentges, International Transactions in Operational Research 4, 1997).
 * @param[out] proven  whether some prices proved that the steps are too few
 * @return RWA_OK, also when nothing is proven; RWA_NOMEM; RWA_BACKEND; RWA_CANCELLED
 */
rwa_status link_market_program(struct link_market *m, bool *proven, struct budget *budget, rwa_error *err);

#endif
