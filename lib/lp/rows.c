/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lp/rows.h"

/** The space for a name, well below the 255 characters of LP and MPS files.  An LP file would read "e7" as a number; no
 *  name here has that form. */
enum { LP_NAME_MAX = 80 };
#define LP_NAME_SIGNS "abcdefghijklmnopqrstuvwxyz_0123456789"

rwa_status lp_rows_open(struct lp_rows *m, size_t columns, size_t rows, size_t entries, rwa_error *err)
{
    *m = (struct lp_rows){.memory.err = err};
    if (columns > INT_MAX - 1 || rows > INT_MAX - 1 || entries > INT_MAX - 1)
        return base_refuse(err, "an integer program of %zu columns, %zu rows and %zu entries is too large for GLPK",
                           columns, rows, entries);
    m->columns = (int)columns;
    m->rows = (int)rows;
    arena_arrays(&m->memory, columns, m->cost, m->lower, m->upper, m->continuous);
    arena_new(&m->memory, m->first, rows + 1);
    arena_arrays(&m->memory, rows, m->row_lower, m->row_upper);
    return arena_arrays(&m->memory, entries, m->column, m->value);
}

void lp_rows_free(struct lp_rows *m)
{
    arena_free(&m->memory);
}

void lp_rows_keep_names(struct lp_rows *m, const struct budget *budget)
{
    if (!budget->programs)
        return;
    arena_new(&m->memory, m->column_name, (size_t)m->columns);
    arena_new(&m->memory, m->row_name, (size_t)m->rows);
}

static void keep_name(struct lp_rows *m, char **to, const char *format, va_list args)
{
    char name[LP_NAME_MAX];
    int length = vsnprintf(name, sizeof name, format, args);
    assert(length > 0 && (size_t)length < sizeof name && strspn(name, LP_NAME_SIGNS) == (size_t)length);
    *to = arena_copy_array(&m->memory, name, (size_t)length + 1, 1);
}

void lp_rows_name_column(struct lp_rows *m, size_t column, const char *format, ...)
{
    assert(column < (size_t)m->columns);
    if (!m->column_name)
        return;
    va_list args;
    va_start(args, format);
    keep_name(m, &m->column_name[column], format, args);
    va_end(args);
}

void lp_rows_name_row(struct lp_rows *m, const char *format, ...)
{
    assert(m->row < m->rows);
    if (!m->row_name)
        return;
    va_list args;
    va_start(args, format);
    keep_name(m, &m->row_name[m->row], format, args);
    va_end(args);
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

rwa_status lp_rows_solve(struct lp_result *result, struct lp_rows *m, bool only_written, struct budget *budget,
                         rwa_error *err)
{
    const struct lp_model model = {.columns = m->columns,
                                   .rows = m->row,
                                   .cost = m->cost,
                                   .lower = m->lower,
                                   .upper = m->upper,
                                   .first = m->first,
                                   .column = m->column,
                                   .value = m->value,
                                   .row_lower = m->row_lower,
                                   .row_upper = m->row_upper,
                                   .continuous = m->continuous,
                                   .column_name = m->column_name,
                                   .row_name = m->row_name};
    *result = (struct lp_result){.bound = -INFINITY};
    MUST(arena_arrays(&m->memory, (size_t)m->columns, result->x));
    return only_written ? lp_write(&model, budget, err) : lp_solve(result, &model, budget, err);
}
