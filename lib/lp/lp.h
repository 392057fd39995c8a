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
    char *const *column_name;   /**< for files; NULL, or NULL of a column: it gets its number */
    char *const *row_name;
};

struct lp_result {
    bool infeasible;    /**< proven */
    bool solved;        /**< x holds a solution */
    bool optimal;       /**< and no better one exists */
    double bound;       /**< no solution costs less; -INFINITY: nothing known */
    double *x;          /**< columns entries, the caller's */
};

/** A limit or the caller's poll that stops the work is no failure: look at result->solved.  The model goes to the files
 *  of budget->programs first, if there are any: RWA_IO where it cannot be written. */
rwa_status lp_solve(struct lp_result *result, const struct lp_model *model, struct budget *budget, rwa_error *err);

/** Only write the model to the files of budget->programs, if there are any; nothing is solved. */
rwa_status lp_write(const struct lp_model *model, struct budget *budget, rwa_error *err);
