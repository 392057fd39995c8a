/* SPDX-License-Identifier: GPL-3.0-or-later */
/** A linear model under construction, row by row. */
#ifndef LP_ROWS_H
#define LP_ROWS_H

#include "base/arena.h"
#include "lp/lp.h"

struct lp_rows {
    struct lp_model lp;         /* points into the arrays below; filled by lp_rows_close() */
    struct arena memory;    /* of the arrays */
    double *cost, *lower, *upper, *value, *row_lower, *row_upper;
    int *first, *column;
    bool *continuous;
    int columns, row, entry;
};

/** Room for a model; costs 0, columns whole and between 0 and 0.  RWA_BADARG when it is too large for GLPK's counts. */
rwa_status lp_rows_open(struct lp_rows *m, size_t columns, size_t rows, size_t entries, rwa_error *err);
void lp_rows_free(struct lp_rows *m);
/** One entry of the row in work, and the end of that row. */
void lp_rows_put(struct lp_rows *m, size_t column, double value);
void lp_rows_end(struct lp_rows *m, double lower, double upper);
/** The finished model, borrowed from m. */
const struct lp_model *lp_rows_close(struct lp_rows *m);

#endif
