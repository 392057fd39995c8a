/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Steps that the caller planned. */
#pragma once

#include "rwa/plan.h"

#include <stdbool.h>

/**
 * rwa_plan_transfers(), where the blocks that go from one node to another in a step, by one operation, share
 * lightpaths.
 * @param out     set when it succeeds
 * @param single  each block on a lightpath of its own; else as many as suit each step
 */
rwa_status plan_messages(rwa_schedule **out, const rwa_network *net, const rwa_collective *coll, const char *scheme,
                         const rwa_transfer *list, size_t count, bool single, const rwa_plan_options *opts,
                         rwa_error *err);
