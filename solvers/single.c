/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Fixed paths as candidates, a route of one segment for each demand, so that the searches for demands with several
 *  routes colour them. */
#include "base/arithmetic.h"
#include "solvers/clique.h"
#include "solvers/improve.h"
#include "solvers/link_path.h"
#include "solvers/solver.h"

/* MOST_HOPS: links of all paths together, beyond which the searches are skipped.  SEARCH_PATHS: paths that branch and
 * bound takes.  MOST_MARKS: of the tabu search.  The others limit the link-path program. */
enum {
    MOST_HOPS = 10000000,
    SEARCH_PATHS = 128,
    MOST_MARKS = 1 << 24,
    MOST_BINARIES = 200000,
    MOST_ENTRIES = 10000000
};

static double count_hops(const struct solve *run)
{
    double hops = 0;
    for (uint32_t l = 0; l < run->problem->links; l++)
        hops += run->load[l];
    return hops;
}

static rwa_status list_candidates(struct solve *run)
{
    const rwa_problem *p = run->problem;
    size_t *index, *hop;
    uint32_t *link;
    run->arena.err = run->err;
    arena_arrays(&run->arena, p->paths + 1, index, hop);
    MUST(arena_arrays(&run->arena, (size_t)count_hops(run), link));
    for (size_t i = 0; i < p->paths; i++) {
        index[i + 1] = i + 1;
        hop[i + 1] = hop[i] + path_length(p, i);
        for (size_t k = hop[i]; k < hop[i + 1]; k++)
            link[k] = path_link(p, i, (uint32_t)(k - hop[i]));
    }
    run->cand = (struct candidates){.links = p->links,
                                    .fibers = 1,
                                    .demands = (uint32_t)p->paths,
                                    .route = index,
                                    .segment = index,
                                    .hop = hop,
                                    .link = link};
    run->spectrum.cand = &run->cand;
    return placement_create(&run->best, &run->cand, run->err);
}

/* List the paths as candidates, once in a run, and copy the best colouring so far, if there is one, to run->best. */
static rwa_status use_candidates(struct solve *run)
{
    if (!run->best.route)
        MUST(list_candidates(run));
    run->best.channels = run->found.wavelengths;
    run->best.placed = run->cand.demands;
    for (uint32_t i = 0; i < run->cand.demands && run->have; i++) {
        run->best.route[i] = i;
        run->best.channel[i] = run->colour[i];
    }
    return RWA_OK;
}

rwa_status fit_lists(struct solve *run, const uint32_t *order, bool most_used)
{
    const char *name = most_used ? "best-fit" : "first-fit";
    struct budget budget = run->budget;
    const struct spectrum_fit fit = {.rule = most_used ? FIT_MOST_USED : FIT_LOWEST,
                                     .list = order,
                                     .grows = true,
                                     .budget = &budget};
    if (run->have && count_hops(run) > MOST_HOPS)
        return RWA_OK;
    if (!run->have)
        budget.deadline_s = 0;
    MUST(use_candidates(run));
    MUST(spectrum_fit_all(&run->best, &run->spectrum, 2 * (uint64_t)run->peak, 0, &fit, run->err));
    run->budget.cancelled = budget.cancelled;
    if (run->best.placed == run->cand.demands)
        solve_keep(run, run->best.channel, run->best.channels, name);
    return run->have ? RWA_OK : base_fail(run->err, RWA_CANCELLED, "%s: cancelled", name);
}

rwa_status search_try(struct solve *run, uint64_t most_nodes)
{
    uint32_t member[SEARCH_PATHS], clique = 0;
    bool proven = false;
    if (run->problem->paths > SEARCH_PATHS || run->problem->paths == 0)
        return RWA_OK;
    MUST(use_candidates(run));
    MUST(clique_find(member, &clique, &run->cand, run->err));
    solve_raise(run, clique, "clique");
    const struct spectrum_goal goal = {.bound = run->found.bound,
                                       .most_nodes = most_nodes,
                                       .budget = &run->budget,
                                       .err = run->err};
    MUST(spectrum_exact(&run->best, &proven, &run->spectrum, &goal));
    solve_keep(run, run->best.channel, run->best.channels, "exact");
    if (proven)
        solve_raise(run, run->found.wavelengths, "search");
    return RWA_OK;
}

rwa_status refine_try(struct solve *run, uint64_t work)
{
    const struct improve search = {
        .spectrum = &run->spectrum,
        .work = work,
        .best = &run->best,
        .goal = {.bound = run->found.bound, .random = &run->random, .budget = &run->budget, .err = run->err}};
    if (!run->have || count_hops(run) > MOST_HOPS ||
        (double)run->problem->paths * run->found.wavelengths > MOST_MARKS)
        return RWA_OK;
    MUST(use_candidates(run));
    MUST(improve_tabu(&search));
    solve_keep(run, run->best.channel, run->best.channels, "exact");
    return RWA_OK;
}

/* Search by the link-path integer program for a colouring with one wavelength less; if there is none, the best so far
 * is proven optimal.  only_written: only write the program, for as many wavelengths as found, to the files of the
 * budget. */
static rwa_status improve(struct solve *run, bool only_written)
{
    assert(run->have && (only_written || run->found.wavelengths > 1));
    uint64_t bound = 0;
    uint32_t most = run->found.wavelengths + only_written;
    const struct link_path program = {.spectrum = &run->spectrum,
                                      .channels = most - 1,
                                      .fixed_link = run->peak_link,
                                      .most_variables = SIZE_MAX,
                                      .most_entries = SIZE_MAX,
                                      .budget = &run->budget,
                                      .only_written = only_written};
    MUST(use_candidates(run));
    MUST(link_path_run(&program, &run->best, &bound, run->err));
    if (only_written)
        return RWA_OK;
    if (run->best.channels < most)
        solve_keep(run, run->best.channel, run->best.channels, "ilp");
    if (bound > 0)
        solve_raise(run, bound < most ? lesser(bound, run->found.wavelengths) : most, "ilp");
    return RWA_OK;
}

static rwa_status ilp(struct solve *run)
{
    double paths = (double)run->problem->paths, colours = 0;
    MUST(greedy_run(run, run->opts->order, false));
    if (solve_done(run) && !run->budget.programs)
        return RWA_OK;
    colours = run->found.wavelengths - !solve_done(run);
    if ((paths + 1) * colours <= MOST_BINARIES &&
        (paths + count_hops(run) + run->problem->links + 2) * colours <= MOST_ENTRIES)
        MUST(improve(run, solve_done(run))); /* larger problems keep the first-fit answer */
    return RWA_OK;
}

const struct solver solver_ilp = {"ilp", ilp};
