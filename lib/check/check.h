/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The checker for other modules.  Its reports are in the caller's memory; the public handle wraps them. */
#pragma once

#include "rwa/assign.h"

#include <stdarg.h>
#include <stdbool.h>

enum { LINK_TEXT_SIZE = 64 };

struct rwa_check {
    rwa_check_report report;
};

/** The places at the end of the list of named violations that only the first violation of a kind takes. */
enum { KEPT_FOR_OTHERS = 4 };

/** Tell whether the report has no space to name one more violation of this kind.  The last KEPT_FOR_OTHERS places are
 *  kept for kinds of which there is none yet. */
static inline bool report_is_full(const rwa_check_report *report, rwa_violation_kind kind)
{
    return report->named + (report->by_kind[kind] > 0 ? KEPT_FOR_OTHERS : 0) >= RWA_VIOLATIONS_NAMED;
}

/** Count violations without keeping their texts. */
void report_count(rwa_check_report *report, rwa_violation_kind kind, uint64_t count);
/** Count a violation and, if the report has space, name it.  Its text is violation.text with the formatted text behind
 *  it.  `line`: its line in the checked file; 0: none. */
void report_add(rwa_check_report *report, uint64_t line, rwa_violation violation, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/** Check a schedule, or an assignment, as the public functions rwa_check_schedule() and rwa_check_assignment() do.
 *  Unlike these, they do not clear err. */
rwa_status check_schedule(rwa_check_report *out, const rwa_schedule *sched, const rwa_check_options *opts,
                          rwa_error *err);
rwa_status check_assignment(rwa_check_report *out, const rwa_assignment *result, const rwa_check_options *opts,
                            rwa_error *err);
/** Check an assignment file as rwa_check_file() does, without clearing err. */
rwa_status check_assignment_file(rwa_check_report *out, const char *path, const rwa_check_options *opts,
                                 rwa_error *err);
