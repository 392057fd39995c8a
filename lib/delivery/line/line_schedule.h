/* SPDX-License-Identifier: GPL-3.0-or-later */
/** All-gather on a line, or on a ring that lost clockwise links: every block travels to both ends, and fills the gaps
 * that its fronts leave behind. */
#pragma once

#include "delivery/delivery_tree.h"
#include "delivery/schedule_sink.h"
#include "lattice/lattice_points.h"

/** Return a lower bound on the steps of an all-gather, from three facts.  An end, or a cut position, receives all
 * blocks over one link.  A node has a limited number of ports.  On a line a block travels at most max_hops links in a
 * step. */
uint32_t line_fewest_steps(const struct spread_limits *limits);

/** Find a schedule of few steps: the best of several greedy passes.
 * @param[out] out [block][place] (line_position.h), with channels; delivery_tree_free() in any case
 * @return RWA_OK, also when the budget ends between two passes; RWA_NOMEM; RWA_CANCELLED: stopped within a pass */
rwa_status line_schedule_find(struct delivery_tree *out, const struct spread_limits *limits, struct budget *budget,
                              rwa_error *err);

/** Push a line schedule into the sink, one stage for each step.
 * @param node the node at each position; block b belongs to node[b]
 * @param rising the direction of rising lightpaths on the network */
rwa_status push_line_schedule(struct schedule_sink *sink, const struct delivery_tree *trees,
                              const struct spread_limits *limits, const uint32_t *node, rwa_direction rising);
