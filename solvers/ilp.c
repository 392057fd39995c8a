/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The textbook integer program: x[p][c] path p has colour c, y[c] colour c is in use; minimise the sum of y. */
#include "lp/lp.h"
#include "solvers/solver.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_BINARIES = 200000, MOST_ENTRIES = 10000000 };

struct model {
    struct lp_model lp;
    double *cost, *lower, *upper, *value, *row_lower, *row_upper;
    int *first, *column;
    int row, entry;
    int paths, colours;
};

static void free_model(struct model *m)
{
    free(m->cost);
    free(m->lower);
    free(m->upper);
    free(m->value);
    free(m->row_lower);
    free(m->row_upper);
    free(m->first);
    free(m->column);
}

static rwa_status make_room(struct model *m, size_t columns, size_t rows, size_t entries, rwa_error *err)
{
    m->cost = base_array(columns, sizeof(double), err);
    m->lower = base_array(columns, sizeof(double), err);
    m->upper = base_array(columns, sizeof(double), err);
    m->value = base_array(entries, sizeof(double), err);
    m->row_lower = base_array(rows, sizeof(double), err);
    m->row_upper = base_array(rows, sizeof(double), err);
    m->first = base_array(rows + 1, sizeof(int), err);
    m->column = base_array(entries, sizeof(int), err);
    return m->cost && m->lower && m->upper && m->value && m->row_lower && m->row_upper && m->first && m->column
               ? RWA_OK
               : RWA_NOMEM;
}

static int column_x(const struct model *m, size_t path, int colour)
{
    return (int)path * m->colours + colour;
}

static int column_y(const struct model *m, int colour)
{
    return m->paths * m->colours + colour;
}

static void put(struct model *m, int column, double value)
{
    m->column[m->entry] = column;
    m->value[m->entry++] = value;
}

static void end_row(struct model *m, double lower, double upper)
{
    m->row_lower[m->row] = lower;
    m->row_upper[m->row++] = upper;
    m->first[m->row] = m->entry;
}

/* The paths of one busiest link have different colours; which is which is a matter of names, so fix them. */
static void set_columns(struct model *m, const struct solve *run)
{
    int named = 0;
    for (int c = 0; c < column_y(m, m->colours); c++)
        m->upper[c] = 1;
    for (size_t p = 0; p < run->problem->paths; p++)
        for (uint32_t k = 0; k < path_length(run->problem, p); k++)
            if (path_link(run->problem, p, k) == run->peak_link) {
                m->lower[column_x(m, p, named)] = 1;
                m->lower[column_y(m, named++)] = 1;
            }
    for (int c = 0; c < m->colours; c++)
        m->cost[column_y(m, c)] = 1;
}

/* at[l] … at[l + 1] - 1 in on: the paths of link l. */
static void set_rows(struct model *m, const struct solve *run, const size_t *at, const uint32_t *on)
{
    for (int p = 0; p < m->paths; p++) {
        for (int c = 0; c < m->colours; c++)
            put(m, column_x(m, (size_t)p, c), 1);
        end_row(m, 1, 1);
    }
    for (uint32_t l = 0; l < run->problem->links; l++)
        for (int c = 0; c < m->colours && at[l] < at[l + 1]; c++) {
            for (size_t k = at[l]; k < at[l + 1]; k++)
                put(m, column_x(m, on[k], c), 1);
            put(m, column_y(m, c), -1);
            end_row(m, -INFINITY, 0);
        }
    for (int c = 0; c + 1 < m->colours; c++) {
        put(m, column_y(m, c), 1);
        put(m, column_y(m, c + 1), -1);
        end_row(m, 0, INFINITY);
    }
}

