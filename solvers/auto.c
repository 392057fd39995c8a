/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solvers/solver.h"

/* From cheap and certain to costly: each step is tried only while the answer is not proven. */
static rwa_status automatic(struct solve *run)
{
    rwa_status st = RWA_OK;
    TRY(known_try(run));
    if (!solve_done(run))
        TRY(interval_try(run));
    if (!solve_done(run))
        TRY(greedy_run(run, run->opts->order, false));
    if (!solve_done(run))
        TRY(greedy_all(run));
    if (!solve_done(run))
        TRY(search_try(run, 10000));
    if (!solve_done(run))
        TRY(fractional_try(run, 400));
    if (!solve_done(run))
        TRY(refine_try(run, 1000000));
    if (!solve_done(run))
        TRY(search_try(run, 1000000));
done:
    return st;
}

const struct solver solver_auto = {"auto", "known colouring, interval colouring, greedy, then column generation and search while small",
                                   automatic};
