/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Static assignment within a plan. */
#pragma once

#include "rwa/assign.h"

/** Assign like rwa_assignment_make(), so that the answer does not depend on the speed of the machine: a number of
 *  steps, `work`, ends each of the last searches, not the time limit, and no proof by search is tried.  Every field of
 *  the options must be set. */
rwa_status assign_counted(rwa_assignment **out, const rwa_network *net, const rwa_demands *demands,
                          const rwa_assignment_options *opts, uint64_t work, rwa_error *err);
