/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What circuits and place share: circuits for a traffic matrix on the network the options name. */
#ifndef CLI_CIRCUITS_H
#define CLI_CIRCUITS_H

#include "print.h"

/* Circuits of switches or lightpaths of a ring, whichever the network has; the other is NULL. */
typedef struct circuits_answer {
    rwa_network *net;
    rwa_traffic *traffic;   /* among all nodes of the network */
    rwa_circuits *circuits;
    rwa_ring *ring;
} circuits_answer;

/* Build the network and the circuits.  0, or the exit code after one line on standard error. */
int circuits_make(circuits_answer *out, const rwa_traffic *traffic, options *o);
void circuits_drop(circuits_answer *a);

/* EXIT_NO when not every pair could be served, else EXIT_YES. */
int circuits_verdict(const circuits_answer *a);
json_t *circuits_json(const circuits_answer *a);
void circuits_text(FILE *to, const circuits_answer *a);

/* Print what --format asks for on standard output; with -o the JSON goes to the file and the text stays.  Takes the JSON. */
int report_print(const options *o, json_t *json, int code);

#endif
