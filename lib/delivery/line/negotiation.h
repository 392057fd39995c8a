/* SPDX-License-Identifier: GPL-3.0-or-later */
/** An all-gather on a line in fewer steps than it has: negotiated congestion (delivery/congestion.h). */
#pragma once

#include "delivery/line/line_limits.h"

/**
 * Replace the trees by ones of fewer steps (without channels) as long as such are found: a few seconds at most, in a number of rounds
 * that depends on the trees alone.  Ports are not looked at.
 * @return RWA_OK, also when the budget's time is up; RWA_NOMEM; RWA_CANCELLED
 */
rwa_status negotiate(struct delivery_tree *trees, const struct line_limits *limits, struct budget *budget, rwa_error *err);
