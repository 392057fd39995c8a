/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The searches for demands with several routes, applied to fixed paths. */
#include "solvers/improve.h"
#include "solvers/single.h"

enum { MOST_MARKS = 1 << 24 };

rwa_status refine_try(struct solve *run, uint64_t work)
{
    rwa_status st = RWA_OK;
    struct single s = {0};
    struct improve search =
        {.spectrum = &s.spectrum,
         .work = work,
         .best = &s.best,
         .goal = {.bound = run->found.bound, .random = &run->random, .budget = &run->budget, .err = run->err}};
    if (!run->have || single_hops(run) > SINGLE_MOST_HOPS ||
        (double)run->problem->paths * run->found.wavelengths > MOST_MARKS)
        return RWA_OK;
    TRY(single_create(&s, run));
    TRY(improve_tabu(&search));
    solve_keep(run, s.best.channel, s.best.channels, "exact");
done:
    single_free(&s);
    return st;
}
