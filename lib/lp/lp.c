/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lp/lp.h"
#include "lp/guard.h"
#include "rwa/solver.h"

#include <float.h>
#include <glpk.h>
#include <errno.h>

struct lp_job {
    const struct lp *lp;
    struct lp_result *result;   /* NULL: the program is only written */
    int *index;     /* one row, counted from 1 as GLPK does */
    double *value;
    int code;
    const char *file;   /* the program is written to this file first; NULL: it is not written */
    bool written;
};

static void load_model(glp_prob *prob, const struct lp_job *job)
{
    const struct lp *lp = job->lp;
    glp_set_prob_name(prob, "rwa");
    glp_set_obj_dir(prob, GLP_MIN);
    glp_add_cols(prob, lp->columns);
    if (lp->rows > 0)
        glp_add_rows(prob, lp->rows);
    for (int c = 0; c < lp->columns; c++) {
        glp_set_col_kind(prob, c + 1, lp->continuous[c] ? GLP_CV : GLP_IV);
        glp_set_col_bnds(prob, c + 1, lp_limits(lp->lower[c], lp->upper[c]), lp->lower[c], lp->upper[c]);
        glp_set_obj_coef(prob, c + 1, lp->cost[c]);
        if (lp->column_name && lp->column_name[c])
            glp_set_col_name(prob, c + 1, lp->column_name[c]);
    }
    for (int r = 0; r < lp->rows; r++) {
        int n = 0;
        for (int k = lp->first[r]; k < lp->first[r + 1]; k++) {
            job->index[++n] = lp->column[k] + 1;
            job->value[n] = lp->value[k];
        }
        glp_set_mat_row(prob, r + 1, n, job->index, job->value);
        glp_set_row_bnds(prob, r + 1, lp_limits(lp->row_lower[r], lp->row_upper[r]), lp->row_lower[r],
                         lp->row_upper[r]);
        if (lp->row_name && lp->row_name[r])
            glp_set_row_name(prob, r + 1, lp->row_name[r]);
    }
}

static void on_node(glp_tree *tree, void *info)
{
    struct lp_job *job = info;
    int node = glp_ios_best_node(tree);
    if (node != 0) {
        double bound = glp_ios_node_bound(tree, node);
        if (bound > job->result->bound && bound < DBL_MAX)
            job->result->bound = bound;
    }
    if (base_must_stop(job->lp->budget, "ilp", 0))
        glp_ios_terminate(tree);
}

static void read_answer(glp_prob *prob, struct lp_job *job)
{
    struct lp_result *result = job->result;
    int status = glp_mip_status(prob);
    result->infeasible = job->code == 0 && status == GLP_NOFEAS;
    result->solved = status == GLP_OPT || status == GLP_FEAS;
    result->optimal = job->code == 0 && status == GLP_OPT;
    if (result->optimal)
        result->bound = glp_mip_obj_val(prob);
    for (int c = 0; result->solved && c < job->lp->columns; c++)
        result->x[c] = glp_mip_col_val(prob, c + 1);
}

/** Return GLPK's branching rule for a program: Driebeek-Tomlin, its default; for large programs, where that would
 *  overrun the time limit, the most fractional variable. */
static int branching_of(const struct lp *lp)
{
    const double most = 2e7; /* about a tenth of a second */
    return (double)lp->rows * lp->entry > most ? GLP_BR_MFV : GLP_BR_DTH;
}

/** Return an estimate of the seconds by which GLPK exceeds its time limit, in proportion to the entries of the program:
 *  0.6 s were measured with 1.5 million. */
static double slack_of(const struct lp *lp)
{
    return 4e-7 * lp->entry;
}

static int limit_ms(const struct lp_job *job)
{
    double left = (job->lp->budget->deadline_s - base_now_s() - slack_of(job->lp)) * 1000;
    if (job->lp->budget->deadline_s <= 0 || left > INT_MAX)
        return INT_MAX;
    return left < 1 ? 1 : (int)left;
}

/** Tell whether the deadline, if there is one, leaves time to find a basis and to start and end the search. */
static bool job_has_time(const struct lp_job *job)
{
    return job->lp->budget->deadline_s <= 0 || job->lp->budget->deadline_s - base_now_s() > 3 * slack_of(job->lp);
}

/** Search by branch and bound for the best integer solution of `prob`, starting from the optimum of its relaxation,
 *  which GLPK holds.  Write what is found to *job->result, and GLPK's code to job->code. */
static void search_whole(glp_prob *prob, struct lp_job *job)
{
    glp_iocp search;
    job->result->bound = glp_get_obj_val(prob);
    glp_init_iocp(&search);
    search.msg_lev = GLP_MSG_OFF;
    search.tm_lim = limit_ms(job);
    search.br_tech = branching_of(job->lp);
    search.cb_func = on_node;
    search.cb_info = job;
    job->code = glp_intopt(prob, &search);
    read_answer(prob, job);
}

