/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lp/rows.h"

rwa_status lp_rows_open(struct lp_rows *m, size_t columns, size_t rows, size_t entries, rwa_error *err)
{
    *m = (struct lp_rows){0};
    if (columns > INT_MAX - 1 || rows > INT_MAX - 1 || entries > INT_MAX - 1)
        return base_fail(err, RWA_BADARG, "an integer program of %zu columns, %zu rows and %zu entries is too large for GLPK",
                         columns, rows, entries);
    m->columns = (int)columns;
    m->cost = base_array(columns, sizeof *m->cost, err);
    m->lower = base_array(columns, sizeof *m->lower, err);
    m->upper = base_array(columns, sizeof *m->upper, err);
    m->continuous = base_array(columns, sizeof *m->continuous, err);
    m->first = base_array(rows + 1, sizeof *m->first, err);
    m->row_lower = base_array(rows, sizeof *m->row_lower, err);
    m->row_upper = base_array(rows, sizeof *m->row_upper, err);
    m->column = base_array(entries, sizeof *m->column, err);
    m->value = base_array(entries, sizeof *m->value, err);
    bool whole = m->cost && m->lower && m->upper && m->continuous && m->first && m->row_lower && m->row_upper && m->column && m->value;
    return whole ? RWA_OK : RWA_NOMEM;
}

void lp_rows_free(struct lp_rows *m)
{
    free(m->cost);
    free(m->lower);
    free(m->upper);
    free(m->continuous);
    free(m->first);
    free(m->row_lower);
    free(m->row_upper);
    free(m->column);
    free(m->value);
}

void lp_rows_put(struct lp_rows *m, size_t column, double value)
{
    assert(column < (size_t)m->columns);
    m->column[m->entry] = (int)column;
    m->value[m->entry++] = value;
}

void lp_rows_end(struct lp_rows *m, double lower, double upper)
{
    assert(lower <= upper);
    m->row_lower[m->row] = lower;
    m->row_upper[m->row++] = upper;
    m->first[m->row] = m->entry;
}

const struct lp_model *lp_rows_close(struct lp_rows *m)
{
    m->lp = (struct lp_model){.columns = m->columns, .rows = m->row, .cost = m->cost, .lower = m->lower, .upper = m->upper,
                              .first = m->first, .column = m->column, .value = m->value, .row_lower = m->row_lower,
                              .row_upper = m->row_upper, .continuous = m->continuous};
    return &m->lp;
}
