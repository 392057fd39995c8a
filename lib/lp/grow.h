/* SPDX-License-Identifier: GPL-3.0-or-later */
/** A linear program that grows by columns: minimise cost · x over x >= 0, for column generation. */
#pragma once

#include "base/base.h"

/** Belongs to one thread.  While it exists, that thread must not create another object of this module. */
struct lp_grow;

/** Create a program without columns.  Its rows, numbered from 0, have the limits lower[r] <= row r <= upper[r];
 *  -INFINITY and INFINITY: no limit.  Call lp_grow_close() also after a failure. */
rwa_status lp_grow_open(struct lp_grow **out, int rows, const double *lower, const double *upper, rwa_error *err);
void lp_grow_close(struct lp_grow *lp);

/** Append a column, numbered in order from 0, with n entries: value[k] in row row[k].  `cost` is its coefficient in the
 *  objective. */
rwa_status lp_grow_add(struct lp_grow *lp, double cost, int n, const int *row, const double *value, rwa_error *err);
/** Append a row, numbered after all others, with the limits `lower` and `upper` (as in lp_grow_open()) and n entries:
 *  value[k] in column column[k]. */
rwa_status lp_grow_add_row(struct lp_grow *lp, double lower, double upper, int n, const int *column,
                           const double *value, rwa_error *err);
/** Change the limits of a row, from 0; -INFINITY and INFINITY: no limit. */
rwa_status lp_grow_set_row(struct lp_grow *lp, int row, double lower, double upper, rwa_error *err);

/**
 * Solve the program within a budget, starting from the last basis.
 * @param[out] solved  false: stopped by the budget, or by numerical trouble; lp_grow_value(), lp_grow_x() and
 *                     lp_grow_dual() then return no solution
 */
rwa_status lp_grow_solve(struct lp_grow *lp, struct budget *budget, bool *solved, rwa_error *err);

double lp_grow_value(const struct lp_grow *lp);
double lp_grow_x(const struct lp_grow *lp, int column);
double lp_grow_dual(const struct lp_grow *lp, int row);
