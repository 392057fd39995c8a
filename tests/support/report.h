/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Checks whose report is copied into the test's memory; all 0 when the check could not be made. */
#pragma once

#include "rwa.h"

#include <string.h>

static inline rwa_status report_copy(rwa_check_report *out, rwa_check *check, rwa_status st)
{
    const rwa_check_report *found = rwa_check_summary(check);
    if (found)
        memcpy(out, found, sizeof *out);
    else
        memset(out, 0, sizeof *out);
    rwa_check_free(check);
    return st;
}

static inline rwa_status report_schedule(rwa_check_report *out, const rwa_schedule *sched,
                                         const rwa_check_options *opts, rwa_error *err)
{
    rwa_check *check = NULL;
    rwa_status st = rwa_check_schedule(&check, sched, opts, err);
    return report_copy(out, check, st);
}

static inline rwa_status report_file(rwa_check_report *out, const char *path, const rwa_check_options *opts,
                                     rwa_error *err)
{
    rwa_check *check = NULL;
    rwa_status st = rwa_check_file(&check, path, opts, err);
    return report_copy(out, check, st);
}

static inline rwa_status report_assignment(rwa_check_report *out, const rwa_assignment *result,
                                           const rwa_check_options *opts, rwa_error *err)
{
    rwa_check *check = NULL;
    rwa_status st = rwa_check_assignment(&check, result, opts, err);
    return report_copy(out, check, st);
}
