/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Integer programs as files: another reader finds the same program in them. */
#include "lp/lp.h"
#include "tests/support/assigning.h"
#include "tests/support/folder.h"

#include <glpk.h>
#include <unistd.h>

/** The optimum of a program in a file; its columns. */
static double optimum_of(const char *path, int *columns)
{
    glp_prob *prob = glp_create_prob();
    glp_iocp search;
    int mps = strstr(path, ".mps") != NULL;
    glp_term_out(GLP_OFF);
    CU_ASSERT_EQUAL_FATAL(mps ? glp_read_mps(prob, GLP_MPS_FILE, NULL, path) : glp_read_lp(prob, NULL, path), 0);
    glp_init_iocp(&search);
    search.presolve = GLP_ON;
    CU_ASSERT_EQUAL(glp_intopt(prob, &search), 0);
    CU_ASSERT_EQUAL(glp_mip_status(prob), GLP_OPT);
    double value = glp_mip_obj_val(prob);
    *columns = glp_get_num_cols(prob);
    glp_delete_prob(prob);
    glp_term_out(GLP_ON);
    return value;
}

/* minimise 2 a + 3 b + c, a + b >= 2.5, b + c >= 1, a and b whole: 7.  By hand: b = 0 asks for a = 3
 * and c = 1, which is 7; b = 1 for a = 2: 7; b = 2 for a = 1: 8; b = 3: 9. */
static void open_example(struct lp *lp, struct budget *budget)
{
    static const double cost[] = {2, 3, 1}, least[] = {2.5, 1};
    OK(lp_open(lp, 3, 2, 4, budget, NULL));
    for (size_t c = 0; c < 3; c++) {
        lp->cost[c] = cost[c];
        lp->upper[c] = 4;
    }
    lp->continuous[2] = true;
    for (size_t r = 0; r < 2; r++) {
        lp_put(lp, r, 1);
        lp_put(lp, r + 1, 1);
        lp_end(lp, least[r], 100, "row_%zu", r);
    }
}

static void a_program_is_the_same_in_its_file(void)
{
    static const char *const names[] = {"a.lp", "a.mps", "plain"};
    for (size_t i = 0; i < COUNT(names); i++) {
        struct lp lp;
        struct lp_result result;
        int columns = 0;
        rwa_programs programs = {.struct_size = sizeof programs, .path = in_dir(names[i])};
        struct budget budget = base_budget(0, NULL, NULL);
        budget.programs = &programs;
        open_example(&lp, &budget);
        OK(lp_solve(&result, &lp, false, NULL));
        CU_ASSERT_EQUAL(programs.count, 1);
        CU_ASSERT_DOUBLE_EQUAL(2 * result.x[0] + 3 * result.x[1] + result.x[2], 7, 1e-9);
        lp_free(&lp);
        CU_ASSERT_DOUBLE_EQUAL(optimum_of(programs.path, &columns), 7, 1e-9);
        CU_ASSERT(columns >= 3); /* a row with two limits may become a column more */
    }
}

/* Names come back, in both formats; a column without one has its number. */
static void names_are_kept(void)
{
    static const char *const files[] = {"named.lp", "named.mps"};
    for (size_t i = 0; i < COUNT(files); i++) {
        rwa_programs programs = {.struct_size = sizeof programs, .path = in_dir(files[i])};
        struct budget budget = base_budget(0, NULL, NULL);
        struct lp lp;
        budget.programs = &programs;
        OK(lp_open(&lp, 2, 1, 2, &budget, NULL));
        lp_name_column(&lp, 1, "x_d%d_r0_w3", 7);
        lp_put(&lp, 0, 1);
        lp_put(&lp, 1, 1);
        lp_end(&lp, 1, INFINITY, "demand_d%d", 7);
        lp.upper[0] = lp.upper[1] = lp.cost[1] = 1;
        OK(lp_solve(&(struct lp_result){0}, &lp, true, NULL));
        lp_free(&lp);
        glp_prob *prob = glp_create_prob();
        glp_term_out(GLP_OFF);
        CU_ASSERT_EQUAL_FATAL(i == 1 ? glp_read_mps(prob, GLP_MPS_FILE, NULL, programs.path)
                                     : glp_read_lp(prob, NULL, programs.path),
                              0);
        glp_create_index(prob);
        CU_ASSERT(glp_find_col(prob, "x_d7_r0_w3") > 0);
        CU_ASSERT(glp_find_row(prob, "demand_d7") > 0);
        CU_ASSERT_EQUAL(glp_get_num_cols(prob), 2);
        CU_ASSERT_DOUBLE_EQUAL(glp_get_obj_coef(prob, glp_find_col(prob, "x_d7_r0_w3")), 1, 0);
        glp_delete_prob(prob);
        glp_term_out(GLP_ON);
    }
}

/* The next ones have numbers before the ending; a path that cannot be written is an error. */
static void programs_are_numbered(void)
{
    rwa_programs programs = {.struct_size = sizeof programs, .path = in_dir("many.x.lp")};
    struct budget budget = base_budget(0, NULL, NULL);
    struct lp lp;
    struct lp_result result;
    rwa_error err = {0};
    int columns = 0;
    open_example(&lp, &budget);
    OK(lp_solve(&result, &lp, true, &err)); /* nowhere */
    budget.programs = &programs;
    for (int i = 0; i < 3; i++)
        OK(lp_solve(&result, &lp, true, &err));
    CU_ASSERT_EQUAL(programs.count, 3);
    CU_ASSERT_DOUBLE_EQUAL(optimum_of(in_dir("many.x-3.lp"), &columns), 7, 1e-9);
    CU_ASSERT_EQUAL(access(in_dir("many.x-2.lp"), F_OK), 0);
    CU_ASSERT_NOT_EQUAL(access(in_dir("many.x-4.lp"), F_OK), 0);
    programs.path = in_dir("none/a.lp");
    CU_ASSERT_EQUAL(lp_solve(&result, &lp, true, &err), RWA_IO);
    expect_part(err.text, "cannot write the integer program");
    CU_ASSERT_EQUAL(programs.count, 3);
    lp_free(&lp);
}

/* All pairs of a line of 5 nodes: the middle link carries 6 of them, and intervals need no more wavelengths than
   that. */
static void the_program_of_an_assignment_has_its_optimum(void)
{
    struct request r = request_of("line:5 undirected by ilp");
    rwa_programs programs = {.struct_size = sizeof programs, .path = in_dir("assign.lp")};
    int columns = 0;
    r.assign.programs = &programs;
    CU_ASSERT_EQUAL(rwa_assignment_summary(assignment_for(r))->wavelengths, 6);
    CU_ASSERT_EQUAL(programs.count, 1);
    CU_ASSERT_DOUBLE_EQUAL(optimum_of(programs.path, &columns), 6, 1e-9);
}

int main(void)
{
    char command[128];
    snprintf(dir, sizeof dir, "%s", "/tmp/rwa-lp-XXXXXX");
    if (!mkdtemp(dir))
        return EXIT_FAILURE;
    int failed = RUN_TESTS("programs as files", a_program_is_the_same_in_its_file, names_are_kept,
                           programs_are_numbered, the_program_of_an_assignment_has_its_optimum);
    snprintf(command, sizeof command, "rm -rf %s", dir);
    return failed || system(command) != 0;
}
