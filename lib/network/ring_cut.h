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
 * Find the interval that most must leave or enter; all zeros if there is no traffic.  O(nodes^2).
 * @param amount  [src * nodes + dst]
 * @param line    only intervals from node 0 on
 * @param both    both ways take the same links, so count the amount out of an interval and into it together
 */
rwa_status ring_cut_find(struct ring_cut *best, const double *amount, size_t nodes, bool line, bool both,
                         rwa_error *err);
