/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Minimise over integer (and, where marked, continuous) variables under linear rows; by GLPK. */
#pragma once

#include "base/arena.h"

/** A program under construction, row by row: row r has entries first[r] … first[r + 1] - 1; columns are counted from
 *  0. */
struct lp {
    struct arena memory;    /* of the arrays */
    double *cost, *lower, *upper;   /* of each column */
    double *row_lower, *row_upper;  /* -INFINITY, INFINITY: no limit */
    int *first, *column;
    double *value;
    bool *continuous;       /* columns that need not be whole */
    char **column_name, **row_name; /* NULL: no names are kept; an entry NULL: the number is the name */
    int columns, rows, entry;       /* rows and entries so far */
    struct budget *budget;
};

struct lp_result {
    bool infeasible;    /**< proven */
    bool solved;        /**< x holds a solution */
    bool optimal;       /**< and no better one exists */
    double bound;       /**< no solution costs less; -INFINITY: nothing known */
    double *x;          /**< columns entries, in the memory of the program */
};

/**
 * Allocate a program of `columns` columns, at most `rows` rows and at most `entries` entries.  At first all costs are
 * 0, and all columns are integers with lower and upper bound 0.
 * @param budget  borrowed: limits lp_solve(), and names the files to which the program is written
 * @return RWA_OK; RWA_NOMEM; RWA_BADARG if the program is too large for GLPK's counts
 */
rwa_status lp_open(struct lp *lp, size_t columns, size_t rows, size_t entries, struct budget *budget, rwa_error *err);
void lp_free(struct lp *lp);
/** Name a column for the files: letters, digits and _, beginning with a letter.  lp_solve() is RWA_NOMEM if a name
 *  could not be allocated. */
void lp_name_column(struct lp *lp, size_t column, const char *format, ...) __attribute__((format(printf, 3, 4)));
/** Add an entry, `value` in a column from 0, to the row under construction.  lp_end() ends that row, and sets its
 *  limits (-INFINITY, INFINITY: none) and its name. */
void lp_put(struct lp *lp, size_t column, double value);
void lp_end(struct lp *lp, double lower, double upper, const char *format, ...) __attribute__((format(printf, 4, 5)));
/** Write the program to a file if its budget asks for files, and solve it.  A limit or poll that stops the search is no
 *  error: result->solved tells whether there is a solution.  only_written: do not solve the program; the result is
 *  unknown.  RWA_IO: a file cannot be written; RWA_BACKEND: GLPK failed; RWA_NOMEM. */
rwa_status lp_solve(struct lp_result *result, struct lp *lp, bool only_written, rwa_error *err);
