/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Cuts of a ring or line: all that leaves an interval of nodes takes the links at its ends. */
#pragma once

#include "base/base.h"

/** An interval of nodes first … last, and the amount out of it; inward: into it. */
struct ring_cut {
    double amount;
    uint32_t first, last;
    bool inward;
};

/**
 * Set *best to the interval of consecutive nodes that sends most to, or receives most from, the nodes outside it; to
 * zeros if there is no traffic.  O(nodes^2).
 * @param amount  amount[src * nodes + dst] is what node src sends to node dst, in any unit
 * @param line    consider only intervals that begin at node 0
 * @param both    the two directions share the links, so add what the interval sends and what it receives
 */
rwa_status ring_cut_find(struct ring_cut *best, const double *amount, size_t nodes, bool line, bool both,
                         rwa_error *err);
