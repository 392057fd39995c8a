/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Static assignment within a plan. */
#pragma once

#include "rwa/assign.h"

/**
 * rwa_assignment_make() for complete options, but instead of their time limit, a number of steps ends each of its last
 * searches, and it tries no proof by search: the answer does not depend on how busy the machine is.
 */
rwa_status assign_counted(rwa_assignment **out, const rwa_network *net, const rwa_demands *demands,
                          const rwa_assignment_options *opts, uint64_t work, rwa_error *err);
