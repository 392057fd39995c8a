/* SPDX-License-Identifier: GPL-3.0-or-later */
/** An all-gather on a line in fewer steps than it has, gap by gap: for lines that are too long to negotiate whole sides. */
#pragma once

#include "delivery/line/greedy_pass.h"

/**
 * Replace the trees by ones of fewer steps (without channels) as long as such are found: a few seconds at most, in a number of rounds
 * that depends on the trees alone.
 * @param scratch  trees of as many nodes, overwritten
 * @return RWA_OK, also when the budget's time is up; RWA_NOMEM; RWA_CANCELLED
 */
rwa_status gap_repair(struct delivery_tree *trees, struct delivery_tree *scratch, const struct line_limits *limits,
                      struct budget *budget, rwa_error *err);
