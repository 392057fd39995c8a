/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Static assignment within a plan. */
#pragma once

#include "rwa/assign.h"

/** Assign like rwa_assignment_make(), but without a time limit and, for lightpaths of one slot, without branch and
 *  bound, so that the answer does not depend on the speed of the machine.  In the final series of tabu searches, each
 *  with twice the steps of the one before, none takes more than `work` (> 0) steps (struct improve).  Every field of
 *  the options must be set; their time limit is ignored. */
rwa_status assign_counted(rwa_assignment **out, const rwa_network *net, const rwa_demands *demands,
                          const rwa_assignment_options *opts, uint64_t work, rwa_error *err);
