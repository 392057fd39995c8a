/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The report of a plan, for plan and explain. */
#pragma once

#include "planning.h"
#include "print.h"

/* A repaired schedule: its file, and the failure. */
typedef struct repair_choice {
    const char *file;           /* NULL: no repair */
    uint32_t at_step;
    uint32_t steps_before;      /* of the schedule in the file */
} repair_choice;

/* All that a report needs to know beside the plan. */
typedef struct plan_setting {
    const char *network;
    const rwa_network *net;
    const rwa_collective *coll;
    const rwa_plan_options *opts;
    const repair_choice *repair;
    const char *failed;         /* with a repair: its links */
    output_choice output;
    common *common;
} plan_setting;

/* Write the schedule to -o, then print the report: the file first, so that a report never names a file that does not
 * exist.  Returns the exit code. */
int plan_answer(const rwa_plan *plan, const plan_setting *s);
void print_no_plan(FILE *to, const rwa_plan_report *s);
/* The lower bound, when planning was stopped.  0 or the exit code. */
int stopped_answer(const plan_setting *s);
