/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Steps planned by the caller. */
#pragma once

#include "rwa/plan.h"

#include <stdbool.h>

/** Make a schedule of given transfers, as rwa_plan_transfers() does.  Unless `single`, blocks that go from one node to
 * another in a step by the same operation share lightpaths.
 * @param out     set on success
 * @param scheme  the name of the scheme in the schedule
 * @param single  each block has a lightpath of its own; false: the number of blocks per lightpath is chosen for each
 *                step */
rwa_status plan_messages(rwa_schedule **out, const rwa_network *net, const rwa_collective *coll, const char *scheme,
                         const rwa_transfer *list, size_t count, bool single, const rwa_plan_options *opts,
                         rwa_error *err);
