/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of the commands compare and sweep: one scheme in one setting. */
#pragma once

#include "print.h"

/* The schemes to compare: names in the library's table, NULL for auto, and the objective of each.  An empty list means
 * auto and all schemes that apply. */
typedef struct scheme_list {
    const char *names[SCHEMES_MAX];
    rwa_plan_objective objectives[SCHEMES_MAX];
    size_t count;
} scheme_list;
extern const option rows_options[];     /* scheme, plot */

/* The results of a scheme, and the setting that they belong to, which is borrowed. */
typedef struct row {
    const rwa_network *net;
    const rwa_collective *coll;
    const char *network;        /* the name of the network in CSV; NULL: its kind */
    const char *asked;          /* the scheme asked for; NULL: auto */
    rwa_plan_objective objective;
    rwa_comparison figures;
} row;

/* Set *schemes to the schemes that the rows compare: those asked for, or all that suit network and collective, and
 * auto.  auto comes twice, for least time and fewest steps, unless --objective is given.  An option that none of them
 * supports is an error.  Return 0, or the exit code after an error message of one line. */
int rows_schemes(scheme_list *schemes, const rwa_network *net, const rwa_collective *coll);

/* Plan a row within limit_s seconds (0: no limit) and store its numbers in r.  If the scheme does not suit the network,
 * store the reason instead, and return RWA_OK.  of_many: there are other rows, so do the same if options do not suit
 * the setting of this row. */
rwa_status row_plan(row *r, int of_many, double limit_s, rwa_poll poll, void *poll_data, rwa_error *err);

/* Tell whether a row has a schedule. */
int row_is_planned(const row *r);

/* Return a row as a line of CSV with its end or, for NULL, the line of column names.  The caller frees it.  Return NULL
 * if memory runs out. */
char *row_csv(const row *r);
json_t *row_json(const row *r);
