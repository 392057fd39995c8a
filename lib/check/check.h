/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The checker for other modules: reports are in the caller's memory; the public handle wraps them. */
#pragma once

#include "rwa/assign.h"

#include <stdarg.h>

struct rwa_check {
    rwa_check_report report;
};

/** Count a violation, and name it while there is space; violation.text is the prefix of its text. */
void report_add(rwa_check_report *report, uint64_t line, rwa_violation violation, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/** As the public functions of these names, but err is not cleared. */
rwa_status check_schedule(rwa_check_report *out, const rwa_schedule *sched, const rwa_check_options *opts,
                          rwa_error *err);
rwa_status check_assignment(rwa_check_report *out, const rwa_assignment *result, const rwa_check_options *opts,
                            rwa_error *err);
/** As rwa_check_file(), for an assignment file. */
rwa_status check_assignment_file(rwa_check_report *out, const char *path, const rwa_check_options *opts,
                                 rwa_error *err);
