/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Static assignment within a plan. */
#pragma once

#include "rwa/assign.h"

/**
 * rwa_assignment_make() for complete options, without their limit of time: its last searches go through so many steps
 * each, and no proof by search is sought, so that the answer is the same however busy the machine is.
 */
rwa_status assign_counted(rwa_assignment **out, const rwa_network *net, const rwa_demands *demands,
                          const rwa_assignment_options *opts, uint64_t work, rwa_error *err);
