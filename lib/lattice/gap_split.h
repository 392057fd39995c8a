/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Gaps between two holders of a block on a line: which nodes in them to inform first. */
#pragma once

#include "base/base.h"

/** How much more links cost upwards than downwards: bias EVEN the same, 0 a third, GAP_BIASES - 1 three times as much. */
enum { GAP_BIASES = 9, GAP_EVEN = 4 };

/** How many links of a gap may be crossed at what cost: counts of integer points, see wavefront.h and docs/bounds.md. */
struct gap_counts {
    uint32_t *most;         /* most[v]: points of cost v at most */
    uint32_t top;           /* from here on most[] does not rise, or is beyond every gap */
};

struct gap_table {
    uint32_t steps, drops;
    struct gap_counts *counts;      /* counts[bias * (steps + 1) + t]: of points of t coordinates */
};

/** For gaps of fewer than `nodes` links, up to `steps` steps and lightpaths that up to `drops` nodes read.  Cost O(biases (nodes +
 *  steps)) or little more; RWA_NOMEM.  gap_table_free() in any case. */
rwa_status gap_table_create(struct gap_table *out, uint32_t nodes, uint32_t steps, uint32_t drops, rwa_error *err);
void gap_table_free(struct gap_table *table);

/** The nodes informed in one step, counted from the lower end by hops up, from the upper end by hops down; nearest first. */
struct gap_split {
    uint32_t *up, *down;    /* space for as many entries as the gap has links, each */
    size_t ups, downs;
};

/**
 * First step of the cheapest way to fill a gap of `links` links in `left` steps.
 * @param carry  fraction of 1/65536 from which parts that are not whole are rounded: different ones even out the load
 */
void gap_split(struct gap_split *out, const struct gap_table *table, uint32_t links, uint32_t left, unsigned bias, uint32_t carry);
