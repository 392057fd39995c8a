/* SPDX-License-Identifier: GPL-3.0-or-later */
/** A linear model under construction, row by row. */
#pragma once

#include "base/arena.h"
#include "lp/lp.h"

struct lp_rows {
    struct lp_model lp;         /* points into the arrays below; filled by lp_rows_close() */
    struct arena memory;    /* of the arrays */
    double *cost, *lower, *upper, *value, *row_lower, *row_upper;
    int *first, *column;
    bool *continuous;
    char **column_name, **row_name; /* NULL: none are kept */
    int columns, rows, row, entry;
};

/** Room for a model; costs 0, columns whole and between 0 and 0.  RWA_BADARG when it is too large for GLPK's counts. */
rwa_status lp_rows_open(struct lp_rows *m, size_t columns, size_t rows, size_t entries, rwa_error *err);
void lp_rows_free(struct lp_rows *m);
/** Names are kept from now on if the program goes to a file; without this the two below do nothing. */
void lp_rows_keep_names(struct lp_rows *m, const struct budget *budget);
/** The name of a column, and of the row in work: letters, digits and _, beginning with a letter.
 *  arena_status(&m->memory) is RWA_NOMEM when one had no space. */
void lp_rows_name_column(struct lp_rows *m, size_t column, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void lp_rows_name_row(struct lp_rows *m, const char *format, ...) __attribute__((format(printf, 2, 3)));
/** One entry of the row in work, and the end of that row. */
void lp_rows_put(struct lp_rows *m, size_t column, double value);
void lp_rows_end(struct lp_rows *m, double lower, double upper);
/** The finished model, borrowed from m. */
const struct lp_model *lp_rows_close(struct lp_rows *m);
