/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The options of planning, which plan, explain, compare and sweep share. */
#pragma once

#include "target.h"

typedef struct planning {
    rwa_plan_options opts;
    count_list radix;
} planning;

extern const option planning_options[],     /* of planning: radix ... load-factor, objective, order */
    search_options[],                       /* of rwa_plan_options: solver, time-limit, seed */
    hops_options[],                         /* of rwa_plan_options: max-hops, max-drops */
    scheme_options[];                       /* of rwa_plan_options: scheme */

/* The groups of a command with members `planning` and, for the device, D. */
#define PLANNING_GROUPS(S, D) {planning_options, offsetof(S, planning), planning_init}, \
    {hops_options, offsetof(S, planning.opts), NULL}, {search_options, offsetof(S, planning.opts), NULL}, \
    {device_options, offsetof(S, D), NULL}, {power_options, offsetof(S, D), NULL}, \
    {cost_model_options, offsetof(S, planning.opts.cost), NULL}, {cost_options, offsetof(S, planning.opts.cost), NULL}

/* A scheme, or auto, by its present or its former name. */
option_reader read_scheme;

void planning_init(void *p);
/* Complete the options once all are read; t: NULL, or the members and the device. */
void planning_ready(planning *p, const target *t, common *c);
