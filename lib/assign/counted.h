/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Static assignment within a plan. */
#pragma once

#include "rwa/assign.h"

/**
 * As rwa_assignment_make() with complete options, but a number of steps, not the time limit, ends each of the last
 * searches, and no proof by search is tried.  So the answer does not depend on how busy the machine is.
 */
rwa_status assign_counted(rwa_assignment **out, const rwa_network *net, const rwa_demands *demands,
                          const rwa_assignment_options *opts, uint64_t work, rwa_error *err);
