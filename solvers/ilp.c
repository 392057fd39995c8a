/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The link-path program for fixed paths, on one wavelength less than the best colouring has; no solution proves
 *  that colouring optimal. */
#include "solvers/link_path.h"
#include "solvers/single.h"

#include "base/arithmetic.h"

enum { MOST_BINARIES = 200000, MOST_ENTRIES = 10000000 };

/** Search for fewer wavelengths by the link-path program; with only_written, write the program for the wavelengths
 *  found so far to the files of the budget, and solve nothing. */
static rwa_status improve(struct solve *run, bool only_written)
{
    assert(run->have && (only_written || run->found.wavelengths > 1));
    rwa_status st = RWA_OK;
    struct single s = {0};
    uint64_t bound = 0;
    uint32_t most = run->found.wavelengths + only_written;
    struct link_path program = {.spectrum = &s.spectrum,
                                .channels = most - 1,
                                .fixed_link = run->peak_link,
                                .most_variables = SIZE_MAX,
                                .most_entries = SIZE_MAX,
                                .budget = &run->budget,
                                .only_written = only_written};
    TRY(single_create(&s, run));
    TRY(link_path_run(&program, &s.best, &bound, run->err));
    if (only_written)
        goto done;
    if (s.best.channels < most)
        solve_keep(run, s.best.channel, s.best.channels, "ilp");
    if (bound > 0)
        solve_raise(run, bound < most ? lesser(bound, run->found.wavelengths) : most, "ilp");
done:
    single_free(&s);
    return st;
}

static rwa_status ilp(struct solve *run)
{
    double paths = (double)run->problem->paths, colours = 0;
    MUST(greedy_run(run, run->opts->order, false));
    if (solve_done(run) && !run->budget.programs)
        return RWA_OK;
    colours = run->found.wavelengths - !solve_done(run);
    if ((paths + 1) * colours <= MOST_BINARIES &&
        (paths + single_hops(run) + run->problem->links + 2) * colours <= MOST_ENTRIES)
        MUST(improve(run, solve_done(run))); /* larger problems keep the first-fit answer */
    return RWA_OK;
}

const struct solver solver_ilp = {"ilp", ilp};
