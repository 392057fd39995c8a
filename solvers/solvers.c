/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The table of solvers, the checks on a problem, and the load bound. */
#include "solvers/solver.h"

static const struct solver *const table[] = {&solver_auto, &solver_first_fit, &solver_best_fit, &solver_exact,
                                             &solver_ilp};

LISTED(rwa_solver_name, table, ->name)

OPTIONS(rwa_solver_options, .order = RWA_ORDER_LONGEST, .time_limit_s = 10, .seed = 1)

uint32_t path_length(const rwa_problem *problem, size_t path)
{
    assert(path < problem->paths);
    uint32_t from = 0;
    uint32_t to = 0;
    if (problem->first)
        return (uint32_t)(problem->first[path + 1] - problem->first[path]);
    from = problem->start[path];
    to = problem->end[path];
    return to > from ? to - from : problem->links - from + to;
}

uint32_t path_link(const rwa_problem *problem, size_t path, uint32_t k)
{
    assert(path < problem->paths);
    uint32_t left = 0;
    if (problem->first)
        return problem->link[problem->first[path] + k];
    left = problem->links - problem->start[path]; /* links before the wrap; start + length could overflow */
    return k < left ? problem->start[path] + k : k - left;
}

void solve_keep(struct solve *run, const uint32_t *colour, uint32_t used, const char *solver)
{
    assert(used > 0 || run->problem->paths == 0);
    if (run->have && used >= run->found.wavelengths)
        return;
    memcpy(run->colour, colour, run->problem->paths * sizeof *colour);
    run->found.wavelengths = used;
    run->found.solver = solver;
    run->have = true;
}

void solve_raise(struct solve *run, uint32_t bound, const char *name)
{
    assert(name);
    assert(!run->have || bound <= run->found.wavelengths);
    if (bound > run->found.bound) {
        run->found.bound = bound;
        run->found.bound_name = name;
    }
}

bool solve_done(const struct solve *run)
{
    return run->have && run->found.wavelengths == run->found.bound;
}

static rwa_status check_arcs(const rwa_problem *problem, rwa_error *err)
{
    for (size_t i = 0; i < problem->paths; i++) {
        if (problem->start[i] >= problem->links || problem->end[i] >= problem->links)
            return base_refuse(err, "path %zu: an end outside the %u links", i, problem->links);
        if (problem->start[i] == problem->end[i])
            return base_refuse(err, "path %zu covers no link", i);
    }
    return RWA_OK;
}

static rwa_status check_lists(const rwa_problem *problem, rwa_error *err)
{
    rwa_status st = RWA_OK;
    uint32_t *seen; /* the last path on a link, plus 1 */
    MUST(base_new(seen, problem->links, err));
    for (size_t i = 0; i < problem->paths && st == RWA_OK; i++) {
        if (problem->first[i] >= problem->first[i + 1])
            st = base_refuse(err, "path %zu covers no link", i);
        for (uint64_t k = problem->first[i]; k < problem->first[i + 1] && st == RWA_OK; k++) {
            uint32_t link = problem->link[k];
            if (link >= problem->links)
                st = base_refuse(err, "path %zu: link %u outside the %u links", i, link, problem->links);
            else if (seen[link] == i + 1)
                st = base_refuse(err, "path %zu: link %u twice", i, link);
            else
                seen[link] = (uint32_t)(i + 1);
        }
    }
    free(seen);
    return st;
}

static rwa_status check_problem(const rwa_problem *problem, rwa_error *err)
{
    bool any_arcs = problem->start || problem->end;
    bool any_lists = problem->first || problem->link;
    if (any_arcs && any_lists)
        return base_refuse(err, "problem: both arcs and link lists are given");
    if (!(problem->start && problem->end) && !(problem->first && problem->link))
        return base_refuse(err, "problem: neither arcs nor link lists are given");
    if (problem->paths > UINT32_MAX - 1)
        return base_refuse(err, "problem: more than 2^32 - 2 paths");
    return any_arcs ? check_arcs(problem, err) : check_lists(problem, err);
}

/* Count the paths over each link in run->load.  Set run->peak and run->peak_link to the largest load and its link, and
 * run->idle_link to a link without paths (the number of links if there is none).  The largest load is the first
 * bound. */
static void count_load(struct solve *run)
{
    const rwa_problem *p = run->problem;
    uint32_t sum = 0;
    if (p->first) {
        for (uint64_t k = p->paths ? p->first[0] : 0; p->paths && k < p->first[p->paths]; k++)
            run->load[p->link[k]]++;
    } else {
        /* an arc adds 1 at its start and -1, modulo 2^32, at its end; the sums up to each link are the loads */
        for (size_t i = 0; i < p->paths; i++) {
            sum += p->end[i] < p->start[i]; /* a path that wraps is already there before link 0 */
            run->load[p->start[i]]++;
            run->load[p->end[i]]--;
        }
        for (uint32_t l = 0; l < p->links; l++) {
            sum += run->load[l];
            run->load[l] = sum;
        }
    }
    run->idle_link = p->links;
    for (uint32_t l = 0; l < p->links; l++) {
        if (run->load[l] > run->peak) {
            run->peak = run->load[l];
            run->peak_link = l;
        }
        if (run->load[l] == 0)
            run->idle_link = l;
    }
    run->found.bound = run->peak;
    run->found.bound_name = "load";
}

static const struct solver *find_solver(const char *name)
{
    if (!name)
        return table[0];
    if (name == solver_brief.name || name == solver_shortest.name)
        return name == solver_brief.name ? &solver_brief : &solver_shortest;
    size_t i = base_find_name(rwa_solver_name, name);
    return i == SIZE_MAX ? NULL : table[i];
}

rwa_status rwa_solver_run_sized(uint32_t *colour, rwa_solver_result *found, size_t size, const char *solver,
                                const rwa_problem *problem, const rwa_solver_options *opts, rwa_error *err)
{
    BEGIN(err, colour, found, problem);
    return solver_run(colour, found, size, solver, problem, opts, NULL, err);
}

rwa_status solver_run(uint32_t *colour, rwa_solver_result *found, size_t size, const char *solver,
                      const rwa_problem *problem, const rwa_solver_options *opts, rwa_programs *programs,
                      rwa_error *err)
{
    rwa_status st = RWA_OK;
    const struct solver *chosen = find_solver(solver);
    rwa_solver_options our_opts;
    rwa_problem ours = {0};
    struct solve run = {.problem = &ours, .opts = &our_opts, .err = err};
    if (!chosen)
        return base_refuse(err, "unknown solver '%s'", solver);
    TRY(base_options(rwa_solver_options, &our_opts, opts, err));
    TRY(base_take_options(&ours, sizeof ours, problem, "rwa_problem", err));
    TRY(check_problem(&ours, err));
    run.random = our_opts.seed;
    run.budget = base_budget(our_opts.time_limit_s, our_opts.poll, our_opts.poll_data);
    run.budget.programs = programs;
    TRY(base_new(run.load, ours.links, err));
    TRY(base_new(run.colour, ours.paths, err));
    count_load(&run);
    TRY(chosen->run(&run));
    run.found.outcome = solve_done(&run) ? RWA_OPTIMAL : RWA_FEASIBLE;
    memcpy(colour, run.colour, ours.paths * sizeof *colour);
    base_give_answer(found, size, &run.found, sizeof run.found);
done:
    placement_free(&run.best);
    arena_free(&run.arena);
    free_all(run.colour, run.load);
    return st;
}
