/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Circuits for a traffic matrix, which circuits and place share. */
#pragma once

#include "print.h"
#include "target.h"

typedef enum circuits_method { METHOD_AUTO, METHOD_EXACT, METHOD_FLOW, METHOD_ILP } circuits_method;

typedef struct circuits_choice {
    network_choice network;
    circuits_method method;
    uint32_t episodes;          /* 0: chosen */
    double duty, time_limit_s, reconfig_s;
    int one_way;
    rwa_programs *programs;     /* NULL: integer programs are not written */
} circuits_choice;

extern const option circuits_options[];     /* of circuits_choice, without --network */
void circuits_init(void *chosen);

/* Circuits of switches or lightpaths of a ring, whichever the network has; the other is NULL. */
typedef struct circuits_answer {
    rwa_network *net;
    rwa_traffic *traffic;   /* among all nodes of the network */
    rwa_circuits *circuits;
    rwa_ring *ring;
} circuits_answer;

/* Build the network and the circuits.  0, or the exit code after one line; circuits_free() in any case. */
int circuits_make(circuits_answer *out, const rwa_traffic *traffic, const circuits_choice *chosen, common *c);
void circuits_free(circuits_answer *a);

/* EXIT_NO when not every pair could be served, else EXIT_YES. */
int circuits_verdict(const circuits_answer *a);
json_t *circuits_json(const circuits_answer *a);
void print_circuits(FILE *to, const circuits_answer *a);
void print_circuits_csv(const circuits_answer *a);
