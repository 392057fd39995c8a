/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The colouring integer program: x[p][c] path p has colour c, y[c] colour c is in use; minimise the sum of y. */
#include "base/bins.h"
#include "lp/rows.h"
#include "solvers/solver.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_BINARIES = 200000, MOST_ENTRIES = 10000000 };

struct model {
    struct lp_rows rows;
    struct bins on;         /* paths over each link */
    int paths, colours;
};

static size_t column_x(const struct model *m, size_t path, int colour)
{
    return path * (size_t)m->colours + (size_t)colour;
}

static size_t column_y(const struct model *m, int colour)
{
    return column_x(m, (size_t)m->paths, colour);
}

/* The paths of one busiest link have different colours; which is which is a matter of names, so fix them. */
static void set_columns(struct model *m, const struct solve *run)
{
    int named = 0;
    for (int c = 0; c < m->rows.columns; c++)
        m->rows.upper[c] = 1;
    for (size_t p = 0; p < run->problem->paths; p++)
        for (uint32_t k = 0; k < path_length(run->problem, p); k++)
            if (path_link(run->problem, p, k) == run->peak_link) {
                m->rows.lower[column_x(m, p, named)] = 1;
                m->rows.lower[column_y(m, named++)] = 1;
            }
    for (int c = 0; c < m->colours; c++)
        m->rows.cost[column_y(m, c)] = 1;
}

static void set_rows(struct model *m, const struct solve *run)
{
    for (int p = 0; p < m->paths; p++) {
        for (int c = 0; c < m->colours; c++)
            lp_rows_put(&m->rows, column_x(m, (size_t)p, c), 1);
        lp_rows_end(&m->rows, 1, 1);
    }
    for (uint32_t l = 0; l < run->problem->links; l++)
        for (int c = 0; c < m->colours && run->load[l] > 0; c++) {
            for (size_t k = m->on.first[l]; k < m->on.first[l + 1]; k++)
                lp_rows_put(&m->rows, column_x(m, m->on.number[k], c), 1);
            lp_rows_put(&m->rows, column_y(m, c), -1);
            lp_rows_end(&m->rows, -INFINITY, 0);
        }
    for (int c = 0; c + 1 < m->colours; c++) {
        lp_rows_put(&m->rows, column_y(m, c), 1);
        lp_rows_put(&m->rows, column_y(m, c + 1), -1);
        lp_rows_end(&m->rows, 0, INFINITY);
    }
}

static rwa_status list_by_link(struct bins *on, const struct solve *run)
{
    const rwa_problem *p = run->problem;
    rwa_status st = RWA_OK;
    TRY(bins_open(on, p->links, run->err));
    for (size_t i = 0; i < p->paths; i++)
        for (uint32_t k = 0; k < path_length(p, i); k++)
            bins_count(on, path_link(p, i, k));
    TRY(bins_divide(on, p->links, run->err));
    for (size_t i = 0; i < p->paths; i++)
        for (uint32_t k = 0; k < path_length(p, i); k++)
            bins_put(on, path_link(p, i, k), (uint32_t)i);
done:
    return st;
}

static rwa_status build(struct model *m, const struct solve *run, size_t total)
{
    const rwa_problem *p = run->problem;
    size_t colours = (size_t)m->colours, columns = (p->paths + 1) * colours;
    size_t rows = p->paths + (size_t)p->links * colours + colours;
    rwa_status st = RWA_OK;
    TRY(lp_rows_open(&m->rows, columns, rows, (p->paths + total + p->links + 2) * colours, run->err));
    TRY(list_by_link(&m->on, run));
    set_columns(m, run);
    set_rows(m, run);
done:
    return st;
}

/* Colours in use are renumbered 0 … used - 1. */
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
    solve_keep(run, colour, used, "ilp");
}

/* The model holds one colour less than the best answer: no solution proves that answer. */
static rwa_status improve(struct solve *run, struct model *m)
{
    rwa_status st = RWA_NOMEM;
    uint32_t most = run->found.wavelengths;
    struct lp_result result = {0};
    uint32_t *colour = base_array(run->problem->paths, sizeof *colour, run->err);
    uint32_t *name = base_array((size_t)m->colours, sizeof *name, run->err);
    result.x = base_array((size_t)m->rows.columns, sizeof *result.x, run->err);
    if (!colour || !name || !result.x)
        goto done;
    TRY(lp_solve(&result, lp_rows_close(&m->rows), &run->budget, run->err));
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
    bins_free(&m.on);
    lp_rows_free(&m.rows);
    return st;
}

const struct solver solver_ilp = {"ilp", "integer program by GLPK, started from first-fit; for small problems", ilp};
