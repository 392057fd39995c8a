/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How answers look: text for people, one JSON object for programs. */
#ifndef CLI_PRINT_H
#define CLI_PRINT_H

#include "options.h"

#include <jansson.h>
#include <stdio.h>

/* A count, or null when it is RWA_NO_INDEX; a figure, or null when it is not finite. */
json_t *json_count(uint64_t value);
json_t *json_figure(double value);
/* The power member of plan and check; null without a device. */
json_t *json_power(const rwa_check *check, const rwa_device *device);
/* Print an object on one line and release it; NULL: out of memory.  Returns 0 or the exit code. */
int json_print(FILE *to, json_t *object);

/* "40 Gbit/s" */
void rate_text(char *to, size_t size, double bps);
/* "71.6 ms"; "-" when it is not finite. */
void time_text(char *to, size_t size, double seconds);
void print_time(FILE *to, double seconds);
void print_power(FILE *to, const rwa_check *check, const rwa_device *device);
void print_violations(FILE *to, const rwa_check *check);

/* "Without ..." when only some nodes take part, channels are reserved or links failed; else nothing. */
void print_missing(FILE *to, const rwa_network *net, const rwa_collective *coll);
/* The same as members of an object: members, reserved and failed, counts, each where there is something to count. */
void json_missing(json_t *object, const rwa_network *net, const rwa_collective *coll);

/* What is known of a setting whose planning was stopped: its lower bound.  0 or the exit code. */
int stopped_answer(const options *o, const rwa_network *net, const rwa_collective *coll);

#endif
