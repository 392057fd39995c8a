/* SPDX-License-Identifier: GPL-3.0-or-later */
/** All-gather on a line, or on a ring that lost clockwise links: every block runs to both ends and fills the gaps behind its fronts. */
#pragma once

#include "delivery/line/greedy_pass.h"

/** Schedule of a line.  With taps, the farthest of `drops` deliveries of a sender, step and direction ends the lightpath. */
struct line_schedule {
    struct delivery_tree trees;     /* [block][position] as in greedy_pass.h, with channels */
    struct bins steps;              /* the deliveries of each step, by block and position */
};

/** A lower bound on the steps: an end, or a node behind a failed link, has one link in, a node so many ports, and on a line a block
 *  travels max_hops a step. */
uint32_t line_fewest_steps(const struct line_limits *limits);

/**
 * The schedule of fewest steps that was found, in a number of passes that depends on `nodes` alone, with taps where they save steps.
 * Each costs about N² log N + deliveries; 44 N² bytes of memory, with taps three times as much.
 * @return RWA_OK, also when the budget's time is up (but one pass is always made); RWA_NOMEM; RWA_CANCELLED.
 *         line_schedule_free() in any case
 */
rwa_status line_schedule_find(struct line_schedule *out, const struct line_limits *limits, struct budget *budget, rwa_error *err);
void line_schedule_free(struct line_schedule *schedule);

/** The nodes that tap the lightpath ending at entry i of a step's list, nearest to the sender first; how many.  `taps` has drops - 1
 *  entries. */
uint32_t line_schedule_taps(uint32_t *taps, const struct line_schedule *s, size_t i);
