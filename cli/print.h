/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reports: text for people, one JSON object for programs, CSV. */
#pragma once

#include "target.h"

#include <jansson.h>

/* Where the answer goes, and in which form. */
enum { AS_TEXT, AS_JSON, AS_CSV, AS_TABLE };
extern struct output { const char *file; int format; } output;

/* --format text or json; text, json or csv; -o of a schedule, of a JSON report. */
extern const option report_options[], table_options[], schedule_file_options[], report_file_options[];

/* Return the stream for the report: standard output, or standard error if standard output carries the file ("-"). */
FILE *report_stream(void);
/* Tell whether -o names a file other than standard output. */
int names_file(void);
/* Tell whether the name of a file has this ending, in upper or lower case, after at least one character. */
int ends_with(const char *name, const char *end);
/* If -o names a file, report that it is written: "Written ...". */
void say_written(void);
/* If --write-lp was given, report the integer programs written: "Integer programs ...". */
void say_programs(void);

/* The functions below that return text return a phrase() or a constant. */

/* Return a count with its noun in singular or plural, as in "5 steps". */
const char *counted(uint64_t count, const char *noun);

/* Return a count as "13 wavelengths" or, with `slots`, as "13 slots" of a flexible grid. */
const char *channels_text(uint64_t count, int slots);

/* Return the number of links that lightpaths of a model use: fibre pairs, or directed links. */
uint32_t model_links(const rwa_network *net, rwa_model model);

/* Return a count as text for a table; "-" for 0, which stands for unknown. */
const char *cell_text(uint64_t value);

/* ---- JSON ---- */

/* Return a count as JSON, or null if it is RWA_NO_INDEX. */
json_t *json_count(uint64_t value);
/*
 * Add members to a JSON object and return it; NULL if `object` is NULL or memory runs out.
 * members: names with a letter for the type, such as "steps:u why:s"; a value for each follows.  u uint32_t,
 * U uint64_t, z size_t, I int64_t; p and P as u and U, but null if 0; f double, null unless finite; F as f, but null
 * unless positive; s string, null if NULL; b int; v rwa_verdict: true, false or null; o json_t *, taken over
 */
json_t *json_add(json_t *object, const char *members, ...);
#define JSON(...) json_add(json_object(), __VA_ARGS__)
/* Return a JSON array of what each(i) returns for i from 0 to count - 1; NULL is left out. */
json_t *json_list(size_t count, json_t *(*each)(size_t i));
/* Return a JSON array of counts; JSON_COUNTS() makes one of two or three. */
json_t *json_counts(const uint64_t *list, size_t count);
#define JSON_COUNTS(...)                                                                                               \
    json_counts((const uint64_t[]){__VA_ARGS__}, sizeof(const uint64_t[]){__VA_ARGS__} / sizeof(uint64_t))
/* Return as a JSON array why power is not fully checked: the reason `why` (NULL: none), then each field that the device
 * profile lacks. */
json_t *json_unchecked(const char *why);
/* Return the "power" member of the reports of plan, check and import; null without a device. */
json_t *json_power(const rwa_check_report *check);
/* Tell whether a bound counts steps, not wavelengths. */
int is_on_steps(const rwa_bound *bound);
/* Return a bound as JSON: {"name": .., "steps": ..}, or null if no bound applies. */
json_t *json_bound(const rwa_bound *bound);
/* Return a JSON object as text on one line, which the caller frees, and release the object.  Return NULL if memory runs
 * out, or if the object is NULL. */
char *text_of_json(json_t *object);
/* Add to `object`, a report, collective, nodes, wavelengths and fibers, and each of members, reserved and failed that
 * is not 0.  Return as json_add() does. */
json_t *json_setting(json_t *object, const rwa_network *net, const rwa_collective *coll);
/* Add three members to the report `object`: a lower bound on the steps, the gap between it and `steps` (null without a
 * bound), and whether `steps` is optimal.  Return as json_add() does. */
json_t *add_bound(json_t *object, const rwa_bound *bound, uint32_t steps, int optimal);
/* Print a JSON object on one line in place of the report and release it; NULL means out of memory.  Return 0 or the
 * exit code. */
int print_json(json_t *object);

/* Print the answer in the format of --format, by text(), json() or csv(); csv() also prints the format `table`.  Return
 * 0, or the exit code after an error message of one line. */
int print_answer(void (*text)(void), json_t *(*json)(void), int (*csv)(void));

/* ---- CSV ---- */

/*
 * Write members of a JSON object as a line of CSV or, with row NULL, the heading with the names of the columns.
 * columns: "NAME" or "NAME=PATH", separated by commas.  A path has dots between members and indexes of arrays.  NAME:2
 * gives numbers 2 decimals instead of 9 digits; NAME" puts every text in quotes, also where it needs none.  A comma at
 * the end lets the next call continue the line.  Booleans become yes and no, null becomes an empty field.
 */
void csv_line(FILE *to, const json_t *row, const char *columns);
/* Print the names of the columns, and the rows of a JSON array, which is released, on standard output.  Return 0, or
 * the exit code after an error message of one line. */
int print_csv(const char *columns, json_t *rows);

/* ---- text ---- */

