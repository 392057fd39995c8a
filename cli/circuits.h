/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Circuits for a traffic matrix, which circuits and place share. */
#pragma once

#include "print.h"

extern const option circuits_options[];     /* without --network */

/* Circuits of switches, or lightpaths of a ring, depending on the network; the other is NULL. */
extern rwa_circuits *circuits;
extern rwa_allocation *ring;

/* Build the network and the circuits.  0, or the exit code after one line; circuits_free() in any case. */
int circuits_make(const rwa_traffic *traffic);
void circuits_free(void);

/* EXIT_NO when not every pair could be served, else EXIT_YES. */
int circuits_verdict(void);
json_t *circuits_json(void);
void say_circuits(void);
/* The circuits or lightpaths as CSV. */
int print_circuits(void);

/* Answer in the format that was chosen; -o gets the JSON report in any case.  Returns the exit code, verdict unless
 * something failed. */
int report_answer(int (*csv)(void), void (*text)(void), json_t *(*json)(void), int verdict);
