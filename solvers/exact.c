/* SPDX-License-Identifier: GPL-3.0-or-later */
/** For few paths: a clique of paths as the bound, and branch and bound. */
#include "solvers/clique.h"
#include "solvers/single.h"

enum { SEARCH_PATHS = 128 };

rwa_status search_try(struct solve *run, uint64_t most_nodes)
{
    uint32_t member[SEARCH_PATHS], clique = 0;
    rwa_status st = RWA_OK;
    struct single s = {0};
    bool proven = false;
    if (run->problem->paths > SEARCH_PATHS || run->problem->paths == 0)
        return RWA_OK;
    TRY(single_create(&s, run));
    TRY(clique_find(member, &clique, &s.cand, run->err));
    solve_raise(run, clique, "clique");
    const struct spectrum_goal goal = {.bound = run->found.bound,
                                       .most_nodes = most_nodes,
                                       .budget = &run->budget,
                                       .err = run->err};
    TRY(spectrum_exact(&s.best, &proven, &s.spectrum, &goal));
    solve_keep(run, s.best.channel, s.best.channels, "exact");
    if (proven)
        solve_raise(run, run->found.wavelengths, "search");
done:
    single_free(&s);
    return st;
}
