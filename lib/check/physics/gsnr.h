/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Signal to noise of the lightpaths of an assignment. */
#pragma once

#include "rwa/assign.h"

/**
 * Add to a report whether each lightpath names a format of the table that carries its rate in its slots, and
 * whether its GSNR among the lightpaths that share its fibres (for formats by reach: its length) suffices.
 * Lightpaths that are down carry no light.
 * @return RWA_OK for any verdict; RWA_NOMEM.  Cost O(sum over fibres of carriers²)
 */
rwa_status check_gsnr(rwa_check_report *report, const rwa_assignment *result, const rwa_transmission *transmission,
                      rwa_error *err);
/** Add one step of a schedule, whose first lightpath has number `index` there, to a report that has been begun. */
rwa_status check_step_gsnr(rwa_check_report *report, const rwa_assignment *result, const rwa_transmission *transmission,
                           uint32_t step, uint64_t index, rwa_error *err);
