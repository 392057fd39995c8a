/* SPDX-License-Identifier: GPL-3.0-or-later */
/** All-gather on a line, or on a ring that lost clockwise links: every block runs to both ends and fills the gaps
 * behind its fronts. */
#pragma once

#include "delivery/delivery_tree.h"
#include "delivery/schedule_sink.h"
#include "lattice/lattice_points.h"

/** A lower bound on the steps: an end, or a cut position, has one link in, a node so many ports, and on a line a block
 *  travels max_hops a step. */
uint32_t line_fewest_steps(const struct spread_limits *limits);

/**
 * The schedule of fewest steps that was found, of a few greedy passes.
 * @param[out] out  [block][place], with channels; delivery_tree_free() in any case
 * @return RWA_OK, also when the budget's time is up (but one pass is always made); RWA_NOMEM; RWA_CANCELLED
 */
rwa_status line_schedule_find(struct delivery_tree *out, const struct spread_limits *limits, struct budget *budget,
                              rwa_error *err);

/** Push it as a stage for each step.
 *  @param node    of each position; block b is that of node[b]
 *  @param rising  the direction of rising lightpaths on the network */
rwa_status push_line_schedule(struct schedule_sink *sink, const struct delivery_tree *trees,
                              const struct spread_limits *limits, const uint32_t *node, rwa_direction rising,
                              uint32_t wavelengths);
