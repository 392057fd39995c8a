/* SPDX-License-Identifier: GPL-3.0-or-later */
/** A linear model under construction, row by row. */
#pragma once

#include "base/arena.h"
#include "lp/lp.h"

struct lp_rows {
    struct arena memory;    /* of the arrays */
    double *cost, *lower, *upper, *value, *row_lower, *row_upper;
    int *first, *column;
    bool *continuous;
    char **column_name, **row_name; /* NULL: no names are kept */
    int columns, rows, row, entry;
};

/** Allocate a model.  At first all costs are 0, and all columns are integers with lower and upper bound 0.  RWA_BADARG
 *  if the model is too large for GLPK's counts. */
rwa_status lp_rows_open(struct lp_rows *m, size_t columns, size_t rows, size_t entries, rwa_error *err);
void lp_rows_free(struct lp_rows *m);
/** Keep names from now on if the program goes to a file; without this call the next two functions do nothing. */
void lp_rows_keep_names(struct lp_rows *m, const struct budget *budget);
/** Name a column, or the row under construction: letters, digits and _, beginning with a letter.  lp_rows_solve() is
 *  RWA_NOMEM if a name could not be allocated. */
void lp_rows_name_column(struct lp_rows *m, size_t column, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void lp_rows_name_row(struct lp_rows *m, const char *format, ...) __attribute__((format(printf, 2, 3)));
/** Add an entry to the row under construction, or end that row. */
void lp_rows_put(struct lp_rows *m, size_t column, double value);
void lp_rows_end(struct lp_rows *m, double lower, double upper);
/** Solve the finished model by lp_solve(); result->x is in the memory of the model.  only_written: only write it, by
 *  lp_write(), and leave the result unknown. */
rwa_status lp_rows_solve(struct lp_result *result, struct lp_rows *m, bool only_written, struct budget *budget,
                         rwa_error *err);
