/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of the commands compare and sweep: one scheme in one setting. */
#pragma once

#include "print.h"

enum { SCHEMES_MAX = RWA_STAGES_MAX };

/* The schemes to compare: names in the library's table, NULL for auto.  An empty list means all schemes that apply. */
typedef struct scheme_list { const char *names[SCHEMES_MAX]; size_t count; } scheme_list;
extern struct rows_choice { scheme_list schemes; const char *plot; } rows_choice;
extern const option rows_options[];     /* scheme, plot */

/* The results of a scheme, and the setting that they belong to, which is borrowed. */
typedef struct row {
    const rwa_network *net;
    const rwa_collective *coll;
    const char *network;        /* the name of the network in CSV; NULL: its kind */
    rwa_comparison figures;
} row;

/* Complete the list of schemes, and check that each option is supported by one of them.  Return 0, or the exit code
 * after an error message of one line. */
int rows_schemes(scheme_list *schemes, const rwa_network *net, const rwa_collective *coll);

/* Return a row as a line of CSV with its end or, for NULL, the line of column names.  The caller frees it.  Return NULL
 * if memory runs out. */
char *row_csv(const row *r);
json_t *row_json(const row *r);
/* Report the rows as a table for people, with the reasons why schemes have no schedule below it. */
void say_rows(const row *rows, size_t count);
