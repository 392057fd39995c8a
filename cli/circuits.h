/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Circuits for a traffic matrix, used by the commands circuits and place. */
#pragma once

#include "print.h"

extern const option circuits_options[];     /* without --network */

/* The circuits of switches, or the lightpaths of a ring, depending on the network; the other pointer is NULL. */
extern rwa_circuits *circuits;
extern rwa_allocation *ring;

/* Build the network, and plan the circuits for the traffic.  The plan is kept for the functions below.  Return 0, or
 * the exit code after an error message of one line. */
int circuits_make(const rwa_traffic *traffic);

/* Return EXIT_YES if every flow is served, else EXIT_NO. */
int circuits_verdict(void);
json_t *circuits_json(void);
void say_circuits(void);
/* Print the circuits or lightpaths as CSV, and return 0 or the exit code. */
int print_circuits(void);

/* Print the answer in the format of --format, by text(), json() or csv().  If -o names a file, write the report there
 * as JSON; an answer in JSON is then not printed.  Return `verdict`, or another exit code after an error message of one
 * line. */
int report_answer(int (*csv)(void), void (*text)(void), json_t *(*json)(void), int verdict);
