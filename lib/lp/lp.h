/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Minimise over integer (and, where marked, continuous) variables under linear rows; by GLPK. */
#pragma once

#include "base/base.h"

/** Rows by index arrays: row r has entries first[r] … first[r + 1] - 1; columns are counted from 0. */
struct lp_model {
    int columns;
    int rows;
    const double *cost;
    const double *lower;    /**< of each column */
    const double *upper;
    const int *first;
    const int *column;
    const double *value;
    const double *row_lower; /**< -INFINITY: none */
    const double *row_upper; /**< INFINITY: none */
    const bool *continuous;  /**< columns that need not be whole; NULL: all must */
    char *const *column_name;   /**< for files; if the array or an entry is NULL, the column's number is its name */
    char *const *row_name;
};

struct lp_result {
    bool infeasible;    /**< proven */
    bool solved;        /**< x holds a solution */
    bool optimal;       /**< and no better one exists */
    double bound;       /**< no solution costs less; -INFINITY: nothing known */
    double *x;          /**< columns entries, the caller's */
};

/** Write the model to the files of budget->programs, if there are any, and solve it.  Stopping at a limit or by the
 *  caller's poll is no error: see result->solved.  RWA_IO: a file cannot be written. */
rwa_status lp_solve(struct lp_result *result, const struct lp_model *model, struct budget *budget, rwa_error *err);

/** Write the model to the files of budget->programs, if there are any; solve nothing. */
rwa_status lp_write(const struct lp_model *model, struct budget *budget, rwa_error *err);
