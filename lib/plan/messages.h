/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Routes and wavelengths for transfers that are given, several blocks on a lightpath. */
#pragma once

#include "rwa/plan.h"

/**
 * rwa_plan_transfers(), where the blocks that go from one node to another in a step, by one operation, share lightpaths.
 * @param out   set when it succeeds
 * @param most  blocks of a lightpath, more of them take several lightpaths, as even as can be; 0: chosen for each step, so that it takes
 *              the fewest block times, and then the fewest parts
 */
rwa_status plan_messages(rwa_schedule **out, const rwa_network *net, const rwa_collective *coll, const char *scheme,
                         const rwa_transfer *list, size_t count, uint32_t most, const rwa_plan_options *opts, rwa_error *err);

/** The most blocks that go from one node to another in a step.  O(count log count); 1 also where memory is out. */
uint32_t plan_most_blocks(const rwa_transfer *list, size_t count);