/* Return a node as text, such as "5 (Houston)"; "5" if it has no name or its number as its name. */
const char *node_text(const rwa_network *net, uint32_t node);
/* Print a text in quotes, with quotes inside it doubled: " for CSV, ' for gnuplot. */
void print_quoted(FILE *to, const char *text, char quote);
/* Return a time as text with its unit, such as "71.6 ms"; "-" if it is not finite. */
const char *time_text(double seconds);
/* Return a number of bytes as text, such as "6 MB" or "4 MiB", whichever is shorter. */
const char *size_text(double bytes);
/* Report "1 fibre", or "1 to 3 fibres" if links have different numbers of them. */
void say_fibers(const rwa_network *net);
/* Return the load of a lightpath as text, such as "2x1 MiB": the most blocks on it, and the size of a block. */
const char *load_text(uint32_t blocks, uint64_t bytes);
/* Return the size of a collective's message in bytes: of each node's message or, for a broadcast or a reduction, of the
 * whole vector. */
uint64_t message_bytes(const rwa_collective *coll);
/* Report a task as "all-gather of 4 MiB a node on ring:16". */
void say_task(const rwa_network *net, const rwa_collective *coll);
/* Report "Network ... 2 wavelengths x 1 fibre each way, 40 Gbit/s". */
void say_channels(const rwa_network *net);
/* Return in words how a cost model counts set-ups, as in "as if all lightpaths were set up before each step". */
const char *cost_text(rwa_cost_model model);
/* Return the time of a byte as text: "0.2 ns at 40 Gbit/s + 0.03125 ns of O/E/O", its transmission and its
 * conversion. */
const char *byte_text(double rate_bps);
/* Report the time of a schedule and, if the checker knows them, the terms that it adds up. */
void say_time(double time_s, const rwa_check_report *check, double rate_bps);
/* Return ": " and the rules that the checker applies to a schedule (of_schedule) or an assignment, separated by
 * commas. */
const char *rules_text(int of_schedule);
/* Return the one of three texts that fits a verdict; `open` is for RWA_UNCHECKED.  power_text() returns "ok", "FAILS"
 * or "not fully checked". */
const char *verdict_text(rwa_verdict verdict, const char *passed, const char *failed, const char *open);
const char *power_text(rwa_verdict verdict);
/* Report a number of lightpaths after `label`: those that are no backups and, if there are any, the backups.  `routes`
 * counts both. */
void say_routes(const char *label, uint64_t routes, uint64_t backups);
/* Report the number of lightpaths, and the hops of the longest. */
void say_lightpaths(const rwa_check_report *check);
/* Report the retunings on a star, ron or ocs, and their cost in steps. */
void say_tunings(const rwa_check_report *check);
/* Report the fields that the device profile lacks, on a line that starts with `begin`; nothing if it lacks none. */
void say_lacking(const char *begin);
void say_power(const rwa_check_report *check);
/* Return a bit error rate as text, "3.2e-11". */
const char *ber_text(double log10_ber);
/* Report a link budget as a table, nothing if it was not computed; json_budget() returns it as JSON, or null. */
void say_budget(const rwa_link_budget *budget);
json_t *json_budget(const rwa_link_budget *budget);
/* Report the violations that the checker lists, with FILE:LINE if the record is known, and then the number of all
 * others.  Of a line's violations of one kind, only the first is listed. */
void say_violations(const rwa_check_report *check, const char *file);
/* Report the violations by kind: "WRONG: plan.jsonl, 4 violations (3 of causality, 1 of power)". */
void say_kinds(const rwa_check_report *check, const char *file);
/* Report the violations that the checker lists, and the rules that they break. */
void say_broken(const rwa_check_report *check, const char *file);
/* Return the bound of an assignment as text, such as "13 wavelengths for these routes". */
const char *bound_text(const rwa_check_report *check);
/* Report the bound of an assignment, with its proof if there is one.  `name` is the name of the bound; NULL: the bound
 * comes from a file, and the report says whether it was recomputed. */
void say_bound(const rwa_check_report *check, const char *name);
/* Return the number of the lightpath with the least margin if that is negative, else with the worst bit error rate. */
uint64_t worst_lightpath(const rwa_power_report *power);
/* Return "ok", or the first violation as text. */
const char *check_text(const rwa_check_report *check);
/* Report the first demands that an assignment does not serve, and why. */
void say_unserved(const rwa_assignment *assignment);
/* Report the wavelengths, or slots, that an assignment uses, and the bound of its file. */
void say_used(const rwa_check_report *check, uint64_t used);
/* Propose a command, unless -q is given.  `what` says what it shows; `name` is the command.  The options given follow,
 * except those in `without` (NULL: no options), and then the words `more` ("": none). */
void say_next(const char *what, const char *name, const char *without, const char *more);
/* Why there is no plan by a scheme.  name NULL: not to be reported. */
typedef struct reason { const char *name; char why[RWA_ERROR_TEXT]; } reason;
/* Return for say_reasons() why there is no plan by `scheme`: the message `why` of the library.  In it, flags replace
 * the fields of options, and "this scheme" the scheme's name, so that several schemes can have the same reason.  name:
 * how the report calls the scheme; NULL: it does not name it. */
reason reason_of(const char *name, const char *scheme, const char *why);
/* Report each reason once, after all names that it applies to, with `label` on the first line.  Entries without a name
 * are skipped.  Names that stand on another entry's line become NULL in the list. */
void say_reasons(const char *label, reason *list, size_t count);
enum { SCHEMES_MAX = RWA_STAGES_MAX };
/* Report "... and N more" for the all - named items that were not listed; nothing if there are none. */
void say_more(uint64_t all, uint64_t named);
/* Report a proof and end the line.  If `indent` is above 0, each of its parts, which end with "; ", has a line of its
 * own, that many blanks indented but for the first. */
void say_proof(const char *proof, int indent);

/* Report "Without ..." if only some nodes take part, channels are reserved or links have failed; else nothing. */
void say_missing(const rwa_network *net, const rwa_collective *coll);
