/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Checks whose report is copied into the test's memory; all 0 when the check could not be made. */
#pragma once

#include "rwa.h"

static inline rwa_status report_copy(rwa_check_report *out, rwa_check *check, rwa_status st)
{
    const rwa_check_report *found = rwa_check_summary(check);
    *out = found ? *found : (rwa_check_report){0};
    rwa_check_free(check);
    return st;
}

#define REPORT(kind, input)                                                                                     \
    static inline rwa_status report_##kind(rwa_check_report *out, input, const rwa_check_options *opts,          \
                                           rwa_error *err)                                                       \
    {                                                                                                            \
        rwa_check *check = NULL;                                                                                 \
        rwa_status st = rwa_check_##kind(&check, checked, opts, err);                                            \
        return report_copy(out, check, st);                                                                      \
    }
REPORT(schedule, const rwa_schedule *checked)
REPORT(file, const char *checked)
REPORT(assignment, const rwa_assignment *checked)
