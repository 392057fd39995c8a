/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The report of a plan, for the commands plan and explain. */
#pragma once

#include "print.h"

/* A schedule to be repaired: its file, and the failure. */
typedef struct repair_choice {
    const char *file;           /* NULL: no repair */
    uint32_t at_step;
    uint32_t steps_before;      /* of the schedule in the file */
} repair_choice;

/* Write the schedule to -o, then report the plan, so that a report never names a file that does not exist.  repair:
 * what the repair did, zeros if the plan is no repair.  Return EXIT_YES if the plan passes the check; else another exit
 * code. */
int plan_answer(const rwa_plan *plan, const rwa_network *net, const repair_choice *repair);
/* Print the head of the report of a plan, the text `walk` (by rwa_plan_explain()), and the plan's bounds with their
 * proofs. */
void explain_plan(const rwa_plan *plan, const char *walk);
/* Report the time and steps of a plan with their bounds, its lightpaths and its power. */
void say_bounds_of(const rwa_plan *plan);
void say_no_plan(const rwa_plan_report *s);
/* Report ": " and what a scheme does, nothing if the scheme is not in the table, and end the line. */
void say_summary(const char *scheme);
/* Write a schedule to the file of -o; do nothing without -o or if the check found violations.  Return 0, or the exit
 * code after an error message of one line. */
int write_schedule(const rwa_schedule *sched, const rwa_check_report *check);
/* Open what the options describe (target_open()), and set *plan to the plan for it.  If a signal stops the planning,
 * report the lower bound.  Return 0, or the exit code after a message of one line. */
int make_plan(rwa_plan **plan);
