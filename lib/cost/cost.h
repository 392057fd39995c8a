/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef COST_COST_H
#define COST_COST_H

#include "rwa/cost.h"

/** How many steps set the micro-rings: the first, and each with a lightpath that was absent in the step before (same
 *  nodes, route, channel and taps). */
rwa_status cost_settings(uint64_t *settings, const rwa_schedule *sched, rwa_error *err);

#endif