static void solve_model(glp_prob *prob, struct lp_job *job)
{
    glp_smcp simplex;
    if (!job_has_time(job)) {
        job->code = GLP_ETMLIM;
        return;
    }
    glp_adv_basis(prob, 0);
    glp_init_smcp(&simplex);
    simplex.msg_lev = GLP_MSG_OFF;
    simplex.tm_lim = limit_ms(job);
    job->code = glp_simplex(prob, &simplex);
    if (job->code == 0 && glp_get_status(prob) == GLP_NOFEAS)
        job->result->infeasible = true;
    else if (job->code == 0 && glp_get_status(prob) == GLP_OPT)
        search_whole(prob, job);
}

/* ---- files, for other solvers ---- */

/** Return the index of the dot before the ending of a file name, or the length of the path if the name has no
 *  ending. */
static size_t ending_at(const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *dot = strrchr(name, '.');
    return dot && dot != name ? (size_t)(dot - path) : strlen(path);
}

/** Return the name of the file for the next program: "a-2.lp" for the second program of "a.lp".  The caller frees it;
 *  NULL: out of memory. */
static char *file_of_next(const rwa_programs *programs, rwa_error *err)
{
    enum { NUMBER = 16 };
    size_t size = strlen(programs->path) + NUMBER, end = ending_at(programs->path);
    char *name = base_array(size, 1, err);
    if (!name)
        return NULL;
    if (programs->count == 0)
        snprintf(name, size, "%s", programs->path);
    else
        snprintf(name, size, "%.*s-%u%s", (int)end, programs->path, programs->count + 1, programs->path + end);
    return name;
}

/** Rename the file `temporary`, if it was written, to `path`.  Otherwise, or if that fails, remove it and return
 *  RWA_IO. */
static rwa_status finish_file(const char *path, const char *temporary, bool written, rwa_error *err)
{
    if (written && rename(temporary, path) == 0)
        return RWA_OK;
    int code = errno;
    remove(temporary);
    return base_fail(err, RWA_IO, "%s: cannot write the integer program: %s", path, strerror(code ? code : EIO));
}

/* ---- a job ---- */

static void work(void *data)
{
    struct lp_job *job = data;
    glp_prob *prob = glp_create_prob();
    load_model(prob, job);
    if (job->file) {
        const char *path = job->lp->budget->programs->path;
        bool mps = strcmp(path + ending_at(path), ".mps") == 0;
        errno = 0;
        job->written =
            (mps ? glp_write_mps(prob, GLP_MPS_FILE, NULL, job->file) : glp_write_lp(prob, NULL, job->file)) == 0;
    }
    if (job->result && (!job->file || job->written))
        solve_model(prob, job);
    glp_delete_prob(prob);
}

/** Set *path to the final name of the program's file, and *temporary to its name while it is being written; the caller
 *  frees both.  If the budget asks for no files, they stay as they are. */
static rwa_status name_file(char **path, char **temporary, const struct budget *budget, rwa_error *err)
{
    if (!budget->programs)
        return RWA_OK;
    *path = file_of_next(budget->programs, err);
    size_t size = *path ? strlen(*path) + sizeof ".tmp" : 0;
    *temporary = *path ? base_array(size, 1, err) : NULL;
    if (!*temporary)
        return RWA_NOMEM;
    snprintf(*temporary, size, "%s.tmp", *path);
    return RWA_OK;
}

/** Write the program to a file if its budget asks for files, and solve it unless job->result is NULL.  `fresh`: as in
 *  lp_guard(). */
static rwa_status run_job(struct lp_job *job, bool *fresh, rwa_error *err)
{
    char *path = NULL, *temporary = NULL;
    rwa_status st = RWA_OK;
    TRY(base_new(job->index, (size_t)job->lp->columns + 1, err));
    TRY(base_new(job->value, (size_t)job->lp->columns + 1, err));
    TRY(name_file(&path, &temporary, job->lp->budget, err));
    job->file = temporary;
    TRY(lp_guard(work, job, fresh, err));
    if (path)
        TRY(finish_file(path, temporary, job->written, err));
    if (path)
        job->lp->budget->programs->count++;
done:
    free_all(path, temporary, job->value, job->index);
    return st;
}

rwa_status lp_solve(struct lp_result *result, struct lp *lp, bool only_written, rwa_error *err)
{
    assert(lp->columns > 0);
    bool fresh = false;
    struct lp_job job = {.lp = lp, .result = only_written ? NULL : result};
    *result = (struct lp_result){.bound = -INFINITY};
    MUST(arena_arrays(&lp->memory, (size_t)lp->columns, result->x));
    if (only_written && !lp->budget->programs)
        return RWA_OK;
    rwa_status st = run_job(&job, &fresh, err);
    if (st != RWA_OK)
        result->solved = false;
    else if (job.code != 0 && job.code != GLP_ETMLIM && job.code != GLP_ESTOP)
        st = base_fail(err, RWA_BACKEND, "GLPK: code %d", job.code);
    lp_leave(fresh);
    return st;
}