static void list_by_link(const struct solve *run, size_t *at, uint32_t *on)
{
    const rwa_problem *p = run->problem;
    for (uint32_t l = 0; l < p->links; l++)
        at[l + 1] = at[l] + run->load[l];
    for (size_t i = p->paths; i-- > 0;) /* at[l + 1] moves down to the start of its link's paths … */
        for (uint32_t k = 0; k < path_length(p, i); k++)
            on[--at[path_link(p, i, k) + 1]] = (uint32_t)i;
    for (uint32_t l = 0; l < p->links; l++) /* … so shift it back by one link */
        at[l] = at[l + 1];
    at[p->links] = at[p->links ? p->links - 1 : 0] + (p->links ? run->load[p->links - 1] : 0);
}

static rwa_status build(struct model *m, const struct solve *run, size_t total)
{
    rwa_status st = RWA_NOMEM;
    const rwa_problem *p = run->problem;
    size_t colours = (size_t)m->colours;
    size_t columns = (p->paths + 1) * colours;
    size_t rows = p->paths + (size_t)p->links * colours + colours;
    size_t entries = (p->paths + total + p->links + 2) * colours;
    size_t *at = base_array((size_t)p->links + 1, sizeof *at, run->err);
    uint32_t *on = base_array(total, sizeof *on, run->err);
    if (!at || !on)
        goto done;
    TRY(make_room(m, columns, rows, entries, run->err));
    list_by_link(run, at, on);
    set_columns(m, run);
    set_rows(m, run, at, on);
    m->lp = (struct lp_model){(int)columns, m->row, m->cost, m->lower, m->upper, m->first, m->column, m->value,
                              m->row_lower, m->row_upper, NULL};
done:
    free(on);
    free(at);
    return st;
}

/* Colours in use are closed up to 0 … used - 1. */
static void take_solution(struct solve *run, const struct model *m, const double *x, uint32_t *colour, uint32_t *name)
{
    uint32_t used = 0;
    for (size_t p = 0; p < run->problem->paths; p++)
        for (int c = 0; c < m->colours; c++)
            if (x[column_x(m, p, c)] > 0.5) {
                if (name[c] == 0)
                    name[c] = ++used;
                colour[p] = name[c] - 1;
            }
    solve_offer(run, colour, used, "ilp");
}

/* The model holds one colour less than the best answer: no solution proves that answer. */
static rwa_status improve(struct solve *run, struct model *m)
{
    rwa_status st = RWA_NOMEM;
    uint32_t most = run->found.wavelengths;
    struct lp_result result = {0};
    uint32_t *colour = base_array(run->problem->paths, sizeof *colour, run->err);
    uint32_t *name = base_array((size_t)m->colours, sizeof *name, run->err);
    result.x = base_array((size_t)m->lp.columns, sizeof *result.x, run->err);
    if (!colour || !name || !result.x)
        goto done;
    TRY(lp_solve(&result, &m->lp, &run->watch, run->err));
    if (result.solved)
        take_solution(run, m, result.x, colour, name);
    if (result.infeasible)
        solve_raise(run, most, "ilp");
    else if (result.bound > 0)
        solve_raise(run, (uint32_t)fmin(ceil(result.bound - 1e-6), run->found.wavelengths), "ilp");
done:
    free(result.x);
    free(name);
    free(colour);
    return st;
}

static rwa_status ilp(struct solve *run)
{
    rwa_status st = RWA_OK;
    const rwa_problem *p = run->problem;
    struct model m = {0};
    double total = 0;
    double colours = 0;
    TRY(greedy_run(run, run->opts->order, false));
    if (solve_done(run))
        goto done;
    for (uint32_t l = 0; l < p->links; l++)
        total += run->load[l];
    colours = run->found.wavelengths - 1;
    if (((double)p->paths + 1) * colours > MOST_BINARIES ||
        ((double)p->paths + total + p->links + 2) * colours > MOST_ENTRIES)
        goto done; /* hopeless in any time: the first-fit answer stands */
    m.paths = (int)p->paths;
    m.colours = (int)colours;
    TRY(build(&m, run, (size_t)total));
    TRY(improve(run, &m));
done:
    free_model(&m);
    return st;
}

const struct solver solver_ilp = {"ilp", "integer program by GLPK, started from first-fit; for small problems", ilp};
