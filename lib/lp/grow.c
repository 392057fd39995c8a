/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lp/grow.h"
#include "lp/guard.h"

#include <glpk.h>

enum { SLICE = 500 }; /* simplex iterations between two checks of the budget */

struct lp_grow {
    glp_prob *prob; /* NULL after an internal error, when GLPK has freed it */
    bool fresh;
    bool rows_changed;
    int *index; /* entries of one column or row, from index 1 as in GLPK */
    double *value;
    struct { /* arguments of the guarded step */
        int rows, row, n, code;
        const double *lower, *upper;
        double cost;
    } job;
};

static void open_step(void *data)
{
    struct lp_grow *lp = data;
    lp->prob = glp_create_prob();
    glp_set_obj_dir(lp->prob, GLP_MIN);
    if (lp->job.rows > 0)
        glp_add_rows(lp->prob, lp->job.rows);
    for (int r = 0; r < lp->job.rows; r++)
        glp_set_row_bnds(lp->prob, r + 1, lp_limits(lp->job.lower[r], lp->job.upper[r]), lp->job.lower[r],
                         lp->job.upper[r]);
}

static void add_step(void *data)
{
    struct lp_grow *lp = data;
    int column = glp_add_cols(lp->prob, 1);
    glp_set_col_bnds(lp->prob, column, GLP_LO, 0, 0);
    glp_set_obj_coef(lp->prob, column, lp->job.cost);
    glp_set_mat_col(lp->prob, column, lp->job.n, lp->index, lp->value);
}

static void add_row_step(void *data)
{
    struct lp_grow *lp = data;
    int row = glp_add_rows(lp->prob, 1);
    glp_set_row_bnds(lp->prob, row, lp_limits(*lp->job.lower, *lp->job.upper), *lp->job.lower, *lp->job.upper);
    glp_set_mat_row(lp->prob, row, lp->job.n, lp->index, lp->value);
}

static void set_row_step(void *data)
{
    struct lp_grow *lp = data;
    glp_set_row_bnds(lp->prob, lp->job.row + 1, lp_limits(*lp->job.lower, *lp->job.upper), *lp->job.lower,
                     *lp->job.upper);
}

static void close_step(void *data)
{
    struct lp_grow *lp = data;
    glp_delete_prob(lp->prob);
}

/* Do at most SLICE iterations of the simplex method on `data`, a struct lp_grow, from its last basis.  Its job.code
 * becomes GLPK's result. */
static void simplex_step(void *data)
{
    struct lp_grow *lp = data;
    glp_smcp simplex;
    glp_init_smcp(&simplex);
    simplex.msg_lev = GLP_MSG_OFF;
    simplex.it_lim = SLICE;
    /* new columns leave the last basis primal feasible, changed rows leave it dual feasible */
    simplex.meth = lp->rows_changed ? GLP_DUALP : GLP_PRIMAL;
    lp->job.code = glp_simplex(lp->prob, &simplex);
}

static void restart_step(void *data)
{
    struct lp_grow *lp = data;
    glp_adv_basis(lp->prob, 0);
}

static rwa_status step(struct lp_grow *lp, void (*work)(void *), rwa_error *err)
{
    assert(lp->prob || work == open_step);
    bool fresh = false;
    rwa_status st = lp_guard(work, lp, &fresh, err);
    lp->fresh = lp->fresh || fresh;
    if (st != RWA_OK) {
        lp->prob = NULL;
        lp->fresh = false;
    }
    return st;
}

/* Copy n entries, index[k] from 0 and value[k], to the arrays lp->index and lp->value for GLPK, where both begin at 1.
 * Set lp->job.n to n. */
static rwa_status take_entries(struct lp_grow *lp, int n, const int *index, const double *value, rwa_error *err)
{
    assert(n >= 0);
    MUST(base_reserve(lp->index, (size_t)n + 1, err));
    MUST(base_reserve(lp->value, (size_t)n + 1, err));
    for (int k = 0; k < n; k++) {
        lp->index[k + 1] = index[k] + 1;
        lp->value[k + 1] = value[k];
    }
    lp->job.n = n;
    return RWA_OK;
}

rwa_status lp_grow_open(struct lp_grow **out, int rows, const double *lower, const double *upper, rwa_error *err)
{
    MUST(base_new(*out, 1, err));
    struct lp_grow *lp = *out;
    lp->job.rows = rows;
    lp->job.lower = lower;
    lp->job.upper = upper;
    return step(lp, open_step, err);
}

void lp_grow_close(struct lp_grow *lp)
{
    if (!lp)
        return;
    if (lp->prob)
        (void)step(lp, close_step, NULL); /* after an error GLPK has freed everything already */
    lp_leave(lp->fresh);
    free_all(lp->value, lp->index, lp);
}

rwa_status lp_grow_add(struct lp_grow *lp, double cost, int n, const int *row, const double *value, rwa_error *err)
{
    MUST(take_entries(lp, n, row, value, err));
    lp->job.cost = cost;
    return step(lp, add_step, err);
}

rwa_status lp_grow_add_row(struct lp_grow *lp, double lower, double upper, int n, const int *column,
                           const double *value, rwa_error *err)
{
    MUST(take_entries(lp, n, column, value, err));
    lp->job.lower = &lower;
    lp->job.upper = &upper;
    lp->rows_changed = true;
    return step(lp, add_row_step, err);
}

rwa_status lp_grow_set_row(struct lp_grow *lp, int row, double lower, double upper, rwa_error *err)
{
    lp->job.row = row;
    lp->job.lower = &lower;
    lp->job.upper = &upper;
    lp->rows_changed = true;
    return step(lp, set_row_step, err);
}

rwa_status lp_grow_solve(struct lp_grow *lp, struct budget *budget, bool *solved, rwa_error *err)
{
    bool again = false;
    *solved = false;
    for (;;) {
        if (base_must_stop(budget, "linear program", -1))
            return RWA_OK;
        MUST(step(lp, simplex_step, err));
        if (lp->job.code == GLP_EITLIM)
            continue;
        if (lp->job.code == 0 || again)
            break;
        again = true; /* the basis became singular: try once more from a new one */
        MUST(step(lp, restart_step, err));
    }
    *solved = lp->job.code == 0 && glp_get_status(lp->prob) == GLP_OPT;
    lp->rows_changed = lp->rows_changed && !*solved;
    return RWA_OK;
}

double lp_grow_value(const struct lp_grow *lp)
{
    assert(lp->prob);
    return glp_get_obj_val(lp->prob);
}

double lp_grow_x(const struct lp_grow *lp, int column)
{
    return glp_get_col_prim(lp->prob, column + 1);
}

double lp_grow_dual(const struct lp_grow *lp, int row)
{
    return glp_get_row_dual(lp->prob, row + 1);
}
