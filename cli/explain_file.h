/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What `rwa explain` says of a file that holds an assignment, and what it and `rwa check` say of one that is wrong. */
#pragma once

#include "cli.h"

/* Report the violations by kind: "WRONG: plan.jsonl, 4 violations (3 of causality, 1 of power)". */
void say_kinds(const rwa_check_report *check, const char *file);
/* Report the named violations, and the rules that they break. */
void say_broken(const rwa_check_report *check, const char *file);
/* Check a schedule file that is no pipe.  If it is wrong, say which lines break which rules, and return EXIT_NO. */
int explain_wrong(const char *file);
/* Explain an assignment file: the task, the fullest link, what is not served and why, the bound with its proof, and
 * what is wrong.  Return the exit code. */
int explain_assignment(const char *file);
