/* SPDX-License-Identifier: GPL-3.0-or-later */
/** An all-gather on a line in fewer steps than it has, gap by gap: for lines that are too long to reroute whole sides. */
#ifndef SCHEME_LINE_MEND_H
#define SCHEME_LINE_MEND_H

#include "delivery/line_schedule.h"

/**
 * Replace the schedule by ones of fewer steps (their channels not yet assigned) as long as such are found: a few seconds
 * at most, in a number of rounds that depends on the schedule alone.  12 N² bytes of memory.
 * @return RWA_OK, also when the budget's time is up; RWA_NOMEM; RWA_CANCELLED
 */
rwa_status gap_repair(struct line_schedule *front, const struct line_limits *limits, struct budget *budget, rwa_error *err);

#endif
