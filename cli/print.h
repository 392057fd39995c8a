/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reports: text for people, one JSON object for programs. */
#pragma once

#include "option.h"

#include <jansson.h>

typedef enum report_format { AS_TEXT, AS_JSON, AS_CSV, AS_TABLE } report_format;
typedef struct output_choice { const char *file; report_format format; } output_choice;

extern const choice text_json[], text_json_csv[];
/* Of output_choice: --format text or json; text, json or csv. */
extern const option report_options[], table_options[];

/* Standard output, or standard error when standard output carries the file ("-"). */
FILE *report_stream(const output_choice *o);
/* Whether -o names a file rather than standard output. */
int names_file(const output_choice *o);
/* "Written ..." where -o names a file. */
void print_written(FILE *to, const output_choice *o);

/* "Integer programs ..." where --write-lp was given. */
void print_programs(FILE *to, const rwa_programs *programs);

/* "s", or nothing after 1. */
const char *plural(uint64_t count);

/* ---- JSON ---- */

/* A count, or null when it is RWA_NO_INDEX; a figure, or null when it is not finite. */
json_t *json_count(uint64_t value);
json_t *json_figure(double value);
/*
 * Add members to an object and return it; NULL, also for a NULL object: out of memory.
 * members: names with types, "steps:u why:s", and for each a value: u uint32_t, U uint64_t, z size_t, I int64_t, f double
 * (null unless finite), s string or NULL (null), b int, v rwa_verdict (true, false or null), o json_t *, taken over
 */
json_t *json_add(json_t *object, const char *members, ...);
/* An array of counts. */
json_t *json_counts(const uint64_t *list, size_t count);
/* What of the power check is left out: the reason of the network (NULL: none), and the fields that the profile lacks. */
json_t *json_unchecked(const rwa_device *device, const char *why);
/* The power member of plan, check and import; null without a device. */
json_t *json_power(const rwa_check_report *check, const rwa_device *device);
/* {"name": .., "steps": ..}, or null where no bound applies. */
json_t *json_bound(const rwa_bound *bound);
/* Print an object on one line and release it; NULL: out of memory.  Returns 0 or the exit code. */
int json_print(FILE *to, json_t *object);
/* Finish a report whose text is printed: the JSON goes to -o, else to standard output for --format json.  Takes the JSON. */
int report_finish(const output_choice *o, json_t *json, int code);

/* ---- text ---- */

/* "5 (Houston)", or "5" when the node has no name, or its number as its name; cut where it is long. */
const char *node_text(char *to, size_t size, const rwa_network *net, uint32_t node);
/* The same in a buffer that lives as long as the block. */
#define NODE_TEXT(net, node) node_text((char[256]){0}, 256, (net), (node))
/* A text in quotes, its own doubled: of CSV ("), of gnuplot ('). */
void print_quoted(FILE *to, const char *text, char quote);
/* A figure of CSV, nothing when it is not finite, and what separates it from the next. */
void print_figure(FILE *to, double value, char end);
/* "71.6 ms"; "-" when it is not finite. */
const char *time_text(char *to, size_t size, double seconds);
/* The same in a buffer that lives as long as the block. */
#define TIME_TEXT(seconds) time_text((char[32]){0}, 32, (seconds))
/* "6 MB", in powers of 1000. */
const char *size_text(char *to, size_t size, double bytes);
#define SIZE_TEXT(bytes) size_text((char[32]){0}, 32, (bytes))
/* "1 fibre", or "1 to 3 fibres" where links have different numbers of them */
void print_fibers(FILE *to, const rwa_network *net);
/* "all-gather on ring:16: 2 wavelengths x 1 fibre each way, 40 Gbit/s" */
void print_setting(FILE *to, const char *name, const rwa_network *net, const rwa_collective *coll);
/* The number of lightpaths and the hops of the longest. */
void print_lightpaths(FILE *to, uint64_t count, uint32_t longest);
/* Star, ron and ocs: retunings and their cost in steps. */
void print_tunings(FILE *to, const rwa_check_report *check);
/* The fields that the profile lacks, on a line that begins so; nothing if it lacks none. */
void print_lacking(FILE *to, const rwa_device *device, const char *begin);
void print_power(FILE *to, const rwa_check_report *check, const rwa_device *device);
/* The violations that are named, with FILE:LINE where the record is known; those of one kind and line once, with their number. */
void print_violations(FILE *to, const rwa_check_report *check, const char *file);
/* "ok", or the first violation. */
const char *check_text(const rwa_check_report *check);

/* "Without ..." when only some nodes take part, channels are reserved or links failed; else nothing. */
void print_missing(FILE *to, const rwa_network *net, const rwa_collective *coll);
/* The same as members of an object: members, reserved and failed, each where it is not 0; returns the object. */
json_t *json_missing(json_t *object, const rwa_network *net, const rwa_collective *coll);
