/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lp/rows.h"

rwa_status lp_rows_open(struct lp_rows *m, size_t columns, size_t rows, size_t entries, rwa_error *err)
{
    *m = (struct lp_rows){.memory.err = err};
    if (columns > INT_MAX - 1 || rows > INT_MAX - 1 || entries > INT_MAX - 1)
        return base_fail(err, RWA_BADARG, "an integer program of %zu columns, %zu rows and %zu entries is too large for GLPK",
                         columns, rows, entries);
    m->columns = (int)columns;
    arena_new(&m->memory, m->cost, columns);
    arena_new(&m->memory, m->lower, columns);
    arena_new(&m->memory, m->upper, columns);
    arena_new(&m->memory, m->continuous, columns);
    arena_new(&m->memory, m->first, rows + 1);
    arena_new(&m->memory, m->row_lower, rows);
    arena_new(&m->memory, m->row_upper, rows);
    arena_new(&m->memory, m->column, entries);
    arena_new(&m->memory, m->value, entries);
    return arena_status(&m->memory);
}

void lp_rows_free(struct lp_rows *m)
{
    arena_free(&m->memory);
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
