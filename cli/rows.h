/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of compare and of sweep: one scheme in one setting. */
#pragma once

#include "print.h"

enum { SCHEMES_MAX = RWA_STAGES_MAX, ROW_TEXT = 1024 };

/* The schemes asked for, names of the library's table, NULL: auto; none: all that can. */
typedef struct scheme_list { const char *names[SCHEMES_MAX]; size_t count; } scheme_list;
typedef struct rows_choice { scheme_list schemes; const char *plot; } rows_choice;
extern const option rows_options[];     /* of rows_choice: scheme, plot */

/* The setting that the figures belong to, copied out of the network and the collective. */
typedef struct row {
    rwa_topology kind;
    rwa_collective_kind collective;
    uint32_t nodes, wavelengths, fibers;
    uint64_t message;           /* bytes */
    const char *network;        /* NULL: the kind; else what to call the network in CSV, borrowed */
    rwa_cost_model model;
    const rwa_device *device;   /* NULL: none; borrowed */
    rwa_comparison figures;
} row;

/* Fill a row; RWA_OK also when the scheme has no schedule here (figures.outcome says so). */
rwa_status row_make(row *out, const char *scheme, const rwa_network *net, const rwa_collective *coll,
                    const rwa_plan_options *opts, rwa_error *err);

/* Complete the list of schemes and see that one reads each option.  0, or the exit code after one line. */
int rows_schemes(scheme_list *schemes, const rwa_network *net, const rwa_collective *coll, const rwa_plan_options *opts);

/* The columns of the CSV form, and a row in it, without the newline. */
extern const char row_csv_columns[];
void row_csv(char text[ROW_TEXT], const row *r);
json_t *row_json(const row *r);
/* The table for people, with the reasons of the refusals below it. */
void print_rows(FILE *to, const row *rows, size_t count);
