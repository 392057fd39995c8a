/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lp/lp.h"

/** The space for a name, well below the 255 characters of LP and MPS files.  An LP file would read "e7" as a number; no
 *  name here has that form. */
enum { LP_NAME_MAX = 80 };
#define LP_NAME_SIGNS "abcdefghijklmnopqrstuvwxyz_0123456789"

rwa_status lp_open(struct lp *lp, size_t columns, size_t rows, size_t entries, struct budget *budget, rwa_error *err)
{
    *lp = (struct lp){.memory.err = err, .columns = (int)columns, .budget = budget};
    if (columns > INT_MAX - 1 || rows > INT_MAX - 1 || entries > INT_MAX - 1)
        return base_refuse(err, "an integer program of %zu columns, %zu rows and %zu entries is too large for GLPK",
                           columns, rows, entries);
    arena_arrays(&lp->memory, columns, lp->cost, lp->lower, lp->upper, lp->continuous);
    arena_new(&lp->memory, lp->first, rows + 1);
    arena_arrays(&lp->memory, rows, lp->row_lower, lp->row_upper);
    if (budget->programs) {
        arena_new(&lp->memory, lp->column_name, columns);
        arena_new(&lp->memory, lp->row_name, rows);
    }
    return arena_arrays(&lp->memory, entries, lp->column, lp->value);
}

void lp_free(struct lp *lp)
{
    arena_free(&lp->memory);
}

static void keep_name(struct lp *lp, char **to, const char *format, va_list args)
{
    char name[LP_NAME_MAX];
    int length = vsnprintf(name, sizeof name, format, args);
    assert(length > 0 && (size_t)length < sizeof name && strspn(name, LP_NAME_SIGNS) == (size_t)length);
    *to = arena_copy_array(&lp->memory, name, (size_t)length + 1, 1);
}

void lp_name_column(struct lp *lp, size_t column, const char *format, ...)
{
    assert(column < (size_t)lp->columns);
    if (!lp->column_name)
        return;
    va_list args;
    va_start(args, format);
    keep_name(lp, &lp->column_name[column], format, args);
    va_end(args);
}

void lp_put(struct lp *lp, size_t column, double value)
{
    assert(column < (size_t)lp->columns);
    lp->column[lp->entry] = (int)column;
    lp->value[lp->entry++] = value;
}

void lp_end(struct lp *lp, double lower, double upper, const char *format, ...)
{
    assert(lower <= upper);
    if (lp->row_name) {
        va_list args;
        va_start(args, format);
        keep_name(lp, &lp->row_name[lp->rows], format, args);
        va_end(args);
    }
    lp->row_lower[lp->rows] = lower;
    lp->row_upper[lp->rows++] = upper;
    lp->first[lp->rows] = lp->entry;
}
