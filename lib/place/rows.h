/* SPDX-License-Identifier: GPL-3.0-or-later */
/** A linear model under construction, row by row. */
#ifndef PLACE_ROWS_H
#define PLACE_ROWS_H

#include "lp/lp.h"

struct rows {
    struct lp_model lp;         /* points into the arrays below; filled by rows_close() */
    double *cost, *lower, *upper, *value, *row_lower, *row_upper;
    int *first, *column;
    bool *continuous;
    int columns, row, entry;
};

/** Room for a model; costs 0, columns whole and between 0 and 0.  RWA_BADARG when it is too large for GLPK's counts. */
rwa_status rows_open(struct rows *m, size_t columns, size_t rows, size_t entries, rwa_error *err);
void rows_free(struct rows *m);
/** One entry of the row in work, and the end of that row. */
void rows_put(struct rows *m, size_t column, double value);
void rows_end(struct rows *m, double lower, double upper);
/** The finished model, borrowed from m. */
const struct lp_model *rows_close(struct rows *m);

#endif
